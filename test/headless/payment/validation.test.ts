/** What cannot be sent as it was meant is refused before anything leaves, and each input item says what became of it. */
import {
	CONTINUED,
	CONVERT,
	CRYPTO,
	cryptoPayout,
	FIAT,
	PAYOUT,
	payout,
	resultOf,
	withNode,
} from '../withNode.ts';

const { run, resultsOf, refusalOf, accepted, asked, fault } = withNode();

describe('bad items', () => {
	test('in continue mode one bad item stops all payouts, and each item says why', async () => {
		const items = [payout('10'), payout('x'), payout('7')];
		const outputs = (await run(PAYOUT, { items, settings: { onError: 'continueErrorOutput' } })).items;
		const other = 'Not sent because of item 2';
		const failed = [other, "'Amount' is not a decimal number: x", other].map((message, item) => ({
			json: { error: { message, outcome: 'notSent' } },
			pairedItem: { item },
		}));
		expect(outputs).toMatchObject([[], failed]);
		expect(asked()).toBe(0);
	});

	test('bad rows stop all payouts with a short message: each kind of problem once, with its rows', async () => {
		const items = Array.from({ length: 300 }, (_, row) => {
			if (row % 100 === 0) return payout('10');
			return row < 200 ? payout(`${row},50`) : payout('5', { alias: '' });
		});
		const { message, description } = await refusalOf(PAYOUT, { items });
		expect(message).toBe(
			"'Amount' has a comma: 1,50 [items 2 to 100, 102 to 200]; " +
				"'Settlement Account' is empty [items 202 to 300]",
		);
		expect(description).toMatch(
			/^Enter 'Amount' as plain digits.*\. Enter a value for 'Settlement Account', .*\. No money was moved\. The first item is item 1\.$/,
		);
	});

	test.each([
		[
			'after three kinds of problems, the message has only the numbers of the other rows',
			['x', '1,5', '-1', '', '2', 'y', 1e21 as never, ''],
			"'Amount' is not a decimal number: x [items 1, 6]; 'Amount' has a comma: 1,5 [item 2]; " +
				"'Amount' is not above zero: -1 [item 3]; other problems in items 4, 7 to 8",
		],
		[
			'rows that are not next to each other are counted after the tenth',
			Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? '' : '1')),
			"'Amount' is empty [items 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 10 more]",
		],
	])('%s', async (_, amounts, message) => {
		const items = amounts.map((amount) => payout(amount));
		expect((await refusalOf(PAYOUT, { items })).message).toBe(message);
	});

	test('a node without input items returns no items and sends nothing', async () => {
		const { error } = await run(FIAT, { items: [] });
		expect(error).toBeUndefined();
		expect(asked()).toBe(0);
	});
});

describe('numbers from expressions', () => {
	// The last one is a text when it arrives.
	test.each(['={{ 0.30000000000000001 }}', '={{ 0.1 + 0.2 }}', '={{ 9007199254740993 + "" }}'])(
		'the amount %s is refused, because a double cannot hold it',
		async (amount) => {
			expect((await refusalOf({ ...FIAT, amount })).message).toMatch(
				/^'Amount' came as the number .*, which may have lost digits$/,
			);
		},
	);

	const SUM = '{{ $json.sum }}';
	const LONG = '{{ $json.long }}';
	const fields = { specifyBody: 'fields', coin: 'USDT', amount: '5', wallet_alias: 'treasury' };
	test.each<[string, object]>([
		[LONG, { ...FIAT, amount: `=${LONG}.00` }],
		[SUM, cryptoPayout(`={ "coin": "USDT", "amount": ${SUM}, "wallet_alias": "treasury" }`)],
		[LONG, { ...cryptoPayout(''), ...fields, bodyFields: { field: [{ name: 'tag', value: `=T${LONG}` }] } }],
		[LONG, { ...CONVERT, from_amount: `=${LONG}.50` }],
		[LONG, { ...FIAT, account_alias: { __rl: true, mode: 'alias', value: `=acc-${LONG}` } }],
	])('between other text, %s is refused too', async (part, parameters) => {
		const items = [{ json: { sum: 0.1 + 0.2, long: Number('1234567890123456789') } }];
		const { message } = await refusalOf(parameters, { items });
		expect(message).toMatch(/ came as the number \S+, which may have lost digits$/);
		expect(message).toContain(part);
	});

	test.each<[string, object]>([
		['Settlement Account', { ...FIAT, account_alias: '={{ $json.long }}' }],
		[
			'Settlement Account',
			{ ...FIAT, account_alias: { __rl: true, mode: 'alias', value: '={{ $json.long }}' } },
		],
		['Contract', { ...CONVERT, contract_id: '={{ $json.long }}' }],
	])('as %s, a number that lost digits could be another one: %#', async (label, parameters) => {
		const { message } = await refusalOf(parameters, { items: [{ json: { long: 90071992547409940 } }] });
		expect(message).toBe(`'${label}' came as the number 90071992547409940, which may have lost digits`);
	});

	test.each([
		'={{ { coin: "USDT", wallet_alias: "treasury", amount: 0.30000000000000001 } }}',
		'={{ JSON.stringify({ coin: "USDT", wallet_alias: "treasury", amount: 1000000000000000001 }) }}',
	])('the request body %s is refused', async (requestBody) => {
		expect((await refusalOf(cryptoPayout(requestBody))).message).toMatch(
			/^'Request Body' has the number \S+, which may have lost digits/,
		);
	});
});

