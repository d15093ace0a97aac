/** Payments of which nobody knows whether they were made: which of them a person can decide about, and from when on. */
import { isZero } from '../../../../api/exact/decimal.ts';
import { UNKNOWN } from './messages.ts';
import { hasAmount, hasKey } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';

/** Whether a person can decide about an unknown payment now: `later`, after one more run, or `never`. */
export function whenDecided(row: ReportRow): 'now' | 'later' | 'never' {
	if (whyNotDecided(row) !== undefined) return 'never';
	return row.mayDecide === 'nextRun' ? 'later' : 'now';
}

/** Why nobody can decide about an unknown payment: no key tells it from another, or it is not complete. Undefined if a person can. */
export function whyNotDecided(row: ReportRow): string | undefined {
	if (!hasKey(row)) return UNKNOWN.hasNoKey();
	const isComplete =
		hasAmount(row) && !isZero(row.amount) && row.destination !== '' && assetOf(row) !== undefined;
	return isComplete ? undefined : UNKNOWN.isNotComplete();
}

/** Whether the outcome of a payment is unknown, and a person can decide about it now. */
export function isOpen(row: ReportRow): boolean {
	return row.result === 'unknown' && whenDecided(row) === 'now';
}

/**
 * From when on an answer about the unknown payments counts: the latest of their times, or `now` if none is known. Undefined if there is
 * none that a person can decide about.
 */
export function decideFrom(rows: readonly ReportRow[], now: string): string | undefined {
	const open = rows.filter(isOpen);
	if (open.length === 0) return undefined;
	return (
		open
			.flatMap((row) => row.decideFrom ?? [])
			.sort()
			.at(-1) ?? now
	);
}
