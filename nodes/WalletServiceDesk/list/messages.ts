/** What Read and Report both say of a row, and what is unlike before in it. */
import { counted, readableAmount, shortLine } from '../../shared/text.ts';
import type { Texts } from '../../../api/texts.ts';
import { moneyOf } from '../values/money.ts';

export const LIST_ROW = {
	problemCannotBeRead: () => 'What is wrong with it cannot be read.',
	hasOddDecimals: ({ amount, currency, decimals }: Texts<'amount' | 'currency' | 'decimals'>) =>
		`${readableAmount(amount)} ${currency} cannot be paid by a bank: ${currency} has ${decimals} decimals. Find out which amount is meant.`,
};

const quoted = (text: string) => `“${shortLine(text, 80)}”`;

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
		`More than ten times the usual ${moneyOf(usual, code)} (${count === 1 ? 'one earlier payment' : `the middle of ${counted(count, 'earlier payment')}`}).`,
	isOften: ({ number, most }: { number: number; most: number }) =>
		`Payment ${number} to this destination within 7 days. In earlier weeks, there were at most ${most}.`,
};
