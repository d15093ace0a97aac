import { SettingError } from '../../api/settingError.ts';
import { signRequest } from '../../api/signature/signRequest.ts';
import type { SigningSettings, VerificationSettings } from '../../api/signature/settings.ts';
import { compileVerifier, signDelivery } from '../../api/signature/verifier.ts';
import { verifyDelivery } from './trySettings.ts';

/** The expected digests come from `openssl dgst -hmac` or from the documentation of the senders. */
const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const BODY = '{"currency":"NGN","amount":0.123456789012345678,"account_alias":"supplier-main"}';
const PAYOUT = { method: 'post', url: new URL('https://api.example.com/v1/fiat_payout'), body: BODY };

const base: SigningSettings = {
	serviceName: 'svc',
	apiKey: 'fake-key',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
	signatureSecret: 'fake-secret',
};

describe('Signing of requests', () => {
	test('a request is signed with HMAC-SHA256 in hex over {timestamp}{method}{path}{body} by default', () => {
		expect(signRequest(base, PAYOUT, NOW)).toEqual({
			'x-svc-key': 'fake-key',
			'x-svc-timestamp': '1767225600000',
			'x-svc-signature': '102b20560ec2c963272e2fc770a4256372882bbbf10ce41d79dded76fec880f7',
		});
	});

	test('a request can be signed with Unix seconds, SHA-512 and base64', () => {
		const settings: SigningSettings = {
			...base,
			serviceName: 'acme-pay',
			timestampFormat: 'unixSeconds',
			signatureAlgorithm: 'sha512',
			signatureEncoding: 'base64',
		};
		expect(signRequest(settings, PAYOUT, NOW)).toEqual({
			'x-acme-pay-key': 'fake-key',
			'x-acme-pay-timestamp': '1767225600',
			'x-acme-pay-signature':
				'U8e8xyRq0rXjvWFiSfuHV/8rdJl0l8IUOqLP+EQa992g8U952YAax7MksF3A/DrtdGec14wCbmfVQJwPfO1/Eg==',
		});
	});

	test('a request can be signed with every token, line feeds, SHA-384 and a hex secret', () => {
		const settings: SigningSettings = {
			...base,
			signatureSecret: '00FF10',
			signatureSecretEncoding: 'hex',
			signatureAlgorithm: 'sha384',
			signatureEncoding: 'base64',
			signaturePayload: '{method}\\n{pathWithQuery}\\n{host}\\n{key}\\n{bodySha256}\\n{bodySha512}',
		};
		const request = { method: 'GET', url: new URL('https://api.example.com/base/v1/rates?x=1'), body: '' };
		const signature = 'qUZ1C7Alr7jnlo5sD8gDxj6RY/Ow8Lqpa8KweEHhJ96M/A4A9x01mmlYwtTTjsxl';
		expect(signRequest(settings, request, NOW)['x-svc-signature']).toBe(signature);
		const split = settings.signaturePayload?.replace('{pathWithQuery}', '{path}?{query}');
		expect(signRequest({ ...settings, signaturePayload: split }, request, NOW)['x-svc-signature']).toBe(
			signature,
		);
		const urlSafe = signRequest({ ...settings, signatureEncoding: 'base64url' }, request, NOW);
		expect(urlSafe['x-svc-signature']).toBe(
			'qUZ1C7Alr7jnlo5sD8gDxj6RY_Ow8Lqpa8KweEHhJ96M_A4A9x01mmlYwtTTjsxl',
		);
	});

	test('a request with an ISO 8601 timestamp has one signature, whether its secret is text, hex or base64', () => {
		const signature = 'b14baf0f521c9e3a4e31a10cca5c92c1803dc32bac39af3aff7b7ea8a4ed7975';
		const settings: SigningSettings = {
			...base,
			timestampFormat: 'iso8601',
			signaturePayload: '{timestamp}{body}',
		};
		for (const [signatureSecret, signatureSecretEncoding] of [
			['foob', 'utf8'],
			['666f6f62', 'hex'],
			['Zm9vYg==', 'base64'],
		] as const) {
			const headers = signRequest({ ...settings, signatureSecret, signatureSecretEncoding }, PAYOUT, NOW);
			expect(headers['x-svc-timestamp']).toBe('2026-01-01T00:00:00.000Z');
			expect(headers['x-svc-signature']).toBe(signature);
		}
		const upper = signRequest(
			{ ...settings, signatureSecret: 'foob', signatureEncoding: 'hexUpper' },
			PAYOUT,
			NOW,
		);
		expect(upper['x-svc-signature']).toBe(signature.toUpperCase());
	});

	test('a request can carry a static timestamp and a static signature', () => {
		const settings: SigningSettings = {
			...base,
			timestampFormat: 'static',
			staticTimestamp: 'always',
			signatureMethod: 'static',
			staticSignature: 'issued',
		};
		expect(signRequest(settings, PAYOUT, NOW)).toEqual({
			'x-svc-key': 'fake-key',
			'x-svc-timestamp': 'always',
			'x-svc-signature': 'issued',
		});
	});

	test.each<[string, Partial<SigningSettings>, string]>([
		['no key', { apiKey: '' }, 'API Key is empty'],
		['no secret', { signatureSecret: '' }, 'Signature Secret is empty'],
		[
			'a secret that is not hex',
			{ signatureSecret: 'zz', signatureSecretEncoding: 'hex' },
			'Signature Secret is not hex text',
		],
		[
			'a secret that is not base64',
			{ signatureSecret: 'a b', signatureSecretEncoding: 'base64' },
			'Signature Secret is not base64 text',
		],
		['no static signature', { signatureMethod: 'static' }, 'Signature is empty'],
		['no static timestamp', { timestampFormat: 'static' }, 'Timestamp is empty'],
		['an unknown token', { signaturePayload: '{colour}{body}' }, 'Signature Payload contains {colour}'],
		['a service name that would break the header', { serviceName: 'a b' }, 'Service Name must be'],
	])('signing with %s throws an error that names the field', (_, change, message) => {
		const sign = () => signRequest({ ...base, ...change }, PAYOUT, NOW);
		expect(sign).toThrow(SettingError);
		expect(sign).toThrow(message);
	});
});

