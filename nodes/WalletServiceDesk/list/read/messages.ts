/**
 * What Read says about a list: whole sentences for a person who may see no node of n8n. What is wrong, then what to do. The number of
 * the row is not in them. Texts of the list are shown in one line and cut off.
 */
import { sentences } from '../../../../api/texts.ts';
import type { SmallUnit } from '../../../shared/smallUnit.ts';
import type { Texts } from '../../../shared/wording.ts';
import { DeskProblem } from '../../operation/problem.ts';
import { asSentence, counted, enumerated, shortLine } from '../../../shared/text.ts';

const MAX_LENGTH = 80;
const MAX_NAMES = 20;
/** Of all that is wrong with one row. */
const MAX_PROBLEM_LENGTH = 700;

/** A text of the list within a sentence. */
function shown(text: string): string {
	return shortLine(text, MAX_LENGTH);
}

/** `a, b and c` */
function listed(texts: readonly string[], word?: 'and' | 'or'): string {
	return enumerated(texts, { word, most: MAX_NAMES });
}

/** The names of columns, for a person who looks for theirs. */
function columnsThatAreThere(names: readonly string[]): string {
	const named = names.filter((name) => name !== '').map(shown);
	return named.length === 0 ? 'It has no names of columns.' : `Its columns are ${listed(named)}.`;
}

const SAVE_AS_CSV = 'In Excel, save the list as CSV UTF-8, and use that file.';

/** `kobo` is a part of a currency, and `thousands` are a multiple. */
const WRITE_ITSELF = (what: 'it' | 'them') => `write ${what} in the currency or coin itself, such as 1250.50`;

const ASK_FOR_LIST = 'Ask for the list as an Excel or CSV file.';

/** The file as a whole. */
export const FILE = {
	isEmpty: () => `The file is empty. ${SAVE_AS_CSV}`,
	isTooLarge: (megabytes: string) => `The file is larger than ${megabytes} MB. Split the list.`,
	isWorkbook: () =>
		`This is an Excel workbook, even if its name ends in .csv. ${SAVE_AS_CSV} Or read the workbook with the node Extract from File, and use its rows.`,
	isSpreadsheetOf: (program: string) =>
		`This is a spreadsheet of ${program}. In ${program}, save the list as CSV in UTF-8, and use that file.`,
	isPacked: (kind: string) => `This is a ${kind}. Unpack it first. ${SAVE_AS_CSV}`,
	isForExcel: (kind: string) => `This is ${kind}, not a CSV file. Open it in Excel. ${SAVE_AS_CSV}`,
	isOtherKind: (kind: string) => `This is a ${kind}. ${ASK_FOR_LIST} ${SAVE_AS_CSV}`,
	isOtherText: (kind: string) => `This is ${kind}, not a CSV file. ${ASK_FOR_LIST} ${SAVE_AS_CSV}`,
	isNotUtf8: () => `The file is not in UTF-8. ${SAVE_AS_CSV}`,
	hasUnreadableCharacter: (line: string) =>
		`The file is not in UTF-8: a character in line ${line} cannot be read. ${SAVE_AS_CSV}`,
	hasOpenQuote: (line: string) =>
		`In line ${line}, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.`,
	hasRowInCell: (line: string) =>
		`In line ${line}, a quotation mark begins a cell, and this cell has a line that looks like a row. Close the cell with a quotation mark, or remove the first one.`,
	hasTooManyCells: ({ line, most }: Texts<'line' | 'most'>) =>
		`Line ${line} has more than ${most} cells. Remove the columns that are not needed.`,
	hasBackslash: (line: string) =>
		`In line ${line}, a quotation mark within a cell has a backslash before it. A CSV file has two quotation marks there, such as "the ""red"" one". Export the list as CSV for Excel.`,
	hasRowsAboveNames: ({ rows, count, namesRow }: Texts<'rows' | 'namesRow'> & { count: number }) =>
		`Above the names of the columns in row ${namesRow}, ${count === 1 ? `row ${rows} looks like a payout, and is` : `rows ${rows} look like payouts, and are`} not read. Put all payouts below these names, or remove the ${count === 1 ? 'row' : 'rows'} above.`,
	hasNamesInOneCell: (row: string) =>
		`Row ${row} has the names of all columns in one cell. Give each column a cell of its own, without quotation marks around the whole row.`,
};

