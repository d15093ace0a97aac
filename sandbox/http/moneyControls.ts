/** The controls that move the world: money arrives, reviews happen, payouts change. */
import { z } from 'zod/v4';
import { createSettlementAccount, issueVirtualAccount, reviewDestination } from '../ledger/accounts.ts';
import { adminFunding, depositCrypto, depositFiat } from '../ledger/funding.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { setPayoutStatus } from '../ledger/payouts.ts';
import { PAYOUT_STATUSES } from '../ledger/records.ts';
import { SENDER } from '../ledger/seed.ts';
import type { AddControl } from './control.ts';
import { anyAmount, check, code, text } from './requests.ts';

/** Accepts any case: `whitelisted` becomes `Whitelisted`. */
const decision = text
	.transform((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
	.pipe(z.enum(['Whitelisted', 'Rejected', 'Pending']));

const fiatDeposit = z.object({
	alias: text,
	amount: anyAmount,
	sender_bank: text.default(SENDER.sender_bank),
	sender_account_name: text.default(SENDER.sender_account_name),
	sender_account_number: text.default(SENDER.sender_account_number),
});
const cryptoDeposit = z.object({ wallet_alias: text, coin: code, amount: anyAmount });

const virtualAccount = z.object({
	alias: text,
	currency: code.default('NGN'),
	bank: text.default('Sandbox Bank'),
	account_name: text.default('Acme Trading / New Customer'),
	merchant: text.default('Acme Checkout'),
});

const settlementAccount = z.object({
	alias: text,
	bank_name: text.default('First Example Bank'),
	account_number: text.default('0123456789'),
	account_name: text.default('New Supplier Ltd'),
	currency: code.default('NGN'),
	other_details: text.default('Branch: Lagos'),
});

const funding = z.object({
	asset: code,
	amount: anyAmount,
	direction: text.transform((word) => word.toLowerCase()).pipe(z.enum(['credit', 'debit'])),
	/** Id of a proof of payment. */
	funding_request: text.optional(),
});

export function addMoney(control: AddControl, ledger: Ledger): void {
	control('POST /deposits', z.looseObject({}), (sent) =>
		'wallet_alias' in sent
			? depositCrypto(ledger, check(cryptoDeposit, sent))
			: depositFiat(ledger, check(fiatDeposit, sent)),
	);
	control('POST /reviews', z.object({ alias: text, decision }), (review) =>
		reviewDestination(ledger, review),
	);
	control('POST /virtual_accounts', virtualAccount, (account) => issueVirtualAccount(ledger, account));
	// The API has no endpoint for this.
	control('POST /settlement_accounts', settlementAccount, (account) =>
		createSettlementAccount(ledger, account),
	);
	control('POST /admin_funding', funding, (given) => adminFunding(ledger, given));
	control('POST /payouts/:id', z.object({ status: z.enum(PAYOUT_STATUSES) }), ({ status }, id) =>
		setPayoutStatus(ledger, id, status),
	);
}
