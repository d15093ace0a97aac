/** Payments that are wanted, workflows that make them, what n8n says of them, and what the service lists of them. */
import { randomUUID } from 'node:crypto';
import type { Json, StoredWorkflow, WorkflowNode } from '../n8n/client.ts';
import type { N8n } from '../n8n/process.ts';
import type { Queue } from '../n8n/queue.ts';
import type { Payout } from '../../sandbox/ledger/records.ts';
import { requireControl } from '../sandboxClient.ts';
import type { Stack } from '../stack.ts';
import { withDatabase } from './database.ts';
import { deliver } from './deliveries.ts';
import { ACTION_NODE, credentialsOf, node, publishLine } from './workflows.ts';

/** More than a thousand payouts of 38 digits cost. The sandbox takes no amount with more digits. */
export const PLENTY = `1${'0'.repeat(39)}`;

export const PAY_OUT = 'Pay out';
export const ROUTE = 'POST /v1/fiat_payout';

/** Parameters of a node that pays items such as those of `listOf`, to supplier-main if they name nobody. */
const PAYOUT: Json = {
	resource: 'fiatWallet',
	operation: 'createPayout',
	currency: 'NGN',
	amount: '={{ $json.amount }}',
	account_alias: "={{ $json.alias ?? 'supplier-main' }}",
};

/** The same by key. */
export const BY_KEY: Json = { ...PAYOUT, paymentKey: '={{ $json.key }}' };

/** Settings of `payOutNode` with which each amount is paid once. */
export const BY_AMOUNT: Json = {
	parameters: { ...PAYOUT, paymentKey: '={{ $json.amount }}' },
};

/** A payment that is wanted once. No other payment has its amount, so the service's records tell them apart. */
export interface Payment {
	key: string;
	amount: string;
}

let made = 0;

export function makePayments(count: number): Payment[] {
	return Array.from({ length: count }, () => {
		made += 1;
		return { key: `invoice-${made}`, amount: `${made}.01` };
	});
}

/** Gives the service enough money, and no webhook URL. */
export async function prepare(sandbox: { url: string }): Promise<void> {
	await requireControl(sandbox, 'PUT webhook', { url: null });
	await requireControl(sandbox, 'POST admin_funding', { asset: 'NGN', amount: PLENTY, direction: 'credit' });
}

/** What a stack in queue mode has. */
export interface MayHaveQueue {
	queue?: Pick<Queue, 'database'>;
}

/** As if one person alone had let nothing go out today: a test begins a new day. */
export async function forgetDay(stack: Pick<Stack, 'n8n'> & MayHaveQueue): Promise<void> {
	const sql = "DELETE FROM processed_data WHERE context LIKE 'n:wallet-service total of day %'";
	if (stack.queue === undefined) withDatabase(stack, (database) => database.exec(sql));
	else await stack.queue.database.execute(sql);
}

/** Applies the fault to one payout, after the given number of payouts without a fault. */
export async function failPayoutAfter(
	{ control }: Pick<Stack, 'control'>,
	payouts: number,
	fault: Json,
): Promise<void> {
	if (payouts > 0) await control('POST', '/faults', { route: ROUTE, times: payouts, delayMs: 0 });
	await control('POST', '/faults', { route: ROUTE, ...fault });
}

/** The payouts that the service has accepted, oldest first. */
export const payoutsMade = ({ sandbox }: Pick<Stack, 'sandbox'>): Payout[] => [
	...sandbox.service.ledger.payouts.all(),
];

/** The amounts of the accepted payouts, oldest first. */
export const amountsPaid = (stack: Pick<Stack, 'sandbox'>): string[] =>
	payoutsMade(stack).map(({ amount }) => amount);

/** Nodes that return these items, beginning with one named "Start" that is started by hand. */
export function listOf(items: Json[]): WorkflowNode[] {
	const jsonOutput = JSON.stringify({ list: items });
	return [
		node('Start', 'manualTrigger'),
		node('List', 'set', { mode: 'raw', jsonOutput, options: {} }),
		node('One item each', 'splitOut', { fieldToSplitOut: 'list', options: {} }),
	];
}

/** The connections of `listOf`. */
export const LISTED = 'Start -> List -> One item each';

/** Such nodes for payouts such as `10 supplier-main invoice-1`. The alias and the key may be missing. */
export const list = (payouts: string[]): WorkflowNode[] => listOf(payouts.map(payoutOf));

