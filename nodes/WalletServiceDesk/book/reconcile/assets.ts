/** The currencies and coins of the book, for which balances are read. */
import type { Asset } from '../../values/asset.ts';
import { kindOf } from '../row.ts';
import type { BookRow } from '../row.ts';
import type { Folded } from '../fold.ts';

export interface AssetsOfBook {
	/** In the order of their codes. */
	assets: Asset[];
	/** Codes that are a currency in some rows and a coin in others, so that nobody knows which balance is meant. */
	both: string[];
}

/**
 * The assets that moved a balance or may have, and those of the settings. Rows say by their kind, or in `details`, whether one is a
 * currency. If none says it, a code of ISO 4217 is a currency and any other one a coin: a balance that is asked for at the wrong place
 * cannot be read, and the page says so.
 */
export function assetsOf(folded: Folded, named: readonly Asset[]): AssetsOfBook {
	const classes = new Map<string, Set<boolean>>();
	const add = (code: string, isFiat: boolean | undefined) => {
		if (code === '') return;
		const known = classes.get(code) ?? new Set();
		classes.set(code, known);
		if (isFiat !== undefined) known.add(isFiat);
	};
	for (const { state, row, asset, fee, feeAsset } of folded.movements) {
		// A payment that was not made may name any text as its asset.
		if (state === 'not made') continue;
		add(asset, isFiatBy(row));
		if (fee !== '') add(feeAsset, undefined);
	}
	for (const row of [...folded.openings, ...folded.corrections, ...folded.reconciliations])
		add(row.asset, isFiatBy(row));
	for (const { code, isFiat } of named) add(code, isFiat);
	const all = [...classes].sort(([a], [b]) => Number(a > b) - Number(a < b));
	return {
		assets: all
			.filter(([, known]) => known.size < 2)
			.map(([code, known]) => ({ code, isFiat: [...known][0] ?? isCurrency(code) })),
		both: all.filter(([, known]) => known.size > 1).map(([code]) => code),
	};
}

/** Undefined if the row does not say it. */
function isFiatBy({ kind, details }: BookRow): boolean | undefined {
	const said = kindOf(kind)?.assetClass ?? details.toLowerCase();
	return said === 'fiat' ? true : said === 'crypto' ? false : undefined;
}

function isCurrency(code: string): boolean {
	return Intl.supportedValuesOf('currency').includes(code);
}
