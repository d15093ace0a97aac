/** *Payout List: Report*: what is wrong with a list before its payments, and what became of it. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { KEY, SAYING, UNCLEAR_RUN } from '../../nodes/WalletService/payments/guards/messages.ts';
import { LIMIT } from '../../nodes/WalletService/input/paymentMessages.ts';
import type { Balance } from '../../nodes/WalletServiceDesk/values/asset.ts';
import { judgeList } from '../../nodes/WalletServiceDesk/list/report/judgeList.ts';
import { placesInWords } from '../../nodes/WalletServiceDesk/list/places.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { assetsOfList } from '../../nodes/WalletServiceDesk/list/report/totals.ts';
import { AT, failure, merged, NGN, report, result, row, said } from './reportItems.ts';

describe('before the payments', () => {
	test('a good list says what it needs, and its balances stand by themselves', () => {
		const good = report(
			[row(2, { amount: '1250.50' }), row(3, { amount: '70' })],
			[{ ...NGN, balance: '5000.00' }],
		);
		expect(good).toMatchObject({
			isGood: true,
			problems: [],
			unknown: 0,
			subject: '2 payouts: 1,320.50 NGN',
			totals: [{ code: 'NGN', isFiat: true, count: 2, total: '1320.50', balance: '5000.00', isEnough: true }],
		});
		expect(good.text.split('\n')).toEqual([
			'2 payouts: 1,320.50 NGN',
			'- 2 payouts, 1,320.50 NGN',
			'Nothing is paid yet.',
			'',
			'Payouts: 2',
			'- Row 2: 1,250.50 NGN to supplier-main. Payment Key INV-2',
			'- Row 3: 70.00 NGN to supplier-main. Payment Key INV-3',
			'Row numbers are those of the file: the first payout is row 2.',
		]);
		expect(good.balancesHtml).toContain(
			'<p>The wallet has 5,000.00&#160;NGN.</p><p>Fees of the service are in no total, so a wallet may have less than you expect.</p>',
		);
	});

	test('a title stands in front of the subject', () => {
		const { subject } = reportList({ items: [row(2)], balances: [NGN], title: 'March\nsuppliers', ...AT });
		expect(subject).toBe('March suppliers: 1 payout: 5.00 NGN');
	});

	test('all problems of all rows stand together, by rows', () => {
		const tooMuch = (amount: string) =>
			failure(LIMIT.amountIsAbove({ amount, label: 'Maximum Amount', maximum: '3' }));
		const found = report([
			row(2, { amount: '', problems: ['The amount is missing.', 'The currency is missing.'] }),
			merged(3, 'notSent', { amount: '4', ...tooMuch('4') }),
			merged(4, 'notSent', { amount: '4.5', line: 7, ...tooMuch('4.5') }),
			merged(5, 'dryRun', { problems: ['No settlement account has the alias x.'] }),
			row(6),
		]);
		const advice =
			"Correct the amount, or ask the workflow's owner: 'Maximum Amount' is an option of the node that pays.";
		expect(found).toMatchObject({ isGood: false, subject: 'Not ready to pay: 7 problems' });
		expect(found.problems).toEqual([
			'Row 2: The amount is missing.',
			'Row 2: The currency is missing.',
			'Row 2: This row was not checked, because it has no result of the dry run. Check the whole list again.',
			`Row 3: The amount 4 is above 'Maximum Amount' 3. ${advice}`,
			`Row 4 (line 7): The amount 4.5 is above 'Maximum Amount' 3. ${advice}`,
			'Row 5: No settlement account has the alias x.',
			'Row 6: This row was not checked, because it has no result of the dry run. Check the whole list again.',
		]);
		expect(said(found).at(-1)).toBe(
			'Nothing was paid now. Correct what is named above, and check the list again.',
		);
	});

	test('a problem that Pay List repeats in its reason is said once, and another reason is said too', () => {
		const problems = [
			'The amount 1,250.50 has a comma. Write 1250.50.',
			'No settlement account has the alias x.',
		];
		const problemsWith = (message: string) => {
			const because = failure({
				message,
				description: 'Correct the row in its list, and read the list again',
			});
			return report([merged(2, 'notSent', { problems, ...because }), merged(3, 'dryRun')]).problems;
		};
		const ofRead = problems.map((problem) => `Row 2: ${problem}`);
		const reason = `'amount' has a comma: 1,250.50; ${problems.join(' ')}`.replace(/\.$/, '');
		expect(problemsWith(reason)).toEqual(ofRead);
		const other = `${problems[0]} Another reason`;
		expect(problemsWith(other)).toEqual([...ofRead, expect.stringContaining('Another reason')]);
	});

	test('each problem is a line of its own, also where several rows have the same', () => {
		const twice = { paymentKey: 'INV-7', problems: ['The payment key INV-7 is in the list more than once.'] };
		expect(report([row(2, twice), row(3, twice)]).problems).toEqual([
			'Row 2: The payment key INV-7 is in the list more than once.',
			'Row 3: The payment key INV-7 is in the list more than once.',
		]);
	});

	test('what is wrong with the list as a whole needs no row', () => {
		const found = report([row(0, { problems: ['The file has no column amount.'] }), row(2)]);
		expect(found).toMatchObject({ isGood: false, problems: ['The file has no column amount.'] });
		expect(found.rows).toHaveLength(1);
		expect(report([row(0, { problems: ['The file is empty.'] })])).toMatchObject({ isGood: false, rows: [] });
		expect(report([])).toMatchObject({ isGood: false, problems: ['The list has no payments.'] });
	});

	test.each<[string, IDataObject, string]>([
		['no amount', { amount: '' }, 'The amount is missing.'],
		[
			'an amount of another spelling',
			{ amount: '1,5' },
			'The amount “1,5” cannot be read. Write it like 1250.50.',
		],
		['nothing to pay', { amount: '0.00' }, 'The amount 0.00 is not above zero.'],
		['less than nothing', { amount: '-1250' }, 'The amount -1,250 is not above zero.'],
		[
			'no currency',
			{ currency: '' },
			'It needs a currency or a coin: one of the two, as a code such as NGN or USDT.',
		],
		[
			'both',
			{ coin: 'USDT' },
			'It needs a currency or a coin: one of the two, as a code such as NGN or USDT.',
		],
		[
			'no code',
			{ currency: 'N N' },
			'It needs a currency or a coin: one of the two, as a code such as NGN or USDT.',
		],
		['no destination', { destination: ' ' }, 'The destination is missing.'],
	])('a row with %s is not good, even if Read has found nothing', (_, more, problem) => {
		const found = report([row(2), row(3, more)]);
		expect(found).toMatchObject({ isGood: false, problems: [`Row 3: ${problem}`] });
		expect(found.rows[1]!.problems).toEqual([problem]);
	});

	test.each([
		['100.50', 'JPY', 'no'],
		['0.1', 'XOF', 'no'],
		['1.005', 'NGN', '2'],
		['750.000', 'NGN', '2'],
		['1.0005', 'KWD', '3'],
	])('%s %s is named: it has %s decimals', (amount, currency, decimals) => {
		const balance: Balance = { ...NGN, code: currency, balance: '900' };
		const [problem] = report([row(2, { amount, currency })], [balance]).problems;
		expect(problem).toBe(
			`Row 2: ${amount} ${currency} cannot be paid by a bank: ${currency} has ${decimals} decimals. Find out which amount is meant.`,
		);
	});

	test.each([
		['100.00', 'JPY'],
		['100', 'JPY'],
		['1.50', 'NGN'],
		['1.505', 'KWD'],
		['750.000', 'BHD'],
	])('%s %s is usual', (amount, currency) => {
		expect(report([row(2, { amount, currency })], [{ ...NGN, code: currency, balance: '999' }]).isGood).toBe(
			true,
		);
	});

	test('a coin may have any decimals', () => {
		const items = [row(2, { currency: '', coin: 'ETH', amount: '0.000000000000000001' })];
		expect(report(items, [{ code: 'ETH', isFiat: false, balance: '1' }]).isGood).toBe(true);
	});

	test.each([
		['a list to approve', '4711.25', [row(2)]],
		['a list that needs more', '4.25', [row(2)]],
		['a list with a problem', '4711.25', [row(2, { problems: ['The note is odd.'] })]],
		['a balance that is no decimal', '4,711.25', [row(2)]],
		[
			'a payment that is made',
			'4711.25',
			[merged(2, 'paid', { payoutId: 'po_1', balanceBefore: '4716.25' })],
		],
		['an unknown payment', '4711.25', [merged(2, 'unknown', { balanceBefore: '4716.25' })]],
		['a list that was paid before', '4711.25', [merged(2, 'alreadyPaid')]],
	])('%s: what goes to whoever typed an address has no balance', (_, balance, items) => {
		const { subject, text, html, problems, file, openFile } = report(items, [{ ...NGN, balance }]);
		for (const words of [subject, text, html, problems.join(), file, openFile])
			expect(words).not.toMatch(/4,?71[16]|4\.25|0\.75/);
	});

	test.each<[string, Balance[], string]>([
		['too little', [{ ...NGN, balance: '3.5' }], 'The list needs 5.00 NGN, and the wallet has less.'],
		['less than nothing', [{ ...NGN, balance: '-3' }], 'The list needs 5.00 NGN, and the wallet has less.'],
		['no balance', [], 'The balance of NGN could not be read, so nobody knows if it is enough.'],
		[
			'that of the coin NGN',
			[{ ...NGN, isFiat: false }],
			'The balance of NGN could not be read, so nobody knows if it is enough.',
		],
		[
			'a balance that fails',
			[{ code: 'NGN', isFiat: true, problem: 'No answer.' }],
			'The balance of NGN could not be read, so nobody knows if it is enough. No answer.',
		],
		[
			'a balance that is no decimal',
			[{ ...NGN, balance: '1,000.00' }],
			'The balance of NGN could not be read, so nobody knows if it is enough. The service gave a balance that is no amount.',
		],
	])('a list is not good with %s', (_, balances, problem) => {
		expect(report([row(2)], balances)).toMatchObject({ isGood: false, problems: [problem] });
	});

	test('totals are exact, also of a currency and a coin of one name, and codes may be in small letters', () => {
		const coin = (amount: IDataObject[string], code: string) => ({ amount, currency: '', coin: code });
		const items = [
			row(2, coin('1.5', 'usdt')),
			row(3, coin(' 2 ', 'USDT')),
			row(4, { amount: 3 }),
			row(5, { amount: '4', currency: 'USD' }),
			row(6, { amount: '5', currency: 'EUR' }),
			row(7, coin('6', 'USD')),
			row(8, coin('0.000000000000000001', 'USDT')),
		];
		const found = report(items, [
			{ code: 'usdt', isFiat: false, balance: '20000' },
			{ code: ' ngn', isFiat: true, balance: '-0.50' },
			{ code: 'USD', isFiat: true, balance: '1,000.00' },
			{ code: 'USD', isFiat: false, balance: '7.5' },
		]);
		expect(found.totals).toEqual([
			{
				code: 'USDT',
				isFiat: false,
				count: 3,
				total: '3.500000000000000001',
				balance: '20000',
				isEnough: true,
			},
			{ code: 'NGN', isFiat: true, count: 1, total: '3', balance: '-0.50', isEnough: false },
			{ code: 'USD', isFiat: true, count: 1, total: '4' },
			{ code: 'EUR', isFiat: true, count: 1, total: '5' },
			{ code: 'USD', isFiat: false, count: 1, total: '6', balance: '7.5', isEnough: true },
		]);
		expect(found.text).toContain('- 1 payout, 6.00 USD (coin)');
		expect(found.balancesHtml.match(/The wallet has [^<]*/g)).toEqual([
			'The wallet has 20,000.00&#160;USDT.',
			'The wallet has -0.50&#160;NGN.',
			'The wallet has 7.50&#160;USD (coin).',
		]);
		expect(assetsOfList([...items, {}, { currency: 'x y', row: 9, problems: [] }])).toEqual([
			{ code: 'USDT', isFiat: false },
			{ code: 'NGN', isFiat: true },
			{ code: 'USD', isFiat: true },
			{ code: 'EUR', isFiat: true },
			{ code: 'USD', isFiat: false },
		]);
	});

	test('sums of any amounts have each digit', () => {
		const places = (units: bigint) => `${units / 1000n}.${String(units % 1000n).padStart(3, '0')}`;
		fc.assert(
			fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1 }), (parts) => {
				const items = parts.map((units, at) =>
					row(at + 2, { amount: places(units), currency: '', coin: 'USDT' }),
				);
				const sum = parts.reduce((a, b) => a + b, 0n);
				const balance = (units: bigint): Balance[] => [
					{ code: 'USDT', isFiat: false, balance: places(units) },
				];
				expect(report(items, balance(sum))).toMatchObject({ isGood: true, totals: [{ total: places(sum) }] });
				expect(report(items, balance(sum - 1n)).isGood).toBe(false);
			}),
			{ numRuns: 50 },
		);
	});

	test('a run in which all was paid before does not say that 0 were paid', () => {
		expect(report([result('alreadyPaid')]).subject).toBe('The payout was paid before');
	});

	test('what was paid before needs no money again, and is told', () => {
		const items = [merged(2, 'alreadyPaid'), merged(3, 'dryRun', { amount: '7' })];
		const found = report(items, [{ ...NGN, balance: '7' }]);
		expect(found).toMatchObject({ isGood: true, subject: 'Approve 1 payout: 7.00 NGN' });
		expect(said(found)).toContain('1 was paid before under its Payment Key. Nothing is sent for it again.');
		expect(found.counts).toEqual({ ...NO_COUNTS, alreadyPaid: 1, dryRun: 1 });
	});

	test('a payment that may have been made holds nobody else back, if its key keeps it apart', () => {
		const known = {
			...failure(KEY.hasUnknownOutcome({ key: 'INV-3', ...SAYING.item }), 'unknown'),
			dryRun: true,
			amount: '9',
		};
		const found = report([merged(2, 'dryRun', { amount: '7' }), merged(3, 'unknown', known)]);
		expect(found).toMatchObject({
			isGood: true,
			unknown: 1,
			problems: [],
			subject: 'Approve 1 payout: 7.00 NGN, 1 NOT KNOWN',
			totals: [{ code: 'NGN', count: 1, total: '7' }],
		});
		expect(said(found)).toContain(
			'What is not known is not sent together with the others: its Payment Key waits for the answer of a person.',
		);
		expect(said(found)).toContain(
			'- If this list is approved, nothing is sent for these. Then a person is asked about each of them, and only that answer decides.',
		);
		// The same list again is the way to be asked about it.
		expect(report([merged(3, 'unknown', known)])).toMatchObject({
			isGood: true,
			unknown: 1,
			subject: 'Approve: nothing else is left to pay, 1 NOT KNOWN',
		});
	});

	test('nobody is asked about a payment whose next answer counts in another run only, and all read what to do', () => {
		const again = (more: object) => {
			const { error, ...item } = failure(KEY.answerWasUsed({ key: 'INV-3', ...SAYING.item }), 'unknown');
			return { ...item, error: { ...error, mayDecide: 'nextRun' }, ...more };
		};
		const found = report([
			merged(3, 'unknown', again({})),
			merged(4, 'unknown', failure(KEY.hasUnknownOutcome({ key: 'INV-4', ...SAYING.item }), 'unknown')),
		]);
		expect(found).toMatchObject({ isGood: false, unknown: 2, rows: [{ mayDecide: 'nextRun' }, {}] });
		expect(found.decideFrom).toBe(AT.now);
		expect(report([merged(3, 'unknown', again({}))])).not.toHaveProperty('decideFrom');
		expect(said(found).join('\n')).toContain(
			'Hand in these rows once more, in the same way and under the same Payment Keys. Nothing is sent for them then.',
		);
		// The rows of a report say the same.
		expect(report(found.rows.slice(0, 1) as never[])).not.toHaveProperty('decideFrom');
		// Before the payments, the list itself is that run.
		const before = report([merged(3, 'unknown', again({ dryRun: true }))]);
		expect(before).toMatchObject({
			isGood: true,
			rows: [expect.not.objectContaining({ mayDecide: 'nextRun' })],
		});
		expect(said(before).join('\n')).not.toContain('Hand in these rows once more');
	});

	test('a payment that may have been made, and has no key, is no good list', () => {
		const known = {
			...failure({ message: 'No answer', description: 'x' }, 'unknown'),
			dryRun: true,
			paymentKey: '',
		};
		const found = report([merged(2, 'dryRun'), merged(3, 'unknown', known)]);
		expect(found).toMatchObject({ isGood: false, subject: 'Not ready to pay: 1 NOT KNOWN' });
		expect(said(found).at(-1)).toBe(
			'Find out first what is not known, and correct what else is named above.',
		);
	});

	test('rows without a Payment Key are told, since a second run may pay them again', () => {
		const found = report([row(2), row(3, { paymentKey: '' }), row(4, { paymentKey: 'INV-undefined' })]);
		expect(said(found)).toContain(
			'Rows 3 and 4 have no Payment Key. If this list is paid a second time, they are paid a second time.',
		);
	});

	test('an approver reads what each destination of a longer list gets, and which payments are meant again', () => {
		const items = [
			...Array.from({ length: 18 }, (_, at) => row(at + 2, { amount: '1000.1' })),
			row(20, { amount: '2', currency: '', coin: 'USDT', destination: 'treasury', again: true }),
			row(21, { amount: '3', destination: 'other' }),
			row(22, { amount: '0.25', currency: '', coin: 'USDT', destination: 'Treasury' }),
			// A currency and a coin of one name are not added.
			row(23, { amount: '7', currency: 'USDT', destination: 'treasury' }),
			row(24, { amount: '1,5', destination: 'other' }),
		];
		const text = report(items).text;
		expect(text).toContain(
			[
				'By destination: all 23',
				'- supplier-main: 18 payouts, 18,001.80 NGN',
				'- treasury: 3 payouts, 2.25 USDT, 7.00 USDT',
				'- other: 2 payouts, an amount cannot be read',
			].join('\n'),
		);
		expect(text).toContain(
			'Meant, even if the same payment was made under another key: 1\n- Row 20: 2.00 USDT to treasury',
		);
		expect(report(items.slice(0, 20)).text).not.toContain('By destination');
	});
});

