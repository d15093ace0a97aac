/** Whether deliveries slow down as n8n fills up, and the memory that they leave behind. */
import { randomUUID } from 'node:crypto';
import { freePort } from '../host/program.ts';
import { atMost } from './results.ts';
import type { Bench, Options, Report } from './results.ts';
import { measureDeliveries } from './shared/deliveries.ts';
import { copyNewestExecution, countExecutions, countPublished } from './shared/executions.ts';
import { NULL, OURS, publishReceivers } from './shared/receivers.ts';
import { median, measureRounds } from './shared/statistics.ts';
import { KEEP_EXECUTIONS, LAZY_EXPRESSION_ENGINE, placeOf, withTemporaryN8n } from './shared/temporaryN8n.ts';
import type { TemporaryN8n } from './shared/temporaryN8n.ts';
import { node, NULL_TRIGGER_NODE, publishWithEnd } from './shared/workflowParts.ts';

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
	rounds: 4,
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

const CONTENDERS = [OURS, NULL] as const;
/** By default, n8n's expression engine takes most of the time and would hide the rest. */
const ENV = { ...KEEP_EXECUTIONS, ...LAZY_EXPRESSION_ENGINE };
const LOAD = { clients: 8 };
/** The smallest acceptable ratio to n8n's own part. */
const FLAT = 0.9;
const MAX_MORE_MIB = 20;

const title = 'Growth';
const how = `Deliveries as in the bench of the trigger, with \`${Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('=')}\`, from ${LOAD.clients} clients, to our trigger and to the null trigger,
${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s in changing order. Memory is read first, after a full garbage collection, in a fresh n8n for each trigger.
Then with more and more published workflows in the instance, each a null trigger and a No Operation node. Then with more and more stored
executions, copies of one delivery. "Of the first" is the ratio to the first column. n8n's database itself becomes slower as it fills up, so the
target is ${FLAT} of the null trigger's ratio, and at most ${FLAT}.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	await measureMemory(report, size);
	await withTemporaryN8n((host) => measureGrowth(host, report, size), ENV);
}

export const growthBench: Bench = { title, how, run };

export async function measureGrowth(host: TemporaryN8n, report: Report, size: Size): Promise<void> {
	const receivers = await publishReceivers(placeOf(host), CONTENDERS);
	const measure = (name: (typeof CONTENDERS)[number]) =>
		measureDeliveries(receivers[name], LOAD, size.milliseconds);
	for (const name of CONTENDERS) await measure(name);
	/** Adds a table of the figures at each of the counts, which `reach` brings about. */
	const compare = async (table: string, counts: number[], reach: (count: number) => Promise<void>) => {
		const rates: Array<Record<'ours' | 'none' | 'ratio', number>> = [];
		for (const count of counts) {
			await reach(count);
			const rounds = await measureRounds(CONTENDERS, size.rounds, measure);
			rates.push({
				ours: median(rounds.map((round) => round[OURS].deliveries)),
				none: median(rounds.map((round) => round[NULL].deliveries)),
				ratio: median(rounds.map((round) => round[OURS].deliveries / round[NULL].deliveries)),
			});
		}
		const figures = (of: 'ours' | 'none' | 'ratio') => rates.map((rate) => rate[of]);
		const shares = (of: 'ours' | 'none') => figures(of).map((rate, _, [first = NaN]) => rate / first);
		const least = shares('none').map((share) => FLAT * Math.min(1, share));
		report.table(
			table,
			counts.map((count) => count.toLocaleString('en')),
		);
		report.row(`deliveries/s, ${OURS}`, figures('ours'), 0);
		report.row(`deliveries/s, ${NULL}`, figures('none'), 0);
		report.row(`of the first, ${OURS}`, shares('ours'), 2, {
			words: `>= ${least.map((share) => share.toFixed(2)).join(', ')}`,
			isMet: (share, column) => share >= (least[column] ?? FLAT),
		});
		report.row(`of the first, ${NULL}`, shares('none'), 2);
		report.row(`deliveries/s, ours to ${NULL}`, figures('ratio'), 3);
	};
	await compare('Published workflows', size.workflows, (count) => publishUntil(host, count));
	await compare('Stored executions', size.executions, async (count) => {
		// The newest execution is that of a delivery then.
		await measureDeliveries(receivers[OURS], { clients: 1 }, size.milliseconds);
		copyNewestExecution(host, count - countExecutions(host));
	});
}

/** Publishes workflows until the instance has this many. */
async function publishUntil({ n8n, client }: TemporaryN8n, count: number): Promise<void> {
	for (let published = countPublished({ n8n }); published < count; published += 1) {
		const trigger = node(NULL, NULL_TRIGGER_NODE, {}, { webhookId: randomUUID() });
		await publishWithEnd(client, trigger, `Another ${randomUUID()}`);
	}
}

async function measureMemory(report: Report, size: Size): Promise<void> {
	const memory = { [OURS]: await memoryAfter(OURS, size), [NULL]: await memoryAfter(NULL, size) };
	report.table(`Memory after ${size.deliveries.toLocaleString('en')} deliveries`, ['in use', 'resident']);
	for (const name of CONTENDERS) report.row(`MiB, ${name}`, memory[name], 1);
	const more = memory[OURS].map((mebibytes, figure) => mebibytes - (memory[NULL][figure] ?? NaN));
	report.row(`MiB, ours above ${NULL}`, more, 1, atMost(MAX_MORE_MIB));
}

/** Returns the mebibytes in use and the resident ones. */
async function memoryAfter(name: (typeof CONTENDERS)[number], size: Size): Promise<number[]> {
	const port = await freePort();
	const deliver = async (host: TemporaryN8n) => {
		const receiver = (await publishReceivers(placeOf(host), [name]))[name];
		for (let sent = 0; sent < size.deliveries; )
			sent += (await measureDeliveries(receiver, LOAD, size.milliseconds)).count;
		return await inspectMemory(port);
	};
	return await withTemporaryN8n(deliver, ENV, [`--inspect=127.0.0.1:${port}`]);
}

/** Asks Node's inspector for a full garbage collection. Returns mebibytes: in use, also outside the heap; and resident. */
async function inspectMemory(port: number): Promise<number[]> {
	const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [
		{ webSocketDebuggerUrl: string },
	];
	const socket = new WebSocket(target.webSocketDebuggerUrl);
	const next = (event: 'open' | 'message') =>
		new Promise<Event>((done) => socket.addEventListener(event, done, { once: true }));
	const call = async (method: string, params: object = {}): Promise<unknown> => {
		const answer = next('message');
		socket.send(JSON.stringify({ id: 1, method, params }));
		return (JSON.parse(String(((await answer) as MessageEvent).data)) as { result: unknown }).result;
	};
	try {
		await next('open');
		await call('HeapProfiler.collectGarbage');
		const params = { expression: 'process.memoryUsage()', returnByValue: true };
		const { result } = (await call('Runtime.evaluate', params)) as { result: { value: NodeJS.MemoryUsage } };
		const { heapUsed, external, rss } = result.value;
		return [heapUsed + external, rss].map((bytes) => bytes / 2 ** 20);
	} finally {
		socket.close();
	}
}
