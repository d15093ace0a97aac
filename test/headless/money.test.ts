import { startHttpServer } from './httpServer.ts';
import { MemoryCredentials } from './memoryCredentials.ts';
import { PAYOUT, withPayments } from './withPayments.ts';
import type { Setup } from './withPayments.ts';

/** Money calls are made once, stay within the limits, and every outcome is reported. */
const { n8n, credentials, sandbox, fault, accepted, asked, ...payments } = withPayments();

const payout = (amount: string, alias = 'supplier-main') => ({ json: { amount, alias } });

const run = async (options: object, items: Setup['items'], settings: Setup['settings'] = {}) =>
	await payments.run({ ...PAYOUT, options }, { items, settings });

describe('Retry On Fail', () => {
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('Retry On Fail sends rejected payouts again, and no accepted one', async () => {
		await fault({ delayMs: 1 }, 2);
		await fault({ status: 422 }, 1);
		const { items, error } = await run(
			{},
			['1', '2', '3', '4'].map((amount) => payout(amount)),
			retrying,
		);
		expect(error).toBeUndefined();
		expect(items[0]!.map(({ json, pairedItem }) => [json.amount, pairedItem])).toEqual([
			['1', { item: 0 }],
			['2', { item: 1 }],
			['3', { item: 2 }],
			['4', { item: 3 }],
		]);
		expect(accepted()).toEqual(['1', '2', '3', '4']);
		expect(asked()).toBe(5);
	});

	test.each([{ dropAfter: true }, { malformed: true }, { status: 500, acted: true }])(
		'Retry On Fail never resends a payout that may have been accepted: %p',
		async (kind) => {
			await fault({ delayMs: 1 }, 1);
			await fault(kind, 1);
			const { error } = await run({}, [payout('1'), payout('2'), payout('3')], retrying);
			expect(error?.message).toMatch(
				/^1 of 3 already paid\. Not sent again because an earlier try may have moved this money: .* \[item 1\]$/,
			);
			expect(error?.context).toMatchObject({ outcome: 'unknown', executed: [{ itemIndex: 0, amount: '1' }] });
			expect(accepted()).toEqual(['1', '2']);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'Retry On Fail in mode %s makes each payout once',
		async (onError) => {
			await fault({ dropAfter: true }, 1);
			await fault({ status: 422 }, 1);
			const { items } = await run(
				{},
				['1', '2', '3'].map((amount) => payout(amount)),
				{ ...retrying, onError },
			);
			expect(accepted().sort()).toEqual(['1', '2', '3']);
			const all = items.flat();
			expect(all).toHaveLength(3);
			const failed = all.filter(({ json }) => json.error);
			expect(
				failed.map(({ json, pairedItem }) => [(json.error as { outcome: string }).outcome, pairedItem]),
			).toEqual([['unknown', { item: 0 }]]);
		},
	);

	test('an item that becomes invalid between two tries hides no outcome of the first try', async () => {
		await fault({ dropAfter: true }, 1);
		await fault({ status: 422 }, 1);
		const items = [payout('1'), payout('2'), payout('3')];
		const turning = setInterval(() => {
			if (asked() >= 3) items[1]!.json.amount = 'x';
		}, 1);
		const slowly = { ...retrying, maxTries: 2, waitBetweenTries: 200 };
		const { items: outputs } = await run({}, items, { ...slowly, onError: 'continueRegularOutput' });
		clearInterval(turning);
		const outcomes = outputs[0]!.map(({ json }) => [json.result, json.amount]);
		expect(outcomes).toEqual([
			['unknown', '1'],
			['notSent', undefined],
			['paid', '3'],
		]);
		expect(accepted()).toEqual(['1', '3']);
	});

	test('an item that becomes invalid between two tries stops the node with a list of the earlier payouts', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const items = [payout('1'), payout('2')];
		const turning = setInterval(() => {
			if (asked() >= 2) items[1]!.json.amount = 'x';
		}, 1);
		const { error } = await run({}, items, { ...retrying, maxTries: 2, waitBetweenTries: 200 });
		clearInterval(turning);
		expect(error?.message).toBe("1 of 2 already paid. 'Amount' is not a decimal number: x [item 1]");
		expect(error?.context).toMatchObject({ outcome: 'notSent', executed: [{ itemIndex: 0, amount: '1' }] });
		expect(error).toMatchObject({ description: expect.stringContaining('Already paid: item 0: 1 NGN') });
		expect(accepted()).toEqual(['1']);
	});

	test('an expression that gives a different value in each try pays once', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const requestBody =
			'={{ JSON.stringify({ coin: "USDT", amount: $json.amount, wallet_alias: "treasury", ref: Math.random() }) }}';
		await fault({ delayMs: 1 }, 1, 'POST /v1/crypto_payout');
		await fault({ status: 422 }, 1, 'POST /v1/crypto_payout');
		const { error } = await n8n.runNode({
			parameters: { resource: 'cryptoWallet', operation: 'createPayout', specifyBody: 'json', requestBody },
			items: [payout('1'), payout('2')],
			settings: retrying,
			credentials,
		});
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2']);
	});
});

