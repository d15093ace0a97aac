/** Results of a list beside its rows: which row belongs to which result. Never guesses. */
import type { IDataObject } from 'n8n-workflow';

import { compare } from '../../../../api/exact/decimal.ts';
import { isSameAlias } from '../../../shared/alias.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { fieldsThere } from '../../values/itemValues.ts';
import { hasAmount, readReportItem } from './reportRow.ts';
import type { ReportItem, ReportRow } from './reportRow.ts';

export interface MatchedList {
	/** The results, each with what its row says. One without a row stays as it is. What is about the whole list comes first. */
	items: IDataObject[];
	/** Rows of the list of which no result has come, now or before. */
	withoutResult: IDataObject[];
}

/** What a row says of its payment. What became of it, only the result says. */
const OF_ROW = [
	'row',
	'line',
	'paymentKey',
	'amount',
	'currency',
	'coin',
	'destination',
	'destinationDetails',
	'payee',
	'payeeMatch',
	'note',
	'again',
	'extra',
	'problems',
	'askedBy',
	'balanceBefore',
	'leftOut',
];

/** Results that a row has from an earlier report of its payments. A dry run says nothing of them. */
const EARLIER_RESULTS = ['paid', 'alreadyPaid', 'notSent', 'rejected', 'unknown'];

/** A row of the list, or a result. */
interface Side {
	item: IDataObject;
	read: ReportItem;
	/** As keys are compared. Undefined: none that can be used. */
	key: string | undefined;
}

/**
 * By the Payment Key, where both have it and neither has it twice. Otherwise by the place, where there are as many results as rows. Never
 * where the two contradict each other.
 */
export function matchList(results: readonly IDataObject[], rows: readonly IDataObject[]): MatchedList {
	const ofResults = results.map(sideOf);
	const ofRows = rows.map(sideOf);
	const pairs = new Map(
		[...pairsByKey(ofResults, ofRows)].filter(([result, row]) => !contradict(result, row)),
	);
	const used = new Set(pairs.values());
	for (const [place, result] of ofResults.length === ofRows.length ? ofResults.entries() : []) {
		const row = ofRows[place];
		if (row === undefined || pairs.has(result) || used.has(row) || contradict(result, row)) continue;
		pairs.set(result, row);
		used.add(row);
	}
	const placeOf = new Map(ofRows.map((row, place) => [row, place]));
	const found = ofResults.flatMap((result) => {
		const row = pairs.get(result);
		const place = (row && placeOf.get(row)) ?? ofRows.length;
		if (row === undefined) return [{ place, item: result.item }];
		const isSaid = isOfList(row) && result.read.row.result === 'notSent';
		return isSaid ? [] : [{ place, item: withRow(result, row) }];
	});
	const left = ofRows.flatMap((row, place) => (isOfList(row) || used.has(row) ? [] : [{ row, place }]));
	const isLater = areOfPayments(ofResults);
	const isTold = ({ row }: { row: Side }) => isLater && EARLIER_RESULTS.includes(row.read.row.result ?? '');
	const earlier = left.filter(isTold).map(({ row, place }) => ({ place, item: row.item }));
	// Only what came before is put between the results: they have the order of the list by themselves.
	const items = earlier.length === 0 ? found : [...found, ...earlier].sort((a, b) => a.place - b.place);
	return {
		items: [
			...ofRows.filter((row) => isOfList(row)).map(({ item }) => ownFields(item)),
			...items.map(({ item }) => item),
		],
		withoutResult: left
			.filter((each) => !isTold(each))
			.map(({ row, place }) => ({ row: place + 2, problems: [], ...ownFields(row.item) })),
	};
}

/** Whether these are results of payments, and not of a dry run. */
function areOfPayments(results: readonly Side[]): boolean {
	const areTold = results.some(({ read }) => read.row.result !== undefined);
	return areTold && !results.some(({ read }) => read.isOfDryRun);
}

function sideOf(item: IDataObject): Side {
	const read = readReportItem(item);
	return { item, read, key: comparedKey(read.row.paymentKey) };
}

/** What is about the list as a whole stands in a row with the number 0. */
function isOfList({ read }: Side): boolean {
	return read.kind === 'list' || read.row.row === 0;
}

function pairsByKey(results: readonly Side[], rows: readonly Side[]): Map<Side, Side> {
	const [resultOf, rowOf] = [uniqueByKey(results), uniqueByKey(rows)];
	const pairs = new Map<Side, Side>();
	for (const [key, result] of resultOf) {
		const row = rowOf.get(key);
		if (row !== undefined) pairs.set(result, row);
	}
	return pairs;
}

/** Those whose key no other one has. */
function uniqueByKey(sides: readonly Side[]): Map<string, Side> {
	const groups = Map.groupBy(sides, ({ key }) => key);
	return new Map(
		[...groups].flatMap(([key, [side, ...others]]) =>
			key === undefined || side === undefined || others.length > 0 ? [] : [[key, side] as const],
		),
	);
}

/** Whether both say something of which only one can be true. */
function contradict(
	{ key, read: { row: one } }: Side,
	{ key: otherKey, read: { row: other } }: Side,
): boolean {
	const areKeys = key !== undefined && otherKey !== undefined && key !== otherKey;
	const [code, otherCode] = [codesOf(one), codesOf(other)];
	const areCodes = code !== '' && otherCode !== '' && code !== otherCode;
	const areAmounts = hasAmount(one) && hasAmount(other) && compare(one.amount, other.amount) !== 0;
	const [place, otherPlace] = [one.destination, other.destination];
	const arePlaces = place !== '' && otherPlace !== '' && !isSameAlias(place, otherPlace);
	return areKeys || areCodes || areAmounts || arePlaces;
}

function codesOf({ currency, coin }: ReportRow): string {
	if (currency === undefined && coin === undefined) return '';
	return `${currency ?? ''}/${coin ?? ''}`;
}

/** The result counts before the row, and the problems of both stay. A result without a key was made without it. */
function withRow({ item, read }: Side, { item: row }: Side): IDataObject {
	const ofRow = ownFields(row);
	const isResult = read.row.result !== undefined;
	if (isResult) delete ofRow.paymentKey;
	if (codesOf(read.row) !== '') for (const name of ['currency', 'coin']) delete ofRow[name];
	const problems = [ofRow.problems, item.problems].flatMap((each) => (Array.isArray(each) ? each : []));
	return { ...ofRow, ...filled(item), problems: [...new Set(problems)] };
}

function ownFields(row: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(filled(row)).filter(([name]) => OF_ROW.includes(name)));
}

function filled(item: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fieldsThere(item)).filter(([, value]) => value !== ''));
}
