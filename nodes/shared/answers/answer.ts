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

/** What judges an answer and what tells of it read this one. */
export interface Answer extends Omit<RawResponse, 'body'> {
	/** The body as JSON with exact numbers; undefined if it is none, or none that proves anything. */
	json: unknown;
	/** The same for messages and items, without secrets; or the start of a text that is not JSON. */
	details: unknown;
	/** Characters of the body. */
	length: number;
	isTooLong: boolean;
	/** A part of the answer as items and messages may show it: without secrets. */
	hide<Value>(part: Value): Value;
}

/** Characters of a text that is not JSON. */
const MAX_TEXT = 2000;

/** Characters of an answer that is to prove what happened. A payment's has a few hundred, and millions keep n8n busy. */
const MAX_PROOF = 1_000_000;

/** `isProof`: the answer tells whether something was done. `secrets`: texts that no item and no message may show. */
export function readAnswer(raw: RawResponse, isProof: boolean, secrets: string[]): Answer {
	const { body, ...head } = raw;
	const hide = <Value>(part: Value) => redact(part, secrets) as Value;
	const isTooLong = isProof && body.length > MAX_PROOF;
	const json = isTooLong ? undefined : parsed(body, isProof);
	const shown = hide(json === undefined ? body : toPlain(json));
	const details = typeof shown === 'string' ? shown.slice(0, MAX_TEXT) : shown;
	return { ...head, json, details, length: body.length, isTooLong, hide };
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
