/** *Read Decisions*: what a person typed about unknown payments. What is in doubt decides nothing at all, and is named. */
import fc from 'fast-check';

import { readDecisions } from '../../nodes/WalletServiceDesk/list/decisions/readDecisions.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import type { ReportRow } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import { DeskProblem } from '../../nodes/WalletServiceDesk/operation/problem.ts';
import { expectGrowthWith } from './growth.ts';
import { AT } from './reportItems.ts';

const unknown = (paymentKey: string, row?: number, more: Partial<ReportRow> = {}): ReportRow => ({
	paymentKey,
	amount: '1250.50',
	currency: 'NGN',
	destination: 'supplier-main',
	note: 'Rent',
	result: 'unknown',
	message: 'The service gave no answer.',
	problems: [],
	...(row !== undefined && { row, line: row }),
	...more,
});

const PAGE = [
	unknown('INV-1', 2),
	unknown('INV-2', 3),
	unknown('INV-3', 4),
	unknown('INV-4', 5, { result: 'paid' }),
	unknown('INV-5', 6, { mayDecide: 'nextRun' }),
	unknown('', 7),
	unknown('INV-8', 8, { result: undefined, problems: ['The amount is missing.'], amount: '' }),
];

const read = (wasPaid?: string, wasNotPaid?: string, rows: unknown = PAGE) =>
	readDecisions({ rows, wasPaid, wasNotPaid });
const decided = (...given: Parameters<typeof read>) =>
	Object.fromEntries(read(...given).map(({ paymentKey, decision }) => [paymentKey, decision]));

function problemOf(...given: Parameters<typeof read>): DeskProblem {
	try {
		read(...given);
	} catch (error) {
		if (error instanceof DeskProblem) return error;
		throw error;
	}
	throw new Error(`Something was decided: ${JSON.stringify(read(...given))}`);
}

test('each item is the row and the decision of the person, in the order of the page', () => {
	expect(read('INV-3', 'INV-1')).toEqual([
		{ ...PAGE[0], decision: 'wasNotPaid' },
		{ ...PAGE[2], decision: 'wasPaid' },
	]);
	expect(read('INV-3', 'INV-1', JSON.stringify(PAGE))).toEqual(read('INV-3', 'INV-1'));
});

test.each([
	['one key', 'INV-1', ['INV-1']],
	['keys with commas', 'INV-1, INV-3', ['INV-1', 'INV-3']],
	['numbers of rows', '2, 4', ['INV-1', 'INV-3']],
	['keys and numbers', 'INV-1,4', ['INV-1', 'INV-3']],
	['rows as the page writes them', 'Rows 2, 3 and 4', ['INV-1', 'INV-2', 'INV-3']],
	['one row as the page writes it', 'Row 2', ['INV-1']],
	['number signs', '#2; # 4', ['INV-1', 'INV-3']],
	['a row with a number sign', 'row #2', ['INV-1']],
	['semicolons', 'INV-1; INV-3', ['INV-1', 'INV-3']],
	['line breaks', 'INV-1\r\nINV-3\n', ['INV-1', 'INV-3']],
	['the word and', 'INV-1 and INV-3', ['INV-1', 'INV-3']],
	['a comma and the word', 'INV-1, INV-2, and INV-3', ['INV-1', 'INV-2', 'INV-3']],
	['an ampersand', 'INV-1 & INV-3', ['INV-1', 'INV-3']],
	['signs of other keyboards', 'INV-1，INV-2、INV-3', ['INV-1', 'INV-2', 'INV-3']],
	['nothing between two commas', ', INV-1, , INV-3,', ['INV-1', 'INV-3']],
	['capital and small letters', 'inv-1', ['INV-1']],
	['spaces beside a sign', ' INV - 1 ', ['INV-1']],
	['another dash', 'INV–1', ['INV-1']],
	['wide letters and digits', 'ＩＮＶ-１, ４', ['INV-1', 'INV-3']],
	['spaces that do not break', '\u00a0INV-1\u00a0', ['INV-1']],
	['quotes', '"INV-1", “INV-2”, \'INV-3\'', ['INV-1', 'INV-2', 'INV-3']],
	['one payment twice', 'INV-1, inv-1, row 2', ['INV-1']],
])('%s are read', (_, typed, keys) => {
	expect(Object.entries(decided(typed))).toEqual(keys.map((key) => [key, 'wasPaid']));
	expect(Object.entries(decided(undefined, typed))).toEqual(keys.map((key) => [key, 'wasNotPaid']));
});

