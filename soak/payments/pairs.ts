/** Executions with the same keys at the same instant, by calls of a webhook that leave together. */
import type { Json } from '../../host/n8n/client.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import type { Stack } from '../../host/stack.ts';
import { tally } from '../../host/testkit/lists.ts';
import { pay, payInParts, publishPayer, type Payment } from '../../host/testkit/payments.ts';
import { paymentRows, publishBookPayer, type PaymentRow } from '../../host/testkit/book.ts';
import { node, textFields } from '../../host/testkit/workflows.ts';
import { judged, type PaymentFigures } from '../shared/figures.ts';
import { Book } from './book.ts';

interface PairSize {
	pairs: number;
	/** Payments of each execution. Every second execution has them in reverse order. */
	keys: number;
	/** Pairs that are paid at the same time. */
	together: number;
	/** Of a pair, if it is more than a pair. */
	executions?: number;
	/** The executions want this many amounts for each key. Only one of them may be paid. */
	amounts?: number;
	/** Whether the example *pay once* pays, instead of the node alone. */
	byExample?: boolean;
}

type Said = Map<string, string[]>;

const fields = textFields({ execution: '={{ $execution.id }}' });
const EXECUTION_ID = node('Execution', 'set', { ...fields, includeOtherFields: true, options: {} });

/** In the end all keys are paid once more. `queue`: tells which worker an execution ran on. */
export async function payInPairs(
	stack: Stack,
	{ pairs, keys, together, executions = 2, amounts = 1, byExample = false }: PairSize,
	queue?: Pick<Queue, 'workers'>,
): Promise<PaymentFigures> {
	const publish = byExample ? publishBookPayer : publishPayer;
	const payer = await publish(stack, 'Paid in pairs', { after: [EXECUTION_ID] });
	const book = new Book(stack);
	/** The payments with the first amount of their key, with the second one, and so on. */
	const wanted: Payment[][] = Array.from({ length: amounts }, () => []);
	const ids: string[][] = [];
	/** By key, what the executions of its pair have said, and what the last one has. */
	const atOnce: Said = new Map();
	const inTheEnd: Said = new Map();
	const hear = (when: string, said: Said, payments: Payment[], items: Json[]) => {
		const words = book.hear(when, payments, items);
		for (const [index, { key }] of payments.entries())
			said.set(key, [...(said.get(key) ?? []), words[index]!]);
	};
	let left = pairs;
	const payNext = async () => {
		while (left > 0) {
			left -= 1;
			const first = book.want(keys);
			const lists = wanted.map((all, index) => {
				const list = index === 0 ? first : book.want(keys, first);
				all.push(...list);
				return list;
			});
			const answers = await Promise.all(
				Array.from({ length: executions }, async (_, index) => {
					const inOrder = lists[index % lists.length]!;
					const list = index % 2 === 0 ? inOrder : inOrder.toReversed();
					const items = await pay(stack.n8n, payer, list);
					hear('at once', atOnce, list, items);
					return String(items[0]?.execution);
				}),
			);
			ids.push(answers);
		}
	};
	await Promise.all(Array.from({ length: together }, payNext));
	// Each key once more: a claim that got lost would be paid again.
	for (const list of wanted) hear('once more', inTheEnd, list, await payInParts(stack.n8n, payer, list));
	const others = [
		'alreadyPaid',
		...(amounts > 1 ? ['notSent'] : []),
		...(queue === undefined ? [] : ['unknown']),
	];
	const where = queue === undefined ? 'in one process' : `on ${queue.workers.length} workers`;
	const howMany = executions === 2 ? `${pairs} pairs` : `${pairs} times ${executions} executions`;
	return book.figures(
		`${howMany} with the same ${keys} keys${amounts > 1 ? ` and ${amounts} amounts` : ''}, ${together} at a time, ${where}${byExample ? ', by pay once' : ''}`,
		{
			'keys with wrong answers': countWrong(atOnce, 'paid', others),
			'keys with wrong answers in the end': countWrong(inTheEnd, 'alreadyPaid', ['notSent']),
		},
		queue === undefined ? [] : [`${countApart(queue, ids)} on different workers`],
	);
}

/** Of how many keys not one answer is this word, and each other one of those. */
function countWrong(said: Said, word: string, others: string[]): number {
	return [...said.values()].filter((words) => {
		const rest = words.filter((each) => each !== word);
		return words.length - rest.length !== 1 || !rest.every((each) => others.includes(each));
	}).length;
}

/** How many of these executions that were paid together ran on more than one worker. */
function countApart({ workers }: Pick<Queue, 'workers'>, ids: string[][]): number {
	const finished = workers.map(
		(worker) => new Set([...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id)),
	);
	const workerOf = (id: string) => finished.findIndex((each) => each.has(id));
	return ids.filter((together) => new Set(together.map(workerOf)).size > 1).length;
}

/** After pairs in a new n8n: each key has a row with the ID of its payment. */
export async function figuresOfTable(stack: Stack): Promise<PaymentFigures> {
	const rows = await paymentRows(stack);
	const keys = [...Map.groupBy(rows, ({ paymentKey }) => paymentKey).values()];
	const hasPayment = ({ result, payoutId }: PaymentRow) => result === 'paid' && Boolean(payoutId);
	const wrong = {
		'keys with no row or two rows that have the payment': keys.filter(
			(same) => same.filter(hasPayment).length !== 1,
		).length,
	};
	const more = `results: ${tally(rows.map(({ result }) => String(result)))}`;
	return judged({ what: 'the book after all pairs', more }, wrong);
}
