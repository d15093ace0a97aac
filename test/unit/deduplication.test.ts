/** An event starts the workflow once: by the memory of a process, and by rows that all workers share. */
import { hash } from 'node:crypto';
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { BoundedMap } from '../../nodes/shared/store/boundedMap.ts';
import { memoryOf } from '../../nodes/WalletServiceTrigger/once/memory.ts';
import { turn } from '../fixtures/turn.ts';
import { startProcess } from './processes.ts';
import type { Faults } from './tableContext.ts';

describe('the memory of a process', () => {
	let triggers = 0;
	let memory: ReturnType<typeof memoryOf>;
	let now: number;
	let sleepers: Array<{ until: number; wake: () => void }>;
	const time = {
		clock: () => now,
		sleep: async (milliseconds: number, signal?: AbortSignal) =>
			await new Promise<void>((wake, reject) => {
				sleepers.push({ until: now + milliseconds, wake });
				signal?.addEventListener('abort', () => {
					sleepers = sleepers.filter((sleeper) => sleeper.wake !== wake);
					reject(new Error('aborted'));
				});
			}),
	};
	beforeEach(() => {
		memory = memoryOf(`trigger ${(triggers += 1)}`);
		[now, sleepers] = [5_000_000, []];
	});

	/** Lets time pass, and everything happen that it brings. */
	async function pass(milliseconds: number): Promise<void> {
		await turn();
		now += milliseconds;
		for (const { until, wake } of sleepers) if (until <= now) wake();
		await turn();
	}

	const ask = async (key: string, subject?: string, of = memory) => await of.claim({ key, subject }, time);

	/** Claims a delivery. Returns what ends the claim. */
	async function claim(key: string, subject?: string): Promise<(isAccepted: boolean) => void> {
		const end = await ask(key, subject);
		if (typeof end === 'string') throw new Error(end);
		return end;
	}

	/** Claims a delivery and ends the claim at once. Returns whether the workflow starts. */
	async function deliver(key: string, subject?: string): Promise<boolean> {
		const end = await ask(key, subject);
		if (typeof end !== 'string') end(true);
		return typeof end !== 'string';
	}

	test('a full map drops its older half', () => {
		const map = new BoundedMap<string>(4);
		const kept = () => [...'abcde'].filter((key) => map.get(key) === key).join('');
		for (const key of 'abcd') map.set(key, key);
		expect(kept()).toBe('abcd');
		map.set('e', 'e');
		expect(kept()).toBe('cde');
		for (const key of 'ce') map.delete(key);
		expect(kept()).toBe('d');
	});

	test('a claim that ends twice does not end the claim of the next copy', async () => {
		const endFirst = await claim('event');
		endFirst(false);
		const endSecond = await claim('event');
		endFirst(false);
		const third = ask('event');
		endSecond(true);
		expect(await third).toBe('duplicate');
	});

	test('the last state is the one that arrived last, whichever is answered first', async () => {
		const [approved, pending] = [await claim('approved', 'wallet'), await claim('pending', 'wallet')];
		pending(true);
		approved(true);
		expect(await deliver('pending', 'wallet')).toBe(false);
		expect(await deliver('approved', 'wallet')).toBe(true);
	});

	describe('a repetition of what has no answer yet', () => {
		/** The answers to repetitions, in the order in which they are given. */
		const answers: Array<Awaited<ReturnType<typeof ask>>> = [];
		beforeEach(() => void answers.splice(0));
		const repeat = (key = 'event', of = memory) =>
			void ask(key, undefined, of).then((answer) => answers.push(answer));

		test.each([
			[true, 'duplicate'],
			[false, expect.any(Function)],
		])('waits nearly ten seconds. If the first is accepted: %s, it is %s', async (isAccepted, answer) => {
			const end = await claim('event');
			repeat();
			await pass(9_999);
			expect(answers).toEqual([]);
			end(isAccepted);
			await pass(0);
			expect(answers).toEqual([answer]);
			expect(sleepers).toEqual([]);
		});

		test('has no answer after ten seconds, however often an earlier one fails', async () => {
			const end = await claim('event');
			repeat();
			repeat();
			await pass(9_000);
			end(false);
			await pass(0);
			expect(answers).toEqual([expect.any(Function)]);
			await pass(1_000);
			expect(answers).toEqual([expect.any(Function), 'unanswered']);
		});

		test('does not wait for a claim that is older than a minute, whose late end still counts', async () => {
			const end = await claim('event');
			await pass(60_000);
			repeat();
			await pass(0);
			expect(answers).toEqual([]);
			await pass(1);
			repeat();
			await pass(0);
			expect(answers).toEqual(['unanswered']);
			end(true);
			await pass(0);
			expect([...answers, await ask('event')]).toEqual(['unanswered', 'duplicate', 'duplicate']);
		});

		test('does not wait if a hundred wait at its trigger, of any events, until one of them has its answer', async () => {
			const [end] = [await claim('event'), await claim('another event')];
			const quiet = memoryOf('a quiet trigger');
			await ask('event', undefined, quiet);
			for (let waiting = 0; waiting < 100; waiting += 1) repeat(waiting < 99 ? 'another event' : 'event');
			await pass(1_000);
			repeat();
			repeat('event', quiet);
			await pass(0);
			expect(answers).toEqual(['unanswered']);
			end(true);
			await pass(0);
			expect(answers).toEqual(['unanswered', 'duplicate']);
			repeat('another event');
			await pass(0);
			expect(answers).toEqual(['unanswered', 'duplicate']);
			await pass(10_000);
			expect(answers.slice(2)).toEqual(Array.from({ length: 101 }, () => 'unanswered'));
		});
	});

	test('a state that was forgotten after 50,000 deliveries is known again once it is delivered again', async () => {
		expect(await deliver('approved', 'wallet')).toBe(true);
		for (let event = 0; event < 50_000; event += 1) await deliver(`event ${event}`);
		expect(await deliver('approved', 'wallet')).toBe(true);
		expect(await deliver('approved', 'wallet')).toBe(false);
	});
});

