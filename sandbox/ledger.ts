/**
 * The sandbox's ledger: balances that move, accounts, wallets and payouts, and the events that follow. Every operation
 * checks first and changes afterwards, so that a refused one leaves everything as it was. Amounts are plain decimals.
 */
import { add, canonical, compare, multiply, subtract } from '../api/decimal.ts';
import type { EVENTS, EventName } from '../api/events.ts';
import { notFound, Refusal } from './refusal.ts';
import type {
	AssetClass,
	Balance,
	Contract,
	CryptoWallet,
	FundingAccount,
	FundingRequest,
	Movement,
	Payout,
	PayoutStatus,
	Rate,
	ReviewStatus,
	SettlementAccount,
	SettlementWallet,
	Transaction,
	VirtualAccount,
} from './records.ts';
import * as seed from './seed.ts';
import type { Store, Table } from './store.ts';

/** The body of a webhook, with the document's keys; all values are text. */
export type EventBody = {
	[K in EventName]: { event: K } & { [key in keyof (typeof EVENTS)[K]['fields']]: string };
}[EventName];

/** What the ledger needs from outside. */
export interface Dependencies {
	store: Store;
	/** Milliseconds since 1970. */
	now: () => number;
	/** This many random bytes, as lower-case hex. */
	randomHex: (bytes: number) => string;
	emit: (event: EventBody) => void;
	/** Called for a new payout: the time until it is settled by itself begins. */
	settleLater: (payout: Payout) => void;
}

const KINDS = [
	'balances',
	'movements',
	'virtual_accounts',
	'funding_accounts',
	'funding_requests',
	'rates',
	'contracts',
	'transactions',
	'crypto_wallets',
	'settlement_wallets',
	'settlement_accounts',
	'payouts',
] as const;

export class Ledger {
	readonly #around: Dependencies;
	readonly balances: Table<Balance>;
	readonly movements: Table<Movement>;
	readonly virtualAccounts: Table<VirtualAccount>;
	readonly fundingAccounts: Table<FundingAccount>;
	readonly fundingRequests: Table<FundingRequest>;
	readonly rates: Table<Rate>;
	readonly contracts: Table<Contract>;
	readonly transactions: Table<Transaction>;
	readonly cryptoWallets: Table<CryptoWallet>;
	readonly settlementWallets: Table<SettlementWallet>;
	readonly settlementAccounts: Table<SettlementAccount>;
	readonly payouts: Table<Payout>;

	constructor(around: Dependencies) {
		this.#around = around;
		const table = <T>(kind: (typeof KINDS)[number]) => around.store.table<T>(kind);
		this.balances = table('balances');
		this.movements = table('movements');
		this.virtualAccounts = table('virtual_accounts');
		this.fundingAccounts = table('funding_accounts');
		this.fundingRequests = table('funding_requests');
		this.rates = table('rates');
		this.contracts = table('contracts');
		this.transactions = table('transactions');
		this.cryptoWallets = table('crypto_wallets');
		this.settlementWallets = table('settlement_wallets');
		this.settlementAccounts = table('settlement_accounts');
		this.payouts = table('payouts');
		if (this.balances.size === 0) this.reset();
	}

	/** Back to the start. */
	reset(): void {
		this.#around.store.clear(KINDS);
		for (const balance of seed.BALANCES) {
			this.balances.put(balance.code, { ...balance, amount: '0' });
			this.#move(balance.code, balance.amount, 'opening', balance.code);
		}
		for (const account of seed.VIRTUAL_ACCOUNTS) this.virtualAccounts.put(account.alias, account);
		for (const account of seed.FUNDING_ACCOUNTS) this.fundingAccounts.put(account.currency, account);
		for (const rate of seed.RATES) this.rates.put(`${rate.base}/${rate.quote}`, rate);
		for (const contract of seed.CONTRACTS) this.contracts.put(contract.contract_id, contract);
		for (const wallet of seed.CRYPTO_WALLETS) this.cryptoWallets.put(wallet.alias, wallet);
		for (const wallet of seed.SETTLEMENT_WALLETS) this.settlementWallets.put(wallet.alias, wallet);
		for (const account of seed.SETTLEMENT_ACCOUNTS) this.settlementAccounts.put(account.alias, account);
	}

