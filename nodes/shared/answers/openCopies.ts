/**
 * What in a refusal leaves an earlier copy of the payment open: a repetition, a success, a payment under way, doubt about what
 * happened, or an identifier of a payment. Then the refusal proves nothing, whatever reason it names.
 */
import { isRecord } from '../../../api/exact/json.ts';
import { identifiesPayment } from './identifiers.ts';
import { mayHoldPayment, PAYMENTS } from './payments.ts';
import { isFilled, isNo, textOf } from './values.ts';
import { clausesOf, listed, phrases, wordsOf } from './words.ts';

/** Words of a repetition. */
const REPETITION = phrases(
	'already, dupe, double, twice, repeat*, replay*, identical, similar, once',
	'reus*, re used, resubmi*, resent, sent again, submitted again, not … retry, retry … not, not … resend',
	'second attempt, second time, second request, second try, second payout, second payment',
	// There was one before.
	'previous*, prior, earlier, recent*, ago, in the last minute, within … minutes, existing',
	'used before, made before, sent before, seen before, processed before, paid before, done before',
	'original request, original payout, original payment, original transaction',
	'first request, first record, first used, last request, last payout, last payment, last transfer, last one',
	'has a payout, has a payment, has a transaction, has a transfer, see payout, see payment',
	// The reference is used up.
	'taken, in use, being used, been used, was used, is used, were used, used for another, used with',
	'reference used, id used, number used, bound to, belongs to, this reference, this invoice, this nonce',
	'only one, one … per, one payout, one payment, one transaction, one transfer, one withdrawal',
	'per reference, per invoice, per request, per order, any more, linked to',
	// A blockchain has a transaction with this number.
	'nonce … low, sequence … low, sequence … past',
	'conflict*, concurren*, collision, constraint violation, key mismatch, not the original',
	// There is another one, or the same one.
	'another … payout, another … payment, another … transaction, another … transfer, another … withdrawal',
	'another … request, other request, multiple requests, multiple … payouts',
	'same reference, same id*, same key, same request, same body, same payout, same payment',
	'same transaction, same transfer, same withdrawal, same order, same invoice, same parameters',
	'same details, same customer reference, same destination, same amount',
	'different body, different payload, different request, different parameters, different content',
	'different amount, different operation',
	// In other languages, beside an English code: no reason is known in them.
	'duplic*, doppelt, repetid*, ya, ja, deja, bereits, schon, sudah, existe, existente, utilizad*, usad*',
	'proceso, processo, procesad*, processad*, pendiente, pendente, exito, exitos*, sucesso, erfolgreich',
	'pagad*, enviad*, realizad*, aprobad*, aprovad*, acreditad*, bezahlt, ausgefuhrt',
);

/** Words for a request or a payment that goes on while this one is refused. */
const AT_WORK = phrases(
	'to finish, finishes, is moving, are moving, in progress, in process, in flight, under way, underway, still running, still executing, still open',
	'still being, currently accessing, lock timeout, lock subscriber, resource … locked, request … locked',
	'payout … locked, payment … locked, transaction … locked, transfer … locked',
	// What forbids something by its state is there.
	'invalid state, invalid status, invalid transaction state, invalid payout state, state transition',
	'not … cancel*, not … void*',
	// A person must say yes to what is there.
	'requires otp, requires approval, requires action, approval required',
);

/** Words of doubt about what happened, and of money that has gone or came back. */
const DOUBT = phrases(
	'timeout, time out, timed, deadline, in time, on time, took too long',
	'no response, no answer, no reply, not … respond*, not … answer*, not … reply, not … received a response',
	'upstream, response from, bank* … response, provider* … response, its reply, acknowledg*',
	'not … confirm*, not … determine*, not … known, undetermined, unclear, partial*',
	'unknown status, unknown state, unknown outcome, unknown result, internal error, server error',
	'status … unknown, state … unknown, outcome … unknown, result … unknown',
	'went through, gone through, went out, has left, on … way, carried out, is live, is final',
	'may have, might have, will receive, money … moved, took … money, took … funds',
	'after submission, after execution, after … payout, after … payment, after … transfer, after … debit',
	'refund*, revers*, was charged, were charged, been charged',
	'will be returned, funds … returned, money … returned, amount … returned',
	// It was looked for, so it may have been there.
	'payout not found, payment not found, transaction not found, transfer not found, withdrawal not found',
	'payout does not exist, payment does not exist, transaction does not exist, transfer does not exist',
	'withdrawal does not exist, order not found, order not exist, order does not exist',
);

/** Fields that each request must have its own of. That one is missing is an ordinary refusal; more is said of a repetition. */
const OWN_TO_REQUEST = phrases('unique, idempot*, idem');
const IS_MISSING = phrases('missing, is empty, is blank, not … provided, not … specified, not … set');

/** Words that say that something is done or is there, unless another word says that it is not. */
const DONE = phrases(
	'exist, exists, success*, succeed*, paid, executed, settled, completed, complete, processed, accepted',
	'approved, credited, debited, deducted, broadcast*, disbursed, dispatched, transferred, submitted',
	'initiated, scheduled, confirmed, finalized, finalised, captured, reserved, booked, queued, delivered',
	'forwarded, released, handled, consumed, remitted, withdrawn',
);

