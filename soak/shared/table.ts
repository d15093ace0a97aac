/** Rows as text, in columns: first the titles, numbers to the right. */
export function tableOf<Row extends object>(
	columns: ReadonlyArray<[keyof Row, string]>,
	rows: Row[],
): string {
	const cells = columns.map(([key, title]) => {
		const values = rows.map((row) => row[key] ?? '');
		const texts = [title, ...values.map(String)];
		const width = Math.max(...texts.map((text) => text.length));
		const isNumber = values.every((value) => value === '' || typeof value === 'number');
		return texts.map((text) => (isNumber ? text.padStart(width) : text.padEnd(width)));
	});
	return ['', ...rows].map((_, row) => `| ${cells.map((column) => column[row]).join(' | ')} |`).join('\n');
}
