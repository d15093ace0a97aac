/**
 * The parts of a page as HTML, for mails and for the pages of n8n's forms. All escaping of the desk stands here.
 *
 * n8n removes each `style` from the page of a form, and keeps it in a mail. So the page must be readable without them: the head of
 * a table has ordinary cells, since `th` is centred, and a long word is broken by `<br>`, since nothing else breaks it on a phone.
 */
import type { Bar, Block, Table } from './blocks.ts';
import { oneLine } from '../../shared/text.ts';

/** What begins a tag, an entity, an attribute, an expression of n8n (braces), an escape, or a pattern of `String.replace` (dollar). */
const SIGNS = /[&<>"'`{}\\$]/g;

/** The text without a sign that HTML, or n8n in a field of the kind HTML, reads as more than text. */
export function escapeHtml(text: string): string {
	return text.replace(SIGNS, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** n8n makes a line feed of `<br>` in the description of a form, which shows as a space. */
const BREAK = '<br/>';

const PAGE =
	'max-width:640px;text-align:left;font-family:sans-serif;font-size:14px;line-height:1.4;overflow-wrap:break-word';
const HEADING = 'margin:12px 0 4px;font-size:16px';
const TABLE = 'width:100%;border-collapse:collapse;text-align:left;font-size:14px';
/** Of a row, and not of each cell: a mail of 200 rows is cut off behind 100 kB. */
const ROW = 'border-bottom:1px solid #ddd;vertical-align:top';
const BAR_TEXT = 'padding:1px 4px;white-space:nowrap';

/** The last digits of an account stay in one line with the sign in front of them: a word joiner lets no browser break there. */
const CUT_OFF = /…(?=[^\s<])/g;
const JOINED = '…&#8288;';

/** Between an amount and its code or unit, no browser begins a line. */
const BEFORE_UNIT = /(?<=\d) (?=(?:[A-Z][A-Z\d]{1,9}|hours?|days?)(?![A-Za-z\d]))/g;

/** Characters without a hyphen that a phone shows in one line: of a cell with others beside it, and of a paragraph. */
const LONGEST_IN_CELL = 20;
const LONGEST = 40;

/** A page of a form has no distance above a heading, between two tables, or between its last row and the question. In a mail, it is small. */
const DISTANCE = '<p style="margin:0;line-height:8px">&#160;</p>';

/** A fragment without `html` and `body`, in which no text of a part can add a tag, a line or an expression. */
export function toHtml(blocks: readonly Block[]): string {
	const parts = blocks.map((block, place) => {
		const before = blocks[place - 1]?.kind;
		const isApart = block.kind === 'heading' || (block.kind === 'table' && before === 'table');
		return `${isApart && before !== undefined ? DISTANCE : ''}${htmlOf(block)}`;
	});
	return `<div style="${PAGE}">${parts.join('')}${DISTANCE}</div>`;
}

function htmlOf(block: Block): string {
	switch (block.kind) {
		case 'heading':
			// A form has its title above, as the first level, and shows headings in ordinary weight.
			return `<h2 style="${HEADING}"><b>${inline(block.text)}</b></h2>`;
		case 'paragraph':
			return `<p>${inline(block.text)}</p>`;
		case 'lines':
			return `<ul>${block.lines.map((line) => `<li>${inline(line)}</li>`).join('')}</ul>`;
		case 'table':
			return htmlOfTable(block);
		case 'bars':
			return `<table style="${TABLE}">${block.bars.map(htmlOfBar).join('')}</table>`;
	}
}

/** A mail shows no picture, so a bar is a cell of a table with a colour. */
function htmlOfBar({ label, percent, value, isMarked }: Bar): string {
	const colour = isMarked ? '#c0392b' : '#4a7c9b';
	const bar = `<table style="width:${Math.round(percent)}%;border-collapse:collapse"><tr><td style="height:10px;padding:0;background:${colour}"></td></tr></table>`;
	const cells = [
		`<td style="${BAR_TEXT}">${inCell(label)}</td>`,
		`<td style="width:50%">${percent > 0 ? bar : ''}</td>`,
	];
	return `<tr>${cells.join('')}<td style="${BAR_TEXT};text-align:right">${inCell(value)}</td></tr>`;
}

function htmlOfTable({ columns, rows }: Table): string {
	const ends = columns.map(
		(_, place) => place > 0 && hasOnlyNumbers(rows.map(({ cells }) => cells[place] ?? [])),
	);
	const head = columns.map((column, place) => cell(`<b>${inCell(column)}</b>`, ends[place])).join(GAP);
	const width = 2 * columns.length - 1;
	const wide = (html: string) => `<td colspan="${width}">${html}</td>`;
	const body = rows.map(({ cells, below = [] }) => {
		const [first = [], ...others] = cells;
		const isAbove = others.length > 0 && isLongKey(first);
		const above = isAbove ? openRow(wide(inOneLine(first))) : '';
		const shown = isAbove ? [[], ...others] : cells;
		const row = shown.map((texts, place) => htmlOfCell(texts, ends[place])).join(GAP);
		if (below.length === 0) return above + rowOf(row);
		const words = below.map(inline).join(BREAK);
		return above + openRow(row) + rowOf(wide(`<p style="margin:0 0 4px"><b>${words}</b></p>`));
	});
	return `<table style="${TABLE}">${rowOf(head)}${body.join('')}</table>`;
}

const rowOf = (cells: string): string => `<tr style="${ROW}">${cells}</tr>`;

/** A row without a line below it, because the next one belongs to it. */
const openRow = (cells: string): string => `<tr style="vertical-align:top">${cells}</tr>`;

/** Characters of a number or key that a phone shows in one line: beside others, and over the whole width. */
const LONGEST_KEY = 18;
const LONGEST_LINE = 36;

const areKeys = (texts: readonly string[], longest: number): boolean =>
	texts.every((text) => /^\S+$/.test(text) && text.length <= longest);

/** A key in two lines could be read as two. */
const isLongKey = (texts: readonly string[]): boolean =>
	areKeys(texts, LONGEST_LINE) && !areKeys(texts, LONGEST_KEY);

/** A browser breaks a key behind each hyphen, but not in `pre`, which a form shows too. */
const inOneLine = (texts: readonly string[]): string =>
	`<pre style="margin:4px 0;font:inherit">${texts.map((text) => escapeHtml(oneLine(text))).join(BREAK)}</pre>`;

function htmlOfCell(texts: readonly string[], isAtEnd = false): string {
	const hasHyphen = texts.some((text) => /[^-]-[^-]/.test(text));
	if (!areKeys(texts, LONGEST_KEY) || !hasHyphen) return cell(texts.map(inCell).join(BREAK), isAtEnd);
	return `<td>${inOneLine(texts)}</td>`;
}

/** The paragraph gives the rows a distance on the page of a form, and in a mail. */
const cell = (html: string, isAtEnd = false): string =>
	`<td><p style="margin:4px 0${isAtEnd ? ';text-align:right' : ''}">${html}</p></td>`;

/** Numbers stand below each other by their last digits. What a row is called may be a number, too. */
function hasOnlyNumbers(cells: ReadonlyArray<readonly string[]>): boolean {
	const first = cells.map(([text = '']) => text);
	return first.some((text) => text !== '') && first.every((text) => /^(?:-?\d[\d.,]*)?$/.test(text));
}

/** Between two columns: a form has no space inside its cells. */
const GAP = '<td>&#160;</td>';

const inline = (text: string): string => broken(text, LONGEST);
const inCell = (text: string): string => broken(text, LONGEST_IN_CELL);

/** The text in one line of HTML, in which no word is longer than a phone is wide. */
function broken(text: string, longest: number): string {
	// A browser breaks a word behind a hyphen by itself.
	const parts = oneLine(text).split(/(?<=[ -])/);
	return parts
		.map((part) => chunksOf(part, longest).map(escapeHtml).join(BREAK))
		.join('')
		.replace(CUT_OFF, JOINED)
		.replace(BEFORE_UNIT, '&#160;');
}

/** Of equal length, so that no line has two characters. */
function chunksOf(text: string, longest: number): string[] {
	// An amount in two lines could be read as two.
	const most = /^[\d.,]+ ?$/.test(text) ? LONGEST : longest;
	if (text.trimEnd().length <= most) return [text];
	const characters = [...text];
	const size = Math.ceil(characters.length / Math.ceil(characters.length / longest));
	const chunks: string[] = [];
	for (let at = 0; at < characters.length; at += size) chunks.push(characters.slice(at, at + size).join(''));
	return chunks;
}