/** Words that are said of other things too: a parameter is received, a key was sent. They count beside a payment. */
const DONE_TO_PAYMENT = phrases(
	'sent, made, created, received, issued, registered, recorded, placed, posted, moved',
);

/** Words for a payment that has no end yet. They count beside a payment, too: an account may be pending. */
const UNDER_WAY = phrases(
	'pending, processing, queue, held, on hold, review, await*, waiting, in transit, on its way, open',
	'approval, otp, manual, delayed, ignored, authorizing, running, executing, sending, settling',
	'submitting, paying',
);

const PAYMENT = phrases(PAYMENTS.join(', '));

/** Whether anything in the answer leaves a copy open, in keys or values, at any depth. */
export function leavesCopyOpen(answer: unknown, isInPayment = false): boolean {
	if (typeof answer === 'string') return textLeavesOpen(answer);
	if (Array.isArray(answer)) return answer.some((entry) => leavesCopyOpen(entry, isInPayment));
	if (!isRecord(answer)) return false;
	return Object.entries(answer).some(
		([key, value]) =>
			keyLeavesOpen(key, value) ||
			identifiesPayment(key, value, isInPayment) ||
			leavesCopyOpen(value, mayHoldPayment(key)),
	);
}

/** The record of an error has such times too. */
const TIME_OF_ANY_RECORD = phrases('created at, created on, created date, received at, recorded at');

/** A key such as `alreadyPaid`, `duplicate_of` or `executedAt`, whose value is not "no". */
function keyLeavesOpen(key: string, value: unknown): boolean {
	if (!isFilled(value) || isNo(value)) return false;
	const words = wordsOf(key);
	if (REPETITION.areIn(words) || AT_WORK.areIn(words)) return true;
	return textOf(value) !== '' && isState(words) && !TIME_OF_ANY_RECORD.areIn(words);
}

/** What is not read may say anything: letters that are not Latin, and JSON inside a text. */
const NOT_READ = /(?!\p{Script=Latin})\p{L}|\{"/u;

/** A text says what it says in each of its clauses. */
function textLeavesOpen(text: string): boolean {
	return NOT_READ.test(text) || isState(wordsOf(text)) || clausesOf(text).some(clauseLeavesOpen);
}

function clauseLeavesOpen(words: string[]): boolean {
	if (REPETITION.areIn(words) || AT_WORK.areIn(words) || DOUBT.areIn(words)) return true;
	if (OWN_TO_REQUEST.areIn(words) && !IS_MISSING.areIn(words)) return true;
	if (words.some((_, at) => isIdentified(words, at))) return true;
	const isOfPayment = PAYMENT.areIn(words);
	if (isOfPayment && UNDER_WAY.areIn(words)) return true;
	const said = [...DONE.placesIn(words), ...(isOfPayment ? DONE_TO_PAYMENT.placesIn(words) : [])];
	return said.some((at) => !isDenied(words, at));
}

/** Words between a payment and its identifier, and beginnings of one. */
const BEFORE_IDENTIFIER = listed('id, no, number, ref, reference, po, py, pay, tr, tx, wd');

/** Whether the words speak of one payment, such as `payout 7781` and `transfer no 8`. */
function isIdentified(words: string[], at: number): boolean {
	if (!PAYMENTS.includes(words[at] ?? '')) return false;
	const next = BEFORE_IDENTIFIER.includes(words[at + 1] ?? '') ? words[at + 2] : words[at + 1];
	return /\d/.test(next ?? '');
}

/** Words that say, before another one, that it is not so or not so yet. */
const DENIES = new Set(
	listed(
		'not, no, non, fail, failed, must, should, can, could, may, to, needs, if, unless, only, before, until',
	),
);
const WORDS_BEFORE = 3;

function isDenied(words: string[], at: number): boolean {
	return words.slice(Math.max(0, at - WORDS_BEFORE), at).some((word) => DENIES.has(word));
}

const STATES = [DONE, DONE_TO_PAYMENT, UNDER_WAY, AT_WORK, DOUBT];
/** States that are too usual in a sentence. */
const SHORT_STATES = listed('ok, okay, done, hold, unknown');
/** Words beside a state, and pieces of states of two words. */
const FILLERS = [
	...PAYMENTS,
	...listed(
		'in, on, for, under, to, with, by, the, is, was, been, has, at, date, time, hold, transit, warnings',
	),
];
/** More words than a state has are a sentence. */
const MOST_WORDS_OF_STATE = 4;

/** Whether the words are nothing but the state of a payment that is there: `in_transit`, `executedAt`, `pending approval`. */
function isState(words: string[]): boolean {
	if (words.length === 1 && SHORT_STATES.includes(words[0] ?? '')) return true;
	if (words.length > MOST_WORDS_OF_STATE || !STATES.some((list) => list.areIn(words))) return false;
	return words.every((word) => FILLERS.includes(word) || STATES.some((list) => list.areIn([word])));
}
