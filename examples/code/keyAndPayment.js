/**
 * A payment as its row has it.
 * @param {Pick<Payment, 'paymentKey' | 'amount' | 'destination'> & { currency?: string | null, coin?: string | null }} payment
 */
export const keyAndPayment = ({ paymentKey, amount, currency, coin, destination }) =>
	`${paymentKey}, ${amount} ${currency || coin} to ${destination}`;
