/** Reads the service's answer by the endpoint's table. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../api/endpoints.ts';
import { isPlainDecimal, isSameNumber } from '../../../api/decimal.ts';
import { isRecord, parseExact, toPlain } from '../../../api/json.ts';
import { readRecord } from '../../../api/normalize.ts';
import { isList, UNDOCUMENTED } from '../../../api/shape.ts';
import type { ListShape, RecordShape } from '../../../api/shape.ts';
import { rejected, serviceWords, unknown } from './failure.ts';
import { PROVES_NOTHING_WAS_DONE } from './httpOutcome.ts';
import { UNCLEAR } from './messages.ts';
import type { CallResult } from './outcome.ts';

export interface RawResponse {
	statusCode: number;
	body: string;
	/** The header Retry-After, as sent. */
	retryAfter?: string;
}

export interface ReadingOptions {
	simplify: boolean;
	/** Texts that no item and no message may show. */
	secrets?: string[];
	/** Payments: the fields of the simplified item that the request decides. */
	asked?: IDataObject;
}

/** Reads any answer of the service. Never throws. */
export function readResponse(
	endpoint: Endpoint,
	raw: RawResponse,
	{ simplify, secrets = [], asked = {} }: ReadingOptions,
): CallResult {
	const { statusCode, body } = raw;
	const parsed = parse(body);
	const shown = redact(parsed.isJson ? toPlain(parsed.value) : body, secrets);
	const details = typeof shown === 'string' ? shown.slice(0, MAX_TEXT) : shown;
	const unclear = (message: string): CallResult => ({
		ok: false,
		failure: unknown(endpoint, message, { httpStatus: statusCode, details }),
	});
	const status = String(statusCode);

	if (PROVES_NOTHING_WAS_DONE.has(statusCode) && isRecord(parsed.value) && !namesPayment(parsed.value)) {
		return { ok: false, failure: rejected(endpoint, raw, details) };
	}
	if (statusCode < 200 || statusCode >= 300) return unclear(UNCLEAR.status(status, serviceWords(details)));
	if (!parsed.isJson) return unclear(UNCLEAR.notJson(status));
	const { response, movesMoney } = endpoint;
	if (response === UNDOCUMENTED && movesMoney === undefined) {
		return { ok: true, items: (endpoint.lists && recordsIn(details)) || asItems(details) };
	}
	if (!isRecord(parsed.value)) return unclear(UNCLEAR.notAnObject(status));

	const items =
		response === UNDOCUMENTED
			? [withPayoutId(details as IDataObject)]
			: simplified(response, parsed.value, secrets);
	if (items === undefined) {
		return unclear(
			UNCLEAR.withoutList(status, isList(response as ListShape) ? (response as ListShape).listKey : ''),
		);
	}
	// An answer such as {"error": "..."} with status 200 is not the record that was requested.
	if (response !== UNDOCUMENTED && items.some((item) => Object.keys(item).every((key) => key === 'extra'))) {
		return unclear(UNCLEAR.withoutFields(status, serviceWords(details)));
	}
	if (movesMoney !== undefined) {
		const [item = {}] = items;
		if (identifierIn(endpoint, item) === undefined && (movesMoney.id !== undefined || mentionsFailure(item)))
			return unclear(UNCLEAR.withoutIdentifier(status, serviceWords(details)));
		if (reportsFailure(details)) return unclear(UNCLEAR.reportsFailure(status, failureWords(details)));
		const difference = differenceFrom(endpoint, item, asked);
		if (difference !== undefined) return unclear(UNCLEAR.otherPayment(status, difference));
	}
	return { ok: true, items: simplify || response === UNDOCUMENTED ? items : [details as IDataObject] };
}

function parse(body: string): { isJson: true; value: unknown } | { isJson: false; value: undefined } {
	try {
		return { isJson: true, value: parseExact(body) };
	} catch {
		return { isJson: false, value: undefined };
	}
}

/** Undefined if the answer lacks the list that its shape has. */
function simplified(
	response: RecordShape | ListShape,
	answer: Record<string, unknown>,
	secrets: string[],
): IDataObject[] | undefined {
	const records = isList(response) ? answer[response.listKey] : [answer];
	if (!Array.isArray(records) || !records.every(isRecord)) return undefined;
	const shape = isList(response) ? response.element : response;
	return records.map((record) => redact(simplifyRecord(shape, record), secrets) as IDataObject);
}

function simplifyRecord(shape: RecordShape, record: Record<string, unknown>): IDataObject {
	const { fields, unknown: unnamed, unreadable } = readRecord(shape, record);
	// `extra` keeps what the document does not name or what has another type, so that nothing is lost.
	const extra = toPlain({ ...unnamed, ...unreadable }) as IDataObject;
	return Object.keys(extra).length === 0 ? fields : { ...fields, extra };
}

/** The records of an undocumented response, if it holds exactly one list of records, at most one level down. */
function recordsIn(value: unknown, levels = 2): IDataObject[] | undefined {
	if (Array.isArray(value)) return value.every(isRecord) ? (value as IDataObject[]) : undefined;
	if (!isRecord(value) || levels === 0) return undefined;
	const inner = Object.values(value);
	const lists = inner.filter((entry) => Array.isArray(entry));
	const candidates = lists.length > 0 ? lists : inner.filter(isRecord);
	return candidates.length === 1 ? recordsIn(candidates[0], levels - 1) : undefined;
}

