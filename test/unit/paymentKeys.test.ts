/** A Payment Key pays once, whatever other processes write meanwhile. paymentKeyModel.test.ts tries all schedules. */
import { startAdd, startRemove } from '../../host/doubles/processedItems.ts';
import type { Rows } from '../../host/doubles/processedItems.ts';
import { PaymentKeys } from '../../nodes/WalletService/action/payment/paymentKeys.ts';
import type { Claim, KeyState, Decision } from '../../nodes/WalletService/action/payment/paymentKeys.ts';
import { SharedRecord } from '../../nodes/WalletService/sharedRecord.ts';
import type { ProcessedItems } from '../../nodes/WalletService/sharedRecord.ts';

const PLACE = 'record';
const rows: Rows = new Map();
beforeEach(() => rows.clear());

const items: ProcessedItems = {
	add: async (entries, max) => await Promise.resolve(startAdd(rows, PLACE, entries, max)() as never),
	remove: async (entries) => await Promise.resolve(startRemove(rows, PLACE, entries)()),
};

/** The record, which tells `note` of each question before it is asked. */
const noting = (note: (entries: string[]) => void): ProcessedItems => ({
	...items,
	add: async (entries, max) => {
		note(entries);
		return await items.add(entries, max);
	},
});

const newProcess = () => new PaymentKeys(new SharedRecord(async () => await Promise.resolve()));
const payment = (key: string, amount = '1') => ({ key, details: { account: 'live', amount } });
const claim = async (
	keys: PaymentKeys,
	key: string,
	{
		amount,
		decision = 'doNotPay',
		header,
		from = items,
	}: { amount?: string; decision?: Decision; header?: string; from?: ProcessedItems } = {},
) => await keys.claim(from, payment(key, amount), { decision, ...(header !== undefined && { header }) });
const claimed = (taken: Claim | KeyState) => {
	if (taken.is !== 'claimed') throw new Error(`The key is ${taken.is}`);
	return taken;
};

test('the process that has paid says what differs, and another one says only that something differs', async () => {
	const keys = newProcess();
	await claimed(await claim(keys, 'a')).accepted();
	expect(await claim(keys, 'a', { amount: '2' })).toEqual({ is: 'different', details: ['amount'] });
	expect(await claim(newProcess(), 'a', { amount: '2' })).toEqual({ is: 'different' });
	// The other payment leaves nothing behind.
	for (const again of [newProcess(), newProcess()]) expect(await claim(again, 'a')).toEqual({ is: 'paid' });
	expect(await claim(newProcess(), 'a', { amount: '2' })).toEqual({ is: 'different' });
});

test('the process that has paid answers for the key without a write', async () => {
	const keys = newProcess();
	await claimed(await claim(keys, 'a')).accepted();
	const from = noting(() => {
		throw new Error('not asked for');
	});
	expect(await claim(keys, 'a', { from })).toEqual({ is: 'paid' });
	expect(await claim(keys, 'a', { from, decision: 'wasNotPaid' })).toEqual({ is: 'paid' });
	await expect(claim(newProcess(), 'a', { from })).rejects.toThrow('not asked for');
});

test('of all processes that ask, isFirst is true for the first one', async () => {
	const [one, other] = [newProcess(), newProcess()];
	expect(await one.isFirst(items, 'retry of 7')).toBe(true);
	expect(await one.isFirst(items, 'retry of 7')).toBe(false);
	expect(await other.isFirst(items, 'retry of 7')).toBe(false);
	expect(await other.isFirst(items, 'retry of 8')).toBe(true);
	const atOnce = await Promise.all([one.isFirst(items, 'x'), one.isFirst(items, 'x')]);
	expect(atOnce.filter(Boolean)).toHaveLength(1);
});

test('a payment that is under way in this process is waited for', async () => {
	const keys = newProcess();
	const first = claimed(await claim(keys, 'a'));
	let second: Claim | KeyState | undefined;
	const waiting = claim(keys, 'a').then((taken) => (second = taken));
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(second).toBeUndefined();
	await first.accepted();
	expect(await waiting).toEqual({ is: 'paid' });
});

test('a payment that is under way in another process, or was killed there, is decided only after a run with Do Not Pay', async () => {
	claimed(await claim(newProcess(), 'a'));
	for (const decision of ['wasNotPaid', 'wasPaid', 'wasNotPaid'] as const)
		expect(await claim(newProcess(), 'a', { decision })).toEqual({ is: 'unknown', wasTried: true });
	expect(await claim(newProcess(), 'a')).toEqual({ is: 'unknown', wasTried: false });
	expect((await claim(newProcess(), 'a', { decision: 'wasNotPaid' })).is).toBe('claimed');
});

