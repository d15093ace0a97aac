/** What a single value of an answer is: its text, yes, no, nothing, or something that identifies. */

import { isExactNumber } from '../../../api/exact/json.ts';

/** The text of a single value; '' for a list, an object and nothing. */
export function textOf(value: unknown): string {
	if (isExactNumber(value)) return value.rawJSON;
	return typeof value === 'object' ? '' : String(value ?? '');
}

const YES = ['true', '1', 'yes'];
const NO = ['false', '0', 'no'];

export function isYes(value: unknown): boolean {
	return YES.includes(textOf(value).trim().toLowerCase());
}

export function isNo(value: unknown): boolean {
	return NO.includes(textOf(value).trim().toLowerCase());
}

const NO_IDENTIFIERS = ['null', 'undefined', 'none', 'nil', 'nan', 'n/a'];

/** Whether a value identifies something: not a word or a number that stands for nothing. */
export function isIdentifier(value: unknown): boolean {
	// `0x00` is the hash of no transaction.
	const text = textOf(value).trim().toLowerCase().replace(/^0x/, '');
	return /[1-9a-z]/.test(text) && !text.startsWith('-') && !NO_IDENTIFIERS.includes(text);
}
