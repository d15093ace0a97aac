import { randomUUID } from 'node:crypto';
import { getEndpoint } from '../../../api/catalog.ts';
import { ExecutionLedger } from '../../../nodes/WalletService/action/payment/executionLedger.ts';
import { checkTotal, totalOf } from '../../../nodes/WalletService/action/payment/limits.ts';
import { payItems } from '../../../nodes/WalletService/action/payment/payItems.ts';
import { timing } from '../memoryProcessedItems.ts';
import { CONTINUED, cryptoPayout, FIAT, PAYOUT, resultOf, withPayments } from '../withPayments.ts';

/** No payment leaves that a limit of the author forbids. */
const { run, fault, accepted, asked, sandbox } = withPayments();

const messageOf = async (parameters: object) => (await run(parameters)).error?.message;

describe('Allowed Currencies', () => {
	test.each([
		['NGN', 'USD', "'USD' is not one of 'Allowed Currencies'"],
		['NGN, USD', 'EUR', "'EUR' is not one of 'Allowed Currencies'"],
		[' , ', 'NGN', "'Allowed Currencies' is empty"],
		['={{ $json.missing }}', 'NGN', "'Allowed Currencies' is empty"],
		["={{ $fromAI('currencies') }}", 'NGN', "'Allowed Currencies' must not come from an AI model"],
	])('%p refuses a payment in %s', async (allowedCurrencies, currency, message) => {
		expect(await messageOf({ ...FIAT, currency, options: { allowedCurrencies } })).toBe(message);
		expect(asked()).toBe(0);
	});

	test.each(['NGN', 'usd, ngn '])('%p lets NGN pass in upper or lower case', async (allowedCurrencies) => {
		expect(await messageOf({ ...FIAT, currency: 'ngn', options: { allowedCurrencies } })).toBeUndefined();
		expect(accepted()).toEqual(['10']);
	});

	test.each([
		['{"coin":"BTC","amount":"1","wallet_alias":"treasury"}', "'BTC' is not one of"],
		['{"amount":"1","wallet_alias":"treasury"}', "the request body has no readable 'coin'"],
		['{"coin":"USDT","asset":"BTC","amount":"1","wallet_alias":"treasury"}', "'asset' beside 'coin'"],
		['{"coin":"USDT","x":{"coin":"BTC"},"amount":"1","wallet_alias":"treasury"}', "'coin' beside 'coin'"],
	])('a crypto payout %s is refused', async (body, words) => {
		expect(await messageOf({ ...cryptoPayout(body), options: { allowedCurrencies: 'USDT' } })).toContain(
			words,
		);
		expect(asked()).toBe(0);
	});

	test('a conversion names contracts', async () => {
		const convert = async (allowedCurrencies: string) =>
			await messageOf({
				resource: 'instantLiquidity',
				operation: 'convert',
				contract_id: 'ic_usd_ngn',
				from_amount: '10',
				options: { allowedCurrencies },
			});
		expect(await convert('ic_usdt_ngn')).toContain("'ic_usd_ngn' is not one of 'Allowed Currencies'");
		expect(await convert('ic_usd_ngn')).toBeUndefined();
	});
});

