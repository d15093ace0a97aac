/**
 * Payment Keys: a payment with the same key is made once, whatever runs again, in any number of processes.
 *
 * Rows of a key. P stands for the key and the whole payment.
 * - `begun P time`: an attempt to pay P began at this time. Only who makes it deletes it, as the last row, when its outcome is clear.
 * - `sent P`: P is under way or done. Who makes this row sends. Deleted if P was refused or not sent.
 * - `used key`: the key belongs to a payment. Its texts say which.
 * - `paid P`: the service has accepted P, or a person says so. Never deleted.
 * - `attempt P n`: a person has decided about attempt n - 1. Who makes this row acts. `sent P` is attempt 0.
 * - `told P n`: a run with Do Not Pay has said that attempt n is unknown. Before that no person can know of it.
 *
 * | rows | what is known | Do Not Pay | It Was Paid | It Was Not Paid |
 * |---|---|---|---|---|
 * | none | new | sends | not sent | sends |
 * | used, not sent | used by another payment | refused | refused | refused |
 * | sent, begun within minutes | under way, or killed | unknown | unknown | unknown |
 * | sent | unknown | unknown | makes `attempt 1`, `paid` | makes `attempt 1`, sends |
 * | sent, attempt n, not told | a decision has acted | unknown, makes `told n` | unknown | unknown |
 * | sent, attempt n, told n | unknown, and read | unknown | as for `sent` | as for `sent` |
 * | paid | paid | alreadyPaid | alreadyPaid | alreadyPaid |
 *
 * A request is over five minutes after `begun`, so a decision after that is alone. Rows have the time of the machine's clock; if it
 * was set since, the process that sends decides when its other clock allows it, too. All rows are asked for by name, because n8n
 * reads a text by writing the row as a whole. A kill or a failed write between two steps leaves "sent" at most: unknown.
 */
import { sleep } from 'n8n-workflow';

import { CLOCKS, Stopwatch } from '../../../../api/deadline.ts';
import type { Clocks, TimeLimit } from '../../../../api/deadline.ts';
import { BoundedMap } from '../../../shared/store/boundedMap.ts';
import type { RowName, RowsToRead, Rows } from '../../../shared/store/rows.ts';
import type { Outcome } from '../../../shared/result.ts';
import type { KeyedPayment } from '../../input/payment.ts';
import { namesOf, placeOf } from './keyNames.ts';
import type { Names } from './keyNames.ts';

export type KeyState =
	| { is: 'paid' }
	/** A person says that it was paid, and n8n has never seen the key. */
	| { is: 'unrecorded' }
	| UnknownOutcome
	/** Used for another payment. `details`: what differs, as far as it can be told. */
	| { is: 'different'; details: string[] };

/** `mayDecide`: when a person may decide. `whenTold`: a run with Do Not Pay must say first that the outcome is unknown. */
export interface UnknownOutcome {
	is: 'unknown';
	mayDecide: 'now' | 'whenTold' | Date;
}

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
	/** Whether a person has looked the payment up, and says that it was not paid. */
	isDecided: boolean;
	/** The time of the request, because a person may decide soon after it. */
	limit: TimeLimit;
	/** When a person may decide, if the outcome stays unknown. */
	mayDecide: Date;
	/** Ends the claim: paid, unknown, or free again. If it throws, the outcome may stay unknown. */
	end(outcome: 'accepted' | Outcome): Promise<void>;
}

const SECOND = 1000;
/** Times in the names of rows have this length. Milliseconds. */
const UNIT = 30 * SECOND;
/** A request may begin within this time of its claim, and lasts until five minutes of it at most. */
const MAY_BEGIN = 30 * SECOND;
const MAY_LAST = 300 * SECOND;
/** After so many units a request is over: five minutes, one unit that has begun, and one in which clocks may differ. */
const UNITS_UNTIL_OVER = 12;
/** Attempts that begin in the same unit take the next ones. */
const UNITS_TO_TAKE = 3;
/** The clock of who took the key may be ahead by these units, but for those to take: ten minutes, or this clock was set back by ten. */
const UNITS_AHEAD = 2 * UNITS_UNTIL_OVER;
/** Another process may free and take a key between two questions. */
const MAX_ROUNDS = 20;
/** Another decision of the same instant leaves within this time, so a decision that is not alone looks once more. */
const UNTIL_OTHERS_LEAVE = SECOND;