/** The list as a whole, from a file or from items. */
export const LIST = {
	hasNoRows: () => 'The list has no row below the names of the columns. Add the payouts.',
	hasTooManyRows: (most: string) =>
		`The list has more than ${most} rows, and one list can have no more. Split it.`,
	hasTwoCodesOfAll: () =>
		new DeskProblem(
			"'Currency of All Rows' and 'Coin of All Rows' are both set, so it is not certain what is paid",
			'Remove one of the two options',
		),
	currencyOfAllIsSmallUnit: ({ written, unit, whole, code }: SmallUnit & Texts<'written'>) =>
		new DeskProblem(
			`'Currency of All Rows' ${shown(written)} is ${unit}`,
			`Write the amounts in ${whole}, and the currency ${code}`,
		),
	hasNoItems: () => 'No rows have arrived. Connect a node that gives one item for each row of the list.',
	isEmpty: () => 'The list is empty. Hand over at least one row.',
	isMixed: () =>
		'Some rows of the list were read before, and others were not. Hand over rows of one kind: all from the operations Read or Report, or none.',
	hasItemsWithoutFields: () =>
		'The items have no fields. Connect a node that gives one item for each row of the list.',
};

/** In place of a list to which too few people have said yes. */
export const APPROVALS = {
	areTooFew: (name: string) =>
		new DeskProblem(
			`Nothing of this list was handed on. Two different people must say yes, and there is one name ('Approved By'): ${shortLine(name, MAX_PROBLEM_LENGTH)}`,
			'Let a second person say yes, under a name of their own. If nobody else was asked, the node that asks is switched off',
		),
};

/** In place of a list from which rows cannot be left out as somebody asks. */
export const LEAVE_OUT = {
	isNoNumbers: (text: string) =>
		new DeskProblem(
			`Nothing of this list was handed on, because 'Leave Out' is not a list of row numbers: ${shown(text)}`,
			'Write numbers of rows, with commas between them, such as 3, 7',
		),
	isNotOneRow: ({ number, count }: { number: string; count: number }) =>
		new DeskProblem(
			`Nothing of this list was handed on, because 'Leave Out' has the number ${number}, and the list has ${count === 0 ? 'no such row' : `${count} rows with it`}`,
			"Write the numbers that the rows have in the field 'row'",
		),
	isWithoutNumbers: () =>
		new DeskProblem(
			"Nothing of this list was handed on, because 'Leave Out' is set, and not each row of the list has a number",
			"Clear 'Leave Out', or let Read give the rows, so that each has a number in the field 'row'",
		),
	leavesNothing: () =>
		new DeskProblem(
			"Nothing of this list was handed on, because 'Leave Out' names all its rows",
			'Leave at least one row',
		),
};

/** In place of a list with problems. */
export const STOPPED = {
	hasProblems: (problems: readonly string[]) =>
		new DeskProblem(
			`Nothing of this list was handed on. ${problems.join(' ')}`,
			'Correct what is named, and read the list itself again',
		),
	hint: (problems: readonly string[]) => `Not ready to pay. ${problems.join(' ')}`,
	whole: () => 'The list as a whole',
	problem: ({ where, problems }: { where: string; problems: readonly string[] }) =>
		`${where}: ${asSentence(shortLine(problems.join(' '), MAX_PROBLEM_LENGTH))}`,
	more: (count: number) => `And something is wrong in ${counted(count, 'more row', 'more rows')}.`,
};

