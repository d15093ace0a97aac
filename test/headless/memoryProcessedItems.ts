import { setTimeout as sleep } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationScope, ICheckProcessedContextData, IDeduplicationOutput } from 'n8n-workflow';

/** DeduplicationHelper: n8n's record of processed items, in memory. Each call reads a record as a whole and writes it as a whole. */
export const records = new Map<string, string[]>();

/** What a write does wrong: it fails and nothing is stored, it is stored and fails, or n8n passes it over. */
type Fault = 'before' | 'after' | 'silently' | undefined;

/** `write`: milliseconds between the read and the write. `fail` is asked for each write. */
export const timing: { write: number; fail?: () => Fault } = { write: 1 };

async function change<T>(
	scope: DeduplicationScope,
	{ workflow, node }: ICheckProcessedContextData,
	edit: (entries: string[]) => { entries: string[]; result: T },
): Promise<T> {
	if (!workflow.id)
		throw new Error('The expression evaluated to a falsy value: assert.ok(contextData.workflow.id)');
	const place = `${workflow.id}/${scope === 'node' ? node!.id : ''}`;
	const { entries, result } = edit([...(records.get(place) ?? [])]);
	await sleep(timing.write);
	const fault = timing.fail?.();
	if (fault === 'silently') return { new: [], processed: [] } as T;
	if (fault !== 'before') records.set(place, entries);
	if (fault !== undefined) throw new Error('database is locked');
	return result;
}

void DataDeduplicationService.init({
	checkProcessedAndRecord: async (items, scope, context, { maxEntries = Infinity } = { mode: 'entries' }) =>
		await change(scope, context, (entries) => {
			const result: IDeduplicationOutput = { new: [], processed: [] };
			const before = new Set(entries);
			for (const item of items) {
				if (before.has(String(item))) result.processed.push(item);
				else {
					result.new.push(item);
					entries.push(String(item));
				}
			}
			return { entries: entries.slice(-maxEntries), result };
		}),
	removeProcessed: async (items, scope, context) =>
		await change(scope, context, (entries) => ({
			entries: entries.filter((entry) => !items.includes(entry)),
			result: undefined,
		})),
	clearAllProcessedItems: async (scope, context) =>
		await change(scope, context, () => ({ entries: [], result: undefined })),
	getProcessedDataCount: async (scope, context) =>
		await change(scope, context, (entries) => ({ entries, result: entries.length })),
} as Parameters<typeof DataDeduplicationService.init>[0]);
