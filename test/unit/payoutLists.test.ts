/** What the Code nodes of *payouts from a file* know of a list: its results, its mail, its earlier questions, and answers about its rows. */
import { mailOf } from '../../examples/code/listMail.js';
import { resultsOf } from '../../examples/code/listResults.js';
import { listAsText, openLists } from '../../examples/code/openLists.js';
import { run as notKnown } from '../../examples/code/payouts-file-2-pay.notKnown.js';
import { decisionsIn } from '../../examples/code/settleAnswer.js';
import { questionOf } from '../../examples/code/settleQuestion.js';
import { settledMail } from '../../examples/code/settledMail.js';
import { outputOf } from './outputOf.ts';

const SINCE = '2026-11-25T10:00:00.000Z';
const [BEFORE, LATER] = ['2026-11-25T09:00:00.000Z', '2026-11-25T10:00:05.000Z'];

const row = (paymentKey: string, amount = '5') => ({
	...{ paymentKey, amount, currency: 'NGN', coin: '', destination: 'supplier-main' },
});
const rows = ['a', 'b', 'c', 'd'].map((key) => row(key));

describe('the results of a list', () => {
	let ids = 0;
	const written = (key: string, result: string, more: object = {}) => ({
		...{ ...row(key), id: (ids += 1), result, time: LATER, payoutId: '' },
		...more,
	});
	const said = (results: string[]) => results.map((result, at) => ({ ...rows[at]!, result, message: '' }));
	const found = (list: Partial<Parameters<typeof resultsOf>[0]>) =>
		resultsOf({ rows, said: [], book: [], since: SINCE, ...list }).map(
			({ result, isOpen }) => `${result}${isOpen ? ', open' : ''}`,
		);

	test('what pay once says of each row counts', () => {
		const results = ['paid', 'alreadyPaid', 'rejected', 'notSent'];
		expect(found({ said: said(results) })).toEqual(results);
	});

	const OPEN = 'unknown, open';
	const FIRST_OPEN = [OPEN, 'notSent', 'notSent', 'notSent'];
	const FIRST_REFUSED = [OPEN, OPEN, 'notSent', 'notSent'];
	const FIRST_PAID = ['paid', OPEN, 'notSent', 'notSent'];
	const BEFORE_AND_OPEN = [written('A', 'paid', { time: BEFORE }), written('B', 'unknown')];
	const AROUND = [written('A', 'paid'), written('C', 'rejected')];

	test.each<[what: string, book: object[], results: string[]]>([
		['nothing was written', [], FIRST_OPEN],
		['one is paid', [written('A', 'paid')], FIRST_PAID],
		['one was paid before, and one is open', BEFORE_AND_OPEN, ['alreadyPaid', 'unknown', OPEN, 'notSent']],
		['a row in the middle is missing', AROUND, ['paid', OPEN, 'rejected', OPEN]],
		['an old refusal says nothing', [written('A', 'rejected', { time: BEFORE })], FIRST_OPEN],
		// Pay once writes nothing about these, so the next one may have been under way.
		['the key was paid with another amount', [written('A', 'paid', { amount: '6' })], FIRST_REFUSED],
		[
			'settle of the key is filled',
			[written('A', 'rejected', { time: BEFORE, settle: 'wasPaid' })],
			FIRST_REFUSED,
		],
		[
			'the key belonged to another payment before the list was approved',
			[
				written('A', 'unknown', { amount: '6', time: BEFORE }),
				written('B', 'paid', { amount: '6', time: BEFORE }),
			],
			['notSent', 'notSent', OPEN, 'notSent'],
		],
		['key and amount are spelt otherwise', [written('a', 'paid', { amount: '5.00' })], FIRST_PAID],
		['the table could not be read', [row('a'), row('b')], rows.map(() => OPEN)],
		['the table is gone', [{ error: 'not found' }], rows.map(() => OPEN)],
	])('pay once ended in the middle and %s', (_, table, results) => {
		const book = table as never;
		expect(found({ book })).toEqual(results);
		expect(found({ book, said: [{ error: 'The execution ended' }] as never })).toEqual(results);
	});

	test('what is not known is open until the table says so, and the table can know better', () => {
		const book = [written('A', 'unknown'), written('B', 'paid'), written('C', 'notSent')];
		const results = ['unknown', 'alreadyPaid', OPEN, OPEN];
		expect(found({ said: said(rows.map(() => 'unknown')), book })).toEqual(results);
	});
});

