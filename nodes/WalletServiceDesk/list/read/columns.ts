/** The columns of a list: which one has which meaning, whatever its name. */
import type { Asset } from '../../values/asset.ts';
import { shortLine } from '../../../shared/text.ts';
import { COLUMN } from './messages.ts';

/** What a column can mean, and the name that it has if nobody says another one. */
export const DEFAULT_COLUMNS = {
	paymentKey: 'paymentKey',
	amount: 'amount',
	currency: 'currency',
	coin: 'coin',
	destination: 'destination',
	payee: 'payee',
	note: 'note',
	again: 'again',
};

export type Role = keyof typeof DEFAULT_COLUMNS;

/** The name that the column of each role has in the list. '' for a column that the list does not have. */
export type Columns = Readonly<Record<Role, string>>;

export interface ListSettings {
	columns: Columns;
	/** What is paid in a row that has no currency and no coin of its own. */
	codeOfAll?: Asset;
	/** Numbers of rows that are left out: `3, 7`. */
	leaveOut?: string;
}

export const ROLES = Object.keys(DEFAULT_COLUMNS) as Role[];

/** Without them there is no payment. */
export const NEEDED: readonly Role[] = ['paymentKey', 'amount', 'destination'];

/** The field of the node that names the column. */
export const COLUMN_FIELDS: Readonly<Record<Role, string>> = {
	paymentKey: 'Payment Key Column',
	amount: 'Amount Column',
	currency: 'Currency Column',
	coin: 'Coin Column',
	destination: 'Destination Column',
	payee: 'Payee Column',
	note: 'Note Column',
	again: 'Again Column',
};

/** The fields of the node that say what all rows are paid in. */
export const CODE_OF_ALL_FIELDS = {
	currencyOfAll: 'Currency of All Rows',
	coinOfAll: 'Coin of All Rows',
} as const;

/** What a person calls a value of the column. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = { ...DEFAULT_COLUMNS, paymentKey: 'payment key' };

/** Characters of a name that are compared. A note can be as long as the file. */
const MAX_NAME_LENGTH = 1_000;

/** The same for names that differ in case, spaces and signs only: `Payment Key` and `payment_key`. */
export function comparedName(name: string): string {
	const folded = name.slice(0, MAX_NAME_LENGTH).normalize('NFKC').toLowerCase();
	const letters = folded.replace(/[^\p{L}\p{N}]/gu, '');
	return letters === '' ? folded.replace(/[\p{C}\p{Z}]/gu, '') : letters;
}

/** The place of each role's column among the names. -1: there is none. */
export type Places = Readonly<Record<Role, number>>;

/** Finds the places of the columns among names. */
export type PlaceFinder = (names: readonly string[]) => Places;

export function placeFinder(columns: Columns): PlaceFinder {
	const wanted = ROLES.map((role) => [role, comparedName(columns[role])] as const);
	return (names) => {
		const compared = names.map(comparedName);
		const places = wanted.map(([role, name]) => [role, name === '' ? -1 : compared.indexOf(name)]);
		const found = Object.fromEntries(places) as Places;
		// In many lists, the column of this name has the destination.
		const isOther = ROLES.some((role) => role !== 'payee' && found[role] === found.payee);
		return isOther ? { ...found, payee: -1 } : found;
	};
}

/** How many of the needed columns are there. */
export function countNeeded(places: Places): number {
	return NEEDED.filter((role) => places[role] >= 0).length;
}

/** The needed columns that are not there. */
export function missingRoles(places: Places): Role[] {
	return NEEDED.filter((role) => places[role] === -1);
}

/** Why no row can be read under these names. Undefined if they can. */
export function columnsProblem(
	names: readonly string[],
	places: Places,
	{ columns, codeOfAll }: ListSettings,
): string | undefined {
	const missing = missingRoles(places);
	const hasCodes = places.currency >= 0 || places.coin >= 0 || isCode(codeOfAll);
	if (missing.length > 0) return missingProblem(missing, { names, columns, hasCodes });
	const twice = rolesThatAreTwice(names, places);
	if (twice.length > 0) return COLUMN.isTwice(twice.map((role) => names[places[role]] ?? ''));
	return hasCodes ? undefined : noCodeProblem(names, columns);
}

