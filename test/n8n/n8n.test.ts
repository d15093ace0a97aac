/** The packed package in a real n8n, against the sandbox over real HTTP. `kills.test.ts` kills n8n and locks its database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../host/doubles/loopbackServer.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Execution, Json, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE, webhookUrl } from '../../host/stack.ts';
import { deliver as post, JSON_TYPE, sign } from '../../host/testkit/deliveries.ts';
import { CASES, withTransactionId } from '../fixtures/operationCases.ts';
import { MESSAGES } from '../../nodes/WalletServiceTrigger/messages.ts';
import { useProxy, useStack } from './setup.ts';
import {
	ACTION_NODE,
	connect,
	credentialsOf,
	LANGCHAIN,
	node,
	publishLine,
	saveOther,
	TRIGGER_NODE,
	triggerNode,
} from '../../host/testkit/workflows.ts';

const stack = useStack();
const proxied = useProxy(stack);

/** n8n runs nodes from top to bottom. */
function action(name: string, parameters: Json, y = 0, credentials = proxied.credentials): WorkflowNode {
	return node(name, ACTION_NODE, parameters, { position: [300, y], credentials });
}

/** Runs the nodes one after another from top to bottom, each with one empty item. */
async function run(name: string, nodes: WorkflowNode[]): Promise<Execution> {
	const { id } = await stack.client.saveWorkflow({
		name,
		nodes: [node('Start', 'manualTrigger'), ...nodes],
		connections: connect(...nodes.map((each) => `Start -> ${each.name}`)),
	});
	return await stack.client.runByHand(id, 'Start');
}

test('each case of each operation is sent once, in order, and its items come out in n8n', async () => {
	const before = proxied.proxy.seen.length;
	const converted = "={{ $('instantLiquidity.convert').first().json.transactionId }}";
	const nodes = CASES.map(({ name, resource, operation, parameters }, index) =>
		action(name, { resource, operation, ...withTransactionId(parameters, converted) }, index * 200),
	);
	const execution = await run('All operations', nodes);
	expect(execution.status).toBe('success');
	const transactionId = itemsOf(execution, 'instantLiquidity.convert')[0]!.transactionId as string;
	const sent = proxied.proxy.seen.slice(before).map(({ method, path, body }) => [`${method} ${path}`, body]);
	expect(sent).toEqual(CASES.map(({ route, sent: body }) => [route, withTransactionId(body, transactionId)]));
	for (const { name, items } of CASES)
		expect([name, itemsOf(execution, name)]).toEqual([name, withTransactionId(items, transactionId)]);
});

const PAYOUT = {
	resource: 'fiatWallet',
	operation: 'createPayout',
	currency: 'NGN',
	account_alias: 'supplier-main',
};

test.each(['0.123456789012345678', '9007199254740993'])(
	'the amount %s keeps every digit, there and back',
	async (amount) => {
		const funds = { asset: 'NGN', amount: '20000000000000000', direction: 'credit' };
		await stack.control('POST', '/admin_funding', funds);
		const execution = await run('Digits', [
			action('Pay out', { ...PAYOUT, amount }),
			action('Pay out, as answered', { ...PAYOUT, amount, simplify: false }, 200),
		]);
		expect(proxied.proxy.seen.at(-1)!.body).toBe(
			`{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`,
		);
		expect(itemsOf(execution, 'Pay out')).toMatchObject([{ amount }]);
		expect(itemsOf(execution, 'Pay out, as answered')).toMatchObject([{ status: 'pending', amount }]);
	},
);

test('a request with a wrong key gets 401, is sent once, and the user reads it', async () => {
	const wrong = await saveOther(stack, 'Wrong key', { baseUrl: proxied.proxy.url, apiKey: 'wrong' });
	const before = proxied.proxy.seen.length;
	const { status, data } = await run('Wrong key', [action('Pay out', { ...PAYOUT, amount: '1' }, 0, wrong)]);
	expect(proxied.proxy.seen.slice(before).map((request) => request.status)).toEqual([401]);
	expect([status, data.resultData.error?.message]).toEqual(['error', expect.stringContaining('401')]);
});

