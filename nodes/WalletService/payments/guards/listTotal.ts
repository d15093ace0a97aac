/**
 * *Maximum Total* of a list, for each currency and coin by itself. The first row above it is not sent, and no later row of its code: a
 * smaller one behind it would be paid in its place.
 */
import { add, compare, subtract } from '../../../../api/exact/decimal.ts';
import { notSent } from '../../../shared/answers/failure.ts';
import { labelOfOption } from '../../input/paymentOptions.ts';
import { LIMIT } from '../../input/paymentMessages.ts';
import { NOTHING_HELD } from './guard.ts';
import type { Attempt, Guard, Refusal } from './guard.ts';
import type { Journal, Unit } from './journal.ts';
import { LIST_TOTAL } from './messages.ts';

export function listTotal(journal: Journal): Guard {
	const tried = new TriedRows();
	const label = labelOfOption('maximumTotal');
	const refusalOf = (attempt: Attempt): Refusal | undefined => {
		const { maximumTotal, dryRun } = attempt.payment.options;
		if (maximumTotal === undefined) return undefined;
		const unit = unitOf(attempt);
		const { code } = unit;
		if (journal.isClosed(unit) || (dryRun && tried.isClosed(unit)))
			return { failure: notSent(LIST_TOTAL.isClosed({ label, code })) };
		const before = totalWith(attempt, journal);
		if (before === undefined) return { failure: notSent(LIMIT.totalIsUnreadable(label)) };
		const total = dryRun ? add(before, tried.sumBeside(attempt)) : before;
		if (compare(total, maximumTotal) <= 0) return undefined;
		if (dryRun) tried.close(unit);
		else journal.close(unit);
		return { failure: notSent(LIST_TOTAL.isAbove({ label, code, total, maximum: maximumTotal })) };
	};
	return {
		take: async (attempt) => await Promise.resolve(refusalOf(attempt) ?? NOTHING_HELD),
		look: async (attempt) => await Promise.resolve(refusalOf(attempt) ?? { begin: () => tried.add(attempt) }),
	};
}

function unitOf({ payment: { operation, request } }: Attempt): Unit {
	return { route: operation.route, code: request.money.currency?.toUpperCase() ?? '' };
}

/** What the execution has paid, or may have paid, and the row. A row that an earlier try has sent counts once: its key is the same. */
function totalWith(attempt: Attempt, journal: Journal): string | undefined {
	const { amount = '0' } = attempt.payment.request.money;
	const earlier = journal.get(attempt.item)?.money.amount ?? '0';
	const sum = journal.sumOf(unitOf(attempt));
	return sum === undefined ? undefined : add(subtract(sum, earlier), amount);
}

/** What a dry run would have sent so far. */
class TriedRows {
	readonly #sums = new Map<string, string>();
	readonly #keys = new Set<string>();
	readonly #closed = new Set<string>();

	/** What the rows before have added. A key that comes twice is one payment. */
	sumBeside(attempt: Attempt): string {
		const { key, request } = attempt.payment;
		const sum = this.#sums.get(nameOf(attempt)) ?? '0';
		const isTwice = key?.compared !== undefined && this.#keys.has(key.compared);
		return isTwice ? subtract(sum, request.money.amount ?? '0') : sum;
	}

	add(attempt: Attempt): void {
		const { key, request } = attempt.payment;
		this.#sums.set(nameOf(attempt), add(this.sumBeside(attempt), request.money.amount ?? '0'));
		if (key?.compared !== undefined) this.#keys.add(key.compared);
	}

	isClosed(unit: Unit): boolean {
		return this.#closed.has(JSON.stringify(unit));
	}

	close(unit: Unit): void {
		this.#closed.add(JSON.stringify(unit));
	}
}

function nameOf(attempt: Attempt): string {
	return JSON.stringify(unitOf(attempt));
}
