/** How many decimals the money of a country has (ISO 4217). A bank cannot pay more, so more of them are a mistake of who wrote or read the amount. */
import { canonical, placesOf } from '../../../../api/exact/decimal.ts';

const WITHOUT_DECIMALS = [
	...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW'],
	...['PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
];
const WITH_THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
const USUAL = 2;

/** The decimals that an amount of this currency may have. */
export function decimalsOf(currency: string): number {
	if (WITHOUT_DECIMALS.includes(currency)) return 0;
	return WITH_THREE.includes(currency) ? 3 : USUAL;
}

/**
 * Whether a plain decimal has decimals that the currency does not have. `.00` says nothing, since spreadsheets add it; but `.000` may
 * be thousands, as in 750.000.
 */
export function hasOddDecimals(amount: string, currency: string): boolean {
	const most = decimalsOf(currency);
	return placesOf(canonical(amount)) > most || placesOf(amount) > Math.max(most, USUAL);
}
