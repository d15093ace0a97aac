/** Throws if there is no such entry. */
export function entryOf<T>(record: Record<string, T>, name: string): T {
	const entry = record[name];
	if (entry === undefined) throw new Error(`There is no ${name} among ${Object.keys(record).join(', ')}`);
	return entry;
}

/** Counts equal words: `200: 8000, 401: 3`. */
export function tally(words: readonly string[]): string {
	const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => `${word}: ${all.length}`);
	return counts.toSorted().join(', ') || 'none';
}
