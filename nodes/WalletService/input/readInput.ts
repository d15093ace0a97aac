/** Reads what the author wrote for a field: exact digits, or the reason why it cannot be sent. */
import {
	canonical,
	compare,
	EXACT_DIGITS,
	isExactDouble,
	isPlainDecimal,
	readDecimal,
} from '../../../api/exact/decimal.ts';
import { isRecord } from '../../../api/exact/json.ts';
import type { RequestField } from '../../../api/shape.ts';
import { smallUnit } from '../../shared/smallUnit.ts';
import { excerpt } from '../../shared/wording.ts';
import { INPUT, OR_AMOUNT_FORMAT } from './messages.ts';
import type { ValidationIssue } from '../../shared/result.ts';

/** A value to send, a number to send as its plain decimal text, or what is wrong with it. */
export type Input = { value: unknown } | { decimal: string } | ValidationIssue;

/** The signs between thousands and before the decimals. */
const SIGNS = { '1,250.50': [',', '.'], '1.250,50': ['.', ','] } as const;

/** How amounts are written; `strict`: as the service reads them. */
export type AmountFormat = 'strict' | keyof typeof SIGNS;

/** What was entered for a field. */
export interface Entered {
	value: unknown;
	/** What the author wrote. */
	expression: unknown;
	/** Only where the user can choose it. */
	amountFormat?: AmountFormat;
}

/** Reads the value of a field by its kind. */
export function readInput(field: RequestField, { value, expression, amountFormat }: Entered): Input {
	const { label, kind, placeholder } = field;
	const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === '')) {
		return INPUT.isEmpty({ label, placeholder });
	}
	if (typeof text !== 'string') return INPUT.isNotText({ label, placeholder });
	const lost = inexact(value, expression);
	if (lost !== undefined) return INPUT.lostDigits({ label, value: lost });
	switch (kind) {
		case 'amount':
		case 'signedAmount':
			return readAmount(field, typeof value === 'number' ? value : text.trim(), amountFormat);
		case 'url':
			return isWebAddress(text)
				? { value: text }
				: INPUT.isNotWebAddress({ label, value: excerpt(text), placeholder });
		case 'code':
			return readCode(label, text.trim());
		case 'text':
			return { value: text };
	}
}

function readCode(label: string, value: string): Input {
	const small = smallUnit(value);
	return small === undefined ? { value } : INPUT.isSmallUnit({ label, value, ...small });
}

function isWebAddress(text: string): boolean {
	return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function readAmount(field: RequestField, input: string | number, format?: AmountFormat): Input {
	// A number such as 1e-7 is exact; only its spelling is not plain.
	const amount = typeof input === 'number' ? (readDecimal(String(input)) ?? '') : input;
	const plain = typeof input === 'number' ? amount : plainOf(amount, format ?? 'strict');
	if (plain === undefined || !isPlainDecimal(plain)) return notPlain(field, amount, format);
	if (field.kind === 'amount' && !isAboveZero(plain)) {
		const { label, placeholder } = field;
		return INPUT.hasWrongSign({ label, reason: 'is not above zero', value: excerpt(amount), placeholder });
	}
	return { decimal: plain };
}

/** Whether a plain decimal is above zero. */
export function isAboveZero(decimal: string): boolean {
	return compare(decimal, '0') > 0;
}

/** Why an amount cannot be read. */
function notPlain({ label, placeholder }: RequestField, amount: string, format?: AmountFormat) {
	const value = excerpt(amount);
	const reason = spellingOf(amount);
	if (amount.startsWith('+')) return INPUT.hasWrongSign({ label, reason, value, placeholder });
	if (format !== undefined && format !== 'strict') return INPUT.hasOtherForm({ label, format, value });
	const isOfOtherForm = format === 'strict' && amount.includes(',');
	const advice = isOfOtherForm ? `${placeholder}, ${OR_AMOUNT_FORMAT}` : placeholder;
	return INPUT.isNotPlainDecimal({ label, reason, value, placeholder: advice });
}

/** The amount with a point and without signs between thousands. Undefined if it does not have the form. */
function plainOf(amount: string, format: AmountFormat): string | undefined {
	if (format === 'strict') return amount;
	const [between, point] = SIGNS[format];
	const form = new RegExp(`^-?(?:[1-9]\\d{0,2}(?:\\${between}\\d{3})+|\\d+)(?:\\${point}\\d+)?$`);
	return form.test(amount) ? amount.replaceAll(between, '').replace(point, '.') : undefined;
}

/** Why a text is not a plain decimal, in words that follow the label. */
export function spellingOf(text: string): string {
	if (text.startsWith('+')) return 'has a plus sign';
	if (/\s/.test(text)) return 'has spaces';
	if (text.includes(',')) return 'has a comma';
	if (/^-?\d[\d.]*e[+-]?\d+$/i.test(text)) return 'has an exponent';
	if (/^-?0x/i.test(text)) return 'is hexadecimal';
	if (/^-?0\d/.test(text)) return 'has leading zeros';
	return 'is not a decimal number';
}

/** Whether JSON can hold a value that an expression has given: no function, and no circle. */
export function canBeSent(value: unknown): boolean {
	try {
		return JSON.stringify(value) !== undefined;
	} catch {
		return false;
	}
}

/** The first number of a value that a double may have rounded, as text. Numbers from JSON text are exact. */
export function inexactNumber(value: unknown): string | undefined {
	if (typeof value === 'number') return isExactDouble(value) ? undefined : String(value);
	if (!Array.isArray(value) && !isRecord(value)) return undefined;
	return Object.values(value)
		.map(inexactNumber)
		.find((found) => found !== undefined);
}

/** The number, as text, if digits of it may be lost. Undefined: it is exact. `expression` is what the author wrote. */
export function inexact(value: unknown, expression: unknown): string | undefined {
	return longLiteral(expression) ?? (typeof value === 'number' ? inexactNumber(value) : undefined);
}

/** A number in the code of an expression with more digits than a double holds: its value no longer shows them. */
export function longLiteral(expression: unknown): string | undefined {
	if (typeof expression !== 'string' || !expression.startsWith('=')) return undefined;
	for (const [code] of expression.matchAll(/\{\{[\s\S]*?\}\}/g)) {
		// Quoted texts keep their digits; the code inside a template text does not.
		for (const [, literal = ''] of code.matchAll(/'[^']*'|"[^"]*"|(\d[\d_.]*)/g)) {
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
