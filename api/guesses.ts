/**
 * What an answer says of a payment, where the API document shows nothing. It is read by fields and words; never by a search in
 * the sentences of an accepted answer. A wrong guess must never cost money: in doubt the outcome is unknown.
 */
import { isRecord } from './json.ts';

type Fields = Record<string, unknown>;

/** Names of the identifier: those of documented payments first, in both spellings, then general ones. */
export const PAYMENT_IDS = [
	...['payout_id', 'transaction_id', 'payoutId', 'transactionId', 'tx_hash'],
	...['id', 'reference'],
];

/** Keys below which services put the record of the payment. */
const RECORD_KEYS =
	/^(data|results?|payout|payment|transaction|transfer|withdrawal|disbursement|order|response|attributes|details?|status|state)$/i;

const YES = /^(true|1|yes)$/i;
const NO = /^(false|0|no)$/i;

const CODE_OF_PAYMENT =
	/^(payout|payment|transaction|transfer|txn?|withdrawal|disbursement|order|final)?(status|state|result|outcome)(code|text|message|description)?$|^(response)?code$|^(payout|payment|response|type)$/;

/** A word of a code for a payment that failed. */
const FAILED =
	/^(fail|reject|declin|refus|cancel|expir|revers|return|invalid|abort|bounc|unauthori|unsuccess|refund|exceed|suspend|undeliver)|^(block|void)(ed|s)?$|^(hold|held|nok|ko|err|insufficient|err(ors?|ored)|denied|forbidden|unpaid|unsent|frozen|dry|unknown|timed?|timed?out|bad|low|dropped|reached)$|^(simulat|terminat|dishono|disapprov|unprocess|incomplete|rolled|rollback|chargeback)/;
/** More words than a code has are a sentence. */
const MOST_WORDS_OF_CODE = 4;

/** The field such as `"success":false`, `"state":"reversed"` or `"code":400` that says that the payment failed. */
export function failureIn(answer: unknown, isTop = true): string | undefined {
	if (Array.isArray(answer))
		return answer.map((entry) => failureIn(entry, false)).find((found) => found !== undefined);
	if (!isRecord(answer)) return undefined;
	return Object.entries(answer)
		.map(([key, value]) => failureOf(key, value, isTop))
		.find((found) => found !== undefined);
}

function failureOf(key: string, value: unknown, isTop: boolean): string | undefined {
	const name = wordsOf(key).join('');
	const text = textOf(value);
	const says = (isFailure: boolean) => (isFailure ? `${key}: ${text || serviceWords(value)}` : undefined);
	if (/^(is)?(success(ful)?|succeeded|ok|accepted|approved|paid|sent|done|completed|processed)$/.test(name))
		return says(NO.test(text.trim()) || isFailedCode(text));
	if (/^(is|has)?(failed|rejected|declined)$|^(is|has)errors?$/.test(name)) return says(YES.test(text));
	if (/^(http)?(status)?code$|^(http)?status$/.test(name) && isTop && /^[45]\d\d\b/.test(text))
		return says(true);
	if (CODE_OF_PAYMENT.test(name) && text !== '') return says(isFailedCode(text));
	if (/^(err(ors?)?|failure|decline|rejection)(msg|message|reason|code|text|desc\w*|details?)?$/.test(name))
		return says(isFilledError(value));
	return RECORD_KEYS.test(key) ? failureIn(value, false) : undefined;
}

/** Whether a code such as `FAILED`, `on_hold` or `notPaid` says that the payment failed. */
function isFailedCode(text: string): boolean {
	const words = wordsOf(text);
	if (NO.test(text.trim())) return text !== '0';
	if (/^not?$/.test(words[0] ?? '')) return !NO_ERROR.test(text);
	return words.length <= MOST_WORDS_OF_CODE && words.some((word) => FAILED.test(word));
}

const NO_ERROR = /^(|0+|false|null|none|ok|success|no[ _-]?errors?)$/i;

function isFilledError(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return !NO_ERROR.test(textOf(value).trim());
}

