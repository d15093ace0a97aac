/** Settings that look right, but would let in what is not signed, are refused by the name of their field. */
import { SettingError } from '../../api/settingError.ts';
import type { SigningSettings, VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier } from '../../api/signature/verifier.ts';
import { openSsl, openSslHash } from './openSsl.ts';
import { BODY, carrying, expectRefused, HMAC, NOW, reasonFor, sign, verifyDelivery } from './trySettings.ts';

const timed: VerificationSettings = {
	...HMAC,
	webhookPayload: '{timestamp}.{body}',
	webhookTimestampHeader: 'x-svc-timestamp',
};

describe('the body is always signed', () => {
	test.each(['', 'body', '{timestamp}', '{id}.{timestamp}.body', '{Body}'])(
		'the Webhook Payload %p without {body} is refused',
		(webhookPayload) => {
			expectRefused({ ...timed, webhookIdHeader: 'x-svc-id', webhookPayload }, 'Webhook Payload', {
				'x-svc-timestamp': '1767225600',
				'x-svc-signature': openSsl('1767225600', 'fake-secret'),
			});
		},
	);
});

describe('what is read is signed', () => {
	test('a Webhook Timestamp Header without {timestamp} in the Webhook Payload is refused', () => {
		expectRefused({ ...timed, webhookPayload: '{body}' }, 'Webhook Payload does not contain {timestamp}', {
			'x-svc-timestamp': '1767225600',
			'x-svc-signature': openSsl(BODY, 'fake-secret'),
		});
	});

	test('a time in the Webhook Signature Format without {timestamp} in the Webhook Payload is refused', () => {
		expectRefused(
			{ ...HMAC, webhookSignatureFormat: 't={timestamp},v1={signature}' },
			'Webhook Payload does not contain {timestamp}',
			carrying(`t=1767225600,v1=${openSsl(BODY, 'fake-secret')}`),
		);
	});

	test('a Webhook ID Header without {id} in the Webhook Payload is refused', () => {
		expectRefused({ ...HMAC, webhookIdHeader: 'x-svc-id' }, 'Webhook Payload does not contain {id}', {
			'x-svc-id': '1',
			'x-svc-signature': openSsl(BODY, 'fake-secret'),
		});
	});

	test('a time from the header and from the format at once is refused', () => {
		expectRefused(
			{ ...timed, webhookSignatureFormat: 't={timestamp},v1={signature}' },
			'Webhook Timestamp Header',
		);
	});
});

