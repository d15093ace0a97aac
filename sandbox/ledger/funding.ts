/** Money that comes in: deposits, proofs of payment and funding by an administrator. */
import type { FundingRequest } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { moveBalance, requireBalance } from './balances.ts';
import { newId, requireRecord } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { BUSINESS } from './seed.ts';

/** A bank transfer to a virtual account. */
export function depositFiat(
	ledger: Ledger,
	alias: string,
	amount: string,
	sender: { bank: string; account_name: string; account_number: string },
): { id: string } {
	const account = requireRecord(ledger.virtual_accounts, alias, 'virtual account', 'alias');
	const id = newId(ledger, 'dep');
	moveBalance(ledger, { code: account.currency, amount, reason: 'deposit', reference: id });
	ledger.emit({
		event: 'virtual_account_credited',
		id,
		currency: account.currency,
		status: 'successful',
		Amount: amount,
		'Account received alias': alias,
		Business: BUSINESS,
		'Merchant Associated': account.merchant,
		'Sender Bank': sender.bank,
		'Sender account name': sender.account_name,
		'Sender account number': sender.account_number,
	});
	return { id };
}

/** A transfer of coins to a crypto wallet. */
export function depositCrypto(
	ledger: Ledger,
	walletAlias: string,
	coin: string,
	amount: string,
): { id: string; tx_hash: string } {
	const wallet = requireRecord(ledger.crypto_wallets, walletAlias, 'crypto wallet', 'wallet_alias');
	const { code } = requireBalance(ledger, 'crypto', coin, 'coin');
	const id = newId(ledger, 'dep');
	const tx_hash = ledger.randomHex(32);
	moveBalance(ledger, { code, amount, reason: 'deposit', reference: id });
	ledger.emit({
		event: 'crypto_received',
		id,
		wallet_alias: walletAlias,
		wallet_address: wallet.address,
		tx_hash,
		status: 'successful',
		Business: BUSINESS,
		coin: code,
		Amount: amount,
		fee: '0',
	});
	return { id, tx_hash };
}

export function submitProof(ledger: Ledger, pop: string): FundingRequest {
	const request: FundingRequest = { id: newId(ledger, 'fr'), pop, status: 'pending' };
	ledger.funding_requests.put(request.id, request);
	return request;
}

/** An administrator credits or debits a balance. `requestId` names the proof of payment that this settles, if any. */
export function adminFunding(
	ledger: Ledger,
	code: string,
	amount: string,
	direction: 'credit' | 'debit',
	requestId?: string,
): { id: string } {
	const balance = requireBalance(ledger, 'any', code, 'asset');
	const request =
		requestId === undefined
			? undefined
			: requireRecord(ledger.funding_requests, requestId, 'funding request', 'funding_request');
	if (request?.status === 'credited') {
		throw new Refusal(409, 'conflict', `${request.id} is already credited`, 'funding_request');
	}
	const id = newId(ledger, 'adm');
	const change = direction === 'credit' ? amount : `-${amount}`;
	moveBalance(ledger, { code, amount: change, reason: 'admin_funding', reference: id });
	if (request !== undefined) ledger.funding_requests.put(request.id, { ...request, status: 'credited' });
	ledger.emit({
		event: 'admin_funding',
		id,
		Asset: code,
		status: 'successful',
		Amount: amount,
		Business: BUSINESS,
		fee: '0',
		'credit/debit': direction === 'credit' ? 'Credit' : 'Debit',
		'fiat/crypto': balance.class === 'fiat' ? 'Fiat' : 'Crypto',
	});
	return { id };
}
