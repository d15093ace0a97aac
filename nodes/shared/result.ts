/** What is known of a call, or of an item, when it is over. All nodes use these types. */
import type { IDataObject } from 'n8n-workflow';

import type { ValidationIssue } from './wording.ts';

export type { ValidationIssue };

/**
 * What is known of a call that did not succeed.
 * - `notSent`: nothing left this machine
 * - `rejected`: the service said no, and its answer proves that it did nothing
 * - `unknown`: the request was sent and there is no trustworthy answer
 */
export type Outcome = 'notSent' | 'rejected' | 'unknown';

/** What the field `result` of an item says. `done`: what moves no money is done, not paid. */
export type Result = 'paid' | 'done' | 'alreadyPaid' | 'dryRun' | Outcome;

export interface Failure extends ValidationIssue {
	outcome: Outcome;
	httpStatus?: number;
	/** The service's answer, parsed if it is JSON; or the code of the connection's failure. */
	details?: unknown;
	/** How the service names the request, for its support. */
	requestId?: string;
	/** A decision about this unknown payment counts only after a run with Do Not Pay. */
	mayDecide?: 'nextRun';
	/** ISO 8601 in UTC: from then on a decision about this unknown payment counts. Absent: now, or nobody knows. */
	decideFrom?: string;
	/** Seconds that a busy service asks to wait (429). */
	retryAfter?: number;
	/** Nothing is wrong with the item. It can be run again as it is until the service offers what it wants. */
	isWaiting?: true;
	/** What the service accepted before the node stopped: its identifier and the amount as requested, where they are known. */
	executed?: Array<{ itemIndex: number; id?: string; amount?: string }>;
}

/**
 * `id`: the service's identifier of a payment. `requestId`: its name of the request. `belowMinimum`: a conversion that brought less
 * than was asked for. `row`: the fields of a failed payment that stand beside `error`.
 */
export type CallResult =
	| { ok: true; items: IDataObject[]; id?: string; requestId?: string; belowMinimum?: true }
	| { ok: false; failure: Failure; row?: IDataObject };