const NOT_TOLD: UnknownOutcome = { is: 'unknown', mayDecide: 'whenTold' };

/** An attempt to pay. `unit`: its time, in units, which no other attempt has. */
interface Attempt {
	since: Stopwatch;
	unit: number;
	/** The number of its row `attempt`. 0: it is the first one, without such a row. */
	number: number;
	isDecided?: boolean;
}

export class PaymentKeys {
	/** Keys that an execution of this process works on, by workflow and key. */
	readonly #claimed = new Map<string, Promise<void>>();
	/** Attempts of this process whose outcome is not clear, by workflow and key. */
	readonly #unclear = new BoundedMap<Attempt>();
	readonly #clocks: Clocks;
	readonly #pause: () => Promise<void>;

	constructor(clocks = CLOCKS, pause = async () => await sleep(UNTIL_OTHERS_LEAVE)) {
		this.#clocks = clocks;
		this.#pause = pause;
	}

	/** Takes the key for a payment, unless it is used. A payment with this key that is under way in this process is waited for. */
	async claim(rows: Rows, payment: KeyedPayment, decision: Decision): Promise<Claim | KeyState> {
		const place = placeOf(rows, payment);
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

	/** What is known of a key. Undefined: nothing, so it is new. Writes nothing. */
	async look(rows: RowsToRead, payment: KeyedPayment, decision: Decision): Promise<KeyState | undefined> {
		const names = namesOf(rows, payment);
		if (await rows.exists(names.paid)) return { is: 'paid' };
		if (await rows.exists(names.sent))
			return await this.#stateOf(rows, names, await latestAttempt(rows, names));
		if (await rows.exists(names.used)) return { is: 'different', details: [] };
		return decision === 'wasPaid' ? { is: 'unrecorded' } : undefined;
	}

	async #take(
		rows: Rows,
		payment: KeyedPayment,
		decision: Decision,
		leave: () => void,
	): Promise<Claim | KeyState> {
		for (let round = 0; round < MAX_ROUNDS; round += 1) {
			const taken = await this.#round(rows, payment, decision, leave);
			if (taken !== undefined) return taken;
		}
		throw new Error('other processes use the key all the time');
	}

