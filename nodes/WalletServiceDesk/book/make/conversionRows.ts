/** The two rows of a conversion: what goes out, and what comes in. The names of its fields come from the tables of the service. */
import type { IDataObject } from 'n8n-workflow';

import { getOperation, moneyFieldsOf } from '../../../../api/catalog.ts';
import { ENDPOINTS } from '../../../../api/endpoints.ts';
import { camelCase, keysWithRole, namesWithRole } from '../../../../api/shape.ts';
import type { ConversionRole } from '../../../../api/shape.ts';
import { amountOf, firstText, textOf } from '../../values/itemValues.ts';
import type { BookCells } from '../row.ts';
import { keyOfItem } from '../rowKeys.ts';
import { amountOut } from './amounts.ts';
import { PAYMENT_MESSAGE } from './messages.ts';
import { IDS, outcomeOf } from './paymentRow.ts';
import type { Outcome } from './paymentRow.ts';
import type { RowContext } from './rowContext.ts';

const CONVERSION = 'instantLiquidity.convert';
/** Of *Convert at Best Rate*, which names the currencies, and has the amount that goes out whatever the result. */
const [FROM, TO, AMOUNT] = ['from', 'to', 'amount'];

/** In items, and in answers as they came. */
function namesOf(role: ConversionRole): string[] {
	const { response } = ENDPOINTS[CONVERSION];
	return [...namesWithRole(response, role), ...keysWithRole(response, role)];
}

const FROM_AMOUNTS = [...namesOf('given'), AMOUNT];
const TO_AMOUNTS = namesOf('received');
const CONTRACT = camelCase(moneyFieldsOf(getOperation(CONVERSION)).destination ?? '');

/** Whether an item with a result is a conversion. It is no payout. */
export function isConversion(item: IDataObject): boolean {
	const hasPair = textOf(item[FROM]) !== '' && textOf(item[TO]) !== '';
	return hasPair || firstText(item, [CONTRACT, ...namesOf('given'), ...TO_AMOUNTS]) !== '';
}

/**
 * The rows of a conversion; none of one that was not sent, as an order may wait for its rate many times. Money that is not known to
 * have come in has the amount ''.
 */
export function rowsOfConversion(
	item: IDataObject,
	index: number,
	context: RowContext,
): Array<Partial<BookCells>> {
	const outcome = outcomeOf(item);
	if (outcome.result === 'notSent') return [];
	const { now, workflow, execution } = context;
	const [sent, counterpart, reference] = [
		firstAmount(item, FROM_AMOUNTS),
		textOf(item[CONTRACT]),
		firstText(item, IDS),
	];
	const content = { amount: sent, asset: textOf(item[FROM]), counterpart };
	const row = {
		key: textOf(item.paymentKey) || reference || keyOfItem(execution, index, content),
		kind: 'conversion',
		time: now,
		counterpart,
		reference,
		result: outcome.result,
		status: textOf(item.status).toLowerCase(),
		workflow,
		execution,
	};
	const sides = [
		{ asset: textOf(item[FROM]).toUpperCase(), ...amountOut(sent) },
		{ asset: textOf(item[TO]).toUpperCase(), ...amountIn(item, outcome) },
	];
	return sides.map(({ asset, amount, problem }) => {
		const nameless = asset === '' ? PAYMENT_MESSAGE.currencyMissing() : '';
		const message = [outcome.message, problem, nameless].filter((text) => text !== '').join(' ');
		return { ...row, asset, amount, message };
	});
}

/** What came in is known only of a conversion that was made. */
function amountIn(item: IDataObject, { result }: Outcome): { amount: string; problem: string } {
	if (result !== 'paid') return { amount: '', problem: '' };
	const amount = amountOf(firstAmount(item, TO_AMOUNTS)) ?? '';
	const isBelow = item.belowMinimum === true ? PAYMENT_MESSAGE.isBelowMinimum() : '';
	return { amount, problem: amount === '' ? PAYMENT_MESSAGE.convertedAmountMissing() : isBelow };
}

function firstAmount(item: IDataObject, names: readonly string[]): unknown {
	return names.map((name) => item[name]).find((value) => textOf(value) !== '');
}
