/** What n8n shows when a person tests the credential. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { useStack } from './setup.ts';

jest.setTimeout(180_000);

const stack = useStack();

const testWith = (fields: Json) =>
	stack.client.testCredential(CREDENTIAL_TYPE, 'Tried', { ...stack.credential.data, ...fields });

/** An answer of the service's kind to every request. */
async function answering(status: number, type: string, body: string) {
	const server = createServer((_, response) => {
		response.writeHead(status, { 'content-type': type }).end(body);
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return await testWith({ baseUrl: `http://127.0.0.1:${port}` }).finally(() => server.close());
}

describe('the test of the credential', () => {
	test('the test of the credential passes with the right key', async () => {
		expect(await testWith({})).toMatchObject({ status: 'OK' });
	});

	test.each(['/', '/v1', '/v1/'])('a Base URL that ends in %s works', async (end) => {
		expect(await testWith({ baseUrl: stack.sandbox.url + end })).toMatchObject({ status: 'OK' });
	});

	const CUSTOM = { signatureStyle: 'custom', serviceName: 'svc', signatureMethod: 'hmac' };
	const HMAC = { webhookStyle: 'custom', webhookVerification: 'hmac' };

	const notAccepted = (words: string) =>
		`The service does not accept the API Key or the signature: ${words}. Check API Key, the signature settings and the clock of the machine that runs n8n.`;

	test.each<[fields: Json, message: string]>([
		[{ apiKey: 'wrong' }, notAccepted('x-svc-key is not the key of this sandbox')],
		[
			{ signatureSecret: 'wrong' },
			notAccepted('x-svc-signature does not match the request and the secret of this sandbox'),
		],
		[
			{ ...CUSTOM, timestampFormat: 'unixSeconds' },
			notAccepted('x-svc-timestamp is not in Unix milliseconds'),
		],
		[
			{ ...CUSTOM, timestampFormat: 'static', staticTimestamp: '1577836800000' },
			notAccepted("x-svc-timestamp differs from the sandbox's clock by more than 300 seconds"),
		],
		[{ apiKey: '' }, 'API Key is empty'],
		[{ signatureSecret: '' }, 'Signature Secret is empty'],
		[{ baseUrl: '' }, 'Base URL is not a whole address. Enter one such as https://api.example.com'],
		[
			{ baseUrl: 'api.example.com' },
			'Base URL is not a whole address. Enter one such as https://api.example.com',
		],
		[{ baseUrl: 'localhost:3000' }, 'Base URL must begin with https://. Only localhost may use http://'],
		[
			{ baseUrl: 'http://api.example.com' },
			'Base URL must begin with https://. Only localhost may use http://',
		],
		[{ webhookSecret: 'fake\n' }, 'Webhook Secret begins or ends with a space or a line break'],
		[{ webhookStyle: 'stripe', webhookSecret: '' }, 'Webhook Secret is empty'],
		[
			{ ...HMAC, webhookPayload: '{id}' },
			'Webhook Payload does not contain {body}, so anyone could change the body of a delivery',
		],
		[
			{ webhookStyle: 'custom', webhookVerification: 'publicKey', webhookPublicKey: 'fake' },
			'Webhook Public Key is not a public key as PEM, hex or base64',
		],
		[
			{ baseUrl: 'https://api.examplle.invalid' },
			'Nothing answers at api.examplle.invalid. Check the spelling of Base URL.',
		],
		[
			{ baseUrl: 'http://127.0.0.1:9' },
			'Nothing answers at 127.0.0.1:9. Check Base URL, and that the service is reachable from n8n.',
		],
	])('with %j the test of the credential says: %s', async (fields, message) => {
		expect(await testWith(fields)).toEqual({ status: 'Error', message });
	});

	test('without a Webhook Secret the test of the credential passes, because not every trigger verifies', async () => {
		expect(await testWith({ webhookSecret: '' })).toMatchObject({ status: 'OK' });
	});

	const NOT_THE_SERVICE =
		'The address answers, but not like the Wallet Service with a valid key. Check Base URL, API Key and the signature settings.';

	test.each<[status: number, type: string, body: string, message: string]>([
		[200, 'text/html', '<h1>Welcome</h1>', NOT_THE_SERVICE],
		[200, 'application/json', '{"ok":true}', NOT_THE_SERVICE],
		[401, 'application/json', '{"message":"no"}', notAccepted('no')],
		[403, 'application/json', '{}', notAccepted('no reason given')],
		[404, 'text/html', '', 'The service was not found at this address. Check Base URL.'],
	])('after the answer %i %s %s the test of the credential says: %s', async (status, type, body, message) => {
		expect(await answering(status, type, body)).toEqual({ status: 'Error', message });
	});
});
