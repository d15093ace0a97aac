/** No payment leaves that a limit of the author forbids. */
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, CONVERT, CRYPTO, cryptoPayout, FIAT, PAYOUT, payout, withNode } from '../withNode.ts';

const { run, resultsOf, refusalOf, accepted, asked, sandbox } = withNode();

const BODY = { coin: 'USDT', amount: '1', wallet_alias: 'treasury' };

describe('what a workflow of a program has under a name that is not read', () => {
	const LIST = { resource: 'payoutList', operation: 'pay' };
	const ROW = {
		json: {
			paymentKey: 'A-1',
			amount: '10',
			currency: 'NGN',
			destination: 'supplier-main',
			approvedBy: 'Ada Obi',
		},
	};
	const ORDER = {
		...LIST,
		resource: 'instantLiquidity',
		operation: 'convertAtRate',
		from: 'USDT',
		to: 'NGN',
	};
	const CONVERSION = { ...ORDER, amount: '5', minimumRate: '1' };

	const unknown = (name: string) => `'Options' has '${name}', which is none of its options`;
	test.each<[string, object, object, string]>([
		['an option in snake case', FIAT, { options: { dry_run: true } }, unknown('dry_run')],
		['a shortened one', FIAT, { options: { maxAmount: '1' } }, unknown('maxAmount')],
		['a label', FIAT, { options: { 'Maximum Amount': '1' } }, unknown('Maximum Amount')],
		['a key in Options', FIAT, { options: { paymentKey: 'INV-1' } }, unknown('paymentKey')],
		['a group', FIAT, { options: { values: { dryRun: true } } }, unknown('values')],
		['an option of a list', FIAT, { options: { needsApproval: true } }, unknown('needsApproval')],
		['limits of a list', FIAT, { options: { limits: { limit: [] } } }, unknown('limits')],
		['an option of a coin payout', CRYPTO, { options: { dry_run: true } }, unknown('dry_run')],
		['an option of a conversion', CONVERT, { options: { dryrun: true } }, unknown('dryrun')],
		['an option of an order', CONVERSION, { options: { dryrun: true } }, unknown('dryrun')],
		[
			'a contract setting',
			CONVERSION,
			{ contractSettings: { maximumFee: '0' } },
			"'Contract Settings' has 'maximumFee', which is none of its options",
		],
		['an option of a list of rows', LIST, { options: { needs_approval: true } }, unknown('needs_approval')],
		[
			'a limit of single payments in a list',
			LIST,
			{ options: { maximumAmount: '1' } },
			"'Maximum Amount' is an option of single payments, and bounds no row of a list",
		],
		[
			'a number in place of the options',
			FIAT,
			{ options: 7 },
			"'Options' is one expression or one value, so it is not certain which limits it sets",
		],
		[
			'a list of options',
			FIAT,
			{ options: [{ dryRun: true }] },
			"'Options' is one expression or one value, so it is not certain which limits it sets",
		],
		[
			'options as JSON',
			FIAT,
			{ options: '{"dryRun":true}' },
			"'Options' is one expression or one value, so it is not certain which limits it sets",
		],
		...['dryRun', 'dry_run', 'maximumAmount', 'maximumPerDay', 'additionalFields', 'idempotencyKey'].flatMap(
			(name) =>
				[FIAT, CRYPTO, CONVERT, CONVERSION, LIST].map((payment): [string, object, object, string] => [
					`${name} beside Options`,
					payment,
					{ [name]: name === 'additionalFields' ? { dryRun: true } : name.startsWith('dry') || '1' },
					`'${name}' stands beside 'Options', where nothing reads it`,
				]),
		),
	])('%s: nothing is paid, and the message has the name: %j %j', async (_, payment, written, message) => {
		const refusal = await refusalOf({ ...payment, ...written }, { items: [ROW] });
		expect(refusal.message).toBe(message);
		expect(refusal.description).toMatch(/^(?:Write|Move|Add|Remove) /);
		expect(asked()).toBe(0);
	});
});

