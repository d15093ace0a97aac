import { setTimeout as sleep } from 'node:timers/promises';

type NotYet = false | undefined;

/**
 * Asks every 25 ms in the first quarter of a second, and less and less often until it is twice a second, because n8n works for each
 * question. Throws after `withinMs`, naming what it waited for at that time: late, because a busy machine can be ten times slower.
 */
export async function until<T>(
	what: string | (() => string),
	ask: () => Promise<T | NotYet> | T | NotYet,
	withinMs = 240_000,
): Promise<T> {
	const begun = Date.now();
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		const waited = Date.now() - begun;
		if (waited > withinMs) {
			const wanted = typeof what === 'string' ? what : what();
			throw new Error(`Waited ${withinMs / 1000} s for ${wanted}, without success`);
		}
		await sleep(Math.min(Math.max(25, waited / 10), 500));
	}
}
