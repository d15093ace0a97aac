import type { Ledger } from './ledger/ledger.ts';
import { setPayoutStatus } from './ledger/payouts.ts';
import type { Payout } from './records.ts';
import type { Store } from './store.ts';
import type { Tasks } from './tasks.ts';
import type { Timing } from './timing.ts';

/** Makes a pending payout successful after `settleAfterMs`, unless its status changes before. */
export function scheduleSettlement(
	{ payout_id }: Payout,
	{ ledger, store, tasks, timing }: { ledger: Ledger; store: Store; tasks: Tasks; timing: Timing },
): void {
	const { settleAfterMs } = timing.current;
	if (settleAfterMs === null) return;
	tasks.start(async (signal) => {
		await tasks.sleep(settleAfterMs, signal);
		if (ledger.payouts.get(payout_id)?.status !== 'pending') return;
		setPayoutStatus(ledger, payout_id, 'successful');
		store.commit();
	});
}
