/** What a run says: above its output, and when it stops: what happened to which items, and then what to do. */
import type { NodeExecutionHint } from 'n8n-workflow';

import { movesMoney } from '../../../api/catalog.ts';
import { invalid, nothingDone } from '../../shared/answers/failure.ts';
import { addAmount } from '../../shared/sums.ts';
import { HINT, STOPPED } from './reportMessages.ts';
import { atItem, itemsInWords } from './itemNumbers.ts';
import type { CallResult, Failure, Result, ValidationIssue } from '../../shared/result.ts';
import { wasPaidBefore } from './guards/journal.ts';
import type { JournalEntry } from './guards/journal.ts';
import type { Payment } from '../input/payment.ts';
import type { Run } from './run.ts';

/** The failure of a run that sends nothing, because these payments have issues. */
export function refusedRun(run: Run, payments: Map<number, Payment>): Failure {
	const { operation, items, journal } = run;
	const result = journal.isEmpty ? nothingDone(operation) : STOPPED.nothingSent;
	const issues = [...payments].flatMap(([item, payment]) => payment.issues.map((issue) => ({ issue, item })));
	return withHistory(run, invalid(kindsOf(issues, items.length), result));
}

/** The failure of a run that stops at an item. `results`: those of all items that were tried. */
export function stoppedRun(run: Run, results: CallResult[], item: number, failure: Failure): Failure {
	const all = run.items.length;
	const message = atItem(failure.message, item, all);
	const later = [...run.items.keys()].slice(results.length);
	const notTried = later.filter((each) => run.journal.get(each) === undefined);
	return withHistory(run, { ...failure, message }, { results, notTried, stoppedAt: item });
}

/** Kinds of problems that one message names. */
const MAX_KINDS = 3;

/** Problems with the same advice are one kind, with the message of its first item. Only the first kinds are described. */
function kindsOf(issues: Array<{ issue: ValidationIssue; item: number }>, all: number): ValidationIssue[] {
	const kinds = [...Map.groupBy(issues, ({ issue }) => issue.description).values()];
	const itemsIn = (kind: typeof issues) => {
		const items = new Set(kind.map(({ item }) => item));
		return itemsInWords([...items].sort((a, b) => a - b));
	};
	const described = kinds.slice(0, MAX_KINDS).flatMap((kind) =>
		kind.slice(0, 1).map(({ issue }) => {
			const isNumbered = all > 1 && issue.namesItems !== true;
			return isNumbered ? { ...issue, message: `${issue.message} [${itemsIn(kind)}]` } : { ...issue };
		}),
	);
	const others = kinds.slice(MAX_KINDS).flat();
	const [last] = described.slice(-1);
	if (last !== undefined && others.length > 0) last.message += `; ${STOPPED.otherProblems(itemsIn(others))}`;
	return described;
}

/** What a run has done before it stops. */
interface History {
	results?: CallResult[];
	/** Items behind the last one that was tried. */
	notTried?: number[];
	/** The item of the failure. */
	stoppedAt?: number;
}

/** The failure after what this run has done, in this try and in earlier ones. */
export function withHistory(
	{ operation, items, journal }: Run,
	failure: Failure,
	{ results = [], notTried = [], stoppedAt }: History = {},
): Failure {
	const accepted = journal.ofThisRun('accepted');
	const unknown = journal.ofThisRun('unknown');
	const paidBefore = results.flatMap((result, item) => (wasPaidBefore(result) ? [item] : []));
	const others = results.flatMap((result, item) =>
		!result.ok && result.failure.outcome !== 'unknown' && item !== stoppedAt ? [item] : [],
	);
	const done = accepted.length + paidBefore.length;
	const isPayment = movesMoney(operation);
	const word = isPayment ? 'paid' : 'done';
	const repeated = accepted.filter(({ key }) => key === undefined).map(({ itemIndex }) => itemIndex);
	const again = repeated.length === 0 ? STOPPED.isSafe : STOPPED.isRepeated(itemsInWords(repeated));
	const isUnknown = failure.outcome === 'unknown';
	const unknownOnes = isUnknown
		? STOPPED.thisIsUnknown(listed(unknown))
		: STOPPED.unknown({ word: word, payments: listed(unknown) });
	const happened = [
		...(accepted.length > 0
			? [STOPPED.done({ word: word, payments: listed(accepted) }), isPayment ? again : STOPPED.isDoneAgain]
			: []),
		...(paidBefore.length > 0 ? [STOPPED.paidBefore(itemsInWords(paidBefore))] : []),
		...(unknown.length > 0 && !(isUnknown && items.length === 1) ? [unknownOnes] : []),
		...(others.length > 0 ? [STOPPED.others({ word, items: itemsInWords(others) })] : []),
		...(notTried.length > 0 ? [STOPPED.notTried(itemsInWords(notTried))] : []),
	];
	// n8n's own indexes begin with 0, and who takes out the wrong item pays one twice.
	const howToCount = items.length > 1 ? [STOPPED.firstItem] : [];
	const partly = () =>
		STOPPED.partly({ word: word, count: String(done), all: String(items.length), message: failure.message });
	return {
		...failure,
		message: done === 0 ? failure.message : partly(),
		description: [...happened, failure.description, ...howToCount].join(' '),
		executed: accepted.map(({ itemIndex, money, result }) => ({
			itemIndex,
			...(result.ok && result.id !== undefined && { id: result.id }),
			amount: money.amount,
		})),
	};
}