test('a decision acts once, whether its payment is left unknown or killed', async () => {
	await claimed(await claim(newProcess(), 'a')).leaveUnknown();
	await claimed(await claim(newProcess(), 'a', { decision: 'wasNotPaid' })).leaveUnknown();
	expect(await claim(newProcess(), 'a', { decision: 'wasNotPaid' })).toEqual({
		is: 'unknown',
		wasTried: true,
	});
});

test('a record with other data keeps no key', async () => {
	const used: ProcessedItems = {
		add: async () => await Promise.resolve({ new: [], processed: [] }),
		remove: async () => await Promise.resolve(),
	};
	await expect(claim(newProcess(), 'a', { from: used })).rejects.toThrow('used for other data');
	await expect(newProcess().isFirst(used, 'x')).rejects.toThrow('used for other data');
});

test('an insert that fails because another process has made the row is made again', async () => {
	let fails = true;
	const from = noting(() => {
		if (!fails) return;
		fails = false;
		startAdd(rows, PLACE, ['of another process'])();
		throw new Error('UNIQUE constraint failed');
	});
	await claimed(await claim(newProcess(), 'a', { from })).accepted();
	expect(await claim(newProcess(), 'a')).toEqual({ is: 'paid' });
});

test('a question that confirms a claim is not repeated when it fails', async () => {
	let asked = 0;
	const from = noting(() => {
		asked += 1;
		if (asked === 2) throw new Error('database is locked');
	});
	await expect(claim(newProcess(), 'a', { from })).rejects.toThrow('locked');
	expect(asked).toBe(2);
});

test('a release that failed but was stored takes nothing from another process that has claimed the key since', async () => {
	const [one, other] = [newProcess(), newProcess()];
	let fails = false;
	let since: Claim | undefined;
	const from: ProcessedItems = {
		...items,
		remove: async (entries) => {
			await items.remove(entries);
			if (!fails) return;
			fails = false;
			since = claimed(await claim(other, 'a'));
			throw new Error('database is locked');
		},
	};
	const first = claimed(await claim(one, 'a', { from }));
	fails = true;
	await first.release().catch(() => {});
	await since?.accepted();
	expect(await claim(newProcess(), 'a')).toEqual({ is: 'paid' });
});

test('a freed key that a write of another process has brought back is freed again', async () => {
	const keys = newProcess();
	const first = claimed(await claim(keys, 'a'));
	const [ticket, entries] = first.released;
	const late = startAdd(rows, PLACE, ['of another process']);
	await first.release();
	late();
	expect(await keys.findNotFreed(items, new Map([[ticket, entries]]))).toEqual([]);
	expect((await claim(newProcess(), 'a')).is).toBe('claimed');
});

test('a paid key that a write of another process has undone is written again with the next claim', async () => {
	const keys = newProcess();
	await claimed(await claim(keys, 'before')).accepted();
	const late = startAdd(rows, PLACE, ['of another process']);
	await claimed(await claim(keys, 'a')).accepted();
	late();
	await claimed(await claim(keys, 'b')).accepted();
	expect(await claim(newProcess(), 'a')).toEqual({ is: 'paid' });
});

test('a claim is asked, waits for a pause, and is confirmed', async () => {
	const events: string[] = [];
	const from = noting(() => events.push('asked'));
	const pause = async () => await Promise.resolve(void events.push('pause'));
	const keys = new PaymentKeys(new SharedRecord(pause));
	claimed(await claim(keys, 'a', { from }));
	expect(events).toEqual(['asked', 'pause', 'asked']);
});

test('what a refused claim has cleaned up is not removed again later', async () => {
	const [one, other] = [newProcess(), newProcess()];
	const first = claimed(await claim(other, 'a'));
	expect((await claim(one, 'a', { amount: '2' })).is).toBe('different');
	await first.release();
	await claimed(await claim(other, 'a', { amount: '2' })).leaveUnknown();
	await claimed(await claim(one, 'b')).accepted();
	expect(await claim(newProcess(), 'a', { amount: '2' })).toEqual({ is: 'unknown', wasTried: false });
});

test('a refusal of a payment that is sent again does not free its key', async () => {
	const header = 'Idempotency-Key';
	await claimed(await claim(newProcess(), 'a', { header })).leaveUnknown();
	const again = claimed(await claim(newProcess(), 'a', { header }));
	expect(again.isRepeated).toBe(true);
	await again.release();
	expect(await claim(newProcess(), 'a')).toEqual({ is: 'unknown', wasTried: false });
});

test('a payment that was sent without the header, or with another one, is not sent again', async () => {
	await claimed(await claim(newProcess(), 'a')).leaveUnknown();
	const unknown = { is: 'unknown', wasTried: false };
	expect(await claim(newProcess(), 'a', { header: 'Idempotency-Key' })).toEqual(unknown);
	await claimed(await claim(newProcess(), 'b', { header: 'Idempotency-Key' })).leaveUnknown();
	expect(await claim(newProcess(), 'b', { header: 'X-Request-Id' })).toEqual(unknown);
});

