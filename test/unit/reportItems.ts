/** Items for Payout List: Report, and what the report says of them. */
import type { IDataObject } from 'n8n-workflow';

import type { Balance } from '../../nodes/WalletServiceDesk/values/asset.ts';
import { reportList } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';
import type { ListReport } from '../../nodes/WalletServiceDesk/list/report/reportList.ts';

/** A row as Read gives it. Row 2 of the file is the first payment. */
export const row = (number: number, more: IDataObject = {}): IDataObject => ({
	row: number,
	line: number,
	paymentKey: `INV-${number}`,
	amount: '5',
	currency: 'NGN',
	destination: 'supplier-main',
	note: '',
	again: false,
	problems: [],
	...more,
});

/** The result of a payment, as the money operations give it. */
export const result = (word: string, more: IDataObject = {}): IDataObject => ({
	result: word,
	paymentKey: 'INV-1',
	amount: '5',
	currency: 'NGN',
	accountAlias: 'supplier-main',
	...more,
});

/** A row and its result in one item, as n8n's Merge makes it. */
export const merged = (number: number, word: string, more: IDataObject = {}): IDataObject => ({
	...row(number),
	result: word,
	accountAlias: 'supplier-main',
	...more,
});

export const failure = (issue: { message: string; description: string }, outcome = 'notSent') => ({
	error: { ...issue, outcome },
});

export const NGN: Balance = { code: 'NGN', isFiat: true, balance: '700' };
/** When the report is made: 16:59 in Lagos. */
export const AT = { now: '2026-11-27T15:59:00.000Z', timeZone: 'Africa/Lagos' };
export const report = (items: IDataObject[], balances: Balance[] = [NGN]) =>
	reportList({ items, balances, ...AT });

/** The lines of the text, without the list of the payments. */
export function said({ text }: ListReport): string[] {
	const lines = text.split('\n').filter((line) => line !== '');
	return lines.slice(
		0,
		lines.findIndex((line) => /^Payouts: \d/.test(line)),
	);
}
