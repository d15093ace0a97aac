/** Reads the service's answer by the endpoint's table. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../api/endpoints.ts';
import { isPlainDecimal } from '../../../api/decimal.ts';
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
}

/** Never throws, whatever the service answered. */
export function readResponse(
	endpoint: Endpoint,
	raw: RawResponse,
	{ simplify, secrets = [] }: ReadingOptions,
): CallResult {
	const { statusCode, body } = raw;
	const parsed = parse(body);
	const details = redact(parsed.isJson ? toPlain(parsed.value) : body.slice(0, 2000), secrets);
	const unclear = (message: string): CallResult => ({
		ok: false,
		failure: unknown(endpoint, message, { httpStatus: statusCode, details }),
	});
	const status = String(statusCode);

	if (PROVES_NOTHING_WAS_DONE.has(statusCode) && isRecord(parsed.value)) {
		return { ok: false, failure: rejected(endpoint, raw, details) };
	}
	if (statusCode < 200 || statusCode >= 300) return unclear(UNCLEAR.status(status, serviceWords(details)));
	if (!parsed.isJson) return unclear(UNCLEAR.notJson(status));
	const { response, movesMoney } = endpoint;
	if (response === UNDOCUMENTED && movesMoney === undefined) return { ok: true, items: asItems(details) };
	if (!isRecord(parsed.value)) return unclear(UNCLEAR.notAnObject(status));

	const items =
		response === UNDOCUMENTED ? [details as IDataObject] : simplified(response, parsed.value, secrets);
	if (items === undefined) {
		return unclear(
			UNCLEAR.withoutList(status, isList(response as ListShape) ? (response as ListShape).listKey : ''),
		);
	}
	// An answer such as {"error": "..."} with status 200 is not the record that was requested.
	if (response !== UNDOCUMENTED && items.some((item) => Object.keys(item).every((key) => key === 'extra'))) {
		return unclear(UNCLEAR.withoutFields(status, serviceWords(details)));
	}
	if (movesMoney !== undefined && !provesPayment(endpoint, items[0] ?? {})) {
		return unclear(UNCLEAR.withoutIdentifier(status, serviceWords(details)));
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

/** An undocumented response: an object is an item, a list of objects an item each. */
function asItems(value: unknown): IDataObject[] {
	if (isRecord(value)) return [value as IDataObject];
	if (Array.isArray(value) && value.every(isRecord)) return value as IDataObject[];
	return [{ response: value as IDataObject[string] }];
}

/** Where an undocumented response is likely to have its identifier. */
const LIKELY_IDS = ['payout_id', 'transaction_id', 'id', 'reference', 'tx_hash', 'payoutId', 'transactionId'];
const FAILURE_WORD = /fail|error|reject|declin|denied|refus|invalid|insufficient|cancel/i;

/** The identifier in the item of an accepted payment. Undefined if there is none. */
export function identifierOf({ movesMoney }: Endpoint, item: IDataObject): string | undefined {
	const names = [...(movesMoney?.id === undefined ? [] : [movesMoney.id]), ...LIKELY_IDS];
	for (const name of names) {
		const id = item[name];
		if ((typeof id === 'string' && id.trim() !== '') || typeof id === 'number') return String(id);
	}
	return undefined;
}

/** A documented response must name what was made. An undocumented one must at least not speak of a failure. */
function provesPayment(endpoint: Endpoint, item: IDataObject): boolean {
	const id = endpoint.movesMoney?.id;
	if (id !== undefined) return typeof item[id] === 'string' && item[id].trim() !== '';
	return identifierOf(endpoint, item) !== undefined || !speaksOfFailure(item);
}

function speaksOfFailure(item: IDataObject): boolean {
	return Object.entries(item).some(([key, value]) => {
		if (/^(success|succeeded|ok|accepted)$/i.test(key))
			return ['false', '0', 'no'].includes(String(value).toLowerCase());
		if (/error|failure/i.test(key))
			return !['', 'false', '0', 'null', 'undefined'].includes(String(value ?? ''));
		return typeof value === 'string' && FAILURE_WORD.test(value);
	});
}

/** Shorter texts occur in ordinary words too. */
const MIN_SECRET_LENGTH = 6;

/** The same value for display: secrets in its texts are replaced. Decimals stay, since digits of a key may occur in them. */
export function redact(value: unknown, secrets: string[]): unknown {
	const hidden = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	if (hidden.length === 0) return value;
	if (typeof value === 'string') {
		return isPlainDecimal(value)
			? value
			: hidden.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value);
	}
	if (Array.isArray(value)) return value.map((entry) => redact(entry, hidden));
	if (isRecord(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [redact(key, hidden), redact(entry, hidden)]),
		);
	}
	return value;
}
