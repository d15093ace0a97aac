/** The figures of a bench: printed at once, and kept as a section of `bench/results.md`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { summaryOf } from './summary.ts';

export interface Row {
	what: string;
	/** With its unit. */
	figure: string;
	target?: string;
	/** Whether the target was met; only with a target. */
	met?: boolean;
}

interface Group {
	name?: string;
	rows: Row[];
	notes: string[];
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
	/** Programs of the system that it needs, by the launcher's environment variables. */
	needs?: string[];
	/** Adds its figures to the report. Throws if it cannot measure; a missed target is a figure like others. */
	run(report: Report, options: Options): Promise<void>;
}

export class Report {
	readonly #title: string;
	readonly #how: string;
	readonly #groups: Group[] = [];
	#lastGroup: Group = { rows: [], notes: [] };

	constructor({ title, how }: Pick<Bench, 'title' | 'how'>) {
		this.#title = title;
		this.#how = how;
		this.#groups.push(this.#lastGroup);
		process.stdout.write(`\n${title}\n`);
	}

	/** Starts a new table with this heading. */
	group(name: string): void {
		this.#lastGroup = { name, rows: [], notes: [] };
		this.#groups.push(this.#lastGroup);
		process.stdout.write(` ${name}\n`);
	}

	row(row: Row): void {
		this.#lastGroup.rows.push(row);
		const { what, figure, target } = row;
		const verdict = target === undefined ? '' : `   (target: ${target}: ${verdictOn(row)})`;
		process.stdout.write(`  ${what.padEnd(56)} ${figure}${verdict}\n`);
	}

	/** Adds a paragraph of Markdown below the table. */
	note(text: string): void {
		this.#lastGroup.notes.push(text);
		process.stdout.write(`  ${text}\n`);
	}

	get rows(): Row[] {
		return this.#groups.flatMap(({ rows }) => rows);
	}

	/** The missed targets, in words. */
	get misses(): string[] {
		return this.#groups.flatMap(({ name, rows }) =>
			rows
				.filter(({ met }) => met === false)
				.map(({ what, figure, target }) =>
					[this.#title, name, what, `${figure}, target ${target}`]
						.filter((word) => word !== undefined)
						.join(': '),
				),
		);
	}

	/** Writes the section into the file. It replaces the section of the same title; the others stay unchanged. */
	write(file = 'bench/results.md'): void {
		const sections = readSections(file);
		sections.set(this.#title, this.#markdown());
		const parts = [INTRODUCTION, summaryOf(sections), ...sections.values()];
		writeFileSync(file, parts.map((text) => `${text.trim()}\n`).join('\n'));
	}

	#markdown(): string {
		const groups = this.#groups.filter(({ rows, notes }) => rows.length + notes.length > 0);
		return [`## ${this.#title}`, machine(), this.#how, ...groups.flatMap(paragraphs)].join('\n\n');
	}
}

const INTRODUCTION = `# Measurements

\`npm run bench\` measures and writes this file; \`npm run bench -- <name>\` writes one section and leaves the others as they are.`;

/** The sections of the file by title, in order. */
function readSections(file: string): Map<string, string> {
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const [, ...sections] = text.split(/^(?=## )/m);
	return new Map(sections.map((section) => [section.slice('## '.length, section.indexOf('\n')), section]));
}

function paragraphs({ name, rows, notes }: Group): string[] {
	const lines = rows.map((row) => tableLine([row.what, row.figure, row.target ?? '', verdictOn(row)]));
	const table = ['| | figure | target | |', '|---|---|---|---|', ...lines].join('\n');
	return [...(name === undefined ? [] : [`### ${name}`]), ...(rows.length > 0 ? [table] : []), ...notes];
}

function tableLine(cells: string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function verdictOn({ met }: Row): string {
	return met === undefined ? '' : met ? 'met' : '**missed**';
}

/** Date, hardware and versions. Names neither the machine nor a folder on it. */
function machine(): string {
	const host = 'host/node_modules/n8n/package.json';
	const n8n = existsSync(host) ? `, n8n ${versionIn(host)}` : '';
	const memory = Math.round(totalmem() / 2 ** 30);
	const date = new Date().toISOString().slice(0, 10);
	return `Measured on ${date}: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memory} GiB of memory, ${process.platform} ${process.arch}, Node.js ${process.versions.node}${n8n}.`;
}

function versionIn(packageJson: string): string {
	return (JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }).version;
}
