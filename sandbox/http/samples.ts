/** One sample of each event, sent by `POST /_sandbox/events`. */
import type { EventName } from '../../api/events.ts';
import { EVENT_FIELDS } from '../ledger/events.ts';
import type { EventFields } from '../ledger/events.ts';
import * as seed from '../ledger/seed.ts';
import type { Payout } from '../ledger/records.ts';

const tx_hash = '5f1d7a84db3a1c9f0e7b2c6d4a8e9f00112233445566778899aabbccddeeff00';
const ACCOUNT = seed.VIRTUAL_ACCOUNTS[0]!;
const CRYPTO_DEPOSIT = { id: 'dep_sample_crypto', coin: 'USDT', amount: '250.75', tx_hash };
const FIAT_DEPOSIT = { id: 'dep_sample_fiat', amount: '150000.50', ...seed.SENDER };
const FUNDING = { id: 'adm_sample', amount: '75000', direction: 'credit' } as const;
const PAYOUT: Payout = {
	payout_id: 'po_sample',
	class: 'crypto' as const,
	code: 'USDT',
	amount: '100.25',
	fee: '0.5',
	destination: 'treasury',
	status: 'successful' as const,
	created_at: '',
	tx_hash: '00ffeeddccbbaa99887766554433221100f9e8a4d6c2b7e0f9c1a3db847a1d5f',
};

const FIELDS: { [Name in EventName]: EventFields<Name> } = {
	settlement_wallet_update: EVENT_FIELDS.settlement_wallet_update(seed.SETTLEMENT_WALLETS[0]!),
	settlement_account_update: EVENT_FIELDS.settlement_account_update(seed.SETTLEMENT_ACCOUNTS[0]!),
	crypto_received: EVENT_FIELDS.crypto_received(seed.CRYPTO_WALLETS[0]!, CRYPTO_DEPOSIT),
	virtual_account_created: EVENT_FIELDS.virtual_account_created(ACCOUNT),
	virtual_account_credited: EVENT_FIELDS.virtual_account_credited(ACCOUNT, FIAT_DEPOSIT),
	crypto_payout_update: EVENT_FIELDS.crypto_payout_update(PAYOUT),
	admin_funding: EVENT_FIELDS.admin_funding(seed.BALANCES[0]!, FUNDING),
};

export const SAMPLES = Object.fromEntries(
	Object.entries(FIELDS).map(([event, fields]) => [event, { event, ...fields }]),
) as { [Name in EventName]: { event: Name } & EventFields<Name> };
