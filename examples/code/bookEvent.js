import { subtract } from './decimal.js';
import { isDecimal } from './movement.js';
import { isFailure, isFinal } from './status.js';
import { isPayment } from './payment.js';
import { oneLine } from './text.js';

/**
 * Equal amounts may be written in two ways: 9 and 9.0.
 * @param {string} a
 * @param {string} b
 */
export const isSame = (a, b) => a === b || (isDecimal(a) && isDecimal(b) && !/[1-9]/.test(subtract(a, b)));

/** @param {Movement} row */
const contentOf = ({ asset, amount, counterpart, txHash, fee, feeAsset }) => [
	...[asset, amount, counterpart, txHash, fee],
	fee ? feeAsset : '',
];

/**
 * Both say the same, as far as both say something.
 * @param {Movement} a
 * @param {Movement} b
 */
export const agree = (a, b) =>
	contentOf(a).every((value, index) => !value || !contentOf(b)[index] || isSame(value, contentOf(b)[index]));

/** @param {Movement} row */
const wordsOf = ({ amount, asset, counterpart, status, txHash }) =>
	oneLine(
		`${amount || 'an unreadable amount of'} ${asset}, ${counterpart}, ${status || 'no status'}, ${txHash}`,
	)
		.replace(/( ,)+/g, ',')
		.replace(/[ ,]+$/, '');

/**
 * How a movement is written, beside the rows that are known of its key or reference. What is booked stays. A row that contradicts
 * it gets a key of its own, and a person is told once.
 * @param {Movement & { problem: string }} movement
 * @param {Movement[]} known
 */
export function bookOne({ problem, ...movement }, known) {
	const { key, kind, reference, status } = movement;
	const own = known.filter((row) => row.key === key);
	const before = own.find((row) => agree(row, movement));
	/** @type {(row: Movement, subject?: string, text?: string) => Movement & { subject: string, text: string }} */
	const write = (row, subject = '', text = '') => ({ ...row, subject, text });
	if (before) {
		// A later delivery may know more.
		const filled = Object.entries(movement).map(([name, value]) => [
			name,
			/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (before))[name] || value,
		]);
		return write(Object.fromEntries(filled));
	}
	if (own.length > 0) {
		const other = `${key} says: ${wordsOf(movement)}`;
		if (known.some((row) => row.key === other && agree(row, movement)))
			return write({ ...movement, key: other });
		return write(
			{ ...movement, key: other },
			oneLine(`An event came again with other content: ${kind} ${reference}`),
			`Booked: ${wordsOf(own[0])}. Now the same event says: ${wordsOf(movement)}. Both are in the table wallet_service_book. Ask the service which is right.`,
		);
	}
	if (problem)
		return write(
			movement,
			oneLine(`An event cannot be booked: ${kind} ${reference}`),
			`${oneLine(`Event ${key}: ${problem}`)}. It is in the table wallet_service_book without an amount. Look it up at the service, and write the amount into its row, with a minus if the money went out.`,
		);
	const final = known.find((row) => row.reference && row.reference === reference && isFinal(row.status));
	if (isFinal(status) && final && isFailure(final.status) !== isFailure(status))
		return write(
			movement,
			oneLine(`A ${kind} is ${final.status} and ${status}`),
			`${wordsOf(final)}. Now the same ${kind} ${oneLine(reference)} is reported as ${oneLine(status)}. The books keep ${final.status}. Ask the service which is right.`,
		);
	return write(movement);
}

/**
 * An update, with what earlier ones said of the payout and this one does not.
 * @param {Movement} update
 * @param {Movement[]} known
 */
export function filled(update, known) {
	const of = (/** @type {'txHash' | 'fee' | 'feeAsset' | 'sentAmount'} */ name) =>
		known.find((row) => row.reference === update.reference && row[name])?.[name] ?? '';
	return {
		...update,
		...(update.fee ? {} : { fee: of('fee'), feeAsset: of('feeAsset') }),
		txHash: update.txHash || of('txHash'),
		sentAmount: update.sentAmount || of('sentAmount'),
	};
}

/**
 * What an update of a payout means beside the rows of payments. `wait`: its payment may be written in a moment. Until then, it is a
 * row of its own. `booked`: a row has it. `contradicts`: it stays a row of its own, and a person is told.
 * @param {Movement} update
 * @param {{ rows: PaidRow[], withoutId: PaidRow[], known: Movement[], waited: boolean }} book
 *   `rows`: those with its ID. `withoutId`: payments that have no ID. `known`: rows of the book before this update.
 */
