/** The names of the rows of a Payment Key. What is stored keeps them, so they never change. */
import { createHash } from 'node:crypto';

import type { RowName, RowsToRead } from '../../../shared/store/rows.ts';
import type { KeyedPayment } from '../../input/payment.ts';

/** Names of the rows of a payment, its place in the memory of a process, and what the row of its key says. */
export interface Names {
	place: string;
	sent: RowName;
	used: RowName;
	paid: RowName;
	begun(unit: number): RowName;
	attempt(number: number): RowName;
	told(number: number): RowName;
	/** Digest of the whole payment. */
	payment: string;
	/** A word for each text that the row `used` has about the payment. */
	details: ReadonlyMap<string, string>;
}

export function placeOf({ workflowId }: RowsToRead, { key: { compared } }: KeyedPayment): string {
	return JSON.stringify([workflowId, compared]);
}

export function namesOf(rows: RowsToRead, payment: KeyedPayment): Names {
	const {
		key: { compared: key },
		details,
	} = payment;
	const whole = digest(details);
	const about = (kind: string, ...more: number[]): RowName => [kind, key, whole, ...more.map(String)];
	return {
		place: placeOf(rows, payment),
		sent: about('sent'),
		used: ['used', key],
		paid: about('paid'),
		begun: (unit: number) => about('begun', unit),
		attempt: (number: number) => about('attempt', number),
		told: (number: number) => about('told', number),
		payment: whole,
		details: new Map(Object.entries(details).map((entry) => [digest(entry), entry[0]])),
	};
}

/** n8n keeps an MD5 of each text. This digest keeps texts from being made for it. */
function digest(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
