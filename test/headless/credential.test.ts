/** The credential: its address, its signature, and what its Test button says. */
import { testCredential } from '../../nodes/WalletService/shared/credentialTest.ts';
import { withAnswer } from './withAnswer.ts';
import { MemoryCredentials } from './memoryCredentials.ts';
import { FIAT, PAYOUT, payout, withNode } from './withNode.ts';

const { credentials, n8n, sandbox, run, asked, accepted } = withNode();

const payWith = async (changed: object) =>
	(await run(FIAT, { credentials: { ...credentials, ...changed } })).error;

const onlyTo = (allowedDomains?: string) => ({ allowedHttpRequestDomains: 'domains', allowedDomains });

test.each([
	[{ baseUrl: 'http://example.com' }, 'Base URL must begin with https://'],
	[{ signatureSecret: ' x' }, 'Signature Secret begins or ends with a space or a line break'],
	[onlyTo('example.com'), 'does not allow this address: Domain not allowed'],
	[onlyTo(' '), 'The credential cannot be used: Allowed Domains is empty'],
	[onlyTo(), 'The credential cannot be used: Allowed Domains is empty'],
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

test('a request is signed even with webhook settings that cannot work', async () => {
	expect(await payWith({ webhookStyle: 'standardWebhooks' })).toBeUndefined();
});

test('the Base URL may have a path and a trailing slash', async () => {
	const error = await payWith({ baseUrl: `${sandbox.url}/proxy/` });
	expect(error?.context).toMatchObject({ httpStatus: 404 });
	expect(error?.description).toContain('check Base URL of the credential');
	expect(await payWith({ baseUrl: `${sandbox.url}/` })).toBeUndefined();
});

test('the advice after a refused signature names no field that the style hides', async () => {
	const error = await payWith({ signatureStyle: 'default', signatureSecret: 'wrong' });
	const advice = 'Check API Key and the signature settings of the credential, and the clock of this machine.';
	expect(error?.description).toContain(advice);
});

test('the node reads its credential once for a list, and n8n once more for each request', async () => {
	const read = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	await run(PAYOUT, { items: ['1', '2', '3', '4', '5'].map((amount) => payout(amount)) });
	expect(accepted()).toEqual(['1', '2', '3', '4', '5']);
	expect(read).toHaveBeenCalledTimes(1 + 5);
	read.mockRestore();
});

describe('the credential test', () => {
	const tested = async (changed: object) => await n8n.testCredential({ ...credentials, ...changed });
	const late = { signatureStyle: 'custom', timestampFormat: 'static', staticTimestamp: '1767225600000' };
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
		{ signatureStyle: 'custom', paymentKeyHeader: 'Idempotency-Key' },
		{ paymentKeyHeader: 'unusable, but the form hides it' },
	])('with %j it succeeds', async (changed) => {
		expect(await tested(changed)).toEqual({ status: 'OK', message: 'Connection successful!' });
	});

	const OTHER = 'does not match the request and the secret of this sandbox';
	test.each([
		[{ apiKey: 'wrong' }, 'x-svc-key is not the key of this sandbox'],
		[{ signatureSecret: 'wrong' }, `x-svc-signature ${OTHER}`],
		[late, "x-svc-timestamp differs from the sandbox's clock by more than 300 seconds"],
	])('with %p it shows the words of the service', async (changed, words) => {
		const message = `The service does not accept the API Key or the signature: ${words}. Check API Key, the signature settings and the clock of the machine that runs n8n.`;
		expect(await tested(changed)).toEqual({ status: 'Error', message });
	});

	const unclear = (status: number) =>
		`The service answered ${status}, so it is not known whether the keys are right. Wait a minute, then test again.`;
	test.each([
		[401, '', 'does not accept the API Key or the signature: no reason given. Check'],
		[403, '{"message":"not v1.2."}', 'does not accept the API Key or the signature: not v1.2. Check'],
		[404, 'Not Found', 'was not found at this address'],
		...[429, 500, 502, 503].map((status): [number, string, string] => [
			status,
			'{"results":[]}',
			unclear(status),
		]),
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
	});

	test.each(['https://api.examplle.invalid/x', 'http://127.0.0.1:9'])(
		'nothing answers at %s',
		async (baseUrl) => {
			const message = `Nothing answers at ${new URL(baseUrl).host}. Check the spelling of Base URL, and that n8n can reach the service.`;
			expect(await tested({ baseUrl })).toEqual({ status: 'Error', message });
		},
	);

	test.each<[code: unknown, words: string]>([
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'certificate'],
		['EAI_AGAIN', 'Nothing answers at api.example.com'],
		['ERR_BAD_REQUEST', 'As it came'],
		['X_EPIPE', 'As it came'],
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