describe('Maximum per Day', () => {
	/** n8n's process remembers what each workflow has paid today. */
	let workflowId: string;
	beforeEach(() => (workflowId = randomUUID()));

	const pay = async (amounts: string[], maximumPerDay: unknown, more: object = {}) => {
		const { items } = await run(
			{ ...PAYOUT, options: { maximumPerDay }, ...more },
			{
				...CONTINUED,
				workflowId,
				items: amounts.map((amount) => ({ json: { amount, alias: 'supplier-main', key: amount } })),
			},
		);
		return items.flat().map(resultOf);
	};

	test('all executions of the workflow share one limit', async () => {
		expect(await pay(['1', '2'], '3')).toEqual(['paid', 'paid']);
		expect(await pay(['3', '4'], '3')).toEqual(['paid', 'notSent']);
		expect(await pay(['5'], '3')).toEqual(['notSent']);
		expect(accepted()).toEqual(['1', '2', '3']);
		const { error } = await run({ ...FIAT, options: { maximumPerDay: '3' } }, { workflowId });
		expect(error?.message).toBe("This workflow has made its 3 payments of today ('Maximum per Day')");
	});

	test('simultaneous executions keep to the limit, and an alreadyPaid item does not count', async () => {
		const paymentKey = '={{ $json.key }}';
		const all = await Promise.all(
			['1', '2', '3', '4', '5'].map(async (amount) => await pay([amount], '3', { paymentKey })),
		);
		expect(all.flat().filter((result) => result === 'paid')).toHaveLength(3);
		const [first] = accepted();
		expect(await pay([first!], '9', { paymentKey })).toEqual(['alreadyPaid']);
		expect(await pay(['6'], '4', { paymentKey })).toEqual(['paid']);
	});

	test('the day is that of the time zone of the workflow', async () => {
		// Between them lie 25 hours, so it is never the same day there.
		const [samoa, kiribati] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'];
		const payIn = async (timezone: string) => {
			const parameters = { ...FIAT, options: { maximumPerDay: '1' } };
			const { items } = await run(parameters, {
				...CONTINUED,
				workflowId,
				workflowSettings: { executionOrder: 'v1', timezone },
			});
			return items.flat().map(resultOf);
		};
		expect(await payIn(samoa)).toEqual(['paid']);
		expect(await payIn(samoa)).toEqual(['notSent']);
		expect(await payIn(kiribati)).toEqual(['paid']);
	});

	test('a payment that the service refused counts; a dry run and an item above a limit do not', async () => {
		await pay(['1'], '1', { options: { maximumPerDay: '1', dryRun: true } });
		await pay(['1'], '1', { options: { maximumPerDay: '1', maximumAmount: '0.5' } });
		await fault({ status: 422 });
		expect(await pay(['1'], '1')).toEqual(['rejected']);
		expect(await pay(['1'], '1')).toEqual(['notSent']);
		expect(asked()).toBe(1);
	});

	test('a key that was held back is free on another day, or with a higher limit', async () => {
		const paymentKey = '={{ $json.key }}';
		expect(await pay(['1', '2'], '1', { paymentKey })).toEqual(['paid', 'notSent']);
		expect(await pay(['1', '2'], '2', { paymentKey })).toEqual(['alreadyPaid', 'paid']);
	});

	test.each([
		['database is locked', 'database is locked'],
		// n8n's advice would delete all keys.
		['Clean Database first, or the data is mixed', 'another node of this workflow keeps other data in it'],
	])('nothing is paid while the count cannot be kept: %s', async (words, reason) => {
		timing.fail = () => {
			throw new Error(words);
		};
		const message = await messageOf({ ...FIAT, options: { maximumPerDay: '3' } });
		timing.fail = undefined;
		expect(message).toBe(`n8n cannot keep a record for 'Maximum per Day': ${reason}`);
		expect(asked()).toBe(0);
	});

	test.each(['0.5', 'many', '-1', '1e3'])(
		'%p is no number of payments, so everything is refused',
		async (value) => {
			expect(await messageOf({ ...FIAT, options: { maximumPerDay: value } })).toBe(
				`'Maximum per Day' is not a whole number: ${value}`,
			);
			expect(asked()).toBe(0);
		},
	);

	test('0 refuses every payment', async () => {
		expect(await pay(['1'], '0')).toEqual(['notSent']);
		expect(asked()).toBe(0);
	});
});

