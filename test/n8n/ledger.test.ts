/** The example that outlives a crash: n8n is killed in the middle of a batch, started again, and the run repeated. */
import { connect, itemsOf, until } from '../../host/n8nClient.ts';
import type { Execution, Json, N8nClient } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8n.ts';
import type { N8n } from '../../host/n8n.ts';
import { startTemporaryStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';

jest.setTimeout(300_000);

const ROUTE = 'POST /v1/fiat_payout';

interface Payout {
	payout_id: string;
	amount: string;
}

interface Row {
	id: number;
	amount: string;
	state: string | null;
	payout_id: string | null;
	note: string | null;
}

let stack: Stack;
let n8n: N8n;
let client: N8nClient;

beforeAll(async () => {
	stack = await startTemporaryStack();
	({ n8n, client } = stack);
	// What the example does at its first run, when there is no payout yet.
	expect(await run()).toMatchObject({ status: 'success' });
});

afterAll(async () => {
	await n8n?.stop();
	await stack?.stop();
});

const run = async (): Promise<Execution> =>
	await client.runByHand(stack.examples.crashProof.id, 'Start payouts');

/** Kills n8n as a power cut would, and starts it again over the same folder. */
async function crash(): Promise<void> {
	await n8n.kill();
	n8n = await startN8n({ userFolder: stack.n8n.userFolder });
	client = await connect(n8n.url, TEMPORARY_OWNER);
}

/** The path of the example's table in n8n's own API. */
async function table(): Promise<string> {
	const { id: project } = await client.rest<{ id: string }>('GET', '/projects/personal');
	const path = `/projects/${project}/data-tables`;
	const { data } = await client.rest<{ data: Array<{ id: string; name: string }> }>('GET', path);
	return `${path}/${data.find(({ name }) => name === 'wallet_service_payouts')!.id}`;
}

async function rows(): Promise<Row[]> {
	const { data } = await client.rest<{ data: Row[] }>('GET', `${await table()}/rows?sortBy=id:asc&take=100`);
	return data;
}

async function fill(amounts: string[], account_alias = 'supplier-main'): Promise<void> {
	const data = amounts.map((amount) => ({ currency: 'NGN', amount, account_alias }));
	await client.rest('POST', `${await table()}/insert`, { data, returnType: 'count' });
}

async function empty(): Promise<void> {
	const filter = JSON.stringify({ type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] });
	await client.rest('DELETE', `${await table()}/rows?filter=${encodeURIComponent(filter)}`);
}

async function paid(): Promise<Payout[]> {
	return ((await stack.control('GET', '/state')) as { payouts: Payout[] }).payouts;
}

/** The fault has befallen a payout. */
async function faultTaken(): Promise<void> {
	await until('the fault to befall a payout', async () => {
		const { faults } = (await stack.control('GET', '/state')) as { faults: Json[] };
		return faults.length === 0 ? true : undefined;
	});
}

beforeEach(async () => {
	await stack.control('POST', '/reset');
	await empty();
});

test('without a crash every row is paid once, or says why not', async () => {
	await fill(['10.10', '20.00', '1,5']);
	await fill(['30'], 'nobody');
	const execution = await run();
	expect(execution.status).toBe('success');

	const payouts = await paid();
	expect(payouts.map(({ amount }) => amount)).toEqual(['10.10', '20.00']);
	expect(await rows()).toMatchObject([
		{ amount: '10.10', state: 'paid', payout_id: payouts[0].payout_id },
		{ amount: '20.00', state: 'paid', payout_id: payouts[1].payout_id },
		{ amount: '1,5', state: '', note: expect.stringContaining("'Amount' has a comma") },
		{ amount: '30', state: 'rejected', note: expect.stringContaining('nobody') },
	]);
	expect(itemsOf(execution, 'For a person to look at')).toEqual([]);
});

test('what the service does not answer is unknown, stays so, and is not paid again', async () => {
	await fill(['10', '20', '30']);
	await stack.control('POST', '/faults', { route: ROUTE, dropAfter: true });
	const unknown = [{ amount: '10', state: 'unknown', note: expect.stringContaining('no answer') }];
	expect(itemsOf(await run(), 'For a person to look at')).toMatchObject(unknown);
	expect(itemsOf(await run(), 'For a person to look at')).toMatchObject(unknown);
	expect((await paid()).map(({ amount }) => amount)).toEqual(['10', '20', '30']);
});

test('two runs at once pay each row once', async () => {
	const amounts = Array.from({ length: 10 }, (_, index) => `${index + 1}.5`);
	await fill(amounts);
	const { id } = stack.examples.crashProof;
	// The first run waits for an answer while the second one pays all other rows; then it finds them claimed.
	await stack.control('POST', '/faults', { route: ROUTE, delayMs: 5000 });
	const first = await client.startByHand(id, 'Start payouts');
	await faultTaken();
	const second = await run();
	expect(itemsOf(second, 'Pay out').map(({ amount }) => amount)).toEqual(amounts.slice(1));
	expect(itemsOf(await client.ended(first), 'Pay out').map(({ amount }) => amount)).toEqual(['1.5']);
	expect((await paid()).map(({ amount }) => amount)).toEqual(amounts);
	expect((await rows()).map(({ state }) => state)).toEqual(amounts.map(() => 'paid'));
});

test('n8n is killed in the middle of a batch, twice: no row is paid twice, every unknown one is named', async () => {
	const amounts = Array.from({ length: 30 }, (_, index) => `${100 + index}.${index}7`);
	await fill(amounts);
	const { id } = stack.examples.crashProof;
	const atLeast = (count: number) =>
		until(`${count} payouts`, async () => ((await paid()).length >= count ? true : undefined));

	// The first time while n8n waits for the answer to a payout that the service has made.
	await client.startByHand(id, 'Start payouts');
	await atLeast(5);
	await stack.control('POST', '/faults', { route: ROUTE, delayMs: 60_000 });
	await faultTaken();
	const [lost] = (await paid()).slice(-1);
	await crash();
	expect((await rows()).find(({ amount }) => amount === lost.amount)?.state).toBe('claimed');

	// The second time wherever it happens to be.
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
	// A crash leaves no more than the one row that was being paid.
	expect(unknown.length).toBeLessThanOrEqual(2);
	expect(itemsOf(execution, 'For a person to look at').map(({ amount }) => amount)).toEqual(unknown);

	// All others are paid, each as the payout that the service has for it.
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
