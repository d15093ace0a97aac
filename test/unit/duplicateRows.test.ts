/** Duplicate Check: which payments are alike, when one is held, and what becomes of the rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { startProcess } from './processes.ts';
import type { Faults } from './tableContext.ts';

/** New for each test: a sweep of the one before may still run. */
let table: Table;
beforeEach(() => (table = new Map()));

const DAY = 86_400_000;
/** The last minute of a day. */
const LATE = Date.UTC(2026, 10, 22, 23, 59);
const PAYMENT = {
	account: 'a',
	operation: 'fiatWallet.createPayout',
	amount: '10',
	currency: 'NGN',
	destination: 'supplier-main',
};

const load = async () => await import('../../nodes/WalletService/payments/guards/duplicateRows.ts');

interface Question {
	at?: number;
	lookBack?: number;
	isMeant?: boolean;
}

/** A process of n8n. */
async function start(faults: Faults = {}) {
	const { module, rows, statements } = await startProcess(table, load, faults);
	const take = async (more: object = {}, { at = LATE, lookBack = 7, isMeant = false }: Question = {}) =>
		await module.takeRepeat(rows, { ...PAYMENT, ...more }, { lookBack, isMeant }, at);
	const isRepeat = async (more: object = {}, { at = LATE, lookBack = 7 }: Question = {}) =>
		await module.isRepeat(rows, { ...PAYMENT, ...more }, lookBack, at);
	return { take, isRepeat, statements };
}

/** Whether each payment is sent, asked one after the other. */
const sent = async (...payments: Array<Promise<unknown>>) =>
	(await Promise.all(payments)).map((giveBack) => giveBack !== undefined);

test('of two that begin within 50 ms, in two processes, one is sent: 8 of 8', async () => {
	const processes = [await start(), await start()];
	for (let round = 0; round < 8; round += 1) {
		const amount = String(round + 1);
		const both = processes.map(async ({ take }, index) => {
			await sleep(index * ((round * 7) % 50));
			return await take({ amount });
		});
		expect((await sent(...both)).toSorted()).toEqual([false, true]);
	}
});

test('of twenty that begin together, one is sent', async () => {
	const processes = [await start(), await start()];
	const all = Array.from({ length: 20 }, async (_, index) => await processes[index % 2]!.take());
	expect((await sent(...all)).filter(Boolean)).toHaveLength(1);
});

test.each([
	['account', 'b'],
	['operation', 'cryptoWallet.createPayout'],
	['amount', '10.01'],
	['currency', 'USD'],
	['destination', 'supplier-other'],
])('another %s is another payment', async (part, value) => {
	const { take, isRepeat } = await start();
	await take();
	expect(await isRepeat({ [part]: value })).toBe(false);
	expect(await sent(take({ [part]: value }))).toEqual([true]);
});

test('it is held for so many days, also by a process that knows nothing', async () => {
	await (await start()).take();
	const later = async (days: number, lookBack: number) => {
		const { take, isRepeat } = await start();
		const at = LATE + days * DAY;
		const isHeld = await isRepeat({}, { at, lookBack });
		const giveBack = await take({}, { at, lookBack });
		await giveBack?.();
		expect(giveBack === undefined).toBe(isHeld);
		return isHeld;
	};
	expect([await later(7, 7), await later(8, 7), await later(90, 90), await later(1, 1)]).toEqual([
		...[true, false, true, true],
	]);
	expect(await later(2, 1)).toBe(false);
});

test('of two around midnight, whatever the clocks say, not both are sent', async () => {
	for (const ahead of [60_000, 120_000]) {
		table = new Map();
		const [one, other] = [await start(), await start()];
		const both = [one.take(), other.take({}, { at: LATE + ahead })];
		expect((await sent(...both)).filter(Boolean).length).toBeLessThan(2);
	}
	table = new Map();
	await (await start()).take({}, { at: LATE + 60_000 });
	expect(await sent((await start()).take())).toEqual([false]);
});

