/**
 * Payment Keys in n8n's record of a workflow: a payment with the same key is made once, whatever runs again. The only question
 * that is asked of the record is a claim, since each question writes.
 *
 * Entries of a key, in the order in which n8n forgets them:
 * - `used`: the key belongs to a payment.
 * - `same`: it belongs to this payment. A digest, so that another payment is recognized.
 * - `open`: this payment has no known outcome. Written with the claim, removed when the service has accepted.
 * - `tried`: an execution tries the payment, or has tried it since a run with Do Not Pay. A kill leaves it behind.
 * - `header`: the request has the key in this header, so the service knows it. Only with such a setting.
 * - a ticket of the execution that claims.
 * So a key keeps two entries once it is paid, and three or four while its outcome is unknown. Whatever is interrupted, a paid
 * key can only become unknown, and a key that is not paid never says that it is.
 *
 * A decision of a person acts only on a key without `tried`: a decision that is left in place never decides twice.
 *
 * n8n has no lock: a write of another process may undo ours. So a claim waits longer than a write takes and asks for its ticket
 * again: the last writer wins (Fischer's mutual exclusion algorithm). A write that takes longer than the pause may undo a claim.
 */
import { createHash, randomUUID } from 'node:crypto';

import type { ProcessedItems, SharedRecord } from '../../sharedRecord.ts';

/** What makes two payments different, by a word for it. */
export type PaymentDetails = Record<string, string>;

export interface KeyedPayment {
	/** In the form in which keys are compared. */
	key: string;
	details: PaymentDetails;
}

export type KeyState =
	| { is: 'paid' }
	/** Sent or claimed, without a clear answer. `wasTried`: no run with Do Not Pay has seen it since the last try. */
	| { is: 'unknown'; wasTried: boolean }
	/** Used for another payment. `details`: what differs; undefined if that is not known any more. */
	| { is: 'different'; details?: string[] };

/**
 * What to do with a key whose outcome is unknown.
 * - `doNotPay`: nothing
 * - `wasPaid`: a person says that it was paid, so it counts as paid
 * - `wasNotPaid`: a person says that it was not paid, so it is paid now
 */
export type Decision = 'doNotPay' | 'wasPaid' | 'wasNotPaid';

export interface ClaimOptions {
	decision: Decision;
	/** The header with the key, if the service makes a payment with the same key once: an unknown payment is then sent again. */
	header?: string;
	/** Called when this claim is about to be confirmed: the next one can be written with it. */
	beforeConfirming?(): void;
}

/** Names of the entries of a key and of its payment. */
interface Entries {
	used: string;
	same: string;
	open: string;
	tried: string;
	header?: string;
	ticket: string;
}

/** A key that this execution may pay with. */
export interface Claim {
	is: 'claimed';
	accepted(): Promise<void>;
	/** Nothing was paid: the key is free again, unless an earlier try of the payment may have been made. */
	release(): Promise<void>;
	/** Leaves the key with an unknown outcome. */
	leaveUnknown(): Promise<void>;
	/** An earlier request of this payment may have reached the service. */
	isRepeated: boolean;
	/** The ticket, and the entries that `release` removes. */
	released: [string, string[]];
}

/** Payments that this process remembers, to name what differs and to answer for paid ones without a write. */
const MAX_REMEMBERED = 10_000;
/** Tries of one claim: a write of another process may undo each. */
const MAX_ROUNDS = 20;
/** Times that a release is made again because a write of another process has undone it. */
const MAX_RELEASES = 3;

/** The keys of one workflow, for all executions of this process. */
export class PaymentKeys {
	readonly #record: SharedRecord;
	/** Keys that an execution of this process works on. */
	readonly #claimed = new Map<string, Promise<void>>();
	readonly #known = new Map<string, { details: PaymentDetails; isPaid: boolean }>();
	/** Payments of the day that are known to be taken. */
	#taken = { day: '', count: 0 };

	constructor(record: SharedRecord) {
		this.#record = record;
	}

