/** The operations over the book, as the editor offers them. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { differentNames } from '../shared/approvers.ts';
import { amountsByCode, amountsByCodeProperty, codesIn } from './operation/amountsByCode.ts';
import type { Asset } from './values/asset.ts';
import { deskOperation } from './operation/operation.ts';
import type { DeskItem } from './operation/operation.ts';
import { findAlerts } from './book/alerts/alerts.ts';
import type { Minimum } from './book/alerts/balances.ts';
import { MINIMUM } from './book/alerts/messages.ts';
import { minutesBefore } from './book/bookTime.ts';
import { rowsOfItem } from './book/make/makeRows.ts';
import { fold } from './book/fold.ts';
import { assetsOf } from './book/reconcile/assets.ts';
import { ASSETS, FEE_OF_PAYOUT } from './book/reconcile/messages.ts';
import { reconcile } from './book/reconcile/reconcile.ts';
import { BOOK_COLUMNS, readRows } from './book/row.ts';

/** All columns of the book are text. */
const ROW = Object.fromEntries(BOOK_COLUMNS.map((name) => [name, 'string' as const]));

const makeBookRows = deskOperation({
	name: 'Make Rows',
	action: 'Make book rows from events or payments',
	description: 'Turn events, payments and conversions into rows of the Data Table wallet_service_book',
	asksService: false,
	handOver: 'Hand over events of the trigger, payments before or after they run, or conversions.',
	fields: {
		approvedBy: {
			kind: 'person',
			label: 'Approved By',
			placeholder: 'e.g. ada@example.com',
			description:
				'Who has said yes, for payments that do not say it themselves. A text without a name of somebody is left out.',
			mayBeNobody: true,
		},
	},
	options: {
		needsApproval: {
			kind: 'flag',
			label: 'Needs Approval',
			description: 'Whether a payment without the name of a person is only checked, and has no row before it',
			default: true,
			whenAdded: false,
		},
	},
	item: ROW,
	begin: ({ items, settings, now, workflow, execution }) => {
		const approvedBy = differentNames(settings.approvedBy ?? '').join(', ');
		const context = { now, workflow, execution, approvedBy, needsApproval: settings.needsApproval };
		const made = items.flatMap((item, index) =>
			rowsOfItem(item, index, context).map((row): DeskItem => ({ json: { ...row }, from: index })),
		);
		return { finish: () => made };
	},
});

const HAND_OVER_BOOK = 'Hand over rows of the book: the Data Table wallet_service_book.';

const isCoin: INodeProperties = {
	displayName: 'Is Coin',
	name: 'isCoin',
	type: 'boolean',
	default: false,
	description: 'Whether the code is that of a coin',
};

const reconcileBook = deskOperation({
	name: 'Reconcile',
	action: 'Reconcile balances with book',
	description:
		'Compare each balance with its opening and what the book has since then, and say what explains a difference',
	asksService: true,
	handOver: HAND_OVER_BOOK,
	fields: {},
	options: {
		feesOnTop: {
			kind: 'flag',
			label: 'Fees on Top',
			description: 'Whether the service takes the fees that it reports from the balance besides the amount',
			default: true,
		},
		moveOpening: {
			kind: 'flag',
			label: 'Move Opening',
			description:
				'Whether to begin anew from a balance that is reconciled with nothing open, so that older rows can be deleted',
			default: false,
			whenAdded: true,
		},
	},
	otherOptions: [
		amountsByCodeProperty(
			{
				displayName: 'Assets',
				name: 'assets',
				description: 'Currencies and coins to reconcile before the book has a row of them',
				entry: { displayName: 'Asset', name: 'asset' },
			},
			[isCoin],
		),
		amountsByCodeProperty(
			{
				displayName: 'Fee of a Payout',
				name: 'feeOfPayout',
				description: 'What each payout costs for which the service reports no fee',
				entry: { displayName: 'Fee', name: 'fee', amount: { name: 'fee', label: 'Fee', example: '50' } },
			},
			[isCoin],
		),
	],
	item: { subject: 'string', text: 'string', html: 'string', balances: 'array', rows: 'array' },
	begin: ({ items, settings, others, now, timeZone, workflow, execution }) => {
		const book = readRows(items);
		const folded = fold(book.rows, now);
		const assets = assetsOf(folded, codesIn(others.assets, 'asset', ASSETS));
		const fees = amountsByCode(others.feeOfPayout, 'fee', FEE_OF_PAYOUT, 'fee');
		const feeOfPayout = new Map(fees.map(({ code, amount }) => [code, amount]));
		return {
			asks: { balances: assets.assets },
			finish: ({ balances }) => {
				const { file, ...json } = reconcile({
					book,
					folded,
					assets,
					balances,
					now,
					timeZone,
					settings: { ...settings, feeOfPayout },
					writer: { workflow, execution },
				});
				return [
					{
						json: { ...json } as unknown as IDataObject,
						files: { file: { name: 'statement.csv', type: 'text/csv', text: file } },
					},
				];
			},
		};
	},
});

