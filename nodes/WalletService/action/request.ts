/** Builds the exact text of a request body from the parameters of one item. Sends nothing. */
import type { Endpoint, MoneyFields } from '../../../api/endpoints.ts';
import { canonical, isPlainDecimal, readDecimal } from '../../../api/decimal.ts';
import { exactNumber, isExactNumber, isRecord, parseExact } from '../../../api/json.ts';
import type { ExactNumber } from '../../../api/json.ts';
import { UNDOCUMENTED } from '../../../api/shape.ts';
import type { RequestField } from '../../../api/shape.ts';
import { INPUT } from './messages.ts';
import type { ValidationIssue } from './outcome.ts';

/** The parameters of one item. */
export interface Parameters {
	/** The value, with its expression evaluated. */
	value(name: string): unknown;
	/** What the user entered: a text that begins with `=` is an expression. */
	entered(name: string): unknown;
}

/** What is sent for one item, and what it says about the money it moves. */
export interface ServiceRequest {
	/** JSON text; undefined: no body. */
	body: string | undefined;
	/** The fields of the body. */
	fields: Record<string, unknown>;
	/** Decimal text, if a field names it. */
	amount?: string;
	/** Currency, coin or contract that the amount is counted in, if a field names it. */
	currency?: string;
	/** Alias or contract, if a field names it. */
	destination?: string;
}

export type BuiltRequest = { ok: true; request: ServiceRequest } | { ok: false; issues: ValidationIssue[] };

/** Builds the request, or lists everything that is wrong with the input. `money` names the fields of a payment. */
export function buildRequest(
	endpoint: Endpoint,
	parameters: Parameters,
	money: MoneyFields | undefined = endpoint.movesMoney,
): BuiltRequest {
	if (endpoint.request === UNDOCUMENTED) return buildUndocumentedRequest(parameters, money);
	const documented = Object.entries(endpoint.request);
	if (documented.length === 0) return { ok: true, request: { body: undefined, fields: {} } };
	const fields: Record<string, unknown> = {};
	const issues: ValidationIssue[] = [];
	for (const [name, field] of documented) {
		const input = readInput(field, parameters.value(name), parameters.entered(name));
		if ('value' in input) fields[name] = input.value;
		else issues.push(input);
	}
	return issues.length > 0 ? { ok: false, issues } : { ok: true, request: requestOf(fields, money) };
}

function buildUndocumentedRequest(parameters: Parameters, money: MoneyFields | undefined): BuiltRequest {
	const value = parameters.value('requestBody');
	if (value === undefined || value === null || value === '') {
		return { ok: true, request: { body: undefined, fields: {} } };
	}
	let body: unknown = value;
	if (typeof value === 'string') {
		try {
			body = parseExact(value);
		} catch {
			return { ok: false, issues: [INPUT.bodyIsNotJson()] };
		}
	}
	if (!isRecord(body)) return { ok: false, issues: [INPUT.bodyIsNotObject()] };
	const lost = longLiteral(parameters.entered('requestBody')) ?? inexactNumber(body);
	if (lost !== undefined) return { ok: false, issues: [INPUT.bodyLostDigits(lost)] };
	return { ok: true, request: requestOf(body, money) };
}

function requestOf(fields: Record<string, unknown>, money: MoneyFields = {}): ServiceRequest {
	const amount = readDecimal(scalarText(fields, money.amount) ?? '');
	const currency = scalarText(fields, money.currency);
	const destination = scalarText(fields, money.destination);
	return {
		body: JSON.stringify(fields),
		fields,
		...(amount === undefined ? {} : { amount }),
		...(currency === undefined ? {} : { currency }),
		...(destination === undefined ? {} : { destination }),
	};
}

/** The text of a field that holds text or a number. */
function scalarText(fields: Record<string, unknown>, name: string | undefined): string | undefined {
	const value = name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
	const scalar = isExactNumber(value) ? value.rawJSON : value;
	return typeof scalar === 'string' || typeof scalar === 'number' ? String(scalar) : undefined;
}

