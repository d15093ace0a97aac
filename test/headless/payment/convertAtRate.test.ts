/** Convert at Best Rate: the node chooses the contract, and the Payment Key stands for what is converted. */
import { readFileSync } from 'node:fs';
import { ageKeys } from '../memoryProcessedItems.ts';
import { CONTINUED, CONVERT, resultOf, withNode } from '../withNode.ts';

const { run, resultsOf, fault, hints, sandbox, asked } = withNode();

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
		result: 'paid',
		paymentKey: 'o-1',
		from: 'USDT',
		to: 'NGN',
		amount: '5',
		contractId: 'ic_usdt_ngn',
		quotedRate: '1542.648',
		wantedRate: '1540',
		fromAmount: '5',
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

test('the editor offers what says that an item waits, or is below its minimum', () => {
	const file = 'dist/nodes/WalletService/__schema__/v1.0.0/instantLiquidity/convertAtRate.json';
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	const flags = Object.fromEntries(
		['dryRun', 'waiting', 'belowMinimum'].map((name) => [name, { type: 'boolean' }]),
	);
	expect(properties).toMatchObject(flags);
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

test('if the published rates cannot be read, nobody knows which contract is far off, and nothing is sent', async () => {
	await fault({ status: 500 }, 2, 'GET /v1/rates');
	const [item] = await convert();
	expect(resultOf(item!)).toBe('waiting');
	expect(item!.json.error).toMatchObject({
		message: expect.stringMatching(/^The published rates cannot be read: /),
		description: 'Run this item again later. Nothing was converted for it now.',
	});
	expect(conversions()).toEqual([]);
});

describe('a contract whose rate is far off', () => {
	const list = (id: string, rate: string) => {
		const { contracts } = sandbox.service.ledger;
		contracts.put(id, { ...contracts.get('ic_usdt_ngn')!, contract_id: id, rate });
	};

	test('is skipped, and the item of the conversion says so', async () => {
		list('ic_wrong', '15504');
		const [item] = await convert();
		expect(item!.json).toMatchObject({
			result: 'paid',
			contractId: 'ic_usdt_ngn',
			skippedContracts:
				'1 contract was skipped because its rate is more than twice the published one: ic_wrong (15,504).',
		});
	});

	test('as the only one waits for nothing: a person has to ask', async () => {
		list('ic_usdt_ngn', '15504');
		const [item] = await convert();
		expect(resultOf(item!)).toBe('notSent');
		expect(item!.json).toMatchObject({
			result: 'notSent',
			paymentKey: 'o-1',
			amount: '5',
			error: {
				message: expect.stringMatching(/ic_usdt_ngn \(15,504\)\. Nothing was sent now\. Ask the service/),
			},
		});
		list('ic_usdt_ngn', '1550.4');
		expect((await convert()).map(resultOf)).toEqual(['paid']);
		expect(conversions()).toHaveLength(1);
	});
});

test.each([[{ status: 503 }], [{ dropBefore: true }]])(
	'contracts and rates are asked for again after %j, and the conversion is made once',
	async (kind) => {
		for (const route of ['GET /v1/instant_contracts', 'GET /v1/rates']) await fault(kind, 1, route);
		expect((await convert()).map(resultOf)).toEqual(['paid']);
		expect(conversions()).toHaveLength(1);
	},
);

test('a service that asks to wait longer than its offer is valid keeps no conversion waiting', async () => {
	await fault({ status: 429, retryAfter: 11 }, 1, 'GET /v1/instant_contracts');
	expect((await convert()).map(resultOf)).toEqual(['waiting']);
	expect(conversions()).toEqual([]);
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

describe('each order stands for itself', () => {
	const wrong = order('o-wrong', { amount: 'five' });
	/** What a person has found out about an order. */
	const DECIDED = { ifOutcomeIsUnknown: "={{ $json.decision || 'doNotPay' }}" };
	const unknownOrder = async () => {
		await fault({ dropAfter: true }, 1, CONVERSION);
		expect((await convert()).map(resultOf)).toEqual(['unknown']);
		ageKeys();
	};

	test('a wrong order says what is wrong with it, and the others are converted', async () => {
		const items = await convert([order('o-1'), wrong, order('o-2', { minimumRate: '' }), order('o-3')]);
		expect(items.map(resultOf)).toEqual(['paid', 'notSent', 'notSent', 'paid']);
		expect(items.map(({ json }) => (json.error as { message?: string } | undefined)?.message ?? '')).toEqual([
			'',
			expect.stringContaining("'Amount'"),
			"'Minimum Rate' is empty",
			'',
		]);
		expect(items[1]!.json.error).toMatchObject({
			description: expect.stringMatching(/This item was not sent\.$/),
		});
		expect(conversions()).toHaveLength(2);
	});

	test('an order that a limit holds back holds no other', async () => {
		const items = [order('o-1', { amount: '4.01' }), order('o-2', { amount: '4' })];
		expect((await convert(items, { maximumAmount: '4' })).map(resultOf)).toEqual(['notSent', 'paid']);
		expect(conversions()).toHaveLength(1);
	});

	test.each([
		['wasPaid', 'alreadyPaid', 1],
		['wasNotPaid', 'paid', 2],
	])('beside a wrong order, the decision %s acts', async (decision, result, count) => {
		await unknownOrder();
		const decided = order('o-1', { decision });
		expect((await convert([decided, wrong], DECIDED)).map(resultOf)).toEqual([result, 'notSent']);
		expect((await convert([order('o-1'), wrong])).map(resultOf)).toEqual(['alreadyPaid', 'notSent']);
		expect(conversions()).toHaveLength(count);
	});

	test('beside a wrong order, an unknown one stays unknown, and a paid one paid', async () => {
		await convert([order('o-0')]);
		await unknownOrder();
		const all = await convert([wrong, order('o-0'), order('o-1')]);
		expect(all.map(resultOf)).toEqual(['notSent', 'alreadyPaid', 'unknown']);
		expect(conversions()).toHaveLength(2);
	});

	test('of two orders with one number the first counts, and the decision about it', async () => {
		const other = order('o-1', { amount: '6' });
		expect((await convert([order('o-1'), other])).map(resultOf)).toEqual(['paid', 'notSent']);
		expect((await convert([other, order('o-1')])).map(resultOf)).toEqual(['notSent', 'alreadyPaid']);
		expect(conversions().map(({ body }) => body)).toEqual(['{"contract_id":"ic_usdt_ngn","from_amount":5}']);
	});

	test('with On Error: Stop, the node stops at the wrong order, and says which ones were converted', async () => {
		const { error } = await run(AT_RATE, { items: [order('o-1'), wrong, order('o-2')] });
		expect(error?.message).toMatch(/^1 of 3 already paid\. 'Amount' .*\[item 2 of 3\]$/);
		expect(error?.description).toMatch(
			/^Already paid: item 1: 5 USDT to NGN, key o-1, ID \w+\. .*Not tried: item 3\. /,
		);
		expect(conversions()).toHaveLength(1);
	});

	test('a credential that cannot be used holds all, and is no matter of one item', async () => {
		const credentials = { baseUrl: 'ftp://wallet.example' };
		const { error } = await run(AT_RATE, { credentials, items: [order('o-1'), order('o-2')] });
		expect(error?.message).toMatch(/^The credential cannot be used: [^[]*$/);
	});

	test.each([{}, { dryRun: true }])(
		'with %j, Maximum Total adds up what is converted, in the order of the items',
		async (more) => {
			const items = [
				order('o-1'),
				order('o-2', { minimumRate: '9999' }),
				order('o-3', { amount: '6' }),
				order('o-4', { amount: '4' }),
			];
			const [made] = 'dryRun' in more ? ['dryRun'] : ['paid'];
			const all = await convert(items, { maximumTotal: '10', ...more });
			expect(all.map(resultOf)).toEqual([made, 'waiting', 'notSent', made]);
			expect(all[2]!.json.error).toMatchObject({
				message: "The total 11 of this execution is above 'Maximum Total' 10",
			});
		},
	);

	test('above Maximum Total, an order that was converted before says so', async () => {
		await convert([order('o-1'), order('o-2')]);
		const again = await convert([order('o-3'), order('o-1'), order('o-4')], { maximumTotal: '5' });
		expect(again.map(resultOf)).toEqual(['paid', 'alreadyPaid', 'notSent']);
		expect(conversions()).toHaveLength(3);
	});
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

test('a dry run of an order that would be held leaves what the contract has to the next one', async () => {
	const options = { duplicateCheck: '7' };
	await convert([order('o-1', { amount: '100' })], options);
	const items = [order('o-2', { amount: '100' }), order('o-3', { amount: '14850' })];
	expect((await convert(items, { ...options, dryRun: true })).map(resultOf)).toEqual(['notSent', 'dryRun']);
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

describe('the contracts', () => {
	/** Time that has passed for all since the first conversion, after which the service lists a lower rate. */
	const passing = (milliseconds: number) => {
		const { contracts } = sandbox.service.ledger;
		let passed = 0;
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + passed);
		const put = contracts.put.bind(contracts);
		jest.spyOn(contracts, 'put').mockImplementationOnce((id, contract) => {
			put(id, { ...contract, rate: '1500' });
			passed = milliseconds;
		});
	};
	afterEach(() => jest.restoreAllMocks());
	const lists = () => sandbox.service.requests.all().filter(({ path }) => path === '/v1/instant_contracts');

	test('that are older than ten seconds are fetched again, and an order is held if they are too low by then', async () => {
		passing(10_500);
		const items = await convert([order('o-1'), order('o-2'), order('o-3', { minimumRate: '1490' })]);
		expect(items.map(resultOf)).toEqual(['paid', 'waiting', 'paid']);
		expect(items[1]!.json.error).toMatchObject({ message: expect.stringMatching(/1,492\.5.*1,540/) });
		expect(items[2]!.json).toMatchObject({ quotedRate: '1492.5' });
		expect([lists().length, conversions().length]).toEqual([2, 2]);
	});

	/** Before a key is taken, so before anybody knows that it was paid. */
	test('are fetched once for the orders of ten seconds, known ones too', async () => {
		passing(9_000);
		expect((await convert([order('o-1'), order('o-2')])).map(resultOf)).toEqual(['paid', 'paid']);
		expect(lists()).toHaveLength(1);
		expect((await convert([order('o-1'), order('o-2')])).map(resultOf)).toEqual(Array(2).fill('alreadyPaid'));
		expect(lists()).toHaveLength(2);
	});
});

/** What the service answers to the conversion of 5 USDT, which is wanted at 1540 or more. */
const answer = (more: object) => ({
	body: {
		transaction_id: 'itx_1',
		status: 'success',
		from_amount: 5,
		to_amount: 7713.24,
		rate: 1542.648,
		...more,
	},
});

test.each([
	['at another rate', { appliedRate: '1000' }, { rate: '1000', toAmount: '5000' }],
	['at a rate that is a little lower', { appliedRate: '1539.99' }, { rate: '1539.99', toAmount: '7699.95' }],
	[
		'with too little that comes in',
		{ answer: answer({ to_amount: 7699.99 }) },
		{ rate: '1542.648', toAmount: '7699.99' },
	],
	['without a rate', { answer: answer({ to_amount: 7699.99, rate: null }) }, { toAmount: '7699.99' }],
	[
		'with a rate that is lower than what comes in',
		{ answer: answer({ rate: 1539 }) },
		{ rate: '1539', toAmount: '7713.24' },
	],
])('a conversion %s is paid, and is marked as below the minimum', async (_, kind, shown) => {
	await fault(kind, 1, CONVERSION);
	const [item] = await convert();
	expect(item!.json).toMatchObject({ result: 'paid', belowMinimum: true, wantedRate: '1540', ...shown });
	expect(resultOf((await convert())[0]!)).toBe('alreadyPaid');
});

test.each([
	['exactly the minimum', '1000', '5', { to_amount: 5000, rate: 1000 }],
	['rounded to the cent', '1540.3333', '5', { to_amount: 7701.66, rate: 1540.3333 }],
	['rounded to the cent, which ends in a zero', '1540.4211', '5', { to_amount: 7702.1, rate: 1540.4211 }],
	['as text', '1540', '5', { to_amount: '7700.00', rate: '1540.0' }],
])('an answer with %s is not below it', async (_, minimumRate, amount, given) => {
	await fault({ answer: answer(given) }, 1, CONVERSION);
	const [item] = await convert([order('o-1', { minimumRate, amount })]);
	expect(item!.json).toMatchObject({ result: 'paid', rate: expect.stringMatching(/./) });
	expect(item!.json).not.toHaveProperty('belowMinimum');
});

test('small amounts are not rounded away: a twentieth of a coin is missing', async () => {
	await fault({ answer: answer({ to_amount: 0.01, rate: 0.0021 }) }, 1, CONVERSION);
	const [item] = await convert([order('o-1', { minimumRate: '0.0021' })]);
	expect(item!.json).toMatchObject({ result: 'paid', belowMinimum: true });
});

test('above the items stands which conversions brought less than they were to bring', async () => {
	await fault({ appliedRate: '1000' }, 1, CONVERSION);
	const orders = { items: [order('o-1'), order('o-2')] };
	expect(await hints({ ...AT_RATE }, orders)).toEqual([
		[
			'warning',
			expect.stringMatching(
				/^The service made this conversion below its minimum rate: item 1\. Ask the service/,
			),
		],
	]);
});

test('Most Below Bid is a minimum too, and a raw answer has the mark', async () => {
	await fault({ appliedRate: '1535' }, 1, CONVERSION);
	// The bid is 1545.5, and 0.005 below it is 1537.7725.
	const near = { contractSettings: { mostBelowBid: '0.005' }, minimumRate: '1500', simplify: false };
	const [item] = (await run({ ...AT_RATE, ...near }, { ...CONTINUED, items: [order('o-1')] })).items.flat();
	expect(item!.json).toMatchObject({ result: 'paid', belowMinimum: true, rate: 1535, to_amount: 7675 });
});

test('a model is told that a conversion brought less', async () => {
	await fault({ appliedRate: '1000' }, 1, CONVERSION);
	const options = { maximumAmount: '10', allowedAliases: 'NGN', allowedCurrencies: 'USDT' };
	const fixed = { amount: '5', minimumRate: '1540', paymentKey: 'o-1', options };
	const [item] = (await run({ ...AT_RATE, ...fixed }, { type: 'walletServiceTool' })).items.flat();
	expect(item!.json).toMatchObject({ result: 'paid', belowMinimum: true });
	expect(item!.json.message).toContain('less than the minimum');
});

describe.each([
	['Convert at Best Rate', AT_RATE],
	['Convert', { ...CONVERT, paymentKey: '={{ $json.key }}' }],
])('%s', (_, parameters) => {
	test.each([
		['zero comes in', { to_amount: 0 }, 'to_amount'],
		['a zero with decimals comes in', { to_amount: '0.00' }, 'to_amount'],
		['a negative amount comes in', { to_amount: -7713.24 }, 'to_amount'],
		['no amount comes in', { to_amount: undefined }, 'to_amount'],
		['nothing comes in', { to_amount: null }, 'to_amount'],
		['an amount that cannot be read comes in', { to_amount: '7,713.24' }, 'to_amount'],
		['no amount goes out', { from_amount: undefined }, 'from_amount'],
	])('an answer in which %s is unknown', async (__, given, field) => {
		await fault({ answer: answer(given) }, 1, CONVERSION);
		const items = { ...CONTINUED, items: [order('o-1')] };
		const [item] = (await run(parameters, items)).items.flat();
		expect(resultOf(item!)).toBe('unknown');
		expect(item!.json.error).toMatchObject({
			message: expect.stringContaining(`'${field}'`),
			httpStatus: 200,
		});
		expect(item!.json).not.toHaveProperty('belowMinimum');
		expect((await run(parameters, items)).items.flat().map(resultOf)).toEqual(['unknown']);
		expect(conversions()).toHaveLength(1);
	});

	test('an answer whose amounts stand around its record is read', async () => {
		const { transaction_id, status, ...amounts } = answer({}).body;
		const body = { data: { transaction_id, status }, ...amounts };
		await fault({ answer: { body } }, 1, CONVERSION);
		const [item] = (await run(parameters, { ...CONTINUED, items: [order('o-1')] })).items.flat();
		expect(resultOf(item!)).toBe('paid');
	});
});

test('a contract that the user has chosen has no minimum', async () => {
	await fault({ appliedRate: '0.01' }, 1, CONVERSION);
	const [item] = (await run(CONVERT, CONTINUED)).items.flat();
	expect(item!.json).toMatchObject({ result: 'paid', toAmount: '0.05' });
	expect(item!.json).not.toHaveProperty('belowMinimum');
});
