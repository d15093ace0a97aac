import { setTimeout as sleep } from 'node:timers/promises';

type NotYet = false | undefined;

/** A machine that does nothing else has the answer within a few seconds. */
const LONG_MS = 30_000;
/** A busy one can be ten times slower. */
const TOO_LONG_MS = 120_000;

/**
 * Asks every 25 ms in the first quarter of a second, and less and less often until it is twice a second, because n8n works for each
 * question. Prints what it waits for when it takes long, and throws the same after `withinMs`: `what` is asked at that time.
 */
export async function until<T>(
	what: string | (() => string),
	ask: () => Promise<T | NotYet> | T | NotYet,
	withinMs = TOO_LONG_MS,
): Promise<T> {
	const begun = Date.now();
	const inWords = () => (typeof what === 'string' ? what : what());
	let isSaid = false;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		const waited = Date.now() - begun;
		if (waited > withinMs) throw new Error(`Waited ${withinMs / 1000} s for ${inWords()}, without success`);
		if (waited > LONG_MS && !isSaid) {
			process.stderr.write(`Waiting for ${inWords()}, since ${LONG_MS / 1000} s\n`);
			isSaid = true;
		}
		await sleep(Math.min(Math.max(25, waited / 10), 500));
	}
}