const NO_COUNTS = { noResult: 0, paid: 0, alreadyPaid: 0, dryRun: 0, notSent: 0, rejected: 0, unknown: 0 };

test('what the approver has left out is said before the payments and after them', () => {
	const leftOut = '3, 7';
	for (const item of [row(2, { leftOut }), merged(2, 'paid', { leftOut })]) {
		const { text, html, rows } = report([item]);
		for (const words of [text, html]) expect(words).toContain('Row numbers that an approver left out: 3, 7.');
		expect(rows).toMatchObject([{ leftOut }]);
	}
	expect(report([row(2, { leftOut: '<b>' })]).text).not.toContain('Left out');
});

describe('after the payments, what was left out', () => {
	const leftOut = '3, 7, 3';
	const ofWords = (...words: string[]) =>
		report(words.map((word, at) => merged(at + 2, word, { paymentKey: `INV-${at}`, leftOut })));

	test.each([
		[['paid', 'paid'], '2 of 4 payouts paid: 10.00 NGN, 2 left out'],
		[['paid', 'alreadyPaid'], '1 of 4 payouts paid: 5.00 NGN, 1 paid before, 2 left out'],
		[['alreadyPaid'], 'Nothing paid now, 1 paid before, 2 left out'],
		[['rejected'], '0 of 3 payouts paid, 1 not paid, 2 left out'],
	])('%j: the subject counts it, too', (words, subject) => {
		expect(ofWords(...words).subject).toBe(subject);
	});

	test('stands in the file, below the others, and holds nothing back', () => {
		const found = ofWords('paid');
		expect(found).toMatchObject({ isGood: true, problems: [], counts: { paid: 1, noResult: 0 } });
		expect(found.rows).toHaveLength(1);
		const lines = found.file.trimEnd().split('\r\n');
		expect(lines.slice(2).map((line) => line.replaceAll(/,+/g, ','))).toEqual([
			'3,An approver left it out. Nothing is sent for it.,',
			'7,An approver left it out. Nothing is sent for it.,',
		]);
		expect(found.openFile).not.toContain('left it out');
	});
});