/** A list that is no list of rows. */
export const GIVEN = {
	nothing: () => 'No list has arrived. In the node, set Rows to a list of rows.',
	noList: () =>
		'The list cannot be read. In the node, set Rows to a list of rows, or to the same list as JSON text.',
	nameTwice: () => 'A row of the list has a name twice, such as "amount". Correct the JSON text.',
	noRow: (place: string) =>
		`Entry ${place} of the list is no row. Each entry must have names and values, such as "amount": "1250.50".`,
};

export const COLUMN = {
	fieldIsEmpty: (fields: readonly string[]) =>
		`In the node, ${listed(fields)} ${fields.length === 1 ? 'is' : 'are'} empty. Write the name of the column into ${fields.length === 1 ? 'it' : 'each'}.`,
	isMissing: ({ missing, names, fields }: Record<'missing' | 'names' | 'fields', readonly string[]>) => {
		const which = missing.map((name) => `no column ${shown(name)}`);
		const [right, into, option] =
			missing.length === 1
				? ['name of the right one', 'it', 'option']
				: ['names of the right ones', 'them', 'options'];
		return `The list has ${listed(which)}. ${columnsThatAreThere(names)} In the node, write the ${right} into the ${option} ${listed(fields)}, or rename ${into} in the list.`;
	},
	keyIs: () =>
		'A payment key is a text that only one payment has, such as the supplier, and the number and year of the invoice.',
	destinationIs: () => 'A destination is the alias of an account or wallet.',
	hasNoCodeEither: (fieldsOfAll: readonly string[]) =>
		`No column says the currency or coin either: name it, too, or add the option ${listed(fieldsOfAll, 'or')}.`,
	isTwice: (names: readonly string[]) =>
		`The list has the column ${listed(names.map(shown))} twice. Remove one of the two, or give it another name.`,
	mayHaveOtherUnit: ({ name, unit }: Texts<'name' | 'unit'>) =>
		sentences(
			`The column ${shown(name)} says ${shown(unit)}, so its amounts may be in another unit.`,
			`If they are, ${WRITE_ITSELF('them')}. If not, give the column a shorter name, such as amount.`,
		),
	titleHasOtherUnit: ({ row, text, unit }: Texts<'row' | 'text' | 'unit'>) =>
		sentences(
			`Row ${row} is ${shown(text)}. It says ${shown(unit)}, so the amounts may be in another unit.`,
			`If they are, ${WRITE_ITSELF('them')}. If not, remove row ${row}.`,
		),
	hasNoCode: ({
		wanted,
		names,
		fields,
		fieldsOfAll,
	}: Record<'wanted' | 'names' | 'fields' | 'fieldsOfAll', readonly string[]>) =>
		`The list has ${listed(wanted.map((name) => `no column ${shown(name)}`))}. It needs one of them. ${columnsThatAreThere(names)} In the node, write the name of the right one into the option ${listed(fields, 'or')}. If all rows have the same one, add the option ${listed(fieldsOfAll, 'or')}.`,
};

/** Characters in words, to stand within a sentence. */
export const CHARACTER = {
	lineBreak: () => 'a line break',
	invisible: (code: string) => `the character ${code}, which nobody sees`,
	visible: ({ sign, code }: Texts<'sign' | 'code'>) => `the character ${sign} (${code})`,
};

