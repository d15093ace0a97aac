/** The published functions of the book, for the world. */
import { findAlerts } from '../../nodes/WalletServiceDesk/book/alerts/alerts.ts';
import { fold } from '../../nodes/WalletServiceDesk/book/fold.ts';
import { assetsOf } from '../../nodes/WalletServiceDesk/book/reconcile/assets.ts';
import { reconcile } from '../../nodes/WalletServiceDesk/book/reconcile/reconcile.ts';
import { readRows } from '../../nodes/WalletServiceDesk/book/row.ts';
import { worldOf } from '../../host/world/business.ts';
import { drawMonth, type Month } from '../../host/world/commands.ts';
import type { WorldInMemory } from '../../host/world/memory.ts';
import { liveMonth, type Answer, type LivedMonth } from '../../host/world/mornings.ts';
import { PERSON, type Row } from '../../host/world/rows.ts';
import { randomNumbers } from '../../host/testkit/random.ts';

/** Minutes of the day: before the business begins, and in the middle of it. */
export const [QUIET, BUSY] = [5 * 60, 13 * 60];

const ASSETS = [
	{ code: 'NGN', isFiat: true },
	{ code: 'USDT', isFiat: false },
] as const;

/** Reconciles, and inserts the rows. */
function reconcileIn(world: WorldInMemory): Answer {
	const { now } = world;
	const book = readRows(world.rows());
	const folded = fold(book.rows, now);
	const assets = assetsOf(folded, ASSETS);
	const balances = ASSETS.map((asset) => ({ ...asset, balance: world.balance(asset.code) }));
	const { balances: told, rows } = reconcile({
		book,
		folded,
		assets,
		balances,
		now,
		timeZone: 'UTC',
		settings: { feesOnTop: true, moveOpening: false, feeOfPayout: new Map() },
		writer: { workflow: 'wf-reconcile reconcile', execution: now },
	});
	world.insert({ items: [], rows: rows.map((row) => ({ ...row })), writer: PERSON, now });
	return { balances: told };
}

/** The alerts of these rows. */
export function alertsOf(rows: readonly Row[], now: string) {
	const book = readRows(rows);
	const settings = { waitHours: 2, updateHours: 6 };
	return findAlerts({ book, folded: fold(book.rows, now), balances: [], minimums: [], now, settings });
}

/** A month that is drawn by this seed, as it was lived. */
export async function monthOf(seed: number, month: Month): Promise<LivedMonth & { world: WorldInMemory }> {
	const random = randomNumbers(seed);
	const world = worldOf(random, drawMonth(random, month));
	const { figures, mistakes } = await liveMonth(world, month, () => reconcileIn(world));
	return { figures, mistakes, world };
}