/** Whether the node says what is paid in all rows. A field that was left empty does not. */
export function isCode(codeOfAll: ListSettings['codeOfAll']): codeOfAll is Asset {
	return codeOfAll !== undefined && codeOfAll.code.trim() !== '';
}

function noCodeProblem(names: readonly string[], columns: Columns): string {
	const roles: Role[] = ['currency', 'coin'];
	return COLUMN.hasNoCode({
		wanted: roles.map((role) => columns[role] || ROLE_WORDS[role]),
		names,
		fields: roles.map((role) => COLUMN_FIELDS[role]),
		fieldsOfAll: Object.values(CODE_OF_ALL_FIELDS),
	});
}

interface NamesOfList {
	names: readonly string[];
	columns: Columns;
	hasCodes: boolean;
}

function missingProblem(missing: readonly Role[], { names, columns, hasCodes }: NamesOfList): string {
	const fields = missing.map((role) => COLUMN_FIELDS[role]);
	const unnamed = missing.filter((role) => comparedName(columns[role]) === '');
	if (unnamed.length > 0) return COLUMN.fieldIsEmpty(unnamed.map((role) => COLUMN_FIELDS[role]));
	// Who has chosen the name knows what it means.
	const unexplained = missing.filter((role) => columns[role] === DEFAULT_COLUMNS[role]);
	return [
		COLUMN.isMissing({ missing: missing.map((role) => columns[role]), names, fields }),
		...(unexplained.includes('paymentKey') ? [COLUMN.keyIs()] : []),
		...(unexplained.includes('destination') ? [COLUMN.destinationIs()] : []),
		...(hasCodes ? [] : [COLUMN.hasNoCodeEither(Object.values(CODE_OF_ALL_FIELDS))]),
	].join(' ');
}

/** A second note is kept beside the first. Of all others, nobody knows which one counts. */
function rolesThatAreTwice(names: readonly string[], places: Places): Role[] {
	return ROLES.filter((role) => {
		const name = names[places[role]];
		if (role === 'note' || name === undefined) return false;
		return names.some((other, place) => place !== places[role] && isSameColumn(other, name));
	});
}

/** What programs add to a name that is there before: `amount_1` and `amount.1`. */
const NUMBER_OF_REPEATED = /[_.]\d+$/;

function isSameColumn(name: string, first: string): boolean {
	const wanted = comparedName(first);
	return comparedName(name) === wanted || comparedName(name.replace(NUMBER_OF_REPEATED, '')) === wanted;
}

/** Characters of a name in a message. */
const MAX_SHOWN = 40;

/** What a message calls a value of each role: `payment key`, or with the name of its column, `payment key (column Invoice)`. */
export type Labels = Readonly<Record<Role, string>>;

export function labelsOf(names: readonly string[], places: Places): Labels {
	const labelOf = (role: Role) => {
		const written = names[places[role]];
		const word = ROLE_WORDS[role];
		const isSaid = written === undefined || comparedName(written) === comparedName(word);
		return isSaid ? word : `${word} (column ${shortLine(written, MAX_SHOWN)})`;
	};
	return Object.fromEntries(ROLES.map((role) => [role, labelOf(role)])) as Labels;
}

/** A name for each column that has no meaning here; none for the others. Columns of the same name are told apart as in Excel. */
export function extraNamesOf(names: readonly string[], places: Places): Array<string | undefined> {
	const used = new Set(Object.values(places));
	const seen = new Set<string>();
	return names.map((name, place) => {
		if (used.has(place)) return undefined;
		const isOwn = name !== '' && !seen.has(name);
		seen.add(name);
		if (isOwn) return name;
		const letters = `column ${columnLetters(place)}`;
		return name === '' ? letters : `${name} (${letters})`;
	});
}

/** The letters that Excel shows above a column: 0 is A, 27 is AB. */
function columnLetters(place: number): string {
	const letter = String.fromCharCode(65 + (place % 26));
	return place < 26 ? letter : columnLetters(Math.floor(place / 26) - 1) + letter;
}
