/** What the test of the credential checks before it sends anything. test/n8n/credential.test.ts shows what n8n makes of it. */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';

const credential = new WalletServiceApi();

const COMPLETE = {
	baseUrl: 'https://api.example.com',
	apiKey: 'fake-key',
	signatureStyle: 'default',
	signatureSecret: 'fake-secret',
	webhookStyle: 'default',
	webhookSecret: '',
};

const authenticate = async (fields: object, options: Partial<IHttpRequestOptions>) => {
	if (typeof credential.authenticate !== 'function') throw new Error('authenticate is not a function');
	return await credential.authenticate(
		{ ...COMPLETE, ...fields } as ICredentialDataDecryptedObject,
		{ ...options } as IHttpRequestOptions,
	);
};

/** The request of the credential's test, as n8n sends it. */
const send = (fields: object) =>
	authenticate(fields, { ...credential.test.request, baseURL: undefined } as Partial<IHttpRequestOptions>);

test('the test of the credential reads the virtual accounts', async () => {
	const { url, headers } = await send({});
	expect(url).toBe('https://api.example.com/v1/fiat_virtuals');
	expect(headers).toMatchObject({ 'x-svc-key': 'fake-key' });
	expect((await send({ baseUrl: 'https://api.example.com/v1/' })).url).toBe(url);
});

const CUSTOM = {
	signatureStyle: 'custom',
	serviceName: 'svc',
	timestampFormat: 'unixMilliseconds',
	signatureMethod: 'hmac',
};
const HMAC = { webhookStyle: 'custom', webhookVerification: 'hmac', webhookHeader: 'x-svc-signature' };

test.each<[fields: object, message: string]>([
	[{ signatureSecret: '' }, 'Signature Secret is empty'],
	[{ apiKey: '' }, 'API Key is empty'],
	[{ baseUrl: '' }, 'Base URL is not a whole address. Enter one such as https://api.example.com'],
	[
		{ baseUrl: 'api.example.com' },
		'Base URL is not a whole address. Enter one such as https://api.example.com',
	],
	[
		{ baseUrl: 'http://api.example.com' },
		'Base URL must begin with https://. Only localhost may use http://',
	],
	[{ signatureSecret: ' x' }, 'Signature Secret begins or ends with a space or a line break'],
	[
		{ ...CUSTOM, paymentKeyHeader: 'Idempotency Key' },
		'Payment Key Header is not the name of a header, such as Idempotency-Key',
	],
	[
		{ ...CUSTOM, paymentKeyHeader: 'Authorization' },
		'Payment Key Header cannot be Authorization: n8n or this credential sets or drops that header',
	],
	[{ webhookSecret: 'x ', ...HMAC }, 'Webhook Secret begins or ends with a space or a line break'],
	[{ ...HMAC }, 'Webhook Secret is empty'],
	[{ webhookStyle: 'stripe' }, 'Webhook Secret is empty'],
	[{ webhookSecret: 'x', webhookStyle: 'standardWebhooks' }, 'Webhook Secret is not base64 text'],
	[
		{ ...HMAC, webhookSecret: 'x', webhookPayload: '{timestamp}' },
		'Webhook Payload does not contain {body}, so anyone could change the body of a delivery',
	],
	[
		{ ...HMAC, webhookVerification: 'publicKey', webhookPublicKey: 'x' },
		'Webhook Public Key is not a public key as PEM, hex or base64',
	],
])('with %j the test of the credential says: %s', async (fields, message) => {
	const thrown = await send(fields).then(
		() => undefined,
		(error: unknown) => error,
	);
	expect(thrown).toMatchObject({ message });
	// n8n shows the code of an error instead of its message.
	expect(thrown).not.toHaveProperty('code');
});

test.each<object>([
	{ webhookStyle: 'default', webhookSecret: '' },
	{ webhookStyle: 'custom', webhookVerification: 'none' },
	{ webhookStyle: 'github', webhookSecret: 'fake' },
	{ ...HMAC, webhookSecret: 'fake' },
	{ ...CUSTOM, paymentKeyHeader: 'Idempotency-Key' },
	{ paymentKeyHeader: 'unusable, but the form hides it' },
])('with %j the test of the credential is sent', async (fields) => {
	expect(await send(fields)).toHaveProperty('url', 'https://api.example.com/v1/fiat_virtuals');
});

test('any other request is signed, even with webhook settings that cannot work', async () => {
	const request = { url: '/v1/fiat_virtuals', method: 'POST' } as const;
	expect(await authenticate({ webhookStyle: 'stripe' }, request)).toHaveProperty(
		'url',
		'https://api.example.com/v1/fiat_virtuals',
	);
	await expect(authenticate({ signatureSecret: '' }, request)).rejects.toMatchObject({ code: 'SETTING' });
});