/** Words of a refusal after which an earlier copy of the payment may be open, in a text whose words are apart. */
const EARLIER_COPY = [
	/\b(dup\w*|identical|similar|already|repla(y|yed|ys)|re ?us(e|ed|es)|repeat(ed|s)?|taken|exists|bereits|unique|previous(ly)?|earlier|twice|in (progress|process|flight|use)|under way)\b/,
	/\b(another|same|existing|double) (payout|payment|transaction|transfer|withdrawal|request|reference|spend(ing)?)\b/,
	/\b(payout|payment|transaction|transfer|withdrawal|request|resource)( is)? locked\b/,
	/(?<!\bnot )\bexist\b|\b(idempoten\w*|concurren\w*|conflict\w*|time ?out|timed out|in time|no (answer|response)|unknown (status|state|outcome|result)|(status|state|outcome|result)( is)? (unknown|unclear)|debited|(?<!be )credited|deducted|charged|broadcast\w*|refund\w*|revers(al|ed)|(gone|went) through|did not (respond|answer|reply)|(cannot|not) be determined)\b/,
	/(?<!\bnot )\bsucce(ssful(ly)?|eded)\b|\b(used|sent|paid|made|seen|processed) before\b|\bbeen (handled|consumed)\b/,
	/\b(is|are|was|were|been|being|currently|still) (being )?(processed|paid|sent|made|completed?|accepted|submitted|executed|created|received|recorded|registered|used|handled|settled|issued|dispatched)\b/,
	/\b(payout|payment|transaction|transfer|withdrawal|disbursement) (id|uuid|hash|((was|is|has been) )?(created|initiated|executed|settled|accepted|completed|made|sent|processed|submitted|scheduled|approved|confirmed|received|recorded|registered|released|issued|dispatched|placed|forwarded))\b/,
	// A destination may be pending too, which says nothing of a payment.
	/\b(payout|payment|transaction|transfer|withdrawal|request|reference)\b.* (pending|processing|queued|held|on hold|under review|awaiting)\b/,
	/\b(pending|processing|queued|received (your|the)) (payout|payment|transaction|transfer|withdrawal|request)\b/,
];

/** The time of the patterns grows faster than the length. A longer text proves no refusal. */
const LONGEST_REFUSAL = 5000;

function namesEarlierCopy(text: string): boolean {
	if (text.length > LONGEST_REFUSAL) return true;
	const words = wordsOf(text).join(' ');
	return EARLIER_COPY.some((pattern) => pattern.test(words));
}

/** Fields and words with which an answer says that it has succeeded. */
const SUCCESS_FIELD = /^(is|was)?(success(ful)?|succeeded|ok|accepted|paid|processed|completed|created)$/;
const CODE_FIELD = /(status|state|result|outcome|code|message)$/;
const SUCCESS_CODE =
	/^(success|pending|processing|queued|submitted|scheduled|waiting|awaiting|held)( \w+){0,2}$|^(in|under|on|for) (\w+ )?(review|hold|approval)$|^(successful|succeeded|ok|okay|accepted|completed?|paid|sent|created|approved|done|processed|initiated|settled|executed|unknown|time ?out)$/;
/** Names of an identifier, and of one that belongs to a payment wherever it stands. */
const ID = /^(ids?|uuid|hash|reference|ref|tx|txn)$/;
const PAYMENT_ID = /^(payout|transaction|payment|transfer|tx|txn)(ids?|uuid|hash|reference|ref|number|no)$/;
/** Records whose identifier is not one of a payment. */
const OTHER_RECORD =
	/^(request|trace|correlation|span|errors?|event|log|meta|support|incident|ray|account|wallet|customer|merchant|business|user|client|contract|field|rule)$/;

/**
 * Whether something in a refusal leaves an earlier copy of the payment open: a word for a repetition or for a success, or a
 * filled identifier of a payment, in keys or values, at any depth. Then the refusal proves nothing.
 */
