/** What balances today a part of an earlier difference. */
import { add, negate } from '../../../../api/exact/decimal.ts';
import type { Candidate, Comparison } from './candidate.ts';
import type { Entry } from './findings.ts';
import { addTo } from '../../values/groups.ts';
import type { OpenPart } from './openParts.ts';
import { CLOSING } from './messages.ts';
import { setsOf, sumOf } from './sets.ts';
import { differencesWithoutRow } from './standing.ts';

interface Rows {
	counted: Entry[];
	countedByName: Map<string, Entry[]>;
	/** Payments that are made by their row now, and whose row is older than the last proof. */
	madeByName: Map<string, Entry>;
	isRounded: boolean;
}

/** One candidate at most for each open part. */
export function closingsOf(comparison: Comparison): Candidate[] {
	const { reading, counted, standing, isRounded } = comparison;
	const rows: Rows = { counted, countedByName: new Map(), madeByName: new Map(), isRounded };
	for (const entry of counted) addTo(rows.countedByName, entry.name, entry);
	for (const entry of olderPayments(comparison)) rows.madeByName.set(entry.name, entry);
	const differences = new Set(differencesWithoutRow(reading).filter((part) => !standing.taken.has(part)));
	const parts = reading.open.all.filter((part) => part.type !== 'none' || differences.has(part));
	return parts.map((part) => closingOf(part, rows)).filter((each) => each !== undefined);
}

/** Payments that are made, and that this proof does not count. */
function olderPayments({ findings, reading }: Comparison): Entry[] {
	const isPayment = ({ kind }: Entry) => kind === 'payout' || kind === 'conversion';
	return findings.entries.filter((entry) => isPayment(entry) && entry.time <= reading.lastTime);
}

function closingOf(part: OpenPart, rows: Rows): Candidate | undefined {
	const { type, name, amount, since } = part;
	const own = rows.countedByName.get(name) ?? [];
	const made = rows.madeByName.get(name);
	const common = { key: name, name, closes: part };
	switch (type) {
		case 'late':
			return { ...common, amount: negate(amount), words: CLOSING.late(part) };
		case 'unclear':
			if (made !== undefined)
				return { ...common, amount, words: CLOSING.waited({ words: made.words, since }) };
			return closingOfUnclear(part, own);
		case 'early':
			return closingByRows(part, own, rows.isRounded);
		case 'none':
			return closingByRows(part, rows.counted, rows.isRounded);
		case 'waits':
		case 'gone':
		case 'sent':
		case 'unread':
			return undefined;
	}
}

/** It counts today, and may have moved the balance before. */
function closingOfUnclear(part: OpenPart, own: Entry[]): Candidate | undefined {
	const [first] = own;
	if (first === undefined) return undefined;
	const amount = negate(sumOf(own.map((entry) => entry.amount)));
	const words = CLOSING.wasUnclear({ words: first.words, since: part.since });
	return { key: part.name, name: part.name, closes: part, amount, words };
}

/** Rows that count today, and that were the earlier difference. Their fees may never be reported. */
function closingByRows(part: OpenPart, entries: Entry[], isRounded: boolean): Candidate | undefined {
	const amounts = entries.map(({ amount }) => amount);
	const withFees = entries.map(({ amount, feeToCome }) => add(amount, feeToCome));
	const [places] = [...setsOf(amounts, part.amount, isRounded), ...setsOf(withFees, part.amount, isRounded)];
	if (places === undefined) return undefined;
	const chosen = places.map((place) => entries[place] as Entry);
	return {
		key: part.name === '' ? '' : (chosen[0]?.key ?? ''),
		name: part.name,
		closes: part,
		amount: negate(sumOf(chosen.map(({ amount }) => amount))),
		words: CLOSING.early({ words: chosen.map(({ words }) => words), since: part.since }),
	};
}
