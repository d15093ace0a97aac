/**
 * n8n's queue mode: deliveries of which one in five comes again, at the other webhook processor; the same delivery at both
 * at once; and how many deliveries a second it executes, against one process that does everything. What was executed is
 * looked up in n8n's database.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { connect, until } from '../host/n8nClient.ts';
import type { Json, N8nClient, StoredWorkflow } from '../host/n8nClient.ts';
import { installPackage, startN8n } from '../host/n8n.ts';
import type { N8n } from '../host/n8n.ts';
import { startQueue } from '../host/queue.ts';
import type { Queue } from '../host/queue.ts';
import type { Database } from '../host/stores.ts';
import { CREDENTIAL_TYPE, TEMPORARY_OWNER, webhookUrl } from '../host/stack.ts';
import { saveTrigger } from './triggerWorkflow.ts';
import { processorTime } from './host.ts';
import { median, turned } from './results.ts';
import type { Options, Report } from './results.ts';
import type { Order, Round } from './trigger.ts';

export interface Size {
	/** One in five is a repetition of one that was acknowledged. */
	deliveries: number;
	/** Of the same delivery, to both processors. */
	pairs: number;
	/** So many webhook processors, and as many workers. */
	processes: number[];
	rounds: number;
	milliseconds: number;
}

export const FULL: Size = {
	deliveries: 5000,
	pairs: 500,
	processes: [1, 2, 4],
	rounds: 4,
	milliseconds: 8000,
};
export const SHORT: Size = { deliveries: 200, pairs: 20, processes: [2], rounds: 1, milliseconds: 2000 };

/** n8n makes no engine for expressions where there are none. */
const LAZY = 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE';
/** It forgets nothing while it is counted. */
export const ENV = { EXECUTIONS_DATA_PRUNE: 'false', [LAZY]: 'true' };

const EVERY = 4;
/** So many deliveries wait for their answer at a time. */
const IN_FLIGHT = 6;
const CLIENTS = 16;
const WARM_UP_MS = 1000;
const SECRET = 'fake-webhook-secret';

const NOT_AT_ONCE = `A processor learns what the other one took from the static data of the workflow, which n8n writes as a whole: the two
overwrite each other within milliseconds, until each writes again. What slips past them is looked up by the worker in n8n's record of processed
items, which n8n reads before it writes. A repetition that arrives before both have been written is not known. The busier the machine, the
longer that takes.`;

const LIMITS = `What limits on this machine is the number of its processors, which are all busy in each of the tables: more processes share the
same time, and queue mode takes more of it for each delivery (Redis, and more of PostgreSQL, which is not in the figures of n8n). On paper, with
processors to spare: webhook processors and workers grow with their number; what does not is the static data of one workflow, a row
that every delivery of its trigger writes, and n8n's record of processed items, another one; then PostgreSQL's commits, then Redis.`;

/** When a delivery comes again after it was acknowledged; milliseconds, or undefined for when its execution has ended. */
const GAPS = [
	['at once', 0],
	['after 50 ms', 50],
	['after 1 s', 1000],
	['after its execution', undefined],
] as const;

export const title = 'Queue mode';
export const needs = ['POSTGRES', 'REDIS'];
export const how = `n8n's queue mode on this machine: a main process, webhook processors behind a round-robin, workers, PostgreSQL and Redis, all with
their defaults but for \`${LAZY}=true\` ([why](../docs/receive-events.md#many-events)), the senders beside them. ${FULL.deliveries} deliveries,
${IN_FLIGHT} at a time, to two processors and two workers; one in five is one that was acknowledged before and goes to the other processor. "Executed"
is what went beyond the trigger. Then the same delivery to both processors in the same instant. Then ${CLIENTS} clients that wait for each answer,
${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s by turns: queue mode, and one n8n process that does everything, on the same PostgreSQL and with the same
settings. A round ends with its last execution; figures are medians, the ratio that of the ratios of the rounds.`;

