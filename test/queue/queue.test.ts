/** n8n's queue mode with the packed package: one main process, two webhook processors, two workers. One serves all tests. */
import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { request } from 'undici';
import { ENV, FULL, measure, SHORT } from '../../bench/queue.ts';
import { Report } from '../../bench/results.ts';
import { EVENTS } from '../../api/events.ts';
import { itemsOf, until } from '../../host/n8nClient.ts';
import type { Execution, Json, StoredWorkflow } from '../../host/n8nClient.ts';
import { startQueue } from '../../host/queue.ts';
import type { Queue } from '../../host/queue.ts';
import { CREDENTIAL_TYPE, startStack, TEMPORARY_OWNER, webhookUrl } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { testOperations } from '../n8n/operations.ts';
import { amountsPaid, connect, failPayoutAfter, list, LISTED, payOutNode } from '../n8n/payouts.ts';
import { startProxy } from '../../host/proxy.ts';

jest.setTimeout(300_000);

const text = expect.any(String);

const folder = `.local/test-queue-${process.pid}`;
let queue: Queue;
let stack: Stack;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let proxied: string;

beforeAll(async () => {
	stack = await startStack({
		userFolder: folder,
		owner: TEMPORARY_OWNER,
		start: async (folder) =>
			(queue = await startQueue({ folder, env: ENV, webhookProcessors: 2, workers: 2 })),
	});
	await stack.control('PUT', '/webhook', { url: null });
	proxy = await startProxy(stack.sandbox.url);
	const data = { ...stack.credential.data, baseUrl: proxy.url };
	proxied = await stack.client.saveCredential(CREDENTIAL_TYPE, 'Proxied', data);
});

afterAll(async () => {
	await stack?.stop();
	await proxy?.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** The executions that each worker says it has finished. */
function finished(): string[][] {
	return queue.workers.map((worker) =>
		[...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id),
	);
}

/** Posts a delivery as the service signs it; to the balancer, or to a processor. */
async function deliver(
	workflow: StoredWorkflow,
	body: Json,
	n8n = stack.n8n,
	secret?: string,
): Promise<Json> {
	const bytes = JSON.stringify(body);
	const signature = createHmac('sha256', secret ?? stack.sandbox.webhookSecret)
		.update(bytes)
		.digest('hex');
	const { statusCode, body: answer } = await request(webhookUrl(n8n, workflow), {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-svc-signature': signature },
		body: bytes,
	});
	return { status: statusCode, ...((await answer.json()) as Json) };
}

/** That many executions of a workflow, all ended. */
async function ended({ id }: StoredWorkflow, count: number): Promise<Execution[]> {
	return await until(`${count} executions`, async () => {
		const all = await stack.client.executions(id);
		const done = all.filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
		return done.length >= count ? done : undefined;
	});
}

testOperations(() => ({ stack, proxy, credentialId: proxied }));

describe('the trigger', () => {
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		// Payouts of the operations would be reported on.
		await stack.control('POST', '/reset');
		workflow = await stack.client.saveWorkflow({
			name: 'Every kind',
			nodes: [
				{
					name: 'Trigger',
					type: 'n8n-nodes-wallet-service.walletServiceTrigger',
					typeVersion: 1,
					position: [0, 0],
					webhookId: '5f0c9f3e-8a51-4c4e-9d8f-2b7a6c1e0d34',
					parameters: { events: Object.keys(EVENTS), verification: 'credential', options: {} },
					credentials: { [CREDENTIAL_TYPE]: { id: stack.credential.id, name: 'by id' } },
				},
			],
			connections: {},
		});
		await stack.client.publish(workflow);
	});

	test('takes all seven kinds from the service, on both processors', async () => {
		await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, workflow) });
		const kinds = [
			'settlement_wallet_update',
			'settlement_account_update',
			'crypto_received',
			'virtual_account_created',
			'virtual_account_credited',
			'crypto_payout_update',
			'admin_funding',
		];
		for (const event of kinds) await stack.control('POST', '/events', { event });
		const executions = await ended(workflow, 7);
		await stack.control('PUT', '/webhook', { url: null });
		const items = executions.flatMap((execution) => itemsOf(execution, 'Trigger'));
		expect(items.map(({ event }) => event).sort()).toEqual(kinds.toSorted());
		const { results } = (await stack.control('GET', '/deliveries')) as {
			results: Array<{ body: string; status: string }>;
		};
		const delivered = results.filter(({ status }) => status === 'delivered');
		for (const { body } of delivered) expect(items.map(({ raw }) => raw)).toContainEqual(JSON.parse(body));
	});

	test('lets nobody in whose signature is wrong, at either processor', async () => {
		for (const processor of queue.webhookProcessors) {
			const answer = await deliver(workflow, { event: 'admin_funding', id: 'forged' }, processor, 'wrong');
			expect(answer).toMatchObject({ status: 401, ok: false });
		}
	});

	test('knows at one processor what the other one took', async () => {
		const [one, other] = queue.webhookProcessors;
		const body = { event: 'admin_funding', id: 'twice', status: 'successful' };
		expect(await deliver(workflow, body, one)).toEqual({ status: 200, ok: true });
		expect(await deliver(workflow, body, other)).toEqual({ status: 200, ok: true, duplicate: true });
	});
});

