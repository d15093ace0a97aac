/** The example *Part: ask and pay*: a person answers on the page of a mail. `kills.test.ts` kills n8n meanwhile. */
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
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
import type { AskedRow } from '../../host/testkit/approvals.ts';
import { bookTable, paymentRows } from '../../host/testkit/book.ts';
import { amountsPaid, failPayoutAfter } from '../../host/testkit/payments.ts';
import { changeExample, publishCopy, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const [ASKER, FIRST, SECOND] = ['finance@example.com', 'approver@example.com', 'second@example.com'];

const stack = useStack('ask-and-pay');

renewForEachTest(stack);
beforeEach(async () => await bookTable(stack).clear());

const paid = () => amountsPaid(stack);
const mailed = (subject: string | RegExp) => mailedTo(stack, subject);
const mails = () => stack.mailbox.mails;
const questions = () => questionsIn(mails());

/** Hands over the rows. Returns the question to the approver, whose page is there. */
async function asked(...rows: Json[]) {
	await handOver(stack, rows);
	const question = await mailed('Approve');
	await untilAsked(question.link);
	return question;
}

/** The newest execution of the workflow, when it has ended. */
async function ended({ id } = stack.example('ask-and-pay')) {
	return (await stack.client.executions(id)).find(({ status }) => status !== 'waiting')!;
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
	expect(question.subject).toBe(`Approve 2 payouts: 1,250.50 NGN, 12.50 USDT (asked by ${ASKER})`);
	expect(question.text).toContain('Opening the page pays nothing.');
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

	expect(await answer(question, YES, 'Ada Obi')).toContain('Got it, thanks');
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
	for (const method of ['GET', 'HEAD'])
		for (const url of [question.link, `${question.link}&Pay these payouts?=${YES}&field-1=${YES}`])
			await fetch(encodeURI(url), { method });
	const withoutSignature = question.link.replace(/signature=\w+/, `signature=${'0'.repeat(64)}`);
	expect((await browse(withoutSignature, ['', YES, 'Eve', ''])).status).toBe(401);
	expect(paid()).toEqual([]);
	const answers = await Promise.all(
		[YES, YES, YES].map((word) => browse(question.link, ['', word, 'Ada', ''])),
	);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	await mailed('The payout is paid');
	await ended();
	const again = await browse(question.link, ['', YES, 'Ada', '']);
	expect(again.page).toContain('No action required');
	expect((await browse(question.link)).page).toContain('No action required');
	expect(paid()).toEqual(['20']);
	expect(mails().filter(({ subject }) => subject.includes('paid'))).toHaveLength(1);
});

test('a no pays nothing, and both read who said it and why, whatever stands in it', async () => {
	const rows = [row('30')];
	await answer(await asked(...rows), 'No', 'Ada <b>Obi</b>', '<img src=x onerror=alert(1)> & {{ 7*7 }}');
	const { to, text, html } = await mailed(`Not paid: Approve 1 payout: 30.00 NGN (asked by ${ASKER})`);
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('Reason: <img src=x onerror=alert(1)> & {{ 7*7 }}  Answered by: Ada <b>Obi</b>');
	expect(html).toContain('<p>Answered by: Ada Obi</p><p> & ');
	expect(html).toContain('30.00&#160;NGN to supplier-main');
	expect(html).not.toMatch(/<img|Ada <b>|<p>[^<]*49/);
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);
});

test.each([
	['another word', ['', 'Yes', 'Ada', '']],
	['no name', ['', YES, ' ', '']],
	['a name without a letter', ['', YES, '7', '']],
	['a word that is no name', ['', YES, 'no', '']],
	['nothing at all', ['']],
])('an answer with %s is a no', async (_, fields) => {
	await send(await asked(row('31')), fields);
	await mailed('Not paid: ');
	expect(paid()).toEqual([]);
});

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
	'an account that %s at the time of the yes gets nothing, and both read why',
	async (_, more, change, why) => {
		const question = await asked(row('32'), row('33', more));
		await change();
		await answer(question, YES, 'Ada Obi');
		const { to, subject, text, html } = await mailed('Not paid: ');
		expect(to).toEqual([FIRST, ASKER]);
		expect(subject).toContain('65.00 NGN');
		for (const words of [text, html]) {
			expect(words).toContain('Answered by: Ada Obi');
			expect(words).toContain('Nothing of this list was handed on.');
			expect(words).toContain(why);
			expect(words).toContain('Correct what is named, and read the list itself again');
		}
		expect((await ended()).status).toBe('success');
		expect(paid()).toEqual([]);
		expect(await bookTable(stack).rows()).toEqual([]);
	},
);