test('after a kill, It Was Paid does not send the payment again, though the service knows its key', async () => {
	const header = 'Idempotency-Key';
	claimed(await claim(newProcess(), 'a', { header }));
	expect(await claim(newProcess(), 'a', { header, decision: 'wasPaid' })).toEqual({
		is: 'unknown',
		wasTried: true,
	});
});

describe("the day's payments", () => {
	const take = async (keys: PaymentKeys, day = '2026-11-22', from = items) =>
		await keys.takePayment(from, day, 2);

	test('as many as allowed are made, in all processes together, and again on the next day', async () => {
		const [one, other] = [newProcess(), newProcess()];
		expect([await take(one), await take(other), await take(one), await take(other)]).toEqual([
			...[true, true, false, false],
		]);
		expect([await take(one, '2026-11-23'), await take(one, '2026-11-23')]).toEqual([true, true]);
		expect(await take(one, '2026-11-23')).toBe(false);
	});

	test('those that this process has counted are not asked for again', async () => {
		const keys = newProcess();
		const asked: string[] = [];
		const counting = noting((entries) => asked.push(...entries));
		await take(keys, '2026-11-22', counting);
		const first = asked.splice(0);
		await take(keys, '2026-11-22', counting);
		expect(asked.filter((text) => first.includes(text))).toEqual([]);
		asked.splice(0);
		expect(await take(keys, '2026-11-22', counting)).toBe(false);
		expect(asked).toEqual([]);
	});

	test('those that are asked for at the same time are all counted', async () => {
		const keys = newProcess();
		expect((await Promise.all([take(keys), take(keys), take(keys)])).filter(Boolean)).toHaveLength(2);
	});
});

test('a process remembers 10,000 payments, and forgets the oldest', async () => {
	const keys = newProcess();
	const written = new Set<string>();
	// The record in a form that is quick for 40,000 entries.
	const from: ProcessedItems = {
		add: async (entries) => {
			const processed = entries.filter((text) => written.has(text));
			const added = entries.filter((text) => !written.has(text));
			added.forEach((text) => written.add(text));
			return await Promise.resolve({ new: added, processed });
		},
		remove: async (entries) => await Promise.resolve(entries.forEach((text) => written.delete(text))),
	};
	const pay = async (key: string) => await claimed(await claim(keys, key, { from })).accepted();
	for (let count = 0; count < 10_000; count += 1) await pay(`k${count}`);
	const another = async (key: string) => await claim(keys, key, { amount: '2', from });
	expect(await another('k0')).toEqual({ is: 'different', details: ['amount'] });
	await pay('one more');
	expect(await another('k1')).toEqual({ is: 'different', details: ['amount'] });
	// The record still knows it, but not what was different.
	expect(await another('k0')).toEqual({ is: 'different' });
});

test('no key can be claimed in a record that other processes write all the time', async () => {
	let asked = 0;
	// Whatever was written is gone at the next question.
	const overwritten: ProcessedItems = {
		add: async (entries) => {
			asked += 1;
			return await Promise.resolve({ new: entries, processed: [] });
		},
		remove: async () => await Promise.resolve(),
	};
	await expect(claim(newProcess(), 'a', { from: overwritten })).rejects.toThrow(
		'other processes write it all the time',
	);
	// Twenty times a question and its confirmation.
	expect(asked).toBe(40);
});

test('a key that no write can free is named', async () => {
	const keys = newProcess();
	const first = claimed(await claim(keys, 'a'));
	const [ticket, entries] = first.released;
	// Other processes undo each removal.
	const stuck: ProcessedItems = { ...items, remove: async () => await Promise.resolve() };
	expect(await keys.findNotFreed(stuck, new Map([[ticket, entries]]))).toEqual([ticket]);
});

test('a key of which n8n has forgotten a part is free, and its entries are written again', async () => {
	await claimed(await claim(newProcess(), 'a')).leaveUnknown();
	const [, ...kept] = rows.get(PLACE)!;
	rows.set(PLACE, kept);
	expect((await claim(newProcess(), 'a')).is).toBe('claimed');
	// n8n forgets the oldest first. Without `open`, an unknown payment would count as paid.
	const kinds = rows.get(PLACE)!.map((text) => (JSON.parse(text) as string[])[1]);
	expect(kinds).toEqual(['used', 'same', 'open', 'tried', 'ticket']);
});

test('a decision waits a moment for a payment that is about to end', async () => {
	const first = claimed(await claim(newProcess(), 'a'));
	let pauses = 0;
	const waiting = new PaymentKeys(
		new SharedRecord(async () => {
			pauses += 1;
			if (pauses === 1) await first.leaveUnknown();
		}),
	);
	expect((await claim(waiting, 'a', { decision: 'wasNotPaid' })).is).toBe('claimed');
});
