/** Reads the service's answer: what its status proves, the record, the identifier, a failure, and whether it is the same payment. */
import type { IDataObject } from 'n8n-workflow';

import { isChange, movesMoney } from '../../../api/catalog.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { failureIn } from './failures.ts';
import { PAYMENT_IDS, recordOfPayment, recordsIn } from './records.ts';
import { serviceWords } from './serviceWords.ts';
import { textOf } from './values.ts';
import { isRecord, toPlain } from '../../../api/exact/json.ts';
import { readRecord } from '../../../api/record.ts';
import { fieldOf, isField, isList, UNDOCUMENTED } from '../../../api/shape.ts';
import type { ListShape, RecordShape } from '../../../api/shape.ts';
import type { CallResult } from '../result.ts';
import { moneySent, otherFieldsOf, WITHOUT_BODY } from '../serviceRequest.ts';
import { readAnswer } from './answer.ts';
import type { Answer, RawResponse } from './answer.ts';
import { rejected, unknown } from './failure.ts';
import { UNCLEAR } from './messages.ts';
import { isBelow, missingAmount } from './conversion.ts';
import { doubtOf } from './refused.ts';
import type { Doubt, RefusalOptions } from './refused.ts';
import { differenceFrom } from './samePayment.ts';

/** `request`: an accepted answer that repeats a field of it proves nothing, and another amount proves another payment. */
export interface ReadingOptions extends RefusalOptions {
	simplify: boolean;
	/** Texts that no item and no message may show. */
	secrets?: string[];
	/** Payments without a documented answer: the field that holds the identifier. Undefined: any usual name. */
	idField?: string;
}

/** An answer on its way to items. */
interface Reading {
	endpoint: Endpoint;
	answer: Answer;
	options: ReadingOptions;
}

/** Reads any answer of the service. Never throws. */
export function readResponse(endpoint: Endpoint, raw: RawResponse, options: ReadingOptions): CallResult {
	const answer = readAnswer(raw, isChange(endpoint), options.secrets ?? []);
	const result = interpret({ endpoint, answer, options });
	if (answer.requestId === undefined) return result;
	const requestId = answer.hide(answer.requestId);
	return result.ok ? { ...result, requestId } : { ...result, failure: { ...result.failure, requestId } };
}

function interpret(reading: Reading): CallResult {
	const { endpoint, answer, options } = reading;
	if (!isAccepted(answer)) {
		const doubt = doubtOf(endpoint, answer, options);
		if (doubt === undefined) return { ok: false, failure: rejected(endpoint, answer) };
		return unclear(reading, ({ status, words }) => whyNotRefused(answer, doubt, { status, words }));
	}
	if (movesMoney(endpoint)) return readPayment(reading);
	return isChange(endpoint) ? readChange(reading) : readRecords(reading);
}

/** What the service says, and what in it is not known. */
function whyNotRefused({ hide }: Answer, doubt: Doubt, texts: { status: string; words: string }): string {
	const shown = (text: string) => hide(text).slice(0, MAX_NAME);
	if (!('name' in doubt))
		return doubt.kind === 'noReason' ? UNCLEAR.withoutReason(texts) : UNCLEAR.status(texts);
	const name = shown(doubt.name);
	if (doubt.kind === 'field') return UNCLEAR.unknownField({ ...texts, name });
	return UNCLEAR.unknownWord({ ...texts, name, field: shown(doubt.field) });
}

/** Characters that a message shows of a word or a field that is not known. */
const MAX_NAME = 60;

function isAccepted({ statusCode }: Answer): boolean {
	return statusCode >= 200 && statusCode < 300;
}

/** A payment was accepted if its answer has an identifier, tells of no failure and is about the same payment. */
function readPayment(reading: Reading): CallResult {
	const { answer, options } = reading;
	const { request = WITHOUT_BODY } = options;
	if (!isRecord(answer.json)) return notAnObject(reading);
	const asked = moneySent(request);
	const sent = [...asked.values(), ...otherFieldsOf(request).values()].map(textOf);
	const record = recordOfPayment(answer.json, namesOfIdentifier(reading), sent);
	if (record === undefined) return unclear(reading, UNCLEAR.withoutIdentifier);
	const failure = failureIn(answer.details);
	if (failure !== undefined) return unclear(reading, UNCLEAR.reportsFailure, failure);
	const records = [record.fields, answer.json];
	const difference = records
		.map((fields) => differenceFrom(fields, asked))
		.find((each) => each !== undefined);
	if (difference !== undefined) return unclear(reading, UNCLEAR.otherPayment, answer.hide(difference));
	const missing = missingAmount(reading.endpoint, records);
	if (missing !== undefined) return unclear(reading, UNCLEAR.withoutAmount, missing);
	const id = answer.hide(record.id);
	const accepted = { ok: true as const, items: [itemOfPayment(reading, record.fields, id)], id };
	return isBelow(reading.endpoint, records, request) ? { ...accepted, belowMinimum: true } : accepted;
}

