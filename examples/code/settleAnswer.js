/** @type {Record<string, string>} */
const WORDS = { 'It was paid': 'wasPaid', 'It was not paid: pay now': 'wasNotPaid' };

/**
 * Reads which rows an answer is about: `1, 3`, `2-4` or `all`. With a single row, nothing has to be entered. What cannot be read decides
 * nothing at all.
 * @param {unknown} answer
 * @param {unknown} rows
 * @param {number[]} open the numbers of the rows that have no answer yet
 * @returns {{ problem?: string, chosen?: number[], settle?: string }}
 */
export function decisionsIn(answer, rows, open) {
	const settle = typeof answer === 'string' && Object.hasOwn(WORDS, answer) ? WORDS[answer] : undefined;
	if (settle === undefined) return { problem: 'There was no answer that could be read.' };
	const text = typeof rows === 'string' ? rows.trim() : rows === undefined || rows === null ? '' : '?';
	if ((text === '' && open.length === 1) || /^all$/i.test(text)) return { settle, chosen: open };
	const isRead = /^\d{1,4}( ?- ?\d{1,4})?( ?[,; ] ?\d{1,4}( ?- ?\d{1,4})?)*$/.test(text);
	const ranges = isRead ? [...text.matchAll(/(\d+)(?: ?- ?(\d+))?/g)] : [];
	const bounds = ranges.map(([, from, to = from]) => [Number(from), Number(to)]);
	const isOpen = (/** @type {number[]} */ [from, to]) =>
		open.includes(from) && open.includes(to) && to >= from;
	if (bounds.length === 0 || !bounds.every(isOpen))
		return {
			problem:
				open.length === 1
					? `Only row ${open[0]} is open. Leave Rows empty.`
					: `Enter in Rows which open rows you mean, such as ${open.slice(0, 2).join(', ')}, or the word all.`,
		};
	return {
		settle,
		chosen: open.filter((number) => bounds.some(([from, to]) => number >= from && number <= to)),
	};
}