test('the page says where the numbers of rows come from, if it shows several', () => {
	const numbers = 'Row numbers are those of the file: the first payout is row 3.';
	expect(report([row(3), row(4, { amount: '6' })]).text).toContain(numbers);
	for (const items of [[row(3)], [row(1), row(2)], [merged(3, 'paid'), merged(4, 'paid')]])
		expect(report(items).text).not.toContain('Row numbers');
});

describe('after the payments', () => {
	test('what only waits was not sent', () => {
		const { counts, isGood } = report([merged(2, 'notSent', { waiting: true })]);
		expect([counts, isGood]).toEqual([{ ...NO_COUNTS, notSent: 1 }, false]);
	});

	test('a list of which all is paid is good, whatever the balance is now', () => {
		const items = [merged(2, 'paid', { payoutId: 'po_1', status: 'pending' }), merged(3, 'alreadyPaid')];
		const found = report(items, [{ ...NGN, balance: '0' }]);
		expect(found).toMatchObject({
			isGood: true,
			problems: [],
			unknown: 0,
			subject: 'All 2 payouts are paid: 5.00 NGN, 1 of them before',
			totals: [{ code: 'NGN', count: 1, total: '5', balance: '0' }],
			counts: { ...NO_COUNTS, paid: 1, alreadyPaid: 1 },
		});
		expect(found.totals[0]).not.toHaveProperty('isEnough');
		expect(found.text.split('\n')).toEqual([
			'All 2 payouts are paid: 5.00 NGN, 1 of them before',
			'- 1 payout paid, 5.00 NGN',
			'1 was paid before under its Payment Key. Nothing is sent for it again.',
			'The service reports no later status of fiat payouts. Its dashboard shows what became of them.',
			'',
			'Payouts: 2',
			'- Row 2: 5.00 NGN to supplier-main. Paid as po_1. Status: pending. Payment Key INV-2',
			'- Row 3: 5.00 NGN to supplier-main. Paid before. Payment Key INV-3',
		]);
		expect(found.balancesHtml).toContain('The wallet has 0.00&#160;NGN.');
		expect(report(items, [])).toMatchObject({ isGood: true, balancesHtml: '' });
	});

	test('results without their rows are told by their place', () => {
		const found = report([
			result('paid', { paymentKey: 'A-1' }),
			result('rejected', {
				paymentKey: 'A-2',
				...failure({ message: 'No', description: 'Ask.' }, 'rejected'),
			}),
			result('paid', {
				paymentKey: 'A-3',
				coin: 'USDT',
				currency: undefined,
				accountAlias: undefined,
				walletAlias: 'treasury',
			}),
		]);
		expect(found.problems).toEqual(['Payment 2 of 3: No. Ask.']);
		expect(found.text).toContain('- Payment 3 of 3: 5.00 USDT to treasury. Paid. Payment Key A-3');
		expect(found.text).toContain('The status of a crypto payout arrives later');
		expect(found.rows[2]).toEqual({
			paymentKey: 'A-3',
			amount: '5',
			coin: 'USDT',
			destination: 'treasury',
			note: '',
			result: 'paid',
			problems: [],
		});
	});

	test('what has the same reason is said of each row', () => {
		const halted = failure(UNCLEAR_RUN.isHalted('3'));
		const items = [
			merged(2, 'paid'),
			merged(3, 'unknown', failure({ message: 'The service gave no answer', description: 'x' }, 'unknown')),
			...Array.from({ length: 30 }, (_, at) => merged(at + 4, 'notSent', halted)),
			merged(34, 'rejected', failure({ message: 'The service said no.', description: '' }, 'rejected')),
		];
		const found = report(items);
		expect(found.subject).toBe('1 of 33 payouts paid: 5.00 NGN, 31 not paid, 1 NOT KNOWN');
		expect(found.problems).toEqual([
			...Array.from(
				{ length: 30 },
				(_, at) =>
					`Row ${at + 4}: Not sent because the service gave no clear answer to 3 requests before this one. Look those up at the service first. When it answers again, run this item in a new execution.`,
			),
			'Row 34: The service said no.',
		]);
		expect(found.isGood).toBe(false);
	});

	test('the status of a paid row can say that the money has come back', () => {
		const found = report([
			merged(2, 'paid', { status: 'reversed' }),
			merged(3, 'alreadyPaid', { status: 'failed' }),
		]);
		expect(found.isGood).toBe(false);
		// A mail may be read by its subject only.
		expect(found.subject).toBe('1 of 2 payouts paid: 5.00 NGN, 1 paid before, 2 FAILED AFTERWARDS');
		expect(found.problems.map((problem) => problem.slice(0, 60))).toEqual([
			expect.stringContaining('Row 2: The service accepted this payment'),
			expect.stringContaining('Row 3: The service accepted this payment'),
		]);
	});

	test('a result that spells the destination in another way is of its row', () => {
		const found = report([merged(2, 'paid', { accountAlias: ' Supplier-MAIN' })]);
		expect(found).toMatchObject({ isGood: true, unknown: 0, counts: { paid: 1 }, problems: [] });
	});

	test('a payment in no total is told', () => {
		const [problem] = report([merged(2, 'paid', { amount: '1,5' })]).problems;
		expect(problem).toBe(
			'Row 2: It was paid, and its amount or its currency cannot be read, so it is in no total.',
		);
	});

	test.each<[string, IDataObject, string]>([
		['no result', row(3), 'No result came for this payment.'],
		['a word that no payment gives', merged(3, 'done'), 'Its result “done” is none that a payment gives.'],
		['another case', merged(3, 'Paid'), 'Its result “Paid” is none that a payment gives.'],
		['an error without a result', { ...row(3), error: { message: 'Gone', outcome: 'unknown' } }, 'Gone.'],
		[
			'the result of another payment',
			merged(3, 'paid', { accountAlias: 'other' }),
			'Its row is a payment to “supplier-main” and its result is of a payment to “other”. Merge has joined two payments: give it as many rows as results, in the same order.',
		],
		[
			'an item of another node',
			{ currency: 'NGN', balance: '5' },
			"This item is neither a row of Read nor the result of a payment. Ask the workflow's owner which node gives it.",
		],
		[
			'an error of another node',
			{ error: 'Out of memory' },
			'This item is neither a row of Read nor the result of a payment. It says: Out of memory.',
		],
		[
			'nothing',
			{},
			"This item is neither a row of Read nor the result of a payment. Ask the workflow's owner which node gives it.",
		],
	])('%s proves nothing, so it is unknown', (_, item, message) => {
		const found = report([merged(2, 'paid'), item]);
		expect(found).toMatchObject({ isGood: false, unknown: 1, counts: { paid: 1, unknown: 1 } });
		expect(found.rows[1]).toMatchObject({ result: 'unknown', message });
		expect(found.text).toContain(message);
		expect(found.totals).toMatchObject([{ count: 1, total: '5' }]);
	});

	test('nobody is asked about a result of which it is not certain whose it is', () => {
		const found = report([merged(2, 'paid'), merged(3, 'unknown', { accountAlias: 'other' })]);
		expect(found.rows[1]!.paymentKey).toBe('');
		expect(found).not.toHaveProperty('decideFrom');
	});

	test('before the payments, such items are named too', () => {
		for (const item of [
			{},
			{ currency: 'NGN', balance: '5' },
			{ error: 'x' },
			{ row: 3, amount: '5' },
			{ problems: [] },
		]) {
			const found = report([row(2), item]);
			expect(found).toMatchObject({ isGood: false, unknown: 0 });
			expect(found.problems[0]).toMatch(/^(Row 3|Payment 2 of 2): This item is neither/);
		}
	});

	test.each([
		['the item of a node that failed', { error: 'The workflow timed out' }],
		['a row with an error', { ...row(3), error: 'The workflow timed out' }],
		['a row with the error of a node', { ...row(3), error: { message: 'The workflow timed out' } }],
	])('%s is not good, and nobody is told to start again', (_, item) => {
		for (const items of [[item], [row(2), item], [merged(2, 'dryRun'), item]]) {
			const found = report(items);
			expect(found.isGood).toBe(false);
			expect(found.problems.join('\n')).toContain('The workflow timed out.');
			expect(found.text).not.toMatch(/Nothing (was|is) paid|^Approve|start again/);
		}
	});

	test('a dry run among payments is no payment, and a row with problems is not asked about', () => {
		const found = report([
			merged(2, 'paid'),
			merged(3, 'dryRun'),
			row(4, { problems: ['The amount is missing.'] }),
		]);
		expect(found.problems).toEqual([
			"Row 3: It was only checked, because 'Dry Run' is on. Ask the workflow's owner.",
			'Row 4: The amount is missing.',
			'Row 4: No result came for this row.',
		]);
		expect(found).toMatchObject({ unknown: 0, subject: '1 of 3 payouts paid: 5.00 NGN, 2 not paid' });
	});

	test('results that could be of a dry run or of payments are read as those of payments', () => {
		expect(judgeList([merged(2, 'alreadyPaid'), merged(3, 'unknown'), row(4)])).toMatchObject({
			stage: 'payments',
			payments: [{}, {}, { row: { result: 'unknown' } }],
		});
	});
});