describe('Retry execution', () => {
	test('"Retry execution" continues where the node stopped', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const items = [payout('1'), payout('2'), payout('3')];
		const failed = await run({}, items);
		expect(failed.error?.context).toMatchObject({
			outcome: 'rejected',
			executed: [{ itemIndex: 0, amount: '1' }],
		});
		expect(accepted()).toEqual(['1']);
		const { items: outputs, error } = await failed.retry();
		expect(error).toBeUndefined();
		expect(outputs[0]!.map(({ json }) => json.amount)).toEqual(['1', '2', '3']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('"Retry execution" never resends a payout whose outcome is unknown', async () => {
		await fault({ dropAfter: true }, 1);
		let failed = await run({}, [payout('1'), payout('2')]);
		for (let retry = 0; retry < 3; retry++) {
			expect(failed.error?.context).toMatchObject({ outcome: 'unknown' });
			failed = await failed.retry();
		}
		expect(accepted()).toEqual(['1']);
		expect(asked()).toBe(1);
	});

	test('the stored record of money calls holds no secret', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ dropAfter: true }, 1);
		const { stored } = await run({}, [payout('1'), payout('2')]);
		expect(stored).toContain('walletServiceMoneyCalls');
		for (const secret of [sandbox().key, sandbox().secret]) expect(stored).not.toContain(secret);
	});
});

test('two equal items in one run make two payouts', async () => {
	const { items } = await run({}, [payout('5'), payout('5')]);
	expect(new Set(items[0]!.map(({ json }) => json.payoutId)).size).toBe(2);
	expect(accepted()).toEqual(['5', '5']);
});

describe('a dry run', () => {
	test('a dry run returns the request and sends nothing', async () => {
		const options = { dryRun: true, showRequest: true };
		const { items, stored } = await run(options, [payout('0.123456789012345678')]);
		expect(items[0]!.map(({ json }) => json)).toEqual([
			{
				result: 'dryRun',
				dryRun: true,
				amount: '0.123456789012345678',
				currency: 'NGN',
				accountAlias: 'supplier-main',
				request: {
					method: 'POST',
					url: `${sandbox().url}/v1/fiat_payout`,
					headers: {
						Accept: '*/*',
						'Content-Type': 'application/json',
						'x-svc-key': '[redacted]',
						'x-svc-signature': '[redacted]',
						'x-svc-timestamp': expect.stringMatching(/^\d{13}$/),
					},
					body: { currency: 'NGN', amount: '0.123456789012345678', account_alias: 'supplier-main' },
				},
			},
		]);
		expect(asked()).toBe(0);
		for (const secret of [sandbox().key, sandbox().secret]) expect(stored).not.toContain(secret);
	});

	test('a dry run enforces the limits and reports a credential that cannot sign', async () => {
		const above = await run({ dryRun: true, maximumAmount: '1' }, [payout('2')]);
		expect(above.error?.message).toContain("above 'Maximum Amount' 1");
		const { error } = await n8n.runNode({
			parameters: { ...PAYOUT, options: { dryRun: true } },
			items: [payout('2')],
			credentials: { ...credentials, signatureSecret: '' },
		});
		expect(error?.message).toBe('The credential cannot be used: Signature Secret is empty');
	});
});

