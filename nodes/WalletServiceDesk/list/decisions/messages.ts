/** All sentences of Read Decisions: what happened, then what to do. */
import type { Texts } from '../../../../api/texts.ts';
import { DeskProblem } from '../../operation/problem.ts';
import { FORM, quoted } from '../report/messages.ts';

/** Why an answer decides nothing at all. */
export const DECISIONS = {
	rowsAreNotOfReport: () =>
		new DeskProblem(
			"'Rows of the Report' is not the list that Report gives, so nothing was decided",
			"Set it to the field 'rows' of the report whose form was answered",
		),
	hasSeveralAnswers: () =>
		new DeskProblem(
			'Read Decisions has got more than one item, so it is not certain which answer counts, and nothing was decided',
			'Hand over one item: the answer of one form. If several people have answered, ask them to agree first',
		),
	answerIsOfNoForm: () =>
		new DeskProblem(
			'The item has no answer about a payment of these rows, so nothing was decided',
			"Use 'settleForm' of the same report as the form's JSON, and hand over the item that the form gives",
		),
	namesNoPayment: (field: string) =>
		new DeskProblem(
			`The answer ${quoted(field)} names no unknown payment of these rows, so nothing was decided`,
			'Use the rows of the same report as the form. Nothing was sent',
		),
	isNoChoice: ({ field, word }: Texts<'field' | 'word'>) =>
		new DeskProblem(
			`The answer ${quoted(word)} about ${quoted(field)} is none of the choices, so nothing was decided`,
			`The choices are: ${FORM.wasPaid} · ${FORM.wasNotPaid} · ${FORM.notKnownYet}`,
		),
	contradicts: ({ first, second }: Texts<'first' | 'second'>) =>
		new DeskProblem(
			`Two answers about one payment say different things: ${quoted(first)} and ${quoted(second)}. Nothing was decided`,
			'They have the same Payment Key, so they are one payment. Ask the person again',
		),
};
