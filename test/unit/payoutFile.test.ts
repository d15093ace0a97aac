/** The reader of files of payouts, and what its page says: cases as tables, and files that are made by chance with one mistake each. */
import fc from 'fast-check';
import { keyProblem, meanings, readPayoutFile } from '../../examples/code/payoutFile.js';
import { reportOf } from '../../examples/code/payouts-file-1-check.report.js';
import { readKeyText } from '../../nodes/WalletService/action/payment/keyText.ts';
import { ACCOUNTS, MISTAKES, sheets, WALLETS, write } from './payoutFiles.ts';

const PEOPLE = {
	form: { 'Your mail': 'finance@example.com', 'Who approves': 'approver@example.com' },
	approvers: ['approver@example.com'],
};

const HEADER = 'paymentKey,amount,currency,coin,destination';
const csv = (...lines: string[]) => [HEADER, ...lines].join('\n');
const semicolons = (text: string) => text.replaceAll(',', ';');

/** `Row 2: what is wrong`, and what is wrong with the whole file. */
function problemsOf(text: string): string[] {
	const { problems, rows } = readPayoutFile(text);
	return [...problems, ...rows.flatMap(({ row, problems }) => problems.map((each) => `Row ${row}: ${each}`))];
}

const GOOD = ['A-1,10.50,NGN,,supplier', 'A-2,7,,USDT,treasury'];
const PAID = [
	{ paymentKey: 'A-1', amount: '10.50', currency: 'NGN', coin: '', destination: 'supplier', again: '' },
	{ paymentKey: 'A-2', amount: '7', currency: '', coin: 'USDT', destination: 'treasury', again: '' },
];

test.each([
	[
		['A-1,10.50,NGN,,supplier,', 'A-2,10.5,NGN,,supplier,', 'A-3,010.500,NGN,,supplier,yes'],
		[
			'Row 3: the same amount, currency and destination as A-1 in row 2. If both must be paid, write yes into this row, in a column with the name again.',
		],
	],
	[
		['A-1,7,,USDT,treasury,', 'A-2,7,,USDT,treasury,no'],
		[
			'Row 3: the same amount, coin and destination as A-1 in row 2. If both must be paid, write yes into this row, in a column with the name again.',
		],
	],
	[['A-1,7,,USDT,treasury,', 'A-2,7,,USDT,treasury, YES '], []],
	[['A-1,7,,USDT,treasury,Yes', 'A-2,7,,USDT,treasury,'], []],
	[['A-1,7,,USDT,treasury,', 'A-2,7,,USDC,treasury,', 'A-3,7.1,,USDT,treasury,'], []],
	[['A-1,7,,USDT,treasury,x'], ['Row 2: the cell again may say yes, or nothing. It says x.']],
])('the same payment under another key needs a yes in the column again: %j', (lines, problems) => {
	expect(problemsOf([`${HEADER},again`, ...lines].join('\n'))).toEqual(problems);
});

test('a row tells pay once if it may be paid again', () => {
	const { rows } = readPayoutFile(
		[`${HEADER},Again`, 'A-1,7,,USDT,treasury,Yes', 'A-2,8,,USDT,treasury,no'].join('\n'),
	);
	expect(rows.map(({ again }) => again)).toEqual(['yes', '']);
});

