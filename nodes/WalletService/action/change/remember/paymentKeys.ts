/**
 * Payment Keys: a payment with the same key is made once, whatever runs again, in any number of processes.
 *
 * Rows of a key. P stands for the key and the whole payment. They are made in this order:
 * - `sent P`: P is under way or done. Who makes this row sends. Deleted if P was refused or not sent.
 * - `used key`: the key belongs to a payment. Its text says which.
 * - `words key`: what that payment is, for messages.
 * - `paid P`: the service has accepted P, or a person says so. Never deleted.
 * - `unclear P`: somebody read that the outcome is unknown, under Do Not Pay. Only then may a person decide.
 * - `decided P`: held while a decision acts or P is released, so that one execution does it. Named by the time: it ends by
 *   itself if n8n is killed.
 *
 * | rows | what is known | Do Not Pay | It Was Paid | It Was Not Paid |
 * |---|---|---|---|---|
 * | none | new | sends | sends | sends |
 * | used, not sent | used by another payment | refused | refused | refused |
 * | sent | under way, or killed | unknown, makes `unclear` | unknown | unknown |
 * | sent, unclear | unknown, and read | unknown | makes `paid` | sends, deletes `unclear` |
 * | decided beside these | a decision acts | unknown | unknown | unknown |
 * | paid | paid | alreadyPaid | alreadyPaid | alreadyPaid |
 *
 * A kill or a failed write between two steps leaves "sent" at most: unknown.
 */
import { createHash } from 'node:crypto';

import type { RowName, Rows } from '../../../shared/rows.ts';
import type { Outcome } from '../../result.ts';

/** What makes two payments different, by a word for it. */
export type PaymentDetails = Record<string, string>;

export interface KeyedPayment {
	/** In the form in which keys are compared. */
	key: string;
	/** As the user wrote it, for a header. */
	sent?: string;
	details: PaymentDetails;
}

export type KeyState =
	| { is: 'paid' }
	/** `mayDecide`: a person may decide now. */
	| { is: 'unknown'; mayDecide: boolean }
	/** Used for another payment. `details`: what differs. */
	| { is: 'different'; details: string[] };

/**
 * What to do with a key whose outcome is unknown.
 * - `doNotPay`: nothing
 * - `wasPaid`: a person says that it was paid, so it counts as paid
 * - `wasNotPaid`: a person says that it was not paid, so it is paid now
 */
export type Decision = 'doNotPay' | 'wasPaid' | 'wasNotPaid';

/** A key that this execution may pay with. */
export interface Claim {
	is: 'claimed';
	/** Ends the claim: paid, unknown, or free again. If it throws, the outcome may stay unknown. */
	end(outcome: 'accepted' | Outcome): Promise<void>;
}

/** A decision acts for at least this time alone: longer than a request lasts. Milliseconds. */
const DECISION_LASTS = 600_000;
/** Another process may free and take a key between two questions. */
const MAX_ROUNDS = 20;

const UNKNOWN: KeyState = { is: 'unknown', mayDecide: false };

export class PaymentKeys {
	/** Keys that an execution of this process works on, by workflow and key. */
	readonly #claimed = new Map<string, Promise<void>>();
	readonly #now: () => number;

	constructor(now = () => Date.now()) {
		this.#now = now;
	}

	/** Takes the key for a payment, unless it is used. A payment with this key that is under way in this process is waited for. */
	async claim(rows: Rows, payment: KeyedPayment, decision: Decision): Promise<Claim | KeyState> {
		const place = JSON.stringify([rows.workflowId, payment.key]);
		for (let other = this.#claimed.get(place); other; other = this.#claimed.get(place)) await other;
		let complete = () => {};
		this.#claimed.set(place, new Promise((resolve) => (complete = resolve)));
		const leave = () => {
			this.#claimed.delete(place);
			complete();
		};
		let taken: Claim | KeyState | undefined;
		try {
			taken = await this.#take(rows, payment, decision, leave);
			return taken;
		} finally {
			if (taken?.is !== 'claimed') leave();
		}
	}

	async #take(
		rows: Rows,
		payment: KeyedPayment,
		decision: Decision,
		leave: () => void,
	): Promise<Claim | KeyState> {
		const names = namesOf(payment);
		for (let round = 0; round < MAX_ROUNDS; round += 1) {
			if (await rows.exists(names.paid)) return { is: 'paid' };
			// Asked before a row is made, so that a kill leaves nothing that a person could decide.
			if ((await rows.exists(names.used)) && !(await rows.exists(names.sent)))
				return await differs(rows, names);
			const held = decision === 'doNotPay' ? undefined : await this.#hold(rows, names);
			if (held === undefined && decision !== 'doNotPay') return UNKNOWN;
			const isFree = (await rows.make(names.sent)).is === 'made';
			let state: 'claimed' | KeyState | undefined;
			if (isFree) state = await begin(rows, names);
			else state = held === undefined ? await this.#tell(rows, names) : await decide(rows, names, decision);
			if (state === 'claimed') {
				const end: Claim['end'] = (outcome) => this.#end(rows, names, held, outcome).finally(leave);
				return { is: 'claimed', end };
			}
			if (held !== undefined) await rows.delete(held);
			if (state !== undefined) return state;
		}
		throw new Error('other processes use the key all the time');
	}

