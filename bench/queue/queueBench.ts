/**
 * n8n's queue mode: duplicates that arrive at the other webhook processor, the same delivery at both processors at once, and the
 * deliveries per second, compared with one process that does everything. n8n's database shows what was executed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage, startN8n } from '../../host/n8n/process.ts';
import { startQueue } from '../../host/n8n/queue.ts';
import type { Queue } from '../../host/n8n/queue.ts';
import { webhookUrl } from '../../host/stack.ts';
import type { Bench, Options, Report } from '../results.ts';
import { DeliverySender } from '../shared/deliverySender.ts';
import { KEEP_EXECUTIONS, LAZY_EXPRESSION_ENGINE, NULL_NODES } from '../shared/temporaryN8n.ts';
import { IN_FLIGHT, ProcessorSender, sendDuplicates, sendPairs } from './duplicates.ts';
import { publishNothing, publishReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { CLIENTS, compareThroughput } from './throughput.ts';

export interface Size {
	/** One in five is a duplicate of an acknowledged one. */
	deliveries: number;
	/** Deliveries that are sent to both processors at once. */
	pairs: number;
	/** Numbers of webhook processors to measure with, and of as many workers; ascending. */
	processes: [number, ...number[]];
	rounds: number;
	milliseconds: number;
}

const FULL: Size = { deliveries: 5000, pairs: 500, processes: [1, 2, 4], rounds: 4, milliseconds: 8000 };
export const SHORT: Size = { deliveries: 200, pairs: 20, processes: [2], rounds: 1, milliseconds: 2000 };

/** Settings of all n8n processes. */
export const ENV = { ...KEEP_EXECUTIONS, ...LAZY_EXPRESSION_ENGINE };

const LIMITS = `This machine is limited by the number of its processors, which are all busy in each of the tables: more processes share the
same time, and queue mode takes more of it for each delivery (Redis, and more of PostgreSQL, which is not in the figures of n8n). In theory, with
processors to spare, webhook processors and workers scale with their number. What does not scale is n8n's record of processed
items, one row that every execution of a trigger writes; then PostgreSQL's commits, then Redis.`;

const COST = `What our trigger does and the null trigger does not: the worker reads and writes n8n's record of processed items, two SQL statements for each
execution, or for several that begin together; and verification takes one engine in each processor every five seconds. It would cost less only if an old
secret was trusted for longer.`;

const title = 'Queue mode';
const how = `n8n's queue mode on this machine: a main process, webhook processors behind a round-robin, workers, PostgreSQL and Redis, all with
their defaults except \`${Object.entries(LAZY_EXPRESSION_ENGINE).flat().join('=')}\` ([why](../docs/receive-events.md#many-events)), with the senders beside them. ${FULL.deliveries} deliveries,
${IN_FLIGHT} at a time, to two processors and two workers; one in five is a duplicate of an acknowledged one and goes to the other processor. "Executed"
is what ran beyond the trigger. Then the same delivery to both processors in the same instant. Then ${CLIENTS} clients that wait for each answer,
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

/** The queue must not have more processes than the size begins with. */
export async function measure(queue: Queue, report: Report, size: Size): Promise<void> {
	const inQueue = await publishReceiver(queue, queue.database);
	const nothing = await publishNothing(queue, queue.database);
	const userFolder = join(queue.options.userFolder, '../alone');
	const database = await queue.stores.database('alone');
	await installPackage(userFolder);
	const n8n = await startN8n({ userFolder, env: { ...database.env, ...ENV } });
	const sender = new DeliverySender();
	try {
		const alone = { receiver: await publishReceiver(n8n, database), processes: [n8n] };
		for (const count of size.processes) {
			await queue.grow({ webhookProcessors: count, workers: count });
			if (count === 2) await measureDuplicates(inQueue, queue, report, size);
			const s = count === 1 ? '' : 's';
			report.group(`${count} webhook processor${s} and ${count} worker${s} against one process`);
			const processes = [queue, ...queue.webhookProcessors, ...queue.workers];
			const contenders = {
				queue: { receiver: inQueue, processes },
				nothing: { receiver: nothing, processes },
				alone,
			};
			await compareThroughput(sender, contenders, report, size);
		}
		report.note(COST);
		report.note(LIMITS);
	} finally {
		sender.stop();
		await n8n.stop();
	}
}

async function measureDuplicates(
	{ workflow, database }: Receiver,
	queue: Queue,
	report: Report,
	size: Size,
): Promise<void> {
	const urls = queue.webhookProcessors.map((processor) => webhookUrl(processor, workflow));
	const sender = new ProcessorSender(urls);
	try {
		await sendDuplicates(sender, database, report, size.deliveries);
		await sendPairs(sender, database, report, size.pairs);
	} finally {
		await sender.stop();
	}
}
