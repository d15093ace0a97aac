/** A delivery passes only with a signature of its body and, where the settings say so, of its time and its ID. */
import crypto, { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { readTime } from '../../api/signature/time.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { openSsl, openSslHash } from './openSsl.ts';
import { BODY, expectRefused, HMAC, MISMATCH, NOW, reasonFor } from './trySettings.ts';
import { SECRET, TIME, verifyDelivery } from './trySettings.ts';

const SIGNATURE = openSsl(BODY, SECRET);
const FORM_OF_TWO = { webhookSignatureFormat: 'v1={signature}' };
const timed = { ...HMAC, webhookPayload: '{timestamp}.{body}', webhookTimestampHeader: 'x-svc-timestamp' };
const signedAt = (time: string) => openSsl(`${time}.${BODY}`, SECRET);

/** The headers of a delivery with this time. */
const sentAt = (time: string) => ({ 'x-svc-timestamp': time, 'x-svc-signature': signedAt(time) });

/** The text with each of its characters changed, one at a time. */
const changesOf = (text: string) =>
	Array.from(
		text,
		(character, at) => text.slice(0, at) + (character === '0' ? '1' : '0') + text.slice(at + 1),
	);

describe('the body', () => {
	test('a delivery with one changed character in its body or its signature is refused', () => {
		expect(reasonFor(HMAC, SIGNATURE)).toBe('ok');
		for (const body of changesOf(BODY)) expect(reasonFor(HMAC, SIGNATURE, body)).toBe(MISMATCH);
		for (const signature of changesOf(SIGNATURE)) expect(reasonFor(HMAC, signature)).toBe(MISMATCH);
	});

	test.each([
		['missing', {}, 'The header x-svc-signature is missing'],
		['empty', '', 'The header x-svc-signature is missing'],
		['cut short', SIGNATURE.slice(0, 32), MISMATCH],
		['too long', `${SIGNATURE}00`, MISMATCH],
	])('a signature that is %s is refused', (_, headers, reason) => {
		expect(reasonFor(HMAC, headers)).toBe(reason);
	});

	test('a header named like a property of every object is missing', () => {
		const settings = { ...HMAC, webhookHeader: 'constructor' };
		expect(reasonFor(settings, {})).toBe('The header constructor is missing');
	});

	test.each(['sha256', 'sha384', 'sha512'] as const)(
		'a signature with %s passes as hex in either case, and as base64 and base64url with and without padding',
		(algorithm) => {
			const settings = { ...HMAC, webhookAlgorithm: algorithm };
			const [hex, base64, url] = (['hex', 'base64', 'base64url'] as const).map((encoding) =>
				openSsl(BODY, SECRET, { algorithm, encoding }),
			) as [string, string, string];
			const bare = base64.replace(/=+$/, '');
			for (const form of [hex, hex.toUpperCase(), base64, bare, url, url.padEnd(base64.length, '=')]) {
				expect(reasonFor(settings, form)).toBe('ok');
				expect(reasonFor(settings, form, `${BODY} `)).toBe(MISMATCH);
			}
			for (const form of [base64.toLowerCase(), url.toLowerCase(), `${base64}=`, base64.slice(0, -4)]) {
				expect(reasonFor(settings, form)).toBe(MISMATCH);
			}
		},
	);

	test('a signature in base64 with any other character does not pass, the last one included', () => {
		const signature = openSsl(BODY, SECRET, { encoding: 'base64url' });
		for (let at = 0; at < signature.length; at += 1) {
			for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=') {
				if (other === signature[at]) continue;
				expect(reasonFor(HMAC, signature.slice(0, at) + other + signature.slice(at + 1))).toBe(MISMATCH);
			}
		}
	});

	test('a body that is not UTF-8 is verified as bytes', () => {
		const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
		const signature = openSsl(body, SECRET);
		expect(reasonFor(HMAC, signature, body)).toBe('ok');
		expect(reasonFor(HMAC, signature, Buffer.from(body.toString('utf8')))).toBe(MISMATCH);
	});

	test.each([
		['bodySha256', openSslHash(BODY, 'sha256')],
		['bodySha512', openSslHash(BODY, 'sha512')],
	])('{%s} in the Webhook Payload stands for the body', (token, digest) => {
		const settings = { ...HMAC, webhookPayload: `Digest:{${token}}` };
		const signature = openSsl(`Digest:${digest}`, SECRET);
		expect(reasonFor(settings, signature)).toBe('ok');
		expect(reasonFor(settings, signature, `${BODY} `)).toBe(MISMATCH);
	});
});