export async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	const folder = `.local/bench-queue-${process.pid}`;
	const [fewest] = size.processes;
	const queue = await startQueue({ folder, env: ENV, webhookProcessors: fewest, workers: fewest });
	try {
		await measure(queue, report, size);
	} finally {
		await queue.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** All of it, with a queue that has no more processes than the size begins with. */
export async function measure(queue: Queue, report: Report, size: Size): Promise<void> {
	const inQueue = await publish(queue, queue.database);
	const userFolder = join(queue.userFolder, '../alone');
	const database = await queue.stores.database('alone');
	await installPackage(userFolder);
	const n8n = await startN8n({ userFolder, env: { ...database.env, ...ENV } });
	const load = fork('bench/triggerLoad.ts', {
		execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
	});
	try {
		const alone = await publish(n8n, database);
		for (const count of size.processes) {
			await queue.grow({ webhookProcessors: count, workers: count });
			if (count === 2) await repeatAndCollide(inQueue, queue, report, size);
			const s = count === 1 ? '' : 's';
			report.group(`${count} webhook processor${s} and ${count} worker${s} against one process`);
			const rounds: Array<Record<string, Figures>> = [];
			for (const side of [inQueue, alone]) await play(load, side, [], WARM_UP_MS);
			const parts = [queue, ...queue.webhookProcessors, ...queue.workers];
			for (let round = 0; round < size.rounds; round++) {
				const figures: Record<string, Figures> = {};
				for (const [name, side, processes] of turned(
					[
						['queue', inQueue, parts],
						['alone', alone, [n8n]],
					] as const,
					round,
				))
					figures[name] = await play(load, side, processes, size.milliseconds);
				rounds.push(figures);
			}
			tell(report, rounds);
		}
		report.note(LIMITS);
	} finally {
		load.kill();
		await n8n.stop();
	}
}

/** An n8n with a workflow that is sent deliveries. */
interface Side {
	workflow: StoredWorkflow;
	url: string;
	database: Database;
}

async function publish(n8n: N8n, database: Database): Promise<Side> {
	const client: N8nClient = await connect(n8n.url, TEMPORARY_OWNER);
	const credential = await client.saveCredential(CREDENTIAL_TYPE, 'Bench', {
		baseUrl: 'http://127.0.0.1:9',
		apiKey: 'fake',
		webhookVerification: 'hmac',
		webhookSecret: SECRET,
	});
	const parameters = { events: ['admin_funding'], verification: 'credential', options: {} };
	const workflow = await saveTrigger(client, 'Bench', parameters, credential);
	return { workflow, url: webhookUrl(n8n, workflow), database };
}

async function repeatAndCollide(side: Side, queue: Queue, report: Report, size: Size): Promise<void> {
	const sender = new Sender(queue.webhookProcessors.map((processor) => webhookUrl(processor, side.workflow)));
	try {
		await repeat(sender, side.database, report, size.deliveries);
		await collide(sender, side.database, report, size.pairs);
	} finally {
		await sender.stop();
	}
}

/** Posts signed deliveries to webhook processors. */
class Sender {
	readonly #urls: string[];
	readonly #agent = new Agent({ connections: 64 });
	/** `ok`, `duplicate`, or the status that was none of the two; each with how often. */
	readonly answers: Record<string, number> = {};

	constructor(urls: string[]) {
		this.#urls = urls;
	}

	/** Whether the delivery was taken as new. */
	async send(id: string, processor: number): Promise<boolean> {
		const bytes = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		const { statusCode, body } = await request(this.#urls[processor % this.#urls.length], {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-svc-signature': createHmac('sha256', SECRET).update(bytes).digest('hex'),
			},
			body: bytes,
			dispatcher: this.#agent,
		});
		const { duplicate } = (await body.json()) as Json;
		const answer = statusCode !== 200 ? String(statusCode) : duplicate === true ? 'duplicate' : 'ok';
		this.answers[answer] = (this.answers[answer] ?? 0) + 1;
		return answer === 'ok';
	}

	async stop(): Promise<void> {
		await this.#agent.destroy();
	}
}