/** Any cell. `label` is what a person calls its value. */
export const CELL = {
	isMissing: (label: string) => `The ${label} is missing. Enter it.`,
	isExcelError: ({ label, cell }: Texts<'label' | 'cell'>) =>
		`The ${label} is ${shown(cell)}, which Excel could not calculate. Enter the value.`,
	hasCharacter: ({ label, character }: Texts<'label' | 'character'>) =>
		`The ${label} has ${character}. Enter it again.`,
	isNoText: (label: string) =>
		`The ${label} is a list or an object. Give the node rows whose values are texts or numbers.`,
	isDate: ({ label, date }: Texts<'label' | 'date'>) =>
		`The ${label} is the date ${shown(date)}. Format this column as text in the spreadsheet, and enter the value again.`,
	lostDigits: ({ label, number }: Texts<'label' | 'number'>) =>
		`The ${label} came as the number ${shown(number)}, which may have lost digits. Format this column as text in the spreadsheet, and enter the value again.`,
	isNoCode: ({ label, code, example }: Texts<'label' | 'code' | 'example'>) =>
		`The ${label} ${shown(code)} is not a code such as ${example}. Enter the code.`,
	isSmallUnit: ({ label, written, unit, whole, code }: SmallUnit & Texts<'label' | 'written'>) =>
		`The ${label} ${written} is ${unit}. Write the amount in ${whole}, and the currency ${code}.`,
	isNumber: ({ label, text }: Texts<'label' | 'text'>) =>
		`The ${label} ${shown(text)} is a number. Enter the alias.`,
	namesNoPlace: ({ label, text }: Texts<'label' | 'text'>) =>
		`The ${label} ${shown(text)} names no account or wallet. Enter the alias.`,
	isNeitherYesNorEmpty: ({ label, cell }: Texts<'label' | 'cell'>) =>
		`The cell ${label} says ${shown(cell)}. Write yes if the same payment is meant again, or leave it empty.`,
};

/** One without a name is called by its letters: `column C`. */
function columnCalled(name: string): string {
	return /^column [A-Z]{1,3}$/.test(name) ? name : `column ${shown(name)}`;
}

/** Columns that have no meaning here. */
export const OTHER_COLUMN = {
	isOfPeople: (name: string) =>
		`A list cannot say who has approved it, or what was found out about a payment. Remove the ${columnCalled(name)}, or give it another name.`,
	takesBack: ({ name, text }: Texts<'name' | 'text'>) =>
		`The ${columnCalled(name)} says ${shown(text)}, so the row may be no payout any more. Remove the row. If it is a payout, empty this cell.`,
	saysUnit: ({ name, text }: Texts<'name' | 'text'>) =>
		sentences(
			`The ${columnCalled(name)} says ${shown(text)}, so the amount may be in another unit.`,
			`If it is, ${WRITE_ITSELF('it')}. If not, empty this cell.`,
		),
	saysCount: ({ name, text }: Texts<'name' | 'text'>) =>
		sentences(
			`The ${columnCalled(name)} says ${shown(text)}, so the amount may be the price of one.`,
			'Write the amount of the whole row, and then empty this cell.',
		),
	saysCurrency: ({ name, text, code }: Texts<'name' | 'text' | 'code'>) =>
		sentences(
			`The ${columnCalled(name)} says ${shown(text)}, and this row would be paid in ${shown(code)}, as the node says for all rows.`,
			`In the node, write ${shown(name)} into Currency Column or Coin Column. If the row is in ${shown(code)}, correct this cell.`,
		),
	saysPaidCurrency: ({ name, text, said, code }: Texts<'name' | 'text' | 'said' | 'code'>) =>
		sentences(
			`The ${columnCalled(name)} says ${shown(text)}, so the amount may be in ${said}, and this row would be paid in ${shown(code)}.`,
			`Make sure that the amount is in ${shown(code)}, and then empty this cell.`,
		),
	saysDirection: ({ name, text }: Texts<'name' | 'text'>) =>
		sentences(
			`The ${columnCalled(name)} says ${shown(text)} here, and the opposite in other rows, so some of them are no payouts.`,
			'Remove those rows, and then this column.',
		),
	isTag: ({ name, text }: Texts<'name' | 'text'>) =>
		sentences(
			`No payout carries the ${shown(name)} ${shown(text)}, and the receiver may not find the money without it.`,
			'Remove the row, and pay it at the service. If this is only a note, give the column another name, such as note.',
		),
};

