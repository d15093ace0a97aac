/** The one meaning of a Payment Key in lists and in the book. */
import { readKeyText } from '../../shared/paymentKey/keyText.ts';

/** The same for keys that a payment takes for one. Undefined for a text that it refuses, and for none. */
export function comparedKey(key: string): string | undefined {
	const text = key.trim();
	if (text === '') return undefined;
	const read = readKeyText(text);
	return 'compared' in read ? read.compared : undefined;
}
