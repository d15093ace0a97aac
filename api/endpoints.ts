/**
 * The 23 endpoints of the API document ("Endpoints" and "Resources and their fields"). A table: no logic. The identity of an
 * endpoint is `resource.operation`: it gives the parameter values of the node, the path of its output schema, the key of
 * its sandbox handler and the name of its test.
 */
import { listOf, UNDOCUMENTED } from './shape.ts';
import type { RequestField, RequestShape, ResponseShape } from './shape.ts';

export interface Endpoint {
	/** Method and path, relative to the base URL. */
	readonly route: `${'GET' | 'POST'} /v1/${string}`;
	/** Name in the editor, title case. */
	readonly name: string;
	/** Name of the node on the canvas. */
	readonly action: string;
	/** An AI agent gets this text too. For an operation that moves money, it must say that each call moves money again. */
	readonly description: string;
	readonly request: RequestShape | typeof UNDOCUMENTED;
	/** Fields that an undocumented request is likely to have. A payment needs all of them; their keys can be changed. */
	readonly suggestedFields?: RequestShape;
	readonly response: ResponseShape;
	/** An undocumented response that holds a list of records. */
	readonly lists?: true;
	/** Something at the service is different afterwards, although no money moves. */
	readonly changes?: true;
	/** Only for the three operations that move money: which of their fields have which role. */
	readonly movesMoney?: MoneyFields;
}

/** Names of a money operation's fields by role. A role is absent if the document does not show the request or response. */
export interface MoneyFields {
	/** Request field with the amount. */
	readonly amount?: string;
	/** Request field that says what the amount is counted in: a currency, a coin, or a contract that implies it. */
	readonly currency?: string;
	/** Request field with the destination: an alias or a contract. */
	readonly destination?: string;
	/** Field of the simplified response with the ID of the payout or transaction. */
	readonly id?: string;
}

export interface Resource {
	readonly name: string;
	readonly operations: { readonly [operation: string]: Endpoint };
}

const currency = {
	kind: 'code',
	label: 'Currency',
	description: 'Code of the fiat currency',
	placeholder: 'e.g. NGN',
	lookup: 'currencies',
} as const satisfies RequestField;

const amount = {
	kind: 'amount',
	label: 'Amount',
	description: 'Amount as decimal text. Every digit is sent.',
	placeholder: 'e.g. 1250.50',
} as const satisfies RequestField;

const coin = {
	kind: 'code',
	label: 'Coin',
	description: 'Code of the coin',
	placeholder: 'e.g. USDT',
} as const satisfies RequestField;

const settlementAccount = {
	kind: 'text',
	label: 'Settlement Account',
	description: 'Alias of the settlement account',
	placeholder: 'e.g. supplier-main',
	lookup: 'settlementAccounts',
} as const satisfies RequestField;

const settlementWallet = {
	kind: 'text',
	label: 'Settlement Wallet',
	description: 'Alias of the settlement wallet. A payout needs one whose status is whitelisted.',
	placeholder: 'e.g. treasury',
	lookup: 'settlementWallets',
} as const satisfies RequestField;

const alias = {
	kind: 'text',
	label: 'Alias',
	description: 'Name by which the account knows it',
	placeholder: 'e.g. treasury',
} as const satisfies RequestField;

const virtualAccount = {
	alias: ['alias', 'text'],
	account_number: ['accountNumber', 'text'],
	bank: ['bank', 'text'],
} as const;