	/** Takes the key for a payment, unless it is used. A payment with this key that is under way in this process is waited for. */
	async claim(
		items: ProcessedItems,
		payment: KeyedPayment,
		options: ClaimOptions,
	): Promise<Claim | KeyState> {
		// Without an await while the key is free, so that the claim joins the write that is about to begin.
		for (let other = this.#claimed.get(payment.key); other; other = this.#claimed.get(payment.key))
			await other;
		const end = this.#begin(payment.key);
		let taken: Claim | KeyState | undefined;
		try {
			taken = await this.#take(items, payment, options, end);
			return taken;
		} finally {
			if (taken?.is !== 'claimed') end();
		}
	}

	/** True for the first caller with this text, in any execution; false for all others. */
	async isFirst(items: ProcessedItems, text: string): Promise<boolean> {
		const [once, ticket] = [entry('once', text), newTicket()];
		const ask = async () => await this.#record.ask(items, [once, ticket]);
		const found = await ask().catch(ask);
		const isFirst = !found.has(once) && (await this.#isOurs(items, [ticket]));
		await this.#forget(items, [ticket]);
		return isFirst;
	}

	/** Takes one of the day's payments. False if none is left. What is taken is never given back. */
	async takePayment(items: ProcessedItems, day: string, maximum: number): Promise<boolean> {
		let number = this.#taken.day === day ? this.#taken.count : 0;
		while (number < maximum) {
			number += 1;
			const isTaken = await this.isFirst(items, `payment ${number} of ${day}`);
			this.#taken = { day, count: Math.max(number, this.#taken.day === day ? this.#taken.count : 0) };
			if (isTaken) return true;
		}
		return false;
	}

	/** Checks that released keys stay free. Returns those that do not. Waits for a pause, so it is asked once for many. */
	async findNotFreed(items: ProcessedItems, released: ReadonlyMap<string, string[]>): Promise<string[]> {
		let left = new Map(released);
		for (let round = 0; round < MAX_RELEASES && left.size > 0; round += 1) {
			await this.#record.pause();
			const tickets = [...left.keys()];
			const found = await this.#record.ask(items, tickets);
			left = new Map([...left].filter(([ticket]) => found.has(ticket)));
			await this.#record.remove(items, [...tickets, ...[...left.values()].flat()]);
		}
		return [...left.keys()];
	}

	#begin(key: string): () => void {
		let complete = () => {};
		this.#claimed.set(key, new Promise((resolve) => (complete = resolve)));
		return () => {
			this.#claimed.delete(key);
			complete();
		};
	}

	async #take(
		items: ProcessedItems,
		payment: KeyedPayment,
		options: ClaimOptions,
		end: () => void,
	): Promise<Claim | KeyState> {
		const known = this.#known.get(payment.key);
		const differences = differencesOf(known?.details ?? payment.details, payment.details);
		if (differences.length > 0) return { is: 'different', details: differences };
		// A paid key stays paid.
		if (known?.isPaid === true) return { is: 'paid' };
		let hasWaited = false;
		for (let round = 0; round < MAX_ROUNDS; round += 1) {
			const entries = entriesOf(payment, options.header);
			const all: string[] = Object.values(entries);
			const ask = async () => await this.#record.ask(items, all);
			// The first write of a record fails if another process makes the record at the same instant.
			const found = await ask().catch(ask);
			const added = all.filter((text) => !found.has(text));
			if (!found.has(entries.used)) {
				// What n8n has forgotten in part is forgotten as a whole.
				if (added.length < all.length) await this.#record.remove(items, all);
				else if (await this.#isOurs(items, [entries.ticket], options.beforeConfirming))
					return this.#claimOf(items, payment, entries, options, end);
				continue;
			}
			if (!found.has(entries.same)) {
				await this.#forget(items, added);
				return { is: 'different' };
			}
			if (!found.has(entries.open)) {
				this.#remember(payment, true);
				await this.#record.removeForGood(items, entries.open, added).catch(() => {});
				return { is: 'paid' };
			}
			// If the ticket is found, a failed write was stored. It may hide that `tried` was missing.
			const wasTried = found.has(entries.tried) || found.has(entries.ticket);
			if (wasTried && !hasWaited) {
				// Another process may be asking at this moment, or about to end.
				await this.#forget(items, added);
				hasWaited = true;
				await this.#record.pause();
				continue;
			}
			return await this.#decide(items, payment, { entries, added, wasTried }, options, end);
		}
		throw new Error('other processes write it all the time');
	}

	/** Decides about a payment whose outcome is unknown. `added`: the entries that this claim has written. */
	async #decide(
		items: ProcessedItems,
		payment: KeyedPayment,
		{ entries, added, wasTried }: { entries: Entries; added: string[]; wasTried: boolean },
		options: ClaimOptions,
		end: () => void,
	): Promise<Claim | KeyState> {
		const { decision, beforeConfirming } = options;
		const { open, tried, ticket, header } = entries;
		if (decision === 'wasPaid' && !wasTried) {
			await this.#record.removeForGood(items, open, added);
			this.#remember(payment, true);
			return { is: 'paid' };
		}
		const isKnownToService = header !== undefined && !added.includes(header);
		if (decision !== 'wasPaid' && isKnownToService)
			return this.#claimOf(items, payment, entries, options, end, true);
		if (decision === 'wasNotPaid' && !wasTried) {
			// A run with Do Not Pay in another process may have removed the mark of this try.
			if (await this.#isOurs(items, [ticket, tried], beforeConfirming))
				return this.#claimOf(items, payment, entries, options, end);
			// Another process has overwritten this claim. Its entries are there now.
			return { is: 'unknown', wasTried: true };
		}
		// A person who reads this result decides about the payment as it is now.
		await this.#forget(items, decision === 'doNotPay' ? unique([tried, ...added]) : added);
		return { is: 'unknown', wasTried: wasTried && decision !== 'doNotPay' };
	}

	/**
	 * Whether our last write, with a ticket, is still there after a pause. Writes `others` once more with the question. A question
	 * that fails is not repeated: it may have been stored.
	 */
	async #isOurs(
		items: ProcessedItems,
		[ticket, ...others]: [string, ...string[]],
		beforeConfirming = () => {},
	): Promise<boolean> {
		await this.#record.pause();
		beforeConfirming();
		const found = await this.#record.ask(items, [ticket, ...others]);
		if (!found.has(ticket)) await this.#forget(items, [ticket]);
		return found.has(ticket);
	}

