/** The keys of rows whose payment has no Payment Key: one rule for those who write the book and those who read it. */
import { canonical } from '../../../api/exact/decimal.ts';
import { shortLine } from '../../shared/text.ts';
import { amountOf } from '../values/itemValues.ts';

const WITHOUT_KEY = 'without a key: ';

/** What tells two payments apart, beside their place. */
interface Content {
	amount: unknown;
	asset: string;
	counterpart: string;
}

/**
 * The key of an item that has none, before it is sent and after it. Two nodes of one execution number their items alike, so its content
 * belongs to it.
 */
export function keyOfItem(execution: string, index: number, content?: Content): string {
	const place = `${WITHOUT_KEY}execution ${execution}, item ${index + 1}`;
	if (content === undefined) return place;
	const amount = amountOf(content.amount);
	// `12.50` and `12.5` are one amount.
	const words = [amount === undefined ? '' : canonical(amount), content.asset, content.counterpart];
	return `${place}, ${shortLine(words.join(' '))}`;
}

/** Whether the payment of a row had a Payment Key, so that it is not made twice. */
export function hasPaymentKey(key: string): boolean {
	return key.trim() !== '' && !key.startsWith(WITHOUT_KEY);
}
