/** The packed package in n8n's queue mode: one main process, two webhook processors, two workers. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { ENV, measure, SHORT } from '../../bench/queueBench.ts';
import { Report } from '../../bench/results.ts';
import { pay, publishPayer } from '../../bench/shared/payments/payer.ts';
import { makePayments, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import { NULL_NODES } from '../../bench/shared/temporaryN8n.ts';
import { payInPairs } from '../../soak/payments/pairs.ts';
import { figuresOfTable } from '../../soak/payments/paymentsTable.ts';
import { payAndReject } from '../../soak/payments/rejections.ts';
import { EVENTS } from '../../api/events.ts';
import { itemsOf } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { startQueue } from '../../host/n8n/queue.ts';
import { until } from '../../host/until.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import { startStack, TEMPORARY_OWNER, webhookUrl } from '../../host/stack.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { deliver as post, signedHeaders } from '../n8n/deliver.ts';
import { testExamplesOf } from '../n8n/executedExamples.ts';
import { amountsPaid, failPayoutAfter, list, LISTED, payOutNode } from '../n8n/payoutLists.ts';
import { useOwnStack } from '../n8n/setup.ts';
import { connect, node, triggerNode } from '../n8n/workflowNodes.ts';

jest.setTimeout(300_000);

const text = expect.any(String);

const folder = `.local/test-queue-${process.pid}`;
let queue: Queue;
const stack = useOwnStack(() =>
	startStack({
		userFolder: folder,
		owner: TEMPORARY_OWNER,
		start: async (folder) =>
			(queue = await startQueue({
				folder,
				env: ENV,
				packages: [NULL_NODES],
				webhookProcessors: 2,
				workers: 2,
			})),
	}),
);

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The ids of the executions that each worker has finished, from its log. */
function finished(): string[][] {
	return queue.workers.map((worker) =>
		[...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id!),
	);
}

/** Posts a signed delivery to the balancer, or to one webhook processor. */
async function deliver(
	workflow: StoredWorkflow,
	body: Json,
	n8n = stack.n8n,
	secret = stack.sandbox.webhookSecret,
): Promise<Json> {
	const sent = JSON.stringify(body);
	const { status, answer } = await post(webhookUrl(n8n, workflow), sent, signedHeaders(sent, secret));
	return { status, ...(answer as Json) };
}

describe('the trigger in queue mode', () => {
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		workflow = await stack.client.saveWorkflow({
			name: 'Every kind',
			nodes: [
				triggerNode(
					'5f0c9f3e-8a51-4c4e-9d8f-2b7a6c1e0d34',
					{ events: Object.keys(EVENTS), verification: 'credential', options: {} },
					stack.credential.id,
				),
			],
			connections: {},
		});
		await stack.client.publish(workflow);
	});

	test('the trigger receives all seven events from the service in queue mode', async () => {
		await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, workflow) });
		for (const event of EVENT_KINDS) await stack.control('POST', '/events', { event });
		const executions = await stack.client.endedExecutions(workflow.id, EVENT_KINDS.length);
		await stack.control('PUT', '/webhook', { url: null });
		const items = executions.flatMap((execution) => itemsOf(execution, 'Trigger'));
		expect(items.map(({ event }) => event).sort()).toEqual(EVENT_KINDS.toSorted());
		const { results } = (await stack.control('GET', '/deliveries')) as {
			results: Array<{ body: string; status: string }>;
		};
		const delivered = results.filter(({ status }) => status === 'delivered');
		for (const { body } of delivered) expect(items.map(({ raw }) => raw)).toContainEqual(JSON.parse(body));
	});

	test('both webhook processors refuse a delivery with a wrong signature', async () => {
		for (const processor of queue.webhookProcessors) {
			const answer = await deliver(workflow, { event: 'admin_funding', id: 'forged' }, processor, 'wrong');
			expect(answer).toMatchObject({ status: 401, ok: false });
		}
	});

	test('a delivery that one processor has accepted stops on the worker when the other one gets it', async () => {
		const [one, other] = queue.webhookProcessors as [N8n, N8n];
		const body = { event: 'admin_funding', id: 'twice', status: 'successful' };
		const before = (await stack.client.executions(workflow.id)).length;
		const run = async (processor: N8n, count: number) => {
			expect(await deliver(workflow, body, processor)).toEqual({ status: 200, ok: true });
			const executions = await stack.client.endedExecutions(workflow.id, before + count);
			return executions
				.flatMap((execution) => itemsOf(execution, 'Trigger'))
				.filter(({ id }) => id === 'twice');
		};
		expect(await run(one, 1)).toHaveLength(1);
		expect(await run(other, 2)).toHaveLength(1);
		expect(await deliver(workflow, body, one)).toEqual({ status: 200, ok: true, duplicate: true });
	});

	test('When Finished: the answer comes from the worker, also if n8n keeps no successful executions', async () => {
		const answerOf = async (name: string, jsCode: string) => {
			const trigger = triggerNode(randomUUID(), {
				events: ['admin_funding'],
				verification: 'none',
				options: { acknowledge: 'whenFinished' },
			});
			const finished = await stack.client.saveWorkflow({
				name,
				nodes: [trigger, node('Code', 'code', 2, { jsCode })],
				connections: connect('Trigger -> Code'),
				settings: { saveDataSuccessExecution: 'none' },
			} as never);
			await stack.client.publish(finished);
			return await deliver(finished, { event: 'admin_funding', id: name });
		};
		expect(await answerOf('succeeds', 'return [{ json: { secret: 1 } }]')).toEqual({ status: 200, ok: true });
		expect(await answerOf('fails', 'throw new Error("secret")')).toEqual({
			status: 500,
			ok: false,
			reason: 'The workflow did not succeed',
		});
	});
});

