const NEVER_MEANT = ['undefined', '[object ', 'invalid date', '{}', '{ }'];
const NOT = ['applicable', 'available', 'given', 'known', 'provided', 'specified'].map(
	(word) => `not ${word}`,
);
const NOT_KNOWN = ['n/a', 'n.a', 'none', 'unknown', 'tba', 'tbc', 'tbd', ...NOT];
const NAMES_NOTHING =
	/^(?:invoice|inv|payment|reference|ref|key|id|value|number|num|nr|no|the|my|your|by|user|customer|na|nil|none|not|missing|pending|unknown|unspecified|tba|tbc|tbd|available|given|known|provided|specified|set|yet|to|be|determined|confirmed)+$/;

/** @param {string} key */
const separated = (key) => key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
/** @param {string} text */
const wordsIn = (text) => text.match(/(?<![a-z\d])n[./]a(?![a-z\d])|[a-z]+|\d+/g) ?? [];

/**
 * Whether a key has the word of a program or a person for a value that is missing, as Payment Key finds it.
 * @param {string} key
 */
export function lacksValue(key) {
	const ascii = key.normalize('NFKC').replace(/\p{Zs}+/gu, ' ');
	const text = ascii.toLowerCase();
	const words = wordsIn(text);
	const later = words.length === 1 ? words : words.slice(1);
	const end = ` ${wordsIn(separated(ascii)).join(' ')}`;
	return (
		NEVER_MEANT.some((each) => text.includes(each)) ||
		/(?<=[^a-z])(?:null|NaN)(?![a-z])/.test(ascii) ||
		later.some((word) => word === 'null' || word === 'nan') ||
		NOT_KNOWN.some((phrase) => end.endsWith(` ${phrase}`))
	);
}

/**
 * Whether a part of a key is empty, or nothing in it names a payment, as Payment Key finds it.
 * @param {string} same a key without spaces beside signs
 */
export function lacksPart(same) {
	const parts = same.replace('://', '/').split(/[-/_:|,]/);
	return (
		!/[A-Z1-9]/.test(same) ||
		wordsIn(same.toLowerCase()).every((word) => NAMES_NOTHING.test(word)) ||
		/[#+]$|\d\.$|^\.|\.\./.test(same) ||
		parts.some((part) => !/[A-Z\d]/.test(part))
	);
}
