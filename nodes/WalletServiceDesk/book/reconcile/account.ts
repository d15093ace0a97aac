/** The account of one asset: where it starts, what counts since then, and what the balance should be. */
import {
	add,
	canonical,
	compare,
	isZero,
	multiply,
	negate,
	placesOf,
	withoutSign,
} from '../../../../api/exact/decimal.ts';
import type { Asset } from '../../values/asset.ts';
import { addTo } from '../../values/groups.ts';
import { byTime } from '../bookTime.ts';
import type { Folded, Movement } from '../payments.ts';
import { kindOf } from '../row.ts';
import type { BookRow } from '../row.ts';

export interface FeeRules {
	/** Whether fees that the service reports are taken from the balance beside the amount. */
	feesOnTop: boolean;
	/** The fee of each payout of a code for which the service reports none. Decimal text without a sign. */
	feeOfPayout: ReadonlyMap<string, string>;
}

/** One line of the account. */
export interface Entry {
	time: string;
	/** A kind of the book, `fee`, or `came back`. */
	kind: string;
	/** Signed, as it changes the balance. */
	amount: string;
	/** The row that says it, and the movement that it belongs to. */
	row: BookRow;
	movement?: Movement;
}

/** Of crypto payouts, without those that are zero. */
interface SeenFees {
	/** '0' if none was reported, or if fees are inside the amounts. */
	largest: string;
	smallest: string;
	/** The most digits behind the point; undefined: too few were seen to know. */
	places: number | undefined;
}

export interface Account {
	asset: Asset;
	/** Movements that have an amount or a fee in this asset. */
	movements: Movement[];
	/** The row of kind `opening` from which it starts; undefined: there is none yet. */
	opening: BookRow | undefined;
	/** Openings that a person typed after the first one. */
	otherOpenings: BookRow[];
	/** What counts since the opening, the oldest first. */
	entries: Entry[];
	/** Corrections from before the opening, which count nothing. */
	tooOld: BookRow[];
	/** Earlier readings, the oldest first. */
	readings: BookRow[];
	/** Those that the book has seen of this asset. */
	fees: SeenFees;
	/** By how much the balance may be another one because it shows fewer digits than the movements have. */
	rounding(entries: readonly Entry[], balance: string): string;
}

/** Opens the accounts of many assets over one book. */
export function accountsOf(folded: Folded, rules: FeeRules): (asset: Asset) => Account {
	const movements = new Map<string, Movement[]>();
	for (const movement of folded.movements) {
		const { asset, fee, feeAsset } = movement;
		for (const code of new Set(fee === '' ? [asset] : [asset, feeAsset])) addTo(movements, code, movement);
	}
	const byAsset = (rows: readonly BookRow[]) => Map.groupBy(rows, ({ asset }) => asset);
	const [openings, corrections] = [byAsset(folded.openings), byAsset(folded.corrections)];
	const readings = byAsset(folded.reconciliations);
	return (asset) =>
		accountOf(asset, rules, {
			movements: movements.get(asset.code) ?? [],
			openings: openings.get(asset.code) ?? [],
			corrections: corrections.get(asset.code) ?? [],
			readings: readings.get(asset.code) ?? [],
		});
}

interface RowsOfAsset extends Pick<Account, 'movements' | 'readings'> {
	openings: BookRow[];
	corrections: BookRow[];
}

function accountOf(asset: Asset, rules: FeeRules, rows: RowsOfAsset): Account {
	const { movements, corrections, readings } = rows;
	// The first one stands. Only a workflow moves it, so that nobody hides a difference by typing a new one.
	const opening = rows.openings.findLast(({ run }, index) => index === 0 || run !== '');
	const isSince = ({ time }: { time: string }) => opening !== undefined && time > opening.time;
	const entries = [
		...movements.flatMap((movement) => entriesOf(movement, asset.code, rules)),
		...corrections.map((row): Entry => ({ time: row.time, kind: row.kind, amount: row.amount, row })),
	];
	const places = Math.max(
		...[...rows.openings, ...readings].map(({ amount }) => placesOf(amount)),
		LEAST[asset.isFiat ? 'fiat' : 'crypto'],
	);
	return {
		...{ asset, movements, opening, readings },
		entries: entries.filter(isSince).sort(byTime),
		otherOpenings: rows.openings.filter(({ run }, index) => index > 0 && run === ''),
		tooOld: opening === undefined ? [] : corrections.filter((row) => !isSince(row)),
		fees: feesOf(rules.feesOnTop ? movements : [], asset.code),
		rounding: (counted, balance) => roundingOf(counted, Math.max(places, placesOf(balance))),
	};
}

function feesOf(movements: readonly Movement[], code: string): SeenFees {
	const fees = movements
		.filter(({ kind, fee, feeAsset }) => kind === 'crypto payout' && feeAsset === code && !isZero(fee))
		.map(({ fee }) => canonical(fee));
	const extreme = (sign: 1 | -1) =>
		fees.reduce((found, fee) => (sign * compare(fee, found) > 0 ? fee : found), fees[0] ?? '0');
	const places = fees.length < FEES_TO_KNOW_DIGITS ? undefined : Math.max(...fees.map(placesOf));
	return { largest: extreme(1), smallest: extreme(-1), places };
}

/** The first fees of a service may all be whole by chance. */
const FEES_TO_KNOW_DIGITS = 12;

/** A balance is taken to show at least so many digits: the service sends a currency with two, and cuts off zeros of a coin. */
const LEAST = { fiat: 2, crypto: 6 };

/**
 * Half of the last digit of the balance, for each entry that has more digits: a service may round each of them. The whole digit at least:
 * it may cut off its balance.
 */
function roundingOf(entries: readonly Entry[], places: number): string {
	const count = entries.filter(({ amount }) => placesOf(amount) > places).length;
	return count === 0 ? '0' : multiply(String(Math.max(count, 2)), `0.${'0'.repeat(places)}5`);
}

/** A payment counts from before it was sent, its fee with it; what comes back, from the row that says so. */
function entriesOf(movement: Movement, code: string, rules: FeeRules): Entry[] {
	const { state, asset, amount, from: time, kind, row, back } = movement;
	if (state !== 'made') return [];
	const isOwn = asset === code && amount !== '';
	const fee = feeOf(movement, code, rules);
	return [
		...(isOwn ? [{ time, kind, amount, row, movement }] : []),
		...(isZero(fee) ? [] : [{ time, kind: 'fee', amount: negate(fee), row, movement }]),
		...(isOwn && back
			? [{ time: back.time, kind: 'came back', amount: back.amount, row: back.row, movement }]
			: []),
	];
}

/** What a payout costs in this asset beside its amount: its reported fee, or else the one that the settings name; '0' if there is none. */
export function feeOf({ kind, asset, fee, feeAsset }: Movement, code: string, rules: FeeRules): string {
	if (kindOf(kind)?.is !== 'payment') return '0';
	if (fee !== '') return rules.feesOnTop && feeAsset === code ? withoutSign(fee) : '0';
	const isPayout = kind === 'fiat payout' || kind === 'crypto payout';
	return (isPayout && asset === code && rules.feeOfPayout.get(code)) || '0';
}

/** The sum of the entries until a time. */
export function sumOf(entries: readonly Entry[], until?: string): string {
	const counted = until === undefined ? entries : entries.filter(({ time }) => time <= until);
	return counted.reduce((sum, { amount }) => add(sum, amount), '0');
}