describe('amounts as people of a country write them', () => {
	const items = [' 1.250,50 ', '2.000', '3,75'].map((amount) => payout(amount));
	const written = (amountFormat: string, more: object = {}) => ({
		...PAYOUT,
		options: { amountFormat, ...more },
	});

	test('in the format that the user has chosen, they are paid with every digit', async () => {
		const { error, items: outputs } = await run(written('1.250,50', { maximumTotal: '3254.25' }), { items });
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['1250.50', '2000', '3.75']);
		expect(outputs[0]!.map(({ json }) => json.amount)).toEqual(['1250.50', '2000', '3.75']);
	});

	test('limits count the amounts that are sent', async () => {
		const { message } = await refusalOf(written('1.250,50', { maximumAmount: '1999.99' }), { items });
		expect(message).toContain("The amount 2000 is above 'Maximum Amount' 1999.99");
	});

	test('crypto payouts by fields follow the format, and a JSON body does not', async () => {
		const options = { amountFormat: '1.250,50' };
		const paid = async (parameters: object) =>
			(await run({ ...parameters, options })).items[0]![0]!.json.amount;
		const fields = { coin: 'USDT', amount: '1,5', wallet_alias: 'treasury' };
		expect(await paid({ ...cryptoPayout(''), specifyBody: 'fields', ...fields })).toBe('1.5');
		expect(await paid(cryptoPayout(JSON.stringify({ ...fields, amount: '1.250' })))).toBe('1.250');
	});
});

describe('an expression that fails', () => {
	const broken = "={{ $('Nope').item.json.x }}";

	test('the run sends nothing, and lists no payment', async () => {
		const { context } = await refusalOf({ ...FIAT, simplify: broken });
		expect(context).toMatchObject({ executed: [] });
	});

	test('of several that fail, the first is told', async () => {
		const { items } = await run({ ...FIAT, currency: broken, amount: broken }, CONTINUED);
		expect(items[0]![0]!.json.error).toMatchObject({ message: expect.not.stringContaining(';') });
	});

	test('afterwards the key is free, and no other execution waits for it for ever', async () => {
		await run({ ...FIAT, paymentKey: 'k', simplify: broken });
		expect(await resultsOf({ ...FIAT, paymentKey: 'k' })).toEqual(['paid']);
	});

	test.each([
		['Simplify', { simplify: "={{ $itemIndex === 1 ? $('Nope').item.json.x : true }}" }],
		['Request Options', { requestOptions: { timeout: broken } }],
		['a proxy of no item', { requestOptions: { proxy: '={{ $json.proxy }}' } }],
		['a proxy', { requestOptions: { proxy: 'http://user:only-for-this-test@bad host:99' } }],
	])('in continue mode each item has an error for %s, and no password is shown', async (_, changed) => {
		const items = ['1', '2', '3'].map((amount) => payout(amount));
		const { items: outputs, stored } = await run({ ...FIAT, ...changed }, { items, ...CONTINUED });
		expect(outputs.flat().map(resultOf)).toEqual(['notSent', 'notSent', 'notSent']);
		expect(stored).not.toContain('only-for-this-test');
	});
});

