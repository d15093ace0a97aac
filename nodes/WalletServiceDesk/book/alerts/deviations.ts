/** Updates of crypto payouts beside what was ordered. */
import { isZero, subtract, withoutSign } from '../../../../api/exact/decimal.ts';
import { isSameAlias } from '../../../shared/alias.ts';
import { orderedAmounts } from '../orderedAmounts.ts';
import type { Movement } from '../payments.ts';
import type { BookRow } from '../row.ts';

/** In what an update contradicts its order. */
export interface Deviation {
	what: 'amount' | 'coin' | 'wallet';
	ordered: string;
	update: BookRow;
}

/**
 * In what the first update that is not as ordered differs from its order. The document does not say whether the amount includes the fee,
 * so all three readings are as ordered. A cell that is empty on one side contradicts nothing, and neither does the alias of a wallet that
 * was ordered by its address.
 */
export function deviationsOf({ rows, updates, amount, asset, counterpart }: Movement): Deviation[] {
	if (updates.length === rows.length) return [];
	const deviations = updates.map((update): Deviation[] => {
		const pairs = [
			{ what: 'amount', ordered: withoutSign(amount), differs: !isAmountOrdered(update, amount) },
			{ what: 'coin', ordered: asset, differs: areOther(update.asset, asset) },
			{
				what: 'wallet',
				ordered: counterpart,
				differs: !isAddress(counterpart) && areOther(update.counterpart, counterpart),
			},
		] as const;
		return pairs.filter(({ differs }) => differs).map(({ what, ordered }) => ({ what, ordered, update }));
	});
	return deviations.find(({ length }) => length > 0) ?? [];
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
