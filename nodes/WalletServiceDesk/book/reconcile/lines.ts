/** What is said of one asset: its verdict, what it rests on, and what a person does. */
import {
	add,
	compare,
	divide,
	isZero,
	multiply,
	negate,
	placesOf,
	subtract,
	withoutSign,
} from '../../../../api/exact/decimal.ts';
import { counted, shortLine } from '../../../shared/text.ts';
import { firstAndMore } from '../../../shared/wording.ts';
import { decimalsOf, withDigits } from '../../values/money.ts';
import { AND_MORE } from '../messages.ts';
import { sumOf } from '../../../shared/sums.ts';
import type { Movement } from '../movement.ts';
import { kindOf, nameOfRow } from '../row.ts';
import { explain, shownItems } from './openItems.ts';
import type { OpenItem, Why } from './openItems.ts';
import type { Account } from './account.ts';
import { IS_YOUNG, ITEM, LOOK, named, UNKNOWN_AMOUNT, VERDICT, WHAT_TO_DO } from './messages.ts';
import type { Judged } from './judge.ts';

/** An open item as the operation gives it. */
export interface ShownItem {
	why: Why;
	key: string;
	reference: string;
	counterpart: string;
	/** By how much the balance may be another one. '' if no row says it. */
	amount: string;
	began: string;
	newest: string;
	/** `3 hours`, of its newest row. */
	age: string;
	/** Whether it is young enough to explain a difference. */
	explains: boolean;
	words: string;
}

/** The sentences about an asset. */
export interface Said {
	verdict: string[];
	/** The same for each asset that needs it, so that a page says it once. */
	whatToDo: string[];
}

/** Items that one sentence names. */
const MOST_IN_SENTENCE = 10;

/** `1,250.50 NGN`, with as many digits as the balance shows at least. */
export function money(amount: string, code: string, least = decimalsOf(code)): string {
	return `${withDigits(amount, least)} ${shortLine(code)}`;
}

/** The digits that alternatives of an asset have on a page. */
export function placesOfAsset({ account, balance }: Judged): number {
	return Math.max(decimalsOf(account.asset.code), placesOf(balance));
}

export function shownItem(item: OpenItem, now: string): ShownItem {
	const { why, alternatives, movement, isYoung } = item;
	const { key, reference, counterpart, began, newest } = movement;
	const age = ageOf(newest, now);
	const amount = alternatives[0] ?? '';
	return {
		why,
		key,
		reference,
		counterpart,
		amount,
		began,
		newest,
		age,
		explains: isYoung && why !== 'not ordered',
		words: wordsOf(item),
	};
}

function ageOf(time: string, now: string): string {
	const hours = Math.floor((Date.parse(now) - Date.parse(time)) / 3_600_000);
	return hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');
}

function wordsOf({
	why,
	alternatives,
	movement,
}: Pick<OpenItem, 'why' | 'alternatives' | 'movement'>): string {
	const { kind, asset, amount, counterpart, row, rows } = movement;
	const shown = why === 'not ordered' ? (alternatives[0] ?? amount) : amount;
	const status =
		why === 'contradiction' ? (rows.findLast((each) => each.status !== '')?.status ?? '') : row.status;
	return ITEM[why]({
		name: shownName(movement),
		kind,
		amount: shown === '' ? UNKNOWN_AMOUNT : money(shown, asset),
		counterpart,
		status,
	});
}

/** The service knows a deposit by its ID. The key of its event says nothing to a person. */
function shownName({ kind, name, reference }: Movement): string {
	return kindOf(kind)?.is === 'funding' && reference !== '' ? reference : name;
}

export function saidOf(judged: Judged): Said {
	return { verdict: [...verdictLines(judged), ...remarks(judged)], whatToDo: whatToDo(judged) };
}

function verdictLines(judged: Judged): string[] {
	const { asset, verdict, difference, problem, keepsOpen, isOpened, opening } = judged;
	const least = placesOfAsset(judged);
	switch (verdict) {
		case 'not read':
			return [VERDICT.notRead(problem)];
		case 'no opening':
			return [VERDICT.noOpening(atMost(keepsOpen.map(keepsOpenInWords)))];
		case 'reconciled':
			if (isOpened) return [VERDICT.isOpened({ amount: money(opening, asset, least) })];
			return isZero(difference) ? [] : [VERDICT.isRounding({ amount: money(difference, asset, least) })];
		case 'open items':
			return explanationLines(judged);
		case 'not explained':
			return notExplainedLines(judged);
	}
}