export function judge(update, { rows, withoutId, known, waited }) {
	const { key, asset, counterpart, fee, feeAsset, reference, status } = update;
	const sent = update.amount.replace('-', '');
	/** @type {(next: string, subject?: string, text?: string) => Movement & { next: string, subject: string, text: string }} */
	const say = (next, subject = '', text = '') => ({ ...update, next, subject: oneLine(subject), text });
	const updates = known.filter((row) => row.reference === reference && !isPayment(row));
	const isKnown = updates.some((row) => row.key === key);
	const payout = oneLine(`Payout ${reference}: ${sent} ${asset} to ${counterpart}, ${status}`);

	/** @param {PaidRow} row */
	const wrongOf = ({ amount, currency, coin, destination }) => {
		const ordered = String(amount ?? '');
		const code = String(coin || currency || '').toUpperCase();
		const fees = ['0', ...(fee && feeAsset === asset ? [fee, `-${fee}`] : [])];
		const gap = isDecimal(ordered) && isDecimal(sent) ? subtract(ordered, sent) : '';
		return [
			...(sent === '' || (gap && fees.some((some) => isSame(gap, some))) ? [] : [`the amount ${ordered}`]),
			...(code === asset ? [] : [`the coin ${code}`]),
			...(!counterpart || String(destination).trim() === counterpart ? [] : [`the wallet ${destination}`]),
		];
	};

	const other = [...rows, ...updates]
		.map((row) => row.status)
		.find((word) => isFinal(word) && isFinal(status) && isFailure(word) !== isFailure(status));
	const twoWords = () =>
		isKnown
			? say('nothing')
			: say(
					'contradicts',
					`A payout is ${other} and ${status}`,
					`Payout ${oneLine(reference)}${rows.length > 0 ? ` with payment key ${oneLine(rows[0].paymentKey)}` : ''} was reported as ${other}. Now it is reported as ${oneLine(status)}. The table keeps ${other}. Ask the service which is right.`,
				);

	if (rows.length === 0) {
		if (!waited) return say('wait');
		const fits = withoutId.filter(
			(row) => ['unknown', 'paid'].includes(row.result) && wrongOf(row).length === 0,
		);
		const isUnknown = fits.some((row) => row.result === 'unknown');
		const hasFailed = isFailure(status);
		// The first update was told. A later one is told if it takes back what that one said.
		if (updates.length > 0 && (isKnown || other || !hasFailed || !isUnknown))
			return other ? twoWords() : say(isKnown ? 'nothing' : 'booked');
		const keys = fits.map((row) => row.paymentKey).join(', ');
		if (isUnknown)
			return say(
				'tell',
				`A payment that is not known ${hasFailed ? `has ${status}` : 'looks paid'}: ${keys}`,
				`${payout}. No row has this ID. ${fits.length === 1 ? 'One row' : 'One of these rows'} without an answer has this amount, coin and wallet: ${oneLine(keys)}. ${hasFailed ? 'Its money is not gone, or has come back. Compare it in the dashboard before you answer.' : 'Compare it in the dashboard. Then answer that it was paid.'}`,
			);
		if (fits.length > 0) return say('nothing');
		return say(
			'tell',
			`ALARM: a payout that is in no row: ${sent} ${asset} to ${counterpart}`,
			`${payout}. No row of wallet_service_book has this ID. Ask everyone who can pay if they made it. If nobody did, let the service stop it, and change the API key. If n8n stopped while it paid, run your last list again: pay once then writes the row.`,
		);
	}
	const told = updates.some((row) => agree(row, update));
	const wrong = rows.map(wrongOf);
	if (wrong.every((list) => list.length > 0))
		return told
			? say('nothing')
			: say(
					'contradicts',
					`ALARM: a payout is not as ordered: ${rows[0].paymentKey}`,
					`${payout}. Ordered was: ${oneLine(wrong[0].join(', '))}. Its payment key is ${oneLine(rows[0].paymentKey)}. Ask the service at once why it paid something else.`,
				);
	if (other) return twoWords();
	return say(waited && sent ? 'booked' : 'nothing');
}
