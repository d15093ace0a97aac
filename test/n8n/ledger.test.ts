/** The example crash-proof-payouts: n8n is killed during a batch and started again, and the workflow runs again. */
import { connect, itemsOf, until } from '../../host/n8nClient.ts';
import type { Execution, Json, N8nClient } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8n.ts';
import type { N8n } from '../../host/n8n.ts';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import { dataTable } from './dataTable.ts';
import { payoutsMade } from './payouts.ts';
import { useStack } from './setup.ts';

jest.setTimeout(300_000);

const ROUTE = 'POST /v1/fiat_payout';

interface Row {
	id: number;
	amount: string;
	state: string | null;
	payout_id: string | null;
	note: string | null;
}

/** The n8n and its client after the last crash. */
let n8n: N8n;
let client: N8nClient;

// Jest runs these hooks in their order, and this n8n must stop before the stack deletes its folder.
afterAll(async () => {
	await n8n?.stop();
});

const stack = useStack();

beforeAll(async () => {
	({ n8n, client } = stack);
	// The first run creates the table.
	expect(await run()).toMatchObject({ status: 'success' });
});

const run = async (): Promise<Execution> =>
	await client.runByHand(stack.examples.crashProof.id, 'Start payouts');

/** Kills n8n, like a power cut, and starts it again with the same folder. */
async function crash(): Promise<void> {
	await n8n.kill();
	n8n = await startN8n({ userFolder: stack.n8n.userFolder });
	client = await connect(n8n.url, TEMPORARY_OWNER);
}

const table = () => dataTable(client, 'wallet_service_payouts');

const rows = async () => await (await table()).rows<Row>();

async function insert(amounts: string[], account_alias = 'supplier-main'): Promise<void> {
	await (await table()).insert(amounts.map((amount) => ({ currency: 'NGN', amount, account_alias })));
}

const paid = () => payoutsMade(stack);

/** Waits until the fault has been applied to a payout. */
async function faultApplied(): Promise<void> {
	await until('the fault to be applied', async () => {
		const { faults } = (await stack.control('GET', '/state')) as { faults: Json[] };
		return faults.length === 0 ? true : undefined;
	});
}

beforeEach(async () => {
	await stack.control('POST', '/reset');
	await (await table()).clear();
});

test('without a crash, crash-proof-payouts pays every row once or says why not', async () => {
	await insert(['10.10', '20.00', '1,5']);
	await insert(['30'], 'nobody');
	const execution = await run();
	expect(execution.status).toBe('success');

	const payouts = await paid();
	expect(payouts.map(({ amount }) => amount)).toEqual(['10.10', '20.00']);
	expect(await rows()).toMatchObject([
		{ amount: '10.10', state: 'paid', payout_id: payouts[0]!.payout_id },
		{ amount: '20.00', state: 'paid', payout_id: payouts[1]!.payout_id },
		{ amount: '1,5', state: '', note: expect.stringContaining("'Amount' has a comma") },
		{ amount: '30', state: 'rejected', note: expect.stringContaining('nobody') },
	]);
	expect(itemsOf(execution, 'For a person to look at')).toEqual([]);
});

test('crash-proof-payouts keeps a payout without an answer as unknown and does not pay it again', async () => {
	await insert(['10', '20', '30']);
	await stack.control('POST', '/faults', { route: ROUTE, dropAfter: true });
	const unknown = [{ amount: '10', state: 'unknown', note: expect.stringContaining('no answer') }];
	expect(itemsOf(await run(), 'For a person to look at')).toMatchObject(unknown);
	expect(itemsOf(await run(), 'For a person to look at')).toMatchObject(unknown);
	expect((await paid()).map(({ amount }) => amount)).toEqual(['10', '20', '30']);
});

test('two simultaneous runs of crash-proof-payouts pay each row once', async () => {
	const amounts = Array.from({ length: 10 }, (_, index) => `${index + 1}.5`);
	await insert(amounts);
	const { id } = stack.examples.crashProof;
	// The first run waits for an answer while the second one pays the other rows. Then the first one finds them claimed.
	await stack.control('POST', '/faults', { route: ROUTE, delayMs: 5000 });
	const first = await client.startByHand(id, 'Start payouts');
	await faultApplied();
	const second = await run();
	expect(itemsOf(second, 'Pay out').map(({ amount }) => amount)).toEqual(amounts.slice(1));
	expect(itemsOf(await client.ended(first), 'Pay out').map(({ amount }) => amount)).toEqual(['1.5']);
	expect((await paid()).map(({ amount }) => amount)).toEqual(amounts);
	expect((await rows()).map(({ state }) => state)).toEqual(amounts.map(() => 'paid'));
});

test('n8n is killed twice during a batch of crash-proof-payouts: no row is paid twice, every unknown row is named', async () => {
	const amounts = Array.from({ length: 30 }, (_, index) => `${100 + index}.${index}7`);
	await insert(amounts);
	const { id } = stack.examples.crashProof;
	const atLeast = (count: number) =>
		until(`${count} payouts`, async () => ((await paid()).length >= count ? true : undefined));

	// The first crash happens while n8n waits for the answer to a payout that the service has made.
	await client.startByHand(id, 'Start payouts');
	await atLeast(5);
	await stack.control('POST', '/faults', { route: ROUTE, delayMs: 60_000 });
	await faultApplied();
	const lost = (await paid()).at(-1)!;
	await crash();
	expect((await rows()).find(({ amount }) => amount === lost.amount)?.state).toBe('claimed');

	// The second crash happens at any moment.
	await client.startByHand(id, 'Start payouts');
	await atLeast((await paid()).length + 4);
	await crash();

	const execution = await run();
	expect(execution.status).toBe('success');
	const payouts = await paid();
	expect(new Set(payouts.map(({ amount }) => amount)).size).toBe(payouts.length);

	const ledger = await rows();
	expect(ledger.map(({ amount }) => amount)).toEqual(amounts);
	const unknown = ledger.filter(({ state }) => state === 'unknown').map(({ amount }) => amount);
	expect(unknown).toContain(lost.amount);
	// Each crash leaves at most one unknown row, the one that was being paid.
	expect(unknown.length).toBeLessThanOrEqual(2);
	expect(itemsOf(execution, 'For a person to look at').map(({ amount }) => amount)).toEqual(unknown);

	// All other rows are paid, each with the ID of its payout at the service.
	const others = ledger.filter(({ amount }) => !unknown.includes(amount));
	expect(others.map(({ amount, state, payout_id }) => [amount, state, payout_id])).toEqual(
		others.map(({ amount }) => [
			amount,
			'paid',
			payouts.find((payout) => payout.amount === amount)?.payout_id,
		]),
	);
	for (const { amount } of payouts) expect(amounts).toContain(amount);
});
