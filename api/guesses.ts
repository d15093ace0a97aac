/**
 * Every guess about what the API document does not show: keys, words and the form of answers. A wrong guess must never cost
 * money. So it stops a payment or leaves its outcome unknown, or it only changes what is offered and shown.
 */
import { isRecord } from './json.ts';

type Fields = Record<string, unknown>;

// Keys of requests. A limit counts one field, so another field that may mean the same stops the payment. A key is given as
// its letters in lower case.

/** Also `quantity`, `size` and the like: services for coins use these words. */
export function isLikelyAmount(letters: string): boolean {
	return /amount|amt|^(value|total|sum|quantity|qty|units?|volume|size|multiplier)$/.test(letters);
}

export function isLikelyCurrency(letters: string): boolean {
	return /coin|currency|asset|^(symbol|token|ticker)$/.test(letters);
}

/** A bank, a wallet or a person may be paid. A memo or a tag chooses the owner of a coin within one address. */
export function isLikelyDestination(letters: string): boolean {
	if (/^(from|source|sender)/.test(letters)) return false;
	return /alias|address|wallet|dest|target|recipient|beneficiary|receiver|payee|counterparty|iban|account|email|phone|memo|tag$|^to$|(send|pay|transfer|payout)to$/.test(
		letters,
	);
}

// Records from which the user chooses. If a guess is wrong, the user types the value.

/** The record's name for itself, as the documented resources and events have it. The first present one counts. */
export const ALIAS_FIELDS = ['alias', 'accountAlias', 'walletAlias', 'name'] as const;

/** Likely currencies of fiat wallets. No endpoint lists those of the account, so the service is asked about each. */
export const LIKELY_CURRENCIES = [
	'EUR',
	'GBP',
	'GHS',
	'KES',
	'NGN',
	'UGX',
	'USD',
	'XAF',
	'XOF',
	'ZAR',
] as const;