export const ENDPOINTS = {
	fiatWallet: {
		name: 'Fiat Wallet',
		operations: {
			getBalance: {
				route: 'POST /v1/fiat_balance',
				name: 'Get Balance',
				action: 'Get fiat wallet balance',
				description: 'Retrieve the balance of a fiat wallet',
				request: { currency },
				response: { currency: ['currency', 'code'], balance: ['balance', 'decimal'] },
			},
			createPayout: {
				route: 'POST /v1/fiat_payout',
				name: 'Create Payout',
				action: 'Create a fiat payout',
				description:
					'Send money from a fiat wallet to an approved settlement account. A new payout is made on each call.',
				request: {
					currency,
					amount,
					account_alias: {
						...settlementAccount,
						description: 'Account that receives the payout. Its status must be whitelisted.',
					},
				},
				response: {
					payout_id: ['payoutId', 'text'],
					status: ['status', 'status'],
					amount: ['amount', 'number'],
					currency: ['currency', 'code'],
				},
				movesMoney: { amount: 'amount', currency: 'currency', destination: 'account_alias', id: 'payoutId' },
			},
		},
	},
	funding: {
		name: 'Funding',
		operations: {
			getAccount: {
				route: 'POST /v1/funding_account',
				name: 'Get Account',
				action: 'Get funding account',
				description: 'Retrieve the bank account that takes deposits into a fiat wallet',
				request: { currency },
				response: {
					currency: ['currency', 'code'],
					account_name: ['accountName', 'text'],
					account_number: ['accountNumber', 'text'],
					bank: ['bank', 'text'],
				},
			},
			submitProof: {
				route: 'POST /v1/funding_request',
				changes: true,
				name: 'Submit Proof of Payment',
				action: 'Submit proof of payment',
				description:
					'Request a manual funding with a link to the proof of payment, which an administrator verifies',
				request: {
					pop: {
						kind: 'url',
						label: 'Proof of Payment URL',
						description: 'Web address of the proof of payment, such as a receipt or a transfer slip',
						placeholder: 'e.g. https://example.com/receipt.pdf',
					},
				},
				response: { status: ['status', 'status'], response: { message: ['message', 'text'] } },
			},
		},
	},
	virtualAccount: {
		name: 'Virtual Account',
		operations: {
			getAll: {
				route: 'POST /v1/fiat_virtuals',
				name: 'Get Many',
				action: 'Get many virtual accounts',
				description: 'Retrieve the list of virtual accounts',
				request: {},
				response: listOf('results', virtualAccount),
			},
			get: {
				route: 'POST /v1/virtual_details',
				name: 'Get',
				action: 'Get virtual account by alias',
				description: 'Retrieve one virtual account by its alias',
				request: {
					alias: {
						kind: 'text',
						label: 'Virtual Account',
						description: 'Virtual account to retrieve',
						placeholder: 'e.g. customer-0042',
						lookup: 'virtualAccounts',
					},
				},
				response: { ...virtualAccount, status: ['status', 'status'] },
			},
		},
	},
	rate: {
		name: 'Rate',
		operations: {
			getAll: {
				route: 'GET /v1/rates',
				name: 'Get Many',
				action: 'Get many rates',
				description: 'Retrieve the published exchange rates',
				request: {},
				response: listOf('results', {
					'Base Currency': ['baseCurrency', 'code'],
					'Quote Currency': ['quoteCurrency', 'code'],
					Bid: ['bid', 'number'],
					Ask: ['ask', 'number'],
					// The key ends with a space.
					'Last Updated ': ['lastUpdated', 'time'],
				}),
			},
		},
	},
	instantLiquidity: {
		name: 'Instant Liquidity',
		operations: {
			getContracts: {
				route: 'GET /v1/instant_contracts',
				name: 'Get Many Contracts',
				action: 'Get many instant contracts',
				description: 'Retrieve the contracts for conversions, with their rates and available amounts',
				request: {},
				response: listOf('results', {
					contract_id: ['contractId', 'text'],
					From: ['from', 'code'],
					to: ['to', 'code'],
					rate: ['rate', 'number'],
					fee: ['fee', 'number'],
					'amount available': ['amountAvailable', 'number'],
					Direction: ['direction', 'status'],
				}),
			},
			convert: {
				route: 'POST /v1/instant_conversion',
				name: 'Convert',
				action: 'Convert funds',
				description:
					'Convert an amount against an instant-conversion contract. A new conversion is made on each call.',
				request: {
					contract_id: {
						kind: 'text',
						label: 'Contract',
						description: 'The contract to convert against',
						placeholder: 'e.g. ic_usdt_ngn',
						lookup: 'contracts',
					},
					from_amount: {
						kind: 'amount',
						label: 'From Amount',
						description:
							'Amount to convert, in the source currency of the contract, as decimal text. Every digit is sent.',
						placeholder: 'e.g. 100.25',
					},
				},
				response: {
					transaction_id: ['transactionId', 'text'],
					status: ['status', 'status'],
					from_amount: ['fromAmount', 'number'],
					to_amount: ['toAmount', 'number'],
					rate: ['rate', 'number'],
				},
				movesMoney: {
					amount: 'from_amount',
					currency: 'contract_id',
					destination: 'contract_id',
					id: 'transactionId',
				},
			},
			getTransaction: {
				route: 'POST /v1/instant_transaction',
				name: 'Get Transaction',
				action: 'Get instant transaction',
				description: 'Retrieve the transaction of a conversion',
				request: {
					id: {
						kind: 'text',
						label: 'Transaction ID',
						description: 'ID that the conversion returned',
						placeholder: 'e.g. itx_7f3a',
					},
				},
				response: {
					transaction_id: ['transactionId', 'text'],
					status: ['status', 'status'],
					from_currency: ['fromCurrency', 'code'],
					to_currency: ['toCurrency', 'code'],
					from_amount: ['fromAmount', 'number'],
					to_amount: ['toAmount', 'number'],
					completed_at: ['completedAt', 'time'],
				},
			},
		},
	},
	cryptoWallet: {
		name: 'Crypto Wallet',
		operations: {
			getAll: {
				route: 'POST /v1/crypto_wallets',
				name: 'Get Many',
				action: 'Get many crypto wallets',
				description: 'Retrieve the list of crypto wallets',
				request: UNDOCUMENTED,
				response: UNDOCUMENTED,
				lists: true,
			},
			create: {
				route: 'POST /v1/create_wallet',
				changes: true,
				name: 'Create',
				action: 'Create crypto wallet',
				description: 'Create a crypto wallet',
				request: UNDOCUMENTED,
				suggestedFields: { alias },
				response: UNDOCUMENTED,
			},
			createPayout: {
				route: 'POST /v1/crypto_payout',
				name: 'Create Payout',
				action: 'Create a crypto payout',
				description:
					'Send coins from a crypto wallet to an approved settlement wallet. A new payout is made on each call.',
				request: UNDOCUMENTED,
				suggestedFields: { coin, amount, wallet_alias: settlementWallet },
				response: UNDOCUMENTED,
				movesMoney: { amount: 'amount', currency: 'coin', destination: 'wallet_alias' },
			},
			get: {
				route: 'POST /v1/wallet_details',
				name: 'Get',
				action: 'Get crypto wallet by alias',
				description: 'Retrieve one crypto wallet',
				request: UNDOCUMENTED,
				suggestedFields: { alias: { ...alias, label: 'Crypto Wallet', lookup: 'cryptoWallets' } },
				response: UNDOCUMENTED,
			},
			getBalance: {
				route: 'POST /v1/coin_balance',
				name: 'Get Balance',
				action: 'Get coin balance',
				description: 'Retrieve the balance of a coin',
				request: UNDOCUMENTED,
				suggestedFields: { coin },
				response: UNDOCUMENTED,
			},
		},
	},
	settlementWallet: {
		name: 'Settlement Wallet',
		operations: {
			getAll: {
				route: 'POST /v1/settlement_wallets',
				name: 'Get Many',
				action: 'Get many settlement wallets',
				description: 'Retrieve the list of crypto payout destinations',
				request: UNDOCUMENTED,
				response: UNDOCUMENTED,
				lists: true,
			},
			create: {
				route: 'POST /v1/add_settlement_wallet',
				changes: true,
				name: 'Create',
				action: 'Create settlement wallet',
				description: 'Submit a crypto payout destination for review',
				request: UNDOCUMENTED,
				suggestedFields: {
					alias,
					address: {
						kind: 'text',
						label: 'Address',
						description: 'Address of the wallet on its network',
						placeholder: 'e.g. TXYZ…',
					},
					network: {
						kind: 'text',
						label: 'Network',
						description: 'Network of the address',
						placeholder: 'e.g. TRC20',
					},
				},
				response: UNDOCUMENTED,
			},
			get: {
				route: 'POST /v1/settlement_wallet_details',
				name: 'Get',
				action: 'Get settlement wallet by alias',
				description: 'Retrieve one crypto payout destination',
				request: UNDOCUMENTED,
				suggestedFields: { alias: settlementWallet },
				response: UNDOCUMENTED,
			},
		},
	},
	settlementAccount: {
		name: 'Settlement Account',
		operations: {
			getAll: {
				route: 'POST /v1/settlement_accounts',
				name: 'Get Many',
				action: 'Get many settlement accounts',
				description: 'Retrieve the list of fiat payout destinations',
				request: UNDOCUMENTED,
				response: UNDOCUMENTED,
				lists: true,
			},
			get: {
				route: 'POST /v1/settlement_account_details',
				name: 'Get',
				action: 'Get settlement account by alias',
				description: 'Retrieve one fiat payout destination',
				request: UNDOCUMENTED,
				suggestedFields: { alias: settlementAccount },
				response: UNDOCUMENTED,
			},
		},
	},
	sandbox: {
		name: 'Sandbox',
		operations: {
			adjustCryptoBalance: {
				route: 'POST /v1/crypto_balance_update',
				changes: true,
				name: 'Adjust Crypto Balance',
				action: 'Adjust crypto test balance',
				description: 'Change the test balance of a coin by an amount, which may be negative',
				request: {
					coin,
					amount: { ...amount, kind: 'signedAmount' },
				},
				response: {
					status: ['status', 'status'],
					coin: ['coin', 'code'],
					amount: ['amount', 'number'],
					message: ['message', 'text'],
				},
			},
			adjustFiatBalance: {
				route: 'POST /v1/fiat_balance_update',
				changes: true,
				name: 'Adjust Fiat Balance',
				action: 'Adjust fiat test balance',
				description: 'Change the test balance of a fiat wallet by an amount, which may be negative',
				request: {
					currency,
					amount: { ...amount, kind: 'signedAmount' },
				},
				response: {
					status: ['status', 'status'],
					currency: ['currency', 'code'],
					amount: ['amount', 'number'],
					message: ['message', 'text'],
				},
			},
		},
	},
	service: {
		name: 'Service',
		operations: {
			getHealth: {
				route: 'GET /v1/health',
				name: 'Get Health',
				action: 'Get service health',
				description: 'Check the health of the service',
				request: UNDOCUMENTED,
				response: UNDOCUMENTED,
			},
		},
	},
} as const satisfies { readonly [resource: string]: Resource };

type Endpoints = typeof ENDPOINTS;

/** `fiatWallet.getBalance`, `fiatWallet.createPayout`, … */
export type EndpointId = {
	[R in keyof Endpoints & string]: `${R}.${keyof Endpoints[R]['operations'] & string}`;
}[keyof Endpoints & string];

/** Type of the table's entry for an identity, with its literal values. */
export type EndpointOf<Id extends EndpointId> = Id extends `${infer R}.${infer O}`
	? R extends keyof Endpoints
		? O extends keyof Endpoints[R]['operations']
			? Endpoints[R]['operations'][O]
			: never
		: never
	: never;
