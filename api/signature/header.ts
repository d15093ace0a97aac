/** The header that carries the signature of a delivery, by the setting Webhook Signature Format. */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { SETTINGS } from './settings.ts';
import type { Value } from './settings.ts';
import { parseTemplate } from './template.ts';
import type { Template } from './template.ts';
import { isPartOfTime } from './time.ts';

const TOKENS = ['timestamp', 'signature'] as const;
type Token = (typeof TOKENS)[number];
type Values = Partial<Record<Token, string>>;

/** What a header may mean. It may carry several: old and new secret, several versions of a scheme, or two headers. */
export interface Candidate {
	signature: string;
	timestamp?: string;
}

/** Reads a header in time linear in its length. */
export type HeaderReader = (value: string) => Candidate[];

/** Characters of hex and base64. */
const SIGNATURE_CHARACTERS = /^[\w+/=-]*$/;

const LABEL = SETTINGS.webhookSignatureFormat.label;

/**
 * The reader of headers in a format. Format and header are lists of items between commas, semicolons and spaces.
 * If time and signature have labels of their own (`t={timestamp},v1={signature}`), their items may stand anywhere. In any
 * other format (`v1,{signature}`, `{signature}.{timestamp}`) the items stand as in the format, once or repeatedly.
 * Throws SettingError.
 */
export function headerReader(format: string, time: Value<'webhookTimestampFormat'>): HeaderReader {
	const { tokens, literals } = parseTemplate(format, LABEL, TOKENS);
	if (!tokens.includes('signature')) throw new SettingError(SETTING.formatHasNoSignature);
	if (new Set(tokens).size < tokens.length) throw new SettingError(SETTING.formatRepeatsToken);
	if (literals.some((literal) => /[\r\n]/.test(literal))) throw new SettingError(SETTING.formatHasLineBreak);
	const patterns = itemsOf(format).map((item) => parseTemplate(item, LABEL, TOKENS));
	if (patterns.some(({ literals: pieces }) => pieces.length > 2 && pieces[1] === '')) {
		throw new SettingError(SETTING.formatTokensTouch);
	}
	if (tokens.length === 2 && time === 'httpDate') throw new SettingError(SETTING.formatCannotHoldDate);
	// If both may contain what separates them, it is not clear where the time begins.
	const isAmbiguous = ({ literals: [, between = ''], tokens: { length } }: Template<Token>) =>
		length === 2 && SIGNATURE_CHARACTERS.test(between) && isPartOfTime(between, time);
	if (patterns.some(isAmbiguous)) throw new SettingError(SETTING.formatIsAmbiguous);
	const labelled = patterns.filter(hasLabel);
	return tokens.length === 2 && labelled.length === 2
		? (value) => readLabelled(labelled, itemsOf(value))
		: (value) => readInOrder(patterns, itemsOf(value));
}

/** The header as a sender writes it. */
export function writeSignatureHeader(format: string, signature: string, timestamp: string): string {
	return format.replace(/\{(timestamp|signature)\}/g, (_, token) =>
		token === 'timestamp' ? timestamp : signature,
	);
}

/** Items of a header that are read. The longest known header has about ten. */
const MAX_ITEMS = 32;

function itemsOf(list: string): string[] {
	return list.split(/[\s,;]+/, MAX_ITEMS).filter((item) => item !== '');
}

/** Whether a pattern is a label and one token, such as `v1={signature}`. */
function hasLabel({ literals, tokens }: Template<Token>): boolean {
	return tokens.length === 1 && literals[0] !== '';
}

/** Pairs each signature with each time, because the header does not show which belong together. */
function readLabelled(patterns: Array<Template<Token>>, items: string[]): Candidate[] {
	const found = items.flatMap((item) => patterns.map((pattern) => matchItem(pattern, item) ?? {}));
	const timestamps = new Set(found.flatMap(({ timestamp }) => timestamp ?? []));
	const signatures = found.flatMap(({ signature }) => signature ?? []);
	return [...timestamps]
		.slice(0, MAX_TIMESTAMPS)
		.flatMap((timestamp) => signatures.map((signature) => ({ signature, timestamp })));
}

/** Each time costs one more signature of the payload, so only two times are tried. */
export const MAX_TIMESTAMPS = 2;

function readInOrder(patterns: Array<Template<Token>>, items: string[]): Candidate[] {
	return items.flatMap((_, start) => {
		const values: Values = {};
		for (const [index, pattern] of patterns.entries()) {
			const item = items[start + index];
			const matched = item === undefined ? undefined : matchItem(pattern, item);
			if (matched === undefined) return [];
			Object.assign(values, matched);
		}
		const { signature, timestamp } = values;
		return signature === undefined ? [] : [{ signature, timestamp }];
	});
}

/** The values of the tokens of a pattern: `v1={signature}` finds `abc` in `v1=abc`. Undefined if the item does not match. */
function matchItem({ literals, tokens }: Template<Token>, item: string): Values | undefined {
	const [first, second] = tokens;
	if (first === undefined) return item === literals[0] ? {} : undefined;
	const prefix = literals[0] ?? '';
	const suffix = literals.at(-1) ?? '';
	const length = prefix.length + suffix.length;
	if (item.length <= length || !item.startsWith(prefix) || !item.endsWith(suffix)) return undefined;
	const inner = item.slice(prefix.length, item.length - suffix.length);
	if (second === undefined) return { [first]: inner };
	const separator = literals[1] ?? '';
	const at = separatorIn(inner, separator, first);
	const end = at + separator.length;
	if (at < 1 || end >= inner.length) return undefined;
	return { [first]: inner.slice(0, at), [second]: inner.slice(end) };
}

/** Where the separator is, -1 if nowhere. A time may contain it too: then the one next to the signature counts. */
function separatorIn(text: string, separator: string, first: Token): number {
	// If a signature may contain it, the one next to the time counts.
	const nextToSignature = !SIGNATURE_CHARACTERS.test(separator);
	return (first === 'timestamp') === nextToSignature ? text.lastIndexOf(separator) : text.indexOf(separator);
}