describe('limits on documented fields', () => {
	test.each<[object, string[], string]>([
		[{ maximumAmount: '10' }, ['10', '10.000000000000000001'], "0001 is above 'Maximum Amount' 10 [item 2]"],
		[{ maximumAmount: "={{ $itemIndex ? '4' : '5' }}" }, ['5', '5'], "above 'Maximum Amount' 4 [item 2]"],
		[{ maximumTotal: '0.3' }, ['0.1', '0.2', '0.000000000000000001'], 'The total 0.300000000000000001 of'],
		[{ allowedAliases: 'treasury, other' }, ['1'], "'supplier-main' is not one of 'Allowed Aliases'"],
		[{ allowedCurrencies: 'USD, EUR' }, ['1'], "'NGN' is not one of 'Allowed Currencies'"],
	])('the limits %p stop the amounts %p', async (options, amounts, message) => {
		const items = amounts.map((amount) => payout(amount));
		expect((await refusalOf({ ...PAYOUT, options }, { items })).message).toContain(message);
	});

	test('a character that nobody sees is marked in the message, and the message is our own', async () => {
		const [options, items] = [
			{ allowedAliases: 'TradePermits' },
			[payout('1', { alias: 'TradePermit\u200b' })],
		];
		const { message } = await refusalOf({ ...PAYOUT, options }, { items });
		expect(message).toBe("'TradePermit\ufffd' is not one of 'Allowed Aliases'");
	});

	test.each([{ maximumAmount: '10' }, { maximumTotal: '10' }, { allowedAliases: 'other' }])(
		'a person who meets the limit %j reads whom to ask, and no advice to widen it',
		async (options) => {
			const { description } = await refusalOf({ ...PAYOUT, options }, { items: [payout('11')] });
			expect(description).toMatch(/ or ask the workflow's owner: /);
			expect(description).not.toMatch(/raise|\badd\b/);
		},
	);

	test('while an item is invalid, no item is said to exceed Maximum Total', async () => {
		const parameters = { ...PAYOUT, options: { maximumTotal: '5' } };
		const { message } = await refusalOf(parameters, { items: [payout('10'), payout('1,000')] });
		expect(message).toBe("'Amount' has a comma: 1,000 [item 2]");
	});

	test('payouts within the limits are sent, with the currency in upper or lower case', async () => {
		const amounts = { maximumAmount: '0.2', maximumTotal: '0.3' };
		const options = { ...amounts, allowedAliases: 'supplier-main , other', allowedCurrencies: 'usd, ngn ' };
		const items = [payout('0.1'), payout('0.2')];
		expect(await resultsOf({ ...PAYOUT, currency: 'Ngn', options }, { items })).toEqual(['paid', 'paid']);
		expect(accepted()).toEqual(['0.1', '0.2']);
	});

	test.each([' Supplier-Main  ', 'supplier\u200b-main'])(
		'the alias %j is allowed as supplier-main, and sent as it is written',
		async (alias) => {
			const parameters = { ...PAYOUT, options: { allowedAliases: 'supplier-main' } };
			await run(parameters, { items: [payout('1', { alias })] });
			expect(sandbox.service.requests.all().map(({ body }) => JSON.parse(body))).toEqual([
				{ amount: 1, account_alias: alias, currency: 'NGN' },
			]);
		},
	);

	test('a contract in another case is another contract', async () => {
		const options = { allowedAliases: 'IC_usdt_ngn' };
		expect((await refusalOf({ ...CONVERT, options })).message).toContain("'ic_usdt_ngn' is not one of");
	});

	test.each(['allowedAliases', 'allowedCurrencies'])('%s of a conversion lists contracts', async (option) => {
		const another = { ...CONVERT, options: { [option]: 'ic_usd_ngn' } };
		expect((await refusalOf(another)).message).toContain("'ic_usdt_ngn' is not one of");
		const options = { [option]: 'ic_usdt_ngn', maximumAmount: '10' };
		expect(await resultsOf({ ...CONVERT, options })).toEqual(['paid']);
	});
});

test.each(['={{ null }}', '={{ undefined }}', "={{ '' }}", '={{ $json.missing }}', '', ' '])(
	'the options that items decide mean their default where %p gives nothing',
	async (nothing) => {
		const options = { ifOutcomeIsUnknown: nothing, allowDuplicate: nothing };
		expect(await resultsOf({ ...FIAT, options })).toEqual(['paid']);
		const repeat = { ...FIAT, options: { ...options, duplicateCheck: '7' } };
		expect(await resultsOf(repeat, { items: [{ json: {} }, { json: {} }], ...CONTINUED })).toEqual([
			'paid',
			'notSent',
		]);
	},
);

describe('an option that cannot be used refuses every payment', () => {
	test.each([
		["'Maximum Amount' is empty", { maximumAmount: '={{ $vars.missing }}' }],
		["'Allowed Aliases' is empty", { allowedAliases: ' , ' }],
		['\'Allowed Currencies\' is not a list of currencies: ""', { allowedCurrencies: '""' }],
		["'Dry Run' is empty", { dryRun: ',' }],
		// Without a dry run, it would pay.
		["'Dry Run' is empty", { dryRun: '={{ $json.chekc }}' }],
		["'Dry Run' is empty", { dryRun: '={{ null }}' }],
		["'Dry Run' is empty", { dryRun: "={{ ' ' }}" }],
		["'Dry Run' is not true or false: yes", { dryRun: "={{ 'yes' }}" }],
		["'Maximum Amount' is not a decimal number such as 5000.50: much", { maximumAmount: 'much' }],
		["'Maximum Total' is not a decimal number such as 5000.50: 1,000", { maximumTotal: '1,000' }],
		["'Maximum Payments per Day' is not a whole number such as 20: 0.5", { maximumPerDay: '0.5' }],
		[
			"'Refused Codes' is not a list of codes such as 409, LIMIT_REACHED: 402, 500",
			{ refusedCodes: '402, 500' },
		],
		["'Refused Codes' is not a list of codes such as 409, LIMIT_REACHED: 408", { refusedCodes: '408' }],
		["'Refused Codes' is not a list of codes such as 409, LIMIT_REACHED: 40012", { refusedCodes: '40012' }],
		["'Refused Codes' is not a list of codes such as 409, LIMIT_REACHED: {x}", { refusedCodes: '{x}' }],
		["'If Outcome Is Unknown' is not doNotPay or wasNotPaid or wasPaid: x", { ifOutcomeIsUnknown: 'x' }],
		["'Amount Format' is not 1,250.50 or 1.250,50 or strict: Strict", { amountFormat: 'Strict' }],
		["'Maximum Amount' must not come from an AI model", { maximumAmount: "={{ $fromAI('limit') }}" }],
		["'Allowed Aliases' must not come from an AI model", { allowedAliases: "=x, {{ $fromai('alias') }}" }],
		// Limits could be missing.
		[
			"'Options' is one expression or one value, so it is not certain which limits it sets",
			'={{ undefined }}',
		],
		[
			"'Options' is one expression or one value, so it is not certain which limits it sets",
			"={{ $fromAI('options') }}",
		],
	])('%s: %j', async (message, options) => {
		const stranger = { ...FIAT, amount: '1000000', account_alias: 'stranger' };
		expect((await refusalOf({ ...stranger, options })).message).toBe(message);
	});
});

describe('Maximum Payments per Day', () => {
	// Only the date stands still. Otherwise midnight may come within a test.
	const doNotFake = [
		...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
		...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
	];
	beforeEach(() => jest.useFakeTimers({ doNotFake, now: new Date('2026-11-22T12:00:00Z') }));
	afterEach(() => jest.useRealTimers());

	const pay = async (amounts: string[], maximumPerDay: string, more: object = {}) =>
		await resultsOf(
			{ ...PAYOUT, options: { maximumPerDay }, ...more },
			{ items: amounts.map((amount) => payout(amount)) },
		);

	test('all executions of the workflow share one limit, and 0 allows no payment', async () => {
		expect(await pay(['1'], '0')).toEqual(['notSent']);
		expect(await pay(['1', '2'], '3')).toEqual(['paid', 'paid']);
		expect(await pay(['3', '4'], '3')).toEqual(['paid', 'notSent']);
		expect(await pay(['5'], '3')).toEqual(['notSent']);
		expect(accepted()).toEqual(['1', '2', '3']);
		const { error } = await run({ ...FIAT, options: { maximumPerDay: '3' } });
		const words = "This workflow has made its 3 payments of today ('Maximum Payments per Day')";
		expect(error?.message).toBe(words);
	});

	test('the day is that of the time zone of the workflow', async () => {
		const parameters = { ...FIAT, options: { maximumPerDay: '1' } };
		const payIn = async (timezone: string) =>
			await resultsOf(parameters, { workflowSettings: { executionOrder: 'v1', timezone } });
		// They are 25 hours apart, so it is never the same day in both.
		expect(await payIn('Pacific/Pago_Pago')).toEqual(['paid']);
		expect(await payIn('Pacific/Pago_Pago')).toEqual(['notSent']);
		expect(await payIn('Pacific/Kiritimati')).toEqual(['paid']);
	});

	test('UTC stands in for a time zone that is none, as n8n keeps it in an imported workflow', async () => {
		const parameters = { ...FIAT, options: { maximumPerDay: '1' } };
		const payIn = async (timezone: string) =>
			await resultsOf(parameters, { workflowSettings: { executionOrder: 'v1', timezone } });
		expect(await payIn('DEFAULT')).toEqual(['paid']);
		expect(await payIn('UTC')).toEqual(['notSent']);
	});

	test('a key that was held back is free on another day, or with a higher limit', async () => {
		const paymentKey = '={{ $json.amount }}';
		expect(await pay(['1', '2', '3'], '1', { paymentKey })).toEqual(['paid', 'notSent', 'notSent']);
		expect(await pay(['1', '2', '3'], '2', { paymentKey })).toEqual(['alreadyPaid', 'paid', 'notSent']);
		jest.setSystemTime(new Date('2026-11-23T12:00:00Z'));
		const results = await pay(['1', '2', '3'], '1', { paymentKey });
		expect(results).toEqual(['alreadyPaid', 'alreadyPaid', 'paid']);
	});

	test('nothing is paid while the count cannot be kept', async () => {
		timing.fail = () => 'before';
		expect((await refusalOf({ ...FIAT, options: { maximumPerDay: '3' } })).message).toBe(
			"n8n cannot keep a record for 'Maximum Payments per Day': database is locked",
		);
	});
});

describe('limits on a body that the document does not describe', () => {
	const AMOUNT = { maximumAmount: '10' };
	const ALIASES = { allowedAliases: 'treasury' };
	const COINS = { allowedCurrencies: 'USDT' };
	const withBody = (body: object, options: object) => ({ ...cryptoPayout(JSON.stringify(body)), options });

	test.each<[object, object, string]>([
		[AMOUNT, { ...BODY, amount: 11 }, "The amount 11 is above 'Maximum Amount' 10"],
		[AMOUNT, { ...BODY, inner: { amount: '9' } }, "has 'amount' twice"],
		[AMOUNT, { ...BODY, list: [{ amount: '9' }] }, "has 'amount' twice"],
		[AMOUNT, { ...BODY, amount: '1,000' }, "'amount' has a comma: 1,000"],
		[AMOUNT, { ...BODY, amount: ['1'] }, `'amount' is not a decimal number: ["1"]`],
		[{ maximumTotal: '5' }, { ...BODY, amount: undefined, value: '5' }, "no readable 'amount'"],
		[{ maximumTotal: '5' }, { ...BODY, coin: undefined }, "no readable 'coin'"],
		[ALIASES, { ...BODY, wallet_alias: 'vault' }, "'vault' is not one of"],
		[ALIASES, { coin: 'USDT', amount: '1', alias: 'treasury' }, "no readable 'wallet_alias'"],
		[COINS, { ...BODY, coin: 'BTC' }, "'BTC' is not one of"],
		[COINS, { ...BODY, coin: undefined }, "no readable 'coin'"],
		[COINS, { ...BODY, x: { coin: 'BTC' } }, "has 'coin' twice"],
		[{ ...AMOUNT, amountField: 'sum' }, { coin: 'USDT', sum: '11' }, 'The amount 11 is above'],
		[{ ...ALIASES, destinationField: 'to' }, { coin: 'USDT', to: 'x' }, "'x' is not one of"],
		[{ ...COINS, coinField: 'unit' }, { unit: 'BTC', wallet_alias: 'treasury' }, "'BTC' is not one of"],
	])('the limits %j refuse the body %j', async (options, body, words) => {
		expect((await refusalOf(withBody(body, options))).message).toContain(words);
	});

	test.each<[string, object]>([
		['send_all', AMOUNT],
		['аmount', { maximumTotal: '5' }],
		['account_alias', ALIASES],
		['Coin', COINS],
	])('a field that the author did not write is refused beside a limit: %s', async (name, options) => {
		const items = [{ json: { ...BODY, [name]: '1000' } }];
		await refusalOf({ ...cryptoPayout('={{ JSON.stringify($json) }}'), options }, { items });
	});

	test('a body within its limits goes out, and so does any body without a limit', async () => {
		const options = { ...AMOUNT, ...ALIASES, ...COINS, maximumTotal: '1' };
		// The author has written `network`.
		expect(await resultsOf(withBody({ ...BODY, network: 'TRC20' }, options))).toEqual(['paid']);
		// What the author has written counts as wanted, even if it looks like an amount.
		expect(await resultsOf(withBody({ ...BODY, Amount: '2' }, options))).toEqual(['paid']);
		expect(await resultsOf(withBody({ ...BODY, Amount: '2' }, {}))).toEqual(['paid']);
	});
});

test('the fields of a crypto payout within its limits are sent, and its item has payoutId like a fiat payout', async () => {
	const options = { maximumAmount: '1', maximumTotal: '1', allowedAliases: 'treasury' };
	const bodyFields = { field: [{ name: 'network', value: 'TRC20' }] };
	const byFields = { ...cryptoPayout(''), specifyBody: 'fields', ...BODY, bodyFields };
	const [item] = (await run({ ...byFields, options })).items.flat();
	const payoutId = sandbox.service.ledger.payouts.all()[0]!.payout_id;
	expect(item!.json).toMatchObject({ payoutId, status: 'pending', coin: 'USDT', wallet_alias: 'treasury' });
	expect(item!.json).not.toHaveProperty('payout_id');
});
