import fc from 'fast-check';
import {
	add,
	canonical,
	compare,
	isPlainDecimal,
	multiply,
	readDecimal,
	subtract,
} from '../../api/decimal.ts';
import { exactNumber, isExactNumber, parseExact, toPlain } from '../../api/json.ts';

describe('decimal text', () => {
	test.each(['0', '7', '-12.50', '0.1', '9007199254740993', '0.123456789012345678', '1.00'])(
		'%s is plain decimal text',
		(text) => {
			expect(isPlainDecimal(text)).toBe(true);
			expect(readDecimal(text)).toBe(text);
		},
	);

	test.each([
		'',
		' 1',
		'1 ',
		'1,000',
		'1e3',
		'+1',
		'0x10',
		'NaN',
		'Infinity',
		'.5',
		'5.',
		'01',
		'--1',
		'1.2.3',
		'١٢',
	])('%j is not plain decimal text', (text) => expect(isPlainDecimal(text)).toBe(false));

	test.each([
		['+5', '5'],
		['007.10', '7.10'],
		['1e3', '1000'],
		['1.5e3', '1500'],
		['1.5E-3', '0.0015'],
		['-1e-7', '-0.0000001'],
		['12.34e1', '123.4'],
		['1e+2', '100'],
		['0e5', '0'],
		['1e99', `1${'0'.repeat(99)}`],
		['1e-99', `0.${'0'.repeat(98)}1`],
		['1e100', undefined],
		['1e-9999', undefined],
		['1e99999', undefined],
		['9'.repeat(100), '9'.repeat(100)],
		['9'.repeat(101), undefined],
		['1,5', undefined],
		['', undefined],
		['NaN', undefined],
	])('the number %s reads as the plain decimal %s', (text, plain) => expect(readDecimal(text)).toBe(plain));

	test('decimal arithmetic is exact', () => {
		expect(add('0.1', '0.2')).toBe('0.3');
		expect(add('9007199254740993', '0.000000000000000001')).toBe('9007199254740993.000000000000000001');
		expect(subtract('1', '0.999999999999999999')).toBe('0.000000000000000001');
		expect(subtract('0.1', '0.25')).toBe('-0.15');
		expect(multiply('1600', '0.99')).toBe('1584.00');
		expect(multiply('-0.5', '0.5')).toBe('-0.25');
		expect(compare('1.50', '1.5')).toBe(0);
		expect(compare('9007199254740993', '9007199254740992')).toBe(1);
		expect(compare('-1', '0.1')).toBe(-1);
		expect([canonical('1.50'), canonical('2.00'), canonical('-0.0'), canonical('100')]).toEqual([
			'1.5',
			'2',
			'0',
			'100',
		]);
	});

	const decimal = fc
		.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 18 }))
		.map(([negative, units, scale]) => {
			const digits = units.toString().padStart(scale + 1, '0');
			const text = digits.slice(0, digits.length - scale) + (scale > 0 ? `.${digits.slice(-scale)}` : '');
			return negative && units !== 0n ? `-${text}` : text;
		});

	test('adding and subtracting a decimal gives the first one again, and the order does not matter', () => {
		fc.assert(
			fc.property(decimal, decimal, (a, b) => {
				expect(compare(subtract(add(a, b), b), a)).toBe(0);
				expect(add(a, b)).toBe(add(b, a));
				expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
			}),
		);
	});

	test('2,000 decimals of up to 38 digits go through JSON and come back digit for digit', () => {
		fc.assert(
			fc.property(decimal, (text) => {
				const json = JSON.stringify({ amount: exactNumber(text) });
				expect(json).toBe(`{"amount":${text}}`);
				expect(parseExact(json)).toEqual({ amount: exactNumber(text) });
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('exact JSON', () => {
	test('numbers in JSON keep their source text', () => {
		const parsed = parseExact(
			'{"a":9007199254740993,"b":[0.123456789012345678,1.50],"c":"5","d":null,"e":true}',
		);
		expect(JSON.stringify(parsed)).toBe(
			'{"a":9007199254740993,"b":[0.123456789012345678,1.50],"c":"5","d":null,"e":true}',
		);
	});

	test.each([
		'9007199254740993',
		' -1.50',
		'[1.50]',
		'["a",1.50]',
		'[\n1.50]',
		'{"a":1.50}',
		'{"a":\t-1.50}',
	])('a number keeps its digits at any place in a JSON text: %j', (text) =>
		expect(JSON.stringify(parseExact(text))).toBe(text.replaceAll(/\s/g, '')),
	);

	test.each([...['-01', '01', '00', '-', '1.', '.5', '1.e5', '1e', '1e+', '+1', '1-2', '1.2.3', '0x1']])(
		'the malformed number %s is refused, also where another member has its name',
		(number) => {
			for (const text of [number, `[${number}]`, `{"a":${number}}`, `{"a":${number},"a":1}`]) {
				expect(() => parseExact(text)).toThrow(SyntaxError);
			}
		},
	);

	test.each([
		['1', 1],
		['1.50', 1.5],
		['0.1', 0.1],
		['1e2', 100],
		['-0.25', -0.25],
		['9007199254740992', 9007199254740992],
		['9007199254740993', '9007199254740993'],
		['0.123456789012345678', '0.123456789012345678'],
		['1e400', '1e400'],
		['1e308', 1e308],
		['1e-320', 1e-320],
		['1.00e2', 100],
		['0e9999', 0],
		['1e-9999', '1e-9999'],
		['0.10000000000000001', '0.10000000000000001'],
		[`1.${'0'.repeat(1000)}`, 1],
	])(
		'the exact number %s becomes %p: a number if a double holds its value, otherwise text',
		(source, plain) => {
			expect(toPlain(parseExact(source))).toBe(plain);
		},
	);

	/** Checked with `JSON.parse` without a reviver, whose numbers are doubles. */
	describe('JSON texts compared with V8', () => {
		/** The value with doubles, or the kind of error. */
		const outcome = (read: () => unknown) => {
			try {
				return read();
			} catch (error) {
				return (error as Error).name;
			}
		};
		const expectSame = (text: string) =>
			expect(outcome(() => JSON.parse(JSON.stringify(parseExact(text))) as unknown)).toEqual(
				outcome(() => JSON.parse(text) as unknown),
			);

		test.each([
			...['{1:2}', '{"a":1,2:3}', '{n1:2}', '{"n1":"n2","s":["s3",4]}', '{"a":"\\u006e1","\\u006e":5}'],
			...['01', '-', '-01', '1.', '.5', '1e', '1e+', '1.2.3', '1-2', '+1', '0x1', '1n', '--1', '1 2', '1"a"'],
			...['"a"1', 'true1', '1true', '-Infinity', '"1', '"1\\"', '\\"1', '["a\n",1]'],
			...['[1,]', '[1]]', '1\\', ''],
			...['{"a":1,"a":2}', '{"2":1,"1":2}', '["\\\\",1,"\\"",2]', '["\u2028\\\u2028",-0]'],
			...['[-0,-0.0e-0,1E+2]', '[\\"1",2]'],
		])('parseExact reads or refuses %j as V8 does', expectSame);

		test('parseExact reads 3,000 JSON texts as V8 does, also with one piece changed', () => {
			const piece = fc.constantFrom(...'"\\{}[],:-+.eE019ns ', 'true', 'null', '\\u0022', '\\u00', '\n');
			fc.assert(
				fc.property(fc.json(), fc.nat(), fc.nat(3), piece, (json, place, length, other) => {
					expectSame(json);
					const at = place % (json.length + 1);
					expectSame(json.slice(0, at) + other + json.slice(at + length));
				}),
				{ numRuns: 3000 },
			);
		});

		test('parseExact keeps every digit of 3,000 JSON texts, also with white space and keys that are numbers', () => {
			const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/);
			const text = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('__proto__'));
			const { json } = fc.letrec<{ json: string }>((tie) => ({
				json: fc.oneof(
					{ maxDepth: 4, withCrossShrink: true },
					digits,
					text.map((value) => JSON.stringify(value)),
					fc.constantFrom('true', 'null', '{}', '[]'),
					fc.array(tie('json')).map((values) => `[${values.join()}]`),
					fc
						.uniqueArray(fc.tuple(text, tie('json')), { selector: ([key]) => key })
						.map((members) => members.map(([key, value]) => `${JSON.stringify(key)}:${value}`))
						.map((members) => `{${members.join()}}`),
				),
			}));
			const space = fc.constantFrom('', ' ', '\n\t');
			/** The numbers in their order: JavaScript moves members whose keys are numbers to the front. */
			const numbersIn = (written: string) =>
				written
					.replace(/"(?:[^"\\]|\\.)*"/g, '""')
					.match(/-?\d[\d.eE+-]*/g)
					?.sort() ?? [];
			fc.assert(
				fc.property(json, space, (written, between) => {
					const spaced = written.replace(
						/"(?:[^"\\]|\\.)*"|[[\]{},:]/g,
						(token) => `${between}${token}${between}`,
					);
					expect(numbersIn(JSON.stringify(parseExact(spaced)))).toEqual(numbersIn(written));
					expectSame(spaced);
				}),
				{ numRuns: 3000 },
			);
		});

		test('parseExact reads a text with ten million escapes', () => {
			const text = String.raw`\"`.repeat(1e7);
			expect(parseExact(`["${text}",1]`)).toEqual(['"'.repeat(1e7), exactNumber('1')]);
		});
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
