/** The header that carries the signature of a delivery, by the setting Webhook Signature Format. */
import { SETTING } from '../messages.ts';
import { SettingError } from '../settingError.ts';
import { SETTINGS } from './settings.ts';
import { parseTemplate } from './template.ts';

/** What a header holds. There may be several: old and new secret, several versions of a scheme, or two headers. */
interface Found {
	signatures: string[];
	times: string[];
}

/** Items of a header that are read. The longest known header has about ten. */
const MAX_ITEMS = 32;

/** Each time costs one more signature of the payload, so only two times are read. */
const MAX_TIMES = 2;

/** Format and header are lists of items between commas, semicolons and spaces. */
const itemsOf = (list: string): string[] => list.split(/[\s,;]+/, MAX_ITEMS).filter((item) => item !== '');

/**
 * The reader of headers in a format, in time linear in their length. If time and signature have labels of their own
 * (`t={timestamp},v1={signature}`), their items may stand anywhere. In any other format the items stand as in the format, once or
 * repeatedly. Throws SettingError.
 */
export function headerReader(format: string): (value: string) => Found {
	const { label } = SETTINGS.webhookSignatureFormat;
	const { tokens, literals } = parseTemplate(format, label, ['timestamp', 'signature']);
	if (!tokens.includes('signature') || new Set(tokens).size < tokens.length)
		throw new SettingError(SETTING.formatHasOtherTokens);
	if (literals.some((literal) => /[\r\n]/.test(literal))) throw new SettingError(SETTING.formatHasLineBreak);
	// Hex and base64 have these characters, so it would not be clear where the signature ends.
	if (tokens.length === 2 && /^[\w+/=-]*$/.test(literals[1] ?? ''))
		throw new SettingError(SETTING.tokensTouch({ label, tokens: '{signature} and {timestamp}' }));

	const labelled = itemsOf(format).filter((item) => /^[^{]+\{\w+\}[^{]*$/.test(item));
	const isLabelled = tokens.length === 2 && labelled.length === 2;
	const patterns = (isLabelled ? labelled : [itemsOf(format).join(' ')]).map(patternOf);
	return (value) => {
		const text = itemsOf(value).join(' ');
		const found = patterns
			.flatMap((pattern) => [...text.matchAll(pattern)])
			.map(({ groups }) => groups ?? {});
		return {
			signatures: found.flatMap(({ signature }) => signature ?? []),
			times: [...new Set(found.flatMap(({ timestamp }) => timestamp ?? []))].slice(0, MAX_TIMES),
		};
	};
}

/** Finds the values of the tokens, from the start of an item to the end of one. A space may stand behind a prefix. */
function patternOf(format: string): RegExp {
	const source = format
		.replace(/[^\w\s{}]/g, '\\$&')
		.replace(/(?<=[^\s}])(?=\{)/g, ' ?')
		.replace('{timestamp}', '(?<timestamp>\\S+)')
		.replace('{signature}', '(?<signature>[\\w+/=-]+)');
	// Looking ahead finds items that overlap, too.
	return new RegExp(`(?<= |^)(?=${source}(?: |$))`, 'g');
}