describe('limits on the documented fields', () => {
	const payout = (amount: string) => ({ json: { amount, alias: 'supplier-main' } });
	const payWith = async (options: object, items: Array<{ json: Record<string, string> }>) =>
		await run({ ...PAYOUT, options }, { items });

	test.each<[object, string[], string]>([
		[
			{ maximumAmount: '10' },
			['10', '10.000000000000000001'],
			"The amount 10.000000000000000001 is above 'Maximum Amount' 10 [item 1]",
		],
		[{ maximumAmount: '9007199254740992' }, ['9007199254740993'], "above 'Maximum Amount' 9007199254740992"],
		[
			{ maximumTotal: '0.3' },
			['0.1', '0.2', '0.000000000000000001'],
			'The total 0.300000000000000001 of this execution is above',
		],
		[{ allowedAliases: 'treasury, other' }, ['1'], "'supplier-main' is not one of 'Allowed Aliases'"],
		[{ maximumAmount: 'much' }, ['1'], "'Maximum Amount' is not a decimal number: much"],
		[{ maximumTotal: '1,000' }, ['1'], "'Maximum Total' is not a decimal number: 1,000"],
	])('the limits %p stop the amounts %p', async (options, amounts, message) => {
		const { error } = await payWith(
			options,
			amounts.map((amount) => payout(amount)),
		);
		expect(error?.message).toContain(message);
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect(asked()).toBe(0);
	});

	test('payouts within the limits are sent', async () => {
		const options = { maximumAmount: '0.2', maximumTotal: '0.3', allowedAliases: 'other, supplier-main ' };
		const { error } = await payWith(options, [payout('0.1'), payout('0.2')]);
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['0.1', '0.2']);
	});

	test('limits may differ for each item', async () => {
		const items = [
			{ json: { amount: '5', alias: 'supplier-main', limit: '5' } },
			{ json: { amount: '5', alias: 'supplier-main', limit: '4' } },
		];
		const { error } = await payWith({ maximumAmount: '={{ $json.limit }}' }, items);
		expect(error?.message).toBe("The amount 5 is above 'Maximum Amount' 4 [item 1]");
		expect(asked()).toBe(0);
	});

	const payCrypto = async (body: object, options: object) =>
		await run({
			resource: 'cryptoWallet',
			operation: 'createPayout',
			specifyBody: 'json',
			requestBody: JSON.stringify(body),
			options,
		});

	test.each<[object, object, string | undefined]>([
		[
			{ coin: 'USDT', amount: '5', wallet_alias: 'treasury' },
			{ maximumAmount: '5', allowedAliases: 'treasury' },
			undefined,
		],
		[
			{ coin: 'USDT', amount: 6, wallet_alias: 'treasury' },
			{ maximumAmount: '5' },
			"The amount 6 is above 'Maximum Amount' 5",
		],
		[
			{ coin: 'USDT', amount: '5', wallet_alias: 'treasury' },
			{ allowedAliases: 'vault' },
			"'treasury' is not one of",
		],
		[
			{ coin: 'USDT', value: '5', wallet_alias: 'treasury' },
			{ maximumTotal: '5' },
			'the request body has no readable',
		],
		[
			{ coin: 'USDT', amount: '5', target: 'treasury' },
			{ allowedAliases: 'treasury' },
			'the request body has no readable',
		],
	])('a crypto payout of %p is checked against the limits %p', async (body, options, message) => {
		const { error } = await payCrypto(body, options);
		if (message === undefined) expect(error).toBeUndefined();
		else expect(error?.message).toContain(message);
		expect(asked()).toBe(message === undefined ? 1 : 0);
	});

	test("'Allowed Aliases' of a conversion lists contracts", async () => {
		const convert = async (options: object) =>
			await run({
				resource: 'instantLiquidity',
				operation: 'convert',
				contract_id: 'ic_usd_ngn',
				from_amount: '10',
				options,
			});
		expect((await convert({ allowedAliases: 'ic_usdt_ngn' })).error?.message).toContain(
			"'ic_usd_ngn' is not one of",
		);
		expect((await convert({ allowedAliases: 'ic_usd_ngn', maximumAmount: '10' })).error).toBeUndefined();
	});
});

describe('a limit that is present but empty', () => {
	test.each([
		['Maximum Amount', { maximumAmount: '' }],
		['Maximum Amount', { maximumAmount: '={{ $vars.missing }}' }],
		['Maximum Total', { maximumTotal: '={{ $json.missing }}' }],
		['Allowed Aliases', { allowedAliases: '={{ [] }}' }],
		['Allowed Aliases', { allowedAliases: ' , ' }],
		['Allowed Aliases', { allowedAliases: '={{ $vars.missing }}' }],
		['Dry Run', { dryRun: '={{ $vars.missing }}' }],
		['Dry Run', { dryRun: '={{ null }}' }],
	])('an empty %s refuses every payment: %p', async (label, options) => {
		const { error } = await run({ ...FIAT, amount: '1000000', account_alias: 'stranger', options });
		expect(error?.message).toBe(`'${label}' is empty`);
		expect((error as { description?: string }).description).toContain(
			`Enter a value for '${label}' or remove the option`,
		);
		expect(asked()).toBe(0);
	});

	test.each(['yes', 1, {}])('Dry Run with the value %p refuses every payment', async (value) => {
		const { error } = await run({ ...FIAT, options: { dryRun: `={{ ${JSON.stringify(value)} }}` } });
		expect(error?.message).toMatch(/^'Dry Run' is neither true nor false/);
		expect(asked()).toBe(0);
	});
});

