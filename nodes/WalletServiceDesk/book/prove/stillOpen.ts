/** What has not ended yet, whatever the balance says. */
import { isFailedStatus, isFinalStatus } from '../../../shared/answers/statuses.ts';
import { madeOf } from '../made.ts';
import { NAME, STILL_OPEN } from './messages.ts';
import type { Reading } from './findings.ts';
import type { Movement } from './oneMovement.ts';
import { hasEnded } from './readOthers.ts';

/** One sentence about payouts in coins without a final status, and one about deposits and others that are pending. */
export function stillOpen(movements: Movement[], reading: Pick<Reading, 'asset' | 'now'>): string[] {
	const payouts: string[] = [];
	const others: string[] = [];
	for (const movement of movements) {
		if (movement.is === 'payment' && isWithoutEnd(movement, reading)) payouts.push(movement.row.key);
		if (movement.is === 'other') others.push(...pendingIn(movement, reading));
	}
	return [
		...(payouts.length > 0 ? [STILL_OPEN.payouts(payouts)] : []),
		...(others.length > 0 ? [STILL_OPEN.others(others)] : []),
	];
}

function isWithoutEnd(
	{ row, updates }: Extract<Movement, { is: 'payment' }>,
	{ asset, now }: Pick<Reading, 'asset' | 'now'>,
): boolean {
	const isMade = ['made', 'madeBefore'].includes(madeOf(row));
	const isOwn = row.kind === 'coin payout' && row.asset === asset && row.time <= now;
	return isOwn && isMade && ![row, ...updates].some(({ status }) => isFinalStatus(status));
}

function pendingIn(
	{ rows }: Extract<Movement, { is: 'other' }>,
	{ asset }: Pick<Reading, 'asset'>,
): string[] {
	const own = rows.find((row) => row.asset === asset);
	const isPending = !rows.some((row) => hasEnded(row) || isFailedStatus(row.status));
	return own !== undefined && isPending ? [NAME.other(own)] : [];
}
