/** Items in words. People count them from 1, n8n's indexes from 0. */

/** Numbers, or ranges of them, that one sentence names. */
const MAX_RANGES = 10;

/** `item 1`, `items 1, 3 to 5`. `items` are indexes, in ascending order. */
export function itemsInWords(items: number[]): string {
	const ranges: Array<[first: number, last: number]> = [];
	for (const item of items.map((index) => index + 1)) {
		const range = ranges.at(-1);
		if (range !== undefined && range[1] === item - 1) range[1] = item;
		else ranges.push([item, item]);
	}
	const shown = ranges.slice(0, MAX_RANGES);
	const count = shown.reduce((sum, [first, last]) => sum + last - first + 1, 0);
	const words = shown
		.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`))
		.join(', ');
	const more = items.length > count ? ` and ${items.length - count} more` : '';
	return `${items.length === 1 ? 'item' : 'items'} ${words}${more}`;
}

/** The message with the number of its item, unless the run has one item only. `of`: n8n's own `[item 1]` is the second one. */
export function atItem(message: string, item: number, count: number): string {
	return count === 1 ? message : `${message} [${itemsInWords([item])} of ${count}]`;
}
