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
	/** Sentences below the cells, over the whole width. */
	below?: string[];
	/** The same row in one line, for a mail without HTML. */
	inWords: string;
}

export interface Table {
	kind: 'table';
	columns: string[];
	rows: TableRow[];
}

/** An amount as a bar beside others. */
export interface Bar {
	label: string;
	/** Its length, from 0 to 100. */
	percent: number;
	value: string;
	/** Whether a person must see it. */
	isMarked: boolean;
	/** The same in one line. */
	inWords: string;
}

export interface Bars {
	kind: 'bars';
	bars: Bar[];
}

export type Block = Heading | Paragraph | Lines | Table | Bars;

export const heading = (text: string): Heading => ({ kind: 'heading', text });
export const paragraph = (text: string): Paragraph => ({ kind: 'paragraph', text });
export const lines = (texts: string[]): Lines => ({ kind: 'lines', lines: texts });
export const table = (columns: string[], rows: TableRow[]): Table => ({ kind: 'table', columns, rows });

/** The first rows of a table, and below them what says how many there are more. */
export function tableOfFirst<Value>(
	columns: string[],
	values: readonly Value[],
	{ most, rowOf, more }: { most: number; rowOf: (value: Value) => TableRow; more: (left: number) => string },
): Block[] {
	const left = values.length - most;
	const rows = values.slice(0, most).map(rowOf);
	return [table(columns, rows), ...(left > 0 ? [paragraph(more(left))] : [])];
}

export const bars = (all: Bar[]): Bars => ({ kind: 'bars', bars: all });
