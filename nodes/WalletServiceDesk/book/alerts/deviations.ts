/** Updates of crypto payouts beside what was ordered. */
import { isZero, subtract, withoutSign } from '../../../../api/exact/decimal.ts';
import { isSameAlias } from '../../../shared/alias.ts';
import { orderedAmounts } from '../orderedAmounts.ts';
import type { Movement } from '../movement.ts';
import type { BookRow } from '../row.ts';

/** In what an update contradicts its order. */
export interface Deviation {
	what: 'amount' | 'coin' | 'wallet';
	ordered: string;
}

/** Updates that are not as ordered, and in what the first of them differs. */
export interface NotAsOrdered {
	updates: BookRow[];
	deviations: Deviation[];
}

/**
 * The updates of a payout that differ from its order; undefined if none does. The document does not say whether the amount includes the
 * fee, so all three readings are as ordered. A cell that is empty on one side contradicts nothing, and neither does the alias of a wallet
 * that was ordered by its address.
 */
export function notAsOrderedIn(movement: Movement): NotAsOrdered | undefined {
	const { rows, updates } = movement;
	if (updates.length === rows.length) return undefined;
	const others = updates.filter((update) => deviationsOf(update, movement).length > 0);
	const [first] = others;
	return first && { updates: others, deviations: deviationsOf(first, movement) };
}

function deviationsOf(
	update: BookRow,
	{ amount, asset, counterpart }: Pick<Movement, 'amount' | 'asset' | 'counterpart'>,
): Deviation[] {
	const isOtherWallet = !isAddress(counterpart) && areOther(update.counterpart, counterpart);
	const pairs = [
		{ what: 'amount', ordered: withoutSign(amount), differs: !isAmountOrdered(update, amount) },
		{ what: 'coin', ordered: asset, differs: areOther(update.asset, asset) },
		{ what: 'wallet', ordered: counterpart, differs: isOtherWallet },
	] as const;
	return pairs.filter(({ differs }) => differs).map(({ what, ordered }) => ({ what, ordered }));
}

function isAmountOrdered(update: BookRow, amount: string): boolean {
	if (update.amount === '' || amount === '') return true;
	return orderedAmounts(update).some((possible) => isZero(subtract(possible, withoutSign(amount))));
}

function areOther(one: string, other: string): boolean {
	return one !== '' && other !== '' && !isSameAlias(one, other);
}

/** No alias has so many letters and digits in a row. */
function isAddress(text: string): boolean {
	return /^(?=.*\d)(?=.*[a-z])(?:\w{2,12}:)?[a-z\d]{25,}$/i.test(text);
}