test.each([
	[[{ row: 7, line: 7 }], 'Row 7'],
	[
		[
			{ row: 3, line: 3 },
			{ row: 7, line: 9 },
			{ row: 12, line: 12 },
		],
		'Rows 3, 7 (line 9) and 12',
	],
	[[{}], 'Payment 1 of 9'],
	[[{ row: 3 }, { row: 4 }, {}], 'Rows 3 and 4, payment 3 of 9'],
])('%j are %s', (places, words) => {
	expect(placesInWords(places.map((place, at) => ({ ...place, position: at + 1, of: 9 })))).toBe(words);
});

test('the row of what was not paid says so in bold, below it, and a paid row does not', () => {
	const found = report([merged(2, 'paid'), merged(3, 'rejected'), merged(4, 'unknown')]);
	expect([...found.html.matchAll(/colspan="3"><p[^>]*><b>([^<]*)/g)].map(([, words]) => words)).toEqual([
		'NOT PAID',
		'NOT KNOWN',
	]);
});

describe('when what pays has stopped', () => {
	const OFF = 'Workflow is not active and cannot be executed.';
	/** n8n hands on the first of the rows that it has called a workflow with, and the error of that workflow. */
	const stopped = (more: IDataObject = {}, reason: unknown = OFF): IDataObject => ({
		...row(2, { approvedBy: 'Ada Obi', note: 'Rent' }),
		...more,
		error: reason as string,
	});
	const others = [row(3), row(4, { amount: '7' })];
	const reportOf = (items: IDataObject[], withoutResult = others) =>
		reportList({ items, withoutResult, balances: [NGN], ...AT });

	test('nobody says that anything was paid or not, and the list is handed in again', () => {
		const list = reportOf([stopped()]);
		expect(list).toMatchObject({
			isGood: false,
			unknown: 0,
			subject: 'Stopped before the end: 3 payouts',
			problems: [`The payments have stopped, and it is not known how far they came. n8n says: ${OFF}`],
			counts: { noResult: 3, paid: 0, notSent: 0, unknown: 0 },
			rows: [{ row: 2, note: 'Rent' }, { row: 3 }, { row: 4, amount: '7' }],
		});
		for (const each of list.rows) {
			expect(each).not.toHaveProperty('result');
			expect(each).not.toHaveProperty('message');
		}
		expect(said(list)).toEqual([
			'Stopped before the end: 3 payouts',
			'What went wrong',
			`- The payments have stopped, and it is not known how far they came. n8n says: ${OFF}`,
			'Correct that, then hand in the same list again, in the same way and with the same Payment Keys: nothing is paid twice.',
		]);
		expect(list.text).not.toMatch(/ready|nothing is paid yet|not paid|was not checked/i);
		expect(list.html).toContain('nothing is paid twice');
		expect(list.file.split('\n').filter((line) => line.includes('INV-'))).toHaveLength(3);
	});

	test('one row, or rows of several calls, say it as well, each reason once', () => {
		expect(reportOf([stopped()], []).subject).toBe('Stopped before the end: 1 payout');
		const two = [
			stopped(),
			stopped({ row: 5, paymentKey: 'INV-5' }),
			stopped({ row: 6, paymentKey: 'INV-6' }, { message: 'Full' }),
		];
		const { subject, problems } = reportOf(two);
		expect(subject).toBe('Stopped before the end: 5 payouts');
		expect(problems.map((each) => each.split('n8n says: ')[1])).toEqual([OFF, 'Full.']);
		expect(reportOf([stopped({}, { code: 7 })], []).problems[0]).toMatch(/No reason is known\.$/);
	});

	test('a list with a payment without a key is not handed in again', () => {
		const { text } = reportOf([stopped()], [row(3, { paymentKey: '' })]);
		expect(text).toContain('Do NOT hand in this list again. Row 3 has no Payment Key');
		expect(text).not.toContain('nothing is paid twice');
	});

	test.each<[string, IDataObject[]]>([
		['a row that nobody has approved', [stopped({ approvedBy: null })]],
		['a result beside it', [stopped(), merged(3, 'paid')]],
		['an error with a result', [stopped({ result: 'notSent' })]],
		['no error', [row(2, { approvedBy: 'Ada Obi' })]],
		['no item', []],
	])('%s is not that', (_, items) => {
		const { subject, text } = reportOf(items);
		expect(subject).not.toContain('Stopped');
		expect(text).not.toContain('have stopped');
	});
});

