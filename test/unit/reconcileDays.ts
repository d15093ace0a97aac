/** Mornings that reconcile a growing book, for tests of nodes/WalletServiceDesk/book/reconcile. */
import type { IDataObject } from 'n8n-workflow';

import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import { readRows } from '../../nodes/WalletServiceDesk/book/row.ts';
import { assetsOf } from '../../nodes/WalletServiceDesk/book/reconcile/assets.ts';
import { reconcile } from '../../nodes/WalletServiceDesk/book/reconcile/reconcile.ts';
import type {
	ReconciledBalance,
	Reconciliation,
} from '../../nodes/WalletServiceDesk/book/reconcile/reconcile.ts';
import type { Asset, Balance } from '../../nodes/WalletServiceDesk/values/asset.ts';
import { day } from './bookRows.ts';

export interface Settings {
	assets?: Asset[];
	/** By code. */
	feeOfPayout?: Record<string, string>;
	feesOnTop?: boolean;
	moveOpening?: boolean;
	timeZone?: string;
}

/** What the operation does with these rows and balances, the balances as text by code. */
export function reconciled(
	items: readonly IDataObject[],
	balances: Readonly<Record<string, string>>,
	now: string,
	settings: Settings = {},
): Reconciliation {
	const { feeOfPayout = {}, feesOnTop = true, moveOpening = false, timeZone = 'UTC' } = settings;
	const book = readRows(items);
	const folded = fold(book.rows, now);
	const assets = assetsOf(folded, settings.assets ?? []);
	const read = assets.assets.map((asset): Balance => {
		const balance = balances[asset.code];
		return balance === undefined ? { ...asset, problem: 'Nobody answers.' } : { ...asset, balance };
	});
	return reconcile({
		book,
		folded,
		assets,
		balances: read,
		now,
		timeZone,
		settings: { feesOnTop, moveOpening, feeOfPayout: new Map(Object.entries(feeOfPayout)) },
		writer: { workflow: 'wf3 reconcile', execution: '900' },
	});
}

/** A morning: rows that came since the one before, and the balance that is read at its time. */
export interface Morning {
	rows?: Array<IDataObject | IDataObject[]>;
	balance: string;
	/** Day 1 at 06:00, day 2 and so on, if it is left out. */
	time?: string;
}

/** Reconciles one asset each morning. What a morning inserts is in the book of the next one. */
export function mornings(
	asset: string,
	before: readonly IDataObject[],
	days: readonly Morning[],
	settings: Settings = {},
): Array<Reconciliation & { told: ReconciledBalance }> {
	const book = [...before];
	return days.map(({ rows = [], balance, time }, index) => {
		book.push(...rows.flat());
		const report = reconciled(book, { [asset]: balance }, time ?? day(index + 1), settings);
		book.push(...report.rows.map((row) => ({ ...row })));
		return { ...report, told: report.balances.find((each) => each.asset === asset)! };
	});
}
