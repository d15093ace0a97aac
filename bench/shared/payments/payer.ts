/** A published workflow that pays what its webhook receives, each payment by its key. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { startN8n } from '../../../host/n8n/process.ts';
import type { N8n } from '../../../host/n8n/process.ts';
import { connect } from '../../../host/n8n/client.ts';
import type { Json, StoredWorkflow, WorkflowNode } from '../../../host/n8n/client.ts';
import { startQueue } from '../../../host/n8n/queue.ts';
import type { Queue } from '../../../host/n8n/queue.ts';
import { requireControl } from '../../../host/sandboxClient.ts';
import type { SandboxConnection } from '../../../host/sandboxProgram.ts';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	startStack,
	startTemporaryStack,
	TEMPORARY_OWNER,
} from '../../../host/stack.ts';
import type { Stack } from '../../../host/stack.ts';
import { PLENTY } from '../amounts.ts';
import { KEEP_EXECUTIONS } from '../temporaryN8n.ts';
import { ACTION_NODE, chain, nodeMaker } from '../workflowParts.ts';
import type { NodeMaker } from '../workflowParts.ts';
import { timesPaid, wordOf } from './paymentComparison.ts';
import type { Payment } from './paymentComparison.ts';

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

/** Like `BY_KEY`, with the person's decision about an unknown outcome in the item. */
export const DECIDED_BY_ITEM: Json = {
	...BY_KEY,
	options: { ifOutcomeIsUnknown: "={{ $json.decision ?? 'doNotPay' }}" },
};

export interface Payer {
	workflow: StoredWorkflow;
	/** Of the webhook that starts it. */
	path: string;
}

export interface PayerOptions {
	/** Settings of the node that pays; without them it continues after a failure. */
	settings?: Partial<WorkflowNode>;
	parameters?: Json;
	/** Another node that pays. */
	payer?: (node: NodeMaker) => WorkflowNode;
	/** Nodes before and after the node that pays. */
	before?: (node: NodeMaker) => WorkflowNode[];
	after?: (node: NodeMaker) => WorkflowNode[];
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

/** Runs the work with n8n in queue mode, two webhook processors and two workers, and the sandbox. */
export async function withQueue<T>(work: (stack: Stack, queue: Queue) => Promise<T>): Promise<T> {
	const folder = `.local/soak-queue-${process.pid}`;
	const started: { queue?: Queue } = {};
	const stack = await startStack({
		userFolder: folder,
		owner: TEMPORARY_OWNER,
		start: async (userFolder) =>
			(started.queue = await startQueue({
				folder: userFolder,
				env: KEEP_EXECUTIONS,
				webhookProcessors: 2,
				workers: 2,
			})),
		say: (text) => process.stderr.write(`${text}\n`),
	});
	try {
		await prepare(stack.sandbox);
		if (started.queue === undefined) throw new Error('The queue was not started');
		return await work(stack, started.queue);
	} finally {
		await stack.stop();
		rmSync(folder, { recursive: true, force: true });
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
	{ settings, parameters, payer, before = () => [], after = () => [] }: PayerOptions = {},
): Promise<Payer> {
	const { client } = stack;
	const node = await nodeMaker(client);
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
		...before(node),
		node('One item each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.payments', options: {} }),
		payer?.(node) ??
			node(PAY_OUT, ACTION_NODE, parameters ?? BY_KEY, {
				id: randomUUID(),
				credentials: credentialsOf(stack),
				onError: 'continueRegularOutput',
				...settings,
			}),
		...after(node),
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

/** Pays in a production execution. Gives the item of each payment, in their order. */
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

/** The HTTP client waits five minutes for an answer. */
const PART = 100;

/** Like `pay`, in several executions one after the other if there are many. */
export async function payInParts(n8n: N8n, payer: Payer, payments: Payment[]): Promise<Json[]> {
	const items: Json[] = [];
	for (let paid = 0; paid < payments.length; paid += PART)
		items.push(...(await pay(n8n, payer, payments.slice(paid, paid + PART))));
	return items;
}

/** A decision may be needed twice: the first run removes the mark that a killed execution has left. */
const RUNS_TO_SETTLE = 3;

/**
 * Decides about each unknown payment by what the service did, until none is unknown any more. The payer has `DECIDED_BY_ITEM`.
 * The others come with `wasNotPaid`, which must not repeat them. Updates what is said, and returns the number of runs.
 */
export async function settleByService(
	stack: Pick<Stack, 'n8n' | 'sandbox'>,
	payer: Payer,
	words: Map<Payment, string>,
): Promise<number> {
	let runs = 0;
	while (runs < RUNS_TO_SETTLE && [...words.values()].includes('unknown')) {
		const paid = timesPaid(stack);
		const decided = [...words].map(([payment, word]) => ({
			...payment,
			decision: word === 'unknown' && paid.has(payment.amount) ? 'wasPaid' : 'wasNotPaid',
		}));
		const items = await pay(stack.n8n, payer, decided);
		for (const [index, payment] of [...words.keys()].entries())
			words.set(payment, wordOf(items[index] ?? {}));
		runs += 1;
	}
	return runs;
}

/** Kills n8n at once and starts it again. Gives the stack with the new n8n, which the caller has to stop. */
export async function killAndRestart(stack: Stack, ...payers: Payer[]): Promise<Stack> {
	await stack.n8n.kill();
	// n8n does nothing for ten seconds after a start that finds this file.
	rmSync(join(stack.n8n.userFolder, '.n8n/crash.journal'), { force: true });
	const n8n = await startN8n({ userFolder: stack.n8n.userFolder });
	const client = await connect(n8n.url, TEMPORARY_OWNER);
	for (const { workflow } of payers) await client.listening(workflow);
	return { ...stack, n8n, client };
}