/** Waits until n8n works on nothing. */
async function idle(database: Database): Promise<void> {
	const busy = `SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting') LIMIT 1`;
	await until(
		'all executions to end',
		async () => ((await database.query(busy)).length === 0 ? true : undefined),
		600_000,
	);
}

/** How many executions of each delivery, by its id, went beyond the trigger, and how many stopped there. */
async function executionsOf(database: Database, prefix: string) {
	const executed = new Map<string, number>();
	let stopped = 0;
	const rows = await database.query(
		`SELECT substring(d.data from 'admin_funding:(${prefix}-[0-9]+):successful') AS id, e.status,
		d.data LIKE '%"End":%' AS went_on
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE d.data LIKE '%admin_funding:${prefix}-%'`,
	);
	for (const { id, status, went_on: wentOn } of rows) {
		if (['error', 'crashed', 'canceled'].includes(String(status)))
			throw new Error(`An execution of ${String(id)} ended as ${String(status)}`);
		if (status !== 'success') continue;
		if (wentOn === true) executed.set(String(id), (executed.get(String(id)) ?? 0) + 1);
		else stopped += 1;
	}
	return { executed, stopped };
}

async function repeat(sender: Sender, database: Database, report: Report, deliveries: number): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	const events = Math.round((deliveries * EVERY) / (EVERY + 1));
	const gaps = new Map<string, string>();
	const acknowledged = new Set<string>();
	const repetitions: Array<Promise<unknown>> = [];
	const waiting = new Map<string, number>();
	let next = 0;
	let sending = true;
	const client = async () => {
		while (next < events) {
			const index = next++;
			const id = `${prefix}-${index}`;
			if (!(await sender.send(id, index))) continue;
			acknowledged.add(id);
			if (index % EVERY !== 0) continue;
			const [gap, milliseconds] = GAPS[(index / EVERY) % GAPS.length];
			gaps.set(id, gap);
			const again = () => sender.send(id, index + 1);
			if (milliseconds === undefined) waiting.set(id, index + 1);
			else if (milliseconds === 0) await again();
			else repetitions.push(sleep(milliseconds).then(again));
		}
	};
	const afterExecutions = async () => {
		while (sending || waiting.size > 0) {
			await sleep(500);
			const { executed } =
				waiting.size === 0 ? { executed: new Map() } : await executionsOf(database, prefix);
			for (const [id, processor] of waiting) {
				if (!executed.has(id)) continue;
				waiting.delete(id);
				repetitions.push(sender.send(id, processor));
			}
		}
	};
	const begun = performance.now();
	const polling = afterExecutions();
	await Promise.all(Array.from({ length: IN_FLIGHT }, client));
	sending = false;
	await polling;
	await Promise.all(repetitions);
	await idle(database);
	const seconds = (performance.now() - begun) / 1000;
	const { executed, stopped } = await executionsOf(database, prefix);

	report.group('Deliveries that come again, one after the other');
	const total = acknowledged.size + gaps.size;
	report.row({ what: 'deliveries', figure: `${total} in ${seconds.toFixed(0)} s` });
	report.row({ what: 'answers', figure: inWords(sender.answers) });
	const lost = [...acknowledged].filter((id) => !executed.has(id)).length;
	report.row({ what: 'acknowledged and not executed', figure: `${lost}`, target: '0', met: lost === 0 });
	for (const [gap] of GAPS) {
		const ids = [...gaps].filter(([, of]) => of === gap).map(([id]) => id);
		const doubled = ids.filter((id) => executed.get(id)! > 1).length;
		const figure = `${doubled} of ${ids.length}`;
		report.row({ what: `again ${gap}: executed twice`, figure, target: '0', met: doubled === 0 });
	}
	report.row({ what: 'not known to the processor, stopped on a worker', figure: `${stopped}` });
	report.note(NOT_AT_ONCE);
}

