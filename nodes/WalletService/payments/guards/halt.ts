/** After requests in a row without a clear answer, more requests would only be more unknown ones. */
import { notSent } from '../../../shared/answers/failure.ts';
import type { Guard } from './guard.ts';
import type { Journal } from './journal.ts';
import { UNCLEAR_RUN } from './messages.ts';

const MOST_UNCLEAR = 3;

export function halt(journal: Journal): Guard {
	return {
		take: async () => {
			if (journal.unclearInARow >= MOST_UNCLEAR)
				return { failure: notSent(UNCLEAR_RUN.isHalted(String(MOST_UNCLEAR))) };
			return await Promise.resolve({
				finish: async ({ outcome }) => {
					// What never left this machine has told nothing of the service.
					if (outcome !== 'notSent') journal.countAnswer({ isClear: outcome !== 'unknown' });
					return await Promise.resolve(undefined);
				},
			});
		},
	};
}