/** A documented answer must have its own identifier. */
function namesOfIdentifier({ endpoint, options }: Reading): string[] {
	const { response } = endpoint;
	if (response === UNDOCUMENTED) return options.idField === undefined ? PAYMENT_IDS : [options.idField];
	return Object.entries(response)
		.filter(([key, entry]) => isField(entry) && fieldOf(key, entry)[1] === 'id')
		.map(([key]) => key);
}

function itemOfPayment(
	{ endpoint, answer, options }: Reading,
	record: Record<string, unknown>,
	id: string,
): IDataObject {
	const { response } = endpoint;
	const whole = answer.details as IDataObject;
	if (response === UNDOCUMENTED) return withPayoutId(whole, id);
	if (!options.simplify) return whole;
	const around = Object.entries(answer.json as object).filter(([, value]) => value !== record);
	const outside = record === answer.json ? [] : around;
	return answer.hide(simplified(response, record, outside));
}

/** What changes something without moving money was done if its answer is an object that tells of no failure. */
function readChange(reading: Reading): CallResult {
	const { json, details } = reading.answer;
	const failure = failureIn(details);
	if (failure !== undefined) return unclear(reading, UNCLEAR.reportsFailedChange, failure);
	return isRecord(json) ? readRecords(reading) : notAnObject(reading);
}

/** The items of an answer that is about no payment. */
function readRecords(reading: Reading): CallResult {
	const { endpoint, answer, options } = reading;
	const { json, details } = answer;
	const { response, lists } = endpoint;
	if (json === undefined) return notAnObject(reading);
	if (response === UNDOCUMENTED) {
		const records = lists === true ? (recordsIn(details) as IDataObject[] | undefined) : undefined;
		return { ok: true, items: records ?? asItems(details) };
	}
	if (!isRecord(json)) return notAnObject(reading);
	const records = isList(response) ? json[response.listKey] : [json];
	if (!Array.isArray(records) || !records.every(isRecord)) {
		return unclear(reading, UNCLEAR.withoutList, String((response as ListShape).listKey));
	}
	const items = records.map((record) => answer.hide(simplified(response, record)));
	// An answer such as {"error": "..."} with status 200 is not the record that was requested.
	if (items.length > 0 && items.every(hasNoKnownField)) return unclear(reading, UNCLEAR.withoutFields);
	const filled = items.filter((item) => Object.keys(item).length > 0);
	return { ok: true, items: options.simplify ? filled : [details as IDataObject] };
}

function hasNoKnownField(item: IDataObject): boolean {
	return Object.keys(item).every((key) => key === 'extra');
}

/** `extra` keeps what the document does not name or what has another type, so that nothing is lost. */
function simplified(
	response: RecordShape | ListShape,
	record: Record<string, unknown>,
	outside: Array<[string, unknown]> = [],
): IDataObject {
	const read = readRecord(isList(response) ? response.element : response, record);
	const others = { ...Object.fromEntries(outside), ...read.unknown, ...read.unreadable };
	const extra = toPlain(others) as IDataObject;
	return Object.keys(extra).length === 0 ? read.fields : { ...read.fields, extra };
}

/** The ID of an undocumented payment is `payoutId`, as in documented ones, unless it stands in the answer under a usual name. */
function withPayoutId(item: IDataObject, id: string): IDataObject {
	const { payout_id: payoutId, ...others } = item;
	if ('payoutId' in item) return item;
	if (payoutId !== undefined) return { payoutId, ...others };
	return PAYMENT_IDS.some((name) => String(item[name]) === id) ? item : { payoutId: id, ...item };
}

/** An undocumented response: an object is an item, a list of objects an item each. */
function asItems(value: unknown): IDataObject[] {
	const records = Array.isArray(value) ? value : [value];
	return (records.every(isRecord) ? records : [{ response: value }]) as IDataObject[];
}

function notAnObject(reading: Reading): CallResult {
	const { json, isTooLong } = reading.answer;
	if (isTooLong) return unclear(reading, UNCLEAR.isTooLong);
	return unclear(reading, json === undefined ? UNCLEAR.notJson : UNCLEAR.notAnObject);
}

/** An answer that proves nothing. `words`: what the message says of it, if not what the service says. */
function unclear(
	{ endpoint, answer }: Reading,
	messageOf: (texts: { status: string; words: string }) => string,
	words = serviceWords(answer.details),
): CallResult {
	const { statusCode, details } = answer;
	const message = messageOf({ status: String(statusCode), words });
	return { ok: false, failure: unknown(endpoint, message, { httpStatus: statusCode, details }) };
}
