/** Names of fields in a text or in a field of its own. A field is no payment, so its name needs no known words. */
import { isMovedStatus } from './statuses.ts';
import { NAMES_OF_ENDS, NAMES_OF_STEPS } from './vocabulary.ts';
import { listed, wordsOf } from './words.ts';

const SEGMENT = /^(?:\$|[a-z_$][a-z_$-]*)(?:\[(?:\d{0,2}|\*)\])*$/i;
/** `line1`, `address_2` */
const NUMBER_OF_LINE = /(?<=(?:line|address|street)_?)\d\b/gi;

/** Whether a text leads to a field: `$.parties[0].name`, `amount.value`, `/data/attributes/city`. Its only digits are indexes. */
export function isPath(text: string): boolean {
	const segments = text
		.replace(NUMBER_OF_LINE, '')
		.replace(/^[#/]+/, '')
		.split(/[./]/);
	const isIndex = (segment: string, at: number) => at > 0 && /^\d{1,2}$/.test(segment);
	return segments.length > 1 && segments.every((each, at) => isIndex(each, at) || SEGMENT.test(each));
}

/** Whether a name or an address tells what became of a payment: `payout.sent`, `/errors/already-paid`. */
export function namesEnd(name: string): boolean {
	return wordsOf(name).some((word) => isMovedStatus(word) || NAMES_OF_ENDS.includes(word));
}

/** Whether a name tells of that, of a repetition, or of a step that a payment may wait for: `otp_code`. */
export function namesStep(name: string): boolean {
	return namesEnd(name) || wordsOf(name).some((word) => NAMES_OF_STEPS.includes(word));
}

const KIND = '(?:field|parameter|param|property|attribute|argument|header|key)s?';
const NAME = '([A-Za-z_$][\\w$.[\\]/-]{0,80})';
const QUOTED = `["'\`“‘]${NAME}["'\`”’]`;
const STATEMENT = listed(
	'n[ãa]o respeita, deve, debe, required, mandatory, missing, invalid, incorrect, malformed, empty, blank, null, unsupported, must, should, too, contains',
	"cannot be, can't be, does not match, has an? invalid, has invalid",
	'not (?:an? )?(?:allowed|supported|valid|present|provided|permitted|recogni[sz]ed|set|specified|known)',
).join('|');
const BEHIND = `(?=(?: (?:query|body|path|request))?(?: ${KIND})? (?:(?:is|are|was) )?(?:${STATEMENT})\\b)`;
const BEFORE = '\\b(?:missing|required|invalid|unexpected|unsupported|unknown|unrecogni[sz]ed)';

/** Where a text names a field in quotes, or beside the word "field", with what is wrong with it right beside. */
const PLACES = [
	new RegExp(`${QUOTED}${BEHIND}`, 'gi'),
	new RegExp(`(?<=${BEFORE}(?: required)?(?: ${KIND})?:? )${QUOTED}`, 'gi'),
	new RegExp(`(?<=${BEFORE}(?: required| mandatory)? ${KIND}: )${NAME}(?![\\w$])`, 'gi'),
	new RegExp(`(?<=\\bthe )${NAME}(?= ${KIND} (?:is|must|should|cannot) )`, 'gi'),
	new RegExp(`(?<=\\bmissing )${NAME}(?= value\\b)`, 'gi'),
	new RegExp(`(?<=\\b${KIND} )${NAME}(?= (?:is|must|should|cannot) )`, 'gi'),
];
/** The same without quotes: `network_fee is required`. */
const UNQUOTED = new RegExp(`(?<![\\w$.])${NAME}${BEHIND}`, 'gi');

/** No header tells of a payment, not even that of Payment Key. */
const MISSING_HEADER = /\bmissing (?:required |mandatory )?(?:http )?header: [a-z-]+(?![\w-])/gi;

/** The text with `field` in place of each name. A name that tells of a step stays. */
export function withoutNames(text: string): string {
	const withField = (whole: string, name: string) =>
		/\d/.test(name.replace(NUMBER_OF_LINE, '')) || namesStep(name) ? whole : ' field ';
	const others = PLACES.reduce(
		(rest, place) => rest.replace(place, withField),
		text.replace(MISSING_HEADER, 'missing header'),
	);
	return others.replace(UNQUOTED, (whole, name: string) =>
		/[a-z][A-Z]|[a-z][._][a-z]/.test(name) ? withField(whole, name) : whole,
	);
}