describe('money moves once', () => {
	beforeAll(() => stack.control('POST', '/reset'));

	test('when a worker tries again, and when another execution does', async () => {
		const { id } = await stack.client.saveWorkflow({
			name: 'Payouts',
			nodes: [...list(['1', '2', '3 supplier-new', '4']), payOutNode(stack)],
			connections: connect(...LISTED, 'One item each -> Pay out'),
		});
		await failPayoutAfter(stack, 1, { status: 409 });
		const execution = await stack.client.runByHand(id, 'Start');
		expect(execution.status).toBe('error');
		expect(await amountsPaid(stack)).toEqual(['1', '2']);

		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const retried = await stack.client.retry(execution.id, 'original');
		expect(retried.status).toBe('success');
		expect(await amountsPaid(stack)).toEqual(['1', '2', '3', '4']);
		expect(finished().flat()).toEqual(expect.arrayContaining([execution.id, retried.id]));
	});
});

describe('the example with a database', () => {
	const NOTIFY = 'Notify (replace by your mail or chat node)';
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		const credential = queue.database.credential;
		const id = await stack.client.saveCredential('postgres', 'Books', credential);
		const example = stack.examples.all.get('deposit-once-in-database')!;
		workflow = await stack.client.saveWorkflow({
			...example,
			nodes: example.nodes.map((node) =>
				node.type === 'n8n-nodes-base.postgres'
					? { ...node, credentials: { postgres: { id, name: 'Books' } } }
					: node,
			),
		});
		expect(await stack.client.runByHand(workflow.id, 'Once, by hand')).toMatchObject({ status: 'success' });
		await stack.client.publish(workflow);
	});

	test('books each deposit once, also where it arrives at both processors at once', async () => {
		const deposits = Array.from({ length: 10 }, (_, index) => ({
			event: 'virtual_account_credited',
			id: `deposit-${index}`,
			status: 'successful',
			currency: 'NGN',
			Amount: `${index}.123456789012345678`,
			'Account received alias': 'customer-0042',
		}));
		let taken = 0;
		for (const deposit of deposits) {
			const answers = await Promise.all(
				queue.webhookProcessors.map((processor) => deliver(workflow, deposit, processor)),
			);
			taken += answers.filter(({ duplicate }) => duplicate !== true).length;
		}
		const executions = (await ended(workflow, taken + 1)).filter(({ mode }) => mode === 'webhook');
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		const told = executions.flatMap((execution) => itemsOf(execution, NOTIFY));
		expect(told.map(({ delivery_key }) => delivery_key).sort()).toEqual(
			deposits.map(({ id }) => `virtual_account_credited:${id}:successful`),
		);
		expect(told).toContainEqual({
			delivery_key: text,
			customer: 'customer-0042',
			currency: 'NGN',
			amount: '7.123456789012345678',
			text: '7.123456789012345678 NGN arrived for customer-0042.',
		});
		const [books] = await queue.database.query(
			'SELECT count(*)::int AS rows, sum(amount)::text AS total FROM wallet_service_deposits',
		);
		expect(books).toEqual({ rows: 10, total: '46.234567890123456780' });
	});
});

test('nothing is lost, and what comes again a second later is not executed again', async () => {
	const report = new Report({ title: 'Queue mode', how: '' });
	await measure(queue, report, process.env.FULL ? { ...FULL, processes: [2] } : SHORT);
	expect(report.rows.length).toBeGreaterThan(10);
	// Sooner than that it may be: docs/queue-mode.md says how often. Here it is printed.
	const promised = report.misses.filter((miss) => !/again (at once|after 50 ms)/.test(miss));
	expect(promised).toEqual([]);
}, 1_800_000);

test('all of it was executed on the workers', async () => {
	const [{ count }] = await queue.database.query('SELECT count(*)::int AS count FROM execution_entity');
	const [one, other] = finished();
	expect(one.length).toBeGreaterThan(0);
	expect(other.length).toBeGreaterThan(0);
	expect(new Set([...one, ...other]).size).toBe(count);
});
