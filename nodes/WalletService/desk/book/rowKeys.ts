/** The keys of rows: one rule for those who write the book and those who read it. */

/** How the key of a row without a Payment Key begins. A Payment Key stands in capitals, so none begins so. */
const WITHOUT_KEY = 'execution ';
const CONVERSION = 'conversion ';

/** Whether the payment or conversion of a row had a Payment Key, so that it is not made twice. */
export function hasPaymentKey(key: string): boolean {
	const ofPayment = key.startsWith(CONVERSION) ? key.slice(CONVERSION.length) : key;
	return ofPayment.trim() !== '' && !ofPayment.startsWith(WITHOUT_KEY);
}
