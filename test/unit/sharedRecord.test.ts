/** The executions of a process share n8n's record: their calls go out in order, and their questions together. */
import { SharedRecord } from '../../nodes/WalletService/sharedRecord.ts';
import type { ProcessedItems } from '../../nodes/WalletService/sharedRecord.ts';

/** A record that keeps its writes, each with how long it takes on a clock of its own. */
function record({ duration = 0 } = {}) {
	const writes: string[] = [];
	const kept = new Set<string>();
	const pauses: number[] = [];
	let failing = 0;
	let now = 0;
	const written = async (kind: string, entries: string[]) => {
		writes.push(`${kind} ${entries.join()}`);
		now += duration;
		// Calls that come meanwhile wait for the same turn.
		await new Promise((resolve) => setImmediate(resolve));
		if (failing === 0) return;
		failing -= 1;
		throw new Error('database is locked');
	};
	const items: ProcessedItems = {
		add: async (entries) => {
			const processed = entries.filter((entry) => kept.has(entry));
			await written('add', entries);
			for (const entry of entries) kept.add(entry);
			return { new: entries.filter((entry) => !processed.includes(entry)), processed };
		},
		remove: async (entries) => {
			await written('remove', entries);
			for (const entry of entries) kept.delete(entry);
		},
	};
	const sleep = async (milliseconds: number) => await Promise.resolve(void pauses.push(milliseconds));
	const shared = new SharedRecord(sleep, undefined, () => now);
	return { shared, items, writes, pauses, fail: (count: number) => (failing = count) };
}

test('questions that wait together are one write', async () => {
	const { shared, items, writes } = record();
	await Promise.all([['a'], ['b', 'c'], ['d']].map((entries) => shared.ask(items, entries)));
	expect(writes).toEqual(['add a,b,c,d']);
});

test('questions about the same entry are asked one after the other', async () => {
	const { shared, items, writes } = record();
	const answers = await Promise.all([['a', 'b'], ['a'], ['c']].map((entries) => shared.ask(items, entries)));
	expect(writes).toEqual(['add a,b', 'add a,c']);
	expect(answers.map((found) => found.has('a'))).toEqual([false, true, true]);
});

test('a question and a removal are never one write, and stay in their order', async () => {
	const { shared, items, writes } = record();
	await Promise.all([shared.ask(items, ['a']), shared.remove(items, ['a']), shared.ask(items, ['a'])]);
	expect(writes).toEqual(['add a', 'remove a', 'add a']);
});

test('a write that fails rejects only those who wait for it', async () => {
	const { shared, items, fail } = record();
	fail(1);
	const first = [shared.ask(items, ['a']), shared.ask(items, ['b'])];
	const second = shared.ask(items, ['a']);
	const settled = await Promise.allSettled([...first, second]);
	expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
	expect((await shared.ask(items, ['a'])).has('a')).toBe(true);
});

test('a removal is made once, and a removal for good is made again if it fails', async () => {
	const { shared, items, writes, fail } = record();
	fail(1);
	await expect(shared.remove(items, ['a'])).rejects.toThrow('locked');
	expect(writes).toEqual(['remove a']);
	fail(1);
	await shared.removeForGood(items, 'b', []);
	expect(writes).toEqual(['remove a', 'remove b', 'remove b']);
});

test('the last twelve entries that were removed for good are removed again', async () => {
	const { shared, items, writes } = record();
	const names = [...'abcdefghijklmn'];
	for (const name of names) await shared.removeForGood(items, name, []);
	expect(writes.slice(0, 2)).toEqual(['remove a', 'remove a,b']);
	expect(writes.at(-1)).toBe(`remove ${names.slice(2).join()}`);
	await shared.remove(items, ['x']);
	expect(writes.at(-1)).toBe('remove x');
});

test('an entry that is asked for again is not removed again, because its key may be claimed again', async () => {
	const { shared, items, writes } = record();
	await shared.removeForGood(items, 'a', ['b']);
	await shared.removeForGood(items, 'c', []);
	expect(writes.at(-1)).toBe('remove a,c');
	await shared.ask(items, ['a']);
	await shared.removeForGood(items, 'd', []);
	expect(writes.at(-1)).toBe('remove c,d');
});

test.each([
	[0, 100],
	[20, 100],
	[50, 200],
	[30_000, 2000],
])('after a write of %d ms a pause is %d ms', async (duration, pause) => {
	const { shared, items, pauses } = record({ duration });
	await shared.ask(items, ['a']);
	await shared.pause();
	expect(pauses).toEqual([pause]);
});
