/** The texts that a person typed into one field, each with the payments of the page that it can mean. */
import { comparedKey } from '../../values/comparedKey.ts';
import type { Page, Payment } from './page.ts';

export interface TypedText {
	/** As it was typed. */
	text: string;
	/** None, if the page has no such payment. */
	meant: Payment[];
	/** Whether it can be cut in more than one way, since a key has a sign in it that stands between keys, too. */
	isOfSeveral: boolean;
}

/** What stands between two texts. */
const BETWEEN = /[,;，；、،؛\r\n]|(?<=\s)(?:and|&)(?=\s)/giu;

/** The same, within a key. */
const WITHIN_KEY = /[,;&]|\band\b/g;

/** `7`, `#7`, `row 7`, `rows 7`, as keys are compared. */
const ROW = /^(?:rows? ?#?|#)?([1-9]\d{0,8})$/;

/** `"INV-7"`, as keys are compared. */
const QUOTED = /^(["'])(.+)\1$/;

/** `3-5`: a key, or the rows from 3 to 5. */
const RANGE = /^([1-9]\d{0,8})-([1-9]\d{0,8})$/;

interface Part {
	from: number;
	to: number;
}

/** Reads from left to right. Where no payment is found, the text up to the next sign stands by itself. */
export function readTexts(typed: string, page: Page): TypedText[] {
	const parts = partsOf(typed);
	const most = mostParts(page);
	const texts: TypedText[] = [];
	for (let at = 0; at < parts.length; ) {
		const first = parts[at] ?? { from: 0, to: 0 };
		const readings = parts.slice(at, at + most).flatMap(({ to }, index) => {
			const text = typed.slice(first.from, to);
			const meant = meantBy(text, page);
			return meant.length === 0 ? [] : [{ text, meant, count: index + 1 }];
		});
		const { count, ...last } = readings.at(-1) ?? {
			text: typed.slice(first.from, first.to),
			meant: [],
			count: 1,
		};
		texts.push({ ...last, isOfSeveral: readings.length > 1 });
		at += count;
	}
	return texts;
}

function partsOf(typed: string): Part[] {
	const signs = [...typed.matchAll(BETWEEN)].map(({ index, 0: sign }) => ({
		from: index,
		to: index + sign.length,
	}));
	const begins = [0, ...signs.map(({ to }) => to)];
	const ends = [...signs.map(({ from }) => from), typed.length];
	return begins.flatMap((begin, index) => {
		const part = typed.slice(begin, ends[index]);
		const text = part.trim();
		const from = begin + part.length - part.trimStart().length;
		return text === '' ? [] : [{ from, to: from + text.length }];
	});
}

/** How many parts a text can have that is one key. */
function mostParts({ byKey }: Page): number {
	let most = 0;
	for (const key of byKey.keys()) most = Math.max(most, key.match(WITHIN_KEY)?.length ?? 0);
	return 1 + most;
}

/** A text in quotes is a key only. Any other text may be a key, the number of a row, or both. */
function meantBy(text: string, { byKey, byRow }: Page): Payment[] {
	const compared = comparedKey(text);
	if (compared === undefined) return [];
	const quoted = QUOTED.exec(compared)?.[2];
	const ofKey = byKey.get(compared) ?? [];
	const others = quoted === undefined ? byRow.get(ROW.exec(compared)?.[1] ?? '') : byKey.get(quoted);
	const ends = ofKey.length === 0 ? [] : (RANGE.exec(compared) ?? []).slice(1);
	const ofRange = ends.flatMap((row) => byRow.get(row) ?? []);
	return [...new Set([...ofKey, ...(others ?? []), ...ofRange])];
}
