/**
 * The reasons for which a service refuses a payment before it does anything. A refusal frees a payment's key only for one of
 * them. The words come from the public documents of payment APIs; test/fixtures/refusals.txt has them, and measures this table.
 */
import { isRecord } from '../json.ts';
import { clausesOf, phrases, wordsOf } from './words.ts';
import type { Phrases } from './words.ts';

const REASONS: Record<string, Phrases> = {
	funds: phrases(
		...['insufficient', 'unsufficient', 'not … enough', 'no enough', 'not … sufficient', 'lack of funds'],
		...['low balance', 'balance … low', 'balance … below', 'not … cover'],
		...['exceed* … balance', 'greater than … balance', 'more than … balance', 'above … balance'],
	),
	limit: phrases(
		...['exceed*', 'limit … reached', 'reached … limit', 'limited', 'over … limit', 'limit … error'],
		...['above … limit', 'below … limit', 'outside … limit*', 'outside … range', 'out of bounds'],
		...['out of … range', 'per transfer limit'],
		...['minimum', 'maximum', 'at least', 'atleast', 'less than', 'more than', 'greater than', 'larger than'],
		...[
			'smaller than',
			'lower than',
			'higher than',
			'too small',
			'too large',
			'too high',
			'too low',
			'too big',
		],
		...['too long', 'too short', 'too much'],
	),
	invalidField: phrases(
		...['invalid*', 'incorrect*', 'wrong', 'malformed', 'illegal', 'mismatch', 'no match', 'unrecogni*'],
		...[
			'not … valid',
			'not … correct',
			'not … match*',
			'not … recogni*',
			'not … well formed',
			'not … the same',
		],
		...['must be', 'must have', 'must contain', 'must not', 'should be', 'should have', 'should not'],
		...[
			'not … empty',
			'not … null',
			'not … blank',
			'not … negative',
			'not … zero',
			'not … number',
			'null error',
		],
		...['validation', 'schema', 'syntax', 'bad request', 'bad account', 'bad parameter', 'parameter error'],
		...[
			'format error',
			'not … format',
			'one or more errors',
			'illegal characters',
			'not … parse*',
			'amount … accuracy',
		],
	),
	missingField: phrases(
		...[
			'missing',
			'mandatory',
			'obligatory',
			'required',
			'requires',
			'needed',
			'lacks',
			'is empty',
			'is blank',
		],
		...['not … specified', 'not … provided', 'not … set', 'not … include', 'no … provided', 'empty params'],
	),
	destination: phrases(
		...['not … whitelist*', 'not … allowlist*', 'allowlist … violation', 'not … approved', 'unapproved'],
		...['not … verified', 'unverified', 'unconfirmed', 'not … registered', 'unregistered'],
		...[
			'not … active',
			'not … activated',
			'inactive',
			'deactivated',
			'disabled',
			'not … eligible',
			'ineligible',
		],
		...['account … closed', 'wallet … closed', 'account … locked', 'wallet … locked', 'withdrawals locked'],
		...['account … hold', 'blacklist*', 'watchlist', 'blocked', 'banned', 'suspended', 'frozen'],
		...['restricted', 'restrictions'],
	),
	unsupported: phrases(
		...['unsupported', 'not … support*', 'only … supported', 'not … enabled', 'method … not available'],
		...['because of its currency'],
	),
	signature: phrases('signature', 'sign mismatch'),
	time: phrases(
		...['timestamp', 'nonce', 'recv window', 'expired token', 'token … expired', 'key … expired'],
		...['quote … expired', 'rate … expired', 'session … expired', 'credentials … expired'],
	),
	permission: phrases(
		...[
			'unauthori*',
			'not … authori*',
			'no authori*',
			'prohibited',
			'not … belong',
			'authorization … required',
			'authorization … fail*',
		],
		...['authorization error', 'authentication … fail*', 'authentication … required', 'authentication error'],
		...['unauthenticated', 'credentials', 'forbidden', 'permission*', 'not … permitted', 'access … denied'],
		...['not … allowed', 'disallowed', 'scope', 'scopes', 'no rights', 'policy', 'violates', 'kyc'],
		...['api key', 'apikey', 'api token', 'access token', 'secret key', 'terms of service'],
	),
	notFound: phrases(
		...[
			'not … found',
			'not … exist*',
			'not … locate*',
			'no such',
			'no … located',
			'no … found',
			'no account',
		],
		...[
			'lookup failed',
			'unknown account',
			'unknown beneficiary',
			'unknown recipient',
			'unknown destination',
		],
		...['unknown bank', 'unknown merchant', 'unknown wallet', 'unknown alias', 'unknown address'],
		...['unknown contract', 'unknown asset', 'unknown currency', 'unknown coin', 'unknown network'],
		...['unknown parameter', 'unknown field', 'parameter unknown', 'unknown key', 'unknown withdraw key'],
		...['invalid or unknown'],
	),
	rate: phrases('rate limit*', 'too many requests', 'throttl*', 'too frequent*', 'frequency'),
};

/** Names of the fields in which a service says why. A reason elsewhere may be the request, repeated. */
const SAYS_WHY = phrases(
	...['message*', 'msg', 'error*', 'err', 'errors', 'description', 'desc', 'detail*', 'reason*', 'title'],
	...['code', 'type', 'name', 'status', 'cause', 'hint', 'info', 'text', 'failure*', 'issue*', 'category'],
);

/** Whether an answer names a reason for which nothing was done. */
export function namesReason(answer: unknown, isWhy = false): boolean {
	if (typeof answer === 'string') return isWhy && isReason(answer);
	if (Array.isArray(answer)) return answer.some((entry) => namesReason(entry, isWhy));
	if (!isRecord(answer)) return false;
	return Object.entries(answer).some(([key, value]) =>
		namesReason(value, isWhy || SAYS_WHY.areIn(wordsOf(key))),
	);
}

/** Whether a text is such a reason. */
export function isReason(text: string): boolean {
	return clausesOf(text).some((words) => Object.values(REASONS).some((reason) => reason.areIn(words)));
}
