/** A currency or coin, and what the service says that the account has of it. */

export interface Asset {
	/** In capitals: `NGN`, `USDT`. */
	code: string;
	isFiat: boolean;
}

/** A balance as exact decimal text, or in one sentence why it cannot be read. */
export type Balance = Asset & ({ balance: string } | { problem: string });
