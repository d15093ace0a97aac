/** The words for people in an answer, for messages only. Nothing is decided by them. */
import { listed } from './words.ts';

/** Keys under which services put their words for people; those that hold a whole record come last. */
const WORD_KEYS = listed(
	'message, error, error_description, detail, description, reason, title, errors, response, data',
);
const MOST_LEVELS = 3;
const MOST_CHARACTERS = 300;
/** Characters of a web page in which its title or text is looked for. */
const START_OF_PAGE = 5000;

/** The service's own words in an answer, on one line. */
export function serviceWords(answer: unknown): string {
	const words = wordsIn(answer) ?? 'no reason given';
	// No more is shown of a text of any length.
	const oneLine = words.slice(0, START_OF_PAGE).replace(/\s+/g, ' ').trim();
	return oneLine.length > MOST_CHARACTERS ? `${oneLine.slice(0, MOST_CHARACTERS)}…` : oneLine;
}

/** The words in an answer, or those of the web page that a gateway sends in its place. */
function wordsIn(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return pageText(value) || undefined;
	if (typeof value !== 'object' || value === null || depth > MOST_LEVELS) return undefined;
	for (const candidate of Array.isArray(value) ? value : wordFieldsOf(value)) {
		const words = wordsIn(candidate, depth + 1);
		if (words !== undefined) return words;
	}
	return undefined;
}

function wordFieldsOf(record: object): unknown[] {
	const fields = new Map<string, unknown>(Object.entries(record));
	return WORD_KEYS.map((key) => fields.get(key)).filter((value) => value !== undefined);
}

/** The title or the text of an HTML page; other text as it is. */
function pageText(text: string): string {
	const start = text.slice(0, START_OF_PAGE);
	if (!/^\s*</.test(start)) return start;
	const title = /<title[^>]*>([^<]*)</i.exec(start)?.[1];
	return title ?? start.replace(/<[^>]*>/g, ' ').trim();
}
