/** What this proof leaves open for the next one. */
import type { Comparison } from './candidate.ts';
import type { Findings, Unanswered } from './findings.ts';
import type { OpenPart } from './openParts.ts';
import type { JudgedDifference } from './judgeDifference.ts';

/** What the first proof leaves open: nobody can say yet which payments without an answer are in the balance. */
export function openAfterFirst({ sent, unanswered }: Findings, now: string): OpenPart[] {
	return [...partsOf('sent', sent, now), ...partsOf('unclear', unanswered, now)];
}

/** With a difference, the next proof starts where this one did, and knows of the difference only. */
export function openAfter(comparison: Comparison, judged: JudgedDifference): OpenPart[] {
	const { findings, reading } = comparison;
	const { notExplained, difference, verdict } = judged;
	if (notExplained !== undefined) return [{ type: 'notExplained', name: '', ...notExplained }];
	const isSettled = verdict === 'proved' || isClosed(judged);
	if (!isSettled) return [{ type: 'explained', name: '', amount: difference, since: reading.now }];
	const { waits, unclear } = unansweredAfter(comparison, judged);
	return [
		...partsOf('sent', findings.sent, reading.now),
		...findings.unread.map(
			({ name }): OpenPart => ({ type: 'unread', name, amount: '0', since: reading.now }),
		),
		...partsOf('waits', waits, reading.now),
		...unclear.map((payment) =>
			partOf('unclear', payment, reading.open.ofPayment(payment.name)?.since ?? reading.now),
		),
	];
}

/** Whether the difference is only of payments that were unclear, and that have their row now. */
function isClosed({ explanation: { found } }: JudgedDifference): boolean {
	return found.length > 0 && found.every((set) => set.every(({ closes }) => closes));
}

/** The payments without an answer of which the balance says that they did not move it, and those of which it says nothing. */
export function unansweredAfter(
	{ standing }: Comparison,
	judged: JudgedDifference,
): { waits: Unanswered[]; unclear: Unanswered[] } {
	const { found, isCertain } = judged.explanation;
	const inAny = new Set(found.flat().map(({ payment }) => payment));
	// Another set may explain the difference too, so nobody can say that a payment is not in it.
	const isUncertain = judged.notExplained !== undefined || (found.length > 0 && !isCertain);
	const others = standing.waiting.filter((payment) => !isMade(payment));
	const isUnclear = (payment: Unanswered) => inAny.has(payment) || isUncertain || payment.isNamed;
	return {
		waits: others.filter((payment) => !isUnclear(payment)),
		unclear: [...standing.unclear, ...others.filter(isUnclear)],
	};

	/** The balance says that it was made. The lines about the difference name it. */
	function isMade(payment: Unanswered): boolean {
		return isCertain && inAny.has(payment) && !payment.hasFailed;
	}
}

function partsOf(
	type: 'sent' | 'waits' | 'unclear',
	payments: Array<{ name: string; amount: string; fee: string }>,
	since: string,
): OpenPart[] {
	return payments.map((payment) => partOf(type, payment, since));
}

function partOf(
	type: OpenPart['type'],
	{ name, amount, fee }: { name: string; amount: string; fee: string },
	since: string,
): OpenPart {
	return { type, name, amount, fee, since };
}
