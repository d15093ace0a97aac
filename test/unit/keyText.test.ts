/** A Payment Key is visible ASCII. Two spellings of one key are one key, and everything else is refused by name. */
import { expressionsWithin, isPartOfKey } from '../../nodes/WalletService/input/expressions.ts';
import { readKeyText } from '../../nodes/shared/paymentKey/keyText.ts';
import { CHARACTERS } from './characters.ts';

const keyOf = (text: string) => {
	const read = readKeyText(text);
	if ('message' in read) throw new Error(read.message);
	return read.compared;
};
const refusalOf = (text: string) => {
	const read = readKeyText(text);
	return 'message' in read ? read.message : undefined;
};

test.each([
	['upper and lower case', 'INV-1042', ['inv-1042', 'Inv-1042']],
	['signs that are ASCII after NFKC', 'INV-12', ['ＩＮＶ－１２', 'INV-①②', 'INV-¹²', 'ⅰNV-12']],
	[
		'a space beside a sign, of any width but the narrowest',
		'INV-7',
		['INV\u2009-7', 'INV \u2013 7', 'INV -7', 'INV-\u202f7'],
	],
	['spaces beside other signs', 'Acme, Inc. #7', ['Acme,Inc.#7', 'ACME , INC. # 7']],
	['kinds of hyphens', 'INV-7', ['INV‐7', 'INV‑7', 'INV–7', 'INV—7', 'INV−7', 'INV﹣7']],
	['spaces at the ends', 'INV-7', ['\u3000INV-7\u00a0']],
	['kinds of spaces', 'INV 7', ['INV\u00a07', 'INV\u20097', 'INV  7', 'INV\u3000 7']],
	['kinds of apostrophes', "O'Neil 4", ['O’Neil 4', 'Oʼneil 4']],
	['kinds of quotation marks', '"A" 4', ['“A” 4', '„A” 4']],
])('%s make one key', (_what, key, spellings) => {
	expect(spellings.map(keyOf)).toEqual(spellings.map(() => keyOf(key)));
});

test.each([
	['INV-1', 'INV1'],
	['INV 1', 'INV1'],
	['1 12', '11 2'],
	['7', '07'],
])('%p and %p are different keys', (one, other) => {
	expect(keyOf(one)).not.toBe(keyOf(other));
});

/** Some show nothing, some look like ASCII: a hair space, a zero width space, a line feed, half a character, е, Α, ᑭ, ─, ½, an accent, 😀. */
test.each(['200A', '200B', '000A', 'D800', '0435', '0391', '146D', '2500', '00BD', '0301', '1F600'])(
	'a key with U+%s is refused, with the character by name',
	(code) =>
		expect(refusalOf(`INV-${String.fromCodePoint(Number.parseInt(code, 16))}1`)).toMatch(
			new RegExp(`^'Payment Key' has the character .+ \\(U\\+${code}\\): `),
		),
);

