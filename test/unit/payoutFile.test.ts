/** The reader of files of payouts, and what its page says: cases as tables, and files that are made by chance with one mistake each. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { keyProblem, meanings, readPayoutFile } from '../../examples/code/payoutFile.js';
import { reportOf } from '../../examples/code/payouts-file-1-check.report.js';
import { readKeyText } from '../../nodes/WalletService/shared/paymentKey/keyText.ts';
import { ACCOUNTS, MISTAKES, sheets, WALLETS, write } from './payoutFiles.ts';

const HEADER = 'paymentKey,amount,currency,coin,destination';
const csv = (...lines: string[]) => [HEADER, ...lines].join('\n');
const withSemicolons = (text: string) => text.replaceAll(',', ';');

/** `Row 2: what is wrong`, and what is wrong with the whole file. */
function problemsOf(text: string): string[] {
	const { problems, rows } = readPayoutFile(text);
	return [...problems, ...rows.flatMap(({ row, problems }) => problems.map((each) => `Row ${row}: ${each}`))];
}

const ROWS = ['A-1,10.50,NGN,,supplier', 'A-2,7,,USDT,treasury'];
const FILE = csv(...ROWS);
const PAID = [
	{ paymentKey: 'A-1', amount: '10.50', currency: 'NGN', coin: '', destination: 'supplier', again: '' },
	{ paymentKey: 'A-2', amount: '7', currency: '', coin: 'USDT', destination: 'treasury', again: '' },
];

test('the form shows an example to copy, whose rows cannot be paid', () => {
	const form = readFileSync('examples/payouts-file-1-check.json', 'utf8');
	const cellsOf = (row = '') => [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell);
	const rows = [...form.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) => cellsOf(row));
	expect(rows[0]).toEqual(HEADER.split(','));
	// A table that is copied into a text editor has tabs between its cells.
	const copied = rows.map((cells) => cells.join('\t')).join('\n');
	expect(problemsOf(copied)).toEqual([
		'Row 2: EXAMPLE-1 is a key of the example. Enter a key of your own.',
		'Row 3: EXAMPLE-2 is a key of the example. Enter a key of your own.',
	]);
	expect(problemsOf(copied.replaceAll('EXAMPLE', 'MINE'))).toEqual([]);
});

test('a row tells pay once if it may be paid again', () => {
	const { rows } = readPayoutFile(`${HEADER},Again\nA-1,7,,USDT,treasury,Yes\nA-2,8,,USDT,treasury,no`);
	expect(rows.map(({ again }) => again)).toEqual(['yes', '']);
});

test('a paymentKey may have 64 characters', () => {
	const problems = (length: number) => problemsOf(csv(`A-1${'x'.repeat(length - 3)},7,,USDT,treasury`));
	expect(problems(64)).toEqual([]);
	expect(problems(65)).toEqual(['Row 2: the paymentKey has more than 64 characters.']);
});

