/** What soaks find, and how it is printed. */

/** A row of the one table of all soaks of payments. */
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

export interface PaymentFigures {
	lines: PaymentLine[];
	/** The missed targets, in words. */
	misses: string[];
}

export interface SoakOptions {
	/** About a minute at most, for tests. */
	short: boolean;
}

/** A soak of payments returns its figures; others print them. */
export type Soak = (options: SoakOptions) => Promise<PaymentFigures | void>;

/** Measures one after the other. */
export async function inTurn<T>(
	all: T[],
	measure: (each: T, index: number) => Promise<PaymentFigures>,
): Promise<PaymentFigures> {
	const figures: PaymentFigures[] = [];
	for (const [index, each] of all.entries()) figures.push(await measure(each, index));
	return { lines: figures.flatMap(({ lines }) => lines), misses: figures.flatMap(({ misses }) => misses) };
}

/** The line with its misses. `wrong`: figures that must be 0, by name. */
export function judged(line: PaymentLine, wrong: Record<string, number>): PaymentFigures {
	const counts = Object.entries(wrong);
	const more = [...counts.map(([name, count]) => `${name}: ${count}`), line.more].join('; ');
	const missed = counts.filter(([, count]) => count > 0);
	return {
		lines: [{ ...line, more }],
		misses: missed.map(([name, count]) => `${line.what}: ${count} ${name}`),
	};
}

export type Figures = Record<string, number | string>;

/** Prints the figures. Throws if one of the targets, by name, is not 0. */
export function reportFigures(title: string, figures: Figures, targets: readonly string[]): void {
	process.stdout.write(`${title}\n`);
	console.table(figures);
	throwIfMissed(
		targets.filter((name) => figures[name] !== 0).map((name) => `${name.trim()}: ${figures[name]}, not 0`),
	);
}

export function throwIfMissed(misses: string[]): void {
	if (misses.length > 0) throw new Error(`Targets missed: ${misses.join('; ')}`);
}
