import { control } from '../../host/sandboxClient.ts';
import { startHttpServer } from './httpServer.ts';
import { CONTINUED, cryptoPayout, FIAT, withPayments } from './withPayments.ts';

/** Limits, answers and retries that an adversary found to fail open. */
const { credentials, sandbox, run, fault, accepted, asked } = withPayments();

/** Runs against a service that gives this answer to everything. */
const answered = async (parameters: object, statusCode: number, body: string, type = 'application/json') => {
	const server = await startHttpServer((_incoming, outgoing) => {
		outgoing.writeHead(statusCode, { 'content-type': type }).end(body);
	});
	try {
		const onServer = { ...CONTINUED, credentials: { ...credentials, baseUrl: server.url } };
		const { items } = await run(parameters, onServer);
		return items.flat().map(({ json }) => json);
	} finally {
		await server.stop();
	}
};
const outcomeOf = (json: { error?: unknown } | undefined) =>
	(json?.error as { outcome: string } | undefined)?.outcome;

describe('"Retry execution" chosen twice', () => {
	const items = ['1', '2', '3'].map((amount) => ({ json: { amount } }));
	const parameters = { ...FIAT, amount: '={{ $json.amount }}' };

	test('a second retry of an older execution does not pay again what the first retry has paid', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const failed = await run(parameters, { items });
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const retried = await failed.retry();
		expect(retried.error?.context).toMatchObject({ outcome: 'rejected' });
		const stale = await failed.retry();
		expect(stale.error?.message).toMatch(/^Not sent because execution \d+ was retried before$/);
		expect(stale.error?.context).toMatchObject({ outcome: 'notSent' });
		const newest = await retried.retry();
		expect(newest.error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('when an execution is retried twice at the same time, one retry pays', async () => {
		await fault({ status: 422 }, 1);
		const failed = await run(parameters, { items });
		const both = await Promise.all([failed.retry(), failed.retry()]);
		expect(both.map(({ error }) => error === undefined).sort()).toEqual([false, true]);
		expect(accepted()).toHaveLength(3);
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

describe('a time-out that n8n cannot wait for', () => {
	test.each([2 ** 31, 1e300, -1, 'soon'])('%p is refused before anything is sent', async (timeout) => {
		const { error } = await run({ ...FIAT, requestOptions: { timeout } });
		expect(error?.message).toBe("'Request Options' cannot be used");
		expect(asked()).toBe(0);
	});
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

describe('a status that does not prove that nothing was done', () => {
	test.each([402, 408, 409, 418, 423, 424, 425, 451, 499, 500, 502, 503, 504, 301, 100 + 98])(
		'the outcome is unknown after %d with any JSON body',
		async (statusCode) => {
			const [json] = await answered(FIAT, statusCode === 198 ? 302 : statusCode, '{"message":"no"}');
			expect(outcomeOf(json)).toBe('unknown');
		},
	);

	test.each([400, 401, 403, 404, 405, 413, 415, 422, 429])(
		'%d with a JSON object is rejected, and with a page of a gateway unknown',
		async (statusCode) => {
			expect(outcomeOf((await answered(FIAT, statusCode, '{"message":"no"}'))[0])).toBe('rejected');
			expect(outcomeOf((await answered(FIAT, statusCode, '<html>no</html>', 'text/html'))[0])).toBe(
				'unknown',
			);
			expect(outcomeOf((await answered(FIAT, statusCode, ''))[0])).toBe('unknown');
		},
	);
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

	test.each(['amt', 'Amt', 'units', 'volume', 'pay_amt', 'multiplier'])(
		'a limit of the amount refuses a body that has %s beside the amount',
		async (field) => {
			const body = JSON.stringify({ coin: 'USDT', amount: '1', wallet_alias: 'treasury', [field]: '999' });
			const { error } = await run({ ...cryptoPayout(body), options: { maximumAmount: '10' } });
			expect(error?.message).toContain(`'${field}' beside 'amount'`);
			expect(asked()).toBe(0);
		},
	);

	test.each(['send_to', 'sendTo', 'payTo', 'memo', 'destination_tag', 'tag', 'email', 'counterparty'])(
		'Allowed Aliases refuse a body that has %s beside the alias',
		async (field) => {
			const body = JSON.stringify({ coin: 'USDT', amount: '1', wallet_alias: 'treasury', [field]: 'x' });
			const { error } = await run({ ...cryptoPayout(body), options: { allowedAliases: 'treasury' } });
			expect(error?.message).toContain(`'${field}' beside 'wallet_alias'`);
			expect(asked()).toBe(0);
		},
	);

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
	test('Maximum Total refuses to add up different currencies and names them', async () => {
		const items = ['NGN', 'USD'].map((currency) => ({ json: { currency } }));
		const parameters = { ...FIAT, currency: '={{ $json.currency }}', options: { maximumTotal: '100' } };
		const { error } = await run(parameters, { items });
		expect(error?.message).toBe("'Maximum Total' cannot add up different currencies: NGN, USD [item 0]");
		expect(asked()).toBe(0);
	});
});

describe('answers that are no payment', () => {
	const body = cryptoPayout('{"coin":"USDT","amount":"1","wallet_alias":"treasury"}');

	test.each(['[]', '[1]', '"ok"', 'null', '12', '{}'])('a 200 with the JSON %s is unknown', async (text) => {
		const items = await answered(body, 200, text);
		expect(items.map(outcomeOf)).toEqual(['unknown']);
	});

	test.each([
		'{"success":false}',
		'{"error":"no"}',
		'{"status":"failed"}',
		'{"result":"declined by bank"}',
		'{"ok":0}',
	])('the outcome is unknown after a 200 without an ID that mentions a failure: %s', async (text) =>
		expect(outcomeOf((await answered(body, 200, text))[0])).toBe('unknown'),
	);

	test.each(['{"id":7,"note":"later"}', '{"accepted":true}', '{"data":{"status":"queued"}}'])(
		'a 200 with an identifier, or with a good word for the payment, is passed on: %s',
		async (text) => {
			const asked = { result: 'paid', coin: 'USDT', amount: '1', walletAlias: 'treasury' };
			expect(await answered(body, 200, text)).toEqual([{ ...asked, ...JSON.parse(text) }]);
		},
	);

	test('fields of the response with the names of our own are kept under extra', async () => {
		const [json] = await answered(body, 200, '{"id":7,"result":"queued"}');
		expect(json).toMatchObject({ id: 7, result: 'paid', extra: { result: 'queued' } });
	});

	test.each(['', ' ', 7, null])(
		'a documented response whose payout_id is %p is unknown',
		async (payout_id) => {
			const text = JSON.stringify({ payout_id, status: 'pending', amount: 10, currency: 'NGN' });
			const [json] = await answered(FIAT, 200, text);
			expect(outcomeOf(json)).toBe(payout_id === 7 ? undefined : 'unknown');
		},
	);

	test.each([
		['status: FAILED', '{"payout_id":"po_1","status":"FAILED","amount":10,"currency":"NGN"}'],
		['status: reversed', '{"payout_id":"po_1","status":"reversed","amount":10,"currency":"NGN"}'],
		['status: returned', '{"payout_id":"po_1","status":"returned","amount":10,"currency":"NGN"}'],
		['status: blocked', '{"payout_id":"po_1","status":"blocked","amount":10,"currency":"NGN"}'],
		[
			'success: false',
			'{"payout_id":"po_1","status":"pending","success":false,"amount":10,"currency":"NGN"}',
		],
		[
			'state: failed',
			'{"payout_id":"po_1","status":"pending","state":"failed","amount":10,"currency":"NGN"}',
		],
	])('a payout that has an ID and failed (%s) has an unknown outcome: %s', async (word, text) => {
		const [json] = await answered(FIAT, 200, text);
		expect(json).toMatchObject({
			result: 'unknown',
			amount: '10',
			currency: 'NGN',
			accountAlias: 'supplier-main',
			error: {
				outcome: 'unknown',
				message: `The service answered 200 with an identifier, and says that the payment failed (${word})`,
				details: { payout_id: 'po_1' },
			},
		});
	});

	test.each([
		['amount 100 instead of 10', '{"payout_id":"po_1","status":"pending","amount":100,"currency":"NGN"}'],
		['currency USD instead of NGN', '{"payout_id":"po_1","status":"pending","amount":10,"currency":"USD"}'],
	])('an answer with another %s has an unknown outcome', async (difference, text) => {
		const [json] = await answered(FIAT, 200, text);
		expect(json).toMatchObject({
			result: 'unknown',
			error: { message: `The service answered 200 for another payment: ${difference}` },
		});
	});

	test.each([
		'{"payout_id":"po_1","status":"pending","amount":10.00,"currency":"ngn"}',
		'{"payout_id":"po_1","status":"pending","amount":1e1}',
	])('an answer with the same payment in another notation is a payment: %s', async (text) => {
		const [json] = await answered(FIAT, 200, text);
		expect(json).toMatchObject({ result: 'paid', payoutId: 'po_1' });
	});
});

describe('numbers from expressions', () => {
	test.each([
		'={{ 1000000000000000001 }}',
		'={{ 9007199254740993 }}',
		'={{ 0.30000000000000001 }}',
		'={{ 0.1 + 0.2 }}',
		'={{ 1e21 }}',
		'={{ 2 ** 60 }}',
	])('the amount %s is refused, because a double cannot hold it', async (amount) => {
		const { error } = await run({ ...FIAT, amount });
		expect(error?.message).toMatch(/^'Amount' came as the number .*, which may have lost digits$/);
		expect(asked()).toBe(0);
	});

	test.each([
		'={{ { coin: "USDT", wallet_alias: "treasury", amount: 0.30000000000000001 } }}',
		'={{ JSON.stringify({ coin: "USDT", wallet_alias: "treasury", amount: 1000000000000000001 }) }}',
	])('the request body %s is refused', async (requestBody) => {
		const { error } = await run(cryptoPayout(requestBody));
		expect(error?.message).toMatch(/^'Request Body' has the number \S+, which may have lost digits/);
		expect(asked()).toBe(0);
	});

	test.each([
		'={{ 12.5 }}',
		'={{ "1000000000000000001" }}',
		'={{ 9007199254740991 }}',
		'=0.300000000000000001',
	])('the amount %s is sent', async (amount) => {
		await control(sandbox(), 'POST admin_funding', { asset: 'NGN', amount: '1e20', direction: 'credit' });
		const { error } = await run({ ...FIAT, amount });
		expect(error?.message ?? '').not.toContain('digits');
		expect(asked()).toBe(1);
	});
});

describe('secrets', () => {
	test('an API key whose digits occur in an amount leaves the payment accepted and the amount as it is', async () => {
		const text = '{"payout_id":"po_1","status":"pending","amount":1250000,"currency":"NGN"}';
		const server = await startHttpServer((_incoming, outgoing) => {
			outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text);
		});
		const { items, error } = await run(
			{ ...FIAT, amount: '1250000' },
			{
				credentials: { ...credentials, apiKey: '250000', baseUrl: server.url },
			},
		);
		await server.stop();
		expect(error).toBeUndefined();
		expect(items[0]![0]!.json).toMatchObject({ payoutId: 'po_1', amount: '1250000' });
	});

	test('a dry run shows neither user nor password of Base URL', async () => {
		const baseUrl = sandbox().url.replace('http://', 'http://someone:only-for-this-test@');
		const { stored } = await run(
			{ ...FIAT, options: { dryRun: true, showRequest: true } },
			{ credentials: { ...credentials, baseUrl } },
		);
		expect(stored).toContain('/v1/fiat_payout');
		expect(stored).not.toContain('only-for-this-test');
		expect(stored).not.toContain('someone');
	});
});

test('Execute Once with an invalid second item pays the first item', async () => {
	const items = [{ json: { amount: '10' } }, { json: { amount: 'x' } }];
	const { items: outputs, error } = await run(
		{ ...FIAT, amount: '={{ $json.amount }}' },
		{ items, settings: { executeOnce: true } },
	);
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(1);
	expect(asked()).toBe(1);
});

test('a node without input items returns no items and sends nothing', async () => {
	const { error } = await run(FIAT, { items: [] });
	expect(error).toBeUndefined();
	expect(asked()).toBe(0);
});
