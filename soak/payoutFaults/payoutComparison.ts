/** Compares what the user was told with what the service paid. */
import { tableOf } from '../shared/table.ts';
import { FAULTS, NONE } from './faultTable.ts';
import type { Payout } from './payoutBatches.ts';

/** A payout that the service accepted, as the service lists it. */
export interface Accepted {
	payout_id: string;
	amount: string;
}

/** One line of the table, in numbers of payouts. */
export interface Line {
	fault: string;
	asked: number;
	/** As the service lists them. */
	accepted: number;
	/** How many the service accepts by the kind of fault. */
	expected: number;
	inItems: number;
	inExecuted: number;
	namedUnknown: number;
	/** Accepted, and neither in items nor in `executed` nor named as unknown. */
	unseen: number;
	/** Accepted twice, or sent again when it was or could have been accepted. */
	sentTwice: number;
	wrongDigits: number;
	/** An execution said nothing about it, or it was neither paid nor named in the end. */
	unaccounted: number;
}

/** The figures that must be 0. */
const LOSSES = ['unseen', 'sentTwice', 'wrongDigits', 'unaccounted'] as const;

/** Describes the missed targets. */
export function missed(lines: Line[]): string[] {
	return lines.flatMap((line) => [
		...(line.accepted === line.expected
			? []
			: [`${line.fault}: ${line.accepted} of ${line.asked} accepted instead of ${line.expected}`]),
		...LOSSES.filter((figure) => line[figure] > 0).map(
			(figure) => `${line.fault}: ${line[figure]} ${figure}`,
		),
	]);
}

/**
 * Returns a line for each kind of fault and one for all. `unrequested`: amounts in requests that no payout has; they count as wrong
 * digits.
 */
export function compareWithService(payouts: Payout[], accepted: Accepted[], unrequested: string[]): Line[] {
	const idsOf = new Map<string, string[]>();
	for (const { amount, payout_id } of accepted) idsOf.set(amount, [...(idsOf.get(amount) ?? []), payout_id]);
	const lines = [...Object.keys(FAULTS), NONE].map((kind) => {
		const hit = payouts.filter(({ fault }) => fault === kind);
		return lineOf(kind, hit, idsOf);
	});
	const all = lineOf('all', payouts, idsOf);
	const known = new Set(payouts.map(({ amount }) => amount));
	const unknown = accepted.filter(({ amount }) => !known.has(amount)).length + unrequested.length;
	return [...lines.filter(({ asked }) => asked > 0), { ...all, wrongDigits: all.wrongDigits + unknown }];
}

function lineOf(fault: string, payouts: Payout[], idsOf: Map<string, string[]>): Line {
	const count = (matches: (payout: Payout, ids: string[]) => boolean) =>
		payouts.filter((payout) => matches(payout, idsOf.get(payout.amount) ?? [])).length;
	return {
		fault,
		asked: payouts.length,
		accepted: count((_, ids) => ids.length > 0),
		expected: count((payout) => isExpectedToBePaid(payout.fault)),
		inItems: count(({ reported }) => reported.has('item')),
		inExecuted: count(({ reported }) => reported.has('executed')),
		namedUnknown: count(({ reported }) => reported.has('unknown')),
		unseen: count(
			({ reported, ids: known }, ids) => !reported.has('unknown') && ids.some((id) => !known.has(id)),
		),
		sentTwice: count(({ requests }, ids) => ids.length > 1 || requests.slice(0, -1).some(mayHavePaid)),
		wrongDigits: count(({ wrongDigits }) => wrongDigits),
		unaccounted: count(({ reported, unreported, fault: planned, requests }) => {
			const wasHit = planned === NONE || requests[0] === planned;
			return unreported || reported.size === 0 || !wasHit;
		}),
	};
}

/** A payout that the node reports as not made is paid later; an unknown one is not sent again. */
function isExpectedToBePaid(kind: string): boolean {
	const fault = FAULTS[kind];
	return fault === undefined || fault.acted || !fault.unknown;
}

function mayHavePaid(kind: string): boolean {
	return FAULTS[kind]?.unknown ?? true;
}

const COLUMNS: Array<[keyof Line, string]> = [
	['fault', 'fault'],
	['asked', 'asked'],
	['accepted', 'accepted'],
	['inItems', 'in items'],
	['inExecuted', 'in executed'],
	['namedUnknown', 'named unknown'],
	['unseen', 'accepted, not visible'],
	['sentTwice', 'sent twice'],
	['wrongDigits', 'wrong digits'],
	['unaccounted', 'unaccounted'],
];

export function tableOfPayouts(lines: Line[]): string {
	return tableOf(COLUMNS, lines);
}
