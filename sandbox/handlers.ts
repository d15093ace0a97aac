/** What each endpoint does: one entry for each in the table, or the compiler asks for it. */
import { canonical } from '../api/decimal.ts';
import type { EndpointId } from '../api/endpoints.ts';
import { exactNumber } from '../api/json.ts';
import type { ExactNumber } from '../api/json.ts';
import type { Wire } from '../api/shape.ts';
import type { RequestOf, ResponseShapeOf } from './routes.ts';
import { found } from './ledger.ts';
import type { Ledger } from './ledger.ts';

type Response<Id extends EndpointId> = Wire<ResponseShapeOf<Id>, ExactNumber>;

export type Handler<Id extends EndpointId> = (request: RequestOf<Id>, ledger: Ledger) => Response<Id>;

export const HANDLERS = {
	'fiatWallet.getBalance': ({ currency }, ledger) => {
		const { code, amount } = ledger.balance('fiat', currency, 'currency');
		return { currency: code, balance: twoDecimals(amount) };
	},
	'fiatWallet.createPayout': ({ currency, amount, account_alias }, ledger) => {
		const payout = ledger.payOutFiat(currency, amount, account_alias);
		return {
			status: payout.status,
			payout_id: payout.payout_id,
			amount: exactNumber(payout.amount),
			currency: payout.code,
		};
	},
	'funding.getAccount': ({ currency }, ledger) =>
		found(ledger.fundingAccounts, currency, 'funding account for', 'currency'),
	'funding.submitProof': ({ pop }, ledger) => ({
		status: ledger.submitProof(pop).status,
		response: {
			message:
				'Your request is received and is being verified. ' +
				'Your account will be credited by an administrator if verification succeeds.',
		},
	}),
	'virtualAccount.getAll': (_, ledger) => ({
		results: ledger.virtualAccounts
			.all()
			.map(({ alias, account_number, bank }) => ({ alias, account_number, bank })),
	}),
	'virtualAccount.get': (request, ledger) => {
		const account = found(ledger.virtualAccounts, request.alias, 'virtual account', 'alias');
		const { alias, account_number, bank, status } = account;
		return { alias, account_number, bank, status };
	},
	'rate.getAll': (_, ledger) => ({
		results: ledger.rates.all().map(({ base, quote, bid, ask }) => ({
			'Base Currency': base,
			'Quote Currency': quote,
			Bid: exactNumber(bid),
			Ask: exactNumber(ask),
			'Last Updated ': ledger.time(),
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
		const transaction = ledger.convert(contract_id, from_amount);
		return {
			status: 'success',
			transaction_id: transaction.transaction_id,
			from_amount: exactNumber(transaction.from_amount),
			to_amount: exactNumber(transaction.to_amount),
			rate: exactNumber(transaction.rate),
		};
	},
	'instantLiquidity.getTransaction': ({ id }, ledger) => {
		const transaction = found(ledger.transactions, id, 'instant transaction', 'id');
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
		const balance = ledger.balance('fiat', currency, 'currency');
		ledger.adjust(balance, amount);
		const message = `The ${balance.code} balance has been adjusted by ${amount}`;
		return { status: 'success', currency: balance.code, amount: exactNumber(amount), message };
	},
	'sandbox.adjustCryptoBalance': ({ coin, amount }, ledger) => {
		const balance = ledger.balance('crypto', coin, 'coin');
		ledger.adjust(balance, amount);
		const message = `The ${balance.code} balance has been adjusted by ${amount}`;
		return { status: 'success', coin: balance.code, amount: exactNumber(amount), message };
	},

	// From here on the document shows names only.
	'cryptoWallet.create': ({ alias, network }, ledger) => ({ ...ledger.createWallet(alias, network) }),
	'cryptoWallet.getAll': (_, ledger) => ({ results: ledger.cryptoWallets.all() }),
	'cryptoWallet.get': ({ alias }, ledger) => ({
		...found(ledger.cryptoWallets, alias, 'crypto wallet', 'alias'),
	}),
	'cryptoWallet.getBalance': ({ coin }, ledger) => {
		const { code, amount } = ledger.balance('crypto', coin, 'coin');
		return { coin: code, balance: canonical(amount) };
	},
	'cryptoWallet.createPayout': ({ coin, amount, wallet_alias }, ledger) => {
		const payout = ledger.payOutCrypto(coin, amount, wallet_alias);
		return {
			status: payout.status,
			payout_id: payout.payout_id,
			coin: payout.code,
			amount: exactNumber(payout.amount),
			fee: exactNumber(payout.fee),
			wallet_alias: payout.destination,
		};
	},
	'settlementWallet.create': (request, ledger) => ({ ...ledger.submitSettlementWallet(request) }),
	'settlementWallet.getAll': (_, ledger) => ({ results: ledger.settlementWallets.all() }),
	'settlementWallet.get': ({ alias }, ledger) => ({
		...found(ledger.settlementWallets, alias, 'settlement wallet', 'alias'),
	}),
	'settlementAccount.getAll': (_, ledger) => ({ results: ledger.settlementAccounts.all() }),
	'settlementAccount.get': ({ alias }, ledger) => ({
		...found(ledger.settlementAccounts, alias, 'settlement account', 'alias'),
	}),
	'service.getHealth': () => ({ status: 'ok' }),
} satisfies { [Id in EndpointId]: Handler<Id> };

/** What the document shows of a fiat balance: cut, not rounded. The balance itself keeps all digits. */
function twoDecimals(amount: string): string {
	const [whole, fraction = ''] = amount.split('.');
	return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}
