/** Payout List: Read of files. Cases as tables. What a cell may say is the same for items. */
import fc from 'fast-check';
import { amountProblem, meaningsOf } from '../../nodes/WalletServiceDesk/list/read/amounts.ts';
import { keyProblem } from '../../nodes/WalletServiceDesk/list/read/paymentKeys.ts';
import { DEFAULT_COLUMNS, readFile } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { readKeyText } from '../../nodes/shared/paymentKey/keyText.ts';
import { encoded } from './deskFiles.ts';
import { csv, DEBIT, HEADER, read, rowsOf, said, SETTINGS } from './readLists.ts';

const withSemicolons = (text: string) => text.replaceAll(',', ';');
const problemsOf = (text: string, settings = SETTINGS) => said(read(text, settings));

const ROWS = ['A-1,10.50,NGN,,supplier', 'A-2,7,,USDT,treasury'];
const FILE = csv(...ROWS);
const PAID = [
	{ paymentKey: 'A-1', amount: '10.50', currency: 'NGN', destination: 'supplier', again: false },
	{ paymentKey: 'A-2', amount: '7', coin: 'USDT', destination: 'treasury', again: false },
];

test('the keys of an example are refused, even if the example was copied from a table', () => {
	const copied = FILE.replaceAll('A-', 'EXAMPLE-').replaceAll(',', '\t');
	expect(problemsOf(copied)).toEqual([
		'Row 2: EXAMPLE-1 is a key of the example. Enter a key of your own.',
		'Row 3: EXAMPLE-2 is a key of the example. Enter a key of your own.',
	]);
});

test('a row says if the same payment is meant again', () => {
	const words = ['Yes', 'no', '', 'TRUE', 'false'];
	const lines = words.map((word, index) => `A-${index},${index + 1},,USDT,treasury,${word}`);
	const rows = read([`${HEADER},Again`, ...lines].join('\n'));
	expect(rows.map(({ again, problems }) => [again, problems])).toEqual(
		[true, false, false, true, false].map((again) => [again, []]),
	);
});

test('a payment key may have 255 characters, as Payment Key has it', () => {
	const problems = (length: number) => problemsOf(csv(`A-1${'x'.repeat(length - 3)},7,,USDT,treasury`));
	expect(problems(255)).toEqual([]);
	expect(problems(256)).toEqual([
		'Row 2: The payment key has more than 255 characters. Enter a shorter one, such as the supplier, and the number and year of the invoice.',
	]);
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
	const rows = read(text);
	expect(said(rows)).toEqual([]);
	expect(rows).toMatchObject(PAID);
	expect(rows.map(({ currency, coin }) => [currency, coin])).toEqual([
		['NGN', undefined],
		[undefined, 'USDT'],
	]);
	expect(rows[0]).toMatchObject({ row, line });
});

