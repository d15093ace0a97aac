import type { Stack } from '../../host/stack.ts';
import type { Bench, Options, Report } from '../results.ts';
import { elementAt, entryOf } from '../shared/lists.ts';
import { machineTime, processorTime } from '../shared/processorTime.ts';
import { median } from '../shared/statistics.ts';
import { payList, prepareMeter, WITHOUT, withKeys } from './keyCostMeter.ts';
import type { Cost, List, Rerun } from './keyCostMeter.ts';
import { withStack } from '../shared/payments/payer.ts';

interface Size {
	/** Keys that are remembered before each execution. */
	remembered: number[];
	lists: Array<{ length: number; rounds: number }>;
	answersMs: number[];
	/** Paid keys that run again, and how often. */
	rerun: { length: number; rounds: number; remembered: number[] };
}

const FULL: Size = {
	remembered: [0, 1000, 10_000],
	lists: [
		{ length: 1, rounds: 5 },
		{ length: 20, rounds: 5 },
		{ length: 100, rounds: 2 },
	],
	answersMs: [0, 50, 200],
	rerun: { length: 1000, rounds: 3, remembered: [1000, 10_000] },
};
export const SHORT: Size = {
	remembered: [0, 1000],
	lists: [
		{ length: 1, rounds: 1 },
		{ length: 5, rounds: 1 },
	],
	answersMs: [0, 50],
	rerun: { length: 20, rounds: 1, remembered: [20, 1000] },
};

/** Milliseconds of a payment, of a re-run, and of n8n answering nobody. */
const MOST = { payment: 130, rerun: 10_000, blocked: 100 };
/** The list and the answer to which the target for a payment belongs. */
const AT_ONCE: List = { length: 20, answerMs: 0 };
const SLOW_MS = 200;
const FEW = 1000;

const title = 'Payment Key';
const how = `Fiat payouts by webhook through one n8n (SQLite) to the sandbox, which answers after the time that the heading says. A workflow without a key
and workflows with one, whose record holds as many paid keys as the row says before each execution, pay such lists in turns, in changing order
(rounds: ${FULL.lists.map(({ length, rounds }) => `${rounds} for lists of ${length}`).join(', ')}). Figures are medians: the time of the node for each payment (the fastest round beside it, because the machine may be busy), and the ratio of the rate with a key to the rate without one in
the same round. Bytes are what n8n's process writes (files and sockets) above what it writes without a key; each write of SQLite counts twice, because
the log and then the file are written. A re-run goes from the call of the webhook to its answer; meanwhile another process asks n8n for \`/healthz\` every 10 ms.`;

async function run(report: Report, { short }: Options): Promise<void> {
	await withStack(async (stack) => await measure(stack, report, short ? SHORT : FULL));
}

export const keyBench: Bench = { title, how, run };

/** Throws if a payment does not come out as it should. */
export async function measure(stack: Stack, report: Report, size: Size): Promise<void> {
	const before = { machine: machineTime(), n8n: processorTime(stack.n8n) };
	const meter = await prepareMeter(stack, size.remembered);
	for (const { length, rounds } of size.lists) {
		for (const answerMs of size.answersMs) {
			const list = { length, answerMs };
			const answers = answerMs === 0 ? 'at once' : `after ${answerMs} ms`;
			report.group(`A list of ${length}; the service answers ${answers}`);
			const costs = await meter(list, rounds);
			report.row({ what: WITHOUT, figure: timesOf(costs, WITHOUT) });
			for (const remembered of size.remembered) reportWithKeys(report, list, costs, remembered);
		}
	}
	await measureReruns(stack, report, size.rerun);
	const { machine, n8n } = { machine: machineTime(), n8n: processorTime(stack.n8n) };
	const share = (used = 0, from = 0) =>
		Math.round((100 * (used - from)) / (machine.all - before.machine.all));
	report.note(
		`The processors were ${share(machine.busy, before.machine.busy)} % busy meanwhile, with this n8n ${share(n8n, before.n8n)} %. What else runs makes writes slower, and a pause is four times as long as the slowest of the last writes.`,
	);
}

type Rounds = Array<Record<string, Cost>>;

function middle(rounds: Rounds, contender: string): number {
	return median(rounds.map((costs) => entryOf(costs, contender).milliseconds));
}

function timesOf(rounds: Rounds, contender: string): string {
	const fastest = Math.min(...rounds.map((costs) => entryOf(costs, contender).milliseconds));
	return `${middle(rounds, contender).toFixed(0)} ms a payment (fastest ${fastest.toFixed(0)})`;
}

function reportWithKeys(report: Report, list: List, rounds: Rounds, remembered: number): void {
	const what = withKeys(remembered);
	const perPayment = middle(rounds, what);
	const ratio = median(
		rounds.map((costs) => entryOf(costs, WITHOUT).milliseconds / entryOf(costs, what).milliseconds),
	);
	const more = rounds.flatMap((costs) => {
		const [one, other] = [entryOf(costs, what).bytes, entryOf(costs, WITHOUT).bytes];
		return one === undefined || other === undefined ? [] : [one - other];
	});
	const bytes = more.length === 0 ? '' : `, ${(median(more) / 1e6).toFixed(2)} MB more written`;
	report.row({
		what,
		figure: `${timesOf(rounds, what)}, ${ratio.toFixed(2)} of the rate without${bytes}`,
		...targetFor(list, remembered, perPayment, ratio),
	});
}

function targetFor({ length, answerMs }: List, remembered: number, perPayment: number, ratio: number) {
	if (length === AT_ONCE.length && answerMs === AT_ONCE.answerMs)
		return { target: `<= ${MOST.payment} ms`, met: perPayment <= MOST.payment };
	if (answerMs !== SLOW_MS || length === 1) return {};
	const least = remembered <= FEW ? 0.9 : 0.8;
	return { target: `>= ${least} of the rate`, met: ratio >= least };
}

async function measureReruns(
	stack: Stack,
	report: Report,
	{ length, rounds, remembered }: Size['rerun'],
): Promise<void> {
	const keys = length.toLocaleString('en');
	report.group(`${keys} paid keys run again`);
	const list = await payList(stack, length);
	const contenders = new Map<string, () => Promise<Rerun>>([['as a dry run', list.dryRun]]);
	for (const count of remembered)
		contenders.set(`${count.toLocaleString('en')} remembered`, async () => await list.rerun(count));
	const figures = new Map<string, Rerun[]>();
	for (let round = 0; round < rounds; round += 1)
		for (const [what, measureOne] of contenders)
			figures.set(what, [...(figures.get(what) ?? []), await measureOne()]);
	for (const [what, runs] of figures) {
		const time = median(runs.map(({ milliseconds }) => milliseconds));
		// n8n's own share has no target.
		const isDry = what === elementAt([...contenders.keys()], 0);
		report.row({
			what,
			figure: `${(time / 1000).toFixed(1)} s`,
			...(!isDry && { target: `<= ${MOST.rerun / 1000} s`, met: time <= MOST.rerun }),
		});
		const blocked = runs.map((each) => each.blocked);
		const longest = Math.max(...blocked);
		report.row({
			what: `${what}: the longest time that n8n answers nobody`,
			figure: `${longest.toFixed(0)} ms in ${rounds} runs (median ${median(blocked).toFixed(0)} ms)`,
			...(!isDry && { target: `<= ${MOST.blocked} ms`, met: longest <= MOST.blocked }),
		});
	}
}
