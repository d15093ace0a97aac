/** Rows of days in any order of what several processes ask n8n, with kills and failed writes between: what may never happen. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { startProcess } from './processes.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
const PROCESSES = 3;

/** What becomes of a call of n8n. */
type Fate = 'goes on' | 'killed' | 'fails before' | 'fails after';

/** Mostly nothing happens. */
const fates = fc.array(
	fc.constantFrom<Fate>(...Array<Fate>(9).fill('goes on'), 'killed', 'fails before', 'fails after'),
	{ minLength: 12, maxLength: 12 },
);

/** Processes whose calls go on in the order of the scheduler, once `begin` was called. */
async function startAll<Module>(
	load: () => Promise<Module>,
	scheduler: fc.Scheduler,
	planned: Fate[][] = [],
) {
	const table: Table = new Map();
	let hasBegun = false;
	const start = async (fatesOfProcess: Fate[]) => {
		let isKilled = false;
		let fate: Fate = 'goes on';
		const { module, rows } = await startProcess(table, load, {
			wait: async () => {
				if (!hasBegun) return;
				await scheduler.schedule(Promise.resolve());
				fate = fatesOfProcess.shift() ?? 'goes on';
				isKilled ||= fate === 'killed';
				if (isKilled) await new Promise(() => {});
			},
			beforeWrite: () => {
				if (fate === 'fails before') throw new Error('database is locked');
			},
			afterWrite: () => {
				if (fate === 'fails after') throw new Error('database is locked');
			},
		});
		return { module, rows };
	};
	const all = [];
	for (let process = 0; process < PROCESSES; process += 1)
		all.push(await start([...(planned[process] ?? [])]));
	return { all, begin: () => (hasBegun = true) };
}

/** What each call gives: its value, an error, or nothing yet because its process was killed. */
async function outcomesOf<Value>(
	scheduler: fc.Scheduler,
	calls: Array<Promise<Value>>,
): Promise<Array<Value | 'error' | undefined>> {
	const outcomes = calls.map(() => undefined as Value | 'error' | undefined);
	calls.forEach((call, index) => {
		call.then(
			(value) => (outcomes[index] = value),
			() => (outcomes[index] = 'error'),
		);
	});
	while (scheduler.count() > 0) {
		await scheduler.waitAll();
		await new Promise((resolve) => setImmediate(resolve));
	}
	return outcomes;
}

describe('events', () => {
	const load = async () => await import('../../nodes/WalletServiceTrigger/once/handledEvents.ts');

	/** Two events with one place, and one with another. */
	const events = (() => {
		const seen = new Map<string, string>();
		for (let number = 0; ; number += 1) {
			const place = hash('sha256', `${number}`).slice(0, 4);
			const other = seen.get(place);
			if (other !== undefined) return [other, `${number}`, 'another'];
			seen.set(place, `${number}`);
		}
	})();

	/** Deliveries of the events, each to a process. */
	const deliveries = fc.array(fc.tuple(fc.nat(PROCESSES - 1), fc.nat(2)), { minLength: 2, maxLength: 7 });

	/** For each event that came: what its deliveries were told, each to an execution of its own. */
	async function answersByEvent(
		scheduler: fc.Scheduler,
		given: Array<[process: number, event: number]>,
		plans?: Fate[][],
	) {
		const { all, begin } = await startAll(load, scheduler, plans);
		begin();
		const calls = given.map(async ([process, event], index) => {
			const { module, rows } = all[process]!;
			return await module.wasHandled('t', rows, events[event]!, `execution ${index}`, NOON);
		});
		const outcomes = await outcomesOf(scheduler, calls);
		const ofEvents = Map.groupBy(outcomes.keys(), (index) => given[index]![1]);
		return [...ofEvents.values()].map((indexes) => indexes.map((index) => outcomes[index]));
	}

	test('each is handled by one execution, if nothing fails', async () => {
		const property = fc.asyncProperty(fc.scheduler(), deliveries, async (scheduler, given) => {
			for (const answers of await answersByEvent(scheduler, given))
				expect(answers.filter((isHandled) => isHandled === false)).toHaveLength(1);
		});
		await fc.assert(property, { numRuns: 150 });
	});

	test('none is lost, whatever fails: somebody handles it, or was killed after it had begun to', async () => {
		const planned = fc.array(fates, { minLength: PROCESSES, maxLength: PROCESSES });
		const property = fc.asyncProperty(
			fc.scheduler(),
			deliveries,
			planned,
			async (scheduler, given, plans) => {
				// An error means that it is handled, and nothing that its process was killed.
				for (const answers of await answersByEvent(scheduler, given, plans))
					expect(answers.some((isHandled) => isHandled !== true)).toBe(true);
			},
		);
		await fc.assert(property, { numRuns: 300 });
	});
});

