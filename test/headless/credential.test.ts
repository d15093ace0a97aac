/** The credential: its address, its signature, what it does to requests of any node, and what its Test button says. */
import { once } from 'node:events';
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { serve } from '../../host/doubles/loopbackServer.ts';
import { testCredential } from '../../nodes/shared/http/credentialTest.ts';
import { openSsl } from '../unit/openSsl.ts';
import { headless } from './harness.ts';
import { withAnswer } from './withAnswer.ts';
import { FIAT, withNode } from './withNode.ts';

const { credentials, n8n, sandbox, run, asked, accepted } = withNode();

const payWith = async (changed: object) =>
	(await run(FIAT, { credentials: { ...credentials, ...changed } })).error;

const onlyTo = (allowedDomains: string) => ({ allowedHttpRequestDomains: 'domains', allowedDomains });

test.each([
	[{ baseUrl: 'http://example.com' }, 'Base URL must begin with https://'],
	[{ signatureSecret: ' x' }, 'Signature Secret begins or ends with a space or a line break. Delete it'],
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

/** n8n's helpers that sign with a credential. The first is that of n8n's HTTP Request node. */
type Helper = 'requestWithAuthentication' | 'httpRequestWithAuthentication';

/** Any node with the credential. Its item names the helper and what the node hands to it. */
class AnyNode implements INodeType {
	description: INodeType['description'] = {
		name: 'walletService',
		displayName: 'Any',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		credentials: [{ name: 'walletServiceApi', required: true }],
	};

	async execute(this: IExecuteFunctions) {
		const [item] = this.getInputData();
		const { helper, options } = item!.json as { helper: Helper; options: never };
		const answer: unknown = await this.helpers[helper].call(this, 'walletServiceApi', options);
		return [[{ json: { answer: typeof answer === 'string' ? answer : JSON.stringify(answer) } }]];
	}
}

type AnyOptions = Partial<IHttpRequestOptions> & Record<string, unknown>;
const anyNode = headless([AnyNode]);
/** The answer, or why there is none. */
const ask = async (helper: Helper, options: AnyOptions, changed: object = {}) => {
	const items = [{ json: { helper, options } as never }];
	const ran = await anyNode.runNode({ items, credentials: { ...credentials, ...changed } });
	return { answer: ran.items[0]?.[0]?.json.answer, error: ran.error };
};

/** A server where a redirect leads, and what has reached it. */
const serveElsewhere = async () => {
	const reached: unknown[] = [];
	const server = await serve(({ url }, outgoing) => {
		reached.push(url);
		outgoing.end('{}');
	});
	return [server, reached] as const;
};

/** What the versions of n8n's HTTP Request node say of redirects: 3 and 4.2 by default, 4.4, and one that repeats a POST. */
const REDIRECTS: AnyOptions[] = [
	{ followRedirect: false },
	{ followRedirect: true, followAllRedirects: true, sendCredentialsOnCrossOriginRedirect: true },
	{ followRedirect: true, followAllRedirects: true, sendCredentialsOnCrossOriginRedirect: false },
	{ followRedirect: true, followAllRedirects: true, maxRedirects: 21, method: 'POST', body: { a: 1 } },
];

describe.each<[helper: Helper, address: 'uri' | 'url']>([
	['requestWithAuthentication', 'uri'],
	['httpRequestWithAuthentication', 'url'],
])('a node that asks with %s', (helper, address) => {
	test.each(REDIRECTS)('takes key and signature to no other address, with %j', async (options) => {
		const [other, reached] = await serveElsewhere();
		for (const status of [301, 302, 303, 307, 308]) {
			// Another host, and another port.
			const headers = { location: other.url.replace('127.0.0.1', 'localhost') };
			const { error } = await withAnswer({ status, headers, body: '{}' }, async (url) =>
				ask(helper, { ...options, [address]: `${url}/v1/rates` }, { baseUrl: url }),
			);
			expect(error).toMatchObject({ httpCode: String(status) });
		}
		await other.stop();
		expect(reached).toEqual([]);
	});

	test.each<[what: string, options: (to: string) => AnyOptions]>([
		['its address', (to) => ({ [address]: `${to}/v1/rates` })],
		['the address of a next page', (to) => ({ [address]: '/v1/rates', url: `${to}/v1/rates` })],
		['its base', (to) => ({ [address]: '/v1/rates', baseURL: to })],
		['a POST', (to) => ({ [address]: `${to}/v1/fiat_payout`, method: 'POST', body: { amount: 1 } })],
	])('signs nothing for a stranger that %s names', async (_, options) => {
		const [stranger, reached] = await serveElsewhere();
		const words = `This credential signs only requests below its Base URL, ${sandbox.url}, and not to ${stranger.url}`;
		for (const to of [stranger.url, stranger.url.replace('127.0.0.1', 'localhost')]) {
			const { error, answer } = await ask(helper, options(to));
			expect(answer).toBeUndefined();
			expect(error!.message).toContain(words.replace(stranger.url, to));
			for (const secret of [sandbox.key, sandbox.secret]) expect(error!.message).not.toContain(secret);
		}
		await stranger.stop();
		expect(reached).toEqual([]);
	});

	/** What arrives of a request, beside the address that the credential has. */
	const sent = async (options: AnyOptions) => {
		let arrived = { line: '', body: '', type: '', isSigned: false };
		const server = await serve(async (incoming, outgoing) => {
			let body = '';
			incoming.on('data', (bytes: Buffer) => (body += bytes.toString()));
			await once(incoming, 'end');
			const { method = '', url = '', headers } = incoming;
			const text = `${String(headers['x-svc-timestamp'])}${method}${url}${body}`;
			const isSigned = headers['x-svc-signature'] === openSsl(text, String(credentials.signatureSecret));
			arrived = { line: `${method} ${url}`, body, type: headers['content-type'] ?? '', isSigned };
			outgoing.end('{}');
		});
		const at = (path?: string) => (path === undefined ? {} : { url: `${server.url}${path}` });
		const given = { [address]: `${server.url}/v1/any`, ...options, ...at(options.url) };
		const custom = { signatureStyle: 'custom', signaturePayload: '{timestamp}{method}{pathWithQuery}{body}' };
		const { error } = await ask(helper, given, { ...custom, baseUrl: server.url });
		await server.stop();
		return error === undefined ? arrived : error.message;
	};
	const JSON_TYPE = 'application/json';

	test.each<[options: AnyOptions, line: string, body: string]>([
		[{ qs: { a: 'b c&d', n: 1, t: false, none: null, not: undefined } }, '?a=b+c%26d&n=1&t=false&none=', ''],
		// The next page of a list: n8n gives its address twice.
		[{ uri: '/v1/any', url: '/v1/any?page=2', qs: { limit: 5 } }, '?page=2&limit=5', ''],
		[{ method: 'POST', body: { a: [1, 'ä'] } }, '', '{"a":[1,"ä"]}'],
		[{ method: 'POST', body: ' { "a": 1.10 }\n' }, '', '{ "a": 1.10 }'],
		[{ method: 'POST', body: '{"a":1}', headers: { 'content-type': JSON_TYPE } }, '', '{"a":1}'],
		[{ method: 'POST', body: ' \n' }, '', ''],
	])('sends exactly what is signed: %j', async (options, query, body) => {
		const line = `${String(options.method ?? 'GET')} /v1/any${query}`;
		expect(await sent(options)).toEqual({ line, body, type: body && JSON_TYPE, isSigned: true });
	});

	const NOT_JSON = 'Only a JSON body can be signed with this credential. Choose JSON as its content type';
	const NESTED = (name: string) =>
		`The query parameter ${name} is a list or an object, and only single values can be signed. Write it into the URL as the service wants it, such as ?${name}=1&${name}=2`;
	test.each<[options: AnyOptions, message: string]>([
		[{ qs: { a: [1, 2] } }, NESTED('a')],
		[{ qs: { ok: 1, b: { c: 1 } } }, NESTED('b')],
		[{ method: 'POST', body: 'a=1&b=2' }, NOT_JSON],
		[{ method: 'POST', form: { a: 1 } }, NOT_JSON],
		[{ method: 'POST', formData: { a: '1' } }, NOT_JSON],
		[{ method: 'POST', body: Buffer.from('a') }, NOT_JSON],
	])('is told what cannot be signed as it is sent: %j', async (options, message) => {
		expect(await sent(options)).toBe(message);
	});
});

test.each([301, 307])(
	'the lists of the editor and the credential test do not follow a %i',
	async (status) => {
		const [other, reached] = await serveElsewhere();
		await withAnswer({ status, headers: { location: other.url }, body: '{}' }, async (baseUrl) => {
			const changed = { ...credentials, baseUrl };
			await n8n.listSearch('settlementAccounts', { credentials: changed }).catch(() => {});
			expect(await n8n.testCredential(changed)).toMatchObject({ status: 'Error' });
		});
		await other.stop();
		expect(reached).toEqual([]);
	},
);

describe('the credential test', () => {
	const tested = async (changed: object) => await n8n.testCredential({ ...credentials, ...changed });
	const custom = { webhookStyle: 'custom', webhookVerification: 'hmac' };
	const NO_ADDRESS = 'Base URL is not a whole address. Enter one such as https://api.example.com';
	const SPACE = 'Webhook Secret begins or ends with a space or a line break. Delete it';

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
		const message = `The service does not accept the API Key or the signature: x-svc-signature does not match the request and the secret of this sandbox. Look at Signature Secret first.`;
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

	const custom401 = { signatureStyle: 'custom', serviceName: 'acme' };
	const ALL = 'Check API Key, the signature settings and the clock of the machine that runs n8n.';
	const TIME = 'Look at Timestamp Format first, and at the clock of the machine that runs n8n.';
	const look = (label: string) => `Look at ${label} first.`;
	test.each<[words: string, advice: string, changed?: object, status?: number]>([
		['Invalid API key', look('API Key')],
		['x-svc-key is not known', look('API Key')],
		['The apiKey was revoked', look('API Key'), {}, 403],
		['Signature mismatch', look('Signature Secret')],
		['HMAC validation failed', look('Signature Secret'), {}, 400],
		[
			'Bad signature',
			look('Signature'),
			{ ...custom401, signatureMethod: 'static', staticSignature: 'fake' },
		],
		['Request timestamp is too old', TIME],
		['Invalid timestamp', TIME, {}, 422],
		['Missing header x-acme-signature', look('Service Name')],
		['Missing header x-svc-timestamp', look('Service Name'), custom401],
		['Missing header x-acme-key', look('API Key'), custom401],
		// They say more than one thing, or none.
		['Invalid API key or signature', ALL],
		['The API key has expired', ALL],
		['Your IP address is not allowed', ALL, {}, 403],
	])('%j leads to: %s', async (words, advice, changed = {}, status = 401) => {
		const answer = { status, body: JSON.stringify({ message: words }) };
		const result = await withAnswer(answer, async (baseUrl) => await tested({ ...changed, baseUrl }));
		const message = `The service does not accept the API Key or the signature: ${words}. ${advice}`;
		expect(result).toEqual({ status: 'Error', message });
	});

	test('a 400 that says nothing of it is another thing', async () => {
		const answer = { status: 400, body: '{"message":"limit must be a number"}' };
		const result = await withAnswer(answer, async (baseUrl) => await tested({ baseUrl }));
		expect(result.message).toMatch(/^The address answers, but not like the Wallet Service/);
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
