import { setTimeout as sleep } from 'node:timers/promises';

type NotYet = false | undefined;

/** Asks every 25 ms until there is an answer. Throws after `withinMs`, naming what it waited for. */
export async function until<T>(
	what: string,
	ask: () => Promise<T | NotYet> | T | NotYet,
	withinMs = 20_000,
): Promise<T> {
	for (const deadline = Date.now() + withinMs; ; await sleep(25)) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s for ${what}, without success`);
	}
}
