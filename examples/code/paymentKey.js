/**
 * The key as Payment Key compares it, in capital letters.
 * @param {string} key
 */
export const sameKey = (key) =>
	key
		.replace(/[\p{Pd}\u2212]/gu, '-')
		.replace(/\u200a/g, '\u200b')
		.replace(/[\u2018-\u201b\u2032\u02bc]/g, "'")
		.replace(/[\u201c-\u201f\u2033]/g, '"')
		.normalize('NFKC')
		.replace(/\p{Zs}+/gu, ' ')
		.replace(/ ?([^A-Za-z\d ]) ?/g, '$1')
		.replace(/[a-z]/g, (letter) => letter.toUpperCase())
		.trim();
