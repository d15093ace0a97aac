/** Pages, mails and files of the desk: no text of a list is more than text there. */
import fc from 'fast-check';

import { bars, heading, lines, paragraph, table } from '../../nodes/WalletServiceDesk/page/blocks.ts';
import { csvFile } from '../../nodes/WalletServiceDesk/page/csvFile.ts';
import { escapeHtml, toHtml } from '../../nodes/WalletServiceDesk/page/html.ts';
import { toPlainText } from '../../nodes/WalletServiceDesk/page/plainText.ts';
import { moneyOf } from '../../nodes/WalletServiceDesk/values/money.ts';
import { enumerated, readableAmount, shortLine } from '../../nodes/shared/text.ts';

test.each([
	['12345.6789', '12,345.6789'],
	['900000000000000000.35', '900,000,000,000,000,000.35'],
	['-1234567.5', '-1,234,567.5'],
	['1320.50', '1,320.50'],
	['999', '999'],
])('the amount %j is shown as %j', (amount, shown) => expect(readableAmount(amount)).toBe(shown));

test.each([
	[[], ''],
	[['3'], '3'],
	[['3', '7', '12'], '3, 7 and 12'],
	[Array.from({ length: 13 }, (_, index) => String(index)), '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more'],
])('%j are enumerated as %j', (words, text) => expect(enumerated(words)).toBe(text));

test('a long text is cut at whole characters', () => {
	expect(shortLine('abcdef', 5)).toBe('abcd…');
	expect(shortLine('abcde', 5)).toBe('abcde');
	expect(shortLine('😀'.repeat(5), 5)).toBe('😀'.repeat(5));
	expect(shortLine('😀'.repeat(6), 5)).toBe(`${'😀'.repeat(4)}…`);
	expect(shortLine(' a\u202e\n b ', 5)).toBe('a b');
});

const page = (text: string) => [
	heading(text),
	paragraph(text),
	lines([text, text]),
	table([text, text], [{ cells: [[text, text], [text]], inWords: text }]),
	bars([{ label: text, percent: 50, value: text, isMarked: true, inWords: text }]),
];

/** What a page has without its own tags. */
function textsOf(html: string): string {
	return html.replaceAll(
		/<\/?(?:div|h2|p|ul|li|table|tr|td|b|pre|br\/)(?: (?:style|colspan)="[^"<>]*")*>/g,
		'',
	);
}