describe('options that are one expression', () => {
	test.each(['={{ undefined }}', '={{ {} }}', '={{ { maximumAmount: "5" } }}', "={{ $fromAI('options') }}"])(
		'%s refuses every payment, because limits could be missing',
		async (options) => {
			const { error } = await run({ ...FIAT, options });
			expect(error?.message).toBe("'Options' is one expression, so it is not certain which limits it sets");
			expect(asked()).toBe(0);
		},
	);
});

describe('a limit that a model would set', () => {
	test.each([
		['Maximum Amount', { maximumAmount: "={{ $fromAI('limit') }}" }],
		[
			'Maximum Total',
			{ maximumTotal: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('t', ``, 'string') }}" },
		],
		['Allowed Aliases', { allowedAliases: "=supplier-main, {{ $fromai('alias') }}" }],
		['Dry Run', { dryRun: "={{ $fromAi('dryRun', 'Whether to pay', 'boolean', false) }}" }],
	])('a %s from an AI model refuses every payment: %p', async (label, options) => {
		const { error } = await run({ ...FIAT, options });
		expect(error?.message).toBe(`'${label}' must not come from an AI model`);
		expect(asked()).toBe(0);
	});
});

describe('limits on a request body that the document does not describe', () => {
	test.each([
		[
			{ maximumAmount: '10' },
			'{"wallet_alias":"treasury","Amount":"999999","amount":"1"}',
			"'Amount' beside 'amount'",
		],
		[
			{ maximumAmount: '10' },
			'{"wallet_alias":"treasury","amount":"1","value":"99"}',
			"'value' beside 'amount'",
		],
		[
			{ maximumAmount: '10' },
			'{"wallet_alias":"treasury","amount":"1","inner":{"amount":"9"}}',
			"'amount' beside",
		],
		[{ maximumTotal: '10' }, '{"wallet_alias":"treasury","amount":"-5"}', "'amount' is not above zero: -5"],
		[{ maximumTotal: '10' }, '{"wallet_alias":"treasury","amount":0}', "'amount' is not above zero: 0"],
		[{ maximumAmount: '10' }, '{"wallet_alias":"treasury","amount":"1,000"}', "no readable 'amount'"],
		[{ maximumAmount: '10' }, '{"wallet_alias":"treasury","amount":["1"]}', "no readable 'amount'"],
		[
			{ allowedAliases: 'treasury' },
			'{"wallet_alias":"treasury","account_alias":"mallory","amount":"1"}',
			"'account_alias' beside 'wallet_alias'",
		],
		[
			{ allowedAliases: 'treasury' },
			'{"wallet_alias":"treasury","Address":"T1"}',
			"'Address' beside 'wallet_alias'",
		],
		[{ allowedAliases: 'treasury' }, '{"alias":"treasury","amount":"1"}', "no readable 'wallet_alias'"],
	])('the limits %p refuse the body %s', async (options, body, words) => {
		const { error } = await run({ ...cryptoPayout(body), options });
		expect(error?.message).toContain(words);
		expect(asked()).toBe(0);
	});

	test.each([...['amt', 'Amt', 'units', 'volume', 'pay_amt', 'multiplier'], ...['аmount', 'Ａmount']])(
		'a limit of the amount refuses a body that has %s beside the amount',
		async (field) => {
			const body = JSON.stringify({ coin: 'USDT', amount: '1', wallet_alias: 'treasury', [field]: '999' });
			const { error } = await run({ ...cryptoPayout(body), options: { maximumAmount: '10' } });
			expect(error?.message).toContain(`'${field}' beside 'amount'`);
			expect(asked()).toBe(0);
		},
	);

	test.each([
		...['send_to', 'sendTo', 'payTo', 'memo', 'destination_tag', 'tag', 'email', 'counterparty'],
		'phone',
		...['wallet_id', 'to_wallet', 'dest', 'payee', 'iban', 'target'],
	])('Allowed Aliases refuse a body that has %s beside the alias', async (field) => {
		const body = JSON.stringify({ coin: 'USDT', amount: '1', wallet_alias: 'treasury', [field]: 'x' });
		const { error } = await run({ ...cryptoPayout(body), options: { allowedAliases: 'treasury' } });
		expect(error?.message).toContain(`'${field}' beside 'wallet_alias'`);
		expect(asked()).toBe(0);
	});

	test.each([
		['usd', { maximumAmount: '10' }],
		['sats', { maximumAmount: '10' }],
		['send_all', { maximumAmount: '10' }],
		['percent', { maximumAmount: '10' }],
		['username', { allowedAliases: 'treasury' }],
		['pubkey', { allowedAliases: 'treasury' }],
		['vpa', { allowedAliases: 'treasury' }],
		['from_to_address', { allowedAliases: 'treasury' }],
	])('a key that the author did not write is refused beside a limit: %s', async (name, options) => {
		const body = { coin: 'USDT', amount: '1', wallet_alias: 'treasury', [name]: '1000' };
		const { error } = await run(
			{
				...cryptoPayout('={{ JSON.stringify($json) }}'),
				options,
			},
			{ items: [{ json: body }] },
		);
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect(asked()).toBe(0);
	});

	test('Amount Field and Destination Field name the keys that count', async () => {
		const options = {
			maximumAmount: '10',
			allowedAliases: 'treasury',
			amountField: 'sum_to_send',
			destinationField: 'target',
		};
		const body = '{"coin":"USDT","sum_to_send":"11","target":"treasury"}';
		const { error } = await run({ ...cryptoPayout(body), options });
		expect(error?.message).toBe("The amount 11 is above 'Maximum Amount' 10");
	});

	test('without a limit the body goes out as it is', async () => {
		await run(cryptoPayout('{"coin":"USDT","amount":"1","Amount":"2","wallet_alias":"treasury"}'));
		expect(asked()).toBe(1);
	});
});

