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
const failed = (outcome: string) => ({
	result: outcome,
	error: expect.objectContaining({ outcome, message: expect.any(String), description: expect.any(String) }),
});

test('Continue: each item has result, key, amount, currency and destination beside error', async () => {
	const { items } = await everyResult('continueRegularOutput');
	expect(items[0]!.map(({ json }) => json)).toEqual([
		{ ...ROW, paymentKey: 'paid-before', amount: '1', ...ALREADY_PAID },
		{ ...ROW, paymentKey: 'new', amount: '2', ...PAID },
		{ ...ROW, paymentKey: 'refused', amount: '3', ...failed('rejected') },
		{ ...ROW, paymentKey: 'lost', amount: '4', ...failed('unknown') },
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
		{ ...input, key: 'refused', ...ROW, paymentKey: 'refused', amount: '3', ...failed('rejected') },
		{ ...input, key: 'lost', ...ROW, paymentKey: 'lost', amount: '4', ...failed('unknown') },
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
	const body = '{"payout_id":"1","status":"pending","result":"queued","batch":"7"}';
	const [item] = await answered(FIAT, { body });
	expect(item!.json).toMatchObject({ result: 'paid', extra: { result: 'queued', batch: '7' } });
});

test("without Simplify, no field of the service takes the place of the node's own", async () => {
	const body =
		'{"payout_id":"1","result":"queued","amount":{"value":9},"currency":"ngn","extra":{"batch":"7"}}';
	const [item] = await answered({ ...FIAT, simplify: false }, { body });
	expect(item!.json).toEqual({
		...{ result: 'paid', payout_id: '1', amount: '10', currency: 'ngn', accountAlias: 'supplier-main' },
		extra: { batch: '7', result: 'queued' },
	});
});

test("the service's message is on the failed item in continue mode", async () => {
	const { items } = await run({ ...FIAT, account_alias: 'nobody' }, CONTINUED);
	const message = expect.stringContaining('nobody');
	const known = { outcome: 'rejected', httpStatus: 404, details: { error: { message } } };
	expect(items[0]![0]!.json.error).toMatchObject({ message, ...known });
});

describe('every row has the key, the amount, the currency and the destination', () => {
	const byKey = { ...FIAT, paymentKey: 'k' };
	const broken = "={{ $('Nope').item.json.x }}";
	test.each<[string, object]>([
		['an empty limit', { options: { maximumAmount: '' } }],
		['an amount with a comma', { amount: '1,000' }],
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

	test.each(['"amount":null,"coin":null,"walletAlias":null', '"amount":{}'])(
		'paid with %s',
		async (fields) => {
			const [item] = await answered(CRYPTO, { body: `{"payout_id":"1",${fields}}` });
			expect(item!.json).toMatchObject({ amount: '5', coin: 'USDT', walletAlias: 'treasury' });
		},
	);
});
