/** The words of a run that stops: what happened to which items, and then what to do. */
import { invalid, nothingDone } from '../call/failure.ts';
import { STOPPED } from '../messages.ts';
import { atItem, itemsInWords } from '../numbering.ts';
import type { CallResult, Failure, ValidationIssue } from '../result.ts';
import type { Batch, Refused } from './checkItems.ts';
import { listed } from './executionLedger.ts';
import type { LedgerEntry } from './executionLedger.ts';

/** Kinds of problems that one message names. */
const MAX_KINDS = 3;

type Run = Pick<Batch, 'entry' | 'items' | 'ledger'>;

/** The failure of a run that sends nothing, because these items are refused. */
export function refusedRun(run: Run, refused: ReadonlyMap<number, Refused>): Failure {
	const [first] = refused.values();
	const issues = [...refused].flatMap(([item, { issues: found = [] }]) =>
		found.map((issue) => ({ ...issue, item })),
	);
	const result = run.ledger.all().length === 0 ? nothingDone(run.entry.endpoint) : STOPPED.nothingSent;
	// Without issues, nothing is wrong with the items: all have the same failure.
	const failure = issues.length > 0 ? invalid(kindsOf(issues, run.items.length), result) : first?.failure;
	if (failure === undefined) throw new Error('No item is refused');
	return withPayments(run, failure, { all: run.items.length });
}

/** The failure of a run that stops at an item. `results` are those of the items before it. */
export function stoppedRun(run: Run, results: CallResult[], item: number, failure: Failure): Failure {
	const all = run.items.length;
	const message = atItem(failure.message, item, all);
	const after = Array.from({ length: all - item - 1 }, (_, index) => item + 1 + index);
	return withPayments(
		run,
		{ ...failure, message },
		{
			all,
			paidBefore: [...results.keys()].filter((earlier) => isPaidBefore(results[earlier])),
			notTried: after.filter((later) => run.ledger.get(later) === undefined),
		},
	);
}

interface IssueOfItem extends ValidationIssue {
	item: number;
}

/** Problems with the same advice are one kind, with the message of its first item. Only the first kinds are described. */
function kindsOf(issues: IssueOfItem[], all: number): ValidationIssue[] {
	const kinds = new Map<string, IssueOfItem[]>();
	for (const issue of issues) {
		const same = kinds.get(issue.description) ?? [];
		kinds.set(issue.description, same);
		same.push(issue);
	}
	const described = [...kinds.values()].slice(0, MAX_KINDS).map((kind) => kindInWords(kind, all));
	const others = [...kinds.values()].slice(MAX_KINDS).flat();
	const [last] = described.slice(-1);
	if (last !== undefined && others.length > 0) {
		last.message += `; ${STOPPED.otherProblems(itemsInWords(itemNumbersIn(others)))}`;
	}
	return described;
}

function kindInWords(kind: IssueOfItem[], all: number): ValidationIssue {
	const [{ item, ...issue } = { item: 0, message: '', description: '' }] = kind;
	const { message } = issue;
	if (all === 1 || issue.namesItems === true) return issue;
	const items = itemNumbersIn(kind);
	if (kind.every((other) => other.message === message)) {
		return { ...issue, message: `${message} [${itemsInWords(items)}]` };
	}
	const similar = itemsInWords(items.filter((other) => other !== item));
	return { ...issue, message: `${message} [item ${item}; similar: ${similar}]` };
}

function itemNumbersIn(issues: IssueOfItem[]): number[] {
	return [...new Set(issues.map(({ item }) => item))].sort((a, b) => a - b);
}

interface Others {
	all: number;
	/** Items whose key was paid before this run. */
	paidBefore?: number[];
	notTried?: number[];
}

/** The failure after what this run has paid, in this try and in earlier ones. */
function withPayments(
	{ entry, ledger }: Run,
	failure: Failure,
	{ all, paidBefore = [], notTried = [] }: Others,
): Failure {
	const accepted = ledger.ofThisRun('accepted');
	const unknown = ledger.ofThisRun('unknown');
	const paid = accepted.length + paidBefore.length;
	const isUnknown = failure.outcome === 'unknown';
	const isPayment = entry.endpoint.movesMoney !== undefined;
	const word = isPayment ? 'paid' : 'done';
	const again = isPayment ? ifRunAgain(accepted) : STOPPED.isDoneAgain;
	const unknownOnes = listed(unknown);
	const happened = [
		...(accepted.length > 0 ? [`${STOPPED.done(word, listed(accepted))} ${again}`] : []),
		...(paidBefore.length > 0 ? [STOPPED.paidBefore(itemsInWords(paidBefore))] : []),
		...(unknown.length > 0 && !(isUnknown && all === 1)
			? [isUnknown ? STOPPED.thisIsUnknown(unknownOnes) : STOPPED.unknown(word, unknownOnes)]
			: []),
		...(notTried.length > 0 ? [STOPPED.notTried(itemsInWords(notTried))] : []),
	];
	return {
		...failure,
		message: paid === 0 ? failure.message : STOPPED.partly(word, String(paid), String(all), failure.message),
		description: [...happened, failure.description].join(' '),
		executed: accepted.map(({ executed }) => executed),
	};
}

/** What a new run does with what was paid. */
function ifRunAgain(accepted: LedgerEntry[]): string {
	const again = accepted.filter(({ key }) => key === undefined);
	if (again.length === 0) return accepted.length === 1 ? STOPPED.oneIsSafe : STOPPED.allAreSafe;
	if (again.length < accepted.length) {
		return STOPPED.someAreRepeated(itemsInWords(again.map(({ executed: { itemIndex } }) => itemIndex)));
	}
	return accepted.length === 1 ? STOPPED.oneIsRepeated : STOPPED.allAreRepeated;
}

function isPaidBefore(result: CallResult | undefined): boolean {
	return result?.ok === true && result.items.some(({ alreadyPaid }) => alreadyPaid === true);
}
