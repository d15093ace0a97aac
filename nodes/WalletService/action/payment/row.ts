/** The fields that every item of a payment has, whatever its result, so that a table of them has one row shape. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../../../api/endpoints.ts';
import { isRecord } from '../../../../api/json.ts';
import { camelCase } from '../../../../api/shape.ts';
import { underNames } from '../request/buildRequest.ts';
import type { Money } from '../request/buildRequest.ts';
import type { Result } from '../result.ts';

/** `paymentKey`, and amount, currency or coin and destination under the names of a paid row. */
export type Row = IDataObject;

/** The row of a payment. What cannot be read is left out. */
export function rowOf({ movesMoney = {} }: Endpoint, money: Money, paymentKey?: string): Row {
	const fields = Object.entries(underNames(movesMoney, money)).map(([name, text]) => [camelCase(name), text]);
	return { ...(paymentKey !== undefined && { paymentKey }), ...Object.fromEntries(fields) };
}

/** Names of ours that an answer of the service may have too. */
const OWN = ['result', 'paymentKey', 'alreadyPaid', 'dryRun', 'error'];

/**
 * An item with its result. The fields of the payment stand above those of the answer, so that they are exact text in each row;
 * in a raw answer the service's own values stay. Fields that have our names are kept under `extra`.
 */
export function withResult(result: Result, row: Row, answer: IDataObject = {}, isRaw = false): IDataObject {
	const fieldsThat = (isMeant: (name: string, value: unknown) => boolean) =>
		Object.fromEntries(Object.entries(answer).filter(([name, value]) => isMeant(name, value)));
	const taken = fieldsThat((name) => OWN.includes(name));
	const { paymentKey } = row;
	return {
		result,
		...(paymentKey !== undefined && { paymentKey }),
		...fieldsThat((name) => !OWN.includes(name)),
		...row,
		...(isRaw && fieldsThat((name, value) => name in row && isFilled(value))),
		...(Object.keys(taken).length > 0 && {
			extra: { ...(isRecord(answer.extra) ? answer.extra : {}), ...taken },
		}),
	};
}

function isFilled(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
