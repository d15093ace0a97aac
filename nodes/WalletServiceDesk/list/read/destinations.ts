/** The destinations of a list, beside what the service says of them. Its document does not show the fields of these records. */
import { inCamelCase, textsUnder } from '../../../../api/listedRecord.ts';
import { camelCase } from '../../../../api/shape.ts';
import { ALIAS_FIELDS, isApproved } from '../../../../api/lookups.ts';
import { comparedAlias } from '../../../shared/alias.ts';
import { addTo } from '../../values/groups.ts';
import type { Records } from '../../operation/operation.ts';
import { oneLine, shortLine } from '../../../shared/text.ts';
import { invisibleIn, isExcelError, isFormula, oddIn } from './characters.ts';
import { withProblems } from '../listRow.ts';
import type { ListRow } from '../listRow.ts';
import { DESTINATION } from './messages.ts';
import { payeeMatch } from './payeeName.ts';

export interface Destinations {
	/** The settlement accounts of the service. */
	accounts: Records;
	/** The settlement wallets of the service. */
	wallets: Records;
	/** The fields of a record that may have the holder's name, as the service writes them. The first that is filled counts. */
	nameFields?: readonly string[];
	/** Whether nobody looks at the rows, so that a payee who is another is a problem. Otherwise Report marks it. */
	isUnseen?: boolean;
}

/** The usual names of the field with the holder's name. */
export const NAME_FIELDS =
	'accountName, accountHolder, accountHolderName, holderName, holder, beneficiaryName, beneficiary, ownerName';

/**
 * The rows with what the service says of their destinations, and with a problem where an alias is not in the list, is not approved,
 * takes another currency, or is not what an earlier reading has shown. An alias that is found is spelled as the service has it, so that
 * the service finds it too. What a record does not say is no problem. If a list cannot be read, a row for the whole list says so, and
 * nothing is said of the destinations that it would hold.
 */
export function withDestinations(rows: readonly ListRow[], found: Destinations): ListRow[] {
	const directories: Directories = {
		account: directoryOf('account', found.accounts, found.nameFields),
		wallet: directoryOf('wallet', found.wallets, found.nameFields),
	};
	const checked = rows.map((row) => {
		const bare = withoutDetails(row);
		if (!hasAlias(row)) return bare;
		// Of a row that was read before, a person has seen both.
		const { destinationDetails, payeeMatch: match } = row;
		const holdsOther = found.isUnseen === true && match !== 'none';
		return withDestination(bare, directories, { shown: destinationDetails, holdsOther });
	});
	const needed = new Set(rows.filter(hasAlias).flatMap(kindsOf));
	const problems = [...needed].sort().flatMap((kind) => directories[kind].problem ?? []);
	return withProblems(problems, checked);
}

/** What an earlier reading says of a destination is not proven now. */
function withoutDetails(row: ListRow): ListRow {
	const bare = { ...row };
	delete bare.destinationDetails;
	delete bare.payeeMatch;
	return bare;
}

type Kind = 'account' | 'wallet';

/** What the service says of one alias. It may list an alias twice. */
interface Listed {
	/** As the service spells it. */
	alias: string;
	isApproved: boolean;
	status: string;
	/** In capitals. Empty: nobody knows which currencies or coins it takes. */
	codes: string[];
	/** Who gets the money by the service. Undefined: it does not say. */
	holder?: string;
	/** For a person: `GTBank, Supplier Ltd, …6789`. */
	details: string;
}

interface Directory {
	/** By the form in which aliases are compared. */
	byAlias: Map<string, Listed[]>;
	/** Why nothing can be said by this list. */
	problem?: string;
}

type Directories = Readonly<Record<Kind, Directory>>;

