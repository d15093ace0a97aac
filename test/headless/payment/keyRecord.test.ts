import { DataDeduplicationService } from 'n8n-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { records, timing } from '../memoryProcessedItems.ts';
import { CONTINUED, keyed, PAYOUT, resultOf, withPayments } from '../withPayments.ts';

/** Whatever becomes of n8n's record of keys, each interruption ends on the safe side: no second payment, and no key waits for ever. */
const { run, payByKey, fault, accepted, asked, restart } = withPayments();

const pay = async (keys: string[], more: object = {}) => {
	const { items } = await run(
		{ ...PAYOUT, paymentKey: '={{ $json.key }}', ...more },
		{ ...CONTINUED, items: keys.map((key) => ({ json: { key, amount: '10', alias: 'supplier-main' } })) },
	);
	return items.flat().map(resultOf);
};

afterEach(() => {
	timing.fail = undefined;
	timing.write = 1;
});

/** Lets one write fail: the one with this number, counted from 1. */
const failWrite = (number: number, isStored: boolean) => {
	let write = 0;
	timing.fail = () => ((write += 1) === number ? (isStored ? 'after' : 'before') : undefined);
};

const WRITES = [1, 2, 3, 4, 5, 6].flatMap((number) => [
	[number, false],
	[number, true],
]) as Array<[number, boolean]>;

test.each(WRITES)(
	'write %p of a list fails (stored: %p): nothing is paid twice',
	async (number, isStored) => {
		failWrite(number, isStored);
		const first = await pay(['a', 'b']);
		timing.fail = undefined;
		const second = await pay(['a', 'b']);
		const third = await pay(['a', 'b']);
		expect(accepted().length).toBe(asked());
		for (const [index, key] of ['a', 'b'].entries()) {
			const sent = [first[index], second[index], third[index]].filter((result) => result === 'paid').length;
			expect({ key, sent }).toEqual({ key, sent: Math.min(sent, 1) });
			// A key says that it is paid only if it was.
			if (third[index] === 'alreadyPaid') expect(sent).toBe(1);
		}
		expect(third.filter((result) => result === 'unknown').length).toBeLessThanOrEqual(2);
	},
);

test.each(WRITES.slice(0, 4))(
	'write %p of a run of paid keys fails (stored: %p): no paid key is paid again',
	async (number, isStored) => {
		await pay(['a', 'b', 'c']);
		restart();
		failWrite(number, isStored);
		await pay(['a', 'b', 'c']);
		timing.fail = undefined;
		restart();
		const after = await pay(['a', 'b', 'c']);
		expect(accepted()).toHaveLength(3);
		expect(after.filter((result) => result !== 'alreadyPaid').length).toBeLessThanOrEqual(1);
	},
);

test('a mistyped amount is never alreadyPaid, even if its clean-up fails', async () => {
	const run10 = async () => await pay(['a']);
	const run11 = async () => await pay(['a'], { amount: '11' });
	await run10();
	// The claim of the other amount is written. Its removal fails, also when it is tried again.
	let writes = 0;
	timing.fail = () => ((writes += 1) > 1 ? 'before' : undefined);
	expect(await run11()).toEqual(['notSent']);
	timing.fail = undefined;
	expect(await pay(['b'])).toEqual(['paid']);
	expect(await run11()).toEqual(['notSent']);
	expect(await run10()).toEqual(['alreadyPaid']);
	expect(accepted()).toEqual(['10', '10']);
});

test('when n8n cannot keep the record at all, nothing is sent, and only one key is tried', async () => {
	timing.fail = () => 'before';
	expect(await pay(['a', 'b', 'c'])).toEqual(['notSent', 'notSent', 'notSent']);
	expect(asked()).toBe(0);
	timing.fail = undefined;
	expect(await pay(['a', 'b', 'c'])).toEqual(['paid', 'paid', 'paid']);
});

test('a key that cannot be freed after a rejection says so', async () => {
	await fault({ status: 422 });
	let writes = 0;
	timing.fail = () => ((writes += 1) > 2 ? 'before' : undefined);
	const { items } = await run(
		{ ...PAYOUT, paymentKey: 'a' },
		{ ...CONTINUED, items: [{ json: { amount: '10', alias: 'supplier-main' } }] },
	);
	expect(items[0]![0]!.json.error).toMatchObject({
		outcome: 'rejected',
		description: expect.stringContaining('n8n could not free the Payment Key.'),
	});
});