test.each<[what: string, text: string, row?: number, line?: number]>([
	['the columns of the form', FILE],
	['a byte order mark, CR LF and a last line end', `\uFEFF${FILE.replaceAll('\n', '\r\n')}\r\n`],
	['the line ends of old Macs', FILE.replaceAll('\n', '\r')],
	['semicolons', withSemicolons(FILE)],
	['tabs', FILE.replaceAll(',', '\t')],
	['bars', FILE.replaceAll(',', '|')],
	// Excel does not count this line.
	['sep=;', `sep=;\r\n${withSemicolons(FILE)}`, 2, 3],
	['a byte order mark and "sep=,"', `\uFEFF"sep=,"\n${FILE}`, 2, 3],
	['sep= with another separator', `sep=,\n${withSemicolons(FILE)}`, 2, 3],
	['sep= with a separator of its own', `sep=^\n${FILE.replaceAll(',', '^')}`, 2, 3],
	[
		'a byte order mark, sep=;, a title, CR LF, quotation marks and other columns',
		`\uFEFFsep=;\r\nPayouts, June\r\nPAYMENTKEY;"Amount";Currency;coin; Destination ;"Note, for us"\r\n${withSemicolons(ROWS.join('\r\n'))}\r\n`,
		3,
		4,
	],
	['an empty first line', `\n${FILE}`, 3, 3],
	['lines of separators first', `,,,,\n,,,,\n${FILE}`, 4, 4],
	['title lines first', `Payouts of June, July and August, 2026\n"by ""Ada"""\n${FILE}`, 4, 4],
	['commas in a quoted name', withSemicolons(FILE).replace('\n', ';"Note, for us, only, a, b"\n')],
	['a line break in a quoted name', FILE.replace('\n', ',"a\nnote"\n'), 2, 3],
	[
		'other names and places',
		`Note;Destination;COIN;Currency; amount ;"Payment Key"\n;supplier;;ngn;10.50;A-1\n"a; b";treasury;usdt;;7;A-2`,
	],
	['all in quotation marks', FILE.replaceAll(/[^,\n]+/g, '"$&"')],
	['spaces around quotation marks', FILE.replaceAll(/[^,\n]+/g, ' "$&" ')],
	[
		'a note with lines, commas and marks',
		`${HEADER},note\n${ROWS[0]},"Please, call, me,\n""Ada"", or, him, today"\n${ROWS[1]},5"`,
	],
	['rows that are longer, with nothing in them', `${HEADER}\n${ROWS.map((row) => `${row},,`).join('\n')}`],
	['an invisible character in a name', FILE.replace('amount', 'am\u200bount')],
	['no-break spaces around values', FILE.replaceAll(/10.50|NGN|supplier/g, '\u00a0$&\u00a0')],
])('a file is read with %s', (_, text, row = 2, line = 2) => {
	const { problems, rows } = readPayoutFile(text);
	expect(problems).toEqual([]);
	expect(rows.map(({ row, line, problems, ...payment }) => payment)).toEqual(PAID);
	expect(rows.map(({ problems }) => problems)).toEqual([[], []]);
	expect(rows[0]).toMatchObject({ row, line });
});

