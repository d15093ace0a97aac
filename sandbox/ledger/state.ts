/** Opening, resetting and showing the whole ledger. */
import { canonical } from '../../api/decimal.ts';
import type { Table } from '../store.ts';
import { moveBalance } from './balances.ts';
import type { Dependencies, Ledger } from './ledger.ts';
import { BALANCES, NETWORK_COINS } from './seed.ts';
import { TABLES } from './tables.ts';
import type { TableDefinition, TableName, Tables } from './tables.ts';

const DEFINITIONS = Object.entries(TABLES) as Array<[TableName, TableDefinition<unknown>]>;

/** The ledger in the store; an empty store gets the initial records. */
export function openLedger(dependencies: Dependencies): Ledger {
	const tables = DEFINITIONS.map(([name]) => [name, dependencies.store.table(name)]);
	const ledger: Ledger = { ...dependencies, ...(Object.fromEntries(tables) as Tables) };
	if (ledger.balances.size === 0) resetLedger(ledger);
	return ledger;
}

/** Replaces all records by the initial ones. */
export function resetLedger(ledger: Ledger): void {
	ledger.store.clear(DEFINITIONS.map(([name]) => name));
	for (const { code, amount, ...balance } of BALANCES) {
		ledger.balances.put(code, { code, amount: '0', ...balance });
		moveBalance(ledger, { code, amount, reason: 'opening', reference: code });
	}
	for (const [name, { initial = new Map<string, unknown>() }] of DEFINITIONS) {
		const table: Table<unknown> = ledger[name];
		for (const [id, record] of initial) table.put(id, record);
	}
}

/** The answer of `GET state`: balances as code -> amount, and the shown tables. `last` limits the growing ones. */
export function snapshotLedger(ledger: Ledger, last: number): Record<string, unknown> {
	const balances = ledger.balances.all();
	const shown = DEFINITIONS.filter(([, definition]) => definition.shown !== undefined);
	const tables = shown.map(([name, definition]): [string, unknown[]] => {
		const records: unknown[] = ledger[name].all();
		return [name, definition.shown === 'newest' ? records.slice(-last) : records];
	});
	return {
		balances: Object.fromEntries(balances.map(({ code, amount }) => [code, canonical(amount)])),
		coins: balances.filter((balance) => balance.class === 'crypto').map(({ code }) => code),
		network_coins: NETWORK_COINS,
		...Object.fromEntries<unknown[]>(tables),
	};
}
