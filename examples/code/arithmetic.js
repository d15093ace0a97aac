import { subtract } from './decimal.js';

/**
 * Below 0, 0 or above 0, as in a sort.
 * @param {string} a
 * @param {string} b
 */
export const compare = (a, b) => {
	const difference = subtract(a, b);
	return difference.startsWith('-') ? -1 : Number(/[1-9]/.test(difference));
};

/** @param {string} text */
export const placesOf = (text) => (text.split('.')[1] ?? '').length;

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

/** @type {(units: bigint, places: number) => string} */
const withPoint = (units, places) => {
	const digits = String(units).padStart(places + 1, '0');
	return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

/** @param {string} text */
const unitsOf = (text) => BigInt(text.replace('.', ''));

/**
 * The exact product of two decimals above zero.
 * @param {string} a
 * @param {string} b
 */
export const multiply = (a, b) => short(withPoint(unitsOf(a) * unitsOf(b), placesOf(a) + placesOf(b)));

/**
 * The quotient of two decimals above zero, with so many places, not rounded up.
 * @param {string} a
 * @param {string} b
 * @param {number} places
 */
export function divide(a, b, places) {
	const scale = 10n ** BigInt(places + placesOf(b));
	return withPoint((unitsOf(a) * scale) / (unitsOf(b) * 10n ** BigInt(placesOf(a))), places);
}
