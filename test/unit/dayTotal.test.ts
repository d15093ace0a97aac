/** Second Approval Above per Day: what is added to the total of a day, by whom, and what fails. */
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { turn } from '../fixtures/turn.ts';
import { startProcess } from './processes.ts';
import type { Faults } from './tableContext.ts';

/** New for each test: a sweep of the one before may still run. */
let table: Table;
beforeEach(() => (table = new Map()));

const load = async () => await import('../../nodes/WalletService/payments/guards/dayTotal.ts');

const NGN = 'currency NGN';
const TODAY = '2026-11-22';

/** A process of n8n that pays. */
async function start(faults: Faults = {}) {
	const { module, rows, statements } = await startProcess(table, load, faults);
	const { addToTotal, takeOffTotal, readTotal } = module;
	return {
		add: async (amount: string, maximum = '100', { asset = NGN, day = TODAY } = {}) =>
			await addToTotal(rows, { asset, day }, amount, maximum),
		takeOff: async (amount: string) => await takeOffTotal(rows, { asset: NGN, day: TODAY }, amount),
		read: async () => await readTotal(rows, { asset: NGN, day: TODAY }),
		statements,
	};
}

/** A process that is killed at its write number `step`: nothing is stored from it on. */
async function startAndKill(step: number) {
	let writes = -1;
	const beforeWrite = () => {
		if (writes >= 0 && ++writes > step) throw new Error('killed');
	};
	const process = await start({ beforeWrite });
	return { process, begin: () => (writes = 0) };
}

test('all processes share the total of a day and a code', async () => {
	const [one, other] = [await start(), await start()];
	expect(await one.add('60.5')).toEqual({ isAdded: true, total: '60.5' });
	expect(await other.add('40')).toEqual({ isAdded: false, total: '100.5' });
	expect(await other.add('39.5')).toEqual({ isAdded: true, total: '100.0' });
	expect(await one.add('0.000000000000000001')).toMatchObject({ isAdded: false });
	expect(await (await start()).read()).toBe('100.0');
	expect(await one.add('100', '100', { asset: 'coin NGN' })).toMatchObject({ isAdded: true });
	expect(await one.add('100', '100', { day: '2026-11-23' })).toMatchObject({ isAdded: true });
	expect(await other.read()).toBe('100.0');
});

test.each([
	['999999999999999999', '1', '1000000000000000000'],
	['0.000000000000000001', '0.999999999999999999', '1.000000000000000000'],
	['123456789012345678.123456789012345678', '0.1', '123456789012345678.223456789012345678'],
])('%s and %s are exactly %s', async (first, second, sum) => {
	const maximum = sum;
	expect(await (await start()).add(first, maximum)).toEqual({ isAdded: true, total: first });
	expect(await (await start()).add(second, maximum)).toEqual({ isAdded: true, total: sum });
	expect(await (await start()).read()).toBe(sum);
	expect(await (await start()).add('0.000000000000000001', maximum)).toMatchObject({ isAdded: false });
});

test('of amounts that are added together in several processes, as many are as fit', async () => {
	const all = [await start(), await start(), await start()];
	const added = await Promise.all(Array.from({ length: 30 }, (_, index) => all[index % 3]!.add('9.5')));
	expect(added.filter(({ isAdded }) => isAdded)).toHaveLength(10);
	for (const process of [...all, await start()]) expect(await process.read()).toBe('95.0');
});

test('what was taken off is free again, in any process', async () => {
	const [one, other] = [await start(), await start()];
	await one.add('100');
	expect(await other.add('1')).toMatchObject({ isAdded: false });
	await one.takeOff('30.25');
	expect(await other.read()).toBe('69.75');
	expect(await other.add('30.25')).toEqual({ isAdded: true, total: '100.00' });
	expect(await one.add('0.01')).toMatchObject({ isAdded: false });
});

/** The first change of a day makes its row, too. */
const STEPS = Array.from({ length: 9 }, (_, step) => step);

test.each(STEPS)('a process that is killed at write %d leaves no total that is too low', async (step) => {
	const { process, begin } = await startAndKill(step);
	await process.add('10');
	begin();
	const isAdded = await process.add('20.5').then(
		() => true,
		() => false,
	);
	const other = await start();
	// What was taken before the kill may stay taken.
	expect(isAdded ? ['30.5'] : ['10', '30.5']).toContain(await other.read());
	expect(await other.add('1')).toMatchObject({ isAdded: true });
	const after = await (await start()).read();
	expect(isAdded ? ['31.5'] : ['11', '31.5']).toContain(after);
	expect(await (await start()).read()).toBe(after);
});

test.each(STEPS)(
	'a write that is stored while n8n reports an error at %d counts, and takes no other',
	async (step) => {
		let writes = -1;
		const afterWrite = () => {
			if (writes >= 0 && ++writes > step) throw new Error('database is locked');
		};
		const process = await start({ afterWrite });
		await process.add('10');
		writes = 0;
		await process.add('20.5').catch(() => undefined);
		writes = -1;
		expect(['10', '30.5']).toContain(await (await start()).read());
		expect(await process.add('69.5')).toMatchObject({ isAdded: true });
		expect(['79.5', '100.0']).toContain(await (await start()).read());
	},
);

test.each(STEPS)(
	'who is so slow at question %d that nobody waits for it adds its amount, and no other is lost',
	async (step) => {
		let open = () => {};
		let questions = -1;
		const gate = new Promise<void>((resolve) => (open = resolve));
		const wait = async () => {
			if (questions >= 0 && ++questions > step) await gate;
		};
		const slow = await start({ wait });
		await slow.add('10');
		questions = 0;
		const adding = slow.add('20');
		await turn();
		const other = await start();
		expect(await other.add('30.5')).toMatchObject({ isAdded: true });
		open();
		const added = await adding;
		expect(added.isAdded).toBe(true);
		const total = await (await start()).read();
		// In doubt, what the slow one had written counts once more.
		expect(['60.5', '80.5']).toContain(total);
		expect(await other.add('39.5')).toMatchObject({ isAdded: total === '60.5' });
	},
);

test('one more amount asks few statements, also after 500', async () => {
	const process = await start();
	await process.add('100', '1000000');
	// What the first payment of a day has begun in the background.
	do await turn();
	while (process.statements() > 0);
	let most = 0;
	for (let payment = 0; payment < 500; payment += 1) {
		process.statements();
		await process.add('100.25', '1000000');
		most = Math.max(most, process.statements());
	}
	const signs = '50000.00'.length;
	// The end of the versions, the last one, and two for each row: the version, its length, its signs, and that it is final.
	expect(most).toBeLessThanOrEqual(2 * Math.log2(512) + (2 + signs) + 2 * (3 + signs));
});

test('rows of past days are deleted by a process that knows nothing of them', async () => {
	const before = await start();
	await before.add('60.25');
	await before.add('10');
	await before.takeOff('20.125');
	await startAndKill(2).then(async ({ process, begin }) => {
		begin();
		await process.add('5').catch(() => undefined);
	});
	await before.add('60', '100', { day: '2026-11-24' });
	await turn();
	expect(await (await start()).read()).toBe('50.125');
	const ofToday = new Set(table.keys());
	await (await start()).add('7', '100', { day: '2026-11-30' });
	const left = () => [...ofToday].filter((place) => table.has(place));
	while (left().length > 0) await turn();
	expect(left()).toEqual([]);
});