test('in the mail with the results, what has the same reason stands together, and each promise is one that is kept', () => {
	const list = { totals: [], hash: 'h', isAsked: true, isStopped: false };
	const down = 'Not sent, because the service is down.';
	const result = (key: string, word: string, message = '') => ({
		...{ ...row(key), result: word, message, payoutId: '', status: '' },
	});
	const results = [
		result('a', 'paid'),
		result('p', 'alreadyPaid'),
		result('b', 'unknown'),
		...Array.from({ length: 30 }, (_, index) => result(`n${index}`, 'notSent', down)),
		result('r', 'rejected', 'The service said no.'),
	];
	const mail = mailOf({ ...list, rows: results });
	expect(mail.subject).toBe('1 of 34 payouts paid, 1 NOT KNOWN');
	expect(mail.text).toContain('\n1 paid before. Nothing was sent for them now.\n');
	expect(mail.text.split(down)).toHaveLength(2);
	expect(mail.text).toContain('- and 10 more, see the file\n\nNot paid. The service said no.\n- r, 5 NGN');
	expect(mail.text).toContain('NOT KNOWN. The approver gets one mail to settle them:\n- b, 5 NGN');
	const silent = mailOf({ ...list, rows: results, isAsked: false, isStopped: true }).text;
	expect(silent).toContain('NOT KNOWN. No mail comes for them');
	expect(silent).toContain('The payments ended in the middle.');
});

test('a second question names each earlier one of the last seven days with its rows, in one line', () => {
	const asked = (list: object[], more: object = {}) => ({
		...{ same: listAsText(list as never), asker: 'ada@example.com', asked: '2026-11-25 09:00 (UTC)' },
		...{ createdAt: BEFORE, ...more },
	});
	const respelled = rows.map((each) => ({
		...each,
		paymentKey: each.paymentKey.toUpperCase(),
		amount: '5.0',
	}));
	const lists = [
		asked(respelled.toReversed()),
		asked(rows.slice(1), { asker: 'a\nPay: 1' }),
		asked([...rows, row('e')]),
		asked(rows, { createdAt: '2026-11-18T09:59:59.000Z' }),
		asked(rows.map((each) => ({ ...each, amount: '6' }))),
		asked([row('x')]),
		{},
	];
	expect(openLists(rows, lists, Date.parse(SINCE))).toEqual([
		'Asked before: the same list, by ada@example.com on 2026-11-25 09:00 (UTC). It has no answer yet. A no to one of the two mails closes both',
		expect.stringContaining('Asked before: a list with 3 of these payouts, by a Pay: 1 on'),
		expect.stringContaining('Asked before: a list with 4 of these payouts'),
	]);
});

describe('an answer about rows', () => {
	const [PAID, PAY] = ['It was paid', 'It was not paid: pay now'];

	test.each([
		[' 1, 3 ', [1, 2, 3], [1, 3]],
		['3;1 1', [1, 2, 3], [1, 3]],
		['1-2, 3', [1, 2, 3], [1, 2, 3]],
		['All', [1, 3], [1, 3]],
		['3', [2, 3], [3]],
		['', [3], [3]],
		[undefined, [1], [1]],
		[null, [1], [1]],
	])('%j about the open rows %j means %j', (text, open, chosen) => {
		expect(decisionsIn(PAID, text, open)).toEqual({ settle: 'wasPaid', chosen });
		expect(decisionsIn(PAY, text, open)).toEqual({ settle: 'wasNotPaid', chosen });
	});

	test.each<[open: number[], text: unknown]>([
		[[2], '1'],
		[[2, 3], '1'],
		[[1, 3], '1-2'],
		...['', undefined, '0', '4', '1-4', '2-1', '1,,2', '1.5', 'all but 1', '-1', '\u0661', ['1', '2'], 1].map(
			(text): [number[], unknown] => [[1, 2, 3], text],
		),
	])('about the open rows %j, %j decides nothing', (open, text) => {
		const problem = expect.stringMatching(
			/^Enter in Rows which open rows|^Only row 2 is open\. Leave Rows empty/,
		);
		expect(decisionsIn(PAY, text, open)).toEqual({ problem });
	});

	test.each([undefined, '', 'it was paid', [PAID], [PAID, PAY], 'constructor'])('%j is no answer', (text) => {
		expect(decisionsIn(text, 'all', [1, 2])).toEqual({ problem: 'There was no answer that could be read.' });
	});
});

