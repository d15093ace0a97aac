import { readFileSync } from 'node:fs';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { headless } from './harness.ts';

/** Routes and keys are typed from the API document, names in items from the contract. */
interface Case {
	operation: string;
	route: string;
	parameters?: Record<string, string>;
	/** The body that the sandbox saw, to the letter; '' for none. */
	sent: string;
	/** What comes out with Simplify on: one record for each item. */
	items: Array<Record<string, unknown>>;
	/** What comes out with Simplify off; left out where the document does not show the response. */
	raw?: Record<string, unknown>;
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const TEXT = expect.stringMatching(/./);
const UNDOCUMENTED_SHAPES = { sandbox_note: expect.stringContaining('made up') };
const WALLET = { alias: 'deposits-usdt', address: 'TSandboxDepositsUsdt0000000000001', network: 'TRC20' };

const CASES: Case[] = [
	{
		operation: 'fiatWallet.getBalance',
		route: 'POST /v1/fiat_balance',
		parameters: { currency: 'USD' },
		sent: '{"currency":"USD"}',
		items: [{ currency: 'USD', balance: '25000.00' }],
		raw: { currency: 'USD', balance: '25000.00' },
	},
	{
		operation: 'fiatWallet.createPayout',
		route: 'POST /v1/fiat_payout',
		parameters: { currency: 'NGN', amount: '0.123456789012345678', account_alias: 'supplier-main' },
		sent: '{"currency":"NGN","amount":0.123456789012345678,"account_alias":"supplier-main"}',
		items: [{ payoutId: TEXT, status: 'pending', amount: '0.123456789012345678', currency: 'NGN' }],
		raw: { payout_id: TEXT, status: 'pending', amount: '0.123456789012345678', currency: 'NGN' },
	},
	{
		operation: 'funding.getAccount',
		route: 'POST /v1/funding_account',
		parameters: { currency: 'NGN' },
		sent: '{"currency":"NGN"}',
		items: [
			{ currency: 'NGN', accountName: 'Acme Trading', accountNumber: '2009876543', bank: 'Sandbox Bank' },
		],
		raw: {
			currency: 'NGN',
			account_name: 'Acme Trading',
			account_number: '2009876543',
			bank: 'Sandbox Bank',
		},
	},
	{
		operation: 'funding.submitProof',
		route: 'POST /v1/funding_request',
		parameters: { pop: 'https://example.com/receipt.pdf' },
		sent: '{"pop":"https://example.com/receipt.pdf"}',
		items: [{ status: TEXT, message: expect.stringContaining('credited by an administrator') }],
		raw: { status: TEXT, response: { message: expect.stringContaining('credited by an administrator') } },
	},
	{
		operation: 'virtualAccount.getAll',
		route: 'POST /v1/fiat_virtuals',
		sent: '',
		items: [
			{ alias: 'customer-0042', accountNumber: '9900000042', bank: 'Sandbox Bank' },
			{ alias: 'customer-0007', accountNumber: '9900000007', bank: 'Sandbox Bank' },
			{ alias: 'invoices-usd', accountNumber: '8800000001', bank: 'Second Sandbox Bank' },
		],
		raw: {
			results: [
				{ alias: 'customer-0042', account_number: '9900000042', bank: 'Sandbox Bank' },
				{ alias: 'customer-0007', account_number: '9900000007', bank: 'Sandbox Bank' },
				{ alias: 'invoices-usd', account_number: '8800000001', bank: 'Second Sandbox Bank' },
			],
		},
	},
	{
		operation: 'virtualAccount.get',
		route: 'POST /v1/virtual_details',
		parameters: { alias: 'customer-0042' },
		sent: '{"alias":"customer-0042"}',
		items: [{ alias: 'customer-0042', accountNumber: '9900000042', bank: 'Sandbox Bank', status: 'active' }],
		raw: { alias: 'customer-0042', account_number: '9900000042', bank: 'Sandbox Bank', status: 'active' },
	},
	{
		operation: 'rate.getAll',
		route: 'GET /v1/rates',
		sent: '',
		items: [
			{ baseCurrency: 'USD', quoteCurrency: 'NGN', bid: '1540.25', ask: '1552.75', lastUpdated: TIME },
			{ baseCurrency: 'USDT', quoteCurrency: 'NGN', bid: '1545.5', ask: '1558', lastUpdated: TIME },
			{ baseCurrency: 'EUR', quoteCurrency: 'USD', bid: '1.0842', ask: '1.0861', lastUpdated: TIME },
			{
				baseCurrency: 'BTC',
				quoteCurrency: 'USDT',
				bid: '64250.12345678',
				ask: '64310.5',
				lastUpdated: TIME,
			},
		],
		raw: {
			results: [
				{
					'Base Currency': 'USD',
					'Quote Currency': 'NGN',
					Bid: 1540.25,
					Ask: 1552.75,
					'Last Updated ': TIME,
				},
				{ 'Base Currency': 'USDT', 'Quote Currency': 'NGN', Bid: 1545.5, Ask: 1558, 'Last Updated ': TIME },
				{ 'Base Currency': 'EUR', 'Quote Currency': 'USD', Bid: 1.0842, Ask: 1.0861, 'Last Updated ': TIME },
				{
					'Base Currency': 'BTC',
					'Quote Currency': 'USDT',
					Bid: 64250.12345678,
					Ask: 64310.5,
					'Last Updated ': TIME,
				},
			],
		},
	},
	{
		operation: 'instantLiquidity.getContracts',
		route: 'GET /v1/instant_contracts',
		sent: '',
		items: [
			{
				contractId: 'ic_usdt_ngn',
				from: 'USDT',
				to: 'NGN',
				rate: '1550.4',
				fee: '0.005',
				amountAvailable: '15000',
				direction: 'sell',
			},
			{
				contractId: 'ic_btc_usdt',
				from: 'BTC',
				to: 'USDT',
				rate: '64250.12345678',
				fee: '0.0025',
				amountAvailable: '0.5',
				direction: 'sell',
			},
			{
				contractId: 'ic_usd_ngn',
				from: 'USD',
				to: 'NGN',
				rate: '1540.25',
				fee: '0',
				amountAvailable: '10000',
				direction: 'sell',
			},
		],
		raw: {
			results: expect.arrayContaining([
				{
					contract_id: 'ic_usdt_ngn',
					From: 'USDT',
					to: 'NGN',
					rate: 1550.4,
					fee: 0.005,
					'amount available': 15000,
					Direction: 'sell',
				},
			]),
		},
	},
	{
		operation: 'instantLiquidity.convert',
		route: 'POST /v1/instant_conversion',
		parameters: { contract_id: 'ic_usd_ngn', from_amount: '2.000000000000000001' },
		sent: '{"contract_id":"ic_usd_ngn","from_amount":2.000000000000000001}',
		// 2.000000000000000001 × 1540.25 by hand; the contract has no fee.
		items: [
			{
				transactionId: TEXT,
				status: 'success',
				fromAmount: '2.000000000000000001',
				toAmount: '3080.50000000000000154025',
				rate: '1540.25',
			},
		],
		raw: {
			transaction_id: TEXT,
			status: 'success',
			from_amount: '2.000000000000000001',
			to_amount: '3080.50000000000000154025',
			rate: 1540.25,
		},
	},
	{
		operation: 'instantLiquidity.getTransaction',
		route: 'POST /v1/instant_transaction',
		parameters: { id: '{{transaction}}' },
		sent: '{"id":"{{transaction}}"}',
		items: [
			{
				transactionId: '{{transaction}}',
				status: 'completed',
				fromCurrency: 'USD',
				toCurrency: 'NGN',
				fromAmount: '10',
				toAmount: '15402.5',
				completedAt: TIME,
			},
		],
		raw: {
			transaction_id: '{{transaction}}',
			status: 'completed',
			from_currency: 'USD',
			to_currency: 'NGN',
			from_amount: 10,
			to_amount: 15402.5,
			completed_at: TIME,
		},
	},
	{
		operation: 'cryptoWallet.create',
		route: 'POST /v1/create_wallet',
		parameters: { requestBody: '{"alias": "hot", "network": "TRC20"}' },
		sent: '{"alias":"hot","network":"TRC20"}',
		items: [{ alias: 'hot', address: TEXT, network: 'TRC20', ...UNDOCUMENTED_SHAPES }],
	},
	{
		operation: 'cryptoWallet.getAll',
		route: 'POST /v1/crypto_wallets',
		parameters: { requestBody: '{}' },
		sent: '{}',
		items: [{ results: expect.arrayContaining([WALLET]), ...UNDOCUMENTED_SHAPES }],
	},
	{
		operation: 'cryptoWallet.get',
		route: 'POST /v1/wallet_details',
		parameters: { requestBody: '{"alias": "deposits-usdt"}' },
		sent: '{"alias":"deposits-usdt"}',
		items: [{ ...WALLET, ...UNDOCUMENTED_SHAPES }],
	},
	{
		operation: 'cryptoWallet.getBalance',
		route: 'POST /v1/coin_balance',
		parameters: { requestBody: '{"coin": "ETH"}' },
		sent: '{"coin":"ETH"}',
		items: [{ coin: 'ETH', balance: '12.5', ...UNDOCUMENTED_SHAPES }],
	},
	{
		operation: 'cryptoWallet.createPayout',
		route: 'POST /v1/crypto_payout',
		parameters: {
			requestBody: '{"coin": "USDT", "amount": 0.123456789012345678, "wallet_alias": "treasury"}',
		},
		sent: '{"coin":"USDT","amount":0.123456789012345678,"wallet_alias":"treasury"}',
		items: [
			{
				payout_id: TEXT,
				status: 'pending',
				coin: 'USDT',
				amount: '0.123456789012345678',
				fee: 0.5,
				wallet_alias: 'treasury',
				...UNDOCUMENTED_SHAPES,
			},
		],
	},
	{
		operation: 'settlementWallet.create',
		route: 'POST /v1/add_settlement_wallet',
		parameters: {
			requestBody: '{"alias":"vault","address":"0xabc","network":"ERC20","asset_supported":"USDT"}',
		},
		sent: '{"alias":"vault","address":"0xabc","network":"ERC20","asset_supported":"USDT"}',
		items: [
			{
				alias: 'vault',
				address: '0xabc',
				network: 'ERC20',
				asset_supported: 'USDT',
				status: 'Pending',
				...UNDOCUMENTED_SHAPES,
			},
		],
	},
	{
		operation: 'settlementWallet.getAll',
		route: 'POST /v1/settlement_wallets',
		parameters: { requestBody: '{}' },
		sent: '{}',
		items: [
			{
				results: expect.arrayContaining([
					expect.objectContaining({ alias: 'treasury', status: 'Whitelisted' }),
				]),
				...UNDOCUMENTED_SHAPES,
			},
		],
	},
	{
		operation: 'settlementWallet.get',
		route: 'POST /v1/settlement_wallet_details',
		parameters: { requestBody: '{"alias":"treasury"}' },
		sent: '{"alias":"treasury"}',
		items: [expect.objectContaining({ alias: 'treasury', status: 'Whitelisted', ...UNDOCUMENTED_SHAPES })],
	},
	{
		operation: 'settlementAccount.getAll',
		route: 'POST /v1/settlement_accounts',
		parameters: { requestBody: '{}' },
		sent: '{}',
		items: [
			{
				results: expect.arrayContaining([
					expect.objectContaining({ alias: 'supplier-main', status: 'Whitelisted' }),
				]),
				...UNDOCUMENTED_SHAPES,
			},
		],
	},
	{
		operation: 'settlementAccount.get',
		route: 'POST /v1/settlement_account_details',
		parameters: { requestBody: '{"alias":"supplier-new"}' },
		sent: '{"alias":"supplier-new"}',
		items: [expect.objectContaining({ alias: 'supplier-new', status: 'Pending', ...UNDOCUMENTED_SHAPES })],
	},
	{
		operation: 'sandbox.adjustFiatBalance',
		route: 'POST /v1/fiat_balance_update',
		parameters: { currency: 'GHS', amount: '9007199254740993' },
		sent: '{"currency":"GHS","amount":9007199254740993}',
		items: [{ status: 'success', currency: 'GHS', amount: '9007199254740993', message: TEXT }],
		raw: { status: 'success', currency: 'GHS', amount: '9007199254740993', message: TEXT },
	},
	{
		operation: 'sandbox.adjustCryptoBalance',
		route: 'POST /v1/crypto_balance_update',
		parameters: { coin: 'USDC', amount: '-0.25' },
		sent: '{"coin":"USDC","amount":-0.25}',
		items: [{ status: 'success', coin: 'USDC', amount: '-0.25', message: TEXT }],
		raw: { status: 'success', coin: 'USDC', amount: -0.25, message: TEXT },
	},
	{
		operation: 'service.getHealth',
		route: 'GET /v1/health',
		sent: '',
		items: [{ status: 'ok', ...UNDOCUMENTED_SHAPES }],
	},
];

const n8n = headless();
let sandbox: Sandbox;
let credentials: Record<string, string>;
let transaction: string;

const run = async (operation: string, parameters: Record<string, unknown>, items = [{ json: {} }]) => {
	const [resource, name] = operation.split('.');
	const { error, items: outputs } = await n8n.runNode({
		parameters: { resource, operation: name, ...parameters } as never,
		items,
		credentials,
	});
	if (error) throw error;
	return outputs[0];
};

const lastRequest = () => sandbox.service.requests.all().at(-1);

beforeAll(async () => {
	sandbox = await startSandbox();
	credentials = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
});
afterAll(async () => await sandbox.stop());

test('there is a case for each of the 23 endpoints', () => {
	expect(new Set(CASES.map(({ operation }) => operation)).size).toBe(23);
	expect(new Set(CASES.map(({ route }) => route)).size).toBe(23);
});

describe.each(CASES)('$operation', ({ operation, route, parameters = {}, sent, items, raw }) => {
	beforeAll(async () => {
		if (!Object.values(parameters).includes('{{transaction}}')) return;
		const [converted] = await run('instantLiquidity.convert', {
			contract_id: 'ic_usd_ngn',
			from_amount: '10',
		});
		transaction = String(converted.json.transactionId);
	});

	const fill = <T>(value: T): T => {
		if (typeof value === 'string') return value.replace('{{transaction}}', transaction) as T;
		if (Array.isArray(value)) return value.map(fill) as T;
		if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
			return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry)])) as T;
		}
		return value;
	};

	test(`sends ${route} and gives items`, async () => {
		const output = await run(operation, fill(parameters));
		expect(lastRequest()).toMatchObject({ body: fill(sent), status: 200 });
		expect(`${lastRequest()?.method} ${lastRequest()?.path}`).toBe(route);
		expect(lastRequest()?.headers.accept).toBe('*/*');
		expect(lastRequest()?.headers['content-type']).toBe(sent === '' ? undefined : 'application/json');
		expect(output.map(({ json }) => json)).toEqual(fill(items));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	});

	if (raw !== undefined) {
		test('is described by an output schema of the built package', () => {
			const path = `dist/nodes/WalletService/__schema__/v1.0.0/${operation.replace('.', '/')}.json`;
			const { type, properties } = JSON.parse(readFileSync(path, 'utf8'));
			expect(type).toBe('object');
			expect(Object.keys(properties).sort()).toEqual(Object.keys(items[0]).sort());
		});

		test("gives the response with its own keys when 'Simplify' is off", async () => {
			const output = await run(operation, { ...fill(parameters), simplify: false });
			expect(output.map(({ json }) => json)).toEqual([fill(raw)]);
		});
	}
});
