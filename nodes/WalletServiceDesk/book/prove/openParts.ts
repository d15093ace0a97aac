/**
 * What a proof leaves open, and the next one must know. It stands as JSON in the message of the `balance` row. No proof keeps anything
 * else: what is not said here, the next proof reads from the book.
 */
import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { addTo } from '../../values/groups.ts';
import { jsonValue } from '../../values/itemValues.ts';
import { daysBefore, utcTime } from '../bookTime.ts';

const TYPES = [
	/** A payout in coins that was counted, and may still get a fee or fail. */
	'sent',
	/** A payment without an answer whose amount had not left the balance. It may still leave. */
	'waits',
	/** A payment without an answer whose amount had left the balance: it was in the difference. */
	'gone',
	/** A payment without an answer of which the balance did not tell whether its amount had left. */
	'unclear',
	/** A row whose amount nobody could read. A person may write it. */
	'unread',
	/** The balance moved before the row counts: it was in the difference, and the row must not count a second time. */
	'early',
	/** The row was counted, and the balance did not move. It may move now. */
	'late',
	/** A difference that was in no row. A row may still come. */
	'none',
] as const;

export type OpenType = (typeof TYPES)[number];

export interface OpenPart {
	type: OpenType;
	/** `Movement.name`; '' if it is in no row. */
	name: string;
	/** Signed. How far the balance was from the book by this part; of a payment without an answer and of `sent`, what it moves. */
	amount: string;
	/** Of a payment: the fee that is part of what was counted. */
	fee?: string;
	/** The time of the proof that found it. */
	since: string;
}

/** Differences that nobody explains for so long are not looked for any more. */
const DAYS_OPEN = 7;

/** Types that are forgotten after a week. Of the others, the book says when they end. */
const FORGOTTEN: readonly OpenType[] = ['early', 'late', 'none'];

const OF_PAYMENTS: readonly OpenType[] = ['sent', 'waits', 'gone', 'unclear'];

/** The open parts of the last proof, found by their movement. */
export class OpenParts {
	readonly all: OpenPart[];
	readonly #byName = new Map<string, OpenPart[]>();

	/** `now`: the time of this proof. */
	constructor(parts: OpenPart[], now: string) {
		const oldest = daysBefore(now, DAYS_OPEN);
		this.all = parts.filter(({ type, since }) => since > oldest || !FORGOTTEN.includes(type));
		for (const part of this.all) addTo(this.#byName, part.name, part);
	}

	/** What was known of a payment. */
	ofPayment(name: string): OpenPart | undefined {
		return this.#byName.get(name)?.find(({ type }) => OF_PAYMENTS.includes(type));
	}

	/** Whether its amount could not be read. */
	wasUnread(name: string): boolean {
		return this.#byName.get(name)?.some(({ type }) => type === 'unread') ?? false;
	}

	has(name: string): boolean {
		return this.#byName.has(name);
	}
}

/** The parts as `writeParts` wrote them. Undefined if somebody has changed the text so that a part cannot be read. */
export function readParts(json: string): OpenPart[] | undefined {
	const parts = json === '' ? [] : jsonValue(json);
	return Array.isArray(parts) && parts.every(isOpenPart) ? parts : undefined;
}

export function writeParts(parts: OpenPart[]): string {
	return JSON.stringify(parts);
}

function isOpenPart(value: unknown): value is OpenPart {
	if (!isRecord(value)) return false;
	const { type, name, amount, fee, since } = value;
	return (
		TYPES.some((known) => known === type) &&
		typeof name === 'string' &&
		typeof since === 'string' &&
		utcTime(since) === since &&
		isDecimalText(amount) &&
		(fee === undefined || isDecimalText(fee))
	);
}

function isDecimalText(value: unknown): boolean {
	return typeof value === 'string' && isPlainDecimal(value);
}
