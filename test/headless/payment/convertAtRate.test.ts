/** Convert at Best Rate: the node chooses the contract, and the Payment Key stands for what is converted. */
import { readFileSync } from 'node:fs';
import { ageKeys } from '../memoryProcessedItems.ts';
import { CONTINUED, CONVERT, resultOf, withNode } from '../withNode.ts';

const { run, resultsOf, fault, sandbox, asked } = withNode();

/** The sandbox has one contract from USDT to NGN: 1550.4, less 0.5 %, is 1542.648. */
const AT_RATE = {
	resource: 'instantLiquidity',
	operation: 'convertAtRate',
	from: 'USDT',
	to: 'NGN',
	amount: '={{ $json.amount ?? "5" }}',
	minimumRate: '={{ $json.minimumRate ?? "1540" }}',
	paymentKey: '={{ $json.key }}',
};
const CONVERSION = 'POST /v1/instant_conversion';
const conversions = () =>
	sandbox.service.requests.all().filter(({ path }) => path === '/v1/instant_conversion');
const order = (key: string, more: object = {}) => ({ json: { key, ...more } });
const convert = async (items = [order('o-1')], options: object = {}) =>
	(await run({ ...AT_RATE, options }, { ...CONTINUED, items })).items.flat();

test('it converts by the contract of the pair, and shows the rate beside the wanted one', async () => {
	const [item] = await convert();
	expect(item!.json).toMatchObject({
		...{ result: 'paid', paymentKey: 'o-1', from: 'USDT', to: 'NGN', amount: '5' },
		...{ contractId: 'ic_usdt_ngn', quotedRate: '1542.648', wantedRate: '1540', fromAmount: '5' },
		transactionId: expect.stringMatching(/./),
	});
	expect(conversions().map(({ body }) => body)).toEqual(['{"contract_id":"ic_usdt_ngn","from_amount":5}']);
});

test('a rate that is too low holds its item only, frees the key, and says both rates', async () => {
	const items = await convert([order('o-1', { minimumRate: '1600' }), order('o-2')]);
	expect(items.map(resultOf)).toEqual(['waiting', 'paid']);
	expect(items[0]!.json.error).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(/1,542\.648.*1,600.*, or lower Minimum Rate$/),
		description: 'Then run this item again.',
	});
	expect(resultOf((await convert([order('o-1')]))[0]!)).toBe('paid');
	expect(conversions()).toHaveLength(2);
});

test('the editor offers what says that an item waits', () => {
	const file = 'dist/nodes/WalletService/__schema__/v1.0.0/instantLiquidity/convertAtRate.json';
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	expect(properties).toMatchObject({ dryRun: { type: 'boolean' }, waiting: { type: 'boolean' } });
});

test('a key that was converted says so, also when no contract would do now', async () => {
	await convert();
	expect(resultOf((await convert([order('o-1', { minimumRate: '9999' })]))[0]!)).toBe('alreadyPaid');
	expect(conversions()).toHaveLength(1);
});

test('the same key for another amount, or for Convert, is refused', async () => {
	await convert();
	expect(resultOf((await convert([order('o-1', { amount: '6' })]))[0]!)).toBe('notSent');
	expect(await resultsOf({ ...CONVERT, paymentKey: 'o-1' })).toEqual(['notSent']);
	expect(conversions()).toHaveLength(1);
});

test('an answer that is lost leaves the key unknown, whatever contract would be best then', async () => {
	await fault({ dropAfter: true }, 1, CONVERSION);
	expect(resultOf((await convert())[0]!)).toBe('unknown');
	ageKeys();
	expect(resultOf((await convert())[0]!)).toBe('unknown');
	expect(conversions()).toHaveLength(1);
});

test('if the contracts cannot be read, nothing is sent, and a paid key is still told', async () => {
	await convert();
	await fault({ status: 500 }, 2, 'GET /v1/instant_contracts');
	expect((await convert([order('o-1'), order('o-2')])).map(resultOf)).toEqual(['alreadyPaid', 'waiting']);
	expect(conversions()).toHaveLength(1);
});

test('a dry run shows the contract that it would use', async () => {
	const [item] = await convert([order('o-1')], { dryRun: true });
	expect(item!.json).toMatchObject({ result: 'dryRun', contractId: 'ic_usdt_ngn', quotedRate: '1542.648' });
	expect(conversions()).toEqual([]);
});

