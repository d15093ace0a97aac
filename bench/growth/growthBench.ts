/** Whether deliveries and payouts slow down as n8n fills up, and the memory that deliveries leave behind. */
import { randomUUID } from 'node:crypto';
import { freePort } from '../../host/program.ts';
import { LOOP, OURS as OUR_ACTION, PAYOUT } from '../action/calls.ts';
import { startActionRunner } from '../action/actionRunner.ts';
import type { ActionRunner } from '../action/actionRunner.ts';
import type { Bench, Options, Report } from '../results.ts';
import { copyNewestExecution, countExecutions, countPublished } from '../shared/executions.ts';
import { inspectorOptions, memoryOf } from './inspector.ts';
import type { Memory } from './inspector.ts';
import { entryOf } from '../shared/lists.ts';
import { median, orderOfRound } from '../shared/statistics.ts';
import { KEEP_EXECUTIONS, LAZY_EXPRESSION_ENGINE, withTemporaryN8n } from '../shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { node, NULL_TRIGGER_NODE, publishWithEnd } from '../shared/workflowParts.ts';
import { NULL, OURS } from '../trigger/contenders.ts';
import { startRunner } from '../trigger/triggerRunner.ts';
import type { Runner } from '../trigger/triggerRunner.ts';

export interface Size {
	/** Published workflows in the instance; ascending. */
	workflows: number[];
	/** Stored executions; ascending. */
	executions: number[];
	rounds: number;
	milliseconds: number;
	/** In an execution. */
	payouts: number;
	/** Deliveries before the memory is read. */
	deliveries: number;
}

const FULL: Size = {
	workflows: [10, 100, 1000],
	executions: [100, 10_000, 100_000],
	rounds: 4,
	milliseconds: 3000,
	payouts: 100,
	deliveries: 20_000,
};
export const SHORT: Size = {
	workflows: [8, 10],
	executions: [100, 1000],
	rounds: 1,
	milliseconds: 300,
	payouts: 10,
	deliveries: 200,
};

const CONTENDERS = [OURS, NULL];
const PAYERS = [OUR_ACTION, LOOP] as const;
/** By default, n8n's expression engine takes most of the time and would hide the rest. */
const ENV = { ...KEEP_EXECUTIONS, ...LAZY_EXPRESSION_ENGINE };
const LOAD = { clients: 8 };
/** The smallest acceptable ratio to n8n's own part, which no node can keep from becoming slower. */
const FLAT = 0.9;
const MAX_MORE_MIB = 20;

