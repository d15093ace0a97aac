/** Payout List: Read of items: the rows of another node, and a list that an expression gives. */
import fc from 'fast-check';
import type { ListRow } from '../../nodes/WalletServiceDesk/list/listRow.ts';
import { withDestinations } from '../../nodes/WalletServiceDesk/list/read/destinations.ts';
import { readFile, readGiven, readItems } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { ACCOUNTS, encoded, itemsOf, sheets, WALLETS, write } from './deskFiles.ts';
import { csv, DEBIT, read, said, SETTINGS, TOTAL } from './readLists.ts';
import { AT } from './reportItems.ts';

describe('the items of another node', () => {
	const item = (more: object = {}) => ({
		'Payment Key': 'A-1',
		Amount: 1250.5,
		Currency: 'ngn',
		Destination: 'supplier',
		...more,
	});
	const readAll = (...items: object[]) => readItems(items as never, SETTINGS);

	test('are rows from row 2 on, empty ones counted, unless they have the number of Google Sheets', () => {
		const empty = { 'Payment Key': '', Amount: null, id: 7, createdAt: '2026-01-01', row_number: 3 };
		const rows = readAll(
			item(),
			empty,
			item({ 'Payment Key': 42, Amount: 7 }),
			item({ row_number: 9, Amount: 8, 'Payment Key': 'B' }),
		);
		const payment = { currency: 'NGN', destination: 'supplier', note: '', again: false, problems: [] };
		expect(rows).toEqual([
			{ row: 2, line: 2, paymentKey: 'A-1', amount: '1250.5', ...payment },
			{ row: 4, line: 4, paymentKey: '42', amount: '7', ...payment },
			{ row: 9, line: 9, paymentKey: 'B', amount: '8', ...payment },
		]);
	});

	test('with nothing but check boxes are empty rows', () => {
		const boxes = {
			'Payment Key': false,
			Amount: null,
			Currency: '',
			Destination: '',
			Again: false,
			Done: true,
		};
		expect(readAll(item(), boxes, item({ 'Payment Key': 'B', Amount: 7, Again: true }))).toMatchObject([
			{ row: 2, again: false, problems: [] },
			{ row: 4, again: true, problems: [] },
		]);
	});

	test('keep what has no meaning, and a row that has nothing else is not empty', () => {
		const rows = readAll(item({ Note: 'June', batch: 7, when: new Date(0), list: [1], no: null }), {
			batch: 8,
		});
		expect(rows[0]).toMatchObject({
			note: 'June',
			extra: { batch: '7', when: '1970-01-01T00:00:00.000Z', list: '[1]' },
		});
		expect(rows[1]!.problems).toHaveLength(4);
	});

	test.each<[string, object, string]>([
		...[0.1 + 0.2, 2 ** 63, 1234567890.1234567, NaN, Infinity].map((Amount): [string, object, string] => [
			String(Amount),
			{ Amount },
			`The amount came as the number ${Amount}, which may have lost digits. Format this column as text in the spreadsheet, and enter the value again.`,
		]),
		[
			'a key with more digits than a number has',
			{ 'Payment Key': 2 ** 63 },
			'The payment key came as the number 9223372036854776000, which may have lost digits. Format this column as text in the spreadsheet, and enter the value again.',
		],
		['a negative number', { Amount: -5 }, DEBIT.replace('…', '-5')],
		['zero', { Amount: 0 }, 'The amount 0 is zero. Enter the amount, or remove the row.'],
		[
			'an ambiguous text',
			{ Amount: '750.000' },
			'The amount 750.000 can be 750000 or 750. Write 750000 or 750.',
		],
		['a check box as an amount', { Amount: true }, 'The amount is missing. Enter it.'],
		['a check box as a key', { 'Payment Key': false }, 'The payment key is missing. Enter it.'],
		[
			'a date as a key',
			{ 'Payment Key': new Date(0) },
			'The payment key is the date 1970-01-01T00:00:00.000Z. Format this column as text in the spreadsheet, and enter the value again.',
		],
		[
			'a list as a destination',
			{ Destination: ['supplier'] },
			'The destination is a list or an object. Give the node rows whose values are texts or numbers.',
		],
		[
			'a check box that says paid',
			{ Paid: true },
			'The column Paid says true, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.',
		],
		['a total', { 'Payment Key': 'TOTAL', Amount: 99, Destination: '' }, TOTAL],
	])('with %s are refused', (_, more, problem) => {
		expect(said(readAll(item(more)))).toEqual([`Row 2: ${problem}`]);
	});

	test.each<[unknown, string]>([
		[750.125, '750.125'],
		[1e-7, '0.0000001'],
		[999999999999999, '999999999999999'],
		[12345678901.25, '12345678901.25'],
		[' 1250.50 ', '1250.50'],
		[10n, '10'],
	])('have the amount %p as %s', (Amount, amount) => {
		expect(readAll(item({ Amount, Currency: '', Coin: 'BTC' }))).toMatchObject([{ amount, problems: [] }]);
	});

	test.each<[string, object[], string]>([
		['no items', [], 'No rows have arrived. Connect a node that gives one item for each row of the list.'],
		[
			'items without fields',
			[{}, {}],
			'The items have no fields. Connect a node that gives one item for each row of the list.',
		],
		[
			'empty rows only',
			[{ ...item(), 'Payment Key': '', Amount: '', Currency: '', Destination: '' }],
			'The list has no row below the names of the columns. Add the payouts.',
		],
		[
			'items that are no rows',
			[{ data: 'A-1,5' }],
			'The list has no column paymentKey, no column amount and no column destination. Its columns are data. In the node, write the names of the right ones into the options Payment Key Column, Amount Column and Destination Column, or rename them in the list. A payment key is a text that only one payment has, such as the supplier, and the number and year of the invoice. A destination is the alias of an account or wallet. No column says the currency or coin either: name it, too, or add the option Currency of All Rows or Coin of All Rows.',
		],
		[
			'an amount under two names',
			[item({ amount: 5 })],
			'The list has the column Amount twice. Remove one of the two, or give it another name.',
		],
		[
			'an amount twice, as Extract from File names the second one',
			[item({ Amount_1: 5 })],
			'The list has the column Amount twice. Remove one of the two, or give it another name.',
		],
		[
			'an amount twice, of which the first is empty in the first row',
			[item({ Amount: undefined, Amount_1: 5 }), item()],
			'The list has the column Amount twice. Remove one of the two, or give it another name.',
		],
		[
			'too many rows',
			Array.from({ length: 50_001 }, () => item()),
			'The list has more than 50,000 rows, and one list can have no more. Split it.',
		],
	])('are refused as a whole: %s', (_, items, problem) => {
		expect(readAll(...items).map(({ row, problems }) => ({ row, problems }))).toEqual([
			{ row: 0, problems: [problem] },
		]);
	});

	test('may have fields that are names of JavaScript', () => {
		const hostile = JSON.parse(
			'{"Payment Key":"A","Amount":5,"Currency":"NGN","Destination":"s","__proto__":"p"}',
		) as object;
		const [row] = readAll(hostile);
		expect(Object.entries(row!.extra!)).toEqual([['__proto__', 'p']]);
		expect(row!.problems).toEqual([]);
	});
});