/** Under each title the lines of a file, of which the first are the names of the columns if it has no others; and what the page says. */
const PAGES = `
what is wrong with a row, whatever the others are
A,"1,250",NGN,,supplier
> Row 2: the amount 1,250 can be 1250 or 1.25. Write 1250 or 1.25.
B,"1,250.50",NGN,,supplier
> Row 3: the amount 1,250.50 has a comma. Write 1250.50.
C,"1.250,50",NGN,,supplier
> Row 4: the amount 1.250,50 has a comma. Write 1250.50.
D,1,250.50,NGN,,supplier
> Row 5: there is one cell too many. Does the amount have a comma? Write 1250.50, not 1,250.50.
E,1.250.000,NGN,,supplier
> Row 6: the amount 1.250.000 has more than one point. Write 1250000.
F,1'250.50,NGN,,supplier
> Row 7: the amount 1'250.50 has spaces or signs between its digits. Write 1250.50.
G,1 250,NGN,,supplier
> Row 8: the amount 1 250 has spaces or signs between its digits. Write 1250.
H,-5,NGN,,supplier
> Row 9: the amount is not a number such as 1250.50.
I,five,NGN,,supplier
> Row 10: the amount is not a number such as 1250.50.
J,0.00,NGN,,supplier
> Row 11: the amount is 0.
K,.5,NGN,,supplier
> Row 12: the amount is not a number such as 1250.50.
L,\u20ac5,NGN,,supplier
> Row 13: the amount has the character \u20ac (U+20AC). Write a number such as 1250.50.
,,NGN,USDT,
> Row 14: the paymentKey is missing.
> Row 14: the amount is missing.
> Row 14: fill in currency or coin: one of the two.
> Row 14: the destination is missing.
=1+1,x,,,supplier
> Row 15: the paymentKey begins with a sign of a formula. Remove the sign.
> Row 15: the amount is not a number such as 1250.50.
> Row 15: fill in currency or coin: one of the two.
M,5,250,,supplier
> Row 16: the currency 250 is not a code such as NGN.
N\u200b,1\ufeff250,N\u00adGN,\u2060,supplier
> Row 17: the paymentKey has the character U+200B, which nobody sees. Enter it again.
> Row 17: the amount has the character U+FEFF, which nobody sees. Enter it again.
> Row 17: the currency has the character U+00AD, which nobody sees. Enter it again.
> Row 17: the coin has the character U+2060, which nobody sees. Enter it again.
\u0410-1,6,N\u0413N,,supplier
> Row 18: the paymentKey has the character \u0410 (U+0410). Enter it again.
> Row 18: the currency has the character \u0413 (U+0413). Enter it again.
#N/A,#REF!,NGN,,#####
> Row 19: the paymentKey is #N/A, an error of Excel. Enter the value.
> Row 19: the amount is #REF!, an error of Excel. Enter the value.
> Row 19: the destination is #####, an error of Excel. Enter the value.
"1,23E+12",7,NGN,,supplier
> Row 20: Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.
1234567890123450,8,NGN,,supplier
> Row 21: Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.
O,"1,2E+05",NGN,,supplier
> Row 22: Excel has cut digits off the amount 1,2E+05. Enter it again.
1-Mar,9,NGN,,supplier
> Row 23: Excel may have made a date of the paymentKey 1-Mar. Format this column as text, and enter the key again.
Mar-26,10,NGN,,supplier
> Row 24: Excel may have made a date of the paymentKey Mar-26. Format this column as text, and enter the key again.
EXAMPLE-1,11.50,NGN,,supplier
> Row 25: EXAMPLE-1 is a key of the example. Enter a key of your own.
 example\u20112,12,NGN,,supplier
> Row 26: example\u20112 is a key of the example. Enter a key of your own.
ExampleNew,13,NGN,,supplier
P,14,NGN,,supplier,x
> Row 28: there is one cell too many. Does the amount have a comma? Write 1250.50, not 1,250.50.

a cell never ends
A,1,NGN,,"supplier
B,2,NGN,,supplier
> In line 2, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.

a cell ends in the middle of another row
A,1,NGN,,supplier
B,2,NGN,,"supplier
C,3,NGN,,"supplier"
> In line 3, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.

rows inside a cell
paymentKey,amount,currency,coin,destination,note
A,1,NGN,,supplier,"x
B,2,NGN,,supplier,y
C,4,NGN,,supplier,5"
Z-9,3.25,NGN,,supplier,
> In line 2, a quotation mark begins a cell, and this cell has a line that looks like a row. Close the cell with a quotation mark, or remove the first one.

a name never ends
paymentKey,"amount,currency,coin,destination
A,1,NGN,,supplier
> In line 1, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.

the same payment under other keys
paymentKey,amount,currency,coin,destination,again
A-1,10.50,NGN,,supplier,
A-2,10.5,NGN,,supplier,
A-3,10.50,NGN,,supplier,yes
B-1,7,,USDT,treasury,
B-2,7,,USDT,treasury,no
C-1,9,,USDT,treasury,x
> Row 3: the same amount, currency and destination as A-1 in row 2. If both must be paid, write yes into this row, in a column with the name again.
> Row 6: the same amount, coin and destination as B-1 in row 5. If both must be paid, write yes into this row, in a column with the name again.
> Row 7: the cell again may say yes, or nothing. It says x.

nothing about payments of which one row says yes, or which have another coin or amount
paymentKey,amount,currency,coin,destination,again
A-1,7,,USDT,treasury,
A-2,7,,USDT,treasury, YES${' '}
B-1,8,,USDT,treasury,Yes
B-2,8,,USDT,treasury,
B-3,8,,USDC,treasury,
B-4,8.1,,USDT,treasury,

a thousand or a decimal
paymentKey;amount;currency;coin;destination
A;1.250;NGN;;supplier
B;12.5;NGN;;supplier
> Row 2: the amount 1.250 can be 1250 or 1.25. Write 1250 or 1.25.

a thousand or a decimal between tabs
paymentKey\tamount\tcurrency\tcoin\tdestination
A\t12.505\tNGN\t\tsupplier
> Row 2: the amount 12.505 can be 12505 or 12.505. Write 12505 or 12.5050.

a thousand or a decimal between commas, as a spreadsheet in Istanbul writes it
A,750.000,NGN,,supplier
B,"2,5",NGN,,supplier
> Row 2: the amount 750.000 can be 750000 or 750. Write 750000 or 750.
> Row 3: the amount 2,5 has a comma. Write 2.5.

zeros that a bank writes before an amount
A,0000125.50,NGN,,supplier
> Row 2: the amount 0000125.50 has zeros before it. Write 125.50.

a comma without quotation marks before a free column
paymentKey,destination,currency,amount,note
A,supplier,NGN,1,250,
B,supplier,NGN,1,250.50
C,supplier,NGN,1250,50
D,supplier,NGN,1250.5,50
E,supplier,NGN,1250,2026
> Row 2: the amount 1 and 250 behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.
> Row 3: the amount 1 and 250.50 behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.
> Row 4: the amount 1250 and 50 behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.

a letter of another alphabet in a name
paymentKey,\u0430mount,currency,coin,destination
> The name \u0430mount has the character \u0430 (U+0430). Enter it again.

zeros that Excel cuts off
00042,5,NGN,,supplier
42,6,NGN,,supplier
> Row 2: the paymentKeys 00042 and 42 differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.
> Row 3: the paymentKeys 00042 and 42 differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.

rows with totals, right or not
A,100,NGN,,supplier
Subtotal:,90,NGN,,supplier
B,30,NGN,,supplier
Grand total,99,NGN,,supplier
TOTAL,130,NGN,,supplier
> Row 3: this looks like a row with a total, not like a payout. Remove the row. If it is a payout, give it another paymentKey.
> Row 5: this looks like a row with a total, not like a payout. Remove the row. If it is a payout, give it another paymentKey.
> Row 6: this looks like a row with a total, not like a payout. Remove the row. If it is a payout, give it another paymentKey.

a sum without a key
A,100,NGN,,supplier
B,30.5,NGN,,supplier
,130.50,,,
> Row 4: this row is the sum of the other rows, not a payout. Remove the row.

a sum that looks like a payout
A,100,NGN,,supplier
B,30.5,NGN,,supplier
X,9,USD,,supplier
C,130.50,NGN,,supplier
> Row 5: the amount 130.50 is the sum of the other rows. If this is a total, remove the row. If it is a payout, move the row between others.

a sum of three rows
A,30,NGN,,supplier
B,100,NGN,,supplier
C,7,NGN,,supplier
S-9,137,,,
> Row 5: this row is the sum of the other rows, not a payout. Remove the row.

the names again
A,1,NGN,,supplier
paymentKey,amount,currency,coin,destination
B,2,NGN,,supplier
> Row 3: this row has the names of the columns again. Remove the row.

a key twice
a-1,5,NGN,,supplier
A\u20131,6,NGN,,supplier
> Row 2: the paymentKey a-1 is in the file more than once.
> Row 3: the paymentKey A\u20131 is in the file more than once.

a character in another encoding
A,1,NGN,,supplier
B\ufffd,2,NGN,,supplier
> The file is not in UTF-8: a character in line 3 cannot be read. In Excel, save it as CSV UTF-8.

no rows
,,,,
> The file has no row below the names of the columns.

a column twice
paymentKey,amount,currency,coin,destination,Amount
A,1,NGN,,supplier,5
> The file has the column amount twice.

no column of codes
paymentKey,amount,destination
A,5,supplier
> The file has no column currency and no column coin. It needs one of them.
`;

