/** What is wrong with a payment key of a list: what Payment Key refuses, and what spreadsheets make of keys. */
import { isShortenedNumber, MAX_KEY_LENGTH, oddCharacterIn } from '../../../shared/paymentKey/keyText.ts';
import { comparedKey } from '../../values/comparedKey.ts';
import { inWords, isFormula } from './characters.ts';
import { CELL, PAYMENT_KEY } from './messages.ts';

/** Months as Excel writes them, in languages that write them in ASCII, and in others those that are. */
const MONTHS = [
	'jan feb mar apr may jun jul aug sep sept oct nov dec',
	'mrz mai okt dez',
	'janv mars avr juin juil',
	'ene abr ago dic',
	'gen mag giu lug set ott',
	'fev out',
	'mrt mei',
	'maj des agu',
	'ian iun iul',
	'sty lut kwi cze lip sie wrz lis gru',
	'oca nis haz tem eyl eki kas ara',
	'febr szept',
	'tammi helmi maalis huhti touko elo syys loka marras joulu',
].flatMap((line) => line.split(' '));
const MONTH = `(?:${MONTHS.join('|')})\\.?`;
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH_NUMBER = '(?:0?[1-9]|1[0-2])';
const BETWEEN = '(?:[-/. ]|\\. )';
const TIME = '(?:[ T]\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?: ?[AP]M)?Z?)?';
/** What a spreadsheet shows of a text such as `1-3` or `3/26` that it took for a date, and what programs make of it. */
const DATE = new RegExp(
	`^(?:${[
		`${DAY}${BETWEEN}${MONTH}(?:${BETWEEN}\\d{2}(?:\\d{2})?)?`,
		`${MONTH}[-/. ]\\d\\d`,
		`(?:${DAY}([-/.])${MONTH_NUMBER}\\1|${MONTH_NUMBER}([-/.])${DAY}\\2)\\d{4}`,
		`(?:${DAY}([/.])${MONTH_NUMBER}\\3|${MONTH_NUMBER}([/.])${DAY}\\4)\\d\\d`,
		`\\d{4}([-/.])${MONTH_NUMBER}\\5${DAY}`,
	].join('|')})${TIME}$`,
	'i',
);

/** Spreadsheets and programs put it before a number that is text, and around a text. The same key without it would be paid once more. */
const HAS_QUOTE = /^['"]|['"]$/;
/** `42.0`: so programs write the numbers of a column in which one is missing. The same is true of it. */
const WHOLE_NUMBER_WITH_POINT = /^\d+[.,]0+$/;

/** The cells of a row may have moved. `2026.10` is a month. */
const AMOUNT = /^(?!20\d\d\.(?:0[1-9]|1[0-2])$)\d[\d.,]*[.,]\d\d$/;

/** The keys of the example that people copy. */
const EXAMPLE = /^example(?![a-z])/;

/** What is wrong with the key by itself. `label` is what a person calls it. */
export function keyProblem(key: string, label: string): string | undefined {
	if (key === '') return CELL.isMissing(label);
	if (key.length > MAX_KEY_LENGTH) return PAYMENT_KEY.isTooLong({ label, most: String(MAX_KEY_LENGTH) });
	const odd = oddCharacterIn(key);
	if (odd !== undefined) return CELL.hasCharacter({ label, character: inWords(odd) });
	if (isShortenedNumber(key) || hasLostDigits(key)) return PAYMENT_KEY.isShortened(label);
	if (DATE.test(key)) return PAYMENT_KEY.isDate({ label, key });
	const compared = comparedKey(key);
	if (isFormula(compared ?? key)) return PAYMENT_KEY.isFormula(label);
	if (HAS_QUOTE.test(compared ?? key)) return PAYMENT_KEY.hasQuote({ label, key });
	if (WHOLE_NUMBER_WITH_POINT.test(key)) return PAYMENT_KEY.hasPointZero({ label, key });
	if (AMOUNT.test(key)) return PAYMENT_KEY.isAmount({ label, key });
	if (compared === undefined) return PAYMENT_KEY.isIncomplete({ label, key });
	return EXAMPLE.test(compared) ? PAYMENT_KEY.isExample(key) : undefined;
}

/** Excel keeps 15 digits of a number, and writes zeros for the rest. */
function hasLostDigits(key: string): boolean {
	return /^\d{15}0+$/.test(key);
}
