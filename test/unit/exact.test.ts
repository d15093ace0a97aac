/** No digit of a number is lost in decimals or in JSON. decimal.js and lossless-json say what is right. */
import Decimal from 'decimal.js';
import fc from 'fast-check';
import * as lossless from 'lossless-json';
import {
	add,
	canonical,
	compare,
	isPlainDecimal,
	isSameNumber,
	readDecimal,
} from '../../api/exact/decimal.ts';
import { multiply, subtract } from '../../sandbox/ledger/arithmetic.ts';
import { isExactNumber, parseExact, parseAllValues, toPlain } from '../../api/exact/json.ts';

describe('decimal text', () => {
	test.each(['', ' 1', '1 ', '1,000', '1e3', '+1', '0x10', '.5', '5.', '01', '--1', '1.2.3', '١٢'])(
		'%j is not plain decimal text',
		(text) => expect(isPlainDecimal(text)).toBe(false),
	);

	test.each([
		['-12.50', '-12.50'],
		['+5', '5'],
		['007.10', '7.10'],
		['1.50E-3', '0.00150'],
		['1e+2', '100'],
		['1e99', `1${'0'.repeat(99)}`],
		['1e-99', `0.${'0'.repeat(98)}1`],
		['1e100', undefined],
		['1e-100', undefined],
		['9'.repeat(100), '9'.repeat(100)],
		['9'.repeat(101), undefined],
		['1,5', undefined],
	])('the number %s reads as the plain decimal %s', (text, plain) => expect(readDecimal(text)).toBe(plain));

	test('the same value has one text, and zero no sign', () => {
		expect(['1.50', '2.00', '-0.0', '100'].map(canonical)).toEqual(['1.5', '2', '0', '100']);
	});

	/** The same arithmetic by another library, with more digits than any result has. */
	const Oracle = Decimal.clone({ precision: 400, toExpNeg: -1000, toExpPos: 1000 });

	const units = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
	const decimal = fc
		.tuple(units, fc.integer({ min: 0, max: 18 }))
		.map(([all, places]) => new Oracle(String(all)).div(`1e${places}`).toFixed(places));

	test('arithmetic has the results of decimal.js', () => {
		fc.assert(
			fc.property(decimal, decimal, (a, b) => {
				const [left, right] = [new Oracle(a), new Oracle(b)];
				expect(canonical(add(a, b))).toBe(left.plus(right).toFixed());
				expect(canonical(subtract(a, b))).toBe(left.minus(right).toFixed());
				// decimal.js has a negative zero, which plus(0) removes.
				expect(canonical(multiply(a, b))).toBe(left.times(right).plus(0).toFixed());
				expect(compare(a, b)).toBe(left.comparedTo(right));
				expect(canonical(a)).toBe(left.toFixed());
			}),
			{ numRuns: 1000 },
		);
	});

	test('a number in any notation has the value that decimal.js reads', () => {
		const notation = fc.stringMatching(/^[-+]?\d{1,30}(\.\d{1,30})?(e-?(60|[0-5]?\d))?$/);
		fc.assert(
			fc.property(notation, notation, (a, b) => {
				const [left, right] = [new Oracle(a), new Oracle(b)];
				const read = readDecimal(a);
				if (read !== undefined) {
					expect(isPlainDecimal(read)).toBe(true);
					expect(new Oracle(read).eq(left)).toBe(true);
				}
				expect(isSameNumber(a, b)).toBe(left.eq(right));
				expect(isSameNumber(a, left.toExponential())).toBe(true);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('exact JSON', () => {
	/** JSON values with numbers of any length, as lossless-json writes them. */
	const { value: anyJson } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			fc.constantFrom(null, true, false),
			fc.string(),
			fc
				.stringMatching(/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/)
				.map((text) => new lossless.LosslessNumber(text)),
			fc.array(tie('value')),
			// lossless-json makes it the prototype.
			fc.dictionary(
				fc.oneof(fc.string(), fc.nat().map(String)).filter((key) => key !== '__proto__'),
				tie('value'),
			),
		),
	}));
	const space = fc.constantFrom('', ' ', '\n\t');

	test('a JSON text is read as lossless-json reads it, number by number', () => {
		fc.assert(
			fc.property(anyJson, space, (value, between) => {
				const text = lossless.stringify(value, undefined, between) ?? '';
				expect(JSON.stringify(parseExact(text))).toBe(lossless.stringify(lossless.parse(text)));
			}),
			{ numRuns: 1000 },
		);
	});

	/** An object or list whose keys may stand twice: its text, and what is to be read of it. */
	interface Written {
		text: string;
		wanted: unknown;
	}
	const { value: anyWritten, object: anyObject } = fc.letrec<{ value: Written; object: Written }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 4, depthSize: 'small' },
			fc.json({ maxDepth: 0 }).map((text) => ({ text, wanted: JSON.parse(text) as unknown })),
			tie('object'),
			fc.array(tie('value'), { maxLength: 3 }).map((all) => ({
				text: `[ ${all.map(({ text }) => text).join(' ,\n')}]`,
				wanted: all.map(({ wanted }) => wanted),
			})),
		),
		object: fc
			.array(
				fc.tuple(fc.constantFrom('a', 'b', '1', 'A', '__proto__', '"', ':,{', '\\]'), tie('value'), space),
				{ maxLength: 5 },
			)
			.map((members) => ({
				text: `{${members.map(([name, { text }, between]) => [JSON.stringify(name), ':', text, ''].join(between)).join()}}`,
				wanted: Object.fromEntries(
					[...Map.groupBy(members, ([name]) => name)].map(([name, same]) => {
						const all = same.map(([, { wanted }]) => wanted);
						return [name, all.length === 1 ? all[0] : all] as const;
					}),
				),
			})),
	}));

	test('a key that is there twice, at any depth, has the list of its values, and any other key its value', () => {
		fc.assert(
			fc.property(fc.oneof(anyObject, anyWritten), ({ text, wanted }) => {
				const read = parseAllValues(text);
				expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(wanted)));
			}),
			{ numRuns: 2000 },
		);
	});

	test.each([
		['{"a":{"n":9007199254740993,"n":0.10}}', '{"a":{"n":[9007199254740993,0.10]}}'],
		['{"a":[{"n":1.0,"n":{"m":1e2}}],"b":2.50}', '{"a":[{"n":[1.0,{"m":1e2}]}],"b":2.50}'],
		// A number behind a key that is there twice.
		['{"a":{"n":[1.0],"n":2.0},"b":[3.0]}', '{"a":{"n":[[1.0],2.0]},"b":[3.0]}'],
		['[{"a":1.0,"a":{}},[],{},2.0]', '[{"a":[1.0,{}]},[],{},2.0]'],
	])('%s keeps every digit of every value', (text, all) => {
		expect(JSON.stringify(parseAllValues(text))).toBe(all);
	});

	test('a text with a key twice is nested as deeply as any other', () => {
		const nested = (levels: number) => `${'{"a":1,"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
		expect(() => parseAllValues(nested(200))).not.toThrow();
		expect(() => parseAllValues(nested(600))).toThrow(RangeError);
	});

	test.each([
		['-1.50', -1.5],
		['9007199254740992', 9007199254740992],
		['9007199254740993', '9007199254740993'],
		['1e99', 1e99],
		['1e100', '1e100'],
	])('%s becomes %p: a number if a double holds it and it has 100 digits at most', (source, plain) => {
		expect(toPlain(parseExact(source))).toBe(plain);
	});

	test('a JSON key that is special to JavaScript, such as __proto__, is ordinary data', () => {
		const plain = toPlain(parseExact('{"__proto__":{"polluted":1},"constructor":2}')) as object;
		expect(Object.keys(plain)).toEqual(['__proto__', 'constructor']);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
	});

	test('an object with a key rawJSON is not an exact number', () => {
		expect(isExactNumber(JSON.parse('{"rawJSON":"1"}'))).toBe(false);
		expect(toPlain(parseExact('{"rawJSON":"1"}'))).toEqual({ rawJSON: '1' });
	});
});
