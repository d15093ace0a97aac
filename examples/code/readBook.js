import { add, subtract } from './decimal.js';
import { isSame } from './bookEvent.js';
import { isDecimal, negate } from './movement.js';
import { isFailure, isFinal } from './status.js';
import { isPayment } from './payment.js';
import { oneLine } from './text.js';

/** @param {string} amount */
export const isZero = (amount) => !/[1-9]/.test(amount);

/**
 * @template Row
 * @param {Row[]} rows
 * @param {(row: Row) => string} keyOf
 */
const groupsOf = (rows, keyOf) => [...Map.groupBy(rows, keyOf).values()];

/**
 * The update sent what was ordered, with its fee, without it or less it: the document does not say.
 * @param {string} ordered
 * @param {string} sent
 * @param {string} fee
 */
const isSent = (ordered, sent, fee) =>
	[sent, ...(isDecimal(fee) ? [add(sent, fee), subtract(sent, fee)] : [])].some((sum) =>
		isSame(sum, ordered),
	);

/** @param {string} amount */
const plain = (amount) => amount.replace(/^-/, '');

/**
 * What the book says about one asset: what moved its balance, and what may have.
 * @param {ProofInput} input
 * @param {OpenPart[]} parts what the last proof left open
 */
export function readBook({ asset, cutOff, last, rows, settings }, parts) {
	/** @type {Entry[]} */
	const entries = [];
	/** @type {Array<Candidate & { time: string }>} */
	const doubts = [];
	/** @type {Array<{ key: string, amount: string, fee: string }>} */
	const flying = [];
	const iso = (/** @type {string | number} */ time) => new Date(time).toISOString();
	const recent = iso(new Date(cutOff).getTime() - settings.underWayMinutes * 60_000);
	/** @type {(words: string, more: Omit<Candidate, 'words'> & { time: string }) => void} */
	const doubt = (words, more) => doubts.push({ words: oneLine(words), ...more });
	/** @type {(words: string, more: Omit<Entry, 'words' | 'isUnderWay'> & { isUnderWay?: boolean }) => void} */
	const enter = (words, more) =>
		entries.push({ words: oneLine(words), isUnderWay: more.time >= recent, ...more });
	/** @type {(row: BookRow) => boolean} */
	const isOwn = (row) => String(row.asset).toUpperCase() === asset && isDecimal(row.amount);
	/** @type {(row: BookRow) => boolean} */
	const hasFee = (row) => Boolean(row.fee) && row.feeAsset === asset && !isZero(row.fee);

	// Two rows of one key are one payment. But each workflow has its own keys, so those with two IDs are two.
	const payments = groupsOf(rows.filter(isPayment), ({ key }) => key).flatMap((same) => {
		const known = groupsOf(
			same.filter(({ reference }) => reference),
			({ reference }) => reference,
		).map(([row]) => row);
		const having = (/** @type {string} */ word) => same.find(({ result }) => result === word);
		return known.length > 0 ? known : [having('paid') ?? having('unknown') ?? same[0]];
	});
	const events = groupsOf(
		rows.filter((row) => !isPayment(row)),
		({ key }) => key,
	).map(([row]) => ({ ...row, time: iso(row.time ?? row.createdAt) }));
	const updates = events.filter(({ kind, reference }) => kind === 'coin payout' && reference);
	const ids = new Map(payments.map((row) => [row, row.reference]));
	// A payment whose answer was lost has no ID. Its updates have its amount and wallet.
	for (const { reference, asset: coin, amount, fee, counterpart } of updates) {
		if ([...ids.values()].includes(reference) || !isDecimal(amount)) continue;
		const row = payments.find(
			(each) =>
				['unknown', 'paid'].includes(each.result) &&
				!ids.get(each) &&
				each.counterpart === counterpart &&
				String(each.asset).toUpperCase() === coin &&
				isSent(plain(each.amount), plain(amount), fee),
		);
		if (row) ids.set(row, reference);
	}
	const isCoinPayout = (/** @type {BookRow} */ { kind }) => kind === 'coin payout';
	const lastFee = rows.findLast((row) => isCoinPayout(row) && row.fee && row.feeAsset === asset)?.fee ?? '';
	const usualFee = settings.feesOnTop && lastFee && !isZero(lastFee) ? lastFee : '';

	for (const row of payments) {
		const { key, counterpart, result } = row;
		const reference = ids.get(row) ?? '';
		const own = updates.filter((each) => reference && each.reference === reference);
		const reports = [...(row.sentAmount || row.fee ? [row] : []), ...own];
		const fee = (settings.feesOnTop && reports.find(hasFee)?.fee) || '0';
		if (!isOwn(row) && isZero(fee)) continue;
		const amount = isOwn(row) ? plain(row.amount) : '0';
		const time = iso(row.time ?? row.createdAt);
		const words = `${key}, ${amount} ${asset} to ${counterpart}`;
		if (result === 'unknown') {
			const failed = own.map((each) => each.status).find(isFailure) ?? '';
			const id = reference
				? ` (payout ${reference} has its amount and wallet${failed && `, and is ${failed}`})`
				: '';
			doubt(`${words}${id}, has no answer`, {
				...{ key, time, amount: negate(add(amount, fee)), type: 'waits', fee, isNamed: Boolean(reference) },
				hasFailed: failed !== '',
			});
			if (isCoinPayout(row) && isZero(fee) && usualFee)
				doubt(`the fee of ${words}, is ${usualFee} ${asset} as the last one`, {
					...{ key: `fee:${key}`, time, amount: negate(usualFee), type: 'none', isUnderWay: true },
				});
		}
		if (result !== 'paid') continue;
		// When the news came is not known to the second. So what a proof has counted is remembered.
		const before = parts.find((each) => each.key === key && each.fee !== undefined);
		const isOpen = !last || time > last.time || before !== undefined;
		const news = [row, ...own].map((each) => iso(each.updatedAt ?? each.time ?? time)).sort();
		const changed = news.at(-1) ?? time;
		const status = [row, ...own].map((each) => each.status).find(isFinal) ?? row.status ?? '';
		const isFailed = isFailure(status);
		const unreported =
			isCoinPayout(row) && isOwn(row) && usualFee && !isFailed && isZero(fee) ? negate(usualFee) : '0';
		const common = {
			...{ counterpart, reference, status },
			txHash: reports.map(({ txHash }) => txHash).find(Boolean) ?? '',
		};
		if (isOwn(row))
			enter(words, {
				...{ ...common, key, time, kind: 'payout', amount: negate(amount), unreported },
				isUnderWay: time >= recent || (isCoinPayout(row) && !isFinal(status)),
			});
		if (unreported !== '0')
			doubt(`${words}, has a fee that is not reported yet, ${usualFee} ${asset} as the last one`, {
				...{ key: `fee:${reference}`, time, amount: unreported, type: 'early', isUnderWay: true },
			});
		const counted = before?.fee ?? '0';
		// A payout that failed before its fee was counted has none.
		const taken = isFailed ? counted : fee;
		if (isOpen && !isSame(taken, counted))
			enter(`the fee of payout ${reference}, ${fee} ${asset}`, {
				...{ ...common, key: `fee:${reference}`, time: changed, kind: 'fee' },
				amount: negate(subtract(taken, counted)),
			});
		// Rows without news are not read for ever, so the last proof may not have known this one.
		if (!isOpen && !isFailed && !isZero(fee))
			doubt(`the fee of payout ${reference}, ${fee} ${asset}`, {
				...{ key: `fee:${reference}`, time: changed, amount: negate(fee) },
			});
		if (isCoinPayout(row) && (!isFinal(status) || (isOpen && changed > cutOff)))
			flying.push({ key, amount, fee: changed > cutOff ? counted : taken });
		if (isFailed && isOwn(row)) {
			const back = add(amount, taken);
			if (isOpen && reports.length > 0)
				enter(`payout ${reference} is ${status}, ${back} ${asset} come back`, {
					...{ ...common, key: `back:${reference}`, time: changed, kind: 'payout back', amount: back },
				});
			else
				doubt(`${words}, is ${status}, and its amount came back`, {
					...{ key: `back:${key}`, time: changed, amount },
				});
			if (!isSame(fee, taken))
				doubt(`the fee of payout ${reference}, ${fee} ${asset}, came back`, {
					...{ key: `back:fee:${reference}`, time: changed, amount: fee },
				});
		}
		const other = own.find((each) => isFinal(each.status) && isFailure(each.status) !== isFailed);
		if (other && isOwn(row))
			doubt(`payout ${reference} is ${status} and ${other.status}`, {
				...{ key: `other:${reference}`, time: other.time },
				amount: isFailed ? negate(add(amount, fee)) : add(amount, fee),
			});
		const sent = reports.map((each) => each.sentAmount).find(isDecimal);
		if (sent && isOwn(row) && !isSame(amount, sent))
			doubt(`payout ${reference} sent ${sent} in place of ${amount}`, {
				...{ key: `sent:${reference}`, time: changed, amount: subtract(amount, sent) },
			});
	}

	const known = new Set(ids.values());
	for (const same of groupsOf(
		events.filter(({ kind, reference }) => kind === 'coin payout' && !(reference && known.has(reference))),
		({ key, reference }) => reference || key,
	)) {
		const [{ key, reference, counterpart, time }] = same;
		const sent = same.find(isOwn)?.amount ?? '0';
		const fee = (settings.feesOnTop && same.find(hasFee)?.fee) || '0';
		const status = same.map((each) => each.status).find(isFinal);
		if (!isFailure(status) && (!isZero(fee) || same.some(isOwn)))
			doubt(
				`payout ${reference || 'without an ID'}, ${plain(sent)} ${asset} to ${counterpart}, is in no row of payments`,
				{
					...{ key: `payout:${reference || key}`, time, amount: subtract(sent, fee), type: 'none' },
				},
			);
	}

	const others = events.filter(({ kind, result }) => !/payout$/.test(kind) && result !== 'notSent');
	for (const same of groupsOf(others, (row) => `${row.kind}:${row.reference || row.key}`)) {
		const first = same.find((row) => isFinal(row.status)) ?? same[0];
		const { kind, reference, counterpart, status, txHash, time } = first;
		const own = same.filter(isOwn);
		const row = own.find((each) => each === first) ?? own[0];
		const unread = row || isFailure(status) ? undefined : same.find((each) => each.asset === asset);
		if (unread)
			doubt(`${kind} ${reference}, ${counterpart}, has the status ${status}, and its amount is not known`, {
				...{ key: unread.key, time: unread.time, amount: '0', type: 'unread' },
			});
		if (!row) continue;
		const { key, amount } = row;
		const words = `${kind} ${reference}, ${first.amount} ${first.asset}, ${counterpart}`;
		const isBooked = status === 'successful';
		if (isBooked) enter(words, { kind, counterpart, reference, status, txHash, key, time, amount });
		else if (!isFailure(status))
			doubt(`${words}, has the status ${status || 'that is empty'}, and moved the balance`, {
				...{ key, time, amount, type: 'early' },
			});
		for (const each of own)
			if (each.status === row.status && !isSame(each.amount, amount))
				doubt(`${words}, came again as ${each.amount}`, {
					...{ key: each.key, time: each.time },
					amount: subtract(each.amount, isBooked ? amount : '0'),
				});
		const other = same.find((each) => isFinal(each.status) && isFailure(each.status) !== isFailure(status));
		if (other && isFinal(status))
			doubt(`${words}, is ${status} and ${other.status}`, {
				...{ key: `other:${key}`, time: other.time, amount: isBooked ? negate(amount) : amount },
			});
		if (isBooked && hasFee(row))
			doubt(`${words}, had a fee of ${row.fee} ${asset}`, {
				...{ key: `fee:${reference}`, time, amount: negate(row.fee) },
			});
	}
	return { entries, doubts, flying };
}