describe('what is not certain', () => {
	test.each([
		['a key of no payment', 'INV-9', '“INV-9” is neither a Payment Key nor a row of the page.'],
		['a number of no row', '99', '“99” is neither a Payment Key nor a row of the page.'],
		['the place in place of the row', '1', '“1” is neither'],
		['a number with zeros', '02', '“02” is neither'],
		['a row of zero', '0', '“0” is neither'],
		['a negative row', '-2', '“-2” is neither'],
		['a range', '2-4', '“2-4” is neither'],
		['a part of a key', 'INV', '“INV” is neither'],
		['a longer key', 'INV-11', '“INV-11” is neither'],
		['a letter of another script', 'ІNV-1', '“ІNV-1” is neither'],
		['an invisible letter', 'INV\u200b-1', '“INV -1” is neither'],
		['keys with a space between them', 'INV-1 INV-2', '“INV-1 INV-2” is neither'],
		['words', 'all of them', '“all of them” is neither'],
		['none', 'none', '“none” is neither'],
		['a dash', '-', '“-” is neither'],
		['the name of a method', 'constructor', '“constructor” is neither'],
		['a decision', 'wasPaid', '“wasPaid” is neither'],
		['a tag', '<img src=x>', '“‹img src=x›” is neither'],
		['half a tag', '<b', '“‹b” is neither'],
		['an empty pair of quotes', '""', '“""” is neither'],
		['a paid payment', 'INV-4', 'It is known what became of “INV-4”.'],
		['the row of a paid payment', 'row 5', 'It is known what became of “row 5”.'],
		['a payment that was not sent', 'INV-8', 'It is known what became of “INV-8”.'],
		['a payment of a later run', 'INV-5', 'Nobody can decide about “INV-5” now.'],
		['a payment without a key', '7', 'Nobody can decide about “7” now.'],
	])('%s decides nothing at all, and is named', (_, typed, why) => {
		for (const given of [
			[typed, 'INV-1'],
			['INV-1', typed],
			[`INV-2, ${typed}`, 'INV-1'],
			[`${typed}\nINV-2`, undefined],
		] as const) {
			const { message, description } = problemOf(...given);
			expect(message).toMatch(/^Nothing was decided\. /);
			expect(message).toContain(why);
			expect(message).not.toMatch(/“INV-[12]”/);
			expect(description).toContain('Answer again');
		}
	});

	test('all wrong texts are named, each reason once, of many the first ten', () => {
		expect(problemOf('INV-9, INV-4, 99', 'INV-1, INV-5, row 2, inv-77').message).toBe(
			'Nothing was decided. “INV-9”, “99” and “inv-77” are neither a Payment Key nor a row of the page. It is known what became of “INV-4”. Nobody can decide about “INV-5” now.',
		);
		const many = Array.from({ length: 2000 }, (_, index) => `X-${index + 1}`).join(', ');
		expect(many.length).toBeGreaterThan(10_000);
		const { message } = problemOf(many);
		expect(message).toContain('“X-10” and 1990 more are neither');
		expect(problemOf('x'.repeat(10_000)).message.length).toBeLessThan(300);
	});

	test('a payment in both fields decides nothing, in whatever way it stands there', () => {
		for (const [one, other] of [
			['INV-1', 'INV-1'],
			['INV-1', 'row 2'],
			['2', 'inv-1'],
			['INV-2, #2', '"INV-1"'],
		])
			expect(problemOf(one, other).message).toMatch(/^Nothing was decided\. [^.]+ stands? in both fields\.$/);
		expect(problemOf('INV-1, INV-2', 'row 2').message).toContain('“INV-1” and “row 2”');
	});

	test.each([
		[undefined, undefined],
		['', ''],
		[' \n ', undefined],
		[', ;', '\u00a0'],
	])('two fields without a payment (%j, %j) say so', (wasPaid, wasNotPaid) => {
		const { message, description } = problemOf(wasPaid, wasNotPaid);
		expect(message).toBe('Nothing was decided. Both fields are empty.');
		expect(description).toContain('Answer again');
	});

	test('without an unknown payment there is nothing to decide', () => {
		const rows = [unknown('INV-4', 5, { result: 'paid' })];
		expect(read('', undefined, rows)).toEqual([]);
		expect(read('', undefined, [])).toEqual([]);
		expect(problemOf('INV-4', '', rows).message).toContain('It is known what became of “INV-4”.');
	});
});

