/** Money that comes in: deposits, proofs of payment and funding by an administrator. */
import type { AdminFunding, CryptoDeposit, FiatDeposit, FundingRequest } from './records.ts';
import { Refusal } from './refusal.ts';
import { EVENT_FIELDS } from './events.ts';
import { newId, randomHex } from './ids.ts';
import { moveBalance, requireBalance } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { requireRecord } from './table.ts';

/** A bank transfer to a virtual account. */
export function depositFiat(
	ledger: Ledger,
	{ alias, ...sent }: Omit<FiatDeposit, 'id'> & { alias: string },
): { id: string } {
	const account = requireRecord(ledger.virtual_accounts, alias, 'virtual account', 'alias');
	const id = newId('dep');
	moveBalance(ledger, { code: account.currency, amount: sent.amount, reason: 'deposit', reference: id });
	const fields = EVENT_FIELDS.virtual_account_credited(account, { id, ...sent });
	ledger.emit('virtual_account_credited', fields);
	return { id };
}

/** A transfer of coins to a crypto wallet. */
export function depositCrypto(
	ledger: Ledger,
	{ wallet_alias, coin, amount }: Omit<CryptoDeposit, 'id' | 'tx_hash'> & { wallet_alias: string },
): { id: string; tx_hash: string } {
	const wallet = requireRecord(ledger.crypto_wallets, wallet_alias, 'crypto wallet', 'wallet_alias');
	requireBalance(ledger, 'crypto', coin, 'coin');
	const [id, tx_hash] = [newId('dep'), randomHex(32)];
	moveBalance(ledger, { code: coin, amount, reason: 'deposit', reference: id });
	ledger.emit('crypto_received', EVENT_FIELDS.crypto_received(wallet, { id, coin, amount, tx_hash }));
	return { id, tx_hash };
}

export function submitProof(ledger: Ledger, pop: string): FundingRequest {
	const request = { id: newId('fr'), pop, status: 'pending' as const };
	ledger.funding_requests.put(request.id, request);
	return request;
}

/** An administrator credits or debits a balance. `funding_request` is the proof of payment that this settles, if any. */
export function adminFunding(
	ledger: Ledger,
	{ asset, funding_request, ...sent }: Omit<AdminFunding, 'id'> & { asset: string; funding_request?: string },
): { id: string } {
	const balance = requireBalance(ledger, 'any', asset, 'asset');
	if (funding_request !== undefined) {
		const proof = requireRecord(
			ledger.funding_requests,
			funding_request,
			'funding request',
			'funding_request',
		);
		if (proof.status === 'credited') {
			throw new Refusal('conflict', `${proof.id} is already credited`, 'funding_request');
		}
		ledger.funding_requests.put(proof.id, { ...proof, status: 'credited' });
	}
	const id = newId('adm');
	const amount = sent.direction === 'credit' ? sent.amount : `-${sent.amount}`;
	moveBalance(ledger, { code: asset, amount, reason: 'admin_funding', reference: id });
	ledger.emit('admin_funding', EVENT_FIELDS.admin_funding(balance, { id, ...sent }));
	return { id };
}
