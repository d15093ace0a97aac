/**
 * What in a refusal leaves an earlier copy of the payment open: a repetition, a success, a payment under way, doubt about what
 * happened, or an identifier of a payment. Then the refusal proves nothing, whatever reason it names.
 */
import { isRecord } from '../json.ts';
import { identifiesPayment, mayHoldPayment, PAYMENTS } from './payments.ts';
import { isFilled, isNo, textOf } from './values.ts';
import { clausesOf, phrases, wordsOf } from './words.ts';

/** Words of a repetition. */
const REPETITION = phrases(
	...[
		'already',
		'duplicat*',
		'dupe',
		'double',
		'twice',
		'repeat*',
		'replay*',
		'identical',
		'similar',
		'once',
	],
	...[
		'reus*',
		're used',
		'resubmi*',
		'resent',
		'sent again',
		'submitted again',
		'not … retry',
		'retry … not',
	],
	...['second attempt', 'second time', 'second request', 'second try', 'second payout', 'second payment'],
	...[
		'previous*',
		'prior',
		'earlier',
		'recent*',
		'ago',
		'in the last minute',
		'within … minutes',
		'not … resend',
	],
	...[
		'used before',
		'made before',
		'sent before',
		'seen before',
		'processed before',
		'paid before',
		'done before',
	],
	...['taken', 'in use', 'being used', 'been used', 'was used', 'is used', 'were used', 'used for another'],
	...['reference used', 'id used', 'number used', 'key used with', 'used with', 'bound to', 'belongs to'],
	...['existing', 'another … payout', 'another … payment', 'another … transaction', 'another … transfer'],
	...[
		'another … withdrawal',
		'another … request',
		'other request',
		'multiple requests',
		'multiple … payouts',
	],
	...['same reference', 'same id*', 'same key', 'same request', 'same body', 'same payout', 'same payment'],
	...[
		'same transaction',
		'same transfer',
		'same withdrawal',
		'same order',
		'same invoice',
		'same parameters',
	],
	...['same details', 'same customer reference', 'same destination', 'same amount'],
	...['original request', 'original payout', 'original payment', 'original transaction', 'first request'],
	...['first record', 'first used', 'different body', 'different payload', 'different request'],
	...['different parameters', 'different content', 'different amount', 'different operation'],
	...['only one', 'one … per', 'per reference', 'per invoice', 'per request', 'per order', 'this reference'],
	...['this invoice', 'this nonce', 'has a payout', 'has a payment', 'has a transaction', 'has a transfer'],
	...['see payout', 'see payment', 'conflict*', 'concurren*', 'collision', 'constraint violation'],
);

/** Words for a request or a payment that goes on while this one is refused. */
const AT_WORK = phrases(
	...['in progress', 'in process', 'in flight', 'under way', 'underway', 'still running', 'still executing'],
	...[
		'still open',
		'still being',
		'currently accessing',
		'lock timeout',
		'lock subscriber',
		'resource … locked',
	],
	...['payout … locked', 'payment … locked', 'transaction … locked', 'transfer … locked', 'request … locked'],
	// What forbids something by its state is there.
	...[
		'invalid state',
		'invalid status',
		'invalid transaction state',
		'invalid payout state',
		'state transition',
	],
	...[
		'not … cancel*',
		'not … void*',
		'requires otp',
		'requires approval',
		'requires action',
		'approval required',
	],
);

/** Words of doubt about what happened, and of money that came back or has gone. */
const DOUBT = phrases(
	...[
		'timeout',
		'time out',
		'timed',
		'deadline',
		'in time',
		'on time',
		'took too long',
		'unclear',
		'partial*',
	],
	...[
		'no response',
		'no answer',
		'no reply',
		'not … respond*',
		'not … answer*',
		'not … reply',
		'not … confirm*',
	],
	...['not … received a response', 'not … determine*', 'not … known', 'undetermined', 'internal error'],
	...[
		'server error',
		'unknown status',
		'unknown state',
		'unknown outcome',
		'unknown result',
		'status … unknown',
	],
	...['state … unknown', 'outcome … unknown', 'result … unknown', 'went through', 'gone through', 'went out'],
	...['has left', 'after submission', 'after execution', 'refund*', 'revers*', 'was charged', 'were charged'],
	...['been charged', 'payout not found', 'payment not found', 'transaction not found', 'transfer not found'],
	...['withdrawal not found'],
);

/** Fields that each request must have its own of. That one is missing is an ordinary refusal; more is said of a repetition. */
const OWN_TO_REQUEST = phrases('unique', 'idempot*', 'idem');
const IS_MISSING = phrases(
	...['missing', 'is empty', 'is blank', 'not … provided', 'not … specified', 'not … set'],
);

