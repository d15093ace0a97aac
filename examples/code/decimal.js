/**
 * Adds decimal texts with all their digits. Numbers would lose some.
 * @param {string} a
 * @param {string} b
 */
export function add(a, b) {
	const places = Math.max(...[a, b].map((text) => (text.split('.')[1] ?? '').length));
	/** @param {string} text */
	const units = (text) => BigInt(text.split('.')[0] + (text.split('.')[1] ?? '').padEnd(places, '0'));
	const sum = units(a) + units(b);
	const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
	return (
		(sum < 0n ? '-' : '') + (places === 0 ? digits : digits.slice(0, -places) + '.' + digits.slice(-places))
	);
}

/**
 * @param {string} a
 * @param {string} b
 */
export const subtract = (a, b) => add(a, b.startsWith('-') ? b.slice(1) : '-' + b);
