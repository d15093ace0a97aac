/**
 * n8n's record of processed items as it behaves in mode `entries`, in memory. A call reads a row as a whole and writes it as a
 * whole; the two are apart, so that a caller can let other calls come between them, or let one of them fail. It is checked
 * against n8n's own in `test/n8n/processedItems.test.ts`.
 */
import type { DeduplicationItemTypes, IDeduplicationOutput } from 'n8n-workflow';

/** Texts by place. n8n keeps a digest of each text. */
export type Rows = Map<string, string[]>;

/** Reads the row. Returns the write, which throws if another call has made the row meanwhile. */
export function startAdd(
	rows: Rows,
	place: string,
	items: DeduplicationItemTypes[],
	maxEntries = 0,
): () => IDeduplicationOutput {
	const row = rows.get(place);
	const before = new Set(row);
	const isKnown = (item: DeduplicationItemTypes) => before.has(String(item));
	const added = items.filter((item) => !isKnown(item));
	const entries = [...(row ?? []), ...added.map(String)];
	const kept = maxEntries > 0 ? entries.slice(-maxEntries) : entries;
	return () => {
		if (row !== undefined) overwrite(rows, place, kept);
		else if (rows.has(place)) throw new Error('The row is there already');
		else rows.set(place, kept);
		return { new: added, processed: items.filter(isKnown) };
	};
}

/** Reads the row. Returns the write. A text that is there twice is removed once for each time that it is named. */
export function startRemove(rows: Rows, place: string, items: DeduplicationItemTypes[]): () => void {
	const row = rows.get(place);
	if (row === undefined) return () => {};
	const kept = [...row];
	for (const item of items) {
		const index = kept.indexOf(String(item));
		if (index !== -1) kept.splice(index, 1);
	}
	return () => overwrite(rows, place, kept);
}

/** A row that was deleted meanwhile stays deleted. */
function overwrite(rows: Rows, place: string, entries: string[]): void {
	if (rows.has(place)) rows.set(place, entries);
}
