/** How many people must say yes to a list: a second one if it is large, or if a row says so. */
import type { IDataObject } from 'n8n-workflow';

import { compare } from '../../../../api/exact/decimal.ts';
import { addAmount } from '../../../shared/sums.ts';
import { isThere } from '../../values/itemValues.ts';
import { amountsByCode } from '../../operation/amountsByCode.ts';
import { SECOND_APPROVAL } from './messages.ts';
import { hasAmount } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';

/** The sums by code, above which it needs one. Undefined: the option is not set. Throws DeskProblem for what cannot be read. */
export function readSums(option: unknown): Map<string, string> | undefined {
	if (option === undefined) return undefined;
	const sums = amountsByCode(option, 'sum', SECOND_APPROVAL);
	return new Map(sums.map(({ code, amount }) => [code, amount]));
}

export const MOST_APPROVALS = 2;

/** Whether one of these rows wants two people. It never wants fewer: what is neither empty nor 1 is two. */
export function wantsSecond(items: readonly IDataObject[]): boolean {
	return items.some(
		({ approvalsNeeded: needed }) => isThere(needed) && !['', '1'].includes(String(needed).trim()),
	);
}

/** Of what is left to pay, beside what went out today. What cannot be added up, and a code without a sum, needs it. */
export function needsSecondApproval(
	rows: readonly ReportRow[],
	sums: Map<string, string> | undefined,
	today: ReadonlyMap<string, string> = new Map(),
): boolean {
	if (sums === undefined) return false;
	const totals = new Map<string, string>();
	for (const row of rows) {
		if (row.result === 'alreadyPaid') continue;
		const asset = assetOf(row);
		if (asset === undefined || !hasAmount(row) || row.amount.startsWith('-')) return true;
		if (!totals.has(asset.code)) totals.set(asset.code, today.get(asset.code) ?? '0');
		addAmount(totals, asset.code, row.amount);
	}
	return [...totals].some(([code, total]) => {
		const sum = sums.get(code);
		return sum === undefined || compare(total, sum) > 0;
	});
}
