/** *Maximum Total*: the sum of what the execution has paid, or may have paid, and of what it would pay now. */
import { compare } from '../../../../api/exact/decimal.ts';
import { invalid } from '../../../shared/answers/failure.ts';
import type { Money } from '../../../shared/serviceRequest.ts';
import { checkTotal, totalOf } from '../../input/limits.ts';
import type { Total } from '../../input/limits.ts';
import type { Payment } from '../../input/payment.ts';
import { NOTHING_HELD } from './guard.ts';
import type { Attempt, Guard, Refusal } from './guard.ts';
import type { Journal, JournalEntry } from './journal.ts';

/**
 * The guard of items that stand for themselves: the first one above the sum is not sent. Other runs are checked as a whole before
 * their first item.
 */
export function executionTotal(journal: Journal, isEachAlone: boolean): Guard {
	/** What a dry run would have sent so far, by item. */
	const tried = new Map<number, Payment>();
	const exceeded = ({ item, payment }: Attempt): Refusal | undefined => {
		const { maximumTotal, dryRun } = payment.options;
		if (!isEachAlone || maximumTotal === undefined) return undefined;
		// A key that comes twice is one payment.
		const others = [...tried].filter(
			([, { key }]) => key === undefined || key.compared !== payment.key?.compared,
		);
		const payments = new Map([...(dryRun ? others : []), [item, payment]]);
		const issues = checkTotal(maximumTotal, totalOfExecution(payments, new Set(), journal));
		return issues.length > 0 ? { failure: invalid(issues) } : undefined;
	};
	return {
		take: async (attempt) => await Promise.resolve(exceeded(attempt) ?? NOTHING_HELD),
		look: async (attempt) => {
			const begin = () => void tried.set(attempt.item, attempt.payment);
			return await Promise.resolve(exceeded(attempt) ?? { begin });
		},
	};
}

/** What the execution has paid, or may have paid, and what this run would add to it. `repeated`: items that an earlier one counts. */
export function totalOfExecution(
	payments: Map<number, Payment>,
	repeated: Set<number>,
	journal: Journal,
): Total {
	const before = new Map([...payments.keys()].map((item) => [item, journal.get(item)]));
	const again = new Set(before.values());
	const earlier = journal.all().filter((entry) => !again.has(entry));
	const now = [...payments]
		.filter(([item]) => !repeated.has(item))
		.flatMap(([item, payment]) => moneyOf(payment, before.get(item)));
	return totalOf([...earlier.map(({ money }) => money), ...now]);
}

/** What an item may have paid, or would pay now: under its key only one of both, under another key it is not sent again. */
function moneyOf({ key, request: { money } }: Payment, before: JournalEntry | undefined): Money[] {
	if (before === undefined) return [money];
	if (before.key?.compared !== key?.compared) return [before.money];
	const [amount, amountBefore] = [money.amount, before.money.amount];
	const isSameUnit = money.currency === before.money.currency;
	if (!isSameUnit || amount === undefined || amountBefore === undefined) return [money, before.money];
	return compare(amount, amountBefore) < 0 ? [before.money] : [money];
}
