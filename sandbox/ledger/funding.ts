/** Money that comes in: deposits, proofs of payment and funding by an administrator. */
import type { FundingRequest } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { randomHex } from '../settings.ts';
import { moveBalance, newId, requireBalance, requireRecord } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { BUSINESS } from './seed.ts';

type SenderField = 'sender_bank' | 'sender_account_name' | 'sender_account_number';

/** A bank transfer to a virtual account. */
export function depositFiat(
	ledger: Ledger,
	{ alias, amount, ...sender }: { alias: string; amount: string } & Record<SenderField, string>,
): { id: string } {
	const account = requireRecord(ledger.virtual_accounts, alias, 'virtual account', 'alias');
	const id = newId('dep');
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
		'Sender Bank': sender.sender_bank,
		'Sender account name': sender.sender_account_name,
		'Sender account number': sender.sender_account_number,
	});
	return { id };
}

/** A transfer of coins to a crypto wallet. */
export function depositCrypto(
	ledger: Ledger,
	{ wallet_alias, coin, amount }: { wallet_alias: string; coin: string; amount: string },
): { id: string; tx_hash: string } {
	const wallet = requireRecord(ledger.crypto_wallets, wallet_alias, 'crypto wallet', 'wallet_alias');
	const { code } = requireBalance(ledger, 'crypto', coin, 'coin');
	const id = newId('dep');
	const tx_hash = randomHex(32);
	moveBalance(ledger, { code, amount, reason: 'deposit', reference: id });
	ledger.emit({
		event: 'crypto_received',
		id,
		wallet_alias,
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
	const request: FundingRequest = { id: newId('fr'), pop, status: 'pending' };
	ledger.funding_requests.put(request.id, request);
	return request;
}

interface AdminFunding {
	asset: string;
	amount: string;
	direction: 'credit' | 'debit';
	/** ID of the proof of payment that this settles, if any. */
	funding_request?: string;
}

/** An administrator credits or debits a balance. */
export function adminFunding(
	ledger: Ledger,
	{ asset, amount, direction, funding_request: requestId }: AdminFunding,
): { id: string } {
	const { code, class: assetClass } = requireBalance(ledger, 'any', asset, 'asset');
	const request =
		requestId === undefined
			? undefined
			: requireRecord(ledger.funding_requests, requestId, 'funding request', 'funding_request');
	if (request?.status === 'credited') {
		throw new Refusal(409, 'conflict', `${request.id} is already credited`, 'funding_request');
	}
	const id = newId('adm');
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
		'fiat/crypto': assetClass === 'fiat' ? 'Fiat' : 'Crypto',
	});
	return { id };
}
