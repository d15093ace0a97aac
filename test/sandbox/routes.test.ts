import { call, control } from '../../host/sandboxClient.ts';
import { withSandbox } from './withSandbox.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const UNDOCUMENTED_NOTE = 'This shape is made up: the API document gives this endpoint’s name only.';

const sandbox = withSandbox({ now: () => NOW, settleAfterMs: null });

async function jsonOf(route: string, body?: object): Promise<unknown> {
	const answer = await call(sandbox, route, body === undefined ? '' : JSON.stringify(body), NOW);
	expect(answer.json).not.toHaveProperty('error');
	expect(answer.status).toBe(200);
	expect(answer.headers['content-type']).toBe('application/json');
	return answer.json;
}

describe('the 12 endpoints whose requests and responses the document shows', () => {
	test('POST /v1/fiat_balance', async () => {
		expect(await jsonOf('POST /v1/fiat_balance', { currency: 'NGN' })).toEqual({
			currency: 'NGN',
			balance: '5000000.00',
		});
	});

	test('POST /v1/fiat_payout', async () => {
		const body = { currency: 'NGN', amount: 1250.5, account_alias: 'supplier-main' };
		expect(await jsonOf('POST /v1/fiat_payout', body)).toEqual({
			status: 'pending',
			payout_id: expect.stringMatching(/^po_[\da-f]{16}$/),
			amount: 1250.5,
			currency: 'NGN',
		});
	});

	test('POST /v1/funding_account', async () => {
		expect(await jsonOf('POST /v1/funding_account', { currency: 'NGN' })).toEqual({
			currency: 'NGN',
			account_name: 'Acme Trading',
			account_number: '2009876543',
			bank: 'Sandbox Bank',
		});
	});

	test('POST /v1/funding_request', async () => {
		expect(await jsonOf('POST /v1/funding_request', { pop: 'https://example.com/receipt.pdf' })).toEqual({
			status: 'pending',
			response: {
				message:
					'Your request is received and is being verified. Your account will be credited by an administrator if verification succeeds.',
			},
		});
	});

	test.each([
		['no body', undefined],
		['an empty object', {}],
	])('POST /v1/fiat_virtuals with %s', async (_, body) => {
		expect(await jsonOf('POST /v1/fiat_virtuals', body)).toEqual({
			results: [
				{ alias: 'customer-0042', account_number: '9900000042', bank: 'Sandbox Bank' },
				{ alias: 'customer-0007', account_number: '9900000007', bank: 'Sandbox Bank' },
				{ alias: 'invoices-usd', account_number: '8800000001', bank: 'Second Sandbox Bank' },
			],
		});
	});

	test('POST /v1/virtual_details', async () => {
		expect(await jsonOf('POST /v1/virtual_details', { alias: 'customer-0042' })).toEqual({
			alias: 'customer-0042',
			account_number: '9900000042',
			bank: 'Sandbox Bank',
			status: 'active',
		});
	});

	test('GET /v1/rates', async () => {
		const { results } = (await jsonOf('GET /v1/rates')) as { results: unknown[] };
		expect(results).toHaveLength(4);
		expect(results[0]).toEqual({
			'Base Currency': 'USD',
			'Quote Currency': 'NGN',
			Bid: 1540.25,
			Ask: 1552.75,
			'Last Updated ': '2026-01-02T03:04:05.678Z',
		});
	});

	test('GET /v1/instant_contracts', async () => {
		const { results } = (await jsonOf('GET /v1/instant_contracts')) as { results: unknown[] };
		expect(results).toHaveLength(3);
		expect(results[0]).toEqual({
			contract_id: 'ic_usdt_ngn',
			From: 'USDT',
			to: 'NGN',
			rate: 1550.4,
			fee: 0.005,
			'amount available': 15000,
			Direction: 'sell',
		});
	});

	test('POST /v1/instant_conversion', async () => {
		const body = { contract_id: 'ic_usdt_ngn', from_amount: 100 };
		expect(await jsonOf('POST /v1/instant_conversion', body)).toEqual({
			status: 'success',
			transaction_id: expect.stringMatching(/^itx_[\da-f]{16}$/),
			from_amount: 100,
			to_amount: 154264.8,
			rate: 1542.648,
		});
	});

	test('POST /v1/instant_transaction', async () => {
		const body = { contract_id: 'ic_usdt_ngn', from_amount: 100 };
		const made = (await jsonOf('POST /v1/instant_conversion', body)) as { transaction_id: string };
		expect(await jsonOf('POST /v1/instant_transaction', { id: made.transaction_id })).toEqual({
			transaction_id: made.transaction_id,
			status: 'completed',
			from_currency: 'USDT',
			to_currency: 'NGN',
			from_amount: 100,
			to_amount: 154264.8,
			completed_at: '2026-01-02T03:04:05.678Z',
		});
	});

	test('POST /v1/fiat_balance_update', async () => {
		expect(await jsonOf('POST /v1/fiat_balance_update', { currency: 'GHS', amount: 12.5 })).toEqual({
			status: 'success',
			currency: 'GHS',
			amount: 12.5,
			message: 'The GHS balance has been adjusted by 12.5',
		});
		expect(await jsonOf('POST /v1/fiat_balance', { currency: 'GHS' })).toEqual({
			currency: 'GHS',
			balance: '12.50',
		});
	});

	test('POST /v1/crypto_balance_update', async () => {
		expect(await jsonOf('POST /v1/crypto_balance_update', { coin: 'USDT', amount: -5 })).toEqual({
			status: 'success',
			coin: 'USDT',
			amount: -5,
			message: 'The USDT balance has been adjusted by -5',
		});
	});
});

