/** The credential: its address, its signature, and what its Test button says. */
import { request } from 'undici';
import { serve } from '../../host/doubles/loopbackServer.ts';
import { withAnswer } from './withAnswer.ts';
import { MemoryCredentials } from './memoryCredentials.ts';
import { FIAT, PAYOUT, payout, withNode } from './withNode.ts';

const { credentials, n8n, sandbox, run, asked, accepted } = withNode();

/** Bodies that services send with an error. The document shows none. */
const ERROR_BODIES: Record<string, (code: string, message: string) => object> = {
	nested: (code, message) => ({ error: { code, message, field: 'x-svc-key' } }),
	flat: (_, message) => ({ message }),
	text: (_, message) => ({ error: message }),
	list: (code, message) => ({ errors: [{ code, detail: message }] }),
	/** RFC 9457. */
	problem: (code, message) => ({ type: 'about:blank', title: code, status: 400, detail: message }),
};
const payWith = async (changed: object) =>
	(await run(FIAT, { credentials: { ...credentials, ...changed } })).error;

test.each([
	['http://example.com', 'Base URL must begin with https://'],
	['ftp://127.0.0.1', 'Base URL'],
	['nonsense', 'Base URL'],
	['http://127.0.0.1.example.com', 'Base URL must begin with https://'],
	['http://localhost@example.com', 'Base URL must begin with https://'],
	['https://api.example.com?a=1', 'Base URL contains ? or #'],
])('a credential with the Base URL %s sends nothing and says why', async (baseUrl, words) => {
	const error = await payWith({ baseUrl });
	expect(error?.message).toContain(words);
	expect(error?.context).toMatchObject({ outcome: 'notSent' });
});

test('the Base URL may have a path and a trailing slash', async () => {
	const error = await payWith({ baseUrl: `${sandbox.url}/proxy/` });
	expect(error?.context).toMatchObject({ httpStatus: 404 });
	expect(error?.description).toContain('check Base URL of the credential');
	expect(await payWith({ baseUrl: `${sandbox.url}/` })).toBeUndefined();
});

test('the service refuses a body in which one character changed on the way', async () => {
	const tamperer = await serve((incoming, outgoing) => {
		void (async () => {
			const text = Buffer.concat(await incoming.toArray()).toString();
			const body = text.replace('"amount":10', '"amount":90');
			const { host: _host, 'content-length': _length, ...headers } = incoming.headers;
			const answer = await request(`${sandbox.url}${incoming.url}`, { method: 'POST', headers, body });
			outgoing.writeHead(answer.statusCode).end(await answer.body.text());
		})();
	});
	const error = await payWith({ baseUrl: tamperer.url });
	await tamperer.stop();
	expect(error?.context).toMatchObject({ httpStatus: 401, outcome: 'rejected' });
	expect(accepted()).toEqual([]);
});

test('the advice after a refused signature names no field that the style hides', async () => {
	expect(await payWith({ signatureStyle: 'default', signatureSecret: 'wrong' })).toMatchObject({
		description: expect.stringContaining(
			'Check API Key and the signature settings of the credential, and the clock of this machine.',
		),
	});
});

test('the node reads its credential once for a list, and n8n once more for each request', async () => {
	const read = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	await run(PAYOUT, { items: ['1', '2', '3', '4', '5'].map((amount) => payout(amount)) });
	expect(accepted()).toEqual(['1', '2', '3', '4', '5']);
	expect(read).toHaveBeenCalledTimes(1 + 5);
	read.mockRestore();
});

test.each(Object.keys(ERROR_BODIES))(
	'a refusal in the form "%s" is rejected with the words of the service, and the credential test shows them',
	async (form) => {
		const refusal = (code: string, message: string) => JSON.stringify(ERROR_BODIES[form]!(code, message));
		const unauthorized = {
			status: 401,
			body: refusal('unauthorized', 'x-svc-key is not the key of this one'),
		};
		await withAnswer(unauthorized, async (baseUrl) => {
			expect(await payWith({ baseUrl })).toMatchObject({
				message: expect.stringMatching(/401: x-svc-key is not the key/),
				context: { outcome: 'rejected', httpStatus: 401 },
			});
			expect(await n8n.testCredential({ ...credentials, baseUrl })).toMatchObject({
				message: expect.stringContaining(': x-svc-key is not the key of this one. Check'),
			});
		});
		const tooLow = { status: 422, body: refusal('insufficient_balance', 'The NGN balance is 10') };
		await withAnswer(tooLow, async (baseUrl) => {
			expect(await payWith({ baseUrl })).toMatchObject({
				message: expect.stringMatching(/422: .*balance/i),
				context: { outcome: 'rejected', httpStatus: 422 },
			});
		});
	},
);

describe('the credential test', () => {
	const late = { signatureStyle: 'custom', timestampFormat: 'static', staticTimestamp: '1767225600000' };

	test.each([
		[{ apiKey: 'wrong' }, 'x-svc-key is not the key of this sandbox'],
		[
			{ signatureSecret: 'wrong' },
			'x-svc-signature does not match the request and the secret of this sandbox',
		],
		[late, "x-svc-timestamp differs from the sandbox's clock by more than 300 seconds"],
	])('with %p, the credential test shows the words of the service', async (changed, words) => {
		expect(await n8n.testCredential({ ...credentials, ...changed })).toEqual({
			status: 'Error',
			message: `The service does not accept the API Key or the signature: ${words}. Check API Key, the signature settings and the clock of the machine that runs n8n.`,
		});
	});

	test('the credential test of a right credential succeeds', async () => {
		expect(await n8n.testCredential(credentials)).toMatchObject({ status: 'OK' });
	});

	test.each([
		[401, '', 'does not accept the API Key or the signature: no reason given. Check'],
		[403, '{"message":"no"}', 'does not accept the API Key or the signature: no. Check'],
		[404, 'Not Found', 'was not found at this address'],
		[429, 'Slow down', 'The service answered 429, so it is not known whether the keys are right'],
		[500, 'Oops', 'The service answered 500, so it is not known whether the keys are right'],
		[200, '<html>Welcome</html>', 'not like the Wallet Service'],
		[200, '{"results":null}', 'not like the Wallet Service'],
	])('the credential test fails on a %i with %p', async (status, body, message) => {
		const result = await withAnswer(
			{ status, body },
			async (baseUrl) => await n8n.testCredential({ ...credentials, baseUrl }),
		);
		expect(result).toEqual({ status: 'Error', message: expect.stringContaining(message) });
	});

	test.each([
		[
			'https://api.examplle.invalid/x',
			'Nothing answers at api.examplle.invalid. Check the spelling of Base URL.',
		],
		[
			'http://127.0.0.1:9',
			'Nothing answers at 127.0.0.1:9. Check Base URL, and that the service is reachable from n8n.',
		],
	])('the credential test of %s says: %s', async (baseUrl, message) => {
		expect(await n8n.testCredential({ ...credentials, baseUrl })).toEqual({ status: 'Error', message });
	});

	test('the credential test goes to the allowed domains only', async () => {
		const limited = { ...credentials, allowedHttpRequestDomains: 'domains' };
		const refused = await n8n.testCredential({ ...limited, allowedDomains: 'example.com' });
		expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/^Domain not allowed/) });
		expect(asked()).toBe(0);
		expect(await n8n.testCredential({ ...limited, allowedDomains: '127.0.0.1' })).toMatchObject({
			status: 'OK',
		});
	});
});