describe("n8n's HTTP Request node signs with the credential", () => {
	const signing = { authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE };
	const httpRequest = (parameters: Json, credentials = credentialsOf(stack)): WorkflowNode =>
		node('HTTP Request', 'httpRequest', { ...signing, ...parameters }, { credentials });
	/** One of each version, with *On Error: Continue*. */
	const inEachVersion = (parameters: Json, credentials?: ReturnType<typeof credentialsOf>) =>
		[2, 3, 4.2, 4.4].map((typeVersion) => ({
			...httpRequest(parameters, credentials),
			name: `Version ${typeVersion}`,
			typeVersion,
			onError: 'continueRegularOutput' as const,
		}));

	test('the HTTP Request node signs a GET with a query', async () => {
		const url = `${stack.sandbox.url}/v1/rates`;
		const queryParameters = { parameters: [{ name: 'any', value: 'a b&c' }] };
		const execution = await run('HTTP GET', [httpRequest({ url, sendQuery: true, queryParameters })]);
		expect(itemsOf(execution, 'HTTP Request')[0]).toMatchObject({ results: expect.any(Array) });
	});

	test('the HTTP Request node signs a POST with a JSON body', async () => {
		const jsonBody = '{ "currency": "NGN", "amount": 3.10, "account_alias": "supplier-main" }';
		const parameters = { method: 'POST', url: `${stack.sandbox.url}/v1/fiat_payout`, sendBody: true };
		const execution = await run('HTTP POST', [httpRequest({ ...parameters, specifyBody: 'json', jsonBody })]);
		expect(itemsOf(execution, 'HTTP Request')).toMatchObject([
			{ status: 'pending', amount: 3.1, currency: 'NGN' },
		]);
	});

	test('no version of the HTTP Request node takes key and signature along a redirect', async () => {
		const reached: unknown[] = [];
		const elsewhere = await serve(({ headers }, outgoing) => {
			reached.push(headers);
			outgoing.end('{}');
		});
		const location = elsewhere.url.replace('127.0.0.1', 'localhost');
		const redirecting = await serve((_, outgoing) => outgoing.writeHead(302, { location }).end());
		const redirect = { redirect: { followRedirects: true, maxRedirects: 21 } };
		const parameters = { url: redirecting.url, options: { redirect, followAllRedirects: true } };
		const there = await saveOther(stack, 'Redirects', { baseUrl: redirecting.url });
		const nodes = inEachVersion(parameters, there);
		const execution = await run('Redirects', nodes);
		await Promise.all([redirecting.stop(), elsewhere.stop()]);
		for (const { name } of nodes) expect(JSON.stringify(itemsOf(execution, name))).toContain('302');
		expect(reached).toEqual([]);
	});

	test('no version of the HTTP Request node signs a request to another address than that of the service', async () => {
		const reached: unknown[] = [];
		const stranger = await serve(({ headers }, outgoing) => {
			reached.push(headers);
			outgoing.end('{}');
		});
		const nodes = inEachVersion({ url: `${stranger.url}/v1/rates` });
		const execution = await run('Stranger', nodes);
		await stranger.stop();
		for (const { name } of nodes)
			expect(JSON.stringify(itemsOf(execution, name))).toContain(
				`signs only requests below its Base URL, ${stack.sandbox.url}, and not to ${stranger.url}`,
			);
		expect(reached).toEqual([]);
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
	let first: unknown;

	beforeAll(async () => {
		const trigger = triggerNode({ events: ['virtual_account_credited'] }, credentialsOf(stack));
		workflow = await publishLine(stack.client, 'Answers', trigger);
		first = await deliver(body);
	});

	async function deliver(text: string, signature = sign(text, stack.sandbox.webhookSecret)) {
		const headers = { ...JSON_TYPE, 'x-svc-signature': signature };
		const response = await post(webhookUrl(stack.n8n, workflow), text, headers);
		expect(JSON.stringify(response)).not.toContain(stack.sandbox.webhookSecret);
		return response;
	}

	test('the trigger answers 200 to a new, selected delivery, with the execution stored', async () => {
		expect(first).toEqual({ status: 200, answer: { ok: true } });
		const execution = await stack.client.execution(workflow.id, 'the execution', () => true);
		expect(itemsOf(execution, 'Trigger')).toEqual([
			{
				event: 'virtual_account_credited',
				id: 'dep-answers-1',
				deliveryKey: expect.stringMatching(/^virtual_account_credited:dep-answers-1:successful:[0-9a-f]{8}$/),
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

	const ok = (more: Json) => ({ status: 200, answer: { ok: true, ...more } });
	test.each<[what: string, answer: Json, body: string, signed?: string]>([
		['repeated', ok({ duplicate: true }), body],
		['of an event that is not selected', ok({ ignored: true }), '{"event":"admin_funding","id":"a1"}'],
		['with one changed character', { status: 401 }, body.replace('993.10', '993.20'), body],
		// This answer is n8n's own, which parses the body before the node runs.
		['of invalid JSON', { status: 422 }, '{"event":'],
	])('the trigger answers a delivery %s with %j', async (_, answer, sent, signed = sent) => {
		expect(await deliver(sent, sign(signed, stack.sandbox.webhookSecret))).toMatchObject(answer);
	});

	test('all deliveries to the trigger together have started one workflow', async () => {
		expect(await stack.client.executions(workflow.id)).toHaveLength(1);
	});
});

describe('the trigger in the editor', () => {
	async function save(name: string, webhookSecret: string): Promise<StoredWorkflow> {
		const credentials = await saveOther(stack, name, { webhookSecret });
		const nodes = [triggerNode({ events: ['admin_funding'] }, credentials)];
		return await stack.client.saveWorkflow({ name, nodes, connections: {} });
	}

	async function deliver(
		workflow: StoredWorkflow,
		mode: 'webhook' | 'webhook-test',
		body: Json,
	): Promise<Json> {
		const url = `${stack.n8n.url}/${mode}/${workflow.nodes[0]!.webhookId}/webhook`;
		const { status, answer } = await post(url, JSON.stringify(body));
		return { status, ...(answer as Json) };
	}

	test('a trigger that cannot work cannot be published, and n8n says why', async () => {
		const publishing = stack.client.publish(await save('no secret', ''));
		await expect(publishing).rejects.toThrow('Webhook Secret is empty');
	});

	test('When Workflow Finishes: the answer tells whether the workflow succeeded, and holds nothing of it', async () => {
		const answersOf = async (jsCode: string) => {
			const options = { acknowledge: 'whenFinished' };
			const trigger = triggerNode({ events: ['admin_funding'], options });
			const code = node('Code', 'code', { jsCode });
			const workflow = await publishLine(stack.client, 'When Workflow Finishes', trigger, code);
			const send = async () => await deliver(workflow, 'webhook', { event: 'admin_funding', id: 'a' });
			return [await send(), await send()];
		};
		expect(await answersOf('return [{ json: { secret: 1 } }, { json: { secret: 2 } }]')).toEqual([
			{ status: 200, ok: true },
			{ status: 200, ok: true, duplicate: true },
		]);
		const failed = { status: 500, ok: false, reason: 'The workflow did not succeed' };
		expect(await answersOf('throw new Error("secret")')).toEqual([failed, failed]);
		// An address of this machine needs no https.
		expect(stack.n8n.log()).not.toContain(MESSAGES.notHttps);
	});

	test.each([
		['a person or a webhook', { resume: 'webhook' }],
		['more than 65 seconds', { resume: 'timeInterval', amount: 66, unit: 'seconds' }],
	])(
		'When Workflow Finishes: a workflow that begins to wait for %s is answered with 200',
		async (what, wait) => {
			const trigger = triggerNode({ events: ['admin_funding'], options: { acknowledge: 'whenFinished' } });
			const code = node('Code', 'code', { jsCode: 'throw new Error("after the answer")' });
			const line = [trigger, node('Waits', 'wait', wait), code] as const;
			const workflow = await publishLine(stack.client, `Waits for ${what}`, ...line);
			const send = async () => await deliver(workflow, 'webhook', { event: 'admin_funding', id: 'a' });
			expect([await send(), await send()]).toEqual([
				{ status: 200, ok: true },
				{ status: 200, ok: true, duplicate: true },
			]);
			expect(await stack.client.executions(workflow.id)).toMatchObject([{ status: 'waiting' }]);
		},
	);

	test('When Workflow Finishes: a repetition of what hangs gets 503 after ten seconds, and starts the workflow once that was stopped', async () => {
		const trigger = triggerNode({ events: ['admin_funding'], options: { acknowledge: 'whenFinished' } });
		// n8n keeps a wait below 65 seconds in its process.
		const hang = node('Hangs', 'wait', { resume: 'timeInterval', amount: 60, unit: 'seconds' });
		const workflow = await publishLine(stack.client, 'Hangs', trigger, hang);
		const send = async (id: string) => await deliver(workflow, 'webhook', { event: 'admin_funding', id });
		// n8n's API lists none that runs.
		const query = `SELECT id FROM execution_entity WHERE "workflowId" = '${workflow.id}' AND status = 'running'`;
		const running = () => queryDatabase(stack, query);
		const stop = async (count: number) => {
			await until(`${count} executions`, () => running().length === count);
			for (const { id } of running()) await stack.client.stop(String(id));
		};
		const failed = { status: 500, ok: false, reason: 'The workflow did not succeed' };
		const refused = { status: 503, ok: false, reason: 'This receiver cannot accept events at the moment' };

		const first = send('hung');
		await until('the first execution', () => running().length === 1);
		const before = Date.now();
		// A hundred repetitions wait, and another event starts the workflow.
		const repetitions = Promise.all(Array.from({ length: 100 }, () => send('hung')));
		const other = send('another');
		expect(await repetitions).toEqual(Array.from({ length: 100 }, () => refused));
		expect(Date.now() - before).toBeGreaterThan(9_000);
		expect(stack.n8n.log()).toContain('answered a repetition with 503');

		await stop(2);
		expect(await Promise.all([first, other])).toEqual([failed, failed]);
		const again = send('hung');
		await stop(1);
		expect(await again).toEqual(failed);
	});

	test('of 50 refused deliveries to a test URL at once, one ends an execution, and again when the user listens again', async () => {
		const workflow = await save('Flood by hand', 'fake');
		for (const time of [1, 2]) {
			await stack.client.startByHand(workflow.id, 'Trigger');
			const forge = async () => await deliver(workflow, 'webhook-test', { event: 'admin_funding' });
			const answers = await Promise.all(Array.from({ length: 50 }, forge));
			const reason = 'The header x-svc-signature is missing';
			expect(answers).toContainEqual({ status: 401, ok: false, reason });
			const [newest] = await stack.client.endedExecutions(workflow.id, time);
			expect(newest!.data.resultData.error).toMatchObject({
				message: `The trigger refused this delivery: ${reason}`,
			});
			expect(await stack.client.executions(workflow.id)).toHaveLength(time);
		}
	});
});

test('the nodes that benches and tests make have the newest versions', async () => {
	const types = await stack.client.nodeTypes();
	for (const type of [ACTION_NODE, TRIGGER_NODE, 'n8n-nodes-base.set', `${LANGCHAIN}.agent`]) {
		const versions = types.filter(({ name }) => name === type).flatMap(({ version }) => version);
		expect([type, node('A', type).typeVersion]).toEqual([type, Math.max(...versions)]);
	}
});

// This test comes last, so that the data of all tests above is searched, failures included.
test('n8n has stored and logged no secret, key or signature', () => {
	const { key, secret, webhookSecret } = stack.sandbox;
	const signatures = proxied.proxy.seen.map(({ headers }) => String(headers['x-svc-signature']));
	expect(signatures.length).toBeGreaterThan(CASES.length);
	const { userFolder } = stack.n8n.options;
	const stored = queryDatabase(stack, "SELECT name FROM sqlite_master WHERE type = 'table'")
		.map(({ name }) => JSON.stringify(queryDatabase(stack, `SELECT * FROM "${String(name)}"`)))
		.join('\n');
	const files = readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.startsWith('database.sqlite'))
		.map((entry) => join(entry.parentPath, entry.name))
		// The 47 MB of the editor, which n8n writes when it starts.
		.filter((file) => !file.startsWith(join(userFolder, '.cache/n8n/public/')))
		.map((file) => readFileSync(file, 'utf8'));
	expect(files.length).toBeGreaterThan(50);
	// A known value is found, so the search works.
	expect(stored).toContain('dep-answers-1');
	for (const hidden of [key, secret, webhookSecret, ...signatures])
		for (const place of [stored, ...files]) expect(place.includes(hidden)).toBe(false);
});