describe('Verification of deliveries', () => {
	const WEBHOOK = '{"event":"admin_funding","id":"af_1","Amount":"10.00"}';
	const settings: VerificationSettings = {
		webhookVerification: 'hmac',
		webhookHeader: 'X-Svc-Signature',
		webhookSecret: 'fake-secret',
	};
	const signature = '2f6b70f222cbeb65f35706a29636b42ec4ac722aed6c97177026416fdc22513b';

	const verify = (
		change: Partial<VerificationSettings>,
		headers: Record<string, string | string[]>,
		body = WEBHOOK,
		now = NOW,
	) => {
		const verdict = verifyDelivery({ ...settings, ...change }, { headers, body: Buffer.from(body) }, now);
		return verdict.ok ? 'ok' : verdict.reason;
	};

	test('a delivery is verified with HMAC-SHA256 in hex over its body by default', () => {
		expect(verify({}, { 'x-svc-signature': signature })).toBe('ok');
		expect(verify({}, { 'x-svc-signature': signature.toUpperCase() })).toBe('ok');
	});

	test('a delivery with one changed character in its body or signature is refused', () => {
		for (let at = 0; at < WEBHOOK.length; at++) {
			const changed = WEBHOOK.slice(0, at) + (WEBHOOK[at] === 'x' ? 'y' : 'x') + WEBHOOK.slice(at + 1);
			expect(verify({}, { 'x-svc-signature': signature }, changed)).toMatch('does not match the body');
		}
		for (let at = 0; at < signature.length; at++) {
			const changed = signature.slice(0, at) + (signature[at] === '0' ? '1' : '0') + signature.slice(at + 1);
			expect(verify({}, { 'x-svc-signature': changed })).toMatch('does not match the body');
		}
	});

	test.each([
		['missing', {}, 'The header X-Svc-Signature is missing'],
		['empty', { 'x-svc-signature': '' }, 'does not have the expected form'],
		['cut short', { 'x-svc-signature': signature.slice(0, 32) }, 'does not match the body'],
		['too long', { 'x-svc-signature': `${signature}00` }, 'does not match the body'],
	])('a signature that is %s is refused', (_, headers, reason) => {
		expect(verify({}, headers as Record<string, string>)).toMatch(reason);
	});

	test('a signed time in the header, as Stripe sends it, may be 300 seconds away in both directions', () => {
		const style = {
			webhookSignatureFormat: 't={timestamp},v1={signature}',
			webhookPayload: '{timestamp}.{body}',
		};
		const timed = 'f15c86c3a164e122eec07569086ff20ff17db8b7d620ed58f62294c08a0aee2e';
		const headers = { 'x-svc-signature': `t=1767225600,v1=${'0'.repeat(64)}, v1=${timed},v0=old` };
		expect(verify(style, headers)).toBe('ok');
		expect(verify(style, headers, WEBHOOK, NOW + 300_000)).toBe('ok');
		expect(verify(style, headers, WEBHOOK, NOW - 300_000)).toBe('ok');
		expect(verify(style, headers, WEBHOOK, NOW + 301_000)).toMatch('301 seconds away');
		expect(verify(style, headers, WEBHOOK, NOW - 301_000)).toMatch('301 seconds away');
		expect(verify({ ...style, webhookTolerance: 0 }, headers, WEBHOOK, NOW + 1e9)).toBe('ok');
		const moved = { 'x-svc-signature': `t=1767225601,v1=${timed}` };
		expect(verify(style, moved)).toMatch('does not match the body');
	});

	test('a delivery with a token passes only if the token is the current or the previous one', () => {
		const token: Partial<VerificationSettings> = { webhookVerification: 'token', webhookHeader: 'x-token' };
		expect(verify(token, { 'x-token': 'fake-secret' })).toBe('ok');
		expect(verify(token, { 'x-token': 'fake-secreT' })).toMatch('does not contain the expected token');
		expect(verify(token, { 'x-token': '' })).toMatch('does not contain');
		expect(verify(token, {})).toMatch('is missing');
		const rotated = { ...token, webhookSecret: 'new', webhookPreviousSecret: 'fake-secret' };
		expect(verify(rotated, { 'x-token': 'fake-secret' })).toBe('ok');
		expect(verify(rotated, { 'x-token': 'new' })).toBe('ok');
		expect(verify({ ...rotated, webhookPreviousSecret: '' }, { 'x-token': '' })).toMatch('does not contain');
	});

	test.each<[Partial<VerificationSettings>, string]>([
		[{ webhookSecret: '' }, 'Webhook Secret is empty'],
		[{ webhookHeader: '' }, 'Webhook Header is empty'],
		[{ webhookVerification: 'token', webhookSecret: '' }, 'Webhook Secret is empty'],
		[{ webhookSecret: 'no hex', webhookSecretEncoding: 'hex' }, 'Webhook Secret is not hex text'],
		[
			{ webhookPreviousSecret: 'no hex', webhookSecret: '0f', webhookSecretEncoding: 'hex' },
			'Webhook Secret is not hex text',
		],
		[{ webhookSecret: 'whsec_', webhookSecretEncoding: 'base64' }, 'Webhook Secret has nothing after whsec_'],
		[{ webhookSignatureFormat: 'v1' }, 'Webhook Signature Format does not contain {signature}'],
		[{ webhookPayload: '{nonce}{body}' }, 'Webhook Payload contains {nonce}'],
		[{ webhookPayload: '{timestamp}{body}' }, 'but Webhook Timestamp Header is empty'],
		[{ webhookPayload: '{id}{body}' }, 'but Webhook ID Header is empty'],
		[{ webhookTolerance: 'long' as unknown as number }, 'Webhook Tolerance is not a number'],
		[{ webhookTolerance: -1 }, 'Webhook Tolerance is not a number'],
		[{ webhookVerification: 'other' as 'none' }, 'has an unknown value'],
	])(
		'the settings %p are refused before the first delivery, and no delivery passes with them',
		(change, message) => {
			expect(() => compileVerifier({ ...settings, ...change })).toThrow(SettingError);
			expect(() => compileVerifier({ ...settings, ...change })).toThrow(message);
			expect(verify(change, { 'x-svc-signature': signature })).toMatch(message);
		},
	);

	test('settings that can work are not refused', () => {
		for (const change of [{}, { webhookVerification: 'token' }] as const) {
			expect(() => compileVerifier({ ...settings, ...change })).not.toThrow();
		}
	});

	test('the verification none verifies nothing, so it gives no function for deliveries', () => {
		const none = 'Webhook Verification of the credential is None, so it checks no delivery';
		expect(() => compileVerifier({ ...settings, webhookVerification: 'none' })).toThrow(none);
		expect(() => compileVerifier({})).toThrow(none);
	});

	test('a body that is not UTF-8 is verified as bytes', () => {
		const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
		const headers = { 'x-svc-signature': signDelivery(settings, body) };
		expect(verifyDelivery(settings, { headers, body }, NOW).ok).toBe(true);
		const lookalike = Buffer.from(body.toString('utf8'), 'utf8');
		expect(verifyDelivery(settings, { headers, body: lookalike }, NOW).ok).toBe(false);
	});

	test('signDelivery writes the header that verifyDelivery accepts', () => {
		expect(signDelivery(settings, Buffer.from(WEBHOOK))).toBe(signature);
		const style = {
			webhookSignatureFormat: 't={timestamp},v1={signature}',
			webhookPayload: '{timestamp}.{body}',
		};
		expect(signDelivery({ ...settings, ...style }, Buffer.from(WEBHOOK), { timestamp: '1767225600' })).toBe(
			't=1767225600,v1=f15c86c3a164e122eec07569086ff20ff17db8b7d620ed58f62294c08a0aee2e',
		);
	});
});
