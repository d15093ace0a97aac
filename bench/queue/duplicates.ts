/** Duplicate deliveries to the webhook processors of n8n's queue mode, and what n8n executed of them. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Json } from '../../host/n8n/client.ts';
import type { Database } from '../../host/n8n/databases.ts';
import type { Report } from '../results.ts';
import { cycle, tally } from '../shared/lists.ts';
import { deliveryBody, idle, SECRET } from './receiver.ts';

/** One event in this many is delivered twice, so one delivery in five is a duplicate. */
const DUPLICATE_EVERY = 4;
/** Deliveries that wait for their answer at the same time. */
export const IN_FLIGHT = 6;

const NOT_AT_ONCE = `A processor does not know what the other one took. The worker looks it up in n8n's record of processed items when the execution
begins. n8n reads and writes that as a whole, so two workers that ask within milliseconds overwrite each other. The busier the machine, the longer that
takes.`;

/** When a duplicate is sent after the first copy was acknowledged; milliseconds, or undefined for half a second after its execution. */
const GAPS = [
	{ name: 'at once', milliseconds: 0 },
	{ name: 'after 50 ms', milliseconds: 50 },
	{ name: 'after 1 s', milliseconds: 1000 },
	{ name: 'half a second after its execution', milliseconds: undefined },
];

/** Posts signed deliveries to webhook processors. */
export class ProcessorSender {
	readonly #urls: string[];
	readonly #agent = new Agent({ connections: 64 });
	/** `ok`, `duplicate`, or any other status, of each delivery. */
	readonly answers: string[] = [];

	/** `urls`: of the workflow at each processor. */
	constructor(urls: string[]) {
		this.#urls = urls;
	}

	/** Whether the delivery was accepted as new. */
	async send(id: string, processor: number): Promise<boolean> {
		const bytes = deliveryBody(id);
		const { statusCode, body } = await request(cycle(this.#urls, processor), {
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
		this.answers.push(answer);
		return answer === 'ok';
	}

	async stop(): Promise<void> {
		await this.#agent.destroy();
	}
}

/** Sends one delivery in five a second time, to the other processor, after different gaps. */
export async function sendDuplicates(
	sender: ProcessorSender,
	database: Database,
	report: Report,
	deliveries: number,
): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	const events = Math.round((deliveries * DUPLICATE_EVERY) / (DUPLICATE_EVERY + 1));
	/** The gap of each event that is delivered twice. */
	const gaps = new Map<string, string>();
	const acknowledged = new Set<string>();
	const duplicates: Array<Promise<unknown>> = [];
	/** The other processor, for each event whose duplicate waits for its execution. */
	const waiting = new Map<string, number>();
	let next = 0;
	let sending = true;
	const client = async () => {
		while (next < events) {
			const index = next++;
			const id = `${prefix}-${index}`;
			if (!(await sender.send(id, index))) continue;
			acknowledged.add(id);
			if (index % DUPLICATE_EVERY !== 0) continue;
			const gap = cycle(GAPS, index / DUPLICATE_EVERY);
			gaps.set(id, gap.name);
			const sendAgain = () => sender.send(id, index + 1);
			if (gap.milliseconds === undefined) waiting.set(id, index + 1);
			else if (gap.milliseconds === 0) await sendAgain();
			else duplicates.push(sleep(gap.milliseconds).then(sendAgain));
		}
	};
	const sendAfterExecutions = async () => {
		let ended: Array<[id: string, processor: number]> = [];
		while (sending || waiting.size > 0) {
			await sleep(500);
			for (const [id, processor] of ended) {
				duplicates.push(sender.send(id, processor));
				waiting.delete(id);
			}
			const { executed } = await executionsOf(database, prefix);
			ended = [...waiting].filter(([id]) => executed.has(id));
		}
	};
	const begun = performance.now();
	const polling = sendAfterExecutions();
	await Promise.all(Array.from({ length: IN_FLIGHT }, client));
	sending = false;
	await polling;
	await Promise.all(duplicates);
	await idle(database);
	const seconds = (performance.now() - begun) / 1000;
	const { executed, stopped } = await executionsOf(database, prefix);

	report.group('Deliveries that come again, one after the other');
	const total = acknowledged.size + gaps.size;
	report.row({ what: 'deliveries', figure: `${total} in ${seconds.toFixed(0)} s` });
	report.row({ what: 'answers', figure: tally(sender.answers) });
	const lost = [...acknowledged].filter((id) => !executed.has(id)).length;
	report.row({ what: 'acknowledged and not executed', figure: `${lost}`, target: '0', met: lost === 0 });
	for (const { name } of GAPS) {
		const ids = [...gaps].filter(([, gap]) => gap === name).map(([id]) => id);
		const twice = ids.filter((id) => (executed.get(id) ?? 0) > 1).length;
		const figure = `${twice} of ${ids.length}`;
		report.row({ what: `again ${name}: executed twice`, figure, target: '0', met: twice === 0 });
	}
	report.row({ what: 'not known to the processor, stopped on a worker', figure: `${stopped}` });
	report.note(NOT_AT_ONCE);
}

/** Sends each of this many deliveries to both processors at the same time. */
export async function sendPairs(
	sender: ProcessorSender,
	database: Database,
	report: Report,
	pairs: number,
): Promise<void> {
	const prefix = randomUUID().slice(0, 8);
	for (let index = 0; index < pairs; index++)
		await Promise.all([0, 1].map((processor) => sender.send(`${prefix}-${index}`, processor)));
	await idle(database);
	const { executed, stopped } = await executionsOf(database, prefix);
	const twice = [...executed.values()].filter((count) => count > 1).length;
	const share = ((twice / pairs) * 100).toFixed(0);

	report.group('The same delivery at both processors at once');
	const lost = pairs - executed.size;
	report.row({ what: 'not executed', figure: `${lost}`, target: '0', met: lost === 0 });
	report.row({ what: 'executed twice', figure: `${twice} of ${pairs} (${share} %)` });
	report.row({ what: 'taken by both processors, stopped on a worker', figure: `${stopped}` });
	report.note(
		'A node has nothing that decides between two processes in the same instant. A unique key in a database does: [the example](../examples/deposit-once-in-database.json).',
	);
}

/**
 * Counts the executions that ran beyond the trigger, by the id of the delivery, and those that stopped at the trigger. Throws if
 * one failed.
 */
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
