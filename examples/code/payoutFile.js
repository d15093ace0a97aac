import { add } from './decimal.js';
import { paymentInWords } from './paymentInWords.js';
import { lacksPart, lacksValue } from './keyWords.js';
import { sameKey } from './paymentKey.js';

/**
 * A payment as the file has it, and all that is wrong with it.
 * @typedef {Payment & { again: string, row: number, line: number, problems: string[] }} FileRow `row` is the number that Excel shows, `line` that of a text editor.
 * @typedef {{ cells: string[], line: number }} FileRecord
 * @typedef {{ separator: string, records: FileRecord[], broken: number, swallowed: Array<{ line: number, text: string }>, at: Record<string, number>, head: number }} Reading
 */

const COLUMNS = ['paymentKey', 'amount', 'currency', 'coin', 'destination', 'again'];
const NEEDED = ['paymentKey', 'amount', 'destination'];
const MOST_ROWS = 500;
const MOST_LETTERS = 64;
const LINE_END = /\r\n|\r|\n/;

/**
 * The first character that shows nothing, in words.
 * @param {string} text
 */
export function invisibleIn(text) {
	const [sign] = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{DI}|\u2800/u.exec(text) ?? [''];
	if (sign === '\n' || sign === '\r') return 'a line break';
	return sign && `the character ${codePoint(sign)}, which nobody sees`;
}

