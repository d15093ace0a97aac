/** Reads the parameters of a desk operation by its table of fields. An expression can give a field any value, so each is checked. */
import { PERSON } from '../../shared/messages.ts';
import { expectedOf } from '../../shared/options/options.ts';
import type { OptionTable } from '../../shared/options/options.ts';
import { readOptionValues } from '../../shared/options/readOptions.ts';
import { visible } from '../../shared/wording.ts';
import { isThere } from '../values/itemValues.ts';
import type { DeskOperation, DeskSettings } from './operation.ts';
import { DeskProblem } from './problem.ts';

/**
 * `value` gives a parameter with its expression evaluated, `added` are the options that were added. Throws DeskProblem for a value that
 * a field cannot have.
 */
export function readDeskSettings(
	{ fields, options }: DeskOperation,
	value: (name: string) => unknown,
	added: Record<string, unknown>,
): DeskSettings {
	const entered = Object.keys(fields).map((name) => [name, value(name)]);
	const filled = entered.filter(([, given]) => isThere(given) && given !== '');
	return {
		...valuesOf(fields, Object.fromEntries(filled) as Record<string, unknown>),
		...valuesOf(options, added),
	};
}

function valuesOf(table: OptionTable, given: Record<string, unknown>) {
	const { values, problems } = readOptionValues(table, given);
	const [wrong] = problems;
	if (wrong === undefined) return values;
	const { option, given: text } = wrong;
	if (option.kind === 'person') {
		const { message, description } = PERSON.isNobody({ label: option.label, given: text });
		throw new DeskProblem(message, description);
	}
	throw new DeskProblem(
		`'${option.label}' is not ${expectedOf(option)}: ${visible(text.slice(0, 100))}`,
		`Correct '${option.label}' or the expression in it`,
	);
}
