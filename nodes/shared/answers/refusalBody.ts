/** What the body of a refusal says, field by field. Tables: vocabulary.ts. */
import { isRecord } from '../../../api/exact/json.ts';
import { isPath, namesEnd, namesStep } from './namesOfFields.ts';
import { isKnownWord, judgeText } from './refusalText.ts';
import type { Says } from './refusalText.ts';
import type { OwnTexts } from './tokens.ts';
import { isNo, textOf } from './values.ts';
import * as known from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** What an answer is judged beside. */
export interface Beside {
	statusCode: number;
	/** Values of the request, and the names that it has. */
	own: OwnTexts;
	/** Names of its fields. */
	names: readonly string[];
	/** Codes in words that this service uses only to refuse, in lower case. */
	refusedCodes: string[];
}

/** What is not known: a field, or a word or an ID in the text of a field. */
export type Unknown = { kind: 'field'; name: string } | { kind: 'word'; name: string; field: string };

export interface BodyJudged {
	unknown?: Unknown;
	says: Says[];
	/** It is known beside a reason in the same record. */
	needsReason?: boolean;
}

/** A field. */
interface Place {
	key: string;
	/** The words of the key. */
	name: string;
	/** Fields inside may be called as those of the request. */
	isOfError: boolean;
	/** Fields inside may be left out: it is the answer itself, or the record of its error. */
	isHead: boolean;
}

const FIELDS = new Set(known.FIELDS);
const LEFT_OUT = new Set(known.FIELDS_LEFT_OUT);
const WITH_LINK = new Set(known.FIELDS_WITH_LINK);

/** Judges a body that is a record, a list or a text. */
export function judgeBody(body: unknown, beside: Beside): BodyJudged {
	return judge(body, { key: '', name: 'message', isOfError: false, isHead: true }, beside);
}

function judge(value: unknown, place: Place, beside: Beside): BodyJudged {
	if (isNothing(value)) return { says: [] };
	if (Array.isArray(value)) return all(value.map((entry) => judge(entry, place, beside)));
	if (isRecord(value))
		return allFields(Object.entries(value).map(([key, entry]) => judgeField(key, entry, place, beside)));
	if (typeof value === 'string') return judgeString(value, place, beside);
	if (isKnownValue(value, place, beside)) return { says: [] };
	const needsReason = isDoubtfulCode(place.name, textOf(value));
	return { says: [], unknown: { kind: 'field', name: place.key }, needsReason };
}

function all(judged: BodyJudged[]): BodyJudged {
	return {
		unknown: judged.find(({ unknown }) => unknown !== undefined)?.unknown,
		says: judged.flatMap(({ says }) => says),
	};
}

function allFields(judged: BodyJudged[]): BodyJudged {
	const saysWhy = judged.some(({ says }) => says.includes('reason'));
	return all(judged.filter(({ needsReason = false }) => !(needsReason && saysWhy)));
}

/** A field without a value says nothing. */
function isNothing(value: unknown): boolean {
	if (Array.isArray(value) || isRecord(value)) return Object.values(value).every(isNothing);
	return value === null || (typeof value === 'string' && value.trim() === '');
}

function judgeField(key: string, value: unknown, parent: Place, beside: Beside): BodyJudged {
	// Other letters are not read.
	const ownName = /^[ -~]*$/.test(key) ? roleOf(wordsOf(key)) : key;
	const isOfAmount = known.FIELDS_OF_AMOUNT.includes(parent.name) && known.FIELDS_OF_LIMIT.includes(ownName);
	const name = isOfAmount ? parent.name : ownName;
	const isError = known.FIELDS_OF_ERROR.includes(name);
	const place = {
		key,
		name,
		isOfError: isError,
		isHead: parent.isHead && known.FIELDS_OF_HEAD.includes(name),
	};
	if (isNothing(value)) return { says: [] };
	if (parent.isHead && isLeftOut(name, value, beside)) return { says: [] };
	if (known.FIELDS_OF_LINKS.includes(name) && leadToDocumentation(value)) return { says: [] };
	if (FIELDS.has(name)) return judge(value, place, beside);
	if (beside.names.includes(key)) return judge(value, { ...place, name: 'field' }, beside);
	if ((parent.isOfError || Array.isArray(value) || name === 'id') && sayWhy(key, value, parent, beside))
		return { says: ['reason'] };
	return { says: [], unknown: { kind: 'field', name: key } };
}

