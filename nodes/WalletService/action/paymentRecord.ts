/**
 * The Payment Keys that were used, in all executions. They are in n8n's record of processed items of this node. n8n stores that
 * record at once, so it survives a kill, and all processes share it. It has two calls only: add (which tells what was there), and
 * remove.
 *
 * Entries of a key:
 * - `used`: the key belongs to a payment. Only claims add and remove it.
 * - `seen`, `kept`: the same, for look-ups. A look-up adds an entry to learn whether it was there, and removes it again.
 * - one for each detail of the payment, so that a different payment is recognized.
 * - `open`: the payment has no known outcome. Added before the request is sent, removed when the service has accepted.
 * - `owner`: the execution that uses the key now.
 *
 * n8n reads and writes the record as a whole, so a write of another process may undo one of ours. An owner therefore waits
 * longer than a write takes and reads again: the last writer wins (Fischer's mutual exclusion algorithm). This works if no
 * write of another process takes longer than the pause. A slower write may still undo a claim, so the claim is written again
 * when the service has accepted.
 */
import { randomUUID } from 'node:crypto';

/** n8n's helpers for the record, bound to this node. */
export interface ProcessedItems {
	/** Adds the new entries, and drops the oldest ones above the maximum. `processed`: the entries that were there before. */
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

/** `added`: written just now. `owned`: still there after a pause, so they are ours. `lost`: another execution has them. */
type Ownership = 'added' | 'owned' | 'lost';

/** A key that this execution may pay with. */
export interface Claim {
	accepted(): Promise<void>;
	/** Nothing was paid: the key is free again. */
	release(): Promise<void>;
	/** Leaves the key with an unknown outcome. */
	abandon(): void;
}

/** n8n drops the oldest entries above this number: room for more than 10,000 keys with six entries each. */
const MAX_ENTRIES = 70_000;
/** A look-up adds entries for a moment only, so it must not push out others. */
const NO_MAXIMUM = Infinity;

/** Milliseconds. The pause is several times as long as the slowest of this process's last writes. */
const MIN_PAUSE = 100;
const PAUSE_PER_WRITE = 4;
const LAST_WRITES = 50;
const durations: number[] = [];

/** Shared by all executions of this process, by scope. Calls for one record run one after the other. */
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
	async lookUpAll(payments: KeyedPayment[]): Promise<KeyState[]> {
		const states = await this.#readStates(payments);
		if (!states.some(({ is }) => is === 'different')) return states;
		// Another process may be looking up the key with other details.
		await this.#sleep(this.#pause());
		return await this.#readStates(payments);
	}

	/** Does not touch `used`: removing it could remove the claim of another process. */
	async #readStates(payments: KeyedPayment[]): Promise<KeyState[]> {
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
	async lookUp(key: string, details: PaymentDetails): Promise<KeyState> {
		const [state = { is: 'unused' }] = await this.lookUpAll([{ key, details }]);
		return state;
	}

	/** Takes the key for a payment, unless it is used. A payment with this key that is under way here is waited for. */
	async claim(key: string, details: PaymentDetails): Promise<Claim | KeyState> {
		const place = `${this.#scope}\n${key}`;
		for (let other = claimed.get(place); other !== undefined; other = claimed.get(place)) await other;
		let complete = () => {};
		claimed.set(place, new Promise((resolve) => (complete = resolve)));
		const end = () => {
			claimed.delete(place);
			complete();
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
				// The look-up of another process has removed it.
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

	/** True for the first caller with this text, in any execution; false for all others. */
	async isFirst(text: string): Promise<boolean> {
		const [once, owner] = [entry('once', text), entry('owner', text, randomUUID())];
		const found = await this.#own([once, owner], (before) => {
			if (!before.has(once)) return 'added';
			return before.has(owner) ? 'owned' : 'lost';
		});
		return found === 'owned';
	}

	/** Adds the entries until they stay. If another execution has them, gives the entries that were there. */
	async #own(entries: string[], judge: (before: Set<unknown>) => Ownership): Promise<'owned' | Set<unknown>> {
		for (;;) {
			const { found, ownership } = await this.#inTurn(async () => {
				const before = await this.#add(entries);
				const judged = judge(before);
				if (judged === 'lost') await this.#remove(entries.filter((text) => !before.has(text)));
				return { found: before, ownership: judged };
			});
			if (ownership === 'owned') return 'owned';
			if (ownership === 'lost') return found;
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
		const ended = result.catch(() => undefined);
		turns.set(this.#scope, ended);
		try {
			return await result;
		} finally {
			if (turns.get(this.#scope) === ended) turns.delete(this.#scope);
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

/** In this order n8n drops the entry of a key before the details of the payment. */
function entriesOf(key: string, details: PaymentDetails): string[] {
	return [
		entry('seen', key),
		entry('used', key),
		entry('kept', key),
		...Object.entries(details).map(([label, value]) => entry('detail', key, label, value)),
		entry('open', key),
	];
}

/** JSON, so that entries of different keys always differ. */
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
