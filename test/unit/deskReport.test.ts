/** *Payout List: Report*: what is wrong with a list before its payments, and what became of it, in words that never invite to pay twice. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { KEY, REPEATED, UNCLEAR_RUN } from '../../nodes/WalletService/action/change/pay/messages.ts';
import { LIMIT } from '../../nodes/WalletService/action/change/read/messages.ts';
import type { Balance } from '../../nodes/WalletService/desk/asset.ts';
import { judgeList } from '../../nodes/WalletService/desk/list/report/judgeList.ts';
import { matchList } from '../../nodes/WalletService/desk/list/report/matchList.ts';
import { needsSecondApproval, readSums } from '../../nodes/WalletService/desk/list/report/secondApproval.ts';
import { placesInWords } from '../../nodes/WalletService/desk/list/report/places.ts';
import { reportList } from '../../nodes/WalletService/desk/list/report/reportList.ts';
import type { ListReport } from '../../nodes/WalletService/desk/list/report/reportList.ts';
import { assetsOfList } from '../../nodes/WalletService/desk/list/report/totals.ts';

/** A row as Read gives it. Row 2 of the file is the first payment. */
const row = (number: number, more: IDataObject = {}): IDataObject => ({
	...{ row: number, line: number, paymentKey: `INV-${number}`, amount: '5', currency: 'NGN' },
	...{ destination: 'supplier-main', note: '', again: false, problems: [] },
	...more,
});

/** The result of a payment, as the money operations give it. */
const result = (word: string, more: IDataObject = {}): IDataObject => ({
	...{ result: word, paymentKey: 'INV-1', amount: '5', currency: 'NGN', accountAlias: 'supplier-main' },
	...more,
});

/** A row and its result in one item, as n8n's Merge makes it. */
const merged = (number: number, word: string, more: IDataObject = {}): IDataObject => ({
	...row(number),
	...{ result: word, accountAlias: 'supplier-main' },
	...more,
});

const failure = (issue: { message: string; description: string }, outcome = 'notSent') => ({
	error: { ...issue, outcome },
});

const NGN: Balance = { code: 'NGN', isFiat: true, balance: '700' };
const report = (items: IDataObject[], balances: Balance[] = [NGN]) => reportList({ items, balances });

/** The lines of the text, without the list of the payments. */
function said({ text }: ListReport): string[] {
	const lines = text.split('\n').filter((line) => line !== '');
	return lines.slice(
		0,
		lines.findIndex((line) => /^Payouts: \d/.test(line)),
	);
}