/** A name of more words counts as its last one: `debugMessage` as `message`, `validationErrors` as `errors`. */
function roleOf(words: string[]): string {
	const name = words.join(' ');
	const role = words.at(-1) ?? '';
	if (FIELDS.has(name) || LEFT_OUT.has(name) || WITH_LINK.has(name) || !known.ROLES.includes(role))
		return name;
	return words.slice(0, -1).every((word) => isQualifier(word, role)) ? role : name;
}

/** The code of an account or a payment is an ID. */
function isQualifier(word: string, role: string): boolean {
	if (known.QUALIFIERS.includes(word)) return true;
	return role !== 'code' && isKnownWord(word) && !known.PAYMENT.includes(word);
}

/** Whether a field has a name of known words, and texts that say what is wrong with it. */
function sayWhy(key: string, value: unknown, parent: Place, beside: Beside): boolean {
	if (!isName(key.replaceAll(' ', '_'))) return false;
	return [value].flat().every((entry) => {
		if (typeof entry !== 'string' && !(parent.isOfError && Array.isArray(value) && isRecord(entry)))
			return false;
		const { unknown, says } = judge(entry, { key, name: 'message', isOfError: true, isHead: false }, beside);
		return unknown === undefined && says.includes('reason');
	});
}

/** Whether a text is the name of a field, or the way to it: `payment_reference`, `/items/0/amount`. */
function isName(text: string): boolean {
	if (!/^[ -~]*$/.test(text) || /\s/.test(text)) return false;
	if (isPath(text)) return !namesStep(text);
	const words = wordsOf(text.replace(/(?<=^|[.[/])\d{1,2}(?=$|[.\]/])/g, ''));
	return words.every((word) => isKnownWord(word) || known.WORDS_OF_NAMES.includes(word));
}

/** A record of links by their names, or a list of them with their kind under `rel`. */
function leadToDocumentation(value: unknown): boolean {
	const names = Array.isArray(value)
		? value.map((link) => (isRecord(link) ? textOf(link.rel) : ''))
		: Object.keys(Object(value) as object);
	return names.every((name) => known.LINKS_TO_DOCUMENTATION.includes(wordsOf(name).join(' ')));
}

function isLeftOut(name: string, value: unknown, { own, statusCode }: Beside): boolean {
	if (Array.isArray(value) || isRecord(value)) return false;
	if (WITH_LINK.has(name) && /^\S*$/.test(textOf(value))) return !namesEnd(textOf(value));
	// `error_id` may be a code in words too.
	if (LEFT_OUT.has(name)) return !FIELDS.has(name) || /\d/.test(textOf(value));
	if (!known.FIELDS_OF_PATH.includes(name) || namesEnd(textOf(value))) return false;
	const { unknown } = judgeText(textOf(value).replace(/\bv\d\b/g, ''), own, statusCode);
	return unknown === undefined || !/\p{N}/u.test(unknown);
}

function judgeString(text: string, { key, name }: Place, beside: Beside): BodyJudged {
	if (isRefusedCode(text, name, beside)) return { says: ['reason'] };
	if (isKnownString(text, name)) return { says: [] };
	if (isDoubtfulCode(name, text))
		return { says: [], unknown: { kind: 'word', name: text, field: key }, needsReason: true };
	const words = known.FIELDS_OF_CODE.includes(name) ? withoutPrefix(text, beside) : withoutCode(text);
	const { unknown, says } = judgeText(words, beside.own, beside.statusCode);
	if (unknown !== undefined) {
		// A user can add a code to the option, but not a word of it.
		const isWhole = FIELDS_OF_REFUSED_CODE.includes(name) && !/\s/.test(text);
		return { says, unknown: { kind: 'word', name: isWhole ? text : unknown, field: key } };
	}
	const saysYes =
		known.FIELDS_OF_NO.includes(name) || (known.FIELDS_OF_STATE.includes(name) && says.includes('other'));
	return saysYes ? { says, unknown: { kind: 'word', name: text, field: key } } : { says };
}