describe('secrets', () => {
	/** Each of these decodes to nothing or to less than it shows. */
	const CUT: Array<['base64' | 'hex', string]> = [
		['base64', 'a'],
		['base64', 'A=='],
		['base64', 'A='],
		['base64', '='],
		['base64', '_'],
		['base64', 'whsec_a'],
		['base64', 'Zm9vY'],
		['base64', 'Zm9vYg='],
		['base64', 'Zm9vYmFy='],
		['base64', 'Zm9v\nYmFy'],
		['hex', '0'],
		['hex', '00f'],
		['hex', '0x00'],
		['hex', '00 ff'],
	];

	test.each(CUT)('a secret in %s that reads %j is refused', (encoding, secret) => {
		expectRefused(
			{ ...HMAC, webhookSecret: secret, webhookSecretEncoding: encoding },
			`Webhook Secret is not ${encoding} text`,
			carrying(openSsl(BODY, '')),
		);
		const good = encoding === 'hex' ? '0f' : 'Zm9vYg==';
		expectRefused(
			{
				...HMAC,
				webhookSecret: good,
				webhookPreviousSecret: secret,
				webhookSecretEncoding: encoding,
			},
			`Previous Webhook Secret is not ${encoding} text`,
			carrying(openSsl(BODY, '')),
		);
		expect(() => sign({ signatureSecret: secret, signatureSecretEncoding: encoding })).toThrow(
			`Signature Secret is not ${encoding} text`,
		);
	});

	test.each([
		'fake-secret\n',
		' fake-secret',
		'fake-secret ',
		'\tfake-secret',
		'fake-secret\r\n',
		'\uFEFFfake-secret',
	])('the secret %j with a space or a line break at its end is refused', (secret) => {
		const message = 'begins or ends with a space or a line break';
		const headers = carrying(openSsl(BODY, 'fake-secret'));
		expectRefused({ ...HMAC, webhookSecret: secret }, `Webhook Secret ${message}`, headers);
		expectRefused({ ...HMAC, webhookPreviousSecret: secret }, `Previous Webhook Secret ${message}`, headers);
		expectRefused({ ...HMAC, webhookVerification: 'token', webhookSecret: secret }, message, headers);
		expect(() => sign({ signatureSecret: secret })).toThrow(`Signature Secret ${message}`);
		expect(() => sign({ apiKey: secret })).toThrow(`API Key ${message}`);
	});

	test('the same bytes as text, hex and base64 are one secret', () => {
		const headers = carrying(openSsl(BODY, 'foob'));
		for (const [webhookSecret, webhookSecretEncoding] of [
			['foob', 'utf8'],
			['666f6f62', 'hex'],
			['666F6F62', 'hex'],
			['Zm9vYg==', 'base64'],
			['Zm9vYg', 'base64'],
			['whsec_Zm9vYg==', 'base64'],
		] as const) {
			expect(reasonFor({ ...HMAC, webhookSecret, webhookSecretEncoding }, headers)).toBe('ok');
		}
	});
});

describe('an ID beside a time', () => {
	test.each([
		'{id}{timestamp}{body}',
		'{timestamp}{id}{body}',
		'{id}0{timestamp}{body}',
		'{body}.{timestamp}{id}',
		'{id}v{timestamp}.{body}',
	])(
		'the Webhook Payload %s, in which digits of the ID can move into the time, is refused',
		(webhookPayload) => {
			expectRefused(
				{ ...timed, webhookIdHeader: 'x-svc-id', webhookPayload },
				'between {id} and {timestamp}',
			);
		},
	);

	test('a literal between {id} and {timestamp} separates them', () => {
		for (const webhookPayload of [
			'{id}.{timestamp}.{body}',
			'{timestamp}\\n{id}{body}',
			'{id}{body}{timestamp}',
		]) {
			const settings = { ...timed, webhookIdHeader: 'x-svc-id', webhookPayload };
			expect(() => compileVerifier(settings)).not.toThrow();
		}
	});

	/** A delivery with this ID and time, and a signature of perhaps another one. */
	const signatureOf = (text: string) => openSsl(text, 'fake-secret');
	const verdictFor = (change: VerificationSettings, signature: string, id: string, timestamp: string) =>
		verifyDelivery(
			{ ...timed, webhookIdHeader: 'x-svc-id', webhookPayload: '{id}{timestamp}{body}', ...change },
			{
				headers: {
					'x-svc-id': id,
					'x-svc-timestamp': timestamp,
					'x-svc-signature': signature,
				},
				body: Buffer.from(BODY),
			},
			NOW,
		);

	test.each([
		['unixSeconds', '1767225600'],
		['unixMilliseconds', '1767225600000'],
		['iso8601', '2026-01-01T00:00:00.123456789Z'],
		['iso8601NoZone', '2026-01-01T00:00:00'],
		['httpDate', 'Thu, 01 Jan 2026 00:00:00 GMT'],
	] as const)(
		'with the format %s the time may follow the ID at once, and no character moves between them',
		(webhookTimestampFormat, time) => {
			const id = '20261767225600';
			const signature = signatureOf(`${id}${time}${BODY}`);
			for (const webhookTolerance of [300, 0]) {
				const settings = { webhookTimestampFormat, webhookTolerance };
				expect(verdictFor(settings, signature, id, time)).toMatchObject({ ok: true, id });
				const both = id + time;
				for (let at = 1; at < both.length; at += 1) {
					if (at === id.length) continue;
					expect(verdictFor(settings, signature, both.slice(0, at), both.slice(at)).ok).toBe(false);
				}
			}
			const timeFirst = { ...timed, webhookTimestampFormat, webhookIdHeader: 'x-svc-id' };
			expectRefused(
				{ ...timeFirst, webhookPayload: '{timestamp}{id}{body}' },
				'between {id} and {timestamp}',
			);
		},
	);

	test('without a check of the time, no piece of the ID moves into it either', () => {
		const settings = { webhookPayload: '{id}.{timestamp}.{body}', webhookTolerance: 0 };
		expect(verdictFor(settings, signatureOf(`a.b.1767225600.${BODY}`), 'a.b', '1767225600').ok).toBe(true);
		expect(verdictFor(settings, signatureOf(`a.b.1767225600.${BODY}`), 'a', 'b.1767225600').ok).toBe(false);
	});

	test('an accepted delivery tells its ID and its time, if they are signed', () => {
		const [id, time] = ['msg_1', '1767225600'];
		const settings = { webhookPayload: '{id}.{timestamp}.{body}' };
		expect(verdictFor(settings, signatureOf(`${id}.${time}.${BODY}`), id, time)).toEqual({
			...{ ok: true, header: 'x-svc-signature', id, sentAt: NOW },
		});
		expect(
			verdictFor(
				{ webhookPayload: '{timestamp}.{body}', webhookIdHeader: '' },
				signatureOf(`${time}.${BODY}`),
				id,
				time,
			),
		).toEqual({ ok: true, header: 'x-svc-signature', sentAt: NOW });
		expect(verdictFor(settings, signatureOf(`.${time}.${BODY}`), '', time)).toEqual({
			...{ ok: false, reason: 'The header x-svc-id is missing' },
		});
	});
});

