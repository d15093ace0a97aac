import { paymentsIn } from './payment.js';
import { sameKey } from './paymentKey.js';
import { questionOf } from './settleQuestion.js';

/**
 * What a person needs to know to settle the rows that are still not known. Nothing if there are none. A row keeps its number in all
 * questions, because the person may still read the first mail.
 * @param {N8n} n8n
 */
export function run({ $, $input, $now, DateTime }) {
	const book = paymentsIn($input.all().map((item) => item.json));
	const asked = $('When called')
		.all()
		.map((item) => item.json);
	const keys = asked.map(({ paymentKey }) => sameKey(paymentKey));
	const rows = asked.flatMap(({ paymentKey, balances }, index) => {
		const own = book.filter((row) => row.paymentKey === keys[index]);
		const row = own.find(({ result }) => result === 'unknown');
		if (!row || own.some(({ result }) => result === 'paid') || keys.indexOf(keys[index]) < index) return [];
		const sent = row.time
			? DateTime.fromISO(new Date(row.time).toISOString())
					.setZone($now.zone)
					.toFormat("yyyy-MM-dd HH:mm '('z')'")
			: 'not recorded';
		// The service may know the key as it was written, and not in capital letters.
		return [{ ...row, paymentKey, balances, number: index + 1, sent }];
	});
	return rows.length > 0 ? [{ json: { ...questionOf(rows), rows } }] : [];
}
