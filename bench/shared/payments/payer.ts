/** A published workflow that pays what its webhook receives, each payment by its key. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Json, StoredWorkflow, WorkflowNode } from '../../../host/n8n/client.ts';
import type { N8n } from '../../../host/n8n/process.ts';
import { requireControl } from '../../../host/sandboxClient.ts';
import type { SandboxConnection } from '../../../host/sandboxProgram.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, startTemporaryStack } from '../../../host/stack.ts';
import type { Stack } from '../../../host/stack.ts';
import { ACTION_NODE, chain, node } from '../workflowParts.ts';
import type { Payment } from './paymentComparison.ts';

/** More than a thousand payouts of 38 digits cost. The sandbox takes no amount with more digits. */
export const PLENTY = `1${'0'.repeat(39)}`;

export const PAY_OUT = 'Pay out';
export const WEBHOOK = 'Webhook';
export const ROUTE = 'POST /v1/fiat_payout';

/** Parameters of a node that pays by key. */
export const BY_KEY: Json = {
	resource: 'fiatWallet',
	operation: 'createPayout',
	currency: 'NGN',
	amount: '={{ $json.amount }}',
	account_alias: 'supplier-main',
	paymentKey: '={{ $json.key }}',
};

export interface Payer {
	workflow: StoredWorkflow;
	/** Of the webhook that starts it. */
	path: string;
}

export interface PayerOptions {
	/** Settings of the node that pays. Its default is to continue after a failure. */
	settings?: Partial<WorkflowNode>;
	parameters?: Json;
	/** Pays instead of the node with its Payment Key. */
	payer?: WorkflowNode;
	/** Nodes before and after the node that pays. */
	before?: WorkflowNode[];
	after?: WorkflowNode[];
}

/** Runs the work with n8n and the sandbox, which are stopped afterwards. The balances cover all payments. */
export async function withStack<T>(work: (stack: Stack) => Promise<T>): Promise<T> {
	const stack = await startTemporaryStack();
	try {
		await prepare(stack.sandbox);
		return await work(stack);
	} finally {
		await stack.stop();
	}
}

/** Gives the service enough money, and no webhook URL. */
export async function prepare(sandbox: Pick<SandboxConnection, 'url'>): Promise<void> {
	await requireControl(sandbox, 'PUT webhook', { url: null });
	await requireControl(sandbox, 'POST admin_funding', { asset: 'NGN', amount: PLENTY, direction: 'credit' });
}

export function credentialsOf({ credential }: Pick<Stack, 'credential'>): WorkflowNode['credentials'] {
	return { [CREDENTIAL_TYPE]: { id: credential.id, name: CREDENTIAL_NAME } };
}

export async function publishPayer(
	stack: Stack,
	name: string,
	{ settings, parameters, payer, before = [], after = [] }: PayerOptions = {},
): Promise<Payer> {
	const { client } = stack;
	const path = randomUUID();
	const webhook = {
		path,
		httpMethod: 'POST',
		responseMode: 'lastNode',
		responseData: 'allEntries',
		options: {},
	};
	const nodes = [
		node(WEBHOOK, 'n8n-nodes-base.webhook', webhook, { webhookId: path }),
		...before,
		node('One item each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.payments', options: {} }),
		payer ??
			node(PAY_OUT, ACTION_NODE, parameters ?? BY_KEY, {
				id: randomUUID(),
				credentials: credentialsOf(stack),
				onError: 'continueRegularOutput',
				...settings,
			}),
		...after,
	];
	const connections = chain(nodes.map((each) => each.name));
	const workflow = await client.saveWorkflow({ name, nodes, connections });
	await client.publish(workflow);
	return { workflow, path };
}

/** What the webhook receives for the payments. */
export function bodyOf(payments: ReadonlyArray<Payment | Json>): Json {
	return { payments };
}

/** Pays in a production execution. Returns the item of each payment, in their order. */
export async function pay(
	n8n: N8n,
	{ path }: Payer,
	payments: ReadonlyArray<Payment | Json>,
): Promise<Json[]> {
	const { statusCode, body } = await request(`${n8n.webhooks}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(bodyOf(payments)),
	});
	const answer = await body.text();
	if (statusCode !== 200) throw new Error(`n8n answered ${statusCode} ${answer}`);
	const items = JSON.parse(answer) as Json[];
	if (items.length !== payments.length)
		throw new Error(`${payments.length} payments gave ${items.length} items`);
	return items;
}

/** Payments of one execution. The HTTP client waits five minutes for the answer. */
const PART = 100;

/** Like `pay`, in several executions one after the other if there are many. */
export async function payInParts(n8n: N8n, payer: Payer, payments: Payment[]): Promise<Json[]> {
	const items: Json[] = [];
	for (let paid = 0; paid < payments.length; paid += PART)
		items.push(...(await pay(n8n, payer, payments.slice(paid, paid + PART))));
	return items;
}
