/** Two Payment Keys that look the same are one key, and a text that can be two keys is refused. */
import {
	expressionsWithin,
	isPartOfKey,
	readKeyText,
} from '../../nodes/WalletService/action/payment/keyText.ts';

const keyOf = (text: string) => {
	const read = readKeyText(text);
	if ('message' in read) throw new Error(read.message);
	return read.key;
};
const refusalOf = (text: string) => {
	const read = readKeyText(text);
	return 'message' in read ? read.message : undefined;
};

describe.each([
	['upper and lower case', 'INV-1042', ['inv-1042', 'Inv-1042']],
	['composed and decomposed letters', 'Café 7', ['Cafe\u0301 7']],
	['full-width and circled signs', 'INV-12', ['ＩＮＶ－１２', 'INV-①②']],
	['kinds of hyphens', 'INV-7', ['INV‐7', 'INV‑7', 'INV–7', 'INV—7', 'INV−7', 'INV﹣7']],
	['kinds of spaces', 'INV 7', ['INV\u00a07', 'INV\u20097', 'INV  7', 'INV\u3000 7']],
	['Cyrillic letters that look Latin', 'BAC-1', ['ВАС-1']],
	['Greek letters that look Latin', 'TAX-1', ['ΤΑΧ-1']],
	['kinds of apostrophes', "O'Neil 4", ['O’Neil 4', 'Oʼneil 4']],
	['a letter i with and without its dot', 'ID-9', ['ıd-9', 'İD-9']],
	['a Greek letter with two small forms', 'οδος.α-1', ['ΟΔΟΣ.Α-1']],
	['ß and ss', 'straße-1', ['STRASSE-1']],
	['other letters and strokes that look Latin', 'I-1', ['Ӏ-1', 'ǀ-1']],
	['a Cyrillic letter of another language', 'Y-1', ['Ү-1']],
	['an Armenian letter', 'o-1', ['օ-1']],
	['kinds of slashes', 'a/1', ['a⧸1']],
])('%s', (_what, key, spellings) => {
	test.each(spellings)(`%p is the key ${key}`, (spelling) => {
		expect(keyOf(spelling)).toBe(keyOf(key));
	});
});

test.each([
	['INV-1', 'INV-2'],
	['INV-1', 'INV1'],
	['a.b', 'ab'],
	['7', '07'],
	['résumé-1', 'resume-1'],
	['請求書-1', '請求書-2'],
])('%p and %p are different keys', (one, other) => {
	expect(keyOf(one)).not.toBe(keyOf(other));
});

test.each([
	['a zero-width space', 'INV\u200b1', 'U+200B'],
	['a Hangul filler', 'INV\u31641', 'U+3164'],
	['a direction mark', 'INV\u202e1', 'U+202E'],
	['a line break', 'INV\n1', 'U+000A'],
	['half of a pair', 'INV\ud8001', 'U+D800'],
	['an empty Braille sign', 'INV\u28001', 'U+2800'],
	['a Tifinagh joiner', 'INV\u2d7f1', 'U+2D7F'],
	['an object replacement character', 'INV\ufffc1', 'U+FFFC'],
])('%s is refused by its code', (_what, text, code) => {
	expect(refusalOf(text)).toMatch(
		`'Payment Key' has an invisible character (${code}): ${text.replace(/INV.*/su, 'INV')}`,
	);
});

test.each([
	...[
		'INV-undefined',
		'INVundefined',
		'null',
		'INV-null-3',
		'INVnull-2026',
		'INV-NULL',
		'INV-UNDEFINED',
		'INV-none',
	],
	...['NaN', 'INVNaN', 'INV [object Object]', 'Invalid DateTime', 'INV {}'],
])('%p is refused, because a value is missing', (text) =>
	expect(refusalOf(text)).toMatch(/has the word .*, so a value is missing$/),
);

test.each(['nullable-1', 'nano-7', 'annull-3'])(
	'%p is a key, although it has the letters of null or nan',
	(text) => expect(refusalOf(text)).toBeUndefined(),
);

test.each(['INV-', 'INV/', 'INV–', 'vendor--5'])('%p is refused, because a part is missing', (text) =>
	expect(refusalOf(text)).toBe(`'Payment Key' ${text} looks as if a part is missing`),
);

test.each(['INVоice-1', 'pаyment 1', 'ɪɴᴠ-1', 'ꓲꓠꓦ-1', 'ᎪᏴ-1', 'αbc-1'])(
	'%p is refused, because its letters look like those of another alphabet',
	(text) => expect(refusalOf(text)).toMatch(/has letters that look like those of another alphabet/),
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

test.each([undefined, null, '', '  ', NaN, Infinity, []])('%p cannot be a part of a key', (value) =>
	expect(isPartOfKey(value)).toBe(false),
);

test.each(['x', 0, 7.5, true])('%p can be a part of a key', (value) => expect(isPartOfKey(value)).toBe(true));