/** `payments`: those of the results, by item. */
export function hintsOf(results: CallResult[], payments: Map<number, Payment>): NodeExecutionHint[] {
	const rows = results.flatMap((result, item) =>
		result.ok ? result.items.map((json) => ({ item, json })) : [],
	);
	const having = (word: Result) => rows.filter(({ json }) => json.result === word);
	const withoutKey = having('paid').filter(({ json }) => json.paymentKey === undefined).length;
	const paidBefore = having('alreadyPaid').map(({ item }) => item);
	const below = having('paid')
		.filter(({ json }) => json.belowMinimum === true)
		.map(({ item }) => item);
	const tried = having('dryRun').flatMap(({ item }) => payments.get(item) ?? []);
	const unapproved = tried.filter(({ isUnapproved }) => isUnapproved === true).length;
	return [
		...(below.length > 0
			? [hint('warning', HINT.isBelowMinimum({ count: below.length, items: itemsInWords(below) }))]
			: []),
		...(withoutKey > 0 ? [hint('warning', HINT.hasNoKey(withoutKey))] : []),
		...(paidBefore.length > 0
			? [hint('info', HINT.wasPaid({ count: paidBefore.length, items: itemsInWords(paidBefore) }))]
			: []),
		...(tried.length > 0 ? [hint('info', totals(tried))] : []),
		...(unapproved > 0 ? [hint('info', HINT.isUnapproved(unapproved))] : []),
	];
}

/** What a run without the dry run would pay. A key that comes twice is one payment. */
function totals(tried: Payment[]): string {
	const payments = new Map(tried.map(({ key, request }, index) => [key?.compared ?? index, request.money]));
	const sums = new Map<string, string>();
	let unreadable = 0;
	for (const { amount, currency, destination } of payments.values()) {
		const unit = (currency?.toUpperCase() ?? destination) || HINT.unknownUnit;
		if (amount === undefined) unreadable += 1;
		else addAmount(sums, unit, amount);
	}
	const words = [...sums].map(([unit, sum]) => `${sum} ${unit}`);
	if (unreadable > 0) words.push(HINT.unreadable(unreadable));
	return HINT.dryRun({ count: payments.size, total: words.join(', ') });
}

function hint(type: 'warning' | 'info', message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

/** Payments that one list describes. The numbers of the others follow. */
const MAX_DESCRIBED = 20;

/** `item 1: 12.50 NGN to supplier-main, key INV-1, ID po_1; item 2: …` */
export function listed(entries: JournalEntry[]): string {
	const words = entries.slice(0, MAX_DESCRIBED).map(inWords);
	const others = entries.slice(MAX_DESCRIBED).map(({ itemIndex }) => itemIndex);
	return [...words, ...(others.length > 0 ? [itemsInWords(others)] : [])].join('; ');
}

function inWords({ itemIndex, money, key, result }: JournalEntry): string {
	const { amount, currency, destination } = money;
	const unit = currency === destination ? undefined : currency;
	const payment = [amount, unit, destination && `to ${destination}`].filter(Boolean).join(' ');
	const words = [payment, key && `key ${key.written}`, result.ok && result.id && `ID ${result.id}`]
		.filter(Boolean)
		.join(', ');
	const item = itemsInWords([itemIndex]);
	return words === '' ? item : `${item}: ${words}`;
}