/** Under each title the lines of a file, of which the first are the names of the columns if it has no others; and what is said of it. */
const PAGES = `
what is wrong with a row, whatever the others are
A,"1,250",NGN,,supplier
> Row 2: The amount 1,250 can be 1250 or 1.25. Write 1250 or 1.25.
B,"1,250.50",NGN,,supplier
> Row 3: The amount 1,250.50 has a comma. Write 1250.50.
C,"1.250,50",NGN,,supplier
> Row 4: The amount 1.250,50 has a comma. Write 1250.50.
D,1,250.50,NGN,,supplier
> Row 5: The row has more cells than the list has columns. If its amount has a comma, write 1250.50, not 1,250.50.
E,1.250.000,NGN,,supplier
> Row 6: The amount 1.250.000 has more than one point. Write 1250000.
F,1'250.50,NGN,,supplier
> Row 7: The amount 1'250.50 has spaces or signs between its digits. Write 1250.50.
G,1 250,NGN,,supplier
> Row 8: The amount 1 250 has spaces or signs between its digits. Write 1250.
H,-5,NGN,,supplier
> Row 9: The amount -5 looks like a debit or credit note, not like a payout. Remove the row. If it is a payout, write the amount as a number such as 1250.50.
I,five,NGN,,supplier
> Row 10: The amount five is not a number such as 1250.50.
J,0.00,NGN,,supplier
> Row 11: The amount 0.00 is zero. Enter the amount, or remove the row.
K,.5,NGN,,supplier
> Row 12: The amount .5 begins with a point. Write 0.5.
L,\u20ac5,NGN,,supplier
> Row 13: The amount \u20ac5 has a currency. Remove the currency from the amount, and write 5.
,,NGN,USDT,s
> Row 14: The payment key is missing. Enter it.
> Row 14: The amount is missing. Enter it.
> Row 14: Fill in currency or coin: one of the two.
=1+1,x,,,supplier
> Row 15: The payment key begins with a sign of a formula. Remove the sign.
> Row 15: The amount x is not a number such as 1250.50.
> Row 15: Fill in currency or coin: one of the two.
M,5,250,,supplier
> Row 16: The currency 250 is not a code such as NGN. Enter the code.
N\u200b,1\ufeff250,N\u00adGN,\u2060,supplier
> Row 17: The payment key has the character U+200B, which nobody sees. Enter it again.
> Row 17: The amount has the character U+FEFF, which nobody sees. Enter it again.
> Row 17: The currency has the character U+00AD, which nobody sees. Enter it again.
> Row 17: The coin has the character U+2060, which nobody sees. Enter it again.
\u0410-1,6,N\u0413N,,supplier
> Row 18: The payment key has the character \u0410 (U+0410). Enter it again.
> Row 18: The currency has the character \u0413 (U+0413). Enter it again.
#N/A,#REF!,NGN,,#####
> Row 19: The payment key is #N/A, which Excel could not calculate. Enter the value.
> Row 19: The amount is #REF!, which Excel could not calculate. Enter the value.
> Row 19: The destination is #####, which Excel could not calculate. Enter the value.
"1,23E+12",7,NGN,,supplier
> Row 20: Excel has cut digits off the payment key. Format this column as text, and enter the keys again.
1234567890123450,8,NGN,,supplier
> Row 21: Excel has cut digits off the payment key. Format this column as text, and enter the keys again.
O,"1,2E+05",NGN,,supplier
> Row 22: Excel has cut digits off the amount 1,2E+05. Enter it again.
1-Mar,9,NGN,,supplier
> Row 23: Excel may have made a date of the payment key 1-Mar. Format this column as text, and enter the key again. A key that is a date needs a word beside it, such as Rent 2026-03-01.
Mar-26,10,NGN,,supplier
> Row 24: Excel may have made a date of the payment key Mar-26. Format this column as text, and enter the key again. A key that is a date needs a word beside it, such as Rent 2026-03-01.
EXAMPLE-1,11.50,NGN,,supplier
> Row 25: EXAMPLE-1 is a key of the example. Enter a key of your own.
 example\u20112,12,NGN,,supplier
> Row 26: example\u20112 is a key of the example. Enter a key of your own.
ExampleNew,13,NGN,,supplier
P,14,NGN,,supplier,x
> Row 28: The row has more cells than the list has columns. If its amount has a comma, write 1250.50, not 1,250.50.

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

rows inside a cell that stands before other columns
paymentKey,amount,note,destination,currency
A-1,5,",supplier,NGN
A-2,6,",supplier,NGN
> In line 2, a quotation mark begins a cell, and this cell has a line that looks like a row. Close the cell with a quotation mark, or remove the first one.

nothing about lines of a cell that stands before other columns
paymentKey,note,amount,currency,destination
A,"Please call
Ada, or Obi, today",5,NGN,supplier
B,"x, y, z, and
call",6,NGN,supplier

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
B-2,7,,USDT,Treasury,no
C-1,9,,USDT,treasury,x
> Row 3: This row has the same amount, currency and destination as A-1 in row 2. Remove one of the two. If both are meant, write yes into this row, in a column with the name again.
> Row 6: This row has the same amount, coin and destination as B-1 in row 5. Remove one of the two. If both are meant, write yes into this row, in a column with the name again.
> Row 7: The cell again says x. Write yes if the same payment is meant again, or leave it empty.

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
> Row 2: The amount 1.250 can be 1250 or 1.25. Write 1250 or 1.25.

a thousand or a decimal between tabs
paymentKey\tamount\tcurrency\tcoin\tdestination
A\t12.505\tNGN\t\tsupplier
> Row 2: The amount 12.505 can be 12505 or 12.505. Write 12505 or 12.5050.

a thousand or a decimal between commas, as a spreadsheet in Istanbul writes it
A,750.000,NGN,,supplier
B,"2,5",NGN,,supplier
> Row 2: The amount 750.000 can be 750000 or 750. Write 750000 or 750.
> Row 3: The amount 2,5 has a comma. Write 2.5.

zeros that a bank writes before an amount
A,0000125.50,NGN,,supplier
> Row 2: The amount 0000125.50 has zeros before it. Write 125.50.

a comma without quotation marks before a free column
paymentKey,destination,currency,amount,note
A,supplier,NGN,1,250,
B,supplier,NGN,1,250.50
C,supplier,NGN,1250,50
D,supplier,NGN,1250.5,50
E,supplier,NGN,1250,2026
> Row 2: The amount 1 and 250 behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.
> Row 3: The amount 1 and 250.50 behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.
> Row 4: The amount 1250 and 50 behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.

zeros that Excel cuts off
00042,5,NGN,,supplier
42,6,NGN,,supplier
> Row 2: The payment keys 00042 and 42 differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.
> Row 3: The payment keys 00042 and 42 differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.

rows with totals, right or not
A,100,NGN,,supplier
Subtotal:,90,NGN,,
B,30,NGN,,supplier
Grand total,99,,,
TOTAL,130,,,
> Row 3: This looks like a total, not like a payout. Remove the row. If it is a payout, enter its destination.
> Row 5: This looks like a total, not like a payout. Remove the row. If it is a payout, enter its destination.
> Row 6: This looks like a total, not like a payout. Remove the row. If it is a payout, enter its destination.

a sum without a word for it
A,100,NGN,,supplier
B,30.5,NGN,,supplier
,130.50,,,
> Row 4: The payment key is missing. Enter it.
> Row 4: Fill in currency or coin: one of the two.
> Row 4: The destination is missing. Enter it.

signs that spreadsheets and programs put into keys
'0042,1,NGN,,supplier
\u20190043,2,NGN,,supplier
"""0044""",4,NGN,,supplier
"=""0045""",8,NGN,,supplier
42.0,16,NGN,,supplier
"43,00",32,NGN,,supplier
2026.10,64,NGN,,supplier
O'Neill-1,128,NGN,,supplier
> Row 2: The payment key '0042 begins or ends with a quotation mark or an apostrophe, which a spreadsheet or program may have put there. Remove it.
> Row 3: The payment key \u20190043 begins or ends with a quotation mark or an apostrophe, which a spreadsheet or program may have put there. Remove it.
> Row 4: The payment key "0044" begins or ends with a quotation mark or an apostrophe, which a spreadsheet or program may have put there. Remove it.
> Row 5: The payment key begins with a sign of a formula. Remove the sign.
> Row 6: The payment key 42.0 ends with a point and zeros, which a program may have put there. Enter the key as it was.
> Row 7: The payment key 43,00 ends with a point and zeros, which a program may have put there. Enter the key as it was.

the names again
A,1,NGN,,supplier
paymentKey,amount,currency,coin,destination
B,2,NGN,,supplier
> Row 3: This row has the names of the columns again. Remove the row.

a key twice
a-1,5,NGN,,supplier
A\u20131,6,NGN,,supplier
> Row 2: The payment key a-1 is in the list more than once. Remove the row. If these are two payments, give one of them another key.
> Row 3: The payment key A\u20131 is in the list more than once. Remove the row. If these are two payments, give one of them another key.

a character in another encoding
A,1,NGN,,supplier
B\ufffd,2,NGN,,supplier
> The file is not in UTF-8: a character in line 3 cannot be read. In Excel, save the list as CSV UTF-8, and use that file.

no rows
,,,,
> The list has no row below the names of the columns. Add the payouts.

a column twice
paymentKey,amount,currency,coin,destination,Amount
A,1,NGN,,supplier,5
> The list has the column amount twice. Remove one of the two, or give it another name.

a column twice, as programs name the second one
paymentKey,amount,currency,coin,destination,destination.1,note,note_1,amount due,batch_1
A,1,NGN,,supplier,treasury,,,,
> The list has the column destination twice. Remove one of the two, or give it another name.

rows that another column takes back
paymentKey,amount,currency,coin,destination,Status,Debit/Credit,Paid
A,1,NGN,,supplier,Cancelled,,
B,2,NGN,,supplier,PAID,,
C,4,NGN,,supplier,On hold,Debit,no
D,8,NGN,,supplier,Approved,Credit Note,
E,16,NGN,,supplier,Unpaid,Debit,FALSE
F,32,NGN,,supplier,open,Debit,yes
G,64,NGN,,supplier,voided - see INV-9,,
H,128,NGN,,supplier,refund,,
I,256,NGN,,supplier,Void fill material,Refundable,
J,512,NGN,,supplier,Paid on 3 May,,
K,1024,NGN,,supplier,Not paid,,0
> Row 2: The column Status says Cancelled, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 3: The column Status says PAID, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 4: The column Status says On hold, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 5: The column Debit/Credit says Credit Note, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 7: The column Paid says yes, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 8: The column Status says voided - see INV-9, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 9: The column Status says refund, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.
> Row 11: The column Status says Paid on 3 May, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.

tags and memos of coins, which no payout carries
paymentKey,amount,currency,coin,destination,Destination Tag,memo,Tags
A,1,,XRP,treasury,104227,,
B,2,,XLM,treasury,,Rent for June,
C,4,,XRP,treasury,,,supplies
D,8,NGN,,supplier,12,Rent for June,
> Row 2: No payout carries the Destination Tag 104227, and the receiver may not find the money without it. Remove the row, and pay it at the service. If this is only a note, give the column another name, such as note.
> Row 3: No payout carries the memo Rent for June, and the receiver may not find the money without it. Remove the row, and pay it at the service. If this is only a note, give the column another name, such as note.

what only a person says, when asked
paymentKey,amount,currency,coin,destination,Approved By,decision,approvals_needed
A,1,NGN,,supplier,Ada Obi,,
B,2,NGN,,supplier,,wasNotPaid,
C,4,NGN,,supplier,,,1
D,8,NGN,,supplier,,,
> Row 2: A list cannot say who has approved it, or what was found out about a payment. Remove the column Approved By, or give it another name.
> Row 3: A list cannot say who has approved it, or what was found out about a payment. Remove the column decision, or give it another name.
> Row 4: A list cannot say who has approved it, or what was found out about a payment. Remove the column approvals_needed, or give it another name.

no column of codes
paymentKey,amount,destination
A,5,supplier
> The list has no column currency and no column coin. It needs one of them. Its columns are paymentKey, amount and destination. In the node, write the name of the right one into the option Currency Column or Coin Column. If all rows have the same one, add the option Currency of All Rows or Coin of All Rows.
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
)('of a file is named: $title', ({ text, says }) => {
	expect(problemsOf(text)).toEqual(says);
});

const GOOD = { paymentKey: 'A-1', amount: '7', currency: 'NGN', coin: '', destination: 'supplier' };
const CUT = 'Excel has cut digits off the payment key. Format this column as text, and enter the keys again.';
const INVISIBLE = ['200E', '3164', '2800', '0007', 'FFA0'];

/** … stands for the text of the cell. */
test.each<[column: keyof typeof GOOD, says: string, texts: string[]]>([
	['amount', 'The amount … is not a number such as 1250.50.', ['=1+1', '1.2.3', '1,2,3', '12-May', 'TRUE']],
	['amount', 'The amount has the character \uff15 (U+FF15). Write a number such as 1250.50.', ['\uff15']],
	['amount', 'The amount … is zero. Enter the amount, or remove the row.', ['0', '000', '0,00']],
	['amount', 'Excel has cut digits off the amount …. Enter it again.', ['1.23E+12', '5E+05']],
	[
		'amount',
		DEBIT,
		['-5', '\u22125', '(1250.50)', '1250.50-', '1250.50 CR', '1250.50dr', '-\u20ac5', '(5 USD)'],
	],
	[
		...([
			'amount',
			'The amount … has a currency. Remove the currency from the amount, and write 5.',
		] as const),
		['5 NGN', '\u20a65', '$5', 'US$ 5', '5\u20ac', '5 \u20ac', 'USDT 5', 'EUR5'],
	],
	[
		'currency',
		'The currency is …, which Excel could not calculate. Enter the value.',
		['#VALUE!', '#NAME?', '#DIV/0!', '#NV', '#BEZUG!'],
	],
	['paymentKey', CUT, ['1.23E+12', '1E+15', '12345678901234500']],
	[
		'paymentKey',
		'The payment key … is not complete. Enter it again.',
		[
			'null',
			'N/A',
			'none',
			'undefined',
			'INV-',
			'INV-null',
			'{{ $json.id }}',
			'NaN',
			'FALSE',
			'INV-False',
			'\\N',
			'INV-NaT',
			'PAY-{order_id}',
			'PAY-%s',
			'TRUE',
		],
	],
	[
		'paymentKey',
		'Excel may have made a date of the payment key …. Format this column as text, and enter the key again. A key that is a date needs a word beside it, such as Rent 2026-03-01.',
		['1-Mar', 'Mar-26', '2026-03-01T00:00:00.000Z'],
	],
	['paymentKey', '… is a key of the example. Enter a key of your own.', ['example 7', 'Example']],
	[
		'paymentKey',
		'The payment key begins with a sign of a formula. Remove the sign.',
		['+A', '@A', '-A', '\uff1d1+1'],
	],
	...INVISIBLE.map((code): [keyof typeof GOOD, string, string[]] => [
		'paymentKey',
		`The payment key has the character U+${code}, which nobody sees. Enter it again.`,
		[`A${String.fromCodePoint(Number.parseInt(code, 16))}-1`],
	]),
])('of the cell %s it says “%s”: %j', (column, says, texts) => {
	for (const text of texts) {
		const cells = Object.values({ ...GOOD, [column]: text });
		const problem = `Row 2: ${says.replace('…', text)}`;
		expect(problemsOf(csv(cells.map((cell) => `"${cell}"`).join()))).toEqual([problem]);
	}
});

/** By hand: what a person could mean. Nothing of it is a plain decimal, or it is one with two meanings. */
test.each([
	'(1250.50)',
	'-1.000,00 \u20ac',
	'\u20a61,250.50',
	'\u2212100,00',
	'1,25,000.50',
	'1250.50-',
	'1250.50 CR',
	'+1250',
	'.5',
	'1250.',
	'-5',
	'$5',
	'5 NGN',
	'1,250.50',
	'1.250,50',
	'1 250,50',
	"1'250.50",
	'750.000',
	'1,250',
	'1e3',
	'1.5E+05',
	'0x10',
	'\uff11\uff12',
	'\u0661\u0662',
	'1_000',
	'007',
	'--5',
	'1.2.3',
	'5%',
	'1/2',
])('the amount %s is refused, and stays as it was written', (amount) => {
	const [row] = read(csv(`A-1,"${amount}",NGN,,supplier`));
	expect(row).toMatchObject({ amount, problems: [expect.stringMatching(/amount/)] });
});

test.each([
	['\u20a61,250.50', 'write 1250.50.'],
	['1.250,50 \u20ac', 'write 1250.50.'],
	['$1,250', 'write 1250 or 1.25.'],
	['5000 naira', 'is not a number'],
	['$1,25,000', 'write 125000.'],
	['$1,25,00', 'Remove the currency from the amount.'],
])('of the amount %s the sign is named: %s', (amount, says) => {
	expect(amountProblem(amount, 'amount')).toContain(says);
});

const SAVE = 'In Excel, save the list as CSV UTF-8, and use that file.';
const WORKBOOK = `This is an Excel workbook, even if its name ends in .csv. ${SAVE} Or read the workbook with the node Extract from File, and use its rows.`;
const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each<[string, Uint8Array, string]>([
	['a workbook', bytes('PK\x03\x04\x14\x00xl/workbook.xml'), WORKBOOK],
	['an empty workbook', bytes('PK\x05\x06'), WORKBOOK],
	['an old workbook', bytes('\xd0\xcf\x11\xe0\xa1\xb1'), WORKBOOK],
	['a PDF', bytes('%PDF-1.7'), `This is a PDF. Ask for the list as an Excel or CSV file. ${SAVE}`],
	[
		'two bytes for each character, and no mark',
		Buffer.from(FILE, 'utf16le'),
		`The file is not in UTF-8. ${SAVE}`,
	],
	[
		'half a character of two bytes',
		bytes('\xff\xfea'),
		`The file is not in UTF-8: a character in line 1 cannot be read. ${SAVE}`,
	],
	[
		'a character of Windows',
		bytes('a\r\nb\xe9'),
		`The file is not in UTF-8: a character in line 2 cannot be read. ${SAVE}`,
	],
	['more than 25 MB', new Uint8Array(25 * 2 ** 20 + 1), 'The file is larger than 25 MB. Split the list.'],
	['nothing', bytes(''), `The file is empty. ${SAVE}`],
	['white space', bytes(' \n\t'), `The file is empty. ${SAVE}`],
	['a mark only', bytes('\xef\xbb\xbf'), `The file is empty. ${SAVE}`],
])('a file that has %s is refused with what to do', (_, content, problem) => {
	const nothing = { paymentKey: '', amount: '', destination: '', note: '', again: false };
	expect(readFile(content, SETTINGS)).toEqual([{ row: 0, line: 0, ...nothing, problems: [problem] }]);
});

test.each(['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be'] as const)(
	'a file in %s is read',
	(encoding) => {
		const text = csv('A-1,5,NGN,,M\u00fcller \ud83d\ude00');
		expect(readFile(encoded(text, encoding), SETTINGS)).toMatchObject([
			{ paymentKey: 'A-1', destination: 'M\u00fcller \ud83d\ude00', problems: [] },
		]);
	},
);

test.each([
	[
		'a row above the names',
		`Z-9,3.25,NGN,,supplier\n${FILE}`,
		'Above the names of the columns in row 2, row 1 looks like a payout, and is not read. Put all payouts below these names, or remove the row above.',
	],
	[
		'rows that are one cell',
		FILE.replaceAll(/.+/g, '"$&"'),
		'Row 1 has the names of all columns in one cell. Give each column a cell of its own, without quotation marks around the whole row.',
	],
	[
		'too many rows',
		csv(...rowsOf(50_001)),
		'The list has more than 50,000 rows, and one list can have no more. Split it.',
	],
	[
		'100,000 rows',
		csv(...rowsOf(100_000)),
		'The list has more than 50,000 rows, and one list can have no more. Split it.',
	],
	[
		'too many cells',
		`${HEADER}${','.repeat(1000)}`,
		'Line 1 has more than 1000 cells. Remove the columns that are not needed.',
	],
	[
		'empty lines only',
		`${HEADER}\n${'\n'.repeat(200_000)}`,
		'The list has no row below the names of the columns. Add the payouts.',
	],
])('it says what is wrong with a file that has %s', (_, text, problem) => {
	expect(problemsOf(text)).toEqual([problem]);
});

describe('names of columns', () => {
	const OWN = 'Invoice No;Amount (NGN);Remark;Beneficiary;Batch\nA-1;5;June;supplier;7\nA-2;6;;supplier;';
	const columns = {
		...DEFAULT_COLUMNS,
		paymentKey: 'invoice no.',
		amount: 'Amount (NGN)',
		note: 'Remark',
		destination: 'BENEFICIARY',
	};
	const codeOfAll = { code: 'ngn', isFiat: true };

	test('are those that the node says, without case, spaces and signs, and one currency can be that of all rows', () => {
		const payment = { currency: 'NGN', destination: 'supplier', again: false, problems: [] };
		expect(read(OWN, { columns, codeOfAll })).toEqual([
			{
				row: 2,
				line: 2,
				paymentKey: 'A-1',
				amount: '5',
				note: 'June',
				extra: { Batch: '7' },
				...payment,
			},
			{ row: 3, line: 3, paymentKey: 'A-2', amount: '6', note: '', ...payment },
		]);
	});

	test.each<[string, Partial<typeof DEFAULT_COLUMNS>, string]>([
		[
			'Payment Key,Amount (NGN),Currency,Coin,Destination',
			{},
			'The list has no column amount. Its columns are Payment Key, Amount (NGN), Currency, Coin and Destination. In the node, write the name of the right one into the option Amount Column, or rename it in the list.',
		],
		[
			'key;amount;alias;currency',
			{},
			'The list has no column paymentKey and no column destination. Its columns are key, amount, alias and currency. In the node, write the names of the right ones into the options Payment Key Column and Destination Column, or rename them in the list. A payment key is a text that only one payment has, such as the supplier, and the number and year of the invoice. A destination is the alias of an account or wallet.',
		],
		[
			'a|b|c',
			{ paymentKey: 'Invoice', amount: 'Sum', destination: 'Payee' },
			'The list has no column Invoice, no column Sum and no column Payee. Its columns are a, b and c. In the node, write the names of the right ones into the options Payment Key Column, Amount Column and Destination Column, or rename them in the list. No column says the currency or coin either: name it, too, or add the option Currency of All Rows or Coin of All Rows.',
		],
		[HEADER, { amount: ' ' }, 'In the node, Amount Column is empty. Write the name of the column into it.'],
	])('that are missing in %s are named, with the field of the node', (header, own, problem) => {
		const settings = { columns: { ...DEFAULT_COLUMNS, ...own } };
		expect(problemsOf(`${header}\nA-1,5,NGN,,supplier`, settings)).toEqual([problem]);
	});

	test.each(['Amount (USD)', 'Total amount [USD] '])(
		'may not say another currency than the row: %s',
		(amount) => {
			const ofAmount = { columns: { ...DEFAULT_COLUMNS, amount } };
			const rows = ['A,5,USD,,supplier', 'B,7,NGN,,supplier', 'C,11,,USDT,treasury'];
			const text = [`paymentKey,${amount},currency,coin,destination`, ...rows].join('\n');
			const [second, third, ...others] = said(read(text, ofAmount));
			expect(others).toEqual([]);
			expect(second).toBe(
				`Row 3: The amount (column ${amount.trim()}) is in USD by the name of its column, and would be paid in NGN. If it is in NGN, give the column another name. If not, correct the amount or the code.`,
			);
			expect(third).toContain('would be paid in USDT');
			const all = { ...ofAmount, codeOfAll: { code: 'ngn', isFiat: true } };
			expect(said(read(`paymentKey,${amount},destination\nA,5,supplier`, all))).toEqual([
				expect.stringContaining('would be paid in NGN'),
			]);
			const right = { ...ofAmount, codeOfAll: { code: 'usd', isFiat: true } };
			expect(said(read(`paymentKey,${amount},destination\nA,5,supplier`, right))).toEqual([]);
		},
	);

	test('stand beside the value that is wrong, if the node was told another name', () => {
		const text = OWN.replace('A-1', '').replace(';6', ';');
		expect(problemsOf(text, { columns, codeOfAll })).toEqual([
			'Row 2: The payment key (column Invoice No) is missing. Enter it.',
			'Row 3: The amount (column Amount (NGN)) is missing. Enter it.',
		]);
	});

	test('of columns without a meaning are kept as they are written, even if they are empty, twice or hostile', () => {
		const text =
			'paymentKey,Remark,amount,,Remark,destination,currency,__proto__,constructor\nA,x,5,y,z,s,NGN,p,c';
		const [row] = read(text);
		expect(Object.entries(row!.extra!)).toEqual([
			['Remark', 'x'],
			['column D', 'y'],
			['Remark (column E)', 'z'],
			['__proto__', 'p'],
			['constructor', 'c'],
		]);
		expect(Object.getPrototypeOf(row!.extra)).toBe(Object.prototype);
		expect(row).toMatchObject({ amount: '5', problems: [] });
	});

	test.each([
		'canceled',
		'CANCELLED',
		'Void',
		'Already paid',
		'paid in full',
		'ON_HOLD',
		'onHold',
		'Hold',
		'credit memo',
		'Credit-Note',
		'refunded',
		'Do not pay',
		'Paid: 3 May',
		'Refund (INV-9)',
		'Cancelled by Ada',
		'Paid 12/05',
	])('may be any, and a cell that says %s takes the row back', (word) => {
		const text = `paymentKey,amount,currency,destination,Zustand\nA-1,5,NGN,s,"${word}"`;
		expect(problemsOf(text)).toEqual([
			`Row 2: The column Zustand says ${word}, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.`,
		]);
	});

	test.each([
		'Unpaid',
		'to be paid',
		'not cancelled',
		'Paid media campaign',
		'Refund policy',
		'Household',
		'Payable',
		'credit',
		'Debit',
		'approved',
		'Holdings',
		'Voider Ltd',
		'paidup',
	])('may be any, and a cell that says %s takes nothing back', (word) => {
		const text = `paymentKey,amount,currency,destination,Zustand\nA-1,5,NGN,s,"${word}"`;
		expect(problemsOf(text)).toEqual([]);
	});

	test.each([
		'tag',
		'Destination Tag',
		'destinationTag',
		'dest_tag',
		'MEMO',
		'Memo ID',
		'XLM memo',
		'Tag / Memo',
	])('may not be %s in a row of a coin, if its cell is filled', (name) => {
		const of = (coin: string, cell: string) =>
			problemsOf(`paymentKey,amount,currency,coin,destination,${name}\nA-1,5,${coin},t,${cell}`);
		expect(of(',XRP', '104227')).toEqual([expect.stringContaining(`No payout carries the ${name} 104227`)]);
		expect(of(',XRP', '')).toEqual([]);
		expect(of('NGN,', '104227')).toEqual([]);
	});

	test('of notes may say anything', () => {
		const columns = { ...DEFAULT_COLUMNS, note: 'Memo' };
		expect(read('paymentKey,amount,coin,destination,Memo\nA-1,5,XLM,t,Paid', { columns })).toMatchObject([
			{ note: 'Paid', problems: [] },
		]);
	});

	test('can be signs only', () => {
		const settings = { columns: { ...DEFAULT_COLUMNS, paymentKey: '#' } };
		expect(read('#,amount,currency,destination\nA-1,5,NGN,s', settings)).toMatchObject([
			{ paymentKey: 'A-1' },
		]);
	});
});

test.each(['gbp', 'Gbp', 'GBP', 'gBP'])('the currency %s is GBP', (currency) => {
	expect(read(csv(`A-1,5,${currency},,s`))).toMatchObject([{ currency: 'GBP', problems: [] }]);
});

test('the coin USDt is USDT', () => {
	expect(read(csv('A-1,5,,USDt,t'))).toMatchObject([{ coin: 'USDT', problems: [] }]);
});

test('the code of a row counts more than that of all rows', () => {
	const codeOfAll = { code: 'USDT', isFiat: false };
	const rows = read(csv('A,5,NGN,,s', 'B,6,,btc,t', 'C,7,,,u', 'D,8,NGN,BTC,v'), {
		columns: DEFAULT_COLUMNS,
		codeOfAll,
	});
	expect(rows.map(({ currency, coin }) => [currency, coin])).toEqual([
		['NGN', undefined],
		[undefined, 'BTC'],
		[undefined, 'USDT'],
		['NGN', 'BTC'],
	]);
	const both = 'Fill in currency or coin: one of the two.';
	expect(said(rows)).toEqual([`Row 5: ${both}`]);
	const ofNobody = { columns: DEFAULT_COLUMNS, codeOfAll: { code: ' ', isFiat: true } };
	expect(problemsOf(csv('A,5,,,s'), ofNobody)).toEqual([`Row 2: ${both}`]);
});

test.each([
	'1250.50 may mean 1250.50',
	'1,250 may mean 1250 or 1.25',
	'1.256 may mean 1256 or 1.2560',
	'10.000 may mean 10000 or 10',
	'0.125 may mean 0.125',
	'0,125 may mean 0.125',
	'5. may mean 5',
	'1250,5 may mean 1250.5',
	'1250.125 may mean 1250.125',
	'1,250,000 may mean 1250000',
	'1,250,000.5 may mean 1250000.5',
	'1.250.000,50 may mean 1250000.50',
	'1 250 may mean 1250',
	"1'250.50 may mean 1250.50",
	"'7 may mean 7",
	'1 250.125 may mean 1250.125',
	'12 50 may mean nothing',
	'1 1.000 may mean nothing',
	'12,50,000 may mean 1250000',
	'1,25.5 may mean nothing',
])('the amount %s', (sentence) => {
	const [amount = '', meant = ''] = sentence.split(' may mean ');
	expect(meaningsOf(amount)).toEqual(meant === 'nothing' ? [] : meant.split(' or '));
});

test('a key that Payment Key refuses is refused in the list', () => {
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
		'not',
		'known',
		'tbc',
		'Ltd',
		'/',
		',',
	];
	const sign = fc.integer({ min: 32, max: 0x2fff }).map((code) => String.fromCodePoint(code));
	const keys = fc
		.oneof(fc.array(sign, { maxLength: 9 }), fc.array(fc.constantFrom(...words), { maxLength: 4 }))
		.map((parts) => parts.join('').trim());
	fc.assert(
		fc.property(keys, (key) => {
			fc.pre(key !== '');
			const isRefused = keyProblem(key, 'payment key') !== undefined;
			const text = readKeyText(key);
			if ('message' in text) return isRefused;
			// These Read alone refuses.
			return /^[=+@\t'"-]|^example|^\d{15}|^\d+[.,]0+$/i.test(text.compared) || !isRefused;
		}),
		{ numRuns: 1_000 },
	);
});
