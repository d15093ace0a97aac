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

/** `done`: what moves no money is done, not paid. */
export type Result = 'paid' | 'done' | 'alreadyPaid' | 'dryRun' | 'notSent' | 'rejected' | 'unknown';

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

/** What a row says of its payment: the reverse of `rowOf`. */
export function moneyIn({ movesMoney = {} }: Endpoint, row: Row): PaymentFields {
	const textOf = (field: string | undefined) => {
		const value = field === undefined ? undefined : row[camelCase(field)];
		return typeof value === 'string' ? value : undefined;
	};
	return {
		amount: textOf(movesMoney.amount),
		currency: textOf(movesMoney.currency),
		destination: textOf(movesMoney.destination),
	};
}

/** Names of ours that an answer of the service may have too. */
const OWN = ['result', 'paymentKey', 'alreadyPaid', 'dryRun'];

/**
 * An item with its result. The fields of the payment stand above those of the answer, so that they are exact text in each row;
 * in a raw answer the service's own values stay. Fields that have our names are kept under `extra`.
 */
export function withResult(result: Result, row: Row, answer: IDataObject = {}, isRaw = false): IDataObject {
	const entries = Object.entries(answer);
	const taken = Object.fromEntries(entries.filter(([name]) => OWN.includes(name)));
	const others = Object.fromEntries(entries.filter(([name]) => !OWN.includes(name)));
	const shown = isRaw
		? Object.fromEntries(entries.filter(([name, value]) => name in row && isScalar(value)))
		: {};
	const { paymentKey } = row;
	return {
		result,
		...(paymentKey !== undefined && { paymentKey }),
		...others,
		...row,
		...shown,
		...(Object.keys(taken).length > 0 && { extra: { ...asObject(answer.extra), ...taken } }),
	};
}

function isScalar(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};
}
