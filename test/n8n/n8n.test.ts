/** The packed package in a real n8n, against the sandbox over real HTTP. One n8n serves all tests of this file. */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request } from 'undici';
import { itemsOf } from '../../host/n8nClient.ts';
import type { Execution, Json, StoredWorkflow, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_TYPE, startTemporaryStack, webhookUrl } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { checkMainJob } from './expectedMainJob.ts';
import { runNodes, testOperations, walletService } from './operations.ts';
import { startProxy } from '../../host/proxy.ts';

jest.setTimeout(180_000);

const TRIGGER_ID = 'c0ffee00-5a3d-4b7e-9f21-0d6b8c4e7a10';

let stack: Stack;
let proxy: Awaited<ReturnType<typeof startProxy>>;
/** Points to the proxy before the sandbox. */
let proxied: string;

beforeAll(async () => {
	stack = await startTemporaryStack();
	proxy = await startProxy(stack.sandbox.url);
	proxied = await credential('Proxied', { baseUrl: proxy.url });
});

afterAll(async () => {
	await stack?.stop();
	await proxy?.stop();
});

/** A credential that differs from the sandbox's own in these fields; its id. */
function credential(name: string, fields: Json): Promise<string> {
	return stack.client.saveCredential(CREDENTIAL_TYPE, name, { ...stack.credential.data, ...fields });
}

function action(name: string, parameters: Json, credentialId = proxied, y = 0): WorkflowNode {
	return walletService(name, parameters, credentialId, y);
}

const run = (name: string, nodes: WorkflowNode[]) => runNodes(stack.client, name, nodes);

/** What a failed execution says to the user. */
function complaint({ status, data: { resultData } }: Execution): string {
	expect(status).toBe('error');
	return `${resultData.error?.message} ${resultData.error?.description}`;
}

test('the packed package gives n8n both nodes and the tool', async () => {
	const names = (await stack.client.nodeTypes()).map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining([
			'n8n-nodes-wallet-service.walletService',
			'n8n-nodes-wallet-service.walletServiceTool',
			'n8n-nodes-wallet-service.walletServiceTrigger',
		]),
	);
});

test('the main job: a deposit arrives, payouts are made from a list, their updates arrive', async () => {
	await checkMainJob(stack);
});

testOperations(() => ({ stack, proxy, credentialId: proxied }));

describe('amounts keep every digit, there and back', () => {
	test.each(['0.123456789012345678', '9007199254740993'])('%s', async (amount) => {
		const payout = {
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: 'NGN',
			account_alias: 'supplier-main',
		};
		const execution = await run('Digits', [
			action('Fund', {
				resource: 'sandbox',
				operation: 'adjustFiatBalance',
				currency: 'NGN',
				amount: '20000000000000000',
			}),
			action('Pay out', { ...payout, amount }, proxied, 200),
			action('Pay out, as answered', { ...payout, amount, simplify: false }, proxied, 400),
		]);
		expect(execution.status).toBe('success');
		expect(proxy.seen.at(-1)).toMatchObject({
			path: '/v1/fiat_payout',
			body: `{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`,
			status: 200,
		});
		const [item] = itemsOf(execution, 'Pay out');
		expect(item.amount).toBe(amount);
		expect(itemsOf(execution, 'Pay out, as answered')).toMatchObject([
			{ status: 'pending', amount, currency: 'NGN' },
		]);
		const state = (await stack.control('GET', '/state')) as { payouts: Json[] };
		expect(state.payouts).toContainEqual(expect.objectContaining({ payout_id: item.payoutId, amount }));
	});
});

describe('the test of the credential', () => {
	const testWith = (fields: Json) =>
		stack.client.testCredential(CREDENTIAL_TYPE, 'Tried', { ...stack.credential.data, ...fields });

	test('passes with the right key', async () => {
		expect(await testWith({})).toMatchObject({ status: 'OK' });
	});

	test.each(['apiKey', 'signatureSecret'])('fails with a wrong %s', async (field) => {
		expect(await testWith({ [field]: 'wrong' })).toMatchObject({ status: 'Error' });
	});

	test('fails where a page of HTML answers', async () => {
		const server = createServer((_, response) =>
			response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
		);
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
		const { port } = server.address() as AddressInfo;
		const verdict = await testWith({ baseUrl: `http://127.0.0.1:${port}` }).finally(() => server.close());
		expect(verdict).toMatchObject({ status: 'Error' });
	});
});

