/** Bodies that no correct service sends to the trigger: invented ones, and real ones with damage. */
import fc from 'fast-check';
import { SAMPLES } from '../../sandbox/samples.ts';

const real = Object.values(SAMPLES).map((sample) => JSON.stringify(sample));
const kinds = Object.keys(SAMPLES);
const keys = [...new Set(Object.values(SAMPLES).flatMap((sample) => Object.keys(sample)))];

/** Texts that often break parsers of JSON, numbers and text, and code that uses objects as maps. */
const NASTY = [
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'hasOwnProperty',
	'\uFEFF',
	'\u0000',
	'\uD800',
	'\uDFFF',
	'"',
	'\\',
	'\\u',
	'{',
	'}',
	'[[[[[[[[',
	'null',
	'NaN',
	'1e999999',
	'-0',
	'0.1e-400',
	'1e-9999',
	`0.${'0'.repeat(400)}1`,
	'9'.repeat(400),
	',',
	':',
	'{{ $json }}',
	'={{ 1 }}',
	' ',
	'\r\n',
];

const nasty = fc.constantFrom(...NASTY);

/** JSON of any shape, often with keys and values of real deliveries. */
const json = fc
	.dictionary(
		fc.oneof(fc.constantFrom('event', 'id', ...keys), nasty, fc.string({ unit: 'binary' })),
		fc.oneof(
			fc.constantFrom(...kinds, 'successful', '12.50', '0.5 usdt', ''),
			nasty,
			fc.double(),
			fc.bigInt(),
			fc.jsonValue({ maxDepth: 5 }),
		),
		{ maxKeys: 15 },
	)
	.map((record) => {
		const entries = Object.entries(record).map(
			([key, value]) =>
				`${JSON.stringify(key)}:${typeof value === 'bigint' ? value : (JSON.stringify(value) ?? null)}`,
		);
		return `{${entries.join(',')}}`;
	});

const event = fc.constantFrom(...kinds, 'something_new', '', '__proto__');
const known = fc
	.tuple(event, json)
	.map(([name, text]) => `{"event":${JSON.stringify(name)},${text.slice(1)}`);

/** A real body with pieces removed, replaced or inserted. */
const mutated = fc
	.tuple(
		fc.constantFrom(...real),
		fc.array(fc.tuple(fc.nat(500), fc.nat(20), fc.oneof(nasty, fc.string(), fc.constant(''))), {
			minLength: 1,
			maxLength: 4,
		}),
	)
	.map(([body, changes]) =>
		changes.reduce((text, [at, length, put]) => {
			const start = at % (text.length + 1);
			return text.slice(0, start) + put + text.slice(start + length);
		}, body),
	);

const nested = fc
	.tuple(
		fc.constantFrom(10, 400, 499, 500, 501, 1500, 3000, 10_000),
		fc.constantFrom(['[', ']'], ['{"a":', '}']),
	)
	.map(([depth, [open, close]]) => {
		const inner = open === '[' ? '' : '1';
		return `{"event":"admin_funding","x":${open.repeat(depth)}${inner}${close.repeat(depth)}}`;
	});

/** A list or a number that is long, so that a slow function shows. */
const long = fc
	.tuple(
		fc.constantFrom('0,', '{},', '[],', '"",', '1e-9999,', '{"a":1},', '9', '0', '-'),
		fc.constantFrom('Amount', 'fee', 'x'),
		fc.constantFrom(100, 5000, 200_000),
	)
	.map(([piece, key, size]) => {
		const run = piece.repeat(size / piece.length);
		return `{"event":"admin_funding","${key}":${piece.endsWith(',') ? `[${run}0]` : run}}`;
	});

export const hostileBodies: fc.Arbitrary<Buffer> = fc.oneof(
	{ weight: 8, arbitrary: mutated.map((text) => Buffer.from(text)) },
	{ weight: 6, arbitrary: known.map((text) => Buffer.from(text)) },
	{ weight: 3, arbitrary: json.map((text) => Buffer.from(text)) },
	{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
	{ weight: 1, arbitrary: nested.map((text) => Buffer.from(text)) },
	{ weight: 1, arbitrary: long.map((text) => Buffer.from(text)) },
);

/** Headers of a delivery: mostly as the service sends them, sometimes with a content type, encoding or token that it never sends. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
	{
		'content-type': fc.oneof(
			{ weight: 4, arbitrary: fc.constant('application/json') },
			{
				weight: 2,
				arbitrary: fc.constantFrom(
					'application/json; charset=utf-16le',
					'application/json; charset=nonsense',
					'APPLICATION/JSON',
					'text/plain',
					'application/xml',
					'application/x-www-form-urlencoded',
					'application/octet-stream',
					'multipart/form-data; boundary=x',
					'multipart/form-data',
					'multipart/mixed; boundary=x',
					';;;',
				),
			},
		),
		'content-encoding': fc.oneof(
			{ weight: 9, arbitrary: fc.constant('identity') },
			{ weight: 1, arbitrary: fc.constantFrom('gzip', 'deflate', 'br', 'gzip, gzip', 'nonsense') },
		),
		'x-svc-signature': fc.oneof(
			fc.stringMatching(/^[\x21-\x7e]{0,80}$/),
			fc.constantFrom('a '.repeat(6000).trim(), 'v1,'.repeat(4000), '='.repeat(12_000), 't=1,v1=0'),
		),
		cookie: fc.constantFrom('a=b', ';'.repeat(4000)),
	},
	{ requiredKeys: ['content-type'] },
);
