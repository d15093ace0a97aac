/** The example crash-proof-payouts: n8n is killed during a batch and started again, and the workflow runs again. */
import { connect, itemsOf, until } from '../../host/n8nClient.ts';
import type { Execution, Json, N8nClient, StoredWorkflow } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8n.ts';
import type { N8n } from '../../host/n8n.ts';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import { amountsPaid, payoutsMade } from './payoutLists.ts';
import { useOwnStack } from './setup.ts';

jest.setTimeout(300_000);

const ROUTE = 'POST /v1/fiat_payout';
const START = 'Start payouts';
const PAID = 'Paid, now or before';
const NOT_PAID = 'Not paid';
const UNKNOWN = 'For a person to look at';

interface Payout {
	invoice: string;
	amount: string;
	currency: string;
	account_alias: string;
}

/** The n8n and its client after the last crash. */
let n8n: N8n;
let client: N8nClient;
let workflow: StoredWorkflow;

// Jest runs these hooks in their order, and this n8n must stop before the stack deletes its folder.
afterAll(async () => {
	await n8n?.stop();
});

const stack = useOwnStack();

beforeAll(() => {
	({ n8n, client } = stack);
	workflow = stack.examples.crashProof;
});

beforeEach(async () => {
	await stack.control('POST', '/reset');
});

/** Payouts with the invoices `<name>-0`, `<name>-1` and so on. */
function payouts(name: string, amounts: string[], account_alias = 'supplier-main'): Payout[] {
	return amounts.map((amount, index) => ({
		invoice: `${name}-${index}`,
		amount,
		currency: 'NGN',
		account_alias,
	}));
}

/** Writes the payouts into the list of the workflow, as a person does in the editor. */
async function fill(list: Payout[]): Promise<void> {
	const jsonOutput = JSON.stringify({ payouts: list });
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Payout list' ? { ...node, parameters: { ...node.parameters, jsonOutput } } : node,
	);
	workflow = await client.saveWorkflow({ ...workflow, nodes });
}

async function run({ id } = workflow): Promise<Execution> {
	const execution = await client.runByHand(id, START);
	expect(execution.data.resultData.error).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

/** Kills n8n, like a power cut, and starts it again with the same folder. */
async function crash(): Promise<void> {
	await n8n.kill();
	n8n = await startN8n({ userFolder: stack.n8n.userFolder });
	client = await connect(n8n.url, TEMPORARY_OWNER);
}

/** Waits until the fault has been applied to a payout. */
async function faultApplied(): Promise<void> {
	await until('the fault to be applied', async () => {
		const { faults } = (await stack.control('GET', '/state')) as { faults: Json[] };
		return faults.length === 0 ? true : undefined;
	});
}

const invoicesOf = (items: Json[]) => items.map(({ paymentKey, invoice }) => paymentKey ?? invoice);

test('crash-proof-payouts pays its own list, and not a second time', async () => {
	const first = itemsOf(await run(), PAID);
	expect(first).toMatchObject([{ amount: '1250.50' }, { amount: '80.125' }]);
	expect(itemsOf(await run(), PAID)).toEqual([
		{
			alreadyPaid: true,
			paymentKey: 'INV-1001',
			currency: 'NGN',
			amount: '1250.50',
			destination: 'supplier-main',
		},
		{
			alreadyPaid: true,
			paymentKey: 'INV-1002',
			currency: 'NGN',
			amount: '80.125',
			destination: 'supplier-main',
		},
	]);
	expect(await amountsPaid(stack)).toEqual(['1250.50', '80.125']);
});

test('crash-proof-payouts says which payout was not made and why, and makes it when it is corrected', async () => {
	const [first, second] = payouts('WHY', ['10.10', '20.00']) as [Payout, Payout];
	await fill([first, { ...second, amount: '20,5' }]);
	expect(itemsOf(await run(), NOT_PAID)).toMatchObject([
		{
			invoice: 'WHY-0',
			error: { outcome: 'notSent', message: expect.stringContaining('because of item 1') },
		},
		{ invoice: 'WHY-1', error: { outcome: 'notSent', message: "'Amount' has a comma: 20,5" } },
	]);
	expect(await amountsPaid(stack)).toEqual([]);

	await fill([first, { ...second, account_alias: 'nobody' }]);
	const rejected = await run();
	expect(itemsOf(rejected, PAID)).toMatchObject([{ amount: '10.10' }]);
	expect(itemsOf(rejected, NOT_PAID)).toMatchObject([{ invoice: 'WHY-1', error: { outcome: 'rejected' } }]);

	await fill([first, second]);
	expect(itemsOf(await run(), PAID)).toMatchObject([
		{ alreadyPaid: true, paymentKey: 'WHY-0' },
		{ amount: '20.00', status: 'pending' },
	]);
	expect(await amountsPaid(stack)).toEqual(['10.10', '20.00']);
});

test('crash-proof-payouts names a payout without an answer each time, and does not pay it again', async () => {
	await fill(payouts('LOST', ['10', '20', '30']));
	await stack.control('POST', '/faults', { route: ROUTE, dropAfter: true });
	expect(itemsOf(await run(), UNKNOWN)).toMatchObject([
		{ invoice: 'LOST-0', amount: '10', error: { message: expect.stringContaining('gave no answer') } },
	]);
	expect(itemsOf(await run(), UNKNOWN)).toMatchObject([
		{ invoice: 'LOST-0', error: { message: expect.stringContaining("'Payment Key' LOST-0 may have moved") } },
	]);
	expect(await amountsPaid(stack)).toEqual(['10', '20', '30']);
});

test('two simultaneous runs of crash-proof-payouts pay each payout once', async () => {
	const list = payouts('TWICE', ['1.5', '2.5', '3.5', '4.5', '5.5']);
	await fill(list);
	// The first run waits for an answer while the second one begins.
	await stack.control('POST', '/faults', { route: ROUTE, delayMs: 3000 });
	const first = await client.startByHand(workflow.id, START);
	await faultApplied();
	const items = [await run(), await client.ended(first)].flatMap((execution) => itemsOf(execution, PAID));

	expect((await amountsPaid(stack)).sort()).toEqual(list.map(({ amount }) => amount));
	const paid = items.filter(({ alreadyPaid }) => alreadyPaid !== true);
	const paidBefore = items.filter(({ alreadyPaid }) => alreadyPaid === true);
	expect(paid.map(({ amount }) => amount).sort()).toEqual(list.map(({ amount }) => amount));
	expect(invoicesOf(paidBefore).sort()).toEqual(list.map(({ invoice }) => invoice));
});

test('crash-proof-payouts remembers its keys when it is renamed, and a copy has a memory of its own', async () => {
	const [payout] = payouts('NAME', ['77']) as [Payout];
	await fill([payout]);
	await run();
	const { 'Pay out': outputs, ...connections } = workflow.connections;
	const into = { 'One item each': { main: [[{ node: 'Send money', type: 'main', index: 0 }]] } };
	const renamed = await client.saveWorkflow({
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === 'Pay out' ? { ...node, name: 'Send money' } : node)),
		connections: { ...connections, 'Send money': outputs, ...into },
	});
	expect(itemsOf(await run(renamed), 'Send money')).toMatchObject([{ alreadyPaid: true }]);
	expect(await amountsPaid(stack)).toEqual(['77']);

	const copy = await client.saveWorkflow({ ...workflow, name: 'A copy' });
	expect(itemsOf(await run(copy), PAID)).toMatchObject([{ amount: '77', status: 'pending' }]);
	expect(await amountsPaid(stack)).toEqual(['77', '77']);
	workflow = await client.saveWorkflow(workflow);
});