describe('the rows of events', () => {
	const DAY = 86_400_000;
	const NOON = DAY / 2;
	/** New for each test: a sweep of the one before may still run. */
	let table: Table;
	beforeEach(() => (table = new Map()));

	const load = async () => await import('../../nodes/WalletServiceTrigger/once/handledEvents.ts');

	/** A process of n8n. `at` is in milliseconds. */
	async function start(faults: Faults = {}) {
		const { module, rows, statements } = await startProcess(table, load, faults);
		const handle = async (key: string, at = NOON, execution = `of ${key}`, trigger = 'w/trigger') =>
			await module.wasHandled(trigger, rows, key, execution, at);
		return { handle, rows, statements };
	}

	test('an event is handled once, in any process, and its execution goes on when it is started again', async () => {
		const [one, other] = [await start(), await start()];
		expect([await one.handle('a'), await other.handle('a', NOON, 'another')]).toEqual([false, true]);
		expect([await one.handle('a'), await other.handle('a')]).toEqual([false, false]);
		expect(await other.handle('a', NOON, 'another', 'w/another trigger')).toBe(false);
	});

	test('it is remembered on the next day, by a process that knows nothing, and not on the day after', async () => {
		await (await start()).handle('a');
		expect(await (await start()).handle('a', NOON + DAY, 'another')).toBe(true);
		expect(await (await start()).handle('a', NOON + DAY)).toBe(false);
		expect(await (await start()).handle('a', NOON + 2 * DAY, 'a third')).toBe(false);
	});

	test('of two executions that ask at once, one goes on, even if other events have their place', async () => {
		const [one, other] = [await start(), await start()];
		for (let event = 0; event < 50; event += 1) {
			const answers = [one.handle(`${event}`), other.handle(`${event}`, NOON, 'another')];
			expect((await Promise.all(answers)).toSorted()).toEqual([false, true]);
		}
	});

	test('none of many events is taken for another one', async () => {
		const { handle } = await start();
		const keys = Array.from({ length: 3000 }, (_, event) => `event ${event}`);
		for (const key of keys) expect(await handle(key)).toBe(false);
		const again = await start();
		for (const key of keys) expect(await again.handle(key, NOON + DAY, 'another')).toBe(true);
	});

	test('a new event asks two statements, and one more if there were events on the day before', async () => {
		const { handle, statements } = await start();
		const costOf = async (count: number, at: number) => {
			statements();
			for (let event = 0; event < count; event += 1) await handle(`${at} ${event}`, at);
			return statements() / count;
		};
		// Each of 256 parts of a day has a row of its own, and a sweep looks for old days once.
		await costOf(5000, NOON);
		expect(await costOf(1000, NOON + 1)).toBeLessThan(2.5);
		await costOf(2000, NOON + DAY);
		expect(await costOf(1000, NOON + DAY + 1)).toBeLessThan(4);
	});

	test('rows of past days are deleted by a process that knows nothing of them, also after a week', async () => {
		const before = await start();
		for (let event = 0; event < 40; event += 1) await before.handle(`event ${event}`);
		for (let event = 0; event < 40; event += 1) await before.handle(`event ${event + 40}`, NOON + DAY);
		await (await start()).handle('a', NOON + 8 * DAY);
		await turn();
		expect(table.size).toBe(3);
	});

	test('a sweep that was cut off, or that two processes do at the same time, leaves nothing either', async () => {
		const before = await start();
		for (let event = 0; event < 40; event += 1) await before.handle(`event ${event}`);
		let left = Infinity;
		const beforeWrite = () => {
			if (left-- <= 0) throw new Error('database is locked');
		};
		const cutOff = await start({ beforeWrite });
		for (const writes of [9, 1, 4]) {
			left = writes + 6;
			await cutOff.handle('a', NOON + (2 + writes) * DAY).catch(() => {});
			await turn();
		}
		const together = [await start(), await start()];
		await Promise.all(together.map(async ({ handle }) => await handle('b', NOON + 20 * DAY)));
		await turn();
		expect(table.size).toBe(3);
	});

	describe('the row of another event at the same place', () => {
		/** Two keys with one place. */
		const colliding = (): [string, string] => {
			const seen = new Map<string, string>();
			for (let number = 0; ; number += 1) {
				const place = hash('sha256', `${number}`).slice(0, 4);
				const other = seen.get(place);
				if (other !== undefined) return [other, `${number}`];
				seen.set(place, `${number}`);
			}
		};

		test('that asks at the same time hides neither', async () => {
			const [first, second] = colliding();
			const processes = [await start(), await start(), await start()];
			await processes[0]!.handle(first);
			const answers = await Promise.all(
				processes.map(async ({ handle }, index) => await handle(second, NOON, `execution ${index}`)),
			);
			expect(answers.filter((isHandled) => !isHandled)).toHaveLength(1);
			expect(await processes[1]!.handle(first, NOON, 'another')).toBe(true);
		});

		test('keeps a question whose process was killed, and its execution goes on when it is started again', async () => {
			const [first, second] = colliding();
			let isKilled = false;
			const never = new Promise<void>(() => {});
			const killed = await start({ afterWrite: () => (isKilled ? never : undefined) });
			await killed.handle(first);
			isKilled = true;
			killed.handle(second).catch(() => {});
			await turn();
			expect([...table.values()].some((texts) => texts.includes(first) && texts.includes(second))).toBe(true);
			const restarted = await start();
			expect(await restarted.handle(second)).toBe(false);
			expect(await restarted.handle(first)).toBe(false);
		});
	});

	test('in doubt it was not handled: the caller hears an error', async () => {
		let fails = false;
		const beforeWrite = () => {
			if (fails) throw new Error('database is locked');
		};
		const { handle } = await start({ beforeWrite });
		fails = true;
		await expect(handle('a')).rejects.toThrow('database is locked');
	});
});
