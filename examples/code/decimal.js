/** @param {string} text */
export const placesOf = (text) => (text.split('.')[1] ?? '').length;

/**
 * A decimal text as a whole number of its smallest part: 1.5 with two places is 150.
 * @param {string} text
 * @param {number} places at least those of the text
 */
export const unitsOf = (text, places) => {
	const [whole, fraction = ''] = text.split('.');
	return BigInt(whole + fraction.padEnd(places, '0'));
};

/**
 * The decimal text of so many units.
 * @param {bigint} units
 * @param {number} places
 */
export function decimalOf(units, places) {
	const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
	const point = digits.length - places;
	return (units < 0n ? '-' : '') + digits.slice(0, point) + (places === 0 ? '' : `.${digits.slice(point)}`);
}

/**
 * Adds decimal texts with all their digits. Numbers would lose some.
 * @param {string} a
 * @param {string} b
 */
export function add(a, b) {
	const places = Math.max(placesOf(a), placesOf(b));
	return decimalOf(unitsOf(a, places) + unitsOf(b, places), places);
}

/**
 * @param {string} a
 * @param {string} b
 */
export const subtract = (a, b) => add(a, b.startsWith('-') ? b.slice(1) : '-' + b);