test('above the sum, a second person must say yes, too', async () => {
	const rows = [row('100000'), row('0.01')];
	await answer(await asked(...rows), YES, 'Ada Obi');
	const second = await mailed('Approve');
	expect(second.to).toEqual([FIRST]);
	const next = await until('the second question', () => questions()[1]);
	expect(next.to).toEqual([SECOND]);
	expect(next.text).toContain('Ada Obi has said yes.');
	await untilAsked(next.link);
	expect((await browse(next.link)).page).toContain('100,000.00 NGN');
	expect(paid()).toEqual([]);
	await answer(next, YES, 'Ben Eze');
	await mailed('All 2 payouts are paid');
	expect(paid()).toEqual(['100000', '0.01']);
	expect(await approversOf(rows)).toEqual(Array(2).fill(['paid', 'Ada Obi, Ben Eze']));
});

test('a second yes without a name pays nothing, and both read why', async () => {
	const rows = [row('100000.01')];
	await answer(await asked(...rows), YES, 'Ada Obi');
	const second = await until('the second question', () => questions()[1]);
	await untilAsked(second.link);
	await answer(second, YES, 'no');
	const { to, text } = await mailed('Not paid: ');
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain("Reason: 'Approved By' names nobody: Ada Obi, no");
	expect(text).toContain('Nothing is paid without one');
	expect(paid()).toEqual([]);
});

test.each([
	['the same name', 'Ada Obi', 'Ada Obi'],
	['the same name in other letters', 'Ada Obi', ' ａｄａ  OBI'],
	['the same two names', 'Ada Obi, Ben Eze', 'Ada Obi, Ben Eze'],
])('two yes with %s pay nothing, and both read why', async (_, first, second) => {
	await answer(await asked(row('100000.02')), YES, first);
	const question = await until('the second question', () => questions()[1]);
	await answer(question, YES, second);
	const { to, text } = await mailed('Not paid: ');
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain("Two different people must say yes, and 'Approved By' has one name: Ada Obi");
	expect(text).toContain('Let a second person say yes, under a name of their own.');
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);
});

test.each(['Ada Obi', 'Ada Obi, Ben Eze', 'Ada Obi，Ben Eze'])(
	'one yes of %j pays nothing above the sum, even if the node that asks the second is switched off',
	async (name) => {
		const copy = await publishCopy(stack, 'ask-and-pay', `Asks one: ${name}`, {
			'Ask the second': () => ({ disabled: true }),
		});
		await handOver(stack, [row('100002.11')], copy);
		await answer(await mailed('Approve'), YES, name);
		const { to, text } = await mailed('Not paid: ');
		expect(to).toEqual([FIRST, ASKER]);
		expect(text).toContain('Two different people must say yes');
		expect(text).toContain('the node that asks is switched off');
		expect(questions()).toHaveLength(1);
		expect(paid()).toEqual([]);
		// Up to the sum, it pays as before.
		mails().splice(0);
		await handOver(stack, [row('15')], copy);
		await answer(await mailed('Approve'), YES, 'Obi, Ada');
		await mailed('The payout is paid: 15.00 NGN');
		expect(paid()).toEqual(['15']);
	},
);

test.each([
	['Report', 0],
	['Ask', 0],
	['Answer', 1],
	['Approved rows', 1],
])('if %s is switched off, nothing is paid', async (name, asksOf) => {
	const copy = await publishCopy(stack, 'ask-and-pay', `Without ${name}`, {
		[name]: () => ({ disabled: true }),
	});
	await handOver(stack, [row('14')], copy);
	if (asksOf > 0) await answer(await mailed('Approve'), YES, 'Ada Obi');
	const [execution] = await stack.client.endedExecutions(copy.id, 1);
	expect(execution!.data.resultData.runData).toHaveProperty('When called');
	expect(questions()).toHaveLength(asksOf);
	expect(paid()).toEqual([]);
});

test('a row that needs two people is asked of two, whatever its amount, and a row cannot need fewer', async () => {
	await answer(await asked(row('16', { approvalsNeeded: 2 }), row('17')), YES, 'Ada Obi');
	const second = await until('the second question', () => questions()[1]);
	expect(second.to).toEqual([SECOND]);
	expect(paid()).toEqual([]);
	await answer(second, YES, 'Ben Eze');
	await mailed('All 2 payouts are paid: 33.00 NGN');
	mails().splice(0);
	await answer(await asked(row('100000.03', { approvalsNeeded: 1 })), YES, 'Ada Obi');
	await until('the second question', () => questions()[1]);
	expect(paid()).toEqual(['16', '17']);
});

