import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { PaymentKeys } from './paymentKeys.ts';
import type { RequestLog } from './requestLog.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import type { Tasks } from './tasks.ts';

/** The parts of the sandbox that its routes work on. */
export interface Parts {
	store: Store;
	settings: Settings;
	ledger: Ledger;
	deliveries: Deliveries;
	faults: Faults;
	paymentKeys: PaymentKeys;
	requests: RequestLog;
	/** Settlements and deliveries. */
	tasks: Tasks;
	/** Starts the settlement of all pending payouts. */
	settlePending(): void;
	/** Restores the initial records. The settings do not change. */
	reset(): Promise<void>;
}
