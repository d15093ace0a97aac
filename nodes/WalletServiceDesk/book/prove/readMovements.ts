/**
 * What should have moved the balance of an asset, and what may have, by the book alone. Nothing here knows the balance: whether something
 * did move it is for explain.ts to say.
 */
import type { BookRow } from '../bookRow.ts';
import { daysBefore, newestTime } from '../bookTime.ts';
import { madeOf } from '../made.ts';
import { noFindings } from './findings.ts';
import type { Findings, Reading } from './findings.ts';
import type { Movement } from './oneMovement.ts';
import { readOther, readStrayPayout } from './readOthers.ts';
import { readPayment } from './readPayment.ts';
import { DAYS_SENT } from './readMade.ts';

/**
 * Reads the movements that have news since the proof from which this one starts, those that it left open, and payments without an
 * answer. All others are in its balance, and are not looked at.
 * @param movements those of this asset
 */
export function readMovements(movements: Movement[], reading: Reading): Findings {
	const found = noFindings();
	for (const movement of movements) {
		if (!matters(movement, reading)) continue;
		switch (movement.is) {
			case 'payment':
				readPayment(movement, reading, found);
				if (isNews(movement.row.time, reading)) found.remarks.push(...movement.remarks);
				break;
			case 'stray payout':
				readStrayPayout(movement, reading, found);
				break;
			case 'other':
				readOther(movement, reading, found);
				break;
		}
	}
	return found;
}

function isNews(time: string, { lastTime }: Reading): boolean {
	return lastTime === undefined || time > lastTime;
}

function matters(movement: Movement, reading: Reading): boolean {
	const isUnanswered = movement.is === 'payment' && madeOf(movement.row) === 'notKnown';
	const news = newsTimeOf(movement);
	// The first proof starts from the balance, and asks only what may still move.
	if (reading.lastTime === undefined)
		return isUnanswered || (movement.is === 'payment' && news > daysBefore(reading.now, DAYS_SENT));
	return isUnanswered || news > reading.lastTime || reading.open.has(movement.name);
}

/** When the newest row of a movement was written. */
export function newsTimeOf(movement: Movement): string {
	return newestTime(rowsOf(movement));
}

/** All rows of a movement that count. */
export function rowsOf(movement: Movement): BookRow[] {
	switch (movement.is) {
		case 'payment':
			return [movement.row, ...movement.updates];
		case 'stray payout':
			return movement.updates;
		case 'other':
			return movement.rows;
	}
}
