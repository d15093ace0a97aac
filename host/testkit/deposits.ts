/** Deposits that are handed to *from deposit to bank*. */
import type { Json } from '../n8n/client.ts';

/** A deposit as the trigger gives it. No other deposit has its amount. */
export interface Deposit extends Json {
	id: string;
	amount: string;
}

export const depositOf = (id: string, amount: string): Deposit => ({
	event: 'crypto_received',
	id,
	amount,
	status: 'successful',
	coin: 'USDT',
	walletAlias: 'deposits-usdt',
	fee: '0',
});
