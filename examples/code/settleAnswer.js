/** @type {Record<string, string>} */
const WORDS = { 'It was paid': 'wasPaid', 'It was not paid: pay now': 'wasNotPaid' };

/**
 * Reads which rows an answer is about: `1, 3`, `2-4` or `all`. With a single row, nothing has to be entered. What cannot be read decides
 * nothing at all.
 * @param {unknown} answer
 * @param {unknown} rows
 * @param {number} count
 * @returns {{ problem?: string, chosen?: number[], settle?: string }}
 */
export function decisionsIn(answer, rows, count) {
	const settle = typeof answer === 'string' && Object.hasOwn(WORDS, answer) ? WORDS[answer] : undefined;
	if (settle === undefined) return { problem: 'There was no answer that could be read.' };
	const text = typeof rows === 'string' ? rows.trim() : rows === undefined || rows === null ? '' : '?';
	const every = Array.from({ length: count }, (_, index) => index + 1);
	if ((text === '' && count === 1) || /^all$/i.test(text)) return { settle, chosen: every };
	const isRead = /^\d{1,4}( ?- ?\d{1,4})?( ?[,; ] ?\d{1,4}( ?- ?\d{1,4})?)*$/.test(text);
	const ranges = isRead ? [...text.matchAll(/(\d+)(?: ?- ?(\d+))?/g)] : [];
	const bounds = ranges.map(([, from, to = from]) => [Number(from), Number(to)]);
	if (bounds.length === 0 || bounds.some(([from, to]) => from < 1 || to < from || to > count))
		return {
			problem: `Enter in Rows which rows you mean: numbers from 1 to ${count}, such as 1 or 1, 2, or the word all.`,
		};
	return {
		settle,
		chosen: every.filter((number) => bounds.some(([from, to]) => number >= from && number <= to)),
	};
}
