/** Sends deliveries to one workflow at a time, and measures what n8n does with them. */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { N8n } from '../../host/n8n/process.ts';
import { allSucceeded, newestExecution } from './executions.ts';
import type { Queryable } from './executions.ts';
import { percentile } from './statistics.ts';

/** A published workflow that receives deliveries. */
export interface Receiver {
	workflowId: string;
	url: string;
	/** The headers that it checks. */
	sign: (secret: string, body: string) => Record<string, string>;
	secret: string;
	/** The body, with `<id>` where each delivery has its own id. */
	template: string;
	/** All processes of its n8n. */
	processes: N8n[];
	database: Queryable;
}

/**
 * - `clients`: each has one delivery at a time, so they wait for a slow receiver. For rates.
 * - `perSecond`: each delivery goes out at its time, as those of a service do. For times to the answer.
 */
export type Load = { clients: number } | { perSecond: number };

export interface Figures {
	/** How many were sent. */
	count: number;
	/** Answered in a second. */
	deliveries: number;
	/** Executed in a second, until the last execution ended. */
	executions: number;
	/** Milliseconds to the answer, of half of them and of nine of ten. */
	p50: number;
	p90: number;
	/** Milliseconds of processor time for a delivery and its execution. NaN if the system does not tell. */
	processor: number;
}

/** Throws if n8n does not answer each delivery with 200 as a new one, and execute it once. */
export async function measureDeliveries(
	receiver: Receiver,
	load: Load,
	milliseconds: number,
): Promise<Figures> {
	const { workflowId, processes, database } = receiver;
	const processor = () => processes.reduce((sum, each) => sum + processorTime(each), 0);
	const since = await newestExecution(database);
	const [before, begun, start] = [processor(), Date.now(), performance.now()];
	const took = await send(receiver, load, milliseconds);
	const seconds = (performance.now() - start) / 1000;
	const count = took.length;
	const lastEnd = await allSucceeded(database, workflowId, since, count);
	return {
		count,
		deliveries: count / seconds,
		executions: (count * 1000) / (lastEnd - begun),
		p50: percentile(took, 0.5),
		p90: percentile(took, 0.9),
		processor: (processor() - before) / count,
	};
}

/** Returns the milliseconds from the time of each delivery to the end of its answer. */
async function send(receiver: Receiver, load: Load, milliseconds: number): Promise<number[]> {
	const { url, sign, secret, template } = receiver;
	const { origin, pathname } = new URL(url);
	const pool = new Pool(origin, { connections: 'clients' in load ? load.clients : null, pipelining: 1 });
	const took: number[] = [];
	const post = async (due = performance.now()) => {
		const body = template.replace('<id>', randomUUID());
		const headers = { 'content-type': 'application/json', ...sign(secret, body) };
		const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
		const text = await answer.body.text();
		took.push(performance.now() - due);
		if (answer.statusCode !== 200 || text.includes('duplicate') || text.includes('ignored'))
			throw new Error(`${url}: ${answer.statusCode} ${text}`);
	};
	const start = performance.now();
	const client = async () => {
		while (performance.now() - start < milliseconds) await post();
	};
	const atItsTime = async (due: number) => {
		await sleep(Math.max(0, due - performance.now()));
		await post(due);
	};
	try {
		if ('clients' in load) await Promise.all(Array.from({ length: load.clients }, client));
		else {
			const count = Math.round((load.perSecond * milliseconds) / 1000);
			const dues = Array.from({ length: count }, (_, index) => start + (index * 1000) / load.perSecond);
			await Promise.all(dues.map(atItsTime));
		}
		return took;
	} finally {
		await pool.destroy();
	}
}

export function signForWallet(secret: string, body: string): Record<string, string> {
	return {
		'x-svc-signature': createHmac('sha256', secret).update(body).digest('hex'),
		// For the Webhook node with Header Auth. The other receivers ignore it.
		'x-token': secret,
	};
}

export function signForSlack(secret: string, body: string): Record<string, string> {
	const timestamp = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
	return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` };
}

/** Milliseconds of processor time that a process has used. NaN if the system does not tell (other than Linux). */
function processorTime({ pid }: { pid: number }): number {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return NaN;
	// The second field is a name in brackets that may contain spaces. After it, user and system time are in 1/100 s.
	const fields = readFileSync(file, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
