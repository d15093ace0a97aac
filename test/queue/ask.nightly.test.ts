/** Lists from the question to their results in queue mode: the parts *ask*, *ask the second* and *carry out* with two workers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KEEP_EXECUTIONS } from '../../host/n8n/process.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow,
	browse,
	decide,
	handOver,
	mailed,
	questionsIn,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { bookTable, paymentRows } from '../../host/testkit/book.ts';
import { amountsPaid, failPayoutAfter, ROUTE } from '../../host/testkit/payments.ts';
import { startQueueStack } from '../../host/testkit/stacks.ts';
import { until } from '../../host/until.ts';
import { renewForEachTest, useOwnStack } from '../n8n/setup.ts';

const stack = useOwnStack(() => startQueueStack(2, KEEP_EXECUTIONS, ['ask']));

renewForEachTest(stack);
beforeEach(async () => await bookTable(stack).clear());

test('an unknown payment of an approved list is asked about, decided once, and both read what was paid', async () => {
	const rows = [askedRow('40'), askedRow('41.5'), askedRow('42')];
	await failPayoutAfter(stack, 1, { dropBefore: true });
	await handOver(stack, rows);
	await answer(await mailed(stack, 'Approve'), YES);
	expect((await mailed(stack, '2 of 3 payouts paid')).subject).toContain('1 NOT KNOWN');
	const question = await mailed(stack, 'Was it paid? ');
	await untilAsked(question.link);
	expect((await browse(question.link)).page).toContain('41.50 NGN to supplier-main');
	await ageKeys(stack, stack.queue);
	await decide(question, { wasNotPaid: [rows[1]!.paymentKey] });
	const told = await mailed(stack, 'The payout is paid: 41.50 NGN');
	expect(told.to).toEqual(['approver@example.com', 'finance@example.com']);
	expect(amountsPaid(stack)).toEqual(['40', '42', '41.5']);
	const booked = (await paymentRows(stack)).map(({ amount, result, approvedBy }) => [
		amount,
		result,
		approvedBy,
	]);
	expect(booked).toEqual([
		['40', 'paid', 'Ada Obi'],
		['41.5', 'unknown', 'Ada Obi'],
		['42', 'paid', 'Ada Obi'],
		['41.5', 'paid', 'Ada Obi'],
	]);
});

/** The page at one of the webhook processors, past the balancer. */
function pageAt(processor: { url: string }, link: string): string {
	const page = new URL(link);
	page.host = new URL(processor.url).host;
	return page.href;
}

test('three lists at once: each is paid once after its own yes, and above the sum after two, although an answer comes twice', async () => {
	const lists = [
		[askedRow('50'), askedRow('51')],
		[askedRow('52'), askedRow('53')],
		[askedRow('100000'), askedRow('54')],
	];
	for (const rows of lists) await handOver(stack, rows);
	const questions = await until('three questions', () => {
		const asked = questionsIn(stack);
		return asked.length === lists.length && asked;
	});
	for (const { link } of questions) await untilAsked(link);
	await Promise.all(questions.map((question) => answer(question, YES)));
	const second = await until('the second question', () =>
		questionsIn(stack).find(({ to }) => to.includes('second@example.com')),
	);
	await untilAsked(second.link);
	const pages = stack.queue.webhookProcessors.map((each) => pageAt(each, second.link));
	// n8n never answers one that comes while the execution goes on.
	const late = async () => await sleep(10_000, { status: 0 });
	const twice = await Promise.all(
		pages.map((page) => Promise.race([browse(page, ['', YES, 'Ben Eze', '', '']), late()])),
	);
	expect(twice.map(({ status }) => status)).toContain(200);
	await mailed(stack, 'All 2 payouts are paid: 101.00 NGN');
	await mailed(stack, 'All 2 payouts are paid: 105.00 NGN');
	const { to } = await mailed(stack, 'All 2 payouts are paid: 100,054.00 NGN');
	expect(to).toContain('second@example.com');
	expect(amountsPaid(stack).sort()).toEqual(
		lists
			.flat()
			.map(({ amount }) => amount)
			.sort(),
	);
	const names = (await paymentRows(stack)).map(({ result, approvedBy }) => `${result} by ${approvedBy}`);
	expect(names.sort()).toEqual([
		...Array<string>(4).fill('paid by Ada Obi'),
		...Array<string>(2).fill('paid by Ada Obi, Ben Eze'),
	]);
});

test('PostgreSQL is away for seconds while a list is paid: mail, book and service say that all is paid', async () => {
	const rows = Array.from({ length: 6 }, (_, index) => askedRow(`${60 + index}`));
	await stack.control('POST', '/faults', { route: ROUTE, times: rows.length, delayMs: 300 });
	await handOver(stack, rows);
	await answer(await mailed(stack, 'Approve'), YES);
	await until('a payout', () => amountsPaid(stack).length > 0);
	await stack.queue.restartPostgres('stop', 4000);
	await mailed(stack, 'All 6 payouts are paid');
	expect(amountsPaid(stack)).toEqual(rows.map(({ amount }) => amount));
	const booked = await paymentRows(stack);
	expect(booked.map(({ result }) => result)).toEqual(rows.map(() => 'paid'));
});