test.each([
	['as it is', csv(...GOOD), 2, 2],
	[
		'a byte order mark, CR LF and a last line end',
		`\uFEFF${csv(...GOOD).replaceAll('\n', '\r\n')}\r\n`,
		2,
		2,
	],
	['the line ends of old Macs', csv(...GOOD).replaceAll('\n', '\r'), 2, 2],
	['semicolons', semicolons(csv(...GOOD)), 2, 2],
	['tabs', csv(...GOOD).replaceAll(',', '\t'), 2, 2],
	['bars', csv(...GOOD).replaceAll(',', '|'), 2, 2],
	// Excel does not count this line.
	['sep=;', `sep=;\r\n${semicolons(csv(...GOOD))}`, 2, 3],
	['a byte order mark and "sep=,"', `\uFEFF"sep=,"\n${csv(...GOOD)}`, 2, 3],
	['sep= with another separator', `sep=,\n${semicolons(csv(...GOOD))}`, 2, 3],
	['sep= with a separator of its own', `sep=^\n${csv(...GOOD).replaceAll(',', '^')}`, 2, 3],
	['an empty first line', `\n${csv(...GOOD)}`, 3, 3],
	['lines of separators first', `,,,,\n,,,,\n${csv(...GOOD)}`, 4, 4],
	['title lines first', `Payouts of June, July and August, 2026\n"by ""Ada"""\n${csv(...GOOD)}`, 4, 4],
	[
		'commas in a quoted name',
		`${semicolons(HEADER)};"Note, for us, only, a, b"\n${semicolons(GOOD.join('\n'))}`,
		2,
		2,
	],
	['a line break in a quoted name', `${HEADER},"a\nnote"\n${GOOD.join('\n')}`, 2, 3],
	[
		'other names and places',
		`Note;Destination;COIN;Currency; amount ;"Payment Key"\n;supplier;;ngn;10.50;A-1\n"a; b";treasury;usdt;;7;A-2`,
		2,
		2,
	],
	['all in quotation marks', csv(...GOOD).replaceAll(/[^,\n]+/g, '"$&"'), 2, 2],
	['spaces around quotation marks', csv(...GOOD).replaceAll(/[^,\n]+/g, ' "$&" '), 2, 2],
	[
		'a note with lines, commas and marks',
		`${HEADER},note\n${GOOD[0]},"Please, call, me,\n""Ada"", or, him, today"\n${GOOD[1]},5"`,
		2,
		2,
	],
	[
		'rows that are longer, with nothing in them',
		`${HEADER}\n${GOOD.map((row) => `${row},,`).join('\n')}`,
		2,
		2,
	],
	['an invisible character in a name', csv(...GOOD).replace('amount', 'am\u200bount'), 2, 2],
	['no-break spaces around values', csv(...GOOD).replaceAll(/10.50|NGN|supplier/g, '\u00a0$&\u00a0'), 2, 2],
])('a file is read with %s', (_, text, row, line) => {
	const { problems, rows } = readPayoutFile(text);
	expect(problems).toEqual([]);
	expect(rows.map(({ row, line, problems, ...payment }) => payment)).toEqual(PAID);
	expect(rows.map(({ problems }) => problems)).toEqual([[], []]);
	expect([rows[0]!.row, rows[0]!.line]).toEqual([row, line]);
});

const OTHER = 'Z-9,3.25,NGN,,supplier';

