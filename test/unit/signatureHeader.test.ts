/** Headers that an attacker may send are read in a short time, and nothing in them passes without the secret. */
import fc from 'fast-check';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { openSsl, openSslKeys } from './openSsl.ts';
import { verifyDelivery } from './trySettings.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const TIME = '1767225600';
const BODY = '{"event":"admin_funding","id":"af_1","Amount":"10.00"}';
const WRONG = '0'.repeat(64);
const SIGNATURE = openSsl(BODY, 'fake-secret');
const MISMATCH = 'The signature does not match the body';
const UNREADABLE = 'The timestamp of the delivery cannot be read';
const TIMED = openSsl(`${TIME}.${BODY}`, 'fake-secret');

const settingsFor = (webhookSignatureFormat: string): VerificationSettings => ({
	webhookVerification: 'hmac',
	webhookHeader: 'x-svc-signature',
	webhookSecret: 'fake-secret',
	webhookSignatureFormat,
	webhookPayload: webhookSignatureFormat.includes('{timestamp}') ? '{timestamp}.{body}' : '{body}',
});

function reasonFor(format: string, header: string | string[], body = BODY) {
	const delivery = { headers: { 'x-svc-signature': header }, body: Buffer.from(body) };
	const verdict = verifyDelivery(settingsFor(format), delivery, NOW);
	return verdict.ok ? 'ok' : verdict.reason;
}

describe('the Webhook Signature Format', () => {
	test.each([
		['v1', 'does not contain {signature}'],
		['', 'does not contain {signature}'],
		['{Signature}', 'contains {Signature}'],
		['{signature},{id}', 'contains {id}'],
		['{signature} {signature}', 'contains {signature} or {timestamp} twice'],
		['t={timestamp},t={timestamp},v1={signature}', 'contains {signature} or {timestamp} twice'],
		['{timestamp}{signature}', 'needs a character between'],
		['v1={signature}{timestamp}', 'needs a character between'],
	])('the format %p is refused by name', (format, message) => {
		expect(() => compileVerifier(settingsFor(format))).toThrow(`Webhook Signature Format ${message}`);
		expect(reasonFor(format, SIGNATURE)).toContain(`Webhook Signature Format ${message}`);
	});
});

/** Milliseconds, of the fastest of several runs unless the first is fast enough: other programs share the machine. */
function shortestTime(run: () => void, runs = 100): number {
	let shortest = Infinity;
	for (let tries = 0; tries < runs && shortest >= 0.2; tries += 1) {
		const start = process.hrtime.bigint();
		run();
		shortest = Math.min(shortest, Number(process.hrtime.bigint() - start) / 1e6);
	}
	return shortest;
}

