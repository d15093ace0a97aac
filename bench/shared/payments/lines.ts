/** The lines of the one table that the money soaks print. */

export interface PaymentLine {
	what: string;
	/** How many payments were wanted, each with an amount of its own. */
	asked?: number;
	/** How many of them the service made, by its own records. */
	paid?: number;
	/** How many of them it made more than once. */
	paidTwice?: number;
	/** How many it did not make although no execution names them as failed or unknown. */
	unaccounted?: number;
	/** Further figures. */
	more: string;
}

/** What a money soak gives. */
export interface PaymentFigures {
	lines: PaymentLine[];
	/** The missed targets, in words. */
	misses: string[];
}

/** The lines, with a miss for each payment that was made twice, or neither made nor named. */
export function judged(lines: PaymentLine[]): PaymentFigures {
	const misses = lines.flatMap(({ what, paidTwice = 0, unaccounted = 0 }) => [
		...(paidTwice > 0 ? [`${what}: ${paidTwice} paid twice`] : []),
		...(unaccounted > 0 ? [`${what}: ${unaccounted} neither paid nor named`] : []),
	]);
	return { lines, misses };
}

const COLUMNS: Array<[keyof PaymentLine, string]> = [
	['what', 'what'],
	['asked', 'asked'],
	['paid', 'paid'],
	['paidTwice', 'paid twice'],
	['unaccounted', 'neither paid nor named'],
	['more', 'more'],
];

/** The lines as text, in columns. */
export function tableOfPayments(lines: PaymentLine[]): string {
	const columns = COLUMNS.map(([key, title]) => {
		const cells = [title, ...lines.map((line) => String(line[key] ?? ''))];
		const width = Math.max(...cells.map((cell) => cell.length));
		const isText = key === 'what' || key === 'more';
		return cells.map((cell) => (isText ? cell.padEnd(width) : cell.padStart(width)));
	});
	return ['', ...lines].map((_, row) => `| ${columns.map((cells) => cells[row]).join(' | ')} |`).join('\n');
}
