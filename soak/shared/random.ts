import { randomInt } from 'node:crypto';

/** Random numbers from 0 up to 1. Prints the seed, which gives the same ones again. */
export function randomFrom(seed = randomInt(2 ** 32)): () => number {
	process.stderr.write(`Random numbers from --seed ${seed}\n`);
	let state = seed;
	// Mulberry32.
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
