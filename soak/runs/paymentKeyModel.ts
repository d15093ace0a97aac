/**
 * The model run of Payment Keys, in this process, without n8n: two executions pay lists with the published code in all schedules,
 * with a kill or a failed write at every step. What the service did says what is right.
 */
import type { PaymentFigures, PaymentLine } from '../shared/paymentLines.ts';
import { runScenario } from '../payments/model/modelRun.ts';
import type { ModelFigures } from '../payments/model/modelRun.ts';
import { ONE_PROCESS, SLOW_WRITES, TWO_PROCESSES } from '../payments/model/scenarios.ts';
import { paymentCode } from '../../bench/shared/publishedCode.ts';

/** States of a scenario. A search that is cut says so. */
const MOST = { short: 1_000, full: 100_000 };

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const code = paymentCode();
	const maxStates = short ? MOST.short : MOST.full;
	const lines: PaymentLine[] = [];
	const misses: string[] = [];
	const scenarios = [ONE_PROCESS, TWO_PROCESSES].flatMap(({ oneKey, twoKeys }) => [...oneKey, ...twoKeys]);
	for (const scenario of scenarios) {
		const figures = await runScenario(code, scenario, { maxStates });
		lines.push(lineOf(figures));
		for (const { what, ends, trace } of figures.broken) {
			misses.push(`${scenario.name}: ${what} in ${ends} ends`);
			process.stdout.write(`${scenario.name}: ${what}\n  ${trace.join('\n  ')}\n`);
		}
	}
	const slow = await runScenario(code, SLOW_WRITES, { maxStates });
	lines.push(lineOf(slow));
	if (!slow.broken.some(({ what }) => what.startsWith('a:')))
		misses.push('The model does not find that a slow write pays twice');
	return { lines, misses };
}

function lineOf(figures: ModelFigures): PaymentLine {
	const { states, isComplete, ends, seconds, broken, paidSaysUnknown, freeIsBlocked, madeUnknown } = figures;
	const wrong = broken.map(({ what, ends: count }) => `, broken in ${count}: ${what}`).join('');
	return {
		what: figures.name,
		more: [
			`${states} states${isComplete ? '' : ' (cut)'}`,
			`${ends} ends`,
			`paid says unknown in ${paidSaysUnknown.ends}`,
			`free is blocked in ${freeIsBlocked.ends}`,
			`at most ${madeUnknown.most} keys made unknown`,
			`sent by a decision left in place in ${figures.sentByDecision}`,
			`${seconds.toFixed(1)} s${wrong}`,
		].join(', '),
	};
}
