/** Duplicate deliveries to the webhook processors of n8n's queue mode, and what n8n executed of them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { until } from '../host/n8n/client.ts';
import type { Json } from '../host/n8n/client.ts';
import type { Report, Target } from './results.ts';
import type { Receiver } from './shared/deliveries.ts';
import type { Queryable } from './shared/executions.ts';
import { cycle } from './shared/lists.ts';

/** One event in four is delivered twice, so one delivery in five is a duplicate. */
const DUPLICATE_EVERY = 4;
/** Deliveries that wait for their answer at the same time. */
export const IN_FLIGHT = 6;
/** How long after the acknowledgement of the first copy a duplicate is sent. */
const GAPS = [
	{ name: 'at once', milliseconds: 0 },
	{ name: 'after 50 ms', milliseconds: 50 },
	{ name: 'after 1 s', milliseconds: 1000 },
];

const NONE: Target = { words: '0', isMet: (count) => count === 0 };

/** Sends one event in four again, to the other processor, then pairs at once. `urls`: of the receiver at each processor. */
export async function sendDuplicates(
	{ sign, secret, template, database }: Receiver,
	urls: string[],
	report: Report,
	{ deliveries, pairs }: { deliveries: number; pairs: number },
): Promise<void> {
	/** Whether the delivery was accepted as new. */
	const send = async (id: string, processor: number): Promise<boolean> => {
		const sent = template.replace('<id>', id);
		const { statusCode, body } = await request(cycle(urls, processor), {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...sign(secret, sent) },
			body: sent,
		});
		const answer = (await body.json()) as Json;
		if (statusCode !== 200) throw new Error(`${statusCode} ${JSON.stringify(answer)}`);
		return answer.duplicate !== true;
	};
	report.table('Deliveries that come twice', ['executions']);
	await sendAgain(send, database, report, deliveries);
	await sendPairs(send, database, report, pairs);
}

type Send = (id: string, processor: number) => Promise<boolean>;

/** Repeats an event in four after it was acknowledged. */
async function sendAgain(send: Send, database: Queryable, report: Report, deliveries: number): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	const events = Math.round((deliveries * DUPLICATE_EVERY) / (DUPLICATE_EVERY + 1));
	/** The gap of each event that is delivered twice. */
	const gaps = new Map<string, string>();
	const acknowledged = new Set<string>();
	const duplicates: Array<Promise<unknown>> = [];
	let next = 0;
	const client = async () => {
		while (next < events) {
			const index = next++;
			const id = `${prefix}-${index}`;
			if (!(await send(id, index))) throw new Error('A new delivery is taken for a duplicate');
			acknowledged.add(id);
			if (index % DUPLICATE_EVERY !== 0) continue;
			const { name, milliseconds } = cycle(GAPS, index / DUPLICATE_EVERY);
			gaps.set(id, name);
			if (milliseconds === 0) await send(id, index + 1);
			else duplicates.push(sleep(milliseconds).then(() => send(id, index + 1)));
		}
	};
	await Promise.all(Array.from({ length: IN_FLIGHT }, client));
	await Promise.all(duplicates);
	const executed = await executionsOf(database, prefix);
	const lost = [...acknowledged].filter((id) => !executed.has(id));
	report.row(`of ${acknowledged.size} acknowledged, not executed`, [lost.length], 0, NONE);
	for (const { name } of GAPS) {
		const ids = [...gaps].filter(([, gap]) => gap === name).map(([id]) => id);
		const twice = ids.filter((id) => (executed.get(id) ?? 0) > 1);
		report.row(`of ${ids.length} that come again ${name}, executed twice`, [twice.length], 0, NONE);
	}
}

/** Sends each of this many deliveries to both processors at the same time. */
async function sendPairs(send: Send, database: Queryable, report: Report, pairs: number): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	for (let index = 0; index < pairs; index++)
		await Promise.all([0, 1].map((processor) => send(`${prefix}-${index}`, processor)));
	const executed = await executionsOf(database, prefix);
	const twice = [...executed.values()].filter((count) => count > 1);
	report.row(`of ${pairs} at both processors at once, not executed`, [pairs - executed.size], 0, NONE);
	report.row(`of ${pairs} at both processors at once, executed twice`, [twice.length], 0, NONE);
}

/**
 * Waits for all executions. Returns how many ran beyond the trigger, by the id of the delivery. Throws if one failed.
 */
async function executionsOf(database: Queryable, prefix: string) {
	const busy = `SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting') LIMIT 1`;
	const isIdle = async () => ((await database.query(busy)).length === 0 ? true : undefined);
	await until('all executions to end', isIdle, 600_000);
	const executed = new Map<string, number>();
	const rows = await database.query(
		`SELECT substring(d.data from 'admin_funding:(${prefix}-[0-9]+):successful') AS id, e.status,
		d.data LIKE '%"End":%' AS went_on
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE d.data LIKE '%admin_funding:${prefix}-%'`,
	);
	for (const { id, status, went_on: wentOn } of rows) {
		if (status !== 'success') throw new Error(`An execution of ${String(id)} ended as ${String(status)}`);
		if (wentOn === true) executed.set(String(id), (executed.get(String(id)) ?? 0) + 1);
	}
	return executed;
}