describe('the 11 endpoints that the document only names answer with a sandbox_note', () => {
	const treasury = {
		alias: 'treasury',
		address: 'TSandboxTreasury00000000000000001',
		network: 'TRC20',
		asset_supported: 'USDT,USDC',
		status: 'Whitelisted',
	};
	const depositsUsdt = {
		alias: 'deposits-usdt',
		address: 'TSandboxDepositsUsdt0000000000001',
		network: 'TRC20',
	};
	const supplierMain = {
		alias: 'supplier-main',
		bank_name: 'First Example Bank',
		account_number: '0123456789',
		account_name: 'Main Supplier Ltd',
		currency: 'NGN',
		other_details: 'Branch: Lagos\nSort code: 010101',
		status: 'Whitelisted',
	};

	test('GET /v1/health', async () => {
		expect(await jsonOf('GET /v1/health')).toEqual({ status: 'ok', sandbox_note: UNDOCUMENTED_NOTE });
	});

	test('POST /v1/create_wallet', async () => {
		expect(await jsonOf('POST /v1/create_wallet', { alias: 'shop', network: 'ERC20' })).toEqual({
			alias: 'shop',
			address: expect.stringMatching(/^T[\da-f]{32}$/),
			network: 'ERC20',
			sandbox_note: UNDOCUMENTED_NOTE,
		});
		expect(await jsonOf('POST /v1/create_wallet')).toMatchObject({
			alias: expect.stringMatching(/^wallet_[\da-f]{16}$/),
			network: 'TRC20',
		});
	});

	test('POST /v1/crypto_wallets', async () => {
		expect(await jsonOf('POST /v1/crypto_wallets')).toEqual({
			results: [depositsUsdt, expect.objectContaining({ alias: 'deposits-btc' })],
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test('POST /v1/wallet_details', async () => {
		expect(await jsonOf('POST /v1/wallet_details', { alias: 'deposits-usdt' })).toEqual({
			...depositsUsdt,
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test('POST /v1/coin_balance', async () => {
		expect(await jsonOf('POST /v1/coin_balance', { coin: 'btc' })).toEqual({
			coin: 'BTC',
			balance: '0.75',
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test.each([
		['a number', 100.25],
		['text', '100.25'],
	])('POST /v1/crypto_payout with %s', async (_, amount) => {
		const body = {
			coin: 'USDT',
			amount,
			wallet_alias: 'treasury',
			memo: 'fields that nobody knows are let through',
		};
		expect(await jsonOf('POST /v1/crypto_payout', body)).toEqual({
			status: 'pending',
			payout_id: expect.stringMatching(/^po_[\da-f]{16}$/),
			coin: 'USDT',
			amount: 100.25,
			fee: 0.5,
			wallet_alias: 'treasury',
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test('POST /v1/add_settlement_wallet', async () => {
		const body = { alias: 'partner', address: 'TPartner1', asset_supported: ['USDT', 'USDC'] };
		const expected = {
			alias: 'partner',
			address: 'TPartner1',
			network: 'TRC20',
			asset_supported: 'USDT,USDC',
			status: 'Pending',
			sandbox_note: UNDOCUMENTED_NOTE,
		};
		expect(await jsonOf('POST /v1/add_settlement_wallet', body)).toEqual(expected);
		expect(await jsonOf('POST /v1/settlement_wallet_details', { alias: 'partner' })).toEqual(expected);
	});

	test('POST /v1/settlement_wallets', async () => {
		expect(await jsonOf('POST /v1/settlement_wallets')).toEqual({
			results: [treasury, expect.objectContaining({ alias: 'cold-storage', status: 'Pending' })],
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test('POST /v1/settlement_wallet_details', async () => {
		expect(await jsonOf('POST /v1/settlement_wallet_details', { alias: 'treasury' })).toEqual({
			...treasury,
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test('POST /v1/settlement_accounts', async () => {
		expect(await jsonOf('POST /v1/settlement_accounts')).toEqual({
			results: [
				supplierMain,
				expect.objectContaining({ alias: 'supplier-usd', status: 'Whitelisted' }),
				expect.objectContaining({ alias: 'supplier-new', status: 'Pending' }),
			],
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});

	test('POST /v1/settlement_account_details', async () => {
		expect(await jsonOf('POST /v1/settlement_account_details', { alias: 'supplier-main' })).toEqual({
			...supplierMain,
			sandbox_note: UNDOCUMENTED_NOTE,
		});
	});
});

test('GET / says that this is a sandbox', async () => {
	expect((await call(sandbox, 'GET /')).text).toContain('This is a sandbox');
	expect((await control(sandbox, 'GET nonsense')).status).toBe(404);
});
