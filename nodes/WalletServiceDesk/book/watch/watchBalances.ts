/** Balances that are too low, or that nobody can read. */
import { compare, isPlainDecimal } from '../../../../api/exact/decimal.ts';
import type { Balance } from '../../values/asset.ts';
import { shortLine } from '../../../shared/text.ts';
import { BALANCE } from './messages.ts';
import type { Matter } from './messages.ts';

/** The balance of an asset that a person wants to have at least. */
export interface Minimum {
	code: string;
	/** Decimal text. */
	minimum: string;
}

/** A balance is low below its minimum, not at it. What cannot be read is told, and never taken to be enough. */
export function watchBalances(balances: Balance[], minimums: Minimum[]): Matter[] {
	const minimumOf = new Map(minimums.map(({ code, minimum }) => [codeOf(code), minimum]));
	const read = new Set(balances.map(({ code }) => codeOf(code)));
	const notRead = [...minimumOf.keys()].filter((code) => !read.has(code));
	return [
		...balances.flatMap((balance) => matterOf(balance, minimumOf.get(codeOf(balance.code)))),
		...notRead.map((code) => BALANCE.unreadable({ code, reason: BALANCE.notAsked() })),
	];
}

function matterOf(balance: Balance, minimum: string | undefined): Matter[] {
	const code = codeOf(balance.code);
	if ('problem' in balance) return [BALANCE.unreadable({ code, reason: balance.problem })];
	if (!isPlainDecimal(balance.balance)) return [BALANCE.unreadable({ code, reason: balance.balance })];
	if (minimum === undefined) return [];
	if (!isPlainDecimal(minimum)) return [BALANCE.minimumUnreadable({ code, minimum })];
	const isLow = compare(balance.balance, minimum) < 0;
	return isLow ? [BALANCE.low({ code, balance: balance.balance, minimum })] : [];
}

function codeOf(code: string): string {
	return shortLine(code).toUpperCase();
}
