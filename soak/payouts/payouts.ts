/** The payouts of a round and their faults, what the user is told, and what is wrong if the service did something else. */
import fc from 'fast-check';
import type { Execution, Item, Json } from '../../host/n8n/client.ts';
import { tally } from '../../host/testkit/lists.ts';
import { PAY_OUT } from '../../host/testkit/payments.ts';
import { SEED } from '../../host/testkit/random.ts';
import type { Payout as Accepted } from '../../sandbox/ledger/records.ts';
import { amount } from '../shared/amounts.ts';
import { judged, type PaymentFigures } from '../shared/figures.ts';

/** Milliseconds that the node waits for an answer. */
export const TIMEOUT_MS = 1000;
/** Milliseconds that a delayed answer takes. */
const DELAY_MS = 2000;

interface Fault {
	/** For the sandbox's control; none if the connection is refused. */
	control?: Json;
	/** Whether the service pays. */
	acted: boolean;
	/** Whether the node cannot know that. */
	unknown: boolean;
}

/** Nothing listens, so no request is made. */
export const REFUSED = 'refused';
export const NONE = 'none';

/** By the name in the table of results. A fault meets the first request for a payout. */
export const FAULTS: Record<string, Fault> = {
	[REFUSED]: { acted: false, unknown: false },
	dropBefore: { control: { dropBefore: true }, acted: false, unknown: true },
	dropAfter: { control: { dropAfter: true }, acted: true, unknown: true },
	delay: { control: { delayMs: DELAY_MS }, acted: true, unknown: true },
	'HTTP 500, a page': { control: { status: 500 }, acted: false, unknown: true },
	'HTTP 500, but paid': { control: { status: 500, acted: true }, acted: true, unknown: true },
	'HTTP 200, a page': { control: { malformed: true }, acted: true, unknown: true },
	'HTTP 401': { control: { status: 401 }, acted: false, unknown: false },
	'HTTP 409': { control: { status: 409 }, acted: false, unknown: true },
	'HTTP 422': { control: { status: 422 }, acted: false, unknown: false },
	'HTTP 429': { control: { status: 429, retryAfter: 1 }, acted: false, unknown: false },
};

export interface Round {
	name: string;
	payouts: number;
	/** The share of them that meets a fault, 0 to 1; each kind of fault is equally frequent. */
	share: number;
}

export interface Payout {
	amount: string;
	fault: string;
	/** The fault that each request for it met, oldest first. */
	requests: string[];
	told: Statement[];
	/** An execution has come to it and says nothing of it. */
	isPassedOver: boolean;
}

/** What an execution says of a payout. */
interface Statement {
	outcome: 'item' | 'executed' | 'unknown' | 'rejected' | 'notSent';
	id?: string;
	amount?: string;
}

/** Makes payouts of different amounts of up to 38 digits; the faults are in random order. */
export function makePayouts({ payouts, share }: Round): Payout[] {
	const kinds = Object.keys(FAULTS);
	const hit = Math.round(payouts * share);
	const faults = Array.from({ length: payouts }, (_, index) =>
		index < hit ? kinds[index % kinds.length]! : NONE,
	);
	const all = { minLength: payouts, maxLength: payouts };
	const drawn = fc.tuple(fc.uniqueArray(amount, { ...all, size: 'max' }), fc.shuffledSubarray(faults, all));
	return fc.sample(drawn, { seed: SEED, numRuns: 1 }).flatMap(([amounts, order]) =>
		amounts.map((text, index) => ({
			amount: text,
			fault: order[index]!,
			requests: [],
			told: [],
			isPassedOver: false,
		})),
	);
}

/** Whether its first request is still to come, and must find nothing listening. */
export function isToBeRefused({ fault, requests }: Payout): boolean {
	return fault === REFUSED && requests.length === 0;
}

/** Whether the user believes that it was not made, and so pays it again. */
export function isToBePaid({ told }: Payout): boolean {
	return told.every(({ outcome }) => outcome === 'rejected' || outcome === 'notSent');
}

/** As the node describes a failure. */
interface ErrorContext {
	itemIndex: number;
	outcome: 'unknown' | 'rejected' | 'notSent';
	executed?: Array<{ itemIndex: number; id: string; amount: string }>;
}

