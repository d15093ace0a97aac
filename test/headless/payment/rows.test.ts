import { BY_KEY, CONTINUED, CRYPTO, FIAT, payout, withNode } from '../withNode.ts';

/** Every item of a payment has the same fields, whatever its result, so that a table of them has no holes. */
const { run, answered, fault } = withNode();

const ROW = { currency: 'NGN', accountAlias: 'supplier-main' };
const noted = (key: string, amount: string) => payout(amount, { key, note: 'mine' });

/** Items of all results but `dryRun`, in one run. */
const everyResult = async (onError: 'continueRegularOutput' | 'continueErrorOutput') => {
	const items = [noted('paid-before', '1'), noted('new', '2'), noted('refused', '3'), noted('lost', '4')];
	await run(BY_KEY, { items: items.slice(0, 1) });
	await fault({ delayMs: 0 });
	await fault({ status: 422 });
	await fault({ dropAfter: true });
	return await run(BY_KEY, { items: [...items, noted('paid-before', '1.0')], settings: { onError } });
};
const PAID = { result: 'paid', payoutId: expect.any(String), status: 'pending' };
const ALREADY_PAID = { result: 'alreadyPaid', alreadyPaid: true };
const description = expect.any(String);
const REJECTED = {
	result: 'rejected',
	error: {
		outcome: 'rejected',
		message: expect.stringMatching(/^The service answered 422: \S/),
		description,
		httpStatus: 422,
		details: { error: expect.objectContaining({ message: expect.any(String) }) },
	},
};
const UNKNOWN = {
	result: 'unknown',
	error: expect.objectContaining({ outcome: 'unknown', message: expect.any(String), description }),
};

test('Continue: each item has result, key, amount, currency and destination beside error', async () => {
	const { items } = await everyResult('continueRegularOutput');
	expect(items[0]!.map(({ json }) => json)).toEqual([
		{ ...ROW, paymentKey: 'paid-before', amount: '1', ...ALREADY_PAID },
		{ ...ROW, paymentKey: 'new', amount: '2', ...PAID },
		{ ...ROW, paymentKey: 'refused', amount: '3', ...REJECTED },
		{ ...ROW, paymentKey: 'lost', amount: '4', ...UNKNOWN },
		{ ...ROW, paymentKey: 'paid-before', amount: '1.0', ...ALREADY_PAID },
	]);
	expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
});

test('Continue (using error output): failed items go there with the same fields, beside those of the input', async () => {
	const { items } = await everyResult('continueErrorOutput');
	const [paid, notPaid] = items;
	expect(paid!.map(({ json }) => [json.paymentKey, json.result])).toEqual([
		['paid-before', 'alreadyPaid'],
		['new', 'paid'],
		['paid-before', 'alreadyPaid'],
	]);
	const input = { alias: 'supplier-main', note: 'mine' };
	expect(notPaid!.map(({ json }) => json)).toEqual([
		{ ...input, key: 'refused', ...ROW, paymentKey: 'refused', amount: '3', ...REJECTED },
		{ ...input, key: 'lost', ...ROW, paymentKey: 'lost', amount: '4', ...UNKNOWN },
	]);
	expect(notPaid!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
});

test('a run that is held back names what each item would have paid', async () => {
	const { items } = await run(BY_KEY, { items: [noted('a', '1'), noted('b', '1,250.50')], ...CONTINUED });
	expect(items[0]!.map(({ json: { error: _, ...row } }) => row)).toEqual([
		{ ...ROW, paymentKey: 'a', amount: '1', result: 'notSent' },
		{ ...ROW, paymentKey: 'b', result: 'notSent' },
	]);
});

test("the service's own result stands beside its other unknown fields", async () => {
	const body = '{"payout_id":"1","status":"pending","result":"queued","waiting":true,"batch":"7"}';
	const [item] = await answered(FIAT, { body });
	const extra = { result: 'queued', waiting: true, batch: '7' };
	expect(item!.json).toMatchObject({ result: 'paid', extra });
	expect(item!.json).not.toHaveProperty('waiting');
});

test("without Simplify, no field of the service takes the place of the node's own", async () => {
	const body =
		'{"payout_id":"1","result":"queued","amount":{"value":9},"currency":"ngn","extra":{"batch":"7"}}';
	const [item] = await answered({ ...FIAT, simplify: false }, { body });
	expect(item!.json).toEqual({
		result: 'paid',
		payout_id: '1',
		amount: '10',
		currency: 'ngn',
		accountAlias: 'supplier-main',
		extra: { batch: '7', result: 'queued' },
	});
});

describe('every row has the key, the amount, the currency and the destination', () => {
	const byKey = { ...FIAT, paymentKey: 'k' };
	const broken = "={{ $('Nope').item.json.x }}";
	test.each<[string, object]>([
		['Request Options', { requestOptions: { timeout: 'x' } }],
		['a limit from a model', { options: { maximumAmount: "={{ $fromAI('x') }}" } }],
		['an option that fails', { options: { maximumAmount: broken } }],
		['an amount that fails', { amount: broken }],
		['a key that is refused', { paymentKey: 'INV-null' }],
		['the payments of the day', { options: { maximumPerDay: '0' } }],
	])('refused for %s', async (what, changed) => {
		const { items } = await run({ ...byKey, ...changed }, CONTINUED);
		const known = { ...ROW, ...(what.includes('an amount') ? {} : { amount: '10' }) };
		expect(items.flat()[0]!.json).toMatchObject({ paymentKey: expect.any(String), ...known });
	});

	test('paid, whatever the service answers in its place', async () => {
		const body = '{"payout_id":"1","amount":{},"coin":null,"walletAlias":null}';
		const [item] = await answered(CRYPTO, { body });
		expect(item!.json).toMatchObject({ amount: '5', coin: 'USDT', walletAlias: 'treasury' });
	});
});