test('payments of a day: never more than allowed, with two limits, and what is given back', async () => {
	const load = async () => await import('../../nodes/WalletService/payments/guards/dailyLimit.ts');
	const steps = fc.array(
		fc.record({ process: fc.nat(PROCESSES - 1), limit: fc.constantFrom(2, 4), isRefused: fc.boolean() }),
		{ minLength: 2, maxLength: 8 },
	);
	const planned = fc.array(
		fates.map((plan) => plan.filter((fate) => fate !== 'killed')),
		{ minLength: PROCESSES, maxLength: PROCESSES },
	);
	const property = fc.asyncProperty(fc.scheduler(), steps, planned, async (scheduler, given, plans) => {
		const { all, begin } = await startAll(load, scheduler, plans);
		begin();
		let paid = 0;
		let isExceeded = false;
		const calls = given.map(async ({ process, limit, isRefused }) => {
			const { module, rows } = all[process]!;
			const giveBack = await module.takePaymentOf('2026-11-22', rows, limit);
			if (giveBack === undefined) return;
			paid += 1;
			isExceeded ||= paid > limit;
			if (!isRefused) return;
			paid -= 1;
			await giveBack();
		});
		const outcomes = await outcomesOf(scheduler, calls);
		const hasFailed = plans.some((plan) => plan.some((fate) => fate !== 'goes on'));
		if (!hasFailed) expect(outcomes).not.toContain('error');
		expect(isExceeded).toBe(false);
	});
	await fc.assert(property, { numRuns: 200 });
});

test('duplicates: of those that are alike one is sent if nothing fails, and never two', async () => {
	const load = async () => await import('../../nodes/WalletService/payments/guards/duplicateRows.ts');
	const payment = { account: 'a', operation: 'o', amount: '1', currency: 'NGN', destination: 'd' };
	// With the second one, a period of days begins.
	const midnights = fc.constantFrom(Date.UTC(2026, 10, 23), Date.UTC(2026, 10, 27));
	const plans = fc.array(fates, { minLength: PROCESSES, maxLength: PROCESSES });
	const times = midnights.chain((midnight) =>
		fc.array(fc.constantFrom(midnight - 1, midnight), { minLength: 3, maxLength: 3 }),
	);
	const property = fc.asyncProperty(
		fc.scheduler(),
		times,
		fc.option(plans),
		async (scheduler, given, planned) => {
			const { all, begin } = await startAll(load, scheduler, planned ?? []);
			begin();
			const calls = given.map(async (now, index) => {
				const { module, rows } = all[index]!;
				const question = { lookBack: 7, isMeant: false };
				return (await module.takeUnlessDuplicate(rows, payment, question, now)) !== undefined;
			});
			const outcomes = await outcomesOf(scheduler, calls);
			const sent = outcomes.filter((isSent) => isSent === true).length;
			expect(sent).toBeLessThanOrEqual(1);
			if (planned === null && new Set(given).size === 1) expect(sent).toBe(1);
		},
	);
	await fc.assert(property, { numRuns: 200 });
});
