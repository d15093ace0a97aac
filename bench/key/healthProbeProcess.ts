/** The process of `probeWhile`: measures how long the server of the URL takes to answer, one question after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { PROBE_EVERY_MS } from './healthProbe.ts';
import type { Probed } from './healthProbe.ts';

async function probe(url: string): Promise<Probed> {
	const { origin, pathname: path } = new URL(url);
	const pool = new Pool(origin, { connections: 1 });
	const ask = async () => {
		const sent = performance.now();
		const { statusCode, body } = await pool.request({ path, method: 'GET' });
		await body.dump();
		if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
		return performance.now() - sent;
	};
	let isStopped = false;
	process.once('message', () => (isStopped = true));
	// The first one connects.
	await ask();
	process.send?.('begun');
	let [longest, answers] = [0, 0];
	while (!isStopped) {
		longest = Math.max(longest, await ask());
		answers += 1;
		await sleep(PROBE_EVERY_MS);
	}
	await pool.destroy();
	return { longest, answers };
}

probe(process.argv[2] ?? '').then(
	(probed) => process.send?.(probed),
	(error: Error) => process.send?.({ failure: error.message }),
);
