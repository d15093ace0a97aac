/** After a call: from the service's answer to items, or to what went wrong and what is known of the outcome. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../api/endpoints.ts';
import { isRecord, parseExact, toPlain } from '../../../api/json.ts';
import { readRecord } from '../../../api/normalize.ts';
import { isList, UNDOCUMENTED } from '../../../api/shape.ts';
import type { RecordShape } from '../../../api/shape.ts';
import { SettingError } from '../../../api/settingError.ts';
import type { Executed } from './callLedger.ts';
import type { ValidationIssue } from './request.ts';

/** What is known of a call that did not succeed: nothing left this machine; the service said no; nobody knows. */
export type Outcome = 'notSent' | 'rejected' | 'unknown';

export interface Failure {
	message: string;
	description: string;
	outcome: Outcome;
	httpStatus?: number;
	/** The service's answer, parsed where it is JSON. */
	details?: unknown;
	/** Seconds that the service asks to wait, where it is too busy (429). */
	retryAfter?: number;
	/** Money calls: what was accepted before the node stopped. */
	executed?: Executed[];
	/** Money calls: what is wrong with other items of the run. */
	also?: string[];
	/** Money calls: nothing is wrong with this item, but with another. */
	heldBack?: true;
}

export interface Answer {
	statusCode: number;
	body: string;
	/** The header Retry-After, as sent. */
	retryAfter?: string;
}

/** How answers are to be fetched: as text, whatever their status, and from the address of the credential only. */
export const REQUEST_DEFAULTS = {
	headers: { Accept: '*/*' },
	// Text lets numbers be read exactly; n8n would parse them into doubles.
	encoding: 'text',
	// Else n8n asks again after a 401, drops the service's words and takes a 200 that is a web page for success.
	ignoreHttpStatusErrors: true,
	// A signed request that moves money goes nowhere else.
	disableFollowRedirect: true,
} as const;

export type Read = { ok: true; items: IDataObject[] } | { ok: false; failure: Failure };

/** Whether a request header holds the key or the signature. */
export function isSecret(header: string): boolean {
	return /^x-.*-(key|signature)$/.test(header);
}

/** A service may repeat a header that it did not like; neither key nor signature may end in an item or a log. */
export function redactSecrets(body: string, headers: IDataObject = {}): string {
	return Object.entries(headers)
		.filter(([name, value]) => isSecret(name) && String(value).length >= SHORTEST_SECRET)
		.reduce((text, [, value]) => text.replaceAll(String(value), '[redacted]'), body);
}

/** Characters; what is shorter stands in ordinary words too. */
const SHORTEST_SECRET = 6;

/** Reads an answer by the endpoint's table. */
export function readAnswer(endpoint: Endpoint, answer: Answer, simplify: boolean): Read {
	const { statusCode, body } = answer;
	let parsed: unknown;
	let isJson = true;
	try {
		parsed = parseExact(body);
	} catch {
		isJson = false;
	}
	const details = isJson ? toPlain(parsed) : body.slice(0, 2000);
	const unexpectedResponse = (what: string): Read => ({
		ok: false,
		failure: {
			message: `The service answered ${statusCode} ${what}`,
			description: unknownAdvice(endpoint),
			outcome: 'unknown',
			httpStatus: statusCode,
			details,
		},
	});

	if (statusCode >= 400 && statusCode < 500) {
		return { ok: false, failure: rejection(endpoint, answer, details) };
	}
	if (statusCode < 200 || statusCode >= 300) return unexpectedResponse(`(${serviceWords(details)})`);
	if (!isJson) return unexpectedResponse('with something that is not JSON');
	if (endpoint.response === UNDOCUMENTED) return { ok: true, items: asItems(details) };
	if (!isRecord(parsed)) return unexpectedResponse('with JSON that is not an object');

	const { response } = endpoint;
	const records = isList(response) ? parsed[response.listKey] : [parsed];
	if (!Array.isArray(records) || !records.every(isRecord)) {
		return unexpectedResponse(
			`without the list of records that belongs under '${isList(response) ? response.listKey : ''}'`,
		);
	}
	const shape = isList(response) ? response.element : response;
	const simplified = records.map((record) => simplifyRecord(shape, record));
	// An answer such as {"error": "..."} with status 200 is not the record that was asked for.
	if (simplified.some((item) => Object.keys(item).every((key) => key === 'extra'))) {
		return unexpectedResponse(`without any of the fields that belong to it (${serviceWords(details)})`);
	}
	const id = endpoint.movesMoney?.id;
	if (id !== undefined && simplified[0][id] === undefined) {
		return unexpectedResponse(`without saying what was made (${serviceWords(details)})`);
	}
	return { ok: true, items: simplify ? simplified : [details as IDataObject] };
}

function simplifyRecord(shape: RecordShape, record: Record<string, unknown>): IDataObject {
	const { fields, unknown, unreadable } = readRecord(shape, record);
	// Nothing that the service said is lost: what has no name of its own, or not the form it should, stays under `extra`.
	const extra = toPlain({ ...unknown, ...unreadable }) as IDataObject;
	return Object.keys(extra).length === 0 ? fields : { ...fields, extra };
}

/** A response whose shape is not shown: an object is an item, a list of objects an item each. */
function asItems(value: unknown): IDataObject[] {
	if (isRecord(value)) return [value as IDataObject];
	if (Array.isArray(value) && value.every(isRecord)) return value as IDataObject[];
	return [{ response: value as IDataObject[string] }];
}