async function collide(sender: Sender, database: Database, report: Report, pairs: number): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	for (let index = 0; index < pairs; index++)
		await Promise.all([0, 1].map((processor) => sender.send(`${prefix}-${index}`, processor)));
	await idle(database);
	const { executed, stopped } = await executionsOf(database, prefix);
	const doubled = [...executed.values()].filter((count) => count > 1).length;
	const share = ((doubled / pairs) * 100).toFixed(0);

	report.group('The same delivery at both processors at once');
	const lost = pairs - executed.size;
	report.row({ what: 'not executed', figure: `${lost}`, target: '0', met: lost === 0 });
	report.row({ what: 'executed twice', figure: `${doubled} of ${pairs} (${share} %)` });
	report.row({ what: 'taken by both processors, stopped on a worker', figure: `${stopped}` });
	report.note(
		'Nothing that a node can use decides between two processes in the same instant. Where that matters, a unique key in a database does: [the example](../examples/deposit-once-in-database.json).',
	);
}

function inWords(counts: Record<string, number>): string {
	return Object.entries(counts)
		.map(([answer, count]) => `${answer}: ${count}`)
		.join(', ');
}

interface Figures {
	/** In a second. */
	executed: number;
	/** Milliseconds on a processor for each delivery: of all n8n processes. */
	processor: number;
	/** How much of the machine's processors was used meanwhile, by whatever. */
	busy: number;
}

async function play(
	load: ChildProcess,
	{ workflow, url, database }: Side,
	n8n: readonly N8n[],
	milliseconds: number,
): Promise<Figures> {
	const since = `"workflowId" = '${workflow.id}' AND id >`;
	const [{ newest }] = await database.query('SELECT coalesce(max(id), 0) AS newest FROM execution_entity');
	const used = () => n8n.reduce((sum, process) => sum + (processorTime({ n8n: process }) ?? NaN), 0);
	const [before, machine] = [used(), machineTime()];
	const template = JSON.stringify({
		event: 'admin_funding',
		id: '<id>',
		status: 'successful',
		Amount: '1',
	});
	load.send({
		url,
		style: 'wallet',
		secret: SECRET,
		template,
		clients: CLIENTS,
		milliseconds,
	} satisfies Order);
	const [answer] = (await once(load, 'message')) as [Round | { failure: string }];
	if ('failure' in answer) throw new Error(answer.failure);
	await idle(database);
	const processor = (used() - before) / answer.took.length;
	const [now, then] = [machineTime(), machine];
	const [{ count, end }] = await database.query(
		`SELECT count(*)::int AS count, extract(epoch FROM max("stoppedAt")) * 1000 AS end FROM execution_entity WHERE ${since} ${Number(newest)}`,
	);
	if (count !== answer.took.length)
		throw new Error(`${answer.took.length} deliveries were executed ${String(count)} times`);
	return {
		executed: (answer.took.length * 1000) / (Number(end) - answer.begun),
		processor,
		busy: (now.busy - then.busy) / (now.all - then.all),
	};
}

function machineTime(): { busy: number; all: number } {
	const times = cpus().map((cpu) => cpu.times);
	const all = times.flatMap((time) => Object.values(time)).reduce((sum, time) => sum + time, 0);
	return { all, busy: all - times.reduce((sum, { idle: unused }) => sum + unused, 0) };
}

function tell(report: Report, rounds: Array<Record<string, Figures>>): void {
	const of = (side: string, figure: keyof Figures) => median(rounds.map((round) => round[side][figure]));
	for (const [side, what] of [
		['queue', 'queue mode'],
		['alone', 'one process'],
	] as const)
		report.row({
			what,
			figure: `${of(side, 'executed').toFixed(1)} deliveries/s executed; ${of(side, 'processor').toFixed(1)} ms of n8n's processor time each; the machine ${(of(side, 'busy') * 100).toFixed(0)} % busy`,
		});
	const ratio = median(rounds.map(({ queue, alone }) => queue.executed / alone.executed));
	report.row({ what: 'deliveries, queue mode to one process', figure: ratio.toFixed(2) });
}