export const AMOUNT = {
	isNoNumber: (amount: string) => `The amount ${shown(amount)} is not a number such as 1250.50.`,
	hasCharacter: (character: string) => `The amount has ${character}. Write a number such as 1250.50.`,
	isShortened: (amount: string) => `Excel has cut digits off the amount ${amount}. Enter it again.`,
	isZero: (amount: string) => `The amount ${amount} is zero. Enter the amount, or remove the row.`,
	isAmbiguous: ({ amount, meanings: { can, write } }: { amount: string; meanings: Meanings }) =>
		`The amount ${amount} can be ${listed(can, 'or')}. Write ${listed(write, 'or')}.`,
	isNotPlain: ({ amount, spelling, meaning }: Texts<'amount' | 'spelling' | 'meaning'>) =>
		`The amount ${shown(amount)} ${spelling}. Write ${meaning}.`,
	isDebit: (amount: string) =>
		`The amount ${shown(amount)} looks like a debit or credit note, not like a payout. Remove the row. If it is a payout, write the amount as a number such as 1250.50.`,
	hasCurrency: ({ amount, meanings }: { amount: string; meanings: readonly string[] }) =>
		`The amount ${shown(amount)} has a currency. Remove the currency from the amount${meanings.length === 0 ? '' : `, and write ${listed(meanings, 'or')}`}.`,
};

/** What an amount can be, and how each of it is written so that it can be nothing else. */
interface Meanings {
	can: readonly string[];
	write: readonly string[];
}

const AS_TEXT = 'Format this column as text, and enter';

/** A payment key. `label`: `payment key`. */
export const PAYMENT_KEY = {
	isTooLong: ({ label, most }: Texts<'label' | 'most'>) =>
		`The ${label} has more than ${most} characters. Enter a shorter one, such as the supplier, and the number and year of the invoice.`,
	isShortened: (label: string) => `Excel has cut digits off the ${label}. ${AS_TEXT} the keys again.`,
	isDate: ({ label, key }: Texts<'label' | 'key'>) =>
		`Excel may have made a date of the ${label} ${shown(key)}. ${AS_TEXT} the key again. A key that is a date needs a word beside it, such as Rent 2026-03-01.`,
	isFormula: (label: string) => `The ${label} begins with a sign of a formula. Remove the sign.`,
	hasQuote: ({ label, key }: Texts<'label' | 'key'>) =>
		`The ${label} ${shown(key)} begins or ends with a quotation mark or an apostrophe, which a spreadsheet or program may have put there. Remove it.`,
	hasPointZero: ({ label, key }: Texts<'label' | 'key'>) =>
		`The ${label} ${shown(key)} ends with a point and zeros, which a program may have put there. Enter the key as it was.`,
	isAmount: ({ label, key }: Texts<'label' | 'key'>) =>
		`The ${label} ${shown(key)} looks like an amount. Enter the key. If this is the key, write a word before it, such as INV ${shown(key)}.`,
	isExample: (key: string) => `${shown(key)} is a key of the example. Enter a key of your own.`,
	isIncomplete: ({ label, key }: Texts<'label' | 'key'>) =>
		`The ${label} ${shown(key)} is not complete. Enter it again.`,
	isTwice: ({ label, key }: Texts<'label' | 'key'>) =>
		`The ${label} ${shown(key)} is in the list more than once. Remove the row. If these are two payments, give one of them another key.`,
	differsInZeros: (keys: readonly string[]) =>
		`The payment keys ${listed(keys.map(shown))} differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.`,
};

