/** The header with the signature is read in any usual form and in a short time, and nothing in it passes without the secret. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { openSsl } from './openSsl.ts';
import { BODY, expectRefused, HMAC, MISMATCH, reasonFor, SECRET, TIME } from './trySettings.ts';

const WRONG = '0'.repeat(64);
const SIGNATURE = openSsl(BODY, SECRET);
const signatureAt = (time: string) => openSsl(`${time}.${BODY}`, SECRET);
const TIMED = signatureAt(TIME);
const LATER = '1767225601';
const STRIPE = 't={timestamp},v1={signature}';

const TWO_TIMES = `${STRIPE},t={timestamp}`;

const settingsFor = (webhookSignatureFormat: string): VerificationSettings => ({
	...HMAC,
	webhookSignatureFormat,
	webhookPayload: webhookSignatureFormat.includes('{timestamp}') ? '{timestamp}.{body}' : '{body}',
});
const verdictOn = (header: string | string[], format: string, body = BODY) =>
	reasonFor(settingsFor(format), { 'x-svc-signature': header }, body);

test.each<[problem: string, formats: string[]]>([
	['is empty', ['']],
	['contains {Signature}', ['{Signature}']],
	['contains {id}', ['{signature},{id}']],
	['needs {signature} once, and {timestamp} at most once', ['v1', '{signature} {signature}', TWO_TIMES]],
	[
		'needs a separator such as a point between {signature} and {timestamp}',
		// Hex and base64 have these characters, so they separate nothing.
		['', '=', '-', '--', '+', '/', '_', '1', 'T', 'v1'].flatMap((between) => [
			`{timestamp}${between}{signature}`,
			`v1={signature}${between}{timestamp}`,
		]),
	],
	['has a line break', ['v1\\n{signature}', '{signature}\\n', 'v1\n{signature}', '{signature}\r']],
])('a Webhook Signature Format is refused that %s', (problem, formats) => {
	for (const format of formats) expectRefused(settingsFor(format), `Webhook Signature Format ${problem}`);
});

/** A time in each form, with its signatures in each encoding. */
const SIGNED_TIMES = [
	TIME,
	`${TIME}000`,
	`${TIME}.5`,
	'2026-01-01T00:00:00.000Z',
	'2026-01-01T01:00:00.25+01:00',
].map((time) => {
	const encodings = ['hex', 'base64', 'base64url'] as const;
	const signatures = encodings.map((encoding) => openSsl(`${time}.${BODY}`, SECRET, { encoding }));
	return { time, signatures };
});

test.each([
	'{signature}.{timestamp}',
	'{timestamp}.{signature}',
	'{signature}:{timestamp}',
	'v1:{timestamp}:{signature}',
	'{timestamp}|{signature}',
	STRIPE,
])('the format %s tells a time in any form from the signature', (format) => {
	for (const { time, signatures } of SIGNED_TIMES) {
		for (const signature of signatures) {
			const header = format.replace('{signature}', signature).replace('{timestamp}', time);
			expect(verdictOn(header, format)).toBe('ok');
		}
	}
});

test.each([
	['sha256={signature}', `sha256=\t${SIGNATURE}`],
	['v1={signature}', `v1= ${WRONG}, v1= ${SIGNATURE}`],
	['v1,{signature}', `v1, ${SIGNATURE}`],
	['HMAC-SHA256 {signature}', `HMAC-SHA256  ${SIGNATURE}`],
	[STRIPE, `t= ${TIME}, v1= ${TIMED}`],
	['v1:{timestamp}:{signature}', `v1: ${TIME}: ${TIMED}`],
	['v1={signature}', `v1=${SIGNATURE} v1=${WRONG}`],
	['v1={signature}', `, v1=${SIGNATURE},`],
	['v1,{signature}', `v1,${WRONG} v1,${SIGNATURE}`],
	['v1,{signature}', `v1,${WRONG},v1,${SIGNATURE}`],
	['{signature}.{timestamp}', `${TIMED}.${TIME}`],
	['{timestamp},{signature}', `${TIME},${TIMED}`],
	['hmac;1;{timestamp};{signature}', `hmac;1;${TIME};${TIMED}`],
	['t={timestamp};v1={signature}', `v1=${TIMED}; t=${TIME}`],
	['t="{timestamp}",sig="{signature}"', `sig="${TIMED}", t="${TIME}", alg="hmac"`],
	[STRIPE, `t=${TIME},v1=${WRONG},v1=${TIMED},v0=${WRONG}`],
])('with the format %s, the header %s passes, alone or beside a wrong one', (format, header) => {
	const wrong = header.replaceAll(SIGNATURE, WRONG).replaceAll(TIMED, WRONG);
	expect(verdictOn(header, format)).toBe('ok');
	expect(verdictOn(header, format, `${BODY} `)).toBe(MISMATCH);
	expect(verdictOn(wrong, format)).toBe(MISMATCH);
	expect(verdictOn(header.replace(TIME, LATER), format)).toBe(header.includes(TIME) ? MISMATCH : 'ok');
	// Node.js joins most headers that were sent twice, and gives a list of others.
	for (const both of [`${header}, ${wrong}`, `${wrong}, ${header}`, [header, wrong], [wrong, header]])
		expect(verdictOn(both, format)).toBe('ok');
});

