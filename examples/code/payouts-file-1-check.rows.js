// @ts-nocheck
import { sameKey } from './paymentKey.js';

/**
 * Reads the CSV. Gives each row the number that Excel shows, and the first thing that is wrong with it.
 * @param {N8n} n8n
 */
export function run({ $, $input }) {
	const form = $('Upload payouts').first().json;
	const text = String($input.first().json.data ?? '').replace(/^\uFEFF/, '');
	const MOST_ROWS = 500;

	/** The cells of each line, quoted or not. */
	const linesOf = (delimiter) => {
		const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\r\\n]*)(${delimiter}|\\r\\n|\\r|\\n|$)`, 'y');
		const lines = [[]];
		while (true) {
			const [, value, end] = cell.exec(text);
			const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
			lines.at(-1).push((isQuoted ? value.slice(1, -1).replaceAll('""', '"') : value).trim());
			if (end === '') return lines;
			if (end !== delimiter) lines.push([]);
		}
	};

	const allOf = (label) =>
		$('Upload payouts')
			.params.formFields.values.find((field) => field.fieldLabel === label)
			.fieldOptions.values.map(({ option }) => option);
	const COLUMNS = ['paymentKey', 'amount', 'currency', 'coin', 'destination'];
	const file = (problem) => [
		{ json: { row: 0, paymentKey: '', amount: '', currency: '', coin: '', destination: '', problem } },
	];

	if (!allOf('Who approves').includes(form['Who approves']))
		return file('Choose who approves from the list.');
	if (String(form['Your mail']).trim().toLowerCase() === form['Who approves'].toLowerCase())
		return file('Another person must approve. Choose one.');
	if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(String(form['Your mail']).trim()))
		return file('Enter one mail address in Your mail.');
	if (text.startsWith('PK'))
		return file('This is an Excel workbook. In Excel, save it as CSV UTF-8 and upload that file.');
	if (text.includes('\uFFFD') || text.includes('\u0000'))
		return file('The file is not in UTF-8. In Excel, save it as CSV UTF-8.');
	if (text.trim() === '') return file('The file is empty, or it is no CSV file.');
	if (text.length > 1_000_000) return file('The file is larger than 1 MB. Split it.');

	const head = text.split(/[\r\n]/, 1)[0];
	const [header, ...lines] = linesOf([',', ';', '\t'].find((sign) => head.includes(sign)) ?? ',');
	const names = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''));
	const at = Object.fromEntries(COLUMNS.map((column) => [column, names.indexOf(column.toLowerCase())]));
	const missing = ['paymentKey', 'amount', 'destination'].filter((column) => at[column] < 0);
	if (missing.length > 0)
		return file(
			`The first line of the file has no column ${missing.join(' and no column ')}. Use the template.`,
		);
	const twice = COLUMNS.filter(
		(column) => names.indexOf(column.toLowerCase()) !== names.lastIndexOf(column.toLowerCase()),
	);
	if (twice.length > 0) return file(`The file has the column ${twice.join(' and ')} twice.`);

	const rows = lines
		.map((cells, index) => ({ cells, row: index + 2 }))
		.filter(({ cells }) => cells.some((cell) => cell !== ''))
		.map(({ cells, row }) => {
			const value = (column) => cells[at[column]] ?? '';
			return {
				row,
				paymentKey: value('paymentKey'),
				amount: value('amount'),
				currency: value('currency').toUpperCase(),
				coin: value('coin').toUpperCase(),
				destination: value('destination'),
				tooLong: cells.slice(header.length).some((cell) => cell !== ''),
			};
		});
	if (rows.length === 0) return file('The file has no row below the first line.');
	if (rows.length > MOST_ROWS)
		return file(`The file has ${rows.length} rows. Split it: at most ${MOST_ROWS} rows in one file.`);

	const counts = {};
	for (const { paymentKey } of rows) counts[sameKey(paymentKey)] = (counts[sameKey(paymentKey)] ?? 0) + 1;
	const isFormula = (cell) => /^[=+@\t-]/.test(cell);

	const problemOf = ({ paymentKey, amount, currency, coin, destination, tooLong }) => {
		if (tooLong)
			return 'there is one cell too many. Does the amount have a comma? Write 1250.50, not 1,250.50.';
		if (paymentKey === '') return 'the paymentKey is missing.';
		if (/^\d(\.\d+)?E\+\d+$/i.test(paymentKey))
			return 'Excel has cut digits off the paymentKey. Format this column as text, and enter the keys again.';
		if (isFormula(paymentKey) || isFormula(destination))
			return 'a cell begins with a sign of a formula. Remove the sign.';
		if (counts[sameKey(paymentKey)] > 1) return `the paymentKey ${paymentKey} is in the file more than once.`;
		if (amount === '') return 'the amount is missing.';
		if (amount.includes(',')) return 'the amount has a comma. Write 1250.50, not 1,250.50.';
		if (!/^\d+(\.\d+)?$/.test(amount)) return 'the amount is not a number such as 1250.50.';
		if (/^[0.]+$/.test(amount)) return 'the amount is 0.';
		if (Boolean(currency) === Boolean(coin)) return 'fill in currency or coin: one of the two.';
		if (destination === '') return 'the destination is missing.';
		return '';
	};
	return rows.map(({ tooLong, ...row }) => ({ json: { ...row, problem: problemOf({ ...row, tooLong }) } }));
}
