/** Reads the service's answer by the endpoint's table. */
import type { IDataObject } from 'n8n-workflow';

import { isSameNumber } from '../../../../api/decimal.ts';
import { isChange } from '../../../../api/catalog.ts';
import type { Endpoint } from '../../../../api/endpoints.ts';
import { failureIn, leavesCopyOpen, PAYMENT_IDS, recordsIn } from '../../../../api/answers.ts';
import { isRecord, parseExact, toPlain } from '../../../../api/json.ts';
import { readRecord } from '../../../../api/readRecord.ts';
import { isList, UNDOCUMENTED } from '../../../../api/shape.ts';
import type { ListShape, RecordShape } from '../../../../api/shape.ts';
import { UNCLEAR } from '../messages.ts';
import type { CallResult } from '../result.ts';
import { DEFINITE_REJECTIONS } from './rejections.ts';
import { rejected, serviceWords, UNAVAILABLE, unknown } from './failure.ts';
import { redact } from '../../shared/redact.ts';

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
	/** Payments: the fields of the request that the answer may repeat. */
	asked?: Record<string, string>;
	/** Payments: further statuses that this service uses for refusals only. */
	refusedCodes?: number[];
}

/** Reads any answer of the service. Never throws. */
export function readResponse(
	endpoint: Endpoint,
	raw: RawResponse,
	{ simplify, secrets = [], asked = {}, refusedCodes = [] }: ReadingOptions,
): CallResult {
	const { statusCode, body } = raw;
	const parsed = parse(body);
	const shown = redact(parsed.isJson ? toPlain(parsed.value) : body, secrets);
	const details = typeof shown === 'string' ? shown.slice(0, MAX_TEXT) : shown;
	const unclear = (message: string): CallResult => ({
		ok: false,
		failure: unknown(endpoint, message, {
			httpStatus: statusCode,
			details,
			...(!isChange(endpoint) && [502, 503, 504].includes(statusCode) && UNAVAILABLE),
		}),
	});
	const status = String(statusCode);

	if (
		(DEFINITE_REJECTIONS.has(statusCode) || refusedCodes.includes(statusCode)) &&
		isRecord(parsed.value) &&
		!leavesCopyOpen(toPlain(parsed.value))
	) {
		return { ok: false, failure: rejected(endpoint, raw, details) };
	}
	if (statusCode < 200 || statusCode >= 300) return unclear(UNCLEAR.status(status, serviceWords(details)));
	if (!parsed.isJson) return unclear(UNCLEAR.notJson(status));
	const { response, movesMoney } = endpoint;
	const failure = isChange(endpoint) ? failureIn(details) : undefined;
	if (movesMoney === undefined && failure !== undefined)
		return unclear(UNCLEAR.reportsFailedChange(status, failure));
	if (response === UNDOCUMENTED && movesMoney === undefined) {
		return { ok: true, items: (endpoint.lists && (recordsIn(details) as IDataObject[])) || asItems(details) };
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
		if (identifierIn(endpoint, item) === undefined)
			return unclear(UNCLEAR.withoutIdentifier(status, serviceWords(details)));
		if (failure !== undefined) return unclear(UNCLEAR.reportsFailure(status, failure));
		const difference = differenceFrom(parsed.value, asked);
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

/** The identifier in the item of an accepted payment. Undefined if there is none. */
export function identifierOf({ movesMoney }: Endpoint, item: IDataObject): string | undefined {
	return firstText(item, [...(movesMoney?.id === undefined ? [] : [movesMoney.id]), ...PAYMENT_IDS]);
}

function firstText(item: Record<string, unknown>, names: string[]): string | undefined {
	for (const name of names) {
		const id = item[name];
		if ((typeof id === 'string' && id.trim() !== '') || typeof id === 'number') return String(id);
	}
	return undefined;
}

/** The identifier that proves a payment. A documented answer must have its own as text. */
function identifierIn(endpoint: Endpoint, item: IDataObject): string | undefined {
	const name = endpoint.movesMoney?.id;
	if (name === undefined) return identifierOf(endpoint, item);
	const id = item[name];
	return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** What differs between the answer to a payment and its request, in words; undefined if nothing does. */
function differenceFrom(answer: Record<string, unknown>, asked: Record<string, string>): string | undefined {
	for (const [name, value] of Object.entries(asked)) {
		const answered = toPlain(answer[name]);
		if (typeof answered !== 'string' && typeof answered !== 'number') continue;
		const other = String(answered);
		if (value.toUpperCase() !== other.toUpperCase() && !isSameNumber(value, other))
			return `${name} ${other} instead of ${value}`;
	}
	return undefined;
}
