/**
 * The parts of a page as HTML, for mails and for the pages of n8n's forms. All escaping of the desk stands here.
 *
 * n8n removes each `style` from the page of a form, and keeps it in a mail. So the page must be readable without them: the head of
 * a table has ordinary cells, since `th` is centred, and a long word is broken by `<br>`, since nothing else breaks it on a phone.
 */
import type { Block, Table } from './blocks.ts';
import { oneLine } from './text.ts';

/** What begins a tag, an entity, an attribute, an expression of n8n (braces), an escape, or a pattern of `String.replace` (dollar). */
const SIGNS = /[&<>"'`{}\\$]/g;

/** The text without a sign that HTML, or n8n in a field of the kind HTML, reads as more than text. */
export function escapeHtml(text: string): string {
	return text.replace(SIGNS, (sign) => `&#${sign.charCodeAt(0)};`);
}

const PAGE = 'max-width:640px;text-align:left;font-family:sans-serif;font-size:14px;overflow-wrap:anywhere';
const TABLE = 'width:100%;border-collapse:collapse;text-align:left';
const CELL = 'padding:6px 4px 6px 0;border-bottom:1px solid #ddd;vertical-align:top;text-align:left';

/** Letters of a word that a phone shows in one line, beside other cells. */
const LONGEST_WORD = 30;

/** A fragment without `html` and `body`, in which no text of a part can add a tag, a line or an expression. */
export function toHtml(blocks: readonly Block[]): string {
	return `<div style="${PAGE}">${blocks.map(htmlOf).join('')}</div>`;
}

function htmlOf(block: Block): string {
	switch (block.kind) {
		case 'heading':
			return `<h3>${inline(block.text)}</h3>`;
		case 'paragraph':
			return `<p>${inline(block.text)}</p>`;
		case 'lines':
			return `<ul>${block.lines.map((line) => `<li>${inline(line)}</li>`).join('')}</ul>`;
		case 'table':
			return htmlOfTable(block);
	}
}

function htmlOfTable({ columns, rows }: Table): string {
	const head = columns.map((column) => cell(`<b>${inline(column)}</b>`)).join(GAP);
	const body = rows.map(({ cells }) => cells.map((each) => cell(each.map(inline).join('<br>'))).join(GAP));
	return `<table style="${TABLE}">${[head, ...body].map((row) => `<tr>${row}</tr>`).join('')}</table>`;
}

const cell = (html: string): string => `<td style="${CELL}">${html}</td>`;

/** Between two columns: a form has no space inside its cells. */
const GAP = cell('&#160;');

function inline(text: string): string {
	return oneLine(text).split(' ').map(breakable).join(' ');
}

function breakable(word: string): string {
	if (word.length <= LONGEST_WORD) return escapeHtml(word);
	const characters = [...word];
	const parts: string[] = [];
	for (let at = 0; at < characters.length; at += LONGEST_WORD)
		parts.push(escapeHtml(characters.slice(at, at + LONGEST_WORD).join('')));
	return parts.join('<br>');
}
