import { request } from 'undici';
import { ERROR_BODIES } from '../../sandbox/refusal.ts';
import type { ErrorShape } from '../../sandbox/refusal.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { startAnswering, startHttpServer } from './httpServer.ts';
import { CONTINUED, FIAT, PAYOUT, resultOf, withPayments } from './withPayments.ts';
import type { Setup } from './withPayments.ts';

const { credentials, n8n, sandbox, fault, answered, asked, ...payments } = withPayments();

const payoutOf = (amount: string | null, alias = 'supplier-main', key = '') => ({
	json: { amount, alias, ...(key !== '' && { key }) },
});

const BALANCE = { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' };

const run = async ({ parameters = PAYOUT, ...more }: Partial<Setup>) =>
	await payments.run(parameters, { items: [payoutOf('10')], ...more });

/** The node's words about what to do. */
const adviceOf = (error: unknown) => (error as { description?: string } | undefined)?.description ?? '';

const payoutsSeen = () =>
	sandbox()
		.service.requests.all()
		.filter(({ path, status }) => path === '/v1/fiat_payout' && status === 200);

test.each(Object.keys(ERROR_BODIES) as ErrorShape[])(
	'a refusal in the form "%s" is rejected, with the words of the service',
	async (errorShape) => {
		const other = await startSandbox({ errorShape });
		const own = { ...credentials, baseUrl: other.url, apiKey: other.key, signatureSecret: other.secret };
		const failed = async (changed: object, amount: string) => {
			const at = { ...own, ...changed };
			const { items } = await run({ credentials: at, items: [payoutOf(amount)], ...CONTINUED });
			return items[0]?.[0]?.json;
		};
		expect(await failed({ apiKey: 'fake' }, '10')).toMatchObject({
			result: 'rejected',
			error: { httpStatus: 401, message: expect.stringMatching(/401: x-svc-key is not the key/) },
		});
		expect(await failed({}, '999999999999')).toMatchObject({
			result: 'rejected',
			error: { httpStatus: 422, message: expect.stringMatching(/422: .*balance/i) },
		});
		await other.stop();
	},
);

describe('bad input', () => {
	test('one bad item stops all payouts, and every bad item is named', async () => {
		const items = [payoutOf('10'), payoutOf('x'), payoutOf('5', ''), payoutOf('7')];
		const { error } = await run({ items });
		expect(error?.message).toContain("'Amount' is not a decimal number: x [item 1]");
		expect(error?.message).toContain("'Settlement Account' is empty [item 2]");
		expect(asked()).toBe(0);
	});

	test('three hundred bad rows make a short message: each kind of problem once, with its rows', async () => {
		const items = Array.from({ length: 300 }, (_, row) => {
			if (row % 100 === 0) return payoutOf('10');
			return row < 200 ? payoutOf(`${row},50`) : payoutOf('5', '');
		});
		const { error } = await run({ items });
		expect(error?.message).toBe(
			"'Amount' has a comma: 1,50 [item 1; similar: items 2 to 99, 101 to 199]; " +
				"'Settlement Account' is empty [items 201 to 299]",
		);
		expect(adviceOf(error)).toMatch(
			/^Enter 'Amount' as plain digits.*\. Enter a value for 'Settlement Account', .*\. No money was moved\.$/,
		);
		expect(asked()).toBe(0);
	});

	test('after three kinds of problems, the message has only the numbers of the other rows', async () => {
		const amounts = ['x', '1,5', '-1', '', '2', 'y'];
		const { error } = await run({ items: amounts.map((amount) => payoutOf(amount)) });
		expect(error?.message).toBe(
			"'Amount' is not a decimal number: x [item 0; similar: item 5]; 'Amount' has a comma: 1,5 [item 1]; " +
				"'Amount' is not above zero: -1 [item 2]; other problems in item 3",
		);
	});

	test('rows that are not next to each other are counted after the tenth', async () => {
		const items = Array.from({ length: 40 }, (_, row) => payoutOf(row % 2 === 0 ? '' : '1'));
		const { error } = await run({ items });
		expect(error?.message).toBe("'Amount' is empty [items 0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 10 more]");
	});

	test('a blank limit is told once, not for every row', async () => {
		const parameters = { ...PAYOUT, options: { maximumAmount: '' } };
		const { error } = await run({ parameters, items: ['1', '2', '3'].map((amount) => payoutOf(amount)) });
		expect(error?.message).toBe("'Maximum Amount' is empty [items 0 to 2]");
	});

	test('an expression that cannot be evaluated stops all payouts', async () => {
		const parameters = { ...PAYOUT, amount: '={{ $json.amount.missing.deep }}' };
		const items = [{ json: { amount: { missing: { deep: '10' } }, alias: 'supplier-main' } }, payoutOf(null)];
		const { error } = await run({ parameters, items });
		expect(error).toBeDefined();
		expect(asked()).toBe(0);
	});

	test.each(['[]', '{', '"x"'])('the request body %s is refused', async (requestBody) => {
		const { error } = await run({
			parameters: { resource: 'cryptoWallet', operation: 'createPayout', specifyBody: 'json', requestBody },
		});
		expect(error?.message).toMatch(/^'Request Body' is not (a JSON object|valid JSON)$/);
		expect(asked()).toBe(0);
	});

	test('in continue mode one bad item stops all payouts, and each item says why', async () => {
		const { items } = await run({
			items: [payoutOf('10'), payoutOf('x'), payoutOf('7')],
			settings: { onError: 'continueErrorOutput' },
		});
		expect(items[0]).toEqual([]);
		expect(items[1]!.map(({ json, pairedItem }) => [json.error, pairedItem])).toMatchObject([
			[{ message: 'Not sent because of item 1', outcome: 'notSent' }, { item: 0 }],
			[{ message: "'Amount' is not a decimal number: x", outcome: 'notSent' }, { item: 1 }],
			[{ message: 'Not sent because of item 1', outcome: 'notSent' }, { item: 2 }],
		]);
		expect(asked()).toBe(0);
	});
});

describe("the service's words", () => {
	test("the service's message reaches the user, with the HTTP status and the item", async () => {
		const { error } = await run({ items: [payoutOf('10'), payoutOf('999999999999')] });
		expect(error?.message).toMatch(
			/^1 of 2 already paid\. The service answered 422: .*balance.* \[item 1\]$/i,
		);
		expect(error?.context).toMatchObject({ outcome: 'rejected', httpStatus: 422, itemIndex: 1 });
	});

	test("the service's message is on the failed item in continue mode", async () => {
		const { items } = await run({
			items: [payoutOf('10', 'nobody')],
			...CONTINUED,
		});
		expect(items[0]![0]!.json.error).toMatchObject({
			message: expect.stringContaining('nobody'),
			outcome: 'rejected',
			httpStatus: expect.any(Number),
			details: { error: { message: expect.stringContaining('nobody') } },
		});
	});

	test.each([
		['{"message":"Too little money"}', 'Too little money'],
		['{"error":"Too little money"}', 'Too little money'],
		['{"error":{"detail":"Too little money"}}', 'Too little money'],
		['{"errors":[{"message":"Too little money"}]}', 'Too little money'],
		['"Too little money"', 'Too little money'],
		['Too little money', 'Too little money'],
		['<html><head><title>Too little money</title></head></html>', 'Too little money'],
		['{}', 'no reason given'],
		['', 'no reason given'],
	])("the service's message is found in the response body %s", async (body, words) => {
		const [item] = await answered(FIAT, { status: 409, body });
		expect(item!.json.error).toMatchObject({ message: `The service answered 409: ${words}` });
	});
});

describe('outcomes', () => {
	const outcomeOf = async (setup: Partial<Setup>) =>
		(await run({ ...setup, ...CONTINUED })).items.flat().map(resultOf)[0];

	test.each<[string, { status: number; body: string; type?: string } | undefined, string]>([
		['400', { status: 400, body: '{}' }, 'rejected'],
		['401', { status: 401, body: '{}' }, 'rejected'],
		['429', { status: 429, body: '{}' }, 'rejected'],
		['503', { status: 503, body: '{}' }, 'unknown'],
		['500 with a page', { status: 500, body: '<html></html>', type: 'text/html' }, 'unknown'],
		['302', { status: 302, body: '' }, 'unknown'],
		['200 with a page', { status: 200, body: '<html>Welcome</html>', type: 'text/html' }, 'unknown'],
		['200 with nothing', { status: 200, body: '' }, 'unknown'],
		['200 with a list', { status: 200, body: '[]' }, 'unknown'],
		['200 without the payout', { status: 200, body: '{"status":"pending"}' }, 'unknown'],
		['200 with something else', { status: 200, body: '{"error":"no"}' }, 'unknown'],
		['a closed connection', undefined, 'unknown'],
	])('the answer decides the outcome of a payout: %s', async (_, answer, outcome) => {
		const server = await startAnswering(answer);
		expect(await outcomeOf({ credentials: { ...credentials, baseUrl: server.url } })).toBe(outcome);
		await server.stop();
		expect(server.requests()).toBe(1);
	});

	test('the outcome is notSent when nothing listens at the address', async () => {
		const server = await startAnswering();
		await server.stop();
		expect(await outcomeOf({ credentials: { ...credentials, baseUrl: server.url } })).toBe('notSent');
	});

	test('the outcome is notSent when the host name does not resolve', async () => {
		const baseUrl = 'https://wallet-service.invalid';
		expect(await outcomeOf({ credentials: { ...credentials, baseUrl } })).toBe('notSent');
	});

	test('the outcome is unknown when no answer comes in time', async () => {
		await fault({ delayMs: 2000 });
		const parameters = { ...PAYOUT, requestOptions: { timeout: 200 } };
		expect(await outcomeOf({ parameters })).toBe('unknown');
	});

	test('a payout with an unknown outcome says what to do before paying again', async () => {
		await fault({ dropAfter: true });
		const { error } = await run({});
		expect(error?.message).toBe('The service gave no answer (connection closed)');
		expect(error).toMatchObject({ description: expect.stringContaining('could pay twice') });
	});
});

describe('the credential', () => {
	test.each([
		['http://example.com', 'Base URL must begin with https://'],
		['ftp://127.0.0.1', 'Base URL'],
		['nonsense', 'Base URL'],
		['http://127.0.0.1.example.com', 'Base URL must begin with https://'],
		['http://localhost@example.com', 'Base URL must begin with https://'],
	])('a credential with the Base URL %s sends nothing and says why', async (baseUrl, words) => {
		const { error } = await run({ credentials: { ...credentials, baseUrl } });
		expect(error?.message).toContain(words);
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
	});

	test('the Base URL may have a path and a trailing slash', async () => {
		const { error } = await run({ credentials: { ...credentials, baseUrl: `${sandbox().url}/proxy/` } });
		expect(error?.context).toMatchObject({ httpStatus: 404 });
		expect(await run({ credentials: { ...credentials, baseUrl: `${sandbox().url}/` } })).toMatchObject({
			error: undefined,
		});
	});

	test('the credential test says that the service refuses the log-in, with its words in any form', async () => {
		const refusedFor = async (change: object) => await n8n.testCredential({ ...credentials, ...change });
		expect(await refusedFor({})).toMatchObject({ status: 'OK' });
		const message = (words: string) => ({
			status: 'Error',
			message: `The service does not accept the API Key or the signature: ${words}. Check API Key, the signature settings and the clock of the machine that runs n8n.`,
		});
		expect(await refusedFor({ apiKey: 'wrong' })).toEqual(
			message('x-svc-key is not the key of this sandbox'),
		);
		expect(await refusedFor({ signatureSecret: 'wrong' })).toEqual(
			message('x-svc-signature does not match the request and the secret of this sandbox'),
		);
		for (const errorShape of Object.keys(ERROR_BODIES) as ErrorShape[]) {
			const other = await startSandbox({ errorShape });
			expect(await refusedFor({ baseUrl: other.url })).toEqual(
				message('x-svc-key is not the key of this sandbox'),
			);
			await other.stop();
		}
		const late = { signatureStyle: 'custom', timestampFormat: 'static', staticTimestamp: '1767225600000' };
		expect(await refusedFor(late)).toEqual(
			message("x-svc-timestamp differs from the sandbox's clock by more than 300 seconds"),
		);
	});

	test.each([
		[401, '{"message":"no"}', 'does not accept the API Key or the signature: no. Check'],
		[401, '', 'does not accept the API Key or the signature: no reason given. Check'],
		[403, '{"message":"no"}', 'does not accept the API Key or the signature: no. Check'],
		[404, 'Not Found', 'was not found at this address'],
		[500, 'Oops', 'not like the Wallet Service'],
		[200, '<html>Welcome</html>', 'not like the Wallet Service'],
		[200, '{"error":"Invalid key"}', 'not like the Wallet Service'],
		[200, '{"results":null}', 'not like the Wallet Service'],
		[200, '', 'not like the Wallet Service'],
	])('the credential test fails on a %i with %p', async (status, body, message) => {
		const type = body.startsWith('<') ? 'text/html' : 'application/json';
		const server = await startAnswering({ status, body, type });
		const result = await n8n.testCredential({ ...credentials, baseUrl: server.url });
		await server.stop();
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
		const before = asked();
		const refused = await n8n.testCredential({ ...limited, allowedDomains: 'example.com' });
		expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/^Domain not allowed/) });
		expect(asked()).toBe(before);
		expect(await n8n.testCredential({ ...limited, allowedDomains: '127.0.0.1' })).toMatchObject({
			status: 'OK',
		});
	});

	test('the advice after a refused signature names no field that the style hides', async () => {
		const { error } = await run({
			credentials: { ...credentials, signatureStyle: 'default', signatureSecret: 'wrong' },
		});
		expect(adviceOf(error)).toContain(
			'Check API Key and the signature settings of the credential, and the clock of this machine.',
		);
	});
});

