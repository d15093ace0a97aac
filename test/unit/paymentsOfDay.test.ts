/** Maximum Payments per Day: what a payment costs, what is left for whom, and what fails. */
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { turn } from '../fixtures/turn.ts';
import { startProcess } from './processes.ts';
import type { Faults } from './tableContext.ts';

/** New for each test: a sweep of the one before may still run. */
let table: Table;
beforeEach(() => (table = new Map()));

const load = async () => await import('../../nodes/WalletService/payments/guards/dailyLimit.ts');

const TODAY = '2026-11-22';

/** A process of n8n that pays. */
async function start(faults: Faults = {}) {
	const { module, rows, statements } = await startProcess(table, load, faults);
	const take = async (maximum: number, day = TODAY) => await module.takePaymentOf(day, rows, maximum);
	return { take, statements };
}

/** How many payments of so many are allowed, one after the other. */
async function allowed(
	{ take }: Awaited<ReturnType<typeof start>>,
	count: number,
	maximum: number,
	day = TODAY,
) {
	let taken = 0;
	for (let payment = 0; payment < count; payment += 1) if (await take(maximum, day)) taken += 1;
	return taken;
}

test('all processes share the payments of a day', async () => {
	const [one, other] = [await start(), await start()];
	expect(await allowed(one, 2, 3)).toBe(2);
	expect(await allowed(other, 2, 3)).toBe(1);
	expect(await allowed(one, 2, 3)).toBe(0);
	expect(await allowed(await start(), 1, 3)).toBe(0);
	expect(await allowed(one, 2, 3, '2026-11-23')).toBe(2);
	expect(await allowed(one, 1, 0, '2026-11-24')).toBe(0);
});

test('of payments that begin together in several processes, as many are allowed as there may be', async () => {
	const all = [await start(), await start(), await start()];
	const taken = await Promise.all(Array.from({ length: 60 }, (_, index) => all[index % 3]!.take(20)));
	expect(taken.filter((each) => each !== undefined)).toHaveLength(20);
});

test('one more payment asks the same few statements on an empty day and after 10,000', async () => {
	const process = await start();
	await process.take(20_000);
	// What the first payment of a day has begun in the background.
	await turn();
	process.statements();
	const costs: number[] = [];
	for (let payment = 1; payment <= 10_000; payment += 1) {
		await process.take(20_000);
		const cost = process.statements();
		if ([1, 1000, 10_000].includes(payment)) costs.push(cost);
	}
	// Two make the row of what was taken. What was given back is only asked for when the day is full.
	expect(costs).toEqual([2, 2, 2]);
	// A process that knows nothing looks for the end once, and for old days.
	const other = await start();
	await other.take(20_000);
	await turn();
	expect(other.statements()).toBeLessThan(150);
	await other.take(20_000);
	expect(other.statements()).toBe(2);
});

test('a payment that was given back is free again, in any order and any process', async () => {
	const process = await start();
	const [first, , third] = [await process.take(3), await process.take(3), await process.take(3)];
	expect(await allowed(process, 1, 3)).toBe(0);
	await first!();
	expect(await allowed(await start(), 2, 3)).toBe(1);
	await third!();
	expect(await allowed(process, 2, 3)).toBe(1);
	expect(await allowed(await start(), 1, 3)).toBe(0);
});

test('with two limits in one workflow, what was given back never lets the lower one pay above its own', async () => {
	const process = await start();
	const higher = [];
	for (let payment = 0; payment < 8; payment += 1) higher.push(await process.take(10));
	await higher[2]!();
	// Seven payments were made, so the lower limit is used up.
	expect(await allowed(process, 3, 5)).toBe(0);
	expect(await allowed(await start(), 3, 5)).toBe(0);
	expect(await allowed(await start(), 9, 10)).toBe(3);
});

describe('a row that is stored while n8n reports an error', () => {
	test('counts as one payment, and takes no other', async () => {
		let fails = false;
		const afterWrite = () => {
			if (fails) throw new Error('database is locked');
		};
		const process = await start({ afterWrite });
		await process.take(10);
		fails = true;
		await expect(process.take(10)).rejects.toThrow();
		fails = false;
		expect(await allowed(process, 20, 10)).toBe(8);
		expect(await allowed(await start(), 1, 10)).toBe(0);
	});

	test('gives a payment back once', async () => {
		let fails = false;
		const afterWrite = () => {
			if (fails) throw new Error('database is locked');
		};
		const process = await start({ afterWrite });
		const giveBack = await process.take(3);
		await allowed(process, 2, 3);
		fails = true;
		await giveBack!().catch(() => undefined);
		fails = false;
		expect(await allowed(process, 5, 3)).toBeLessThanOrEqual(1);
	});
});

describe('rows of past days', () => {
	test('are deleted by a process that knows nothing of them, after a week', async () => {
		const before = await start();
		const payments = [];
		for (let payment = 0; payment < 30; payment += 1) payments.push(await before.take(100));
		for (const giveBack of payments.slice(10, 20)) await giveBack!();
		await allowed(await start(), 5, 100, '2026-11-23');
		await (await start()).take(100, '2026-11-30');
		// The row of the new day, and that of its payment.
		while (table.size > 2) await turn();
		expect(table.size).toBe(2);
	});

	test('of the two days before stay: they are today in other time zones', async () => {
		const process = await start();
		expect(await allowed(process, 1, 1)).toBe(1);
		expect(await allowed(process, 1, 1, '2026-11-24')).toBe(1);
		await turn();
		expect(await allowed(await start(), 1, 1)).toBe(0);
	});
});
