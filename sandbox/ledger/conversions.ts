/** Conversions through instant liquidity contracts. */
import { canonical, compare } from '../../api/decimal.ts';
import { multiply, subtract } from '../arithmetic.ts';
import type { Transaction } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { moveBalance } from './balances.ts';
import { newId, requireRecord, timestamp } from './ledger.ts';
import type { Ledger } from './ledger.ts';

/** `to_amount` is `from_amount` × the result's rate; that rate is the contract's rate less the fee. */
export function convert(ledger: Ledger, contractId: string, fromAmount: string): Transaction {
	const contract = requireRecord(ledger.contracts, contractId, 'contract', 'contract_id');
	if (compare(fromAmount, contract.available) > 0) {
		const available = `${contract.available} ${contract.from}`;
		const message = `from_amount is more than the amount available of ${contractId}, which is ${available}`;
		throw new Refusal(422, 'amount_not_available', message, 'from_amount');
	}
	const rate = canonical(multiply(contract.rate, subtract('1', contract.fee)));
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
