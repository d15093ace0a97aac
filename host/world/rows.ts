/** Rows of the book, as the contract has them. They are written here a second time, so that tests can compare what the package writes. */
import { textOf, type Asset } from './money.ts';

const COLUMNS = [
	...['key', 'kind', 'time', 'asset', 'amount', 'counterpart', 'details', 'reference', 'result', 'status'],
	...['txHash', 'fee', 'feeAsset', 'message', 'workflow', 'execution', 'approvedBy'],
] as const;

/** All columns are text. */
export type Row = Record<string, string>;

const EMPTY: Row = Object.fromEntries(COLUMNS.map((column) => [column, '']));

/** An execution of a workflow; empty if a person writes the row. */
export interface Writer {
	workflow: string;
	execution: string;
}

export const PERSON: Writer = { workflow: '', execution: '' };

/** What the book is told: an item of the trigger, of a list or of a payment, or a row that a person types. */
export type Item = Record<string, string>;

const KINDS: Record<string, string> = {
	...{ virtual_account_credited: 'deposit', crypto_received: 'crypto deposit' },
	...{ crypto_payout_update: 'crypto payout', admin_funding: 'admin' },
};

/** The row of an item, or of the cells that a person types. */
export function rowOf(item: Item, writer: Writer, now: string): Row {
	if (writer === PERSON) return { ...EMPTY, time: now, ...item };
	const row = { ...EMPTY, time: now, ...writer };
	return item.event === undefined ? { ...row, ...ofPayment(item) } : { ...row, ...ofEvent(item) };
}

function ofPayment({ paymentKey, amount, currency, coin, approvedBy = '', ...item }: Item): Row {
	return {
		key: paymentKey!,
		kind: coin === undefined ? 'fiat payout' : 'crypto payout',
		asset: coin ?? currency!,
		amount: `-${amount}`,
		counterpart: item.destination ?? item.accountAlias ?? item.walletAlias!,
		reference: item.payoutId ?? '',
		result: item.result ?? 'under way',
		status: item.status ?? '',
		approvedBy,
	};
}

function ofEvent(item: Item): Row {
	const kind = KINDS[item.event!]!;
	const isOut = kind === 'crypto payout' || item.direction === 'debit';
	return {
		key: item.deliveryKey!,
		kind: kind === 'admin' ? `admin ${item.direction}` : kind,
		time: item.receivedAt!,
		asset: (item.coin ?? item.currency ?? item.asset)!,
		amount: `${isOut ? '-' : ''}${item.amount}`,
		counterpart: item.walletAlias ?? item.accountAlias ?? 'an administrator',
		reference: item.id!,
		status: item.status!,
		fee: item.fee ?? '',
		feeAsset: item.feeCoin ?? '',
	};
}

/** One side of a conversion. */
export function conversionRows(key: string, id: string, sides: Array<[Asset, bigint]>, writer: Writer, now: string) {
	return sides.map(([asset, units]) => ({
		...{ ...EMPTY, key, kind: 'conversion', time: now, asset, amount: textOf(units, asset) },
		...{ reference: id, result: 'paid', status: 'successful', ...writer },
	}));
}
