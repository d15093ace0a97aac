/** How many decimals the money of a country has (ISO 4217). A bank cannot pay more, so more of them are a mistake of who wrote or read the amount. */
import { canonical, placesOf } from '../../../api/exact/decimal.ts';
import { LIST_ROW } from './messages.ts';

const WITHOUT_DECIMALS = [
	...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW'],
	...['PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
];
const WITH_THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
const USUAL = 2;

/**
 * What is wrong with a plain decimal that has decimals which its currency does not have. `.00` says nothing, since spreadsheets add it;
 * but `.000` may be thousands, as in 750.000.
 */
export function decimalsProblem(amount: string, currency: string | undefined): string[] {
	if (currency === undefined) return [];
	const most = decimalsOf(currency);
	const isOdd = placesOf(canonical(amount)) > most || placesOf(amount) > Math.max(most, USUAL);
	if (!isOdd) return [];
	return [LIST_ROW.hasOddDecimals({ amount, currency, decimals: most === 0 ? 'no' : String(most) })];
}

function decimalsOf(currency: string): number {
	if (WITHOUT_DECIMALS.includes(currency)) return 0;
	return WITH_THREE.includes(currency) ? 3 : USUAL;
}