describe('limits', () => {
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
		const { error } = await run(
			options,
			amounts.map((amount) => payout(amount)),
		);
		expect(error?.message).toContain(message);
		expect(error?.context).toMatchObject({ outcome: 'notSent' });
		expect(asked()).toBe(0);
	});

	test('payouts within the limits are sent', async () => {
		const options = { maximumAmount: '0.2', maximumTotal: '0.3', allowedAliases: 'other, supplier-main ' };
		const { error } = await run(options, [payout('0.1'), payout('0.2')]);
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['0.1', '0.2']);
	});

	test('limits may differ for each item', async () => {
		const items = [
			{ json: { amount: '5', alias: 'supplier-main', limit: '5' } },
			{ json: { amount: '5', alias: 'supplier-main', limit: '4' } },
		];
		const { error } = await run({ maximumAmount: '={{ $json.limit }}' }, items);
		expect(error?.message).toBe("The amount 5 is above 'Maximum Amount' 4 [item 1]");
		expect(asked()).toBe(0);
	});

	const payCrypto = async (body: object, options: object) =>
		await n8n.runNode({
			parameters: {
				resource: 'cryptoWallet',
				operation: 'createPayout',
				specifyBody: 'json',
				requestBody: JSON.stringify(body),
				options: options as never,
			},
			credentials,
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
			await n8n.runNode({
				parameters: {
					resource: 'instantLiquidity',
					operation: 'convert',
					contract_id: 'ic_usd_ngn',
					from_amount: '10',
					options: options as never,
				},
				credentials,
			});
		expect((await convert({ allowedAliases: 'ic_usdt_ngn' })).error?.message).toContain(
			"'ic_usd_ngn' is not one of",
		);
		expect((await convert({ allowedAliases: 'ic_usd_ngn', maximumAmount: '10' })).error).toBeUndefined();
	});
});

describe('a busy service', () => {
	test('a read waits and is sent again when the service answers 429', async () => {
		await fault({ status: 429, retryAfter: 1 }, 1, 'GET /v1/rates');
		const started = Date.now();
		const { items, error } = await n8n.runNode({
			parameters: { resource: 'rate', operation: 'getAll' },
			credentials,
		});
		expect(error).toBeUndefined();
		expect(items[0]!.length).toBeGreaterThan(0);
		expect(Date.now() - started).toBeGreaterThanOrEqual(990);
		expect(asked()).toBe(2);
	});

	test('a payout that gets 429 is rejected, and the error says how long to wait', async () => {
		await fault({ status: 429, retryAfter: 30 }, 1);
		const { error } = await run({}, [payout('1')]);
		expect(error?.context).toMatchObject({ outcome: 'rejected', httpStatus: 429 });
		expect(error).toMatchObject({ description: expect.stringContaining('in 30 seconds or later') });
		expect(asked()).toBe(1);
	});

	test('at most ten reads run at a time', async () => {
		let open = 0;
		let most = 0;
		const server = await startHttpServer((incoming, outgoing) => {
			open += 1;
			most = Math.max(most, open);
			incoming.resume();
			setTimeout(() => {
				open -= 1;
				outgoing.end('{"currency":"NGN","balance":"1.00"}');
			}, 20);
		});
		const { items } = await n8n.runNode({
			parameters: { resource: 'fiatWallet', operation: 'getBalance', currency: 'NGN' },
			items: Array.from({ length: 50 }, () => ({ json: {} })),
			credentials: { ...credentials, baseUrl: server.url },
		});
		await server.stop();
		expect(items[0]).toHaveLength(50);
		expect(most).toBe(10);
	});
});

test('a batch reads the allowed domains of its credential once; n8n reads the credential once more for each request', async () => {
	const read = jest.spyOn(MemoryCredentials.prototype, 'getDecrypted');
	const items = ['1', '2', '3', '4', '5'].map((amount) => payout(amount));
	const { error } = await run({}, items);
	expect(error).toBeUndefined();
	expect(accepted()).toEqual(['1', '2', '3', '4', '5']);
	expect(read).toHaveBeenCalledTimes(1 + 5);
	read.mockRestore();
});