/** Adds what a stored execution says to the payouts of its batch. `stops`: whether the node stops at a failure. */
export function readStatements({ data: { resultData } }: Execution, batch: Payout[], stops: boolean): void {
	const named = new Set<number>();
	const tell = (index: number, statement: Statement) => {
		named.add(index);
		batch[index]!.told.push(statement);
	};
	const outputs = (resultData.runData[PAY_OUT] ?? []).flatMap((nodeRun) => nodeRun.data?.main ?? []);
	for (const { json, pairedItem } of outputs.flatMap((items) => items ?? [])) {
		const error = json.error as Pick<Statement, 'outcome'> | undefined;
		const paid = { outcome: 'item' as const, id: String(json.payoutId), amount: String(json.amount) };
		tell(indexOf(pairedItem), error === undefined ? paid : { outcome: error.outcome });
	}
	const context = resultData.error?.context as ErrorContext | undefined;
	if (context !== undefined) {
		tell(context.itemIndex, { outcome: context.outcome });
		for (const { itemIndex, id, amount: text } of context.executed ?? [])
			tell(itemIndex, { outcome: 'executed', id, amount: text });
	}
	// A node that stops says nothing about the items after the failure, because they were not started.
	const last = stops ? Math.max(-1, ...named) : batch.length - 1;
	for (const [index, payout] of batch.entries())
		if (index <= last && !named.has(index)) payout.isPassedOver = true;
}

function indexOf(pairedItem: Item['pairedItem']): number {
	const link = (Array.isArray(pairedItem) ? pairedItem[0] : pairedItem) as { item: number } | number;
	return typeof link === 'number' ? link : link.item;
}

/** `unrequested`: amounts in requests that no payout has. */
export function compareWithService(
	{ name }: Round,
	payouts: Payout[],
	accepted: Accepted[],
	unrequested: string[],
): PaymentFigures {
	const byAmount = Map.groupBy(accepted, (one) => one.amount);
	const idsOf = (payout: Payout) => (byAmount.get(payout.amount) ?? []).map(({ payout_id }) => payout_id);
	const isPaid = (payout: Payout) => byAmount.has(payout.amount);
	const isNamedUnknown = ({ told }: Payout) => told.some(({ outcome }) => outcome === 'unknown');
	const wrong = {
		'accepted and not visible': payouts.filter(
			(payout) =>
				!isNamedUnknown(payout) && idsOf(payout).some((id) => payout.told.every((said) => said.id !== id)),
		),
		'paid twice, or sent again when it could have been paid': payouts.filter(
			(payout) => idsOf(payout).length > 1 || payout.requests.slice(0, -1).some(mayHavePaid),
		),
		'told with wrong digits': payouts.filter((payout) =>
			payout.told.some((said) => said.amount !== undefined && said.amount !== payout.amount),
		),
		'neither paid nor named': payouts.filter((payout) => isToBePaid(payout) || payout.isPassedOver),
		'paid or not against the nature of its fault': payouts.filter(
			(payout) => isPaid(payout) !== isPaidInTheEnd(payout.fault),
		),
		'not hit by its fault': payouts.filter(({ fault, requests }) => fault !== NONE && requests[0] !== fault),
	};
	const wanted = new Set(payouts.map((payout) => payout.amount));
	const unwanted = [...[...byAmount.keys()].filter((text) => !wanted.has(text)), ...unrequested];
	const told = payouts.flatMap((payout) => [...new Set(payout.told.map(({ outcome }) => outcome))]);
	const faults = Object.values(wrong).flatMap((found) => found.map(({ fault }) => fault));
	return judged(
		{
			what: name,
			asked: payouts.length,
			paid: payouts.filter(isPaid).length,
			paidTwice: wrong['paid twice, or sent again when it could have been paid'].length,
			unaccounted: wrong['neither paid nor named'].length,
			more: `told: ${tally(told)}; faults of the wrong ones: ${tally(faults)}`,
		},
		{
			...Object.fromEntries(Object.entries(wrong).map(([what, found]) => [what, found.length])),
			'amounts of no payout': unwanted.length,
		},
	);
}

/** A payout that the node reports as not made is paid later; an unknown one is not sent again. */
function isPaidInTheEnd(kind: string): boolean {
	const fault = FAULTS[kind];
	return fault === undefined || fault.acted || !fault.unknown;
}

function mayHavePaid(kind: string): boolean {
	return FAULTS[kind]?.unknown ?? true;
}
