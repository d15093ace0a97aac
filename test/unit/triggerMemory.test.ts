/** What one process remembers of the deliveries of a trigger. */
import { memoryOf } from '../../nodes/WalletService/trigger/deduplication/memory.ts';

let triggers = 0;
const newMemory = () => memoryOf(`trigger ${(triggers += 1)}`);

/** Claims a delivery and ends the claim at once. Returns whether the workflow starts. */
async function deliver(
	memory: ReturnType<typeof newMemory>,
	key: string,
	{ subject, isAccepted = true }: { subject?: string; isAccepted?: boolean } = {},
) {
	const complete = await memory.claim({ key, subject });
	complete?.(isAccepted);
	return complete !== undefined;
}

test('each delivery starts the workflow once, whatever comes between', async () => {
	const memory = newMemory();
	expect(await deliver(memory, 'first')).toBe(true);
	expect(await deliver(memory, 'second')).toBe(true);
	expect(await deliver(memory, 'first')).toBe(false);
	expect(await deliver(memory, 'second')).toBe(false);
});

test('a delivery that was not accepted starts the workflow when it comes again', async () => {
	const memory = newMemory();
	expect(await deliver(memory, 'event', { isAccepted: false })).toBe(true);
	expect(memory.has('event')).toBe(false);
	expect(await deliver(memory, 'event')).toBe(true);
});

test('a claim that ends twice does not end the claim of the next copy', async () => {
	const memory = newMemory();
	const completeFirst = await memory.claim({ key: 'event', subject: undefined });
	completeFirst!(false);
	const completeSecond = await memory.claim({ key: 'event', subject: undefined });
	completeFirst!(false);
	const third = deliver(memory, 'event');
	completeSecond!(true);
	expect(await third).toBe(false);
});

test('a state of a review that comes back starts the workflow again, and one that is repeated does not', async () => {
	const memory = newMemory();
	const review = async (key: string, subject = 'wallet') => await deliver(memory, key, { subject });
	expect(await review('approved')).toBe(true);
	expect(await review('approved')).toBe(false);
	expect(await review('approved for another', 'other')).toBe(true);
	expect(await review('approved')).toBe(false);
	expect(await review('rejected')).toBe(true);
	expect(await review('approved')).toBe(true);
});

test('a state that is forgotten after 50,000 deliveries is known again when it has come again', async () => {
	const memory = newMemory();
	const review = async () => await deliver(memory, 'approved', { subject: 'wallet' });
	expect(await review()).toBe(true);
	for (let event = 0; event < 50_000; event += 1) await deliver(memory, `event ${event}`);
	expect(await review()).toBe(true);
	expect(await review()).toBe(false);
});

test('a process knows what it has received, before and after it is accepted', async () => {
	const memory = newMemory();
	expect(memory.has('event')).toBe(false);
	const complete = await memory.claim({ key: 'event', subject: undefined });
	expect(memory.has('event')).toBe(true);
	complete!(true);
	expect(memory.has('event')).toBe(true);
});

test('the last 100 finished deliveries are told once', () => {
	const memory = newMemory();
	expect(memory.takeFinished()).toEqual([]);
	const keys = Array.from({ length: 101 }, (_, index) => `event ${index}`);
	for (const key of keys) memory.addFinished(key);
	expect(memory.takeFinished()).toEqual(keys.slice(1));
	expect(memory.takeFinished()).toEqual([]);
});
