/** Compares who gets the money by the list with the name that the service has, as banks do: match, close match, no match. */
import type { ListRow } from '../listRow.ts';

export type PayeeMatch = NonNullable<ListRow['payeeMatch']>;

/** Titles and legal forms, which one of two names often lacks, and words that say "and". */
const LEFT_OUT = new Set(
	[
		'mr mrs ms miss dr prof chief alhaji alhaja engr barr herr frau sr sra srta dona mme mlle m',
		'ltd limited llc llp lp inc incorporated plc corp corporation co company pty pte pvt private bhd sdn',
		'gmbh ag kg ohg ug ek ev sa sas sarl eurl sl slu srl spa bv nv vof ab as asa aps oy oyj doo zoo sp kft lda ltda eireli',
		'nig nigeria intl international enterprise enterprises ventures and und et y e i the',
	].flatMap((line) => line.split(' ')),
);

/** Banks cut off names, often behind 35 characters or fewer. */
const SHORTEST_CUT = 15;

/** Undefined if the two cannot be compared: one has no letters, letters of another alphabet, or signs that hide some. */
export function payeeMatch(payee: string, holder: string): PayeeMatch | undefined {
	const [one, other] = [wordsOf(payee), wordsOf(holder)];
	if (one.length === 0 || other.length === 0 || /[*\u2022]/.test(holder)) return undefined;
	if (isLatin(one) !== isLatin(other)) return undefined;
	if (areSame(one, other)) return 'match';
	return isClose(one, other) || isCut(payee, holder) ? 'close' : 'none';
}

/** Without accents. A name that has nothing but titles keeps them. */
function wordsOf(name: string): string[] {
	const plain = name
		.slice(0, 300)
		.normalize('NFKD')
		.replace(/[\p{M}\p{Cf}'\u2019.]/gu, '')
		.toLowerCase();
	const spelled = plain.replaceAll('\u00df', 'ss').replaceAll('\u00f8', 'o').replaceAll('\u0142', 'l');
	const words = spelled.match(/[\p{L}\p{N}]+/gu) ?? [];
	const counted = words.filter((word) => !LEFT_OUT.has(word));
	return counted.length === 0 ? words : counted;
}

function isLatin(words: readonly string[]): boolean {
	return /^[\p{Script=Latin}\d]*$/u.test(words.join(''));
}

/** In any order, and with or without spaces between them. */
function areSame(one: readonly string[], other: readonly string[]): boolean {
	return one.join('') === other.join('') || one.toSorted().join(' ') === other.toSorted().join(' ');
}

/** Whether each word of the shorter name is one of the longer name, but for an initial or a slip. */
function isClose(one: readonly string[], other: readonly string[]): boolean {
	const [few = [], many = []] = one.length <= other.length ? [one, other] : [other, one];
	const left = [...many];
	const found = few.map((word) => {
		const at = left.findIndex((each) => isLike(word, each));
		return at === -1 ? undefined : [word, ...left.splice(at, 1)];
	});
	// Initials alone are not enough.
	const isSaid = found.some((pair) => pair !== undefined && pair.every((word) => word.length > 2));
	return isSaid && found.every((pair) => pair !== undefined);
}

function isLike(one: string, other: string): boolean {
	const isInitial = Math.min(one.length, other.length) === 1 && one[0] === other[0];
	return one === other || isInitial || isShortForm(one, other) || isOneSlip(one, other);
}

/** `Alex` and `Alexander`. */
function isShortForm(one: string, other: string): boolean {
	const isLong = Math.min(one.length, other.length) > 2;
	return isLong && (one.startsWith(other) || other.startsWith(one));
}

/** One letter more, less or other, or two exchanged, in a word of four letters or more. */
function isOneSlip(one: string, other: string): boolean {
	if (Math.min(one.length, other.length) < 4 || Math.abs(one.length - other.length) > 1) return false;
	let start = 0;
	while (start < one.length && one[start] === other[start]) start += 1;
	const [rest, otherRest] = [one.slice(start), other.slice(start)];
	const isExchanged =
		rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
	const isOther = rest.slice(1) === otherRest.slice(1);
	return isExchanged || isOther || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}

function isCut(payee: string, holder: string): boolean {
	const [one, other] = [payee, holder].map((name) =>
		name
			.normalize('NFKC')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}]/gu, ''),
	);
	const [short = '', long = ''] = (one ?? '').length <= (other ?? '').length ? [one, other] : [other, one];
	return short.length >= SHORTEST_CUT && long.startsWith(short);
}