describe('limits on the fields of a crypto payout', () => {
	const FIELDS = {
		resource: 'cryptoWallet',
		operation: 'createPayout',
		coin: 'USDT',
		amount: '5',
		wallet_alias: 'treasury',
	};
	const row = (name: string, value: string) => ({ bodyFields: { field: [{ name, value }] } });

	test.each<[object, object, string]>([
		[{ maximumAmount: '4' }, {}, "The amount 5 is above 'Maximum Amount' 4"],
		[{ maximumTotal: '4.99' }, {}, "The total 5 of this execution is above 'Maximum Total' 4.99"],
		[{ allowedAliases: 'vault' }, {}, "'treasury' is not one of 'Allowed Aliases'"],
		[{ maximumAmount: '10' }, row('Amount', '999'), "'Amount' beside 'amount'"],
		[{ maximumTotal: '10' }, row('currency', 'BTC'), "'currency'"],
		[{ allowedAliases: 'treasury' }, row('address', 'T1'), "'address' beside 'wallet_alias'"],
		[{ maximumAmount: '10', amountField: 'sum' }, row('amount', '999'), "'amount' beside 'sum'"],
		[{ maximumTotal: '10', coinField: 'unit' }, row('coin', 'BTC'), "'coin'"],
		[{}, { amount: '1,000' }, "'Amount' has a comma: 1,000"],
		[{}, { coin: '={{ $json.nothing }}' }, "'Coin' is empty"],
	])('the options %p refuse the fields %p', async (options, changed, words) => {
		const { error } = await run({ ...FIELDS, ...changed, options });
		expect(error?.message).toContain(words);
		expect(asked()).toBe(0);
	});

	test('a crypto payout within its limits is made, and its item has the ID as payoutId, like a fiat payout', async () => {
		const options = { maximumAmount: '5', maximumTotal: '5', allowedAliases: 'treasury' };
		const { items, error } = await run({ ...FIELDS, options });
		expect(error).toBeUndefined();
		const [payout] = sandbox().service.ledger.payouts.all();
		expect(items[0]![0]!.json).toMatchObject({
			payoutId: payout!.payout_id,
			status: 'pending',
			coin: 'USDT',
			wallet_alias: 'treasury',
		});
		expect(items[0]![0]!.json).not.toHaveProperty('payout_id');
	});

	test('the options of a crypto payout name other keys for its fields', async () => {
		const options = {
			dryRun: true,
			showRequest: true,
			amountField: 'sum',
			coinField: 'unit',
			destinationField: 'target',
		};
		const { items } = await run({ ...FIELDS, options: { ...options, maximumTotal: '5' } });
		const { request } = items[0]![0]!.json as { request: { body: object } };
		expect(request.body).toEqual({ unit: 'USDT', sum: 5, target: 'treasury' });
	});
});

