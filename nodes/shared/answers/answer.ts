/** An answer of the service as it came, parsed as far as it can be trusted. */
import { parseExact, repeatsKey, toPlain } from '../../../api/exact/json.ts';
import { redact } from '../redact.ts';

/** What a call reads of an HTTP response. */
export interface RawResponse {
	statusCode: number;
	body: string;
	/** The header Retry-After, as sent. */
	retryAfter?: string;
	/** How the service or its gateway names the request, for its support. */
	requestId?: string;
}

export interface Answer {
	statusCode: number;
	/** The body as JSON with exact numbers; undefined if it is none, or none that proves anything. */
	json: unknown;
	/** The same for messages and items, without secrets; or the start of a text that is not JSON. */
	details: unknown;
	/** Characters of the body. */
	length: number;
	isTooLong: boolean;
}

/** Characters of a text that is not JSON. */
const MAX_TEXT = 2000;

/** Characters of an answer that is to prove what happened. A payment's has a few hundred, and millions keep n8n busy. */
const MAX_PROOF = 1_000_000;

/** `isProof`: the answer tells whether something was done. `secrets`: texts that no item and no message may show. */
export function readAnswer({ statusCode, body }: RawResponse, isProof: boolean, secrets: string[]): Answer {
	const isTooLong = isProof && body.length > MAX_PROOF;
	const json = isTooLong ? undefined : parsed(body, isProof);
	const shown = redact(json === undefined ? body : toPlain(json), secrets);
	const details = typeof shown === 'string' ? shown.slice(0, MAX_TEXT) : shown;
	return { statusCode, json, details, length: body.length, isTooLong };
}

/** Undefined if the text is not JSON; or says two things under one key, if it is to prove something. */
function parsed(body: string, isProof: boolean): unknown {
	try {
		const json = parseExact(body);
		return isProof && repeatsKey(body, json) ? undefined : json;
	} catch {
		return undefined;
	}
}
