/** The process of `withSender`: posts deliveries for as long as each order says. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { SendOrder, SendResult } from './deliveries.ts';

/** The headers that each receiver checks. */
const SIGNED = {
	wallet: (secret: string, body: string) => ({
		'x-svc-signature': createHmac('sha256', secret).update(body).digest('hex'),
		// For the Webhook node with Header Auth; the other receivers ignore it.
		'x-token': secret,
	}),
	slack: (secret: string, body: string) => {
		const timestamp = String(Math.floor(Date.now() / 1000));
		const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
		return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` };
	},
};

async function send({ url, style, secret, template, load, milliseconds }: SendOrder): Promise<SendResult> {
	const { origin, pathname } = new URL(url);
	const pool = new Pool(origin, { connections: 'clients' in load ? load.clients : null, pipelining: 1 });
	const took: number[] = [];
	const post = async (due = performance.now()) => {
		const body = template.replace('<id>', randomUUID());
		const headers = { 'content-type': 'application/json', ...SIGNED[style](secret, body) };
		const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
		const text = await answer.body.text();
		took.push(performance.now() - due);
		if (answer.statusCode !== 200 || text.includes('duplicate') || text.includes('ignored'))
			throw new Error(`${url}: ${answer.statusCode} ${text}`);
	};
	const [begun, start] = [Date.now(), performance.now()];
	const client = async () => {
		while (performance.now() - start < milliseconds) await post();
	};
	const atItsTime = async (due: number) => {
		await sleep(Math.max(0, due - performance.now()));
		await post(due);
	};
	try {
		const work =
			'clients' in load
				? Array.from({ length: load.clients }, client)
				: Array.from({ length: Math.round((load.perSecond * milliseconds) / 1000) }, (_, index) =>
						atItsTime(start + (index * 1000) / load.perSecond),
					);
		await Promise.all(work);
		return { begun, seconds: (performance.now() - start) / 1000, took };
	} finally {
		await pool.destroy();
	}
}

process.on('message', (order: SendOrder) => {
	send(order).then(
		(result) => process.send?.(result),
		(error: Error) => process.send?.({ failure: error.message }),
	);
});