function rejection(endpoint: Endpoint, { statusCode, retryAfter }: Answer, details: unknown): Failure {
	const seconds = statusCode === 429 ? secondsOf(retryAfter) : undefined;
	const nothingMoved =
		endpoint.movesMoney === undefined ? '' : ' The service turned the request down: no money was moved.';
	return {
		message: `The service answered ${statusCode}: ${serviceWords(details)}`,
		description: adviceFor(statusCode, seconds) + nothingMoved,
		outcome: 'rejected',
		httpStatus: statusCode,
		details,
		...(seconds === undefined ? {} : { retryAfter: seconds }),
	};
}

function adviceFor(statusCode: number, seconds: number | undefined): string {
	switch (statusCode) {
		case 401:
		case 403:
			return 'Check API Key, Timestamp Format and the signature settings of the credential.';
		case 429:
			return seconds === undefined
				? 'The service is busy: send fewer requests, or later.'
				: `The service is busy: send this again in ${seconds} seconds or later.`;
		default:
			return 'Check the input of this item against what the service says.';
	}
}

/** Retry-After is a number of seconds or a date (RFC 9110). */
function secondsOf(retryAfter: string | undefined): number | undefined {
	if (retryAfter === undefined) return undefined;
	if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
	const date = Date.parse(retryAfter);
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Input that is not fit to be sent, so that it was not. */
export function refusal(issues: ValidationIssue[]): Failure {
	return {
		message: issues.map(({ message }) => message).join('; '),
		description: `${issues.map(({ description }) => description).join('. ')}. This item was not sent.`,
		outcome: 'notSent',
	};
}

/** Codes of connections that were never made: the name has no address, nobody listens, the certificate was refused. */
const NEVER_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Reads what n8n throws when there is no answer at all. */
export function readThrown(endpoint: Endpoint, thrown: unknown): Failure {
	const chain = causes(thrown);
	const setting = chain.find((error) => codeOf(error) === SettingError.code);
	if (setting !== undefined) {
		return {
			message: `The credential cannot be used: ${wordsOf(setting)}`,
			description: 'Open the credential and mend the setting. Nothing was sent.',
			outcome: 'notSent',
		};
	}
	const code = chain.map(codeOf).find((text) => /^[A-Z][A-Z\d_]+$/.test(text));
	if (code !== undefined && NEVER_SENT.has(code)) {
		return {
			message: `The service cannot be reached (${transport(code)})`,
			description: 'Check Base URL of the credential and the network. Nothing was sent.',
			outcome: 'notSent',
			details: { code },
		};
	}
	return {
		message: `The service gave no answer (${code === undefined ? 'connection lost' : transport(code)})`,
		description: unknownAdvice(endpoint),
		outcome: 'unknown',
		...(code === undefined ? {} : { details: { code } }),
	};
}

function causes(thrown: unknown): Error[] {
	const chain: Error[] = [];
	for (let error = thrown; error instanceof Error && chain.length < 5; error = error.cause) chain.push(error);
	return chain;
}

/**
 * The code of an error, or of the one that n8n has put into an error of its own: older versions (2.13 for one) keep the code
 * under another name and lose the rest.
 */
function codeOf(error: Error): string {
	const { code, httpCode } = error as { code?: unknown; httpCode?: unknown };
	return String(code ?? httpCode ?? '');
}

/** The words of an error, before n8n has put its own in their place. */
function wordsOf(error: Error): string {
	const { messages: [words] = [] } = error as { messages?: string[] };
	return words ?? error.message;
}

/** n8n replaces any message that holds such a code by one of its own, so it is put in words. */
function transport(code: string): string {
	switch (code) {
		case 'ECONNREFUSED':
			return 'connection refused';
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return 'its name has no address';
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return 'timed out';
		case 'ECONNRESET':
		case 'EPIPE':
			return 'connection closed';
		default:
			return NEVER_SENT.has(code) ? 'its certificate is not trusted' : 'connection lost';
	}
}

function unknownAdvice(endpoint: Endpoint): string {
	return endpoint.movesMoney === undefined
		? 'Try again later. If it stays so, check Base URL of the credential.'
		: 'It is unknown whether the money was moved. Look at the service before you run this item again, since that could pay twice.';
}

/** Where services put their words; the document does not show the body of a refusal. */
const WORDS = [
	'message',
	'error',
	'error_description',
	'detail',
	'description',
	'reason',
	'title',
	'errors',
	'response',
	'data',
];

function serviceWords(details: unknown): string {
	const words = findWords(details, 0) ?? 'no reason given';
	const oneLine = words.replace(/\s+/g, ' ').trim();
	return oneLine.length > 300 ? `${oneLine.slice(0, 300)}…` : oneLine;
}

function findWords(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return textOfPage(value) || undefined;
	if (typeof value !== 'object' || value === null || depth > 3) return undefined;
	const candidates = Array.isArray(value)
		? value
		: WORDS.filter((key) => Object.hasOwn(value, key)).map((key) => (value as IDataObject)[key]);
	for (const candidate of candidates) {
		const words = findWords(candidate, depth + 1);
		if (words !== undefined) return words;
	}
	return undefined;
}

/** The readable words of what may be a page of HTML: its title, or its text. */
function textOfPage(text: string): string {
	if (!/^\s*</.test(text)) return text;
	const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1];
	return title ?? text.replace(/<[^>]*>/g, ' ').trim();
}
