/** Lists below the sum of a day that get their only yes in the same seconds: each page has read the book before the others are paid. */
import { until } from '../../host/n8n/client.ts';
import {
	answer,
	askedRow as row,
	browse,
	handOver,
	mailed as mailedTo,
	questionsIn,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { bookTable } from '../../host/testkit/book.ts';
import { quiet } from '../../host/testkit/database.ts';
import { amountsPaid } from '../../host/testkit/payments.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('ask');

renewForEachTest(stack);
beforeEach(async () => await bookTable(stack).clear());

const paid = () => amountsPaid(stack);
const mails = () => stack.mailbox.mails;
const mailed = async (subject: string | RegExp) => await mailedTo(stack, subject);

/** The question about this row, whose page is there. */
async function asked(each: ReturnType<typeof row>) {
	await handOver(stack, [each]);
	const question = await mailed('Approve');
	await untilAsked(question.link);
	return question;
}

const isEnd = ({ subject }: { subject: string }) => /paid/.test(subject) && !subject.startsWith('Approve');

test('three lists of 40,000 get their yes at once: with one name each, no more than the sum of the day goes out', async () => {
	const questions = [];
	for (const amount of ['40000.1', '40000.2', '40000.3']) {
		questions.push(await asked(row(amount)));
		mails().splice(0);
	}
	for (const { link } of questions) expect((await browse(link)).page).not.toContain('Two people');
	await Promise.all(questions.map(async (question) => await answer(question, YES, 'Ada Obi')));
	// A page that was late enough to see the others asks a second person.
	await until(
		'what comes next of each',
		() => mails().filter(isEnd).length + questionsIn(stack).length === 3,
	);
	expect(paid().length).toBeGreaterThan(0);
	expect(paid().reduce((sum, amount) => sum + Number(amount), 0)).toBeLessThanOrEqual(100_000);
});

test('behind three pages that have not seen each other, the node that pays keeps to the sum, and says what to do', async () => {
	const rows = ['41000.1', '41000.2', '41000.3'].map((amount) => row(amount, { approvedBy: 'Ada Obi' }));
	await Promise.all(rows.map(async (each) => await handOver(stack, [each], stack.example('carry-out'))));
	await until('the results of each', () => mails().filter(isEnd).length === 3);
	await quiet(stack);
	expect(paid()).toHaveLength(2);
	const left = rows.find(({ amount }) => !paid().includes(amount))!;
	const result = mails().find(({ text }) => text.includes('Second Approval Above per Day'))!;
	for (const words of [
		'Not sent because the rows of today with fewer than two names would add up to 123000.6 NGN',
		'let a second person say yes',
		'hand in the list again',
	])
		expect(result.text).toContain(words);
	const open = result.attachments!.find(({ name }) => name === 'open-payouts.csv')!;
	expect(open.content.toString('utf8')).toContain(`${left.paymentKey},${left.amount},NGN`);

	// Handed in again, the sum of the day asks for the second yes.
	mails().splice(0);
	const { approvedBy: _, ...again } = left;
	const first = await asked(again as typeof left);
	expect((await browse(first.link)).page).toContain('Two people must say yes to it.');
	await answer(first, YES, 'Ada Obi');
	const second = await until('the second question', () =>
		questionsIn(stack).find(({ to }) => to.includes('second@example.com')),
	);
	await untilAsked(second.link);
	await answer(second, YES, 'Ben Eze');
	await mailed('The payout is paid');
	expect(paid()).toHaveLength(3);
});