export const ROW = {
	hasTooManyCells: () =>
		'The row has more cells than the list has columns. Put a cell that has a separator inside in quotation marks.',
	mayHaveCommaInAmount: () =>
		'The row has more cells than the list has columns. If its amount has a comma, write 1250.50, not 1,250.50.',
	mayHaveSplitAmount: ({ amount, behind }: Texts<'amount' | 'behind'>) =>
		`The amount ${shown(amount)} and ${shown(behind)} behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.`,
	hasNamesAgain: () => 'This row has the names of the columns again. Remove the row.',
	isBelowOtherNames: (row: string) =>
		`This row is below other names of columns, in row ${row}. Put all payouts below the same names.`,
	hasNotOneCode: () => 'Fill in currency or coin: one of the two.',
	hasOtherCurrency: ({ label, ofName, code }: Texts<'label' | 'ofName' | 'code'>) =>
		sentences(
			`The ${label} is in ${ofName} by the name of its column, and would be paid in ${shown(code)}.`,
			`If it is in ${shown(code)}, give the column another name. If not, correct the amount or the code.`,
		),
	hasOtherCurrencyAbove: ({ row, text, code }: Texts<'row' | 'text' | 'code'>) =>
		`Row ${row} is ${shown(text)}, and this row would be paid in ${shown(code)}. Correct one of the two.`,
	isSamePayment: ({ code, key, row, column }: Texts<'code' | 'key' | 'row' | 'column'>) =>
		`This row has the same amount, ${code} and destination as ${shown(key)} in row ${row}. Remove one of the two. If both are meant, write yes into this row, in a column with the name ${shown(column)}.`,
	isTotal: () =>
		'This looks like a total, not like a payout. Remove the row. If it is a payout, enter its destination.',
};

/** The destinations, beside what the service lists. `kind`: `account` or `wallet`; `kinds`: `accounts`. */
export const DESTINATION = {
	cannotBeRead: ({ kinds, problem }: Texts<'kinds' | 'problem'>) =>
		`The list of settlement ${kinds} could not be read, so nothing is known of these destinations. ${asSentence(shortLine(problem))}`,
	haveNoAlias: (kinds: string) =>
		`The list of settlement ${kinds} has no field alias, so nothing can be compared. Show this to the person who looks after n8n.`,
	isWallet: (alias: string) =>
		`${shown(alias)} is a wallet, and the row has a currency. Wallets take a coin. Correct one of the two.`,
	isAccount: (alias: string) =>
		`${shown(alias)} is an account, and the row has a coin. Accounts take a currency. Correct one of the two.`,
	isNotListed: ({ kind, alias }: Texts<'kind' | 'alias'>) =>
		`No settlement ${kind} has the alias ${shown(alias)}. Enter the alias as the service has it.`,
	hasCharacter: ({ kind, alias, character }: Texts<'kind' | 'alias' | 'character'>) =>
		`No settlement ${kind} has the alias ${shown(alias)}. It has ${character}. Enter it again.`,
	isFormula: (alias: string) =>
		`The destination ${shown(alias)} begins with a sign of a formula. Enter the alias.`,
	isNotApproved: ({ kind, alias, statuses }: Texts<'kind' | 'alias'> & { statuses: readonly string[] }) =>
		`The ${kind} ${shown(alias)} is not approved. Its status is ${listed(statuses.map(shown))}. Wait until the service has approved it, or remove the row.`,
	statusIsNotKnown: () => 'not known',
	isOfAnother: ({ alias, payee, holders }: Texts<'alias' | 'payee'> & { holders: readonly string[] }) =>
		sentences(
			`The payee is ${shown(payee)}, and by the service the account ${shown(alias)} belongs to ${listed(holders.map(shown), 'or')}.`,
			'Find out who should get the money, and correct the payee or the destination.',
		),
	isNotAsShown: ({
		kind,
		alias,
		shown: earlier,
		now,
	}: Texts<'kind' | 'alias' | 'shown'> & { now?: string }) =>
		sentences(
			`The ${kind} ${shown(alias)} may be another ${kind} now than the one that was shown.`,
			`It was shown as “${shortLine(earlier)}”.`,
			`The service now says ${now === undefined ? 'nothing of it' : `“${shortLine(now)}”`}.`,
			'Find out which one is right. Then read the list itself again, so that people see where its money goes.',
		),
	takesOthers: ({
		kind,
		alias,
		codes,
		code,
	}: Texts<'kind' | 'alias' | 'code'> & { codes: readonly string[] }) =>
		`The ${kind} ${shown(alias)} takes ${listed(codes.map(shown))}, not ${shown(code)}. Correct one of the two.`,
};
