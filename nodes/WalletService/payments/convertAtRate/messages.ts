/** What the choice of a contract says to a person. Amounts and rates are decimal text. */
import { sentences } from '../../../../api/texts.ts';
import type { Texts } from '../../../../api/texts.ts';
import { counted, enumerated, oneLine, readableAmount, shortLine } from '../../../shared/text.ts';

/** An earlier run may have converted: nothing is said about that. */
const NOTHING_WAS_SENT = 'Nothing was sent now.';
const CORRECT_IT = `${NOTHING_WAS_SENT} Correct it in this node.`;

/** A setting that cannot be used. */
export const SETTING = {
	isNotAmount: ({ label }: Texts<'label'>) =>
		`${label} is not a number above zero such as 1540.25. ${CORRECT_IT}`,
	isNotShare: ({ label }: Texts<'label'>) =>
		`${label} is not a number from 0 to less than 1, such as 0.01 for one percent. ${CORRECT_IT}`,
	isNotChoice: ({ label, choices }: Texts<'label' | 'choices'>) =>
		`${label} is not ${choices}. ${CORRECT_IT}`,
	isEmpty: ({ label }: Texts<'label'>) => `${label} is empty. ${CORRECT_IT}`,
};

/** Why no contract is chosen, and what to do about it. */
export interface Reason {
	cause: string;
	action: string;
}

/** The reason with the contracts that were skipped, in sentences. */
export const problemOf = ({ cause, action }: Reason, skipped: readonly string[]) =>
	sentences(cause, ...skipped, NOTHING_WAS_SENT, action);

export const NO_CONTRACT = {
	exists: ({ pair, direction }: Texts<'pair' | 'direction'>): Reason => ({
		cause: `There is no usable contract ${oneLine(pair)} with the direction ${oneLine(direction)}.`,
		action: 'Look at the contracts of the service.',
	}),
	isBelievable: ({ pair, direction }: Texts<'pair' | 'direction'>): Reason => ({
		cause: `There is no usable contract ${oneLine(pair)} with the direction ${oneLine(direction)}.`,
		action: 'Ask the service which rate is meant.',
	}),
	reachesRate: ({ pair, best, wanted }: Texts<'pair' | 'best' | 'wanted'>): Reason => ({
		cause: sentences(
			`The best rate ${oneLine(pair)} is ${readableAmount(best)} after the fee.`,
			`Wanted is ${readableAmount(wanted)} or more.`,
		),
		action: 'Wait for a better rate, or lower Minimum Rate.',
	}),
	isNearBid: ({ pair, best, bid, share }: Texts<'pair' | 'best' | 'bid' | 'share'>): Reason => ({
		cause: sentences(
			`The best rate ${oneLine(pair)} is ${readableAmount(best)} after the fee.`,
			`It is further below the published bid of ${readableAmount(bid)} than Most Below Bid (${share}) allows.`,
		),
		action: 'Wait for a better rate, or ask the service about its contracts.',
	}),
	hasEnough: ({ from, most, wanted }: Texts<'from' | 'most' | 'wanted'>): Reason => ({
		cause: sentences(
			'No contract with this rate has enough left:',
			`the most is ${readableAmount(most)} ${oneLine(from)}, and ${readableAmount(wanted)} are wanted.`,
		),
		action: 'Wait until a contract has more, or convert less.',
	}),
};

/** Why the published bid, which a rate must not be far below, cannot be looked at. */
export const BID = {
	isNotPublished: ({ pair }: Texts<'pair'>): Reason => ({
		cause: `The service publishes no rate ${oneLine(pair)}, so Most Below Bid cannot be checked.`,
		action: 'Look at the rates of the service, or remove Most Below Bid.',
	}),
	isUnreadable: ({ pair }: Texts<'pair'>): Reason => ({
		cause: `The published bid ${oneLine(pair)}, or its time, cannot be read, so Most Below Bid cannot be checked.`,
		action: 'Look at the rates of the service.',
	}),
	isTooOld: ({ pair, time }: Texts<'pair' | 'time'>): Reason => ({
		cause: `The published bid ${oneLine(pair)} of ${shortLine(time, 40)} is too old, so Most Below Bid cannot be checked.`,
		action: 'Ask the service for its rate of today.',
	}),
};

/** A contract with its listed rate, as in `ic_7 (1,600)`. */
export const contractWithRate = ({ contractId, rate }: Texts<'contractId' | 'rate'>) =>
	`${shortLine(contractId, 60)} (${readableAmount(rate)})`;

/** Contracts of the pair that were not used. */
export const SKIPPED = {
	unreadable: (count: number) =>
		`${wereSkipped(count)} because ${count === 1 ? 'its' : 'their'} ID, rate, fee, amount or direction cannot be read.`,
	withSameId: (count: number) => `${wereSkipped(count)} because another contract has the same ID.`,
	withOtherDirection: (count: number) => `${wereSkipped(count)} because of another direction.`,
};

/** Contracts whose rates nobody gets, with their rates. */
export const DOUBTFUL = {
	isOtherWayRound: (contracts: readonly string[]) => becauseOfRates(contracts, 'given the other way round'),
	isFarAbove: (contracts: readonly string[]) =>
		becauseOfRates(contracts, 'more than twice the published one'),
	isFarBelow: (contracts: readonly string[]) =>
		becauseOfRates(contracts, 'less than half of the published one'),
};

function becauseOfRates(contracts: readonly string[], reason: string): string {
	const rates = contracts.length === 1 ? 'its rate is' : 'their rates are';
	return `${wereSkipped(contracts.length)} because ${rates} ${reason}: ${enumerated(contracts, { most: 3 })}.`;
}

function wereSkipped(count: number): string {
	return `${counted(count, 'contract')} ${count === 1 ? 'was' : 'were'} skipped`;
}
