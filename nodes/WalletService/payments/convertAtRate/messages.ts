/** What the choice of a contract says to a person. Amounts and rates are decimal text. */
import { sentences } from '../../../../api/texts.ts';
import type { Texts } from '../../../../api/texts.ts';
import { counted, oneLine, readableAmount } from '../../../shared/text.ts';

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

/** Why no contract is chosen. */
export const NO_CONTRACT = {
	exists: ({ pair, direction }: Texts<'pair' | 'direction'>) =>
		sentences(
			`There is no usable contract ${oneLine(pair)} with the direction ${oneLine(direction)}.`,
			NOTHING_WAS_SENT,
			'Look at the contracts of the service.',
		),
	reachesRate: ({ pair, best, wanted }: Texts<'pair' | 'best' | 'wanted'>) =>
		sentences(
			`The best rate ${oneLine(pair)} is ${readableAmount(best)} after the fee.`,
			`Wanted is ${readableAmount(wanted)} or more.`,
			NOTHING_WAS_SENT,
			'Wait for a better rate, or lower Minimum Rate.',
		),
	isNearBid: ({ pair, best, bid, share }: Texts<'pair' | 'best' | 'bid' | 'share'>) =>
		sentences(
			`The best rate ${oneLine(pair)} is ${readableAmount(best)} after the fee.`,
			`It is further below the published bid of ${readableAmount(bid)} than Most Below Bid (${share}) allows.`,
			NOTHING_WAS_SENT,
			'Wait for a better rate, or ask the service about its contracts.',
		),
	hasEnough: ({ from, most, wanted }: Texts<'from' | 'most' | 'wanted'>) =>
		sentences(
			'No contract with this rate has enough left:',
			`the most is ${readableAmount(most)} ${oneLine(from)}, and ${readableAmount(wanted)} are wanted.`,
			NOTHING_WAS_SENT,
			'Wait until a contract has more, or convert less.',
		),
};

/** Why the published bid, which a rate must not be far below, cannot be looked at. */
export const BID = {
	isNotPublished: ({ pair }: Texts<'pair'>) =>
		sentences(
			`The service publishes no rate ${oneLine(pair)}, so Most Below Bid cannot be checked.`,
			NOTHING_WAS_SENT,
			'Look at the rates of the service, or remove Most Below Bid.',
		),
	isUnreadable: ({ pair }: Texts<'pair'>) =>
		sentences(
			`The published bid ${oneLine(pair)} cannot be read, so Most Below Bid cannot be checked.`,
			NOTHING_WAS_SENT,
			'Look at the rates of the service.',
		),
};

/** Contracts of the pair that were not used. */
export const SKIPPED = {
	unreadable: (count: number) =>
		`${wereSkipped(count)} because ${count === 1 ? 'its' : 'their'} ID, rate, fee, amount or direction cannot be read.`,
	withSameId: (count: number) => `${wereSkipped(count)} because another contract has the same ID.`,
	withOtherDirection: (count: number) => `${wereSkipped(count)} because of another direction.`,
};

function wereSkipped(count: number): string {
	return `${counted(count, 'contract')} ${count === 1 ? 'was' : 'were'} skipped`;
}
