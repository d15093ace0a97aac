/** The figures of a soak, printed as a list. */
export type Figures = Record<string, number | string>;

/** Prints the figures. Throws if one of the targets, by name, is not 0. */
export function reportFigures(title: string, figures: Figures, targets: readonly string[]): void {
	const lines = Object.entries(figures).map(([name, figure]) => `  ${name.padEnd(60)} ${figure}`);
	process.stdout.write(`${title}\n${lines.join('\n')}\n`);
	throwIfMissed(
		targets.filter((name) => figures[name] !== 0).map((name) => `${name.trim()}: ${figures[name]}, not 0`),
	);
}

/** Throws if there is a miss. */
export function throwIfMissed(misses: string[]): void {
	if (misses.length > 0) throw new Error(`Targets missed: ${misses.join('; ')}`);
}