/** Such a payout as an item. */
export function payoutOf(payout: string): Json {
	const [amount, alias, key] = payout.split(' ');
	return { amount, alias, key };
}

/** A Wallet Service node that pays each item of `list`, with Retry On Fail. */
export function payOutNode(stack: Pick<Stack, 'credential'>, settings: Json = {}): WorkflowNode {
	return node(PAY_OUT, ACTION_NODE, PAYOUT, {
		credentials: credentialsOf(stack),
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 1,
		...settings,
	});
}

/** A Wallet Service node that pays each key of `list` once and goes on after failures. */
export function payOnceNode(stack: Pick<Stack, 'credential'>, settings: Json = {}): WorkflowNode {
	const more = { credentials: credentialsOf(stack), onError: 'continueRegularOutput', ...settings };
	return node(PAY_OUT, ACTION_NODE, BY_KEY, more);
}

/** A published workflow that pays what its webhook receives, each payment by its key. */
export interface Payer {
	workflow: StoredWorkflow;
	/** Of the webhook that starts it. */
	path: string;
}

export interface PayerOptions {
	parameters?: Json;
	/** Pays instead of the node with its Payment Key. */
	payer?: WorkflowNode;
	/** Nodes before the node that pays. */
	before?: WorkflowNode[];
	/** Nodes after the node that pays. */
	after?: WorkflowNode[];
	/** Whether its webhook answers with the items of the payments, or before the first payment. */
	answers?: 'items' | 'at once';
}

export async function publishPayer(
	stack: Pick<Stack, 'client' | 'credential'>,
	name: string,
	{ parameters = BY_KEY, payer, before = [], after = [], answers }: PayerOptions = {},
): Promise<Payer> {
	const { path, nodes } = receivePayments(answers);
	const paying = payer ?? payOnceNode(stack, { id: randomUUID(), parameters });
	return { workflow: await publishLine(stack.client, name, ...nodes, ...before, paying, ...after), path };
}

/** The nodes of a payer before the one that pays, and the path of their webhook. */
export function receivePayments(answers: PayerOptions['answers'] = 'items') {
	const path = randomUUID();
	const mode = answers === 'items' ? 'lastNode' : 'onReceived';
	const webhook = { path, httpMethod: 'POST', responseMode: mode, responseData: 'allEntries', options: {} };
	const nodes = [
		node('Webhook', 'webhook', webhook, { webhookId: path }),
		node('One item each', 'splitOut', { fieldToSplitOut: 'body.payments', options: {} }),
	];
	return { path, nodes };
}

/** Starts a production execution that pays. Returns what its webhook answers. */
export async function startPaying(
	{ webhooks }: N8n,
	{ path }: Pick<Payer, 'path'>,
	payments: ReadonlyArray<Payment | Json>,
): Promise<unknown> {
	const { status, answer } = await deliver(`${webhooks}/webhook/${path}`, JSON.stringify({ payments }));
	if (status !== 200) throw new Error(`n8n answered ${status} ${JSON.stringify(answer)}`);
	return answer;
}

/** Pays in a production execution. Returns the item of each payment, in their order. */
export async function pay(n8n: N8n, payer: Payer, payments: ReadonlyArray<Payment | Json>): Promise<Json[]> {
	const items = (await startPaying(n8n, payer, payments)) as Json[];
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

/** What an item says about its payment: its `result`. Throws if its other fields say something else. */
export function wordOf(item: Json): string {
	const { result, error, alreadyPaid = false, payoutId, destination } = item;
	// A row of *pay once* has no other fields that could contradict its result.
	if (typeof destination === 'string' && typeof result === 'string') return result;
	const isTrue =
		error !== undefined
			? (error as Json).outcome === result
			: alreadyPaid === (result === 'alreadyPaid') && (typeof payoutId === 'string') === (result === 'paid');
	if (typeof result === 'string' && isTrue) return result;
	throw new Error(`An item contradicts itself: ${JSON.stringify(item)}`);
}

/** How many times the service has made a payment of each amount. */
export function timesPaid(stack: Pick<Stack, 'sandbox'>): Map<string, number> {
	const perAmount = Map.groupBy(amountsPaid(stack), (amount) => amount);
	return new Map([...perAmount].map(([amount, all]) => [amount, all.length]));
}
