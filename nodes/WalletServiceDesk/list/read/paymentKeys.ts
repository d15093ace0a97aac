/** What is wrong with a payment key of a list: what Payment Key refuses, and what spreadsheets make of keys. */
import { isShortenedNumber, MAX_KEY_LENGTH, oddCharacterIn } from '../../../shared/paymentKey/keyText.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { inWords, isFormula } from './characters.ts';
import { CELL, PAYMENT_KEY } from './messages.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?:${MONTHS.join('|')})`;
/** What Excel shows of a text such as `1-3` or `3/26` that it took for a date. */
const DATES = [new RegExp(`^\\d{1,2}-${MONTH}$`), new RegExp(`^${MONTH}-\\d\\d$`)];
/** The same from a table or a database. */
const MIDNIGHT = /^\d{4}-\d\d-\d\dT00:00:00(?:\.000)?Z$/;

/** Spreadsheets and programs put it before a number that is text, and around a text. The same key without it would be paid once more. */
const BEGINS_WITH_QUOTE = /^['"]/;
/** `42.0`: so programs write the numbers of a column in which one is missing. The same is true of it. */
const WHOLE_NUMBER_WITH_POINT = /^\d+[.,]0+$/;

/** The keys of the example that people copy. */
const EXAMPLE = /^example(?![a-z])/;

/** What is wrong with the key by itself. `label` is what a person calls it. */
export function keyProblem(key: string, label: string): string | undefined {
	if (key === '') return CELL.isMissing(label);
	if (key.length > MAX_KEY_LENGTH) return PAYMENT_KEY.isTooLong({ label, most: String(MAX_KEY_LENGTH) });
	const odd = oddCharacterIn(key);
	if (odd !== undefined) return CELL.hasCharacter({ label, character: inWords(odd) });
	if (isShortenedNumber(key) || hasLostDigits(key)) return PAYMENT_KEY.isShortened(label);
	if (isDate(key)) return PAYMENT_KEY.isDate({ label, key });
	const compared = comparedKey(key);
	if (isFormula(compared ?? key)) return PAYMENT_KEY.isFormula(label);
	if (BEGINS_WITH_QUOTE.test(compared ?? key)) return PAYMENT_KEY.hasQuote({ label, key });
	if (WHOLE_NUMBER_WITH_POINT.test(key)) return PAYMENT_KEY.hasPointZero({ label, key });
	if (compared === undefined) return PAYMENT_KEY.isIncomplete({ label, key });
	return EXAMPLE.test(compared) ? PAYMENT_KEY.isExample(key) : undefined;
}

/** Excel keeps 15 digits of a number, and writes zeros for the rest. */
function hasLostDigits(key: string): boolean {
	return /^\d{15}0+$/.test(key);
}

function isDate(key: string): boolean {
	return MIDNIGHT.test(key) || DATES.some((form) => form.test(key));
}
