/**
 * n8n's queue mode: duplicates that arrive at the other webhook processor, the same delivery at both processors at once, and the
 * deliveries per second, compared with one process that does everything. n8n's database shows what was executed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../host/n8n/client.ts';
import { installPackage, startN8n } from '../host/n8n/process.ts';
import { startQueue } from '../host/n8n/queue.ts';
import type { Queue } from '../host/n8n/queue.ts';
import { TEMPORARY_OWNER } from '../host/stack.ts';
import { atLeast } from './results.ts';
import type { Bench, Options, Report } from './results.ts';
import { measureDeliveries } from './shared/deliveries.ts';
import type { Figures } from './shared/deliveries.ts';
import { NULL, OURS, publishReceivers } from './shared/receivers.ts';
import { median, measureRounds } from './shared/statistics.ts';
import { KEEP_EXECUTIONS, LAZY_EXPRESSION_ENGINE, NULL_NODES } from './shared/temporaryN8n.ts';
import { IN_FLIGHT, sendDuplicates } from './queueDuplicates.ts';

export interface Size {
	/** One in five repeats an acknowledged one. */
	deliveries: number;
	/** Deliveries that are sent to both processors at once. */
	pairs: number;
	/** Numbers of webhook processors, and of as many workers. Ascending. */
	processes: [number, ...number[]];
	rounds: number;
	milliseconds: number;
}

const FULL: Size = { deliveries: 5000, pairs: 500, processes: [1, 2, 4], rounds: 4, milliseconds: 8000 };
export const SHORT: Size = { deliveries: 200, pairs: 20, processes: [2], rounds: 1, milliseconds: 2000 };

const CLIENTS = 16;
const WARM_UP_MS = 1000;
const LEAST_TO_NULL = 0.8;

/** Settings of all n8n processes. */
export const ENV = { ...KEEP_EXECUTIONS, ...LAZY_EXPRESSION_ENGINE };

const WHY = `What our trigger does and the null trigger does not: the worker makes a row in n8n's table of processed items, two SQL statements for each
execution. Verification takes one engine in each processor every five seconds.

Why queue mode is slower here: all processors of this machine were busy in each column. More processes share the same time, and queue mode takes
more of it for each delivery: Redis, and more of PostgreSQL, which is not in the figures of n8n. With processors to spare, webhook processors and workers
should scale with their number, up to PostgreSQL's commits, then Redis.`;

const title = 'Queue mode';
const how = `n8n's queue mode on this machine: a main process, webhook processors behind a round-robin, workers, PostgreSQL and Redis, all with
their defaults except \`${Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('=')}\` ([why](../docs/receive-events.md#many-events)), with the senders beside them. ${FULL.deliveries} deliveries,
${IN_FLIGHT} at a time, to two processors and two workers; one in five repeats an acknowledged one and goes to the other processor. A delivery is executed
if its execution goes beyond the trigger. Then the same delivery to both processors in the same instant: both may store an execution, and one of
them goes on. Then ${CLIENTS} clients that wait for each answer,
${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s, alternately: our trigger in queue mode; the null trigger there, which does nothing, so that n8n's part is seen;
and our trigger in one n8n process that does everything, on the same PostgreSQL and with the same settings. A round ends with its last execution; figures are medians, the ratio is the median of the ratios of the rounds.`;

async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	const folder = `.local/bench-queue-${process.pid}`;
	const [fewest] = size.processes;
	const queue = await startQueue({
		folder,
		env: ENV,
		packages: [NULL_NODES],
		webhookProcessors: fewest,
		workers: fewest,
	});
	try {
		await measure(queue, report, size);
	} finally {
		await queue.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

export const queueBench: Bench = { title, how, needs: ['POSTGRES', 'REDIS'], run };

/** By what their rows say. */
const CONTENDERS = ['queue mode', 'queue mode, null trigger', 'one process'] as const;
type Name = (typeof CONTENDERS)[number];
type Rounds = Array<Record<Name, Figures>>;

/** The queue must not have more processes than the size begins with. */
export async function measure(queue: Queue, report: Report, size: Size): Promise<void> {
	const inQueue = await publishReceivers(
		{
			n8n: queue,
			client: await connect(queue.url, TEMPORARY_OWNER),
			processes: [],
			database: queue.database,
		},
		[OURS, NULL],
	);
	const userFolder = join(queue.options.userFolder, '../alone');
	const database = await queue.stores.database('alone');
	await installPackage(userFolder);
	const n8n = await startN8n({ userFolder, env: { ...database.env, ...ENV } });
	try {
		const { [OURS]: alone } = await publishReceivers(
			{ n8n, client: await connect(n8n.url, TEMPORARY_OWNER), processes: [n8n], database },
			[OURS],
		);
		const columns: Rounds[] = [];
		for (const count of size.processes) {
			await queue.grow({ webhookProcessors: count, workers: count });
			if (count === 2) {
				const { pathname } = new URL(inQueue[OURS].url);
				const urls = queue.webhookProcessors.map(({ webhooks }) => webhooks + pathname);
				await sendDuplicates(inQueue[OURS], urls, report, size);
			}
			const processes = [queue, ...queue.webhookProcessors, ...queue.workers];
			const receivers = {
				'queue mode': { ...inQueue[OURS], processes },
				'queue mode, null trigger': { ...inQueue[NULL], processes },
				'one process': alone,
			};
			const measureOne = (milliseconds: number) => (name: Name) =>
				measureDeliveries(receivers[name], { clients: CLIENTS }, milliseconds);
			await measureRounds(CONTENDERS, 1, measureOne(WARM_UP_MS));
			columns.push(await measureRounds(CONTENDERS, size.rounds, measureOne(size.milliseconds)));
		}
		reportRates(report, size, columns);
	} finally {
		await n8n.stop();
	}
}

/** `columns`: the rounds of each number of processes. */
function reportRates(report: Report, { processes }: Size, columns: Rounds[]): void {
	report.table(
		'Deliveries in a second',
		processes.map((count) => `${count} of each`),
	);
	const medians = (figure: (round: Record<Name, Figures>) => number) =>
		columns.map((rounds) => median(rounds.map(figure)));
	for (const [what, figure] of [
		['deliveries/s', 'executions'],
		["ms of n8n's processor time each", 'processor'],
	] as const)
		for (const name of CONTENDERS) {
			const values = medians((round) => round[name][figure]);
			report.row(`${what}, ${name}`, values, 1);
		}
	const ratiosTo = (other: Name) =>
		medians((round) => round['queue mode'].executions / round[other].executions);
	report.row('deliveries/s, queue mode to one process', ratiosTo('one process'), 2);
	const toNull = ratiosTo('queue mode, null trigger');
	report.row('deliveries/s in queue mode, ours to the null trigger', toNull, 3, atLeast(LEAST_TO_NULL));
	report.note(WHY);
}
