/** How many decimals the money of a country has (ISO 4217). A bank cannot pay more, so more of them are a mistake of who wrote or read the amount. */
import { canonical, placesOf } from '../../../api/exact/decimal.ts';
import { decimalsOf } from '../values/money.ts';
import { LIST_ROW } from './messages.ts';

/**
 * What is wrong with a plain decimal that has decimals which its currency does not have. Zeros at the end say nothing, since programs
 * add them, but for three decimals that may be thousands, as in 750.100.
 */
export function decimalsProblem(amount: string, currency: string | undefined): string[] {
	if (currency === undefined) return [];
	const most = decimalsOf(currency);
	const mayBeThousands = most < 3 && /^[1-9]\d{0,2}\.\d{3}$/.test(amount);
	if (!mayBeThousands && placesOf(canonical(amount)) <= most) return [];
	return [LIST_ROW.hasOddDecimals({ amount, currency, decimals: most === 0 ? 'no' : String(most) })];
}