function directoryOf(
	kind: Kind,
	list: Records,
	nameFields: readonly string[] = NAME_FIELDS.split(', '),
): Directory {
	const byAlias = new Map<string, Listed[]>();
	const kinds = `${kind}s`;
	if ('problem' in list) {
		return { byAlias, problem: DESTINATION.cannotBeRead({ kinds, problem: list.problem }) };
	}
	const records = list.records.map(inCamelCase);
	for (const record of records) {
		const [alias] = textsUnder(ALIAS_FIELDS, record);
		if (alias !== undefined)
			addTo(byAlias, comparedAlias(alias), { alias, ...listedAs(kind, record, nameFields.map(camelCase)) });
	}
	const haveFields = records.some((record) => Object.keys(record).length > 0);
	return haveFields && byAlias.size === 0
		? { byAlias, problem: DESTINATION.haveNoAlias(kinds) }
		: { byAlias };
}

/** Where a record says what it takes, as the events of the service name it. */
const CODE_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
	account: ['currency'],
	wallet: ['assetSupported', 'supportedAssets'],
};

/** Where a record says to which place money goes. Of each, the first that is filled counts. */
const BANK_FIELDS = ['bankName', 'bank'];
const NETWORK_FIELDS = ['network'];
const NUMBER_FIELDS = ['accountNumber', 'address', 'walletAddress'];

function listedAs(
	kind: Kind,
	record: Record<string, unknown>,
	nameFields: readonly string[],
): Omit<Listed, 'alias'> {
	const { status } = record;
	const [holder] = textsUnder(nameFields, record);
	return {
		holder,
		isApproved: isApproved(status),
		status: typeof status === 'string' ? status.trim() : '',
		codes: codesIn(record, CODE_FIELDS[kind]),
		details: detailsIn(record, nameFields),
	};
}

function codesIn(record: Record<string, unknown>, fields: readonly string[]): string[] {
	const texts = fields.flatMap((field) => {
		const value = record[field];
		return Array.isArray(value)
			? value.filter((code) => typeof code === 'string')
			: textsUnder([field], record);
	});
	const codes = texts.flatMap((text) => text.toUpperCase().split(/[\s,;]+/));
	return [...new Set(codes)].filter((code) => code !== '');
}

const MAX_LENGTH = 60;

function detailsIn(record: Record<string, unknown>, nameFields: readonly string[]): string {
	const names = [BANK_FIELDS, nameFields, NETWORK_FIELDS].flatMap((fields) =>
		textsUnder(fields, record).slice(0, 1),
	);
	const [number] = textsUnder(NUMBER_FIELDS, record);
	const parts = names.map((name) => shortLine(name, MAX_LENGTH));
	if (number !== undefined) parts.push(`…${lastCharacters(oneLine(number))}`);
	return parts.filter((part) => part !== '').join(', ');
}

function lastCharacters(text: string): string {
	return [...text.slice(-8)].slice(-4).join('');
}

/** What is no alias at all is said of the cell already. */
function hasAlias({ row, destination }: ListRow): boolean {
	return row !== 0 && destination !== '' && !isExcelError(destination);
}

/** The lists that may have the destination. A row with both codes, or with none, does not say which. */
function kindsOf({ currency, coin }: ListRow): Kind[] {
	if ((currency === undefined) === (coin === undefined)) return ['account', 'wallet'];
	return coin === undefined ? ['account'] : ['wallet'];
}

/** What the service says of an alias. Nobody knows which of two others it means that are spelled in another way, each in its own. */
function listedUnder(alias: string, { byAlias }: Directory): Listed[] | undefined {
	const alike = byAlias.get(comparedAlias(alias)) ?? [];
	const exact = alike.filter((each) => each.alias === alias);
	if (exact.length > 0) return exact;
	return new Set(alike.map((each) => each.alias)).size === 1 ? alike : undefined;
}

