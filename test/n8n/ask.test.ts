/** The examples *ask*, *ask the second* and *carry out*: a person answers on the page of a mail. `kills.test.ts` kills n8n meanwhile. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailbox } from '../../host/doubles/mailbox.ts';
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow as row,
	browse,
	decide,
	handOver,
	mailed as mailedTo,
	openedBy,
	questionsIn,
	send,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import type { AskedRow } from '../../host/testkit/approvals.ts';
import { bookTable, paymentRows } from '../../host/testkit/book.ts';
import { queryDatabase, quiet } from '../../host/testkit/database.ts';
import { amountsPaid, failPayoutAfter } from '../../host/testkit/payments.ts';
import { changeExample, publishCopy, saveCredential, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const [ASKER, FIRST, SECOND] = ['finance@example.com', 'approver@example.com', 'second@example.com'];

const stack = useStack('ask');

renewForEachTest(stack);
beforeEach(async () => await bookTable(stack).clear());

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

const paid = () => amountsPaid(stack);
const mailed = (subject: string | RegExp) => mailedTo(stack, subject);
const mails = () => stack.mailbox.mails;
const questions = () => questionsIn(stack);

/** What the page of an approver sends. */
const fieldsOf = (word: string, name = 'Ada Obi') => ['', word, name, '', ''];

/** Hands over the rows. Returns the question to the approver, whose page is there. */
async function asked(...rows: Json[]) {
	await handOver(stack, rows);
	const question = await mailed('Approve');
	await untilAsked(question.link);
	return question;
}

/** The question that came once more. Its link is the same. */
async function askedAgain(number = 1, { id } = stack.example('ask')) {
	const question = await until('the question once more', () => questions()[number]);
	await until('its page', async () =>
		(await stack.client.executions(id)).some(({ status }) => status === 'waiting'),
	);
	await untilAsked(question.link);
	return question;
}

/** The newest execution of the workflow, when it has ended. */
async function ended({ id } = stack.example('ask')) {
	return await until('an end', async () =>
		(await stack.client.executions(id)).find(({ status }) => status !== 'waiting'),
	);
}

const approversOf = async (rows: AskedRow[]) =>
	(await paymentRows(stack))
		.filter(({ paymentKey }) => rows.some((each) => each.paymentKey === paymentKey))
		.map(({ result, approvedBy }) => [result, approvedBy]);

test('after a yes, exactly what the page showed is paid, and both read the results', async () => {
	const rows = [
		row('1250.50', { note: 'Rent of May' }),
		row('12.5', { currency: null, coin: 'USDT', destination: 'treasury' }),
	];
	const question = await asked(...rows);
	expect(question.to).toEqual([FIRST]);
	expect(question.subject).toBe(
		`Approve 2 payouts, 2 to look at: 1,250.50 NGN, 12.50 USDT (asked by ${ASKER})`,
	);
	expect(question.html).toContain('that pays nothing');
	const { page } = await browse(question.link);
	for (const words of [
		`asked by ${ASKER}`,
		'1,250.50 NGN',
		'to treasury',
		'Rent of May',
		'5,000,000.00',
		rows[1]!.paymentKey,
	])
		expect(page).toContain(words);
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);

	expect(page).toContain('Got it. A mail says what comes next');
	await answer(question, YES, 'Ada Obi');
	const told = await mailed('Yes from Ada Obi: the results follow');
	expect(told).toMatchObject({ to: [FIRST, ASKER], link: '' });
	const result = await mailed('All 2 payouts are paid: 1,250.50 NGN, 12.50 USDT');
	expect(result.to).toEqual([FIRST, ASKER]);
	expect(result.text).toContain('1,250.50 NGN to supplier-main');
	expect(result.html).toMatch(/^<div .*<table/s);
	expect(result.html).not.toContain('undefined');
	const file = result.attachments![0]!.content.toString('utf8');
	expect(file).toContain('Rent of May');
	expect(file.match(/,paid,/g)).toHaveLength(2);
	expect(await approversOf(rows)).toEqual([
		['paid', 'Ada Obi'],
		['paid', 'Ada Obi'],
	]);
	expect(paid()).toEqual(['1250.50', '12.5']);

	// The same list again: nothing is left to ask.
	mails().splice(0);
	await handOver(stack, rows);
	expect((await mailed('Nothing is left to pay')).to).toEqual([FIRST, ASKER]);
	expect(questions()).toEqual([]);
	expect(paid()).toHaveLength(2);
});