test('n8n is killed twice during a batch of crash-proof-payouts: nothing is paid twice, every unknown payout is named', async () => {
	const list = payouts(
		'CRASH',
		Array.from({ length: 30 }, (_, index) => `${100 + index}.${index}7`),
	);
	await fill(list);
	const atLeast = (count: number) =>
		until(`${count} payouts`, async () => ((await payoutsMade(stack)).length >= count ? true : undefined));

	// The first crash happens while n8n waits for the answer to a payout that the service has made.
	await client.startByHand(workflow.id, START);
	await atLeast(5);
	await stack.control('POST', '/faults', { route: ROUTE, delayMs: 60_000 });
	await faultApplied();
	const lost = (await payoutsMade(stack)).at(-1)!;
	await crash();

	// The second crash happens at any moment.
	await client.startByHand(workflow.id, START);
	await atLeast((await payoutsMade(stack)).length + 4);
	await crash();

	const execution = await run();
	const made = await amountsPaid(stack);
	expect(new Set(made).size).toBe(made.length);

	const unknown = itemsOf(execution, UNKNOWN);
	expect(unknown.map(({ amount }) => amount)).toContain(lost.amount);
	// Each crash leaves at most one unknown payout, the one that was under way.
	expect(unknown.length).toBeLessThanOrEqual(2);
	for (const { error } of unknown) {
		expect(error).toMatchObject({ outcome: 'unknown', message: expect.stringContaining("'Payment Key'") });
	}

	// All others are paid, now or before, and the service has them.
	const paid = itemsOf(execution, PAID).map(({ amount }) => amount);
	expect(itemsOf(execution, NOT_PAID)).toEqual([]);
	expect([...paid, ...unknown.map(({ amount }) => amount)].sort()).toEqual(
		list.map(({ amount }) => amount).sort(),
	);
	expect(made).toEqual(expect.arrayContaining(paid));

	// A further run pays nothing and names the same ones.
	const again = await run();
	expect(itemsOf(again, UNKNOWN).map(({ invoice }) => invoice)).toEqual(invoicesOf(unknown));
	expect(await amountsPaid(stack)).toEqual(made);
});
