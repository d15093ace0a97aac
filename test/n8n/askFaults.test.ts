/** *Ask* and *carry out* when something fails, nobody answers, or nobody knows what became of a payment. */
import { startMailbox } from '../../host/doubles/mailbox.ts';
import { until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow as row,
	browse,
	decide,
	handOver,
	mailed as mailedTo,
	questionsIn,
	send,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { bookTable } from '../../host/testkit/book.ts';
import { quiet } from '../../host/testkit/database.ts';
import { failPayoutAfter } from '../../host/testkit/payments.ts';
import { changeExample, publishCopy, saveCredential, withParameters } from '../../host/testkit/workflows.ts';
import { ASKER, FIRST, SECOND, fieldsOf, useAsk } from './asking.ts';

const { stack, asked, askedAgain, askedSecond, ended, approversOf, questions, mails, mailed, paid } =
	useAsk();

/** A list about which nobody says anything, with a mailbox of its own: n8n looks once a minute which waits are over. */
let nobodyAnswers: Pick<typeof stack, 'mailbox' | 'approvers'>;

beforeAll(async () => {
	const mailbox = await startMailbox();
	nobodyAnswers = { mailbox, approvers: stack.approvers };
	const credentials = await saveCredential(stack.client, 'smtp', mailbox.smtp, 'Another mailbox');
	const sends = () => ({ credentials });
	const copy = await publishCopy(stack, 'ask', 'Asks for a moment', {
		Ask: sends,
		Remind: sends,
		'Send mail': sends,
		Question: withParameters({ resumeAmount: 0.02, resumeUnit: 'minutes' }),
	});
	await handOver(stack, [row('60')], copy);
});
afterAll(async () => await nobodyAnswers.mailbox.stop());

/** A list whose reminder no mail server takes, since one minute at most. */
let notReminded: typeof nobodyAnswers & { workflow: StoredWorkflow };

beforeAll(async () => {
	const mailbox = await startMailbox();
	const credentials = await saveCredential(stack.client, 'smtp', mailbox.smtp, 'A third mailbox');
	const workflow = await publishCopy(stack, 'ask', 'Cannot remind', {
		Ask: () => ({ credentials }),
		Remind: () => ({ credentials }),
		Question: withParameters({
			resumeAmount: "={{ $('Remind').isExecuted ? 600 : 1 }}",
			resumeUnit: 'seconds',
		}),
	});
	notReminded = { mailbox, approvers: stack.approvers, workflow };
	await handOver(stack, [row('59')], workflow);
	await mailedTo(notReminded, 'Approve');
	mailbox.faults.push(...Array<'refuse'>(TRIES).fill('refuse'));
});
afterAll(async () => await notReminded.mailbox.stop());

/** How often n8n sends a mail that nobody takes. */
const TRIES = 5;

const DETAILS = 'First Example Bank, Main Supplier Ltd, \u20266789';
const accountFault = { route: 'POST /v1/settlement_accounts', times: 20, status: 500 };

test.each<[string, Json, () => Promise<unknown>, string]>([
	[
		'is not approved any more',
		{ destinationDetails: DETAILS },
		async () => await stack.control('POST', '/reviews', { alias: 'supplier-main', decision: 'Rejected' }),
		'The account supplier-main is not approved. Its status is Rejected.',
	],
	[
		'is another one than the page showed',
		{ destinationDetails: DETAILS.replace('6789', '1111') },
		async () => await Promise.resolve(),
		`The service now says “${DETAILS}”.`,
	],
	[
		'cannot be looked up',
		{},
		async () => await stack.control('POST', '/faults', accountFault),
		'The list of settlement accounts could not be read',
	],
])(
	'an account that %s at the time of the yes gets nothing, and the approver reads why, and is asked again',
	async (_, more, change, why) => {
		const question = await asked(row('32'), row('33', more));
		await change();
		await answer(question, YES, 'Ada Obi');
		const again = await askedAgain();
		expect(again.subject).toBe(`Again: ${question.subject}`);
		for (const words of [again.text, (await browse(again.link)).page]) {
			expect(words).toContain('Nothing of this list was handed on.');
			expect(words).toContain(why);
		}
		await answer(again, 'No');
		expect((await mailed('Not paid: ')).to).toEqual([FIRST, ASKER]);
		expect(paid()).toEqual([]);
		expect(await bookTable(stack).rows()).toEqual([]);
	},
);

describe('a mail server that is down', () => {
	test('for a moment: the question comes all the same', async () => {
		stack.mailbox.faults.push('refuse');
		await answer(await asked(row('13.5')), YES);
		await mailed('The payout is paid: 13.50 NGN');
		expect(paid()).toEqual(['13.5']);
	});

	test('for longer: nobody is asked, the execution says why, and Retry asks', async () => {
		stack.mailbox.faults.push(...Array<'refuse'>(TRIES).fill('refuse'));
		await handOver(stack, [row('13.6')]);
		const { id } = await until('the error', async () =>
			(await stack.client.executions(stack.example('ask').id)).find(({ status }) => status === 'error'),
		);
		expect(questions()).toEqual([]);
		void stack.client.retry(id, 'original').catch(() => undefined);
		await answer(await mailed('Approve'), YES);
		await mailed('The payout is paid: 13.60 NGN');
		expect(paid()).toEqual(['13.6']);
	});

	test('at the reminder: the question lives, and its answer is paid once', async () => {
		const { mailbox, workflow } = notReminded;
		await until('the last try of the reminder', () => mailbox.faults.length === 0);
		await until(
			'its page',
			async () => (await stack.client.executions(workflow.id))[0]!.status === 'waiting',
		);
		const [question, ...others] = questionsIn(notReminded);
		expect(others).toEqual([]);
		const { page } = await browse(question!.link);
		expect(page).toContain('59.00 NGN');
		expect(page).not.toContain('Try again later');
		await answer(question!, YES);
		await mailed('The payout is paid: 59.00 NGN');
		expect(paid()).toEqual(['59']);
	});
});

const AGAIN =
	'hand in the same list again, in the same way and with the same Payment Keys: nothing is paid twice.';

describe('if pay once fails as a whole', () => {
	afterEach(async () => await changeExample(stack, 'pay-once', {}));

	test('a yes while it is unpublished pays nothing, both read it, and the same list again is paid once', async () => {
		const rows = [row('18'), row('19')];
		const question = await asked(...rows);
		await stack.client.unpublish(stack.example('pay-once'));
		await answer(question, YES, 'Ada Obi');
		const { to, text, html } = await mailed('Stopped before the end: 2 payouts');
		expect(to).toEqual([FIRST, ASKER]);
		for (const words of [text, html]) {
			expect(words).toContain('n8n says: Workflow is not active and cannot be executed.');
			expect(words).toContain(AGAIN);
		}
		expect((await ended()).status).toBe('success');
		expect(questions().map(({ subject }) => subject)).toEqual([question.subject]);
		expect(paid()).toEqual([]);

		await stack.client.publish(stack.example('pay-once'));
		mails().splice(0);
		await answer(await asked(...rows), YES, 'Ada Obi');
		await mailed('All 2 payouts are paid: 37.00 NGN');
		expect(paid()).toEqual(['18', '19']);
	});

	test('nobody is asked about a list that it did not check, and both read why', async () => {
		await stack.client.unpublish(stack.example('pay-once'));
		await handOver(stack, [row('24'), row('25')]);
		const { to, text } = await mailed(/^Not ready to pay/);
		expect(to).toEqual([FIRST, ASKER]);
		expect(text).toContain('Workflow is not active and cannot be executed.');
		expect(questions()).toEqual([]);
		expect(paid()).toEqual([]);
	});

	test('the mail names an error in a part of its payments, and the same list again pays the rest', async () => {
		await changeExample(stack, 'pay-once', { Pay: () => ({ onError: 'stopWorkflow' }) });
		const amounts = Array.from({ length: 21 }, (_, index) => String(index + 26));
		const rows = amounts.map((amount) => row(amount));
		const question = await asked(...rows);
		await failPayoutAfter(stack, 1, { status: 500 });
		await answer(question, YES, 'Ada Obi');
		const { text } = await mailed('Stopped before the end: 21 payouts');
		expect(text).toContain('n8n says: 19 of 20 already paid. The service answered 500');
		expect(text).toContain(AGAIN);
		const ofFirstPart = amounts.slice(0, 20).filter((amount) => amount !== '27');
		expect(paid()).toEqual(ofFirstPart);

		await changeExample(stack, 'pay-once', {});
		mails().splice(0);
		const again = await asked(...rows);
		expect(again.subject).toContain('Approve 1 payout, 1 to look at: 46.00 NGN, 1 NOT KNOWN (asked by');
		await answer(again, YES, 'Ada Obi');
		expect((await mailed('1 of 21 payouts paid: 46.00 NGN')).subject).toContain(
			'19 paid before, 1 NOT KNOWN',
		);
		expect(paid()).toEqual([...ofFirstPart, '46']);
	});
});

describe('what cannot be carried out is asked again, with the reason, and paid once after it is mended', () => {
	const take = async (file: string, how = 'unpublish') => {
		await stack.client.unpublish(stack.example(file));
		if (how === 'archive') await stack.client.rest('POST', `/workflows/${stack.example(file).id}/archive`);
	};
	const mend = async (file: string, how = 'unpublish') => {
		if (how === 'archive') await stack.client.rest('POST', `/workflows/${stack.example(file).id}/unarchive`);
		await stack.client.publish(stack.example(file));
	};
	// A test that fails between the two takes no other with it.
	afterEach(async () => {
		for (const file of ['ask-the-second', 'carry-out']) await mend(file);
	});
	const again = async (of: string, number: number) => {
		const question = await askedAgain(number, stack.example(of));
		expect(question.subject).toMatch(/^Again: /);
		expect(question.text).toMatch(/Workflow .*(not active|archived|could not be found)/);
		expect((await browse(question.link)).page).toMatch(/Workflow .*(not active|archived|could not be found)/);
		expect(paid()).toEqual([]);
		return question;
	};

	test.each(['unpublish', 'archive'])('behind the first yes: %s', async (how) => {
		const question = await asked(row('72.5'));
		await take('carry-out', how);
		await answer(question, YES);
		const next = await again('ask', 1);
		await mend('carry-out', how);
		await answer(next, YES);
		await mailed('The payout is paid: 72.50 NGN');
		expect(paid()).toEqual(['72.5']);
	});

	test('before and behind the second yes', async () => {
		const question = await asked(row('100072.5'));
		await take('ask-the-second');
		await answer(question, YES);
		const next = await again('ask', 1);
		await mend('ask-the-second');
		await answer(next, YES);
		const second = await askedSecond();
		await take('carry-out');
		await answer(second, YES, 'Ben Eze');
		const last = await again('ask-the-second', 3);
		expect(last.to).toEqual([SECOND]);
		await mend('carry-out');
		await answer(last, YES, 'Ben Eze');
		await mailed('The payout is paid: 100,072.50 NGN');
		expect(paid()).toEqual(['100072.5']);
	});

	test('behind an answer about an unknown payment', async () => {
		const list = row('73.5');
		await failPayoutAfter(stack, 0, { dropBefore: true });
		await answer(await asked(list), YES);
		const question = await mailed('Was it paid? ');
		await untilAsked(question.link);
		await ageKeys(stack);
		await take('carry-out');
		await decide(question, { wasNotPaid: [list.paymentKey] });
		const next = await askedAgain(2, stack.example('carry-out'));
		expect(next.text).toContain('not active');
		await mend('carry-out');
		await decide(next, { wasNotPaid: [list.paymentKey] });
		await mailed('The payout is paid: 73.50 NGN');
		expect(paid()).toEqual(['73.5']);
	});

	test('without the credential that looks the accounts up', async () => {
		const copy = await publishCopy(stack, 'ask', 'Without its credential', {
			'Approved rows': () => ({ credentials: { walletServiceApi: { id: 'gone', name: 'Gone' } } }),
		});
		await handOver(stack, [row('74.5')], copy);
		await answer(await mailed('Approve'), YES);
		await until('the question once more', () => questions()[1]);
		expect(questions()[1]!.subject).toMatch(/^Again: /);
		expect(paid()).toEqual([]);
	});
});

test('an unknown payment is asked about, paid once after the answer, and told by a second mail', async () => {
	const rows = [row('40'), row('41.5'), row('42')];
	await failPayoutAfter(stack, 1, { dropBefore: true });
	await answer(await asked(...rows), YES, 'Ada Obi');
	expect((await mailed('2 of 3 payouts paid')).subject).toContain('1 NOT KNOWN');
	const question = await mailed('Was it paid? ');
	expect(question.to).toEqual([FIRST]);
	await untilAsked(question.link);
	expect((await browse(question.link)).page).toContain('41.50 NGN to supplier-main');
	await ageKeys(stack);
	const wasNotPaid = [rows[1]!.paymentKey];
	await decide(question, { wasNotPaid });
	expect((await mailed('The payout is paid: 41.50 NGN')).to).toEqual([FIRST, ASKER]);
	await browse(question.link, ['', '', ...wasNotPaid]);
	expect(paid()).toEqual(['40', '42', '41.5']);
	// The last payment is of a later run.
	const results = ['paid', 'unknown', 'paid', 'paid'];
	expect(await approversOf(rows)).toEqual(results.map((result) => [result, 'Ada Obi']));
});

test('an answer with one wrong text decides nothing: the person reads which one it is, and is asked again', async () => {
	const rows = [row('43'), row('44'), row('45')];
	const [one, two, three] = rows.map(({ paymentKey }) => paymentKey);
	await failPayoutAfter(stack, 0, { dropBefore: true });
	await failPayoutAfter(stack, 0, { dropAfter: true });
	await answer(await asked(...rows), YES, 'Ada Obi');
	const asks = async (number: number) => {
		const question = await until(
			`question ${number}`,
			() => questions().filter(({ subject }) => subject.startsWith('Was it paid? '))[number],
		);
		await quiet(stack);
		await untilAsked(question.link);
		return { ...question, ...(await browse(question.link)) };
	};
	const first = await asks(0);
	await ageKeys(stack);
	for (const words of ['Was paid', 'Was not paid', one, two, 'Nothing is sent for these', 'paid now, once'])
		expect(first.page).toContain(words);
	expect(first.page).not.toContain('Nothing was decided');
	expect(first.page + first.text).not.toContain('undefined');
	const wrong: Array<[wasPaid: string, wasNotPaid: string, why: string]> = [
		[
			two!,
			`${one}, <img src=x onerror=alert(1)>{{ 7*7 }}ASK-99999`,
			'ASK-99999” is neither a Payment Key nor a row',
		],
		[`${one}; ${two}`, one!, `“${one}” stands in both fields.`],
		[two!, `${one}, ${three}`, `It is known what became of “${three}”.`],
		['', ' ', 'Both fields are empty.'],
	];
	for (const [index, [wasPaid, wasNotPaid, why]] of wrong.entries()) {
		await send(first, ['', wasPaid, wasNotPaid]);
		const { page, text, to } = await asks(index + 1);
		expect(to).toEqual([FIRST]);
		for (const words of [page, text.replace(/\s+/g, ' ')]) {
			expect(words).toContain(`Nothing was decided. `);
			expect(words).toContain(why);
			expect(words).not.toContain('49ASK');
		}
		expect(page).not.toContain('<img');
		expect(page).toContain('44.00 NGN to supplier-main');
	}
	expect(paid()).toEqual(['44', '45']);
	await decide(first, { wasPaid: [two!.toLowerCase()], wasNotPaid: [`Row ${rows[0]!.row as number}`] });
	await mailed('All 2 payouts are paid');
	expect(paid()).toEqual(['44', '45', '43']);
	await quiet(stack);
	expect((await ended(stack.example('carry-out'))).status).toBe('success');
});

test('if the node that asks about unknown payments is switched off, nothing is decided, and the execution ends', async () => {
	const copy = await publishCopy(stack, 'carry-out', 'Does not ask what happened', {
		Question: () => ({ disabled: true }),
	});
	await failPayoutAfter(stack, 0, { dropBefore: true });
	await handOver(stack, [row('46', { approvedBy: 'Ada Obi' })], copy);
	const [execution] = await stack.client.endedExecutions(copy.id, 1);
	expect(execution!.data.resultData.runData['Read decisions']).toHaveLength(20);
	expect(execution!.data.resultData.runData['Pay once']).toHaveLength(1);
	expect(paid()).toEqual([]);
});

test('a payment that is unknown again after an answer is asked about when the list comes again, and paid once', async () => {
	const rows = [row('51')];
	const asksOf = (words: string) => questions().filter(({ subject }) => subject.startsWith(words));
	await failPayoutAfter(stack, 0, { dropBefore: true });
	await answer(await asked(...rows), YES);
	const first = await mailed('Was it paid? ');
	await ageKeys(stack);
	await failPayoutAfter(stack, 0, { dropBefore: true });
	const wasNotPaid = [rows[0]!.paymentKey];
	await decide(first, { wasNotPaid });
	const isAgain = ({ text }: { text: string }) => text.includes('No answer about them counts in this run');
	const { text, to } = await until('the mail about the second try', () => mails().find(isAgain));
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('Hand in these rows once more, in the same way and under the same Payment Keys');
	await quiet(stack);
	expect((await ended(stack.example('carry-out'))).status).toBe('success');
	expect(asksOf('Was it paid?')).toHaveLength(1);

	mails().splice(0);
	const approval = await asked(...rows);
	expect(approval.subject).toBe(`Approve: nothing else is left to pay, 1 NOT KNOWN (asked by ${ASKER})`);
	expect((await browse(approval.link)).page).toContain('nothing is sent for these');
	await answer(approval, YES);
	const second = await mailed('Was it paid? ');
	await untilAsked(second.link);
	expect(paid()).toEqual([]);
	await ageKeys(stack);
	await decide(second, { wasNotPaid });
	await mailed('The payout is paid: 51.00 NGN');
	expect(paid()).toEqual(['51']);
	expect(asksOf('Was it paid?')).toHaveLength(1);
});

test('the page says from when on an answer counts, and an earlier one is refused with a reason and asked again', async () => {
	const TIME =
		/An answer counts from (?:\d{4}-\d\d-\d\d )?\d\d:\d\d \([\w/]+\) on\. An earlier one is not used\./;
	await failPayoutAfter(stack, 0, { dropAfter: true });
	const rows = [row('50')];
	await answer(await asked(...rows), YES);
	const first = await mailed('Was it paid? ');
	await untilAsked(first.link);
	const { page } = await browse(first.link);
	expect(page).toMatch(TIME);
	expect(page).not.toContain('came too early');
	await decide(first, { wasNotPaid: [rows[0]!.paymentKey] });
	const again = await until(
		'the second question',
		() => questions().filter(({ subject }) => subject.startsWith('Was it'))[1],
	);
	await untilAsked(again.link);
	const { page: second } = await browse(again.link);
	expect(second).toContain('came too early, so nothing was done');
	expect(second).toMatch(TIME);
	await ageKeys(stack);
	await decide(again, { wasPaid: [`row ${rows[0]!.row as number}`] });
	await mailed('The payout is paid: 50.00 NGN. ');
	expect(paid()).toEqual(['50']);
});

test('without an answer, one reminder has the same link; then nothing is paid, and both read it', async () => {
	const { html, text, to } = await mailedTo(nobodyAnswers, 'Not paid: ');
	const [first, reminder, ...others] = questionsIn(nobodyAnswers);
	expect(others).toEqual([]);
	expect(reminder).toMatchObject({
		to: [FIRST],
		subject: `Reminder: ${first!.subject}`,
		link: first!.link,
	});
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('no answer');
	expect(html).toContain('Answered by: nobody');
	// Its page then shows what n8n says of each form that has ended.
	expect((await browse(first!.link, fieldsOf(YES))).page).toContain('Your response has been recorded');
	await quiet(stack);
	expect(paid()).toEqual([]);
});

test('a question goes on as it was asked, even if its workflow is changed, unpublished or archived; a stop takes it back', async () => {
	const { rest } = stack.client;
	const copy = await publishCopy(stack, 'ask', 'Asks before a change', {});
	const questionAbout = async (amount: string) => {
		await handOver(stack, [row(amount)], copy);
		const question = await mailed(new RegExp(`^Approve .* ${amount}.00 NGN `));
		await untilAsked(question.link);
		return question;
	};
	const [changed, unpublished, archived, stopped, deleted] = [
		await questionAbout('61'),
		await questionAbout('62'),
		await questionAbout('63'),
		await questionAbout('64'),
		await questionAbout('65'),
	];
	// The node that asks is another one now, and its new name stands in the connections.
	const text = JSON.stringify(copy).replaceAll('"Question"', '"Page"');
	await stack.client.publish(await stack.client.saveWorkflow(JSON.parse(text) as typeof copy));
	await answer(changed, YES);
	await mailed('The payout is paid: 61.00 NGN');
	await stack.client.unpublish(copy);
	await answer(unpublished, YES);
	await mailed('The payout is paid: 62.00 NGN');
	await rest('POST', `/workflows/${copy.id}/archive`);
	await answer(archived, YES);
	await mailed('The payout is paid: 63.00 NGN');
	const [, id] = /form-waiting\/(\d+)/.exec(stopped.link)!;
	await rest('POST', `/executions/${id}/stop`);
	// n8n says so of each form that has ended.
	expect((await browse(stopped.link, fieldsOf(YES))).page).toContain('Problem loading form');
	await rest('DELETE', `/workflows/${copy.id}`);
	expect((await browse(deleted.link, fieldsOf(YES))).status).toBe(404);
	expect(paid()).toEqual(['61', '62', '63']);
});