	/** Knows nothing of the rounds before. Undefined if other processes took or freed the key meanwhile. */
	async #round(
		rows: Rows,
		payment: KeyedPayment,
		decision: Decision,
		leave: () => void,
	): Promise<Claim | KeyState | undefined> {
		const names = namesOf(rows, payment);
		// First: a list that runs again asks this only.
		if (await rows.exists(names.paid)) return { is: 'paid' };
		// Asked before a row is made, so that a kill leaves nothing that a person could decide.
		const isUsed = await rows.exists(names.used);
		const isSent = (isUsed || decision !== 'doNotPay') && (await rows.exists(names.sent));
		if (isUsed && !isSent) return await differs(rows, names);
		if (!isSent && decision === 'wasPaid') return { is: 'unrecorded' };
		const taken = await (isSent ? this.#decide(rows, names, decision) : this.#begin(rows, names, decision));
		return taken === undefined || 'is' in taken ? taken : this.#claimOf(rows, names, taken, leave);
	}

	#claimOf(rows: Rows, names: Names, attempt: Attempt, leave: () => void): Claim {
		this.#unclear.set(names.place, attempt);
		return {
			is: 'claimed',
			isDecided: attempt.isDecided === true,
			limit: { since: attempt.since, beginWithin: MAY_BEGIN, endWithin: MAY_LAST },
			mayDecide: overAt(attempt.unit),
			end: async (outcome) => {
				try {
					await this.#end(rows, names, attempt, outcome);
					if (outcome !== 'unknown') this.#unclear.delete(names.place);
				} finally {
					leave();
				}
			},
		};
	}

	/** Takes the key for a payment that nobody has sent. Undefined if somebody is faster. */
	async #begin(rows: Rows, names: Names, decision: Decision): Promise<Attempt | KeyState | undefined> {
		const attempt = await this.#open(rows, names);
		if ((await rows.make(names.sent)).is !== 'made') {
			await rows.delete(names.begun(attempt.unit));
			if (decision !== 'doNotPay') return undefined;
			if (await rows.exists(names.paid)) return { is: 'paid' };
			return (await rows.exists(names.sent)) ? await this.#tell(rows, names) : undefined;
		}
		if ((await rows.make(names.used, names.payment, ...names.details.keys())).is !== 'made') {
			await rows.delete(names.sent);
			await rows.delete(names.begun(attempt.unit));
			return await differs(rows, names);
		}
		// What a person has said before it was sent says nothing about it.
		if (decision === 'doNotPay') return attempt;
		await takeNextAttempt(rows, names);
		return { ...attempt, number: 1 };
	}

	/** What a person has decided, or what is known of a payment that was sent. Undefined if it was freed meanwhile. */
	async #decide(rows: Rows, names: Names, decision: Decision): Promise<Attempt | KeyState | undefined> {
		if (decision === 'doNotPay') return await this.#tell(rows, names);
		const latest = await latestAttempt(rows, names);
		const state = await this.#stateOf(rows, names, latest);
		if (state.mayDecide !== 'now') return state;
		const attempt = await this.#open(rows, names);
		const close = async () => await rows.delete(names.begun(attempt.unit));
		if ((await rows.make(names.attempt(latest + 1))).is !== 'made') {
			await close();
			return NOT_TOLD;
		}
		// Another decision may have acted and freed the key, and a new payment may have begun.
		if (!(await this.#isAlone(rows, names, attempt, latest))) {
			await close();
			return undefined;
		}
		if (await rows.exists(names.paid)) {
			await close();
			return { is: 'paid' };
		}
		if (decision === 'wasPaid') {
			await rows.make(names.paid);
			await close();
			return { is: 'paid' };
		}
		// The first try may have been cut off before it said whose key it is, or after it was refused.
		if ((await rows.make(names.used, names.payment, ...names.details.keys())).is === 'others') {
			await close();
			return await differs(rows, names);
		}
		return { ...attempt, number: latest + 1, isDecided: true };
	}

	/** Says that the outcome is unknown, so that a person may decide. Undefined if the key was freed meanwhile. */
	async #tell(rows: Rows, names: Names): Promise<KeyState | undefined> {
		const latest = await latestAttempt(rows, names);
		if (latest > 0 && !(await rows.exists(names.told(latest)))) await rows.make(names.told(latest));
		const state = await this.#stateOf(rows, names, latest);
		if (await rows.exists(names.paid)) return { is: 'paid' };
		if (await rows.exists(names.sent)) return state;
		if (latest > 0) await rows.delete(names.told(latest));
		return undefined;
	}

	async #stateOf(rows: RowsToRead, names: Names, latest: number): Promise<UnknownOutcome> {
		if (latest > 0 && !(await rows.exists(names.told(latest)))) return NOT_TOLD;
		const youngest = await this.#youngest(rows, names);
		const now = this.#clocks.machine();
		const wait = Math.max(
			youngest === undefined ? 0 : overAt(youngest).getTime() - now,
			this.#ownWait(names),
		);
		return { is: 'unknown', mayDecide: wait > 0 ? new Date(now + wait) : 'now' };
	}

	/** If a clock was set since this process sent: how long its request may be under way by that which has run less. Milliseconds. */
	#ownWait({ place }: Names): number {
		const own = this.#unclear.get(place);
		if (own === undefined || own.since.isSure) return 0;
		return overAt(own.unit).getTime() - own.since.start - own.since.least;
	}

	#unit(): number {
		return Math.floor(this.#clocks.machine() / UNIT);
	}

	/** The time of the youngest attempt whose request may be under way, but for one's own. In units. */
	async #youngest(rows: RowsToRead, names: Names, own?: number): Promise<number | undefined> {
		const now = this.#unit();
		for (let unit = now + UNITS_AHEAD; unit > now - UNITS_UNTIL_OVER; unit -= 1)
			if (unit !== own && (await rows.exists(names.begun(unit)))) return unit;
		return undefined;
	}

	/**
	 * Whether a decision is about the payment that was looked up. Who makes `sent` made `begun` before, and deletes it after: so
	 * whoever holds `sent` now was seen before or is seen after. Nobody frees it beside this attempt, unless those before are gone.
	 */
	async #isAlone(rows: RowsToRead, names: Names, { unit }: Attempt, latest: number): Promise<boolean> {
		const isQuiet = async () => (await this.#youngest(rows, names, unit)) === undefined;
		if (!(await isQuiet())) {
			await this.#pause();
			if (!(await isQuiet())) return false;
		}
		const isLatest = latest === 0 || (await rows.exists(names.attempt(latest)));
		return isLatest && (await rows.exists(names.sent)) && (await isQuiet());
	}

	/** Writes down when an attempt begins, before anybody can see that there is one. */
	async #open(rows: Rows, names: Names): Promise<Attempt> {
		const since = new Stopwatch(this.#clocks);
		const now = Math.floor(since.start / UNIT);
		for (let unit = now; unit < now + UNITS_TO_TAKE; unit += 1)
			if ((await rows.make(names.begun(unit))).is === 'made') return { since, unit, number: 0 };
		throw new Error('other processes use the key all the time');
	}

	async #end(
		rows: Rows,
		names: Names,
		{ since, unit, number }: Attempt,
		outcome: 'accepted' | Outcome,
	): Promise<void> {
		if (outcome === 'unknown') return;
		if (outcome === 'accepted') {
			await rows.make(names.paid);
		} else {
			// A decision may act after that.
			const requireTime = () => {
				if (since.most > MAY_LAST || since.least < -UNIT) throw new Error('the answer came too late');
			};
			await free(rows, names, number, requireTime);
		}
		// A row that stays makes the next attempt look younger for some minutes.
		await rows.delete(names.begun(unit)).catch(() => {});
	}
}

