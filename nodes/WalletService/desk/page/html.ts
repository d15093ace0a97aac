/** HTML for mails and pages. Escaping stands here only. */

const SIGNS = /[&<>"'{}\\]/g;

/** No text can add a tag or an attribute. n8n also evaluates braces in a field of the kind HTML. */
export function escapeHtml(text: string): string {
	return text.replace(SIGNS, (sign) => `&#${sign.codePointAt(0)};`);
}

/** A table of plain texts. A line break in a cell stays one. */
export function table(head: string[], rows: string[][]): string {
	return `<table>${[row('th', head), ...rows.map((cells) => row('td', cells))].join('')}</table>`;
}

function row(tag: 'th' | 'td', cells: string[]): string {
	const style = 'text-align:left;vertical-align:top;padding:4px 12px 4px 0';
	const inside = cells.map(
		(cell) => `<${tag} style="${style}">${escapeHtml(cell).replaceAll('\n', '<br>')}</${tag}>`,
	);
	return `<tr>${inside.join('')}</tr>`;
}
