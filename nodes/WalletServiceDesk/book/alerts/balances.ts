/** Balances that are too low, or that nobody can read. */
import { compare } from '../../../../api/exact/decimal.ts';
import { shortLine } from '../../../shared/text.ts';
import { readableBalance } from '../../values/asset.ts';
import type { Balance } from '../../values/asset.ts';
import { BALANCE } from './messages.ts';
import type { Alert } from './messages.ts';

/** The balance of an asset that a person wants to have at least. */
export interface Minimum {
	/** In capitals. */
	code: string;
	/** Decimal text. */
	minimum: string;
}

/** A balance is low below its minimum, not at it. One that cannot be read is an alert, and never taken to be enough. */
export function balanceAlerts(balances: readonly Balance[], minimums: readonly Minimum[]): Alert[] {
	const balanceOf = new Map(balances.map((balance) => [balance.code, balance]));
	return minimums.flatMap(({ code: asset, minimum }) => {
		const [code, found] = [shortLine(asset), balanceOf.get(asset)];
		if (found === undefined) return [BALANCE.unreadable({ code, reason: BALANCE.notAsked() })];
		if ('problem' in found) return [BALANCE.unreadable({ code, reason: found.problem })];
		const balance = readableBalance(found);
		if (balance === undefined) return [BALANCE.unreadable({ code, reason: found.balance })];
		return compare(balance, minimum) < 0 ? [BALANCE.low({ code, balance, minimum })] : [];
	});
}
