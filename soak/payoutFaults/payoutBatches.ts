/** The payouts of a round, and the batches in which they are made. */
import fc from 'fast-check';
import { amount } from '../shared/amounts.ts';
import { elementAt } from '../../bench/shared/lists.ts';
import { FAULTS, NONE, REFUSED } from './faultTable.ts';

export interface Round {
	name: string;
	payouts: number;
	/** The share of them that meets a fault, 0 to 1; each kind of fault is equally frequent. */
	share: number;
}

type Reported = 'item' | 'executed' | 'unknown';

export interface Payout {
	amount: string;
	fault: string;
	/** The fault that each request for it met, oldest first. */
	requests: string[];
	/** Where the user read that it was accepted, or that this is unknown. */
	reported: Set<Reported>;
	/** The ids that the user read. */
	ids: Set<string>;
	/** The user read another amount. */
	wrongDigits: boolean;
	/** An execution passed it without saying anything about it. */
	unreported: boolean;
}

const BATCH = 10;

/** Makes payouts of different amounts of up to 38 digits; the faults are in random order. The same for the same seed. */
export function makePayouts({ payouts, share }: Round, seed: number): Payout[] {
	const kinds = Object.keys(FAULTS);
	const hit = Math.round(payouts * share);
	const faults = Array.from({ length: payouts }, (_, index) =>
		index < hit ? elementAt(kinds, index % kinds.length) : NONE,
	);
	const all = { minLength: payouts, maxLength: payouts };
	const drawn = fc.tuple(fc.uniqueArray(amount, { ...all, size: 'max' }), fc.shuffledSubarray(faults, all));
	return fc.sample(drawn, { seed, numRuns: 1 }).flatMap(([amounts, order]) =>
		amounts.map((text, index) => ({
			amount: text,
			fault: elementAt(order, index),
			requests: [],
			reported: new Set<Reported>(),
			ids: new Set<string>(),
			wrongDigits: false,
			unreported: false,
		})),
	);
}

/** Whether its next request finds nothing listening. */
export function isToBeRefused({ fault, requests }: Payout): boolean {
	return fault === REFUSED && requests.length === 0;
}

/**
 * Takes the payouts of the next execution from the queue. At most one of them finds nothing listening. If the node continues
 * after a failure (`stops` is false), that one is the last, so that the others still reach the service.
 */
export function takeBatch(queue: Payout[], stops: boolean): Payout[] {
	const batch: Payout[] = [];
	for (const payout of queue) {
		const isRefused = isToBeRefused(payout);
		if (isRefused && batch.some(isToBeRefused)) break;
		batch.push(payout);
		if (batch.length === BATCH || (isRefused && !stops)) break;
	}
	queue.splice(0, batch.length);
	return batch;
}
