import { sameKey } from './paymentKey.js';
import { paymentInWords } from './paymentInWords.js';
import { oneLine } from './text.js';

/** @param {Payment} payment */
const asText = (payment) => `${sameKey(String(payment.paymentKey))} ${paymentInWords(payment)}`;

/**
 * A list as a text that is the same for the same payments, in any order and spelling.
 * @param {Payment[]} rows
 */
export const listAsText = (rows) => rows.map(asText).sort().join('\n');

/** Milliseconds after which a question has ended. */
const SEVEN_DAYS = 7 * 24 * 60 * 60 * 1000;

/**
 * Says which lists without an answer have payments of this one, a line for each.
 * @param {Payment[]} rows
 * @param {Array<{ same?: string, asker?: string, asked?: string, createdAt?: string }>} lists
 * @param {number} now
 */
export function openLists(rows, lists, now) {
	const payments = rows.map(asText);
	return lists
		.filter(({ createdAt }) => !(Date.parse(String(createdAt)) < now - SEVEN_DAYS))
		.flatMap(({ same = '', asker, asked }) => {
			const others = same.split('\n');
			const shared = payments.filter((payment) => others.includes(payment)).length;
			if (shared === 0) return [];
			const by = `by ${oneLine(asker)} on ${oneLine(asked)}. It has no answer yet.`;
			return same === listAsText(rows)
				? `Asked before: the same list, ${by} A no to one of the two mails closes both`
				: `Asked before: a list with ${shared} of these payouts, ${by}`;
		});
}
