/** Where an accepted answer holds its records. */
import { isRecord } from '../../../api/exact/json.ts';
import { mayHoldPayment } from './payments.ts';
import { isIdentifier, textOf } from './values.ts';
import { listed } from './words.ts';

/** Names of the identifier in an accepted answer: those of documented payments first, in both spellings, then general ones. */
export const PAYMENT_IDS = listed(
	'payout_id, transaction_id, payoutId, transactionId, tx_hash, id, reference',
);

type Fields = Record<string, unknown>;

/** The record of a payment, and what identifies the payment. */
export interface PaymentRecord {
	fields: Fields;
	id: string;
}

const MOST_LEVELS = 3;

/** What services write where an accepted payment has its identifier, and there is none: PHP's `false`, or a state. */
const STANDS_FOR_NOTHING = listed(
	'false, true, no, yes, na, empty, blank, unknown, unavailable, not available, not created, none available',
	'pending, failed, failure, error, rejected, declined',
);

/**
 * The record is the answer itself if it has an identifier, or else the one object under a usual key. Undefined if no record has
 * one, or several have. `names` of the identifier: the first counts that is found. `sent`: texts of the request; an answer that
 * repeats one identifies nothing.
 */
export function recordOfPayment(answer: Fields, names: string[], sent: string[]): PaymentRecord | undefined {
	for (const name of names) {
		const records = recordsWith(answer, name, sent);
		if (records.length === 1) return records[0];
	}
	return undefined;
}

/** The records that have the identifier, without those inside one that has it. */
function recordsWith(fields: Fields, name: string, sent: string[], levels = MOST_LEVELS): PaymentRecord[] {
	const id = Object.hasOwn(fields, name) ? textOf(fields[name]) : '';
	if (isIdentifier(id) && !STANDS_FOR_NOTHING.includes(id.trim().toLowerCase()) && !sent.includes(id))
		return [{ fields, id }];
	if (levels === 0) return [];
	return Object.entries(fields)
		.filter(([key]) => mayHoldPayment(key))
		.flatMap(([, value]) => (isRecord(value) ? recordsWith(value, name, sent, levels - 1) : []));
}

/** Lists beside the records of an answer. */
const OTHER_LISTS = ['error', 'errors', 'warning', 'warnings', 'message', 'messages', 'links'];

/** The records of an answer, if it holds exactly one list of records, at most one level down as documented lists do. */
export function recordsIn(value: unknown, levels = 2): Fields[] | undefined {
	if (Array.isArray(value)) return value.every(isRecord) ? value : undefined;
	if (!isRecord(value) || levels === 0) return undefined;
	const inner = Object.entries(value).filter(([key]) => !OTHER_LISTS.includes(key.toLowerCase()));
	const lists = inner.map(([, entry]) => entry).filter((entry) => Array.isArray(entry));
	const candidates = lists.length > 0 ? theFilled(lists) : inner.map(([, entry]) => entry).filter(isRecord);
	return candidates.length === 1 ? recordsIn(candidates[0], levels - 1) : undefined;
}

/** Those of the lists that have entries; one empty list if none has. */
function theFilled(lists: unknown[][]): unknown[][] {
	const filled = lists.filter((list) => list.length > 0);
	return filled.length > 0 ? filled : lists.slice(0, 1);
}
