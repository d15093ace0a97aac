/** The rows of a payment before it is sent, and with its result. The names of its fields come from the tables of the service. */
import type { IDataObject } from 'n8n-workflow';

import { getOperation, moneyFieldsOf } from '../../../../api/catalog.ts';
import { EVENTS } from '../../../../api/events.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { camelCase, keysWithRole, namesWithRole } from '../../../../api/shape.ts';
import { PAYMENT_IDS } from '../../../shared/answers/records.ts';
import { differentNames } from '../../../shared/approvers.ts';
import { namesSomebody } from '../../../shared/namesSomebody.ts';
import { shortLine } from '../../../shared/text.ts';
import { RESULTS, UNDER_WAY } from '../../operation/result.ts';
import { firstText, isThere, textOf } from '../../values/itemValues.ts';
import type { BookCells, KindName } from '../row.ts';
import { keyOfItem } from '../rowKeys.ts';
import { amountOut } from './amounts.ts';
import type { RowContext } from './rowContext.ts';
import { MOVEMENT_PROBLEM, PAYMENT_MESSAGE } from './messages.ts';

/** Where a row of a list has its destination, whatever it is. */
const DESTINATION = 'destination';

/** The two payouts: what they are in the book, and where their results have code and destination. */
const PAYOUTS = (
	[
		['crypto payout', 'cryptoWallet.createPayout'],
		['fiat payout', 'fiatWallet.createPayout'],
	] as const
).map(([kind, operation]) => {
	const { currency = '', destination = '' } = moneyFieldsOf(getOperation(operation));
	return { kind, currency: camelCase(currency), destination: camelCase(destination) };
});

const CODES = PAYOUTS.map(({ currency }) => currency);
const DESTINATIONS = [...PAYOUTS.map(({ destination }) => destination), DESTINATION];
/** What names a row of a list. Of one that is about to be refused, some are missing. */
const OF_ROW = ['paymentKey', 'amount', DESTINATION];

const OF_UPDATE = EVENTS.crypto_payout_update.fields;
const HASHES = [...namesWithRole(OF_UPDATE, 'txHash'), ...keysWithRole(OF_UPDATE, 'txHash')];
/** Events name a payment by its ID, and not by its hash. */
export const IDS = PAYMENT_IDS.filter((name) => !HASHES.includes(name));

/** No reason that a person reads is longer. */
const LONGEST_REASON = 1000;

/** Whether an item is a payout, or the row of a list. What has neither a code nor a destination may be a conversion. */
export function isPayout(item: IDataObject): boolean {
	return firstText(item, [...CODES, ...DESTINATIONS]) !== '';
}

/** Whether anything names the payment. A workflow that is started without rows hands over one with nothing in it. */
export function isNamed(item: IDataObject): boolean {
	return firstText(item, ['paymentKey', 'amount', ...DESTINATIONS]) !== '';
}

/** The row of a payment with its result. */
export function rowOfPayment(item: IDataObject, index: number, context: RowContext): Partial<BookCells> {
	return rowOfPayout(item, index, context, outcomeOf(item));
}

/**
 * The row `under way` of a payment that is about to be sent; none if something is wrong with it, or if not enough people have said yes.
 * Undefined for an item that is no payment.
 */
export function rowsOfOrder(
	item: IDataObject,
	index: number,
	context: RowContext,
): Array<Partial<BookCells>> | undefined {
	if (hasProblems(item)) return [];
	if (OF_ROW.filter((name) => name in item).length < 2) return undefined;
	if (namesIn(item, context).length < namesNeeded(item, context)) return [];
	return [rowOfPayout(item, index, context, { result: UNDER_WAY, message: '' })];
}

/** What *Read* has found. Anything but an empty list holds the payment. */
function hasProblems({ problems }: IDataObject): boolean {
	return Array.isArray(problems) ? problems.length > 0 : isThere(problems) && problems !== '';
}

/** Different people. A text without a name of somebody does not count. */
function namesIn({ approvedBy }: IDataObject, context: RowContext): string[] {
	const isEmpty = !isThere(approvedBy) || (typeof approvedBy === 'string' && approvedBy.trim() === '');
	if (isEmpty) return differentNames(context.approvedBy);
	return namesSomebody(approvedBy) ? differentNames(approvedBy) : [];
}

/** What is neither empty nor 1 wants two people. */
function namesNeeded({ approvalsNeeded }: IDataObject, { needsApproval }: RowContext): number {
	const given = isThere(approvalsNeeded) ? String(approvalsNeeded).trim() : '';
	if (given !== '' && given !== '1') return 2;
	return needsApproval ? 1 : 0;
}

/** The result of a payment or conversion, and what the row says of it. */
export interface Outcome {
	/** `under way` for what is about to be sent. */
	result: string;
	message: string;
}

function rowOfPayout(
	item: IDataObject,
	index: number,
	context: RowContext,
	{ result, message }: Outcome,
): Partial<BookCells> {
	const { now, workflow, execution } = context;
	const { kind, asset } = moneyOf(item);
	const counterpart = firstText(item, DESTINATIONS);
	const { amount, problem } = amountOut(item.amount);
	const nameless = asset === '' ? MOVEMENT_PROBLEM.assetMissing() : '';
	return {
		key: textOf(item.paymentKey) || keyOfItem(execution, index, { amount: item.amount, asset, counterpart }),
		kind,
		time: now,
		asset,
		amount,
		counterpart,
		details: textOf(item.destinationDetails),
		result,
		message: [message, problem, nameless].filter((text) => text !== '').join(' '),
		...(result === 'paid' && receiptOf(item)),
		workflow,
		execution,
		approvedBy: namesIn(item, context).join(', '),
	};
}

/** A row has its destination under one name for both payouts, so its code says which one it is. */
function moneyOf(item: IDataObject): { kind: KindName; asset: string } {
	const found = PAYOUTS.find((names) => firstText(item, [names.currency, names.destination]) !== '');
	return { kind: found?.kind ?? 'fiat payout', asset: firstText(item, CODES).toUpperCase() };
}

/** What the service says of a payment that it has accepted. */
function receiptOf(item: IDataObject): Partial<BookCells> {
	return {
		reference: firstText(item, IDS),
		status: textOf(item.status).toLowerCase(),
		txHash: firstText(item, HASHES),
	};
}

/** A result that nobody knows, and a failed item without one, are unknown: the money may have moved. */
export function outcomeOf(item: IDataObject): Outcome {
	const reason = reasonOf(item.error);
	const given = textOf(item.result) || (isRecord(item.error) ? textOf(item.error.outcome) : '');
	if (given === 'alreadyPaid') return { result: given, message: PAYMENT_MESSAGE.paidBefore() };
	if (RESULTS.some((word) => word === given)) return { result: given, message: reason };
	const odd = given === '' ? '' : PAYMENT_MESSAGE.resultIsOdd(given);
	return { result: 'unknown', message: [reason, odd].filter((text) => text !== '').join(' ') };
}

/** What n8n or the node says of a failure, in one line. */
function reasonOf(error: unknown): string {
	const { message, description } = isRecord(error) ? error : { message: error, description: '' };
	const said = [message, description].map((text) => shortLine(textOf(text), LONGEST_REASON));
	return said.filter((text) => text !== '').join('. ');
}