test('a link that is opened pays nothing, of several answers one counts, and an answered link says so', async () => {
	const question = await asked(row('20'));
	for (const url of [question.link, `${question.link}&Pay these payouts?=${YES}&field-1=${YES}`]) {
		expect((await browse(encodeURI(url))).status).toBe(200);
		await fetch(openedBy(encodeURI(url)), { method: 'HEAD' });
	}
	const withoutToken = question.link.replace(/signature=[^&]+/, `signature=${'0'.repeat(64)}`);
	expect((await browse(withoutToken, fieldsOf(YES, 'Eve'))).status).toBe(401);
	expect(paid()).toEqual([]);
	// n8n never answers those that come while the execution goes on.
	const late = async () => await sleep(10_000, { status: 0 });
	const answers = await Promise.all(
		[YES, YES, YES].map((word) => Promise.race([browse(question.link, fieldsOf(word)), late()])),
	);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	await mailed('The payout is paid');
	await ended();
	const again = await browse(question.link, fieldsOf(YES));
	expect(again.page).toContain('Your response has been recorded');
	expect((await browse(question.link)).page).toContain('Your response has been recorded');
	expect(paid()).toEqual(['20']);
	expect(mails().filter(({ subject }) => subject.includes('is paid'))).toHaveLength(1);
});

test('a no pays nothing, and both read who said it and why, whatever stands in it', async () => {
	const rows = [row('30')];
	const why = '<img src=x onerror=alert(1)> & {{ 7*7 }}';
	await answer(await asked(...rows), 'No', 'Ada <b>Obi</b>', { why });
	const { to, text, html } = await mailed(
		`Not paid: Approve 1 payout, 1 to look at: 30.00 NGN (asked by ${ASKER})`,
	);
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('Reason: <img src=x onerror=alert(1)> & {{ 7*7 }}  Answered by: Ada <b>Obi</b>');
	expect(html).toContain('<p>Answered by: Ada Obi</p><p> & ');
	expect(html).toContain('30.00&#160;NGN to supplier-main');
	expect(html).not.toMatch(/<img|Ada <b>|<p>[^<]*49/);
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);
});

test.each([
	['another word', ['', 'Yes', 'Ada', '', '']],
	['no name', ['', YES, ' ', '', '']],
	['nothing at all', ['']],
])('an answer with %s is a no', async (_, fields) => {
	await send(await asked(row('31')), fields);
	await mailed('Not paid: ');
	expect(paid()).toEqual([]);
});

test.each(['7', 'no', '{{ 7919*7907 }}'])(
	'a yes of %j, which is no name, pays nothing, and the question comes again with the reason',
	async (name) => {
		const question = await asked(row('31.5'));
		await answer(question, YES, name);
		const again = await askedAgain();
		expect(again.text).toContain("'Approved By', the name of who has said yes, is no name of a person");
		const { page } = await browse(again.link);
		expect(page).toContain('is no name of a person');
		expect(page).not.toMatch(/<img src=x/);
		// The pages and links of n8n have numbers and hex digits of their own: a short product could be one of them.
		expect(page).not.toContain('62615533');
		expect(paid()).toEqual([]);
		await answer(again, YES);
		await mailed('The payout is paid: 31.50 NGN');
	},
);

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

/** The question to the second person, whose page is there. */
async function askedSecond() {
	const question = await until('the second question', () =>
		questions().find(({ to }) => to.includes(SECOND)),
	);
	await untilAsked(question.link);
	return question;
}

