/**
 * What in an accepted answer says that the payment failed. It is read by fields and codes, never by a search in sentences. A
 * wrong guess must never cost money: in doubt the payment failed, and its outcome is unknown.
 */
import { isRecord } from '../json.ts';
import { mayHoldPayment, PAYMENTS } from './payments.ts';
import { serviceWords } from './serviceWords.ts';
import { isNo, isYes, textOf } from './values.ts';
import { listed, phrases, wordsOf } from './words.ts';

/** Fields that say, with "no", that the payment failed. */
const SUCCEEDED = listed('success, successful, succeeded, ok, accepted');
/** Fields that say, with "no", that the payment is not there yet. */
const GETS_ON = listed('approved, paid, sent, done, completed, processed');
/** Fields that say, with "yes", that the payment failed. */
const FAILED = listed('failed, rejected, declined, error, errors');
/** Fields with a state of the payment, with a payment's name before it or a kind of text behind it. */
const STATES = listed('status, state, result, outcome');
const KINDS_OF_TEXT = listed('code, text, message, description');
const OTHER_STATES = listed('code, response code, response, type');
/** Fields with an error. */
const ERRORS = listed('err, error, errors, failure, decline, rejection');
const PARTS_OF_ERROR = listed('msg, message, reason, code, text, desc, description, detail, details');
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
	const mayHoldIt = mayHoldPayment(key) || (words.length === 1 && OTHER_RECORDS.includes(words[0] ?? ''));
	return mayHoldIt ? failureIn(value, false) : undefined;
}

function saysFailure(words: string[], value: unknown, isTop: boolean): boolean {
	const text = textOf(value).trim();
	const name = words.filter((word) => word !== 'is' && word !== 'has').join(' ');
	if (SUCCEEDED.includes(name)) return isNo(value) || isFailedCode(text);
	if (GETS_ON.includes(name)) return !isNo(value) && isFailedCode(text);
	if (FAILED.includes(name) && isYes(value)) return true;
	if (isTop && isHttpStatus(words) && /^[45]\d\d\b/.test(text)) return true;
	if (isState(words)) return text !== '' && isFailedCode(text);
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
	const withoutOwner = words[0] === 'final' || PAYMENTS.includes(words[0] ?? '') ? words.slice(1) : words;
	const [state, kind, ...others] = withoutOwner;
	if (state === undefined) return words.length === 1;
	if (STATES.includes(state))
		return kind === undefined || (KINDS_OF_TEXT.includes(kind) && others.length === 0);
	return OTHER_STATES.includes(words.join(' '));
}

/** `error`, `error_message`, `rejectionReason`. */
function isError([error = '', part, ...others]: string[]): boolean {
	return (
		ERRORS.includes(error) && (part === undefined || PARTS_OF_ERROR.includes(part)) && others.length === 0
	);
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
