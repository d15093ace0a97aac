/** What is known of payments whose making nobody knows. */
import type { Reading, Unanswered } from './findings.ts';

/** Where each of these payments stands before the difference of today is looked at. */
export interface Standing {
	/** They may have moved the balance since the proof from which this one starts. */
	waiting: Unanswered[];
	/** That balance did not tell of them, and none will for sure. */
	unclear: Unanswered[];
}

/** A payment that is older than that proof, and that waited in none, is unclear. */
export function standingOf(
	unanswered: Unanswered[],
	{ open, lastTime }: Reading & { lastTime: string },
): Standing {
	const isUnclear = ({ name, time }: Unanswered) => {
		const type = open.ofPayment(name)?.type;
		return type === 'unclear' || (type !== 'waits' && time <= lastTime);
	};
	return {
		waiting: unanswered.filter((payment) => !isUnclear(payment)),
		unclear: unanswered.filter(isUnclear),
	};
}
