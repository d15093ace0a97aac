/** What the service publishes for a pair of currencies, as far as it can be trusted. */
import type { IDataObject } from 'n8n-workflow';

import { compare, multiply } from '../../../../api/exact/decimal.ts';
import { isAmount, isCode } from './listed.ts';
import type { Pair } from './listed.ts';

const HOUR = 3_600_000;
/** Published rates may stand still over holidays, and not for longer. */
const OLDEST = 7 * 24 * HOUR;
/** Clocks differ, and not by more. */
const FURTHEST_AHEAD = 24 * HOUR;

/** A bid is decimal text. `at` is what the service says of its age. */
export type Bid = { bid: string } | { tooOld: string } | 'not readable';

/** The bids of the pair. `now` is in ISO 8601. */
export function bidsOf(rates: readonly IDataObject[], pair: Pair, now: string): Bid[] {
	return ratesOf(rates, pair).map(({ bid, lastUpdated }) => {
		const age = ageOf(lastUpdated, now);
		if (!isAmount(bid) || Number.isNaN(age) || age < -FURTHEST_AHEAD) return 'not readable';
		return age > OLDEST ? { tooOld: String(lastUpdated) } : { bid };
	});
}

/** A rate of the pair, multiplied by `times`, should be about `about`. Both are decimal text. */
interface Measure {
	times: string;
	about: string;
}

/**
 * Why a listed rate is not what one gets. The other way round, it is the price of the other currency: 1,600 where 0.000625 is meant.
 */
export type Doubt = 'isFarAbove' | 'isFarBelow' | 'isOtherWayRound';

/**
 * How many times better or worse than the published rate a rate may be. Markets with two rates reach 1.7, and a lost point is 10.
 */
const MOST_TIMES = '2';
/** How many times the wanted rate a rate is that may be the other way round, if the service publishes none. */
const OTHER_SIDE = '100';

/** Gives the doubt about a listed rate of the pair. Undefined: there is none, or nothing is published to compare it with. */
export function doubtsOf(
	rates: readonly IDataObject[],
	pair: Pair & { minimumRate: string },
	now: string,
): (rate: string) => Doubt | undefined {
	const measures = measuresOf(rates, pair, now);
	const wanted: Measure = { times: '1', about: pair.minimumRate };
	return (rate) => {
		const far = measures.find((measure) => !isNear(multiply(rate, measure.times), measure.about));
		if (far !== undefined) return kindOfDoubt(rate, far);
		const isFarAboveWanted = compare(rate, multiply(wanted.about, OTHER_SIDE)) >= 0;
		const isDoubtful = measures.length === 0 && isFarAboveWanted && isReciprocal(rate, wanted);
		return isDoubtful ? 'isOtherWayRound' : undefined;
	};
}

/** A bid is what one gets for the base currency; an ask is what one pays for it, so that its reciprocal is what one gets. */
function measuresOf(rates: readonly IDataObject[], { from, to }: Pair, now: string): Measure[] {
	const fresh = rates.filter(({ lastUpdated }) => {
		const age = ageOf(lastUpdated, now);
		return age >= -FURTHEST_AHEAD && age <= OLDEST;
	});
	const bids = ratesOf(fresh, { from, to }).map(({ bid }) => bid);
	const asks = ratesOf(fresh, { from: to, to: from }).map(({ ask }) => ask);
	return [
		...bids.filter(isAmount).map((about) => ({ times: '1', about })),
		...asks.filter(isAmount).map((times) => ({ times, about: '1' })),
	];
}

function kindOfDoubt(rate: string, measure: Measure): Doubt {
	if (isReciprocal(rate, measure)) return 'isOtherWayRound';
	return compare(multiply(rate, measure.times), measure.about) > 0 ? 'isFarAbove' : 'isFarBelow';
}

function isReciprocal(rate: string, { times, about }: Measure): boolean {
	return isNear(multiply(rate, about), times);
}

function isNear(one: string, other: string): boolean {
	return compare(one, multiply(other, MOST_TIMES)) <= 0 && compare(other, multiply(one, MOST_TIMES)) <= 0;
}

function ratesOf(rates: readonly IDataObject[], { from, to }: Pair): IDataObject[] {
	return rates.filter(
		({ baseCurrency, quoteCurrency }) => isCode(baseCurrency, from) && isCode(quoteCurrency, to),
	);
}

/** In milliseconds. NaN if there is no time that can be read. */
function ageOf(time: unknown, now: string): number {
	return typeof time === 'string' ? Date.parse(now) - Date.parse(time) : Number.NaN;
}
