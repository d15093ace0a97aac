/** What Read and Report both say of a row, and what is unlike before in it. */
import { readableAmount, shortLine } from '../../shared/text.ts';
import type { Texts } from '../../../api/texts.ts';
import { moneyOf } from '../values/money.ts';

export const LIST_ROW = {
	problemCannotBeRead: () => 'What is wrong with it cannot be read.',
	hasOddDecimals: ({ amount, currency, decimals }: Texts<'amount' | 'currency' | 'decimals'>) =>
		`${readableAmount(amount)} ${currency} cannot be paid by a bank: ${currency} has ${decimals} decimals. Find out which amount is meant.`,
};

const quoted = (text: string) => `“${shortLine(text, 80)}”`;

/** Of which earlier payments the usual amount is: of two in the middle, the smaller one. */
function usualOf(count: number): string {
	if (count === 1) return 'one earlier payment';
	if (count === 2) return 'the smaller of 2 earlier payments';
	return `the ${count % 2 === 0 ? 'smaller of the two in the ' : ''}middle of ${count} earlier payments`;
}

/** What a person should look at before a yes. */
export const MARK = {
	isFirst: () => 'First payment to this destination.',
	isFirstIn: (code: string) => `First payment to this destination in ${shortLine(code)}.`,
	hasOtherAccount: ({ before, now, day }: Texts<'before' | 'now' | 'day'>) =>
		`ANOTHER ACCOUNT: on ${day} it was ${quoted(before)}, now it is ${quoted(now)}. Ask the payee by a way that you know.`,
	hasOtherName: ({ payee, details }: Texts<'payee' | 'details'>) =>
		`ANOTHER NAME: the list names ${quoted(payee)}, the service has ${quoted(details)}.`,
	hasCloseName: ({ payee, details }: Texts<'payee' | 'details'>) =>
		`The list names ${quoted(payee)}, and the service has a name that is close to it: ${quoted(details)}.`,
	isMuchMore: ({ usual, code, count }: { usual: string; code: string; count: number }) =>
		`More than ten times the usual ${moneyOf(usual, code)} (${usualOf(count)}).`,
	isOften: ({ number, most }: { number: number; most: number }) =>
		`Payment ${number} to this destination within 7 days. In earlier weeks, there were at most ${most}.`,
};
