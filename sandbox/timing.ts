/** After how long things happen by themselves. */
import type { DeliveryTiming } from './deliveries.ts';
import type { Store, Table } from './store.ts';

/** In milliseconds. The document shows none of it. */
export interface TimingSettings extends DeliveryTiming {
	/** Until a pending payout is successful; null: never. */
	settleAfterMs: number | null;
}

/** Short, for trying things out. */
const DEFAULTS: TimingSettings = { settleAfterMs: 1000, retryDelayMs: 1000, deliveryTimeoutMs: 10_000 };

export class Timing {
	readonly #table: Table<TimingSettings>;

	/** `given` goes before what the store has, and that before the defaults. */
	constructor(store: Store, given: Partial<TimingSettings>) {
		this.#table = store.table('timing');
		this.set(given);
	}

	get current(): TimingSettings {
		return this.#table.get('timing') ?? DEFAULTS;
	}

	/** What is not given stays as it is. */
	set(given: Partial<TimingSettings>): TimingSettings {
		const { current } = this;
		const {
			settleAfterMs = current.settleAfterMs,
			retryDelayMs = current.retryDelayMs,
			deliveryTimeoutMs = current.deliveryTimeoutMs,
		} = given;
		const timing = { settleAfterMs, retryDelayMs, deliveryTimeoutMs };
		this.#table.put('timing', timing);
		return timing;
	}
}
