/** Agents and callers of sub-workflows that ask for the same payment again, by its key. */
import { itemsOf } from '../../host/n8n/client.ts';
import { startModel } from '../../host/doubles/scriptedModel.ts';
import type { Stack } from '../../host/stack.ts';
import { askAgent, saveAgent } from '../payments/agent.ts';
import { makePayments, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { figuresOf, judged } from '../shared/paymentLines.ts';
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import {
	bodyOf,
	BY_KEY,
	credentialsOf,
	PAY_OUT,
	ROUTE,
	WEBHOOK,
	withStack,
} from '../../bench/shared/payments/payer.ts';
import { elementAt, tally } from '../../bench/shared/lists.ts';
import { ACTION_NODE, chain, node } from '../../bench/shared/workflowParts.ts';

/** Calls of each kind. */
const FULL = 50;
const SHORT = 10;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const calls = short ? SHORT : FULL;
	return await withStack(async (stack) =>
		judged([await callByAgents(stack, calls), await callSubWorkflows(stack, calls)]),
	);
}

/** Each agent makes five calls with two keys, in the same turn and in later ones; every second agent repeats the one before. */
async function callByAgents(stack: Stack, calls: number): Promise<PaymentLine> {
	const model = await startModel();
	try {
		const workflow = await saveAgent(stack, model);
		const all: Payment[] = [];
		const answers: string[] = [];
		for (let agent = 0; answers.length < calls; agent += 1) {
			if (agent % 2 === 0) all.push(...makePayments(2));
			const [one, other] = [elementAt(all, all.length - 2), elementAt(all, all.length - 1)];
			answers.push(...(await askAgent(stack, workflow, model, [[one, one], [one], [other, one]])));
		}
		const said = answers.map((answer) =>
			answer.includes('"result":"alreadyPaid"')
				? 'alreadyPaid'
				: answer.includes('"result":"paid"')
					? 'paid'
					: answer.slice(0, 80),
		);
		const words = new Map(all.map((payment) => [payment, 'paid']));
		return {
			what: `${answers.length} calls by agents that repeat themselves`,
			...figuresOf(stack, all, words),
			more: `answers: ${tally(said)}`,
		};
	} finally {
		await model.stop();
	}
}

/**
 * A caller calls the sub-workflow once for each item, and two of its three items have the same key. The service fails one payment, so
 * the call fails and Retry On Fail makes all calls of the caller again. Then the caller runs again.
 */
async function callSubWorkflows(stack: Stack, calls: number): Promise<PaymentLine> {
	const { client, control, sandbox } = stack;
	const payOut = node(PAY_OUT, ACTION_NODE, BY_KEY, { credentials: credentialsOf(stack) });
	const called = await client.saveWorkflow({
		name: 'Sub-workflow that pays by key',
		nodes: [node('Called', 'n8n-nodes-base.executeWorkflowTrigger', { inputSource: 'passthrough' }), payOut],
		connections: chain(['Called', PAY_OUT]),
	});
	await client.publish(called);
	const nodes = [
		node(WEBHOOK, 'n8n-nodes-base.webhook', { path: 'calls', httpMethod: 'POST', options: {} }),
		node('One item each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.payments', options: {} }),
		node(
			'Call',
			'n8n-nodes-base.executeWorkflow',
			{ workflowId: { __rl: true, mode: 'id', value: called.id }, mode: 'each', options: {} },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		),
	];
	const caller = await client.saveWorkflow({
		name: 'Caller that repeats itself',
		nodes,
		connections: chain(nodes.map(({ name }) => name)),
	});
	const all: Payment[] = [];
	const words = new Map<Payment, string>();
	const said: string[] = [];
	const countCalls = () => client.rest<{ count: number }>('GET', countPath(called.id));
	for (let made = 0; made < calls; made = (await countCalls()).count) {
		const payments = makePayments(2);
		all.push(...payments);
		const [one, other] = [elementAt(payments, 0), elementAt(payments, 1)];
		await control('POST', '/faults', { route: ROUTE, skip: 1, status: 422 });
		for (let run = 0; run < 2; run += 1) {
			const items = [{ body: bodyOf([one, other, one]) }];
			const execution = await client.ended(await client.startByHand(caller.id, WEBHOOK, items));
			const given = itemsOf(execution, 'Call').map(wordOf);
			said.push(...given);
			if (given.length !== 3) said.push(`${execution.status}: ${execution.data.resultData.error?.message}`);
		}
		sandbox.service.faults.clear();
		for (const payment of payments) words.set(payment, 'paid');
	}
	return {
		what: `${(await countCalls()).count} calls of a sub-workflow, repeated by items, retries and runs`,
		...figuresOf(stack, all, words),
		more: `answers: ${tally(said)}`,
	};
}

/** One page of the list of executions tells how many there are. */
function countPath(workflowId: string): string {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	return `/executions?filter=${filter}&limit=1`;
}
