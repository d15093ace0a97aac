/** Whether deliveries slow down as n8n fills up, and the memory that they leave behind, compared with the null trigger. */
import { randomUUID } from 'node:crypto';
import { freePort } from '../../host/program.ts';
import type { Bench, Options, Report } from '../results.ts';
import { copyNewestExecution, countExecutions, countPublished } from '../shared/executions.ts';
import { inspectorOptions, memoryOf } from '../shared/inspector.ts';
import type { Memory } from '../shared/inspector.ts';
import { entryOf } from '../shared/lists.ts';
import { median, orderOfRound } from '../shared/statistics.ts';
import { KEEP_EXECUTIONS, withTemporaryN8n } from '../shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../shared/temporaryN8n.ts';
import { nodeMaker, NULL_TRIGGER_NODE, publishWithEnd } from '../shared/workflows.ts';
import { NULL, OURS } from './competitors.ts';
import { startPlayer } from './player.ts';
import type { Figures, Player } from './player.ts';

export interface Size {
	/** Published workflows in the instance; ascending. */
	workflows: number[];
	/** Stored executions; ascending. */
	executions: number[];
	rounds: number;
	milliseconds: number;
	/** Deliveries before the memory is read. */
	deliveries: number;
}

const FULL: Size = {
	workflows: [10, 100, 1000],
	executions: [100, 10_000, 100_000],
	rounds: 6,
	milliseconds: 3000,
	deliveries: 20_000,
};
export const SHORT: Size = {
	workflows: [8, 10],
	executions: [100, 1000],
	rounds: 1,
	milliseconds: 300,
	deliveries: 200,
};

const SIDES = [OURS, NULL];
const CLIENTS = 8;
const FLAT = 0.9;
const MAX_MORE_MIB = 20;

const title = 'Growth';
const how = `Deliveries as in the bench of the trigger, from ${CLIENTS} clients, to our trigger and to the null trigger, ${FULL.rounds} rounds of
${FULL.milliseconds / 1000} s in changing order. First with more and more published workflows in the instance, each a null trigger and a
No Operation node, then with more and more stored executions, copies of one delivery. Ratios are to the smallest number. Memory is read
after a full garbage collection, in a fresh n8n for each trigger.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	await withTemporaryN8n((host) => measureGrowth(host, report, size), KEEP_EXECUTIONS);
	await measureMemory(report, size);
}

export const growthBench: Bench = { title, how, run };

export async function measureGrowth(host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	const player = await startPlayer(host);
	try {
		for (const name of SIDES) await player.play(name, CLIENTS, size.milliseconds);
		report.group('Published workflows');
		await compare(player, report, size, size.workflows, (count) => publishUntil(host, count));
		report.group('Stored executions');
		await compare(player, report, size, size.executions, (count) => {
			copyNewestExecution(host, count - countExecutions(host));
		});
	} finally {
		player.stop();
	}
}

/** Adds the figures of both triggers at each of the counts, which `reach` brings about. */
async function compare(
	player: Player,
	report: Report,
	size: Size,
	counts: number[],
	reach: (count: number) => Promise<void> | void,
): Promise<void> {
	const first: Record<string, number> = {};
	for (const count of counts) {
		await reach(count);
		const rounds: Array<Record<string, Figures>> = [];
		for (let round = 0; round < size.rounds; round++) {
			const figures: Record<string, Figures> = {};
			for (const name of orderOfRound(SIDES, round))
				figures[name] = await player.play(name, CLIENTS, size.milliseconds);
			rounds.push(figures);
		}
		for (const name of SIDES) {
			const deliveries = median(rounds.map((round) => entryOf(round, name).deliveries));
			const ratio = deliveries / (first[name] ??= deliveries);
			report.row({
				what: `${count.toLocaleString('en')}: ${name}`,
				figure: `${deliveries.toFixed(0)} deliveries/s, ${ratio.toFixed(2)} of the first`,
				...(name === OURS && { target: `flat: >= ${FLAT}`, met: ratio >= FLAT }),
			});
		}
		const ratios = rounds.map((round) => entryOf(round, OURS).deliveries / entryOf(round, NULL).deliveries);
		report.row({
			what: `${count.toLocaleString('en')}: deliveries/s, ours to ${NULL}`,
			figure: median(ratios).toFixed(3),
		});
	}
}

/** Publishes workflows until the instance has this many. */
async function publishUntil(host: TemporaryN8n, count: number): Promise<void> {
	const { client } = host;
	const node = await nodeMaker(client);
	let missing = count - countPublished(host);
	const publish = async () => {
		while (missing-- > 0) {
			const trigger = node(NULL, NULL_TRIGGER_NODE, {}, { webhookId: randomUUID() });
			await publishWithEnd(client, node, trigger, `Another ${randomUUID()}`);
		}
	};
	await Promise.all([publish(), publish(), publish(), publish()]);
}

async function measureMemory(report: Report, size: Size): Promise<void> {
	report.group(`Memory of n8n after ${size.deliveries.toLocaleString('en')} deliveries`);
	const memory: Record<string, Memory> = {};
	for (const name of SIDES) {
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
		const player = await startPlayer(host);
		try {
			while (player.deliveries() < size.deliveries) await player.play(name, CLIENTS, size.milliseconds);
			return await memoryOf(port);
		} finally {
			player.stop();
		}
	};
	return await withTemporaryN8n(deliver, KEEP_EXECUTIONS, inspectorOptions(port));
}

function mebibytes(bytes: number): string {
	return (bytes / 2 ** 20).toFixed(1);
}
