/** What every result of an item has: the fields of its payment. */
import type { IDataObject } from 'n8n-workflow';

import { withResult } from './items.ts';
import type { CallResult, Failure } from '../../shared/result.ts';
import { rowOf } from '../input/payment.ts';
import type { Payment } from '../input/payment.ts';

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
	const { operation, paymentKey, request, options } = payment;
	const row = rowOf(operation, { paymentKey, money: request.money });
	// Whatever its result, so that no book takes it for a try to pay.
	return options.dryRun ? { ...row, dryRun: true } : row;
}
