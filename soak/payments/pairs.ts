/** Two executions with the same keys at the same instant, by two calls of a webhook that leave together. */
import type { Queue } from '../../host/n8n/queue.ts';
import type { Stack } from '../../host/stack.ts';
import { payInParts, pay, publishPayer } from '../../bench/shared/payments/payer.ts';
import { node } from '../../bench/shared/workflowParts.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { Book } from './book.ts';
import { publishTablePayer } from './paymentsTable.ts';

export interface PairSize {
	pairs: number;
	/** Payments of each execution. The second execution of a pair has them in reverse order. */
	keys: number;
	/** Pairs that are paid at the same time. */
	together: number;
	/** Whether the example *pay once* pays, instead of the node with its Payment Key. */
	byTable?: boolean;
}

const EXECUTION_ID = node('Execution', 'n8n-nodes-base.set', {
	assignments: {
		assignments: [{ id: 'id', name: 'execution', type: 'string', value: '={{ $execution.id }}' }],
	},
	includeOtherFields: true,
	options: {},
});

/** In the end one more execution pays all keys. `queue`: tells which worker an execution ran on. */
export async function payInPairs(
	stack: Stack,
	{ pairs, keys, together, byTable = false }: PairSize,
	queue?: Pick<Queue, 'workers'>,
): Promise<PaymentFigures> {
	const publish = byTable ? publishTablePayer : publishPayer;
	const payer = await publish(stack, 'Paid in pairs', { after: [EXECUTION_ID] });
	const book = new Book(stack);
	const executions: Array<[string, string]> = [];
	let left = pairs;
	const payNext = async () => {
		while (left > 0) {
			left -= 1;
			const payments = book.want(keys);
			const reversed = payments.toReversed();
			const [one, other] = await Promise.all([
				pay(stack.n8n, payer, payments),
				pay(stack.n8n, payer, reversed),
			]);
			book.hear('one', payments, one);
			book.hear('the other', reversed, other);
			executions.push([String(one[0]?.execution), String(other[0]?.execution)]);
		}
	};
	await Promise.all(Array.from({ length: together }, payNext));
	// Each key once more: a claim that got lost would be paid again.
	book.hear('a third one later', book.payments, await payInParts(stack.n8n, payer, book.payments));
	const where = queue === undefined ? 'in one process' : 'on two workers';
	return book.figures(
		`${pairs} pairs with the same ${keys} keys, ${together} at a time, ${where}${byTable ? ', by the payments table' : ''}`,
		{},
		queue === undefined ? [] : [`${countApart(queue, executions)} pairs on different workers`],
	);
}

function countApart({ workers }: Pick<Queue, 'workers'>, executions: Array<[string, string]>): number {
	const finished = workers.map(
		(worker) => new Set([...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id)),
	);
	const workerOf = (id: string) => finished.findIndex((ids) => ids.has(id));
	return executions.filter(([one, other]) => workerOf(one) !== workerOf(other)).length;
}
