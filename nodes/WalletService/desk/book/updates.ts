/** Updates of payouts in coins beside the payments that they are about. */
import { add, canonical, isPlainDecimal, isZero, subtract } from '../../../../api/decimal.ts';
import type { BookRow } from './bookRow.ts';
import { isUnknown } from './watchedBook.ts';

/** What a payout did that nobody ordered: the words of the order that it contradicts. */
export interface Difference {
	what: 'amount' | 'coin' | 'wallet';
	ordered: string;
}

/** What all updates of a payout say together: the newest word of each column, so that none takes away what another one said. */
export function joined(updates: BookRow[]): BookRow {
	const newestFirst = updates.toSorted((a, b) => (a.time === b.time ? 0 : a.time > b.time ? -1 : 1));
	const first = newestFirst[0]!;
	const columns = Object.keys(first) as Array<keyof BookRow>;
	const wordOf = (column: keyof BookRow) => newestFirst.find((row) => row[column] !== '')?.[column] ?? '';
	return Object.fromEntries(columns.map((column) => [column, wordOf(column)])) as unknown as BookRow;
}

/**
 * In what an update differs from its order. The document does not say whether the amount includes the fee, so all three readings are as
 * ordered. A column that is empty on one side contradicts nothing.
 */
export function differencesOf(update: BookRow, order: BookRow): Difference[] {
	const pairs = [
		{ what: 'amount', ordered: order.amount.replace('-', ''), differs: !isAmountOrdered(update, order) },
		{ what: 'coin', ordered: order.asset, differs: areOther(update.asset, order.asset) },
		{ what: 'wallet', ordered: order.counterpart, differs: areOther(update.counterpart, order.counterpart) },
	] as const;
	return pairs.filter(({ differs }) => differs).map(({ what, ordered }) => ({ what, ordered }));
}

function isAmountOrdered(update: BookRow, { amount }: BookRow): boolean {
	if (!isPlainDecimal(update.amount) || !isPlainDecimal(amount)) return true;
	return amountsOrdered(update).some((possible) => isZero(subtract(possible, amount.replace('-', ''))));
}

function areOther(one: string, other: string): boolean {
	return one !== '' && other !== '' && one.trim() !== other.trim();
}

/** The amounts that an order may have had whose update this is: as sent, with its fee, and without it. */
function amountsOrdered({ amount, asset, fee, feeAsset }: BookRow): string[] {
	const sent = amount.replace('-', '');
	const isFeeOfSameCoin = isPlainDecimal(fee) && !isZero(fee) && feeAsset === asset;
	return isFeeOfSameCoin ? [sent, add(sent, fee), subtract(sent, fee)] : [sent];
}

/** Payments of one amount, coin and wallet that have no ID. */
export interface Waiting {
	/** How many payouts may still be theirs. */
	left: number;
	/** Those of them that wait for the answer of a person. */
	unanswered: BookRow[];
}

/**
 * Payments without an ID of the service, such as those whose answer was lost. A payout that has the amount, coin and wallet of one may be
 * its payout, but each of them is one payout only.
 */
export class PaymentsWithoutId {
	readonly #waiting = new Map<string, Waiting>();

	constructor(payments: BookRow[]) {
		for (const row of payments) {
			if (!isPlainDecimal(row.amount)) continue;
			const name = nameOf(row.amount, row.asset, row.counterpart);
			const waiting = this.#waiting.get(name) ?? { left: 0, unanswered: [] };
			this.#waiting.set(name, waiting);
			waiting.left += 1;
			if (isUnknown(row)) waiting.unanswered.push(row);
		}
	}

	/** The payments of which a payout may be one. Undefined if there are none, or others have taken all of them. */
	take(update: BookRow): Waiting | undefined {
		if (!isPlainDecimal(update.amount)) return undefined;
		const fits = amountsOrdered(update)
			.map((amount) => this.#waiting.get(nameOf(amount, update.asset, update.counterpart)))
			.find((waiting) => waiting !== undefined && waiting.left > 0);
		if (fits !== undefined) fits.left -= 1;
		return fits;
	}
}

function nameOf(amount: string, asset: string, wallet: string): string {
	return JSON.stringify([canonical(amount.replace('-', '')), asset, wallet.trim()]);
}
