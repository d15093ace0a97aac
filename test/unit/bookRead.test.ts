/** The rows of the book as n8n or a person gives them, and the assets that they name. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { utcTime } from '../../nodes/WalletServiceDesk/book/bookTime.ts';
import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import { assetsOf } from '../../nodes/WalletServiceDesk/book/reconcile/assets.ts';
import { BOOK_COLUMNS, readRows, rowToInsert } from '../../nodes/WalletServiceDesk/book/row.ts';
import { cryptoPayout, day, opening, payout, row, typed, update } from './bookRows.ts';
import type { Cells } from './bookRows.ts';

describe('rows of a Data Table', () => {
	/** As n8n gives it: null for an empty cell, and three columns of its own. */
	const item = (columns: object = {}): Record<string, unknown> & { createdAt: string } => ({
		id: 1,
		createdAt: '2026-01-05T08:00:00.000Z',
		updatedAt: '2026-01-05T09:00:00.000Z',
		...Object.fromEntries(BOOK_COLUMNS.map((column) => [column, null])),
		key: 'INV-7',
		kind: 'fiat payout',
		time: '2026-01-02T07:00:00.000Z',
		asset: 'NGN',
		amount: '-40',
		counterpart: 'supplier-main',
		reference: 'po_7',
		result: 'paid',
		status: 'pending',
		...columns,
	});
	const read = (...items: object[]) => readRows(items as IDataObject[]);
	const readOne = (columns: object) => read(item(columns));

	test('a row is read as it stands, and an empty cell is an empty text', () => {
		expect(read(item())).toEqual({
			rows: [
				{
					...rowToInsert({
						key: 'INV-7',
						kind: 'fiat payout',
						time: '2026-01-02T07:00:00.000Z',
						asset: 'NGN',
						amount: '-40',
						counterpart: 'supplier-main',
						reference: 'po_7',
						result: 'paid',
						status: 'pending',
					}),
					id: '1',
					place: 1,
					workflowId: '',
					run: '',
					odd: [],
					written: '2026-01-05T08:00:00.000Z',
				},
			],
			notes: [],
			missingColumns: [],
		});
	});

	test('rows of people that nothing tells apart are one, and are named', () => {
		const typedRow = (columns: object) => ({
			kind: 'correction',
			asset: 'NGN',
			amount: '-50',
			time: '2026-01-02',
			...columns,
		});
		const all = Object.fromEntries(BOOK_COLUMNS.map((column) => [column, '']));
		const twice = (columns: object) => [1, 2].map(() => ({ ...all, ...typedRow(columns) }));
		const { rows, notes } = read(...twice({}));
		expect(rows).toHaveLength(1);
		expect(notes).toEqual([
			'1 row that a person wrote is equal to another one in each cell, and counts with it as one: row 2. If more were meant, change the message of one.',
		]);
		// An event comes twice, and a row of a payment says the same twice.
		expect(read(...twice({ workflow: 'wf1 x' })).notes).toEqual([]);
		expect(read(...twice({ kind: 'fiat payout', key: 'A', result: 'paid' })).notes).toEqual([]);
		expect(read(...twice({}).map((each, index) => ({ ...each, id: index }))).rows).toHaveLength(2);
	});

	test('other case and spaces are read', () => {
		const written = { kind: ' Fiat  Payout', result: 'Already paid ', asset: ' ngn', status: ' Successful ' };
		expect(readOne({ ...written, key: ' INV-7 ', feeAsset: 'usdt', fee: ' 0.50' })).toMatchObject({
			rows: [
				{
					key: 'INV-7',
					kind: 'fiat payout',
					result: 'alreadyPaid',
					asset: 'NGN',
					status: 'successful',
					feeAsset: 'USDT',
					fee: '0.50',
				},
			],
			notes: [],
		});
		for (const underWay of ['under way', 'Under Way', 'underWay', 'under_way'])
			expect(readOne({ result: underWay }).rows[0]!.result).toBe('under way');
	});

	test.each([
		['-40', '-40'],
		['40', '-40'],
		['\u221240.50', '-40.50'],
		['+40', '-40'],
		['-4e1', '-40'],
		[-40.5, '-40.5'],
	])('a payout of %j goes out, with or without its minus', (amount, read) => {
		expect(readOne({ amount })).toMatchObject({ rows: [{ amount: read }], notes: [] });
	});

	test('money that comes in keeps its sign', () => {
		expect(readOne({ kind: 'deposit', amount: '40' }).rows[0]!.amount).toBe('40');
		expect(readOne({ kind: 'conversion', amount: '154000' }).rows[0]!.amount).toBe('154000');
		expect(readOne({ kind: 'admin debit', amount: '5' }).rows[0]!.amount).toBe('-5');
	});

	test('a time may have any offset, or none, or be missing', () => {
		for (const [time, read] of [
			['2026-01-02T08:00:00+01:00', '2026-01-02T07:00:00.000Z'],
			['2026-01-02', '2026-01-02T00:00:00.000Z'],
			['2026-01-02 07:30', '2026-01-02T07:30:00.000Z'],
			['1767337200', '2026-01-02T07:00:00.000Z'],
			[new Date('2026-01-02T07:00:00Z'), '2026-01-02T07:00:00.000Z'],
			[null, '2026-01-05T08:00:00.000Z'],
		])
			expect(readOne({ time })).toMatchObject({ rows: [{ time: read }], notes: [] });
		expect(readOne({ time: null, createdAt: new Date('2026-01-05T08:00:00Z') }).rows[0]!.time).toBe(
			'2026-01-05T08:00:00.000Z',
		);
		for (const text of ['02/01/2026', 'yesterday', '9'.repeat(99)]) expect(utcTime(text)).toBe('');
	});

	test.each([
		['kind', 'payot', 'a kind that the book does not know'],
		['result', 'wasPaid', 'a result that the book does not know'],
		['amount', '1,250.50', 'an amount that cannot be read'],
		['fee', '0.5 USDT', 'a fee that cannot be read'],
		['time', '02/01/2026', 'a time that cannot be read'],
		['asset', null, 'no currency or coin'],
	])('an odd %s is named with its row, and the row stays', (column, value, says) => {
		const { rows, notes } = readOne({ [column]: value });
		expect(rows).toHaveLength(1);
		expect(notes).toEqual([expect.stringContaining(says)]);
		expect(notes[0]).toContain('INV-7');
		if (value !== null) expect(notes[0]).toContain(value);
	});

	test('one note tells of many rows, and no cell fills it', () => {
		const items = Array.from({ length: 500 }, (_, index) =>
			item({ key: `K-${index}`, kind: `${'x'.repeat(100_000)}\n<b>${index}` }),
		);
		const { rows, notes } = read(...items);
		expect([rows.length, notes.length]).toEqual([500, 1]);
		expect(notes[0]).toMatch(/^500 rows of the book have a kind .* and 497 more/);
		expect(notes[0]!.length).toBeLessThan(600);
		expect(notes[0]).not.toContain('\n');
	});

	test('columns that are missing or written in another way are named or read', () => {
		const { fee, ...withoutFee } = item();
		expect(fee).toBeNull();
		const missing = read(withoutFee);
		expect(missing.missingColumns).toEqual(['fee']);
		const { amount, txHash, ...others } = item({ txHash: '0xabc' });
		expect(amount).toBe('-40');
		const renamed = read({ ...others, 'Amount ': '-40', 'TX hash': txHash });
		expect(renamed).toMatchObject({ rows: [{ amount: '-40', txHash: '0xabc' }], missingColumns: [] });
	});

	test('items that are no rows are named, and the item in place of no row is not', () => {
		expect(read({})).toEqual({ rows: [], notes: [], missingColumns: [] });
		expect(read()).toEqual({ rows: [], notes: [], missingColumns: [] });
		const { rows, notes } = read({ error: 'not found' }, item(), { subject: 'x' });
		expect(rows).toHaveLength(1);
		expect(notes).toEqual([expect.stringContaining('2 items are no rows of the book')]);
	});

	test('whatever stands in an item, it is read without an error, and each row stays', () => {
		const names = fc.constantFrom(...BOOK_COLUMNS, '__proto__', 'constructor', 'Amount', 'toString');
		const value = fc.oneof(fc.string(), fc.constant(null), fc.double(), fc.boolean(), fc.object(), fc.date());
		fc.assert(
			fc.property(fc.array(fc.dictionary(names, value), { maxLength: 5 }), (drawn) => {
				const items = drawn.map((each, id) => ({ ...each, id }));
				const { rows, notes } = read(...items);
				const noRows = /^(\d+) items? (?:is|are) no/.exec(
					notes.find((note) => / no rows? of/.test(note)) ?? '',
				);
				expect(rows.length + Number(noRows?.[1] ?? 0)).toBe(items.length);
				for (const each of rows)
					for (const column of BOOK_COLUMNS) expect(typeof each[column]).toBe('string');
			}),
		);
	});

	test('a row is read once if it is the same row of the table, or equal in each cell', () => {
		expect(read(item(), item(), item({ id: 2 })).rows.map(({ id }) => id)).toEqual(['1', '2']);
		expect(read(typed({ key: 'a' }), typed({ key: 'a' }), typed({ key: 'b' })).rows).toHaveLength(2);
	});

	test('who wrote a row: the execution of a workflow, whose name may change, or a person', () => {
		const writer = (workflow: string, execution: string) => {
			const [read] = readOne({ workflow, execution }).rows;
			return [read!.workflowId, read!.run];
		};
		expect(writer('wf1 Part: pay once', '12')).toEqual(['wf1', 'wf1 12']);
		expect(writer('wf1 Pay', '12')).toEqual(['wf1', 'wf1 12']);
		expect(writer('', '')).toEqual(['', '']);
	});
});

