/** The header that carries Payment Key: which names the credential takes, and when. */
import { SettingError } from '../../api/settingError.ts';
import { paymentKeyHeaderOf } from '../../api/signature/paymentKeyHeader.ts';
import type { SigningSettings } from '../../api/signature/settings.ts';
import { sign } from './trySettings.ts';

const headerOf = (settings: Record<string, unknown>) =>
	paymentKeyHeaderOf({ serviceName: 'svc', ...settings } as unknown as SigningSettings);

test.each(['Idempotency-Key', 'x-request-id', 'X-Svc-Idempotency-Key', 'PayPal-Request-Id', 'x_key!'])(
	'with Custom, %s can carry Payment Key',
	(paymentKeyHeader) => {
		expect(headerOf({ signatureStyle: 'custom', paymentKeyHeader })).toBe(paymentKeyHeader);
	},
);

test.each([undefined, null, ''])('the name %p stands for no header', (paymentKeyHeader) => {
	expect(headerOf({ signatureStyle: 'custom', paymentKeyHeader })).toBeUndefined();
});

test('under another style, where the form hides it, Payment Key Header does nothing', () => {
	for (const paymentKeyHeader of ['Idempotency-Key', 'not a header', 5]) {
		expect(headerOf({ signatureStyle: 'default', paymentKeyHeader })).toBeUndefined();
		expect(sign({ signatureStyle: 'default', paymentKeyHeader })).toHaveProperty('x-svc-key');
	}
});

const NOT_A_NAME = 'Payment Key Header is not the name of a header, such as Idempotency-Key';
const taken = (name: string) =>
	`Payment Key Header cannot be ${name}: n8n or this credential sets or drops that header`;

const UNUSABLE: Array<[name: unknown, message: string]> = [
	...['Idempotency Key', ' x-key', 'x-key ', 'x-key:', 'x-key\n', 'x-schlüssel', '"x"', '{key}'].map(
		(name): [string, string] => [name, NOT_A_NAME],
	),
	...[5, true, ['x-key'], {}].map((name): [unknown, string] => [name, 'Payment Key Header is not text']),
	...['X-Svc-Key', 'x-svc-signature', 'x-svc-timestamp', 'x-svc-nonce'].map((name): [string, string] => [
		name,
		taken(name),
	]),
	...[
		...['Accept', 'accept-encoding', 'Authorization', 'Connection', 'Content-Type', 'content-length'],
		...['content-encoding', 'Cookie', 'Expect', 'Host', 'Keep-Alive', 'Proxy-Authorization', 'TE'],
		...['trailer', 'Transfer-Encoding', 'Upgrade', 'User-Agent', '__proto__', 'constructor', 'prototype'],
	].map((name): [string, string] => [name, taken(name)]),
];

test.each(UNUSABLE)(
	'%j is refused as Payment Key Header, and no request is signed with it',
	(name, message) => {
		for (const attempt of [
			() => headerOf({ paymentKeyHeader: name }),
			() => sign({ signatureStyle: 'custom', paymentKeyHeader: name }),
		]) {
			expect(attempt).toThrow(SettingError);
			expect(attempt).toThrow(message);
		}
	},
);

test('the headers of the credential have the name of the service', () => {
	const acme = { serviceName: 'acme' };
	expect(headerOf({ ...acme, paymentKeyHeader: 'x-svc-key' })).toBe('x-svc-key');
	expect(() => headerOf({ ...acme, paymentKeyHeader: 'X-ACME-Key' })).toThrow(taken('X-ACME-Key'));
});
