/** How a missing value looks in a text: where one is needed, such a text is none. All in lower case. */

/** What programs write for it. No name and no key has these texts, so they count anywhere. */
export const NEVER_MEANT = ['undefined', '[object ', 'invalid date', '{}', '{ }'];

/** The same, but a name may have one of them: `null-5` is a key, and Ada Null a person. */
export const EMPTY_VALUES = ['null', 'nan'];

/** What people write for it. */
export const NOT_KNOWN = [
	'n/a',
	'n.a',
	'none',
	'not applicable',
	'not available',
	'not given',
	'not known',
	'not provided',
	'not specified',
	'tba',
	'tbc',
	'tbd',
	'unknown',
];

/** Whether a text stands where a name is missing: `n/a`, `null`, `-`. */
export function isNoName(text: string): boolean {
	const plain = text.trim().toLowerCase();
	const isWord = plain === 'null' || NOT_KNOWN.includes(plain);
	return isWord || !/[\p{L}\p{N}]/u.test(plain) || NEVER_MEANT.some((each) => plain.includes(each));
}

/** Whether a value says nothing: there is none, or only white space. */
export function isNothing(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