describe('the assets of the book', () => {
	const assets = (items: IDataObject[], ...named: Array<{ code: string; isFiat: boolean }>) => {
		const { assets: all, both } = assetsOf(fold(readRows(items).rows, day(30)), named);
		return [...all.map(({ code, isFiat }) => `${code} ${isFiat ? 'fiat' : 'crypto'}`), ...both];
	};
	const funding = (asset: string, cells: Cells = {}) =>
		row({ kind: 'admin credit', asset, amount: '1', time: day(1), status: 'successful', ...cells });

	test('kinds say which are currencies, and payments that were not made say nothing', () => {
		const refused = payout('C', '1', day(1), { asset: 'NAIRA', result: 'rejected' });
		expect(assets([...payout('A', '1', day(1)), ...cryptoPayout('B', '1', day(1)), ...refused])).toEqual([
			'NGN fiat',
			'USDT crypto',
		]);
	});

	test('an asset of no such kind is a currency if its code is one, and fees have assets too', () => {
		const fee = update('po_1', '5', day(1), { feeAsset: 'TRX' });
		expect(assets([funding('USD'), funding('XRP'), fee])).toEqual([
			'TRX crypto',
			'USD fiat',
			'USDT crypto',
			'XRP crypto',
		]);
	});

	test('details, an opening and the settings say it, too', () => {
		expect(assets([funding('ABC', { details: 'fiat' })])).toEqual(['ABC fiat']);
		expect(assets([opening('ABC', '5', day(0), { details: 'fiat' })])).toEqual(['ABC fiat']);
		expect(assets([funding('USD')], { code: 'USD', isFiat: false }, { code: 'KES', isFiat: true })).toEqual([
			'KES fiat',
			'USD crypto',
		]);
	});

	test('a code that is a currency in one row and a coin in another is refused', () => {
		const coin = cryptoPayout('B', '1', day(1), { asset: 'NGN' });
		expect(assets([...payout('A', '1', day(1)), ...coin])).toEqual(['NGN']);
	});
});
