/**
 * Deliveries to n8n's queue mode, of which one in five comes again, at the other webhook processor; and the same delivery at
 * both processors at once. Afterwards the executions in n8n's database are held against what was delivered.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { StoredWorkflow } from '../test/host/n8n-client.ts';
import { until } from '../test/host/n8n-client.ts';
import { startQueue } from '../test/host/queue.ts';
import type { Queue } from '../test/host/queue.ts';
import type { Database } from '../test/host/stores.ts';
import { openWorld, webhookUrl } from '../test/host/world.ts';
import type { World } from '../test/host/world.ts';
import { saveTrigger } from './deliveries.ts';
import type { Options, Report } from './results.ts';

export interface Size {
	deliveries: number;
	/** Of the same delivery at both processors. */
	pairs: number;
}

const FULL: Size = { deliveries: 5000, pairs: 500 };
export const SHORT: Size = { deliveries: 200, pairs: 20 };

/** One delivery in five is a repetition of one that was acknowledged. */
const EVERY = 4;
/** So many deliveries wait for their answer at a time. */
const IN_FLIGHT = 6;

/** When the same delivery comes again, after it was acknowledged. */
const GAPS = ['at once', 'after 50 ms', 'after 1 s', 'after its execution'] as const;
type Gap = (typeof GAPS)[number];

export const title = 'Queue mode';
export const how = '';

export async function run(report: Report, { short }: Options): Promise<void> {
	await withQueue((queue, world) => measure(queue, world, report, short ? SHORT : FULL));
}

/** Does the work with n8n in queue mode, with the sandbox beside it. */
export async function withQueue<T>(work: (queue: Queue, world: World) => Promise<T>): Promise<T> {
	let queue: Queue;
	const world = await openWorld({
		userFolder: `.local/queue-${process.pid}`,
		owner: { email: 'owner@example.com', password: 'Only4ThisRun' },
		start: async (folder) => (queue = await startQueue({ folder, webhookProcessors: 2, workers: 2 })),
	});
	try {
		return await work(queue!, world);
	} finally {
		await world.stop();
	}
}

export async function measure(queue: Queue, world: World, report: Report, size: Size): Promise<void> {
	const parameters = { events: ['admin_funding'], verification: 'credential', options: {} };
	const workflow = await saveTrigger(world.client, 'Queue', parameters, world.credential.id);
	const sender = new Sender(queue, workflow, world.sandbox.webhookSecret);
	try {
		await repeat(sender, queue.database, report, size.deliveries);
		await together(sender, queue.database, report, size.pairs);
	} finally {
		await sender.stop();
	}
}

/** Posts signed deliveries to the webhook processors. */
export class Sender {
	readonly #urls: string[];
	readonly #secret: string;
	readonly #agent = new Agent({ connections: 64 });

	constructor(queue: Queue, workflow: StoredWorkflow, secret: string) {
		this.#urls = queue.webhookProcessors.map((processor) => webhookUrl(processor, workflow));
		this.#secret = secret;
	}

	/** Gives `ok`, `duplicate` or the status of another answer. */
	async send(id: string, processor: number): Promise<string> {
		const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		const signature = createHmac('sha256', this.#secret).update(body).digest('hex');
		const { statusCode, body: answer } = await request(this.#urls[processor % this.#urls.length], {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-svc-signature': signature },
			body,
			dispatcher: this.#agent,
		});
		const text = await answer.text();
		if (statusCode !== 200) return String(statusCode);
		return text.includes('duplicate') ? 'duplicate' : 'ok';
	}

	async stop(): Promise<void> {
		await this.#agent.destroy();
	}
}

/** How often each event was executed, once all executions have ended. */
async function executionsOf(database: Database, prefix: string): Promise<Map<string, number>> {
	await until(
		'all executions to end',
		async () => {
			const [{ open }] = await database.query(
				`SELECT count(*)::int AS open FROM execution_entity WHERE status IN ('new', 'running', 'waiting')`,
			);
			return open === 0 ? true : undefined;
		},
		600_000,
	);
	const rows = await database.query(
		`SELECT substring(d.data from 'admin_funding:(${prefix}-[0-9]+):successful') AS id, e.status,
			d.data LIKE '%"End":%' AS ended
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE d.data LIKE '%admin_funding:${prefix}-%'`,
	);
	const counts = new Map<string, number>();
	let stopped = 0;
	for (const { id, status, ended } of rows) {
		if (!ended) {
			stopped++;
			continue;
		}
		if (status !== 'success') throw new Error(`An execution of ${id} ended as ${status}`);
		counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
	}
	console.log('stopped', stopped);
	return counts;
}