describe('results of a dry run', () => {
	const dry = (word: string, key: string) => result(word, { paymentKey: key, dryRun: true });

	test('what was paid before is no obstacle, and is not counted', () => {
		const found = report([dry('alreadyPaid', 'INV-1'), dry('dryRun', 'INV-2')]);
		expect(found).toMatchObject({ isGood: true, subject: 'Approve 1 payout: 5.00 NGN' });
		expect(said(found).join(' ')).toMatch(/1 was paid before .* The others are not paid yet\./);
	});

	test('nobody is asked about a list of which nothing is left', () => {
		const found = report([dry('alreadyPaid', 'INV-1'), dry('alreadyPaid', 'INV-2')]);
		expect(found).toMatchObject({ isGood: false, problems: [], unknown: 0 });
		expect(found.subject).toBe('Nothing is left to pay: 2 payouts, all paid before');
		expect(found.text).not.toMatch(/not paid|paid yet|Correct/);
	});

	test('a list with nothing to pay but a row that is not sent asks nobody', () => {
		const bad = { ...dry('notSent', 'INV-1'), ...failure({ message: 'No', description: '' }) };
		for (const items of [[bad], [bad, dry('dryRun', 'INV-2')], [bad, dry('alreadyPaid', 'INV-2')]]) {
			const found = report(items);
			expect(found.isGood).toBe(false);
			expect(found.subject).toMatch(/^Not ready to pay: /);
		}
	});

	test('a list with nothing to pay but an unknown row is good: behind a yes, a person is asked about it', () => {
		const unknown = { ...dry('unknown', 'INV-1'), ...failure({ message: 'No', description: '' }, 'unknown') };
		for (const items of [[unknown], [unknown, dry('alreadyPaid', 'INV-2')]]) {
			const found = report(items);
			expect(found).toMatchObject({ isGood: true, totals: [{ count: 0 }] });
			expect(found.subject).toBe('Approve: nothing else is left to pay, 1 NOT KNOWN');
		}
	});
});