describe('Request Options', () => {
	const items = ['1', '2', '3'].map((amount) => payout(amount));
	const timeouts = (timeout: string) => ({ ...PAYOUT, requestOptions: { timeout: `={{ ${timeout} }}` } });

	test('an item whose options cannot be used is refused with its number, before anything is sent', async () => {
		const { message } = await refusalOf(timeouts('$itemIndex === 1 ? 0 : 5000'), { items });
		expect(message).toBe("'Request Options' cannot be used [item 2]");
	});

	test('each item has its own', async () => {
		await fault({ delayMs: 700 }, 3);
		const parameters = timeouts('$itemIndex === 1 ? 100 : 5000');
		expect(await resultsOf(parameters, { items, ...CONTINUED })).toEqual(['paid', 'unknown', 'paid']);
	});
});

test.each([
	['a destination twice', '={"amount":"{{ $json.amount }}","wallet_alias":"treasury"}'],
	['an empty destination', '{"coin":"USDT","amount":"5","wallet_alias":""}'],
	['an amount of null', '={{ ({ coin: "USDT", amount: null, wallet_alias: "treasury" }) }}'],
	['an amount of zero', '{"coin":"USDT","amount":0.00,"wallet_alias":"treasury"}'],
	['an amount of true', '{"coin":"USDT","amount":true,"wallet_alias":"treasury"}'],
	['an amount in a list', '{"coin":"USDT","amount":["10"],"wallet_alias":"treasury"}'],
	['an amount in an object', '{"coin":"USDT","amount":{"value":1000},"wallet_alias":"treasury"}'],
	['an amount below zero', '{"coin":"USDT","amount":"-2","wallet_alias":"treasury"}'],
])('a JSON body with %s is refused', async (_, requestBody) => {
	await refusalOf(cryptoPayout(requestBody), { items: [{ json: { amount: '5", "wallet_alias":"cold' } }] });
});

test('a JSON body that is spelt in another way than the node would is sent', async () => {
	const body =
		'{ "wallet_alias" : "trea\\u0073ury",\n\t"2":"b", "1":"a", "coin":"USDT", "amount": 5.10, "note":"a \\"b\\" \\/ {}" }';
	expect(await resultsOf(cryptoPayout(body))).toEqual(['paid']);
});

describe('a number in an expression', () => {
	const items = [{ json: { n: 1234567890123456800, exact: 125.125 } }];

	test('with white space around the expression, a number stays one', async () => {
		await refusalOf({ ...FIAT, amount: '={{ $json.n }} ' }, { items });
		await run({ ...FIAT, amount: '= {{ $json.exact }}', options: { amountFormat: '1.250,50' } }, { items });
		expect(accepted()).toEqual(['125.125']);
	});

	test('a key whose number may have lost digits is refused: another invoice may have the same', async () => {
		await refusalOf({ ...FIAT, paymentKey: '=INV-{{ $json.n }}' }, { items });
	});
});

describe('a body that is JSON and gives nothing', () => {
	test.each(['={{ $json.nothing }}', ' ', '={{ ({}) }}'])(
		'no payment and no dry run of one comes of %p, and its key stays free',
		async (requestBody) => {
			const byKey = { ...cryptoPayout(requestBody), paymentKey: 'empty' };
			await refusalOf(byKey);
			await refusalOf({ ...byKey, options: { dryRun: true } });
			expect(await resultsOf({ ...CRYPTO, paymentKey: 'empty' })).toEqual(['paid']);
		},
	);

	test('a request that moves no money has no body only if the author left the field empty', async () => {
		const read = { resource: 'cryptoWallet', operation: 'getAll', specifyBody: 'json' };
		for (const operation of ['create', 'getAll']) {
			const empty = { ...read, operation, requestBody: '={{ $json.nothing }}' };
			expect((await run(empty)).error?.message).toContain("'Request Body' is empty");
		}
		expect(asked()).toBe(0);
		await run({ ...read, requestBody: '' });
		expect(asked()).toBe(1);
	});
});