test.each([
	['{timestamp}.{signature}', [TIMED, `.${TIMED}`, `${TIME}.`, '.']],
	['v1={signature}', ['v1=', SIGNATURE, ...['v0=', 'xv1=', 'v1', 'V1='].map((label) => label + SIGNATURE)]],
	['"{signature}"', [`"${SIGNATURE}`, '"', '""']],
	['v1,{signature}', ['v1,', SIGNATURE, `v2,${SIGNATURE}`]],
	[STRIPE, [`v1=${TIMED}`, `t=${TIME}`]],
])('with the format %s, the headers %j do not have the expected form', (format, headers) => {
	for (const header of headers)
		expect(verdictOn(header, format)).toBe('The header x-svc-signature does not have the expected form');
});

test('two times in a header are tried with each signature, a third is not', () => {
	expect(verdictOn(`t=${LATER},v1=${WRONG},t=${TIME},v1=${TIMED}`, STRIPE)).toBe('ok');
	expect(verdictOn(`t=${TIME},t=${LATER},v1=${signatureAt(LATER)}`, STRIPE)).toBe('ok');
	expect(verdictOn(`t=1,t=2,t=${TIME},v1=${TIMED}`, STRIPE)).toBe(MISMATCH);
});

test('of the items of a header 32 are read, and of its characters 4,096', () => {
	for (const wrong of ['v1=abc,', `v1=${WRONG},`]) {
		expect(verdictOn(`${wrong.repeat(31)}v1=${SIGNATURE}`, 'v1={signature}')).toBe('ok');
		expect(verdictOn(`${wrong.repeat(32)}v1=${SIGNATURE}`, 'v1={signature}')).toBe(MISMATCH);
	}
	expect(verdictOn(SIGNATURE.padEnd(4096, ','), '{signature}')).toBe('ok');
	const reason = 'The header x-svc-signature is too long';
	expect(verdictOn(SIGNATURE.padEnd(4097, ','), '{signature}')).toBe(reason);
});

const FORMATS = [
	'{signature}',
	'v1={signature}',
	'v1,{signature}',
	STRIPE,
	'{signature}.{timestamp}',
	'v1:{timestamp}:{signature}',
	'hmac;1;{timestamp};{signature}',
];
const formats = fc.constantFrom(...FORMATS);

describe('the time to read a header', () => {
	/** The fastest of several tries, until one is below the limit: other programs share the machine. */
	const shortestTime = (run: () => void, tries: number, limit = 0) => {
		let shortest = Infinity;
		for (let left = tries; left > 0 && shortest >= limit; left -= 1) {
			const start = performance.now();
			run();
			shortest = Math.min(shortest, performance.now() - start);
		}
		return shortest;
	};
	const large = Buffer.alloc(2 ** 19, 'a');
	/** The time of one signature, so that the machine's speed does not count. Some 0.25 ms. */
	const signingTime = () => shortestTime(() => createHmac('sha256', SECRET).update(large).digest('hex'), 100);
	let limit = signingTime();
	const expectFastRefusal = (settings: VerificationSettings, header: string) => {
		expect(reasonFor(settings, header)).not.toBe('ok');
		const refuse = () => reasonFor(settings, header);
		if (shortestTime(refuse, 100, limit) < limit) return;
		// The machine may have become slower meanwhile.
		limit = signingTime();
		expect(shortestTime(refuse, 300, limit)).toBeLessThan(limit);
	};

	/** The longest header that is read. */
	const fill = (piece: string) => piece.repeat(Math.ceil(4096 / piece.length)).slice(0, 4096);
	/** What an attacker can repeat to fill the header. */
	const PIECES = [...'a1=,;.: \t', 'v1=', 't=', 'v1,', 'hmac;1;', TIME, WRONG];
	const repeated = fc
		.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
		.map((parts) => parts.join(''));

	test('any header that is read takes under the time of a signature', () => {
		const refused = fc.property(formats, repeated, (format, piece) =>
			expectFastRefusal(settingsFor(format), fill(piece)),
		);
		fc.assert(refused, { numRuns: 300 });
	});

	test.each([
		['one long signature', fill('a')],
		['signatures of the right length', fill(`${WRONG} `)],
		['one time and many signatures', fill(`t=${TIME},${fill(`v1=${WRONG},`)}`)],
	])('a header with %s takes under the time of a signature', (_, header) => {
		for (const format of FORMATS) expectFastRefusal(settingsFor(format), header);
	});
});

test('no header without the signature of this body passes, and none makes the check throw', () => {
	const signatures = [WRONG, ...['', TIME, '{}'].map((text) => openSsl(text, SECRET))];
	const piece = fc.constantFrom(
		'v1',
		'v0',
		't',
		'v1=',
		't=',
		'v1,',
		'=',
		',',
		';',
		' ',
		'.',
		':',
		'\t',
		'{signature}',
		'{timestamp}',
		'',
		'undefined',
		'null',
		'__proto__',
		TIME,
		'0',
		'-1',
		'1e999',
		'9'.repeat(400),
		'é',
		'\0',
		...signatures,
	);
	const header = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
	const refused = fc.property(formats, header, (format, value) => {
		const reason = verdictOn(value, format);
		expect(reason).toMatch(/^The (header|signature)/);
		expect(reason).not.toContain(SECRET);
	});
	fc.assert(refused, { numRuns: 5000 });
});