/** @param {string} sign */
const codePoint = (sign) => `U+${Number(sign.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The first character that is not on every keyboard, in words.
 * @param {string} text
 */
export function oddIn(text) {
	const [sign] = /[^ -~]/u.exec(text) ?? [''];
	return sign && (invisibleIn(sign) || `the character ${sign} (${codePoint(sign)})`);
}

/**
 * The cells of each line. A cell may be in quotation marks, and then have separators and line breaks.
 * @param {string} text
 * @param {string} separator
 */
function recordsOf(text, separator) {
	/** @type {FileRecord[]} */
	const records = [];
	/** The lines inside a cell, after its first. @type {Reading['swallowed']} */
	const swallowed = [];
	/** @type {string[]} */
	let cells = [];
	let [at, line, first] = [0, 1, 1];
	const skipSpaces = () => {
		while (text[at] === ' ' || (text[at] === '\t' && separator !== '\t')) at++;
	};
	while (true) {
		const start = at;
		skipSpaces();
		if (text[at] === '"') {
			const begin = ++at;
			while (at < text.length && (text[at] !== '"' || text[at + 1] === '"')) at += text[at] === '"' ? 2 : 1;
			const inside = text.slice(begin, at).replaceAll('""', '"');
			const lines = inside.split(LINE_END);
			for (const inner of lines.slice(1)) swallowed.push({ line, text: inner });
			const isClosed = text[at++] === '"';
			skipSpaces();
			if (!isClosed || !(at >= text.length || [separator, '\r', '\n'].includes(text[at])))
				return { records, swallowed, broken: line };
			cells.push(inside.trim());
			line += lines.length - 1;
		} else {
			at = start;
			while (at < text.length && ![separator, '\r', '\n'].includes(text[at])) at++;
			cells.push(text.slice(start, at).trim());
		}
		if (text[at] === separator) {
			at++;
			continue;
		}
		records.push({ cells, line: first });
		if (at >= text.length) return { records, swallowed, broken: 0 };
		at += text.startsWith('\r\n', at) ? 2 : 1;
		first = ++line;
		cells = [];
	}
}

/** @param {string} name */
const plainName = (name) =>
	name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The places of the columns that these cells name.
 * @param {string[]} cells
 */
function columnsIn(cells) {
	const names = cells.map(plainName);
	return Object.fromEntries(COLUMNS.map((column) => [column, names.indexOf(column.toLowerCase())]));
}

/** @param {Record<string, number>} at */
const namesOf = (at) => NEEDED.filter((column) => at[column] >= 0).length;

/**
 * @param {string} text
 * @param {string} separator
 * @returns {Reading}
 */
function readWith(text, separator) {
	const read = recordsOf(text, separator);
	const found = read.records.map(({ cells }) => namesOf(columnsIn(cells)));
	const head = found.indexOf(found.reduce((a, b) => Math.max(a, b), 0));
	return { separator, ...read, head, at: columnsIn(read.records[head]?.cells ?? []) };
}

/**
 * Whether a line has what a payment has, so that it must not be skipped.
 * @param {string[]} cells
 * @param {Record<string, number>} at
 */
const looksLikeRow = (cells, at) =>
	cells.length > Math.max(...NEEDED.map((column) => at[column])) &&
	(/\d/.test(cells[at.amount]) ||
		['currency', 'coin'].some((column) => /^[A-Z]{3,6}$/.test(cells[at[column]] ?? '')));

/**
 * The numbers that people may mean by this text.
 * @param {string} text
 * @returns {string[]}
 */
export function meanings(text) {
	// Spaces and apostrophes stand between thousands. Excel writes one before a number that is text.
	const spaced = text.replace(/^['\u2019]/, '');
	if (
		/\D{2}/.test(spaced) ||
		(/[\s'\u2019_]/.test(spaced) && !/^\d{1,3}(?:[\s'\u2019_]\d{3})+(?:[.,]\d+)?$/.test(spaced))
	)
		return [];
	const digits = spaced.replace(/[\s'\u2019_]/g, '').replace(/^0+(?=\d)/, '');
	if (!/^\d[\d.,]*$/.test(digits)) return [];
	const signs = [...digits.replace(/\d/g, '')];
	const last = signs.at(-1) ?? '';
	/** @param {string} number */
	const isGrouped = (number) => /^\d{1,3}(?:([.,])\d{3})?(?:\1\d{3})*$/.test(number) || /^\d+$/.test(number);
	/** @param {string} number */
	const plain = (number) => number.replace(/[.,]/g, '');
	const [whole, part] = [
		digits.slice(0, digits.lastIndexOf(last)),
		digits.slice(digits.lastIndexOf(last) + 1),
	];
	if (!last) return [digits];
	if (signs.filter((sign) => sign === last).length > 1)
		return signs.every((sign) => sign === last) && isGrouped(digits) ? [plain(digits)] : [];
	if (part === '' || !isGrouped(whole)) return [];
	const decimal = `${plain(whole)}.${part}`;
	const isAmbiguous = signs.length === 1 && part.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
	// Three digits behind the point would be ambiguous again.
	const other = decimal.endsWith('0') ? decimal.replace(/\.?0+$/, '') : `${decimal}0`;
	return isAmbiguous ? [plain(digits), other] : [decimal];
}

const PLAIN = /^(?:0|[1-9]\d*)(\.\d+)?$/;

/**
 * @param {string} amount
 */
function amountProblem(amount) {
	if (amount === '') return 'the amount is missing.';
	if (isShortened(amount)) return `Excel has cut digits off the amount ${amount}. Enter it again.`;
	const [one, other] = meanings(amount);
	if (other)
		return `the amount ${amount} can be ${one} or ${other.replace(/(\.\d{3})0$/, '$1')}. Write ${one} or ${other}.`;
	if (/^[0.]+$/.test(amount)) return 'the amount is 0.';
	if (PLAIN.test(amount)) return '';
	if (!one) return 'the amount is not a number such as 1250.50.';
	const what = amount.includes(',')
		? 'a comma'
		: amount.split('.').length > 2
			? 'more than one point'
			: amount.startsWith('0')
				? 'zeros before it'
				: 'spaces or signs between its digits';
	return `the amount ${amount} has ${what}. Write ${one}.`;
}

/** @param {string} cell */
const isShortened = (cell) => /^\d(?:[.,]\d+)?E\+\d+$/i.test(cell);

/**
 * What Excel writes in place of a value that it cannot show.
 * @param {string} cell
 */
export const isError = (cell) => /^#(?:N\/?[AV]|#+|[\p{L}/0]+[!?])$/iu.test(cell);

/** @param {string} cell */
export const isFormula = (cell) => /^[=+@\t-]/.test(cell);

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const DATE = new RegExp(`^\\d{1,2}-${MONTH}$|^${MONTH}-\\d\\d$`);

/**
 * What is wrong with a key by itself.
 * @param {string} key
 */
export function keyProblem(key) {
	if (key === '') return 'the paymentKey is missing.';
	const same = sameKey(key);
	const odd = oddIn([...key].find((sign) => oddIn(sameKey(`A${sign}A`))) ?? '');
	if (odd) return `the paymentKey has ${odd}. Enter it again.`;
	if (same.length > MOST_LETTERS) return `the paymentKey has more than ${MOST_LETTERS} characters.`;
	if (isShortened(same) || (/^\d{15,}$/.test(same) && /^0+$/.test(same.slice(15))))
		return 'Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.';
	if (DATE.test(key))
		return `Excel may have made a date of the paymentKey ${key}. Format this column as text, and enter the key again.`;
	if (isFormula(same)) return 'the paymentKey begins with a sign of a formula. Remove the sign.';
	if (/^EXAMPLE(?![A-Z])/.test(same)) return `${key} is a key of the example. Enter a key of your own.`;
	if (/\{\{|\}\}/.test(key) || lacksValue(key) || lacksPart(same))
		return `the paymentKey ${key} is not complete. Enter it again.`;
	return '';
}

/**
 * @param {string} column
 * @param {string} code
 */
function codeProblem(column, code) {
	const odd = oddIn(code);
	if (odd) return `the ${column} has ${odd}. Enter it again.`;
	return code === '' || /[A-Z]/.test(code)
		? ''
		: `the ${column} ${code} is not a code such as ${column === 'coin' ? 'USDT' : 'NGN'}.`;
}

/** Words that name a total. A key such as TOTAL-42 is none. */
const TOTAL =
	/^(?:sub|grand|overall|net)?[ -]?(?:totals?|totale|totaal|sum|summe|gesamt|gesamtsumme|zwischensumme|somme|suma|soma|итого|合計|合计|Σ)(?:[ :=(].*|[.])?$/iu;

/**
 * Adds what only the other rows show: keys and payments that come twice, and totals.
 * @param {Array<FileRow & { cells: string[] }>} rows
 */
function compareRows(rows) {
	const groups = new Map();
	for (const row of rows) {
		const key = sameKey(row.paymentKey).replace(/^0+(?=\d+$)/, '');
		groups.set(key, [...(groups.get(key) ?? []), row]);
	}
	for (const [key, group] of groups) {
		if (key === '' || group.length === 1) continue;
		/** @type {Set<string>} */
		const keys = new Set(group.map((/** @type {FileRow} */ { paymentKey }) => sameKey(paymentKey)));
		const names = [...keys].sort().join(' and ');
		for (const { problems, paymentKey } of group)
			problems.push(
				keys.size > 1
					? `the paymentKeys ${names} differ in zeros only. Excel may have cut them off. If these are two payments, give one of them another key.`
					: `the paymentKey ${paymentKey} is in the file more than once.`,
			);
	}
	/** @type {Map<string, FileRow>} */
	const first = new Map();
	for (const row of rows) {
		const { coin, again, problems } = row;
		if (again || problems.length > 0) continue;
		const same = first.get(paymentInWords(row));
		if (!same) first.set(paymentInWords(row), row);
		else if (sameKey(same.paymentKey) !== sameKey(row.paymentKey))
			problems.push(
				`the same amount, ${coin ? 'coin' : 'currency'} and destination as ${same.paymentKey} in row ${same.row}. If both must be paid, write yes into this row, in a column with the name again.`,
			);
	}
	/** @param {FileRow} row */
	const codeOf = ({ currency, coin }) => currency || coin;
	const named = rows.filter(
		(row) =>
			TOTAL.test(row.paymentKey) ||
			(!row.paymentKey && !(row.destination && codeOf(row)) && row.cells.some((cell) => TOTAL.test(cell))),
	);
	const others = rows.filter((row) => !named.includes(row) && PLAIN.test(row.amount));
	const ends = [...new Set(others.map(codeOf))].flatMap((code) => {
		const same = others.filter((row) => codeOf(row) === code);
		const all = code ? same : others;
		return [same[0], same.at(-1)].filter((row) => {
			const rest = all.filter((each) => each !== row).map(({ amount }) => amount);
			return row && rest.length > 1 && /[1-9]/.test(row.amount) && isEqual(row.amount, rest.reduce(add));
		});
	});
	for (const row of named)
		row.problems = [
			'this looks like a row with a total, not like a payout. Remove the row. If it is a payout, give it another paymentKey.',
		];
	for (const row of new Set(ends))
		if (row?.paymentKey && row.destination && codeOf(row))
			row.problems.push(
				`the amount ${row.amount} is the sum of the other rows. If this is a total, remove the row. If it is a payout, move the row between others.`,
			);
		else if (row) row.problems = ['this row is the sum of the other rows, not a payout. Remove the row.'];
}

/**
 * @param {string} a
 * @param {string} b
 */
const isEqual = (a, b) => /^-?[0.]*$/.test(add(a, `-${b}`));

/**
 * Reads a list of payouts. `problems` are those of the whole file.
 * @param {string} content
 * @returns {{ problems: string[], rows: FileRow[] }}
 */
export function readPayoutFile(content) {
	const bytes = content.replace(/^\uFEFF/, '');
	/** @param {...string} problems */
	const refused = (...problems) => ({ problems, rows: [] });
	if (
		bytes.startsWith('PK\u0003\u0004') ||
		bytes.startsWith('PK\u0005\u0006') ||
		bytes.startsWith('\uFFFD\uFFFD\u0011')
	)
		return refused('This is an Excel workbook. In Excel, save it as CSV UTF-8 and upload that file.');
	if (bytes.includes('\u0000')) return refused('The file is not in UTF-8. In Excel, save it as CSV UTF-8.');
	if (bytes.includes('\uFFFD')) {
		const line = bytes.slice(0, bytes.indexOf('\uFFFD')).split(LINE_END).length;
		return refused(
			`The file is not in UTF-8: a character in line ${line} cannot be read. In Excel, save it as CSV UTF-8.`,
		);
	}
	if (bytes.trim() === '') return refused('The file is empty, or it is no CSV file.');
	if (bytes.length > 1_000_000) return refused('The file is larger than 1 MB. Split it.');
	const lines = bytes.split(LINE_END).length;
	if (lines > 20_000)
		return refused(`The file has ${lines} lines. Split it: at most ${MOST_ROWS} rows in one file.`);

	// Excel writes and reads this line, and does not show it.
	const [told, asked] = /^"?sep=(.)"?[,;\t|]*(?:\r\n|\r|\n|$)/i.exec(bytes) ?? ['', ''];
	const text = bytes.slice(told.length);
	const hidden = told ? 1 : 0;
	const readings = [...new Set([asked, ',', ';', '\t', '|'])]
		.filter((separator) => separator && !/["\s]/.test(separator.replace('\t', '')))
		.map((separator) => readWith(text, separator));
	const best = readings.reduce((a, b) => (namesOf(b.at) > namesOf(a.at) ? b : a));
	const { separator, records, broken, swallowed, at, head } = best;
	const line = (/** @type {number} */ number) => number + hidden;
	/** @type {string[]} */
	const problems = [];

	const missing = NEEDED.filter((column) => at[column] < 0);
	if (missing.length > 0) {
		// With no column at all, the quotation mark may be the reason.
		const open = readings.find((each) => each.broken);
		if (open && missing.length === NEEDED.length) return refused(openQuote(line(open.broken)));
		const packed = records.findIndex(({ cells }) =>
			cells.some((cell) => NEEDED.every((column) => plainName(cell).includes(column.toLowerCase()))),
		);
		if (packed >= 0)
			return refused(
				`Row ${packed + 1} has the names of all columns in one cell. Give each column a cell of its own, without quotation marks around the whole row.`,
			);
		const alike = records[head]?.cells.find(
			(name) => /[^ -~]/.test(name) && missing.some((column) => isAlike(name, column)),
		);
		const letter = alike && `The name ${alike} has ${oddIn(alike)}. Enter it again.`;
		return refused(
			letter ||
				`The file has no column ${missing.join(' and no column ')}. Write the names as the form shows them.`,
		);
	}
	const names = records[head].cells.map(plainName);
	const twice = COLUMNS.filter((column) => {
		const name = column.toLowerCase();
		return names.indexOf(name) !== names.lastIndexOf(name);
	});
	if (twice.length > 0) return refused(`The file has the column ${twice.join(' and ')} twice.`);
	if (at.currency < 0 && at.coin < 0)
		return refused('The file has no column currency and no column coin. It needs one of them.');
	if (broken) problems.push(openQuote(line(broken)));
	const inside = swallowed.find(
		(inner) => inner.line !== broken && looksLikeRow(cellsOf(inner.text, separator), at),
	);
	if (inside)
		problems.push(
			`In line ${line(inside.line)}, a quotation mark begins a cell, and this cell has a line that looks like a row. Close the cell with a quotation mark, or remove the first one.`,
		);
	for (const [index, { cells }] of records.slice(0, head).entries())
		if (looksLikeRow(cells, at))
			problems.push(
				`Row ${index + 1} is above the names of the columns, which are in row ${head + 1}. Move the names to the top.`,
			);

	const filled = records
		.map((record, index) => ({ ...record, row: index + 1 }))
		.slice(head + 1)
		.filter(({ cells }) => cells.some((cell) => cell !== ''));
	if (filled.length === 0)
		return refused(...problems, ...(broken ? [] : ['The file has no row below the names of the columns.']));
	if (filled.length > MOST_ROWS)
		return refused(
			...problems,
			`The file has ${filled.length} rows. Split it: at most ${MOST_ROWS} rows in one file.`,
		);

	const rows = filled.map(({ cells, line: number, row }) => {
		const values = Object.fromEntries(COLUMNS.map((column) => [column, cells[at[column]] ?? '']));
		const { problems: found, ...payment } = readRow(values);
		const rest = cells.slice(names.length);
		const behind = cells[at.amount + 1] ?? '';
		// 1,250.50 without quotation marks falls into two cells.
		const hasRoom = rest.length > 0 || (separator === ',' && !Object.values(at).includes(at.amount + 1));
		const isSplit = hasRoom && /^\d+$/.test(values.amount) && /^\d{1,3}(?:\.\d+)?$/.test(behind);
		const isTooLong = rest.some((cell) => cell !== '');
		const isHead = NEEDED.every((column) => plainName(values[column]) === column.toLowerCase());
		return {
			row,
			line: line(number),
			...payment,
			cells,
			isRow: !isTooLong && !isSplit && !isHead,
			problems: isTooLong
				? [tooLong(separator)]
				: isSplit
					? [
							`the amount ${values.amount} and ${behind} behind it can be one number. Write 1250.50, not 1,250.50. If they are two, move the column behind the amount.`,
						]
					: isHead
						? ['this row has the names of the columns again. Remove the row.']
						: found,
		};
	});
	compareRows(rows.filter(({ isRow }) => isRow));
	return { problems, rows: rows.map(({ cells, isRow, ...row }) => row) };
}

/** @param {string} separator */
const tooLong = (separator) =>
	separator === ','
		? 'there is one cell too many. Does the amount have a comma? Write 1250.50, not 1,250.50.'
		: 'there is one cell too many. Is there a separator inside a cell? Put this cell in quotation marks.';

/** @param {number} line */
const openQuote = (line) =>
	`In line ${line}, a cell begins with a quotation mark and does not end with one. Add the second one, or remove the first.`;

/**
 * @param {string} text
 * @param {string} separator
 */
const cellsOf = (text, separator) => text.split(separator).map((cell) => cell.replaceAll('"', '').trim());

/**
 * Whether a name becomes that of the column if other letters than ours are left open.
 * @param {string} name
 * @param {string} column
 */
const isAlike = (name, column) =>
	new RegExp(`^${plainName(name).replace(/[^a-z\d]/g, '.')}$`).test(column.toLowerCase());

/**
 * @param {Record<string, string>} values
 */
function readRow(values) {
	const problems = Object.entries(values)
		.filter(([, cell]) => isError(cell))
		.map(([column, cell]) => `the ${column} is ${cell}, an error of Excel. Enter the value.`);
	/** @type {(column: string, problemOf: (cell: string) => string) => string} */
	const read = (column, problemOf) => {
		const cell = values[column];
		if (isError(cell)) return cell;
		const seen = cell.replace(/[\p{C}\p{DI}\u2800]/gu, '').trim();
		const odd = column === 'paymentKey' ? '' : invisibleIn(cell);
		if (odd) problems.push(`the ${column} has ${odd}. Enter it again.`);
		const problem = problemOf(odd ? seen : cell);
		if (problem) problems.push(problem);
		return odd ? seen : cell;
	};
	const paymentKey = read('paymentKey', keyProblem);
	const amount = read('amount', (cell) => {
		const odd = meanings(cell).length === 0 && oddIn(cell);
		return odd ? `the amount has ${odd}. Write a number such as 1250.50.` : amountProblem(cell);
	});
	const [currency, coin] = ['currency', 'coin'].map((column) =>
		read(column, (cell) => codeProblem(column, cell.toUpperCase())).toUpperCase(),
	);
	if (Boolean(currency) === Boolean(coin)) problems.push('fill in currency or coin: one of the two.');
	// Which signs an alias has, the list of accounts says.
	const { destination } = values;
	if (destination === '') problems.push('the destination is missing.');
	const again = values.again.toLowerCase();
	if (!['', 'yes', 'no'].includes(again))
		problems.push(`the cell again may say yes, or nothing. It says ${values.again}.`);
	return { paymentKey, amount, currency, coin, destination, again: again === 'yes' ? again : '', problems };
}
