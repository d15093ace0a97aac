/** A delivery passes only with a signature of its body and, where the settings say so, of its time and its ID. */
import type { VerificationSettings } from '../../api/signature/settings.ts';
import { openSsl, openSslHash } from './openSsl.ts';
import {
	BODY,
	expectRefused,
	HMAC,
	MISMATCH,
	NOW,
	reasonFor,
	SECRET,
	TIME,
	verifyDelivery,
} from './trySettings.ts';

const SIGNATURE = openSsl(BODY, SECRET);
const timed: VerificationSettings = {
	...HMAC,
	webhookPayload: '{timestamp}.{body}',
	webhookTimestampHeader: 'x-svc-timestamp',
};

/** The headers of a delivery with this time. */
const sentAt = (timestamp: string) => ({
	'x-svc-timestamp': timestamp,
	'x-svc-signature': openSsl(`${timestamp}.${BODY}`, SECRET),
});

describe('the body', () => {
	test('a delivery is verified with HMAC-SHA256 in hex over its body by default', () => {
		const settings = { webhookVerification: 'hmac', webhookSecret: SECRET } as const;
		expect(reasonFor(settings, SIGNATURE)).toBe('ok');
	});

	test('a delivery with one changed character in its body or its signature is refused', () => {
		for (let at = 0; at < BODY.length; at++) {
			const changed = BODY.slice(0, at) + (BODY[at] === 'x' ? 'y' : 'x') + BODY.slice(at + 1);
			expect(reasonFor(HMAC, SIGNATURE, changed)).toBe(MISMATCH);
		}
		for (let at = 0; at < SIGNATURE.length; at++) {
			const changed = SIGNATURE.slice(0, at) + (SIGNATURE[at] === '0' ? '1' : '0') + SIGNATURE.slice(at + 1);
			expect(reasonFor(HMAC, changed)).toBe(MISMATCH);
		}
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
		for (const webhookHeader of ['constructor', '__proto__', 'toString']) {
			expect(reasonFor({ ...HMAC, webhookHeader }, {})).toBe(
				`The header ${webhookHeader.toLowerCase()} is missing`,
			);
		}
	});

	test.each(['sha256', 'sha384', 'sha512'] as const)(
		'a signature with %s passes as hex in either case, and as base64 and base64url with and without padding',
		(webhookAlgorithm) => {
			const settings = { ...HMAC, webhookAlgorithm };
			const signed = (encoding: 'hex' | 'base64' | 'base64url') =>
				openSsl(BODY, SECRET, { algorithm: webhookAlgorithm, encoding });
			const base64 = signed('base64');
			const url = signed('base64url');
			const forms = [signed('hex'), signed('hex').toUpperCase(), base64, base64.replace(/=+$/, ''), url];
			for (const form of [...forms, url.padEnd(base64.length, '=')]) {
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
	const token: VerificationSettings = { ...HMAC, webhookVerification: 'token' };
	expect(reasonFor(token, SECRET)).toBe('ok');
	const refusal = 'The header x-svc-signature does not contain the expected token';
	expect(reasonFor(token, 'fake-secreT')).toBe(refusal);
	for (const none of [{}, '']) {
		expect(reasonFor(token, none)).toBe('The header x-svc-signature is missing');
		expect(reasonFor({ ...token, webhookPreviousSecret: '' }, none)).not.toBe('ok');
	}
	const rotated = { ...token, webhookSecret: 'new', webhookPreviousSecret: SECRET };
	expect(reasonFor(rotated, SECRET)).toBe('ok');
	expect(reasonFor(rotated, 'new')).toBe('ok');
});

describe('the time', () => {
	const inHeader: VerificationSettings = {
		...HMAC,
		webhookPayload: '{timestamp}.{body}',
		webhookSignatureFormat: 't={timestamp},v1={signature}',
	};

	test('a time that is far away is refused with its distance and what to do, unless the tolerance is 0', () => {
		const header = `t=${TIME},v1=${openSsl(`${TIME}.${BODY}`, SECRET)}`;
		const reason =
			'The signature is right, but the time of the delivery is 301 seconds away from the time here, and Webhook Tolerance is 300. If the service repeats a delivery with its first time, set Webhook Tolerance higher in the credential. If not, check the clock of the machine that runs n8n';
		for (const now of [NOW + 301_000, NOW - 301_000]) {
			expect(reasonFor(inHeader, header, BODY, now)).toBe(reason);
			expect(reasonFor({ ...inHeader, webhookTolerance: 0 }, header, BODY, now)).toBe('ok');
			expect(reasonFor({ ...inHeader, webhookTolerance: 301 }, header, BODY, now)).toBe('ok');
		}
		for (const now of [NOW + 300_000, NOW - 300_000])
			expect(reasonFor(inHeader, header, BODY, now)).toBe('ok');
	});

	test('only a delivery with a right signature is said to fail by its time', () => {
		const verdict = (signature: string, time: string) => {
			const headers = { 'x-svc-timestamp': time, 'x-svc-signature': signature };
			return verifyDelivery(timed, { headers, body: Buffer.from(BODY) }, NOW + 301_000);
		};
		for (const time of [TIME, 'soon']) {
			expect(verdict(openSsl(`${time}.${BODY}`, SECRET), time)).toMatchObject({ ok: false, isSigned: true });
			expect(verdict(SIGNATURE, time)).toEqual({ ok: false, reason: MISMATCH });
		}
	});

	test('a delivery without the header of its time is refused by the name of that header', () => {
		const headers = sentAt('');
		for (const none of [headers, { 'x-svc-signature': headers['x-svc-signature'] }])
			expect(reasonFor(timed, none)).toBe('The header x-svc-timestamp is missing');
	});

	test('of two signed times, one within the tolerance is enough', () => {
		const old = '1767000000';
		const stale = `t=${old},v1=${openSsl(`${old}.${BODY}`, SECRET)}`;
		expect(reasonFor(inHeader, stale)).toContain('seconds away');
		const both = `${stale},t=${TIME},v1=${openSsl(`${TIME}.${BODY}`, SECRET)}`;
		expect(reasonFor(inHeader, both)).toBe('ok');
	});

	const UNREADABLE =
		'The signature is right, but the time of the delivery cannot be read. Check Webhook Timestamp Header and Webhook Signature Format in the credential';

	test.each<[settings: VerificationSettings, reason: string]>([
		[{}, UNREADABLE],
		[{ webhookTolerance: 0 }, 'ok'],
		[
			{ webhookTolerance: 0, webhookIdHeader: 'x-svc-id', webhookPayload: '{timestamp}.{body}{id}' },
			UNREADABLE,
		],
	])('with %j, the verdict on a signed time that cannot be read is: %s', (change, reason) => {
		const id = change.webhookIdHeader === undefined ? '' : 'id-1';
		const headers = {
			'x-svc-id': id,
			'x-svc-signature': `t=soon,v1=${openSsl(`soon.${BODY}${id}`, SECRET)}`,
		};
		expect(reasonFor({ ...inHeader, ...change }, headers)).toBe(reason);
	});

	test.each([
		...['1767225600', '1767225600000', '1767225600000000', '1767225600.5', '1767225600000.25'],
		...['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000001Z', '2026-01-01t00:00:00z'],
		...['2026-01-01T01:00:00.123456789+01:00', '2025-12-31T18:30:00-0530', '2026-01-01T03:00:00+03'],
	])('the time %s is known by its form', (time) => {
		const settings = { ...timed, webhookTolerance: 1 };
		expect(reasonFor(settings, sentAt(time), BODY, NOW - 500)).toBe('ok');
		expect(reasonFor(settings, sentAt(time), BODY, NOW + 1000)).toBe('ok');
		expect(reasonFor(settings, sentAt(time), BODY, NOW - 1001)).toContain('seconds away');
		expect(reasonFor(settings, sentAt(time), BODY, NOW + 1501)).toContain('seconds away');
	});

	test.each([
		...[
			'176722560',
			'17672256000',
			'176722560000',
			'17672256000000',
			'17672256000000000',
			'1767225600000000000',
			'0',
		],
		...['+1767225600', '-1767225600', '1e9', '1767225600.', '1767225600.1767225600', '1767225600,5'],
		...[
			'2026-01-01',
			'2026-01-01T00:00:00',
			'2026-13-01T00:00:00Z',
			'2026-01-01T25:00:00Z',
			'2026-01-01T00:00Z',
		],
		...['2026-01-01T00:00:00+1', '2026-01-01T00:00:00+25:00', 'Thu, 01 Jan 2026 00:00:00 GMT'],
	])('%j is no time', (time) => expect(reasonFor(timed, sentAt(time))).toBe(UNREADABLE));
});

describe('the ID', () => {
	const withId = { ...timed, webhookIdHeader: 'x-svc-id' };
	/** A signature of a text, which may belong to another ID and time. */
	const headersOf = (id: string, timestamp: string, signed: string) => ({
		...{ 'x-svc-id': id, 'x-svc-timestamp': timestamp, 'x-svc-signature': openSsl(signed, SECRET) },
	});

	test('the verdict on an accepted delivery has its ID, if it is signed', () => {
		const verdict = (settings: VerificationSettings, id: string, signed: string) =>
			verifyDelivery(settings, { headers: headersOf(id, TIME, signed), body: Buffer.from(BODY) }, NOW);
		const both = { ...withId, webhookPayload: '{id}.{timestamp}.{body}' };
		const accepted = { ok: true, header: 'x-svc-signature' };
		expect(verdict(both, 'msg_1', `msg_1.${TIME}.${BODY}`)).toEqual({
			...accepted,
			id: 'msg_1',
		});
		expect(verdict(timed, 'msg_1', `${TIME}.${BODY}`)).toEqual(accepted);
		expect(verdict(HMAC, 'msg_1', BODY)).toEqual(accepted);
		expect(verdict({ ...HMAC, webhookHeader: 'X-Svc-Signature' }, '', BODY)).toEqual(accepted);
		expect(verdict(both, '', `.${TIME}.${BODY}`)).toEqual({
			ok: false,
			reason: 'The header x-svc-id is missing',
		});
	});

	test('without a check of the time, a delivery is refused if a piece of its ID stands in the time', () => {
		const settings = { ...withId, webhookPayload: '{id}.{timestamp}.{body}', webhookTolerance: 0 };
		const signed = `a.b.${TIME}.${BODY}`;
		expect(reasonFor(settings, headersOf('a.b', TIME, signed))).toBe('ok');
		expect(reasonFor(settings, headersOf('a', `b.${TIME}`, signed))).not.toBe('ok');
	});

	test.each([
		...[TIME, `${TIME}000`, `${TIME}000000`, `${TIME}.5`],
		...['2026-01-01T00:00:00.123Z', '2026-01-01T01:00:00+01:00'],
	])('no character can move between an ID and the time %s', (time) => {
		for (const separator of ['.', '-', ':', ' ', '\\n', '+']) {
			const between = separator.replace('\\n', '\n');
			// Such an ID looks like another time before the separator.
			const id = ['2026', TIME].join(between);
			const both = id + between + time;
			for (const webhookTolerance of [300, 0]) {
				const settings = {
					...withId,
					webhookTolerance,
					webhookPayload: `{id}${separator}{timestamp}|{body}`,
				};
				const headers = headersOf(id, time, `${both}|${BODY}`);
				expect(reasonFor(settings, headers)).toBe('ok');
				for (let at = both.indexOf(between); at !== -1; at = both.indexOf(between, at + 1)) {
					if (at === id.length) continue;
					const moved = { 'x-svc-id': both.slice(0, at), 'x-svc-timestamp': both.slice(at + between.length) };
					expect(reasonFor(settings, { ...headers, ...moved })).not.toBe('ok');
				}
			}
		}
	});

	test.each([
		'{id}{timestamp}{body}',
		'{id}0{timestamp}{body}',
		'{id}v{timestamp}.{body}',
		'{body}{timestamp}{id}',
	])('the Webhook Payload %s is refused, because digits of the ID can move into the time', (webhookPayload) =>
		expectRefused(
			{ ...withId, webhookPayload },
			'Webhook Payload needs a separator such as a point between {id} and {timestamp}',
		),
	);

	test.each(['{id}.{timestamp}.{body}', '{timestamp}\\n{id}{body}', '{id}{body}{timestamp}'])(
		'the Webhook Payload %s separates the ID from the time',
		(webhookPayload) => {
			const signed = webhookPayload.replace('\\n', '\n').replace('{id}', 'a').replace('{timestamp}', TIME);
			const headers = headersOf('a', TIME, signed.replace('{body}', BODY));
			expect(reasonFor({ ...withId, webhookPayload }, headers)).toBe('ok');
		},
	);
});
