/** What a person reads on the page that asks for a yes: its payments, by the heads of the tables in which they stand. */

/** A payment as the page shows it. */
export interface ShownPayment {
	key: string;
	amount: string;
	code: string;
	destination: string;
}

const HEAD = 'Row and key | Payout';

/** The payments on the page of an approver, as `browse` gives it. */
export function paymentsOn(page: string): ShownPayment[] {
	return [...page.matchAll(/<table[^>]*>(.*?)<\/table>/gs)].flatMap(([, table = '']) => {
		const [head, ...rows] = [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) => cellsIn(row));
		return head?.map((lines) => lines.join(' ')).join(' | ') === HEAD
			? rows.flatMap((row, index) => paymentIn(withKey(row, rows[index - 1])))
			: [];
	});
}

/** The lines of each cell that is no distance between two others. */
function cellsIn(row: string): string[][] {
	return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)]
		.map(([, cell = '']) => cell.split(/<br\s*\/?>/).map(textIn))
		.filter((lines) => lines.some((line) => line !== ''));
}

function textIn(html: string): string {
	const text = html.replace(/<[^>]*>/g, '');
	return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).trim();
}

/** A key that is too long for its column stands in the row above, alone with the number of the payment's row. */
function withKey(row: string[][], above: string[][] = []): string[][] {
	const [about] = above;
	return row.length === 1 && above.length === 1 && /^\d+$/.test(about?.[0] ?? '') ? [about!, ...row] : row;
}

/** A row below a payment has one cell, with what is unlike before. */
function paymentIn([about = [], payout = []]: string[][]): ShownPayment[] {
	const [, separated = '', code = '', destination] =
		/^(\S+) (\S+) to (.+)$/.exec(payout.slice(0, 2).join(' ')) ?? [];
	if (destination === undefined) return [];
	return [{ key: about.slice(1).join(''), amount: separated.replaceAll(',', ''), code, destination }];
}