test.each(
	PAGES.trim()
		.split('\n\n')
		.map((page) => {
			const [title = '', ...lines] = page.split('\n');
			const file = lines.filter((line) => !line.startsWith('> '));
			const says = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
			return { title, text: file[0]!.startsWith('paymentKey') ? file.join('\n') : csv(...file), says };
		}),
)('the page names $title', ({ text, says }) => {
	expect(problemsOf(text)).toEqual(says);
});

const GOOD = { paymentKey: 'A-1', amount: '7', currency: 'NGN', coin: '', destination: 'supplier' };

/** … stands for the text of the cell. */
test.each<[column: keyof typeof GOOD, says: string, texts: string[]]>([
	[
		...(['amount', 'the amount is not a number such as 1250.50.'] as const),
		['+5', '=1+1', '5 NGN', '1.2.3', '1,2,3', '12-May', 'TRUE'],
	],
	['amount', 'the amount has the character \u20a6 (U+20A6). Write a number such as 1250.50.', ['\u20a65']],
	['amount', 'the amount has the character \u2212 (U+2212). Write a number such as 1250.50.', ['\u22125']],
	['amount', 'the amount is 0.', ['0', '000']],
	['amount', 'Excel has cut digits off the amount …. Enter it again.', ['1.23E+12', '5E+05']],
	[
		...(['currency', 'the currency is …, an error of Excel. Enter the value.'] as const),
		['#VALUE!', '#NAME?', '#DIV/0!', '#NV', '#BEZUG!'],
	],
	[
		'paymentKey',
		'Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.',
		['1.23E+12', '1E+15', '12345678901234500'],
	],
	[
		...(['paymentKey', 'the paymentKey … is not complete. Enter it again.'] as const),
		['null', 'N/A', 'none', 'undefined', 'INV-', 'INV-null', '{{ $json.id }}', 'NaN'],
	],
	['paymentKey', '… is a key of the example. Enter a key of your own.', ['example 7', 'Example']],
	['paymentKey', 'the paymentKey begins with a sign of a formula. Remove the sign.', ['+A', '@A', '-A']],
	[
		...([
			'paymentKey',
			'this looks like a row with a total, not like a payout. Remove the row. If it is a payout, give it another paymentKey.',
		] as const),
		['sum', 'Total NGN', 'TOTAL AMOUNT DUE', 'Total 06/2026', 'Sub-total:', 'Итого', 'Summe'],
	],
	...['200E', '3164', '2800', '0007', 'FFA0'].map((code): [keyof typeof GOOD, string, string[]] => [
		'paymentKey',
		`the paymentKey has the character U+${code}, which nobody sees. Enter it again.`,
		[`A${String.fromCodePoint(Number.parseInt(code, 16))}-1`],
	]),
])('of the cell %s the page says “%s”: %j', (column, says, texts) => {
	for (const text of texts) {
		const cells = Object.values({ ...GOOD, [column]: text });
		const problem = `Row 2: ${says.replace('…', text)}`;
		expect(problemsOf(csv(cells.map((cell) => `"${cell}"`).join()))).toEqual([problem]);
	}
});

