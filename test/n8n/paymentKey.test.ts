/** Payment Key in a real n8n: a payment with the same key is made once in all executions together. */
import { randomUUID } from 'node:crypto';
import { itemsOf } from '../../host/n8n/client.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { amountsPaid, payoutOf, list, LISTED, pay, payOnceNode } from '../../host/testkit/payments.ts';
import { renewForEachTest, useStack } from './setup.ts';
import { calls, connect, inLine, node } from '../../host/testkit/workflows.ts';

const stack = useStack();

renewForEachTest(stack);

const paid = () => amountsPaid(stack);

/** What the items of `payOnceNode` say: `paid 10`, `again invoice-1 10` or the outcome of a failure. */
function said(items: Json[]): string[] {
	return items.map(({ alreadyPaid, paymentKey, amount, error }) => {
		if (error !== undefined) return String((error as Json).outcome);
		return alreadyPaid === true ? `again ${String(paymentKey)} ${String(amount)}` : `paid ${String(amount)}`;
	});
}

/** A published workflow that pays by key what its webhook receives, or what another workflow hands over. */
async function publishPayer(name: string) {
	const path = randomUUID();
	const answer = { responseMode: 'lastNode', responseData: 'allEntries', options: {} };
	const workflow = await stack.client.saveWorkflow({
		name,
		nodes: [
			node('Webhook', 'webhook', { path, httpMethod: 'POST', ...answer }, { webhookId: path }),
			node('One item each', 'splitOut', { fieldToSplitOut: 'body.payments', options: {} }),
			node('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' }),
			payOnceNode(stack, { id: randomUUID() }),
		],
		connections: connect('Webhook -> One item each -> Pay out', 'Called -> Pay out'),
	});
	await stack.client.publish(workflow);
	return {
		workflow,
		/** Production: a call of the webhook. Returns the items of the answer. */
		call: async (payouts: string[]) => await pay(stack.n8n, { path, workflow }, payouts.map(payoutOf)),
		/** By hand, as in the editor, with the output of the webhook's trigger. */
		byHand: async (payouts: string[]) => {
			const items = [{ body: { payments: payouts.map(payoutOf) } }];
			return await stack.client.ended(await stack.client.startByHand(workflow.id, 'Webhook', items));
		},
	};
}

const PAYOUTS = ['1 supplier-main a', '2 supplier-main b'];
const PAID_BEFORE = ['again a 1', 'again b 2'];
const PAID_ROW = {
	result: 'alreadyPaid',
	alreadyPaid: true,
	currency: 'NGN',
	accountAlias: 'supplier-main',
};

test('a key is paid once, by production runs, runs by hand and calls from another workflow', async () => {
	const { workflow, call, byHand } = await publishPayer('Pays by key');
	expect(said(await call(PAYOUTS))).toEqual(['paid 1', 'paid 2']);
	expect(await call(PAYOUTS)).toEqual([
		{ ...PAID_ROW, paymentKey: 'a', amount: '1' },
		{ ...PAID_ROW, paymentKey: 'b', amount: '2' },
	]);
	expect(said(itemsOf(await byHand([...PAYOUTS, '3 supplier-main c']), 'Pay out'))).toEqual([
		...PAID_BEFORE,
		'paid 3',
	]);
	const { id } = await stack.client.saveWorkflow({
		name: 'Calls what pays by key',
		nodes: [
			...list([...PAYOUTS, '3 supplier-main c', '4 supplier-main d', '4 supplier-main d']),
			node('Call', 'executeWorkflow', { ...calls(workflow), mode: 'each', options: {} }),
		],
		connections: connect(`${LISTED} -> Call`),
	});
	const called = await stack.client.runByHand(id, 'Start');
	expect(said(itemsOf(called, 'Call'))).toEqual([...PAID_BEFORE, 'again c 3', 'paid 4', 'again d 4']);
	expect(said(await call(['4 supplier-main d']))).toEqual(['again d 4']);
	expect(paid()).toEqual(['1', '2', '3', '4']);
});

test('n8n runs no workflow that was never saved, so no key is used in one', async () => {
	const workflowData = {
		name: 'Never saved',
		nodes: [...list(PAYOUTS), payOnceNode(stack)],
		connections: connect(`${LISTED} -> Pay out`),
	};
	for (const path of ['/workflows/run', '/workflows/new/run', '/workflows/undefined/run']) {
		const run = stack.client.rest('POST', path, { workflowData, triggerToStartFrom: { name: 'Start' } });
		await expect(run).rejects.toThrow(/404/);
	}
	expect(paid()).toEqual([]);
});

/** Removes duplicates, or clears what is known of them, in the table that has the keys too. */
const removeDuplicates = (scope: string, operation: string) =>
	node(`${operation} ${scope}`, 'removeDuplicates', {
		operation,
		...(operation === 'clearDeduplicationHistory'
			? { mode: 'cleanDatabase' }
			: { logic: 'removeItemsWithAlreadySeenKeyValues', dedupeValue: '={{ $json.key }}' }),
		options: { scope },
	});

/** What is run twice: the payouts, the nodes after them, and their connections. */
const RUN_TWICE: Array<[string, string[], () => WorkflowNode[], string[]]> = [
	[
		'a loop',
		['1 supplier-main a', '2 supplier-main b', '1 supplier-main a'],
		() => [node('Loop', 'splitInBatches', { batchSize: 1, options: {} }), payOnceNode(stack)],
		['One item each -> Loop', 'Loop:1 -> Pay out -> Loop'],
	],
	[
		'a sub-workflow that is JSON text inside the calling workflow',
		PAYOUTS,
		() => {
			const nodes = [
				node('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' }),
				payOnceNode(stack),
			];
			const workflowJson = JSON.stringify({ nodes, connections: inLine(nodes) });
			const call = { source: 'parameter', workflowJson, mode: 'once', options: {} };
			return [node('Pay out', 'executeWorkflow', call)];
		},
		['One item each -> Pay out'],
	],
	[
		'a node beside those of Remove Duplicates that clear their data in either scope',
		PAYOUTS,
		() => [
			payOnceNode(stack),
			...['node', 'workflow'].flatMap((scope) => [
				removeDuplicates(scope, 'removeItemsSeenInPreviousExecutions'),
				removeDuplicates(scope, 'clearDeduplicationHistory'),
			]),
		],
		[
			'Pay out',
			'removeItemsSeenInPreviousExecutions node',
			'clearDeduplicationHistory node',
			'removeItemsSeenInPreviousExecutions workflow',
			'clearDeduplicationHistory workflow',
		].map((name) => `One item each -> ${name}`),
	],
];

test.each(RUN_TWICE)('%s pays its keys once in two runs', async (name, payouts, nodes, connections) => {
	const { id } = await stack.client.saveWorkflow({
		name,
		nodes: [...list(payouts), ...nodes()],
		connections: connect(LISTED, ...connections),
	});
	const run = async () => {
		const execution = await stack.client.runByHand(id, 'Start');
		expect(execution.data.resultData.error?.message).toBeUndefined();
		return said(itemsOf(execution, 'Pay out'));
	};
	const again = payouts.map((payout) =>
		PAID_BEFORE.find((words) => words.startsWith(`again ${payout.at(-1)}`)),
	);
	expect(await run()).toEqual(['paid 1', 'paid 2', ...again.slice(2)]);
	expect(await run()).toEqual(again);
	expect(paid()).toEqual(['1', '2']);
});
