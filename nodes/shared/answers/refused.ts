/** Whether an answer proves that the service did nothing, and if not, why not. */
import { isChange } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import type { Answer } from './answer.ts';
import { judgeBody } from './refusalBody.ts';
import type { BodyJudged, Unknown } from './refusalBody.ts';
import { ownTexts } from './tokens.ts';
import { isRecord } from '../../../api/exact/json.ts';
import { REDACTED } from '../redact.ts';
import { partsOf, WITHOUT_BODY } from '../serviceRequest.ts';
import type { ServiceRequest } from '../serviceRequest.ts';

/**
 * Statuses that say themselves why nothing was done: they judge the request, not the payment (RFC 9110, 15.5; RFC 6585, 3 to 5).
 * Not 406: a request that accepts any answer gets it only after the service acted and could not write down what it did.
 */
const NAMES_REASON = [401, 405, 411, 413, 414, 415, 421, 426, 428, 429, 431];

/** Statuses of refusals that need a reason in words. Any other may come after the service acted. */
const NEEDS_REASON = [400, 402, 403, 404, 409, 410, 412, 422, 451];

/** Statuses that are a refusal without a body too. */
const NEEDS_NO_BODY = [401, 429];

/** Statuses from 400 to 499 with which nobody has refused a read: no answer came in time, or the connection was closed. */
const NO_REFUSAL_OF_READ = [408, 499];

/** Characters of a refusal whose words are read. A longer one proves nothing. */
const MAX_REFUSAL = 20_000;

/** Why an answer is no refusal. */
export type Doubt = { kind: 'status' | 'form' | 'noReason' } | Unknown;

/** What an answer is judged beside. */
export interface RefusalOptions {
	/** What was sent. A refusal may repeat it. */
	request?: ServiceRequest;
	/** Names of the headers that were sent, without that of Payment Key. */
	headerNames?: readonly string[];
	/** Statuses, and codes in words, with which this service only refuses. */
	refusedCodes?: readonly string[];
}

/** Undefined: the answer is a refusal. */
export function doubtOf(
	endpoint: Endpoint,
	answer: Answer,
	{ refusedCodes = [], request = WITHOUT_BODY, headerNames = [] }: RefusalOptions,
): Doubt | undefined {
	const { statusCode, json, length, details } = answer;
	if (!isChange(endpoint)) return isRefusalOfRead(statusCode) ? undefined : { kind: 'status' };
	const namesItself = NAMES_REASON.includes(statusCode) || refusedCodes.includes(String(statusCode));
	if (!namesItself && !NEEDS_REASON.includes(statusCode)) return { kind: 'status' };
	if (length === 0 && NEEDS_NO_BODY.includes(statusCode)) return undefined;
	if (length > MAX_REFUSAL || !(isRecord(json) || Array.isArray(json))) return { kind: 'form' };
	const { names, values } = partsOf(request);
	const own = ownTexts([...names, ...values, ...headerNames, REDACTED]);
	const words = refusedCodes.map((code) => code.trim().toLowerCase());
	const { unknown, says } = judgeBody(details, { statusCode, own, names, refusedCodes: words });
	if (unknown !== undefined) return unknown;
	return namesItself || namesReason(says, statusCode) ? undefined : { kind: 'noReason' };
}

/** Statuses whose name is a reason. */
const NAME_IS_REASON = [400, 402, 422];

/** A reason; or the name of the status, if there is nothing else. */
function namesReason(says: BodyJudged['says'], statusCode: number): boolean {
	if (says.includes('reason')) return true;
	return NAME_IS_REASON.includes(statusCode) && says.includes('name') && !says.includes('other');
}

/** A read does nothing, so its status alone counts, whoever sent it. */
function isRefusalOfRead(statusCode: number): boolean {
	return statusCode >= 400 && statusCode < 500 && !NO_REFUSAL_OF_READ.includes(statusCode);
}
