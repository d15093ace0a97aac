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

/** A record whose questions fail when `fails` says so. Removals are stored although they fail. */
function failing(fails: (write: number) => boolean) {
	const rows: Rows = new Map([[PLACE, ['an earlier event']]]);
	const asked: string[][] = [];
	const removed: string[][] = [];
	const items: ProcessedItems = {
		add: async (entries, max) => {
			asked.push(entries);
			if (fails(asked.length)) throw new Error('database is locked');
			return await Promise.resolve(startAdd(rows, PLACE, entries, max)());
		},
		remove: async (entries) => {
			removed.push(entries);
			startRemove(rows, PLACE, entries)();
			return await Promise.reject(new Error('database is locked'));
		},
	};
	const handle = async (trigger: string, key: string, finished?: string[], isWorker = true) =>
		await wasHandled(trigger, items, { key, finished }, { executionId: key, isWorker });
	return { handle, asked, removed };
}

test('an event is handled if the record cannot be asked: a duplicate is better than a lost event', async () => {
	const { handle } = failing(() => true);
	expect(await handle('locked', 'event', undefined, false)).toBe(false);
	expect(await handle('locked', 'event', [], false)).toBe(false);
});

test('a worker goes on looking after its events when a write fails', async () => {
	const { handle, asked } = failing((write) => write === 2);
	await handle('fails once', 'event');
	await until('the third write', () => asked.length === 3 || undefined);
	expect(asked[2]).toEqual(expect.arrayContaining(['event', 'event event']));
});

test('a worker looks after many events at once, the last 40 of them, and after later ones, too', async () => {
	const { handle, asked } = failing(() => false);
	for (let event = 0; event < 41; event += 1) await handle('many', `event ${event}`);
	expect(asked).toHaveLength(41);
	await until('one more write', () => asked.length === 42 || undefined);
	expect(asked.at(-1)).toHaveLength(80);
	expect(asked.at(-1)).not.toContain('event 0');
	await sleep(400);
	expect(asked).toHaveLength(42);
	await handle('many', 'later');
	await until('the write after it', () => asked.length === 44 || undefined);
});

test('a worker gives up after 20 more writes that another process undoes', async () => {
	const random = jest.spyOn(Math, 'random').mockReturnValue(0);
	const { handle, undoNext, writes } = sharedByWorkers();
	undoNext(Infinity);
	await handle('undone', 'event');
	await until('the last write', () => writes() === 21 || undefined);
	await sleep(400);
	expect(writes()).toBe(21);
	random.mockRestore();
});

test('When Finished: marks are removed of what has finished and of a duplicate, and of nothing else', async () => {
	const { handle, removed } = failing(() => false);
	expect(await handle('finished', 'event', [])).toBe(false);
	expect(removed).toEqual([]);
	expect(await handle('finished', 'other', ['event'])).toBe(false);
	expect(await handle('finished', 'event', [])).toBe(true);
	expect(removed).toEqual([['event unfinished'], ['event unfinished']]);
});