const WORKBOOK = 'This is an Excel workbook. In Excel, save it as CSV UTF-8 and upload that file.';

test.each([
	['a workbook', 'PK\u0003\u0004\u0014', WORKBOOK],
	['an old workbook', '\ufffd\ufffd\u0011\ufffd\u0000', WORKBOOK],
	['two bytes for each', `\ufffd\ufffdp\u0000`, 'The file is not in UTF-8. In Excel, save it as CSV UTF-8.'],
	['more than 1 MB', 'x'.repeat(1_000_001), 'The file is larger than 1 MB. Split it.'],
	['nothing', ' \n\t', 'The file is empty, or it is no CSV file.'],
	[
		'a row above the names',
		`Z-9,3.25,NGN,,supplier\n${FILE}`,
		'Row 1 is above the names of the columns, which are in row 2. Move the names to the top.',
	],
	[
		'other columns',
		'key,amount,alias\nA,5,supplier',
		'The file has no column paymentKey and no column destination. Write the names as the form shows them.',
	],
	[
		'rows that are one cell',
		FILE.replaceAll(/.+/g, '"$&"'),
		'Row 1 has the names of all columns in one cell. Give each column a cell of its own, without quotation marks around the whole row.',
	],
	[
		'too many rows',
		csv(...Array.from({ length: 501 }, (_, index) => `K${index},5,NGN,,supplier`)),
		'The file has 501 rows. Split it: at most 500 rows in one file.',
	],
	[
		'too many lines',
		`${HEADER}\n${'\n'.repeat(20_000)}`,
		'The file has 20002 lines. Split it: at most 500 rows in one file.',
	],
])('the page says what is wrong with a file that has %s', (_, text, problem) => {
	expect(problemsOf(text)).toEqual([problem]);
});

test.each([
	...['1250.50 may mean 1250.50', '1,250 may mean 1250 or 1.25', '1.256 may mean 1256 or 1.2560'],
	...['10.000 may mean 10000 or 10', '0.125 may mean 0.125', '0,125 may mean 0.125', '5. may mean nothing'],
	...['1250,5 may mean 1250.5', '1250.125 may mean 1250.125', '1,250,000 may mean 1250000'],
	...['1,250,000.5 may mean 1250000.5', '1.250.000,50 may mean 1250000.50', '1 250 may mean 1250'],
	...["1'250.50 may mean 1250.50", "'7 may mean 7", '1 250.125 may mean 1250.125', '12 50 may mean nothing'],
	...['1 1.000 may mean nothing', '12,50,000 may mean nothing', '1,25.5 may mean nothing'],
])('the amount %s', (sentence) => {
	const [amount = '', meant = ''] = sentence.split(' may mean ');
	expect(meanings(amount)).toEqual(meant === 'nothing' ? [] : meant.split(' or '));
});

