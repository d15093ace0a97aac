/** The types for the result of a call to the service. All files of this folder use them. */
import type { IDataObject } from 'n8n-workflow';

/**
 * What is known of a call that did not succeed.
 * - `notSent`: nothing left this machine
 * - `rejected`: the service said no, and its answer proves that it did nothing
 * - `unknown`: the request was sent and there is no trustworthy answer
 */
export type Outcome = 'notSent' | 'rejected' | 'unknown';

/** Words of `NodeApiError.failure`. */
export type Reason = 'rate-limited' | 'temporarily-unavailable' | 'credential-invalid';

export interface Failure {
	message: string;
	description: string;
	outcome: Outcome;
	httpStatus?: number;
	/** The service's answer, parsed if it is JSON; or the code of the connection's failure. */
	details?: unknown;
	/** Seconds that a busy service asks to wait (429). */
	retryAfter?: number;
	/** n8n's word for why the call failed. Never beside an unknown payment, which no wait can settle. */
	reason?: Reason;
	/** Payments: a limit of the author holds this item back. */
	isLimit?: boolean;
	/** The caller can correct it: a value is not written as it must be. */
	isInput?: boolean;
	/** Payments: what the service accepted before the node stopped. */
	executed?: Executed[];
}

/** `row`: the fields of a failed payment that stand beside `error`. */
export type CallResult =
	| { ok: true; items: IDataObject[] }
	| { ok: false; failure: Failure; row?: IDataObject };

/** A payment that the service accepted. */
export interface Executed {
	itemIndex: number;
	/** The service's identifier; absent if an undocumented response has no likely field. */
	id?: string;
	/** Decimal text as requested; absent if an undocumented request has no such field. */
	amount?: string;
}

/** Something that the user can fix in the editor. Both sentences name the parameter by its label. */
export interface ValidationIssue {
	message: string;
	description: string;
	/** A limit of the author, or one that is missing. */
	isLimit?: boolean;
	/** A value of the request that is not written as it must be. */
	isInput?: boolean;
	/** The message names the items that it is about. */
	namesItems?: boolean;
}