test('of all characters, those that are ASCII after NFKC, dashes, quotes and spaces can be in a key', () => {
	const isRefused = (character: string) =>
		/^'Payment Key' has the character/.test(refusalOf(`a${character}a`) ?? '');
	const accepted = CHARACTERS.filter((character) => !isRefused(character));
	const isAscii = (character: string) =>
		// Nobody sees a hair space, so it is refused like one without width.
		character !== '\u200a' && /^[ -~]+$/.test(character.normalize('NFKC'));
	expect(accepted.filter(isAscii)).toEqual(CHARACTERS.filter(isAscii));
	const others = accepted.filter((character) => !isAscii(character));
	expect(others).toHaveLength(37);
	for (const character of others) expect(keyOf(`a${character}a`)).toMatch(/^a[ '"-]a$/);
});

test.each([
	'Acme Ltd.',
	'INV-TBC-12',
	'Acme Ltd. 7',
	'Acme-unknown-7',
	'None-7',
	'PO 4711 TBC 2',
	'#1042',
	'NO-5',
	'https://pay.example.com/invoices/1042',
	'2026-11-30T10:15:00.5',
	'1,5',
	'a_b',
	'(7)',
	'k',
	'N',
	'+234-7',
	'abc==',
	'null-5',
	'nano-7',
	'annull-3',
	'canon-a/b',
	'1e5',
	'INV-0',
	'nationwide',
	'NA-7',
	'False Bay Ltd 7',
	'Falsetto-7',
	'INV-True-7',
	'NAT-7',
	'Natal-7',
	'C:\\New\\7',
	'ORDER-7',
	'Payless',
	'{3F2504E0-4F89-11D3-9A0C-0305E82C3301}',
	'50% of 7',
	'5%-7',
	'a%2Fb',
	'a%D7%90',
	'A%dd7',
	'US$500',
	'A$AP 7',
	'Acme [Lagos] 7',
	'[7]',
	'<7>',
	'7 < 8',
	'%AB%CD',
])('%p is a key', (text) => expect(refusalOf(text)).toBeUndefined());

test.each([
	'INV-undefined',
	'NULL',
	'INV-null-3',
	'INVnull-2026',
	'INV-NULL',
	'INV-UNDEFINED',
	'INV-none',
	'#N/A',
	'INV-n/a',
	'nan',
	'NaN',
	'INVNaN',
	'INV [object Object]',
	'Invalid DateTime',
	'Invalid date',
	'INV {}',
	'INV-Unknown',
	'TBD',
	'inv tba',
	'TBC',
	'not provided',
	'Not_Available',
	'INV-not-known',
	'not-specified',
	'NotGiven',
	'not applicable',
	'N.A.',
	'null-',
	'Acme-TBC',
	'Acme Ltd. unknown',
	'false',
	'FALSE',
	'INV-False',
	'INVFalse',
	'INV-FALSE',
	'INV-false-3',
	'INV-NaT',
	'NaT',
	'INVNaT-7',
	'\\N',
	'INV-\\N',
	'INV-\\N-7',
])('%p is refused, because a value is missing', (text) =>
	expect(refusalOf(text)).toMatch(/has the word .*, so a value is missing$/),
);

test.each([
	['INV-NULL', 'null'],
	['INV [object Object]', '[object'],
	['INV-NaT', 'NaT'],
	['Acme Ltd. not_known', 'not known'],
])('of %p the word %s is named', (text, word) =>
	expect(refusalOf(text)).toBe(`'Payment Key' ${text} has the word ${word}, so a value is missing`),
);

/** What to do about a text that is no key. */
test.each([
	['INV-null', /^Write the supplier, and the number and year of the invoice/],
	['INV-é', /^Write 'Payment Key' with plain letters/],
	['INV-{{ $json.x }}', /^Switch 'Payment Key' from Fixed to Expression/],
	['1E+12', /^Give the column the format Text/],
	['x'.repeat(256), /^Enter a shorter 'Payment Key'/],
])('of %p it says what to do', (text, says) => {
	expect(readKeyText(text)).toMatchObject({ description: expect.stringMatching(says) });
});

test.each([
	['PAY-{order_id}', '{order_id}'],
	['PAY-${order.id}', '{order.id}'],
	['{0}', '{0}'],
	['PAY-{order', '{order'],
	['PAY-%s', '%s'],
	['%05d', '%05d'],
	['PAY-%(order)s-7', '%(order)s'],
	['PAY-$order_id', '$order_id'],
	['%ORDER%', '%ORDER%'],
	['PAY-<order>', '<order>'],
	['<invoice number>', '<invoice number>'],
	['PAY-[order_id]', '[order_id]'],
])('%p is a template that nobody has filled in', (text, part) =>
	expect(refusalOf(text)).toBe(`'Payment Key' ${text} is a template: ${part} was not filled in`),
);

test.each(['1,23457E+12', '1.23457E+12', '1E+15', '1.2e+21', '7. 1E+12'])(
	'a spreadsheet has shortened %p',
	(text) =>
		expect(refusalOf(text)).toBe(`'Payment Key' ${text} is a number that a spreadsheet has shortened`),
);

test.each(['INV-{{ $json.x', 'INV-}}'])('the expression of %p is off', (text) =>
	expect(refusalOf(text)).toBe(`'Payment Key' is the fixed text ${text}`),
);

test.each([
	'INV-',
	'INV/',
	'INV–',
	'INV--',
	'-',
	'--',
	'?',
	'...',
	'0',
	'0.00',
	'000',
	'INV',
	'#0',
	'the invoice number',
	'Invoice No.',
	'invoiceNumber',
	'INVOICE_ID',
	'INV--7',
	'INV-://7',
	'-2026-11',
	'INV-/7',
	'INV - - 7',
	'INV-#',
	'INV::7',
	'INV..7',
	'.7',
	'2026.',
	'INV,',
	'_7_',
	'INV.',
	'invoicenumber',
	'INV No.',
	'INV-?-7',
	'na',
	'no invoice number',
	'no number given',
	'no value',
	'Nil',
	'missing',
	'[payment key]',
	'to be confirmed',
	'to be determined by the user',
	'Not yet known',
	'unspecified',
	'not set yet by customer',
	'document',
	'reference',
	'my ref',
	'your order',
	'invoice num',
	'order nr',
	'none yet',
	'unknown invoice',
	'pending payment',
	'TBA by user',
	'TBC invoice',
	'TBD order',
	'available yet',
	'number provided by user',
	'specified by customer',
	'true',
	'INV-TRUE',
	'order id',
	'ORDER_ID',
	'orderId',
	'payout',
	'PAY',
	'transaction no',
	'bill number',
])('%p is refused, because a part is missing', (text) =>
	expect(refusalOf(text)).toBe(`'Payment Key' ${text} looks as if a part is missing`),
);

test('a key may have 255 characters', () => {
	expect(refusalOf('x'.repeat(255))).toBeUndefined();
	expect(refusalOf('x'.repeat(256))).toBe("'Payment Key' is longer than 255 characters");
});

test.each<[unknown, string[]]>([
	['=INV-{{ $json.invoice }}', ['{{ $json.invoice }}']],
	['={{ $json.a }}/{{ $json.b }}', ['{{ $json.a }}', '{{ $json.b }}']],
	['={{ $json.invoice }}', []],
	['= {{ $json.invoice }} ', []],
	['INV-{{ 1 }}', []],
	[undefined, []],
])('the expressions within %p are %p', (expression, parts) => {
	expect(expressionsWithin(expression)).toEqual(parts);
});

test('a part of a key is a value that says something', () => {
	expect(['x', 0, 7.5, true].filter(isPartOfKey)).toEqual(['x', 0, 7.5, true]);
	expect([undefined, null, '', '  ', NaN, Infinity, []].filter(isPartOfKey)).toEqual([]);
});
