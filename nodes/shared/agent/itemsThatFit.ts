/** An answer to a model is short: what does not fit is left out, and the answer says so. */
import type { IDataObject } from 'n8n-workflow';

import { LEFT_OUT } from './messages.ts';

/** Characters of all items together, as JSON. */
export const MAX_ANSWER = 20_000;

export function cut(text: string, length: number): string {
	// The cut may leave half of a character that takes two places.
	return text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')} … [cut]`;
}

/** Characters of a text that a model reads. */
const MAX_TEXT = 500;

/** The item with long texts cut. */
export function shortened(item: IDataObject): IDataObject {
	const text = JSON.stringify(item, (_, value: unknown) =>
		typeof value === 'string' ? cut(value, MAX_TEXT) : value,
	);
	return JSON.parse(text) as IDataObject;
}

/** As many items as fit, with a last one that says how many do not. Their texts stay as they are, but for one that is too long. */
export function itemsThatFit(items: IDataObject[]): IDataObject[] {
	let length = 0;
	const end = items.findIndex((item) => (length += JSON.stringify(item).length + 1) > MAX_ANSWER);
	if (end < 0) return items;
	if (end === 0) return [{ text: cut(JSON.stringify(items[0]), MAX_ANSWER / 2) }];
	return [...items.slice(0, end), { note: LEFT_OUT.records(items.length - end) }];
}