test('up to the sum, one yes is enough; a code without a sum needs two, and a no of the second pays nothing', async () => {
	const rows = [row('100000')];
	await answer(await asked(...rows), YES, 'Ada Obi');
	await mailed('The payout is paid');
	expect(await approversOf(rows)).toEqual([['paid', 'Ada Obi']]);
	mails().splice(0);
	await answer(await asked(row('0.1', { currency: null, coin: 'BTC', destination: 'treasury' })), YES);
	const second = await until('the second question', () => questions()[1]);
	await answer(second, 'No', 'Ben Eze', 'Too much');
	const { text } = await mailed('Not paid: ');
	expect(text).toContain('Reason: Too much  Answered by: Ben Eze');
	expect(paid()).toEqual(['100000']);
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

const payOnceTo = async (state: 'activate' | 'deactivate') =>
	state === 'activate'
		? await stack.client.publish(stack.example('pay-once'))
		: await stack.client.rest('POST', `/workflows/${stack.example('pay-once').id}/deactivate`);

const AGAIN =
	'hand in the same list again, in the same way and with the same Payment Keys: nothing is paid twice.';

describe('if pay once fails as a whole', () => {
	afterEach(async () => await changeExample(stack, 'pay-once', {}));

	test('a yes while it is unpublished pays nothing, both read it, and the same list again is paid once', async () => {
		const rows = [row('18'), row('19')];
		const question = await asked(...rows);
		await payOnceTo('deactivate');
		expect(await answer(question, YES, 'Ada Obi')).toContain('Got it, thanks');
		const { to, text, html } = await mailed('Stopped before the end: 2 payouts');
		expect(to).toEqual([FIRST, ASKER]);
		for (const words of [text, html]) {
			expect(words).toContain('n8n says: Workflow is not active and cannot be executed.');
			expect(words).toContain(AGAIN);
		}
		expect((await ended()).status).toBe('success');
		expect(questions().map(({ subject }) => subject)).toEqual([question.subject]);
		expect(paid()).toEqual([]);

		await payOnceTo('activate');
		mails().splice(0);
		await answer(await asked(...rows), YES, 'Ada Obi');
		await mailed('All 2 payouts are paid: 37.00 NGN');
		expect(paid()).toEqual(['18', '19']);
	});

	test('nobody is asked about a list that it did not check, and both read why', async () => {
		await payOnceTo('deactivate');
		await handOver(stack, [row('24'), row('25')]);
		const { to, text } = await mailed(/^Not ready to pay/);
		expect(to).toEqual([FIRST, ASKER]);
		expect(text).toContain('Workflow is not active and cannot be executed.');
		expect(questions()).toEqual([]);
		expect(paid()).toEqual([]);
	});

	test('an error in a part of its payments is told, and the same list again pays the rest', async () => {
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
		expect(again.subject).toContain('Approve 1 payout: 46.00 NGN, 1 NOT KNOWN (asked by');
		await answer(again, YES, 'Ada Obi');
		expect((await mailed('1 of 21 payouts paid: 46.00 NGN')).subject).toContain(
			'19 paid before, 1 NOT KNOWN',
		);
		expect(paid()).toEqual([...ofFirstPart, '46']);
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
	expect((await mailed('All 3 payouts are paid: 123.50 NGN')).to).toEqual([FIRST, ASKER]);
	await browse(question.link, ['', '', '', ...wasNotPaid]);
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
		await untilAsked(question.link);
		return { ...question, ...(await browse(question.link)) };
	};
	const first = await asks(0);
	await ageKeys(stack);
	for (const words of [
		'Was paid',
		'Was not paid',
		one,
		two,
		'nothing is sent for it',
		'it is paid now, once',
	])
		expect(first.page).toContain(words);
	expect(first.page).not.toContain('Nothing was decided');
	expect(first.page + first.text).not.toContain('undefined');
	const wrong: Array<[wasPaid: string, wasNotPaid: string, why: string]> = [
		[two!, `${one}, <img src=x onerror=alert(1)>ASK-99999`, 'ASK-99999” is neither a Payment Key nor a row'],
		[`${one}; ${two}`, one!, `“${one}” stands in both fields.`],
		[two!, `${one}, ${three}`, `It is known what became of “${three}”.`],
		['', ' ', 'Both fields are empty.'],
	];
	for (const [index, [wasPaid, wasNotPaid, why]] of wrong.entries()) {
		await send(first, ['', '', wasPaid, wasNotPaid]);
		const { page, text, to } = await asks(index + 1);
		expect(to).toEqual([FIRST]);
		for (const words of [page, text.replace(/\s+/g, ' ')]) {
			expect(words).toContain(`Nothing was decided. `);
			expect(words).toContain(why);
			expect(words).not.toContain('<img');
		}
		expect(page).toContain('44.00 NGN to supplier-main');
	}
	expect(paid()).toEqual(['44', '45']);
	await decide(first, { wasPaid: [two!.toLowerCase()], wasNotPaid: [`Row ${rows[0]!.row as number}`] });
	await mailed('All 3 payouts are paid');
	expect(paid()).toEqual(['44', '45', '43']);
	expect((await ended()).status).toBe('success');
});

test('if the node that asks about unknown payments is switched off, nothing is decided, and the execution ends', async () => {
	const copy = await publishCopy(stack, 'ask-and-pay', 'Does not ask what happened', {
		'Ask what happened': () => ({ disabled: true }),
	});
	await failPayoutAfter(stack, 0, { dropBefore: true });
	await handOver(stack, [row('46')], copy);
	await answer(await mailed('Approve'), YES, 'Ada Obi');
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
	expect((await ended()).status).toBe('success');
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

test('the page says from when on an answer counts, and one that comes too early is told so and asked again', async () => {
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

test('a wait that runs out pays nothing, and both read it', async () => {
	const soon = {
		limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' } },
	};
	const copy = await publishCopy(stack, 'ask-and-pay', 'Asks for a moment', {
		Ask: withParameters({ options: soon }),
	});
	await handOver(stack, [row('60')], copy);
	const { html, text, to } = await mailed('Not paid: ');
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('no answer');
	expect(html).toContain('Answered by: nobody');
	expect(paid()).toEqual([]);
});

test('a question goes on as it was asked, even if its workflow is changed, unpublished or archived; a stop takes it back', async () => {
	const { rest } = stack.client;
	const copy = await publishCopy(stack, 'ask-and-pay', 'Asks before a change', {});
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
	const text = JSON.stringify(copy).replaceAll('"Ask"', '"Question"').replaceAll("$('Ask')", "$('Question')");
	await stack.client.publish(await stack.client.saveWorkflow(JSON.parse(text) as typeof copy));
	await answer(changed, YES);
	await mailed('The payout is paid: 61.00 NGN');
	await rest('POST', `/workflows/${copy.id}/deactivate`);
	await answer(unpublished, YES);
	await mailed('The payout is paid: 62.00 NGN');
	await rest('POST', `/workflows/${copy.id}/archive`);
	await answer(archived, YES);
	await mailed('The payout is paid: 63.00 NGN');
	const [, id] = /webhook-waiting\/(\d+)/.exec(stopped.link)!;
	await rest('POST', `/executions/${id}/stop`);
	const fields = ['', YES, 'Ada Obi', ''];
	expect(await browse(stopped.link, fields)).toMatchObject({
		status: 409,
		page: expect.stringContaining('finished'),
	});
	await rest('DELETE', `/workflows/${copy.id}`);
	expect(await browse(deleted.link, fields)).toMatchObject({
		status: 404,
		page: expect.stringContaining('does not exist'),
	});
	expect(paid()).toEqual(['61', '62', '63']);
});

const HOSTILE = `<img src=x onerror=alert(1)>"'{{ 7*7 }}\r\nBcc: evil@example.com`;

test.each([`${ASKER}, evil@example.com`, `${ASKER}\r\nBcc: evil@example.com`, `<script>${ASKER}</script>`])(
	'texts of a list reach no page and no mail as markup, and add no receiver: %j',
	async (askedBy) => {
		const question = await asked(row('70', { note: HOSTILE, askedBy }));
		expect(question.to).toEqual([FIRST]);
		const { page } = await browse(question.link);
		expect(page).toContain('&lt;img src');
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
		const notPaid = await mailed('Not paid: ');
		expect(notPaid.to).toEqual([FIRST, ASKER]);
		expect(notPaid.html).toContain('may be another account now');
		expect(notPaid.html).not.toMatch(/<img|<script/);
		expect(paid()).toEqual(['70']);
		mails().splice(0);
		await handOver(stack, [row('71', { destination: HOSTILE, askedBy })]);
		const refused = await mailed(/^Not ready to pay/);
		expect(refused.to).toEqual([FIRST, ASKER]);
		expect(refused.html).not.toMatch(/<img|<script/);
	},
);

test('without an address of who asks, only the approver gets mails', async () => {
	await answer(await asked(row('80', { askedBy: null })), YES);
	expect((await mailed('The payout is paid')).to).toEqual([FIRST]);
});

test('started by hand, without a list, it says so in one mail, and asks nobody', async () => {
	const execution = await stack.client.runByHand(stack.example('ask-and-pay').id, 'When called');
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, 'Report')[0]).toMatchObject({ isGood: false });
	expect(mails()).toMatchObject([{ to: [FIRST], subject: expect.stringContaining('Not ready to pay') }]);
});

testExamplesOf('n8n/askAndPay', stack);
