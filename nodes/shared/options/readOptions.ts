/** Reads the values of options by their table. An expression can give an option any value, so each is checked. */
import { isPlainDecimal } from '../../../api/exact/decimal.ts';
import { asOneName } from '../approvers.ts';
import { isNothing } from '../missingValues.ts';
import { namesSomebody } from '../namesSomebody.ts';
import type { CountOption, ListOption, Option, OptionTable, ValuesOf } from './options.ts';

/**
 * Why an option has no value.
 * - `nothing`: its expression gave null or undefined
 * - `empty`: a text or a list without anything in it
 * - `notAllowed`: anything else that the option cannot have
 */
export type Wrong = 'nothing' | 'empty' | 'notAllowed';

/** An option that the user has added, and that has no usable value. What that means is for the node to say. */
export interface OptionProblem {
	option: Option;
	wrong: Wrong;
	/** As text. It comes from the user and may be long. */
	given: string;
}

/** The values of all options. One with a problem, or one that was not added, has its default. */
export function readOptionValues<Table extends OptionTable>(
	table: Table,
	given: Readonly<Record<string, unknown>>,
): { values: ValuesOf<Table>; problems: OptionProblem[] } {
	const values: Record<string, unknown> = {};
	const problems: OptionProblem[] = [];
	for (const [name, option] of Object.entries(table)) {
		values[name] = defaultOf(option);
		if (!Object.hasOwn(given, name) || (option.mayBeNothing && isNothing(given[name]))) continue;
		const reading = readOption(option, given[name]);
		if ('value' in reading) values[name] = reading.value;
		else if (option.kind !== 'person' || option.mayBeNobody !== true)
			problems.push({ option, wrong: reading.wrong, given: textOfGiven(given[name]) });
	}
	return { values: values as ValuesOf<Table>, problems };
}

/** As a message shows it. */
function textOfGiven(given: unknown): string {
	return Array.isArray(given) ? given.join(', ') : String(given ?? '');
}

/** The value of one option that is there. */
function readOption(option: Option, given: unknown): { value: unknown } | { wrong: Wrong } {
	if (given === undefined || given === null) return { wrong: 'nothing' };
	if (option.kind === 'person' && option.mayBeList && Array.isArray(given)) return readPeople(given);
	const text = option.kind === 'list' && Array.isArray(given) ? textOfList(given) : textOf(given);
	if (text !== undefined && /^[\s,]*$/.test(text)) return { wrong: 'empty' };
	const value = valueOf(option, text);
	return value === undefined ? { wrong: 'notAllowed' } : { value };
}

function readPeople(given: unknown[]): { value: string } | { wrong: Wrong } {
	if (given.length === 0) return { wrong: 'empty' };
	if (!given.every(namesSomebody)) return { wrong: 'notAllowed' };
	return { value: given.map(asOneName).join(', ') };
}

/** The value of an option that the user has not added. */
export function defaultOf(option: Option): unknown {
	if (option.kind === 'choice') return Object.keys(option.choices)[0];
	return 'default' in option ? option.default : undefined;
}

/** Undefined for a text that the option cannot have. */
function valueOf(option: Option, text: string | undefined): unknown {
	if (text === undefined) return undefined;
	switch (option.kind) {
		case 'text':
			return text;
		case 'list':
			return readList(option, text);
		case 'decimal':
			return isPlainDecimal(text) ? text : undefined;
		case 'count':
			return readCount(option, text);
		case 'person':
			return namesSomebody(text) ? text : undefined;
		case 'flag':
			return [true, false].find((flag) => String(flag) === text);
		case 'choice':
			return Object.keys(option.choices).find((choice) => choice === text);
	}
}

/**
 * What an expression gave, as text: columns of a spreadsheet hold numbers and flags as text, too. Undefined for an object, and for
 * a number that may have lost digits.
 */
function textOf(given: unknown): string | undefined {
	if (typeof given === 'string') return given.trim();
	if (typeof given === 'boolean') return String(given);
	if (typeof given === 'number')
		return Math.abs(given) <= Number.MAX_SAFE_INTEGER ? String(given) : undefined;
	return undefined;
}

/** In quotes, an entry keeps its commas. */
function textOfList(given: unknown[]): string | undefined {
	const entries = given.map(textOf);
	if (entries.includes(undefined)) return undefined;
	return entries.map((entry) => (entry?.includes(',') ? `"${entry}"` : entry)).join(',');
}

function readList({ isEntry = () => true }: ListOption, text: string): string[] | undefined {
	const entries = entriesOf(text);
	return entries.length > 0 && entries.every(isEntry) ? entries : undefined;
}

/** The entries of a list that is separated by commas or line breaks. A name with a comma stands in quotes: `"Acme, Inc"`. */
function entriesOf(text: string): string[] {
	return [...text.matchAll(/\s*(?:"([^"]*)"\s*(?=[,\n]|$)|([^,\n]+))/g)]
		.map(([, quoted, plain = '']) => (quoted ?? plain).trim())
		.filter((entry) => entry !== '');
}

function readCount({ minimum, maximum }: CountOption, text: string): number | undefined {
	if (!/^\d+$/.test(text)) return undefined;
	const count = Number(text);
	return count >= minimum && count <= maximum ? count : undefined;
}