function keepsOpenInWords(movement: Movement): string {
	const { state, kind, asset, amount, counterpart } = movement;
	if (state === 'no answer' || state === 'pending')
		return wordsOf({ why: state, alternatives: [], movement });
	const shown = amount === '' ? UNKNOWN_AMOUNT : money(amount, asset);
	return IS_YOUNG({ name: shownName(movement), kind, counterpart, amount: shown });
}

function explanationLines(judged: Judged): string[] {
	const { asset, difference, explanation, hasReading } = judged;
	if (explanation === undefined) return [];
	const { by, items, count, beside, isButForFees } = explanation;
	const words = items.map(wordsOf);
	const least = placesOfAsset(judged);
	const whole = isButForFees ? VERDICT.butForFees : VERDICT.difference;
	const sum = beside === undefined ? whole : VERDICT.rest;
	const most = largestSum(items);
	const lines = {
		one: () =>
			items.length === 1
				? VERDICT.one({ sum, item: words[0]! })
				: VERDICT.oneOf({ sum, items: atMost(words) }),
		all: () => VERDICT.all({ sum, count }),
		run: () =>
			count === items.length
				? VERDICT.some({ sum, items: atMost(words) })
				: VERDICT.someEqual({ sum, count, of: items.length, execution: executionOf(items[0]!.movement) }),
		fees: () => VERDICT.fees({ amount: money(difference, asset, least), count, most: money(most, asset) }),
	};
	const part = beside === undefined ? [] : [VERDICT.part(wordsOf(beside))];
	return [...part, lines[by](), ...(hasReading ? [] : [VERDICT.hasNoReading()])];
}

function largestSum(fees: readonly OpenItem[]): string {
	return sumOf(fees.map(({ alternatives }) => ({ amount: withoutSign(alternatives[0] ?? '0') })));
}

function executionOf({ run, rows }: Movement): string {
	return rows.find((row) => row.run === run)?.execution ?? '';
}

function notExplainedLines(judged: Judged): string[] {
	const { asset, difference, since, stood, items } = judged;
	const shown = (amount: string) => money(amount, asset, placesOfAsset(judged));
	const lines = [VERDICT.notExplained({ amount: shown(difference), since })];
	if (!isZero(stood)) lines.push(...stoodLines(judged));
	const hasAmount = ({ alternatives }: OpenItem) =>
		alternatives.some((amount) => compare(amount, difference) === 0);
	const same = items.filter(hasAmount);
	const old = same.filter(({ why, isYoung }) => !isYoung && why !== 'not ordered');
	const strange = same.filter(({ why }) => why === 'not ordered');
	if (old.length > 0) lines.push(VERDICT.tooOld(atMost(old.map(wordsOf)).join('; ')));
	if (old.length === 0) lines.push(...oldRunLines(judged));
	if (strange.length > 0) lines.push(VERDICT.isNotOrdered(atMost(strange.map(wordsOf)).join('; ')));
	return [...lines, ...fitting(judged)];
}

/** So many equal payments of one execution would be the difference, if they were not too old. */
function oldRunLines({ difference, items, rounding }: Judged): string[] {
	const old = items.filter(({ isYoung, why }) => !isYoung && why === 'no answer');
	const would = explain(
		difference,
		old.map((item) => ({ ...item, isYoung: true })),
		rounding,
	);
	if (would?.by !== 'run' || would.beside !== undefined || would.count === would.items.length) return [];
	const { count, items: equal } = would;
	return [VERDICT.tooOldEqual({ count, of: equal.length, execution: executionOf(equal[0]!.movement) })];
}

