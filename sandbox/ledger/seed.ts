/** The initial records of the ledger, invented to try everything with. A table: no logic. */
export type AssetClass = 'fiat' | 'crypto';

/** `Whitelisted` and `Rejected` come from the document; `Pending` (under review) is invented. */
export type ReviewStatus = 'Pending' | 'Whitelisted' | 'Rejected';

/** Who sends a bank deposit. */
export const SENDER = {
	sender_bank: 'First Example Bank',
	sender_account_name: 'Ada Obi',
	sender_account_number: '0011223344',
};

/** `code`: of a currency or coin, upper case. */
export const BALANCES = [
	{ code: 'NGN', class: 'fiat' as AssetClass, amount: '5000000.00' },
	{ code: 'USD', class: 'fiat' as AssetClass, amount: '25000.00' },
	{ code: 'EUR', class: 'fiat' as AssetClass, amount: '10000.00' },
	{ code: 'GBP', class: 'fiat' as AssetClass, amount: '8000.00' },
	{ code: 'KES', class: 'fiat' as AssetClass, amount: '1500000.00' },
	{ code: 'GHS', class: 'fiat' as AssetClass, amount: '0.00' },
	{ code: 'USDT', class: 'crypto' as AssetClass, amount: '20000' },
	{ code: 'USDC', class: 'crypto' as AssetClass, amount: '10000' },
	{ code: 'BTC', class: 'crypto' as AssetClass, amount: '0.75' },
	{ code: 'ETH', class: 'crypto' as AssetClass, amount: '12.5' },
];

/** Fee of a crypto payout, in its own coin. */
export const FEES: Record<string, string> = { USDT: '0.5', USDC: '0.5', BTC: '0.00002', ETH: '0.001' };

export const FUNDING_ACCOUNTS = [
	{ currency: 'NGN', account_name: 'Acme Trading', account_number: '2009876543', bank: 'Sandbox Bank' },
	{ currency: 'USD', account_name: 'Acme Trading', account_number: '4001122334', bank: 'Sandbox Bank' },
	{ currency: 'EUR', account_name: 'Acme Trading', account_number: '5001122334', bank: 'Sandbox Bank' },
];

const CHECKOUT = { bank: 'Sandbox Bank', currency: 'NGN', merchant: 'Acme Checkout', status: 'active' };
const EXPORT = { bank: 'Second Sandbox Bank', currency: 'USD', merchant: 'Acme Export', status: 'active' };

export const VIRTUAL_ACCOUNTS = [
	{
		alias: 'customer-0042',
		account_number: '9900000042',
		account_name: 'Acme Trading / Ada Obi',
		...CHECKOUT,
	},
	{
		alias: 'customer-0007',
		account_number: '9900000007',
		account_name: 'Acme Trading / Tunde Bello',
		...CHECKOUT,
	},
	{ alias: 'invoices-usd', account_number: '8800000001', account_name: 'Acme Trading Invoices', ...EXPORT },
];

export const RATES = [
	{ base: 'USD', quote: 'NGN', bid: '1540.25', ask: '1552.75' },
	{ base: 'USDT', quote: 'NGN', bid: '1545.5', ask: '1558' },
	{ base: 'EUR', quote: 'USD', bid: '1.0842', ask: '1.0861' },
	{ base: 'BTC', quote: 'USDT', bid: '64250.12345678', ask: '64310.5' },
	{ base: 'GBP', quote: 'USD', bid: '1.2675', ask: '1.2698' },
	{ base: 'USD', quote: 'KES', bid: '129.15', ask: '129.85' },
	{ base: 'USD', quote: 'GHS', bid: '11.2', ask: '11.35' },
];

const BTC_USDT = { from: 'BTC', to: 'USDT' };

/** `rate`: units of `to` per unit of `from`, before the fee. `fee`: a ratio, 0.005 is 0.5%. `available`: in units of `from`. */
export const CONTRACTS = [
	{ contract_id: 'ic_usdt_ngn', from: 'USDT', to: 'NGN', rate: '1550.4', fee: '0.005', available: '15000' },
	{ contract_id: 'ic_btc_usdt', ...BTC_USDT, rate: '64250.12345678', fee: '0.0025', available: '0.5' },
	{ contract_id: 'ic_usd_ngn', from: 'USD', to: 'NGN', rate: '1540.25', fee: '0', available: '10000' },
];

export const CRYPTO_WALLETS = [
	{ alias: 'deposits-usdt', address: 'TSandboxDepositsUsdt0000000000001', network: 'TRC20' },
	{ alias: 'deposits-btc', address: 'bc1qsandboxdepositsbtc00000000001', network: 'Bitcoin' },
];

/** The coins that a wallet of a network can receive. A wallet of another network takes any. */
export const NETWORK_COINS: Record<string, string[]> = {
	TRC20: ['USDT', 'USDC'],
	ERC20: ['USDT', 'USDC', 'ETH'],
	Bitcoin: ['BTC'],
};

const APPROVED = { network: 'TRC20', asset_supported: 'USDT,USDC', status: 'Whitelisted' as ReviewStatus };
const NEW = { network: 'Bitcoin', asset_supported: 'BTC', status: 'Pending' as ReviewStatus };

/** `asset_supported`: comma-separated codes. */
export const SETTLEMENT_WALLETS = [
	{ alias: 'treasury', address: 'TSandboxTreasury00000000000000001', ...APPROVED },
	{ alias: 'cold-storage', address: 'bc1qsandboxcoldstorage00000000001', ...NEW },
];

export const SETTLEMENT_ACCOUNTS = [
	{
		alias: 'supplier-main',
		bank_name: 'First Example Bank',
		account_number: '0123456789',
		account_name: 'Main Supplier Ltd',
		currency: 'NGN',
		other_details: 'Branch: Lagos\nSort code: 010101',
		status: 'Whitelisted' as ReviewStatus,
	},
	{
		alias: 'supplier-usd',
		bank_name: 'Second Example Bank',
		account_number: '000111222333',
		account_name: 'Overseas Supplier Inc',
		currency: 'USD',
		other_details: 'SWIFT: EXAMPLEX\nRouting: 021000000',
		status: 'Whitelisted' as ReviewStatus,
	},
	{
		alias: 'supplier-new',
		bank_name: 'First Example Bank',
		account_number: '0987654321',
		account_name: 'New Supplier Ltd',
		currency: 'NGN',
		other_details: 'Branch: Abuja\nSort code: 020202',
		status: 'Pending' as ReviewStatus,
	},
];
