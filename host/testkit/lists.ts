/** Throws if there is no such element. */
export function elementAt<T>(list: readonly T[], index: number): T {
	const element = list[index];
	if (element === undefined) throw new Error(`There is no element ${index} in a list of ${list.length}`);
	return element;
}

/** The element at this index. After the last element, the list begins again. */
export function cycle<T>(list: readonly T[], index: number): T {
	return elementAt(list, index % list.length);
}

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