test('a token passes only if it is the current or the previous one', () => {
	const token: VerificationSettings = { ...HMAC, webhookVerification: 'token', webhookHeader: 'X-Token' };
	const tryToken = (text: string, change: VerificationSettings = {}) =>
		reasonFor({ ...token, ...change }, { 'x-token': text });
	expect(tryToken(SECRET)).toBe('ok');
	expect(tryToken('fake-secreT')).toBe('The header x-token does not contain the expected token');
	expect(tryToken('', { webhookPreviousSecret: '' })).toBe('The header x-token is missing');
	expect(reasonFor(token, {})).toBe('The header x-token is missing');
	for (const current of [SECRET, 'new'])
		expect(tryToken(current, { webhookSecret: 'new', webhookPreviousSecret: SECRET })).toBe('ok');
});

test.each<
	[what: string, settings: VerificationSettings, headers: Record<string, string>, comparisons: number]
>([
	['token', { webhookVerification: 'token' }, { 'x-svc-signature': SECRET }, 2],
	['signature', {}, { 'x-svc-signature': SIGNATURE }, 2],
	['one of two signatures', FORM_OF_TWO, { 'x-svc-signature': `v1=${SIGNATURE},v1=${'0'.repeat(64)}` }, 4],
])(
	'a right %s is compared with the current and the previous secret, each in constant time',
	(_, settings, headers, comparisons) => {
		const compared = jest.spyOn(crypto, 'timingSafeEqual');
		expect(reasonFor({ ...HMAC, webhookPreviousSecret: 'old', ...settings }, headers)).toBe('ok');
		expect(compared).toHaveBeenCalledTimes(comparisons);
		compared.mockRestore();
	},
);

describe('the time', () => {
	const STRIPE = 't={timestamp},v1={signature}';
	const inHeader = { ...HMAC, webhookPayload: '{timestamp}.{body}', webhookSignatureFormat: STRIPE };
	const headerAt = (time: string) => `t=${time},v1=${signedAt(time)}`;

	test('a time that is far away is refused with its distance and what to do, unless the tolerance is 0', () => {
		const reason =
			'The signature is right, but the time of the delivery is 301 seconds away from the time here, and Webhook Tolerance is 300. If the service repeats a delivery with its first time, set Webhook Tolerance higher in the credential. If not, check the clock of the machine that runs n8n';
		const header = headerAt(TIME);
		const after = (seconds: number, change: VerificationSettings = {}) =>
			reasonFor({ ...inHeader, ...change }, header, BODY, NOW + seconds * 1000);
		for (const sign of [1, -1]) {
			expect(after(sign * 300)).toBe('ok');
			expect(after(sign * 301)).toBe(reason);
			expect(after(sign * 301, { webhookTolerance: 0 })).toBe('ok');
			expect(after(sign * 301, { webhookTolerance: 301 })).toBe('ok');
		}
	});

	test('only a delivery with a right signature is said to fail by its time', () => {
		for (const time of [TIME, 'soon']) {
			const verdict = (headers: Record<string, string>) =>
				verifyDelivery(timed, { headers, body: Buffer.from(BODY) }, NOW + 301_000);
			expect(verdict(sentAt(time))).toMatchObject({ ok: false, isSigned: true });
			const forged = { ...sentAt(time), 'x-svc-signature': SIGNATURE };
			expect(verdict(forged)).toEqual({ ok: false, reason: MISMATCH });
		}
	});

	test('a delivery without its time is refused by the name of that header', () => {
		for (const headers of [sentAt(''), signedAt('')])
			expect(reasonFor(timed, headers)).toBe('The header x-svc-timestamp is missing');
	});

	test('of two signed times, one within the tolerance is enough', () => {
		const stale = headerAt('1767000000');
		expect(reasonFor(inHeader, stale)).toContain('seconds away');
		expect(reasonFor(inHeader, `${stale},${headerAt(TIME)}`)).toBe('ok');
	});

	const NO_TIME =
		'The signature is right, but the time of the delivery cannot be read. Check Webhook Timestamp Header and Webhook Signature Format in the credential';

	test.each<[change: VerificationSettings, reason: string]>([
		[{ webhookTolerance: 0 }, 'ok'],
		[{ webhookTolerance: 0, webhookIdHeader: 'x-svc-id', webhookPayload: '{timestamp}.{body}{id}' }, NO_TIME],
	])('with %j, the verdict on a signed time that cannot be read is: %s', (change, reason) => {
		const id = change.webhookIdHeader === undefined ? '' : 'id-1';
		const signature = openSsl(`soon.${BODY}${id}`, SECRET);
		const headers = { 'x-svc-id': id, 'x-svc-signature': `t=soon,v1=${signature}` };
		expect(reasonFor({ ...inHeader, ...change }, headers)).toBe(reason);
	});

	test.each([
		'1767225600',
		'1767225600000',
		'1767225600000000',
		'1767225600000.25',
		'2026-01-01t00:00:00z',
		'2026-01-01T01:00:00.123456789+01:00',
		'2025-12-31T18:30:00-0530',
		'2026-01-01T03:00:00+03',
	])('the time %s is known by its form', (time) => {
		const headers = sentAt(time);
		const verdictAt = (now: number) => reasonFor({ ...timed, webhookTolerance: 1 }, headers, BODY, now);
		for (const now of [NOW - 500, NOW + 1000]) expect(verdictAt(now)).toBe('ok');
		for (const now of [NOW - 1001, NOW + 1501]) expect(verdictAt(now)).toContain('seconds away');
	});

	test.each([
		'176722560',
		'17672256000',
		'17672256000000',
		'1767225600000000000',
		'+1767225600',
		'1767225600.',
		'1767225600.1767225600',
		'2026-01-01',
		'2026-01-01T00:00:00',
		'2026-13-01T00:00:00Z',
		'2026-01-01T00:00Z',
		'2026-01-01T00:00:00+1',
		'2026-01-01T00:00:00+25:00',
		'Thu, 01 Jan 2026 00:00:00 GMT',
	])('%j is no time', (time) => expect(reasonFor(timed, sentAt(time))).toBe(NO_TIME));
});

