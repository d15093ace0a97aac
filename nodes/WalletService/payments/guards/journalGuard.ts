/** The first guard: what an earlier try of this execution has done, and what a stopped run has to tell. */
import { maybeSent } from '../../../shared/answers/failure.ts';
import { isUnsent } from './guard.ts';
import type { Attempt, Guard, Held, Refusal } from './guard.ts';
import type { CallResult } from '../../../shared/result.ts';
import type { Journal } from './journal.ts';
import { REPEATED } from './messages.ts';

/** What the guard asks of the run. */
interface JournalPort {
	/** Whether the execution retries another one. */
	isRetry: boolean;
	isCancelled(): boolean;
}

export function journalGuard(journal: Journal, { isRetry, isCancelled }: JournalPort): Guard {
	const decided = ({ item, payment }: Attempt): Refusal | undefined => {
		const earlier = journal.get(item);
		if (earlier === undefined) return undefined;
		// The key can say more of an item than the entry of an earlier try.
		const mayAskAgain =
			!journal.isFinal(item) && !isCancelled() && earlier.key?.compared === payment.key?.compared;
		return mayAskAgain ? undefined : { earlier };
	};
	return {
		take: async (attempt) => await Promise.resolve(decided(attempt) ?? heldEntry(journal, attempt, isRetry)),
		look: async (attempt) => await Promise.resolve(decided(attempt) ?? {}),
	};
}

function heldEntry(journal: Journal, { item, payment }: Attempt, isRetry: boolean): Held {
	const { operation, key, request } = payment;
	const entry = {
		itemIndex: item,
		route: operation.route,
		key: key?.compared === undefined ? undefined : key,
		money: request.money,
	};
	let hasBegun = false;
	return {
		begin: () => {
			hasBegun = true;
			// Recorded as unknown before it is sent: if n8n stops in between, the payment must not count as unsent.
			journal.set(item, { ...entry, result: { ok: false, failure: maybeSent(REPEATED.wasUnderWay()) } });
		},
		finish: async (ending) => {
			const { result } = ending;
			// n8n keeps no journal of a crash, so its retry counts as its own what the key says was paid, or may have been.
			if (isRetry && journal.get(item) === undefined && entry.key !== undefined && mayHavePaid(result))
				journal.set(item, { ...entry, result });
			else if (ending.outcome === 'alreadyPaid') journal.settle(item, ending.result);
			// What an earlier try may have done is still open.
			else if (!hasBegun) return await Promise.resolve(undefined);
			else if (isUnsent(ending)) journal.delete(item);
			else if (result !== undefined) journal.set(item, { ...entry, result });
			return await Promise.resolve(undefined);
		},
	};
}

function mayHavePaid(result: CallResult | undefined): result is CallResult {
	return result !== undefined && (result.ok || result.failure.outcome === 'unknown');
}
