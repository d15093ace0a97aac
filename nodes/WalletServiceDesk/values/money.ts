/** Money as people read it: with the digits that its currency has (ISO 4217). */
import { isPlainDecimal, placesOf } from '../../../api/exact/decimal.ts';
import { readableAmount, shortLine } from '../../shared/text.ts';

const WITHOUT_DECIMALS = [
	'BIF',
	'CLP',
	'DJF',
	'GNF',
	'ISK',
	'JPY',
	'KMF',
	'KRW',
	'PYG',
	'RWF',
	'UGX',
	'VND',
	'VUV',
	'XAF',
	'XOF',
	'XPF',
];
const WITH_THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
const USUAL = 2;

/** How many decimals the money of a country has, and two for every other code. */
export function decimalsOf(code: string): number {
	if (WITHOUT_DECIMALS.includes(code)) return 0;
	return WITH_THREE.includes(code) ? 3 : USUAL;
}

/** `25,200.00` of `25200`, with as many digits behind the point as given, or more. No digit is removed. `amount`: a plain decimal. */
export function withDigits(amount: string, least: number): string {
	const missing = least - placesOf(amount);
	const point = placesOf(amount) === 0 ? '.' : '';
	return readableAmount(missing > 0 ? `${amount}${point}${'0'.repeat(missing)}` : amount);
}

/** `25,200.00` of 25200 NGN, `5,000` of 5000 JPY. A text that is no plain decimal stays as it is. */
export function digitsOf(amount: string, code: string): string {
	return isPlainDecimal(amount) ? withDigits(amount, decimalsOf(code)) : amount;
}

/** `25,200.00 NGN`. */
export function moneyOf(amount: string, code: string): string {
	return `${digitsOf(amount, code)} ${shortLine(code)}`;
}
