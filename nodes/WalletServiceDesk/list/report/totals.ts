/** What a list needs of each currency and coin, beside what the account has. Exact decimal text: numbers would lose digits. */
import type { IDataObject } from 'n8n-workflow';

import { add, compare } from '../../../../api/exact/decimal.ts';
import { isAssetCode, readableBalance } from '../../values/asset.ts';
import type { Asset, Balance } from '../../values/asset.ts';
import { TOTAL } from './messages.ts';
import { hasAmount, readReportItem } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';

export interface Total extends Asset {
	/** Payments of which the amount can be read. */
	count: number;
	/** Exact decimal text. */
	total: string;
	/** Exact decimal text. Absent if it cannot be read. */
	balance?: string;
	/** Whether the balance is at least the total. Absent if that is not known, or is no question any more. */
	isEnough?: boolean;
}

/** A balance costs a request, and no list of people has so many. */
const MOST_ASSETS = 50;

/** The currencies and coins of a list whose balance Report needs, each once, in the order of the list. At most 50. */
export function assetsOfList(items: readonly IDataObject[]): Asset[] {
	const assets = new Map<string, Asset>();
	for (const item of items) {
		const asset = assetOf(readReportItem(item).row);
		if (asset !== undefined && assets.size < MOST_ASSETS) assets.set(nameOf(asset), asset);
	}
	return [...assets.values()];
}

/** What a payment is made in. Undefined if the row names no currency and no coin, or both, or something that is no code. */
export function assetOf({ currency, coin }: ReportRow): Asset | undefined {
	if (currency !== undefined && coin !== undefined) return undefined;
	const asset = { code: currency ?? coin ?? '', isFiat: currency !== undefined };
	return isAssetCode(asset) ? asset : undefined;
}

/** A total for each currency and coin of the rows, in their order. Rows that are not `counted` add nothing. */
export function totalsOf(rows: readonly ReportRow[], isCounted: (row: ReportRow) => boolean): Total[] {
	const totals = new Map<string, Total>();
	for (const row of rows) {
		const asset = assetOf(row);
		if (asset === undefined) continue;
		const total = totals.get(nameOf(asset)) ?? { ...asset, count: 0, total: '0' };
		totals.set(nameOf(asset), total);
		if (!isCounted(row) || !hasAmount(row)) continue;
		total.count += 1;
		total.total = add(total.total, row.amount);
	}
	return [...totals.values()];
}

/** The totals, each with its balance if that was read. */
export function withBalances(totals: readonly Total[], balances: readonly Balance[]): Total[] {
	const read = byName(balances);
	return totals.map((total) => {
		const balance = read.get(nameOf(total));
		return balance === undefined ? total : { ...total, balance };
	});
}

/** Rows before their payments, each with the balance that was read now: the report of the results compares with it. */
export function withBalanceBefore(rows: readonly ReportRow[], balances: readonly Balance[]): ReportRow[] {
	const read = byName(balances);
	return rows.map((row) => {
		const asset = assetOf(row);
		const { balanceBefore, ...others } = { ...row, balanceBefore: asset && read.get(nameOf(asset)) };
		return balanceBefore === undefined ? others : { ...others, balanceBefore };
	});
}

function byName(balances: readonly Balance[]): Map<string, string | undefined> {
	return new Map(balances.map((balance) => [nameOf(balance), readableBalance(balance)]));
}

/** Before anything is paid: the totals, each with whether its balance is enough. */
export function comparedWithBalances(totals: readonly Total[]): Total[] {
	return totals.map((total) =>
		total.balance === undefined ? total : { ...total, isEnough: compare(total.balance, total.total) >= 0 },
	);
}

/** Why a list cannot be paid from the balances. A list of which nothing is left to pay needs none. */
export function problemsOfTotals(totals: readonly Total[], balances: readonly Balance[]): string[] {
	const reasons = new Map(balances.map((balance) => [nameOf(balance), reasonOf(balance)]));
	return totals.flatMap((each) => {
		const { code, count, total, balance, isEnough } = each;
		if (count === 0 || isEnough === true) return [];
		if (balance === undefined)
			return [TOTAL.isNotCompared({ code, reason: reasons.get(nameOf(each)) ?? '' })];
		return [TOTAL.isNotEnough({ code, total })];
	});
}

/** A currency and a coin may have one name, and the service may write a code in small letters. */
function nameOf({ code, isFiat }: Asset): string {
	return `${isFiat ? 'currency' : 'coin'} ${code.trim().toUpperCase()}`;
}

function reasonOf(balance: Balance): string {
	return 'problem' in balance ? balance.problem : TOTAL.isNoDecimal();
}