describe('the ID', () => {
	const withId = { ...timed, webhookIdHeader: 'x-svc-id', webhookPayload: '{id}.{timestamp}.{body}' };
	/** A signature of a text, which may belong to another ID and time. */
	const headersOf = (id: string, timestamp: string, signed: string) => ({
		'x-svc-id': id,
		'x-svc-timestamp': timestamp,
		'x-svc-signature': openSsl(signed, SECRET),
	});

	test.each<[settings: VerificationSettings, id: string, signed: string, verdict: object]>([
		[withId, 'msg_1', `msg_1.${TIME}.${BODY}`, { ok: true, header: 'x-svc-signature', id: 'msg_1' }],
		[timed, 'msg_1', `${TIME}.${BODY}`, { ok: true, header: 'x-svc-signature' }],
		[{ ...HMAC, webhookHeader: 'X-Svc-Signature' }, 'msg_1', BODY, { ok: true, header: 'x-svc-signature' }],
		[withId, '', `.${TIME}.${BODY}`, { ok: false, reason: 'The header x-svc-id is missing' }],
	])('with %j the verdict has the ID %j only if it is signed', (settings, id, signed, verdict) => {
		const delivery = { headers: headersOf(id, TIME, signed), body: Buffer.from(BODY) };
		expect(verifyDelivery(settings, delivery, NOW)).toEqual(verdict);
	});

	test.each([
		TIME,
		`${TIME}000`,
		`${TIME}000000`,
		`${TIME}.5`,
		'2026-01-01T00:00:00.123Z',
		'2026-01-01T01:00:00+01:00',
	])('no character can move between an ID and the time %s, whether the time is checked or not', (time) => {
		for (const separator of ['.', '-', ':', ' ', '\\n', '+']) {
			const between = separator.replace('\\n', '\n');
			// Such an ID looks like another time before the separator.
			const id = ['2026', TIME].join(between);
			const both = id + between + time;
			const headers = headersOf(id, time, `${both}|${BODY}`);
			for (const webhookTolerance of [300, 0]) {
				const webhookPayload = `{id}${separator}{timestamp}|{body}`;
				const settings = { ...withId, webhookTolerance, webhookPayload };
				expect(reasonFor(settings, headers)).toBe('ok');
				for (let at = both.indexOf(between); at !== -1; at = both.indexOf(between, at + 1)) {
					if (at === id.length) continue;
					const moved = { 'x-svc-id': both.slice(0, at), 'x-svc-timestamp': both.slice(at + between.length) };
					expect(reasonFor(settings, { ...headers, ...moved })).not.toBe('ok');
				}
			}
		}
	});

	const UNCLEAR =
		'The signature is right, but the time of the delivery contains the sign between time and ID, so it is not clear where the ID begins. Ask the service to send the time as a whole number, or as a date that ends with Z';

	test.each<[separator: string, time: string, id: string, moved: [time: string, id: string]]>([
		['.', TIME, '123.evt-1', [`${TIME}.123`, 'evt-1']],
		['.', `${TIME}000`, '5.a', [`${TIME}000.5`, 'a']],
		['.1', TIME, '.1a', [`${TIME}.1`, 'a']],
		[':', '2026-01-01T01:00:00+01', '00:a', ['2026-01-01T01:00:00+01:00', 'a']],
	])(
		'with {timestamp}%s{id} the time %s and the ID %s are these and no others',
		(between, time, id, moved) => {
			const settings = { ...withId, webhookPayload: `{timestamp}${between}{id}|{body}` };
			const signed = `${time}${between}${id}|${BODY}`;
			expect(moved.join(between)).toBe(time + between + id);
			expect(reasonFor(settings, headersOf(id, time, signed))).toBe('ok');
			expect(reasonFor(settings, headersOf(moved[1], moved[0], signed))).toBe(UNCLEAR);
		},
	);

	test.each([
		...['.', '-', ':'].map((separator) => [separator, '2026-01-01T00:00:00.123Z']),
		...['.', '+'].map((separator) => [separator, '2026-01-01T01:00:00+01:00']),
		[':', `${TIME}.123`],
		['.', `${TIME}000000`],
	])('with {timestamp}%s{id} the time %s passes, since no part of it is a time', (separator, time) => {
		const settings = { ...withId, webhookPayload: `{timestamp}${separator}{id}|{body}` };
		expect(reasonFor(settings, headersOf('7', time, `${time}${separator}7|${BODY}`))).toBe('ok');
	});

	test('a signed text passes with one time and one ID only, whatever stands between them', () => {
		const time = fc
			.tuple(
				fc.constantFrom(TIME, `${TIME}000`, '2026-01-01T00:00:00', '2026-01-01T01:00:00'),
				fc.constantFrom('', '.0', '.123', '.000000001'),
				fc.constantFrom('', 'Z', '+00', '+01', '+0100', '+01:00', '-00:00'),
			)
			.map((parts) => parts.join(''))
			.filter((text) => !Number.isNaN(readTime(text)));
		const text = (maxLength: number) =>
			fc.string({ unit: fc.constantFrom(...'01.:-+ZT_'), minLength: 1, maxLength });
		const id = fc.oneof(
			text(12),
			fc.tuple(text(4), time).map(([start, end]) => start + end),
		);
		const settings = fc.tuple(
			fc.boolean(),
			text(3).filter((between) => /[^\da-z]/i.test(between)),
		);
		fc.assert(
			fc.property(settings, time, id, ([isTimeFirst, between], sentTime, sentId) => {
				const order = isTimeFirst ? ['{timestamp}', '{id}'] : ['{id}', '{timestamp}'];
				const webhookPayload = `${order.join(between)}|{body}`;
				const verify = compileVerifier({ ...withId, webhookPayload, webhookTolerance: 86_400 });
				const both = (isTimeFirst ? [sentTime, sentId] : [sentId, sentTime]).join(between);
				const signature = createHmac('sha256', SECRET).update(`${both}|${BODY}`).digest('hex');
				let passed = 0;
				for (let at = both.indexOf(between, 1); at !== -1; at = both.indexOf(between, at + 1)) {
					const [one, other] = [both.slice(0, at), both.slice(at + between.length)];
					const [timestamp, messageId] = isTimeFirst ? [one, other] : [other, one];
					const headers = {
						'x-svc-timestamp': timestamp,
						'x-svc-id': messageId,
						'x-svc-signature': signature,
					};
					if (verify({ headers, body: Buffer.from(BODY) }, NOW).ok) passed += 1;
				}
				expect(passed).toBe(1);
			}),
			{ numRuns: 1000 },
		);
	});

	test.each(['{id}{timestamp}{body}', '{id}0v{timestamp}.{body}', '{body}{timestamp}{id}'])(
		'with the Webhook Payload %s digits of the ID can move into the time',
		(webhookPayload) => {
			const message = 'Webhook Payload needs a separator such as a point between {id} and {timestamp}';
			expectRefused({ ...withId, webhookPayload }, message);
		},
	);

	test('the body between them separates the ID from the time', () => {
		const headers = headersOf('a', TIME, `a${BODY}${TIME}`);
		expect(reasonFor({ ...withId, webhookPayload: '{id}{body}{timestamp}' }, headers)).toBe('ok');
	});
});