describe('a request that the service refuses', () => {
	const payOut = {
		resource: 'fiatWallet',
		operation: 'createPayout',
		currency: 'NGN',
		account_alias: 'supplier-main',
	};

	test('one character of the body changed on the way: 401', async () => {
		proxy.tamper = (body) => body.replace('17.00', '77.00');
		const execution = await run('Tampered', [action('Pay out', { ...payOut, amount: '17.00' })]);
		proxy.tamper = (body) => body;
		expect(proxy.seen.at(-1)).toMatchObject({ path: '/v1/fiat_payout', status: 401 });
		expect(complaint(execution)).toContain('401');
		const state = (await stack.control('GET', '/state')) as { payouts: Json[] };
		expect(state.payouts).not.toContainEqual(expect.objectContaining({ amount: '77.00' }));
	});

	test('a wrong key: 401, once', async () => {
		const wrong = await credential('Wrong key', { baseUrl: proxy.url, apiKey: 'wrong' });
		const before = proxy.seen.length;
		const execution = await run('Wrong key', [action('Pay out', { ...payOut, amount: '1' }, wrong)]);
		expect(proxy.seen.slice(before).map(({ status }) => status)).toEqual([401]);
		expect(complaint(execution)).toContain('401');
	});

	test("the service's own words reach the user", async () => {
		const execution = await run('Not whitelisted', [
			action('Pay out', { ...payOut, amount: '1', account_alias: 'supplier-new' }),
		]);
		expect(complaint(execution)).toMatch(/Whitelisted/);
	});

	test('nobody there', async () => {
		const nobody = await credential('Nobody there', { baseUrl: 'http://127.0.0.1:9' });
		const execution = await run('Nobody there', [action('Pay out', { ...payOut, amount: '1' }, nobody)]);
		expect(complaint(execution)).toMatch(/cannot be reached \(connection refused\).* Nothing was sent/);
	});

	test('a credential that cannot be used', async () => {
		const unfit = await credential('Unfit', { signatureSecret: '' });
		const execution = await run('Unfit', [action('Pay out', { ...payOut, amount: '1' }, unfit)]);
		expect(complaint(execution)).toMatch(/cannot be used: Signature Secret is empty.* Nothing was sent/);
	});
});

describe("n8n's HTTP Request node signs with the credential", () => {
	const httpRequest = (parameters: Json): WorkflowNode => ({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position: [300, 0],
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			...parameters,
		},
		credentials: { [CREDENTIAL_TYPE]: { id: stack.credential.id, name: 'by id' } },
	});

	test('a GET with a query', async () => {
		const url = `${stack.sandbox.url}/v1/rates`;
		const queryParameters = { parameters: [{ name: 'any', value: 'a b&c' }] };
		const execution = await run('HTTP GET', [httpRequest({ url, sendQuery: true, queryParameters })]);
		expect(itemsOf(execution, 'HTTP Request')[0]).toMatchObject({ results: expect.any(Array) });
	});

	test('a POST with a JSON body', async () => {
		const jsonBody = '{ "currency": "NGN", "amount": 3.10, "account_alias": "supplier-main" }';
		const parameters = { method: 'POST', url: `${stack.sandbox.url}/v1/fiat_payout`, sendBody: true };
		const execution = await run('HTTP POST', [httpRequest({ ...parameters, specifyBody: 'json', jsonBody })]);
		expect(itemsOf(execution, 'HTTP Request')).toMatchObject([
			{ status: 'pending', amount: 3.1, currency: 'NGN' },
		]);
	});
});

