/** All sentences of Read Decisions: what happened, then what to do. */
import { enumerated } from '../../../shared/text.ts';
import { DeskProblem } from '../../operation/problem.ts';
import { quoted } from '../report/messages.ts';

/** A form of n8n prints a message as HTML, so a text that was typed has nearly the same signs in their place. */
const shown = (text: string): string => quoted(text.replaceAll('<', '‹').replaceAll('>', '›'));

const inQuotes = (texts: readonly string[]): string => enumerated(texts.map(shown));

/** How an answer must be, for the person who is asked again. */
const ANSWER_AGAIN =
	'Answer again: write Payment Keys or row numbers of unknown payments of this page, with commas between them. One of the fields may stay empty. Without an answer, nothing is sent';

/** Why one or more texts of an answer decide nothing. */
export const TYPED = {
	isNoPayment: (texts: readonly string[]) =>
		`${inQuotes(texts)} ${texts.length === 1 ? 'is' : 'are'} neither a Payment Key nor a row of the page.`,
	isKnown: (texts: readonly string[]) => `It is known what became of ${inQuotes(texts)}.`,
	isNotForNow: (texts: readonly string[]) => `Nobody can decide about ${inQuotes(texts)} now.`,
	isOfSeveral: (texts: readonly string[]) =>
		`${inQuotes(texts)} can mean more than one payment: write “Row 7” for a row, or the Payment Key in quotes.`,
	isInBoth: (texts: readonly string[]) =>
		`${inQuotes(texts)} ${texts.length === 1 ? 'stands' : 'stand'} in both fields.`,
};

/** Why an answer decides nothing at all. */
export const DECISIONS = {
	rowsAreNotOfReport: () =>
		new DeskProblem(
			"'Rows of the Report' is not the list that Report gives, so nothing was decided",
			"Set it to the field 'rows' of the report whose page was answered",
		),
	hasSeveralAnswers: () =>
		new DeskProblem(
			'Read Decisions has got more than one item, so it is not certain which answer counts, and nothing was decided',
			'Hand over one item: the answer of one form. If several people have answered, ask them to agree first',
		),
	areEmpty: () => new DeskProblem('Nothing was decided. Both fields are empty.', ANSWER_AGAIN),
	areWrong: (reasons: readonly string[]) =>
		new DeskProblem(`Nothing was decided. ${reasons.join(' ')}`, ANSWER_AGAIN),
};
