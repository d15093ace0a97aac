/** The words of a run that stops: what happened to which items, and then what to do. */
import { invalid, nothingDone } from '../call/failure.ts';
import { STOPPED } from '../messages.ts';
import { atItem, itemsInWords } from '../numbering.ts';
import type { CallResult, Failure, ValidationIssue } from '../result.ts';
import { listed } from './executionLedger.ts';
import type { Payment } from './readPayment.ts';
import type { Run } from './run.ts';

/** The failure of a run that sends nothing, because these payments have issues. */
export function refusedRun(run: Run, payments: Map<number, Payment>): Failure {
	const { operation, items, ledger } = run;
	const result = ledger.all().length === 0 ? nothingDone(operation) : STOPPED.nothingSent;
	const issues = [...payments].flatMap(([item, payment]) => payment.issues.map((issue) => ({ issue, item })));
	return withHistory(run, invalid(kindsOf(issues, items.length), result));
}

/** The failure of a run that stops at an item. `results` are those of the items before it. */
export function stoppedRun(run: Run, results: CallResult[], item: number, failure: Failure): Failure {
	const all = run.items.length;
	const message = atItem(failure.message, item, all);
	const later = [...run.items.keys()].slice(item + 1);
	const notTried = later.filter((each) => run.ledger.get(each) === undefined);
	return withHistory(run, { ...failure, message }, results, notTried);
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

/** The failure after what this run has done, in this try and in earlier ones. */
export function withHistory(
	{ operation, items, ledger }: Run,
	failure: Failure,
	results: CallResult[] = [],
	notTried: number[] = [],
): Failure {
	const accepted = ledger.ofThisRun('accepted');
	const unknown = ledger.ofThisRun('unknown');
	const paidBefore = [...results.keys()].filter((item) => isPaidBefore(results[item]));
	const done = accepted.length + paidBefore.length;
	const isPayment = operation.movesMoney !== undefined;
	const word = isPayment ? 'paid' : 'done';
	const repeated = accepted.filter(({ key }) => key === undefined).map(({ itemIndex }) => itemIndex);
	const again = repeated.length === 0 ? STOPPED.isSafe : STOPPED.isRepeated(itemsInWords(repeated));
	const isUnknown = failure.outcome === 'unknown';
	const unknownOnes = isUnknown
		? STOPPED.thisIsUnknown(listed(unknown))
		: STOPPED.unknown(word, listed(unknown));
	const happened = [
		...(accepted.length > 0
			? [STOPPED.done(word, listed(accepted)), isPayment ? again : STOPPED.isDoneAgain]
			: []),
		...(paidBefore.length > 0 ? [STOPPED.paidBefore(itemsInWords(paidBefore))] : []),
		...(unknown.length > 0 && !(isUnknown && items.length === 1) ? [unknownOnes] : []),
		...(notTried.length > 0 ? [STOPPED.notTried(itemsInWords(notTried))] : []),
	];
	const partly = () => STOPPED.partly(word, String(done), String(items.length), failure.message);
	return {
		...failure,
		message: done === 0 ? failure.message : partly(),
		description: [...happened, failure.description].join(' '),
		executed: accepted.map(({ itemIndex, amount, result }) => ({
			itemIndex,
			...(result.ok && result.id !== undefined && { id: result.id }),
			amount,
		})),
	};
}

function isPaidBefore(result: CallResult | undefined): boolean {
	return result?.ok === true && result.items.some(({ alreadyPaid }) => alreadyPaid === true);
}
