/** The last proof of an asset: a row of the book of the kind `balance`. */
import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { EMPTY_ROW } from '../bookRow.ts';
import type { BookRow } from '../bookRow.ts';
import { readParts, writeParts } from './openParts.ts';
import type { OpenPart } from './openParts.ts';

export interface LastProof {
	time: string;
	balance: string;
	/** Undefined if somebody has changed them so that they cannot be read. */
	open: OpenPart[] | undefined;
}

/** Words in the column `counterpart` of such a row. */
const BALANCE_OF = { fiat: 'fiat wallet', coin: 'coin wallet' };

/** The newest proof of each asset that was made before `now`. A row whose balance or time cannot be read is none. */
export function lastProofs(rows: BookRow[], now: string): Map<string, LastProof> {
	const newest = new Map<string, BookRow>();
	for (const row of rows) {
		const isProof = row.kind === 'balance' && isPlainDecimal(row.amount);
		if (!isProof || row.time === '' || row.time >= now) continue;
		if (row.time > (newest.get(row.asset)?.time ?? '')) newest.set(row.asset, row);
	}
	return new Map(
		[...newest].map(([asset, { time, amount, message }]) => [
			asset,
			{ time, balance: amount, open: readParts(message) },
		]),
	);
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
