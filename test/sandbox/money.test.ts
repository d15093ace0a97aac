import { balanceOf, call, control } from '../../host/sandboxClient.ts';
import { withSandbox } from './withSandbox.ts';

const sandbox = withSandbox({ settleAfterMs: null });

const update = (currency: string, amount: string) =>
	call(sandbox, 'POST /v1/fiat_balance_update', `{"currency":"${currency}","amount":${amount}}`);
const pay = (amount: string, alias = 'supplier-main') =>
	call(sandbox, 'POST /v1/fiat_payout', `{"currency":"NGN","amount":${amount},"account_alias":"${alias}"}`);
const payCrypto = (amount: string, alias = 'treasury') =>
	call(sandbox, 'POST /v1/crypto_payout', `{"coin":"USDT","amount":${amount},"wallet_alias":"${alias}"}`);
const convert = (contract: string, amount: string) =>
	call(sandbox, 'POST /v1/instant_conversion', `{"contract_id":"${contract}","from_amount":${amount}}`);

/** Every balance is the sum of its movements. Computed in whole units of 10^-20. */
function expectMovementsToAddUp(): void {
	const units = (decimal: string) => {
		const [, sign, whole, fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(decimal)!;
		return BigInt(`${sign}${whole}${fraction.padEnd(20, '0')}`);
	};
	for (const { code, amount } of sandbox.service.ledger.balances.all()) {
		const movements = sandbox.service.ledger.movements.all().filter((movement) => movement.code === code);
		expect(movements.reduce((sum, movement) => sum + units(movement.amount), 0n)).toBe(units(amount));
		expect(amount).not.toMatch(/^-/);
	}
}

describe('the sandbox keeps every digit', () => {
	test.each(['0.123456789012345678', '9007199254740993', '1.50', '12345678901234567890.000000000000000001'])(
		'a payout keeps every digit of the amount %s',
		async (amount) => {
			await update('NGN', '99999999999999999999');
			const { text, json } = await pay(amount);
			expect(text).toContain(`"amount":${amount},`);
			const { payouts } = (await control(sandbox, 'GET state')).json;
			expect(payouts).toEqual([expect.objectContaining({ payout_id: json.payout_id, amount })]);
			const requests = (await control(sandbox, 'GET requests')).json.results;
			expect(requests.at(-1).body).toBe(
				`{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`,
			);
		},
	);

	test('an amount with an exponent is answered as a plain decimal', async () => {
		expect((await pay('1.25e2')).text).toContain('"amount":125,');
		expect((await pay('5E-3')).text).toContain('"amount":0.005,');
	});

	test('a fiat balance keeps every digit and shows two decimals', async () => {
		await update('GHS', '0.123456789012345678');
		await update('GHS', '9007199254740993');
		expect((await call(sandbox, 'POST /v1/fiat_balance', '{"currency":"GHS"}')).json.balance).toBe(
			'9007199254740993.12',
		);
		expect(await balanceOf(sandbox, 'GHS')).toBe('9007199254740993.123456789012345678');
		expectMovementsToAddUp();
	});

	test('a coin balance keeps every digit', async () => {
		await call(sandbox, 'POST /v1/crypto_balance_update', '{"coin":"ETH","amount":0.000000000000000001}');
		expect((await call(sandbox, 'POST /v1/coin_balance', '{"coin":"ETH"}')).json.balance).toBe(
			'12.500000000000000001',
		);
	});
});

describe('balances change and never fall below zero', () => {
	test('a fiat payout debits its amount at once', async () => {
		expect((await pay('1250.50')).status).toBe(200);
		expect(await balanceOf(sandbox, 'NGN')).toBe('4998749.5');
		expectMovementsToAddUp();
	});

	test('a payout of the whole balance leaves zero, and the next payout is refused', async () => {
		expect((await pay('5000000')).status).toBe(200);
		const { status, json } = await pay('0.01');
		expect(status).toBe(422);
		expect(json.error).toEqual({
			code: 'insufficient_balance',
			message: 'The NGN balance is 0, which does not cover 0.01',
			field: 'amount',
		});
		expect(await balanceOf(sandbox, 'NGN')).toBe('0');
		expectMovementsToAddUp();
	});

	test('an adjustment below zero is refused', async () => {
		expect((await update('GHS', '-0.01')).status).toBe(422);
		expect(
			(await control(sandbox, 'POST admin_funding', { asset: 'GHS', amount: 1, direction: 'debit' })).status,
		).toBe(422);
		expect(await balanceOf(sandbox, 'GHS')).toBe('0');
	});

	test('a crypto payout debits its amount and its fee', async () => {
		expect((await payCrypto('100.25')).status).toBe(200);
		expect(await balanceOf(sandbox, 'USDT')).toBe('19899.25');
		expect((await payCrypto('19899')).json.error).toMatchObject({
			code: 'insufficient_balance',
			message: 'The USDT balance is 19899.25, which does not cover 19899.5',
		});
		expectMovementsToAddUp();
	});
});

describe('a payout needs a whitelisted destination', () => {
	test.each([
		['supplier-new', 'Pending'],
		['supplier-main', 'Rejected'],
	])('a payout to %s is refused while it is %s', async (alias, status) => {
		if (status === 'Rejected') await control(sandbox, 'POST reviews', { alias, decision: 'rejected' });
		const answer = await pay('10', alias);
		expect(answer.status).toBe(422);
		expect(answer.json.error).toEqual({
			code: 'destination_not_whitelisted',
			message: `${alias} is ${status}; a payout needs a destination that is Whitelisted`,
			field: 'account_alias',
		});
		expect(await balanceOf(sandbox, 'NGN')).toBe('5000000');
		await control(sandbox, 'POST reviews', { alias, decision: 'Whitelisted' });
		expect((await pay('10', alias)).status).toBe(200);
	});

	test('a payout in another currency than that of the account is refused', async () => {
		const answer = await pay('10', 'supplier-usd');
		expect([answer.status, answer.json.error]).toEqual([
			422,
			{
				code: 'currency_mismatch',
				message: 'supplier-usd is an account in USD; it takes no NGN',
				field: 'account_alias',
			},
		]);
		expect(await balanceOf(sandbox, 'NGN')).toBe('5000000');
	});

	test('a crypto payout to a pending wallet is refused', async () => {
		expect((await payCrypto('1', 'cold-storage')).json.error.field).toBe('wallet_alias');
		expect(await balanceOf(sandbox, 'USDT')).toBe('20000');
	});
});

describe('settlement of a payout', () => {
	const statusOf = async (id: string) => {
		const { payouts } = (await control(sandbox, 'GET state')).json;
		return payouts.find(({ payout_id }: { payout_id: string }) => payout_id === id).status;
	};

	test('a pending payout succeeds after the delay', async () => {
		await sandbox.restart({ settleAfterMs: 20 });
		const { payout_id, status } = (await pay('10')).json;
		expect(status).toBe('pending');
		await sandbox.idle();
		expect(await statusOf(payout_id)).toBe('successful');
		expect(await balanceOf(sandbox, 'NGN')).toBe('4999990');
	});

	test('a payout that fails by control refunds its amount and fee', async () => {
		const fiatId = (await pay('10')).json.payout_id;
		const cryptoId = (await payCrypto('10')).json.payout_id;
		for (const id of [fiatId, cryptoId]) {
			expect((await control(sandbox, `POST payouts/${id}`, { status: 'failed' })).json.status).toBe('failed');
		}
		expect(await balanceOf(sandbox, 'NGN')).toBe('5000000');
		expect(await balanceOf(sandbox, 'USDT')).toBe('20000');
		expectMovementsToAddUp();
	});

	test('a final payout status cannot change', async () => {
		const id = (await pay('10')).json.payout_id;
		await control(sandbox, `POST payouts/${id}`, { status: 'processing' });
		await control(sandbox, `POST payouts/${id}`, { status: 'successful' });
		expect((await control(sandbox, `POST payouts/${id}`, { status: 'successful' })).status).toBe(200);
		expect((await control(sandbox, `POST payouts/${id}`, { status: 'failed' })).status).toBe(409);
		expect((await control(sandbox, `POST payouts/${id}`, { status: 'lost' })).status).toBe(400);
		expect((await control(sandbox, 'POST payouts/none', { status: 'failed' })).status).toBe(404);
		expect(await balanceOf(sandbox, 'NGN')).toBe('4999990');
	});
});

describe('conversions', () => {
	test('a conversion is exact, applies the fee to the rate and reduces the available amount', async () => {
		const { text, json } = await convert('ic_btc_usdt', '0.12345678');
		// 64250.12345678 × (1 − 0.0025), and that × 0.12345678
		expect(text).toContain('"rate":64089.49814813805');
		expect(text).toContain('"to_amount":7912.283073185086648479');
		expect(text).toContain('"from_amount":0.12345678');
		const { contracts, balances } = (await control(sandbox, 'GET state')).json;
		expect(contracts[1]).toMatchObject({ contract_id: 'ic_btc_usdt', available: '0.37654322' });
		expect(balances).toMatchObject({ BTC: '0.62654322', USDT: '27912.283073185086648479' });
		expectMovementsToAddUp();
		const read = await call(sandbox, 'POST /v1/instant_transaction', `{"id":"${json.transaction_id}"}`);
		expect(read.text).toContain('"to_amount":7912.283073185086648479');
	});

	test('a conversion cannot exceed the available amount', async () => {
		expect((await convert('ic_usdt_ngn', '15000.01')).json.error).toEqual({
			code: 'amount_not_available',
			message: 'from_amount is more than the amount available of ic_usdt_ngn, which is 15000 USDT',
			field: 'from_amount',
		});
		expect((await convert('ic_usdt_ngn', '15000')).status).toBe(200);
		const { results } = (await call(sandbox, 'GET /v1/instant_contracts')).json;
		expect(results[0]['amount available']).toBe(0);
		expect((await convert('ic_usdt_ngn', '0.000001')).status).toBe(422);
	});

	test('a conversion cannot exceed the balance', async () => {
		await update('USD', '-24999');
		const { status, json } = await convert('ic_usd_ngn', '1.01');
		expect(status).toBe(422);
		expect(json.error).toMatchObject({ code: 'insufficient_balance', field: 'from_amount' });
		expect((await control(sandbox, 'GET state')).json).toMatchObject({
			balances: { USD: '1' },
			transactions: [],
		});
		expectMovementsToAddUp();
	});
});

test('an administrator can credit a proof of payment only once', async () => {
	await call(sandbox, 'POST /v1/funding_request', '{"pop":"https://example.com/receipt.pdf"}');
	const [{ id }] = (await control(sandbox, 'GET state')).json.funding_requests;
	const funding = { asset: 'NGN', amount: '1000', direction: 'credit', funding_request: id };
	expect((await control(sandbox, 'POST admin_funding', funding)).status).toBe(200);
	expect((await control(sandbox, 'POST admin_funding', funding)).status).toBe(409);
	expect((await control(sandbox, 'GET state')).json).toMatchObject({
		balances: { NGN: '5001000' },
		funding_requests: [{ pop: 'https://example.com/receipt.pdf', status: 'credited' }],
	});
});
