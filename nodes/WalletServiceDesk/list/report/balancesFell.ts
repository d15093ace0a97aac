/** Whether the money of an unknown payment may have moved, by the balances before and after. It never says that one was not made. */
import { compare, isZero, subtract } from '../../../../api/exact/decimal.ts';
import { shortLine } from '../../../shared/text.ts';
import { UNKNOWN } from './messages.ts';
import { hasAmount } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';
import type { Total } from './totals.ts';

/** A sentence for each currency and coin with unknown payments whose balance fell by more than was paid. `totals`: what was paid. */
export function balancesFell(rows: readonly ReportRow[], totals: readonly Total[]): string[] {
	const unknown = rows.filter((row) => row.result === 'unknown' && hasAmount(row));
	return totals.flatMap((total) => {
		const { code, balance } = total;
		const isOf = (row: ReportRow) => {
			const asset = assetOf(row);
			return asset?.code === code && asset.isFiat === total.isFiat;
		};
		const open = unknown.filter(isOf);
		const before = rows.find((row) => isOf(row) && row.balanceBefore !== undefined)?.balanceBefore;
		if (open.length === 0 || before === undefined || balance === undefined) return [];
		const more = subtract(subtract(before, balance), total.total);
		if (isZero(more) || more.startsWith('-')) return [];
		const fell = UNKNOWN.balanceFell({ code, amount: more });
		const exact = open.filter(({ amount }) => compare(amount, more) === 0);
		const likely = exact.length > 0 ? exact : open.filter(({ amount }) => compare(amount, more) <= 0);
		if (likely.length === 0) return [UNKNOWN.otherMoves(fell)];
		const names = likely.map(({ paymentKey, destination }) => shortLine(paymentKey || destination));
		return [UNKNOWN.lookFirst({ fell, names })];
	});
}