describe('Maximum Total', () => {
	test('while an item is invalid, no item is said to exceed Maximum Total', async () => {
		const items = ['10', '1,000'].map((amount) => ({ json: { amount, alias: 'supplier-main' } }));
		const { items: refused } = await run(
			{ ...PAYOUT, options: { maximumTotal: '5' } },
			{ ...CONTINUED, items },
		);
		const messages = refused.flat().map(({ json }) => (json.error as { message: string }).message);
		expect(messages[0]).not.toContain('Maximum Total');
		expect(messages[1]).toContain("'Amount' has a comma");
	});

	test('a payment without a currency is not added to others', () => {
		const total = totalOf([{ amount: '1' }, { amount: '2', currency: 'usdt' }]);
		expect(checkTotal('100', total).map(({ message }) => message)).toEqual([
			"'Maximum Total' cannot add up different currencies: unknown, USDT",
		]);
	});

	test('Maximum Total refuses to add up different currencies and names them', async () => {
		const items = ['NGN', 'USD'].map((currency) => ({ json: { currency } }));
		const parameters = { ...FIAT, currency: '={{ $json.currency }}', options: { maximumTotal: '100' } };
		const { error } = await run(parameters, { items });
		expect(error?.message).toBe("'Maximum Total' cannot add up different currencies: NGN, USD [item 0]");
		expect(asked()).toBe(0);
	});

	test.each([
		[
			'Coin',
			['{"Coin":"BTC","amount":"1","wallet_alias":"t"}', '{"Coin":"USDT","amount":"1","wallet_alias":"t"}'],
		],
		[
			'asset_code',
			[
				'{"asset_code":"BTC","amount":"1","wallet_alias":"t"}',
				'{"asset_code":"USDT","amount":"1","wallet_alias":"t"}',
			],
		],
		[
			'coin beside currency',
			[
				'{"coin":"X","currency":"BTC","amount":"1","wallet_alias":"t"}',
				'{"coin":"X","currency":"USDT","amount":"1","wallet_alias":"t"}',
			],
		],
		['ccy beside coin', ['{"coin":"USDT","ccy":"BTC","amount":"1","wallet_alias":"treasury"}']],
	])('Maximum Total does not add up different currencies (%s)', async (_name, bodies) => {
		const items = bodies.map((body) => ({ json: { body } }));
		await run({ ...cryptoPayout('={{ $json.body }}'), options: { maximumTotal: '10' } }, { items });
		expect(asked()).toBe(0);
	});
});

test('3,000 items with Maximum Total are checked within seconds (the time grows with the square)', async () => {
	const items = Array.from({ length: 3000 }, () => ({ amount: '1.50' }));
	const parameters = items.map((item) => ({
		value: (name: string) =>
			name === 'options'
				? { maximumTotal: '1000000', dryRun: true }
				: { ...FIAT, ...item }[name as keyof typeof FIAT],
		expression: (name: string) =>
			name === 'options'
				? { maximumTotal: '1000000', dryRun: true }
				: { ...FIAT, ...item }[name as keyof typeof FIAT],
		evaluate: (expression: string) => expression,
	}));
	// Processor time, because other tests run at the same time.
	const begun = process.cpuUsage();
	await payItems({
		entry: getEndpoint('fiatWallet.createPayout'),
		items: parameters,
		ledger: new ExecutionLedger({}, 0, '1'),
		send: () => Promise.reject(new Error('not asked for')),
		dryRun: () => Promise.resolve({ ok: true, items: [{}] }),
		continueOnFail: true,
		isCancelled: () => false,
	});
	const { user, system } = process.cpuUsage(begun);
	expect((user + system) / 1000).toBeLessThan(1500);
}, 300_000);
