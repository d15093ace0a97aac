/**
 * The endpoints of the API document ("Endpoints" and "Resources and their fields"). A table: no logic. The identity of an
 * endpoint, `resource.operation`, gives the parameter values of the node, the path of its output schema, the key of its
 * sandbox handler and the name of its test.
 */
import { listOf, UNDOCUMENTED } from './shape.ts';
import type { RequestFieldKind, RequestShape, ResponseShape } from './shape.ts';

export interface Endpoint {
	/** Method and path, relative to the base URL. */
	readonly route: `${'GET' | 'POST'} /v1/${string}`;
	/** Name in the editor, title case. */
	readonly name: string;
	/** Name of the node on the canvas. */
	readonly action: string;
	/** An AI agent gets this text too. For an operation that moves money, it must say that each call moves money again. */
	readonly description: string;
	/** An operation whose fields have roles moves money. It has a field for each role. */
	readonly request: RequestShape | typeof UNDOCUMENTED;
	/** Fields that an undocumented request is likely to have. A payment needs all of them; their keys can be changed. */
	readonly suggestedFields?: RequestShape;
	/** The documented answer to a payment has a field of the kind `id`. */
	readonly response: ResponseShape;
	/** An undocumented response that holds a list of records. */
	readonly lists?: true;
	/** Something at the service is different afterwards, although no money moves. */
	readonly changes?: true;
}

/** `example` is shown in the empty field. */
function field<K extends RequestFieldKind>(
	kind: K,
	label: string,
	description: string,
	example: string,
	lookup?: string,
) {
	return { kind, label, description, placeholder: `e.g. ${example}`, lookup };
}

const currency = field('code', 'Currency', 'Code of the fiat currency', 'NGN', 'fiatCurrencies');
const coin = field('code', 'Coin', 'Code of the coin', 'USDT');
const amount = field('amount', 'Amount', 'Amount as decimal text. Every digit is sent.', '1250.50');
const signedAmount = { ...amount, kind: 'signedAmount' } as const;
const fromAmount = field(
	'amount',
	'From Amount',
	'Amount to convert, in the source currency of the contract, as decimal text. Every digit is sent.',
	'100.25',
);
const contract = field('text', 'Contract', 'The contract to convert against', 'ic_usdt_ngn', 'contracts');
const alias = field('text', 'Alias', 'Name of the wallet in your account', 'treasury');
const virtualAccount = field(
	'text',
	'Virtual Account',
	'Virtual account to retrieve',
	'customer-0042',
	'virtualAccounts',
);
const settlementAccount = field(
	'text',
	'Settlement Account',
	'Alias of the settlement account. A payout needs a whitelisted one.',
	'supplier-main',
	'settlementAccounts',
);
const settlementWallet = field(
	'text',
	'Settlement Wallet',
	'Alias of the settlement wallet. A payout needs a whitelisted one.',
	'treasury',
	'settlementWallets',
);

const virtualAccountShape = { alias: 'text', account_number: 'text', bank: 'text' } as const;

/** The document only names the endpoint. */
const ONLY_NAMED = { request: UNDOCUMENTED, response: UNDOCUMENTED } as const;

/** Names of the resources in the editor. */
export const RESOURCES = {
	fiatWallet: 'Fiat Wallet',
	funding: 'Funding',
	virtualAccount: 'Virtual Account',
	rate: 'Rate',
	instantLiquidity: 'Instant Liquidity',
	cryptoWallet: 'Crypto Wallet',
	settlementWallet: 'Settlement Wallet',
	settlementAccount: 'Settlement Account',
	sandbox: 'Sandbox',
	service: 'Service',
} as const;

