/** What the test of the credential checks before it sends anything. test/headless/credential.test.ts sends it. */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import type { ICredentialTestFunctions } from 'n8n-workflow';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { testCredential } from '../../nodes/WalletService/credentialTest.ts';

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

/** Runs the test of the credential. `sent`: the requests that it gives to n8n. */
const send = async (fields: object) => {
	const sent: Array<{ uri: string; method: string; headers: object }> = [];
	const context = {
		helpers: {
			request: async (request: never) => {
				sent.push(request);
				return await Promise.resolve({ statusCode: 200, body: '{"results":[]}' });
			},
		},
	} as unknown as ICredentialTestFunctions;
	const data = { ...COMPLETE, ...fields };
	const { message } = await testCredential.call(context, { id: '1', name: 'Tested', type: 'x', data });
	return { message, sent };
};

test('the test of the credential reads the virtual accounts', async () => {
	const { sent, message } = await send({});
	const uri = 'https://api.example.com/v1/fiat_virtuals';
	expect(sent).toMatchObject([{ method: 'POST', uri, headers: { 'x-svc-key': 'fake-key' } }]);
	expect(message).toBe('Connection successful!');
	expect((await send({ baseUrl: 'https://api.example.com/v1/' })).sent).toMatchObject([{ uri }]);
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
	expect(await send(fields)).toEqual({ message, sent: [] });
});

test.each<object>([
	{ webhookStyle: 'default', webhookSecret: '' },
	{ webhookStyle: 'custom', webhookVerification: 'none' },
	{ webhookStyle: 'github', webhookSecret: 'fake' },
	{ ...HMAC, webhookSecret: 'fake' },
	{ ...CUSTOM, paymentKeyHeader: 'Idempotency-Key' },
	{ paymentKeyHeader: 'unusable, but the form hides it' },
])('with %j the test of the credential is sent', async (fields) => {
	expect((await send(fields)).sent).toHaveLength(1);
});

test('any other request is signed, even with webhook settings that cannot work', async () => {
	const request = { url: '/v1/fiat_virtuals', method: 'POST' } as const;
	expect(await authenticate({ webhookStyle: 'stripe' }, request)).toHaveProperty(
		'url',
		'https://api.example.com/v1/fiat_virtuals',
	);
	await expect(authenticate({ signatureSecret: '' }, request)).rejects.toMatchObject({ code: 'SETTING' });
});
