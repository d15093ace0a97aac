/** The two rows of a conversion: what goes out, and what comes in. */
import type { IDataObject } from 'n8n-workflow';

import { amountOf, firstText, textOf } from '../../values/itemValues.ts';
import { PAYMENT_MESSAGE } from './messages.ts';
import { amountOut, DESTINATIONS, hasResult, originOf, outcomeOf } from './paymentRow.ts';
import type { Outcome } from './paymentRow.ts';
import { bookKeyOf, keyOfItem, keysOfConversion } from '../rowKeys.ts';
import { filled } from './rowToWrite.ts';
import type { RowContext, RowToWrite } from './rowToWrite.ts';

const FROM = ['fromCurrency', 'from', 'from_currency'];
const TO = ['toCurrency', 'to', 'to_currency'];
const FROM_AMOUNTS = ['fromAmount', 'from_amount', 'amount'];
const TO_AMOUNTS = ['toAmount', 'to_amount'];
const IDS = ['transactionId', 'transaction_id'];
const CONTRACTS = ['contractId', 'contract_id'];
/** Beside the two currencies. */
const OF_CONVERSIONS = ['fromAmount', 'from_amount', 'wantedRate', ...TO_AMOUNTS, ...CONTRACTS];

/** Whether an item is a conversion with a result or an ID. A contract that could be used is none, and neither is what has a destination. */
export function isConversion(item: IDataObject): boolean {
	const hasCurrencies = firstText(item, FROM) !== '' && firstText(item, TO) !== '';
	const isOfConversion = hasCurrencies || firstText(item, OF_CONVERSIONS) !== '';
	if (!isOfConversion || item.result === 'done' || firstText(item, DESTINATIONS) !== '') return false;
	return hasResult(item) || firstText(item, IDS) !== '';
}

/**
 * The rows of a conversion; none of one that was not sent, as an order may wait for its rate many times. Money that is not known to
 * have come in has the amount ''. Of a conversion that was made before, the rows say nothing that the item does not know: what the
 * book has of its amounts and its ID stays.
 */
export function rowsOfConversion(item: IDataObject, index: number, context: RowContext): RowToWrite[] {
	const outcome = conversionOutcome(item);
	if (outcome.result === 'notSent') return [];
	const keys = keysOfConversion(nameOf(item, index, context.execution));
	const sides = [
		{ key: keys.out, ...sideOut(item) },
		{ key: keys.in, ...sideIn(item, outcome) },
	];
	return sides.map((side) => rowOfSide(item, side, outcome, context));
}

/** What one balance loses or gains. */
interface Side {
	key: string;
	asset: string;
	amount: string;
	problem: string;
}

function rowOfSide(item: IDataObject, side: Side, outcome: Outcome, context: RowContext): RowToWrite {
	const { key, asset, amount, problem } = side;
	const nameless = asset === '' ? PAYMENT_MESSAGE.currencyMissing() : '';
	const row = {
		key,
		kind: 'conversion',
		result: outcome.result,
		message: [outcome.message, problem, nameless].filter((text) => text !== '').join(' '),
	};
	const known = filled({
		counterpart: firstText(item, CONTRACTS),
		reference: firstText(item, IDS),
		status: textOf(item.status).toLowerCase(),
	});
	return { ...row, asset, amount, ...known, ...originOf(context) };
}

function sideOut(item: IDataObject): Omit<Side, 'key'> {
	const asset = firstText(item, FROM).toUpperCase();
	const { amount, problem } = amountOut(firstAmount(item, FROM_AMOUNTS));
	return { asset, amount, problem };
}

/** What came in is known only of a conversion that was made. */
function sideIn(item: IDataObject, { result }: Outcome): Omit<Side, 'key'> {
	const asset = firstText(item, TO).toUpperCase();
	const wasMade = result === 'paid' || result === 'alreadyPaid';
	const amount = wasMade ? (amountOf(firstAmount(item, TO_AMOUNTS)) ?? '') : '';
	const isMissing = result === 'paid' && amount === '';
	const isBelow = item.belowMinimum === true ? PAYMENT_MESSAGE.isBelowMinimum() : '';
	return { asset, amount, problem: isMissing ? PAYMENT_MESSAGE.convertedAmountMissing() : isBelow };
}

/** A transaction that was looked up has no result of a payment, and was made. */
function conversionOutcome(item: IDataObject): Outcome {
	return hasResult(item) ? outcomeOf(item) : { result: 'paid', message: '' };
}

function firstAmount(item: IDataObject, names: string[]): unknown {
	return names.map((name) => item[name]).find((value) => textOf(value) !== '');
}

/** The Payment Key of a conversion, its ID, or its place in the execution. */
function nameOf(item: IDataObject, index: number, execution: string): string {
	const paymentKey = bookKeyOf(textOf(item.paymentKey));
	const content = {
		amount: textOf(firstAmount(item, FROM_AMOUNTS)),
		asset: firstText(item, FROM).toUpperCase(),
		place: firstText(item, CONTRACTS),
	};
	return paymentKey ?? (firstText(item, IDS) || keyOfItem(execution, index, content));
}
