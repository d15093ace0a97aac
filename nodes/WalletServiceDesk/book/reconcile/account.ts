/** The account of one asset: where it starts, what counts since then, and what the balance should be. */
import {
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
import type { Folded } from '../fold.ts';
import type { Movement } from '../movement.ts';
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
export interface SeenFees {
	largest: string;
	smallest: string;
	/** The most digits behind the point; undefined: too few were seen to know. */
	places: number | undefined;
}

/** What a row of the kind `reconciliation` says. */
export interface EarlierReading {
	time: string;
	balance: string;
	/** A `Verdict`, unless a person changed the word. */
	verdict: string;
}

export interface Account {
	asset: Asset;
	/** Movements that have an amount or a fee in this asset, and crypto payouts whose fee is missing and may be in it. */
	movements: Movement[];
	/** The row of kind `opening` from which it starts; undefined: there is none yet. */
	opening: BookRow | undefined;
	/** Openings that a person typed after the first one, whatever their time is. They do not count. */
	otherOpenings: BookRow[];
	/** What counts since the opening, the oldest first. */
	entries: Entry[];
	/** Corrections from before the opening, which count nothing, and never did. */
	tooOld: BookRow[];
	/** Earlier readings, the oldest first. */
	readings: EarlierReading[];
	/** Those that the book has seen in this asset, by the coin that was paid out. */
	fees: ReadonlyMap<string, SeenFees>;
	/** By how much the balance may be another one because it shows fewer digits than the movements have. */
	rounding(entries: readonly Entry[], balance: string): string;
}

/** Opens the accounts of many assets over one book. */
export function accountsOf(folded: Folded, rules: FeeRules): (asset: Asset) => Account {
	const feeAssets = feeAssetsOf(folded.movements);
	const movements = new Map<string, Movement[]>();
	for (const movement of folded.movements) {
		const { kind, asset, fee, feeAsset } = movement;
		const missing = kind === 'crypto payout' ? (feeAssets.get(asset) ?? []) : [];
		const ofFee = fee === '' ? missing : [feeAsset];
		for (const code of new Set([asset, ...ofFee])) addTo(movements, code, movement);
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

/** In which assets the fees of each coin were. */
function feeAssetsOf(movements: readonly Movement[]): Map<string, Set<string>> {
	const assets = new Map<string, Set<string>>();
	for (const { kind, asset, fee, feeAsset } of movements)
		if (kind === 'crypto payout' && fee !== '')
			assets.set(asset, (assets.get(asset) ?? new Set()).add(feeAsset));
	return assets;
}

interface RowsOfAsset extends Pick<Account, 'movements'> {
	readings: BookRow[];
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
	// A person may type more digits than the service shows.
	const read = [...rows.openings, ...readings].filter(({ run }) => run !== '');
	const places = Math.max(
		...read.map(({ amount }) => placesOf(amount)),
		LEAST[asset.isFiat ? 'fiat' : 'crypto'],
	);
	return {
		asset,
		movements,
		opening,
		readings: readings.map(({ time, amount, status }) => ({ time, balance: amount, verdict: status })),
		entries: entries.filter(isSince).sort(byTime),
		otherOpenings: otherOpenings(rows.openings),
		tooOld:
			opening === undefined ? [] : corrections.filter((row) => neverCounts(row, opening, rows.openings)),
		fees: feesOf(rules.feesOnTop ? movements : [], asset.code),
		rounding: (counted, balance) => roundingOf(counted, Math.max(places, placesOf(balance))),
	};
}

function otherOpenings(openings: readonly BookRow[]): BookRow[] {
	const taken = openings.find(({ run }) => run !== '');
	return openings.filter(
		(row, index) => row.run === '' && (index > 0 || (taken !== undefined && isInsertedAfter(row, taken))),
	);
}

function isInsertedAfter(row: BookRow, other: BookRow): boolean {
	const haveNumbers = row.id !== '' && other.id !== '';
	return haveNumbers ? Number(row.id) > Number(other.id) : row.written > other.written;
}

/** A correction counts until the opening is moved behind it, and what was written then is in the opening that came after it. */
function neverCounts(row: BookRow, opening: BookRow, openings: readonly BookRow[]): boolean {
	const hasCounted = row.written <= opening.time && openings.some(({ time }) => time < row.time);
	return row.time <= opening.time && !hasCounted;
}

function feesOf(movements: readonly Movement[], code: string): Map<string, SeenFees> {
	const reported = movements.filter(
		({ kind, fee, feeAsset }) => kind === 'crypto payout' && fee !== '' && feeAsset === code && !isZero(fee),
	);
	const byCoin = Map.groupBy(reported, ({ asset }) => asset);
	return new Map([...byCoin].map(([coin, all]) => [coin, seenFees(all.map(({ fee }) => canonical(fee)))]));
}

/** @param fees at least one */
function seenFees(fees: readonly string[]): SeenFees {
	const extreme = (sign: 1 | -1) =>
		fees.reduce((found, fee) => (sign * compare(fee, found) > 0 ? fee : found));
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
