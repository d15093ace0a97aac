/** The results of items that are not sent, and what every result has: the fields of its payment. */
import type { IDataObject } from 'n8n-workflow';

import { notSent } from '../../shared/answers/failure.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import { rowOf } from '../input/payment.ts';
import type { Payment } from '../input/payment.ts';
import type { Attempt, Ending, Refusal } from './guards/guard.ts';
import type { JournalEntry } from './guards/journal.ts';
import { withResult } from './items.ts';
import { REPEATED } from './messages.ts';
import type { Run } from './run.ts';

export type Decided = Required<Ending>;

/** The result of an item that failed, with the fields of its payment. What may have been sent does not wait, whatever holds it now. */
export function failed(failure: Failure, row: IDataObject): CallResult & { ok: false } {
	const { outcome, isWaiting } = failure;
	const result = withResult(outcome, row);
	const waits = isWaiting === true && outcome === 'notSent';
	return { ok: false, failure, row: waits ? { ...result, waiting: true } : result };
}

/** Empty for an item that an earlier try has decided. */
export function rowOfPayment(payment: Payment | undefined): IDataObject {
	if (payment === undefined) return {};
	const { operation, key, request, options } = payment;
	const row = rowOf(operation, { key, money: request.money });
	// Whatever its result, so that no book takes it for a try to pay.
	return options.dryRun ? { ...row, dryRun: true } : row;
}

/** The result of an item that a guard has refused. What an earlier try may have paid stays unknown, unless its key says more. */
export function refused(run: Run, { item, payment }: Attempt, refusal: Refusal): Decided {
	if ('earlier' in refusal) return { outcome: 'notSent', result: earlierResult(run, refusal.earlier) };
	const row = rowOfPayment(payment);
	if ('isPaid' in refusal) {
		const items = [{ ...withResult('alreadyPaid', row), alreadyPaid: true }];
		return { outcome: 'alreadyPaid', result: { ok: true, items } };
	}
	const isOpen = run.journal.get(item) !== undefined && payment.options.dryRun !== true;
	const failure: Failure = isOpen ? { ...refusal.failure, outcome: 'unknown' } : refusal.failure;
	return { outcome: 'notSent', result: failed(failure, row) };
}

/** The result of a payment that an earlier try has sent. */
export function earlierResult({ operation, operations }: Run, entry: JournalEntry): CallResult {
	const { route, result } = entry;
	const made = operations.find((each) => each.route === route);
	const row = rowOf(made ?? operation, entry);
	if (made === undefined) return failed(notSent(REPEATED.wasMadeByAnotherOperation(route)), row);
	if (result.ok) return result;
	const again = notSent(REPEATED.mayHaveBeenMade(result.failure.message));
	return failed({ ...result.failure, ...again, outcome: 'unknown' }, row);
}

/** The result, with what could not be given back. */
export function withNotes(result: CallResult, notes: string[]): CallResult {
	if (result.ok || notes.length === 0) return result;
	const description = [result.failure.description, ...notes].join(' ');
	return { ...result, failure: { ...result.failure, description } };
}
