import { paymentsIn } from './payment.js';
import { sameKey } from './paymentKey.js';
import { questionOf } from './settleQuestion.js';

/**
 * What a person needs to know to settle the rows that are still not known. Nothing if there are none.
 * @param {N8n} n8n
 */
export function run({ $, $input, $now, DateTime }) {
	const rows = paymentsIn($input.all().map((item) => item.json));
	const asked = $('When called')
		.all()
		.map((item) => item.json);
	const open = rows.filter(
		({ result, paymentKey }, index) =>
			result === 'unknown' &&
			!rows.some((row) => row.paymentKey === paymentKey && row.result === 'paid') &&
			index === rows.findIndex((row) => row.paymentKey === paymentKey && row.result === 'unknown'),
	);
	if (open.length === 0) return [];
	const evidence = open.map((row) => ({
		...row,
		balances: asked.find(({ paymentKey }) => sameKey(paymentKey) === row.paymentKey)?.balances,
		sent: row.time
			? DateTime.fromISO(new Date(row.time).toISOString())
					.setZone($now.zone)
					.toFormat("yyyy-MM-dd HH:mm '('z')'")
			: 'not recorded',
	}));
	return [{ json: { ...questionOf(evidence), rows: open } }];
}
