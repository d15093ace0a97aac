/**
 * The test of the credential sends nothing with settings that cannot be used, and says why.
 * test/headless/credential.test.ts shows what it makes of the answers.
 */
import type { ICredentialTestFunctions } from 'n8n-workflow';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { testCredential } from '../../nodes/WalletService/shared/credentialTest.ts';

const COMPLETE = {
	...{ baseUrl: 'https://api.example.com', apiKey: 'fake-key' },
	...{ signatureStyle: 'default', signatureSecret: 'fake-secret' },
	...{ webhookStyle: 'default', webhookSecret: '' },
};

/** Tests the credential with these fields changed. `sent` are the requests that n8n gets. */
const testWith = async (fields: object, answer: object = { statusCode: 200, body: { results: [] } }) => {
	const request = jest.fn(async () => await Promise.resolve(answer));
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const data = { ...COMPLETE, ...fields };
	const { message } = await testCredential.call(context, { id: '1', name: 'Tested', type: 'x', data });
	return { message, sent: request.mock.calls.flat() };
};

test.each(['https://api.example.com', 'https://api.example.com/v1/'])(
	'with the Base URL %s the test of the credential lists the virtual accounts',
	async (baseUrl) => {
		const uri = 'https://api.example.com/v1/fiat_virtuals';
		expect(await testWith({ baseUrl })).toMatchObject({
			message: 'Connection successful!',
			sent: [{ method: 'POST', uri, headers: { 'x-svc-key': 'fake-key' } }],
		});
	},
);

const HMAC = { webhookStyle: 'custom', webhookVerification: 'hmac', webhookHeader: 'x-svc-signature' };

test.each<[fields: object, message: string]>([
	[
		{ baseUrl: 'api.example.com' },
		'Base URL is not a whole address. Enter one such as https://api.example.com',
	],
	[
		{ baseUrl: 'http://api.example.com' },
		'Base URL must begin with https://. Only localhost may use http://',
	],
	...['https://api.example.com?a=1', 'https://api.example.com/v1#top'].map((baseUrl): [object, string] => [
		{ baseUrl },
		'Base URL contains ? or #. Enter only the address, such as https://api.example.com',
	]),
	[{ apiKey: '' }, 'API Key is empty'],
	[{ signatureSecret: '' }, 'Signature Secret is empty'],
	[
		{ signatureStyle: 'custom', paymentKeyHeader: 'Idempotency Key' },
		'Payment Key Header is not the name of a header, such as x-svc-id',
	],
	[{ webhookStyle: 'standardWebhooks' }, 'Webhook Secret is empty'],
	[{ webhookStyle: 'standardWebhooks', webhookSecret: 'x' }, 'Webhook Secret is not base64 text'],
	[HMAC, 'Webhook Secret is empty'],
	[
		{ ...HMAC, webhookSecret: 'x', webhookPayload: '{timestamp}' },
		'Webhook Payload does not contain {body}, so anyone could change the body of a delivery',
	],
	[
		{ ...HMAC, webhookVerification: 'publicKey', webhookPublicKey: 'x' },
		'Webhook Public Key is not a public key as PEM. Paste the whole key, from -----BEGIN PUBLIC KEY----- on',
	],
])('with %j the test of the credential says: %s', async (fields, message) => {
	expect(await testWith(fields)).toEqual({ message, sent: [] });
});

test.each<object>([
	// The default style without a secret means that no trigger verifies deliveries.
	{ webhookStyle: 'default', webhookSecret: '' },
	{ webhookStyle: 'custom', webhookVerification: 'none' },
	{ webhookStyle: 'standardWebhooks', webhookSecret: 'ZmFrZQ==' },
	{ ...HMAC, webhookSecret: 'fake' },
	{ signatureStyle: 'custom', paymentKeyHeader: 'Idempotency-Key' },
	{ paymentKeyHeader: 'unusable, but the form hides it' },
])('with %j the test of the credential is sent', async (fields) => {
	expect((await testWith(fields)).sent).toHaveLength(1);
});

test.each([429, 500, 502, 503, 504])(
	'after an answer with status %i, the test of the credential does not blame the keys',
	async (statusCode) => {
		for (const body of ['', 'Oops', { results: [] }]) {
			expect((await testWith({}, { statusCode, body })).message).toBe(
				`The service answered ${statusCode}, so it is not known whether the keys are right. Wait a minute, then test again.`,
			);
		}
	},
);

test('any other request is signed, even with webhook settings that cannot work', async () => {
	const { authenticate } = new WalletServiceApi();
	if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
	const request = { url: '/v1/fiat_virtuals', method: 'POST' } as const;
	expect(await authenticate({ ...COMPLETE, webhookStyle: 'standardWebhooks' }, { ...request })).toMatchObject(
		{
			url: 'https://api.example.com/v1/fiat_virtuals',
			headers: { 'x-svc-key': 'fake-key' },
		},
	);
	const unsigned = authenticate({ ...COMPLETE, signatureSecret: '' }, { ...request });
	await expect(unsigned).rejects.toMatchObject({ code: 'SETTING' });
});
