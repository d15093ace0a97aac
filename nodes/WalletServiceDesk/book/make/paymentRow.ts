/** The row of a payment: before it is sent, and with its result. */
import type { IDataObject } from 'n8n-workflow';

import { negate } from '../../../../api/exact/decimal.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { shortLine } from '../../../shared/text.ts';
import { amountOf, codeOf, firstText, isThere, textOf } from '../../values/itemValues.ts';
import { RESULTS, UNDER_WAY } from '../../operation/result.ts';
import { MOVEMENT_PROBLEM, PAYMENT_MESSAGE } from './messages.ts';
import { bookKeyOf, keyOfItem } from '../rowKeys.ts';
import { filled } from './rowToWrite.ts';
import type { RowContext, RowToWrite } from './rowToWrite.ts';

/** Names of the ID that the service gives, those of the document first. */
const IDS = ['payoutId', 'payout_id', 'transactionId', 'transaction_id', 'id', 'reference'];
export const DESTINATIONS = ['destination', 'accountAlias', 'walletAlias', 'account_alias', 'wallet_alias'];
const [HASHES, WALLETS] = [
	['txHash', 'tx_hash'],
	['walletAlias', 'wallet_alias'],
];

/** No reason that a person reads is longer. */
const LONGEST_MESSAGE = 1000;

/** The result of a payment or conversion, and what the row says of it. */
export interface Outcome {
	/** `under way` for what is about to be sent. */
	result: string;
	message: string;
}

/** What names a payment. Of one that is about to be refused, some are missing. */
const NAMING = ['paymentKey', 'amount', ...DESTINATIONS];

/** Whether an item is a payment with a result, or one of a list that is about to be paid. */
export function isPayment(item: IDataObject): boolean {
	if (isRowOfBook(item)) return false;
	if (hasResult(item)) return !isEmpty(item) || item.result === 'notSent';
	return textOf(item.result) === '' && NAMING.filter((name) => name in item).length > 1;
}

/** A workflow that was started without rows hands over one with nothing in it. */
function isEmpty(item: IDataObject): boolean {
	return NAMING.every((name) => textOf(item[name]) === '');
}

/** Read from the book by mistake, it would become another row of the same payment. */
function isRowOfBook({ kind, counterpart }: IDataObject): boolean {
	return isThere(kind) && isThere(counterpart);
}

/** Whether an item says what became of it. What moves no money is `done`, and stands in no book. */
export function hasResult({ result, error }: IDataObject): boolean {
	return textOf(result) === '' ? Boolean(error) : result !== 'done';
}

/**
 * The row of a payment; none of a dry run. Its amount has a minus, because the money goes out; '' if it cannot be read. A row belongs
 * to one run: that of a later run says `alreadyPaid`, and the row of the run that paid keeps its ID, time and approver.
 */
export function rowsOfPayment(item: IDataObject, index: number, context: RowContext): RowToWrite[] {
	const { result, message } = outcomeOf(item);
	if (isEmpty(item)) return [];
	const isCoin = codeOf(item.coin) !== '' || firstText(item, WALLETS) !== '';
	const asset = firstText(item, ['coin', 'currency']).toUpperCase();
	const counterpart = firstText(item, DESTINATIONS);
	const { amount, problem } = amountOut(item.amount);
	const nameless = asset === '' ? MOVEMENT_PROBLEM.assetMissing() : '';
	const named = keyOf(item, index, { asset, counterpart, execution: context.execution });
	const row = {
		key: named.key,
		kind: isCoin ? 'crypto payout' : 'fiat payout',
		asset,
		amount,
		counterpart,
		result,
		message: [message, problem, nameless, named.problem].filter((text) => text !== '').join(' '),
	};
	return [{ ...row, ...filled(result === 'paid' ? receiptOf(item) : {}), ...originOf(context) }];
}

/** When and by whom a row was written, and who said yes, if the node knows: the row of before the payment may have it. */
export function originOf({ now, workflow, execution, approvedBy }: RowContext) {
	return { time: now, workflow, execution, ...filled({ approvedBy }) };
}

/** A result that nobody knows, and a failed item without one, are unknown: the money may have moved. */
export function outcomeOf(item: IDataObject): Outcome {
	const reason = reasonOf(item.error);
	if (!hasResult(item)) return { result: UNDER_WAY, message: '' };
	const given = textOf(item.result) || (isRecord(item.error) ? textOf(item.error.outcome) : '');
	if (given === 'alreadyPaid') return { result: given, message: PAYMENT_MESSAGE.paidBefore() };
	if (RESULTS.some((word) => word === given)) return { result: given, message: reason };
	const odd = given === '' ? '' : PAYMENT_MESSAGE.resultIsOdd(given);
	return { result: 'unknown', message: [reason, odd].filter((text) => text !== '').join(' ') };
}

/** What n8n or the node says of a failure, in one line. */
function reasonOf(error: unknown): string {
	const { message, description } = isRecord(error) ? error : { message: error, description: '' };
	const said = [message, description].map((text) => shortLine(textOf(text), LONGEST_MESSAGE));
	return said.filter((text) => text !== '').join('. ');
}

/** An amount that goes out, with its minus, or why it is not known. */
export function amountOut(value: unknown): { amount: string; problem: string } {
	const amount = amountOf(value);
	if (amount === undefined)
		return { amount: '', problem: MOVEMENT_PROBLEM.amountUnreadable(JSON.stringify(value ?? null)) };
	if (amount.startsWith('-')) return { amount: '', problem: MOVEMENT_PROBLEM.amountHasSign(amount) };
	return { amount: negate(amount), problem: '' };
}

/** The key of the row, and what is wrong with the Payment Key. A payment refuses a key that cannot be used. */
function keyOf(
	item: IDataObject,
	index: number,
	{ asset, counterpart, execution }: { asset: string; counterpart: string; execution: string },
): { key: string; problem: string } {
	const paymentKey = textOf(item.paymentKey);
	const key = paymentKey === '' ? undefined : bookKeyOf(paymentKey);
	if (key !== undefined) return { key, problem: '' };
	const content = { amount: amountOf(item.amount) ?? textOf(item.amount), asset, place: counterpart };
	return {
		key: keyOfItem(execution, index, content),
		problem: paymentKey === '' ? '' : PAYMENT_MESSAGE.keyCannotBeUsed(paymentKey),
	};
}

/** What the service says of a payment that it has accepted. */
function receiptOf(item: IDataObject) {
	return {
		reference: firstText(item, IDS),
		status: textOf(item.status).toLowerCase(),
		txHash: firstText(item, HASHES),
	};
}
