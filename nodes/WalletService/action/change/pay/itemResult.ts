/** What every result of an item has: the fields of its payment. */
import type { IDataObject } from 'n8n-workflow';

import { withResult } from '../../items.ts';
import type { CallResult, Failure, Result } from '../../result.ts';
import { rowOf } from '../read/payment.ts';
import type { Payment } from '../read/payment.ts';

/** The result of an item that failed, with the fields of its payment. */
export function failed(failure: Failure, row: IDataObject): CallResult & { ok: false } {
	return { ok: false, failure, row: withResult(resultOf(failure), row) };
}

/** What may have been sent does not wait, whatever holds it now. */
function resultOf({ outcome, isWaiting }: Failure): Result {
	return isWaiting === true && outcome === 'notSent' ? 'waiting' : outcome;
}

/** Empty for an item that an earlier try has decided. */
export function rowOfPayment(payment: Payment | undefined): IDataObject {
	if (payment === undefined) return {};
	const { operation, paymentKey, request, options } = payment;
	const row = rowOf(operation, { paymentKey, money: request.money });
	// Whatever its result, so that no book takes it for a try to pay.
	return options.dryRun ? { ...row, dryRun: true } : row;
}