	/** Says that the outcome is unknown, so that a person may decide. Undefined if the key was released meanwhile. */
	async #tell(rows: Rows, names: Names): Promise<KeyState | undefined> {
		await rows.make(names.unclear);
		// A decision that acts ends with a result of its own. What it was about must not be decided again meanwhile.
		const isDecided = await this.#isDecided(rows, names, this.#times());
		if (!isDecided && (await rows.exists(names.sent))) return { is: 'unknown', mayDecide: true };
		await rows.delete(names.unclear);
		return isDecided ? UNKNOWN : undefined;
	}

	#times(): [number, number, number] {
		const time = Math.floor(this.#now() / DECISION_LASTS);
		return [time, time - 1, time + 1];
	}

	async #isDecided(rows: Rows, names: Names, times: number[]): Promise<boolean> {
		for (const time of times) if (await rows.exists(names.decided(time))) return true;
		return false;
	}

	/** The row that only this execution holds, undefined if another one has it. */
	async #hold(rows: Rows, names: Names): Promise<RowName | undefined> {
		const [now, ...others] = this.#times();
		const held = names.decided(now);
		if ((await rows.make(held)).is !== 'made') return undefined;
		if (!(await this.#isDecided(rows, names, others))) return held;
		await rows.delete(held);
		return undefined;
	}

	/** `held`: the row of the decision by which the payment was sent. */
	async #end(rows: Rows, names: Names, held: RowName | undefined, outcome: 'accepted' | Outcome) {
		if (outcome === 'unknown' && held === undefined) {
			await rows.make(names.unclear);
		} else if (outcome === 'unknown' || outcome === 'accepted') {
			// After a decision, a person may decide again only when a run with Do Not Pay has asked.
			if (outcome === 'unknown') await rows.delete(names.unclear);
			else await rows.make(names.paid);
			if (held !== undefined) await rows.delete(held);
		} else {
			const own = held ?? (await this.#hold(rows, names));
			if (own === undefined) throw new Error('a decision acts');
			for (const name of [names.words, names.used, names.unclear, names.sent, own]) await rows.delete(name);
		}
	}
}

/** Takes the key for a payment that nobody has sent, unless it belongs to another one. */
async function begin(rows: Rows, names: Names): Promise<'claimed' | KeyState> {
	if ((await rows.make(names.used, names.payment)).is !== 'made') {
		await rows.delete(names.sent).catch(() => {});
		return await differs(rows, names);
	}
	await rows.make(names.words, ...names.details.keys());
	// What a process that was killed has left behind counts no more.
	await rows.delete(names.unclear);
	return 'claimed';
}

/** Acts for a person, once. */
async function decide(rows: Rows, names: Names, decision: Decision): Promise<'claimed' | KeyState> {
	if (!(await rows.exists(names.unclear))) return UNKNOWN;
	if (await rows.exists(names.paid)) return { is: 'paid' };
	if (decision === 'wasPaid') {
		await rows.make(names.paid);
		await rows.delete(names.unclear);
		return { is: 'paid' };
	}
	// The first try may have been cut off before it said whose key it is, or after it was refused.
	if ((await rows.make(names.used, names.payment)).is === 'others') return await differs(rows, names);
	await rows.make(names.words, ...names.details.keys());
	await rows.delete(names.unclear);
	return 'claimed';
}

/** The words are for a message only. After a kill they may be missing or wrong. */
async function differs(rows: Rows, { words, details }: Names): Promise<KeyState> {
	const made = await rows.make(words, ...details.keys()).catch(() => undefined);
	const missing = made?.is === 'others' ? made.missing : [];
	return { is: 'different', details: missing.flatMap((text) => details.get(String(text)) ?? []) };
}

type Names = ReturnType<typeof namesOf>;

/** Names of the rows of a payment, and what the rows of its key say. */
function namesOf({ key, details }: KeyedPayment) {
	const payment = digest(details);
	const about = (kind: string, ...more: string[]): RowName => [kind, key, payment, ...more];
	return {
		sent: about('sent'),
		used: ['used', key] as RowName,
		words: ['words', key] as RowName,
		payment,
		paid: about('paid'),
		unclear: about('unclear'),
		/** At some time, in units of DECISION_LASTS. */
		decided: (time: number) => about('decided', String(time)),
		/** A word for each text that the row `words` has about the payment. */
		details: new Map(Object.entries(details).map((entry) => [digest(entry), entry[0]])),
	};
}

/** n8n keeps an MD5 of each text. This digest keeps texts from being made for it. */
function digest(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
