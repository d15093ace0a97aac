/** The 23 operations in a real n8n, against the sandbox; where n8n executes them is the caller's business. */
import { itemsOf } from '../../host/n8nClient.ts';
import type { Execution, Json, N8nClient, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import type { startProxy } from '../../host/proxy.ts';

const text = expect.any(String);

export function walletService(name: string, parameters: Json, credentialId: string, y = 0): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-wallet-service.walletService',
		typeVersion: 1,
		position: [300, y],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name: 'by id' } },
	};
}

/** Runs the nodes one after another, top to bottom, each on one empty item. */
export async function runNodes(client: N8nClient, name: string, nodes: WorkflowNode[]): Promise<Execution> {
	const start: WorkflowNode = {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const targets = nodes.map((node) => ({ node: node.name, type: 'main', index: 0 }));
	const { id } = await client.saveWorkflow({
		name,
		nodes: [start, ...nodes],
		connections: { Start: { main: [targets] } },
	});
	return await client.runByHand(id, 'Start');
}

/** [resource.operation, route, parameters, the first item that comes out] */
const CASES: Array<[string, string, Json, Json]> = [
	['service.getHealth', 'GET /v1/health', {}, { status: 'ok' }],
	[
		'fiatWallet.getBalance',
		'POST /v1/fiat_balance',
		{ currency: 'USD' },
		{ currency: 'USD', balance: '25000.00' },
	],
	[
		'fiatWallet.createPayout',
		'POST /v1/fiat_payout',
		{ currency: 'NGN', amount: '1250.50', account_alias: 'supplier-main' },
		{ payoutId: text, status: 'pending', amount: '1250.50', currency: 'NGN' },
	],
	[
		'funding.getAccount',
		'POST /v1/funding_account',
		{ currency: 'EUR' },
		{ currency: 'EUR', accountName: 'Acme Trading', accountNumber: '5001122334', bank: 'Sandbox Bank' },
	],
	[
		'funding.submitProof',
		'POST /v1/funding_request',
		{ pop: 'https://example.com/receipt.pdf' },
		{ status: text, message: text },
	],
	[
		'virtualAccount.getAll',
		'POST /v1/fiat_virtuals',
		{},
		{ alias: 'customer-0042', accountNumber: '9900000042', bank: 'Sandbox Bank' },
	],
	[
		'virtualAccount.get',
		'POST /v1/virtual_details',
		{ alias: 'customer-0007' },
		{ alias: 'customer-0007', accountNumber: '9900000007', bank: 'Sandbox Bank', status: 'active' },
	],
	[
		'rate.getAll',
		'GET /v1/rates',
		{},
		{ baseCurrency: 'USD', quoteCurrency: 'NGN', bid: '1540.25', ask: '1552.75', lastUpdated: text },
	],
	[
		'instantLiquidity.getContracts',
		'GET /v1/instant_contracts',
		{},
		{
			contractId: 'ic_usdt_ngn',
			from: 'USDT',
			to: 'NGN',
			rate: '1550.4',
			fee: '0.005',
			amountAvailable: '15000',
			direction: 'sell',
		},
	],
	[
		'instantLiquidity.convert',
		'POST /v1/instant_conversion',
		{ contract_id: 'ic_usdt_ngn', from_amount: '100.25' },
		// The rate is the contract's less its fee: 1550.4 × 0.995; the amount 100.25 × 1542.648.
		{
			transactionId: text,
			status: 'success',
			fromAmount: '100.25',
			toAmount: '154650.462',
			rate: '1542.648',
		},
	],
	[
		'instantLiquidity.getTransaction',
		'POST /v1/instant_transaction',
		{ id: "={{ $('instantLiquidity.convert').first().json.transactionId }}" },
		{
			transactionId: text,
			status: 'completed',
			fromCurrency: 'USDT',
			toCurrency: 'NGN',
			fromAmount: '100.25',
			toAmount: '154650.462',
			completedAt: text,
		},
	],
	[
		'cryptoWallet.create',
		'POST /v1/create_wallet',
		{ requestBody: '{"alias":"new-wallet"}' },
		{ alias: 'new-wallet' },
	],
	['cryptoWallet.getAll', 'POST /v1/crypto_wallets', { requestBody: '{}' }, {}],
	[
		'cryptoWallet.get',
		'POST /v1/wallet_details',
		{ requestBody: '{"alias":"deposits-btc"}' },
		{ alias: 'deposits-btc', network: 'Bitcoin' },
	],
	[
		'cryptoWallet.getBalance',
		'POST /v1/coin_balance',
		{ requestBody: '{"coin":"BTC"}' },
		{ coin: 'BTC', balance: '0.75' },
	],
	[
		'cryptoWallet.createPayout',
		'POST /v1/crypto_payout',
		{ requestBody: '{"coin":"USDT","amount":3,"wallet_alias":"treasury"}' },
		{ payout_id: text, status: 'pending', coin: 'USDT' },
	],
	[
		'settlementWallet.create',
		'POST /v1/add_settlement_wallet',
		{ requestBody: '{"alias":"partner","address":"TPartner1"}' },
		{ alias: 'partner', status: 'Pending' },
	],
	['settlementWallet.getAll', 'POST /v1/settlement_wallets', { requestBody: '{}' }, {}],
	[
		'settlementWallet.get',
		'POST /v1/settlement_wallet_details',
		{ requestBody: '{"alias":"treasury"}' },
		{ alias: 'treasury', status: 'Whitelisted' },
	],
	['settlementAccount.getAll', 'POST /v1/settlement_accounts', { requestBody: '{}' }, {}],
	[
		'settlementAccount.get',
		'POST /v1/settlement_account_details',
		{ requestBody: '{"alias":"supplier-usd"}' },
		{ alias: 'supplier-usd', currency: 'USD' },
	],
	[
		'sandbox.adjustFiatBalance',
		'POST /v1/fiat_balance_update',
		{ currency: 'GBP', amount: '-0.50' },
		{ status: 'success', currency: 'GBP', amount: '-0.50', message: text },
	],
	[
		'sandbox.adjustCryptoBalance',
		'POST /v1/crypto_balance_update',
		{ coin: 'ETH', amount: '25.5' },
		{ status: 'success', coin: 'ETH', amount: '25.5', message: text },
	],
];

export function testOperations(
	given: () => {
		stack: Stack;
		/** Between n8n and the sandbox. */
		proxy: Awaited<ReturnType<typeof startProxy>>;
		/** Points to the proxy. */
		credentialId: string;
	},
): void {
	describe('the 23 operations', () => {
		let execution: Execution;
		let routes: string[];

		beforeAll(async () => {
			const { stack, proxy, credentialId } = given();
			const before = proxy.seen.length;
			execution = await runNodes(
				stack.client,
				'All operations',
				CASES.map(([id, , parameters], index) => {
					const [resource, operation] = id.split('.');
					return walletService(id, { resource, operation, ...parameters }, credentialId, index * 200);
				}),
			);
			routes = proxy.seen.slice(before).map(({ method, path }) => `${method} ${path}`);
		});

		test('are 23, sent once each', () => {
			expect(CASES).toHaveLength(23);
			expect(routes).toEqual(CASES.map(([, route]) => route));
			expect(execution.status).toBe('success');
		});

		test.each(CASES)('%s: %s', (id, _route, _parameters, item) => {
			expect(itemsOf(execution, id)[0]).toMatchObject(item);
		});
	});
}
