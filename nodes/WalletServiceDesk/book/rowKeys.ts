/** The keys of rows: one rule for those who write the book and those who read it. */
import { canonical, isPlainDecimal } from '../../../api/exact/decimal.ts';
import { comparedKey } from '../values/comparedKey.ts';
import { shortLine } from '../../shared/text.ts';

/** What tells two payments or two events apart, beside their place or ID. */
export interface Content {
	/** As it was written, if it cannot be read. */
	amount: string;
	asset: string;
	/** The wallet, account or destination; '' if there is none. */
	place: string;
}

/** How the key of a row without a Payment Key begins. A Payment Key stands in capitals, so none begins so. */
const WITHOUT_KEY = 'execution ';
const CONVERSION = 'conversion ';
const [OUT, IN] = [' out', ' in'];

/** A Payment Key as the book has it: as payments compare it, in capitals. Undefined if no payment can have this key. */
export function bookKeyOf(paymentKey: string): string | undefined {
	return comparedKey(paymentKey)?.toUpperCase();
}

/** The key of a payment that has none. Two nodes of one execution count their items from 0, so its content belongs to it. */
export function keyOfItem(execution: string, index: number, content: Content): string {
	return `${WITHOUT_KEY}${execution} item ${index}: ${shortLine(wordsOf(content))}`;
}

/** Whether the payment or conversion of a row had a Payment Key, so that it is not made twice. */
export function hasPaymentKey(key: string): boolean {
	const ofPayment = key.startsWith(CONVERSION) ? key.slice(CONVERSION.length) : key;
	return ofPayment.trim() !== '' && !ofPayment.startsWith(WITHOUT_KEY);
}

/** The key of an event: its delivery key and its content, because two outputs of one transaction may have one delivery key. */
export function keyOfEvent(deliveryKey: string, content: Content): string {
	return `${deliveryKey}, ${wordsOf(content)}`;
}

/** The keys of the two rows of a conversion. `name`: its Payment Key or ID. */
export function keysOfConversion(name: string): { out: string; in: string } {
	return { out: `${CONVERSION}${name}${OUT}`, in: `${CONVERSION}${name}${IN}` };
}

/** The same for the two rows of a conversion. */
export function conversionOf(key: string): string {
	const end = [OUT, IN].find((each) => key.endsWith(each)) ?? '';
	const name = key.slice(0, key.length - end.length);
	return name.startsWith(CONVERSION) ? name.slice(CONVERSION.length) : name;
}

/** `12.50` and `12.5` are one amount. */
function wordsOf({ amount, asset, place }: Content): string {
	const value = isPlainDecimal(amount) ? canonical(amount) : amount;
	return [value, asset, ...(place === '' ? [] : ['at', place])].join(' ');
}
