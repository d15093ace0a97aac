/** *Read Decisions*: what a person answered about unknown payments, as decisions for the node that pays. A doubt decides nothing. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../../api/exact/json.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { fieldsThere, jsonValue, textOf } from '../../values/itemValues.ts';
import { FORM } from '../report/messages.ts';
import type { ReportRow } from '../report/reportRow.ts';
import { settleFields } from '../report/settleForm.ts';
import type { SettleField } from '../report/settleForm.ts';
import { DECISIONS } from './messages.ts';

/** What *If Outcome Is Unknown* reads. */
export type Decision = 'wasPaid' | 'wasNotPaid';

export type DecidedRow = ReportRow & { decision: Decision };

/** The choices of the form. `undefined`: the person does not know yet. */
const CHOICES = new Map<string, Decision | undefined>([
	[FORM.wasPaid, 'wasPaid'],
	[FORM.wasNotPaid, 'wasNotPaid'],
	[FORM.notKnownYet, undefined],
]);

/** A field of the form with the choice of a person. */
interface Answer extends SettleField {
	choice: string;
}

/**
 * The rows that a person has decided about. `answer`: the item that the form gives. `rows`: `rows` of the same report, as a list or
 * its JSON text. Throws a DeskProblem, and decides nothing, if an answer names none of the rows, is none of the choices, or
 * contradicts another. Never guesses: who does not know yet, and who has not answered, decides nothing.
 */
export function readDecisions({ answer, rows }: { answer: IDataObject; rows: unknown }): DecidedRow[] {
	const fields = settleFields(readRows(rows));
	const answers = readAnswers(answer, fields);
	refuseContradictions(answers);
	// Two forms of an answer may hold the same field.
	const byLabel = new Map(answers.map((each) => [each.label, each]));
	return [...byLabel.values()].flatMap(({ row, choice }) => {
		const decision = CHOICES.get(choice);
		return decision === undefined ? [] : [{ ...row, decision }];
	});
}

function readRows(rows: unknown): ReportRow[] {
	const list = typeof rows === 'string' ? jsonValue(rows) : rows;
	if (!Array.isArray(list)) throw DECISIONS.rowsAreNotOfReport();
	const filled = list.map((row: unknown) => (isRecord(row) ? fieldsThere(row) : row));
	if (!filled.every(isReportRow)) throw DECISIONS.rowsAreNotOfReport();
	return filled;
}

function isReportRow(value: unknown): value is ReportRow {
	if (!isRecord(value)) return false;
	const { paymentKey, amount, destination, currency = '', coin = '', problems } = value;
	const areTexts = [paymentKey, amount, destination, currency, coin].every(
		(text) => typeof text === 'string',
	);
	return areTexts && Array.isArray(problems);
}

/** What the form gives: n8n puts the fields under `data` or at the top. */
function givenFields(answer: IDataObject): Array<[name: string, value: unknown]> {
	const { data, ...others } = answer;
	return isRecord(data) ? [...Object.entries(others), ...Object.entries(data)] : Object.entries(answer);
}

function readAnswers(answer: IDataObject, fields: readonly SettleField[]): Answer[] {
	const byLabel = new Map(fields.map((field) => [field.label, field]));
	const given = givenFields(answer);
	const unknown = given.find(([name, value]) => !byLabel.has(name) && isOfForm(name, value));
	if (unknown !== undefined) throw DECISIONS.namesNoPayment(unknown[0]);
	if (fields.length > 0 && !given.some(([name]) => byLabel.has(name))) throw DECISIONS.answerIsOfNoForm();
	return given.flatMap(([name, value]) => {
		const field = byLabel.get(name);
		if (field === undefined || value === undefined || value === null || value === '') return [];
		return [{ ...field, choice: choiceOf(name, value) }];
	});
}

/** Whether a field can only come from a form of Report, although it is not of these rows. Others may be the author's own. */
function isOfForm(name: string, value: unknown): boolean {
	return /^\d+: /.test(name) || (typeof value === 'string' && CHOICES.has(value.trim()));
}

function choiceOf(field: string, value: unknown): string {
	const word = textOf(value);
	if (typeof value !== 'string' || !CHOICES.has(word)) {
		throw DECISIONS.isNoChoice({
			field,
			word: typeof value === 'object' ? JSON.stringify(value) : String(value),
		});
	}
	return word;
}

/** One key is one payment, however often the list has it. */
function refuseContradictions(answers: readonly Answer[]): void {
	const byKey = new Map<string, string>();
	for (const { row, choice } of answers) {
		const key = comparedKey(row.paymentKey) ?? row.paymentKey;
		const first = byKey.get(key) ?? choice;
		if (first !== choice) throw DECISIONS.contradicts({ first, second: choice });
		byKey.set(key, first);
	}
}
