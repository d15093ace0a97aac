/** What each endpoint does. The compiler asks for a handler of every endpoint in the table. */
import { canonical } from '../../api/exact/decimal.ts';
import type { EndpointId } from '../../api/endpoints.ts';
import { exactNumber } from '../../api/exact/json.ts';
import { createCryptoWallet, createSettlementWallet } from '../ledger/accounts.ts';
import { submitProof } from '../ledger/funding.ts';
import { moveBalance, requireBalance, timestamp } from '../ledger/ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { convert, createCryptoPayout, createFiatPayout } from '../ledger/payouts.ts';
import type { Transaction, VirtualAccount } from '../ledger/records.ts';
import { requireRecord } from '../ledger/table.ts';
import type { RequestOf } from './routes.ts';

export type Handler<Id extends EndpointId> = (request: RequestOf<Id>, ledger: Ledger) => object;

export const HANDLERS = {
	'fiatWallet.getBalance': ({ currency }, ledger) => {
		const { code, amount } = requireBalance(ledger, 'fiat', currency, 'currency');
		return { currency: code, balance: twoDecimals(amount) };
	},
	'fiatWallet.createPayout': (request, ledger) => {
		const { status, payout_id, amount, code } = createFiatPayout(ledger, request);
		return { status, payout_id, amount: exactNumber(amount), currency: code };
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
	'virtualAccount.getAll': (_, ledger) => ({ results: ledger.virtual_accounts.all().map(shownInList) }),
	'virtualAccount.get': ({ alias }, ledger) => {
		const account = requireRecord(ledger.virtual_accounts, alias, 'virtual account', 'alias');
		return { ...shownInList(account), status: account.status };
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
			Direction: 'sell',
		})),
	}),
	'instantLiquidity.convert': ({ contract_id, from_amount }, ledger) => {
		const { transaction_id, rate, ...made } = convert(ledger, contract_id, from_amount);
		return { status: 'success', transaction_id, ...exactAmounts(made), rate: exactNumber(rate) };
	},
	'instantLiquidity.getTransaction': ({ id }, ledger) => {
		const { rate, ...shown } = requireRecord(ledger.transactions, id, 'instant transaction', 'id');
		return { ...shown, ...exactAmounts(shown) };
	},
	'sandbox.adjustFiatBalance': ({ currency, amount }, ledger) => {
		const { code } = requireBalance(ledger, 'fiat', currency, 'currency');
		return { currency: code, ...adjusted(ledger, code, amount) };
	},
	'sandbox.adjustCryptoBalance': ({ coin, amount }, ledger) => {
		const { code } = requireBalance(ledger, 'crypto', coin, 'coin');
		return { coin: code, ...adjusted(ledger, code, amount) };
	},

	// The document only names the endpoints below.
	'cryptoWallet.create': (request, ledger) => createCryptoWallet(ledger, request),
	'cryptoWallet.getAll': (_, ledger) => ({ results: ledger.crypto_wallets.all() }),
	'cryptoWallet.get': ({ alias }, ledger) =>
		requireRecord(ledger.crypto_wallets, alias, 'crypto wallet', 'alias'),
	'cryptoWallet.getBalance': ({ coin }, ledger) => {
		const { code, amount } = requireBalance(ledger, 'crypto', coin, 'coin');
		return { coin: code, balance: canonical(amount) };
	},
	'cryptoWallet.createPayout': (request, ledger) => {
		const { status, payout_id, code, amount, fee, destination } = createCryptoPayout(ledger, request);
		const amounts = { amount: exactNumber(amount), fee: exactNumber(fee) };
		return { status, payout_id, coin: code, ...amounts, wallet_alias: destination };
	},
	'settlementWallet.create': (request, ledger) => createSettlementWallet(ledger, request),
	'settlementWallet.getAll': (_, ledger) => ({ results: ledger.settlement_wallets.all() }),
	'settlementWallet.get': ({ alias }, ledger) =>
		requireRecord(ledger.settlement_wallets, alias, 'settlement wallet', 'alias'),
	'settlementAccount.getAll': (_, ledger) => ({ results: ledger.settlement_accounts.all() }),
	'settlementAccount.get': ({ alias }, ledger) =>
		requireRecord(ledger.settlement_accounts, alias, 'settlement account', 'alias'),
	'service.getHealth': () => ({ status: 'ok' }),
} satisfies { [Id in EndpointId]: Handler<Id> };

/** What the document shows of each account in the list. */
function shownInList({ alias, account_number, bank }: VirtualAccount) {
	return { alias, account_number, bank };
}

function exactAmounts({ from_amount, to_amount }: Pick<Transaction, 'from_amount' | 'to_amount'>) {
	return { from_amount: exactNumber(from_amount), to_amount: exactNumber(to_amount) };
}

function adjusted(ledger: Ledger, code: string, amount: string) {
	moveBalance(ledger, { code, amount, reason: 'adjustment', reference: code });
	const message = `The ${code} balance has been adjusted by ${amount}`;
	return { status: 'success', amount: exactNumber(amount), message };
}

/** The document shows fiat balances with two decimals. Truncated, not rounded; the ledger keeps all digits. */
function twoDecimals(amount: string): string {
	const [whole, fraction = ''] = amount.split('.');
	return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}