test('above the sum, a second person must say yes, too, with another password', async () => {
	const rows = [row('100000'), row('0.01')];
	const first = await asked(...rows);
	expect((await browse(first.link)).page).toContain('Two people must say yes to it.');
	await answer(first, YES, 'Ada Obi');
	const told = await mailed('Yes from Ada Obi: a second person is asked');
	expect(told.to).toEqual([FIRST, ASKER]);
	expect(told.text).toContain(SECOND);
	const second = await askedSecond();
	expect(second.to).toEqual([SECOND]);
	expect(second.subject).toBe(
		`Yes from Ada Obi: Approve 2 payouts, 2 to look at: 100,000.01 NGN (asked by ${ASKER})`,
	);
	const ofSecond = (await browse(second.link)).page;
	for (const words of ['100,000.00 NGN', 'Two people must say yes to it.', 'The password is the proof'])
		expect(ofSecond).toContain(words);
	// The first person has been answered: that execution has ended.
	expect((await ended()).status).toBe('success');
	const byFirst = openedBy(second.link, stack.approvers.first);
	expect((await browse(byFirst)).status).toBe(401);
	expect((await browse(byFirst, fieldsOf(YES, 'Ben Eze'))).status).toBe(401);
	expect(paid()).toEqual([]);
	await answer(second, YES, 'Ben Eze');
	expect((await mailed('All 2 payouts are paid')).to).toEqual([FIRST, ASKER, SECOND]);
	expect(paid()).toEqual(['100000', '0.01']);
	expect(await approversOf(rows)).toEqual(Array(2).fill(['paid', 'Ada Obi, Ben Eze']));
});

test.each([
	['no name', 'Ada Obi', 'no', 'is no name of a person: Ada Obi, no'],
	['the same name', 'Ada Obi', 'Ada Obi', 'Two different people must say yes'],
	['the same name in other letters', 'Ada Obi', ' ａｄａ  OBI', 'Two different people must say yes'],
	['the same two names', 'Ada Obi, Ben Eze', 'Ada Obi, Ben Eze', 'Two different people must say yes'],
])('a second yes with %s pays nothing, and is asked again with the reason', async (_, first, second, why) => {
	await answer(await asked(row('100000.02')), YES, first);
	await answer(await askedSecond(), YES, second);
	const again = await askedAgain(2, stack.example('ask-the-second'));
	expect(again.to).toEqual([SECOND]);
	expect(again.text).toContain(why);
	expect((await browse(again.link)).page).toContain(why);
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);
	await answer(again, 'No', 'Ben Eze', { why: 'Too much' });
	const { to, text } = await mailed('Not paid: ');
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('Reason: Too much  Answered by: Ben Eze');
	expect(paid()).toEqual([]);
});

test('one yes that names two people pays nothing above the sum, even if the call of the second is switched off', async () => {
	const copy = await publishCopy(stack, 'ask', 'Asks one', {
		'Ask the second': () => ({ disabled: true }),
	});
	await handOver(stack, [row('100002.11')], copy);
	await answer(await mailed('Approve'), YES, 'Ada Obi, Ben Eze');
	expect((await ended(copy)).status).toBe('success');
	expect(questions()).toHaveLength(1);
	expect(paid()).toEqual([]);
	// Up to the sum, it pays as before.
	mails().splice(0);
	await handOver(stack, [row('15')], copy);
	await answer(await mailed('Approve'), YES, 'Obi, Ada');
	await mailed('The payout is paid: 15.00 NGN');
	expect(paid()).toEqual(['15']);
});

