/** Chooses the contract of a conversion. */
import type { IDataObject } from 'n8n-workflow';

import { canonical, compare, divide, multiply, placesOf, subtract } from '../../../../api/exact/decimal.ts';
import { BID, contractWithRate, DOUBTFUL, NO_CONTRACT, problemOf, SETTING, SKIPPED } from './messages.ts';
import type { Reason } from './messages.ts';
import { bidsOf, doubtsOf } from './published.ts';
import type { Doubt } from './published.ts';
import { CONTRACT_SETTINGS, MINIMUM_RATE } from '../../input/convertAtRate.ts';
import { isAmount, isShare } from './listed.ts';
import { readContracts } from './readContracts.ts';
import type { Contract, ContractsOfPair, ConversionSettings } from './readContracts.ts';

export interface WantedConversion {
	/** Simplified items of Get Contracts. */
	contracts: readonly IDataObject[];
	/** Simplified items of Get Rates. */
	rates?: readonly IDataObject[];
	/** Codes. */
	from: string;
	to: string;
	/** Decimal text above zero, in `from`. */
	amount: string;
	/** Decimal text above zero: what one unit must bring after the fee. */
	minimumRate: string;
	settings: ConversionSettings;
	/** ISO 8601 in UTC. */
	now: string;
}

/**
 * Rates are decimal text: `rate` is what one unit brings after the fee, `listedRate` is as the service lists it, `leastRate` is the
 * lowest that would have been chosen.
 */
export interface ChosenContract {
	contractId: string;
	rate: string;
	listedRate: string;
	leastRate: string;
	/** Which contracts were not looked at because nobody gets their rates, in sentences. */
	skipped?: string;
}

/** Why none can be used, in sentences for a person, and the best rate after the fee that there is. */
export interface NoContract {
	problem: string;
	bestRate?: string;
	/** Nothing is wrong: the service may have a contract for it later. */
	waits?: true;
}

export type BestContract = ChosenContract | NoContract;

/**
 * The contract that is best after its fee, reaches the wanted rate and has enough left for the whole amount. Of equally good ones,
 * the one that has more left; then the first by its ID. It says nothing about the rate that the service will apply.
 */
export function bestContract(wanted: WantedConversion): BestContract {
	const problem = problemOfSettings(wanted);
	if (problem !== undefined) return { problem };
	const doubtOf = doubtsOf(wanted.rates ?? [], wanted, wanted.now);
	const found = readContracts(wanted.contracts, wanted, wanted.settings, doubtOf);
	const doubts = sentencesOfDoubts(found);
	const choice = choose([...found.usable].sort(byRank), wanted, doubts.length > 0);
	if ('contractId' in choice) return doubts.length === 0 ? choice : { ...choice, skipped: doubts.join(' ') };
	const { reason, ...more } = choice;
	return { problem: problemOf(reason, [...sentencesOfSkipped(found), ...doubts]), ...more };
}

/** Why none is chosen. */
type Refused = { reason: Reason } & Omit<NoContract, 'problem'>;

/** Chooses among usable contracts, the best one first. */
function choose(
	ranked: readonly Contract[],
	wanted: WantedConversion,
	areOthersDoubtful: boolean,
): ChosenContract | Refused {
	const words = { pair: pairOf(wanted), direction: wanted.settings.direction };
	const [best] = ranked;
	if (best === undefined && areOthersDoubtful) return { reason: NO_CONTRACT.isBelievable(words) };
	if (best === undefined) return { reason: NO_CONTRACT.exists(words), waits: true };
	const bestRate = canonical(best.rate);
	const floor = floorOf(wanted);
	if ('reason' in floor) return { ...floor, bestRate };
	const good = ranked.filter(({ rate }) => compare(rate, floor.rate) >= 0);
	if (good.length === 0) return { reason: reasonOfRate(best, wanted, floor), bestRate, waits: true };
	const chosen = good.find((contract) => compare(roomOf(contract, wanted), wanted.amount) >= 0);
	if (chosen === undefined) return { reason: reasonOfRoom(good, wanted), bestRate, waits: true };
	const { contractId, rate, listedRate } = chosen;
	return { contractId, rate: canonical(rate), listedRate, leastRate: floor.rate };
}

/** The lowest rate that may be used, and the published bid that it follows from, if it does. */
interface Floor {
	rate: string;
	bid?: string;
}

