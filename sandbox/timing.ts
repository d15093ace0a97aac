/** Delays of settlements and deliveries. */
import type { Store, Table } from './store.ts';

/** In milliseconds. Invented: the document shows no times. */
export interface TimingSettings {
	/** Time until a pending payout succeeds; null: never. */
	settleAfterMs: number | null;
	/** Time between two attempts of a delivery. */
	retryDelayMs: number;
	/** How long an attempt waits for the response. */
	deliveryTimeoutMs: number;
}

/** Short, so that trying things out does not take long. */
const DEFAULTS: TimingSettings = { settleAfterMs: 1000, retryDelayMs: 1000, deliveryTimeoutMs: 10_000 };

export class Timing {
	readonly #table: Table<TimingSettings>;

	/** Given values replace those in the store, which replace the defaults. */
	constructor(store: Store, given: Partial<TimingSettings>) {
		this.#table = store.table('timing');
		this.set(given);
	}

	get current(): TimingSettings {
		return this.#table.get('timing') ?? DEFAULTS;
	}

	/** Values that are left out do not change. */
	set(changes: Partial<TimingSettings>): TimingSettings {
		const { current } = this;
		const {
			settleAfterMs = current.settleAfterMs,
			retryDelayMs = current.retryDelayMs,
			deliveryTimeoutMs = current.deliveryTimeoutMs,
		} = changes;
		const timing = { settleAfterMs, retryDelayMs, deliveryTimeoutMs };
		this.#table.put('timing', timing);
		return timing;
	}
}
