/** What a worker does for an event in n8n's record when writes of another worker undo its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startAdd, startRemove } from '../../host/doubles/processedItems.ts';
import type { Rows } from '../../host/doubles/processedItems.ts';
import { until } from '../../host/until.ts';
import { wasHandled } from '../../nodes/WalletService/trigger/deduplication/record.ts';
import type { ProcessedItems } from '../../nodes/WalletService/sharedRecord.ts';

const PLACE = 'n:trigger';

/** A record of several workers. `undoNext`: how many of the next writes a write of another process undoes. */
function sharedByWorkers() {
	const rows: Rows = new Map([[PLACE, ['an earlier event']]]);
	let undo = 0;
	let writes = 0;
	let duration = 0;
	const items: ProcessedItems = {
		add: async (entries, max) => {
			writes += 1;
			const writeOther = startAdd(rows, PLACE, ['of another process'], max);
			const answer = startAdd(rows, PLACE, entries, max)();
			if (undo-- > 0) writeOther();
			await sleep(duration);
			return answer;
		},
		remove: async (entries) => await Promise.resolve(startRemove(rows, PLACE, entries)()),
	};
	const handle = async (worker: string, key: string) =>
		await wasHandled(worker, items, { key }, { executionId: `${worker} ${key}`, isWorker: true });
	return {
		handle,
		undoNext: (count: number) => (undo = count),
		take: (milliseconds: number) => (duration = milliseconds),
		has: (entry: string) => rows.get(PLACE)!.includes(entry),
		writes: () => writes,
	};
}

test.each([1, 2, 3])(
	'an event whose first %d writes are undone is a duplicate at the other worker',
	async (count) => {
		const { handle, undoNext, has } = sharedByWorkers();
		undoNext(count);
		expect(await handle(`one ${count}`, 'event')).toBe(false);
		await until('the event to be there', () => has('event') || undefined);
		expect(await handle(`other ${count}`, 'event')).toBe(true);
	},
);

test('an event whose write is undone is written again with the next event', async () => {
	const { handle, undoNext } = sharedByWorkers();
	undoNext(1);
	expect(await handle('first', 'event')).toBe(false);
	expect(await handle('first', 'next')).toBe(false);
	expect(await handle('second', 'event')).toBe(true);
});

test('an event is written again with each of the next ones until a write stays', async () => {
	const { handle, undoNext, has } = sharedByWorkers();
	undoNext(8);
	for (let event = 0; event < 9; event += 1) expect(await handle('third', `event ${event}`)).toBe(false);
	expect(has('event 0')).toBe(true);
});

test('an event that is asked for while the worker looks after others is looked after, too', async () => {
	const { handle, undoNext, take, has } = sharedByWorkers();
	await handle('busy', 'event');
	// The worker looks after the event 100 to 200 ms later. Its write waits for this one.
	take(300);
	undoNext(1);
	expect(await handle('busy', 'late')).toBe(false);
	take(0);
	await until('the late event to be there', () => has('late') || undefined, 3000);
});

test('what was found is not written any more', async () => {
	const { handle, writes } = sharedByWorkers();
	await handle('quiet', 'event');
	await until('the second write', () => writes() === 2 || undefined);
	await sleep(500);
	expect(writes()).toBe(2);
});