describe('before the payments', () => {
	test('a good list says what it needs, beside the balance', () => {
		const good = report(
			[row(2, { amount: '1250.50' }), row(3, { amount: '70' })],
			[{ ...NGN, balance: '5000.00' }],
		);
		expect(good).toMatchObject({
			...{ isGood: true, problems: [], unknown: 0, settleForm: '[]' },
			subject: 'Ready to pay: 2 payouts, 1,320.50 NGN',
			totals: [{ code: 'NGN', isFiat: true, count: 2, total: '1320.50', balance: '5000.00', isEnough: true }],
		});
		expect(good.text.split('\n')).toEqual([
			'Ready to pay: 2 payouts, 1,320.50 NGN',
			'- 2 payouts, 1,320.50 NGN. The wallet has 5,000.00 NGN.',
			'Nothing is paid yet.',
			'',
			'Payouts: 2',
			'- Row 2: 1,250.50 NGN to supplier-main. Payment Key INV-2',
			'- Row 3: 70 NGN to supplier-main. Payment Key INV-3',
		]);
	});

	test('a title stands in front of the subject', () => {
		const { subject } = reportList({ items: [row(2)], balances: [NGN], title: 'March\nsuppliers' });
		expect(subject).toBe('March suppliers: Ready to pay: 1 payout, 5 NGN');
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
		expect(found).toMatchObject({ isGood: false, subject: 'Not ready to pay: 5 problems' });
		expect(found.problems).toEqual([
			'Row 2: The amount is missing.',
			'Row 2: The currency is missing.',
			'Rows 2 and 6: This row was not checked, because it has no result of the dry run. Check the whole list again.',
			`Rows 3 and 4 (line 7): The amount … is above 'Maximum Amount' 3. ${advice}`,
			'Row 5: No settlement account has the alias x.',
		]);
		expect(said(found).at(-1)).toBe(
			'Nothing was paid now. Correct what is named above, and check the list again.',
		);
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
	])('a row with %s is not good, also if Read has found nothing', (_, more, problem) => {
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

	test.each<[string, Balance[], string]>([
		[
			'too little',
			[{ ...NGN, balance: '3.5' }],
			'The list needs 5 NGN. The wallet has 3.5 NGN, so 1.5 NGN are missing.',
		],
		[
			'less than nothing',
			[{ ...NGN, balance: '-3' }],
			'The list needs 5 NGN. The wallet has -3 NGN, so 8 NGN are missing.',
		],
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
			'The balance of NGN could not be read, so nobody knows if it is enough. The service gave “1,000.00”, which is no amount.',
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
		expect(found.text).toContain('- 1 payout, 6 USD (coin). The wallet has 7.5 USD (coin).');
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

	test('what was paid before needs no money again, and is told', () => {
		const items = [merged(2, 'alreadyPaid'), merged(3, 'dryRun', { amount: '7' })];
		const found = report(items, [{ ...NGN, balance: '7' }]);
		expect(found).toMatchObject({ isGood: true, subject: 'Ready to pay: 1 payout, 7 NGN' });
		expect(said(found)).toContain('1 was paid before under its Payment Key. Nothing is sent for it again.');
		expect(found.counts).toEqual({ ...NO_COUNTS, alreadyPaid: 1, dryRun: 1 });
	});

	test('a payment that may have been made holds nobody else back, if its key keeps it apart', () => {
		const known = { ...failure(KEY.hasUnknownOutcome('INV-3'), 'unknown'), dryRun: true, amount: '9' };
		const found = report([merged(2, 'dryRun', { amount: '7' }), merged(3, 'unknown', known)]);
		expect(found).toMatchObject({
			...{ isGood: true, unknown: 1, problems: [] },
			subject: 'Ready to pay: 1 payout, 7 NGN, 1 NOT KNOWN',
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
			...{ isGood: true, unknown: 1 },
			subject: 'Nothing else is left to pay, 1 NOT KNOWN',
		});
	});

	test('nobody is asked about a payment whose next answer counts in another run only, and all read what to do', () => {
		const again = (more: object) => {
			const { error, ...item } = failure(KEY.wasTried('INV-3'), 'unknown');
			return { ...item, error: { ...error, mayDecide: 'nextRun' }, ...more };
		};
		const found = report([
			merged(3, 'unknown', again({})),
			merged(4, 'unknown', failure(KEY.hasUnknownOutcome('INV-4'), 'unknown')),
		]);
		expect(found).toMatchObject({ isGood: false, unknown: 2, rows: [{ mayDecide: 'nextRun' }, {}] });
		expect(found.settleForm).toContain('INV-4');
		expect(found.settleForm).not.toContain('INV-3');
		expect(said(found).join('\n')).toContain(
			'Start the same workflow with these rows once more, under the same Payment Keys, and approve them. Nothing is sent for them then.',
		);
		// The rows of a report give the same form.
		expect(report(found.rows as never[]).settleForm).toBe(found.settleForm);
		// Before the payments, the list itself is that run.
		const before = report([merged(3, 'unknown', again({ dryRun: true }))]);
		expect(before).toMatchObject({
			isGood: true,
			rows: [expect.not.objectContaining({ mayDecide: 'nextRun' })],
		});
		expect(said(before).join('\n')).not.toContain('Start the same workflow');
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
			row(22, { amount: '0.25', currency: '', coin: 'USDT', destination: 'treasury' }),
			// A currency and a coin of one name are not added.
			row(23, { amount: '7', currency: 'USDT', destination: 'treasury' }),
			row(24, { amount: '1,5', destination: 'other' }),
		];
		const text = report(items).text;
		expect(text).toContain(
			[
				'By destination: all 23',
				'- supplier-main: 18 payouts, 18,001.8 NGN',
				'- treasury: 3 payouts, 2.25 USDT, 7 USDT',
				'- other: 2 payouts, an amount cannot be read',
			].join('\n'),
		);
		expect(text).toContain(
			'Paid even if the same payment was made under another key: 1\n- Row 20: 2 USDT to treasury',
		);
		expect(report(items.slice(0, 20)).text).not.toContain('By destination');
	});
});

const NO_COUNTS = { noResult: 0, paid: 0, alreadyPaid: 0, dryRun: 0, notSent: 0, rejected: 0, unknown: 0 };

describe('after the payments', () => {
	test('what only waits was not sent', () => {
		const { counts, isGood } = report([merged(2, 'notSent', { waiting: true })]);
		expect([counts, isGood]).toEqual([{ ...NO_COUNTS, notSent: 1 }, false]);
	});

	test('a list of which all is paid is good, whatever the balance is now', () => {
		const items = [merged(2, 'paid', { payoutId: 'po_1', status: 'pending' }), merged(3, 'alreadyPaid')];
		const found = report(items, [{ ...NGN, balance: '0' }]);
		expect(found).toMatchObject({
			...{ isGood: true, problems: [], unknown: 0 },
			subject: '1 of 2 payouts paid: 5 NGN, 1 paid before',
			totals: [{ code: 'NGN', count: 1, total: '5', balance: '0' }],
			counts: { ...NO_COUNTS, paid: 1, alreadyPaid: 1 },
		});
		expect(found.totals[0]).not.toHaveProperty('isEnough');
		expect(found.text.split('\n')).toEqual([
			'1 of 2 payouts paid: 5 NGN, 1 paid before',
			'- 1 payout paid, 5 NGN. The wallet now has 0 NGN.',
			'1 was paid before under its Payment Key. Nothing is sent for it again.',
			'The service reports no status of fiat payouts. Look in its dashboard.',
			'',
			'Payouts: 2',
			'- Row 2: 5 NGN to supplier-main. Paid as po_1. Status: pending. Payment Key INV-2',
			'- Row 3: 5 NGN to supplier-main. Paid before. Payment Key INV-3',
		]);
		expect(report(items, []).isGood).toBe(true);
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
		expect(found.text).toContain('- Payment 3 of 3: 5 USDT to treasury. Paid. Payment Key A-3');
		expect(found.text).toContain('The status of a crypto payout arrives later');
		expect(found.rows[2]).toEqual({
			...{ paymentKey: 'A-3', amount: '5', coin: 'USDT', destination: 'treasury', note: '', result: 'paid' },
			problems: [],
		});
	});

	test('what has the same reason stands together', () => {
		const halted = failure(UNCLEAR_RUN.isHalted('3'));
		const items = [
			merged(2, 'paid'),
			merged(3, 'unknown', failure({ message: 'The service gave no answer', description: 'x' }, 'unknown')),
			...Array.from({ length: 30 }, (_, at) => merged(at + 4, 'notSent', halted)),
			merged(34, 'rejected', failure({ message: 'The service said no.', description: '' }, 'rejected')),
		];
		const found = report(items);
		expect(found.subject).toBe('1 of 33 payouts paid: 5 NGN, 31 not paid, 1 NOT KNOWN');
		expect(found.problems).toEqual([
			'Rows 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 20 more: Not sent because the service gave no clear answer to 3 requests before this one. Look those up at the service first. When it answers again, run this item in a new execution.',
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
		expect(found.subject).toBe('1 of 2 payouts paid: 5 NGN, 1 paid before, 2 FAILED AFTERWARDS');
		expect(found.problems.map((problem) => problem.slice(0, 60))).toEqual([
			expect.stringContaining('Row 2: The service accepted this payment'),
			expect.stringContaining('Row 3: The service accepted this payment'),
		]);
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
			'This item is neither a row of Read nor the result of a payment. Find out which node it comes from.',
		],
		[
			'an error of another node',
			{ error: 'Out of memory' },
			'This item is neither a row of Read nor the result of a payment. It says: Out of memory.',
		],
		[
			'nothing',
			{},
			'This item is neither a row of Read nor the result of a payment. Find out which node it comes from.',
		],
	])('%s proves nothing, so it is unknown', (_, item, message) => {
		const found = report([merged(2, 'paid'), item]);
		expect(found).toMatchObject({ isGood: false, unknown: 1, counts: { paid: 1, unknown: 1 } });
		expect(found.rows[1]).toMatchObject({ result: 'unknown', message });
		expect(found.text).toContain(message);
		expect(found.totals).toMatchObject([{ count: 1, total: '5' }]);
	});

	test('nobody is asked about a result of which it is not certain whose it is', () => {
		const [, second] = report([merged(2, 'paid'), merged(3, 'unknown', { accountAlias: 'other' })]).rows;
		expect(second!.paymentKey).toBe('');
		expect(report([merged(2, 'paid'), merged(3, 'unknown', { accountAlias: 'other' })]).settleForm).toBe(
			'[]',
		);
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
			expect(found.text).not.toMatch(/Nothing (was|is) paid|Ready to pay: |start again/);
		}
	});

	test('a dry run among payments is no payment, and a row with problems is not asked about', () => {
		const found = report([
			merged(2, 'paid'),
			merged(3, 'dryRun'),
			row(4, { problems: ['The amount is missing.'] }),
		]);
		expect(found.problems).toEqual([
			"Row 3: It was not paid, because the option 'Dry Run' is on in the node that pays.",
			'Row 4: The amount is missing.',
			'Row 4: No result came for this row.',
		]);
		expect(found).toMatchObject({ unknown: 0, subject: '1 of 3 payouts paid: 5 NGN, 2 not paid' });
	});

	test('results that could be of a dry run or of payments are read as those of payments', () => {
		expect(judgeList([merged(2, 'alreadyPaid'), merged(3, 'unknown'), row(4)])).toMatchObject({
			stage: 'payments',
			payments: [{}, {}, { row: { result: 'unknown' } }],
		});
	});
});

describe('no sentence invites to pay twice', () => {
	const AGAIN =
		'To pay what was not paid: correct what is named above, and leave out each payment that somebody knows to be paid. Then start the same workflow with the same list and the same Payment Keys. What this workflow has paid stays paid, and what is not known is not sent.';
	const notSent = failure({ message: 'The service cannot be reached', description: 'Run it again.' });

	test('a list is started again only if each of its payments has a key', () => {
		const found = report([merged(2, 'paid'), merged(3, 'notSent', notSent)]);
		expect(said(found)).toContain(AGAIN);
		expect(found.problems).toEqual(['Row 3: The service cannot be reached. Run it again.']);
	});

	test('with a payment without a key, no advice of the node is shown, and those with keys are named', () => {
		const found = report([
			merged(2, 'paid', { paymentKey: '' }),
			merged(3, 'notSent', notSent),
			merged(4, 'rejected', { paymentKey: '', ...notSent }),
			merged(5, 'paid'),
		]);
		expect(found.text).not.toContain('Run it again');
		expect(found.text).not.toContain(AGAIN);
		expect(found.problems).toEqual(['Rows 3 and 4: The service cannot be reached.']);
		expect(said(found).slice(-4, -1)).toEqual([
			'Do NOT start this list again. Rows 2 and 4 have no Payment Key, so a second run may pay them a second time.',
			'To pay what was not paid and has a Payment Key: correct it, and put only these into a new list, with the same Payment Keys, for the same workflow: Row 3.',
			'Row 4 is without a Payment Key and not paid by this run. An earlier run may have paid it. Look in the dashboard of the service before anybody pays it in any way.',
		]);
	});

	test('a retried execution may have paid what it does not send', () => {
		const retried = failure(REPEATED.needsKeyInRetry());
		const found = report([merged(2, 'notSent', { paymentKey: '', ...retried })]);
		expect(found.text).toContain('Do NOT start this list again.');
		expect(found.text).toContain('An earlier run may have paid it.');
	});

	test('a list that is paid without keys says so too', () => {
		const found = report([merged(2, 'paid', { paymentKey: '' })]);
		expect(found.isGood).toBe(true);
		expect(said(found)).toContain(
			'Do NOT start this list again. Row 2 has no Payment Key, so a second run may pay it a second time.',
		);
	});

	test('what a person said to be paid, and n8n has no record of, is left out of later lists', () => {
		const found = report([
			merged(2, 'notSent', { decision: 'wasPaid', ...failure(KEY.isNotRecorded('INV-2')) }),
		]);
		expect(said(found)).toContain(
			'A person has said that this was paid: Row 2. Leave it out of every later list.',
		);
		expect(found.text).not.toContain(AGAIN);
	});

	test('of what is not known, each step is named, and without a key nobody can decide', () => {
		const unclear = failure(
			{ message: 'The service gave no answer', description: 'Run it again' },
			'unknown',
		);
		const found = report([
			merged(2, 'unknown', unclear),
			merged(3, 'unknown', { paymentKey: '', ...unclear }),
		]);
		const text = found.text;
		expect(text).toContain(
			'NOT KNOWN: 2 payments\nThe money may have moved, or not. Do not pay these in any other way',
		);
		expect(text).toContain(
			'- Row 2: 5 NGN to supplier-main, Payment Key INV-2. The service gave no answer.\n- Wait until at least six minutes',
		);
		expect(text).toContain(
			'Nobody can decide about these here:\n- Row 3: 5 NGN to supplier-main. The service gave no answer. No Payment Key tells it from other payments.',
		);
		expect(text).not.toContain('Run it again');
		expect(text).not.toContain(AGAIN);
		expect(JSON.parse(found.settleForm)).toHaveLength(1);
		expect(found.unknown).toBe(2);
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

describe('the file and the page have what the list has', () => {
	const full = merged(2, 'paid', {
		...{
			note: 'Rent',
			destinationDetails: 'GTBank, Supplier Ltd, …6789',
			payoutId: 'po_1',
			status: 'pending',
		},
		extra: { department: 'Operations', Result: 'x', empty: '' },
	});

	test('columns that nobody knows are in both', () => {
		const found = report([full, merged(3, 'paid', { extra: { 'cost centre': 7 } })]);
		expect(found.file.slice(1).split('\r\n')).toEqual([
			'row,paymentKey,amount,currency,coin,destination,destinationDetails,note,again,department,Result (of the list),cost centre,result,status,payoutId,message,problems',
			'2,INV-2,5,NGN,,supplier-main,"GTBank, Supplier Ltd, …6789",Rent,,Operations,x,,paid,pending,po_1,,',
			'3,INV-3,5,NGN,,supplier-main,,,,,,7,paid,,,,',
			'',
		]);
		expect(found.text).toContain(
			'- Row 2: 5 NGN to supplier-main (GTBank, Supplier Ltd, …6789). Paid as po_1. Status: pending. Payment Key INV-2. Note: Rent. department: Operations. Result: x',
		);
		expect(found.html).toContain('department: Operations');
	});

	test('who approves a list sees each of its rows, and a list with more than 500 is not good', () => {
		const rows = Array.from({ length: 501 }, (_, at) => row(at + 2));
		const whole = report(rows.slice(0, 500), [{ ...NGN, balance: '9999' }]);
		expect(whole).toMatchObject({ isGood: true, problems: [] });
		expect(whole.text.match(/^- Row \d+: 5 NGN/gm)).toHaveLength(500);
		const tooLong = report(rows, [{ ...NGN, balance: '9999' }]);
		expect(tooLong.isGood).toBe(false);
		expect(tooLong.problems).toEqual([
			'The list has 501 payouts. Who approves it sees 500 at most. Split it into shorter lists.',
		]);
	});

	test('of what was paid of a long list the page has the first 200 rows, and the file all', () => {
		const found = report(
			Array.from({ length: 500 }, (_, at) => merged(at + 2, 'paid')),
			[{ ...NGN, balance: '2500' }],
		);
		expect(found.text.match(/^- Row \d+: 5 NGN/gm)).toHaveLength(200);
		expect(found.text).toMatch(/\nAnd 300 more, in the file\.$/);
		expect(found.html.match(/<tr>/g)).toHaveLength(2 + 1 + 200);
		expect(found.file.split('\r\n')).toHaveLength(502);
		expect(found.rows).toHaveLength(500);
	});

	test('many problems and many columns of their own do not fill the page or the memory', () => {
		const items = Array.from({ length: 300 }, (_, at) =>
			row(at + 2, { problems: [`Problem ${at}.`], extra: { [`c${at}`]: 'x' } }),
		);
		const found = report(items, [{ ...NGN, balance: '1500' }]);
		expect(found.problems).toHaveLength(300);
		expect(found.text).toContain('- Row 31: Problem 29.\n- And 270 more');
		expect(found.text).toContain('- And 270 more problems, in the file.');
		const [head = '', ...rows] = found.file.split('\r\n');
		expect(head.split(',')).toHaveLength(14 + 100 + 1);
		expect(rows[299]).toContain('c299: x');
	});

	test('items have plain values for n8n', () => {
		const found = report([full, row(3), {}]);
		expect(JSON.parse(JSON.stringify(found))).toEqual(found);
	});
});

const HOSTILE = [
	'<img src=x onerror=alert(1)>',
	'{{ $env.SECRET }}',
	'=HYPERLINK("http://x","y")',
	'a\nRow 9: paid',
	'\u202eevil\u2066',
	'x'.repeat(5000),
	"$&$'$`$$",
	'__proto__',
	'"},{"fieldType":"hiddenField"',
	'\ud800',
];

test.each(HOSTILE)('the text %j is nothing but text, in each field', (text) => {
	const texts = {
		paymentKey: text,
		amount: text,
		currency: text,
		destination: text,
		destinationDetails: text,
	};
	const more = {
		...texts,
		note: text,
		extra: JSON.parse(`{${JSON.stringify(text)}:${JSON.stringify(text)}}`) as IDataObject,
	};
	const issue = failure({ message: text, description: text }, 'unknown');
	const items = [
		merged(2, 'unknown', { ...more, accountAlias: text, status: text, payoutId: text, ...issue }),
		merged(3, text, { ...more, problems: [text] }),
		row(4, { ...more, problems: [text] }),
		merged(5, 'unknown', { destination: text, accountAlias: text, ...issue }),
		{ [text]: text, error: text },
	];
	const found = reportList({ items, balances: [{ code: 'NGN', isFiat: true, problem: text }], title: text });
	const words = found.html.replaceAll(/<\/?(?:div|h3|p|ul|li|table|tr|td|b|br)(?: style="[^"<>]*")?>/g, '');
	expect(words).not.toMatch(/[<>{}\\$\n\u202e\u2066]/);
	expect(found.subject + found.problems.join('')).not.toMatch(/[\n\u202e\u2066]/);
	expect(found.text.split('\n').filter((line) => line.startsWith('Row 9'))).toEqual([]);
	for (const line of found.text.split('\n')) expect(line.length).toBeLessThan(3000);
	const fields = JSON.parse(found.settleForm) as Array<{ fieldLabel: string }>;
	for (const { fieldLabel } of fields) expect(fieldLabel).not.toMatch(/[<>{}\\"\n\u202e]/);
	expect(found.settleForm).not.toContain('$');
	expect(found.file).not.toMatch(/(^|,|\r\n)"?[=+@]/);
	expect(({} as IDataObject).x).toBeUndefined();
	expect(found).toMatchObject({ isGood: false, unknown: 4 });
});

test('any items make a report', () => {
	const words = fc.constantFrom('paid', 'alreadyPaid', 'dryRun', 'notSent', 'rejected', 'unknown', 'x');
	const item = fc.oneof(
		fc.object() as fc.Arbitrary<IDataObject>,
		fc.record({ result: words, paymentKey: fc.string(), amount: fc.string(), currency: fc.string() }),
		fc.record({ row: fc.nat(), problems: fc.array(fc.string()), amount: fc.double(), coin: fc.string() }),
	);
	fc.assert(
		fc.property(fc.array(item), (items) => {
			const found = report(items);
			const counted = Object.values(found.counts).reduce((a, b) => a + b, 0);
			expect(counted).toBe(found.rows.length);
			const isPaid = found.rows.length > 0 && found.counts.paid + found.counts.alreadyPaid === counted;
			if (found.counts.paid > 0 && found.isGood) expect(isPaid).toBe(true);
			if (found.counts.paid > 0 && found.unknown > 0) expect(found.isGood).toBe(false);
		}),
		{ numRuns: 500 },
	);
});

test('time grows with the list, also if each row has a problem and a text of its own', () => {
	const items = (count: number) =>
		Array.from({ length: count }, (_, at) =>
			merged(
				at + 2,
				at % 3 === 0 ? 'unknown' : 'notSent',
				failure({ message: `Reason ${at}`, description: 'x' }),
			),
		);
	const time = (count: number) => {
		const list = items(count);
		const start = performance.now();
		report(list);
		return performance.now() - start;
	};
	time(1000);
	const [short, long] = [time(2000), time(20_000)];
	// A square would be 100 times as long. A busy machine can be slow at any moment.
	expect(long / Math.max(short, 50)).toBeLessThan(50);
});

describe('results of a dry run', () => {
	const dry = (word: string, key: string) => result(word, { paymentKey: key, dryRun: true });

	test('what was paid before is no obstacle, and is not counted', () => {
		const found = report([dry('alreadyPaid', 'INV-1'), dry('dryRun', 'INV-2')]);
		expect(found).toMatchObject({ isGood: true, subject: 'Ready to pay: 1 payout, 5 NGN' });
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
			expect(found.subject).toBe('Nothing else is left to pay, 1 NOT KNOWN');
		}
	});
});

describe('the rows of the list', () => {
	const list = [row(2, { note: 'Rent' }), row(3, { note: 'Water', destinationDetails: 'GTBank' })];
	const paid = (key: string, more: IDataObject = {}) => result('paid', { paymentKey: key, ...more });
	const matched = (results: IDataObject[], rows: IDataObject[]) => {
		const { items, withoutResult } = matchList(results, rows);
		return {
			rows: items.map((item) => [item.row, item.note, item.result]),
			missing: withoutResult.map(({ row: number }) => number),
		};
	};

	test('belong to the results with the same Payment Key, in whatever order and spelling', () => {
		expect(matched([paid('inv–3'), paid('INV-2')], list)).toEqual({
			rows: [
				[3, 'Water', 'paid'],
				[2, 'Rent', 'paid'],
			],
			missing: [],
		});
	});

	const withoutKeys = list.map((each) => ({ ...each, paymentKey: '' }));
	const noKey: IDataObject = { result: 'paid', amount: '5', currency: 'NGN', accountAlias: 'supplier-main' };

	test('belong by their place, if there are as many and nothing contradicts', () => {
		const both = [
			[2, 'Rent', 'paid'],
			[3, 'Water', 'paid'],
		];
		expect(matched([noKey, noKey], withoutKeys).rows).toEqual(both);
		const same = list.map((each) => ({ ...each, paymentKey: 'INV-1' }));
		expect(matched([paid('INV-1'), paid('INV-1')], same).rows).toEqual(both);
		expect(matched([{ error: 'x' }, paid('INV-3')], list).rows[0]).toEqual([2, 'Rent', undefined]);
	});

	test.each<[what: string, results: IDataObject[], rows: IDataObject[]]>([
		['fewer results than rows', [noKey], withoutKeys],
		['more results than rows', [noKey, noKey, noKey], withoutKeys],
		['another key', [paid('INV-8'), paid('INV-9')], list],
		['another amount', [paid('INV-2', { amount: '6' })], list.slice(0, 1)],
		['another currency', [paid('INV-2', { currency: 'USD' })], list.slice(0, 1)],
		['a coin', [paid('INV-2', { currency: null, coin: 'NGN' })], list.slice(0, 1)],
		['another destination', [paid('INV-2', { accountAlias: 'nobody' })], list.slice(0, 1)],
	])('with %s, results stay as they are, and nothing is guessed', (_, results, rows) => {
		expect(matchList(results, rows).items).toEqual(results);
	});

	test('a key that the result does not have is not taken from the row', () => {
		const [item] = matchList([noKey], list.slice(0, 1)).items;
		expect(item).not.toHaveProperty('paymentKey');
		expect(report([item!]).text).toContain('Do NOT start this list again.');
	});

	test('their problems hold the list, and those of the whole list, too', () => {
		const checked = ['INV-2', 'INV-3'].map((key) => result('dryRun', { paymentKey: key, dryRun: true }));
		const found = (rows: IDataObject[], results = checked) =>
			reportList({ ...matchList(results, rows), balances: [NGN] });
		expect(found(list)).toMatchObject({ isGood: true, rows: [{ row: 2, note: 'Rent' }, { row: 3 }] });
		const wrong = [{ ...list[0], problems: ['It is wrong.'] }, list[1]!];
		expect(found(wrong)).toMatchObject({ isGood: false, problems: ['Row 2: It is wrong.'] });
		const whole = [row(0, { problems: ['The file has no rows.'], amount: '', destination: '' }), ...list];
		expect(found(whole)).toMatchObject({ isGood: false, problems: ['The file has no rows.'] });
		const refused = { result: 'notSent', dryRun: true, error: { message: 'No key' } };
		expect(found(whole, [refused, ...checked]).rows).toHaveLength(2);
	});

	test('a row without a result is not checked before the payments, and told after them', () => {
		const dry = result('dryRun', { paymentKey: 'INV-2', dryRun: true });
		const before = reportList({ ...matchList([dry], list), balances: [NGN] });
		expect(before).toMatchObject({
			isGood: false,
			problems: [expect.stringMatching(/^Row 3: .*not checked/)],
		});
		const after = reportList({ ...matchList([paid('INV-2')], list), balances: [NGN] });
		expect(after).toMatchObject({ isGood: false, unknown: 0, rows: [{ row: 2 }] });
		expect(after.subject).toContain('1 other row of the list without a result here');
	});
});

describe('a second approval', () => {
	const sums = (...sum: IDataObject[]) => readSums({ sum });
	const needs = (items: IDataObject[], option = sums({ code: 'ngn', amount: '10' })) =>
		needsSecondApproval(report(items).rows, option);

	test('is needed above the sum of what is left to pay, and not at it', () => {
		expect(needs([row(2), row(3)])).toBe(false);
		expect(needs([row(2), row(3, { amount: '5.0000000000000000001' })])).toBe(true);
		expect(needs([row(2), row(3), merged(4, 'alreadyPaid', { amount: '99' })])).toBe(false);
		expect(needsSecondApproval(report([row(2, { amount: '99' })]).rows, undefined)).toBe(false);
	});

	test.each<[what: string, item: IDataObject]>([
		['a code without a sum', { currency: 'USD' }],
		['no code', { currency: '' }],
		['two codes', { coin: 'USDT' }],
		['no amount', { amount: '' }],
		['an amount that nobody can be sure of', { amount: '1,250' }],
		['an amount below zero', { amount: '-5' }],
	])('is needed with %s', (_, item) => {
		expect(needs([row(2), row(3, item)])).toBe(true);
	});

	test('is needed for all if no sum is set', () => {
		expect(needs([row(2)], readSums({}))).toBe(true);
	});

	test.each<[what: string, option: unknown, message: string]>([
		['nothing', null, 'cannot be read'],
		['a text', 'NGN 5', 'cannot be read'],
		['an odd sum', { sum: [{ code: 'NGN', amount: '1,000' }] }, "The sum '1,000' of 'NGN' cannot be read"],
		['no code', { sum: [{ code: '', amount: '1' }] }, 'cannot be read'],
		['no list', { sum: 5 }, 'cannot be read'],
		['no entry', { sum: [null] }, 'cannot be read'],
		[
			'a code twice',
			{ sum: ['NGN', 'ngn'].map((code) => ({ code, amount: '1' })) },
			"'NGN' has more than one sum",
		],
	])('refuses %s', (_, option, message) => {
		expect(() => readSums(option)).toThrow(message);
	});
});
