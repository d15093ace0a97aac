/** What the field `result` says of a payment or conversion. */
import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../values/itemValues.ts';

/** The words of a money operation. */
export const RESULTS = ['paid', 'alreadyPaid', 'dryRun', 'notSent', 'rejected', 'unknown'] as const;
export type PaymentResult = (typeof RESULTS)[number];

/** The word of the book for a payment that is about to be sent. */
export const UNDER_WAY = 'under way';

/** Whether nothing is sent for the item, whatever its result: the row before a dry run says so as the option *Dry Run* reads it. */
export function isOfDryRun({ dryRun, result }: IDataObject): boolean {
	return dryRun === true || textOf(dryRun) === 'true' || result === 'dryRun';
}
