/** The proofs of an asset before this one: rows of the book of the kind `balance`. */
import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { EMPTY_ROW } from '../bookRow.ts';
import type { BookRow } from '../bookRow.ts';
import { byTime } from '../bookTime.ts';
import { addTo } from '../../values/groups.ts';
import { isSettled, readParts, writeParts } from './openParts.ts';
import type { OpenPart } from './openParts.ts';

/** Where a proof starts. */
export interface LastProof {
	time: string;
	balance: string;
	/** Undefined if somebody has changed them so that they cannot be read. */
	open: OpenPart[] | undefined;
	/** The difference that the newest proof could not explain. */
	notExplained: OpenPart | undefined;
}

/** Words in the column `counterpart` of such a row. */
const BALANCE_OF = { fiat: 'fiat wallet', coin: 'coin wallet' };

/**
 * Where the proof of each asset starts: at the newest one that found no difference, else at the first one. So a difference stays until
 * rows book it or it is gone, and rows that came early or late cancel by themselves. A row whose balance or time cannot be read is none.
 */
export function lastProofs(rows: BookRow[], now: string): Map<string, LastProof> {
	const byAsset = new Map<string, BookRow[]>();
	for (const row of rows.toSorted(byTime)) {
		const isProof = row.kind === 'balance' && isPlainDecimal(row.amount);
		if (isProof && row.time !== '' && row.time < now) addTo(byAsset, row.asset, row);
	}
	const starts = new Map<string, LastProof>();
	for (const [asset, proofs] of byAsset) {
		const read = proofs.map(({ time, amount, message }) => ({
			time,
			balance: amount,
			open: readParts(message),
		}));
		const start = read.findLast(({ open }) => open !== undefined && isSettled(open)) ?? read[0];
		const notExplained = read.at(-1)?.open?.find(({ type }) => type === 'notExplained');
		if (start !== undefined) starts.set(asset, { ...start, notExplained });
	}
	return starts;
}

/** The row that holds a proof for the next one. */
export function balanceRow({ asset, isFiat, time, balance, open }: NewProof): BookRow {
	return {
		...EMPTY_ROW,
		key: `balance ${asset} ${time}`,
		kind: 'balance',
		time,
		asset,
		amount: balance,
		counterpart: isFiat ? BALANCE_OF.fiat : BALANCE_OF.coin,
		message: writeParts(open),
	};
}

interface NewProof {
	asset: string;
	isFiat: boolean;
	time: string;
	balance: string;
	open: OpenPart[];
}

/** Whether the row of a proof says that the asset is a currency. Undefined if it is no such row. */
export function isFiatByProof({ kind, counterpart }: BookRow): boolean | undefined {
	if (kind !== 'balance') return undefined;
	if (counterpart === BALANCE_OF.fiat) return true;
	return counterpart === BALANCE_OF.coin ? false : undefined;
}
