/** What stays after a reset, in one record: secrets, delays, the webhook and the header of payment keys. */
import { SETTINGS } from '../../api/signature/settings.ts';
import { randomHex } from '../ledger/ids.ts';
import type { Table } from '../ledger/table.ts';
import type { Store } from './store.ts';

export interface Secrets {
	key: string;
	/** Signs requests. */
	secret: string;
	/** Signs deliveries. */
	webhookSecret: string;
}

/** In milliseconds. Invented: the document shows no times. */
interface Delays {
	/** Time until a pending payout succeeds; null: never. */
	settleAfterMs: number | null;
	/** Time between two attempts of a delivery. */
	retryDelayMs: number;
	/** How long an attempt waits for the response. */
	deliveryTimeoutMs: number;
}

export interface SandboxSettings extends Secrets, Delays {
	/** '': no webhooks. */
	webhookUrl: string;
	/** '': no header carries a payment key. */
	paymentKeyHeader: string;
}

/** The labels under which the sandbox prints its values: those of the credential's form. */
export const PRINTED = {
	url: SETTINGS.baseUrl.label,
	key: SETTINGS.apiKey.label,
	secret: SETTINGS.signatureSecret.label,
	webhookSecret: SETTINGS.webhookSecret.label,
};

/** The kind of its record in the store. */
export const KIND = 'settings';

export class Settings {
	readonly #table: Table<SandboxSettings>;

	/** Given values replace those in the store, which replace the defaults. */
	constructor(store: Store, given: Partial<SandboxSettings>) {
		this.#table = store.table(KIND);
		const defaults: SandboxSettings = {
			key: randomHex(24),
			secret: randomHex(24),
			webhookSecret: randomHex(24),
			// Short, so that trying things out does not take long.
			settleAfterMs: 1000,
			retryDelayMs: 1000,
			deliveryTimeoutMs: 10_000,
			webhookUrl: '',
			paymentKeyHeader: '',
		};
		this.#table.put(KIND, { ...defaults, ...this.#table.get(KIND) });
		this.change(given);
	}

	get current(): SandboxSettings {
		return this.#table.get(KIND) as SandboxSettings;
	}

	get delays(): Delays {
		const { settleAfterMs, retryDelayMs, deliveryTimeoutMs } = this.current;
		return { settleAfterMs, retryDelayMs, deliveryTimeoutMs };
	}

	/** What is left out, or undefined, does not change. */
	change(changes: Partial<SandboxSettings>): void {
		const given = Object.entries(changes).filter(([, value]) => value !== undefined);
		this.#table.put(KIND, { ...this.current, ...(Object.fromEntries(given) as Partial<SandboxSettings>) });
	}
}