/** The clock of the worker that wrote a row may be ahead. */
const MINUTES_AHEAD = 60;

const findAlertsInBook = deskOperation({
	name: 'Find Alerts',
	action: 'Find alerts in book',
	description:
		'Find what a person must look at: low balances, unknown or silent payments, payouts that nobody ordered or that are not as ordered, two payments of one key, deposits that stay pending or were taken back, lists that ended in the middle',
	asksService: { unless: { minimums: {} } },
	handOver: HAND_OVER_BOOK,
	fields: {},
	others: [
		amountsByCodeProperty(
			{
				displayName: 'Minimum Balances',
				name: 'minimums',
				description: 'Balances below which there is an alert',
				entry: {
					displayName: 'Minimum',
					name: 'minimum',
					amount: { name: 'amount', label: 'Minimum', example: '5000' },
				},
			},
			[isCoin],
		),
	],
	options: {
		waitHours: {
			...hours('Hours Unknown', 'Hours after which a payment with an unknown outcome is reported'),
			default: 2,
		},
		updateHours: {
			...hours(
				'Hours Without Update',
				'Hours after which a crypto payout without an update, or a pending deposit, is reported',
			),
			default: 6,
		},
		eventHours: hours(
			'Hours Without Events',
			'Hours without any event of the service after which that is reported',
		),
	},
	item: { alert: 'string', subject: 'string', text: 'string', row: 'string' },
	begin: ({ items, settings, others, now }) => {
		const book = readRows(items);
		const folded = fold(book.rows, minutesBefore(now, -MINUTES_AHEAD));
		const minimums = minimumsIn(others.minimums);
		const named = new Map<string, Asset>(minimums.map(({ code, isFiat }) => [code, { code, isFiat }]));
		// What the book says of an asset counts: a person may have forgotten the switch.
		for (const asset of assetsOf(folded, []).assets) if (named.has(asset.code)) named.set(asset.code, asset);
		return {
			asks: { balances: [...named.values()] },
			finish: ({ balances }) =>
				findAlerts({ book, folded, balances, minimums, now, settings }).map((alert) => ({
					json: { ...alert },
					from: 0,
				})),
		};
	},
});

function hours(label: string, description: string) {
	return {
		kind: 'count',
		label,
		description,
		expected: 'a number of hours from 1 to 720',
		minimum: 1,
		maximum: 720,
	} as const;
}

/** Throws DeskProblem for a minimum that cannot be read: it would never be told. */
function minimumsIn(collection: unknown): Array<Minimum & { isFiat: boolean }> {
	return amountsByCode(collection, 'minimum', MINIMUM).map(({ code, amount, fields }) => ({
		code,
		minimum: amount,
		isFiat: fields.isCoin !== true,
	}));
}

export const BOOK_OPERATIONS = {
	'book.makeRows': makeBookRows,
	'book.reconcile': reconcileBook,
	'book.findAlerts': findAlertsInBook,
};
