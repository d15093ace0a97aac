/** What the tests of *ask*, *ask the second* and *carry out* share: a person who is asked by a mail, and what was paid. */
import { until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { handOver, mailed, questionsIn, untilAsked } from '../../host/testkit/approvals.ts';
import type { AskedRow } from '../../host/testkit/approvals.ts';
import { bookTable, paymentRows } from '../../host/testkit/book.ts';
import { amountsPaid } from '../../host/testkit/payments.ts';
import { renewForEachTest, useStack } from './setup.ts';

export const [ASKER, FIRST, SECOND] = ['finance@example.com', 'approver@example.com', 'second@example.com'];

/** What the page of an approver sends. */
export const fieldsOf = (word: string, name = 'Ada Obi') => ['', word, name, '', ''];

/** The examples, and what a test hands over and waits for. Before each test, the mailbox and the book are empty. */
export function useAsk() {
	const stack = useStack('ask');
	renewForEachTest(stack);
	beforeEach(async () => await bookTable(stack).clear());

	const questions = () => questionsIn(stack);

	/** Hands over the rows. Returns the question to the approver, whose page is there. */
	const asked = async (...rows: Json[]) => {
		await handOver(stack, rows);
		const question = await mailed(stack, 'Approve');
		await untilAsked(question.link);
		return question;
	};

	/** The question that came once more. Its link is the same. */
	const askedAgain = async (number = 1, { id } = stack.example('ask')) => {
		const question = await until('the question once more', () => questions()[number]);
		await until('its page', async () =>
			(await stack.client.executions(id)).some(({ status }) => status === 'waiting'),
		);
		await untilAsked(question.link);
		return question;
	};

	/** The question to the second person, whose page is there. */
	const askedSecond = async () => {
		const question = await until('the second question', () =>
			questions().find(({ to }) => to.includes(SECOND)),
		);
		await untilAsked(question.link);
		return question;
	};

	/** The newest execution of the workflow, when it has ended. */
	const ended = async ({ id } = stack.example('ask')) =>
		await until('an end', async () =>
			(await stack.client.executions(id)).find(({ status }) => status !== 'waiting'),
		);

	/** What the book says of these rows: the result, and who has approved. */
	const approversOf = async (rows: AskedRow[]) =>
		(await paymentRows(stack))
			.filter(({ paymentKey }) => rows.some((each) => each.paymentKey === paymentKey))
			.map(({ result, approvedBy }) => [result, approvedBy]);

	return {
		stack,
		asked,
		askedAgain,
		askedSecond,
		ended,
		approversOf,
		questions,
		mails: () => stack.mailbox.mails,
		mailed: (subject: string | RegExp) => mailed(stack, subject),
		paid: () => amountsPaid(stack),
	};
}
