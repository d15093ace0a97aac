/** The clients of `sandboxBench.ts`, in their own process. Arguments: URL, key, secret, requests, clients. Prints Figures as JSON. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { cycle } from '../shared/lists.ts';
import { percentile } from '../shared/statistics.ts';
import type { Figures } from './sandboxBench.ts';

const [url = '', key = '', secret = '', requests, clients] = process.argv.slice(2);

const CALLS = [
	{ path: '/v1/fiat_payout', body: '{"currency":"NGN","amount":0.01,"account_alias":"supplier-main"}' },
	{ path: '/v1/fiat_balance', body: '{"currency":"NGN"}' },
];

const pool = new Pool(url, { connections: Number(clients), pipelining: 1 });

async function call(index: number): Promise<void> {
	const { path, body } = cycle(CALLS, index);
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

/** Makes this many calls; each client has one at a time. Gives the milliseconds that each call took. */
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
// The first calls run code that is not compiled yet.
await load(Math.ceil(total / 10));
const begun = performance.now();
const took = await load(total);
const seconds = (performance.now() - begun) / 1000;
const hundredths = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
const figures: Figures = {
	rate: Math.round(total / seconds),
	p50: hundredths(percentile(took, 0.5)),
	p99: hundredths(percentile(took, 0.99)),
};
console.log(JSON.stringify(figures));
await pool.destroy();
