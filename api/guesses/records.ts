/** Where an accepted answer holds its records. */
import { isRecord } from '../json.ts';
import { mayHoldPayment } from './payments.ts';
import { isIdentifier, textOf } from './values.ts';

type Fields = Record<string, unknown>;

/** The record of a payment, and what identifies the payment. */
export interface PaymentRecord {
	fields: Fields;
	id: string;
}

const MOST_LEVELS = 3;

/**
 * The record is the answer itself if it has an identifier, or else the one object under a usual key. Undefined if no record has
 * one, or several have. `names` of the identifier: the first that is filled counts. `sent`: texts of the request; an answer that
 * repeats one identifies nothing.
 */
export function recordOfPayment(
	answer: Fields,
	names: string[],
	sent: string[],
	levels = MOST_LEVELS,
): PaymentRecord | undefined {
	const id = names
		.map((name) => (Object.hasOwn(answer, name) ? textOf(answer[name]) : ''))
		.find((text) => isIdentifier(text) && !sent.includes(text));
	if (id !== undefined) return { fields: answer, id };
	if (levels === 0) return undefined;
	const inner = Object.entries(answer)
		.filter(([key]) => mayHoldPayment(key))
		.map(([, value]) => (isRecord(value) ? recordOfPayment(value, names, sent, levels - 1) : undefined))
		.filter((record) => record !== undefined);
	return inner.length === 1 ? inner[0] : undefined;
}

/** The records of an answer, if it holds exactly one list of records, at most one level down as documented lists do. */
export function recordsIn(value: unknown, levels = 2): Fields[] | undefined {
	if (Array.isArray(value)) return value.every(isRecord) ? value : undefined;
	if (!isRecord(value) || levels === 0) return undefined;
	const inner = Object.values(value);
	const lists = inner.filter((entry) => Array.isArray(entry));
	const candidates = lists.length > 0 ? lists : inner.filter(isRecord);
	return candidates.length === 1 ? recordsIn(candidates[0], levels - 1) : undefined;
}
