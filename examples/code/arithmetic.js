import { decimalOf, placesOf, subtract, unitsOf } from './decimal.js';

/**
 * Below 0, 0 or above 0, as in a sort.
 * @param {string} a
 * @param {string} b
 */
export const compare = (a, b) => {
	const difference = subtract(a, b);
	return difference.startsWith('-') ? -1 : Number(/[1-9]/.test(difference));
};

/**
 * The first digits of a decimal above zero, not rounded up.
 * @param {string} a
 * @param {number} places
 * @returns {string}
 */
export function cut(a, places) {
	const [whole, fraction = ''] = a.split('.');
	return places === 0 ? whole : `${whole}.${fraction.slice(0, places).padEnd(places, '0')}`;
}

/**
 * Without zeros that say nothing.
 * @param {string} a
 */
export const short = (a) => (a.includes('.') ? a.replace(/\.?0+$/, '') : a).replace(/^(-?)0+(?=\d)/, '$1');

/**
 * The exact product of two decimals above zero.
 * @param {string} a
 * @param {string} b
 */
export function multiply(a, b) {
	const [places, more] = [placesOf(a), placesOf(b)];
	return short(decimalOf(unitsOf(a, places) * unitsOf(b, more), places + more));
}

/**
 * The quotient of two decimals above zero, with so many places, not rounded up.
 * @param {string} a
 * @param {string} b
 * @param {number} places
 */
export function divide(a, b, places) {
	const most = Math.max(placesOf(a), placesOf(b));
	return decimalOf((unitsOf(a, most) * 10n ** BigInt(places)) / unitsOf(b, most), places);
}
