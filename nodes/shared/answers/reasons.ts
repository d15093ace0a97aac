/**
 * The reasons for which a service refuses a payment before it does anything. A refusal frees a payment's key only for one of
 * them. The words come from the public documents of payment services; test/fixtures/answers has them, and measures this table.
 */
import { isRecord } from '../../../api/exact/json.ts';
import { mayHoldPayment } from './payments.ts';
import { clausesOf, phrases, wordsOf } from './words.ts';
import type { Phrases } from './words.ts';

const REASONS: Record<string, Phrases> = {
	funds: phrases(
		'insufficient, unsufficient, not … enough, no enough, not … sufficient, lack of funds',
		'low balance, balance … low, balance … below, not … cover',
		'exceed* … balance, greater than … balance, more than … balance, above … balance',
	),
	limit: phrases(
		'exceed*, limit … reached, reached … limit, limited, over … limit, limit … error, per transfer limit',
		'amount limit, not … meet … limit, not … in … limits',
		'above … limit, below … limit, outside … limit*, outside … range, out of … range, out of bounds',
		'minimum, maximum, at least, atleast',
		'less than, more than, greater than, larger than, smaller than, lower than, higher than',
		'too small, too large, too high, too low, too big, too long, too short, too much',
	),
	invalidField: phrases(
		'invalid*, incorrect*, wrong, malformed, illegal, mismatch, no match, unrecogni*',
		'not … valid, not … correct, not … match*, not … recogni*, not … well formed, not … the same',
		'must be, must have, must contain, must not, should be, should have, should not',
		'not … empty, not … null, not … blank, not … negative, not … zero, not … number, null error',
		'validation, schema, syntax, bad request, bad account, bad parameter, parameter error',
		'format error, not … format, one or more errors, illegal characters, not … parse*, amount … accuracy',
	),
	missingField: phrases(
		'missing, mandatory, obligatory, required, requires, needed, lacks, is empty, is blank, empty params',
		'not … specified, not … provided, not … set, not … include, no … provided',
	),
	destination: phrases(
		'not … whitelist*, not … allowlist*, allowlist … violation, not … approved, unapproved',
		'not … verified, not … validated, unverified, unconfirmed, not … registered, unregistered, not … belong',
		'not … active, not … activated, no active, inactive, deactivated, disabled, not … eligible, ineligible',
		'account … closed, wallet … closed, account … locked, wallet … locked, account … hold, withdrawals locked',
		'blacklist*, watchlist, blocked, banned, suspended, frozen, restricted, restrictions',
	),
	unsupported: phrases(
		'unsupported, not … support*, only … supported, not … enabled, method … not available',
		'because of its currency',
	),
	signature: phrases('signature, sign mismatch'),
	time: phrases(
		'timestamp, nonce, recv window',
		'expired token, token … expired, key … expired, session … expired, credentials … expired',
		'quote* … expired, rate … expired',
	),
	permission: phrases(
		'unauthori*, not … authori*, no authori*, unauthenticated, authorization error, authentication error',
		'authorization … required, authorization … fail*, authentication … required, authentication … fail*',
		'forbidden, prohibited, permission*, not … permitted, access … denied, not … allowed, disallowed',
		'credentials, api key, apikey, api token, access token, secret key, scope, scopes, no rights',
		'policy, violates, kyc, terms of service',
	),
	notFound: phrases(
		'not … found, not … exist*, not … locate*, no such, no … located, no … found, no account, lookup failed',
		'unknown account, unknown beneficiary, unknown recipient, unknown destination, unknown bank',
		'unknown merchant, unknown wallet, unknown alias, unknown address, unknown contract, unknown network',
		'unknown asset, unknown currency, unknown coin, unknown key, unknown withdraw key',
		'unknown parameter, unknown field, parameter unknown, invalid or unknown',
	),
	rate: phrases('rate limit*, too many requests, throttl*, too frequent*, frequency'),
};

/** Words of the keys under which a service says why. A reason elsewhere may be the request, repeated. */
const SAYS_WHY = phrases(
	'message*, msg, error*, err, description, desc, detail*, reason*, title, code, type, name, status',
	'cause, hint, info, text, failure*, issue*, category, fault',
);

/** Whether an answer names a reason for which nothing was done. */
export function namesReason(answer: unknown, isWhy = false): boolean {
	if (typeof answer === 'string') return isWhy && isReason(answer);
	if (Array.isArray(answer)) return answer.some((entry) => namesReason(entry, isWhy));
	if (!isRecord(answer)) return false;
	return Object.entries(answer).some(([key, value]) => {
		const saysWhy = isWhy || SAYS_WHY.areIn(wordsOf(key));
		return (saysWhy || mayHoldPayment(key)) && namesReason(value, saysWhy);
	});
}

/** Whether a text is such a reason. */
export function isReason(text: string): boolean {
	return clausesOf(text).some((words) => Object.values(REASONS).some((reason) => reason.areIn(words)));
}