const title = 'Growth';
const how = `Deliveries as in the bench of the trigger, with \`${Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('=')}\`, from ${LOAD.clients} clients, to our trigger and to the null trigger, ${FULL.rounds} rounds of
${FULL.milliseconds / 1000} s in changing order, and as many executions of ${FULL.payouts} payouts through our node and through Loop Over Items with HTTP Request. Memory is read first,
after a full garbage collection, in a fresh n8n for each trigger. Then with more and more published workflows in the instance, each a null trigger and a
No Operation node, then with more and more stored executions, copies of one delivery. Ratios are to the smallest number. n8n's database itself becomes slower as it
fills up, so the target is ${FLAT} of the ratio of n8n's own part, the null trigger or Loop Over Items with HTTP Request, and at most ${FLAT}.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	await measureMemory(report, size);
	await withTemporaryN8n((host) => measureGrowth(host, report, size), ENV);
}

export const growthBench: Bench = { title, how, run };

export async function measureGrowth(host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	const trigger = await startRunner(host);
	try {
		const action = await startActionRunner(host);
		try {
			await measureWith({ trigger, action }, host, report, size);
		} finally {
			await action.stop();
		}
	} finally {
		trigger.stop();
	}
}

async function measureWith(runners: Runners, host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	for (const name of CONTENDERS) await runners.trigger.measure(name, LOAD, size.milliseconds);
	for (const contender of PAYERS) await runners.action.measure(PAYOUT, contender, size.payouts);
	report.group('Published workflows');
	await compare(runners, report, size, size.workflows, (count) => publishUntil(host, count));
	report.group('Stored executions');
	await compare(runners, report, size, size.executions, async (count) => {
		// The newest execution is that of a delivery then.
		await runners.trigger.measure(OURS, { clients: 1 }, size.milliseconds);
		copyNewestExecution(host, count - countExecutions(host));
	});
}

interface Runners {
	trigger: Runner;
	action: ActionRunner;
}

/** Adds the figures of triggers and payouts at each of the counts, which `reach` brings about. */
async function compare(
	{ trigger, action }: Runners,
	report: Report,
	size: Size,
	counts: number[],
	reach: (count: number) => Promise<void>,
): Promise<void> {
	const first: Record<string, number> = {};
	for (const count of counts) {
		await reach(count);
		const rounds: Array<Record<string, number>> = [];
		for (let round = 0; round < size.rounds; round++) {
			const rates: Record<string, number> = {};
			for (const name of orderOfRound(CONTENDERS, round))
				rates[name] = (await trigger.measure(name, LOAD, size.milliseconds)).deliveries;
			for (const contender of orderOfRound(PAYERS, round))
				rates[contender] = await action.measure(PAYOUT, contender, size.payouts);
			rounds.push(rates);
		}
		const rateOf = (name: string) => median(rounds.map((rates) => entryOf(rates, name)));
		const shareOf = (name: string) => rateOf(name) / (first[name] ??= rateOf(name));
		const row = (name: string, what: string, unit: string, floor?: string) => {
			const share = shareOf(name);
			const least = floor === undefined ? undefined : FLAT * Math.min(1, shareOf(floor));
			report.row({
				what: `${count.toLocaleString('en')}: ${what}`,
				figure: `${rateOf(name).toFixed(0)} ${unit}/s, ${share.toFixed(2)} of the first`,
				...(least !== undefined && { target: `>= ${least.toFixed(2)}`, met: share >= least }),
			});
		};
		row(OURS, OURS, 'deliveries', NULL);
		row(NULL, NULL, 'deliveries');
		const ratios = rounds.map((rates) => entryOf(rates, OURS) / entryOf(rates, NULL));
		report.row({
			what: `${count.toLocaleString('en')}: deliveries/s, ours to ${NULL}`,
			figure: median(ratios).toFixed(3),
		});
		row(OUR_ACTION, `payouts, ${OUR_ACTION}`, 'payouts', LOOP);
		row(LOOP, `payouts, ${LOOP}`, 'payouts');
	}
}

/** Publishes workflows until the instance has this many. */
async function publishUntil(host: TemporaryN8n, count: number): Promise<void> {
	const { client } = host;
	let missing = count - countPublished(host);
	const publish = async () => {
		while (missing-- > 0) {
			const trigger = node(NULL, NULL_TRIGGER_NODE, {}, { webhookId: randomUUID() });
			await publishWithEnd(client, trigger, `Another ${randomUUID()}`);
		}
	};
	await Promise.all([publish(), publish(), publish(), publish()]);
}

async function measureMemory(report: Report, size: Size): Promise<void> {
	report.group(`Memory of n8n after ${size.deliveries.toLocaleString('en')} deliveries`);
	const memory: Record<string, Memory> = {};
	for (const name of CONTENDERS) {
		memory[name] = await memoryAfter(name, size);
		const { heap, resident } = memory[name];
		report.row({ what: name, figure: `${mebibytes(heap)} MiB in use, ${mebibytes(resident)} MiB resident` });
	}
	const [ours, none] = [entryOf(memory, OURS), entryOf(memory, NULL)];
	for (const [what, more] of [
		['in use', ours.heap - none.heap],
		['resident', ours.resident - none.resident],
	] as const)
		report.row({
			what: `${what}, ours above ${NULL}`,
			figure: `${mebibytes(more)} MiB`,
			target: `<= ${MAX_MORE_MIB} MiB`,
			met: more <= MAX_MORE_MIB * 2 ** 20,
		});
}

async function memoryAfter(name: string, size: Size): Promise<Memory> {
	const port = await freePort();
	const deliver = async (host: TemporaryN8n) => {
		const runner = await startRunner(host);
		try {
			while (runner.deliveries() < size.deliveries) await runner.measure(name, LOAD, size.milliseconds);
			return await memoryOf(port);
		} finally {
			runner.stop();
		}
	};
	return await withTemporaryN8n(deliver, ENV, inspectorOptions(port));
}

function mebibytes(bytes: number): string {
	return (bytes / 2 ** 20).toFixed(1);
}