test.each([
	[{ maximumAmount: '4' }, 'Maximum Amount'],
	[{ allowedCurrencies: 'USD' }, 'Allowed Currencies'],
	[{ allowedAliases: 'USD' }, 'Allowed Aliases'],
])('the limits %j hold what is converted', async (options, label) => {
	const [item] = await convert([order('o-1')], options);
	expect(item!.json).toMatchObject({ result: 'notSent', error: { message: expect.stringContaining(label) } });
	expect(conversions()).toEqual([]);
});

test('an item that a limit holds back does not wait, and the others wait until it is left out', async () => {
	const items = [order('o-1', { amount: '4.01' }), order('o-2', { amount: '4' })];
	expect((await convert(items, { maximumAmount: '4' })).map(resultOf)).toEqual(['notSent', 'waiting']);
	expect(conversions()).toEqual([]);
	expect((await convert(items.slice(1), { maximumAmount: '4' })).map(resultOf)).toEqual(['paid']);
});

test.each([
	[{ minimumRate: '={{ "" }}' }, "'Minimum Rate' is empty"],
	[{ minimumRate: '0' }, "'Minimum Rate' is not above zero"],
	[{ minimumRate: '1,540' }, "'Minimum Rate' has a comma"],
	[{ contractSettings: { feeIs: 'free' } }, "'Fee Is' is not"],
	[{ contractSettings: '={{ ({}) }}' }, "'Contract Settings' is one expression"],
	[{ amount: '0' }, "'Amount' is not above zero"],
])('%j sends nothing for any item', async (wrong, message) => {
	const { error } = await run({ ...AT_RATE, ...wrong }, { items: [order('o-1'), order('o-2')] });
	expect(error?.message).toContain(message);
	expect(conversions()).toEqual([]);
});

test('as a tool, it converts only within limits', async () => {
	const asTool = { type: 'walletServiceTool' };
	const [item] = (await run({ ...AT_RATE, paymentKey: 'o-1' }, asTool)).items.flat();
	expect(item!.json.result).toBe('notSent');
	expect(item!.json.message).toContain("'Maximum Amount' is empty");
	const options = { maximumAmount: '10', allowedAliases: 'NGN', allowedCurrencies: 'USDT' };
	const fixed = { amount: '5', minimumRate: '1540', paymentKey: 'o-1', options };
	const rate = { minimumRate: "={{ $fromAI('rate') }}" };
	const [fromModel] = (await run({ ...AT_RATE, ...fixed, ...rate }, asTool)).items.flat();
	expect(fromModel!.json).toMatchObject({ result: 'notSent' });
	expect(conversions()).toEqual([]);
	const [paid] = (await run({ ...AT_RATE, ...fixed }, asTool)).items.flat();
	expect(paid!.json.result).toBe('paid');
});

test('of a contract, what one item takes is not there for the next one', async () => {
	const items = await convert([order('o-1', { amount: '9000' }), order('o-2', { amount: '9000' })]);
	expect(items.map(resultOf)).toEqual(['paid', 'waiting']);
	expect(conversions()).toHaveLength(1);
	expect(asked()).toBeGreaterThan(1);
});

/** `mostBelowBid` is a limit: 1542.648 is further below the bid of 1545.5 than 0.000001 allows. */
const NEAR_BID = { mostBelowBid: '0.000001' };

test.each([
	['a limit that holds', NEAR_BID, 'Most Below Bid'],
	['one expression', '={{ ({ mostBelowBid: "0.000001" }) }}', "'Contract Settings' is one expression"],
	['a share that is none', { mostBelowBid: '1.5' }, 'Most Below Bid'],
	['an expression that gives nothing', { mostBelowBid: '={{ $json.none }}' }, "'Most Below Bid' is not"],
	['a model', { mostBelowBid: "={{ $fromAI('bid') }}" }, "'Most Below Bid' must not come from an AI model"],
])('with Contract Settings from %s, nothing is converted', async (_, contractSettings, message) => {
	const { items } = await run({ ...AT_RATE, contractSettings }, { ...CONTINUED, items: [order('o-1')] });
	const [item] = items.flat();
	expect(resultOf(item!)).toBe(contractSettings === NEAR_BID ? 'waiting' : 'notSent');
	expect(item!.json.error).toMatchObject({ message: expect.stringContaining(message) });
	expect(conversions()).toEqual([]);
});