test.each<[string, string, string[]]>([
	// Quotation marks.
	[
		'a cell never ends',
		csv('A,1,NGN,,"supplier', 'B,2,NGN,,supplier'),
		[
			'In line 2, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.',
		],
	],
	[
		'a cell ends in the middle of another row',
		csv('A,1,NGN,,supplier', 'B,2,NGN,,"supplier', 'C,3,NGN,,"supplier"'),
		[
			'In line 3, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.',
		],
	],
	[
		'rows inside a cell',
		`${HEADER},note\nA,1,NGN,,supplier,"x\nB,2,NGN,,supplier,y\nC,4,NGN,,supplier,5"\n${OTHER},`,
		[
			'In line 2, a quotation mark begins a cell, and this cell has a line that looks like a row. Close the cell with a quotation mark, or remove the first one.',
		],
	],
	[
		'a name never ends',
		`paymentKey,"amount,currency,coin,destination\n${OTHER}`,
		[
			'In line 1, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.',
		],
	],
	// Amounts.
	[
		'a thousand or a decimal',
		semicolons(csv('A,1.250,NGN,,supplier', 'B,12.5,NGN,,supplier')),
		['Row 2: the amount 1.250 can be 1250 or 1.25. Write 1250 or 1.25.'],
	],
	[
		'the same with tabs',
		csv('A,12.505,NGN,,supplier').replaceAll(',', '\t'),
		['Row 2: the amount 12.505 can be 12505 or 12.505. Write 12505 or 12.5050.'],
	],
	[
		'the same beside a decimal comma',
		csv('A,1.250,NGN,,supplier', 'B,"2,5",NGN,,supplier'),
		[
			'Row 2: the amount 1.250 can be 1250 or 1.25. Write 1250 or 1.25.',
			'Row 3: the amount 2,5 has a comma. Write 2.5.',
		],
	],
	[
		'a comma',
		csv('A,"1,250",NGN,,supplier', 'B,"1,250.50",NGN,,supplier', 'C,"1.250,50",NGN,,supplier'),
		[
			'Row 2: the amount 1,250 can be 1250 or 1.25. Write 1250 or 1.25.',
			'Row 3: the amount 1,250.50 has a comma. Write 1250.50.',
			'Row 4: the amount 1.250,50 has a comma. Write 1250.50.',
		],
	],
	[
		'points between thousands',
		csv('A,1.250.000,NGN,,supplier', "B,1'250.50,NGN,,supplier", 'C,1 250,NGN,,supplier'),
		[
			'Row 2: the amount 1.250.000 has more than one point. Write 1250000.',
			"Row 3: the amount 1'250.50 has spaces or signs between its digits. Write 1250.50.",
			'Row 4: the amount 1 250 has spaces or signs between its digits. Write 1250.',
		],
	],
	[
		'a comma without quotation marks',
		csv('A,1,250.50,NGN,,supplier'),
		['Row 2: there is one cell too many. Does the amount have a comma? Write 1250.50, not 1,250.50.'],
	],
	[
		'the same before a free column',
		'paymentKey,destination,currency,amount,note\nA,supplier,NGN,1,250,',
		['Row 2: there is one cell too many. Does the amount have a comma? Write 1250.50, not 1,250.50.'],
	],
	[
		'no amounts',
		csv(
			'A,-5,NGN,,supplier',
			'B,five,NGN,,supplier',
			'C,0.00,NGN,,supplier',
			'D,,NGN,,supplier',
			'E,.5,NGN,,supplier',
			'F,\u20ac5,NGN,,supplier',
		),
		[
			'Row 2: the amount is not a number such as 1250.50.',
			'Row 3: the amount is not a number such as 1250.50.',
			'Row 4: the amount is 0.',
			'Row 5: the amount is missing.',
			'Row 6: the amount is not a number such as 1250.50.',
			'Row 7: the amount has the character \u20ac (U+20AC). Write a number such as 1250.50.',
		],
	],
	// What nobody sees.
	[
		'an invisible character in each column',
		csv('A\u200b,1\ufeff250,N\u00adGN,\u2060,supplier'),
		[
			'Row 2: the paymentKey has the character U+200B, which nobody sees. Enter it again.',
			'Row 2: the amount has the character U+FEFF, which nobody sees. Enter it again.',
			'Row 2: the currency has the character U+00AD, which nobody sees. Enter it again.',
			'Row 2: the coin has the character U+2060, which nobody sees. Enter it again.',
		],
	],
	[
		'a letter of another alphabet',
		csv('\u0410-1,5,N\u0413N,,supplier'),
		[
			'Row 2: the paymentKey has the character \u0410 (U+0410). Enter it again.',
			'Row 2: the currency has the character \u0413 (U+0413). Enter it again.',
		],
	],
	[
		'the same in a name',
		csv(OTHER).replace('amount', '\u0430mount'),
		['The name \u0430mount has the character \u0430 (U+0430). Enter it again.'],
	],
	// Excel.
	[
		'errors of Excel',
		csv('#N/A,#REF!,NGN,,#####'),
		[
			'Row 2: the paymentKey is #N/A, an error of Excel. Enter the value.',
			'Row 2: the amount is #REF!, an error of Excel. Enter the value.',
			'Row 2: the destination is #####, an error of Excel. Enter the value.',
		],
	],
	[
		'digits that Excel cuts off',
		csv('"1,23E+12",5,NGN,,supplier', '1234567890123450,5,NGN,,supplier', 'C,"1,2E+05",NGN,,supplier'),
		[
			'Row 2: Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.',
			'Row 3: Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.',
			'Row 4: Excel has cut digits off the amount 1,2E+05. Enter it again.',
		],
	],
	[
		'a date that Excel makes',
		csv('1-Mar,5,NGN,,supplier', 'Mar-26,6,NGN,,supplier'),
		[
			'Row 2: Excel may have made a date of the paymentKey 1-Mar. Format this column as text, and enter the key again.',
			'Row 3: Excel may have made a date of the paymentKey Mar-26. Format this column as text, and enter the key again.',
		],
	],
	[
		'zeros that Excel cuts off',
		csv('00042,5,NGN,,supplier', '42,6,NGN,,supplier'),
		[2, 3].map(
			(row) =>
				`Row ${row}: the paymentKeys 00042 and 42 differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.`,
		),
	],
	// Rows that are no payouts.
	[
		'a row TOTAL',
		csv('A,100,NGN,,supplier', 'B,30,NGN,,supplier', 'TOTAL,130,NGN,,supplier'),
		['Row 4: this looks like a row with a total, not like a payout. Remove the row.'],
	],
	[
		'a total that is no longer right, and one between',
		csv(
			'A,100,NGN,,supplier',
			'Subtotal:,90,NGN,,supplier',
			'B,30,NGN,,supplier',
			'Grand total,99,NGN,,supplier',
		),
		[
			'Row 3: this looks like a row with a total, not like a payout. Remove the row.',
			'Row 5: this looks like a row with a total, not like a payout. Remove the row.',
		],
	],
	[
		'a sum without a key',
		csv('A,100,NGN,,supplier', 'B,30.5,NGN,,supplier', ',130.50,,,'),
		['Row 4: this row is the sum of the other rows, not a payout. Remove the row.'],
	],
	[
		'a sum that looks like a payout',
		csv('A,100,NGN,,supplier', 'B,30.5,NGN,,supplier', 'X,9,USD,,supplier', 'C,130.50,NGN,,supplier'),
		[
			'Row 5: the amount 130.50 is the sum of the other rows. If this is a total, remove the row. If it is a payout, move the row between others.',
		],
	],
	[
		'rows of the example',
		csv('EXAMPLE-1,1250.50,NGN,,supplier-main', ' example\u20112,5,NGN,,me', 'ExampleNew,7,NGN,,me'),
		[
			'Row 2: EXAMPLE-1 is a key of the example. Enter a key of your own.',
			'Row 3: example\u20112 is a key of the example. Enter a key of your own.',
		],
	],
	[
		'names again',
		csv(OTHER, HEADER, 'B,2,NGN,,supplier'),
		['Row 3: this row has the names of the columns again. Remove the row.'],
	],
	[
		'a row above the names',
		`${OTHER}\n${csv('B,2,NGN,,supplier')}`,
		['Row 1 is above the names of the columns, which are in row 2. Move the names to the top.'],
	],
	// Keys and codes.
	[
		'all that is wrong with a row',
		csv(',,NGN,USDT,', '=1+1,x,,,supplier'),
		[
			'Row 2: the paymentKey is missing.',
			'Row 2: the amount is missing.',
			'Row 2: fill in currency or coin: one of the two.',
			'Row 2: the destination is missing.',
			'Row 3: the paymentKey begins with a sign of a formula. Remove the sign.',
			'Row 3: the amount is not a number such as 1250.50.',
			'Row 3: fill in currency or coin: one of the two.',
		],
	],
	[
		'a key twice',
		csv('a-1,5,NGN,,supplier', 'A\u20131,6,NGN,,supplier'),
		[
			'Row 2: the paymentKey a-1 is in the file more than once.',
			'Row 3: the paymentKey A\u20131 is in the file more than once.',
		],
	],
	['a number as a code', csv('A,5,250,,supplier'), ['Row 2: the currency 250 is not a code such as NGN.']],
	// The whole file.
	[
		'a workbook',
		'PK\u0003\u0004\u0014',
		['This is an Excel workbook. In Excel, save it as CSV UTF-8 and upload that file.'],
	],
	[
		'an old workbook',
		'\ufffd\ufffd\u0011\ufffd\u0000',
		['This is an Excel workbook. In Excel, save it as CSV UTF-8 and upload that file.'],
	],
	[
		'another encoding',
		csv(OTHER, 'B\ufffd,2,NGN,,supplier'),
		['The file is not in UTF-8: a character in line 3 cannot be read. In Excel, save it as CSV UTF-8.'],
	],
	[
		'two bytes for each character',
		`\ufffd\ufffdp\u0000a\u0000`,
		['The file is not in UTF-8. In Excel, save it as CSV UTF-8.'],
	],
	['nothing in it', ' \n\t', ['The file is empty, or it is no CSV file.']],
	['no rows', `${HEADER}\n,,,,`, ['The file has no row below the names of the columns.']],
	[
		'other columns',
		'key,amount,alias\nA,5,supplier',
		['The file has no column paymentKey and no column destination. Write the names as the form shows them.'],
	],
	[
		'rows that are one cell',
		csv(OTHER).replaceAll(/.+/g, '"$&"'),
		[
			'Row 1 has the names of all columns in one cell. Give each column a cell of its own, without quotation marks around the whole row.',
		],
	],
	['a column twice', `${HEADER},Amount\n${OTHER},5`, ['The file has the column amount twice.']],
	[
		'no column of codes',
		'paymentKey,amount,destination\nA,5,supplier',
		['The file has no column currency and no column coin. It needs one of them.'],
	],
	[
		'too many rows',
		csv(...Array.from({ length: 501 }, (_, index) => `K${index},5,NGN,,supplier`)),
		['The file has 501 rows. Split it: at most 500 rows in one file.'],
	],
	[
		'too many lines',
		`${HEADER}\n${'\n'.repeat(20_000)}`,
		['The file has 20002 lines. Split it: at most 500 rows in one file.'],
	],
])('the page names %s', (_, text, expected) => {
	expect(problemsOf(text)).toEqual(expected);
});

