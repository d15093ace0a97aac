/**
 * What the next proof must know. It stands as JSON in the message of the `balance` row. No proof keeps anything else: what is not said
 * here, the next proof reads from the book.
 */
import { isPlainDecimal } from '../../../../api/exact/decimal.ts';
import { isRecord } from '../../../../api/exact/json.ts';
import { addTo } from '../../values/groups.ts';
import { jsonValue } from '../../values/itemValues.ts';
import { utcTime } from '../bookTime.ts';

const TYPES = [
	/** A payout in coins that was counted, and may still get a fee or fail. */
	'sent',
	/** A payment without an answer whose amount had not left the balance. It may still leave. */
	'waits',
	/** A payment without an answer of which the balance did not tell whether its amount had left. */
	'unclear',
	/** A row whose amount nobody could read. A person may write it. */
	'unread',
	/** A difference that rows explained, as far as anybody could say. */
	'explained',
	/** A difference that no row explained. */
	'notExplained',
] as const;

export type OpenType = (typeof TYPES)[number];

export interface OpenPart {
	type: OpenType;
	/** `Movement.name`; '' of a difference. */
	name: string;
	/** Signed. The difference; of a payment, what it moves. */
	amount: string;
	/** Of a payment: the fee that is part of what was counted. */
	fee?: string;
	/** When it was first found. */
	since: string;
}

/** With one of these, the balance is not what the book says. */
const DIFFERENCES: readonly OpenType[] = ['explained', 'notExplained'];

const OF_PAYMENTS: readonly OpenType[] = ['sent', 'waits', 'unclear'];

/** Whether a proof found no difference, so that the next one can start from its balance. */
export function isSettled(parts: OpenPart[]): boolean {
	return !parts.some(({ type }) => DIFFERENCES.includes(type));
}

/** The open parts of the proof from which this one starts, found by their movement. */
export class OpenParts {
	readonly #byName = new Map<string, OpenPart[]>();

	constructor(parts: OpenPart[]) {
		for (const part of parts) addTo(this.#byName, part.name, part);
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
