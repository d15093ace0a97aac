/** Payment Key in n8n's queue mode: two workers pay the same keys at the same instant. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { request } from 'undici';
import type { Json } from '../../host/n8nClient.ts';
import { startQueue } from '../../host/queue.ts';
import type { Queue } from '../../host/queue.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import { amountsPaid, entryOf, payOnceNode, said } from '../n8n/payoutLists.ts';
import { useOwnStack } from '../n8n/setup.ts';
import { connect, node } from '../n8n/workflowNodes.ts';

jest.setTimeout(300_000);

const folder = `.local/test-queue-keys-${process.pid}`;
let queue: Queue;
const stack = useOwnStack(() =>
	startStack({
		userFolder: folder,
		owner: TEMPORARY_OWNER,
		start: async (folder) => (queue = await startQueue({ folder, webhookProcessors: 2, workers: 2 })),
	}),
);
/** Starts an execution with these payouts through each webhook processor. Returns the items of both. */
let payTwice: (payouts: string[]) => Promise<Json[][]>;

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
	const path = randomUUID();
	const settings = { httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries', options: {} };
	const workflow = await stack.client.saveWorkflow({
		name: 'Pays by key',
		nodes: [
			{ ...node('Webhook', 'webhook', 2, { path, ...settings }), webhookId: path },
			node('One item each', 'splitOut', 1, { fieldToSplitOut: 'body.payouts', options: {} }),
			payOnceNode(stack),
		],
		connections: connect('Webhook -> One item each', 'One item each -> Pay out'),
	});
	await stack.client.publish(workflow);
	const call = async (url: string, payouts: string[]) => {
		const response = await request(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ payouts: payouts.map(entryOf) }),
		});
		return (await response.body.json()) as Json[];
	};
	payTwice = async (payouts) =>
		await Promise.all(queue.webhookProcessors.map(async ({ url }) => await call(url, payouts)));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The number of executions that each worker has finished, from its log. */
const finished = () =>
	queue.workers.map((worker) => worker.log().match(/Worker finished execution/g)?.length ?? 0);

/** `paid`, or whether the item says that the key is used: paid already, or with an unknown outcome. */
const states = (items: Json[]) =>
	said(items).map((text) => (/^(again|unknown)/.test(text) ? 'used' : text.split(' ')[0]));

test('two executions that pay the same key at the same instant on two workers pay it once', async () => {
	const pairs = 25;
	for (let pair = 1; pair <= pairs; pair++) {
		const answers = await payTwice([`${pair} supplier-main one-${pair}`]);
		expect(answers.flatMap(states).sort()).toEqual(['paid', 'used']);
	}
	const paid = await amountsPaid(stack);
	expect(paid).toEqual(Array.from({ length: pairs }, (_, index) => `${index + 1}`));
	// Otherwise no two executions met.
	for (const count of finished()) expect(count).toBeGreaterThan(pairs / 2);
});

test('two workers that pay the same batch at the same instant pay each key once, and know it afterwards', async () => {
	await stack.control('POST', '/reset');
	const payouts = Array.from({ length: 20 }, (_, index) => `${index + 1} supplier-main batch-${index + 1}`);
	const [one, other] = (await payTwice(payouts)).map(states) as [string[], string[]];
	expect(one.map((state, index) => [state, other[index]].sort())).toEqual(
		payouts.map(() => ['paid', 'used']),
	);
	expect(new Set(await amountsPaid(stack)).size).toBe(20);
	for (const items of await payTwice(payouts)) expect(states(items)).toEqual(payouts.map(() => 'used'));
	expect(await amountsPaid(stack)).toHaveLength(20);
});
