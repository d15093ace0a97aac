/** Rows of the book, as the contract has them. They are written here a second time, so that tests can compare what the package writes. */
const COLUMNS = [
	'key',
	'kind',
	'time',
	'asset',
	'amount',
	'counterpart',
	'details',
	'reference',
	'result',
	'status',
	'txHash',
	'fee',
	'feeAsset',
	'message',
	'workflow',
	'execution',
	'approvedBy',
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
	virtual_account_credited: 'deposit',
	crypto_received: 'crypto deposit',
	crypto_payout_update: 'crypto payout',
	admin_funding: 'admin',
};

/** The rows of an item, or that of the cells that a person types. */
export function rowsOf(item: Item, writer: Writer, now: string): Row[] {
	if (writer === PERSON) return [{ ...EMPTY, time: now, ...item }];
	const rows =
		item.event !== undefined
			? [ofEvent(item)]
			: item.from !== undefined
				? ofConversion(item)
				: [ofPayment(item)];
	return rows.map((row) => ({ ...EMPTY, time: now, ...writer, ...row }));
}

function ofPayment({ paymentKey, amount, currency, coin, ...item }: Item): Row {
	return {
		key: paymentKey!,
		kind: coin === undefined ? 'fiat payout' : 'crypto payout',
		asset: coin ?? currency!,
		amount: `-${amount}`,
		counterpart: item.destination ?? item.accountAlias ?? item.walletAlias!,
		reference: item.payoutId ?? '',
		result: item.result ?? 'under way',
		status: item.status ?? '',
		approvedBy: item.approvedBy!,
	};
}

/** One row for each side. */
function ofConversion(item: Item): Row[] {
	const { paymentKey: key, contractId: counterpart, transactionId: reference, result, status } = item;
	const row = { key, kind: 'conversion', counterpart, reference, result, status } as Row;
	return [
		{ ...row, asset: item.from!, amount: `-${item.fromAmount}` },
		{ ...row, asset: item.to!, amount: item.toAmount! },
	];
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
		counterpart: item.walletAlias ?? item.accountAlias ?? '',
		details: item.assetClass ?? '',
		reference: item.id!,
		status: item.status!,
		fee: item.fee ?? '',
		feeAsset: item.feeCoin ?? '',
	};
}
