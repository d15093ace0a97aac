/**
 * The payments table of the example *pay once*: pairs of executions with the same keys at the same instant, in one process on
 * SQLite and on two workers with PostgreSQL; and n8n killed with SIGKILL while a list is paid.
 */
import { payInPairs } from '../payments/pairs.ts';
import type { PaymentFigures, PaymentLine } from '../payments/lines.ts';
import { judged } from '../payments/lines.ts';
import { withStack } from '../payments/payer.ts';
import { judgedByTable, publishTablePayer } from '../payments/paymentsTable.ts';
import { FULL as FULL_KILLS, payAndKill, SHORT as SHORT_KILLS } from './paymentKills.ts';
import { payOnWorkers, ROUNDS, withTwoWorkers } from './queuePairs.ts';

/** Pairs of each round. */
const FULL = 250;
const SHORT = 5;

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const pairs = short ? SHORT : FULL;
	const rounds = ROUNDS.map((round) => ({ ...round, publish: publishTablePayer }));
	const onWorkers = await withTwoWorkers(async (stack, workers) => {
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
		judged([await payAndKill(stack, short ? SHORT_KILLS : FULL_KILLS, publishTablePayer)]),
	);
	const all = [onWorkers, inOneProcess, killed];
	const lines = all.flatMap((figures) => figures.lines);
	return {
		lines: lines.map((line) => ({ ...line, what: `payments table: ${line.what}` })),
		misses: all.flatMap(({ misses }) => misses),
	};
}
