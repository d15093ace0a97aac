/** The process of `DeliverySender`: posts deliveries for as long as each order says. */
import { createHmac, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { SendOrder, SendResult } from './deliverySender.ts';

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

async function load({ url, style, secret, template, clients, milliseconds }: SendOrder): Promise<SendResult> {
	const { origin, pathname } = new URL(url);
	const pool = new Pool(origin, { connections: clients, pipelining: 1 });
	const took: number[] = [];
	const begun = Date.now();
	const client = async () => {
		while (Date.now() - begun < milliseconds) {
			const body = template.replace('<id>', randomUUID());
			const headers = { 'content-type': 'application/json', ...SIGNED[style](secret, body) };
			const sent = performance.now();
			const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
			const text = await answer.body.text();
			took.push(performance.now() - sent);
			if (answer.statusCode !== 200 || text.includes('duplicate') || text.includes('ignored'))
				throw new Error(`${url}: ${answer.statusCode} ${text}`);
		}
	};
	try {
		await Promise.all(Array.from({ length: clients }, client));
		return { begun, seconds: (Date.now() - begun) / 1000, took };
	} finally {
		await pool.destroy();
	}
}

process.on('message', (order: SendOrder) => {
	load(order).then(
		(result) => process.send?.(result),
		(error: Error) => process.send?.({ failure: error.message }),
	);
});