export function leavesCopyOpen(answer: unknown, isOfPayment = true): boolean {
	if (typeof answer === 'string') return namesEarlierCopy(answer);
	if (Array.isArray(answer)) return answer.some((entry) => leavesCopyOpen(entry, isOfPayment));
	if (!isRecord(answer)) return false;
	return Object.entries(answer).some(([key, value]) => {
		const name = wordsOf(key).join('');
		const text = textOf(value);
		const isFilled = isFilledValue(value);
		return (
			(isFilled && !NO.test(text) && namesEarlierCopy(key)) ||
			(SUCCESS_FIELD.test(name) && YES.test(text)) ||
			(CODE_FIELD.test(name) && SUCCESS_CODE.test(wordsOf(text).join(' '))) ||
			(isFilled && isPaymentId(key, isOfPayment)) ||
			leavesCopyOpen(value, isOfPayment && !OTHER_RECORD.test(name))
		);
	});
}

/** Whether a key such as `withdrawal_id` may name a payment's identifier. `isOfPayment`: whether the record around it may be one. */
function isPaymentId(key: string, isOfPayment: boolean): boolean {
	const words = wordsOf(key);
	if (PAYMENT_ID.test(words.join(''))) return true;
	const owner = words.at(-2);
	return ID.test(words.at(-1) ?? '') && (owner === undefined ? isOfPayment : !OTHER_RECORD.test(owner));
}

/** Whether a value identifies something: not a word or a number that stands for nothing. */
export function isIdentifier(value: unknown): value is string | number {
	const text = textOf(value).trim();
	return /^(?!-)(?=.*[1-9a-z])/i.test(text) && !/^(null|undefined|none|nil|nan|n\/a)$/i.test(text);
}

function isFilledValue(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).some(isFilledValue);
	return !['', 'null', '0'].includes(textOf(value).trim());
}

/** The text of a single value; '' for a list, an object and nothing. */
function textOf(value: unknown): string {
	return typeof value === 'object' ? '' : String(value ?? '');
}

/** The words of a text or a key, in lower case: `alreadyPaid`, `already-paid` and `ALREADY_PAID` are two. */
function wordsOf(text: string): string[] {
	const apart = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
	return apart
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter((word) => word !== '');
}

/** Keys under which services put their words for people; those that hold a whole record come last. */
const WORD_KEYS = [
	...['message', 'error', 'error_description', 'detail', 'description', 'reason', 'title', 'errors'],
	...['response', 'data'],
];

/** The words in an answer, or those of the web page that a gateway sends in its place. */
function wordsIn(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return pageText(value) || undefined;
	if (typeof value !== 'object' || value === null || depth > 3) return undefined;
	const candidates = Array.isArray(value)
		? value
		: WORD_KEYS.filter((key) => Object.hasOwn(value, key)).map((key) => (value as Fields)[key]);
	return candidates.map((candidate) => wordsIn(candidate, depth + 1)).find((found) => found !== undefined);
}

const MAX_WORDS = 300;

/** The service's own words in an answer, on one line. */
export function serviceWords(answer: unknown): string {
	const words = wordsIn(answer) ?? 'no reason given';
	const oneLine = words.replace(/\s+/g, ' ').trim();
	return oneLine.length > MAX_WORDS ? `${oneLine.slice(0, MAX_WORDS)}…` : oneLine;
}

/** The title or the text of an HTML page; other text as it is. */
function pageText(text: string): string {
	if (!/^\s*</.test(text)) return text;
	const start = text.slice(0, LONGEST_REFUSAL);
	const title = /<title[^>]*>([^<]*)</i.exec(start)?.[1];
	return title ?? start.replace(/<[^>]*>/g, ' ').trim();
}

/** The records of an answer, if it holds exactly one list of records, at most one level down as documented lists do. */
export function recordsIn(value: unknown, levels = 2): Fields[] | undefined {
	if (Array.isArray(value)) return value.every(isRecord) ? value : undefined;
	if (!isRecord(value) || levels === 0) return undefined;
	const inner = Object.values(value);
	const lists = inner.filter((entry) => Array.isArray(entry));
	const candidates = lists.length > 0 ? lists : inner.filter(isRecord);
	return candidates.length === 1 ? recordsIn(candidates[0], levels - 1) : undefined;
}
