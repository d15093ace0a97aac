/** First layer, in this process: the deliveries of each trigger that n8n handles or has accepted. */
import { BoundedMap } from '../../shared/boundedMap.ts';
import type { Identity } from './identity.ts';

/** Deliveries of one trigger that are kept: at least half of this number. About 6 MB when full. */
const MAX_DELIVERIES = 50_000;

class Memory {
	/** True for an accepted delivery; until then a promise that tells whether it is accepted. */
	readonly #claims = new BoundedMap<true | Promise<boolean>>(MAX_DELIVERIES);
	/** The last state of each reviewed wallet or account, by arrival: n8n may answer an earlier one later. */
	readonly #states = new BoundedMap<{ key: string; arrival: number }>(MAX_DELIVERIES);
	#arrivals = 0;

	/** Claims a delivery, after an earlier claim has ended. Returns what ends it; undefined if the earlier one was accepted. */
	async claim({ key, subject }: Identity): Promise<((isAccepted: boolean) => void) | undefined> {
		for (let earlier = this.#claims.get(key); earlier !== undefined; earlier = this.#claims.get(key))
			if (await earlier) return undefined;
		// There is no await between the look-up and this claim: of the copies that arrive together, one wins.
		const { promise: outcome, resolve } = Promise.withResolvers<boolean>();
		this.#claims.set(key, outcome);
		const state = { key, arrival: (this.#arrivals += 1) };
		return (isAccepted) => {
			resolve(isAccepted);
			if (isAccepted) this.#claims.set(key, true);
			else if (this.#claims.get(key) === outcome) this.#claims.delete(key);
			if (!isAccepted || subject === undefined) return;
			// The state before may come back: then it starts the workflow again.
			const other = this.#states.get(subject) ?? state;
			const [before, last] = other.arrival > state.arrival ? [state, other] : [other, state];
			if (before.key !== last.key) this.#claims.delete(before.key);
			this.#states.set(subject, last);
		};
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
