/** The proof of one asset: an earlier balance, what moved since then by the book, the balance now, and what explains the difference. */
import { add, compare, isPlainDecimal, readDecimal, subtract } from '../../../../api/exact/decimal.ts';
import type { Balance } from '../../values/asset.ts';
import { shortLine } from '../../../shared/text.ts';
import { minutesBefore } from '../bookTime.ts';
import type { Comparison } from './candidate.ts';
import { candidatesOf } from './candidates.ts';
import type { Entry, Findings, Reading } from './findings.ts';
import type { LastProof } from './lastProof.ts';
import type { Movement } from './oneMovement.ts';
import { openAfter, openAfterFirst } from './openAfter.ts';
import { OpenParts } from './openParts.ts';
import type { OpenPart } from './openParts.ts';
import { judgeDifference } from './judgeDifference.ts';
import type { Verdict } from './judgeDifference.ts';
import { linesOf, notesOf } from './proofLines.ts';
import { LINE, REMARK } from './messages.ts';
import { readMovements, rowsOf } from './readMovements.ts';
import { sumOf } from './sets.ts';
import { stillOpen } from './stillOpen.ts';
import { standingOf } from './standing.ts';

export interface Proof {
	asset: string;
	/** When the balance was read. */
	time: string;
	/** The balance from which it starts; '' in the first proof. Decimal text, as all amounts here. */
	opening: string;
	/** When that was read; '' in the first proof. */
	openedAt: string;
	/** The sum of the movements that count; '' if nothing was compared. */
	booked: string;
	/** The balance now; '' if it cannot be read. */
	closing: string;
	/** By how much the balance is higher than the book says; '0' if they are equal, '' if nothing was compared. */
	difference: string;
	verdict: Verdict;
	/** What no row explains, and the time of the first proof that found it; '' if there is nothing. */
	notExplained: string;
	since: string;
	/** Sentences about the difference. */
	lines: string[];
	/** Sentences about what is open. */
	notes: string[];
	/** Keys of the rows that explain the difference; `fee:`, `back:`, `other:`, `sent:` or `payout:` before an ID. */
	causes: string[];
}

/** A proof, with what the file and the next proof need. */
export interface AssetProof {
	proof: Proof;
	entries: Entry[];
	/** Undefined if the balance cannot be read: the next proof knows nothing of this one. */
	open: OpenPart[] | undefined;
}

export interface AssetInput {
	balance: Balance;
	/** Those that have a row or a fee in this asset. */
	movements: Movement[];
	last: LastProof | undefined;
	/** ISO 8601 in UTC. */
	now: string;
	settings: { feesOnTop: boolean; underWayMinutes: number };
}

/**
 * Proves one balance. The verdict never rests on words of a row alone: only the balance and the amounts of rows decide. A payment whose
 * making nobody knows never counts.
 */
export function proveAsset(input: AssetInput): AssetProof {
	const { balance: given, last, now } = input;
	const balance = 'balance' in given ? readDecimal(given.balance.trim()) : undefined;
	const empty = emptyProof(input, balance ?? '');
	if (balance === undefined) {
		const lines = [problemOf(given)];
		return { proof: { ...empty, verdict: 'CANNOT BE READ', lines }, entries: [], open: undefined };
	}
	const reading = readingOf(input);
	const findings = readMovements(input.movements, reading);
	if (last === undefined) {
		const open = openAfterFirst(findings, now);
		return { proof: { ...empty, verdict: 'first proof' }, entries: [], open };
	}
	return compareWithBook(empty, {
		movements: input.movements,
		findings,
		last,
		reading: { ...reading, lastTime: last.time },
		isFiat: given.isFiat,
	});
}

/** In which nothing is compared yet. */
type EmptyProof = Omit<Proof, 'verdict'>;

function emptyProof({ balance: { code }, last, now }: AssetInput, balance: string): EmptyProof {
	return {
		asset: code,
		time: now,
		opening: last?.balance ?? '',
		openedAt: last?.time ?? '',
		booked: '',
		closing: balance,
		difference: '',
		notExplained: '',
		since: '',
		lines: [],
		notes: [],
		causes: [],
	};
}

function problemOf(given: Balance): string {
	if ('problem' in given) return shortLine(given.problem) || REMARK.notReadableWhy;
	return REMARK.balanceUnreadable(given.balance);
}

function readingOf({ balance: { code }, movements, last, now, settings }: AssetInput): Reading {
	return {
		asset: code,
		now,
		lastTime: last?.time,
		underWaySince: minutesBefore(now, settings.underWayMinutes),
		open: new OpenParts(last?.open ?? []),
		feesOnTop: settings.feesOnTop,
		...(settings.feesOnTop ? feesOf(code, movements) : { usualFee: '0', largestFee: '0' }),
	};
}

/** The fees of payouts in coins that have one in this asset. */
function feesOf(asset: string, movements: Movement[]): Pick<Reading, 'usualFee' | 'largestFee'> {
	let newest = '';
	const fees = { usualFee: '0', largestFee: '0' };
	for (const movement of movements)
		for (const { kind, feeAsset, fee, time } of movement.is === 'other' ? [] : rowsOf(movement)) {
			if (kind !== 'coin payout' || feeAsset !== asset || !isPlainDecimal(fee)) continue;
			if (compare(fee, fees.largestFee) > 0) fees.largestFee = fee;
			if (time < newest) continue;
			newest = time;
			fees.usualFee = fee;
		}
	return fees;
}

interface Compared {
	movements: Movement[];
	findings: Findings;
	last: LastProof;
	reading: Reading & { lastTime: string };
	isFiat: boolean;
}

function compareWithBook(empty: EmptyProof, compared: Compared): AssetProof {
	// The balance of a currency shows two decimals only, that of a coin all.
	const { movements, findings, last, reading, isFiat: isRounded } = compared;
	const counted = findings.entries.filter((entry) => counts(entry, reading));
	const booked = sumOf(counted.map(({ amount }) => amount));
	const difference = subtract(empty.closing, add(last.balance, booked));
	const standing = standingOf(findings.unanswered, reading);
	const earlier = last.notExplained;
	const comparison: Comparison = { reading, findings, counted, standing, isRounded, earlier };
	const candidates = candidatesOf(comparison);
	const judged = judgeDifference(difference, candidates, comparison);
	const memory = last.open === undefined ? [LINE.memoryUnreadable] : [];
	const proof = {
		...empty,
		booked,
		difference: judged.difference,
		verdict: judged.verdict,
		notExplained: judged.notExplained?.amount ?? '',
		since: judged.notExplained?.since ?? '',
		lines: linesOf(reading.asset, candidates, judged),
		notes: [...memory, ...notesOf(comparison, judged), ...stillOpen(movements, reading)],
		causes: (judged.explanation.found[0] ?? []).map(({ key }) => key),
	};
	return { proof, entries: counted, open: openAfter(comparison, judged) };
}

/**
 * Whether this proof counts an entry: what happened since the proof from which it starts and until the balance was read, payments that
 * waited and are made by their row now, and rows whose amount a person has written since then. What was counted never counts again.
 */
function counts(
	{ name, time, isKnown }: Entry,
	{ lastTime, now, open }: Reading & { lastTime: string },
): boolean {
	if (isKnown || time > now) return false;
	return time > lastTime || open.ofPayment(name)?.type === 'waits' || open.wasUnread(name);
}
