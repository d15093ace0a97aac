/**
 * n8n's table of processed items as it behaves in mode `entries`, in memory. A call reads a row as a whole and writes it as a
 * whole; the two are apart, so that a caller can let other calls come between them, or let one of them fail. It is checked
 * against n8n's own in `test/n8n/processedItems.test.ts`.
 */
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** Texts by place. n8n keeps a digest of each text. */
export type Rows = Map<string, string[]>;

/** The key of a row. n8n reads the id of the node when the call comes, before it waits for anything, so callers do too. */
export function placeOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	if (!workflow.id)
		throw new Error('The expression evaluated to a falsy value: assert.ok(contextData.workflow.id)');
	return `${workflow.id}/${scope === 'node' ? `n:${node!.id}` : ''}`;
}

/** Reads the row. Returns the write, which throws if another call has made the row meanwhile. */
export function startAdd(
	rows: Rows,
	place: string,
	items: DeduplicationItemTypes[],
): () => IDeduplicationOutput {
	const row = rows.get(place);
	const before = new Set(row);
	const isKnown = (item: DeduplicationItemTypes) => before.has(String(item));
	const added = items.filter((item) => !isKnown(item));
	return () => {
		if (row !== undefined) overwrite(rows, place, [...row, ...added.map(String)]);
		else if (rows.has(place)) throw new Error('The row is there already');
		else rows.set(place, added.map(String));
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

/** How many texts the row has. */
export function count(rows: Rows, place: string): number {
	return rows.get(place)?.length ?? 0;
}

/** Deletes the row. */
export function clear(rows: Rows, place: string): void {
	rows.delete(place);
}

/** A row that was deleted meanwhile stays deleted. */
function overwrite(rows: Rows, place: string, entries: string[]): void {
	if (rows.has(place)) rows.set(place, entries);
}
