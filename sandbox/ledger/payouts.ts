/** What pays: payouts to settlement accounts and wallets, and conversions through instant liquidity contracts. */
import { add, canonical, compare } from '../../api/exact/decimal.ts';
import { multiply, subtract } from './arithmetic.ts';
import type { Payout, PayoutStatus, SettlementAccount, SettlementWallet, Transaction } from './records.ts';
import { Refusal } from './refusal.ts';
import { EVENT_FIELDS } from './events.ts';
import { newId, randomHex } from './ids.ts';
import { moveBalance, requireBalance, timestamp } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { FEES } from './seed.ts';
import { requireRecord } from './table.ts';

export function createFiatPayout(
	ledger: Ledger,
	{ currency, amount, account_alias }: { currency: string; amount: string; account_alias: string },
): Payout {
	const field = 'account_alias';
	const { code } = requireBalance(ledger, 'fiat', currency, 'currency');
	const account = requireRecord(ledger.settlement_accounts, account_alias, 'settlement account', field);
	if (account.currency !== code) {
		const message = `${account_alias} is an account in ${account.currency}; it takes no ${code}`;
		throw new Refusal('currency_mismatch', message, field);
	}
	return createPayout(ledger, { class: 'fiat', code, amount, fee: '0' }, account, field);
}

export function createCryptoPayout(
	ledger: Ledger,
	{ coin, amount, wallet_alias }: { coin: string; amount: string; wallet_alias: string },
): Payout {
	const field = 'wallet_alias';
	const { code } = requireBalance(ledger, 'crypto', coin, 'coin');
	const wallet = requireRecord(ledger.settlement_wallets, wallet_alias, 'settlement wallet', field);
	const fee = FEES[code] ?? '0';
	return createPayout(ledger, { class: 'crypto', code, amount, fee }, wallet, field);
}

/** Debits amount and fee at once. Throws a Refusal that names `field` if the destination is not whitelisted. */
function createPayout(
	ledger: Ledger,
	order: Pick<Payout, 'class' | 'code' | 'amount' | 'fee'>,
	{ alias, status }: SettlementAccount | SettlementWallet,
	field: string,
): Payout {
	if (status !== 'Whitelisted') {
		const message = `${alias} is ${status}; a payout needs a destination that is Whitelisted`;
		throw new Refusal('destination_not_whitelisted', message, field);
	}
	const payout: Payout = {
		payout_id: newId('po'),
		...order,
		destination: alias,
		status: 'pending',
		tx_hash: '',
		created_at: timestamp(ledger),
	};
	const amount = `-${add(order.amount, order.fee)}`;
	moveBalance(ledger, { code: order.code, amount, reason: 'payout', reference: payout.payout_id });
	ledger.payouts.put(payout.payout_id, payout);
	ledger.settle(payout.payout_id);
	return payout;
}

/** `successful` and `failed` are final. A failed payout refunds its amount and fee. */
export function setPayoutStatus(ledger: Ledger, id: string, status: PayoutStatus): Payout {
	const payout = requireRecord(ledger.payouts, id, 'payout', 'id');
	if (payout.status === status) return payout;
	if (payout.status === 'successful' || payout.status === 'failed') {
		throw new Refusal('conflict', `Payout ${id} is already ${payout.status}`, 'status');
	}
	if (status === 'failed') {
		const refund = add(payout.amount, payout.fee);
		moveBalance(ledger, { code: payout.code, amount: refund, reason: 'payout_refund', reference: id });
	}
	const sent = status === 'successful' && payout.class === 'crypto';
	const changed: Payout = { ...payout, status, tx_hash: sent ? randomHex(32) : '' };
	ledger.payouts.put(id, changed);
	// The document has an event for crypto payouts only.
	if (changed.class === 'fiat') return changed;
	ledger.emit('crypto_payout_update', EVENT_FIELDS.crypto_payout_update(changed));
	return changed;
}

/** `to_amount` is `from_amount` × the result's rate; that rate is the contract's rate less the fee, unless a fault says another one. */
export function convert(ledger: Ledger, contractId: string, fromAmount: string): Transaction {
	const contract = requireRecord(ledger.contracts, contractId, 'contract', 'contract_id');
	if (compare(fromAmount, contract.available) > 0) {
		const available = `${contract.available} ${contract.from}`;
		const message = `from_amount is more than the amount available of ${contractId}, which is ${available}`;
		throw new Refusal('amount_not_available', message, 'from_amount');
	}
	const rate = canonical(ledger.appliedRate ?? multiply(contract.rate, subtract('1', contract.fee)));
	const transaction: Transaction = {
		transaction_id: newId('itx'),
		status: 'completed',
		from_currency: contract.from,
		to_currency: contract.to,
		from_amount: fromAmount,
		to_amount: canonical(multiply(fromAmount, rate)),
		rate,
		completed_at: timestamp(ledger),
	};
	const movement = { reason: 'conversion', reference: transaction.transaction_id } as const;
	moveBalance(ledger, { code: contract.from, amount: `-${fromAmount}`, ...movement }, 'from_amount');
	moveBalance(ledger, { code: contract.to, amount: transaction.to_amount, ...movement });
	const available = canonical(subtract(contract.available, fromAmount));
	ledger.contracts.put(contractId, { ...contract, available });
	ledger.transactions.put(transaction.transaction_id, transaction);
	return transaction;
}
