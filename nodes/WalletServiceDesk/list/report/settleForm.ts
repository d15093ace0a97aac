/** Payments of which nobody knows whether they were made: which of them a person can decide about, and the form that asks. */
import { isZero } from '../../../../api/exact/decimal.ts';
import { oneLine } from '../../../shared/text.ts';
import { paymentInWords } from './paymentWords.ts';
import { FORM, UNKNOWN } from './messages.ts';
import { hasAmount, hasKey } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';
import { assetOf } from './totals.ts';

/** A payment that a person can decide about, and the field of the form that asks. */
export interface SettleField {
	/** Names the payment by its key, and by its number among these if a key comes twice: `1: INV-7, 1,250.50 NGN to supplier-main`. */
	label: string;
	row: ReportRow;
}

/** Whether a person can decide about an unknown payment now: `later`, after one more run, or `never`. */
export function whenDecided(row: ReportRow): 'now' | 'later' | 'never' {
	if (whyNotDecided(row) !== undefined) return 'never';
	return row.mayDecide === 'nextRun' ? 'later' : 'now';
}

/** Why nobody can decide about an unknown payment: no key tells it from another, or it is not complete. Undefined if a person can. */
export function whyNotDecided(row: ReportRow): string | undefined {
	if (!hasKey(row)) return UNKNOWN.hasNoKey();
	const isComplete =
		hasAmount(row) && !isZero(row.amount) && row.destination !== '' && assetOf(row) !== undefined;
	return isComplete ? undefined : UNKNOWN.isNotComplete();
}

/** A field for each unknown payment that a person can decide about, in the order of the rows. The same rows give the same labels. */
export function settleFields(rows: readonly ReportRow[]): SettleField[] {
	return rows
		.filter((row) => row.result === 'unknown' && whenDecided(row) === 'now')
		.map((row, index) => ({ label: labelOf(row, index + 1), row }));
}

/** From when on a person may answer the form: the latest time of its payments. Undefined if no time is known. */
export function decideFrom(rows: readonly ReportRow[]): string | undefined {
	return settleFields(rows)
		.flatMap(({ row }) => row.decideFrom ?? [])
		.sort()
		.at(-1);
}

/** JSON text for *Define Form: Using JSON* of n8n. Each field is required, and none has an answer beforehand. `[]`: nothing to ask. */
export function settleForm(rows: readonly ReportRow[]): string {
	const values = [FORM.wasPaid, FORM.wasNotPaid, FORM.notKnownYet].map((option) => ({ option }));
	const fields = settleFields(rows).map(({ label }) => ({
		fieldLabel: label,
		// Newer nodes of n8n give the answer under this name, older ones under the label.
		fieldName: label,
		fieldType: 'dropdown',
		fieldOptions: { values },
		requiredField: true,
	}));
	// n8n puts this text in place of its expression by `String.replace`, to which a dollar sign means more.
	return JSON.stringify(fields).replaceAll('$', String.raw`\u0024`);
}

function labelOf(row: ReportRow, number: number): string {
	return FORM.label({ number, key: plain(row.paymentKey), payment: plain(paymentInWords(row)) });
}

/** What n8n would change in a label, in the signs nearest to it. A changed label would name no payment any more. */
const NEAREST: Readonly<Record<string, string>> = {
	'<': '‹',
	'>': '›',
	'{': '(',
	'}': ')',
	'\\': '/',
	'"': "'",
	'&': '+',
};

function plain(text: string): string {
	return oneLine(text).replace(/[<>{}\\"&]/g, (sign) => NEAREST[sign] ?? '');
}
