/** The files of a report: one line for each payment, with all that the list and its results say; and what is still open, as a list. */
import { csvFile, isWrittenAsIs } from '../../page/csvFile.ts';
import { PAGE } from './messages.ts';
import { leftOutOf } from './reportRow.ts';
import type { ReportRow } from './reportRow.ts';

type Cell = (row: ReportRow) => string;

/** What a list is made of stands first, so that the columns of the list come before what became of it. */
const OF_LIST: ReadonlyArray<readonly [string, Cell]> = [
	['row', ({ row }) => String(row ?? '')],
	['paymentKey', ({ paymentKey }) => paymentKey],
	['amount', ({ amount }) => amount],
	['currency', ({ currency = '' }) => currency],
	['coin', ({ coin = '' }) => coin],
	['destination', ({ destination }) => destination],
	['destinationDetails', ({ destinationDetails = '' }) => destinationDetails],
	['note', ({ note }) => note],
	['again', ({ again }) => (again === true ? 'yes' : '')],
];

const OF_RESULT: ReadonlyArray<readonly [string, Cell]> = [
	['result', ({ result = '' }) => result],
	['status', ({ status = '' }) => status],
	['payoutId', ({ payoutId = '' }) => payoutId],
	['message', ({ message = '' }) => message],
	['problems', ({ problems }) => problems.join(' ')],
];

const OWN_NAMES = new Set([...OF_LIST, ...OF_RESULT].map(([name]) => name.toLowerCase()));

/** Items of other nodes may each have columns of their own. More of them would make the file grow with their square. */
const MOST_EXTRA = 100;

/** The columns of a list, as Read takes them without any setting. */
const OF_OPEN: ReadonlyArray<readonly [string, Cell]> = [
	// A changed key would be another payment, so Read refuses the row without it.
	['paymentKey', ({ paymentKey }) => (isWrittenAsIs(paymentKey) && !hasLost(paymentKey) ? paymentKey : '')],
	...OF_LIST.filter(([name]) => ['amount', 'currency', 'coin'].includes(name)),
	['destination', ({ destination }) => (hasLost(destination) ? '' : destination)],
	['payee', ({ payee = '' }) => payee.replaceAll(LOST, '?')],
	['note', ({ note }) => note.replaceAll(LOST, '?')],
	...OF_LIST.filter(([name]) => name === 'again'),
];

/** It stands for a character that was lost. Read takes no file with it. */
const LOST = '\uFFFD';
const hasLost = (text: string): boolean => text.includes(LOST);

/** The CSV text of the rows that are still open. */
export function openFile(rows: readonly ReportRow[]): string {
	return fileOf(OF_OPEN, rows);
}

/** The CSV text. */
export function reportFile(rows: readonly ReportRow[]): string {
	const names = extraNames(rows);
	const shown = names.slice(0, MOST_EXTRA);
	const columns = [...OF_LIST, ...shown.map(extraColumn), ...OF_RESULT];
	if (names.length > MOST_EXTRA) columns.push([PAGE.otherColumns(), otherColumns(new Set(shown))]);
	return fileOf(columns, [...rows, ...leftOutOf(rows).map(leftOutRow)]);
}

/** Nothing else is known of it here. */
function leftOutRow(row: number): ReportRow {
	const nothing = { paymentKey: '', amount: '', destination: '', note: '', problems: [] };
	return { row, ...nothing, message: PAGE.isLeftOut() };
}

function fileOf(columns: ReadonlyArray<readonly [string, Cell]>, rows: readonly ReportRow[]): string {
	return csvFile(
		columns.map(([name]) => name),
		rows.map((row) => columns.map(([, cell]) => cell(row))),
	);
}

/** The names of columns that have no meaning here, each once: one more than the file shows, at most. */
function extraNames(rows: readonly ReportRow[]): string[] {
	const names = new Set<string>();
	for (const { extra = {} } of rows) {
		for (const name of Object.keys(extra)) if (names.size <= MOST_EXTRA) names.add(name);
	}
	return [...names];
}

function extraColumn(name: string): readonly [string, Cell] {
	const isOwn = OWN_NAMES.has(name.trim().toLowerCase());
	return [isOwn ? PAGE.ofList(name) : name, ({ extra }) => valueOf(extra, name)];
}

/** A column may have any name, also that of a method. */
function valueOf(extra: ReportRow['extra'] = {}, name: string): string {
	return Object.hasOwn(extra, name) ? (extra[name] ?? '') : '';
}

/** The columns that have no place of their own, in one cell. */
function otherColumns(shown: ReadonlySet<string>): Cell {
	return ({ extra = {} }) =>
		Object.entries(extra)
			.filter(([name]) => !shown.has(name))
			.map(([name, value]) => PAGE.extra({ name, value }))
			.join('; ');
}
