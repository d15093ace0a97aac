/** Rows of the book from what happens: events of the trigger, payments before and after they are sent, and conversions. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../../api/exact/json.ts';
import { DeskProblem } from '../../operation/problem.ts';
import { isConversion, rowsOfConversion } from './conversionRows.ts';
import { textOf } from '../../values/itemValues.ts';
import { isOfDryRun } from '../../operation/result.ts';
import { NO_ROW } from './messages.ts';
import { isEvent, rowsOfEvent } from './eventRow.ts';
import { isPayment, rowsOfPayment } from './paymentRow.ts';
import type { RowContext, RowToWrite } from './rowToWrite.ts';

/**
 * The rows of the book that an item makes. It is told by its fields:
 * - an event of the trigger: one row, its key is the delivery key and its content. Reviews and unknown kinds make none
 * - a payment of a list without `result`: one row with the result `under way`, to be written before it is sent
 * - a payment with a result, or one that failed: one row under the same key
 * - an item of a dry run, before or after it: none, whatever its result
 * - a conversion with a result or a transaction ID: two rows, of what goes out and what comes in. One that was not sent makes none
 *
 * How to write them: by *Upsert* of the Data Table, with the columns mapped automatically. An event on `key`. A payment on `key` and the
 * number of the execution, in rows that are neither `paid` nor `unknown`: what was paid or is unknown keeps its row, also if a list is
 * run again or has a key twice. Of several rows of one key, readers take the one that counts. A row has only columns that its item
 * knows; the others keep what the book has. What was paid before has a row `alreadyPaid` of its own, and the row of the run that
 * paid keeps its ID and approver.
 * An amount that cannot be read is '' and never 0, and `message` says why.
 *
 * Throws DeskProblem for an item that is none of these. What is in doubt is `unknown`, and no row invites to pay.
 */
export function rowsOfItem(item: IDataObject, index: number, context: RowContext): RowToWrite[] {
	if (isEvent(item)) return rowsOfEvent(item, index, context);
	if (isOfDryRun(item)) return [];
	if (isConversion(item)) return rowsOfConversion(item, index, context);
	if (isPayment(item)) return rowsOfPayment(item, index, context);
	throw new DeskProblem(NO_ROW.message(String(index)), NO_ROW.description(wordsOf(item)));
}

/** What an item has in index of an event or payment. */
function wordsOf(item: IDataObject): string {
	const { error } = item;
	if (error) return NO_ROW.error(textOf(isRecord(error) ? error.message : error));
	const names = Object.keys(item);
	return names.length === 0 ? NO_ROW.noFields() : NO_ROW.fields(names.join(', '));
}