/** What is wrong with the first setting that cannot be used. The node has checked most of them before. */
function problemOfSettings({
	from,
	to,
	amount,
	minimumRate,
	settings,
}: WantedConversion): string | undefined {
	if (isEmpty(from)) return SETTING.isEmpty({ label: 'From' });
	if (isEmpty(to)) return SETTING.isEmpty({ label: 'To' });
	if (!isAmount(amount)) return SETTING.isNotAmount({ label: 'Amount' });
	if (!isAmount(minimumRate)) return SETTING.isNotAmount({ label: MINIMUM_RATE.label });
	if (!['takenOff', 'included'].includes(settings.feeIs))
		return SETTING.isNotChoice({ label: CONTRACT_SETTINGS.feeIs.label, choices: 'takenOff or included' });
	if (!['from', 'to'].includes(settings.availableIn))
		return SETTING.isNotChoice({ label: CONTRACT_SETTINGS.availableIn.label, choices: 'from or to' });
	if (isEmpty(settings.direction)) return SETTING.isEmpty({ label: CONTRACT_SETTINGS.direction.label });
	if (settings.mostBelowBid !== undefined && !isShare(settings.mostBelowBid))
		return SETTING.isNotShare({ label: CONTRACT_SETTINGS.mostBelowBid.label });
	return undefined;
}

function isEmpty(text: unknown): boolean {
	return typeof text !== 'string' || text.trim() === '';
}

/** The best rate first, then the one that has more left, then the first ID. */
function byRank(one: Contract, other: Contract): number {
	return (
		compare(other.rate, one.rate) ||
		compare(other.amountAvailable, one.amountAvailable) ||
		(one.contractId < other.contractId ? -1 : 1)
	);
}

/** The wanted rate, or what is just near enough to the published bid, if that is higher. */
function floorOf(wanted: WantedConversion): Floor | { reason: Reason } {
	const { mostBelowBid } = wanted.settings;
	if (mostBelowBid === undefined) return { rate: wanted.minimumRate };
	const pair = pairOf(wanted);
	const bids = bidsOf(wanted.rates ?? [], wanted, wanted.now);
	if (bids.length === 0) return { reason: BID.isNotPublished({ pair }) };
	let floor: Floor = { rate: wanted.minimumRate };
	for (const bid of bids) {
		if (bid === 'not readable') return { reason: BID.isUnreadable({ pair }) };
		if ('tooOld' in bid) return { reason: BID.isTooOld({ pair, time: bid.tooOld }) };
		const rate = multiply(bid.bid, subtract('1', mostBelowBid));
		if (compare(rate, floor.rate) > 0) floor = { rate, bid: bid.bid };
	}
	return floor;
}

/**
 * The most that a contract can convert, in the currency that is given, with as many decimal places as the wanted amount. It counts
 * with the listed rate, before the fee: so it may be less than there is, and never more.
 */
function roomOf(contract: Contract, { amount, settings }: WantedConversion): string {
	return settings.availableIn === 'to'
		? divide(contract.amountAvailable, contract.listedRate, placesOf(amount))
		: contract.amountAvailable;
}

function reasonOfRate(best: Contract, wanted: WantedConversion, { bid }: Floor): Reason {
	const words = { pair: pairOf(wanted), best: canonical(best.rate) };
	const { minimumRate, settings } = wanted;
	const isOnlyFarFromBid = compare(best.rate, minimumRate) >= 0 && bid !== undefined;
	return isOnlyFarFromBid
		? NO_CONTRACT.isNearBid({ ...words, bid, share: settings.mostBelowBid ?? '' })
		: NO_CONTRACT.reachesRate({ ...words, wanted: minimumRate });
}

function reasonOfRoom(good: readonly Contract[], wanted: WantedConversion): Reason {
	const rooms = good.map((contract) => roomOf(contract, wanted));
	const most = rooms.reduce((one, other) => (compare(one, other) >= 0 ? one : other));
	return NO_CONTRACT.hasEnough({ from: wanted.from, most: canonical(most), wanted: wanted.amount });
}

/** Which contracts of the pair cannot be used. */
function sentencesOfSkipped({ unreadable, withSameId, withOtherDirection }: ContractsOfPair): string[] {
	const said: string[] = [];
	if (unreadable > 0) said.push(SKIPPED.unreadable(unreadable));
	if (withSameId > 0) said.push(SKIPPED.withSameId(withSameId));
	if (withOtherDirection > 0) said.push(SKIPPED.withOtherDirection(withOtherDirection));
	return said;
}

/** Which contracts of the pair have rates that nobody gets. */
function sentencesOfDoubts({ doubtful }: ContractsOfPair): string[] {
	return Object.entries(doubtful)
		.filter(([, contracts]) => contracts.length > 0)
		.map(([doubt, contracts]) =>
			DOUBTFUL[doubt as Doubt](
				contracts.map(({ contractId, listedRate }) => contractWithRate({ contractId, rate: listedRate })),
			),
		);
}

function pairOf({ from, to }: WantedConversion): string {
	return `from ${from} to ${to}`;
}