test('no text adds a tag, an attribute, an entity, a line or an expression of n8n', () => {
	const text = '<img src=x onerror="a()">&lt;{{ $json }}\\n$&`\'\nRow 2: \u202epaid';
	const html = toHtml(page(text));
	expect(textsOf(html)).not.toMatch(/[<>"'`{}\\$\n\u202e]/);
	expect(textsOf(html).replaceAll(/&#\d+;/g, '')).not.toContain('&');
	expect(escapeHtml('a<b')).toBe('a&#60;b');
	const plain = toPlainText(page('a\nb'));
	expect(plain).toBe(['a b', 'a b', '- a b', '- a b', '- a b', '- a b'].join('\n'));
});

test('any text stands on the page as it is, and adds nothing to it', () => {
	const tags = (html: string) => html.match(/<[^>]*>/g)?.filter((tag) => tag !== '<br/>').length;
	// A long key has a line of its own.
	const expected = ['a', 'x'.repeat(36)].map((text) => tags(toHtml(page(text))));
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
			const html = toHtml(page(text));
			expect(expected).toContain(tags(html));
			expect(textsOf(html)).not.toMatch(/[<>{}\\$]/);
			expect(toPlainText(page(text)).split('\n')).toHaveLength(6);
		}),
		{ numRuns: 500 },
	);
});

test('lines of a cell stay lines where n8n replaces a plain br by a line feed', () => {
	const html = toHtml([table(['a'], [{ cells: [['5 NGN', 'to a']], inWords: '' }])]);
	expect(html.replace(/<br>/g, '\n')).toContain('5&#160;NGN<br/>to a');
});

test('a long word is broken where n8n shows no style, and an amount is not', () => {
	const word = 'x'.repeat(5000);
	const longest = (html: string) => Math.max(...html.split(/<[^>]*>| /).map(({ length }) => length));
	expect(longest(toHtml([table(['a'], [{ cells: [[word]], inWords: '' }])]))).toBe(20);
	expect(toHtml([table(['a'], [{ cells: [['0.123456789012345678 ETH']], inWords: '' }])])).toContain(
		'0.123456789012345678&#160;ETH',
	);
	// A browser breaks these by itself.
	expect(toHtml([paragraph(`${'abcdefgh-'.repeat(9)}z`)])).toContain(`${'abcdefgh-'.repeat(9)}z`);
});

test('a key stands in one line, although it has hyphens, and a longer one is broken', () => {
	const shown = (key: string) => toHtml([table(['a'], [{ cells: [['2', key]], inWords: '' }])]);
	expect(shown('INV-2026-1003')).toMatch(/<pre[^>]*>2<br\/>INV-2026-1003<\/pre>/);
	expect(shown('SUPPLIER-2026-001003')).not.toContain('<pre');
	expect(shown('INV-2026 1003')).not.toContain('<pre');
});

test('a key that is too long for its column has a line of its own, over the whole width', () => {
	const shown = (key: string) =>
		toHtml([
			table(
				['a', 'b'],
				[
					{
						cells: [
							['2', key],
							['10 NGN', 'to supplier-main'],
						],
						inWords: '',
					},
				],
			),
		]);
	const ownLine = (key: string) =>
		new RegExp(`<td colspan="3"><pre[^>]*>2<br/>${key}</pre></td></tr><tr[^>]*><td>`);
	for (const key of ['ACME-INVOICE-2026-0001', 'x'.repeat(36)]) {
		expect(shown(key)).toMatch(ownLine(key));
		expect(shown(key)).toMatch(/10&#160;NGN<br\/>to supplier-main/);
	}
	for (const key of ['INV-2026-1003', 'x'.repeat(37), 'ACME INVOICE 2026 0001'])
		expect(shown(key)).not.toContain('colspan');
});

test('sentences about a row stand below it, over the whole width', () => {
	const html = toHtml([table(['a', 'b'], [{ cells: [['1'], ['2']], below: ['Look <here>.'], inWords: '' }])]);
	expect(html).toContain('<td colspan="3">');
	expect(html).toContain('Look &#60;here&#62;.');
});

test('amounts end below each other, but not the names of rows, nor texts', () => {
	const rows = [
		[['1'], ['5.00'], ['7 of 9']],
		[['2'], ['-1,250.50', 'not enough'], ['']],
	].map((cells) => ({ cells, inWords: '' }));
	const html = toHtml([table(['Row', 'Amount', 'About'], rows)]);
	const atEnd = [...html.matchAll(/<p style="[^"]*text-align:right">(?:<b>)?([^<]*)/g)].map(
		([, text]) => text,
	);
	expect(atEnd).toEqual(['Amount', '5.00', '-1,250.50']);
});

test('no line begins between a number and its code or unit', () => {
	expect(toHtml([paragraph('No row explains -1,250.50 NGN for 3 days, in 2 rows.')])).toContain(
		'-1,250.50&#160;NGN for 3&#160;days, in 2 rows.',
	);
});

test('a long word is broken into equal parts', () => {
	const address = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';
	expect(toHtml([table(['a'], [{ cells: [[address]], inWords: '' }])])).toContain(
		'TXYZopYRdj2D9XRtb<br/>G411XZZ3kM5VkAeBf',
	);
});

test('one table behind another stands apart', () => {
	const one = table(['a'], [{ cells: [['x']], inWords: '' }]);
	expect(toHtml([one, one])).toMatch(/<\/table><p [^>]*>&#160;<\/p><table/);
});

test.each([
	['25200', 'NGN', '25,200.00 NGN'],
	['15.5', 'USDT', '15.50 USDT'],
	['-0.00000001', 'BTC', '-0.00000001 BTC'],
	['5000', 'JPY', '5,000 JPY'],
	['1.5', 'KWD', '1.500 KWD'],
	['about 5', 'NGN', 'about 5 NGN'],
])('%s %s is shown as %s', (amount, code, shown) => expect(moneyOf(amount, code)).toBe(shown));

test('no browser breaks the last digits of an account off the sign in front of them', () => {
	expect(toHtml([paragraph('Supplier Ltd, …6789. And so on …')])).toContain('…&#8288;6789. And so on …</p>');
});

/** The cells of a CSV text, by the rules of RFC 4180. */
function cellsOf(csv: string): string[][] {
	const rows: string[][] = [[]];
	for (const [, quoted, plain = '', end] of csv
		.slice(1)
		.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
		rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === '\r\n') rows.push([]);
		if (end === '') break;
	}
	return rows.slice(0, -1);
}

test.each([
	['=1+1', "'=1+1"],
	['+234 rent', "'+234 rent"],
	['-x', "'-x"],
	['@SUM(A1)', "'@SUM(A1)"],
	['\t=1', "'\t'=1"],
	['＝1', "'＝1"],
	['a;=1+1', "a;'=1+1"],
	['a\n=1+1', "a\n'=1+1"],
	// Where semicolons separate, the quotation mark ends at once, and the rest follows it.
	['a;"=1+1', 'a;\'"=1+1'],
	['a;""=1+1', 'a;\'""=1+1'],
	// Amounts stay numbers.
	['-1250.50', '-1250.50'],
	['1250.50', '1250.50'],
	['-1250.50 ', "'-1250.50 "],
	['a "b", c', 'a "b", c'],
	['a\0b', 'ab'],
	// Shown as text, these turn around what stands behind them in the line.
	['\u202e=1+1\u202c', "'=1+1"],
	['a\u2066b\u2069', 'ab'],
	['\u05d0\u200f', '\u05d0\u200f'],
])('the cell %j is written as %j', (cell, written) => {
	const csv = csvFile(['name', 'x'], [[cell, 'y']]);
	expect(csv.startsWith('\uFEFFname,x\r\n')).toBe(true);
	expect(cellsOf(csv)).toEqual([
		['name', 'x'],
		[written, 'y'],
	]);
});

test('a file of any texts has its rows and cells, none of them a formula', () => {
	const texts = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), { minLength: 1 });
	fc.assert(
		fc.property(texts, (rows) => {
			const cells = cellsOf(csvFile(['a', 'b'], rows));
			expect(cells).toHaveLength(rows.length + 1);
			for (const row of cells) {
				expect(row).toHaveLength(2);
				for (const cell of row) if (!/^-?\d+(\.\d+)?$/.test(cell)) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
			}
		}),
		{ numRuns: 500 },
	);
});

test('a cell of 100,000 characters does not break the file', () => {
	const csv = csvFile(['a', 'b'], [['"'.repeat(100_000), 'b']]);
	const [, [first, second] = []] = cellsOf(csv);
	expect([first!.length, second]).toEqual([32_000, 'b']);
});
