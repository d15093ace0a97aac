/**
 * Payments and deliveries while the database is locked, and while n8n is killed. The tests run in their order, the least harm first,
 * on one n8n that no other file needs.
 */
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow,
	browse,
	handOver,
	mailed,
	questionsIn,
	send,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { paymentRows, publishBookPayer } from '../../host/testkit/book.ts';
import { whileLocked } from '../../host/testkit/database.ts';
import { deliver, JSON_TYPE } from '../../host/testkit/deliveries.ts';
import { amountsPaid, failPayoutAfter, PAY_OUT, pay } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { executionsByEvent } from '../../soak/deliveries/executions.ts';
import { deliverAndKill, publishSlowTrigger, startKeeping } from '../../soak/deliveries/situations.ts';
import { payAndKill } from '../../soak/payments/kills.ts';
import { useOwnStack } from './setup.ts';

let caller: Payer;

const stack = useOwnStack(startKeeping(['ask-and-pay', 'convert-at-rate', 'deposit-to-bank']));

beforeAll(async () => {
	caller = await publishBookPayer(stack, 'Calls pay once');
});

const paid = () => amountsPaid(stack);

const payOnce = async (...rows: Json[]) => await pay(stack.n8n, caller, rows);
const resultsOf = (items: Json[]) => items.map(({ result }) => result);

/** Begins to pay. Waits until the service has made the payout with that number, and does not answer. */
async function untilUnderWay(number: number, begin: () => Promise<unknown>): Promise<void> {
	await failPayoutAfter(stack, number - 1, { delayMs: 60_000 });
	const before = paid().length;
	void begin().catch(() => undefined);
	await until(`payout ${number}`, () => paid().length === before + number);
}

/** The execution of the workflow that n8n has found killed. */
const killed = async ({ id }: StoredWorkflow) =>
	(await stack.client.executions(id)).find(({ status }) => status === 'crashed')!;

/** Hands a list to *ask and pay*. Returns the question, whose page is there. */
async function asked(...rows: Json[]) {
	const known = questionsIn(stack.mailbox.mails).length;
	await handOver(stack, rows);
	const question = await until('the question', () => questionsIn(stack.mailbox.mails)[known]);
	await untilAsked(question.link);
	return question;
}

const list = Array.from({ length: 8 }, (_, index) => ({ key: `LIST-${index}`, amount: `${index + 1}.25` }));
const lost = { key: 'LOST', amount: '70' };
/** It needs two, of whom one says yes before the kill. */
const large = askedRow('100000.01');
/** It is approved before the kill. */
const approved = ['90', '91', '92', '93'].map((amount) => askedRow(amount));

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
	// The payments of later tests are under way at the same kill.
	await stack.control('POST', '/reset');
	const [first, second, third] = [
		await asked(askedRow('80')),
		await asked(askedRow('81')),
		await asked(...approved),
	];
	await answer(await asked(large), YES, 'Ada Obi');
	const toSecond = await until('the second person to be asked', () =>
		questionsIn(stack.mailbox.mails).find(({ to }) => to.includes('second@example.com')),
	);
	await untilUnderWay(4, () => payOnce(...list));
	await untilUnderWay(2, () => answer(third, YES, 'Ada Obi'));
	await untilUnderWay(1, () => payOnce(lost));
	const before = paid();
	await stack.restart('kill', caller.workflow);
	await untilAsked(first.link);
	expect((await browse(first.link)).page).toContain('80 NGN');
	await answer(first, YES);
	await mailed(stack, '1 of 1 payout paid: 80 NGN');
	await answer(second, 'No');
	await mailed(stack, /^Not paid. .*: Ready to pay: 1 payout, 81 NGN$/);
	expect(paid()).toEqual([...before, '80']);
	await answer(toSecond, YES, 'Ben Eze');
	await mailed(stack, '1 of 1 payout paid: 100,000.01 NGN');
	expect(paid()).toEqual([...before, '80', large.amount]);
	expect(
		(await paymentRows(stack)).filter(({ paymentKey }) => paymentKey === large.paymentKey),
	).toMatchObject([{ result: 'paid', approvedBy: 'Ada Obi, Ben Eze' }]);
});

test('n8n is killed while an approved list is paid: Retry pays the rest, and nobody is asked again', async () => {
	const approvals = () => stack.mailbox.mails.filter(({ subject }) => subject.startsWith('Approve? '));
	const before = approvals().length;
	const { id } = await killed(stack.example('ask-and-pay'));
	const retried = stack.client.retry(id, 'original');
	const { subject, attachments } = await mailed(stack, '2 of 4 payouts paid: 185 NGN');
	expect(subject).toContain('1 paid before, 1 NOT KNOWN');
	expect(attachments).toHaveLength(1);
	await ageKeys(stack);
	await send(await mailed(stack, 'Was it paid? '), ['It was paid']);
	expect((await retried).status).toBe('success');
	expect(approvals()).toHaveLength(before);
	const amounts = approved.map(({ amount }) => amount);
	expect(paid().filter((amount) => amounts.includes(amount))).toEqual(amounts);
});

test('n8n is killed while pay once pays a list: Retry and the same list again pay the rest once', async () => {
	const amounts = list.map(({ amount }) => amount);
	const paidOf = () => paid().filter((amount) => amounts.includes(amount));
	expect(paidOf()).toEqual(amounts.slice(0, 4));
	const wanted = [
		...['alreadyPaid', 'alreadyPaid', 'alreadyPaid', 'unknown'],
		...['paid', 'paid', 'paid', 'paid'],
	];
	const crashed = (await stack.client.executions(caller.workflow.id)).filter(
		({ status }) => status === 'crashed',
	);
	// The newest one has paid the row of the next test.
	const ofList = crashed[1]!;
	const retried = await stack.client.retry(ofList.id, 'original');
	expect(resultsOf(itemsOf(retried, PAY_OUT))).toEqual(wanted);
	expect(paidOf()).toEqual(amounts);
	const again = await payOnce(...list);
	expect(resultsOf(again)).toEqual(wanted.map((result) => (result === 'paid' ? 'alreadyPaid' : result)));
	expect((again[3]!.error as Json).description).toContain('Look this payment up at the service');
	await ageKeys(stack);
	expect(resultsOf(await payOnce({ ...list[3]!, decision: 'wasPaid' }))).toEqual(['alreadyPaid']);
	expect(resultsOf(await payOnce(...list))).toEqual(list.map(() => 'alreadyPaid'));
	expect(paidOf()).toEqual(amounts);
});

test('a row that was under way at a kill says so in the book, until a later run knows more', async () => {
	const rowsOfLost = async () =>
		(await paymentRows(stack)).filter(({ paymentKey }) => paymentKey === lost.key);
	expect(await rowsOfLost()).toMatchObject([{ result: 'under way', amount: '70', payoutId: null }]);
	// The service forgets the payment, as if the request had never arrived.
	await stack.control('POST', '/reset');
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	await ageKeys(stack);
	const decided = { ...lost, decision: 'wasNotPaid' };
	const both = (await Promise.all([payOnce(decided), payOnce(decided)])).flat();
	expect(both.filter(({ result }) => result === 'paid')).toHaveLength(1);
	expect(paid()).toEqual(['70']);
	expect((await rowsOfLost()).filter(({ result }) => result === 'paid')).toHaveLength(1);
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
