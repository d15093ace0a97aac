/** The figures of a bench: printed at once, and kept as a section of `bench/results.md`. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { packagesFolder } from '../host/n8n/process.ts';

interface Target {
	words: string;
	isMet: (value: number, column: number) => boolean;
}

export const atLeast = (least: number): Target => ({
	words: `>= ${least}`,
	isMet: (value) => value >= least,
});
export const atMost = (most: number): Target => ({ words: `<= ${most}`, isMet: (value) => value <= most });

interface Row {
	/** With the unit. */
	what: string;
	/** One for each column. NaN where nothing is measured. */
	values: number[];
	/** Digits after the decimal point. */
	digits: number;
	target?: Target;
}

interface Table {
	/** Empty if the section has no other table. */
	name: string;
	columns: string[];
	rows: Row[];
}

export interface Options {
	/** A few seconds, and nothing is written to the file. */
	short: boolean;
}

/** A part of `npm run bench`. */
export interface Bench {
	/** Heading of its section. */
	title: string;
	/** How it measures, in Markdown. */
	how: string;
	/** Adds its figures to the report. Throws if it cannot measure. A missed target is a figure like others. */
	run(report: Report, options: Options): Promise<void>;
}

export class Report {
	readonly #title: string;
	readonly #how: string;
	readonly #tables: Table[] = [];
	#meaning = '';

	constructor({ title, how }: Pick<Bench, 'title' | 'how'>) {
		this.#title = title;
		this.#how = how;
		process.stdout.write(`\n${title}\n`);
	}

	/** Starts a table. `columns`: of its figures. */
	table(name: string, columns: string[] = ['figure']): void {
		this.#tables.push({ name, columns, rows: [] });
		process.stdout.write(` ${[name, ...columns].join(' | ')}\n`);
	}

	/** Adds a row to the last table. */
	row(what: string, values: number[], digits: number, target?: Target): void {
		const row = { what, values, digits, ...(target && { target }) };
		this.#tables.at(-1)!.rows.push(row);
		const words = target === undefined ? '' : `   (target: ${target.words})`;
		process.stdout.write(`  ${what.padEnd(56)} ${cells(row).join(' | ')}${words}\n`);
	}

	/** Says what the figures mean for a user, in a sentence or two. The file begins with it. */
	means(words: string): void {
		this.#meaning = words;
		process.stdout.write(` ${words}\n`);
	}

	/** The missed targets, in words. */
	get misses(): string[] {
		return this.#tables.flatMap(({ name, columns, rows }) =>
			rows.flatMap((row) =>
				columns.flatMap((column, index) => {
					if (!isMissed(row, index)) return [];
					const figure = `${row.values[index]?.toFixed(row.digits)}, target ${row.target?.words}`;
					return [this.#title, name, row.what, column, figure].filter((word) => word !== '').join(': ');
				}),
			),
		);
	}

	/** The part of the file that this bench gives. */
	get part(): Part {
		const title = this.#title;
		const figures = this.#tables.flatMap(paragraphs);
		const section = [`## ${title}`, machine(), this.#how, ...figures].join('\n\n');
		return { title, meaning: `- **${title}:** ${this.#meaning}`, section };
	}
}

/** What one bench gives to the file: a line at its beginning, and a section. */
interface Part {
	title: string;
	meaning: string;
	section: string;
}

const TITLE = '# Measurements';

/**
 * The file with a new part in place of the one of the same title. The parts stand in the order of `titles`; a part whose title is not
 * among them goes.
 */
export function withPart(file: string, titles: readonly string[], part: Part, how: string): string {
	const [introduction = '', ...sections] = file.split(/^(?=## )/m);
	const lines = introduction.split('\n');
	const partOf = (title: string) =>
		title === part.title
			? part
			: {
					meaning: lines.find((line) => line.startsWith(`- **${title}:**`)),
					section: sections.find((section) => section.startsWith(`## ${title}\n`)),
				};
	const parts = titles.map(partOf);
	const meanings = parts.flatMap(({ meaning = [] }) => meaning).join('\n');
	const texts = parts.flatMap(({ section = [] }) => section);
	return [TITLE, meanings, how, ...texts].map((text) => `${text.trim()}\n`).join('\n');
}

function isMissed({ values, target }: Row, column: number): boolean {
	const value = values[column] ?? NaN;
	return target !== undefined && !Number.isNaN(value) && !target.isMet(value, column);
}

function cells(row: Row): string[] {
	return row.values.map((value, column) => {
		if (Number.isNaN(value)) return '';
		return value.toFixed(row.digits) + (isMissed(row, column) ? ' **missed**' : '');
	});
}

function paragraphs({ name, columns, rows }: Table): string[] {
	const labelOf = ({ what, target }: Row) => (target === undefined ? what : `${what} (${target.words})`);
	const lines = [
		['', ...columns],
		['', ...columns].map(() => '---'),
		...rows.map((row) => [labelOf(row), ...cells(row)]),
	].map((line) => `|${line.join('|')}|`);
	return [...(name === '' ? [] : [`### ${name}`]), lines.join('\n')];
}

/** Date, hardware and versions. Names neither the machine nor a folder on it. */
function machine(): string {
	const installed = join(packagesFolder(), 'n8n/package.json');
	const versionOf = () => (JSON.parse(readFileSync(installed, 'utf8')) as { version: string }).version;
	const n8n = existsSync(installed) ? `, n8n ${versionOf()}` : '';
	const date = new Date().toISOString().slice(0, 10);
	return `${date}: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node.js ${process.versions.node}${n8n}.`;
}