describe('the trigger answers', () => {
	const body = JSON.stringify({
		event: 'virtual_account_credited',
		id: 'dep-answers-1',
		currency: 'ngn',
		status: 'Successful',
		Amount: '9007199254740993.10',
		'Account received alias': 'customer-0042',
		Business: 'Acme Trading',
	});
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		workflow = await stack.client.saveWorkflow({
			name: 'Answers',
			nodes: [
				{
					name: 'Trigger',
					type: 'n8n-nodes-wallet-service.walletServiceTrigger',
					typeVersion: 1,
					position: [0, 0],
					webhookId: TRIGGER_ID,
					parameters: { events: ['virtual_account_credited'], verification: 'credential', options: {} },
					credentials: { [CREDENTIAL_TYPE]: { id: stack.credential.id, name: 'by id' } },
				},
			],
			connections: {},
		});
		await stack.client.publish(workflow);
	});

	/** As the service signs: hex HMAC-SHA256 over the bytes of the body. */
	const sign = (signed: string) =>
		createHmac('sha256', stack.sandbox.webhookSecret).update(signed).digest('hex');

	async function deliver(sent: string, headers: Record<string, string> = { 'x-svc-signature': sign(sent) }) {
		const response = await request(webhookUrl(stack.n8n, workflow), {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body: sent,
		});
		const answer = await response.body.text();
		expect(answer).not.toContain(stack.sandbox.webhookSecret);
		return { status: response.statusCode, answer: answer.startsWith('{') ? JSON.parse(answer) : answer };
	}

	test('200 to a new delivery that is wanted, with the execution stored', async () => {
		expect(await deliver(body)).toEqual({ status: 200, answer: { ok: true } });
		const execution = await stack.client.execution(workflow.id, 'the execution', () => true);
		expect(itemsOf(execution, 'Trigger')).toEqual([
			{
				event: 'virtual_account_credited',
				id: 'dep-answers-1',
				deliveryKey: 'virtual_account_credited:dep-answers-1:successful',
				receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				currency: 'NGN',
				status: 'successful',
				amount: '9007199254740993.10',
				accountAlias: 'customer-0042',
				business: 'Acme Trading',
				raw: JSON.parse(body),
			},
		]);
	});

	const cases: Array<[string, string, Json]> = [
		['a delivery seen before', body, { ok: true, duplicate: true }],
		['a kind that is not selected', '{"event":"admin_funding","id":"a1"}', { ok: true, ignored: true }],
		['an unknown kind', '{"event":"card_issued","id":"c1"}', { ok: true, ignored: true }],
	];
	test.each(cases)('200 to %s, which starts nothing', async (_what, sent, answer) => {
		expect(await deliver(sent)).toEqual({ status: 200, answer });
	});

	test.each([
		['one changed character', 401, body.replace('993.10', '993.20'), () => sign(body)],
		['a signature of something else', 401, body, () => sign('{}')],
		['no signature', 401, body, () => undefined],
		['no JSON object', 400, '["virtual_account_credited"]', sign],
		['no text in event', 400, '{"event":7}', sign],
		// n8n's own answer: it parses the body before any node sees it.
		['invalid JSON', 422, '{"event":', sign],
	])('%s: %i', async (_what, status, sent, signature) => {
		const value = signature(sent);
		const headers: Record<string, string> = value === undefined ? {} : { 'x-svc-signature': value };
		expect(await deliver(sent, headers)).toMatchObject({ status });
	});

	test('and has started one workflow in all', async () => {
		expect(await stack.client.executions(workflow.id)).toHaveLength(1);
	});
});

/** After all that has been run above, failures included. */
test('n8n has stored and logged no secret, key or signature', async () => {
	const { key, secret, webhookSecret } = stack.sandbox;
	const signatures = proxy.seen.map(({ headers }) => String(headers['x-svc-signature']));
	expect(signatures.length).toBeGreaterThan(30);
	const { userFolder } = stack.n8n;
	await stack.n8n.stop();

	const database = new DatabaseSync(join(userFolder, '.n8n/database.sqlite'), { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const stored = tables
		.map(({ name }) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()))
		.join('\n');
	database.close();
	const files = readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.startsWith('database.sqlite'))
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
	// The search finds what is there.
	expect(stored).toContain('dep-answers-1');
	for (const hidden of [key, secret, webhookSecret, ...signatures])
		for (const place of [stored, ...files]) expect(place.includes(hidden)).toBe(false);
});
