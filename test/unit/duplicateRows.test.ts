/** Duplicate Check: which payments are alike, when one is held, and what becomes of the rows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { turn } from '../fixtures/turn.ts';
import { startProcess } from './processes.ts';
import type { Faults } from './tableContext.ts';

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
		await module.takeUnlessDuplicate(rows, { ...PAYMENT, ...more }, { lookBack, isMeant }, at);
	const isDuplicate = async (more: object = {}, { at = LATE, lookBack = 7 }: Question = {}) =>
		await module.isDuplicate(rows, { ...PAYMENT, ...more }, lookBack, at);
	return { take, isDuplicate, statements };
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
	const { take, isDuplicate } = await start();
	await take();
	expect(await isDuplicate({ [part]: value })).toBe(false);
	expect(await sent(take({ [part]: value }))).toEqual([true]);
});

test('it is held for so many days, also by a process that knows nothing', async () => {
	await (await start()).take();
	const later = async (days: number, lookBack: number) => {
		const { take, isDuplicate } = await start();
		const at = LATE + days * DAY;
		const isHeld = await isDuplicate({}, { at, lookBack });
		const giveBack = await take({}, { at, lookBack });
		await giveBack?.();
		expect(giveBack === undefined).toBe(isHeld);
		return isHeld;
	};
	expect([await later(7, 7), await later(8, 7), await later(90, 90), await later(1, 1)]).toEqual([
		true,
		false,
		true,
		true,
	]);
	expect(await later(2, 1)).toBe(false);
});

/** With the last minute of the second one, a period of days ends. */
test.each([LATE, LATE + 4 * DAY])(
	'of two around midnight, whatever the clocks say, not both are sent: %d',
	async (late) => {
		for (const ahead of [60_000, 120_000]) {
			table = new Map();
			const [one, other] = [await start(), await start()];
			const both = [one.take({}, { at: late }), other.take({}, { at: late + ahead })];
			expect((await sent(...both)).filter(Boolean).length).toBeLessThan(2);
		}
		table = new Map();
		await (await start()).take({}, { at: late + 60_000 });
		expect(await sent((await start()).take({}, { at: late }))).toEqual([false]);
	},
);

test('one that is given back holds no other, and one that was held gives nothing back', async () => {
	const { take } = await start();
	const giveBack = await take();
	expect(await take()).toBeUndefined();
	expect(await take({}, { at: LATE + DAY })).toBeUndefined();
	await giveBack!();
	expect(await sent((await start()).take({}, { at: LATE + DAY }))).toEqual([true]);
});

test('one that is meant is sent, and holds the next, also when the first is given back', async () => {
	const { take, isDuplicate } = await start();
	const first = await take();
	const second = await take({}, { isMeant: true });
	expect(second).toBeDefined();
	await first!();
	expect(await isDuplicate()).toBe(true);
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
	const { take, isDuplicate } = await start();
	expect(await isDuplicate()).toBe(false);
	expect(table.size).toBe(0);
	await take();
	const before = structuredClone(table);
	expect([await isDuplicate(), await isDuplicate({}, { at: LATE + DAY })]).toEqual([true, true]);
	expect(table).toEqual(before);
});

describe('faults', () => {
	test('after a kill before the request, the next one is held, and one that is meant is sent', async () => {
		let isKilled = false;
		const never = new Promise<void>(() => {});
		const killed = await start({ afterWrite: () => (isKilled ? never : undefined) });
		await killed.take({ amount: '1' });
		isKilled = true;
		killed.take({ amount: '1.5' }).catch(() => {});
		await turn();
		const next = await start();
		for (const amount of ['1', '1.5']) {
			expect(await next.take({ amount })).toBeUndefined();
			expect(await next.take({ amount }, { isMeant: true })).toBeDefined();
		}
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

describe('what a payment costs', () => {
	/** Rows and statements of one payment each. */
	const costOf = async (count: number, question: Question = {}, before?: Question) => {
		const { take, statements } = await start();
		const amounts = Array.from({ length: count }, (_, index) => ({ amount: `${index}.5` }));
		if (before) for (const amount of amounts) await take(amount, before);
		statements();
		const rowsBefore = table.size;
		for (const amount of amounts) expect(await take(amount, question)).toBeDefined();
		return { rows: (table.size - rowsBefore) / count, statements: statements() / count };
	};

	test('a new one makes two rows, and asks the same few statements on an empty day and after 2,000', async () => {
		// A row is a SELECT and an INSERT. A look back over a week reaches into one more period at most.
		for (const count of [1, 2000]) {
			table = new Map();
			const { rows, statements } = await costOf(count);
			expect(rows).toBe(2);
			expect(statements).toBeLessThanOrEqual(5);
		}
	});

	test.each([
		['a look back over 90 days', { lookBack: 90 }, undefined, 10],
		['the same as last month', {}, { at: LATE - 30 * DAY }, 5],
		// Each of these days is asked for.
		['the same as eight days ago', {}, { at: LATE - 8 * DAY }, 24],
	])('%s', async (_, question, before, most) => {
		const { rows, statements } = await costOf(10, question, before);
		expect(rows).toBeLessThanOrEqual(2);
		expect(statements).toBeLessThanOrEqual(most);
	});

	test('one that is held makes no row, one that is meant two', async () => {
		const { take } = await start();
		await take();
		expect(table.size).toBe(2);
		await take();
		expect(table.size).toBe(2);
		await take({}, { isMeant: true });
		expect(table.size).toBe(3);
	});
});

test('rows of days stay, so that a look back over 90 days finds them', async () => {
	const before = await start();
	for (let payment = 0; payment < 10; payment += 1) await before.take({ amount: `${payment}.5` });
	await (await start()).take({}, { at: LATE + 95 * DAY });
	expect(await (await start()).isDuplicate({ amount: '0.5' }, { at: LATE + 90 * DAY, lookBack: 90 })).toBe(
		true,
	);
	expect(await (await start()).isDuplicate({ amount: '0.5' }, { at: LATE + 91 * DAY, lookBack: 90 })).toBe(
		false,
	);
});