/** When the request of an attempt is over for sure. */
function overAt(unit: number): Date {
	return new Date((unit + UNITS_UNTIL_OVER) * UNIT);
}

/** The number of the latest attempt. 0: the first one. */
async function latestAttempt(rows: RowsToRead, names: Names): Promise<number> {
	let number = 0;
	while (await rows.exists(names.attempt(number + 1))) number += 1;
	return number;
}

async function takeNextAttempt(rows: Rows, names: Names): Promise<void> {
	let next = 1;
	while ((await rows.make(names.attempt(next))).is !== 'made') next += 1;
}

/**
 * From the owner to the lock, so that a kill leaves an unknown payment at most. Each row may take minutes, and a person may decide
 * meanwhile: `requireTime` throws then, so that no more is deleted.
 */
async function free(rows: Rows, names: Names, own: number, requireTime: () => void): Promise<void> {
	const remove = async (name: RowName) => {
		requireTime();
		await rows.delete(name);
	};
	// Who decides beside it relies on `sent`.
	if (await rows.exists(names.attempt(own + 1))) throw new Error('a decision about it acts');
	await remove(names.used);
	for (let number = own; number > 0; number -= 1) {
		await remove(names.told(number));
		await remove(names.attempt(number));
	}
	await remove(names.sent);
}

/** What differs in the payment that the key was used for. Undefined if the key is free by now. */
async function differs(rows: Rows, { used, details }: Names): Promise<KeyState | undefined> {
	if (!(await rows.exists(used))) return undefined;
	const made = await rows.make(used, ...details.keys()).catch(() => undefined);
	if (made?.is === 'made') {
		// It was freed at this instant. Not tried again if it fails: it may be gone, and the next one may be of another payment.
		await rows.delete(used);
		return undefined;
	}
	// The texts are for a message only. After a kill they may be wrong.
	const missing = made?.is === 'others' ? made.missing : [];
	return { is: 'different', details: missing.flatMap((text) => details.get(String(text)) ?? []) };
}
