/** Whatever becomes of the rows of keys, each interruption ends on the safe side: no second payment, and no key waits for ever. */
import { DataDeduplicationService } from 'n8n-core';
import { until } from '../../../host/until.ts';
import { killAfter, records, timing } from '../memoryProcessedItems.ts';
import { keyed, PAYOUT, resultOf, withNode } from '../withNode.ts';

type Helper = (items: unknown, scope: unknown, context: object, options: unknown) => Promise<unknown>;

const { run, payByKey, payElsewhere, fault, accepted, asked, restart } = withNode();

const BY_KEY = { ...PAYOUT, paymentKey: '={{ $json.key }}' };
/** The results of payments with these keys. */
const pay = async (keys: string[], amount = '10', options: object = {}) =>
	(
		await payByKey(
			keys.map((key) => keyed(key, amount)),
			options,
		)
	).map(resultOf);

/** The first use of a process proves that rows are separate. What follows counts the writes of payments only. */
beforeEach(async () => {
	await pay(['the first of all']);
	accepted();
});
const paidSince = () => accepted().slice(1);

/** Lets the writes fail for which this says so. They are counted from 1. */
const failWrites = (fails: (number: number) => boolean, isStored = false) => {
	let write = 0;
	timing.fail = (kind) =>
		kind !== 'read' && fails((write += 1)) ? (isStored ? 'after' : 'before') : undefined;
};

/** A paid key takes five writes: sent, used, owns, what an earlier process left, paid. */
const WRITES = Array.from({ length: 10 }, (_, index) => index + 1).flatMap((number) =>
	[false, true].map((isStored) => ({ number, isStored })),
);

describe('a write fails', () => {
	test.each(WRITES)(
		'write $number of a list (stored: $isStored): nothing is paid twice, and at most one key is unknown',
		async ({ number, isStored }) => {
			failWrites((write) => write === number, isStored);
			const first = await pay(['a', 'b']);
			timing.fail = undefined;
			restart();
			const second = await pay(['a', 'b']);
			const third = await pay(['a', 'b']);
			expect(paidSince().length).toBeLessThanOrEqual(2);
			for (const index of [0, 1]) {
				const sent = [first, second, third].filter((results) => results[index] === 'paid').length;
				expect(sent).toBeLessThanOrEqual(1);
				// A key says that it is paid only if it was.
				if (third[index] === 'alreadyPaid') expect(sent).toBe(1);
			}
			expect(third.filter((result) => result === 'unknown').length).toBeLessThanOrEqual(1);
			const decided = { ifOutcomeIsUnknown: 'wasNotPaid' };
			if (paidSince().length < 2) expect(await pay(['a', 'b'], '10', decided)).toContain('paid');
		},
	);

	test.each(['before', 'after', 'silently'] as const)(
		'a paid key is paid, although no write succeeds any more (%s)',
		async (kind) => {
			await pay(['a', 'b', 'c']);
			restart();
			timing.fail = (call) => (call === 'read' ? undefined : kind);
			expect(await pay(['a', 'b', 'c'])).toEqual(['alreadyPaid', 'alreadyPaid', 'alreadyPaid']);
			expect(paidSince()).toHaveLength(3);
		},
	);

	test.each([2, 3, 4, 5])(
		'a mistyped amount is never alreadyPaid or paid, even if its clean-up fails from write %i on',
		async (number) => {
			await pay(['a']);
			restart();
			failWrites((write) => write >= number);
			expect(await pay(['a'], '11')).toEqual(['notSent']);
			timing.fail = undefined;
			restart();
			expect(await pay(['b'])).toEqual(['paid']);
			for (let run = 0; run < 3; run += 1)
				expect(['unknown', 'notSent']).toContain((await pay(['a'], '11'))[0]);
			expect(await pay(['a'])).toEqual(['alreadyPaid']);
			expect(paidSince()).toEqual(['10', '10']);
		},
	);

	test('when n8n can keep no row at all, nothing is sent, and only one key is tried', async () => {
		let writes = 0;
		failWrites((write) => (writes = write) > 0);
		expect(await pay(['a', 'b', 'c'])).toEqual(['notSent', 'notSent', 'notSent']);
		expect(asked()).toBe(1);
		// The row, and twice more, because another process may have made and freed it.
		expect(writes).toBe(3);
		timing.fail = undefined;
		expect(await pay(['a', 'b', 'c'])).toEqual(['paid', 'paid', 'paid']);
	});

	test('a row that n8n passes over in silence refuses the key', async () => {
		timing.fail = () => 'silently';
		expect(await pay(['a'])).toEqual(['notSent']);
		expect(asked()).toBe(1);
	});

	test.each([5, 6, 7])('a key that cannot be freed after a rejection says so (write %i)', async (number) => {
		await fault({ status: 422 });
		failWrites((write) => write >= number);
		const [item] = await payByKey([keyed('a')]);
		expect(item!.json.error).toMatchObject({
			outcome: 'rejected',
			description: expect.stringContaining('n8n could not free the Payment Key.'),
		});
	});
});

test('if n8n keeps one row for all names, nothing is sent', async () => {
	const service = DataDeduplicationService.getInstance() as unknown as Record<string, Helper>;
	const { checkProcessedAndRecord } = service;
	service.checkProcessedAndRecord = async (items, scope, context, options) =>
		await checkProcessedAndRecord!.call(service, items, scope, { ...context, node: { id: 'one' } }, options);
	try {
		expect(await payElsewhere([keyed('a')])).toEqual(['notSent']);
		expect(await payElsewhere([keyed('a')], { ifOutcomeIsUnknown: 'wasNotPaid' })).toEqual(['notSent']);
	} finally {
		service.checkProcessedAndRecord = checkProcessedAndRecord!;
	}
	expect(asked()).toBe(1);
	expect(await payElsewhere([keyed('a')])).toEqual(['paid']);
});

describe('n8n is killed', () => {
	test.each([1, 2, 3, 4, 5, 6, 7, 8])(
		'after write %i of a list: nothing is paid twice, and at most one key is unknown',
		async (number) => {
			const keys = ['a', 'b', 'c'];
			killAfter(number);
			await pay(keys);
			timing.fail = undefined;
			restart();
			const again = await pay(keys);
			expect(again.filter((result) => result === 'unknown').length).toBeLessThanOrEqual(1);
			// What ran on in the test after the kill has sent one payment at most, whose row could not be written.
			expect(paidSince().length).toBeLessThanOrEqual(3);
		},
	);

	test('during a slow payment: only that key is unknown', async () => {
		await fault({ delayMs: 300 });
		const keys = ['a', 'b', 'c'];
		const running = pay(keys);
		await until('the payment', () => asked() > 1 || undefined);
		const atKill = [...records].map(([place, entries]): [string, string[]] => [place, [...entries]]);
		await running;
		records.clear();
		for (const [place, entries] of atKill) records.set(place, entries);
		restart();
		expect(await pay(keys)).toEqual(['unknown', 'paid', 'paid']);
	});
});

describe('after the node stopped at its first item', () => {
	const items = ['a', 'b', 'c'].map((key) => keyed(key));

	test('Retry On Fail goes on', async () => {
		await fault({ status: 422 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect((await run(BY_KEY, { items, settings })).error).toBeUndefined();
		expect(paidSince()).toHaveLength(3);
	});

	test('no row is left, and a new execution goes on', async () => {
		const before = [...records.keys()];
		await fault({ status: 422 });
		await run(BY_KEY, { items });
		expect([...records.keys()]).toEqual(before);
		expect(await pay(['a', 'b', 'c'])).toEqual(['paid', 'paid', 'paid']);
	});
});
