/**
 * Book: Prove. For each asset, the last balance without a difference and the movements of the book since then are compared with the
 * balance now.
 *
 * 1. Which rows are one movement: oneMovement.ts.
 * 2. What should have moved the balance, and what may have: readMovements.ts.
 * 3. What explains the difference: candidates.ts lists what may, explain.ts adds up, judgeDifference.ts says the verdict.
 * 4. What the next proof must know: openAfter.ts, kept in a row of the kind `balance`.
 * 5. What a person reads: proofLines.ts for one asset, proofPage.ts for all.
 */
import type { Balance } from '../../values/asset.ts';
import { assetsInBook } from './assetsInBook.ts';
import type { BookRow } from '../bookRow.ts';
import { utcTime } from '../bookTime.ts';
import { addTo } from '../../values/groups.ts';
import { balanceRow, lastProofs } from './lastProof.ts';
import { movementsOf } from './oneMovement.ts';
import type { Movement } from './oneMovement.ts';
import { fileOf, pageOf } from './proofPage.ts';
import { proveAsset } from './proveAsset.ts';
import type { AssetProof, Proof } from './proveAsset.ts';
import { rowsOf } from './readMovements.ts';

export { assetsInBook } from './assetsInBook.ts';
export type { Verdict } from './judgeDifference.ts';
export type { Proof } from './proveAsset.ts';

export interface ProveInput {
	/** All rows of the book. */
	rows: BookRow[];
	/** Those of the assets that `assetsInBook` names. */
	balances: Balance[];
	/** When the balances were read. ISO 8601. */
	now: string;
	settings: {
		/** Whether the service takes the fee of a payout from the same balance, beside the amount. */
		feesOnTop: boolean;
		/** What happened so lately may not have moved the balance yet. */
		underWayMinutes: number;
	};
	/** What `readBookRows` says about the rows. */
	notes?: string[];
}

export interface ProofReport {
	subject: string;
	/** For a mail or a chat. */
	text: string;
	html: string;
	proofs: Proof[];
	/** New rows of the book, one for each balance that was read: the next proof starts from them. */
	rows: BookRow[];
	/** For the bookkeeper: each movement that counts, as CSV. */
	file: string;
}

/** Proves all balances. The same input gives the same report. Never changes a row, and never asks for a payment. */
export function prove({ rows, balances, now, settings, notes = [] }: ProveInput): ProofReport {
	const time = utcTime(now);
	if (time === '') throw new RangeError(`No time: ${now}`);
	const lasts = lastProofs(rows, time);
	const movements = byAsset(movementsOf(rows));
	const proved = balances.map((balance) => {
		const { code } = balance;
		const common = { now: time, settings, last: lasts.get(code), movements: movements.get(code) ?? [] };
		return { balance, ...proveAsset({ balance, ...common }) };
	});
	const read = new Set(balances.map(({ code }) => code));
	const notRead = assetsInBook(rows).filter(({ code }) => !read.has(code));
	const proofs = proved.map(({ proof }) => proof);
	return {
		...pageOf({ proofs, notProved: notRead.map(({ code }) => code), time, notes }),
		proofs,
		rows: proved.flatMap(rowsToAdd),
		file: fileOf(proved),
	};
}

/** The movements that touch an asset, with their amount or their fee. */
function byAsset(movements: Movement[]): Map<string, Movement[]> {
	const groups = new Map<string, Movement[]>();
	for (const movement of movements) {
		const rows = rowsOf(movement);
		const assets = new Set(
			rows.flatMap(({ asset, fee, feeAsset }) => (fee === '' ? [asset] : [asset, feeAsset])),
		);
		for (const asset of assets) addTo(groups, asset, movement);
	}
	return groups;
}

function rowsToAdd({ balance: { isFiat }, proof, open }: AssetProof & { balance: Balance }): BookRow[] {
	if (open === undefined) return [];
	const { asset, time, closing } = proof;
	return [balanceRow({ asset, isFiat, time, balance: closing, open })];
}
