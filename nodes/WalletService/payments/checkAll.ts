/** Checks the payments of a run against each other: keys that come twice, and the total of the execution. */
import { compare } from '../../../api/exact/decimal.ts';
import type { ValidationIssue } from '../../shared/result.ts';
import type { Money } from '../../shared/serviceRequest.ts';
import { itemsInWords } from './itemNumbers.ts';
import type { ExecutionLedger, LedgerEntry } from './guards/journal.ts';
import { checkTotal, totalOf } from '../input/limits.ts';
import type { Total } from '../input/limits.ts';
import { KEY_FIELD } from '../input/paymentMessages.ts';
import { detailsOf } from '../input/payment.ts';
import type { Payment } from '../input/payment.ts';

/** Adds to each payment what is wrong with it. By item. */
export function checkPayments(payments: Map<number, Payment>, ledger: ExecutionLedger): void {
	const repeated = compareKeys(payments);
	const all = [...payments.values()];
	// A total is checked only if every item is valid.
	if (all.some(({ issues }) => issues.length > 0)) return;
	// To add up what a long loop has paid takes time.
	if (all.every(({ options }) => options.maximumTotal === undefined)) return;
	const total = totalOfExecution(payments, repeated, ledger);
	for (const { options, issues } of all) {
		issues.push(...checkTotal(options.maximumTotal, total));
		// One item is enough to hold all of them back.
		if (issues.length > 0) return;
	}
}

/** What is wrong with the total of the execution, if an item that stands for itself is sent now. `tried`: by a dry run, before it. */
export function checkTotalWith(
	item: number,
	payment: Payment,
	{ ledger, tried }: { ledger: ExecutionLedger; tried: Map<number, Payment> },
): ValidationIssue[] {
	const { maximumTotal } = payment.options;
	if (maximumTotal === undefined) return [];
	const payments = new Map([...tried, [item, payment]]);
	return checkTotal(maximumTotal, totalOfExecution(payments, new Set(), ledger));
}

/** What the execution has paid, or may have paid, and what this run would add to it. */
function totalOfExecution(
	payments: Map<number, Payment>,
	repeated: Set<number>,
	ledger: ExecutionLedger,
): Total {
	const before = new Map([...payments.keys()].map((item) => [item, ledger.get(item)]));
	const again = new Set(before.values());
	const earlier = ledger.all().filter((entry) => !again.has(entry));
	const now = [...payments]
		.filter(([item]) => !repeated.has(item))
		.flatMap(([item, payment]) => moneyOf(payment, before.get(item)));
	return totalOf([...earlier.map(({ money }) => money), ...now]);
}

/** What an item may have paid, or would pay now: under its key only one of both, under another key it is not sent again. */
function moneyOf({ key, request: { money } }: Payment, before: LedgerEntry | undefined): Money[] {
	if (before === undefined) return [money];
	if (before.key !== key?.compared) return [before.money];
	const [amount, amountBefore] = [money.amount, before.money.amount];
	const isSameUnit = money.currency === before.money.currency;
	if (!isSameUnit || amount === undefined || amountBefore === undefined) return [money, before.money];
	return compare(amount, amountBefore) < 0 ? [before.money] : [money];
}

/** Adds an issue to items that have one key and differ. Returns the items that repeat an earlier one, which count once. */
function compareKeys(payments: Map<number, Payment>): Set<number> {
	const keyed = [...payments].filter(([, { key }]) => key !== undefined);
	const repeated = new Set<number>();
	for (const same of Map.groupBy(keyed, ([, { key }]) => key?.compared).values()) {
		if (same.length === 1) continue;
		const items = same.map(([item]) => item);
		if (new Set(same.map(([, payment]) => JSON.stringify(detailsOf(payment)))).size === 1) {
			for (const item of items.slice(1)) repeated.add(item);
			continue;
		}
		const words = itemsInWords(items);
		for (const [, { paymentKey, issues }] of same) {
			issues.push(KEY_FIELD.isUsedTwice({ key: String(paymentKey), items: words }));
		}
	}
	return repeated;
}
