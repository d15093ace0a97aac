/** What to do with a list as a whole. Whether it may be started again depends on Payment Keys alone: without them it would pay twice. */
import { isKeptApart } from './judgeList.ts';
import type { JudgedList, JudgedPayment } from './judgeList.ts';
import { placesInWords } from '../places.ts';
import { ADVICE } from './messages.ts';

export function adviceOf(list: JudgedList, { isGood }: { isGood: boolean }): string[] {
	// What a person found is no news to who reads that it was found.
	const paidBefore = having(list, 'alreadyPaid').filter(({ row }) => row.foundBy === undefined).length;
	return [
		...(paidBefore > 0 ? [ADVICE.werePaidBefore(paidBefore)] : []),
		...(list.stage === 'check' ? beforePayments(list, isGood) : afterPayments(list, isGood)),
	];
}

function beforePayments({ payments }: JudgedList, isGood: boolean): string[] {
	const withoutKey = payments.filter(({ isWithoutKey }) => isWithoutKey);
	return [
		...(withoutKey.length > 0 ? [ADVICE.haveNoKey(named(withoutKey))] : []),
		...nextStep(payments, isGood),
	];
}

function nextStep(payments: readonly JudgedPayment[], isGood: boolean): string[] {
	const paidBefore = payments.filter(({ row }) => row.result === 'alreadyPaid').length;
	if (paidBefore === payments.length) return [];
	const next = paidBefore === 0 ? ADVICE.nothingIsPaidYet() : ADVICE.othersAreNotPaidYet();
	if (isGood) return payments.some(isKeptApart) ? [ADVICE.unknownAreKept()] : [next];
	const isUnknown = payments.some(({ row, isInDoubt }) => isInDoubt || row.result === 'unknown');
	return [isUnknown ? ADVICE.findOutFirst() : ADVICE.correctFirst()];
}

function afterPayments(list: JudgedList, isGood: boolean): string[] {
	const paid = having(list, 'paid');
	const withoutKey = list.payments.filter(({ isWithoutKey }) => isWithoutKey);
	return [
		...(withoutKey.length > 0 ? [ADVICE.doNotStartAgain(named(withoutKey))] : []),
		...(isGood ? [] : whatToDoWithTheRest(list, withoutKey.length === 0)),
		...(paid.some(({ row }) => row.coin !== undefined) ? [ADVICE.cryptoStatusComesLater()] : []),
		...(paid.some(({ row }) => row.currency !== undefined) ? [ADVICE.fiatHasNoStatus()] : []),
	];
}

/** `haveKeys`: all payments of the list, also those that were paid. */
function whatToDoWithTheRest({ payments, stage }: JudgedList, haveKeys: boolean): string[] {
	if (stage === 'stopped' && haveKeys) return [ADVICE.handInAgain()];
	const saidToBePaid = payments.filter(({ row, isSaidToBePaid }) => isSaidToBePaid && isNotPaid(row.result));
	const left = payments.filter(({ row, isSaidToBePaid }) => !isSaidToBePaid && isNotPaid(row.result));
	const leftWithKey = left.filter(({ isWithoutKey }) => !isWithoutKey);
	const leftWithoutKey = left.filter(({ isWithoutKey }) => isWithoutKey);
	const advice = saidToBePaid.length > 0 ? [ADVICE.saidToBePaid(named(saidToBePaid))] : [];
	if (haveKeys) return leftWithKey.length > 0 ? [...advice, ADVICE.startAgainWithKeys()] : advice;
	if (leftWithKey.length > 0) advice.push(ADVICE.onlyThoseWithKeys(named(leftWithKey).places));
	if (leftWithoutKey.length > 0) advice.push(ADVICE.lookUpWithoutKey(named(leftWithoutKey)));
	return advice;
}

/** A row without a result was not paid as far as anybody knows: who has problems is not sent. */
const isNotPaid = (result: string | undefined): boolean =>
	result === undefined || result === 'notSent' || result === 'rejected' || result === 'dryRun';

function having({ payments }: JudgedList, result: string): JudgedPayment[] {
	return payments.filter(({ row }) => row.result === result);
}

function named(payments: readonly JudgedPayment[]): { places: string; count: number } {
	return { places: placesInWords(payments.map(({ place }) => place)), count: payments.length };
}