	/** `isRepeated`: an earlier request may have reached the service. */
	#claimOf(
		items: ProcessedItems,
		payment: KeyedPayment,
		entries: Entries,
		{ decision }: ClaimOptions,
		end: () => void,
		isRepeated = false,
	): Claim {
		this.#remember(payment, false);
		const { used, same, open, tried, ticket } = entries;
		const all: string[] = Object.values(entries);
		const underWay = all.filter((text) => text !== used && text !== same);
		const finish = async (work: () => Promise<void>) => {
			try {
				await work();
			} finally {
				end();
			}
		};
		// With a decision, `tried` stays, so that the decision cannot act again.
		const marks = decision === 'doNotPay' ? [tried, ticket] : [ticket];
		const leaveUnknown = async () => await finish(async () => await this.#record.remove(items, marks));
		return {
			is: 'claimed',
			accepted: async () => {
				this.#remember(payment, true);
				this.#record.writeAgain([used, same]);
				await finish(async () => await this.#record.removeForGood(items, open, underWay));
			},
			// A refusal of a repeated request says nothing about the first one.
			release: async () => {
				if (isRepeated) return await leaveUnknown();
				this.#known.delete(payment.key);
				await finish(async () => await this.#record.remove(items, all));
			},
			leaveUnknown,
			isRepeated,
			released: [ticket, isRepeated ? marks : all],
		};
	}

	/** Cleans up. If it fails, what stays makes an outcome unknown at most. */
	async #forget(items: ProcessedItems, entries: string[]): Promise<void> {
		await this.#record.remove(items, entries).catch(() => {});
	}

	#remember({ key, details }: KeyedPayment, isPaid: boolean): void {
		this.#known.delete(key);
		this.#known.set(key, { details, isPaid });
		if (this.#known.size > MAX_REMEMBERED) {
			const [oldest = ''] = this.#known.keys();
			this.#known.delete(oldest);
		}
	}
}

/** The names of the details that differ. */
function differencesOf(earlier: PaymentDetails, details: PaymentDetails): string[] {
	const names = [...new Set([...Object.keys(earlier), ...Object.keys(details)])];
	return names.filter((name) => earlier[name] !== details[name]);
}

function entriesOf({ key, details }: KeyedPayment, header: string | undefined): Entries {
	const payment = createHash('sha256').update(JSON.stringify(details)).digest('hex');
	return {
		used: entry('used', key),
		same: entry('same', key, payment),
		open: entry('open', key, payment),
		tried: entry('tried', key, payment),
		...(header !== undefined && { header: entry('header', header.toLowerCase(), key, payment) }),
		ticket: newTicket(),
	};
}

function unique(entries: string[]): string[] {
	return [...new Set(entries)];
}

function newTicket(): string {
	return entry('ticket', randomUUID());
}

/** JSON, so that entries of different keys always differ. */
function entry(...parts: string[]): string {
	return JSON.stringify(['payment', ...parts]);
}
