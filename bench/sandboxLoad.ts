/** The clients of `sandbox.ts`, in a process of their own. Prints Figures as JSON. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import type { Figures } from './sandbox.ts';

const [url, key, secret, requests, clients] = process.argv.slice(2);

const CALLS = [
	['/v1/fiat_payout', '{"currency":"NGN","amount":0.01,"account_alias":"supplier-main"}'],
	['/v1/fiat_balance', '{"currency":"NGN"}'],
];

const pool = new Pool(url, { connections: Number(clients), pipelining: 1 });

async function call(index: number): Promise<void> {
	const [path, body] = CALLS[index % CALLS.length];
	const timestamp = String(Date.now());
	const answer = await pool.request({
		path,
		method: 'POST',
		body,
		headers: {
			'content-type': 'application/json',
			'x-svc-key': key,
			'x-svc-timestamp': timestamp,
			'x-svc-signature': createHmac('sha256', secret).update(`${timestamp}POST${path}${body}`).digest('hex'),
		},
	});
	const text = await answer.body.text();
	if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
}

/** So many calls, each client one at a time. Gives the milliseconds that each took. */
async function load(calls: number): Promise<number[]> {
	const took: number[] = [];
	let next = 0;
	const client = async () => {
		while (next < calls) {
			const index = next++;
			const begun = performance.now();
			await call(index);
			took.push(performance.now() - begun);
		}
	};
	await Promise.all(Array.from({ length: Number(clients) }, client));
	return took;
}

const total = Number(requests);
// The first ones find code that is not compiled yet.
await load(Math.ceil(total / 10));
const begun = performance.now();
const took = (await load(total)).sort((a, b) => a - b);
const seconds = (performance.now() - begun) / 1000;
const round = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
const figures: Figures = {
	rate: Math.round(total / seconds),
	p50: round(took[Math.floor(total * 0.5)]),
	p99: round(took[Math.floor(total * 0.99)]),
};
console.log(JSON.stringify(figures));
await pool.destroy();
