/** First layer, in this process: the deliveries of each trigger that n8n handles or has accepted. */
import { sleep } from 'n8n-workflow';

import { BoundedMap } from '../../shared/store/boundedMap.ts';
import type { Identity } from './identity.ts';

/** Deliveries of one trigger that are kept: at least half of this number. About 6 MB when full. */
const MAX_DELIVERIES = 50_000;

/** How long a repetition waits for the answer to the first delivery, in milliseconds. */
const WAIT = 10_000;
/** A claim that is older hangs, in milliseconds: no repetition waits for it. */
const HANGS_AFTER = 60_000;
/** Repetitions of a trigger that wait at once. Each holds a connection, and n8n's engine for expressions. */
const MAX_WAITING = 100;

/** What is remembered of a delivery. */
export type Claimed = Pick<Identity, 'key' | 'subject'>;

/** Ends a claim. */
type End = (isAccepted: boolean) => void;

/** A delivery that has no answer yet. */
interface Claim {
	/** By the clock. */
	begun: number;
	/** Whether it is accepted in the end. */
	outcome: Promise<boolean>;
}

/** `clock` gives milliseconds, and nobody can set it back. */
const TIME = { clock: () => performance.now(), sleep };

class Memory {
	/** True for an accepted delivery. */
	readonly #claims = new BoundedMap<true | Claim>(MAX_DELIVERIES);
	/** The last state of each reviewed wallet or account, by arrival: n8n may answer an earlier one later. */
	readonly #states = new BoundedMap<{ key: string; arrival: number }>(MAX_DELIVERIES);
	#arrivals = 0;
	#waiting = 0;

	/**
	 * Claims a delivery, after an earlier claim has ended. Returns what ends it; `duplicate` if the earlier one was accepted,
	 * `unanswered` if it has no answer in time.
	 */
	async claim({ key, subject }: Claimed, time = TIME): Promise<End | 'duplicate' | 'unanswered'> {
		const deadline = time.clock() + WAIT;
		for (let earlier = this.#claims.get(key); earlier !== undefined; earlier = this.#claims.get(key)) {
			if (earlier === true) return 'duplicate';
			const isAccepted = await this.#outcomeOf(earlier, deadline, time);
			if (isAccepted === undefined) return 'unanswered';
			if (isAccepted) return 'duplicate';
		}
		// There is no await between the look-up and this claim: of the copies that arrive together, one wins.
		const { promise: outcome, resolve } = Promise.withResolvers<boolean>();
		const claim = { begun: time.clock(), outcome };
		this.#claims.set(key, claim);
		const state = { key, arrival: (this.#arrivals += 1) };
		return (isAccepted) => {
			resolve(isAccepted);
			if (isAccepted) this.#claims.set(key, true);
			else if (this.#claims.get(key) === claim) this.#claims.delete(key);
			if (!isAccepted || subject === undefined) return;
			// The state before may come back: then it starts the workflow again.
			const other = this.#states.get(subject) ?? state;
			const [before, last] = other.arrival > state.arrival ? [state, other] : [other, state];
			if (before.key !== last.key) this.#claims.delete(before.key);
			this.#states.set(subject, last);
		};
	}

	/** Whether the claim is accepted; undefined if it does not end in time, or if it is not worth waiting. */
	async #outcomeOf(
		{ begun, outcome }: Claim,
		deadline: number,
		{ clock, sleep }: typeof TIME,
	): Promise<boolean | undefined> {
		const now = clock();
		if (now - begun > HANGS_AFTER || this.#waiting >= MAX_WAITING) return undefined;
		const ended = new AbortController();
		this.#waiting += 1;
		try {
			const late = sleep(deadline - now, ended.signal).then(() => undefined);
			return await Promise.race([outcome, late]);
		} finally {
			this.#waiting -= 1;
			ended.abort();
		}
	}
}

// In the module, because n8n creates a new node object for each delivery.
const memories = new BoundedMap<Memory>();

/** `trigger` names one trigger of one workflow. A busy trigger does not push out the deliveries of a quiet one. */
export function memoryOf(trigger: string): Memory {
	const memory = memories.get(trigger) ?? new Memory();
	memories.set(trigger, memory);
	return memory;
}