	/**
	 * Everything but the movements, as JSON shows it. Balances as code -> amount; of the lists that grow, the last ones.
	 */
	snapshot(last: number): Record<string, unknown> {
		return {
			balances: Object.fromEntries(this.balances.all().map(({ code, amount }) => [code, canonical(amount)])),
			coins: this.balances
				.all()
				.filter((balance) => balance.class === 'crypto')
				.map(({ code }) => code),
			virtual_accounts: this.virtualAccounts.all(),
			funding_accounts: this.fundingAccounts.all(),
			funding_requests: this.fundingRequests.all().slice(-last),
			rates: this.rates.all(),
			contracts: this.contracts.all(),
			transactions: this.transactions.all().slice(-last),
			crypto_wallets: this.cryptoWallets.all(),
			settlement_wallets: this.settlementWallets.all(),
			settlement_accounts: this.settlementAccounts.all(),
			payouts: this.payouts.all().slice(-last),
		};
	}

	/** ISO 8601 in UTC. */
	time(): string {
		return new Date(this.#around.now()).toISOString();
	}

	/** The balance of a code; `field` is the request field that named it. */
	balance(assetClass: AssetClass | 'any', code: string, field: string): Balance {
		const balance = this.balances.get(code);
		if (balance !== undefined && (assetClass === 'any' || balance.class === assetClass)) return balance;
		const known = this.balances
			.all()
			.filter((each) => assetClass === 'any' || each.class === assetClass)
			.map((each) => each.code);
		throw new Refusal(400, 'invalid_request', `${field} is none of ${known.join(', ')}`, field);
	}

	adjust(balance: Balance, amount: string): void {
		this.#move(balance.code, amount, 'adjustment', balance.code);
	}

	submitProof(pop: string): FundingRequest {
		const request: FundingRequest = { id: this.#newId('fr'), pop, status: 'pending' };
		this.fundingRequests.put(request.id, request);
		return request;
	}

	issueVirtualAccount(account: Omit<VirtualAccount, 'account_number' | 'status'>): VirtualAccount {
		if (this.virtualAccounts.has(account.alias)) throw taken(account.alias);
		const account_number = (BigInt(`0x${this.#around.randomHex(8)}`) % 10n ** 10n)
			.toString()
			.padStart(10, '0');
		const issued: VirtualAccount = { ...account, account_number, status: 'active' };
		this.virtualAccounts.put(issued.alias, issued);
		this.#around.emit({
			event: 'virtual_account_created',
			Alias: issued.alias,
			Bank: issued.bank,
			'Account Number': issued.account_number,
			'Account Name': issued.account_name,
			'Merchant Associated': issued.merchant,
			Business: seed.BUSINESS,
			Currency: issued.currency,
		});
		return issued;
	}

