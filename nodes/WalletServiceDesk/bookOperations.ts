/** The operations over the book, as the editor offers them. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { differentNames } from '../shared/approvers.ts';
import { amountsByCode, amountsByCodeProperty, codesIn } from './operation/amountsByCode.ts';
import type { Asset } from './values/asset.ts';
import { deskOperation } from './operation/operation.ts';
import type { DeskItem } from './operation/operation.ts';
import { rowsOfItem } from './book/make/makeRows.ts';
import { fold } from './book/payments.ts';
import { assetsOf } from './book/reconcile/assets.ts';
import { ASSETS, FEE_OF_PAYOUT } from './book/reconcile/messages.ts';
import { reconcile } from './book/reconcile/reconcile.ts';
import { BOOK_COLUMNS, readRows } from './book/row.ts';
import { MINIMUM } from './book/watch/messages.ts';
import { newMatters } from './book/watch/newMatters.ts';
import { watch } from './book/watch/watch.ts';
import type { Minimum } from './book/watch/watch.ts';

/** All columns of the book are text. */
const ROW = Object.fromEntries(BOOK_COLUMNS.map((name) => [name, 'string' as const]));

const makeBookRows = deskOperation({
	name: 'Make Rows',
	action: 'Make rows of the book',
	description: 'Turn events, payments and conversions into rows of the Data Table wallet_service_book',
	handOver: 'Hand over events of the trigger, payments before or after they run, or conversions.',
	fields: {
		approvedBy: {
			kind: 'person',
			label: 'Approved By',
			placeholder: 'e.g. ada@example.com',
			description: 'Who has said yes, for payments that do not say it themselves. What names nobody is left out.',
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

const HAND_OVER_BOOK = 'Hand over all rows of the book: the Data Table wallet_service_book.';

const isCoin: INodeProperties = {
	displayName: 'Is Coin',
	name: 'isCoin',
	type: 'boolean',
	default: false,
	description: 'Whether the code is that of a coin',
};

const reconcileBook = deskOperation({
	name: 'Reconcile',
	action: 'Reconcile balances with the book',
	description:
		'Compare each balance with its opening and what the book has since then, and say what explains a difference',
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
					...{ book, folded, assets, balances, now, timeZone },
					settings: { ...settings, feeOfPayout },
					writer: { workflow, execution },
				});
				return [
					{
						json: { ...json } as unknown as IDataObject,
						file: { name: 'statement.csv', type: 'text/csv', text: file },
					},
				];
			},
		};
	},
});

const watchBook = deskOperation({
	name: 'Watch',
	action: 'Watch the book for alarms and low balances',
	description:
		'Find what a person must look at: low balances, silent or unknown payments, deposits that stay pending, payouts that nobody ordered, lists that ended in the middle',
	handOver: HAND_OVER_BOOK,
	fields: {},
	others: [
		amountsByCodeProperty(
			{
				displayName: 'Minimum Balances',
				name: 'minimums',
				description: 'Balances below which Watch gives an item',
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
		waitHours: hours('Hours Unknown', 'Hours after which a payment with an unknown outcome is reported', 2),
		updateHours: hours(
			'Hours Without Update',
			'Hours after which a payout in coins without an update, or a pending deposit, is reported',
			6,
		),
		checkHour: {
			kind: 'count',
			label: 'Hour of the Daily Check',
			description: 'From this hour on, payouts to banks are listed, to be checked by hand',
			default: 9,
			expected: 'an hour from 0 to 23',
			minimum: 0,
			maximum: 23,
		},
		onlyNewWith: {
			kind: 'text',
			label: 'Only New With',
			placeholder: 'e.g. {{ $json.key }}',
			description: 'Key of the row of an event: only what is new with it is told',
			expected: 'the key of a row',
		},
	},
	item: { matter: 'string', subject: 'string', text: 'string' },
	notForModel: [],
	begin: ({ items, settings, others, now, hour }) => {
		const book = readRows(items);
		const folded = fold(book.rows, now);
		const minimums = minimumsIn(others.minimums);
		const named = new Map<string, Asset>(minimums.map(({ code, isFiat }) => [code, { code, isFiat }]));
		// What the book says of an asset counts: a person may have forgotten the switch.
		for (const asset of assetsOf(folded, []).assets) if (named.has(asset.code)) named.set(asset.code, asset);
		return {
			asks: { balances: [...named.values()] },
			finish: ({ balances }) => {
				const input = { ...book, balances, minimums, now, hour, settings };
				const { onlyNewWith } = settings;
				const matters = onlyNewWith === undefined ? watch(input) : newMatters(input, onlyNewWith);
				return matters.map((matter) => ({ json: { ...matter }, from: 0 }));
			},
		};
	},
});

function hours(label: string, description: string, usual: number) {
	return {
		kind: 'count',
		label,
		description,
		default: usual,
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

export const BOOK = {
	'book.makeRows': makeBookRows,
	'book.reconcile': reconcileBook,
	'book.watch': watchBook,
};
