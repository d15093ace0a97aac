/**
 * What stands between a payment and the request. A guard refuses, or holds something for the payment: a key, a number of the day, an
 * amount of a contract. What is held is finished once, whatever becomes of the payment.
 */
import { notSent, unusableCredential } from '../../../shared/answers/failure.ts';
import type { CallResult, Failure, Outcome, ValidationIssue } from '../../../shared/result.ts';
import type { Payment } from '../../input/payment.ts';
import type { Claim } from './idempotencyKey.ts';
import type { JournalEntry } from './journal.ts';

/** A payment on its way, with what the guards before have found. */
export interface Attempt {
	/** Index of the item in the run. */
	item: number;
	payment: Payment;
	/** The Payment Key that is held for it. */
	claim?: Claim;
}

/**
 * Why a payment is not sent.
 * - `failure`: what holds it
 * - `isPaid`: its key was paid before
 * - `earlier`: an earlier try of this execution has decided about it
 */
export type Refusal = { failure: Failure } | { isPaid: true } | { earlier: JournalEntry };

/** What became of a payment. Without a result, its way was cut off. */
export interface Ending {
	outcome: 'accepted' | 'alreadyPaid' | Outcome;
	result?: CallResult;
}

export interface Held {
	/** What the next guard, and the request, are to know. */
	attempt?: Attempt;
	/** Says that the request goes out now. */
	begin?(): void;
	/** Adds to a failure what a person can do about it. */
	explain?(failure: Failure): Failure;
	/** Gives back what the payment does not need, and keeps the rest. Returns what to say if that failed. Never throws. */
	finish(ending: Ending): Promise<string | undefined>;
}

export interface Guard {
	/** Writes what it holds before it returns. Never throws. */
	take(attempt: Attempt): Promise<Held | Refusal>;
	/** What it would say now, for a dry run. Writes nothing. Without it, the guard has nothing to say. Never throws. */
	look?(attempt: Attempt): Promise<Pick<Held, 'attempt' | 'begin'> | Refusal>;
	/** After the last payment of the run: gives back what none of them has needed. If it fails, less is possible than could be. */
	end?(): Promise<void>;
}

export function isRefusal(answer: object): answer is Refusal {
	return 'failure' in answer || 'isPaid' in answer || 'earlier' in answer;
}

/**
 * Asks n8n's rows about a payment of the account that the credential names. Without a usable credential or rows, the payment is
 * refused. `isNotKept`: says so, from n8n's reason.
 */
export async function askRows<Answer>(
	account: () => Promise<string>,
	ask: (account: string) => Promise<Answer>,
	isNotKept: (reason: string) => ValidationIssue,
): Promise<Answer | Refusal> {
	let payer: string;
	try {
		payer = await account();
	} catch (error) {
		return { failure: unusableCredential(error) };
	}
	try {
		return await ask(payer);
	} catch (error) {
		return { failure: notSent(isNotKept((error as Error).message)) };
	}
}

/** Of a guard that has nothing to do with this payment. */
export const NOTHING_HELD: Held = { finish: async () => await Promise.resolve(undefined) };

/** Whether a payment surely moved no money, and changed nothing. */
export function isUnsent({ outcome }: Ending): boolean {
	return outcome === 'notSent' || outcome === 'rejected';
}

/** Gives something back that a payment which moved no money does not need. If it fails, less is possible than could be. */
export function giveBackUnlessMade(giveBack: () => Promise<void> | void): Held {
	return {
		finish: async (ending) => {
			if (isUnsent(ending))
				await Promise.resolve()
					.then(giveBack)
					.catch(() => {});
			return undefined;
		},
	};
}
