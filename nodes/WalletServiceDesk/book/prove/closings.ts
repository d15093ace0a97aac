/** What is known now of payments that were unclear where this proof starts. */
import { negate } from '../../../../api/exact/decimal.ts';
import { groupsOf } from '../../values/groups.ts';
import type { Candidate, Comparison } from './candidate.ts';
import type { Entry } from './findings.ts';
import { CLOSING } from './messages.ts';
import { sumOf } from './sets.ts';

/** One candidate at most for each of these payments. */
export function closingsOf({ reading, counted, findings }: Comparison): Candidate[] {
	const { open, lastTime } = reading;
	const wasUnclear = ({ name }: Entry) => open.ofPayment(name)?.type === 'unclear';
	const isOlder = ({ kind, time }: Entry) => ['payout', 'conversion'].includes(kind) && time <= lastTime;
	const older = findings.entries.filter((entry) => wasUnclear(entry) && isOlder(entry));
	const names = new Set(older.map(({ name }) => name));
	const written = counted.filter((entry) => wasUnclear(entry) && !names.has(entry.name));
	return [...older.map(movedAfter), ...groupsOf(written, ({ name }) => name).flatMap(movedBefore)];

	/** It is made by its row, which is older, and does not count. */
	function movedAfter({ key, name, amount, words }: Entry): Candidate {
		return { key, name, amount, closes: true, words: CLOSING.waited({ words, since: sinceOf(name) }) };
	}

	/** It counts now, and may have moved the balance before. */
	function movedBefore(own: Entry[]): Candidate[] {
		const [first] = own;
		if (first === undefined) return [];
		const { name, words } = first;
		const amount = negate(sumOf(own.map((entry) => entry.amount)));
		const says = CLOSING.wasUnclear({ words, since: sinceOf(name) });
		return [{ key: name, name, amount, closes: true, words: says }];
	}

	function sinceOf(name: string): string {
		return open.ofPayment(name)?.since ?? lastTime;
	}
}
