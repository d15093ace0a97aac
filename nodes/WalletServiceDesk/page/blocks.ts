/** A page or mail as its parts, written once and shown twice: as HTML (html.ts) and as plain text (plainText.ts). No part has markup. */

export interface Heading {
	kind: 'heading';
	text: string;
}

export interface Paragraph {
	kind: 'paragraph';
	text: string;
}

export interface Lines {
	kind: 'lines';
	lines: string[];
}

/** A row of a table. */
export interface TableRow {
	/** Each cell has lines. */
	cells: string[][];
	/** The same row in one line, for a mail without HTML. */
	inWords: string;
}

export interface Table {
	kind: 'table';
	columns: string[];
	rows: TableRow[];
}

export type Block = Heading | Paragraph | Lines | Table;

export const heading = (text: string): Heading => ({ kind: 'heading', text });
export const paragraph = (text: string): Paragraph => ({ kind: 'paragraph', text });
export const lines = (texts: string[]): Lines => ({ kind: 'lines', lines: texts });
export const table = (columns: string[], rows: TableRow[]): Table => ({ kind: 'table', columns, rows });