describe('secrets', () => {
	test('no stored execution holds a secret, even when the service repeats it', async () => {
		let signature = '';
		const server = await startHttpServer((incoming, outgoing) => {
			signature = String(incoming.headers['x-svc-signature']);
			incoming.resume().on('end', () => {
				outgoing.writeHead(401).end(JSON.stringify({ message: 'Bad headers', received: incoming.headers }));
			});
		});
		for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const { stored } = await run({
				credentials: { ...credentials, baseUrl: server.url },
				settings: { onError },
			});
			expect(signature).toMatch(/^[0-9a-f]{64}$/);
			expect(stored).toContain('Bad headers');
			for (const secret of [sandbox().key, sandbox().secret, signature]) expect(stored).not.toContain(secret);
		}
		await server.stop();
	});

	test.each(['dropBefore', 'dropAfter', 'malformed'])(
		'no stored execution holds a secret after %s',
		async (kind) => {
			await fault({ [kind]: true });
			const { stored, error } = await run({});
			expect(error).toBeDefined();
			for (const secret of [sandbox().key, sandbox().secret]) expect(stored).not.toContain(secret);
		},
	);
});

test('the service refuses a body in which one character changed on the way', async () => {
	const tamperer = await startHttpServer((incoming, outgoing) => {
		void (async () => {
			const body = Buffer.concat(await incoming.toArray())
				.toString()
				.replace('"amount":10', '"amount":90');
			const { host: _host, 'content-length': _length, ...headers } = incoming.headers;
			const answer = await request(`${sandbox().url}${incoming.url}`, { method: 'POST', headers, body });
			outgoing.writeHead(answer.statusCode).end(await answer.body.text());
		})();
	});
	const { error } = await run({ credentials: { ...credentials, baseUrl: tamperer.url } });
	expect(error?.context).toMatchObject({ httpStatus: 401, outcome: 'rejected' });
	expect(payoutsSeen()).toEqual([]);
	await tamperer.stop();
});

