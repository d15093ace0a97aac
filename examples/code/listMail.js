import { keyAndPayment } from './keyAndPayment.js';

const MOST = 20;

/**
 * Lines of at most 20 rows.
 * @param {string} title
 * @param {Result[]} rows
 */
function some(title, rows) {
	if (rows.length === 0) return [];
	const more = rows.length > MOST ? [`- and ${rows.length - MOST} more, see the file`] : [];
	return ['', title, ...rows.slice(0, MOST).map((row) => `- ${keyAndPayment(row)}`), ...more];
}

/**
 * The mail with the results of a list. What has the same reason stands together.
 * @param {{ rows: Result[], totals: Array<{ code?: string, paid: string, balance?: string }>, hash: string, isAsked: boolean, isStopped: boolean }} list
 * `isAsked`: the approver gets a mail to settle what is not known. `isStopped`: the payments ended in the middle
 */
export function mailOf({ rows, totals, hash, isAsked, isStopped }) {
	/** @param {string[]} results */
	const having = (...results) => rows.filter(({ result }) => results.includes(result));
	const [paid, before, unknown] = [having('paid'), having('alreadyPaid'), having('unknown')];
	const failed = rows.filter((row) => ![paid, before, unknown].some((list) => list.includes(row)));
	const reasons = [...new Set(failed.map(({ message }) => message))];
	const wallets = totals.filter(({ code }) => code);
	const sums = wallets
		.filter((total) => /[1-9]/.test(total.paid))
		.map(({ code, paid: sum }) => `${sum} ${code}`)
		.join(', ');
	const first = `${paid.length} of ${rows.length} ${rows.length === 1 ? 'payout' : 'payouts'} paid${sums ? `: ${sums}` : ''}`;
	const settle = isAsked
		? 'The approver gets one mail to settle them'
		: 'No mail comes for them, because the table or the workflow settle did not work. Look them up at the service, and do not pay them again before';
	const text = [
		`${first}.`,
		...(isStopped ? ['The payments ended in the middle. This is what the book shows.'] : []),
		...(before.length > 0 ? [`${before.length} paid before. Nothing was sent for them now.`] : []),
		'The attached file has the result of each row.',
		...reasons.flatMap((reason) =>
			some(
				`Not paid. ${reason || 'No reason is known.'}`,
				failed.filter(({ message }) => message === reason),
			),
		),
		...some(`NOT KNOWN. ${settle}:`, unknown),
		'',
		...(failed.some(({ result }) => result === 'notSent')
			? ['To pay what was not sent, upload the file again without the paid rows.']
			: []),
		...(paid.some(({ coin }) => coin)
			? ['The status of a crypto payout arrives later. The Data Table wallet_service_book then shows it.']
			: []),
		...(paid.some(({ currency }) => currency)
			? ['The service reports no status of fiat payouts. Look in its dashboard.']
			: []),
		...wallets.map(
			({ code, balance }) =>
				`The wallet now has ${balance ? `${balance} ${code}` : `a ${code} balance that could not be read`}.`,
		),
		`SHA-256 of the approved file: ${hash}`,
	].join('\n');
	return { subject: `${first}${unknown.length > 0 ? `, ${unknown.length} NOT KNOWN` : ''}`, text };
}
