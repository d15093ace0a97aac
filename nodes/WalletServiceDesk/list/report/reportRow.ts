/** A payment as Report shows it and as Read Decisions takes it back, and how it is read from an item of n8n. */
import type { IDataObject } from 'n8n-workflow';

import { CATALOG, moneyFieldsOf } from '../../../../api/catalog.ts';
import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { camelCase } from '../../../../api/shape.ts';
import { isSameAlias } from '../../../shared/alias.ts';
import { differentNames } from '../../../shared/approvers.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { textOf, writtenText } from '../../values/itemValues.ts';
import { isOfDryRun, RESULTS } from '../../operation/result.ts';
import type { PaymentResult } from '../../operation/result.ts';
import type { ListRow } from '../listRow.ts';
import { readRowFields } from '../rowFields.ts';
import { PROBLEM } from './messages.ts';

/** What only a row of the list has. The result of a payment may come without it. */
type OfTheList = 'row' | 'line' | 'again';

/**
 * What a payment needs again, and what people see of it. Texts are as they were written: who shows them escapes them. The Payment Key is
 * '' if there is none, or if it is not certain whose it is.
 */
export interface ReportRow extends Omit<ListRow, OfTheList>, Partial<Pick<ListRow, OfTheList>> {
	/** Absent before a dry run or a payment. `unknown` also where a result is missing or cannot be read. */
	result?: PaymentResult;
	/** As the service reports it. */
	status?: string;
	payoutId?: string;
	/** Why it was not paid, or why it is not known. */
	message?: string;
	/** An answer about this unknown payment counts only after one more run that does not decide. */
	mayDecide?: 'nextRun';
	/** ISO 8601 in UTC: an earlier answer about this unknown payment does not count. Absent if no such time is known. */
	decideFrom?: string;
	/** Who has found that this payment, of which nobody knew, was made. */
	foundBy?: string;
	/** What the account had of its currency or coin before the payments: exact decimal text. */
	balanceBefore?: string;
}

/** An item of n8n, read. */
export interface ReportItem {
	/** `payment`: a row or a result. `list`: what is wrong with the list as a whole. `other`: an item that is neither. */
	kind: 'payment' | 'list' | 'other';
	row: ReportRow;
	/** A node has failed, and does not say what it has done before that. */
	hasUnclearError: boolean;
	/** What the node that pays advises. It speaks of one item, so it may be shown only where a list can be run again. */
	advice: string;
	/** Nothing was sent for it, whatever its result. */
	isOfDryRun: boolean;
	/** Somebody has said yes to it, so it is there to be paid. */
	isApproved: boolean;
	/** What a person had decided before this result. '' if the item does not say so. */
	decision: string;
	/** Who asks for it. '' if the item does not say so. */
	askedBy: string;
}

/** The names under which a result has its destination: `accountAlias`, `walletAlias`. */
const DESTINATIONS = CATALOG.flatMap((operation) => moneyFieldsOf(operation).destination ?? []).map(
	camelCase,
);

/** Reads an item as it came: a row of Read, the result of a dry run or of a payment, or both in one. */
export function readReportItem(item: IDataObject): ReportItem {
	const fields = readRowFields(item);
	const row: ReportRow = {
		...readPayment(item),
		...fields,
		...readOutcome(item),
		problems: fields.problems ?? [],
	};
	const isRow = fields.row !== undefined && fields.problems !== undefined;
	return {
		kind: kindOf(row, isRow),
		row,
		hasUnclearError: row.result === undefined && Boolean(item.error),
		advice: readError(item.error).advice,
		isOfDryRun: isOfDryRun(item),
		isApproved: textOf(item.approvedBy) !== '',
		decision: writtenText(item.decision),
		askedBy: textOf(item.askedBy),
	};
}

function kindOf({ row, result }: ReportRow, isRow: boolean): ReportItem['kind'] {
	if (result !== undefined) return 'payment';
	if (!isRow) return 'other';
	return row === 0 ? 'list' : 'payment';
}

/** Whether the node that pays can tell this payment from any other, so that it is made once. */
export function hasKey({ paymentKey }: ReportRow): boolean {
	return comparedKey(paymentKey) !== undefined;
}

