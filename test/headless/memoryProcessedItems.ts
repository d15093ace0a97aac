import { setTimeout as sleep } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import { clear, count, placeOf, startAdd, startRemove } from '../fixtures/processedItems.ts';

/** DeduplicationHelper: n8n's record of processed items, in memory. */
export const records = new Map<string, string[]>();

/**
 * What a write does wrong: it fails and nothing is stored, it is stored and fails, n8n passes it over, or the database is `away`. The
 * connection may end when it is stored: `cutOff`.
 */
type Fault = 'before' | 'after' | 'silently' | 'away' | 'cutOff' | undefined;

/** `ask` writes too. */
type Kind = 'ask' | 'remove' | 'read';

/**
 * `fail` is asked for each call. `place`: the row that it is about. `ahead`: milliseconds by which
 * both clocks of this process are ahead. `set`: by which a person has set that of the machine since, or the process has slept.
 */
export const timing: { fail?: (kind: Kind, place: string) => Fault; ahead: number; set: number } = {
	ahead: 0,
	set: 0,
};

const clocks = { machine: Date.now, process: performance.now.bind(performance) };
Date.now = () => clocks.machine() + timing.ahead + timing.set;
performance.now = () => clocks.process() + timing.ahead;

/** n8n reads the id of the node before it waits, so callers of this do too. */
async function finish<T>(kind: Kind, place: string, write: () => T): Promise<T> {
	await sleep(1);
	const fault = timing.fail?.(kind, place);
	if (fault === 'silently') return { new: [], processed: [] } as T;
	const result = fault === 'before' || fault === 'away' ? undefined : write();
	if (fault === 'away') throw Object.assign(new Error(), { code: 'ECONNREFUSED' });
	if (fault === 'cutOff') throw new Error('Connection terminated unexpectedly');
	if (fault !== undefined) throw new Error('database is locked');
	return result as T;
}

/** Ten minutes pass, for the node and its service: each request so far is over, and its rows are old. Until the end of the test. */
export function ageKeys(): void {
	timing.ahead += 600_000;
}

void DataDeduplicationService.init({
	checkProcessedAndRecord: async (items, scope, context) => {
		const place = placeOf(scope, context);
		return await finish('ask', place, startAdd(records, place, items));
	},
	removeProcessed: async (items, scope, context) => {
		const place = placeOf(scope, context);
		await finish('remove', place, startRemove(records, place, items));
	},
	clearAllProcessedItems: async (scope, context) => {
		const place = placeOf(scope, context);
		await finish('remove', place, () => clear(records, place));
	},
	getProcessedDataCount: async (scope, context) => {
		const place = placeOf(scope, context);
		return await finish('read', place, () => count(records, place));
	},
} as Parameters<typeof DataDeduplicationService.init>[0]);
