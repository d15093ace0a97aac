import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Json } from '../../host/n8n/client.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import type { Stack } from '../../host/stack.ts';
import { amountsPaid, entryOf, payOnceNode, said } from '../n8n/payoutLists.ts';
import { connect, node } from '../n8n/workflowNodes.ts';

/** `paid`, `again` or `unknown`. */
const states = (items: Json[]) => said(items).map((text) => text.split(' ')[0]);

/** The states of a key in two executions of the same instant: the second one may come while the first is under way. */
const ONCE = expect.stringMatching(/^again paid$|^paid unknown$/);

/** Registers the tests of Payment Key in queue mode: two workers pay the same keys at the same instant. */
export function testPaymentKeys(
	given: () => {
		stack: Stack;
		queue: Queue;
		/** The ids of the executions that each worker has finished. */
		finished: () => string[][];
	},
): void {
	/** Starts an execution with these payouts through each webhook processor. Returns the items of both. */
	let payTwice: (payouts: string[]) => Promise<Json[][]>;
	/** Starts one execution. */
	let payHere: (payouts: string[]) => Promise<Json[]>;

	beforeAll(async () => {
		const { stack } = given();
		const path = randomUUID();
		const settings = {
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		};
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
		const urls = given().queue.webhookProcessors.map(({ url }) => url);
		payHere = async (payouts) => await call(urls[0]!, payouts);
		payTwice = async (payouts) => await Promise.all(urls.map(async (url) => await call(url, payouts)));
	});

	beforeEach(() => given().stack.control('POST', '/reset'));

	test('two executions that pay the same key at the same instant on two workers pay it once', async () => {
		const pairs = 25;
		const before = given().finished();
		for (let pair = 1; pair <= pairs; pair++) {
			const answers = await payTwice([`${pair} supplier-main one-${pair}`]);
			expect(answers.flatMap(states).sort().join(' ')).toEqual(ONCE);
		}
		const paid = await amountsPaid(given().stack);
		expect(paid).toEqual(Array.from({ length: pairs }, (_, index) => `${index + 1}`));
		// Otherwise no two executions met.
		for (const [worker, executions] of given().finished().entries())
			expect(executions.length - before[worker]!.length).toBeGreaterThan(pairs / 2);
	});

	test('two workers that pay the same batch at the same instant pay each key once, and know it afterwards', async () => {
		const payouts = Array.from({ length: 20 }, (_, index) => `${index + 1} supplier-main batch-${index + 1}`);
		const [one, other] = (await payTwice(payouts)).map(states) as [string[], string[]];
		expect(one.map((state, index) => [state, other[index]].sort().join(' '))).toEqual(
			payouts.map(() => ONCE),
		);
		expect(new Set(await amountsPaid(given().stack)).size).toBe(20);
		expect(states(await payHere(payouts))).toEqual(payouts.map(() => 'again'));
		expect(await amountsPaid(given().stack)).toHaveLength(20);
	});
}
