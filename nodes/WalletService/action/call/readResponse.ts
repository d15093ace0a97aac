/** Reads the service's answer by the endpoint's table. */
import type { IDataObject } from 'n8n-workflow';

import { isSameNumber } from '../../../../api/decimal.ts';
import { isChange } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import {
	failureIn,
	isIdentifier,
	leavesCopyOpen,
	PAYMENT_IDS,
	recordsIn,
	serviceWords,
} from '../../../../api/guesses.ts';
import { isRecord, parseExact, repeatsKey, toPlain } from '../../../../api/json.ts';
import { readRecord } from '../../../../api/readRecord.ts';
import { isList, UNDOCUMENTED } from '../../../../api/shape.ts';
import type { ListShape, RecordShape } from '../../../../api/shape.ts';
import { UNCLEAR } from './messages.ts';
import type { CallResult } from '../result.ts';
import { rejected, unknown } from './failure.ts';
import { redact } from '../../shared/redact.ts';

/**
 * Statuses that, with a JSON object as their body, prove that the service did nothing (RFC 9110, 15.5; RFC 6585, 3 to 5). Any other
 * answer from 400 on proves nothing: it may come from a gateway after the service acted.
 */
const PROVES_REFUSAL = [400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 421, 422, 426, 428, 429, 431];

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
	/** Payments: what was sent. An answer that repeats a field proves nothing, and another amount proves another payment. */
	request?: { fields: Record<string, unknown>; moneyFields: Record<string, string> };
	/** Payments: further statuses that this service uses for refusals only. */
	refusedCodes?: number[];
}

/** Reads any answer of the service. Never throws. */
export function readResponse(
	endpoint: Endpoint,
	raw: RawResponse,
	{ simplify, secrets = [], request, refusedCodes = [] }: ReadingOptions,
): CallResult {
	const { statusCode, body } = raw;
	const answer = parsed(body, isChange(endpoint));
	const shown = redact(answer === undefined ? body : toPlain(answer), secrets);
	const details = typeof shown === 'string' ? shown.slice(0, MAX_TEXT) : shown;
	const provesRefusal = [...PROVES_REFUSAL, ...refusedCodes].includes(statusCode);
	if (provesRefusal && isRecord(answer) && !leavesCopyOpen(toPlain(answer))) {
		return { ok: false, failure: rejected(endpoint, raw, details) };
	}
	const unclear = (message: string): CallResult => ({
		ok: false,
		failure: unknown(endpoint, message, { httpStatus: statusCode, details }),
	});
	const status = String(statusCode);
	if (statusCode < 200 || statusCode >= 300)
		return unclear(UNCLEAR.status({ status: status, words: serviceWords(details) }));
	if (answer === undefined) return unclear(UNCLEAR.notJson(status));
	const { response, movesMoney } = endpoint;
	const isPayment = movesMoney !== undefined;
	const failure = isChange(endpoint) ? failureIn(details) : undefined;
	if (failure !== undefined && !isPayment)
		return unclear(UNCLEAR.reportsFailedChange({ status: status, words: failure }));
	if (isChange(endpoint) && !isRecord(answer)) return unclear(UNCLEAR.notAnObject(status));
	if (response === UNDOCUMENTED && !isPayment) {
		return { ok: true, items: (endpoint.lists && (recordsIn(details) as IDataObject[])) || asItems(details) };
	}
	if (!isRecord(answer)) return unclear(UNCLEAR.notAnObject(status));

	const records = response !== UNDOCUMENTED && isList(response) ? answer[response.listKey] : [answer];
	if (!Array.isArray(records) || !records.every(isRecord)) {
		return unclear(UNCLEAR.withoutList({ status: status, key: String((response as ListShape).listKey) }));
	}
	const items =
		response === UNDOCUMENTED
			? [withPayoutId(details as IDataObject)]
			: records.map((record) => redact(simplified(response, record), secrets) as IDataObject);
	// An answer such as {"error": "..."} with status 200 is not the record that was requested.
	if (response !== UNDOCUMENTED && items.some((item) => Object.keys(item).every((key) => key === 'extra'))) {
		return unclear(UNCLEAR.withoutFields({ status: status, words: serviceWords(details) }));
	}
	const all = simplify || response === UNDOCUMENTED ? items : [details as IDataObject];
	if (!isPayment) return { ok: true, items: all };
	// A documented answer must have its own identifier.
	const names = movesMoney.id === undefined ? PAYMENT_IDS : [movesMoney.id];
	const sent = Object.values(request?.fields ?? {});
	const id = names
		.map((name) => items[0]?.[name])
		.find((value) => isIdentifier(value) && !sent.includes(value));
	if (id === undefined)
		return unclear(UNCLEAR.withoutIdentifier({ status: status, words: serviceWords(details) }));
	if (failure !== undefined) return unclear(UNCLEAR.reportsFailure({ status: status, words: failure }));
	const difference = differenceFrom(details as IDataObject, request?.moneyFields ?? {});
	if (difference !== undefined) return unclear(UNCLEAR.otherPayment({ status: status, words: difference }));
	return { ok: true, items: all, id: String(id) };
}

/** Undefined if the text is not JSON; or says two things under one key, if it is to prove something. */
function parsed(body: string, isProof: boolean): unknown {
	try {
		const answer = parseExact(body);
		return isProof && repeatsKey(body, answer) ? undefined : answer;
	} catch {
		return undefined;
	}
}

/** `extra` keeps what the document does not name or what has another type, so that nothing is lost. */
function simplified(response: RecordShape | ListShape, record: Record<string, unknown>): IDataObject {
	const read = readRecord(isList(response) ? response.element : response, record);
	const extra = toPlain({ ...read.unknown, ...read.unreadable }) as IDataObject;
	return Object.keys(extra).length === 0 ? read.fields : { ...read.fields, extra };
}

/** Renames the ID of an undocumented payment to `payoutId`, as documented payments have it. */
function withPayoutId(item: IDataObject): IDataObject {
	const { payout_id: payoutId, ...others } = item;
	return payoutId === undefined || 'payoutId' in item ? item : { payoutId, ...others };
}

/** An undocumented response: an object is an item, a list of objects an item each. */
function asItems(value: unknown): IDataObject[] {
	const records = Array.isArray(value) ? value : [value];
	return (records.every(isRecord) ? records : [{ response: value }]) as IDataObject[];
}

/** Characters of a text that is not JSON. */
const MAX_TEXT = 2000;

/** What differs between the answer to a payment and its request, in words; undefined if nothing does. */
function differenceFrom(answer: Record<string, unknown>, asked: Record<string, string>): string | undefined {
	for (const [name, value] of Object.entries(asked)) {
		const answered = answer[name];
		if (typeof answered !== 'string' && typeof answered !== 'number') continue;
		const other = String(answered);
		// The alias 0042 is not the alias 42.
		const isSame = isSameNumber(value, other) && !/(?:^| )0\d/.test(`${value} ${other}`);
		if (value.toUpperCase() !== other.toUpperCase() && !isSame)
			return `${name} ${other.slice(0, 100)} instead of ${value}`;
	}
	return undefined;
}