async function repeat(sender: Sender, database: Database, report: Report, deliveries: number): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	const events = Math.round((deliveries * EVERY) / (EVERY + 1));
	const gaps = new Map<string, Gap>();
	const answers: string[] = [];
	const acknowledged = new Set<string>();
	const waiting: Array<{ id: string; index: number }> = [];
	const copies: Array<Promise<void>> = [];
	let next = 0;
	let sending = true;
	const again = async (id: string, index: number) => {
		answers.push(`again ${await sender.send(id, index + 1)}`);
	};
	const client = async () => {
		while (next < events) {
			const index = next++;
			const id = `${prefix}-${index}`;
			const answer = await sender.send(id, index);
			answers.push(answer);
			if (answer !== 'ok') continue;
			acknowledged.add(id);
			if (index % EVERY !== 0) continue;
			const gap = GAPS[(index / EVERY) % GAPS.length];
			gaps.set(id, gap);
			if (gap === 'at once') await again(id, index);
			else if (gap === 'after 50 ms') copies.push(sleep(50).then(() => again(id, index)));
			else if (gap === 'after 1 s') copies.push(sleep(1000).then(() => again(id, index)));
			else waiting.push({ id, index });
		}
	};
	const afterExecutions = async () => {
		while (sending || waiting.length > 0) {
			await sleep(500);
			const batch = waiting.splice(0);
			if (batch.length === 0) continue;
			const done = await database.query(
				`SELECT substring(d.data from 'admin_funding:(${prefix}-[0-9]+):successful') AS id
				FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
				WHERE e.status = 'success' AND e."stoppedAt" > now() - interval '60 seconds' AND d.data LIKE '%admin_funding:${prefix}-%'`,
			);
			const ids = new Set(done.map(({ id }) => id));
			for (const one of batch) {
				if (ids.has(one.id)) copies.push(again(one.id, one.index));
				else waiting.push(one);
			}
		}
	};
	const begun = performance.now();
	const polling = afterExecutions();
	await Promise.all(Array.from({ length: IN_FLIGHT }, client));
	sending = false;
	await polling;
	await Promise.all(copies);
	const sent = (performance.now() - begun) / 1000;
	const runs = await executionsOf(database, prefix);
	const seconds = (performance.now() - begun) / 1000;
	const lost = [...acknowledged].filter((id) => !runs.has(id)).length;
	report.row({
		what: 'deliveries',
		figure: `${answers.length} in ${sent.toFixed(0)} s, executed in ${seconds.toFixed(0)} s`,
	});
	const counts = Object.fromEntries(
		[...new Set(answers)].map((a) => [a, answers.filter((b) => b === a).length]),
	);
	report.row({ what: 'answers', figure: JSON.stringify(counts) });
	report.row({ what: 'acknowledged and never executed', figure: String(lost), target: '0', met: lost === 0 });
	for (const gap of GAPS) {
		const ids = [...gaps].filter(([, of]) => of === gap).map(([id]) => id);
		const doubled = ids.filter((id) => runs.get(id)! > 1).length;
		report.row({
			what: `repeated ${gap}: executed twice`,
			figure: `${doubled} of ${ids.length}`,
			target: '0',
			met: doubled === 0,
		});
	}
}

async function together(sender: Sender, database: Database, report: Report, pairs: number): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	for (let index = 0; index < pairs; index++)
		await Promise.all([0, 1].map((processor) => sender.send(`${prefix}-${index}`, processor)));
	const runs = await executionsOf(database, prefix);
	const doubled = [...runs.values()].filter((count) => count > 1).length;
	report.row({ what: 'at both processors at once: executed twice', figure: `${doubled} of ${pairs}` });
}
