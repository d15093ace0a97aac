/** Two executions with the same keys at the same instant. */
import type { Stack } from '../../host/stack.ts';
import { tally } from '../../bench/shared/lists.ts';
import { makePayments, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import type { PaymentLine } from '../shared/paymentLines.ts';
import { pay, publishPayer } from '../../bench/shared/payments/payer.ts';
import { figuresOf } from '../shared/paymentLines.ts';
import type { Payer, PayerOptions } from '../../bench/shared/payments/payer.ts';
import { node } from '../../bench/shared/workflowParts.ts';

const EXECUTION = 'Execution';

export interface PairOptions {
	/** Payments of each execution. The second execution of a pair has them in reverse order. */
	keys?: number;
	/** Pairs that are paid at the same time. */
	together?: number;
	/** Publishes the workflow that pays; by default one with the node and its Payment Key. */
	publish?: (stack: Stack, name: string, options: PayerOptions) => Promise<Payer>;
}

export interface Pairs {
	line: PaymentLine;
	/** The ids of the two executions of each pair. */
	executions: Array<[string, string]>;
}

/** Starts each pair by two calls of a webhook that leave at the same time. In the end one more execution pays all keys. */
export async function payInPairs(
	stack: Stack,
	pairs: number,
	{ keys = 2, together = 1, publish = publishPayer }: PairOptions = {},
): Promise<Pairs> {
	const payer = await publish(stack, 'Paid by key, in pairs', {
		after: [
			node(EXECUTION, 'n8n-nodes-base.set', {
				assignments: {
					assignments: [{ id: 'id', name: 'execution', type: 'string', value: '={{ $execution.id }}' }],
				},
				includeOtherFields: true,
				options: {},
			}),
		],
	});
	const all: Payment[] = [];
	const said: string[] = [];
	const executions: Array<[string, string]> = [];
	const reasons: string[] = [];
	const payPair = async () => {
		const payments = makePayments(keys);
		all.push(...payments);
		const [one, other] = await Promise.all([
			pay(stack.n8n, payer, payments),
			pay(stack.n8n, payer, payments.toReversed()),
		]);
		for (const index of payments.keys()) {
			const both = [wordOf(one[index] ?? {}), wordOf(other[keys - 1 - index] ?? {})];
			said.push(both.toSorted().join(' and '));
		}
		for (const { error } of [...one, ...other]) {
			const { message = '' } = (error ?? {}) as { message?: string };
			if (message !== '') reasons.push(message.replace(/invoice-\d+/, '…'));
		}
		if (executions.length % 25 === 24) process.stderr.write(`${executions.length + 1} of ${pairs} pairs\n`);
		executions.push([String(one[0]?.execution), String(other[0]?.execution)]);
	};
	let left = pairs;
	const payNext = async () => {
		while (left > 0) {
			left -= 1;
			await payPair();
		}
	};
	await Promise.all(Array.from({ length: together }, payNext));
	// Each key once more: a claim that got lost would be paid again.
	const items = await pay(stack.n8n, payer, all);
	const words = new Map(all.map((payment, index) => [payment, wordOf(items[index] ?? {})]));
	process.stderr.write(`Reasons: ${tally(reasons)}\n`);
	const atOnce = together === 1 ? '' : `, ${together} pairs at a time`;
	return {
		line: {
			what: `${pairs} pairs of executions with the same ${keys === 1 ? 'key' : `${keys} keys`}${atOnce}`,
			...figuresOf(stack, all, words),
			more: `the two said: ${tally(said)}; a third one later: ${tally([...words.values()])}`,
		},
		executions,
	};
}
