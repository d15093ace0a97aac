/**
 * Payments and deliveries while the database is locked, and while n8n is killed. The tests run in their order, the least harm first,
 * on one n8n that no other file needs.
 */
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { whileLocked } from '../../host/testkit/database.ts';
import { deliver, JSON_TYPE } from '../../host/testkit/deliveries.ts';
import {
	answer,
	ask,
	asked,
	browse,
	mailed,
	payment,
	publishAsking,
	publishForTwo,
	send,
	untilPage,
	uploadList,
	YES,
} from '../../host/testkit/approvals.ts';
import { amountsPaid, failPayoutAfter, pay } from '../../host/testkit/payments.ts';
import type { Payer, Payment } from '../../host/testkit/payments.ts';
import { paymentRows, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import type { PaymentRow } from '../../host/testkit/book.ts';
import { publishCopy, withParameters } from '../../host/testkit/workflows.ts';
import { executionsByEvent } from '../../soak/deliveries/executions.ts';
import { deliverAndKill, publishSlowTrigger, startKeeping } from '../../soak/deliveries/situations.ts';
import { payAndKill } from '../../soak/payments/kills.ts';
import { depositAndKill } from './depositKills.ts';
import { useOwnStack } from './setup.ts';

let caller: Payer;
/** Calls a copy of *pay once* that waits for a minute between a payment and its row. */
let heldCaller: Payer;

/** They need the yes of a second person. */
let forTwo: Awaited<ReturnType<typeof publishForTwo>>;
let asking: StoredWorkflow;
const SECOND = 'second@example.com';

const stack = useOwnStack(
	startKeeping(['payout-with-approval', 'payouts-file-1-check', 'convert-at-rate', 'deposit-to-bank']),
);

beforeAll(async () => {
	caller = await publishBookPayer(stack, 'Calls pay once');
	const payOnce = await publishCopy(stack, 'pay-once', 'Pay once, held', {
		'Wait for others': withParameters({ amount: "={{ $json.result === 'paid' ? 60 : 0 }}" }),
	});
	heldCaller = await publishBookPayer(stack, 'Calls it, held', {}, payOnce);
	const two = { secondYesAbove: 'NGN 1000', secondApprover: SECOND };
	forTwo = await publishForTwo(stack, two);
	asking = await publishAsking(stack, { approver: 'approver@example.com', ...two });
});

const paid = () => amountsPaid(stack);

const payOnce = async (...rows: Payment[]) => await pay(stack.n8n, caller, rows);
const resultsOf = (rows: Json[]) => rows.map(({ result }) => result);

/** Lets *pay once* pay these rows. Waits until the service has made the payout with that number, and does not answer. */
async function payUntilKilled(rows: Payment[], number: number): Promise<void> {
	await failPayoutAfter(stack, number - 1, { delayMs: 60_000 });
	await startToPay(caller, rows, number);
}

/** Waits until the service has made the payout with that number. */
async function startToPay(by: Payer, rows: Payment[], number: number): Promise<void> {
	const before = paid().length;
	void pay(stack.n8n, by, rows).catch(() => undefined);
	await until(`payout ${number}`, () => paid().length === before + number);
}

async function rowsOf(rows: Payment[]): Promise<PaymentRow[]> {
	return (await paymentRows(stack)).filter(({ paymentKey }) => rows.some(({ key }) => key === paymentKey));
}

/** What a person writes when the request is over. */
async function settle({ key }: Payment, word: string): Promise<void> {
	await ageKeys(stack);
	await bookTable(stack).update({ key }, { settle: word });
}

/** Says yes to the newest question as the first person. Returns the question to the second one. */
async function sayFirstYes(): Promise<{ link: string }> {
	const first = await mailed(stack, 'Approve ');
	stack.mailbox.mails.splice(0);
	await answer(first, YES);
	const second = await mailed(stack, 'Approve ');
	expect(second.to).toEqual([SECOND]);
	stack.mailbox.mails.splice(0);
	return second;
}

const list = Array.from({ length: 8 }, (_, index) => ({ key: `LIST-${index}`, amount: `${index + 1}.25` }));
const amounts = list.map(({ amount }) => amount);
const lost = { key: 'LOST', amount: '70' };
const held = { key: 'HELD', amount: '75' };
const large = [
	{ key: 'LARGE-1', amount: '600' },
	{ key: 'LARGE-2', amount: '600.01' },
];
/** They get no answer before the kill. */
const secondQuestions: Array<{ link: string }> = [];

/** Delivers an event again that the workflow has handled before the kills. */
let repeat: () => ReturnType<typeof deliver>;

test('what arrives while the database is locked is not acknowledged, and runs once when it is repeated', async () => {
	for (const [id, acknowledge] of [
		['e1000001', 'whenStored'],
		['e1000002', 'whenFinished'],
	] as const) {
		const workflow = await publishSlowTrigger(stack.client, { acknowledge }, `Locked, ${acknowledge}`);
		const url = webhookUrl(stack.n8n, workflow);
		const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		const send = async () => await deliver(url, body, JSON_TYPE);
		if (acknowledge === 'whenStored') repeat = send;
		expect(await whileLocked(stack, send)).toMatchObject({ status: 500 });
		expect(await send()).toMatchObject({ status: 200, answer: { ok: true } });
		expect(await send()).toMatchObject({ status: 200, answer: { ok: true, duplicate: true } });
		expect((await executionsByEvent(stack)).get(id)).toMatchObject([
			{ status: 'success', stoppedAsDuplicate: false },
		]);
	}
});

test('n8n is killed while the approver is asked: the link works', async () => {
	await uploadList(stack, forTwo.checking, large);
	secondQuestions.push(await sayFirstYes());
	await ask(stack, payment('1000.01'), asking);
	secondQuestions.push(await sayFirstYes());
	for (const amount of ['80', '81']) await ask(stack, payment(amount));
	const [first, second] = await asked(stack, 2);
	// The payments of later tests are under way at the same kill.
	await stack.control('POST', '/reset');
	await startToPay(heldCaller, [held], 1);
	await payUntilKilled(list, 4);
	await payUntilKilled([lost], 1);
	const asks = [stack.example('payout-with-approval'), ...Object.values(forTwo), asking];
	await stack.restart('kill', ...asks, caller.workflow, heldCaller.workflow);
	const before = paid();
	for (const { link, lines } of [first!, second!])
		expect((await browse(link)).page).toContain(lines[0]!.replace('Pay:', '<b>Pay:</b>'));
	expect(await answer(first!, YES)).toMatch(/^Paid: 80 NGN/);
	expect(await answer(second!, 'No')).toMatch(/^Not paid: 81 NGN/);
	expect(paid()).toEqual([...before, '80']);
});

test('n8n is killed between the first yes and the second one: a list and a payment are paid once, after both', async () => {
	const before = paid();
	for (const question of secondQuestions) expect(await answer(question, YES)).toMatch(/^(Approved|Paid): /);
	await mailed(stack, '2 of 2 payouts paid');
	expect(paid().slice(before.length).sort()).toEqual(['1000.01', '600', '600.01']);
	for (const { link } of secondQuestions) {
		await send(link, YES);
		await untilPage(link, 'form-waiting');
	}
	expect(paid()).toHaveLength(before.length + 3);
	const approved = (await paymentRows(stack)).filter(({ approvedBy }) => approvedBy);
	expect(approved.map(({ result, approvedBy }) => [result, approvedBy])).toEqual(
		expect.arrayContaining(Array(3).fill(['paid', `approver@example.com, ${SECOND}`])),
	);
});

test('n8n is killed while pay once pays a list: one row is left to a person, the others are paid by the next run', async () => {
	expect((await rowsOf(list)).map(({ result }) => result)).toEqual(['paid', 'paid', 'paid']);
	const rows = await payOnce(...list);
	expect(resultsOf(rows)).toEqual([
		...['alreadyPaid', 'alreadyPaid', 'alreadyPaid', 'unknown'],
		...['paid', 'paid', 'paid', 'paid'],
	]);
	expect(rows[3]!.message).toMatch(/may have moved this money\. Wait five minutes, .* wasPaid or wasNotPaid/);
	expect((await rowsOf([list[3]!]))[0]).toMatchObject({ result: 'unknown', message: rows[3]!.message });
	const made = paid();
	expect(made.filter((amount) => amounts.includes(amount))).toEqual(amounts);
	// The newest execution that was killed is that of the next test.
	const executions = await stack.client.executions(stack.example('pay-once').id);
	const [, killed] = executions.filter(({ status }) => status === 'crashed');
	expect((await stack.client.retry(killed!.id, 'original')).status).toBe('success');
	expect(resultsOf(await payOnce(list[3]!))).toEqual(['unknown']);
	await settle(list[3]!, 'wasPaid');
	expect(resultsOf(await payOnce(...list))).toEqual(list.map(() => 'alreadyPaid'));
	expect(paid()).toEqual(made);
});

test('n8n is killed during a payment of pay once: a person says that it was not paid, and it is paid once', async () => {
	// The service forgets the payment, as if the request had never arrived.
	await stack.control('POST', '/reset');
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	await settle(lost, 'wasNotPaid');
	const both = await Promise.all([payOnce(lost), payOnce(lost)]);
	expect(both.flat().filter(({ result }) => result === 'paid')).toHaveLength(1);
	expect(paid()).toEqual(['70']);
	expect(await rowsOf([lost])).toMatchObject([{ result: 'paid', settle: '', payoutId: expect.any(String) }]);
});

test('n8n is killed after a payment of pay once and before its row: the next run says alreadyPaid and adds the row', async () => {
	expect(await rowsOf([held])).toEqual([]);
	const row = { message: expect.stringContaining('could not write it here'), payoutId: '' };
	for (let run = 0; run < 2; run += 1)
		expect(await pay(stack.n8n, heldCaller, [held])).toMatchObject([{ result: 'alreadyPaid', ...row }]);
	expect(await rowsOf([held])).toMatchObject([
		{ ...row, result: 'paid', amount: '75', execution: '', time: null },
	]);
	expect(paid()).not.toContain('75');
});

// The soaks have more kills than these.
test('after a kill nothing is paid twice, nothing unpaid says that it is paid, and what is unknown can be settled', async () => {
	const { lines, misses } = await payAndKill(stack, { kills: 1, workflows: 2, batch: 6 });
	expect(misses).toEqual([]);
	expect(lines[0]!.more).toMatch(/lists killed halfway: [1-9]/);
});

test('no delivery is lost or done twice while n8n is killed', async () => {
	await deliverAndKill(stack, { events: 24, kills: 1, lateMs: 4000 });
	// This process does not remember it. Its row stops the execution.
	expect(await repeat()).toMatchObject({ status: 200, answer: { ok: true } });
	const executions = (await executionsByEvent(stack)).get('e1000001')!;
	expect(executions.map(({ stoppedAsDuplicate }) => stoppedAsDuplicate)).toEqual([false, true]);
});

test('each deposit is paid once through faults and kills, and the sums are those of the service', async () => {
	expect((await depositAndKill(stack)).misses).toEqual([]);
});