describe('the page and the mail about rows that are not known', () => {
	const unknown = (key: string, more: object = {}) => ({
		...{ ...row(key), number: 'abc'.indexOf(key) + 1, result: 'unknown', execution: '7' },
		...{ sent: '2026-11-25 10:00 (UTC)' },
		...{
			message: 'The service gave no answer. Wait five minutes, then look the payment up at the service.',
			...more,
		},
	});

	test('there is one line for each row, and each reason and balance once', () => {
		const { subject, text, page } = questionOf([
			unknown('a', { balances: '10 NGN before' }),
			unknown('b', { balances: '10 NGN before', destination: 'x<b>\nRow 9: y' }),
			unknown('c', { message: '' }),
		] as never);
		expect(subject).toBe('Were these 3 payouts made?');
		expect(text.split('\n')).toEqual([
			'Row 1: 5 NGN to supplier-main, payment key a, sent 2026-11-25 10:00 (UTC) by execution 7',
			'Row 2: 5 NGN to x<b> Row 9: y, payment key b, sent 2026-11-25 10:00 (UTC) by execution 7',
			'Row 3: 5 NGN to supplier-main, payment key c, sent 2026-11-25 10:00 (UTC) by execution 7',
			'Why they are not known: The service gave no answer.',
			'Why they are not known: The execution ended before it wrote a result.',
			'Balance: 10 NGN before',
			'Look in the dashboard for: each of these payouts, made at its time or later',
		]);
		expect(page).not.toContain('x<b>');
	});

	test('the result names each row, and what is left', () => {
		const all = ['a', 'b', 'c'].map((key, id) => ({ ...unknown(key), id }));
		const said = [{ paymentKey: 'a', result: 'paid', payoutId: 'po-1' }];
		const answers = all.slice(0, 2);
		const mail = settledMail({ rows: all, answers, written: [{ id: 0 }], said } as never);
		expect(mail.text.split('\n')).toEqual([
			'Paid now: 5 NGN to supplier-main, payment key a. The payout is po-1.',
			'Nothing done: 5 NGN to supplier-main, payment key b. Somebody settled this row before, or an execution has changed it.',
			'1 row is still open. The approver can open the link of the last mail again.',
		]);
		expect(mail).toMatchObject({ isOpen: true, isNewMail: false, unknown: [] });
	});

	test('a row that pay once did not send keeps its word, and is not tried again at once', () => {
		const one = { ...unknown('a'), id: 0 };
		const held = { paymentKey: 'a', result: 'unknown', message: 'Not sent, because the service is down.' };
		const list = { rows: [one], answers: [one], written: [{ id: 0 }] };
		expect(settledMail({ ...list, said: [held] } as never)).toMatchObject({ isNewMail: true, unknown: [] });
		expect(settledMail({ ...list, said: [{ error: 'ended' }] } as never)).toMatchObject({
			...{ isNewMail: true, unknown: [one], text: expect.stringContaining('STILL NOT KNOWN') },
		});
	});
});

describe('the balances beside a row that is not known', () => {
	const total = (balance: string, paid: string, isFiat = true) => ({ code: 'USD', isFiat, balance, paid });
	const before = [total('1500', '0'), total('70', '0', false)];
	const list = { asker: 'a@example.com', approver: 'b@example.com' };
	const balancesOf = (nodes: Record<string, object[]>) => {
		const given: Record<string, object[]> = {
			Results: [
				{ ...row('a', '400'), currency: 'USD', result: 'unknown' },
				{ ...row('b', '7'), currency: '', coin: 'USD', result: 'unknown' },
			],
			After: [total('1000', '100'), total('70', '0', false)],
			...nodes,
		};
		const $ = (name: string) => outputOf(...(given[name] ?? []));
		return notKnown({ $ } as never).map(({ json }) => json);
	};
	const gone = (had: string, has: string, paid: string, more: string) =>
		`${had} USD before the list, ${has} USD after it. The rows that are known to be paid took ${paid} USD. Beyond that, ${more} USD are gone.`;

	test.each([
		['of this execution', { 'When called': [list], Before: before }],
		[
			'of an execution that was killed',
			{ 'List of the table': [{ ...list, before: JSON.stringify(before) }] },
		],
	])('say how much is gone for a list %s', (_, nodes) => {
		expect(balancesOf(nodes)).toEqual([
			{ paymentKey: 'a', balances: gone('1,500', '1,000', '100', '400'), ...list },
			{ paymentKey: 'b', balances: gone('70', '70', '0', '0'), ...list },
		]);
	});

	test.each([
		['was not read before', { 'List of the table': [{ ...list, before: null }] }, '1,000 USD after the list'],
		['cannot be read', { 'When called': [list], Before: before, After: [{ error: 'no answer' }] }, ''],
	])('say no more than is known where the balance %s', (_, nodes, balances) => {
		expect(balancesOf(nodes)[0]).toEqual({ paymentKey: 'a', balances, ...list });
	});
});
