/** What this proof leaves open for the next one. */
import { compare, negate } from '../../../../api/exact/decimal.ts';
import type { Candidate, Comparison } from './candidate.ts';
import type { Findings, Unanswered } from './findings.ts';
import type { OpenPart } from './openParts.ts';
import type { JudgedDifference } from './judgeDifference.ts';

/** What the first proof leaves open: nobody can say yet which payments without an answer are in the balance. */
export function openAfterFirst(findings: Findings, now: string): OpenPart[] {
	const unclear = findings.unanswered.map(({ name, amount, fee }): OpenPart => {
		return { type: 'unclear', name, amount, fee, since: now };
	});
	return [...sentParts(findings, now), ...unclear];
}

/** Never forgets a payment without an answer, and never remembers what the book says by itself. */
export function openAfter(comparison: Comparison, judged: JudgedDifference): OpenPart[] {
	const { findings, reading } = comparison;
	const { now } = reading;
	const chosen = judged.explanation.found[0] ?? [];
	const missing = { type: 'none' as const, name: '', amount: judged.difference, since: now };
	return [
		...sentParts(findings, now),
		...findings.unread.map(({ name }): OpenPart => ({ type: 'unread', name, amount: '0', since: now })),
		...stillOpen(comparison, chosen),
		...chosen.flatMap((candidate) => remembered(candidate, now)),
		...unansweredParts(comparison, judged),
		...(judged.isUnexplained ? [missing] : []),
	];
}

function sentParts({ sent }: Findings, since: string): OpenPart[] {
	return sent.map(({ name, amount, fee }) => ({ type: 'sent', name, amount, fee, since }));
}

/** Parts of earlier differences that nothing balances today. */
export function stillOpen({ reading, standing, findings }: Comparison, chosen: Candidate[]): OpenPart[] {
	const closed = new Set(chosen.map(({ closes }) => closes));
	const opposites = chosen.map(({ amount }) => negate(amount));
	const isBalanced = (part: OpenPart) =>
		part.type === 'none' && opposites.some((amount) => compare(amount, part.amount) === 0);
	const left = reading.open.all.filter(
		(part) =>
			['early', 'late', 'none'].includes(part.type) &&
			!closed.has(part) &&
			!isBalanced(part) &&
			!standing.taken.has(part),
	);
	return [...left, ...refusedAfterAll(findings, reading.open.all)];
}

/** It looked made, and its row now says that it was not: its amount is a difference in no row again. */
function refusedAfterAll({ refused }: Findings, parts: OpenPart[]): OpenPart[] {
	const names = new Set(refused);
	return parts
		.filter(({ type, name }) => type === 'gone' && names.has(name))
		.map(({ amount, since }) => ({ type: 'none', name: '', amount, since }));
}

function remembered({ remember, name, amount }: Candidate, since: string): OpenPart[] {
	if (remember === undefined) return [];
	return [{ type: remember, name: remember === 'none' ? '' : name, amount, since }];
}

function unansweredParts({ findings, reading, standing }: Comparison, judged: JudgedDifference): OpenPart[] {
	const { found, isCertain } = judged.explanation;
	const inAny = new Set(found.flat().map(({ payment }) => payment));
	const typeOf = (payment: Unanswered): OpenPart['type'] => {
		const isChosen = inAny.has(payment);
		if (isChosen && isCertain && !payment.hasFailed) return 'gone';
		return isChosen || judged.isUnexplained || payment.isNamed || hasUntriedSets(judged)
			? 'unclear'
			: 'waits';
	};
	return findings.unanswered.map((payment) => {
		const { name, amount, fee } = payment;
		const part = standing.known.get(name);
		return part === undefined
			? { type: typeOf(payment), name, amount, fee, since: reading.now }
			: { ...part, name };
	});
}

/** Another set may explain the difference too, so nobody can say that a payment is not in it. */
function hasUntriedSets({ explanation: { found, isCertain } }: JudgedDifference): boolean {
	return found.length > 0 && !isCertain;
}