/** Whether a payout destination can be used: by the document's own word, or one that may mean the same. */
export function isApproved(status: unknown): boolean {
	return typeof status !== 'string' || /^(whitelisted|approved|active|ok)$/i.test(status.trim());
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

/**
 * Fields, in lower case without signs, that a model may read: the usual ones without those that may hold data of customers.
 * What a wrong guess leaves out, the author of the workflow can select.
 */
export const HARMLESS_FIELDS: ReadonlySet<string> = new Set([
	...['id', 'alias', 'accountalias', 'walletalias', 'status', 'state', 'response'],
	...['currency', 'coin', 'asset', 'assets', 'assetsupported', 'supportedassets', 'network', 'address'],
	...['balance', 'available', 'availablebalance', 'amount'],
]);

// Answers to payments. A word that may mean a failure makes the outcome unknown, although the status says success.

/** Names of the identifier: those of documented payments first, in both spellings, then general ones. */
export const PAYMENT_IDS = [
	...['payout_id', 'transaction_id', 'payoutId', 'transactionId', 'tx_hash'],
	...['id', 'reference'],
];

/** Whether a refusal names a payment, a success or a duplicate. Then it proves nothing: the payment may have been made. */
export function namesPayment(answer: unknown): boolean {
	if (Array.isArray(answer)) return answer.some(namesPayment);
	if (!isRecord(answer)) return false;
	return Object.entries(answer).some(([key, value]) => {
		const name = key.toLowerCase().replace(/[^a-z]/g, '');
		const isFilled = !['', 'null'].includes(textOf(value).trim());
		if (/^(payout|transaction|payment|transfer|tx)(id|hash|reference)$|^txid$/.test(name) && isFilled)
			return true;
		if (/^(success|succeeded|ok)$/.test(name) && value === true) return true;
		if (typeof value === 'string' && /\bduplicate\b|\balready\b/i.test(value)) return true;
		return namesPayment(value);
	});
}

/** Keys below which services put the record of the payment. */
const RECORD_KEYS = /^(data|results?|payout|payment|transaction|transfer|response)$/i;

/** Without an identifier, an answer proves a payment only with a good word for it. */
export function saysPaid(answer: Fields): boolean {
	return Object.entries(answer).some(([key, value]) => {
		if (/^(success|successful|succeeded|ok|accepted)$/i.test(key)) return YES.test(String(value));
		if (/^(status|state|result)$/i.test(key))
			return /^(pending|processing|queued|submitted|accepted|success|successful|completed|ok)$/i.test(
				String(value),
			);
		return isRecord(value) && RECORD_KEYS.test(key) && saysPaid(value);
	});
}

const YES = /^(true|1|yes)$/i;
const NO = /^(false|0|no)$/i;
const FAILURE_WORD =
	/^(fail(ed|ure)?|error|reject(ed)?|declined?|denied|refused|invalid|insufficient|cancell?ed|abort(ed)?|bounced|unauthori[sz]ed|forbidden|unsuccessful|expired|reversed|returned|blocked|voided|refunded|unpaid|exceed(s|ed))$/i;
const NOT_DONE = /\bnot (paid|sent|made|processed|accepted|successful|enough|allowed)\b/i;
const NO_ERROR = /^(|0+|false|null|none|ok|success|no errors?)$/i;

/** `{"success":false}`, `{"code":400}`, `{"state":"reversed"}`, `{"error":"…"}`: the payment failed. Returns the words that say so. */
export function failureIn(value: unknown, isTop = true): string | undefined {
	if (Array.isArray(value)) return firstOf(value, (entry) => failureIn(entry, false));
	if (!isRecord(value)) return undefined;
	return firstOf(Object.entries(value), ([key, entry]) => {
		const name = wordsOf(key).join('').toLowerCase();
		const text = textOf(entry);
		const word = `${key}: ${text}`;
		if (/^(is)?(success(ful)?|succeeded|ok|accepted|paid)$/.test(name))
			return NO.test(text) ? word : undefined;
		if (/^(is|has)?(failed|rejected|declined)$/.test(name)) return YES.test(text) ? word : undefined;
		if (/^(http)?(status)?(code)?$/.test(name) && isTop && /^[45]\d\d$/.test(text)) return word;
		if (/^(payout|payment|transaction|transfer|tx)?(status|state|result|outcome)$/.test(name) && text !== '')
			return text === 'false' || saysFailed(text) ? word : undefined;
		if (/^(errors?|failure)(message|reason|code|description)?$/.test(name))
			return isFilledError(entry, text) ? word : undefined;
		if (/^(message|detail|reason|description)$/.test(name)) return saysFailed(text) ? word : undefined;
		return RECORD_KEYS.test(key) ? failureIn(entry, false) : undefined;
	});
}

/** The text of a single value; '' for a list, an object and nothing. */
function textOf(value: unknown): string {
	return typeof value === 'object' ? '' : String(value ?? '');
}

/** The words of a text or a key: `notPaid` and `NOT_PAID` are two. */
function wordsOf(text: string): string[] {
	return text.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/);
}

function saysFailed(text: string): boolean {
	const words = wordsOf(text);
	return words.some((word) => FAILURE_WORD.test(word)) || NOT_DONE.test(words.join(' '));
}

function isFilledError(entry: unknown, text: string): boolean {
	if (typeof entry === 'object' && entry !== null) return Object.keys(entry).length > 0;
	return !NO_ERROR.test(text.trim());
}

// The service's own words for people. A wrong guess shows "no reason given".

/** Keys under which services put their words; those that hold a whole record come last. */
const WORD_KEYS = [
	...['message', 'error', 'error_description', 'detail', 'description', 'reason', 'title', 'errors'],
	...['response', 'data'],
];

/** The words in an answer, or those of the web page that a gateway sends in its place. */
export function wordsIn(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return pageText(value) || undefined;
	if (typeof value !== 'object' || value === null || depth > 3) return undefined;
	const candidates = Array.isArray(value)
		? value
		: WORD_KEYS.filter((key) => Object.hasOwn(value, key)).map((key) => (value as Fields)[key]);
	return firstOf(candidates, (candidate) => wordsIn(candidate, depth + 1));
}

/** The title or the text of an HTML page; other text as it is. */
function pageText(text: string): string {
	if (!/^\s*</.test(text)) return text;
	const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1];
	return title ?? text.replace(/<[^>]*>/g, ' ').trim();
}

function firstOf<T>(values: T[], find: (value: T) => string | undefined): string | undefined {
	for (const value of values) {
		const found = find(value);
		if (found !== undefined) return found;
	}
	return undefined;
}
