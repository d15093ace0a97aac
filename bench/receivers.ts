/** Published workflows that receive deliveries, each a trigger and a No Operation node: ours, and those to compare with. */
import { randomBytes, randomUUID } from 'node:crypto';
import { SAMPLES } from '../sandbox/http/samples.ts';
import type { WorkflowNode } from '../host/n8n/client.ts';
import type { Stack } from '../host/stack.ts';
import { deliver, JSON_TYPE, signedHeaders } from '../host/testkit/deliveries.ts';
import { node, publishLine, saveCredential, saveOther, triggerNode } from '../host/testkit/workflows.ts';
import { headersOfSlack, type Receiver } from './deliveries.ts';

export const BODY_BYTES = 1024;
const UUID_LENGTH = 36;

export const OURS = 'Wallet Service Trigger';
/** n8n's floor for a trigger that verifies: it has a credential, which n8n looks up before each execution. */
export const FLOOR = 'Null Trigger';
const SLACK = 'Slack Trigger';
export const RECEIVERS = [OURS, FLOOR, 'Webhook', SLACK] as const;
export type Name = (typeof RECEIVERS)[number];

/** JSON with `<id>` in place of a UUID, and a note that gives it BODY_BYTES with the UUID. */
function padded(body: (note: string) => object): string {
	const length = JSON.stringify(body('')).length - '<id>'.length + UUID_LENGTH;
	return JSON.stringify(body('x'.repeat(BODY_BYTES - length)));
}

const EVENT = padded((note) => ({ ...SAMPLES.admin_funding, id: '<id>', note }));

const SLACK_MESSAGE = padded((text) => ({
	type: 'event_callback',
	event_id: '<id>',
	event: { type: 'message', channel: 'C0123456789', user: 'U0123456789', ts: '1700000000.000100', text },
}));

/** Publishes all receivers, with the same secret. Throws if one that should verify does not: it would not be comparable. */
export async function publishReceivers(stack: Stack): Promise<Record<Name, Receiver>> {
	const { client, n8n } = stack;
	const secret = randomBytes(24).toString('hex');
	const wallet = await saveOther(stack, 'Receiver', { webhookSecret: secret });
	const header = await saveCredential(client, 'httpHeaderAuth', { name: 'x-token', value: secret });
	const slackData = { accessToken: 'fake', signatureSecret: secret };
	const slack = await saveCredential(client, 'slackApi', slackData);
	const path = randomUUID();
	const webhook = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	const ofSlack = { trigger: ['any_event'], watchWorkspace: true, options: {} };
	const withId = (more: Partial<WorkflowNode>) => ({ webhookId: randomUUID(), ...more });
	const triggers: Record<Name, WorkflowNode> = {
		[OURS]: triggerNode({ events: Object.keys(SAMPLES) }, wallet),
		[FLOOR]: node('', 'n8n-nodes-null.nullTrigger', {}, withId({ typeVersion: 2, credentials: header })),
		Webhook: node('', 'webhook', webhook, { webhookId: path }),
		[SLACK]: node('', 'slackTrigger', ofSlack, withId({ credentials: slack })),
	};
	const receivers: Partial<Record<Name, Receiver>> = {};
	for (const name of RECEIVERS) {
		const trigger = { ...triggers[name], name };
		const { id } = await publishLine(client, name, trigger, node('End', 'noOp'));
		// n8n appends the name of the webhook, except for its own Webhook node.
		const suffix = name === 'Webhook' ? '' : '/webhook';
		receivers[name] = {
			workflowId: id,
			url: `${n8n.webhooks}/webhook/${trigger.webhookId}${suffix}`,
			headers: name === SLACK ? headersOfSlack : signedHeaders,
			secret,
			template: name === SLACK ? SLACK_MESSAGE : EVENT,
		};
	}
	const published = receivers as Record<Name, Receiver>;
	for (const { url, headers, template } of [published[OURS], published[SLACK]]) {
		const { status } = await deliver(url, template, { ...JSON_TYPE, ...headers(template, 'wrong') });
		if (status !== 401 && status !== 403) throw new Error(`${url} answers a wrong signature with ${status}`);
	}
	return published;
}
