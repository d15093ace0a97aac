/**
 * The model run of Payment Keys, in this process, without n8n: two executions pay lists with the published code in all schedules,
 * up to a number of states. Most scenarios have a kill or a failed write at every step. What the service did says what is right.
 */
import { paymentCode } from '../../../bench/shared/publishedCode.ts';
import { runScenario } from './modelRun.ts';
import { ONE_PROCESS, SLOW_WRITES, TWO_PROCESSES } from './scenarios.ts';
import type { PaymentFigures } from '../../shared/figures.ts';

/** States of a scenario. A search that is cut says so. */
const MOST = { short: 1_000, full: 100_000 };

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	const figures: PaymentFigures = { lines: [], misses: [] };
	const search = async (scenario: typeof SLOW_WRITES) => {
		const maxStates = short ? MOST.short : MOST.full;
		const { states, isComplete, ends, broken, mostMadeUnknown } = await runScenario(paymentCode(), scenario, {
			maxStates,
		});
		const size = `${states} states${isComplete ? '' : ' (cut)'}, ${ends} ends`;
		const wrong = broken.map(({ what, ends: count }) => `, broken in ${count}: ${what}`).join('');
		const more = `${size}, at most ${mostMadeUnknown} keys made unknown${wrong}`;
		figures.lines.push({ what: scenario.name, more });
		return broken;
	};
	for (const scenario of [ONE_PROCESS, TWO_PROCESSES].flatMap((all) => [...all.oneKey, ...all.twoKeys]))
		for (const { what, ends, trace } of await search(scenario)) {
			figures.misses.push(`${scenario.name}: ${what} in ${ends} ends`);
			process.stdout.write(`${scenario.name}: ${what}\n  ${trace.join('\n  ')}\n`);
		}
	if (!(await search(SLOW_WRITES)).some(({ what }) => what.startsWith('a:')))
		figures.misses.push('The model does not find that a slow write pays twice');
	return figures;
}
