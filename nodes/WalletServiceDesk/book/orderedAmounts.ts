/** What was ordered, by an update of the service. */
import { add, canonical, isPlainDecimal, isZero, subtract, withoutSign } from '../../../api/exact/decimal.ts';
import { comparedAlias } from '../../shared/alias.ts';
import type { BookCells } from './row.ts';

/**
 * The amounts that an order may have had whose update this is: as sent, with its fee, and without it. The document does not say which.
 * @param update its amount is a plain decimal
 */
export function orderedAmounts({
	amount,
	asset,
	fee,
	feeAsset,
}: Pick<BookCells, 'amount' | 'asset' | 'fee' | 'feeAsset'>): string[] {
	const sent = withoutSign(amount);
	const isFeeOfSameCoin = isPlainDecimal(fee) && !isZero(fee) && feeAsset === asset;
	return isFeeOfSameCoin ? [sent, add(sent, fee), subtract(sent, fee)] : [sent];
}

/** The same for two orders, or for an order and what came of it, that nothing but an ID tells apart. `amount`: a plain decimal. */
export function nameOfOrder({
	amount,
	asset,
	counterpart,
}: Pick<BookCells, 'amount' | 'asset' | 'counterpart'>): string {
	return JSON.stringify([canonical(withoutSign(amount)), asset, comparedAlias(counterpart)]);
}
