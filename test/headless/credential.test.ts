/** The credential: its address, its signature, and what its Test button says. */
import { testCredential } from '../../nodes/WalletService/shared/testCredential.ts';
import { withAnswer } from './withAnswer.ts';
import { FIAT, withNode } from './withNode.ts';

const { credentials, n8n, sandbox, run, asked, accepted } = withNode();

const payWith = async (changed: object) =>
	(await run(FIAT, { credentials: { ...credentials, ...changed } })).error;

const onlyTo = (allowedDomains: string) => ({ allowedHttpRequestDomains: 'domains', allowedDomains });

test.each([
	[{ baseUrl: 'http://example.com' }, 'Base URL must begin with https://'],
	[{ signatureSecret: ' x' }, 'Signature Secret begins or ends with a space or a line break'],
	[onlyTo('example.com'), 'does not allow this address: Domain not allowed'],
	[onlyTo(' '), 'The credential cannot be used: Allowed Domains is empty'],
])('a credential with %j sends nothing and says why', async (changed, words) => {
	const error = await payWith(changed);
	expect(error?.message).toContain(words);
	expect(error?.context).toMatchObject({ outcome: 'notSent' });
	expect(asked()).toBe(0);
});

test('a credential that is limited to the domain of the service pays', async () => {
	expect(await payWith(onlyTo('example.com, 127.0.0.1'))).toBeUndefined();
	expect(accepted()).toEqual(['10']);
});

describe('the credential test', () => {
	const tested = async (changed: object) => await n8n.testCredential({ ...credentials, ...changed });
	const custom = { webhookStyle: 'custom', webhookVerification: 'hmac' };
	const NO_ADDRESS = 'Base URL is not a whole address. Enter one such as https://api.example.com';
	const SPACE = 'Webhook Secret begins or ends with a space or a line break';

	test.each<[changed: object, message: string]>([
		[{ baseUrl: 'api.example.com' }, NO_ADDRESS],
		[{ apiKey: '' }, 'API Key is empty'],
		[{ webhookStyle: 'standardWebhooks', webhookVerification: 'none' }, 'Webhook Secret is empty'],
		[{ webhookStyle: 'default', webhookSecret: ' x' }, SPACE],
		[custom, 'Webhook Secret is empty'],
	])('with %j it sends nothing and says: %s', async (changed, message) => {
		expect(await tested(changed)).toEqual({ status: 'Error', message });
		expect(asked()).toBe(0);
	});

	test.each<object>([
		// The default style without a secret means that no trigger verifies deliveries.
		{ webhookStyle: 'default', webhookSecret: '' },
		{ webhookStyle: 'custom', webhookVerification: 'none' },
		{ webhookStyle: 'standardWebhooks', webhookSecret: 'ZmFrZQ==' },
		{ ...custom, webhookSecret: 'fake' },
	])('with %j it succeeds', async (changed) => {
		expect(await tested(changed)).toEqual({ status: 'OK', message: 'Connection successful!' });
	});

	test('with a wrong secret it shows the words of the service, and what to check', async () => {
		const message = `The service does not accept the API Key or the signature: x-svc-signature does not match the request and the secret of this sandbox. Check API Key, the signature settings and the clock of the machine that runs n8n.`;
		expect(await tested({ signatureSecret: 'wrong' })).toEqual({ status: 'Error', message });
	});

	test.each([
		[403, '{"message":"not v1.2."}', 'does not accept the API Key or the signature: not v1.2. Check'],
		[404, 'Not Found', 'was not found at this address'],
		[429, '{"results":[]}', 'answered 429, so it is not known whether the keys are right'],
		[500, '{"results":[]}', 'answered 500, so it is not known whether the keys are right'],
		[200, '<html>Welcome</html>', 'not like the Wallet Service'],
		[200, '{"results":null}', 'not like the Wallet Service'],
		[202, '{"results":[]}', 'not like the Wallet Service'],
	])('it fails on a %i with %p', async (status, body, message) => {
		const result = await withAnswer({ status, body }, async (baseUrl) => await tested({ baseUrl }));
		expect(result).toEqual({ status: 'Error', message: expect.stringContaining(message) });
	});

	test('it shows no secret that the service repeats', async () => {
		const body = JSON.stringify({ message: `${sandbox.key}, ${sandbox.secret}` });
		const result = await withAnswer({ status: 401, body }, async (baseUrl) => await tested({ baseUrl }));
		expect(result.message).toContain('[redacted], [redacted]. Check');
		// The words are cut off inside it.
		const long = JSON.stringify({ message: `${'x '.repeat(146)}${sandbox.key}` });
		const cut = await withAnswer({ status: 401, body: long }, async (baseUrl) => await tested({ baseUrl }));
		expect(cut.message).not.toContain(sandbox.key.slice(0, 6));
	});

	test('it says at which address nothing answers', async () => {
		const message = expect.stringMatching(
			/^Nothing answers at 127\.0\.0\.1:9\. Check the spelling of Base URL/,
		);
		expect(await tested({ baseUrl: 'http://127.0.0.1:9' })).toEqual({ status: 'Error', message });
	});

	test('it says that an address answers without TLS', async () => {
		const result = await withAnswer({ status: 200, body: '{}' }, async (baseUrl) =>
			tested({ baseUrl: baseUrl.replace('http:', 'https:') }),
		);
		expect(result.message).toMatch(
			/^127\.0\.0\.1:\d+ answers, but not with TLS\. Check Base URL and its port/,
		);
	});

	test.each<[code: unknown, words: string]>([
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'api.example.com answers, but not with TLS'],
		['EPROTO', 'api.example.com answers, but not with TLS'],
		['ENOTFOUND', 'Nothing answers at api.example.com'],
		['EAI_AGAIN', 'Nothing answers at api.example.com'],
		['ECONNRESET', 'api.example.com has closed the connection without an answer'],
		['ERR_BAD_REQUEST', 'As it came'],
		[5, 'As it came'],
	])('after an error with the code %s it says: %s', async (code, words) => {
		const request = () => Promise.reject(Object.assign(new Error('As it came'), { code }));
		const data = { ...credentials, baseUrl: 'https://api.example.com', webhookStyle: 'default' };
		const result = await testCredential.call({ helpers: { request } } as never, { data } as never);
		expect(result).toEqual({ status: 'Error', message: expect.stringContaining(words) });
	});

	test('it goes to the allowed domains only', async () => {
		const message = expect.stringMatching(/^Domain not allowed/);
		expect(await tested(onlyTo('example.com'))).toMatchObject({ status: 'Error', message });
		expect(asked()).toBe(0);
		expect(await tested(onlyTo('127.0.0.1'))).toMatchObject({ status: 'OK' });
	});
});
