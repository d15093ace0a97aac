/** Columns without a meaning here, that change the meaning of a row: it is no payout any more, or cannot be paid as it stands. */
import { wordsOf } from '../../../shared/answers/words.ts';
import type { RawRow } from './cells.ts';
import { comparedName } from './columns.ts';
import { OTHER_COLUMN } from './messages.ts';

/** What people and programs write of a row that must not be paid. */
const TAKEN_BACK = [
	...['cancelled', 'canceled', 'cancel', 'void', 'voided', 'on hold', 'hold', 'do not pay'],
	...[
		'paid',
		'already paid',
		'fully paid',
		'paid in full',
		'refund',
		'refunded',
		'credit note',
		'credit memo',
	],
	...[
		'storniert',
		'bezahlt',
		'gesperrt',
		'gutschrift',
		'annul\u00e9',
		'annul\u00e9e',
		'pay\u00e9',
		'pay\u00e9e',
		'avoir',
	],
	...['anulado', 'cancelado', 'pagado', 'annullato', 'pagato', 'geannuleerd', 'betaald'],
].join('|');
/** `ON_HOLD` is `on hold`. */
const WORDS = `(?:${TAKEN_BACK.replaceAll(' ', String.raw`[\s_-]*`)})`;

/** `Paid`, `Paid 12/05`, `VOID - see INV-9`; not `Paid media` and `Void fill`, which are something to pay for. */
const SAYS = new RegExp(
	String.raw`^${WORDS}(?:$|\s*[:;,.!(]|\s+[-\u2013\u2014/]\s|\s+(?:\d|on\b|by\b))`,
	'i',
);
const NAME_SAYS = new RegExp(`^${WORDS}[?:]?$`, 'i');
const YES = /^(?:yes|y|true|x|1|\u2713|\u2714|\u2611)$/i;

/** The tag or memo by which a receiver of coins finds whose money has come. */
const TAG = /^(?:(?:dest|destination|address|wallet)?tag|memo(?:id|tag)?)$/;

/** What only a person says, when asked. Whoever writes a list could say it there. */
const OF_PEOPLE = ['approvedBy', 'approvalsNeeded', 'decision'].map(comparedName);

export function isOfPeople(name: string): boolean {
	return OF_PEOPLE.includes(comparedName(name));
}

/** A name can be as long as the file, and is read for each row. */
const MAX_NAME_LENGTH = 100;

export function otherColumnProblems(extra: RawRow['extra'], isCoin: boolean): string[] {
	return extra.flatMap(([name, text]) => {
		if (isOfPeople(name)) return [OTHER_COLUMN.isOfPeople(name)];
		const begin = name.slice(0, MAX_NAME_LENGTH).trim();
		const isTakenBack = SAYS.test(text) || (NAME_SAYS.test(begin) && YES.test(text));
		if (isTakenBack) return [OTHER_COLUMN.takesBack({ name, text })];
		const isTag = isCoin && wordsOf(begin).some((word) => TAG.test(word));
		return isTag ? [OTHER_COLUMN.isTag({ name, text })] : [];
	});
}