	/** A bank transfer lands in a virtual account. */
	depositFiat(
		alias: string,
		amount: string,
		sender: { bank: string; account_name: string; account_number: string },
	): { id: string } {
		const account = found(this.virtualAccounts, alias, 'virtual account', 'alias');
		const id = this.#newId('dep');
		this.#move(account.currency, amount, 'deposit', id);
		this.#around.emit({
			event: 'virtual_account_credited',
			id,
			currency: account.currency,
			status: 'successful',
			Amount: amount,
			'Account received alias': alias,
			Business: seed.BUSINESS,
			'Merchant Associated': account.merchant,
			'Sender Bank': sender.bank,
			'Sender account name': sender.account_name,
			'Sender account number': sender.account_number,
		});
		return { id };
	}

	/** Coins arrive on a crypto wallet. */
	depositCrypto(walletAlias: string, coin: string, amount: string): { id: string; tx_hash: string } {
		const wallet = found(this.cryptoWallets, walletAlias, 'crypto wallet', 'wallet_alias');
		const { code } = this.balance('crypto', coin, 'coin');
		const id = this.#newId('dep');
		const tx_hash = this.#around.randomHex(32);
		this.#move(code, amount, 'deposit', id);
		this.#around.emit({
			event: 'crypto_received',
			id,
			wallet_alias: walletAlias,
			wallet_address: wallet.address,
			tx_hash,
			status: 'successful',
			Business: seed.BUSINESS,
			coin: code,
			Amount: amount,
			fee: '0',
		});
		return { id, tx_hash };
	}

	/** An administrator credits or debits a balance, possibly on account of a proof of payment. */
	adminFunding(
		code: string,
		amount: string,
		direction: 'credit' | 'debit',
		requestId?: string,
	): { id: string } {
		const balance = this.balance('any', code, 'asset');
		const request =
			requestId === undefined
				? undefined
				: found(this.fundingRequests, requestId, 'funding request', 'funding_request');
		if (request?.status === 'credited') {
			throw new Refusal(409, 'conflict', `${request.id} has been credited already`, 'funding_request');
		}
		const id = this.#newId('adm');
		this.#move(code, direction === 'credit' ? amount : `-${amount}`, 'admin_funding', id);
		if (request !== undefined) this.fundingRequests.put(request.id, { ...request, status: 'credited' });
		this.#around.emit({
			event: 'admin_funding',
			id,
			Asset: code,
			status: 'successful',
			Amount: amount,
			Business: seed.BUSINESS,
			fee: '0',
			'credit/debit': direction === 'credit' ? 'Credit' : 'Debit',
			'fiat/crypto': balance.class === 'fiat' ? 'Fiat' : 'Crypto',
		});
		return { id };
	}

	createWallet(alias: string | undefined, network: string): CryptoWallet {
		const wallet: CryptoWallet = {
			alias: alias ?? this.#newId('wallet'),
			address: `T${this.#around.randomHex(16)}`,
			network,
		};
		if (this.cryptoWallets.has(wallet.alias)) throw taken(wallet.alias);
		this.cryptoWallets.put(wallet.alias, wallet);
		return wallet;
	}

	/** For review: it stays `Pending` until `review`. */
	submitSettlementWallet(wallet: Omit<SettlementWallet, 'status'>): SettlementWallet {
		this.#refuseTakenDestination(wallet.alias);
		const submitted: SettlementWallet = { ...wallet, status: 'Pending' };
		this.settlementWallets.put(wallet.alias, submitted);
		return submitted;
	}

	/** The same for an account, which the document lets nobody submit through the API. */
	submitSettlementAccount(account: Omit<SettlementAccount, 'status'>): SettlementAccount {
		this.#refuseTakenDestination(account.alias);
		const submitted: SettlementAccount = { ...account, status: 'Pending' };
		this.settlementAccounts.put(account.alias, submitted);
		return submitted;
	}

	/** The decision on a settlement wallet or a settlement account. */
	review(alias: string, status: ReviewStatus): SettlementWallet | SettlementAccount {
		const wallet = this.settlementWallets.get(alias);
		if (wallet !== undefined) {
			const reviewed = { ...wallet, status };
			this.settlementWallets.put(alias, reviewed);
			this.#around.emit({
				event: 'settlement_wallet_update',
				Alias: alias,
				Address: wallet.address,
				Network: wallet.network,
				'Asset Supported': wallet.asset_supported,
				status,
				Business: seed.BUSINESS,
			});
			return reviewed;
		}
		const account = found(this.settlementAccounts, alias, 'settlement wallet or account', 'alias');
		const reviewed = { ...account, status };
		this.settlementAccounts.put(alias, reviewed);
		this.#around.emit({
			event: 'settlement_account_update',
			Alias: alias,
			'Bank Name': account.bank_name,
			'Account Number': account.account_number,
			'Account Name': account.account_name,
			status,
			Business: seed.BUSINESS,
			'other details': account.other_details,
			Currency: account.currency,
		});
		return reviewed;
	}

	payOutFiat(currency: string, amount: string, accountAlias: string): Payout {
		const { code } = this.balance('fiat', currency, 'currency');
		const account = found(this.settlementAccounts, accountAlias, 'settlement account', 'account_alias');
		return this.#payOut('fiat', code, amount, '0', account, 'account_alias');
	}

	payOutCrypto(coin: string, amount: string, walletAlias: string): Payout {
		const { code } = this.balance('crypto', coin, 'coin');
		const wallet = found(this.settlementWallets, walletAlias, 'settlement wallet', 'wallet_alias');
		return this.#payOut('crypto', code, amount, seed.NETWORK_FEES[code] ?? '0', wallet, 'wallet_alias');
	}

	/** `successful` and `failed` are final; a failed payout goes back to the balance with its fee. */
	setPayoutStatus(id: string, status: PayoutStatus): Payout {
		const payout = found(this.payouts, id, 'payout', 'id');
		if (payout.status === status) return payout;
		if (payout.status === 'successful' || payout.status === 'failed') {
			throw new Refusal(409, 'conflict', `Payout ${id} is ${payout.status} already`, 'status');
		}
		if (status === 'failed') this.#move(payout.code, add(payout.amount, payout.fee), 'payout_refund', id);
		const sent = status === 'successful' && payout.class === 'crypto';
		const changed: Payout = { ...payout, status, tx_hash: sent ? this.#around.randomHex(32) : '' };
		this.payouts.put(id, changed);
		// The document has an event for crypto payouts only.
		if (changed.class === 'crypto') {
			const coin = changed.code.toLowerCase();
			this.#around.emit({
				event: 'crypto_payout_update',
				id,
				coin,
				status,
				'Amount sent': changed.amount,
				'Wallet received alias': changed.destination,
				Business: seed.BUSINESS,
				fee: `${changed.fee} ${coin}`,
				tx_hash: changed.tx_hash,
			});
		}
		return changed;
	}

	/** `to_amount` is `from_amount` × the rate of the result, which is the contract's rate less the fee. */
	convert(contractId: string, fromAmount: string): Transaction {
		const contract = found(this.contracts, contractId, 'contract', 'contract_id');
		if (compare(fromAmount, contract.available) > 0) {
			throw new Refusal(
				422,
				'amount_not_available',
				`from_amount is more than the amount available of ${contractId}, which is ${contract.available} ${contract.from}`,
				'from_amount',
			);
		}
		const rate = canonical(multiply(contract.rate, subtract('1', contract.fee)));
		const transaction: Transaction = {
			transaction_id: this.#newId('itx'),
			status: 'completed',
			from_currency: contract.from,
			to_currency: contract.to,
			from_amount: fromAmount,
			to_amount: canonical(multiply(fromAmount, rate)),
			rate,
			completed_at: this.time(),
		};
		this.#move(contract.from, `-${fromAmount}`, 'conversion', transaction.transaction_id, 'from_amount');
		this.#move(contract.to, transaction.to_amount, 'conversion', transaction.transaction_id);
		const available = canonical(subtract(contract.available, fromAmount));
		this.contracts.put(contractId, { ...contract, available });
		this.transactions.put(transaction.transaction_id, transaction);
		return transaction;
	}

	#payOut(
		assetClass: AssetClass,
		code: string,
		amount: string,
		fee: string,
		destination: { alias: string; status: ReviewStatus },
		field: string,
	): Payout {
		if (destination.status !== 'Whitelisted') {
			throw new Refusal(
				422,
				'destination_not_whitelisted',
				`${destination.alias} is ${destination.status}; a payout needs a destination that is Whitelisted`,
				field,
			);
		}
		const payout: Payout = {
			payout_id: this.#newId('po'),
			class: assetClass,
			code,
			amount,
			fee,
			destination: destination.alias,
			status: 'pending',
			tx_hash: '',
			created_at: this.time(),
		};
		this.#move(code, `-${add(amount, fee)}`, 'payout', payout.payout_id);
		this.payouts.put(payout.payout_id, payout);
		this.#around.settleLater(payout);
		return payout;
	}

	/** The one place where a balance changes. */
	#move(code: string, amount: string, reason: Movement['reason'], reference: string, field = 'amount'): void {
		const balance = this.balance('any', code, 'asset');
		const left = add(balance.amount, amount);
		if (compare(left, '0') < 0) {
			throw new Refusal(
				422,
				'insufficient_balance',
				`The ${code} balance is ${canonical(balance.amount)}, which does not cover ${canonical(amount.slice(1))}`,
				field,
			);
		}
		this.balances.put(code, { ...balance, amount: left });
		this.movements.put(String(this.movements.size), { at: this.time(), code, amount, reason, reference });
	}

	/** One review decides by alias alone, so wallets and accounts share their aliases. */
	#refuseTakenDestination(alias: string): void {
		if (this.settlementWallets.has(alias) || this.settlementAccounts.has(alias)) throw taken(alias);
	}

	#newId(prefix: string): string {
		return `${prefix}_${this.#around.randomHex(8)}`;
	}
}

/** The record of an id; refuses with the request field that named it. */
export function found<T>(table: Table<T>, id: string, what: string, field: string): T {
	const record = table.get(id);
	if (record === undefined) throw notFound(`There is no ${what} ${id}`, field);
	return record;
}

function taken(alias: string): Refusal {
	return new Refusal(409, 'conflict', `The alias ${alias} is taken`, 'alias');
}
