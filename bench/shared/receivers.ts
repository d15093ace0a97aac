/** Published workflows that receive deliveries, each a trigger and a No Operation node: ours, and those to compare with. */
import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { SAMPLES } from '../../sandbox/samples.ts';
import type { Json, N8nClient, WorkflowNode } from '../../host/n8n/client.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { signForSlack, signForWallet } from './deliveries.ts';
import type { Receiver } from './deliveries.ts';
import type { Queryable } from './executions.ts';
import {
	node,
	NULL_TRIGGER_NODE,
	publishWithEnd,
	saveCredential,
	TRIGGER_NODE,
	verifyingCredential,
} from './workflowParts.ts';

export const BODY_BYTES = 1024;
const UUID_LENGTH = 36;

export const OURS = 'Wallet Service Trigger';
export const NULL = 'Null Trigger';
/** n8n's floor for a trigger that verifies: n8n looks the credential up before each execution. */
export const FLOOR = 'Null Trigger, a credential';
export const SLACK = 'Slack Trigger';
/** The Webhook node, set up so that n8n cannot take its shortcut for static parameters. */
export const CONTROL = 'Webhook, Header Auth, an expression';
export const RECEIVERS = [OURS, NULL, FLOOR, 'Webhook', SLACK, CONTROL] as const;
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

/** An n8n to publish in. */
export interface Place {
	n8n: N8n;
	client: N8nClient;
	/** All its processes. */
	processes: N8n[];
	database: Queryable;
}

/** Publishes these receivers. All have the same secret. */
export async function publishReceivers<N extends Name>(
	{ n8n, client, processes, database }: Place,
	names: readonly N[],
): Promise<Record<N, Receiver>> {
	const secret = randomBytes(24).toString('hex');
	const wallet = await saveCredential(client, CREDENTIAL_TYPE, verifyingCredential(secret));
	const header = await saveCredential(client, 'httpHeaderAuth', { name: 'x-token', value: secret });
	const slackData = { accessToken: 'fake', signatureSecret: secret };
	const slack = await saveCredential(client, 'slackApi', slackData);
	const ours = { events: Object.keys(SAMPLES), verification: 'credential', options: {} };
	const ofSlack = { trigger: ['any_event'], watchWorkspace: true, options: {} };
	const withExpression = { authentication: 'headerAuth', options: { responseData: '={{ "ok" }}' } };
	const triggers: Record<Name, WorkflowNode> = {
		[OURS]: makeTrigger(TRIGGER_NODE, ours, wallet),
		[NULL]: makeTrigger(NULL_TRIGGER_NODE, {}),
		[FLOOR]: makeTrigger(NULL_TRIGGER_NODE, {}, header),
		Webhook: makeWebhook({ options: {} }),
		[SLACK]: makeTrigger('n8n-nodes-base.slackTrigger', ofSlack, slack),
		[CONTROL]: makeWebhook(withExpression, header),
	};
	const receivers: Partial<Record<N, Receiver>> = {};
	for (const name of names) {
		const trigger = { ...triggers[name], name };
		const { id } = await publishWithEnd(client, trigger, name);
		// n8n appends the name of the webhook, except for its own Webhook node.
		const suffix = 'path' in trigger.parameters ? '' : '/webhook';
		receivers[name] = {
			workflowId: id,
			url: `${n8n.webhooks}/webhook/${trigger.webhookId}${suffix}`,
			sign: name === SLACK ? signForSlack : signForWallet,
			secret,
			template: name === SLACK ? SLACK_MESSAGE : EVENT,
			processes,
			database,
		};
	}
	return receivers as Record<N, Receiver>;
}

type Credentials = WorkflowNode['credentials'];

function makeTrigger(type: string, parameters: Json, credentials?: Credentials): WorkflowNode {
	return node('', type, parameters, { webhookId: randomUUID(), ...(credentials && { credentials }) });
}

function makeWebhook(parameters: Json, credentials?: Credentials): WorkflowNode {
	const path = randomUUID();
	const all = { httpMethod: 'POST', path, responseMode: 'onReceived', ...parameters };
	return { ...makeTrigger('n8n-nodes-base.webhook', all, credentials), webhookId: path };
}

/** Throws if the receiver accepts a wrong signature: its figures would not be comparable. */
export async function checkThatItVerifies({ url, sign, template }: Receiver): Promise<void> {
	const { statusCode, body } = await request(url, {
		method: 'POST',
		body: template,
		headers: { 'content-type': 'application/json', ...sign('wrong', template) },
	});
	await body.dump();
	if (statusCode !== 401 && statusCode !== 403)
		throw new Error(`${url} answers a wrong signature with ${statusCode}`);
}
