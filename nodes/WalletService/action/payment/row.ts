/** The fields that every item of a payment has, whatever its result, so that a table of them has one row shape. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../../api/endpoints.ts';
import { camelCase } from '../../../../api/shape.ts';

/** What is known of a payment before it is sent. */
export interface PaymentFields {
	/** Decimal text. */
	amount?: string;
	/** Currency, coin or contract. */
	currency?: string;
	/** Alias or contract. */
	destination?: string;
}

/** `paymentKey`, and amount, currency or coin and destination under the names of a paid row. */
export type Row = IDataObject;

export type Result = 'paid' | 'alreadyPaid' | 'dryRun' | 'notSent' | 'rejected' | 'unknown';

/** The row of a payment. What cannot be read is left out. */
export function rowOf(
	{ movesMoney = {} }: Endpoint,
	{ amount, currency, destination }: PaymentFields,
	paymentKey?: string,
): Row {
	const row: Row = paymentKey === undefined ? {} : { paymentKey };
	const set = (field: string | undefined, value: string | undefined) => {
		if (field !== undefined && value !== undefined) row[camelCase(field)] = value;
	};
	set(movesMoney.amount, amount);
	// A conversion has no currency of its own: the contract says what is converted.
	set(movesMoney.currency, currency);
	set(movesMoney.destination, destination);
	return row;
}

/** An item with its result. What the service says stands above the request; fields of the same name are kept under `extra`. */
export function withResult(result: Result, row: Row, answer: IDataObject = {}): IDataObject {
	const own: IDataObject = { result, ...(row.paymentKey !== undefined && { paymentKey: row.paymentKey }) };
	const taken = Object.entries(answer).filter(([name]) => name in own);
	const extra =
		taken.length === 0 ? {} : { extra: { ...asObject(answer.extra), ...Object.fromEntries(taken) } };
	return { ...own, ...row, ...answer, ...extra, ...own };
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};
}
