/**
 * Payment keys that were used, across executions: kept in n8n's record of processed items of this node. n8n stores that record
 * at once, so it survives a kill, and shares it between all processes. It offers two calls only: look up and add, and remove.
 *
 * Entries of a key:
 * - `used`: the key belongs to a payment. Nothing but a claim adds or removes it
 * - `seen`, `kept`: the same for those who only look: they add an entry to learn whether it was there, and remove it
 * - one for each detail of the payment, so that a different payment is recognized
 * - `open`: the payment has no known outcome. It is there before the request leaves and goes when the service has accepted
 * - `owner`: the execution that uses the key now
 *
 * n8n reads and writes the record as a whole, so a write of another process may undo one of ours. An owner therefore waits
 * longer than a write takes and looks again: the last writer wins (Fischer's mutual exclusion algorithm).
 */

import { randomUUID } from 'node:crypto';

/** n8n's helpers for the record, bound to this node. */
export interface ProcessedItems {
	/** Adds what is new. Tells which entries were there before. */
	add(entries: string[]): Promise<{ processed: unknown[] }>;
	remove(entries: string[]): Promise<void>;
}

/** What makes two payments different, by the label of the parameter. */
export type PaymentDetails = Record<string, string>;

export type KeyState =
	| { is: 'unused' }
	| { is: 'accepted' }
	/** Sent, without a trustworthy answer so far. */
	| { is: 'unknown' }
	/** Used for a payment in which these details differ. */
	| { is: 'different'; details: string[] };

/** A key that this execution may pay with. */
export interface Claim {
	accepted(): Promise<void>;
	/** Nothing was paid: the key is free again. */
	release(): Promise<void>;
	/** Leaves the key with an unknown outcome. */
	abandon(): void;
}

/** n8n forgets the oldest entries beyond this number: 10,000 keys with six entries each, and some room. */
export const MAX_ENTRIES = 70_000;

/** Milliseconds. A pause is several times as long as our own write took. */
const MIN_PAUSE = 40;
const PAUSE_PER_WRITE = 4;

/** Of the module, because n8n runs several executions in one process: calls for one record wait for each other. */
const turns = new Map<string, Promise<unknown>>();
const claimed = new Map<string, Promise<void>>();

export class PaymentRecord {
	readonly #scope: string;
	readonly #items: ProcessedItems;
	readonly #sleep: (milliseconds: number) => Promise<void>;

	/** `scope` names the record: workflow and node. */
	constructor(scope: string, items: ProcessedItems, sleep: (milliseconds: number) => Promise<void>) {
		this.#scope = scope;
		this.#items = items;
		this.#sleep = sleep;
	}

	/** The state of each key, without using it. */
	async look(payments: Array<{ key: string; details: PaymentDetails }>): Promise<KeyState[]> {
		const states = await this.#lookOnce(payments);
		if (!states.some(({ is }) => is === 'different')) return states;
		// Another process may only look at the key, with other details.
		await this.#sleep(MIN_PAUSE);
		return await this.#lookOnce(payments);
	}

	/** Adds and removes no `used`: a claim of another process in between would be lost with it. */
	async #lookOnce(payments: Array<{ key: string; details: PaymentDetails }>): Promise<KeyState[]> {
		return await this.#inTurn(async () => {
			const seen = [...new Set(payments.map(({ key }) => entry('seen', key)))];
			const before = await this.#add(seen);
			const fresh = seen.filter((text) => !before.has(text));
			if (fresh.length > 0) await this.#items.remove(fresh);
			const known = payments.filter(({ key }) => before.has(entry('seen', key)));
			if (known.length === 0) return payments.map(() => ({ is: 'unused' }));

