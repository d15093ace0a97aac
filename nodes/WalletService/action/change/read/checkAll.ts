/** Checks the payments of a run against each other: keys that come twice, and the total of the execution. */
import { KEY_TEXT } from './messages.ts';
import { itemsInWords } from '../report/itemNumbers.ts';
import type { ExecutionLedger } from '../remember/ledger.ts';
import { checkTotal, totalOf } from './limits.ts';
import type { Payment } from './readChange.ts';

/** Adds to each payment what is wrong with it. By item. */
export function checkPayments(payments: Map<number, Payment>, ledger: ExecutionLedger): void {
	const repeated = compareKeys(payments);
	// A total is checked only if every item is valid.
	if ([...payments.values()].some(({ issues }) => issues.length > 0)) return;
	// What may be sent again counts as it is now.
	const again = new Set([...payments.keys()].map((item) => ledger.get(item)));
	const counted = [...payments].filter(([item]) => !repeated.has(item)).map(([, { request }]) => request);
	const total = totalOf([...ledger.all().filter((entry) => !again.has(entry)), ...counted]);
	for (const { options, issues } of payments.values()) {
		issues.push(...checkTotal(options.maximumTotal, total));
		// One item is enough to hold all of them back.
		if (issues.length > 0) return;
	}
}

/** Adds an issue to items that have one key and differ. Returns the items that repeat an earlier one, which count once. */
function compareKeys(payments: Map<number, Payment>): Set<number> {
	const all = [...payments].flatMap(([item, { keyed, ...others }]) =>
		keyed ? [{ item, keyed, ...others }] : [],
	);
	const repeated = new Set<number>();
	for (const same of Map.groupBy(all, ({ keyed }) => keyed.key).values()) {
		const items = same.map(({ item }) => item);
		const isOne = new Set(same.map(({ keyed }) => JSON.stringify(keyed.details))).size === 1;
		if (isOne) items.slice(1).forEach((item) => repeated.add(item));
		else {
			for (const { row, issues } of same)
				issues.push(KEY_TEXT.isUsedTwice({ key: String(row.paymentKey), items: itemsInWords(items) }));
		}
	}
	return repeated;
}
