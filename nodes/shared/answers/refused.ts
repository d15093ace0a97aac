/** Whether an answer proves that the service did nothing. */
import { isChange } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { leavesCopyOpen } from './openCopies.ts';
import { namesReason } from './reasons.ts';
import { isRecord } from '../../../api/exact/json.ts';
import type { Answer } from './answer.ts';

/**
 * Statuses that say themselves why nothing was done: they judge the request, not the payment (RFC 9110, 15.5; RFC 6585, 3 to 5).
 * Not 406: a request that accepts any answer gets it only after the service acted and could not write down what it did.
 */
const NAMES_REASON = [401, 405, 411, 413, 414, 415, 421, 426, 428, 429, 431];

/** Statuses of refusals that need a reason in words. Any other, from 400 on, may come after the service acted. */
const NEEDS_REASON = [400, 403, 404, 410, 422];

/** Statuses from 400 to 499 with which nobody has refused a read: no answer came in time, or the connection was closed. */
const NO_REFUSAL_OF_READ = [408, 499];

/** Characters of a refusal whose words are read. A longer one proves nothing. */
const MAX_REFUSAL = 20_000;

/** `refusedCodes`: further statuses with which this service only refuses, for reasons in words of its own. */
export function isRefusal(
	endpoint: Endpoint,
	{ statusCode, json, length }: Answer,
	refusedCodes: number[],
): boolean {
	if (!isChange(endpoint)) return isRefusalOfRead(statusCode);
	const namesItself = NAMES_REASON.includes(statusCode) || refusedCodes.includes(statusCode);
	const mayRefuse = namesItself || NEEDS_REASON.includes(statusCode);
	if (!mayRefuse || length > MAX_REFUSAL || !isRecord(json)) return false;
	return (namesItself || namesReason(json)) && !leavesCopyOpen(json);
}

/** A read does nothing, so its status alone counts, whoever sent it. */
function isRefusalOfRead(statusCode: number): boolean {
	return statusCode >= 400 && statusCode < 500 && !NO_REFUSAL_OF_READ.includes(statusCode);
}
