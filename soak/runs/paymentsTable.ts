/**
 * The payments table of the example *pay once*: pairs of executions with the same keys at the same instant, in one process on
 * SQLite and on two workers with PostgreSQL; and n8n killed with SIGKILL while a list is paid.
 */
import type { Stack } from '../../host/stack.ts';
import { makePayments, wordOf } from '../../bench/shared/payments/paymentComparison.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';
import { payInPairs } from '../payments/pairs.ts';
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import { figuresOf, judged } from '../shared/paymentLines.ts';
import { pay, withStack } from '../../bench/shared/payments/payer.ts';
import { judgedByTable, publishTablePayer } from '../payments/paymentsTable.ts';
import { tally } from '../../bench/shared/lists.ts';
import { killWhilePaying } from './paymentKills.ts';
import { withQueue } from '../payments/stacks.ts';
import { payOnWorkers, ROUNDS } from './queuePairs.ts';

/** Pairs of each round. */
const FULL = 250;
const SHORT = 5;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const pairs = short ? SHORT : FULL;
	const rounds = ROUNDS.map((round) => ({ ...round, publish: publishTablePayer }));
	const onWorkers = await withQueue(async (stack, { workers }) => {
		const lines: PaymentLine[] = [];
		for (const round of rounds) lines.push(await payOnWorkers(stack, workers, pairs, round));
		return await judgedByTable(stack, lines);
	});
	const inOneProcess = await withStack(async (stack) => {
		const lines: PaymentLine[] = [];
		for (const round of rounds) {
			const { line } = await payInPairs(stack, pairs, round);
			lines.push({ ...line, what: `${line.what}, in one process` });
		}
		return await judgedByTable(stack, lines);
	});
	const killed = await withStack(async (stack) =>
		judged([await payAndKill(stack, short ? { kills: 1, batch: 12 } : { kills: 20, batch: 30 })]),
	);
	const all = [onWorkers, inOneProcess, killed];
	const lines = all.flatMap((figures) => figures.lines);
	return {
		lines: lines.map((line) => ({ ...line, what: `payments table: ${line.what}` })),
		misses: all.flatMap(({ misses }) => misses),
	};
}

/** Milliseconds that the service takes: a kill often finds a request under way. */
const ANSWER_MS = 60;

/** Kills n8n while a list is paid, and pays the list again. Leaves n8n killed. */
async function payAndKill(
	stack: Stack,
	{ kills, batch }: { kills: number; batch: number },
): Promise<PaymentLine> {
	const payer = await publishTablePayer(stack, 'Paid by the table, killed');
	const words = new Map<Payment, string>();
	let current = stack;
	try {
		for (let killed = 0; killed < kills; killed += 1) {
			const payments = makePayments(batch);
			current = await killWhilePaying(current, [{ payer, payments }], ANSWER_MS);
			const items = await pay(current.n8n, payer, payments);
			process.stderr.write(`${killed + 1} of ${kills} kills\n`);
			for (const [index, payment] of payments.entries()) words.set(payment, wordOf(items[index] ?? {}));
		}
	} finally {
		await current.n8n.kill();
	}
	return {
		what: `${kills} SIGKILLs of n8n in mid-list, then the same list again`,
		...figuresOf(stack, [...words.keys()], words),
		more: `last said: ${tally([...words.values()])}`,
	};
}