/** Without the name of the service, or of a part of it, before a code: `conekta.errors.missing_key`, `CCM_LIMIT_REACHED`. */
function withoutPrefix(code: string, { own, statusCode }: Beside): string {
	const words = code
		.replace(/^(?:4\d\d |[a-z]+\.errors?\.|(?:[A-Z]{2,5}\.){1,2}(?=[A-Z][a-z]))/, '')
		.replace(/\.v\d\./, '.');
	const withoutLetters = words.replace(/^[B-DF-HJ-NP-TV-Z]{2,3}_(?=[A-Z]+_)/, '');
	return judgeText(withoutLetters, own, statusCode).says.includes('reason') ? withoutLetters : words;
}

/** Without the code before a text: `E102: Invalid amount`. */
function withoutCode(text: string): string {
	const [start = '', code = '100'] =
		/^\[?([A-Z]{1,5}[-_]?\d{2,6})\]?\s?[:-]\s|^\(#(\d{1,5})\) /.exec(text) ?? [];
	return start !== '' && isCode(code) ? text.slice(start.length) : text;
}

/** Whether a text is what such a field may have: "no", a code, a number, or the name of a field. */
function isKnownString(text: string, name: string): boolean {
	if (known.FIELDS_OF_NO.includes(name)) return isNo(text);
	if (known.FIELDS_WITH_NAME.includes(name) && isName(text)) return true;
	if (known.FIELDS_OF_ORIGIN.includes(name) && /^[a-z]+(?:-[a-z]+)*$/i.test(text)) return true;
	if (known.FIELDS_OF_KIND.includes(name) && known.PAYMENT.includes(text.toLowerCase())) return true;
	return isCodeOf(name, text) || (known.FIELDS_OF_AMOUNT.includes(name) && isNumber(text));
}

/** Whether a number or a yes or no is what such a field may have. */
function isKnownValue(value: unknown, { name }: Place, { own, statusCode }: Beside): boolean {
	const text = textOf(value);
	if (known.FIELDS_OF_NO.includes(name)) return isNo(text);
	if (typeof value === 'boolean')
		return (
			known.FIELDS_OF_FLAG.includes(name) ||
			(isNo(text) ? known.FIELDS_OF_STATE : known.FIELDS_OF_YES).includes(name)
		);
	if (known.FIELDS_OF_ZERO.includes(name)) return text === '0';
	if (known.FIELDS_OF_AMOUNT.includes(name) || isCodeOf(name, text)) return true;
	// A number of the request.
	const { unknown, says } = judgeText(text, own, statusCode);
	return unknown === undefined && says.length === 0;
}

const FIELDS_OF_REFUSED_CODE = ['code', 'error', 'error code', 'type'];

function isRefusedCode(text: string, name: string, { refusedCodes }: Beside): boolean {
	return FIELDS_OF_REFUSED_CODE.includes(name) && refusedCodes.includes(text.trim().toLowerCase());
}

function isNumber(text: string): boolean {
	return /^-?\d{1,15}(?:[.,]\d+)*$/.test(text.trim());
}

/** Whether a value is the code of a refusal. A status is one from 400 to 499. */
function isCodeOf(name: string, text: string): boolean {
	if (!known.FIELDS_OF_CODE.includes(name)) return false;
	if (known.FIELDS_OF_STATE.includes(name)) return /^4\d\d$/.test(text.trim());
	return isCode(text) || (/\berr/.test(name) && /^20[3-9]$/.test(text.trim()));
}

/** Whether a number is a code of a service that looks like a status of success, and is none that services send. */
function isDoubtfulCode(name: string, text: string): boolean {
	return name === 'code' && /^2(?:0[3-9]|[1-9]\d)$/.test(text.trim());
}

/** Whether a text with digits is a code such as `4012`, `E102` or `USR_064`, and none that says yes. */
function isCode(text: string): boolean {
	const code = text.trim();
	if (/^0*$|^0*2\d\d$/.test(code)) return false;
	if (/^-?\d{1,8}$/.test(code) || /^\d{1,5}(?:[._-]\d{1,5}){1,3}$/.test(code)) return true;
	const [, letters] = /^([a-z]{1,5})[-_. ]?\d{1,6}$/i.exec(code) ?? [];
	return letters !== undefined && !known.BEGINNINGS_OF_ID.includes(letters.toLowerCase());
}
