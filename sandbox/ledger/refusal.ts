/** What the sandbox refuses, by reason. Most reasons are invented: the document shows no error body. */
export type RefusalCode =
	| 'invalid_request'
	| 'unauthorized'
	| 'forbidden'
	| 'not_found'
	| 'conflict'
	| 'too_large'
	| 'unsupported_media_type'
	| 'currency_mismatch'
	| 'insufficient_balance'
	| 'destination_not_whitelisted'
	| 'amount_not_available'
	| 'payment_key_reused'
	| 'payment_key_under_way';

/** A request that the sandbox refuses. It knows no HTTP: `http/refusalResponse.ts` has the statuses. */
export class Refusal extends Error {
	readonly code: RefusalCode;
	/** The request field or header to correct. */
	readonly field?: string;

	constructor(code: RefusalCode, message: string, field?: string) {
		super(message);
		this.code = code;
		this.field = field;
	}
}
