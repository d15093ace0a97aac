/** The first guard: what an earlier try of this execution has done, and what a stopped run has to tell. */
import { maybeSent } from '../../../shared/answers/failure.ts';
import { isUnsent } from './guard.ts';
import type { Attempt, Guard, Held, Refusal } from './guard.ts';
import type { Journal } from './journal.ts';
import { REPEATED } from './messages.ts';

export function journalGuard(journal: Journal, { isCancelled }: { isCancelled(): boolean }): Guard {
	const decided = ({ item, payment }: Attempt): Refusal | undefined => {
		const earlier = journal.get(item);
		if (earlier === undefined) return undefined;
		// The key can say more of an item than the entry of an earlier try.
		const mayAskAgain =
			!journal.isFinal(item) && !isCancelled() && earlier.key?.compared === payment.key?.compared;
		return mayAskAgain ? undefined : { earlier };
	};
	return {
		take: async (attempt) => await Promise.resolve(decided(attempt) ?? heldEntry(journal, attempt)),
		look: async (attempt) => await Promise.resolve(decided(attempt) ?? {}),
	};
}

function heldEntry(journal: Journal, { item, payment }: Attempt): Held {
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
			if (ending.outcome === 'alreadyPaid') journal.settle(item, ending.result);
			// What an earlier try may have done is still open.
			else if (!hasBegun) return await Promise.resolve(undefined);
			else if (isUnsent(ending)) journal.delete(item);
			else if (ending.result !== undefined) journal.set(item, { ...entry, result: ending.result });
			return await Promise.resolve(undefined);
		},
	};
}
