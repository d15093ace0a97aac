/**
 * The ledger that the operations of this folder work on: its tables, and the balances. Each operation runs in a
 * transaction, so a refused one changes nothing. Amounts are plain decimals.
 */
import type { EventName } from '../../api/events.ts';
import { add, canonical, compare } from '../../api/exact/decimal.ts';
import type * as records from './records.ts';
import { newId } from './ids.ts';
import { Refusal } from './refusal.ts';
import * as seed from './seed.ts';
import type { Table } from './table.ts';

/** What the ledger needs from outside. */
interface Outside {
	/** Milliseconds since 1970. */
	now: () => number;
	/** Sends a webhook. */
	emit: (event: EventName, fields: object) => void;
	/** Settles a payout after the configured time. */
	settle: (id: string) => void;
	/** What one unit of a conversion brings after the fee, in place of what its contract says. */
	appliedRate?: string;
}

/** The keys are the names in the database and in `GET state`. */
interface Tables {
	balances: Table<records.Balance>;
	movements: Table<records.Movement>;
	virtual_accounts: Table<records.VirtualAccount>;
	funding_accounts: Table<records.FundingAccount>;
	funding_requests: Table<records.FundingRequest>;
	rates: Table<records.Rate>;
	contracts: Table<records.Contract>;
	transactions: Table<records.Transaction>;
	crypto_wallets: Table<records.CryptoWallet>;
	settlement_wallets: Table<records.SettlementWallet>;
	settlement_accounts: Table<records.SettlementAccount>;
	payouts: Table<records.Payout>;
}

export interface Ledger extends Outside, Tables {}

const byId = <T>(list: T[], idOf: (record: T) => string) => new Map(list.map((each) => [idOf(each), each]));

/** Id -> record of the tables that a reset fills. `GET state` shows all of these records. */
const FILLED = {
	virtual_accounts: byId(seed.VIRTUAL_ACCOUNTS, ({ alias }) => alias),
	funding_accounts: byId(seed.FUNDING_ACCOUNTS, ({ currency }) => currency),
	rates: byId(seed.RATES, ({ base, quote }) => `${base}/${quote}`),
	contracts: byId(seed.CONTRACTS, ({ contract_id }) => contract_id),
	crypto_wallets: byId(seed.CRYPTO_WALLETS, ({ alias }) => alias),
	settlement_wallets: byId(seed.SETTLEMENT_WALLETS, ({ alias }) => alias),
	settlement_accounts: byId(seed.SETTLEMENT_ACCOUNTS, ({ alias }) => alias),
};
/** The other tables that `GET state` shows. They grow. */
const GROWING = ['funding_requests', 'transactions', 'payouts'] as const;

/** The ledger on tables that `table` opens by their names. */
export function openLedger(table: (name: string) => Table<unknown>, outside: Outside): Ledger {
	const names = ['balances', 'movements', ...Object.keys(FILLED), ...GROWING];
	const tables = Object.fromEntries(names.map((name) => [name, table(name)])) as unknown as Tables;
	return { ...outside, ...tables };
}

/** Adds the initial records. */
export function fillLedger(ledger: Ledger): void {
	for (const { code, amount, ...balance } of seed.BALANCES) {
		ledger.balances.put(code, { code, amount: '0', ...balance });
		moveBalance(ledger, { code, amount, reason: 'opening', reference: code });
	}
	for (const [name, list] of Object.entries(FILLED)) {
		const table = ledger[name as keyof typeof FILLED] as Table<unknown>;
		for (const [id, record] of list) table.put(id, record);
	}
}

/** What `GET state` shows: balances as code -> amount, and tables. `last` limits those that grow. */
export function snapshotLedger(ledger: Ledger, last?: number): Record<string, unknown> {
	const balances = ledger.balances.all();
	const filled = Object.keys(FILLED).map((name) => [name, ledger[name as keyof typeof FILLED].all()]);
	const growing = GROWING.map((name) => [name, ledger[name].all(last)]);
	return {
		balances: Object.fromEntries(balances.map(({ code, amount }) => [code, canonical(amount)])),
		coins: balances.filter((balance) => balance.class === 'crypto').map(({ code }) => code),
		network_coins: seed.NETWORK_COINS,
		...(Object.fromEntries([...filled, ...growing]) as object),
	};
}

/** ISO 8601 in UTC. */
export function timestamp(ledger: Ledger): string {
	return new Date(ledger.now()).toISOString();
}

/** The balance of a code. Throws a Refusal that names the request field `field`. */
export function requireBalance(
	ledger: Ledger,
	assetClass: seed.AssetClass | 'any',
	code: string,
	field: string,
): records.Balance {
	const isAllowed = (balance: records.Balance) => assetClass === 'any' || balance.class === assetClass;
	const balance = ledger.balances.get(code);
	if (balance !== undefined && isAllowed(balance)) return balance;
	const codes = ledger.balances
		.all()
		.filter(isAllowed)
		.map((each) => each.code);
	throw new Refusal(
		'invalid_request',
		`${code} is not a ${field} of this sandbox. Supported: ${codes.join(', ')}`,
		field,
	);
}

/** The only function that changes a balance. Throws a Refusal that names `field` if the balance is too low. */
export function moveBalance(
	ledger: Ledger,
	{ code, amount, reason, reference }: Omit<records.Movement, 'at' | 'balance'>,
	field = 'amount',
): void {
	const balance = requireBalance(ledger, 'any', code, 'asset');
	const after = add(balance.amount, amount);
	if (compare(after, '0') < 0) {
		const [has, needs] = [canonical(balance.amount), canonical(amount.slice(1))];
		const message = `The ${code} balance is ${has}, which does not cover ${needs}`;
		throw new Refusal('insufficient_balance', message, field);
	}
	ledger.balances.put(code, { ...balance, amount: after });
	const at = timestamp(ledger);
	const movement: records.Movement = { at, code, amount, reason, reference, balance: canonical(after) };
	ledger.movements.put(newId('mv'), movement);
}