test('a key that Payment Key refuses is refused in the file', () => {
	const words = [
		...['INV', 'null', 'NaN', 'n/a', 'none', 'undefined', '1E+12', '\u00e9', '\u200b', '{{'],
		...['-', '_', '.', ' ', '7', 'a', 'not', 'known', 'tbc', 'Ltd', '/', ','],
	];
	const sign = fc.integer({ min: 32, max: 0x2fff }).map((code) => String.fromCodePoint(code));
	const keys = fc
		.oneof(fc.array(sign, { maxLength: 9 }), fc.array(fc.constantFrom(...words), { maxLength: 4 }))
		.map((parts) => parts.join('').trim());
	fc.assert(
		fc.property(keys, (key) => {
			fc.pre(key !== '');
			if ('message' in readKeyText(key)) return keyProblem(key) !== '';
			// These the reader alone refuses.
			return /^[=+@\t-]|^example|^\d{15}|^#/i.test(key) || keyProblem(key) === '';
		}),
		{ numRuns: 1_000 },
	);
});

describe('files that are made by chance', () => {
	/** Whether the page takes the file, the rows that it reads, and each line of its list. */
	const pageOf = (text: string) => {
		const { problems, rows } = readPayoutFile(text);
		const empty = { paymentKey: '', amount: '', currency: '', coin: '', destination: '' };
		const whole = problems.length > 0 ? [{ row: 0, line: 0, ...empty, problems }] : [];
		const all = [...whole, ...rows];
		const codes = [...new Set(rows.map(({ currency, coin }) => currency || coin))];
		const { isGood, message } = reportOf({
			form: { 'Your mail': 'finance@example.com', 'Who approves': 'approver@example.com' },
			approvers: ['approver@example.com'],
			rows: all,
			checks: all.map(({ paymentKey }) => ({ result: 'dryRun', paymentKey })),
			totals: codes.map((code) => ({ code, count: 1, total: '1', balance: '2', isEnough: true })),
			accounts: ACCOUNTS,
			wallets: WALLETS,
		});
		const words = message.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
		const lines = [...words.matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line!.replaceAll(/<\/?b>/g, ''));
		return { isGood, rows, lines };
	};

	/** Whether a line of the page is about that row. */
	const isAbout = (line: string, row: number) =>
		/^Rows? ([^:]*):/
			.exec(line)?.[1]!
			.replaceAll(/\(line \d+\)/g, '')
			.split(/, | and /)
			.some((label) => Number(label) === row) === true;

	test('a good file is read as it is meant, and the page names each mistake and its row', () => {
		const numRuns = Number(process.env.PAYOUT_FILES ?? 1000);
		let injected = 0;
		fc.assert(
			fc.property(
				...([sheets, fc.constantFrom(...Object.keys(MISTAKES)), fc.nat(), fc.nat()] as const),
				(sheet, kind, at, chance) => {
					const { text, places } = write(sheet);
					const meant = sheet.rows.map(({ cells }, index) => {
						const { paymentKey, amount, currency, coin, destination } = cells;
						const payment = { paymentKey, amount, currency, coin, destination, again: '' };
						return { ...places[index]!, ...payment, problems: [] };
					});
					expect({ text, ...pageOf(text) }).toMatchObject({ text, isGood: true, rows: meant });
					const mistake = MISTAKES[kind]!(sheet, at % sheet.rows.length, chance);
					if (mistake === undefined) return;
					injected += 1;
					const { text: wrong, says, row, line } = mistake;
					const { isGood, lines } = pageOf(wrong);
					const isThere = (said: string) =>
						(row === undefined && line === undefined) ||
						(row !== undefined && isAbout(said, row)) ||
						(line !== undefined && new RegExp(`line ${line}\\b`).test(said));
					const isFound = lines.some((said) => says.test(said) && isThere(said));
					if (isGood || !isFound)
						throw new Error(
							`Missed: ${kind}, row ${row}, line ${line}\n${lines.join('\n')}\n${JSON.stringify(wrong)}`,
						);
				},
			),
			{ numRuns },
		);
		expect(injected).toBeGreaterThan(numRuns / 2);
	});
});
