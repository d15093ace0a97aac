/** What all messages share. The messages stand with who says them. */
export type { Texts } from '../../api/texts.ts';

/** What happened, and what to do about it: something that the user can fix. Both name a parameter by its label. */
export interface ValidationIssue {
	message: string;
	description: string;
	/** `limit` of the author: it holds the item back, or is missing. `input`: the caller can correct it. `key`: a person knows it. */
	about?: 'limit' | 'input' | 'key';
	/** The message names the items that it is about. */
	namesItems?: boolean;
}

/** A message takes nothing, one text, or several by name. */
type Message = (inserted: never) => ValidationIssue;

/** How items are numbered. Who counts from 0, as n8n's indexes do, would take out the wrong one. */
export const FIRST_ITEM = 'The first item is item 1';

/** The text with a mark in place of each character that shows nothing, or changes how others are shown. */
export const visible = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '�');

/** The beginning of a text, for a message. */
export function excerpt(text: string, length = 40): string {
	return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** The first of many; where they are more than `most`, then what says how many are left: `and 3 more`. */
export function firstAndMore<Value>(
	values: readonly Value[],
	{ most, more }: { most: number; more: (left: number) => Value },
): Value[] {
	const left = values.length - most;
	return left > 0 ? [...values.slice(0, most), more(left)] : [...values];
}

/** The messages, each marked with what they are about, and with every inserted text made visible. */
export function marked<Messages extends Record<string, Message>>(
	about: ValidationIssue['about'],
	messages: Messages,
): Messages {
	const marking =
		(message: Message): Message =>
		(inserted) => ({ ...message(madeVisible(inserted) as never), about });
	const entries = Object.entries(messages).map(([name, message]) => [name, marking(message)]);
	return Object.fromEntries(entries) as Messages;
}

function madeVisible(inserted: unknown): unknown {
	if (typeof inserted === 'string') return visible(inserted);
	const texts = Object.entries(Object(inserted) as Record<string, string>);
	return Object.fromEntries(texts.map(([name, text]) => [name, visible(text)]));
}

/** A person who meets a limit is not always the one who may change it. */
export const askOwner = (label: string) =>
	`ask the workflow's owner: '${label}' is an option of the node that pays`;
