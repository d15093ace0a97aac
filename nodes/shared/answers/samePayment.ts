/** Whether an accepted answer is about the payment that was asked for. */
import { isSameNumber } from '../../../api/exact/decimal.ts';
import { isSameAlias } from '../alias.ts';
import { textOf } from './values.ts';

/** Characters of a value that a message shows. */
const MAX_SHOWN = 100;

/** What differs between the fields of an answer and those of its request, in words; undefined if nothing does. */
export function differenceFrom(
	answer: Record<string, unknown>,
	asked: ReadonlyMap<string, string>,
): string | undefined {
	return [...asked]
		.map(([name, value]) => {
			const answered = textOf(answer[name]);
			if (answered === '' || isSame(value, answered)) return undefined;
			return `${name} ${answered.slice(0, MAX_SHOWN)} instead of ${value}`;
		})
		.find((difference) => difference !== undefined);
}

function isSame(asked: string, answered: string): boolean {
	if (isSameAlias(asked, answered)) return true;
	// The alias 0042 is not the alias 42.
	const startsWithZero = [asked, answered].some((text) => /^0\d/.test(text));
	return isSameNumber(asked, answered) && !startsWithZero;
}
