/**
 * What in an accepted answer says that the payment failed. It is read by fields and codes, never by a search in sentences. A
 * wrong guess must never cost money: in doubt the payment failed, and its outcome is unknown.
 */
import { isRecord } from '../../../api/exact/json.ts';
import { mayHoldPayment, PAYMENTS } from './payments.ts';
import { serviceWords } from './serviceWords.ts';
import { isNo, isYes, textOf } from './values.ts';
import { listed, phrases, wordsOf } from './words.ts';

/** Fields that say, with "no", that the payment failed. */
const SUCCEEDED = listed('success, successful, succeeded, ok, accepted');
/** Fields that say, with "no", that the payment is not there yet. */
const GETS_ON = listed('approved, paid, sent, done, completed, processed');
/** Fields that say, with "yes", that the payment failed. */
const FAILED = listed(
	'failed, rejected, declined, error, errors, cancelled, canceled, reversed, refunded, returned, voided',
	'expired, blocked, ignored, skipped, duplicate, duplicated, dry run, dryrun, simulated',
);
/** Fields with a state of the payment, with a payment's name or its place in time before it, or a kind of text behind it. */
const STATES = listed('status, substatus, state, result, outcome, stage, phase, decision');
const PLACES = listed('final, current, last, latest, new, sub');
const KINDS_OF_TEXT = listed('code, text, message, description, reason');
const OTHER_STATES = listed('code, response code, response, type');
/** Fields with an error. */
const ERRORS = listed('err, error, errors, failure, decline, rejection');
const PARTS_OF_ERROR = listed('msg, message, reason, code, text, desc, description, detail, details');
/** Words before such a part, or before a time: `failedReason`, `rejected_at`. */
const PAST_ERRORS = listed(
	'fail, failed, reject, rejected, declined, cancelled, canceled, reversed, refunded, voided',
);
/** Records that may say it, besides those that may hold a payment. */
const OTHER_RECORDS = listed('detail, details, status, state');

/** Words of a code for a payment that failed. */
const FAILURE = phrases(
	'fail*, reject*, declin*, refus*, denied, forbidden, unauthori*, disapprov*, dishono*',
	'cancel*, abort*, terminat*, void, voids, voided, expir*, timed, timeout, dropped',
	'revers*, return*, refund*, chargeback*, bounc*, undeliver*, rolled, rollback*',
	'block, blocks, blocked, hold, held, frozen, suspend*, insufficient, low, exceed*, reached',
	'invalid*, bad, err, error, errors, errored, nok, ko, unknown, incomplete*',
	'unpaid, unsent, unsuccess*, unprocess*, dry, simulat*',
	// The service has made another payment, or none.
	'duplic*, dupe, already, ignored, skipped, discarded, dismissed, deleted, removed, stopped, halted, killed',
	'rechaz*, fallid*, fallo, falh*, recusad*, negad*, anulad*, echec, echou*, rejet*',
	'fehlgeschlagen, abgelehnt, storniert',
);
/** More words than a code has are a sentence. */
const MOST_WORDS_OF_CODE = 4;

/** The field such as `"success":false`, `"state":"reversed"` or `"code":400` that says that the payment failed. */
export function failureIn(answer: unknown, isTop = true): string | undefined {
	if (Array.isArray(answer)) return firstOf(answer.map((entry) => failureIn(entry, false)));
	if (!isRecord(answer)) return undefined;
	return firstOf(Object.entries(answer).map(([key, value]) => failureOf(key, value, isTop)));
}

function failureOf(key: string, value: unknown, isTop: boolean): string | undefined {
	const words = wordsOf(key);
	if (saysFailure(words, value, isTop)) return `${key}: ${textOf(value) || serviceWords(value)}`;
	const mayHoldIt =
		mayHoldPayment(key) || isState(words) || (words.length === 1 && OTHER_RECORDS.includes(words[0] ?? ''));
	return mayHoldIt ? failureIn(value, false) : undefined;
}

function saysFailure(words: string[], value: unknown, isTop: boolean): boolean {
	const text = textOf(value).trim();
	const name = withoutOwner(words.filter((word) => !['is', 'has', 'was'].includes(word))).join(' ');
	if (SUCCEEDED.includes(name)) return isNo(value) || isFailedCode(text);
	if (GETS_ON.includes(name)) return !isNo(value) && isFailedCode(text);
	if (FAILED.includes(name) && isYes(value)) return true;
	if (isTop && isHttpStatus(words) && /^[45]\d\d\b/.test(text)) return true;
	if (isState(words))
		return [value].flat().some((each) => isFailedState(textOf(each), STATES.includes(words.at(-1) ?? '')));
	return isError(words) && isFilledError(value);
}

/** `status`, `http_status`, `statusCode`, `httpStatusCode`. */
function isHttpStatus(words: string[]): boolean {
	const others = words.filter((word) => word !== 'http' && word !== 'code');
	return words.at(-1) === 'code'
		? others.length <= 1 && (others[0] ?? 'status') === 'status'
		: others.join() === 'status';
}

/** `payoutStatus`, `final_state`, `status_message`, `code`, `type` or the payment's own name. */
function isState(words: string[]): boolean {
	const [state, kind, ...others] = withoutOwner(words);
	if (state === undefined) return words.length === 1 && PAYMENTS.includes(words[0] ?? '');
	if (STATES.includes(state))
		return kind === undefined || (KINDS_OF_TEXT.includes(kind) && others.length === 0);
	return OTHER_STATES.includes(words.join(' '));
}

/** Without what a payment's own field may begin with: `payoutStatus`, `payment_failed`, `final_state`. */
function withoutOwner(words: string[]): string[] {
	const [owner = ''] = words;
	return PLACES.includes(owner) || PAYMENTS.includes(owner) ? words.slice(1) : words;
}

/** `error`, `error_message`, `rejectionReason`, `failed_at`. */
function isError([error = '', part, ...others]: string[]): boolean {
	if (others.length > 0) return false;
	if (part === undefined) return ERRORS.includes(error);
	const isPart = PARTS_OF_ERROR.includes(part);
	return (ERRORS.includes(error) && isPart) || (PAST_ERRORS.includes(error) && (isPart || part === 'at'));
}

/** `isWhole`: the field is the state and nothing else, so a sentence in it is about the payment. */
function isFailedState(text: string, isWhole: boolean): boolean {
	if (text.trim() === '') return false;
	return isFailedCode(text) || /^-\d/.test(text.trim()) || (isWhole && FAILURE.areIn(wordsOf(text)));
}

/** Whether a code such as `FAILED`, `on_hold` or `notPaid` says that the payment failed. */
function isFailedCode(text: string): boolean {
	if (isNo(text)) return text !== '0';
	const words = wordsOf(text);
	// In other letters, it may say anything.
	if (words.length === 0) return text.trim() !== '';
	if (words[0] === 'not' || words[0] === 'no') return !isNoError(text);
	return words.length <= MOST_WORDS_OF_CODE && FAILURE.areIn(words);
}

const NO_ERRORS = listed('false, null, none, ok, success, no error, no errors, noerror, noerrors');

function isNoError(text: string): boolean {
	const words = text
		.trim()
		.toLowerCase()
		.replace(/[ _-]+/g, ' ');
	return words === '' || NO_ERRORS.includes(words) || /^0+$/.test(words);
}

function isFilledError(value: unknown): boolean {
	if (Array.isArray(value) || isRecord(value)) return Object.keys(value).length > 0;
	return !isNoError(textOf(value));
}

function firstOf(texts: Array<string | undefined>): string | undefined {
	return texts.find((text) => text !== undefined);
}