test.each([
	['ask', 'Report', 0],
	['ask', 'Ask now?', 1],
	['ask', 'Question', 1],
	['ask', 'Answer', 1],
	['ask', 'Approved rows', 1],
	['ask', 'Second?', 1],
	['ask-the-second', 'Question', 1],
	['ask-the-second', 'Answer', 1],
	['ask-the-second', 'Approved rows', 1],
])('if %s: %s is switched off, nothing is paid', async (file, name) => {
	const copy = await publishCopy(stack, file, `${file} without ${name}`, {
		[name]: () => ({ disabled: true }),
	});
	const more = file === 'ask' ? {} : { approvedBy: 'Ada Obi' };
	await handOver(stack, [row('14', more)], copy);
	const [question] = await until('a question or the end', async () => {
		const [execution] = await stack.client.executions(copy.id);
		const isWaiting = execution?.status === 'waiting';
		return isWaiting || execution?.status === 'success' ? questions() : undefined;
	});
	// One that nobody waits for says so.
	if (question !== undefined) await browse(question.link, fieldsOf(YES, 'Ben Eze'));
	await quiet(stack);
	expect(paid()).toEqual([]);
});

test('a row that needs two people is asked of two, whatever its amount, and a row cannot need fewer', async () => {
	await answer(await asked(row('16', { approvalsNeeded: 2 }), row('17')), YES, 'Ada Obi');
	const second = await askedSecond();
	expect(paid()).toEqual([]);
	await answer(second, YES, 'Ben Eze');
	await mailed('All 2 payouts are paid: 33.00 NGN');
	mails().splice(0);
	await answer(await asked(row('100000.03', { approvalsNeeded: 1 })), YES, 'Ada Obi');
	await askedSecond();
	expect(paid()).toEqual(['16', '17']);
});

test('up to the sum, one yes is enough; a code without a sum needs two, and a no of the second pays nothing', async () => {
	const rows = [row('99999.5')];
	await answer(await asked(...rows), YES, 'Ada Obi');
	await mailed('The payout is paid');
	expect(await approversOf(rows)).toEqual([['paid', 'Ada Obi']]);
	mails().splice(0);
	await answer(await asked(row('0.1', { currency: null, coin: 'USDC', destination: 'treasury' })), YES);
	await answer(await askedSecond(), 'No', 'Ben Eze', { why: 'Too much' });
	await mailed('Not paid: ');
	expect(paid()).toEqual(['99999.5']);
});

test('four lists below the sum that are asked at once need a second person for what is above it in a day', async () => {
	const lists = ['40000.1', '40000.2', '40000.3', '40000.4'].map((amount) => row(amount));
	const links: string[] = [];
	for (const list of lists) {
		links.push((await asked(list)).link);
		mails().splice(0);
	}
	// Each of them was below the sum when it was shown.
	for (const link of links) expect((await browse(link)).page).not.toContain('Two people');
	for (const link of links.slice(0, 2)) {
		await answer({ link }, YES);
		await mailed('The payout is paid');
		mails().splice(0);
	}
	for (const link of links.slice(2)) {
		await answer({ link }, YES);
		const { page } = await browse((await askedSecond()).link);
		expect(page).toContain(
			'Two people must say yes to it. 80,000.30 NGN went out, or may have gone out, today.',
		);
		mails().splice(0);
	}
	expect(paid()).toEqual(['40000.1', '40000.2']);
});

