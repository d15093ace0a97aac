/** Payments while n8n is stopped or killed. The tests run in their order, on an n8n that no other file needs. */
import { pay } from '../../bench/shared/payments/payer.ts';
import type { Payer } from '../../bench/shared/payments/payer.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { answer, browse, YES } from '../../host/doubles/approver.ts';
import { connect, until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { restartN8n } from '../../host/n8n/process.ts';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { payAndKill } from '../../soak/payments/kills.ts';
import { paymentsTable, publishTablePayer } from '../../soak/payments/paymentsTable.ts';
import type { PaymentRow } from '../../soak/payments/paymentsTable.ts';
import { SHORT_KILLS } from '../../soak/payments/situations.ts';
import { ask, asked, payment } from './approvals.ts';
import { amountsPaid, failPayoutAfter } from './payoutLists.ts';
import { useOwnStack } from './setup.ts';

jest.setTimeout(300_000);

/** The stack with the n8n after the last stop or kill. */
let current: Stack;
let caller: Payer;
/** Calls a copy of *pay once* that waits for a minute between a payment and its row. */
let heldCaller: Payer;

// Jest runs these hooks in their order, and this n8n must stop before the stack deletes its folder.
afterAll(async () => {
	await current?.n8n.stop();
});

const stack = useOwnStack();

beforeAll(async () => {
	current = stack;
	await stack.control('PUT', '/webhook', { url: null });
	caller = await publishTablePayer(stack, 'Calls pay once');
	const { nodes, ...rest } = stack.examples.payOnce;
	const payOnce = await stack.client.saveWorkflow({
		...rest,
		name: 'Pay once, held',
		nodes: nodes.map((node) =>
			node.name === 'Wait for others'
				? { ...node, parameters: { amount: "={{ $json.result === 'paid' ? 60 : 0 }}" } }
				: node,
		),
	});
	await stack.client.publish(payOnce);
	heldCaller = await publishTablePayer(
		{ ...stack, examples: { ...stack.examples, payOnce } },
		'Calls it, held',
	);
});

const paid = () => amountsPaid(stack);

/** Stops n8n, or kills it, and starts it again at the same address. */
async function restart(end: 'stop' | 'kill'): Promise<void> {
	const n8n = await restartN8n(current.n8n, end);
	current = { ...current, n8n, client: await connect(n8n.url, TEMPORARY_OWNER) };
	await current.client.listening(current.examples.all.get('payout-with-approval')!);
	for (const { workflow } of [caller, heldCaller]) await current.client.listening(workflow);
}

const payOnce = async (...rows: Payment[]) => await pay(current.n8n, caller, rows);
const resultsOf = (rows: Json[]) => rows.map(({ result }) => result);

/** Lets *pay once* pay these rows. Waits until the service has made the payout with that number, and does not answer. */
async function payUntilKilled(rows: Payment[], number: number): Promise<void> {
	await failPayoutAfter(stack, number - 1, { delayMs: 60_000 });
	await startToPay(caller, rows, number);
}

/** Waits until the service has made the payout with that number. */
async function startToPay(by: Payer, rows: Payment[], number: number): Promise<void> {
	const before = (await paid()).length;
	void pay(current.n8n, by, rows).catch(() => undefined);
	await until(`payout ${number}`, async () => ((await paid()).length === before + number ? true : undefined));
}

async function rowsOf(rows: Payment[]): Promise<PaymentRow[]> {
	const all = await (await paymentsTable(current)).rows<PaymentRow>();
	return all.filter(({ paymentKey }) => rows.some(({ key }) => key === paymentKey));
}

async function settle({ key }: Payment, word: string): Promise<void> {
	await (await paymentsTable(current)).update({ paymentKey: key }, { settle: word });
}

const list = Array.from({ length: 8 }, (_, index) => ({ key: `LIST-${index}`, amount: `${index + 1}.25` }));
const amounts = list.map(({ amount }) => amount);
const lost = { key: 'LOST', amount: '70' };
const held = { key: 'HELD', amount: '75' };

test.each(['stop', 'kill'] as const)(
	'after a %s of n8n while the approver is asked, the link works',
	async (end) => {
		stack.mailbox.mails.splice(0);
		for (const amount of ['80', '81']) await ask(current, payment(amount));
		const [first, second] = await asked(stack, 2);
		if (end === 'kill') {
			// The payments of the next three tests are under way at the same kill.
			await stack.control('POST', '/reset');
			await startToPay(heldCaller, [held], 1);
			await payUntilKilled(list, 4);
			await payUntilKilled([lost], 1);
		}
		await restart(end);
		const before = await paid();
		for (const { link, lines } of [first!, second!]) expect((await browse(link)).page).toContain(lines[0]);
		expect(await answer(first!, YES)).toMatch(/^Paid: 80 NGN/);
		expect(await answer(second!, 'No')).toMatch(/^Not paid: 81 NGN/);
		expect(await paid()).toEqual([...before, '80']);
	},
);

test('n8n is killed while pay once pays a list: one row is left to a person, the others are paid by the next run', async () => {
	expect((await rowsOf(list)).map(({ result }) => result)).toEqual(['paid', 'paid', 'paid']);
	const rows = await payOnce(...list);
	expect(resultsOf(rows)).toEqual([
		...['alreadyPaid', 'alreadyPaid', 'alreadyPaid', 'unknown'],
		...['paid', 'paid', 'paid', 'paid'],
	]);
	expect(rows[3]!.message).toMatch(
		/may have moved this money\. Look the payment up .* wasPaid or wasNotPaid/,
	);
	expect((await rowsOf([list[3]!]))[0]).toMatchObject({ result: 'unknown', message: rows[3]!.message });
	const made = await paid();
	expect(made.filter((amount) => amounts.includes(amount))).toEqual(amounts);
	// The newest execution that was killed is that of the next test.
	const executions = await current.client.executions(stack.examples.payOnce.id);
	const [, killed] = executions.filter(({ status }) => status === 'crashed');
	expect((await current.client.retry(killed!.id, 'original')).status).toBe('success');
	expect(resultsOf(await payOnce(list[3]!))).toEqual(['unknown']);
	await settle(list[3]!, 'wasPaid');
	expect(resultsOf(await payOnce(...list))).toEqual(list.map(() => 'alreadyPaid'));
	expect(await paid()).toEqual(made);
});

test('n8n is killed during a payment of pay once: a person says that it was not paid, and it is paid once', async () => {
	// The service forgets the payment, as if the request had never arrived.
	await stack.control('POST', '/reset');
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	await settle(lost, 'wasNotPaid');
	const both = await Promise.all([payOnce(lost), payOnce(lost)]);
	expect(both.flat().filter(({ result }) => result === 'paid')).toHaveLength(1);
	expect(await paid()).toEqual(['70']);
	expect(await rowsOf([lost])).toMatchObject([{ result: 'paid', settle: '', payoutId: expect.any(String) }]);
});

test('n8n is killed after a payment of pay once and before its row: the next run says alreadyPaid and adds the row', async () => {
	expect(await rowsOf([held])).toEqual([]);
	const row = { message: expect.stringContaining('could not write it here'), payoutId: '' };
	for (let run = 0; run < 2; run += 1)
		expect(await pay(current.n8n, heldCaller, [held])).toMatchObject([{ result: 'alreadyPaid', ...row }]);
	expect(await rowsOf([held])).toMatchObject([
		{ ...row, result: 'paid', amount: '75', execution: '', time: null },
	]);
	expect(await paid()).not.toContain('75');
});

// It leaves n8n killed, so it is the last one.
test('after kills nothing is paid twice, nothing unpaid says that it is paid, and what is unknown can be settled', async () => {
	const { lines, misses } = await payAndKill(current, SHORT_KILLS);
	expect(misses).toEqual([]);
	expect(lines[0]!.more).toMatch(/lists killed halfway: [1-9]/);
});