describe('a text that can mean two payments', () => {
	const rows = [unknown('7', 3), unknown('INV-2', 7), unknown('8', 8), unknown('9', 4, { result: 'paid' })];
	rows.push(unknown('INV-9', 9), unknown('0042', 10), unknown('42', 11));

	test('it decides nothing, and says how to write it', () => {
		for (const typed of ['7', 'INV-9, 7', '9']) {
			const { message } = problemOf(typed, undefined, rows);
			expect(message).toMatch(
				/^Nothing was decided\. “[79]” can mean more than one payment: write “Row 7” for a row, or the Payment Key in quotes\.$/,
			);
		}
	});

	test.each([
		['in quotes, it is the key', '"7"', '7'],
		['with the word, it is the row', 'Row 7', 'INV-2'],
		['with a number sign, it is the row', '#7', 'INV-2'],
		['a key that is the number of its own row', '8', '8'],
		['a row that is the key of a paid one', 'row 9', 'INV-9'],
		['a key with zeros', '0042', '0042'],
		['a key without zeros', '42', '42'],
	])('%s', (_, typed, key) => expect(decided(typed, undefined, rows)).toEqual({ [key]: 'wasPaid' }));

	test('a key may read like a row', () => {
		const odd = [unknown('Row 7', 2), unknown('INV-2', 7), unknown('#2', 4)];
		expect(decided('"row 7"', '7', odd)).toEqual({ 'Row 7': 'wasPaid', 'INV-2': 'wasNotPaid' });
		for (const typed of ['Row 7', '#2']) expect(problemOf(typed, '', odd).message).toContain('can mean');
	});

	test('a number that two rows have', () => {
		const merged = [unknown('A-1', 2), unknown('B-1', 2), unknown('C-1', 3)];
		expect(problemOf('2', '', merged).message).toContain('“2” can mean more than one payment');
		expect(decided('B-1', '3', merged)).toEqual({ 'B-1': 'wasPaid', 'C-1': 'wasNotPaid' });
	});
});

describe('a key with a sign that stands between keys', () => {
	const ofKeys = (...keys: string[]) => keys.map((key, index) => unknown(key, index + 101));

	test.each([
		['a comma', 'ACME, 2026-7'],
		['a comma without a space', 'acme,2026-7'],
		['a semicolon', 'A;7;b'],
		['the word and', 'Smith and Sons 7'],
		['an ampersand', 'Smith & Sons 7'],
		['an ampersand without spaces', 'Smith&Sons 7'],
	])('%s', (_, key) => {
		const rows = ofKeys(key, 'INV-2');
		for (const typed of [key, `"${key}"`, `${key.toUpperCase()}, ${key}`])
			expect(decided(typed, '', rows)).toEqual({ [key]: 'wasPaid' });
		expect(decided(`INV-2, ${key}`, '', rows)).toEqual({ [key]: 'wasPaid', 'INV-2': 'wasPaid' });
		expect(decided(`${key} and INV-2`, '', rows)).toEqual({ [key]: 'wasPaid', 'INV-2': 'wasPaid' });
	});

	test('Smith & Sons is the same key as Smith&Sons', () =>
		expect(decided('Smith & Sons 7', '', ofKeys('Smith&Sons 7'))).toEqual({ 'Smith&Sons 7': 'wasPaid' }));

	test('where a part of it is a key too, nobody knows which is meant, unless it stands in quotes', () => {
		for (const rows of [ofKeys('A1, B2', 'A1'), ofKeys('A1, B2', 'A1', 'B2')]) {
			expect(problemOf('A1, B2', '', rows).message).toContain('“A1, B2” can mean more than one payment');
			expect(decided('"A1, B2"', '', rows)).toEqual({ 'A1, B2': 'wasPaid' });
			expect(decided('"A1"', '', rows)).toEqual({ A1: 'wasPaid' });
		}
	});

	test('the time grows with the commas and spaces of a list', async () => {
		const key = Array.from({ length: 20 }, (_, index) => `a${index}`).join(',');
		await expectGrowthWith(1250, (count) => () => {
			expect(problemOf('a,'.repeat(count / 2), '', ofKeys(key)).message).toContain('“a”');
			expect(problemOf(' '.repeat(count) + 'x', '').message).toContain('“x”');
		});
	});
});

test('one key is one payment, in whatever spelling and however often the page has it', () => {
	const twice = [unknown('INV-1', 2), unknown('inv - 1', 3), unknown('INV-1', 4, { result: 'notSent' })];
	for (const typed of ['INV-1', '2', '3, 4', 'row 2, inv-1'])
		expect(read(typed, '', twice)).toEqual([{ ...twice[0], decision: 'wasPaid' }]);
	expect(problemOf('2', '3', twice).message).toContain('in both fields');
});

test('rows of one key with two amounts are told apart by their numbers, and never decided differently', () => {
	const two = [unknown('INV-1', 2), unknown('INV-1', 3, { amount: '7' })];
	expect(problemOf('INV-1', '', two).message).toContain('can mean more than one payment');
	expect(read('', '3', two)).toEqual([{ ...two[1], decision: 'wasNotPaid' }]);
	expect(problemOf('2', '3', two).message).toContain('in both fields');
	// The same amount in other words is the same payment.
	const same = [unknown('INV-1', 2), unknown('INV-1', 3, { amount: '1250.5', destination: 'Supplier-Main' })];
	expect(read('INV-1', '', same)).toHaveLength(1);
});