describe('a list that an expression gives', () => {
	const LISTS = { accounts: { records: ACCOUNTS }, wallets: { records: WALLETS } };
	const checked = (rows: ListRow[]) => withDestinations(rows, LISTS);
	const again = (rows: unknown, settings = SETTINGS) => checked(readGiven(rows, settings));
	const GIVEN = { paymentKey: 'A-1', amount: '10.50', currency: 'NGN', destination: 'supplier-main' };

	test.each<[what: string, list: unknown]>([
		['a list', [GIVEN]],
		['its JSON text', JSON.stringify([GIVEN])],
		["n8n's items", [{ json: GIVEN, pairedItem: { item: 0 } }]],
		['empty fields', [{ ...GIVEN, coin: null, again: null, problems: null, row: null, note: undefined }]],
	])('rows of a stranger, as %s, are read as items are', (_, list) => {
		expect(again(list)).toEqual(checked(readItems([GIVEN], SETTINGS)));
	});

	test('the digits of a number in JSON text are not rounded', () => {
		const text =
			'[{"paymentKey":"A-1","amount":0.12345678901234567890123,"coin":"BTC","destination":"@desk"}]';
		expect(again(text)).toMatchObject([{ amount: '0.12345678901234567890123', problems: [] }]);
	});

	test.each<[what: string, list: unknown, said: string]>([
		['nothing', undefined, 'No list has arrived.'],
		['an empty text', '', 'No list has arrived.'],
		['a text that is no JSON', 'A-1, 10.50, NGN', 'The list cannot be read.'],
		['one row', GIVEN, 'The list cannot be read.'],
		['a number', 5, 'The list cannot be read.'],
		['a text with too many levels', '['.repeat(100_000), 'The list cannot be read.'],
		[
			'a name twice in a row',
			JSON.stringify([GIVEN]).replace('"amount"', '"amount":"1","amount"'),
			'A row of the list has a name twice',
		],
		['an empty list', '[]', 'The list is empty.'],
		['a list of nothing', [GIVEN, null], 'Entry 2 of the list is no row.'],
		['lists within it', [[GIVEN]], 'Entry 1 of the list is no row.'],
		['texts', ['A-1'], 'Entry 1 of the list is no row.'],
		['rows without columns', [{}], 'The items have no fields.'],
		[
			'rows of two kinds',
			[GIVEN, { ...GIVEN, row: 3, problems: [] }],
			'Some rows of the list were read before',
		],
		['too many rows', Array(50_001).fill({ ...GIVEN, problems: [] }), 'The list has more than 50,000 rows'],
	])('%s is one clear message', (_, list, message) => {
		expect(again(list)).toMatchObject([{ row: 0, problems: [expect.stringContaining(message)] }]);
		expect(again(list)).toHaveLength(1);
	});

	test('a row that was read before is no stranger, whatever stands beside it', () => {
		const [row] = checked(read(csv('A-1,1.5,NGN,,supplier-main')));
		const [paid] = again([
			{
				...row,
				result: 'unknown',
				message: 'No answer.',
				status: 'pending',
				payoutId: 'po_1',
				dryRun: true,
				error: { message: 'x' },
				askedBy: 'ada@example.com',
				coin: null,
				approvedBy: null,
				approvalsNeeded: '',
				decision: null,
			},
		]);
		expect(paid).toEqual(row);
	});

	test.each([
		['approvedBy', 'Ada Obi'],
		['approvalsNeeded', 1],
		['decision', 'wasPaid'],
	])('%s in a row is a problem, and is not handed on, whoever wrote it', (name, value) => {
		const plain = { ...GIVEN, destination: 'supplier-main', [name]: value };
		for (const given of [plain, { ...plain, problems: [] }]) {
			const [row, ...others] = again([given]);
			expect(others).toEqual([]);
			expect(row!.problems).toEqual([
				`A list cannot say who has approved it, or what was found out about a payment. Remove the column ${name}, or give it another name.`,
			]);
			expect(row).not.toHaveProperty(name);
			expect(row).not.toHaveProperty('extra');
		}
	});

	test('a row keeps its number and its problems, and is judged again', () => {
		const row = { ...GIVEN, row: 7, line: 9, destinationDetails: 'Not from the service' };
		const kept = { ...row, note: '', again: false };
		const found = [
			'A problem of before.',
			'No settlement account has the alias nobody. Enter the alias as the service has it.',
		];
		expect(again([{ ...row, destination: 'nobody', problems: ['A problem of before.'] }])).toEqual([
			{ row: 7, line: 9, ...GIVEN, destination: 'nobody', note: '', again: false, problems: found },
		]);
		expect(again([{ ...row, problems: [], amount: '1,250' }])).toMatchObject([
			{ row: 7, line: 9, problems: [expect.stringContaining('1,250'), expect.stringContaining('was shown')] },
		]);
		expect(again([{ ...GIVEN, problems: [null] }])).toMatchObject([
			{ problems: [expect.stringMatching(/./)] },
		]);
		// Without a look at the service, nothing new is known.
		expect(readGiven([{ ...row, problems: [] }], SETTINGS)).toEqual([{ ...kept, problems: [] }]);
		const twice = [7, 8].map((number) => ({ ...GIVEN, row: number, problems: [] }));
		expect(said(again(twice))).toHaveLength(2);
	});

	const codesAndNumbers = fc.oneof(
		sheets.map((sheet) => checked(readFile(encoded(write(sheet).text, sheet.encoding), sheet.settings))),
		sheets.map((sheet) => checked(readItems(itemsOf(sheet), sheet.settings))),
		fc
			.array(
				fc.record(
					{
						paymentKey: fc.constantFrom('A-1', 'a-1', '07', '7', 'TOTAL', ' A-2 ', '', 12, { a: 1 }, null),
						amount: fc.constantFrom('5', 5, 1.125, '1.125', '1,250', 1e-7, 1e22, 0.1 + 0.2, '', null, '-5'),
						currency: fc.constantFrom('NGN', 'ngn', '', 'N\u200bGN', null, '#N/A'),
						coin: fc.constantFrom('', 'USDT', null),
						destination: fc.constantFrom('supplier-main', 'supplier-new', 'nobody', '', 'treasury'),
						again: fc.constantFrom('yes', 'maybe', true, '', null),
						note: fc.constantFrom('', 'Total', ' a ', 5, null),
						Purpose: fc.constantFrom('', 'Total', 'x', 3),
						row_number: fc.constantFrom(2, 17, null),
					},
					{ requiredKeys: ['paymentKey', 'amount', 'currency', 'destination'] },
				),
				{ maxLength: 6 },
			)
			.map((items) => checked(readItems(items as never, SETTINGS))),
	);

	test('the rows of Read come back as they were, and those of Report are the same payments', () => {
		fc.assert(
			fc.property(codesAndNumbers, fc.boolean(), (rows, asText) => {
				expect(again(asText ? JSON.stringify(rows) : rows)).toEqual(rows);
				expect(again(rows.map((json) => ({ json, pairedItem: { item: 0 } })))).toEqual(rows);
				const { rows: reported } = reportList({ items: rows as never, balances: [], ...AT });
				const payments = ({
					paymentKey,
					amount,
					currency,
					coin,
					destination,
					row,
					line,
					note,
					again: meant,
				}: ListRow) => ({ paymentKey, amount, currency, coin, destination, row, line, note, meant });
				const listed = rows.filter(({ row }) => row !== 0);
				const asked = again(reported).filter(({ row }) => row !== 0);
				expect(asked.map(payments)).toEqual(listed.map(payments));
				for (const [index, { problems }] of listed.entries())
					expect(asked[index]!.problems).toEqual(expect.arrayContaining(problems));
			}),
			{ numRuns: 400 },
		);
	});
});