test('a record that holds other data, as Remove Duplicates can leave it, refuses every key', async () => {
	timing.fail = () => 'silently';
	expect(await pay(['a'])).toEqual(['notSent']);
	expect(asked()).toBe(0);
});

test('after a write of 1.5 seconds, the next payment takes under 3.5 seconds', async () => {
	timing.write = 1500;
	await pay(['a']);
	timing.write = 1;
	const begun = performance.now();
	expect(await pay(['b'])).toEqual(['paid']);
	expect(performance.now() - begun).toBeLessThan(3500);
}, 30_000);

test('what a stopped run had prepared for its next item is free again', async () => {
	await fault({ status: 422 });
	const items = ['a', 'b'].map((key) => ({ json: { key, amount: '10', alias: 'supplier-main' } }));
	await run({ ...PAYOUT, paymentKey: '={{ $json.key }}' }, { items });
	expect([...records.values()].flat()).toEqual([]);
	expect(await pay(['b'])).toEqual(['paid']);
});

/** Throws if the work takes longer. */
const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
	await Promise.race([
		work,
		sleep(milliseconds).then(() => {
			throw new Error('It waits for ever');
		}),
	]);

describe('claims that are made after the end of a run are freed', () => {
	const keysOf = (name: string) => Array.from({ length: 12 }, (_, index) => keyed(`${name}-key${index}`));

	test('Retry On Fail with twelve keys goes on after the first is rejected', async () => {
		await fault({ status: 422 });
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const running = run(
			{ ...PAYOUT, paymentKey: '={{ $json.key }}' },
			{ items: keysOf('retry'), settings: retrying },
		);
		expect((await within(4000, running)).error).toBeUndefined();
	});

	test('a new execution goes on after the node stopped at its first item', async () => {
		await fault({ status: 422 });
		await run({ ...PAYOUT, paymentKey: '={{ $json.key }}' }, { items: keysOf('stop') });
		expect(await within(4000, payByKey(keysOf('stop')))).toHaveLength(12);
	});

	test('a new execution goes on after one write has failed', async () => {
		let writes = 0;
		timing.fail = () => ((writes += 1) === 2 ? 'before' : undefined);
		await payByKey(keysOf('write'));
		expect(await within(4000, payByKey(keysOf('write')))).toHaveLength(12);
	});
});

test('a kill during a slow payment makes at most two keys unknown', async () => {
	await fault({ delayMs: 2000 });
	const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => keyed(`slow-${key}`));
	const running = payByKey(items);
	await sleep(1500);
	const [[place, entries] = ['', []]] = records;
	const atKill = [...entries];
	await running;
	records.set(place, atKill);
	expect(
		(await payByKey(items)).map(resultOf).filter((result) => result === 'unknown').length,
	).toBeLessThanOrEqual(2);
});

test('a paid key that was forgotten with the record is not paid again by the process that knows it', async () => {
	await payByKey([keyed('life')]);
	// *Clean Database* of a Remove Duplicates node.
	records.clear();
	expect((await payByKey([keyed('life')])).map(resultOf)).toEqual(['alreadyPaid']);
	expect(accepted()).toEqual(['10']);
});

test('a key that a new process pays after the record was forgotten is unknown until its answer is known', async () => {
	await payByKey([keyed('life')]);
	records.clear();
	restart();
	await fault({ dropBefore: true });
	expect((await payByKey([keyed('life')])).map(resultOf)).toEqual(['unknown']);
	await payByKey([keyed('next')]);
	expect((await payByKey([keyed('life')])).map(resultOf)).toEqual(['unknown']);
});

test('a Remove Duplicates node with a short history does not make a paid key payable', async () => {
	await payByKey([keyed('shared')]);
	const service = DataDeduplicationService.getInstance() as unknown as {
		checkProcessedAndRecord: (...given: unknown[]) => Promise<unknown>;
	};
	const place = { workflow: { id: 'workflow-id' }, node: { id: 'remove-duplicates' } };
	await service.checkProcessedAndRecord(['x'], 'workflow', place, { mode: 'entries', maxEntries: 1 });
	await payByKey([keyed('shared')]);
	expect(accepted()).toEqual(['10']);
});