/** Words that say that something is done or is there, unless another word says that it is not. */
const DONE = phrases(
	...['exist', 'exists', 'success*', 'succeed*', 'paid', 'executed', 'settled', 'completed', 'complete'],
	...['processed', 'accepted', 'approved', 'credited', 'debited', 'deducted', 'broadcast*', 'disbursed'],
	...[
		'dispatched',
		'transferred',
		'submitted',
		'initiated',
		'scheduled',
		'confirmed',
		'finalized',
		'finalised',
	],
	...[
		'captured',
		'reserved',
		'booked',
		'queued',
		'delivered',
		'forwarded',
		'released',
		'handled',
		'consumed',
	],
	...['remitted', 'withdrawn'],
);

/** Words that are said of other things too: a parameter is received, a key was sent. They count beside a payment. */
const DONE_TO_PAYMENT = phrases(
	...['sent', 'made', 'created', 'received', 'issued', 'registered', 'recorded', 'placed', 'posted', 'moved'],
);

/** Words for a payment that has no end yet. They count beside a payment, too: an account may be pending. */
const UNDER_WAY = phrases(
	...['pending', 'processing', 'queue', 'held', 'on hold', 'review', 'await*', 'waiting', 'in transit'],
	...['on its way', 'approval', 'otp', 'manual', 'delayed', 'authorizing', 'running', 'open', 'ignored'],
	...['executing', 'sending', 'settling', 'submitting', 'paying'],
);

const PAYMENT = phrases(...PAYMENTS);

/** A text says what it says in each of its clauses; and JSON inside a text is not read. */
function textLeavesOpen(text: string): boolean {
	return text.includes('{"') || isState(wordsOf(text)) || clausesOf(text).some(clauseLeavesOpen);
}

function clauseLeavesOpen(words: string[]): boolean {
	if (REPETITION.areIn(words) || AT_WORK.areIn(words) || DOUBT.areIn(words)) return true;
	if (OWN_TO_REQUEST.areIn(words) && !IS_MISSING.areIn(words)) return true;
	const isOfPayment = PAYMENT.areIn(words);
	if (isOfPayment && UNDER_WAY.areIn(words)) return true;
	const said = [DONE, ...(isOfPayment ? [DONE_TO_PAYMENT] : [])].flatMap((list) => list.placesIn(words));
	return said.some((at) => !isDenied(words, at));
}

/** Words that say, before another one, that it is not so or not so yet. */
const DENIES = new Set([
	...[
		'not',
		'no',
		'non',
		'fail',
		'failed',
		'must',
		'should',
		'can',
		'could',
		'may',
		'to',
		'needs',
		'if',
		'unless',
	],
	...['only', 'before', 'until'],
]);
const WORDS_BEFORE = 3;

function isDenied(words: string[], at: number): boolean {
	return words.slice(Math.max(0, at - WORDS_BEFORE), at).some((word) => DENIES.has(word));
}

const STATES = [DONE, DONE_TO_PAYMENT, UNDER_WAY, AT_WORK, DOUBT];
/** States that are too usual in a sentence. */
const SHORT_STATES = ['ok', 'okay', 'done', 'hold', 'unknown'];
const FILLERS = [
	...[
		'in',
		'on',
		'for',
		'under',
		'to',
		'with',
		'by',
		'the',
		'is',
		'was',
		'been',
		'has',
		'at',
		'date',
		'time',
	],
	...['hold', 'transit', 'warnings', 'unknown'],
	...PAYMENTS,
];
/** More words than a state has are a sentence. */
const MOST_WORDS_OF_STATE = 4;

/** Whether the words are nothing but the state of a payment that is there: `in_transit`, `executedAt`, `pending approval`. */
function isState(words: string[]): boolean {
	if (words.length === 1 && SHORT_STATES.includes(words[0] ?? '')) return true;
	if (words.length > MOST_WORDS_OF_STATE || !STATES.some((list) => list.areIn(words))) return false;
	return words.every((word) => FILLERS.includes(word) || STATES.some((list) => list.areIn([word])));
}

/** Whether anything in the answer does so, in keys or values, at any depth. */
export function leavesCopyOpen(answer: unknown, isInPayment = false): boolean {
	if (typeof answer === 'string') return textLeavesOpen(answer);
	if (Array.isArray(answer)) return answer.some((entry) => leavesCopyOpen(entry, isInPayment));
	if (!isRecord(answer)) return false;
	return Object.entries(answer).some(
		([key, value]) =>
			(isFilled(value) && !isNo(value) && keyLeavesOpen(key, value)) ||
			identifiesPayment(key, value, isInPayment) ||
			leavesCopyOpen(value, mayHoldPayment(key)),
	);
}

/** The record of an error has such times too. */
const TIME_OF_ANY_RECORD = phrases('created at', 'created on', 'created date', 'received at', 'recorded at');

/** A key such as `alreadyPaid`, `duplicate_of` or `executedAt`, whose value is not "no". */
function keyLeavesOpen(key: string, value: unknown): boolean {
	const words = wordsOf(key);
	if (REPETITION.areIn(words) || AT_WORK.areIn(words)) return true;
	return textOf(value) !== '' && isState(words) && !TIME_OF_ANY_RECORD.areIn(words);
}