/** The first number of a body that a double may have rounded. Numbers from JSON text are exact. */
function inexactNumber(value: unknown): string | undefined {
	if (typeof value === 'number') return isExactDouble(value) ? undefined : String(value);
	if (Array.isArray(value) || isRecord(value)) {
		for (const entry of Object.values(value)) {
			const found = inexactNumber(entry);
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

type Input = { value: string | ExactNumber } | ValidationIssue;

function readInput(field: RequestField, input: unknown, entered: unknown): Input {
	const { label, kind, placeholder } = field;
	const text = typeof input === 'number' || typeof input === 'bigint' ? String(input) : input;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === '')) {
		return INPUT.isEmpty(label, placeholder);
	}
	if (typeof text !== 'string') return INPUT.isNotText(label, placeholder);
	switch (kind) {
		case 'amount':
		case 'signedAmount':
			return readAmount(field, typeof input === 'number' ? input : text, entered);
		case 'url':
			return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')
				? { value: text }
				: INPUT.isNotWebAddress(label, excerpt(text), placeholder);
		case 'code':
			return { value: text.trim() };
		case 'text':
			return { value: text };
	}
}

function readAmount(
	{ label, kind, placeholder }: RequestField,
	input: string | number,
	entered: unknown,
): Input {
	const lost = inexact(input, entered);
	if (lost !== undefined) return INPUT.lostDigits(label, lost);
	// A number such as 1e-7 is exact; only its spelling is not plain.
	const amount = typeof input === 'number' ? (readDecimal(String(input)) ?? '') : input;
	const refuse = (reason: string) => INPUT.isNotPlainDecimal(label, reason, excerpt(amount), placeholder);
	if (!isPlainDecimal(amount)) return refuse(spellingOf(amount));
	if (kind === 'amount' && !/^[^-]*[1-9]/.test(amount)) return refuse('is not above zero');
	return { value: exactNumber(amount) };
}

/** Why a text is not a plain decimal, in words that follow the label. */
function spellingOf(text: string): string {
	if (text !== text.trim() || /\d\s+\d/.test(text)) return 'has spaces';
	if (text.includes(',')) return 'has a comma';
	if (/^\+/.test(text)) return 'has a plus sign';
	if (/^-?\d[\d.]*e[+-]?\d+$/i.test(text)) return 'has an exponent';
	if (/^-?0x/i.test(text)) return 'is hexadecimal';
	if (/^-?0\d/.test(text)) return 'has leading zeros';
	return 'is not a decimal number';
}

/** Significant decimal digits that every double keeps. */
const EXACT_DIGITS = 15;

/** Whether a double can hold exactly the digits that it prints. */
function isExactDouble(value: number): boolean {
	if (Number.isInteger(value)) return Number.isSafeInteger(value);
	const [mantissa = ''] = value.toExponential().split('e');
	return Number.isFinite(value) && mantissa.replace(/[-.]/g, '').length <= EXACT_DIGITS;
}

/** The number, as text, if digits of it may be lost. Undefined: it is exact. `entered` is what the user typed. */
export function inexact(value: unknown, entered: unknown): string | undefined {
	const lost = longLiteral(entered);
	return lost ?? (typeof value === 'number' && !isExactDouble(value) ? String(value) : undefined);
}

/** A number in the code of an expression with more digits than a double holds: its value no longer shows them. */
function longLiteral(entered: unknown): string | undefined {
	if (typeof entered !== 'string' || !entered.startsWith('=')) return undefined;
	for (const [, code = ''] of entered.matchAll(/\{\{([\s\S]*?)\}\}/g)) {
		// Quoted texts keep their digits; the code inside a template text does not.
		const withoutTexts = code.replace(/'[^']*'|"[^"]*"/g, '');
		for (const [literal] of withoutTexts.matchAll(/\d[\d_.]*/g)) {
			const digits = literal.replaceAll('_', '');
			const written = readDecimal(digits);
			const held = readDecimal(String(Number(digits)));
			const isLong = digits.replace('.', '').replace(/^0+/, '').length > EXACT_DIGITS;
			if (isLong && (written === undefined || held === undefined || canonical(written) !== canonical(held))) {
				return literal;
			}
		}
	}
	return undefined;
}

function excerpt(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
