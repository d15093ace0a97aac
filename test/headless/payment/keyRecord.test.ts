/** Whatever becomes of n8n's record of keys, each interruption ends on the safe side: no second payment, and no key waits for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import { until } from '../../../host/until.ts';
import { records, timing } from '../memoryProcessedItems.ts';
import { keyed, PAYOUT, resultOf, withNode } from '../withNode.ts';

const { run, payByKey, fault, accepted, asked, restart } = withNode();

const BY_KEY = { ...PAYOUT, paymentKey: '={{ $json.key }}' };
/** The results of payments with these keys. */
const pay = async (keys: string[], amount = '10') =>
	(await payByKey(keys.map((key) => keyed(key, amount)))).map(resultOf);

/** Lets the writes fail for which this says so. They are counted from 1. */
const failWrites = (fails: (number: number) => boolean, isStored = false) => {
	let write = 0;
	timing.fail = () => (fails((write += 1)) ? (isStored ? 'after' : 'before') : undefined);
};

describe('a write fails', () => {
	const WRITES = [1, 2, 3, 4, 5, 6].flatMap((number) =>
		[false, true].map((isStored) => ({ number, isStored })),
	);

	test.each(WRITES)(
		'write $number of a list (stored: $isStored): nothing is paid twice',
		async ({ number, isStored }) => {
			failWrites((write) => write === number, isStored);
			const first = await pay(['a', 'b']);
			timing.fail = undefined;
			restart();
			const second = await pay(['a', 'b']);
			const third = await pay(['a', 'b']);
			expect(accepted().length).toBeLessThanOrEqual(2);
			for (const index of [0, 1]) {
				const sent = [first, second, third].filter((results) => results[index] === 'paid').length;
				expect(sent).toBeLessThanOrEqual(1);
				// A key says that it is paid only if it was.
				if (third[index] === 'alreadyPaid') expect(sent).toBe(1);
			}
		},
	);

	test.each(WRITES.slice(0, 4))(
		'write $number of a run of paid keys (stored: $isStored): no paid key is paid again',
		async ({ number, isStored }) => {
			await pay(['a', 'b', 'c']);
			restart();
			failWrites((write) => write === number, isStored);
			await pay(['a', 'b', 'c']);
			timing.fail = undefined;
			restart();
			const after = await pay(['a', 'b', 'c']);
			expect(accepted()).toHaveLength(3);
			expect(after.filter((result) => result !== 'alreadyPaid').length).toBeLessThanOrEqual(1);
		},
	);

	test('a mistyped amount is never alreadyPaid, even if its clean-up fails', async () => {
		await pay(['a']);
		restart();
		// The claim of the other amount is written. Its removal fails, also when it is tried again.
		failWrites((write) => write > 1);
		expect(await pay(['a'], '11')).toEqual(['notSent']);
		timing.fail = undefined;
		restart();
		expect(await pay(['b'])).toEqual(['paid']);
		expect(await pay(['a'], '11')).toEqual(['unknown']);
		expect(await pay(['a'])).toEqual(['alreadyPaid']);
		expect(accepted()).toEqual(['10', '10']);
	});

	test('when n8n cannot keep the record at all, nothing is sent, and only one key is tried', async () => {
		let writes = 0;
		failWrites((write) => (writes = write) > 0);
		expect(await pay(['a', 'b', 'c'])).toEqual(['notSent', 'notSent', 'notSent']);
		expect(asked()).toBe(0);
		// A question, and once more, because another process may have made the row.
		expect(writes).toBe(2);
		timing.fail = undefined;
		expect(await pay(['a', 'b', 'c'])).toEqual(['paid', 'paid', 'paid']);
	});

	test('a key that cannot be freed after a rejection says so', async () => {
		await fault({ status: 422 });
		failWrites((write) => write > 2);
		const [item] = await payByKey([keyed('a')]);
		expect(item!.json.error).toMatchObject({
			outcome: 'rejected',
			description: expect.stringContaining('n8n could not free the Payment Key.'),
		});
	});
});

describe('claims that are made after the end of a run are freed', () => {
	const KEYS = ['a', 'b', 'c', 'd'];
	const items = KEYS.map((key) => keyed(key));

	test('Retry On Fail goes on after the first key is rejected', async () => {
		await fault({ status: 422 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect((await run(BY_KEY, { items, settings })).error).toBeUndefined();
		expect(accepted()).toHaveLength(4);
	}, 10_000);

	test('after the node stopped at its first item, no entry is left, and a new execution goes on', async () => {
		await fault({ status: 422 });
		await run(BY_KEY, { items });
		expect([...records.values()].flat()).toEqual([]);
		expect(await pay(KEYS)).toEqual(KEYS.map(() => 'paid'));
	}, 10_000);

	test('a new execution goes on after one write has failed', async () => {
		failWrites((write) => write === 2);
		await pay(KEYS);
		const again = await pay(KEYS);
		expect(again).toContain('paid');
		expect(again).not.toContain('notSent');
	});
});

test('a kill during a slow payment makes at most two keys unknown', async () => {
	await fault({ delayMs: 800 });
	const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
	const running = pay(keys);
	await until('the payment', () => asked() > 0 || undefined);
	// Longer than the claim of another key takes.
	await sleep(500);
	const [[place, entries] = ['', []]] = records;
	const atKill = [...entries];
	await running;
	records.set(place, atKill);
	restart();
	const unknown = (await pay(keys)).filter((result) => result === 'unknown');
	expect(unknown.length).toBeGreaterThan(0);
	expect(unknown.length).toBeLessThanOrEqual(2);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
	'a failure of write %i of a list makes at most two keys unknown',
	async (number) => {
		const keys = ['a', 'b', 'c', 'd', 'e'];
		failWrites((write) => write === number);
		await pay(keys);
		timing.fail = undefined;
		restart();
		const again = await pay(keys);
		expect(again.filter((result) => result === 'unknown').length).toBeLessThanOrEqual(2);
		expect(accepted().length).toBeLessThanOrEqual(keys.length);
	},
);

describe('nodes of Remove Duplicates use the same record', () => {
	test('a record that holds other data refuses every key', async () => {
		timing.fail = () => 'silently';
		expect(await pay(['a'])).toEqual(['notSent']);
		expect(asked()).toBe(0);
	});

	test('a paid key that Clean Database has removed is not paid again by the process that knows it', async () => {
		await pay(['life']);
		records.clear();
		expect(await pay(['life'])).toEqual(['alreadyPaid']);
		expect(accepted()).toEqual(['10']);
	});

	test('a key that a new process pays after that is unknown until its answer is known', async () => {
		await pay(['life']);
		records.clear();
		restart();
		await fault({ dropBefore: true });
		expect(await pay(['life'])).toEqual(['unknown']);
		await pay(['next']);
		expect(await pay(['life'])).toEqual(['unknown']);
	});

	test('a short history does not make a paid key payable by the process that knows it', async () => {
		await pay(['shared']);
		const service = DataDeduplicationService.getInstance() as unknown as {
			checkProcessedAndRecord: (...given: unknown[]) => Promise<unknown>;
		};
		const [place = ''] = records.keys();
		const where = { workflow: { id: place.replace('/', '') }, node: { id: 'remove-duplicates' } };
		await service.checkProcessedAndRecord(['x'], 'workflow', where, { mode: 'entries', maxEntries: 1 });
		await pay(['shared']);
		expect(accepted()).toEqual(['10']);
	});
});