export const ENDPOINTS = {
	'fiatWallet.getBalance': {
		route: 'POST /v1/fiat_balance',
		name: 'Get Balance',
		action: 'Get fiat wallet balance',
		description: 'Retrieve the balance of a fiat wallet',
		request: { currency },
		response: { currency: 'code', balance: 'decimal' },
	},
	'fiatWallet.createPayout': {
		route: 'POST /v1/fiat_payout',
		name: 'Create Payout',
		action: 'Create fiat payout',
		description:
			'Send money from a fiat wallet to an approved settlement account. Without a Payment Key, each run pays again.',
		request: {
			currency: { ...currency, roles: ['currency'] },
			amount: { ...amount, roles: ['amount'] },
			account_alias: { ...settlementAccount, roles: ['destination'] },
		},
		response: { payout_id: 'id', status: 'status', amount: 'number', currency: 'code' },
	},
	'funding.getAccount': {
		route: 'POST /v1/funding_account',
		name: 'Get Account',
		action: 'Get funding account',
		description: 'Retrieve the bank account that takes deposits into a fiat wallet',
		request: { currency },
		response: { currency: 'code', account_name: 'text', account_number: 'text', bank: 'text' },
	},
	'funding.submitProof': {
		route: 'POST /v1/funding_request',
		changes: true,
		name: 'Submit Proof of Payment',
		action: 'Submit proof of payment',
		description:
			'Request a manual funding with a link to the proof of payment, which an administrator verifies',
		request: {
			pop: field(
				'url',
				'Proof of Payment URL',
				'Web address of the proof of payment, such as a receipt or a transfer slip',
				'https://example.com/receipt.pdf',
			),
		},
		response: { status: 'status', response: { record: { message: 'text' } } },
	},
	'virtualAccount.getAll': {
		route: 'POST /v1/fiat_virtuals',
		name: 'Get Many',
		action: 'Get many virtual accounts',
		description: 'Retrieve the list of virtual accounts',
		request: {},
		response: listOf('results', virtualAccountShape),
	},
	'virtualAccount.get': {
		route: 'POST /v1/virtual_details',
		name: 'Get',
		action: 'Get virtual account by alias',
		description: 'Retrieve one virtual account by its alias',
		request: { alias: virtualAccount },
		response: { ...virtualAccountShape, status: 'status' },
	},
	'rate.getAll': {
		route: 'GET /v1/rates',
		name: 'Get Many',
		action: 'Get many rates',
		description: 'Retrieve the published exchange rates',
		request: {},
		response: listOf('results', {
			'Base Currency': 'code',
			'Quote Currency': 'code',
			Bid: 'number',
			Ask: 'number',
			// The key ends with a space.
			'Last Updated ': 'time',
		}),
	},
	'instantLiquidity.getContracts': {
		route: 'GET /v1/instant_contracts',
		name: 'Get Many Contracts',
		action: 'Get many instant contracts',
		description: 'Retrieve the contracts for conversions, with their rates and available amounts',
		request: {},
		response: listOf('results', {
			contract_id: 'text',
			From: 'code',
			to: 'code',
			rate: 'number',
			fee: 'number',
			'amount available': 'number',
			Direction: 'status',
		}),
	},
	'instantLiquidity.convert': {
		route: 'POST /v1/instant_conversion',
		name: 'Convert',
		action: 'Convert funds',
		description:
			'Convert an amount at the rate of a contract. Without a Payment Key, each run converts again.',
		request: {
			contract_id: { ...contract, roles: ['currency', 'destination'] },
			from_amount: { ...fromAmount, roles: ['amount'] },
		},
		response: {
			transaction_id: 'id',
			status: 'status',
			from_amount: { kind: 'number', role: 'given' },
			to_amount: { kind: 'number', role: 'received' },
			rate: { kind: 'number', role: 'rate' },
		},
	},
	'instantLiquidity.getTransaction': {
		route: 'POST /v1/instant_transaction',
		name: 'Get Transaction',
		action: 'Get instant transaction',
		description: 'Retrieve the transaction of a conversion',
		request: { id: field('text', 'Transaction ID', 'ID that the conversion returned', 'itx_7f3a') },
		response: {
			transaction_id: 'text',
			status: 'status',
			from_currency: 'code',
			to_currency: 'code',
			from_amount: 'number',
			to_amount: 'number',
			completed_at: 'time',
		},
	},
	'cryptoWallet.getAll': {
		route: 'POST /v1/crypto_wallets',
		name: 'Get Many',
		action: 'Get many crypto wallets',
		description: 'Retrieve the list of crypto wallets',
		...ONLY_NAMED,
		lists: true,
	},
	'cryptoWallet.create': {
		route: 'POST /v1/create_wallet',
		changes: true,
		name: 'Create',
		action: 'Create crypto wallet',
		description: 'Create a crypto wallet',
		...ONLY_NAMED,
		suggestedFields: { alias },
	},
	'cryptoWallet.createPayout': {
		route: 'POST /v1/crypto_payout',
		name: 'Create Payout',
		action: 'Create crypto payout',
		description:
			'Send coins from a crypto wallet to an approved settlement wallet. Without a Payment Key, each run pays again.',
		...ONLY_NAMED,
		suggestedFields: {
			coin: { ...coin, roles: ['currency'] },
			amount: { ...amount, roles: ['amount'] },
			wallet_alias: { ...settlementWallet, roles: ['destination'] },
		},
	},
	'cryptoWallet.get': {
		route: 'POST /v1/wallet_details',
		name: 'Get',
		action: 'Get crypto wallet by alias',
		description: 'Retrieve one crypto wallet',
		...ONLY_NAMED,
		suggestedFields: { alias: { ...alias, label: 'Crypto Wallet', lookup: 'cryptoWallets' } },
	},
	'cryptoWallet.getBalance': {
		route: 'POST /v1/coin_balance',
		name: 'Get Balance',
		action: 'Get coin balance',
		description: 'Retrieve the balance of a coin',
		...ONLY_NAMED,
		suggestedFields: { coin },
	},
	'settlementWallet.getAll': {
		route: 'POST /v1/settlement_wallets',
		name: 'Get Many',
		action: 'Get many settlement wallets',
		description: 'Retrieve the list of crypto payout destinations',
		...ONLY_NAMED,
		lists: true,
	},
	'settlementWallet.create': {
		route: 'POST /v1/add_settlement_wallet',
		changes: true,
		name: 'Create',
		action: 'Create settlement wallet',
		description: 'Submit a crypto payout destination for review',
		...ONLY_NAMED,
		suggestedFields: {
			alias,
			address: field('text', 'Address', 'Address of the wallet on its network', 'TXYZ…'),
			network: field('text', 'Network', 'Network of the address', 'TRC20'),
		},
	},
	'settlementWallet.get': {
		route: 'POST /v1/settlement_wallet_details',
		name: 'Get',
		action: 'Get settlement wallet by alias',
		description: 'Retrieve one crypto payout destination',
		...ONLY_NAMED,
		suggestedFields: { alias: settlementWallet },
	},
	'settlementAccount.getAll': {
		route: 'POST /v1/settlement_accounts',
		name: 'Get Many',
		action: 'Get many settlement accounts',
		description: 'Retrieve the list of fiat payout destinations',
		...ONLY_NAMED,
		lists: true,
	},
	'settlementAccount.get': {
		route: 'POST /v1/settlement_account_details',
		name: 'Get',
		action: 'Get settlement account by alias',
		description: 'Retrieve one fiat payout destination',
		...ONLY_NAMED,
		suggestedFields: { alias: settlementAccount },
	},
	'sandbox.adjustCryptoBalance': {
		route: 'POST /v1/crypto_balance_update',
		changes: true,
		name: 'Adjust Crypto Balance',
		action: 'Adjust crypto test balance',
		description: 'Change the test balance of a coin by an amount, which may be negative',
		request: { coin, amount: signedAmount },
		response: { status: 'status', coin: 'code', amount: 'number', message: 'text' },
	},
	'sandbox.adjustFiatBalance': {
		route: 'POST /v1/fiat_balance_update',
		changes: true,
		name: 'Adjust Fiat Balance',
		action: 'Adjust fiat test balance',
		description: 'Change the test balance of a fiat wallet by an amount, which may be negative',
		request: { currency, amount: signedAmount },
		response: { status: 'status', currency: 'code', amount: 'number', message: 'text' },
	},
	'service.getHealth': {
		route: 'GET /v1/health',
		name: 'Get Health',
		action: 'Get service health',
		description: 'Check the health of the service',
		...ONLY_NAMED,
	},
} as const satisfies { readonly [id: `${keyof typeof RESOURCES}.${string}`]: Endpoint };

/** `fiatWallet.getBalance`, `fiatWallet.createPayout`, … */
export type EndpointId = keyof typeof ENDPOINTS;