describe('payouts in queue mode', () => {
	beforeAll(() => stack.control('POST', '/reset'));

	test('a payout is made once when a worker retries it, and when "Retry execution" does', async () => {
		const { id } = await stack.client.saveWorkflow({
			name: 'Payouts',
			nodes: [...list(['1', '2', '3 supplier-new', '4']), payOutNode(stack)],
			connections: connect(...LISTED, 'One item each -> Pay out'),
		});
		await failPayoutAfter(stack, 1, { status: 422 });
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

test('two workers that pay the same batch at the same instant pay each key once, and no later run pays it again', async () => {
	await stack.control('POST', '/reset');
	const payer = await publishPayer(stack, 'Pays a batch by key');
	const payments = makePayments(20);
	const payThrough = async (processor: N8n) =>
		(await pay(processor, payer, payments)).map((item) => wordOf(item));
	const [one, other] = (await Promise.all(queue.webhookProcessors.map(payThrough))) as [string[], string[]];
	// The second execution may come to a key while the first one is paying it.
	const once = expect.stringMatching(/^alreadyPaid paid$|^paid unknown$/);
	expect(one.map((word, index) => [word, other[index]].sort().join(' '))).toEqual(payments.map(() => once));
	expect((await amountsPaid(stack)).sort()).toEqual(payments.map(({ amount }) => amount).sort());
	expect(await payThrough(stack.n8n)).toEqual(payments.map(() => 'alreadyPaid'));
	expect(await amountsPaid(stack)).toHaveLength(payments.length);
});

test('two executions with the same keys at the same instant on two workers: no key is paid twice', async () => {
	// On a busy machine, one worker may take all pairs.
	await until(
		'two workers to meet',
		async () => {
			const { lines, misses } = await payInPairs(stack, { pairs: 10, keys: 2, together: 2 }, queue);
			expect(misses).toEqual([]);
			expect(lines).toMatchObject([{ asked: 20 }]);
			return /\b[1-9]\d* on different workers/.test(lines[0]!.more) || undefined;
		},
		200_000,
	);
});

test('two executions that pay the same keys with pay-once at the same instant on two workers: each key has one row, paid once', async () => {
	const paid = await payInPairs(stack, { pairs: 10, keys: 2, together: 2, byTable: true }, queue);
	const table = await figuresOfTable(stack);
	expect([...paid.misses, ...table.misses]).toEqual([]);
	expect(paid.lines).toMatchObject([{ asked: 20, paid: 20 }]);
	expect(table.lines[0]!.more).toContain('keys with two rows: 0; results: paid: 20');
});

test('two workers that pay, are rejected and run paid keys again at once: each answer is right, and no key stays blocked', async () => {
	const { lines, misses } = await payAndReject(stack, { rounds: 2, batch: 6 }, queue);
	expect(misses).toEqual([]);
	expect(lines).toMatchObject([{ asked: 30, paid: 30 }]);
});

describe('the example deposit-once-in-database', () => {
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

	test('deposit-once-in-database books a deposit once that arrives at both webhook processors at once', async () => {
		const deposits = Array.from({ length: 10 }, (_, index) => ({
			event: 'virtual_account_credited',
			id: `deposit-${index}`,
			status: 'successful',
			currency: 'NGN',
			Amount: `${index}.123456789012345678`,
			'Account received alias': 'customer-0042',
		}));
		let accepted = 0;
		for (const deposit of deposits) {
			const answers = await Promise.all(
				queue.webhookProcessors.map((processor) => deliver(workflow, deposit, processor)),
			);
			accepted += answers.filter(({ duplicate }) => duplicate !== true).length;
		}
		const executions = (await stack.client.endedExecutions(workflow.id, accepted + 1)).filter(
			({ mode }) => mode === 'webhook',
		);
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		const notified = executions.flatMap((execution) => itemsOf(execution, NOTIFY));
		expect(notified.map(({ delivery_key }) => delivery_key).sort()).toEqual(
			deposits.map(({ id }) => `virtual_account_credited:${id}:successful`),
		);
		expect(notified).toContainEqual({
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

test('the queue bench: nothing is lost, and no delivery is executed twice', async () => {
	const report = new Report({ title: 'Queue mode', how: '' });
	await measure(queue, report, SHORT);
	expect(report.rows).toHaveLength(14);
	// Speed takes longer runs: `npm run bench`.
	expect(report.misses.filter((miss) => !miss.includes('ours to the null trigger'))).toEqual([]);
}, 900_000);

test('all executions ran on the workers, and both workers had some', async () => {
	// A sub-workflow runs where its caller runs, and no log names it.
	const stored = await queue.database.query(
		`SELECT id::text FROM execution_entity WHERE "workflowId" <> '${stack.examples.payOnce.id}'`,
	);
	const [one, other] = finished() as [string[], string[]];
	expect(one.length).toBeGreaterThan(0);
	expect(other.length).toBeGreaterThan(0);
	const onWorkers = new Set([...one, ...other]);
	expect(stored.length).toBeGreaterThan(100);
	expect(stored.filter(({ id }) => !onWorkers.has(id as string))).toEqual([]);
});

testExamplesOf('queue/queue', stack, () => queue.database);
