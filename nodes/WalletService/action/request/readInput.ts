/** Reads what the author wrote for a field: exact digits, or the reason why it cannot be sent. */
import { canonical, isPlainDecimal, readDecimal } from '../../../../api/decimal.ts';
import { exactNumber } from '../../../../api/json.ts';
import type { RequestField } from '../../../../api/shape.ts';
import { INPUT, OR_AMOUNT_FORMAT } from './messages.ts';
import type { ValidationIssue } from '../result.ts';

/** A value to send, or what is wrong with it. */
export type Input = { value: unknown } | ValidationIssue;

/** The signs between thousands and before the decimals. */
const SIGNS = { '1,250.50': [',', '.'], '1.250,50': ['.', ','] } as const;

/** How amounts are written; `strict`: as the service reads them. */
export type AmountFormat = 'strict' | keyof typeof SIGNS;

/** Reads the value of a field by its kind. `amountFormat`: only where the user can choose it. */
export function readInput(
	field: RequestField,
	input: unknown,
	expression: unknown,
	amountFormat?: AmountFormat,
): Input {
	const { label, kind, placeholder } = field;
	const text = typeof input === 'number' || typeof input === 'bigint' ? String(input) : input;
	if (text === undefined || text === null || (typeof text === 'string' && text.trim() === '')) {
		return INPUT.isEmpty({ label: label, placeholder: placeholder });
	}
	if (typeof text !== 'string') return INPUT.isNotText({ label: label, placeholder: placeholder });
	const lost = inexact(input, expression);
	if (lost !== undefined) return INPUT.lostDigits({ label: label, value: lost });
	switch (kind) {
		case 'amount':
		case 'signedAmount':
			return readAmount(field, typeof input === 'number' ? input : text.trim(), amountFormat);
		case 'url':
			return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
				? { value: text }
				: INPUT.isNotWebAddress({ label: label, value: excerpt(text), placeholder: placeholder });
		case 'code':
			return { value: text.trim() };
		case 'text':
			return { value: text };
	}
}

function readAmount(
	{ label, kind, placeholder }: RequestField,
	input: string | number,
	format: AmountFormat | undefined,
): Input {
	// A number such as 1e-7 is exact; only its spelling is not plain.
	const amount = typeof input === 'number' ? (readDecimal(String(input)) ?? '') : input;
	const plain = typeof input === 'number' ? amount : plainOf(amount, format ?? 'strict');
	if (plain === undefined || !isPlainDecimal(plain)) {
		if (amount.startsWith('+'))
			return INPUT.hasWrongSign({
				label: label,
				reason: spellingOf(amount),
				value: excerpt(amount),
				placeholder: placeholder,
			});
		if (format !== undefined && format !== 'strict')
			return INPUT.hasOtherForm({ label: label, format: format, value: excerpt(amount) });
		const isOfOtherForm = format === 'strict' && amount.includes(',');
		const advice = isOfOtherForm ? `${placeholder}, ${OR_AMOUNT_FORMAT}` : placeholder;
		return INPUT.isNotPlainDecimal({
			label: label,
			reason: spellingOf(amount),
			value: excerpt(amount),
			placeholder: advice,
		});
	}
	if (kind === 'amount' && !/^[^-]*[1-9]/.test(plain)) {
		return INPUT.hasWrongSign({
			label: label,
			reason: 'is not above zero',
			value: excerpt(amount),
			placeholder: placeholder,
		});
	}
	return { value: exactNumber(plain) };
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

/** Significant decimal digits that every double keeps. */
const EXACT_DIGITS = 15;

/** Whether a double can hold exactly the digits that it prints. */
export function isExactDouble(value: number): boolean {
	if (Number.isInteger(value)) return Number.isSafeInteger(value);
	const digits = value.toExponential().replace(/e.*|[-.]/g, '');
	return Number.isFinite(value) && digits.length <= EXACT_DIGITS;
}

/** The number, as text, if digits of it may be lost. Undefined: it is exact. `expression` is what the author wrote. */
export function inexact(value: unknown, expression: unknown): string | undefined {
	const lost = longLiteral(expression);
	return lost ?? (typeof value === 'number' && !isExactDouble(value) ? String(value) : undefined);
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

function excerpt(text: string): string {
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
