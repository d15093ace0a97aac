import { inWords, withoutAdvice } from './settleQuestion.js';
import { oneLine } from './text.js';

/** @param {Row} row */
const named = (row) => `${inWords(row)}, payment key ${oneLine(row.paymentKey)}`;

/**
 * What became of the rows that a person answered about, and which are still open.
 * @param {{ rows: Row[], answers: Row[], problem?: string, written: Array<{ id?: unknown }>, said: Array<Partial<Row> & { error?: unknown }> }} answer
 * `written`: the rows of the table that took the answer. `said`: what *pay once* gave for these
 */
export function settledMail({ rows, answers, problem, written, said }) {
	const failure = said.find(({ error }) => error)?.error;
	const isWritten = (/** @type {Row & { id?: unknown }} */ row) =>
		written.some(({ id }) => id !== undefined && id === row.id);
	const settled = answers.map((row) => {
		if (!isWritten(row))
			return {
				row,
				result: '',
				title: 'Nothing done',
				more: 'Somebody settled this row before, or an execution has changed it.',
			};
		const {
			result = 'unknown',
			payoutId,
			message,
		} = said.find(({ paymentKey }) => paymentKey === row.paymentKey) ?? {};
		if (result === 'paid') return { row, result, title: 'Paid now', more: `The payout is ${payoutId}.` };
		if (result === 'alreadyPaid')
			return { row, result, title: 'Settled as paid', more: 'Nothing was sent now.' };
		if (result !== 'unknown') return { row, result, title: 'Settled, but not paid', more: oneLine(message) };
		return {
			row,
			result,
			title: 'STILL NOT KNOWN',
			more: withoutAdvice(message ?? /** @type {{ message?: string }} */ (failure)?.message ?? failure),
			isHeld: String(message).startsWith('Not sent'),
		};
	});
	const unknown = settled.filter(({ result }) => result === 'unknown');
	const left = rows.filter((row) => !settled.some((one) => one.row.paymentKey === row.paymentKey));
	const lines = settled.map(({ row, title, more }) => `${title}: ${named(row)}. ${more}`.trim());
	const [first] = settled;
	const subject = problem
		? `Nothing done: ${rows.length === 1 ? named(rows[0]) : `${rows.length} payouts`}`
		: settled.length === 1
			? `${first.title}: ${named(first.row)}`
			: [...Map.groupBy(settled, ({ title }) => title)]
					.map(([title, some]) => `${title}: ${some.length} payouts`)
					.join('. ');
	const open = [
		...(unknown.length > 0 ? ['The approver gets a new mail for what is still not known.'] : []),
		...(left.length > 0
			? [
					`${left.length} ${left.length === 1 ? 'row is' : 'rows are'} still open. The approver can open the link of the last mail again.`,
				]
			: []),
	];
	return {
		subject,
		text: [...(problem ? [`${subject}. ${problem}`] : lines), ...open].join('\n'),
		isNewMail: unknown.length > 0,
		isOpen: unknown.length > 0 || left.length > 0,
		isSettled: settled.some(({ result }) => result !== ''),
		unknown: unknown.filter(({ isHeld }) => !isHeld).map(({ row }) => row),
	};
}