/** Why an item that would fit does not explain the difference, and what explains the part that did not stand before. */
function stoodLines({ asset, difference, stood, items, rounding }: Judged): string[] {
	const wouldFit = explain(difference, items, rounding) !== undefined;
	const rest = subtract(difference, stood);
	const { items: some, beside } = (isZero(rest) ? undefined : explain(rest, items, rounding)) ?? {
		items: [],
	};
	const later = [...(beside === undefined ? [] : [beside]), ...some];
	return [
		...(wouldFit ? [VERDICT.stood({ amount: money(stood, asset) })] : []),
		...(later.length === 0 ? [] : [VERDICT.laterFits(atMost(later.map(wordsOf)).join('; '))]),
	];
}

/** What the book has that would fit the difference, and is no open item. Nobody can be sure of it. */
function fitting({ asset, difference, account, balance }: Judged): string[] {
	const { entries } = account;
	const lines: string[] = [];
	const notMoved = entries.filter(({ amount }) => compare(amount, negate(difference)) === 0);
	if (notMoved.length > 0) {
		const words = notMoved
			.toReversed()
			.map(({ row, kind, amount }) => `${kind} ${shortLine(nameOfRow(row))}, ${money(amount, asset)}`);
		lines.push(VERDICT.fits(atMost(words)));
	}
	const each = feeThatFits(account, difference, placesOf(balance));
	if (each !== undefined) lines.push(VERDICT.feeFits({ amount: money(each.fee, asset), count: each.count }));
	const ofFunding = fundingFees(account);
	if (!isZero(ofFunding)) lines.push(VERDICT.fundingFees({ amount: money(ofFunding, asset) }));
	return lines;
}

/** The fee that each payout would have that has none, if it is less than half of each amount. */
function feeThatFits(
	{ entries }: Account,
	difference: string,
	places: number,
): { fee: string; count: number } | undefined {
	const paid = entries.filter(({ kind, movement }) => kind.endsWith(' payout') && movement?.fee === '');
	const gone = negate(difference);
	if (paid.length === 0 || compare(gone, '0') <= 0) return undefined;
	const fee = divide(gone, String(paid.length), Math.max(places, 2));
	const isExact = compare(multiply(fee, String(paid.length)), gone) === 0;
	const isSmall = paid.every(({ amount }) => compare(multiply(fee, '2'), withoutSign(amount)) < 0);
	return isExact && isSmall ? { fee, count: paid.length } : undefined;
}

function fundingFees({ entries, asset: { code } }: Account): string {
	const fees = entries.flatMap(({ kind, movement }) =>
		kindOf(kind)?.is === 'funding' &&
		movement !== undefined &&
		movement.fee !== '' &&
		movement.feeAsset === code
			? [movement.fee]
			: [],
	);
	return fees.reduce(add, '0');
}

function remarks({ asset, items, account }: Judged): string[] {
	const fees = items.filter(({ why }) => why === 'fee not reported');
	const [young, old] = [fees.filter(({ isYoung }) => isYoung), fees.filter(({ isYoung }) => !isYoung)];
	const typed = account.otherOpenings;
	const most = largestSum(young);
	return [
		...(young.length > 0 ? [VERDICT.couldHide({ amount: money(most, asset), count: young.length })] : []),
		...(old.length > 0
			? [VERDICT.oldFees({ count: old.length, names: named(old.map(({ movement }) => movement.name)) })]
			: []),
		...(account.tooOld.length > 0
			? [
					VERDICT.tooOldCorrections({
						count: account.tooOld.length,
						names: named(account.tooOld.map(nameOfRow)),
					}),
				]
			: []),
		...(typed.length > 0 ? [VERDICT.openingIsTyped({ names: named(typed.map(nameOfRow)) })] : []),
	];
}

function whatToDo({ verdict, difference, items }: Judged): string[] {
	const shown = shownItems(items, verdict !== 'not explained');
	const whys = new Set(shown.map(({ why }) => why));
	const ofItems = (Object.keys(WHAT_TO_DO) as Why[])
		.filter((why) => whys.has(why))
		.map((why) => WHAT_TO_DO[why]);
	if (verdict !== 'not explained') return ofItems;
	return [difference.startsWith('-') ? LOOK.gone : LOOK.come, LOOK.book, ...ofItems];
}

function atMost(texts: string[]): string[] {
	return firstAndMore(texts, { most: MOST_IN_SENTENCE, more: AND_MORE });
}