test('one that is given back holds no other, and one that was held gives nothing back', async () => {
	const { take } = await start();
	const giveBack = await take();
	expect(await take()).toBeUndefined();
	expect(await take({}, { at: LATE + DAY })).toBeUndefined();
	await giveBack!();
	expect(await sent((await start()).take({}, { at: LATE + DAY }))).toEqual([true]);
});

test('one that is meant is sent, and holds the next, also when the first is given back', async () => {
	const { take, isRepeat } = await start();
	const first = await take();
	const second = await take({}, { isMeant: true });
	expect(second).toBeDefined();
	await first!();
	expect(await isRepeat()).toBe(true);
	expect(await take()).toBeUndefined();
	expect(await take({}, { at: LATE + 3 * DAY })).toBeUndefined();
	expect(await take({}, { isMeant: true })).toBeDefined();
});

test('one that is meant, without another, is given back', async () => {
	const { take } = await start();
	const giveBack = await take({}, { isMeant: true });
	expect(await take()).toBeUndefined();
	await giveBack!();
	expect(await take()).toBeDefined();
});

test('a question writes nothing', async () => {
	const { take, isRepeat } = await start();
	expect(await isRepeat()).toBe(false);
	expect(table.size).toBe(0);
	await take();
	const before = structuredClone(table);
	expect([await isRepeat(), await isRepeat({}, { at: LATE + DAY })]).toEqual([true, true]);
	expect(table).toEqual(before);
});

describe('faults', () => {
	test('after a kill before the request, the next one is held, and one that is meant is sent', async () => {
		let isKilled = false;
		const never = new Promise<void>(() => {});
		const killed = await start({ afterWrite: () => (isKilled ? never : undefined) });
		await killed.take({ amount: '1' });
		isKilled = true;
		void killed.take({ amount: '1.5' }, { at: LATE });
		await sleep(20);
		const next = await start();
		expect(await next.take({ amount: '1' })).toBeUndefined();
		expect(await next.take({ amount: '1' }, { isMeant: true })).toBeDefined();
		// Its way was not made yet, so its row was not, either.
		expect(await next.take({ amount: '1.5' })).toBeDefined();
	});

	test.each(['beforeWrite', 'afterWrite'] as const)('nothing is sent while n8n fails: %s', async (when) => {
		let fails = false;
		const fail = () => {
			if (fails) throw new Error('database is locked');
		};
		const { take } = await start({ [when]: fail });
		fails = true;
		await expect(take()).rejects.toThrow();
		fails = false;
		// What may have been stored holds nothing back but this payment.
		expect(await take({ amount: '11' })).toBeDefined();
	});
});

test('what a payment costs in statements and rows', async () => {
	const { take, statements } = await start();
	for (let payment = 0; payment < 300; payment += 1) await take({ amount: `${payment}.5` });
	await sleep(50);
	statements();
	const before = table.size;
	for (let payment = 0; payment < 100; payment += 1) await take({ amount: `${payment}.7` });
	// A row for each of five bytes, but for those that another payment of the day has made, and its own.
	expect((table.size - before) / 100).toBeLessThan(5.5);
	expect(statements() / 100).toBeLessThan(15);
});

test('rows of past days are deleted, and those that can be looked at are not', async () => {
	const before = await start();
	for (let payment = 0; payment < 10; payment += 1) await before.take({ amount: `${payment}.5` });
	await (await start()).take({}, { at: LATE + 91 * DAY });
	await sleep(100);
	expect(await (await start()).isRepeat({ amount: '0.5' }, { at: LATE + DAY })).toBe(true);
	await (await start()).take({}, { at: LATE + 95 * DAY, isMeant: true });
	for (let size = -1; size !== table.size; await sleep(300)) size = table.size;
	// Two days with one payment each.
	expect(table.size).toBe(14);
});
