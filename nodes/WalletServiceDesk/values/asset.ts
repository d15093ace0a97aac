/** A currency or coin, and what the service says that the account has of it. */
import { isPlainDecimal } from '../../../api/exact/decimal.ts';

export interface Asset {
	/** In capitals: `NGN`, `USDT`. */
	code: string;
	isFiat: boolean;
}

/** `NGN`, and `USDT`, `1INCH` or `USDC.E`. */
const CODES = { currency: /^[A-Z]{2,20}$/, coin: /^(?=.*[A-Z])[A-Z0-9][A-Z0-9._-]{0,19}$/ };

/** Whether a text in capitals can be the code of a currency or of a coin. */
export function isAssetCode({ code, isFiat }: Asset): boolean {
	return CODES[isFiat ? 'currency' : 'coin'].test(code);
}

/** A balance as exact decimal text, or in one sentence why it cannot be read. */
export type Balance = Asset & ({ balance: string } | { problem: string });

/** The balance, if it can be read. */
export function readableBalance(given: Balance): string | undefined {
	return 'balance' in given && isPlainDecimal(given.balance) ? given.balance : undefined;
}
