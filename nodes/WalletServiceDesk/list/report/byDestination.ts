/** What each destination of a long list gets. */
import { comparedAlias } from '../../../shared/alias.ts';
import { shortLine } from '../../../shared/text.ts';
import { moneyOf } from '../../values/money.ts';
import { PAGE } from './messages.ts';
import { hasAmount } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf, totalsOf } from './totals.ts';
import type { Total } from './totals.ts';

/** A line for each destination, in the order of the list: `supplier-main: 18 payouts, 18,001.80 NGN`. */
export function byDestination(rows: readonly ReportRow[]): string[] {
	const groups = Map.groupBy(rows, ({ destination }) => comparedAlias(destination));
	return [...groups.values()].map((group) =>
		PAGE.inDestination({
			destination: shortLine(group[0]?.destination ?? '', 80) || '?',
			count: group.length,
			sums: sumsOf(group),
		}),
	);
}

function sumsOf(rows: readonly ReportRow[]): string {
	const areRead = rows.every((row) => hasAmount(row) && assetOf(row) !== undefined);
	return areRead ? sumsInWords(totalsOf(rows, () => true)) : PAGE.anAmountCannotBeRead();
}

/** `1,320.50 NGN, 5 USDT`. '' if nothing has been counted. */
export function sumsInWords(totals: readonly Total[]): string {
	const counted = totals.filter(({ count }) => count > 0);
	return counted.map(({ code, total }) => moneyOf(total, code)).join(', ');
}
