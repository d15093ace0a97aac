import type { Bench, Options, Report } from '../results.ts';
import { BATCH, EXECUTIONS, measureKeyCost } from './keyCostMeter.ts';
import { withStack } from './payer.ts';

const title = 'Payment Key';
const how = `Fiat payouts by webhook through one n8n (SQLite) to the sandbox, alone and in lists of ${BATCH}. n8n's record of the node holds as many
keys as the table says before each execution. Figures are medians of ${EXECUTIONS.full} executions: the time of the node for each payout.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const executions = short ? EXECUTIONS.short : EXECUTIONS.full;
	for (const { what, single, batch } of await withStack(
		async (stack) => await measureKeyCost(stack, executions),
	))
		report.row({ what, figure: `${single.toFixed(0)} ms alone, ${batch.toFixed(0)} ms in a list` });
}

export const keyBench: Bench = { title, how, run };
