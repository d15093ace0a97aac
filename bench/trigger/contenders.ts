/** The workflows that the trigger bench compares, each a trigger and a No Operation node in one n8n. */
import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { SAMPLES } from '../../sandbox/samples.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { SendOrder } from '../shared/deliverySender.ts';
import { entryOf } from '../shared/lists.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import {
	node,
	NULL_TRIGGER_NODE,
	publishWithEnd,
	saveCredential,
	TRIGGER_NODE,
	verifyingCredential,
} from '../shared/workflowParts.ts';

export const BODY_BYTES = 1024;
const UUID_LENGTH = 36;

export const OURS = 'Wallet Service Trigger';
export const NULL = 'Null Trigger';
/** The same with a credential that it does not read: what n8n itself does for a credential is the rest. */
export const NULL_WITH_CREDENTIAL = 'Null Trigger, a credential';
export const WEBHOOK = 'Webhook';
export const SLACK = 'Slack Trigger';
/** The Webhook node again, set up so that n8n cannot take its shortcut for static parameters. */
export const CONTROL = 'Webhook, Header Auth, an expression';
export const CONTENDERS = [OURS, NULL, NULL_WITH_CREDENTIAL, WEBHOOK, SLACK, CONTROL];

export interface Contender {
	workflowId: string;
	order: Pick<SendOrder, 'url' | 'style' | 'secret' | 'template'>;
}

/** JSON with `<id>` in place of a UUID, and a note that gives it BODY_BYTES with the UUID. */
function padded(body: (note: string) => object): string {
	const length = JSON.stringify(body('')).length - '<id>'.length + UUID_LENGTH;
	return JSON.stringify(body('x'.repeat(BODY_BYTES - length)));
}

const EVENT = padded((note) => ({ ...SAMPLES.virtual_account_credited, id: '<id>', note }));

const SLACK_MESSAGE = padded((note) => ({
	type: 'event_callback',
	event_id: '<id>',
	event: {
		type: 'message',
		channel: 'C0123456789',
		user: 'U0123456789',
		ts: '1700000000.000100',
		text: note,
	},
}));

/** Publishes all of them. Returns each by its name. */
export async function publishContenders({ n8n, client }: TemporaryN8n): Promise<Record<string, Contender>> {
	const secret = randomBytes(24).toString('hex');

	/** `path`: what n8n appends to the webhook's id for this node. */
	const publish = async (
		trigger: WorkflowNode,
		path: string,
		order: Pick<SendOrder, 'style' | 'template'>,
	): Promise<Contender> => {
		const { id } = await publishWithEnd(client, trigger, trigger.name);
		return {
			workflowId: id,
			order: { ...order, secret, url: `${n8n.url}/webhook/${trigger.webhookId}${path}` },
		};
	};
	const ourEvent = { style: 'wallet', template: EVENT } as const;
	const webhookNode = (name: string, parameters: Json, more: Partial<WorkflowNode> = {}) => {
		const webhookId = randomUUID();
		const all = { httpMethod: 'POST', path: webhookId, responseMode: 'onReceived', ...parameters };
		return node(name, 'n8n-nodes-base.webhook', all, { webhookId, ...more });
	};

	const ours = node(
		OURS,
		TRIGGER_NODE,
		{ events: Object.keys(SAMPLES), verification: 'credential', options: {} },
		{
			webhookId: randomUUID(),
			credentials: await saveCredential(client, CREDENTIAL_TYPE, verifyingCredential(secret)),
		},
	);
	const headerAuth = await saveCredential(client, 'httpHeaderAuth', { name: 'x-token', value: secret });
	const control = webhookNode(
		CONTROL,
		{ authentication: 'headerAuth', options: { responseData: '={{ "ok" }}' } },
		{ credentials: headerAuth },
	);
	const slack = node(
		SLACK,
		'n8n-nodes-base.slackTrigger',
		{ trigger: ['any_event'], watchWorkspace: true, options: {} },
		{
			webhookId: randomUUID(),
			credentials: await saveCredential(client, 'slackApi', { accessToken: 'fake', signatureSecret: secret }),
		},
	);
	const nothing = (name: string, more: Partial<WorkflowNode> = {}) =>
		node(name, NULL_TRIGGER_NODE, {}, { webhookId: randomUUID(), ...more });
	return {
		[OURS]: await publish(ours, '/webhook', ourEvent),
		[NULL]: await publish(nothing(NULL), '/webhook', ourEvent),
		[NULL_WITH_CREDENTIAL]: await publish(
			nothing(NULL_WITH_CREDENTIAL, { credentials: headerAuth }),
			'/webhook',
			ourEvent,
		),
		[WEBHOOK]: await publish(webhookNode(WEBHOOK, { options: {} }), '', ourEvent),
		[CONTROL]: await publish(control, '', ourEvent),
		[SLACK]: await publish(slack, '/webhook', { style: 'slack', template: SLACK_MESSAGE }),
	};
}

/** Throws if a contender that should verify accepts a wrong signature: its figures would not be comparable. */
export async function checkThatTheyVerify(contenders: Record<string, Contender>): Promise<void> {
	for (const name of [OURS, SLACK, CONTROL]) {
		const { url, template } = entryOf(contenders, name).order;
		const { statusCode, body } = await request(url, {
			method: 'POST',
			body: template,
			headers: {
				'content-type': 'application/json',
				'x-svc-signature': 'fake',
				'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
				'x-slack-signature': 'v0=fake',
			},
		});
		await body.dump();
		if (statusCode !== 401 && statusCode !== 403)
			throw new Error(`${name} answers a wrong signature with ${statusCode}`);
	}
}
