/** *Ask* and *ask the second*: when two people must say yes, and what only one of them can do. */
import { until } from '../../host/n8n/client.ts';
import {
	answer,
	askedRow as row,
	browse,
	handOver,
	openedBy,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { bookTable } from '../../host/testkit/book.ts';
import { quiet } from '../../host/testkit/database.ts';
import { publishCopy, withParameters } from '../../host/testkit/workflows.ts';
import { ASKER, FIRST, SECOND, fieldsOf, useAsk } from './asking.ts';

const { stack, asked, askedAgain, askedSecond, ended, approversOf, questions, mails, mailed, paid } =
	useAsk();

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

test('if *Ask now?* loses an output, *Second?* lets nothing be paid', async () => {
	const copy = await publishCopy(stack, 'ask', 'Has an output less', {
		'Ask now?': ({ parameters }) => {
			const { values } = parameters.rules as { values: object[] };
			return { parameters: { ...parameters, rules: { values: values.slice(0, -1) } } };
		},
	});
	await handOver(stack, [row('14.5')], copy);
	await answer(await mailed('Approve'), YES, 'Ada Obi');
	expect((await ended(copy)).status).toBe('error');
	expect(paid()).toEqual([]);
});

test('if somebody drags *Report* below *Second?*, so that n8n runs it later, the second person is asked all the same', async () => {
	const copy = await publishCopy(stack, 'ask', 'Is drawn in another way', {
		Report: () => ({ position: [440, 900] }),
	});
	await handOver(stack, [row('100002.13')], copy);
	await answer(await mailed('Approve'), YES, 'Ada Obi');
	await askedSecond();
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
