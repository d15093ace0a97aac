/** Reads a row by itself: the payment in it, and what is wrong with each of its cells. */
import { amountProblem, numberProblem } from './amounts.ts';
import type { Cell, RawRow } from './cells.ts';
import { invisibleIn, isExcelError, oddIn, seenOf } from './characters.ts';
import { isCode } from './columns.ts';
import type { Labels, ListSettings, Role } from './columns.ts';
import { isSmallUnit } from '../../../shared/smallUnit.ts';
import type { ListRow } from '../listRow.ts';
import { CELL, ROW } from './messages.ts';
import { isOfPeople, otherColumnProblems } from './otherColumns.ts';
import { keyProblem } from './paymentKeys.ts';

export interface RowSettings extends Pick<ListSettings, 'codeOfAll'> {
	/** What a message calls the value of a column. */
	labels: Labels;
	/** The currency that the name of the column of amounts says. */
	amountCurrency?: string;
}

/** The cells whose text must be right, in the order of the problems. A note may say anything. */
const WHAT: readonly Role[] = ['paymentKey', 'amount', 'currency', 'coin'];
const WHERE_TO: readonly Role[] = ['destination', 'again'];

export function readRow(raw: RawRow, settings: RowSettings): ListRow {
	const { paymentKey, amount, destination, note, again } = raw.cells;
	const codes = codesOf(raw, settings);
	const extra = raw.extra.filter(([name]) => !isOfPeople(name));
	const problems = raw.shapeProblem === undefined ? problemsOf(raw, codes, settings) : [raw.shapeProblem];
	return {
		row: raw.row,
		line: raw.line,
		paymentKey: paymentKey.text,
		amount: amount.text,
		...codes,
		destination: destination.text,
		note: note.text,
		again: isYes(again.text),
		// Assigning to a key `__proto__` would change the prototype; fromEntries adds an ordinary property.
		...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
		problems,
	};
}

type Codes = Pick<ListRow, 'currency' | 'coin'>;

/** The codes that the row has. Without any, that of all rows. */
function codesOf({ cells }: RawRow, { codeOfAll }: RowSettings): Codes {
	const [currency, coin] = [codeIn(cells.currency), codeIn(cells.coin)];
	const hasOwn = currency !== '' || coin !== '';
	if (hasOwn) return { ...(currency !== '' && { currency }), ...(coin !== '' && { coin }) };
	if (!isCode(codeOfAll)) return {};
	const code = codeOfAll.code.trim().toUpperCase();
	return codeOfAll.isFiat ? { currency: code } : { coin: code };
}

function codeIn({ text }: Cell): string {
	return seenOf(text).toUpperCase();
}

function problemsOf({ cells, extra }: RawRow, codes: Codes, settings: RowSettings): string[] {
	const { labels } = settings;
	const hasOneCode = (codes.currency === undefined) !== (codes.coin === undefined);
	const problemsOfCells = (roles: readonly Role[]) =>
		roles.flatMap((role) => cellProblems(role, cells[role], labels[role]));
	return [
		...problemsOfCells(WHAT),
		...(hasOneCode ? listOf(otherCurrencyProblem(codes, settings)) : [ROW.hasNotOneCode()]),
		...problemsOfCells(WHERE_TO),
		...otherColumnProblems(extra, codes.coin !== undefined),
	];
}

function otherCurrencyProblem(
	{ currency, coin }: Codes,
	{ amountCurrency, labels }: RowSettings,
): string | undefined {
	const code = currency ?? coin ?? '';
	if (amountCurrency === undefined || amountCurrency === code) return undefined;
	return ROW.hasOtherCurrency({ label: labels.amount, amountCurrency, code });
}

function cellProblems(role: Role, cell: Cell, label: string): string[] {
	const { text } = cell;
	if (isExcelError(text)) return [CELL.isExcelError({ label, cell: text })];
	const kindProblem = problemOfKind(role, cell, label);
	if (kindProblem !== undefined) return [kindProblem];
	// A key names its characters by itself. Which ones an alias has, the service's list says.
	const mayHoldAny = role === 'paymentKey' || role === 'destination' || role === 'again';
	const character = mayHoldAny ? undefined : invisibleIn(text);
	if (character === undefined) return listOf(valueProblem(role, cell, label));
	const seen = { ...cell, text: seenOf(text) };
	return [CELL.hasCharacter({ label, character }), ...listOf(valueProblem(role, seen, label))];
}

function listOf(problem: string | undefined): string[] {
	return problem === undefined ? [] : [problem];
}

/** What is wrong with a value of an item that is no text and no exact number. */
function problemOfKind(role: Role, { text, kind }: Cell, label: string): string | undefined {
	if (role === 'again') return undefined;
	switch (kind) {
		case 'text':
		case 'number':
			return undefined;
		case 'inexact':
			return CELL.lostDigits({ label, number: text });
		case 'date':
			return CELL.isDate({ label, date: text });
		case 'object':
			return CELL.isNoText(label);
	}
}

function valueProblem(role: Role, { text, kind }: Cell, label: string): string | undefined {
	switch (role) {
		case 'paymentKey':
			return keyProblem(text, label);
		case 'amount':
			return kind === 'number' ? numberProblem(text) : amountProblem(text, label);
		case 'currency':
			if (isSmallUnit(text)) return CELL.isSmallUnit({ label, code: text });
			return codeProblem(text, { label, example: 'NGN' });
		case 'coin':
			return codeProblem(text, { label, example: 'USDT' });
		case 'destination':
			return text === '' ? CELL.isMissing(label) : undefined;
		case 'again':
			return isYes(text) || isNo(text) ? undefined : CELL.isNeitherYesNorEmpty({ label, cell: text });
		case 'note':
			return undefined;
	}
}

function codeProblem(
	code: string,
	{ label, example }: { label: string; example: string },
): string | undefined {
	const character = oddIn(code);
	if (character !== undefined) return CELL.hasCharacter({ label, character });
	if (code === '' || /[A-Z]/i.test(code)) return undefined;
	return CELL.isNoCode({ label, code, example });
}

/** A check box of a spreadsheet is `TRUE` or `FALSE`. */
function isYes(text: string): boolean {
	return ['yes', 'true'].includes(text.toLowerCase());
}

function isNo(text: string): boolean {
	return ['', 'no', 'false'].includes(text.toLowerCase());
}
