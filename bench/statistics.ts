/** The middle figure, or the mean of the two middle ones. */
export function median(figures: number[]): number {
	const sorted = figures.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle]!;
	return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

/** Changes the order each round, so that no contender is always first or always follows the same one. */
function orderOfRound<T>(contenders: readonly T[], round: number): T[] {
	const shift = (round >> 1) % contenders.length;
	const order = [...contenders.slice(shift), ...contenders.slice(0, shift)];
	return round % 2 === 0 ? order : order.reverse();
}

/** Measures each contender once in each round, in the order of the round. Returns the figures of each round by contender. */
export async function measureRounds<C extends string, F>(
	contenders: readonly C[],
	count: number,
	measure: (contender: C) => Promise<F>,
): Promise<Array<Record<C, F>>> {
	const rounds: Array<Record<C, F>> = [];
	for (let round = 0; round < count; round++) {
		const figures: Partial<Record<C, F>> = {};
		for (const contender of orderOfRound(contenders, round)) figures[contender] = await measure(contender);
		rounds.push(figures as Record<C, F>);
	}
	return rounds;
}