test.each([
	['1250.50', ['1250.50']],
	['1,250', ['1250', '1.25']],
	['1.256', ['1256', '1.2560']],
	['10.000', ['10000', '10']],
	['0.125', ['0.125']],
	['0,125', ['0.125']],
	['1250,5', ['1250.5']],
	['1250.125', ['1250.125']],
	['1,250,000', ['1250000']],
	['1,250,000.5', ['1250000.5']],
	['1.250.000,50', ['1250000.50']],
	['12,50,000', []],
	['1,25.5', []],
	['5.', []],
	['1 250', ['1250']],
	["1'250.50", ['1250.50']],
	["'7", ['7']],
	['1 250.125', ['1250.125']],
	['1 1.000', []],
	['12 50', []],
])('%s may mean %j', (text, expected) => {
	expect(meanings(text)).toEqual(expected);
});

test('a key that Payment Key refuses is refused in the file', () => {
	const words = [
		'INV',
		'null',
		'NaN',
		'n/a',
		'none',
		'undefined',
		'1E+12',
		'\u00e9',
		'\u200b',
		'{{',
		'-',
		'_',
		'.',
		' ',
		'7',
		'a',
	];
	const keys = fc.oneof(
		fc
			.array(
				fc.integer({ min: 32, max: 0x2fff }).map((code) => String.fromCodePoint(code)),
				{ maxLength: 9 },
			)
			.map((signs) => signs.join('')),
		fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(keys, (text) => {
			const key = text.trim();
			if (key === '') return true;
			const refused = 'message' in readKeyText(key);
			// These the reader alone refuses.
			const isAllowed = !/^[=+@\t-]|^example|^\d{15}|^#/i.test(key);
			return refused ? keyProblem(key) !== '' : !isAllowed || keyProblem(key) === '';
		}),
		{ numRuns: 1_000 },
	);
});