/** Whether a total can hold the amount. */
export function hasAmount({ amount }: ReportRow): boolean {
	return isPlainDecimal(amount);
}

/** The numbers of rows that people have left out of this list, each once. Each row says them, since any of them may be the only one. */
export function leftOutOf(rows: readonly ReportRow[]): number[] {
	const numbers = rows.find(({ leftOut }) => leftOut !== undefined)?.leftOut ?? '';
	return [...new Set(numbers.match(/\d+/g)?.map(Number))];
}

function readPayment(
	item: IDataObject,
): Pick<ReportRow, 'paymentKey' | 'amount' | 'destination' | 'currency' | 'coin'> {
	const currency = textOf(item.currency).toUpperCase();
	const coin = textOf(item.coin).toUpperCase();
	return {
		paymentKey: textOf(item.paymentKey),
		amount: textOf(item.amount),
		...(currency !== '' && { currency }),
		...(coin !== '' && { coin }),
		destination: textOf(item.destination) || destinationOfResult(item),
	};
}

function destinationOfResult(item: IDataObject): string {
	return DESTINATIONS.map((name) => textOf(item[name])).find((alias) => alias !== '') ?? '';
}

/** Why the row and the result of an item belong to different payments: *Merge* has joined what does not stand together. */
function mismatchOf(item: IDataObject): string | undefined {
	const ofRow = textOf(item.destination);
	const ofResult = destinationOfResult(item);
	const differ = ofRow !== '' && ofResult !== '' && !isSameAlias(ofRow, ofResult);
	return differ ? PROBLEM.isOfAnotherPayment({ ofRow, ofResult }) : undefined;
}

function readOutcome(item: IDataObject): Partial<ReportRow> {
	const [status, payoutId] = [writtenText(item.status), writtenText(item.payoutId)];
	const result = readResult(item);
	const foundBy = result.result === 'alreadyPaid' ? readFoundBy(item) : '';
	return {
		...(item.again === true && { again: true }),
		...(status !== '' && { status }),
		...(payoutId !== '' && { payoutId }),
		...result,
		...(foundBy !== '' && { foundBy }),
		...(isPlainDecimal(textOf(item.balanceBefore)) && { balanceBefore: textOf(item.balanceBefore) }),
	};
}

/** A decision goes along with the names of those who made it. */
function readFoundBy({ decision, approvedBy, foundBy }: IDataObject): string {
	if (decision !== 'wasPaid') return textOf(foundBy);
	return differentNames(textOf(approvedBy)).join(', ') || PROBLEM.aPerson();
}

/** What became of the payment, if the item says so. What nobody can be sure of is `unknown`. */
function readResult(item: IDataObject): Pick<ReportRow, 'result' | 'message'> & Partial<ReportRow> {
	const { message, outcome, ...when } = readError(item.error, item.message);
	const { mayDecide = item.mayDecide, decideFrom = item.decideFrom } = when;
	const given = isBlank(item.result) ? outcome : item.result;
	const reason = message === '' ? {} : { message };
	if (isBlank(given)) return reason;
	const mismatch = mismatchOf(item);
	// Nobody can tell whose key it is.
	if (mismatch !== undefined) return { result: 'unknown', message: mismatch, paymentKey: '' };
	const result = RESULTS.find((word) => word === given);
	if (result === undefined)
		return { result: 'unknown', message: PROBLEM.resultIsNotKnown(writtenText(given)) };
	if (result !== 'unknown') return { result, ...reason };
	return {
		result,
		...reason,
		...(mayDecide === 'nextRun' && { mayDecide }),
		...(isTime(decideFrom) && { decideFrom }),
	};
}

function isTime(value: unknown): value is string {
	return (
		typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
	);
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

interface ItemError {
	message: string;
	advice: string;
	outcome?: unknown;
	mayDecide?: unknown;
	decideFrom?: unknown;
}

/** n8n's own nodes give an error as text, and a row of an earlier report has its reason as `message`. */
export function readError(error: unknown, message?: unknown): ItemError {
	if (!isRecord(error)) return { message: writtenText(error) || writtenText(message), advice: '' };
	return {
		message: writtenText(error.message),
		advice: writtenText(error.description),
		outcome: error.outcome,
		mayDecide: error.mayDecide,
		decideFrom: error.decideFrom,
	};
}
