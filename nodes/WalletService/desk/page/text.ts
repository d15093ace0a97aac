/** Texts for people, in mails and on pages. */

/** The text in one line, without characters that nobody sees: no value can add a line to a mail. */
export function oneLine(text: unknown): string {
	const words = typeof text === 'string' ? text : typeof text === 'number' ? String(text) : '';
	return words.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
}

/** A plain decimal as people read it: `1320.5` is `1,320.5`. Nothing is rounded, and no digit is added. */
export function readableAmount(decimal: string): string {
	const [whole = '', fraction] = decimal.split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1 payout`, `2 payouts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}