/** Renames the ID of an undocumented payment to `payoutId`, as documented payments have it. */
function withPayoutId(item: IDataObject): IDataObject {
	const { payout_id: payoutId, ...others } = item;
	return payoutId === undefined || 'payoutId' in item ? item : { payoutId, ...others };
}

/** An undocumented response: an object is an item, a list of objects an item each. */
function asItems(value: unknown): IDataObject[] {
	if (isRecord(value)) return [value as IDataObject];
	if (Array.isArray(value) && value.every(isRecord)) return value as IDataObject[];
	return [{ response: value as IDataObject[string] }];
}

/** Characters of a text that is not JSON. */
const MAX_TEXT = 2000;

/** Fields with which an answer identifies a payment. */
const PAYMENT_IDS = ['payout_id', 'transaction_id', 'payoutId', 'transactionId', 'tx_hash'];
/** Fields that may hold the identifier in an undocumented answer. */
const LIKELY_IDS = [...PAYMENT_IDS, 'id', 'reference'];

/** The identifier in the item of an accepted payment. Undefined if there is none. */
export function identifierOf({ movesMoney }: Endpoint, item: IDataObject): string | undefined {
	return firstText(item, [...(movesMoney?.id === undefined ? [] : [movesMoney.id]), ...LIKELY_IDS]);
}

function firstText(item: Record<string, unknown>, names: string[]): string | undefined {
	for (const name of names) {
		const id = item[name];
		if ((typeof id === 'string' && id.trim() !== '') || typeof id === 'number') return String(id);
	}
	return undefined;
}

/** A refusal that names a payment proves nothing: the payment may have been made. */
function namesPayment(answer: Record<string, unknown>): boolean {
	return firstText(answer, PAYMENT_IDS) !== undefined;
}

/** The identifier that proves a payment. A documented answer must have its own as text. */
function identifierIn(endpoint: Endpoint, item: IDataObject): string | undefined {
	const name = endpoint.movesMoney?.id;
	if (name === undefined) return identifierOf(endpoint, item);
	const id = item[name];
	return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** What differs between the documented answer to a payment and its request, in words; undefined if nothing does. */
function differenceFrom({ response }: Endpoint, item: IDataObject, asked: IDataObject): string | undefined {
	if (response === UNDOCUMENTED) return undefined;
	for (const [name, value] of Object.entries(asked)) {
		const answered = item[name];
		if (typeof answered !== 'string' && typeof answered !== 'number') continue;
		const [one, other] = [String(value), String(answered)];
		if (one.toUpperCase() !== other.toUpperCase() && !isSameNumber(one, other))
			return `${name} ${other} instead of ${one}`;
	}
	return undefined;
}

/** `{"success":false}`, `{"status":400}`, `{"state":"reversed"}`, `{"error":"…"}`, also inside other objects. */
function reportsFailure(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(reportsFailure);
	if (!isRecord(value)) return false;
	return Object.entries(value).some(([key, entry]) => {
		const text = String(entry ?? '').toLowerCase();
		if (/^(success|succeeded|successful|ok|accepted)$/i.test(key)) return ['false', '0', 'no'].includes(text);
		if (/^(status|state|result|outcome|code|(\w+_)?status(_?code)?)$/i.test(key) && !isRecord(entry))
			return text === 'false' || (typeof entry === 'number' && entry >= 400) || FAILURE_WORD.test(text);
		if (/error|failure/i.test(key) && !isRecord(entry))
			return !['', 'false', '0', 'null', 'none'].includes(text);
		return (/error|failure/i.test(key) && isRecord(entry)) || reportsFailure(entry);
	});
}

/** The service's words about a failure, or the word of the status. */
function failureWords(answer: unknown): string {
	const { status, state } = isRecord(answer) ? answer : {};
	const word = [status, state].find((text) => typeof text === 'string');
	return typeof word === 'string' ? word : serviceWords(answer);
}

const FAILURE_WORD =
	/fail|error|reject|declin|denied|deny|refus|invalid|insufficient|cancel|unauthori|forbidden|unsuccess|unable|expired|revers|return|block|void|refund|too low|\bnot\b/i;

function mentionsFailure(value: unknown): boolean {
	if (typeof value === 'string') return FAILURE_WORD.test(value);
	if (Array.isArray(value)) return value.some(mentionsFailure);
	return isRecord(value) && Object.values(value).some(mentionsFailure);
}

/** Shorter texts occur in ordinary words too. */
const MIN_SECRET_LENGTH = 6;

/** The same value for display: secrets in its texts are replaced, in any case. Digits of a key inside a decimal stay. */
export function redact(value: unknown, secrets: string[]): unknown {
	const hidden = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	if (hidden.length === 0) return value;
	const pattern = new RegExp(hidden.map(escaped).join('|'), 'gi');
	const hide = (text: string) =>
		isPlainDecimal(text) && !hidden.includes(text) ? text : text.replace(pattern, '[redacted]');
	const redacted = (inner: unknown): unknown => {
		if (typeof inner === 'string') return hide(inner);
		if (Array.isArray(inner)) return inner.map(redacted);
		if (!isRecord(inner)) return inner;
		return Object.fromEntries(Object.entries(inner).map(([key, entry]) => [hide(key), redacted(entry)]));
	};
	return redacted(value);
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
