/** What the nodes tell the credential with a request, beside n8n's own options. */
import type { TimeLimit } from './deadline.ts';

export interface OwnOptions {
	/** n8n may be busy before it signs: the credential asks once more. */
	limit?: TimeLimit;
	/** Ends the request. n8n replaces the signal of its options until it asks the credential. */
	deadline?: AbortSignal;
	/** Called with key and signature, so that nobody shows them if the service repeats them. */
	onSigned?(headers: Record<string, string>): void;
}