describe('several items', () => {
	test('payouts are sent one at a time and in order', async () => {
		await fault({ delayMs: 300 });
		const amounts = ['1', '2', '3', '4', '5'];
		const { items } = await run({ items: amounts.map((amount) => payoutOf(amount)) });
		expect(items[0]!.map(({ json }) => json.amount)).toEqual(amounts);
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
		expect(payoutsSeen().map(({ body }) => /"amount":(\d)/.exec(body)?.[1])).toEqual(amounts);
	});

	test('after a failed payout nothing more is sent, and the error lists the accepted ones', async () => {
		const items = [payoutOf('1.10'), payoutOf('2'), payoutOf('3', 'nobody'), payoutOf('4')];
		const { error } = await run({ items });
		expect(error?.context).toMatchObject({ outcome: 'rejected', itemIndex: 2 });
		expect(payoutsSeen()).toHaveLength(2);
		const { executed } = error?.context as { executed: Array<{ id: string }> };
		expect(executed).toEqual([
			{ itemIndex: 0, id: expect.any(String), amount: '1.10' },
			{ itemIndex: 1, id: expect.any(String), amount: '2' },
		]);
		expect(error?.message).toMatch(
			/^2 of 4 already paid\. The service answered 4\d\d: .*nobody.* \[item 2\]$/,
		);
		expect(adviceOf(error)).toBe(
			`Already paid: item 0: 1.10 NGN to supplier-main, ID ${executed[0]!.id}; item 1: 2 NGN to supplier-main, ID ${executed[1]!.id}. ` +
				'None has a Payment Key: running again pays them again. Not tried: item 3. ' +
				'The service refused this payment. It moved no money. Correct the item and run again.',
		);
	});

	test('a payout without an answer after a paid one names both, with no sentence twice', async () => {
		await fault({ delayMs: 1 });
		await fault({ dropAfter: true });
		const { error } = await run({ items: [payoutOf('1'), payoutOf('2')] });
		expect(error?.message).toBe(
			'1 of 2 already paid. The service gave no answer (connection closed) [item 1]',
		);
		const description = adviceOf(error);
		expect(description).toMatch(
			/^Already paid: item 0: 1 NGN to supplier-main, ID \w+\. It has no Payment Key: running again pays it again\./,
		);
		expect(description).toContain('unknown outcome: item 1: 2 NGN to supplier-main.');
		const sentences = description.split('. ');
		expect(new Set(sentences).size).toBe(sentences.length);
	});

	test('items with a key that were paid before count as paid when the node stops', async () => {
		const parameters = { ...PAYOUT, paymentKey: '={{ $json.amount }}' };
		await run({ parameters, items: [payoutOf('1')] });
		const { error } = await run({
			parameters,
			items: [payoutOf('1'), payoutOf('2'), payoutOf('3', 'nobody')],
		});
		expect(error?.message).toMatch(/^2 of 3 already paid\. /);
		expect(error?.context.executed).toEqual([{ itemIndex: 1, id: expect.any(String), amount: '2' }]);
	});

	test('a run that has paid nothing says so once', async () => {
		const { error } = await run({ items: [payoutOf('1', 'nobody'), payoutOf('2')] });
		expect(error?.message).toMatch(/^The service answered 4\d\d: .*nobody.* \[item 0\]$/);
		expect(adviceOf(error)).toBe(
			'Not tried: item 1. The service refused this payment. It moved no money. Correct the item and run again.',
		);
	});

	test('a single item has no number', async () => {
		const { error } = await run({ items: [payoutOf('1', 'nobody')] });
		expect(error?.message).toMatch(/nobody/);
		expect(`${error?.message} ${adviceOf(error)}`).not.toMatch(/item \d/);
	});

	test.each<[string[], string]>([
		[['P-1', 'P-2'], 'Each has a Payment Key: running again does not pay them again.'],
		[['', ''], 'None has a Payment Key: running again pays them again.'],
		[['P-3'], 'It has a Payment Key: running again does not pay it again.'],
		[[''], 'It has no Payment Key: running again pays it again.'],
	])('after the paid items with the keys %j, the node stops and says: %s', async (keys, sentence) => {
		const items = [
			...keys.map((key) => payoutOf('1', 'supplier-main', key)),
			payoutOf('2', 'nobody'),
			payoutOf('3'),
		];
		const parameters = {
			...PAYOUT,
			...(keys[0] && { paymentKey: '={{ $json.key ?? "last-" + $itemIndex }}' }),
		};
		const { error } = await run({ parameters, items });
		const description = adviceOf(error);
		expect(description).toContain(`. ${sentence} Not tried: item ${keys.length + 1}. `);
		if (keys[0])
			expect(description).toMatch(/^Already paid: item 0: 1 NGN to supplier-main, key P-\d, ID \w+/);
	});

	test('in continue mode a rejected payout does not stop the next', async () => {
		const items = [payoutOf('1'), payoutOf('2', 'nobody'), payoutOf('3')];
		const { items: outputs } = await run({ items, settings: { onError: 'continueErrorOutput' } });
		expect(outputs[0]!.map(({ json, pairedItem }) => [json.amount, pairedItem])).toEqual([
			['1', { item: 0 }],
			['3', { item: 2 }],
		]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});

	test('the error lists accepted crypto payouts too, by the likely names of their fields', async () => {
		const requestBody = '={{ JSON.stringify({ coin: "USDT", amount: "1.5", wallet_alias: $json.alias }) }}';
		const { error } = await run({
			parameters: { resource: 'cryptoWallet', operation: 'createPayout', specifyBody: 'json', requestBody },
			items: [payoutOf('', 'treasury'), payoutOf('', 'nobody')],
		});
		expect(error?.context.executed).toEqual([{ itemIndex: 0, id: expect.any(String), amount: '1.5' }]);
	});

	test('the items of a list link to their input item', async () => {
		const { items } = await run({
			parameters: { resource: 'virtualAccount', operation: 'getAll' },
			items: [{ json: {} }, { json: {} }],
		});
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
	});

	test('in continue mode a failed read does not affect other items', async () => {
		const { items } = await run({
			parameters: { ...BALANCE, currency: '={{ $json.currency }}' },
			items: ['NGN', 'XXX', '', 'USD'].map((currency) => ({ json: { currency } })),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(items[0]!.map(({ json }) => json.currency)).toEqual(['NGN', 'USD']);
		expect(items[1]).toMatchObject([
			{ pairedItem: { item: 1 } },
			{ json: { error: { message: "'Currency' is empty" } }, pairedItem: { item: 2 } },
		]);
	});
});