/** A header of more than 4,096 characters is refused before it is read, so the longest that is read is measured too. */
describe.each([4096, 16_384])('a header of %i characters', (size) => {
	const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
	const FORMATS = [
		...['{signature}', 'v1={signature}', 'v1,{signature}', 't={timestamp},v1={signature}'],
		...['{signature}.{timestamp}', 'v1:{timestamp}:{signature}', 'hmac;1;{timestamp};{signature}'],
	];
	const HEADERS: Record<string, string> = {
		'a a a': fill('a '),
		'a,a,a': fill('a,'),
		'commas only': fill(','),
		'one long signature': fill('a'),
		'empty labels': fill('v1=,'),
		'labels without a signature': fill('v1,'),
		'short times and signatures': fill('1.a,'),
		'labelled short ones': fill('t=1,v1=a,'),
		'signatures of the right length': fill(`${WRONG} `),
		'labelled signatures of the right length': fill(`v1=${WRONG},`),
		'many times': fill(`t=${TIME},`),
		'other times': Array.from({ length: size / 15 }, (_, index) => `t=${Number(TIME) + index}`).join(','),
		'a time and signatures': `t=${TIME},${fill(`v1=${WRONG},`)}`.slice(0, size),
	};

	test.each(Object.keys(HEADERS))(
		`a header of ${size} characters with %s is refused within 0.2 ms`,
		(name) => {
			for (const format of FORMATS) {
				expect(reasonFor(format, HEADERS[name]!)).not.toBe('ok');
				expect(shortestTime(() => reasonFor(format, HEADERS[name]!), 300)).toBeLessThan(0.2);
			}
		},
	);

	/** What an attacker can repeat to fill the header. */
	const PIECES = [...'a1=,;.: \t', 'v1=', 't=', 'v1,', 'hmac;1;', TIME];
	const filledWith = (pieces: string[]) =>
		fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => fill(parts.join('')));
	const format = fc.constantFrom(...FORMATS);

	test(`a header of ${size} characters that repeats any piece is refused within 0.2 ms`, () => {
		fc.assert(
			fc.property(format, filledWith([...PIECES, WRONG]), (chosen, header) => {
				expect(reasonFor(chosen, header)).not.toBe('ok');
				expect(shortestTime(() => reasonFor(chosen, header))).toBeLessThan(0.2);
			}),
			{ numRuns: 300 },
		);
	});

	describe.each<
		[name: string, webhookPublicKeyAlgorithm: 'rsaSha256' | 'ecdsaP256' | 'ed25519', key: string[]]
	>([
		['RSA', 'rsaSha256', ['-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:2048']],
		['ECDSA P-256', 'ecdsaP256', ['-algorithm', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
		['Ed25519', 'ed25519', ['-algorithm', 'ed25519']],
	])('for a public key of %s', (kind, webhookPublicKeyAlgorithm, key) => {
		const { publicKey } = openSslKeys('genpkey', ...key);
		const verdictFor = (webhookSignatureFormat: string, header: string) =>
			verifyDelivery(
				{
					...settingsFor(webhookSignatureFormat),
					webhookVerification: 'publicKey',
					webhookPublicKey: publicKey,
					webhookPublicKeyAlgorithm,
				},
				{ headers: { 'x-svc-signature': header }, body: Buffer.from(BODY) },
				NOW,
			).ok;

		// The pieces give no 64 bytes between separators, and none in DER.
		test(`with a public key of ${kind}, a header of ${size} characters without a possible signature is refused within 0.2 ms`, () => {
			fc.assert(
				fc.property(format, filledWith(PIECES), (chosen, header) => {
					expect(verdictFor(chosen, header)).toBe(false);
					expect(shortestTime(() => verdictFor(chosen, header))).toBeLessThan(0.2);
				}),
				{ numRuns: 100 },
			);
		});
	});
});

describe('where the signature stands in the header', () => {
	const LATER = '1767225601';
	const LATE = openSsl(`${LATER}.${BODY}`, 'fake-secret');

	test.each([
		['{signature}.{timestamp}', `${TIMED}.${TIME}`],
		['{timestamp}.{signature}', `${TIME}.${TIMED}`],
		['v1:{timestamp}:{signature}', `v1:${TIME}:${TIMED}`],
		['hmac;1;{timestamp};{signature}', `hmac;1;${TIME};${TIMED}`],
		['{timestamp},{signature}', `${TIME},${TIMED}`],
		['{timestamp}-{signature}', `${TIME}-${TIMED}`],
		['{signature}={timestamp}', `${TIMED}=${TIME}`],
		['t={timestamp};v1={signature}', `v1=${TIMED}; t=${TIME}`],
		['t="{timestamp}",sig="{signature}"', `sig="${TIMED}", t="${TIME}", alg="hmac"`],
		['t={timestamp},v1={signature}', `t=${TIME},v1=${WRONG},v1=${TIMED},v0=${WRONG}`],
		['v1={signature}', `v1=${WRONG},v1=${SIGNATURE}`],
		['v1={signature}', `v1=${SIGNATURE} v1=${WRONG}`],
		['v1,{signature}', `v1,${WRONG} v1,${SIGNATURE}`],
		['v1,{signature}', `v1,${WRONG},v1,${SIGNATURE}`],
		['{signature}', `${WRONG},${SIGNATURE}`],
	])('with the format %s, a header %s passes', (format, header) => {
		expect(reasonFor(format, header)).toBe('ok');
		expect(reasonFor(format, header, `${BODY} `)).not.toBe('ok');
		expect(reasonFor(format, header.replaceAll(SIGNATURE, WRONG).replaceAll(TIMED, WRONG))).not.toBe('ok');
		expect(reasonFor(format, header.replace(TIME, LATER))).toBe(header.includes(TIME) ? MISMATCH : 'ok');
	});

	test.each([
		['{signature}', SIGNATURE],
		['v1={signature}', `v1=${SIGNATURE}`],
		['v1,{signature}', `v1,${SIGNATURE}`],
		['{signature}.{timestamp}', `${TIMED}.${TIME}`],
		['v1:{timestamp}:{signature}', `v1:${TIME}:${TIMED}`],
		['hmac;1;{timestamp};{signature}', `hmac;1;${TIME};${TIMED}`],
		['t={timestamp},v1={signature}', `t=${TIME},v1=${TIMED}`],
	])('with the format %s, a header that was sent twice passes if one of them is right', (format, right) => {
		const wrong = right.replace(SIGNATURE, WRONG).replace(TIMED, WRONG);
		for (const both of [
			[right, wrong],
			[wrong, right],
		]) {
			expect(reasonFor(format, both)).toBe('ok');
			// Node.js joins most headers itself.
			expect(reasonFor(format, both.join(', '))).toBe('ok');
		}
		expect(reasonFor(format, [wrong, wrong])).toBe(MISMATCH);
	});

	test('with two times in the header, each is tried with each signature', () => {
		const format = 't={timestamp},v1={signature}';
		expect(reasonFor(format, `t=${LATER},v1=${WRONG},t=${TIME},v1=${TIMED}`)).toBe('ok');
		expect(reasonFor(format, `t=${TIME},t=${LATER},v1=${LATE}`)).toBe('ok');
		expect(reasonFor(format, `t=1,t=2,t=${TIME},v1=${TIMED}`)).toBe(MISMATCH);
	});

	test('an ISO 8601 time may stand beside colons and points', () => {
		const iso = '2026-01-01T00:00:00.000Z';
		const signature = openSsl(`${iso}.${BODY}`, 'fake-secret');
		for (const [format, header] of [
			['v1:{timestamp}:{signature}', `v1:${iso}:${signature}`],
			['{signature}.{timestamp}', `${signature}.${iso}`],
			['{timestamp}.{signature}', `${iso}.${signature}`],
		] as const) {
			expect(reasonFor(format, header)).toBe('ok');
		}
	});
});

test.each([
	['{timestamp}.{signature}', TIMED],
	['{timestamp}.{signature}', `.${TIMED}`],
	['{timestamp}.{signature}', `${TIME}.`],
	['{timestamp}.{signature}', '.'],
	['v1={signature}', 'v1='],
	['v1={signature}', SIGNATURE],
	['"{signature}"', `"${SIGNATURE}`],
	['"{signature}"', '"'],
	['"{signature}"', '""'],
	['t={timestamp},v1={signature}', `v1=${TIMED}`],
	['t={timestamp},v1={signature}', `t=${TIME}`],
	['v1,{signature}', 'v1,'],
	['v1,{signature}', `v2,${SIGNATURE}`],
])(
	'with the format %s, the sender of the header %s reads that its form is not the expected one',
	(format, header) => {
		expect(reasonFor(format, header)).toBe('The header x-svc-signature does not have the expected form');
	},
);

describe('candidates', () => {
	test('a signature of another length does not use up the number of candidates', () => {
		expect(reasonFor('v1={signature}', `${'v1=abc,'.repeat(30)}v1=${SIGNATURE}`)).toBe('ok');
	});

	test('the tenth signature of the right length is tried, the eleventh is not', () => {
		const after = (wrong: number) => `${`v1=${WRONG},`.repeat(wrong)}v1=${SIGNATURE}`;
		expect(reasonFor('v1={signature}', after(9))).toBe('ok');
		expect(reasonFor('v1={signature}', after(10))).toMatch('does not match the body');
	});
});

test('a header of 4,096 characters is read, a longer one is not', () => {
	const filled = (length: number) => SIGNATURE.padEnd(length, ',');
	expect(reasonFor('{signature}', filled(4096))).toBe('ok');
	expect(reasonFor('{signature}', filled(4097))).toBe('The header x-svc-signature is too long');
});

test('of two signed times, one within the tolerance is enough', () => {
	const old = '1767000000';
	const stale = `t=${old},v1=${openSsl(`${old}.${BODY}`, 'fake-secret')}`;
	const format = 't={timestamp},v1={signature}';
	expect(reasonFor(format, stale)).toContain('seconds');
	expect(reasonFor(format, `${stale},t=${TIME},v1=${TIMED}`)).toBe('ok');
});

test.each<[settings: Partial<VerificationSettings>, reason: string]>([
	[{ webhookTolerance: 0 }, 'ok'],
	[{}, UNREADABLE],
	[{ webhookTolerance: 0, webhookTimestampFormat: 'unixSeconds' }, UNREADABLE],
	[
		{ webhookTolerance: 0, webhookIdHeader: 'x-svc-id', webhookPayload: '{id}.{timestamp}.{body}' },
		UNREADABLE,
	],
])('with %j, a signed time that cannot be read gives: %s', (more, reason) => {
	const format = 't={timestamp},v1={signature}';
	const id = more.webhookIdHeader === undefined ? '' : 'id-1.';
	const headers = {
		'x-svc-signature': `t=soon,v1=${openSsl(`${id}soon.${BODY}`, 'fake-secret')}`,
		'x-svc-id': 'id-1',
	};
	const delivery = { headers, body: Buffer.from(BODY) };
	const verdict = verifyDelivery({ ...settingsFor(format), ...more }, delivery, NOW);
	expect(verdict.ok ? 'ok' : verdict.reason).toBe(reason);
});

describe('attacks on the reading of the header', () => {
	/** Pieces from which an attacker may build a header: labels, separators, numbers and signatures of other things. */
	const piece = fc.constantFrom(
		...[
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
		],
		...['', 'undefined', 'null', '__proto__', TIME, '0', '-1', '1e999', '9'.repeat(400)],
		...[
			WRONG,
			openSsl('', 'fake-secret'),
			openSsl(TIME, 'fake-secret'),
			openSsl('{}', 'fake-secret'),
			'é',
			'\0',
		],
	);
	const header = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
	const format = fc.constantFrom(
		...['{signature}', 'sha256={signature}', 'v1,{signature}', 'v1={signature}', '{signature}='],
		...['t={timestamp},v1={signature}', 'v1={signature},t={timestamp}', 't={timestamp};v1={signature}'],
		...['{signature}.{timestamp}', 'v1:{timestamp}:{signature}', 'hmac;1;{timestamp};{signature}'],
	);

	test('no header without the signature of this body passes, and none makes the check throw', () => {
		fc.assert(
			fc.property(format, header, (chosen, value) => {
				const reason = reasonFor(chosen, value);
				expect(reason).toMatch(/^The (header|signature)/);
				expect(reason).not.toContain('fake-secret');
			}),
			{ numRuns: 5000 },
		);
	});

	test('a signature with one changed character passes in no format', () => {
		fc.assert(
			fc.property(fc.nat(63), fc.constantFrom(...'0123456789abcdefghxyz= ,'), (at, character) => {
				fc.pre(TIMED[at] !== character);
				const changed = TIMED.slice(0, at) + character + TIMED.slice(at + 1);
				expect(reasonFor('t={timestamp},v1={signature}', `t=${TIME},v1=${changed}`)).not.toBe('ok');
			}),
		);
	});

	test('a time that was not signed passes beside a true signature in no order', () => {
		const format = 't={timestamp},v1={signature}';
		expect(reasonFor(format, `t=${TIME},v1=${TIMED}`)).toBe('ok');
		for (const time of ['1767225601', '', `${TIME}0`, `0${TIME}`, `${TIME}.`, '9'.repeat(12)]) {
			expect(reasonFor(format, `t=${time},v1=${TIMED}`)).not.toBe('ok');
			expect(reasonFor(format, `v1=${TIMED},t=${time}`)).not.toBe('ok');
		}
	});

	test('a label of another scheme does not count', () => {
		for (const label of ['v0=', 'xv1=', 'v1', 'V1=', 'v1==', '']) {
			expect(reasonFor('v1={signature}', `${label}${SIGNATURE}`)).not.toBe('ok');
		}
	});
});