describe('rows that the approver leaves out', () => {
	test('are not paid, and the results name them', async () => {
		const rows = [row('21.1'), row('22.1'), row('23.1'), row('24.1')];
		const without = [rows[1]!.row, rows[3]!.row].join(', ');
		await answer(await asked(...rows), YES, 'Ada Obi', { without });
		const { text, html, attachments } = await mailed('2 of 4 payouts paid: 44.20 NGN, 2 left out');
		for (const words of [text, html])
			expect(words).toContain(`Row numbers that an approver left out: ${without}.`);
		const lines = attachments![0]!.content.toString('utf8').trimEnd().split('\r\n');
		expect(lines.slice(3).map((line) => line.split(/,+/, 2))).toEqual(
			[rows[1], rows[3]].map((each) => [
				String(each!.row),
				'An approver left it out. Nothing is sent for it.',
			]),
		);
		expect(paid()).toEqual(['21.1', '23.1']);
	});

	test.each([['99'], ['three'], ['2-4'], ['{{ 7*7 }}']])(
		'%s: nothing is paid, and the question comes again',
		async (without) => {
			const question = await asked(row('21.2'), row('22.2'));
			await answer(question, YES, 'Ada Obi', { without });
			const again = await askedAgain();
			expect(again.text).toContain("'Leave Out'");
			const { page } = await browse(again.link);
			expect(page).toContain('Leave Out');
			expect(page).toContain(without);
			expect(paid()).toEqual([]);
			await answer(again, 'No');
			await mailed('Not paid: ');
		},
	);

	test('do not save the second person: the whole list counts, and both may leave some out', async () => {
		const rows = [row('60000'), row('60001'), row('5.1'), row('6.1')];
		await answer(await asked(...rows), YES, 'Ada Obi', { without: String(rows[0]!.row) });
		const second = await askedSecond();
		expect((await browse(second.link)).page).toContain(`left out: ${String(rows[0]!.row)}.`);
		await answer(second, YES, 'Ben Eze', { without: String(rows[2]!.row) });
		const { text } = await mailed('2 of 4 payouts paid: 60,007.10 NGN, 2 left out');
		expect(text).toContain(`left out: ${String(rows[0]!.row)}, ${String(rows[2]!.row)}.`);
		expect(paid()).toEqual(['60001', '6.1']);
	});
});

test('nobody is asked about a list that cannot be paid, and both read why', async () => {
	await handOver(stack, [
		row('10'),
		row('500000.01'),
		row('11', { problems: ['The note is not in this list.'] }),
		row('12', { destination: 'nobody' }),
	]);
	const { to, text } = await mailed(/^Not ready to pay/);
	expect(to).toEqual([FIRST, ASKER]);
	for (const reason of [
		"above 'Maximum Amount' 500000",
		'The note is not in this list',
		"'nobody' is not one of",
	])
		expect(text).toContain(reason);
	expect(questions()).toEqual([]);
	expect(paid()).toEqual([]);
	mails().splice(0);
	await handOver(stack, [row('5000000.01', { destination: 'supplier-usd', currency: 'USD' })]);
	await mailed(/^Not ready to pay/);
	expect(questions()).toEqual([]);
});

describe('a book that cannot be read', () => {
	const renamed = { dataTableId: { __rl: true, mode: 'name', value: 'no_such_table' } };
	const handedOn = { limit: '={{ foo( }}', returnAll: '={{ foo( }}' };
	const words = 'The book could not be read. So what is unlike earlier payments is not marked';

	test.each([
		['gives an error', renamed],
		['hands on what it has got', handedOn],
	])('and %s: the page says so, and a second person is asked', async (how, parameters) => {
		const Book = withParameters(parameters);
		const copy = await publishCopy(stack, 'ask', `Its book ${how}`, { Book });
		await handOver(stack, [row('13.1'), row('13.2')], copy);
		const first = await mailed(`Approve 2 payouts, BOOK NOT READ: 26.30 NGN (asked by ${ASKER})`);
		await untilAsked(first.link);
		const { page } = await browse(first.link);
		for (const said of [words, 'Two people must say yes to it.']) expect(page).toContain(said);
		expect(page).not.toContain('To look at');
		await answer(first, YES, 'Ada Obi');
		await answer(await askedSecond(), YES, 'Ben Eze');
		await mailed('All 2 payouts are paid: 26.30 NGN');
		expect(paid()).toEqual(['13.1', '13.2']);
	});

	test('after the first yes: a second person is asked, too', async () => {
		const copy = await publishCopy(stack, 'ask', 'Its book is lost later', {
			Book: withParameters({
				dataTableId: {
					__rl: true,
					mode: 'name',
					value: "={{ $('Ask').isExecuted ? 'no_such_table' : 'wallet_service_book' }}",
				},
			}),
		});
		await handOver(stack, [row('13.3')], copy);
		const first = await mailed(`Approve 1 payout, 1 to look at: 13.30 NGN`);
		await answer(first, YES, 'Ada Obi');
		await askedSecond();
		expect(paid()).toEqual([]);
	});

	test('for the second person, whose page says so', async () => {
		const copy = await publishCopy(stack, 'ask-the-second', 'Its book is lost', {
			Book: withParameters(renamed),
		});
		await handOver(stack, [row('13.4', { approvedBy: 'Ada Obi' })], copy);
		const second = await askedSecond();
		expect(second.subject).toBe(
			`Yes from Ada Obi: Approve 1 payout, BOOK NOT READ: 13.40 NGN (asked by ${ASKER})`,
		);
		expect((await browse(second.link)).page).toContain(words);
		await answer(second, YES, 'Ben Eze');
		await mailed('The payout is paid: 13.40 NGN');
		expect(paid()).toEqual(['13.4']);
	});
});

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

