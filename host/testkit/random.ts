/**
 * Random numbers of tests and soaks, the same in each run. `npm run nightly` sets TEST_SEED to others each night and prints it. What
 * fails with it fails again with the same TEST_SEED.
 */
export const SEED = Number(process.env.TEST_SEED ?? 20_260_301);
// fast-check would take another number for this one.
if (SEED !== Math.trunc(SEED) || SEED < 0 || SEED >= 2 ** 31)
	throw new Error('TEST_SEED must be a whole number from 0 to 2147483647');

export const TO_REPEAT = `The random numbers were of TEST_SEED=${SEED}`;

/** Random numbers from 0 up to 1. */
export function randomNumbers(seed = SEED): () => number {
	let state = seed;
	// Mulberry32.
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
