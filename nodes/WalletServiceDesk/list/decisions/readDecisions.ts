/** *Read Decisions*: what a person typed about unknown payments, as decisions for the node that pays. A doubt decides nothing. */
import { isRecord } from '../../../../api/exact/json.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { givenRows } from '../../values/givenRows.ts';
import { fieldsThere } from '../../values/itemValues.ts';
import type { ReportRow } from '../report/reportRow.ts';
import { DECISIONS, TYPED } from './messages.ts';
import { readPage } from './page.ts';
import type { Payment } from './page.ts';
import { readTexts } from './texts.ts';
import type { TypedText } from './texts.ts';

/** What *If Outcome Is Unknown* reads. */
export type Decision = 'wasPaid' | 'wasNotPaid';

export type DecidedRow = ReportRow & { decision: Decision };

interface Answer {
	/** `rows` of the report whose page was answered, as a list or its JSON text. */
	rows: unknown;
	/** What a person typed: Payment Keys or numbers of rows, with commas, semicolons, line breaks or "and" between them. */
	wasPaid?: string;
	wasNotPaid?: string;
}

/**
 * The payments that a person has decided about, in the order of the rows, each once. Throws a DeskProblem that names each wrong text, and
 * then decides nothing at all: of a person who has mistyped one payment, nobody knows what else is wrong.
 */
export function readDecisions({ rows, wasPaid = '', wasNotPaid = '' }: Answer): DecidedRow[] {
	const page = readPage(readRows(rows));
	const paid = readTexts(wasPaid, page);
	const notPaid = readTexts(wasNotPaid, page);
	const isNothingTyped = paid.length + notPaid.length === 0;
	if (isNothingTyped && page.payments.some(({ open }) => open !== undefined)) throw DECISIONS.areEmpty();
	refuseWrong(paid, notPaid);
	const decisions = new Map<Payment, Decision>([
		...decided(paid, 'wasPaid'),
		...decided(notPaid, 'wasNotPaid'),
	]);
	return page.payments.flatMap((payment) => {
		const decision = decisions.get(payment);
		return decision === undefined || payment.open === undefined ? [] : [{ ...payment.open, decision }];
	});
}

function decided(texts: readonly TypedText[], decision: Decision): Array<[Payment, Decision]> {
	return texts.flatMap(({ meant }) => meant.map((payment): [Payment, Decision] => [payment, decision]));
}

function readRows(rows: unknown): ReportRow[] {
	const given = givenRows(rows);
	if ('is' in given) throw DECISIONS.rowsAreNotOfReport();
	const filled: unknown[] = given.rows.map(ownFields);
	if (!filled.every(isReportRow)) throw DECISIONS.rowsAreNotOfReport();
	return filled;
}

/** Who has said yes, only the option *Approved By* says. What was left out, the first report has said. */
function ownFields(row: Record<string, unknown>): Record<string, unknown> {
	const fields = { ...fieldsThere(row) };
	delete fields.approvedBy;
	delete fields.decision;
	delete fields.leftOut;
	return fields;
}

function isReportRow(value: unknown): value is ReportRow {
	if (!isRecord(value)) return false;
	const { paymentKey, amount, destination, currency = '', coin = '', problems } = value;
	const areTexts = [paymentKey, amount, destination, currency, coin].every(
		(text) => typeof text === 'string',
	);
	return areTexts && Array.isArray(problems);
}

type Reason = keyof typeof TYPED;

function refuseWrong(paid: readonly TypedText[], notPaid: readonly TypedText[]): void {
	const keysOf = (texts: readonly TypedText[]) => new Set(texts.flatMap((text) => keyOf(text) ?? []));
	const [ofPaid, ofNotPaid] = [keysOf(paid), keysOf(notPaid)];
	const isInBoth = (text: TypedText) => {
		const key = keyOf(text);
		return key !== undefined && ofPaid.has(key) && ofNotPaid.has(key);
	};
	const wrong = Map.groupBy(
		[...paid, ...notPaid],
		(text) => reasonOf(text) ?? (isInBoth(text) ? 'isInBoth' : undefined),
	);
	const reasons = (Object.keys(TYPED) as Reason[]).flatMap((reason) => {
		const texts = new Set((wrong.get(reason) ?? []).map(({ text }) => text));
		return texts.size === 0 ? [] : [TYPED[reason]([...texts])];
	});
	if (reasons.length > 0) throw DECISIONS.areWrong(reasons);
}

/** Why a text decides nothing, whatever else was typed. */
function reasonOf({ meant: [payment, ...others], isOfSeveral }: TypedText): Reason | undefined {
	if (payment === undefined) return 'isNoPayment';
	if (isOfSeveral || others.length > 0) return 'isOfSeveral';
	if (payment.open !== undefined) return undefined;
	return payment.rows.some(({ result }) => result === 'unknown') ? 'isNotForNow' : 'isKnown';
}

/** One key has one decision, even if the page has it with two amounts. */
function keyOf({ meant: [payment] }: TypedText): string | undefined {
	return comparedKey(payment?.open?.paymentKey ?? '');
}
