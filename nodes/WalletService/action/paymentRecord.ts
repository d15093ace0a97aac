/**
 * Payment keys that were used, across executions: kept in n8n's record of processed items of this node. n8n stores that record
 * at once, so it survives a kill, and shares it between all processes. It offers two calls only: look up and add, and remove.
 *
 * Entries of a key:
 * - `used`: the key belongs to a payment. Only claims add and remove it
 * - `seen`, `kept`: the same, for those who only look. They add an entry to learn whether it was there, and remove it again
 * - one for each detail of the payment, so that a different payment is recognized
 * - `open`: the payment has no known outcome. It is there before the request leaves and goes when the service has accepted
 * - `owner`: the execution that uses the key now
 *
 * n8n reads and writes the record as a whole, so a write of another process may undo one of ours. An owner therefore waits
 * longer than a write takes and looks again: the last writer wins (Fischer's mutual exclusion algorithm). This holds as long as
 * no write of another process takes longer than the pause. A slower one may still undo a claim, so the claim is written again
 * when the service has accepted.
 */

import { randomUUID } from 'node:crypto';

/** n8n's helpers for the record, bound to this node. */
export interface ProcessedItems {
	/** Adds what is new, and forgets the oldest entries beyond the maximum. Tells which entries were there before. */
	add(entries: string[], maxEntries?: number): Promise<{ processed: unknown[] }>;
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

interface KeyedPayment {
	key: string;
	details: PaymentDetails;
}

/** Whether entries have just been added, stay as ours, or belong to another. */
type Judgement = 'added' | 'owned' | 'lost';

/** A key that this execution may pay with. */
export interface Claim {
	accepted(): Promise<void>;
	/** Nothing was paid: the key is free again. */
	release(): Promise<void>;
	/** Leaves the key with an unknown outcome. */
	abandon(): void;
}

/** n8n forgets the oldest entries beyond this number: 10,000 keys with six entries each, and some room. */
const MAX_ENTRIES = 70_000;
/** A look adds entries only for a moment, so it must not push out others. */
const NO_MAXIMUM = Infinity;

/** Milliseconds. The pause is several times as long as the slowest of this process's last writes. */
const MIN_PAUSE = 100;
const PAUSE_PER_WRITE = 4;
const LAST_WRITES = 50;
const durations: number[] = [];

/** Of the module, because n8n runs several executions in one process: calls for one record wait for each other. */
const turns = new Map<string, Promise<unknown>>();
const claimed = new Map<string, Promise<void>>();

/** The last entries that were removed, by scope: a write of another process may have brought them back. */
const removedLately = new Map<string, string[]>();
const MAX_REMOVED_LATELY = 100;

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
	async look(payments: KeyedPayment[]): Promise<KeyState[]> {
		const states = await this.#lookOnce(payments);
		if (!states.some(({ is }) => is === 'different')) return states;
		// Another process may be looking at the key, with other details.
		await this.#sleep(this.#pause());
		return await this.#lookOnce(payments);
	}

	/** Adds and removes no `used`: a claim of another process in between would be lost with it. */
	async #lookOnce(payments: KeyedPayment[]): Promise<KeyState[]> {
		return await this.#inTurn(async () => {
			const seen = [...new Set(payments.map(({ key }) => entry('seen', key)))];
			const before = await this.#add(seen, NO_MAXIMUM);
			const fresh = seen.filter((text) => !before.has(text));
			if (fresh.length > 0) await this.#remove(fresh);
			const known = payments.filter(({ key }) => before.has(entry('seen', key)));
			if (known.length === 0) return payments.map(() => ({ is: 'unused' }));

