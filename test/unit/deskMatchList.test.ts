/** *Payout List: Report*: which row of the list belongs to which result. */
import type { IDataObject } from 'n8n-workflow';

import { matchList } from '../../nodes/WalletServiceDesk/list/report/matchList.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { AT, NGN, report, result, row } from './reportItems.ts';

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
		expect(matched([paid('inv–3', { accountAlias: 'Supplier-Main' }), paid('INV-2')], list)).toEqual({
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
		expect(report([item!]).text).toContain('Do NOT hand in this list again.');
	});

	test('their problems hold the list, and those of the whole list, too', () => {
		const checked = ['INV-2', 'INV-3'].map((key) => result('dryRun', { paymentKey: key, dryRun: true }));
		const found = (rows: IDataObject[], results = checked) =>
			reportList({ ...matchList(results, rows), balances: [NGN], ...AT });
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
		const before = reportList({ ...matchList([dry], list), balances: [NGN], ...AT });
		expect(before).toMatchObject({
			isGood: false,
			problems: [expect.stringMatching(/^Row 3: .*not checked/)],
		});
		const after = reportList({ ...matchList([paid('INV-2')], list), balances: [NGN], ...AT });
		expect(after).toMatchObject({ isGood: false, unknown: 0, rows: [{ row: 2 }] });
		expect(after.subject).toContain('no result here for 1 other row of the list');
	});

	test('of which an earlier report has a result keep it, in the order of the list, if a payment was decided since', () => {
		const unknown = { message: 'The service gave no answer', outcome: 'unknown' };
		const first = reportList({
			...matchList(
				[paid('INV-2'), result('unknown', { paymentKey: 'INV-3', error: unknown }), paid('INV-4')],
				[...list, row(4)],
			),
			balances: [NGN],
			...AT,
		});
		expect(first.subject).toBe('2 of 3 payouts paid: 10.00 NGN, 1 NOT KNOWN');
		const decided = result('alreadyPaid', {
			paymentKey: 'INV-3',
			decision: 'wasPaid',
			approvedBy: 'Ada Obi',
		});
		const rows = first.rows.map((each) => ({ ...each }));
		const second = reportList({ ...matchList([decided], rows), balances: [NGN], ...AT });
		expect(second).toMatchObject({
			isGood: true,
			unknown: 0,
			totals: [{ count: 3, total: '15' }],
			subject: 'All 3 payouts are paid: 15.00 NGN. INV-3: paid, as Ada Obi found',
			rows: [{ row: 2 }, { row: 3, foundBy: 'Ada Obi', note: 'Water' }, { row: 4 }],
		});
		expect(second.text).toContain('- Row 3: 5.00 NGN to supplier-main (GTBank). Paid, as Ada Obi found.');
		expect(second.text).not.toContain('paid before');
		// A report of that report says the same.
		expect(reportList({ items: second.rows as never[], balances: [NGN], ...AT }).subject).toBe(
			second.subject,
		);
		// A dry run says nothing of rows that it does not have.
		const dry = result('dryRun', { paymentKey: 'INV-3', dryRun: true });
		expect(reportList({ ...matchList([dry], rows), balances: [NGN], ...AT }).isGood).toBe(false);
	});
});
