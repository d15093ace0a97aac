import { records, timing } from '../memoryProcessedItems.ts';
import { CONTINUED, PAYOUT, resultOf, withPayments } from '../withPayments.ts';

/** Writes of n8n's record that fail, or that are stored and report a failure. Each ends on the safe side. */
const { run, fault, accepted, asked, restart } = withPayments();

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

test('a mistyped amount whose clean-up fails is never told that it was paid', async () => {
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

test('one write of 30 seconds makes no later payment wait for more than two seconds', async () => {
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