			const entries = known.flatMap(({ key, details }) =>
				entriesOf(key, details).filter((text) => text !== entry('used', key)),
			);
			const asked = [...new Set(entries)];
			const found = await this.#add(asked, NO_MAXIMUM);
			const added = asked.filter((text) => !found.has(text));
			if (added.length > 0) await this.#remove(added);
			return payments.map(({ key, details }) =>
				found.has(entry('kept', key)) ? stateOf(key, details, found) : { is: 'unused' },
			);
		});
	}

	/** The state of one key, without using it. */
	async lookAt(key: string, details: PaymentDetails): Promise<KeyState> {
		const [state = { is: 'unused' }] = await this.look([{ key, details }]);
		return state;
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
			const [owner, open] = [entry('owner', key, randomUUID()), entry('open', key)];
			const entries = [...entriesOf(key, details), owner];
			removedLately.set(
				this.#scope,
				this.#removedLately().filter((text) => text !== open),
			);
			const found = await this.#own(entries, (before) => {
				if (!before.has(entry('used', key))) return 'added';
				if (!before.has(owner)) return 'lost';
				// Another process that only looked has removed what it had added.
				if (!before.has(entry('kept', key))) return 'added';
				// Another process that has paid in the meantime has removed `open`.
				return before.has(open) ? 'owned' : 'lost';
			});
			if (found !== 'owned') return stateOf(key, details, found);
			owned = true;
			const finish = async (work: () => Promise<void>) => {
				try {
					await this.#inTurn(work);
				} finally {
					end();
				}
			};
			return {
				accepted: async () =>
					await finish(async () => {
						await this.#add(entries.filter((text) => text !== open && text !== owner));
						const removed = [...this.#removedLately(), open, owner].slice(-MAX_REMOVED_LATELY);
						removedLately.set(this.#scope, removed);
						await this.#remove(removed);
					}),
				release: async () => await finish(async () => await this.#remove(entries)),
				abandon: end,
			};
		} finally {
			if (!owned) end();
		}
	}

	/** True for the first caller with this text, in whatever execution; false for all others. */
	async isFirst(text: string): Promise<boolean> {
		const [once, owner] = [entry('once', text), entry('owner', text, randomUUID())];
		const found = await this.#own([once, owner], (before) => {
			if (!before.has(once)) return 'added';
			return before.has(owner) ? 'owned' : 'lost';
		});
		return found === 'owned';
	}

	/** Adds the entries until they stay. If they belong to another, gives what was found before. */
	async #own(entries: string[], judge: (before: Set<unknown>) => Judgement): Promise<'owned' | Set<unknown>> {
		for (;;) {
			const { before, judgement } = await this.#inTurn(async () => {
				const before = await this.#add(entries);
				const judgement = judge(before);
				if (judgement === 'lost') await this.#remove(entries.filter((text) => !before.has(text)));
				return { before, judgement };
			});
			if (judgement === 'owned') return 'owned';
			if (judgement === 'lost') return before;
			await this.#sleep(this.#pause());
		}
	}

	#pause(): number {
		return Math.max(MIN_PAUSE, PAUSE_PER_WRITE * Math.max(...durations));
	}

	#removedLately(): string[] {
		return removedLately.get(this.#scope) ?? [];
	}

	async #add(entries: string[], maximum: number | undefined = MAX_ENTRIES): Promise<Set<unknown>> {
		const add = async () => await this.#items.add(entries, maximum);
		// The first write of a record fails if another process makes the record at the same instant.
		const { processed } = await timed(async () => await add().catch(add));
		return new Set(processed);
	}

	async #remove(entries: string[]): Promise<void> {
		await timed(async () => await this.#items.remove(entries));
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

/** Remembers how long a write of the record takes. */
async function timed<T>(write: () => Promise<T>): Promise<T> {
	const begun = Date.now();
	try {
		return await write();
	} finally {
		durations.push(Date.now() - begun);
		if (durations.length > LAST_WRITES) durations.shift();
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

/** The state of a key that is used. */
function stateOf(key: string, details: PaymentDetails, found: Set<unknown>): KeyState {
	const different = Object.entries(details)
		.filter(([label, value]) => !found.has(entry('detail', key, label, value)))
		.map(([label]) => label);
	if (different.length > 0) return { is: 'different', details: different };
	return { is: found.has(entry('open', key)) ? 'unknown' : 'accepted' };
}