/** `shown`: what an earlier reading has said of the destination. `holdsOther`: whether a payee who is another holds the row. */
function withDestination(
	given: ListRow,
	directories: Directories,
	{ shown, holdsOther }: { shown?: string; holdsOther: boolean },
): ListRow {
	const kinds = kindsOf(given);
	if (kinds.some((kind) => directories[kind].problem !== undefined)) return given;
	const [kind] = kinds;
	if (kind === undefined || kinds.length > 1) return withProblem(given, unclearProblem(given, directories));
	const listed = listedUnder(given.destination, directories[kind]);
	if (listed === undefined) return withProblem(given, notListedProblem(given, kind, directories));
	const row = { ...given, destination: listed[0]?.alias ?? given.destination };
	const code = row.currency ?? row.coin ?? '';
	const usable = listed.filter((each) => each.isApproved && takes(each, code));
	if (usable.length === 0) return withProblem(withDetails(row, listed), unusableProblem(row, kind, listed));
	const found = withPayee(withDetails(row, usable), usable, holdsOther);
	const { destination: alias, destinationDetails: now } = found;
	if (shown === undefined || shown === now) return found;
	return withProblem(found, DESTINATION.isNotAsShown({ kind, alias, shown, now }));
}

function withProblem(row: ListRow, problem: string | undefined): ListRow {
	// A row that is read again has it already.
	const isNew = problem !== undefined && !row.problems.includes(problem);
	return isNew ? { ...row, problems: [...row.problems, problem] } : row;
}

/** Beside a payee of the list: whether each account that may get the money has this name. */
function withPayee(row: ListRow, listed: readonly Listed[], holdsOther: boolean): ListRow {
	const { payee = '', destination: alias } = row;
	const holders = [...new Set(listed.flatMap(({ holder = '' }) => (holder === '' ? [] : [holder])))];
	const matches = new Set(holders.map((holder) => payeeMatch(payee, holder)));
	if (matches.size === 0 || matches.has(undefined)) return row;
	const [only = 'close'] = matches.size === 1 ? matches : [];
	const found = { ...row, payeeMatch: only };
	if (only !== 'none' || !holdsOther) return found;
	return withProblem(found, DESTINATION.isOfAnother({ alias, payee, holders }));
}

/** More than one account under an alias: a person must see that nobody knows which one gets the money. */
function withDetails(row: ListRow, listed: readonly Listed[]): ListRow {
	const details = [...new Set(listed.map((each) => each.details))].filter((text) => text !== '');
	return details.length === 0 ? row : { ...row, destinationDetails: details.slice(0, 3).join(' or ') };
}

function takes({ codes }: Listed, code: string): boolean {
	return codes.length === 0 || codes.includes(code.toUpperCase());
}

function unusableProblem({ destination, currency, coin }: ListRow, kind: Kind, listed: readonly Listed[]) {
	const code = currency ?? coin ?? '';
	const fitting = listed.filter((each) => takes(each, code));
	if (fitting.length === 0) {
		const codes = [...new Set(listed.flatMap((each) => each.codes))];
		return DESTINATION.takesOthers({ kind, alias: destination, codes, code });
	}
	const statuses = fitting.map(({ status }) => (status === '' ? DESTINATION.statusIsNotKnown() : status));
	return DESTINATION.isNotApproved({ kind, alias: destination, statuses: [...new Set(statuses)] });
}

function unclearProblem({ destination }: ListRow, { account, wallet }: Directories): string | undefined {
	const isListed = [account, wallet].some((each) => listedUnder(destination, each) !== undefined);
	return isListed ? undefined : spellingProblem(destination, 'account or wallet');
}

function notListedProblem({ destination }: ListRow, kind: Kind, { account, wallet }: Directories): string {
	const isIn = (directory: Directory) => listedUnder(destination, directory) !== undefined;
	if (kind === 'wallet' && isIn(account)) return DESTINATION.isAccount(destination);
	if (kind === 'account' && isIn(wallet)) return DESTINATION.isWallet(destination);
	return spellingProblem(destination, kind);
}

/** Why the alias may not be found: a sign in it that nobody sees, or that looks like another. */
function spellingProblem(alias: string, kind: string): string {
	const character = invisibleIn(alias) ?? oddIn(alias);
	if (character !== undefined) return DESTINATION.hasCharacter({ kind, alias, character });
	return isFormula(alias) ? DESTINATION.isFormula(alias) : DESTINATION.isNotListed({ kind, alias });
}
