/** Sends deliveries to one workflow at a time, and measures what n8n does with them. */
import { createHmac, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Stack } from '../host/stack.ts';
import { allSucceeded, newestExecution } from './executions.ts';
import { processorTime } from './processorTime.ts';

/** A published workflow that receives deliveries. */
export interface Receiver {
	workflowId: string;
	url: string;
	/** The headers that it checks. */
	headers: (body: string, secret: string) => Record<string, string>;
	secret: string;
	/** The body, with `<id>` where each delivery has its own id. */
	template: string;
}

export interface Figures {
	/** Answered in a second. */
	deliveries: number;
	/** Milliseconds of processor time for a delivery and its execution. NaN if the system does not tell. */
	processor: number;
}

/** Each client has one delivery at a time. Throws if n8n does not answer each with 200 as a new one, and execute it once. */
export async function measureDeliveries(
	stack: Stack,
	receiver: Receiver,
	clients: number,
	milliseconds: number,
): Promise<Figures> {
	const newest = newestExecution(stack);
	const [before, start] = [processorTime(stack.n8n), performance.now()];
	const count = await send(receiver, clients, milliseconds);
	const seconds = (performance.now() - start) / 1000;
	await allSucceeded(stack, receiver.workflowId, newest, count);
	return { deliveries: count / seconds, processor: (processorTime(stack.n8n) - before) / count };
}

/** Returns how many were sent. */
async function send(
	{ url, headers, secret, template }: Receiver,
	clients: number,
	milliseconds: number,
): Promise<number> {
	const { origin, pathname } = new URL(url);
	const pool = new Pool(origin, { connections: clients, pipelining: 1 });
	const start = performance.now();
	let sent = 0;
	const client = async () => {
		for (; performance.now() - start < milliseconds; sent += 1) {
			const body = template.replace('<id>', randomUUID());
			const all = { 'content-type': 'application/json', ...headers(body, secret) };
			const answer = await pool.request({ path: pathname, method: 'POST', headers: all, body });
			const text = await answer.body.text();
			if (answer.statusCode !== 200 || text.includes('duplicate') || text.includes('ignored'))
				throw new Error(`${url}: ${answer.statusCode} ${text}`);
		}
	};
	try {
		await Promise.all(Array.from({ length: clients }, client));
		return sent;
	} finally {
		await pool.destroy();
	}
}

export function headersOfSlack(body: string, secret: string): Record<string, string> {
	const timestamp = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
	return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` };
}
