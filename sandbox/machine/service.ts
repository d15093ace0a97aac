/** The parts of the sandbox, and what happens by itself. */
import { checkUrl, createDeliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { fillLedger, openLedger } from '../ledger/ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { setPayoutStatus } from '../ledger/payouts.ts';
import { checkHeader, createPaymentKeys } from './paymentKeys.ts';
import { RequestLog } from './requestLog.ts';
import { KIND, Settings } from './settings.ts';
import type { SandboxSettings } from './settings.ts';
import { Store } from './store.ts';
import { Tasks } from './tasks.ts';

/** Settings that are left out come from the database, or are the defaults. */
export interface ServiceOptions extends Partial<SandboxSettings> {
	/** SQLite file that keeps all records. Without it, they live in memory. */
	db?: string;
	/** How many API requests `/_sandbox/requests` remembers. */
	requestLogLength?: number;
	/** Milliseconds since 1970. */
	now?: () => number;
}

export type Service = ReturnType<typeof createService>;

export function createService(options: ServiceOptions) {
	const { db, requestLogLength = 1000, now = Date.now, webhookUrl, ...given } = options;
	checkUrl(webhookUrl ?? '');
	checkHeader(given.paymentKeyHeader ?? '');
	const store = new Store(db);
	const settings = new Settings(store, given);
	const tasks = new Tasks();
	const deliveries = createDeliveries(store, tasks, settings, now);
	if (webhookUrl !== undefined) deliveries.register(webhookUrl);

	/** Makes a pending payout successful after `settleAfterMs`, unless its status changes before. */
	const settle = (id: string) => {
		const { settleAfterMs } = settings.current;
		if (settleAfterMs === null) return;
		tasks.start(async () => {
			await tasks.sleep(settleAfterMs);
			if (ledger.payouts.get(id)?.status !== 'pending') return;
			store.transaction(() => setPayoutStatus(ledger, id, 'successful'));
		});
	};
	const ledger: Ledger = openLedger((name) => store.table(name), {
		now,
		settle,
		emit: (event, fields) => void deliveries.add({ event, ...fields }),
	});
	if (ledger.balances.ids().length === 0) store.transaction(() => fillLedger(ledger));
	const faults = new Faults();
	const requests = new RequestLog(requestLogLength);
	const settlePending = () => {
		for (const { payout_id, status } of ledger.payouts.all()) if (status === 'pending') settle(payout_id);
	};
	// A restart loses the timers of pending payouts.
	settlePending();
	return {
		store,
		settings,
		ledger,
		deliveries,
		faults,
		requests,
		tasks,
		settlePending,
		paymentKeys: createPaymentKeys(store, settings),
		/** Restores the initial records. The settings do not change. */
		reset: async () => {
			await tasks.stop();
			faults.clear();
			requests.clear();
			store.transaction(() => {
				store.clear(KIND);
				fillLedger(ledger);
			});
		},
		stop: async () => {
			await tasks.stop();
			await deliveries.stop();
			store.close();
		},
	};
}