describe('a digest of the body', () => {
	const digest = (text: string) => ({
		bodySha256: openSslHash(text, 'sha256', 'hex'),
		bodySha512: openSslHash(text, 'sha512', 'hex'),
		bodySha256Base64: openSslHash(text, 'sha256', 'base64'),
	});

	test.each(['bodySha256', 'bodySha512', 'bodySha256Base64'] as const)(
		'{%s} in the Webhook Payload stands for the body',
		(token) => {
			const settings: VerificationSettings = { ...HMAC, webhookPayload: `Digest:{${token}}` };
			const headers = { 'x-svc-signature': openSsl(`Digest:${digest(BODY)[token]}`, 'fake-secret') };
			expect(reasonFor(settings, headers)).toBe('ok');
			expect(reasonFor(settings, headers, `${BODY} `)).toBe('The signature does not match the body');
		},
	);
});

describe('the unit of the time', () => {
	const SECONDS = '1767225600';
	const MILLISECONDS = '1767225600000';
	const ISO = '2026-01-01T00:00:00Z';
	const verdict = (
		webhookTimestampFormat: VerificationSettings['webhookTimestampFormat'],
		timestamp: string,
	) =>
		reasonFor(
			{ ...timed, webhookTimestampFormat },
			{
				'x-svc-timestamp': timestamp,
				'x-svc-signature': openSsl(`${timestamp}.${BODY}`, 'fake-secret'),
			},
		);

	test.each([
		['auto', [SECONDS, MILLISECONDS, ISO, '2026-01-01T01:00:00.123456789+01:00', '2026-01-01T00:00:00.000Z']],
		['unixSeconds', [SECONDS]],
		['unixMilliseconds', [MILLISECONDS]],
		['iso8601', [ISO]],
		['iso8601Seconds', [ISO]],
		['iso8601NoZone', ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000001']],
		['httpDate', ['Thu, 01 Jan 2026 00:00:00 GMT']],
	] as const)('%s reads %j', (unit, timestamps) => {
		for (const timestamp of timestamps) expect(verdict(unit, timestamp)).toBe('ok');
	});

	test.each([
		[
			'auto',
			['176722560', '17672256000', '176722560000', '17672256000000', '1767225600.5', '+1767225600', '1e9'],
		],
		['auto', ['1767225600000000']],
		['iso8601NoZone', [ISO, '2026-01-01T00:00:00+00:00', SECONDS]],
		[
			'httpDate',
			[
				'Thu, 1 Jan 2026 00:00:00 GMT',
				'Thu, 01 Jan 2026 00:00:00 +0000',
				'Thursday, 01-Jan-26 00:00:00 GMT',
				ISO,
			],
		],
		[
			'auto',
			['2026-01-01', '2026-01-01T00:00:00', 'Thu, 01 Jan 2026 00:00:00 GMT', '2026-13-01T00:00:00Z', ''],
		],
		['unixSeconds', [MILLISECONDS, ISO]],
		['unixMilliseconds', [SECONDS, ISO]],
		['iso8601', [SECONDS, MILLISECONDS]],
	] as const)('%s does not read %j', (unit, timestamps) => {
		for (const timestamp of timestamps) {
			expect(verdict(unit, timestamp)).toBe('The timestamp of the delivery cannot be read');
		}
	});
});

describe('values that an expression may give', () => {
	test.each([Infinity, -Infinity, NaN, 1e308, 86_401, -1, '300', null, true])(
		'the Webhook Tolerance %p is refused',
		(webhookTolerance) => {
			expectRefused(
				{ ...timed, webhookTolerance: webhookTolerance as number },
				'Webhook Tolerance is not a number',
			);
		},
	);

	test.each<[keyof VerificationSettings, string]>([
		['webhookVerification', 'Webhook Verification'],
		['webhookAlgorithm', 'Webhook Algorithm'],
		['webhookSecretEncoding', 'Webhook Secret Encoding'],
		['webhookSignatureEncoding', 'Webhook Signature Encoding'],
		['webhookTimestampFormat', 'Webhook Timestamp Format'],
	])('an unknown %s is refused', (field, label) => {
		for (const value of ['md5', '', 'latin1', 'constructor', '__proto__', null, 5, ['sha256']]) {
			expectRefused({ ...timed, [field]: value }, `${label} has an unknown value`);
		}
	});

	test.each<[keyof SigningSettings, string]>([
		['signatureMethod', 'Signature Method'],
		['signatureAlgorithm', 'Signature Algorithm'],
		['signatureSecretEncoding', 'Signature Secret Encoding'],
		['signatureEncoding', 'Signature Encoding'],
		['timestampFormat', 'Timestamp Format'],
	])('an unknown %s is refused', (field, label) => {
		for (const value of ['md5', '', 'latin1', 'constructor', null, ['hex']]) {
			expect(() => sign({ [field]: value })).toThrow(SettingError);
			expect(() => sign({ [field]: value })).toThrow(`${label} has an unknown value`);
		}
	});

	test('an empty Signature Payload is refused', () => {
		expect(() => sign({ signaturePayload: '' })).toThrow('Signature Payload is empty');
	});

	test.each<[keyof VerificationSettings, string]>([
		['webhookHeader', 'Webhook Header'],
		['webhookTimestampHeader', 'Webhook Timestamp Header'],
		['webhookIdHeader', 'Webhook ID Header'],
	])('a %s that is not the name of a header is refused', (field, label) => {
		const settings = { ...timed, webhookIdHeader: 'x-svc-id', webhookPayload: '{id}.{timestamp}.{body}' };
		for (const name of ['x svc', ' x-svc', 'x-svc ', 'x-svc:', 'x-svc\n', 'x:y', 'x-ß', '"x"']) {
			expectRefused({ ...settings, [field]: name }, `${label} is not the name of a header`);
		}
	});

	test('a header that is named like a property of every object is missing', () => {
		for (const webhookHeader of ['constructor', '__proto__', 'toString']) {
			expect(reasonFor({ ...HMAC, webhookHeader }, {})).toBe(`The header ${webhookHeader} is missing`);
		}
	});
});
