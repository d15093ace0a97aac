/** Reads a row by itself: the payment in it, and what is wrong with each of its cells. */
import type { AmountName } from './amountName.ts';
import { amountProblem, meaningsOf, numberProblem } from './amounts.ts';
import { isFilled } from './cells.ts';
import type { Cell, RawRow } from './cells.ts';
import { invisibleIn, isExcelError, oddIn, seenOf } from './characters.ts';
import { isCode } from './columns.ts';
import type { Labels, ListSettings, Role } from './columns.ts';
import { isNoName } from '../../../shared/missingValues.ts';
import { smallUnit } from '../../../shared/smallUnit.ts';
import { yesOrNo } from '../../../shared/yesOrNo.ts';
import { decimalsProblem } from '../fiatDecimals.ts';
import { isAssetCode } from '../../values/asset.ts';
import type { ListRow } from '../listRow.ts';
import { CELL, ROW } from './messages.ts';
import { isOfPeople } from './otherColumns.ts';
import type { OtherColumns } from './otherColumns.ts';
import type { Title } from './titles.ts';
import { keyProblem } from './paymentKeys.ts';

export interface RowSettings extends Pick<ListSettings, 'codeOfAll'> {
	/** What a message calls the value of a column. */
	labels: Labels;
	/** What the name of the column of amounts says. */
	amountName?: AmountName;
	/** What columns without a meaning say. */
	others: OtherColumns;
	/** What the lines above the table say. */
	titles?: readonly Title[];
}

export function readRow(raw: RawRow, settings: RowSettings): ListRow {
	const { paymentKey, amount, destination, payee, note, again } = raw.cells;
	const codes = codesOf(raw, settings);
	const extra = raw.extra.filter(([name]) => !isOfPeople(name));
	const problems = raw.problem === undefined ? problemsOf(raw, codes, settings) : [raw.problem];
	return {
		row: raw.row,
		line: raw.line,
		paymentKey: paymentKey.text,
		amount: amount.text,
		...codes,
		destination: destination.text,
		...(payee.text !== '' && { payee: payee.text }),
		note: note.text,
		again: yesOrNo(again.text) === true,
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
	const ofAmount = problemsOfCells(['amount']);
	return [
		...problemsOfCells(['paymentKey']),
		...ofAmount,
		...(ofAmount.length === 0 && hasOneCode ? decimalsProblem(cells.amount.text, codes.currency) : []),
		...problemsOfCells(['currency', 'coin']),
		...(hasOneCode ? otherCurrencyProblem(codes, settings) : [ROW.hasNotOneCode()]),
		// A note may say anything, and a payee is compared with what the service says.
		...problemsOfCells(['destination', 'again']),
		...settings.others(extra, {
			code: codes.currency ?? codes.coin ?? '',
			isCoin: codes.coin !== undefined,
			isPrice: settings.amountName?.isPrice === true,
			isOfAll: !isFilled(cells.currency) && !isFilled(cells.coin),
		}),
	];
}

function otherCurrencyProblem(
	{ currency, coin }: Codes,
	{ amountName, titles = [], labels }: RowSettings,
): string[] {
	const code = currency ?? coin ?? '';
	const above = titles.find((title) => !title.fits(code));
	if (amountName?.code !== undefined && !amountName.fits(code))
		return [ROW.hasOtherCurrency({ label: labels.amount, ofName: amountName.code, code })];
	return above === undefined
		? []
		: [ROW.hasOtherCurrencyAbove({ row: String(above.row), text: above.text, code })];
}

function cellProblems(role: Role, cell: Cell, label: string): string[] {
	const { text } = cell;
	if (isExcelError(text)) return [CELL.isExcelError({ label, cell: text })];
	const kindProblem = problemOfKind(role, cell, label);
	if (kindProblem !== undefined) return [kindProblem];
	const character = mayHoldAny(role, text) ? undefined : invisibleIn(text);
	if (character === undefined) return listOf(valueProblem(role, cell, label));
	const seen = { ...cell, text: seenOf(text) };
	return [CELL.hasCharacter({ label, character }), ...listOf(valueProblem(role, seen, label))];
}

/** A key names its characters by itself, an amount with spaces has one advice, and the service's list says what an alias has. */
function mayHoldAny(role: Role, text: string): boolean {
	const isClear = role === 'amount' && meaningsOf(text).length > 0;
	return isClear || role === 'paymentKey' || role === 'destination' || role === 'again';
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
			return smallUnitProblem(text, label) ?? codeProblem(text, { label, isFiat: true });
		case 'coin':
			return codeProblem(text, { label, isFiat: false });
		case 'destination':
			return destinationProblem(text, label);
		case 'again':
			return yesOrNo(text) !== undefined ? undefined : CELL.isNeitherYesNorEmpty({ label, cell: text });
		case 'note':
		case 'payee':
			return undefined;
	}
}

function destinationProblem(text: string, label: string): string | undefined {
	if (text === '') return CELL.isMissing(label);
	if (isNoName(text)) return CELL.namesNoPlace({ label, text });
	return /^\d+[.,]\d+$/.test(text) ? CELL.isNumber({ label, text }) : undefined;
}

function smallUnitProblem(written: string, label: string): string | undefined {
	const small = smallUnit(written);
	return small && CELL.isSmallUnit({ label, written, ...small });
}

function codeProblem(
	code: string,
	{ label, isFiat }: { label: string; isFiat: boolean },
): string | undefined {
	const character = oddIn(code);
	if (character !== undefined) return CELL.hasCharacter({ label, character });
	if (code === '' || isAssetCode({ code: code.toUpperCase(), isFiat })) return undefined;
	return CELL.isNoCode({ label, code, example: isFiat ? 'NGN' : 'USDT' });
}
