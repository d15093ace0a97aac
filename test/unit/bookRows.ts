/** Rows of the book as the Data Table holds them, for tests of those who read it. Times are minutes after day 0, 1 January 2026, 06:00 UTC. */
import type { IDataObject } from 'n8n-workflow';

import { readRows, rowToInsert } from '../../nodes/WalletServiceDesk/book/row.ts';
import type { BookCells, BookRow } from '../../nodes/WalletServiceDesk/book/row.ts';

export const DAY = 24 * 60;
const START = Date.UTC(2026, 0, 1, 6);

export const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
/** So many days after day 0, and minutes after that. */
export const day = (days: number, minutes = 0): string => at(days * DAY + minutes);

export type Cells = Partial<BookCells>;

/** A row that an execution of the one workflow has written. */
export const row = (cells: Cells): IDataObject => ({
	...rowToInsert({ workflow: 'wf1 pay once', execution: '1', ...cells }),
});

/** A row that a person has written. */
export const typed = (cells: Cells): IDataObject => ({ ...rowToInsert(cells) });

/** A fiat payout with its two rows: before it was sent, and with its result a minute later. */
export const payout = (key: string, amount: string, time: string, cells: Cells = {}): IDataObject[] => {
	const ordered = { kind: 'fiat payout', asset: 'NGN', counterpart: 'supplier-main', ...cells };
	const common = { ...ordered, key, amount: `-${amount}` };
	const later = new Date(Date.parse(time) + 60_000).toISOString();
	return [
		row({ ...common, reference: '', fee: '', status: '', time, result: 'under way' }),
		row({
			reference: `po_${key}`,
			status: 'pending',
			...common,
			time: later,
			result: cells.result ?? 'paid',
		}),
	];
};

export const COINS = { kind: 'crypto payout', asset: 'USDT', counterpart: 'treasury' };
export const cryptoPayout = (key: string, amount: string, time: string, cells: Cells = {}) =>
	payout(key, amount, time, { ...COINS, ...cells });

/** What the service tells of a crypto payout: successful, with a fee of 1. */
export const update = (reference: string, amount: string, time: string, cells: Cells = {}): IDataObject =>
	row({
		...COINS,
		key: `crypto_payout_update:${reference}:${cells.status ?? 'successful'}`,
		reference,
		amount: `-${amount}`,
		time,
		status: 'successful',
		fee: '1',
		feeAsset: 'USDT',
		workflow: 'wf2 book an event',
		execution: `e${time}`,
		...cells,
	});

export const deposit = (id: string, amount: string, time: string, cells: Cells = {}): IDataObject =>
	row({
		key: `virtual_account_credited:${id}:${cells.status ?? 'successful'}`,
		reference: id,
		amount,
		time,
		kind: 'deposit',
		asset: 'NGN',
		counterpart: 'Ada Obi to customer-0042',
		status: 'successful',
		workflow: 'wf2 book an event',
		execution: `e${time}`,
		...cells,
	});

export const opening = (asset: string, amount: string, time = day(0), cells: Cells = {}): IDataObject =>
	row({ key: `opening ${asset}`, kind: 'opening', time, asset, amount, workflow: 'wf3 reconcile', ...cells });

export const correction = (asset: string, amount: string, time: string, reference = ''): IDataObject =>
	typed({ key: `correction ${time}`, kind: 'correction', asset, amount, time, reference });

export const read = (items: readonly IDataObject[]): BookRow[] => readRows(items).rows;