test.each<[string, unknown]>([
	['undefined', undefined],
	['no JSON', 'x'],
	['an object', {}],
	['rows without keys', [{ amount: '5' }]],
	['texts', ['INV-1']],
	['a row among others', [...PAGE, { ...PAGE[0], amount: 5 }]],
])('rows that are %s are not those of a report', (_, list) => {
	expect(problemOf('INV-1', '', list ?? null).message).toContain("'Rows of the Report' is not the list");
});

test('a row says neither who has approved it nor what was decided', () => {
	const forged = [
		{ ...PAGE[0], approvedBy: 'Mallory', decision: 'wasNotPaid' },
		{ ...PAGE[1], decision: 'wasNotPaid' },
	];
	expect(read('INV-1', '', forged)).toEqual([{ ...PAGE[0], decision: 'wasPaid' }]);
});

test('what a page shows can be typed back, for any keys, orders and ways to write them', () => {
	const sign = fc.constantFrom('-', ' ', '/', '.', ', ', '; ', ' and ', ' & ', '#', "'", '(', '<');
	const word = fc.constantFrom('INV', 'Acme', 'x', 'row', 'b', '7', '12', '3');
	const key = fc.array(fc.tuple(word, sign), { maxLength: 3 }).map((parts) => `${parts.flat().join('')}9`);
	const item = fc.record({
		result: fc.constantFrom('paid', 'unknown', 'unknown', 'notSent'),
		paymentKey: key,
		amount: fc.integer({ min: 1, max: 9 }).map(String),
		currency: fc.constantFrom('NGN', 'usd'),
		accountAlias: fc.constantFrom('supplier-main', 'landlord'),
		row: fc.integer({ min: 2, max: 30 }),
		problems: fc.constant([]),
	});
	const answers = fc.infiniteStream(
		fc.record({
			field: fc.constantFrom('wasPaid', 'wasNotPaid', 'none'),
			way: fc.constantFrom('key', 'row', 'quoted'),
		}),
	);
	let typedBack = 0;
	fc.assert(
		fc.property(fc.array(item, { maxLength: 8 }), answers, (items, stream) => {
			const { rows } = reportList({ items, balances: [], ...AT });
			const fields: Record<string, string[]> = { wasPaid: [], wasNotPaid: [], none: [] };
			const wanted = new Map<string, string>();
			for (const row of rows.filter(({ result }) => result === 'unknown')) {
				const { field, way } = stream.next().value as { field: string; way: 'key' | 'row' | 'quoted' };
				const texts = { key: row.paymentKey, row: `Row ${row.row}`, quoted: `"${row.paymentKey}"` };
				fields[field]!.push(texts[way]);
				if (field !== 'none') wanted.set(`${row.paymentKey} ${row.amount}`, field);
			}
			let found: ReturnType<typeof read>;
			try {
				found = read(fields.wasPaid!.join(', '), fields.wasNotPaid!.join('\n'), rows);
			} catch (error) {
				// In doubt, nothing is decided.
				expect(error).toBeInstanceOf(DeskProblem);
				return;
			}
			for (const { paymentKey, amount, decision } of found)
				expect([paymentKey, wanted.get(`${paymentKey} ${amount}`)]).toEqual([paymentKey, decision]);
			if (found.length > 0) typedBack += 1;
		}),
		{ numRuns: 2000 },
	);
	expect(typedBack).toBeGreaterThan(300);
});

test('a key that may be a range of rows is neither', () => {
	const rows = [unknown('INV-1', 2), unknown('2-4', 3), unknown('INV-3', 4), unknown('7-9', 5)];
	for (const typed of ['2-4', '2\u20134', '2 - 4', 'rows 2-4'])
		expect(problemOf(typed, '', rows).message).toMatch(
			/can mean more than one payment|neither a Payment Key/,
		);
	expect(problemOf('2-4', '', rows).message).toContain('“2-4” can mean more than one payment');
	expect(decided('"2-4", 7-9', '', rows)).toEqual({ '2-4': 'wasPaid', '7-9': 'wasPaid' });
});

test('rows as JSON text in which a name stands twice decide nothing', () => {
	const text = JSON.stringify([unknown('INV-1', 2)]).replace('"amount"', '"amount":"9","amount"');
	expect(problemOf('INV-1', '', text).message).toContain("'Rows of the Report' is not the list");
});
