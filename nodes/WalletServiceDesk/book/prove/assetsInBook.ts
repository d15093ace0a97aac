/** The currencies and coins of the book, for which balances are read. */
import type { Asset } from '../../values/asset.ts';
import type { BookRow } from '../bookRow.ts';
import { isFiatByProof } from './lastProof.ts';
import { madeOf } from '../made.ts';

/** What a kind of row says about its asset. The other kinds are of both. */
const IS_FIAT: Readonly<Record<string, boolean>> = {
	'fiat payout': true,
	deposit: true,
	'coin payout': false,
	'coin deposit': false,
};

/**
 * The assets of rows that moved a balance or may have, in the order of their codes. Whether one is a currency is what most of its rows
 * say by their kind. If none says it, a code of ISO 4217 is a currency, and any other one a coin. Never leaves out an asset because its
 * kind is in doubt: a balance that is then asked for at the wrong place cannot be read, and the proof says so.
 */
export function assetsInBook(rows: BookRow[]): Asset[] {
	const votes = new Map<string, number>();
	for (const row of rows) {
		// A payment that was not made may name any text as its asset.
		if (row.asset === '' || madeOf(row) === 'notMade') continue;
		votes.set(row.asset, (votes.get(row.asset) ?? 0) + voteOf(row));
		const isFeeOfAnother = row.fee !== '' && row.feeAsset !== '';
		if (isFeeOfAnother && !votes.has(row.feeAsset)) votes.set(row.feeAsset, 0);
	}
	return [...votes]
		.map(([code, vote]) => ({ code, isFiat: vote === 0 ? isCurrency(code) : vote > 0 }))
		.sort((a, b) => Number(a.code > b.code) - Number(a.code < b.code));
}

/** 1 for a currency, -1 for a coin, 0 if the row does not say. */
function voteOf(row: BookRow): number {
	const isFiat = isFiatByProof(row) ?? (Object.hasOwn(IS_FIAT, row.kind) ? IS_FIAT[row.kind] : undefined);
	if (isFiat === undefined) return 0;
	return isFiat ? 1 : -1;
}

function isCurrency(code: string): boolean {
	return Intl.supportedValuesOf('currency').includes(code);
}
