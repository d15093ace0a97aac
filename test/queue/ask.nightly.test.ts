/** A list from the question to its results in queue mode: the parts *ask* and *carry out* with two workers. */
import { KEEP_EXECUTIONS } from '../../host/n8n/process.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow,
	browse,
	decide,
	handOver,
	mailed,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { paymentRows } from '../../host/testkit/book.ts';
import { amountsPaid, failPayoutAfter } from '../../host/testkit/payments.ts';
import { startQueueStack } from '../../host/testkit/stacks.ts';
import { useOwnStack } from '../n8n/setup.ts';

const stack = useOwnStack(() => startQueueStack(2, KEEP_EXECUTIONS, ['ask']));

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