// PAYOUT_FILES and PAYOUT_SEED choose how many, and which ones again.
describe('files that are made by chance', () => {
	const { PAYOUT_FILES = '1000', PAYOUT_SEED = String(Date.now() % 1_000_000) } = process.env;
	const settings = { numRuns: Number(PAYOUT_FILES), seed: Number(PAYOUT_SEED) };
	const mistakes = Object.keys(MISTAKES);
	const count = { injected: 0, found: 0, goodRefused: 0 };
	const kinds = new Map<string, number>();

	/** What the page says about a file: each line of its list. */
	const pageOf = (text: string) => {
		const { problems, rows } = readPayoutFile(text);
		const empty = { paymentKey: '', amount: '', currency: '', coin: '', destination: '' };
		const whole = problems.length > 0 ? [{ row: 0, line: 0, ...empty, problems }] : [];
		const all = [...whole, ...rows];
		const codes = [...new Set(rows.map(({ currency, coin }) => currency || coin))];
		const { isGood, message } = reportOf({
			...PEOPLE,
			rows: all,
			checks: all.map(({ paymentKey }) => ({ result: 'dryRun', paymentKey })),
			totals: codes.map((code) => ({ code, count: 1, total: '1', balance: '2', isEnough: true })),
			accounts: ACCOUNTS,
			wallets: WALLETS,
		});
		const words = message.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
		return {
			isGood,
			rows,
			lines: [...words.matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line!.replaceAll(/<\/?b>/g, '')),
		};
	};

	/** Whether a line of the page is about that row. */
	const isAbout = (line: string, row: number) =>
		/^Rows? ([^:]*):/
			.exec(line)?.[1]!
			.replaceAll(/\(line \d+\)/g, '')
			.split(/, | and /)
			.some((label) => Number(label) === row) === true;

	afterAll(() => {
		const missed = count.injected - count.found;
		process.stderr.write(
			`Files of payouts, seed ${PAYOUT_SEED}: ${count.injected} mistakes of ${kinds.size} kinds, ${count.found} found, ${missed} missed, ${count.goodRefused} good files refused\n`,
		);
	});

	test('a good file is read as it is meant, and the page names each mistake and its row', () => {
		const property = fc.property(sheets, fc.nat(), fc.nat(), fc.nat(), (sheet, which, at, chance) => {
			const { text, places } = write(sheet);
			const good = pageOf(text);
			if (!good.isGood) {
				count.goodRefused += 1;
				throw new Error(`A good file is refused: ${good.lines.join('; ')}\n${JSON.stringify(text)}`);
			}
			const meant = sheet.rows.map(
				({ values: { paymentKey, amount, currency, coin, destination } }, index) => ({
					...places[index]!,
					...{ paymentKey, amount, currency, coin, destination, again: '' },
					problems: [],
				}),
			);
			if (JSON.stringify(good.rows) !== JSON.stringify(meant))
				throw new Error(
					`A good file is misread: ${JSON.stringify(text)}\n${JSON.stringify(good.rows)}\n${JSON.stringify(meant)}`,
				);
			const kind = mistakes[which % mistakes.length]!;
			const mistake = MISTAKES[kind]!(sheet, at % sheet.rows.length, chance);
			if (mistake === undefined) return;
			count.injected += 1;
			kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
			const { isGood, lines } = pageOf(mistake.text);
			const isFound = lines.some(
				(line) =>
					mistake.says.test(line) &&
					((mistake.row === undefined && mistake.line === undefined) ||
						(mistake.row !== undefined && isAbout(line, mistake.row)) ||
						(mistake.line !== undefined && new RegExp(`line ${mistake.line}\\b`).test(line))),
			);
			if (isGood || !isFound)
				throw new Error(
					`Missed: ${kind}, row ${mistake.row}, line ${mistake.line}\n${lines.join('\n')}\n${JSON.stringify(mistake.text)}`,
				);
			count.found += 1;
		});
		fc.assert(property, settings);
		expect(count).toEqual({ injected: count.found, found: count.found, goodRefused: 0 });
		expect(count.injected).toBeGreaterThan(settings.numRuns / 2);
	}, 120_000);
});