			const asked = [
				...new Set(
					known.flatMap(({ key, details }) =>
						entriesOf(key, details).filter((text) => text !== entry('used', key)),
					),
				),
			];
			const found = await this.#add(asked);
			const added = asked.filter((text) => !found.has(text));
			if (added.length > 0) await this.#items.remove(added);
			return payments.map(({ key, details }) =>
				found.has(entry('kept', key)) ? stateOfUsed(key, details, found) : { is: 'unused' },
			);
		});
	}

	/** Takes the key for a payment, unless it is used. A payment with this key that is under way here is waited for. */
	async claim(key: string, details: PaymentDetails): Promise<Claim | KeyState> {
		const place = `${this.#scope}\n${key}`;
		for (let other = claimed.get(place); other !== undefined; other = claimed.get(place)) await other;
		let settle = () => {};
		claimed.set(place, new Promise((resolve) => (settle = resolve)));
		const end = () => {
			claimed.delete(place);
			settle();
		};
		let owned = false;
		try {
			const owner = entry('owner', key, randomUUID());
			const entries = [...entriesOf(key, details), owner];
			const found = await this.#own(entries, entry('used', key), owner);
			if (found !== 'owned') return stateOf(key, details, found);
			owned = true;
			const leave = async (leaving: string[]) => {
				try {
					await this.#inTurn(async () => await this.#items.remove(leaving));
				} finally {
					end();
				}
			};
			return {
				accepted: async () => await leave([entry('open', key), owner]),
				release: async () => await leave(entries),
				abandon: end,
			};
		} finally {
			if (!owned) end();
		}
	}

	/** True for the first caller with this text, in whatever execution; false for all others. */
	async isFirst(text: string): Promise<boolean> {
		const [once, owner] = [entry('once', text), entry('owner', text, randomUUID())];
		return (await this.#own([once, owner], once, owner)) === 'owned';
	}

	/** Adds the entries until all stay. If `main` belongs to another owner, gives what was found before. */
	async #own(entries: string[], main: string, owner: string): Promise<'owned' | Set<unknown>> {
		for (;;) {
			const taken = await this.#takeEntries(entries, main, owner);
			if (taken !== 'added') return taken;
			await this.#sleep(this.#pause);
		}
	}

	#pause = MIN_PAUSE;

	async #takeEntries(
		entries: string[],
		main: string,
		owner: string,
	): Promise<'owned' | 'added' | Set<unknown>> {
		return await this.#inTurn(async () => {
			const begun = Date.now();
			const found = await this.#add(entries);
			this.#pause = Math.max(MIN_PAUSE, PAUSE_PER_WRITE * (Date.now() - begun));
			if (entries.every((text) => found.has(text))) return 'owned';
			if (!found.has(main) || found.has(owner)) return 'added';
			await this.#items.remove(entries.filter((text) => !found.has(text)));
			return found;
		});
	}

	async #add(entries: string[]): Promise<Set<unknown>> {
		return new Set((await this.#items.add(entries)).processed);
	}

	async #inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = (turns.get(this.#scope) ?? Promise.resolve()).then(work);
		const settled = result.catch(() => undefined);
		turns.set(this.#scope, settled);
		try {
			return await result;
		} finally {
			if (turns.get(this.#scope) === settled) turns.delete(this.#scope);
		}
	}
}

/** Oldest first in n8n's record: where it cuts off entries, a key is forgotten before its details. */
function entriesOf(key: string, details: PaymentDetails): string[] {
	return [
		entry('seen', key),
		entry('used', key),
		entry('kept', key),
		...Object.entries(details).map(([label, value]) => entry('detail', key, label, value)),
		entry('open', key),
	];
}

/** Entries of different keys never read alike. */
function entry(...parts: string[]): string {
	return JSON.stringify(['payment', ...parts]);
}

function stateOf(key: string, details: PaymentDetails, found: Set<unknown>): KeyState {
	return found.has(entry('used', key)) ? stateOfUsed(key, details, found) : { is: 'unused' };
}

function stateOfUsed(key: string, details: PaymentDetails, found: Set<unknown>): KeyState {
	const different = Object.entries(details)
		.filter(([label, value]) => !found.has(entry('detail', key, label, value)))
		.map(([label]) => label);
	if (different.length > 0) return { is: 'different', details: different };
	return { is: found.has(entry('open', key)) ? 'unknown' : 'accepted' };
}
