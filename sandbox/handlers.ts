/** What each endpoint does. The compiler asks for a handler of every endpoint in the table. */
import { canonical } from '../api/decimal.ts';
import type { EndpointId } from '../api/endpoints.ts';
import { exactNumber } from '../api/json.ts';
import type { ExactNumber } from '../api/json.ts';
import type { Wire } from '../api/shape.ts';
import type { RequestOf, ResponseShapeOf } from './routes.ts';
import { createCryptoWallet } from './ledger/accounts.ts';
import { adjustBalance, requireBalance } from './ledger/balances.ts';
import { convert } from './ledger/conversions.ts';
import { submitSettlementWallet } from './ledger/destinations.ts';
import { submitProof } from './ledger/funding.ts';
import { requireRecord, timestamp } from './ledger/ledger.ts';
import type { Ledger } from './ledger/ledger.ts';
import { createCryptoPayout, createFiatPayout } from './ledger/payouts.ts';

type ResponseOf<Id extends EndpointId> = Wire<ResponseShapeOf<Id>, ExactNumber>;

export type Handler<Id extends EndpointId> = (request: RequestOf<Id>, ledger: Ledger) => ResponseOf<Id>;

export const HANDLERS = {
	'fiatWallet.getBalance': ({ currency }, ledger) => {
		const { code, amount } = requireBalance(ledger, 'fiat', currency, 'currency');
		return { currency: code, balance: twoDecimals(amount) };
	},
	'fiatWallet.createPayout': ({ currency, amount, account_alias }, ledger) => {
		const payout = createFiatPayout(ledger, currency, amount, account_alias);
		return {
			status: payout.status,
			payout_id: payout.payout_id,
			amount: exactNumber(payout.amount),
			currency: payout.code,
		};
	},
	'funding.getAccount': ({ currency }, ledger) =>
		requireRecord(ledger.funding_accounts, currency, 'funding account for', 'currency'),
	'funding.submitProof': ({ pop }, ledger) => ({
		status: submitProof(ledger, pop).status,
		response: {
			message:
				'Your request is received and is being verified. ' +
				'Your account will be credited by an administrator if verification succeeds.',
		},
	}),
	'virtualAccount.getAll': (_, ledger) => ({
		results: ledger.virtual_accounts
			.all()
			.map(({ alias, account_number, bank }) => ({ alias, account_number, bank })),
	}),
	'virtualAccount.get': (request, ledger) => {
		const account = requireRecord(ledger.virtual_accounts, request.alias, 'virtual account', 'alias');
		const { alias, account_number, bank, status } = account;
		return { alias, account_number, bank, status };
	},
	'rate.getAll': (_, ledger) => ({
		results: ledger.rates.all().map(({ base, quote, bid, ask }) => ({
			'Base Currency': base,
			'Quote Currency': quote,
			Bid: exactNumber(bid),
			Ask: exactNumber(ask),
			'Last Updated ': timestamp(ledger),
		})),
	}),
	'instantLiquidity.getContracts': (_, ledger) => ({
		results: ledger.contracts.all().map((contract) => ({
			contract_id: contract.contract_id,
			From: contract.from,
			to: contract.to,
			rate: exactNumber(contract.rate),
			fee: exactNumber(contract.fee),
			'amount available': exactNumber(contract.available),
			Direction: contract.direction,
		})),
	}),
	'instantLiquidity.convert': ({ contract_id, from_amount }, ledger) => {
		const transaction = convert(ledger, contract_id, from_amount);
		return {
			status: 'success',
			transaction_id: transaction.transaction_id,
			from_amount: exactNumber(transaction.from_amount),
			to_amount: exactNumber(transaction.to_amount),
			rate: exactNumber(transaction.rate),
		};
	},
	'instantLiquidity.getTransaction': ({ id }, ledger) => {
		const transaction = requireRecord(ledger.transactions, id, 'instant transaction', 'id');
		const { transaction_id, status, from_currency, to_currency, from_amount, to_amount, completed_at } =
			transaction;
		return {
			transaction_id,
			status,
			from_currency,
			to_currency,
			from_amount: exactNumber(from_amount),
			to_amount: exactNumber(to_amount),
			completed_at,
		};
	},
	'sandbox.adjustFiatBalance': ({ currency, amount }, ledger) => {
		const balance = requireBalance(ledger, 'fiat', currency, 'currency');
		adjustBalance(ledger, balance, amount);
		const message = `The ${balance.code} balance has been adjusted by ${amount}`;
		return { status: 'success', currency: balance.code, amount: exactNumber(amount), message };
	},
	'sandbox.adjustCryptoBalance': ({ coin, amount }, ledger) => {
		const balance = requireBalance(ledger, 'crypto', coin, 'coin');
		adjustBalance(ledger, balance, amount);
		const message = `The ${balance.code} balance has been adjusted by ${amount}`;
		return { status: 'success', coin: balance.code, amount: exactNumber(amount), message };
	},

	// The document only names the endpoints below.
	'cryptoWallet.create': ({ alias, network }, ledger) => ({ ...createCryptoWallet(ledger, alias, network) }),
	'cryptoWallet.getAll': (_, ledger) => ({ results: ledger.crypto_wallets.all() }),
	'cryptoWallet.get': ({ alias }, ledger) => ({
		...requireRecord(ledger.crypto_wallets, alias, 'crypto wallet', 'alias'),
	}),
	'cryptoWallet.getBalance': ({ coin }, ledger) => {
		const { code, amount } = requireBalance(ledger, 'crypto', coin, 'coin');
		return { coin: code, balance: canonical(amount) };
	},
	'cryptoWallet.createPayout': ({ coin, amount, wallet_alias }, ledger) => {
		const payout = createCryptoPayout(ledger, coin, amount, wallet_alias);
		return {
			status: payout.status,
			payout_id: payout.payout_id,
			coin: payout.code,
			amount: exactNumber(payout.amount),
			fee: exactNumber(payout.fee),
			wallet_alias: payout.destination,
		};
	},
	'settlementWallet.create': (request, ledger) => ({ ...submitSettlementWallet(ledger, request) }),
	'settlementWallet.getAll': (_, ledger) => ({ results: ledger.settlement_wallets.all() }),
	'settlementWallet.get': ({ alias }, ledger) => ({
		...requireRecord(ledger.settlement_wallets, alias, 'settlement wallet', 'alias'),
	}),
	'settlementAccount.getAll': (_, ledger) => ({ results: ledger.settlement_accounts.all() }),
	'settlementAccount.get': ({ alias }, ledger) => ({
		...requireRecord(ledger.settlement_accounts, alias, 'settlement account', 'alias'),
	}),
	'service.getHealth': () => ({ status: 'ok' }),
} satisfies { [Id in EndpointId]: Handler<Id> };

/** The document shows fiat balances with two decimals. Truncated, not rounded; the ledger keeps all digits. */
function twoDecimals(amount: string): string {
	const [whole, fraction = ''] = amount.split('.');
	return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}