const HOSTILE = `<img src=x onerror=alert(1)>"'{{ 7*7 }}{{ $('Report').first() }}\r\nBcc: evil@example.com`;

test.each([`${ASKER}, evil@example.com`, `${ASKER}\r\nBcc: evil@example.com`, `<script>${ASKER}</script>`])(
	'texts of a list reach no page and no mail as markup, and add no receiver: %j',
	async (askedBy) => {
		const question = await asked(row('70', { note: HOSTILE, askedBy }));
		expect(question.to).toEqual([FIRST]);
		const { page } = await browse(question.link);
		expect(page).toContain('&lt;img src');
		// n8n evaluates a field of HTML once more.
		expect(page).toContain('{{ 7*7 }}');
		for (const shown of [page, question.html])
			expect(shown).not.toMatch(/<img src=x|<script>finance|evil@example.com,/);
		await answer(question, YES, '<script>Ada</script>');
		const { to, html } = await mailed('The payout is paid');
		expect(to).toEqual([FIRST, ASKER]);
		expect(html).toMatch(/&(lt|#60);img src/);
		expect(html).not.toMatch(/<img|<script/);
		mails().splice(0);
		// What the page shows of an account comes from who asks, and is not what the service says.
		const other = await asked(row('72', { destinationDetails: HOSTILE, askedBy }));
		expect((await browse(other.link)).page).not.toMatch(/<img src=x/);
		await answer(other, YES);
		const again = await askedAgain();
		expect(again.text).toContain('may be another account now');
		const reason = (await browse(again.link)).page;
		expect(reason).toContain('may be another account now');
		expect(reason).not.toMatch(/<img src=x/);
		expect(paid()).toEqual(['70']);
		mails().splice(0);
		await handOver(stack, [row('71', { destination: HOSTILE, askedBy })]);
		const refused = await mailed(/^Not ready to pay/);
		expect(refused.to).toEqual([FIRST, ASKER]);
		expect(refused.html).not.toMatch(/<img|<script/);
	},
);

/** Reads the execution as a program with a key of n8n's API that may read executions, and nothing else. */
async function readByKey(link: string): Promise<{ token: string; nodeId: string }> {
	const [, id] = /form-waiting\/(\d+)/.exec(link)!;
	const key = await stack.client.createApiKey('Reads executions', ['execution:list', 'execution:read']);
	const url = `${stack.n8n.url}/api/v1/executions/${id}?includeData=true`;
	const response = await fetch(url, { headers: { 'x-n8n-api-key': key } });
	const { data, workflowData } = (await response.json()) as {
		data: { resumeToken: string };
		workflowData: { nodes: Array<{ id: string; name: string }> };
	};
	return { token: data.resumeToken, nodeId: workflowData.nodes.find(({ name }) => name === 'Question')!.id };
}

/** What such a program can send. Returns the status of each answer; 0 if none came. */
async function attack(link: string, fields: string[]): Promise<number[]> {
	const { token, nodeId } = await readByKey(link);
	expect(link).toContain(token);
	const { origin, pathname } = new URL(link);
	const waiting = `${origin}${pathname.replace('form-waiting', 'webhook-waiting')}`;
	const form = `${origin}${pathname}`;
	const urls = [waiting, form].flatMap((url) => [
		`${url}?signature=${token}`,
		`${url}?signature=${token}/${nodeId}`,
		`${url}/${nodeId}?signature=${token}`,
		`${url}?signature=${token}/`,
		`${url}?signature=${token}&field-1=${YES}&approved=true`,
	]);
	const tries = urls.flatMap((url) => [
		browse(url, fields),
		fetch(url, {
			method: 'POST',
			body: JSON.stringify({ approved: true }),
			headers: { 'x-auth-token': token },
		}),
	]);
	return (await Promise.all(tries)).map(({ status }) => status);
}

test('who may read executions, with the link of each question and the password of another, answers none of them', async () => {
	const list = row('100000.5');
	const other = { user: 'first', password: 'wrong' };
	const refused = async (link: string, fields: string[], others: Array<typeof other | undefined>) => {
		const statuses = await attack(link, fields);
		expect(statuses).toHaveLength(20);
		expect(statuses.filter((status) => status < 400)).toEqual([]);
		for (const each of others) {
			expect((await browse(openedBy(link, each), fields)).status).toBe(401);
			expect((await browse(openedBy(link, each))).status).toBe(401);
		}
		await untilAsked(link);
	};
	const { first, second } = stack.approvers;
	const question = await asked(list);
	await refused(question.link, fieldsOf(YES, 'Eve'), [undefined, other, second]);
	await answer(question, YES, 'Ada Obi');
	const next = await askedSecond();
	await refused(next.link, fieldsOf(YES, 'Eve'), [undefined, other, first]);
	expect(paid()).toEqual([]);
	await failPayoutAfter(stack, 0, { dropAfter: true });
	await answer(next, YES, 'Ben Eze');
	const unknown = await mailed('Was it paid? ');
	await untilAsked(unknown.link);
	await ageKeys(stack);
	await refused(unknown.link, ['', '', list.paymentKey], [undefined, other, second]);
	expect(paid()).toEqual(['100000.5']);
	await decide(unknown, { wasPaid: [list.paymentKey] });
	await mailed('The payout is paid: 100,000.50 NGN. ');
	expect(paid()).toEqual(['100000.5']);
	// What is stored of an answer has no password.
	for (const { password } of [first, second])
		expect(
			queryDatabase(stack, 'SELECT "executionId" FROM execution_data WHERE data LIKE ?', `%${password}%`),
		).toEqual([]);
});

test('the link is taken under another address, whose path a proxy takes away', async () => {
	const { link } = await asked(row('78'));
	const { port, pathname, search, username, password } = new URL(link);
	const headers = {
		host: 'host.example.com',
		'x-forwarded-host': 'host.example.com',
		'x-forwarded-proto': 'https',
		'x-forwarded-prefix': '/n8n',
		connection: 'close',
	};
	const open = (auth?: string) =>
		new Promise<number | undefined>((answered, failed) => {
			const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, headers, auth };
			get(options, (response) => answered(response.resume().statusCode)).on('error', failed);
		});
	expect(await open(`${username}:${password}`)).toBe(200);
	expect(await open()).toBe(401);
});

test('without an address of who asks, only the approver gets mails', async () => {
	await answer(await asked(row('80', { askedBy: null })), YES);
	expect((await mailed('The payout is paid')).to).toEqual([FIRST]);
});

test('started by hand, without a list, it says so in one mail, and asks nobody', async () => {
	const execution = await stack.client.runByHand(stack.example('ask').id, 'When called');
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, 'Report')[0]).toMatchObject({ isGood: false });
	expect(mails()).toMatchObject([{ to: [FIRST], subject: expect.stringContaining('Not ready to pay') }]);
});

testExamplesOf('n8n/ask', stack);
