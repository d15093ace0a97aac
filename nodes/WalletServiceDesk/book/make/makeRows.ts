/** Rows of the book from what happens: events of the trigger, payments before and after they are sent, and conversions. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../../api/exact/json.ts';
import { shortLine } from '../../../shared/text.ts';
import { isOfDryRun } from '../../operation/result.ts';
import { isThere, textOf } from '../../values/itemValues.ts';
import { rowToInsert } from '../row.ts';
import type { BookCells } from '../row.ts';
import { keyOfItem } from '../rowKeys.ts';
import { isConversion, rowsOfConversion } from './conversionRows.ts';
import { rowsOfEvent } from './eventRow.ts';
import { ODD } from './messages.ts';
import { isNamed, isPayout, rowOfPayment, rowsOfOrder } from './paymentRow.ts';
import type { RowContext } from './rowContext.ts';

/** The longest text of an item that a person reads in the column `message`. */
const LONGEST_TEXT = 1000;

/**
 * The rows of the book that an item makes, to be inserted. What it is, its fields `result` and `deliveryKey` say:
 * - with `result`, or the error of a node: a payment has one row, a conversion one for each side. A conversion that was not sent has none
 * - with `deliveryKey`: an event of the trigger. One that moves no money, such as a review, has none
 * - with neither: a payment that is about to be sent has a row `under way`, if nothing is wrong with it and enough people have said yes
 *
 * A dry run makes no row, and neither does an item in which nothing stands. An item that is none of these is a row of the kind `odd`. It
 * never stops the others. An amount that cannot be read is '' and never 0, and `message` says why. What is in doubt is `unknown`.
 */
export function rowsOfItem(item: IDataObject, index: number, context: RowContext): BookCells[] {
	if (isOfDryRun(item) || Object.values(item).every((value) => !isThere(value) || value === '')) return [];
	const rows = isRowOfBook(item) ? undefined : rowsOf(item, index, context);
	return (rows ?? [rowOfOdd(item, index, context)]).map(rowToInsert);
}

type Rows = Array<Partial<BookCells>>;

/** Undefined for an item that is odd. */
function rowsOf(item: IDataObject, index: number, context: RowContext): Rows | undefined {
	if (textOf(item.result) !== '' || Boolean(item.error)) return rowsOfResult(item, index, context);
	if (textOf(item.deliveryKey) !== '') return rowsOfEvent(item, context);
	return rowsOfOrder(item, index, context);
}

/** What moves no money is `done`, and stands in no book. */
function rowsOfResult(item: IDataObject, index: number, context: RowContext): Rows | undefined {
	const { result } = item;
	if (result === 'done') return undefined;
	if (isPayout(item)) return [rowOfPayment(item, index, context)];
	if (isConversion(item)) return rowsOfConversion(item, index, context);
	if (result !== 'notSent') return undefined;
	return isNamed(item) ? [rowOfPayment(item, index, context)] : [];
}

/** Read from the book by mistake, it would become another row of the same payment. */
function isRowOfBook({ kind, counterpart }: IDataObject): boolean {
	return isThere(kind) && isThere(counterpart);
}

function rowOfOdd(
	item: IDataObject,
	index: number,
	{ now, workflow, execution }: RowContext,
): Partial<BookCells> {
	const { error } = item;
	const reason = error ? textOf(isRecord(error) ? error.message : error) : '';
	const text = shortLine(reason || JSON.stringify(item), LONGEST_TEXT);
	const key = keyOfItem(execution, index);
	return { key, kind: 'odd', time: now, message: ODD.message(text), workflow, execution };
}
