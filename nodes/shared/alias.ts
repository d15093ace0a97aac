/** The one meaning of "the same alias". What is sent stays as it was written. */

/**
 * The same for two aliases that a person, and many a service, cannot tell apart: they differ in case, in spaces around or doubled, in
 * dashes, in wide letters, or in characters that nobody sees. Who writes a row keeps this form: another one would make other rows.
 */
export function comparedAlias(text: string): string {
	const plain = text
		.normalize('NFKC')
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Pd}/gu, '-')
		.replace(/\s+/g, ' ');
	return plain.trim().toUpperCase().toLowerCase();
}

/** Whether two texts are one alias. */
export function isSameAlias(one: string, other: string): boolean {
	return one === other || comparedAlias(one) === comparedAlias(other);
}
