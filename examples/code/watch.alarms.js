import { add, subtract } from './decimal.js';
import { balancesOf } from './balances.js';
import { judge } from './bookEvent.js';
import { isDecimal } from './movement.js';
import { isFinal } from './status.js';
import { itemsOf, rowsOf } from './nodeItems.js';
import { keyAndPayment } from './keyAndPayment.js';
import { isPayment, paymentsIn } from './payment.js';
import { oneLine } from './text.js';

const HOUR = 3_600_000;

/**
 * What a person must look at. Each matter has a name, so that it is told once a day.
 * @param {{
 *   assets: Array<{ code: string, minimum?: string, balance?: string, problem?: string }>,
 *   payments: PaidRow[], movements: Movement[], now: number, hour: number,
 *   settings: { waitHours: number, updateHours: number, checkHour: number },
 * }} input
 */
export function alarms({ assets, payments, movements, now, hour, settings }) {
	/** @type {Array<{ alarm: string, text: string }>} */
	const told = [];
	const tell = (/** @type {string} */ alarm, /** @type {string} */ text) =>
		told.push({ alarm: oneLine(alarm), text: oneLine(text) });
	const ageOf = (/** @type {PaidRow} */ row) => now - new Date(row.time ?? row.createdAt).getTime();

	for (const { code, minimum, balance, problem } of assets) {
		if (problem || !isDecimal(balance))
			tell(`unreadable ${code}`, `The ${code} balance cannot be read: ${problem || balance}`);
		else if (!isDecimal(minimum))
			tell(
				`minimum ${code}`,
				`The minimum of ${code} is ${JSON.stringify(minimum)}. Write it as text, such as "5000".`,
			);
		else if (subtract(balance ?? '', minimum ?? '').startsWith('-'))
			tell(`low ${code}`, `The ${code} balance is ${balance}, below ${minimum}.`);
	}

	// Of two rows of one key, the one that is paid counts.
	const isPaid = (/** @type {PaidRow} */ { paymentKey }) =>
		payments.some((row) => row.paymentKey === paymentKey && row.result === 'paid');
	for (const row of payments.filter((each) => each.result === 'unknown' && !isPaid(each)))
		if (ageOf(row) > settings.waitHours * HOUR)
			tell(
				`unknown ${row.paymentKey}`,
				`It is not known if this was paid: ${keyAndPayment(row)}. Look it up in the dashboard, and settle it.`,
			);

	const conversions = movements.filter(({ kind, result }) => kind === 'conversion' && result === 'unknown');
	for (const { reference, asset, amount, time } of conversions.filter(({ amount }) => amount))
		if (now - new Date(time ?? now).getTime() > settings.waitHours * HOUR)
			tell(
				`unknown conversion ${reference}`,
				`It is not known if ${amount.replace('-', '')} ${asset} were converted: ${reference}. Look it up in the dashboard, and settle it in wallet_service_conversions.`,
			);

	const isDone = (/** @type {PaidRow} */ { payoutId, status }) =>
		isFinal(status) || movements.some((row) => payoutId && row.reference === payoutId && isFinal(row.status));
	const paid = payments.filter((row) => row.result === 'paid' && !isDone(row));
	for (const row of paid.filter(({ coin }) => coin)) {
		const silent = Math.min(ageOf(row), now - new Date(row.updatedAt ?? row.createdAt).getTime());
		if (silent > settings.updateHours * HOUR)
			tell(
				`silent ${row.paymentKey}`,
				`No update for ${Math.floor(silent / HOUR)} hours: ${keyAndPayment(row)}, payout ${row.payoutId || 'without an ID'}, ${row.status || 'no status'}. Look it up in the dashboard.`,
			);
	}

	/** @type {Record<string, string>} */
	const sums = {};
	const unseen = paid.filter((row) => row.currency);
	for (const { currency, amount } of unseen)
		if (isDecimal(amount)) sums[currency] = add(sums[currency] ?? '0', amount);
	if (unseen.length > 0 && hour >= settings.checkHour)
		tell(
			'check',
			`Check by hand: ${unseen.length} fiat ${unseen.length === 1 ? 'payout' : 'payouts'} of the last 30 days, ${Object.entries(
				sums,
			)
				.map(([code, sum]) => `${sum} ${code}`)
				.join(
					', ',
				)}. The service reports no status of them. Write successful or failed into the column status of each that you have seen in the dashboard.`,
		);

	const ids = new Set(payments.map(({ payoutId }) => payoutId));
	const strangers = movements.filter(
		({ kind, reference }) => kind === 'coin payout' && reference && !ids.has(reference),
	);
	let withoutId = payments.filter(({ coin, payoutId }) => coin && !payoutId);
	for (const reference of new Set(strangers.map((row) => row.reference))) {
		const update = strangers.filter((row) => row.reference === reference).at(-1);
		if (!update) continue;
		const judged = (/** @type {PaidRow[]} */ rows) =>
			judge(update, { rows: [], withoutId: rows, known: [], waited: true });
		const { next, subject, text } = judged(withoutId);
		// A row is that of one payout. A second payout like it is in no row.
		const own = withoutId.find((row) => judged([row]).next === 'nothing');
		withoutId = withoutId.filter((row) => row !== own);
		const age = now - new Date(update.time ?? now).getTime();
		if (next === 'tell' && age >= 60_000 && age <= 72 * HOUR)
			tell(`no row ${reference}`, `${subject}. ${text}`);
	}
	return told;
}

/** @param {N8n} n8n */
export function run({ $, $now }) {
	const { settings } = $('What to watch').first().json;
	const listed = itemsOf($, 'One asset each');
	const balances = balancesOf($, listed);
	const assets = listed.map(({ code, minimum }, index) => ({ code, minimum, ...balances[index] }));
	const rows = rowsOf($, 'Book');
	const [payments, movements] = [paymentsIn(rows), rows.filter((row) => !isPayment(row))];
	const hour = Number($now.toFormat('H'));
	return alarms({ assets, payments, movements, now: Date.now(), hour, settings }).map((json) => ({ json }));
}
