/** How many calls are under way at the same time, and which comes next. */
import { Concurrency } from '../../nodes/shared/http/concurrency.ts';
import { turn } from '../fixtures/turn.ts';

/** Calls that end when the test says so. */
function heldCalls(slots: Concurrency, count: number) {
	const begun: number[] = [];
	const ends: Array<{ resolve: () => void; reject: (error: Error) => void }> = [];
	const calls = Array.from({ length: count }, async (_, number) => {
		const call = async () => {
			begun.push(number);
			await new Promise<void>((resolve, reject) => (ends[number] = { resolve, reject }));
			return number;
		};
		return await slots.use(call);
	});
	return { begun, ends, calls };
}

test('as many calls begin as there are slots, the others in their order when one ends', async () => {
	const { begun, ends, calls } = heldCalls(new Concurrency(2), 4);
	await turn();
	expect(begun).toEqual([0, 1]);
	ends[1]!.resolve();
	await turn();
	expect(begun).toEqual([0, 1, 2]);
	for (const number of [2, 0]) ends[number]!.resolve();
	await turn();
	ends[3]!.resolve();
	expect(await Promise.all(calls)).toEqual([0, 1, 2, 3]);
});

test('a call that fails frees its slot', async () => {
	const slots = new Concurrency(1);
	const { ends, calls } = heldCalls(slots, 2);
	await turn();
	ends[0]!.reject(new Error('no answer'));
	await expect(calls[0]).rejects.toThrow('no answer');
	await turn();
	ends[1]!.resolve();
	expect(await calls[1]).toBe(1);
	expect(await slots.use(async () => await Promise.resolve('free'))).toBe('free');
});
