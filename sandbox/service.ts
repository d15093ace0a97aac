/** The sandbox without a socket: its parts, and the function from request to response. */
import { createApp } from './app.ts';
import { checkUrl, Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { setPayoutStatus } from './ledger/payouts.ts';
import { openLedger, resetLedger } from './ledger/state.ts';
import type { Parts } from './parts.ts';
import { checkHeader, PaymentKeys } from './paymentKeys.ts';
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

export interface Service extends Parts {
	fetch: ReturnType<typeof createApp>['fetch'];
	stop(): Promise<void>;
}

export function createService(options: ServiceOptions): Service {
	const { db, requestLogLength = 1000, now = Date.now, webhookUrl, ...given } = options;
	checkUrl(webhookUrl ?? '');
	checkHeader(given.paymentKeyHeader ?? '');
	const store = new Store(db);
	const settings = new Settings(store, given);
	const tasks = new Tasks();
	const deliveries = new Deliveries(store, tasks, settings, now);
	deliveries.register({ url: webhookUrl });

	/** Makes a pending payout successful after `settleAfterMs`, unless its status changes before. */
	const settle = (id: string) => {
		const { settleAfterMs } = settings.current;
		if (settleAfterMs === null) return;
		tasks.start(async (signal) => {
			await tasks.sleep(settleAfterMs, signal);
			if (ledger.payouts.get(id)?.status !== 'pending') return;
			store.transaction(() => setPayoutStatus(ledger, id, 'successful'));
		});
	};
	const ledger: Parts['ledger'] = openLedger(store, {
		now,
		settle,
		emit: (event) => void deliveries.add(event),
	});
	const parts: Parts = {
		...{ store, settings, ledger, deliveries, tasks },
		faults: new Faults(),
		paymentKeys: new PaymentKeys(store, settings),
		requests: new RequestLog(requestLogLength),
		settlePending: () => {
			for (const { payout_id, status } of ledger.payouts.all()) if (status === 'pending') settle(payout_id);
		},
		reset: async () => {
			await tasks.stop();
			parts.faults.clear();
			parts.requests.clear();
			store.transaction(() => {
				store.clear(KIND);
				resetLedger(ledger);
			});
		},
	};
	// A restart loses the timers of pending payouts.
	parts.settlePending();
	return {
		...parts,
		fetch: createApp(parts).fetch,
		stop: async () => {
			await tasks.stop();
			await deliveries.stop();
			store.close();
		},
	};
}
