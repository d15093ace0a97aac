/** What a run says when it is over. Parameters of the functions are texts to insert. */
import { sentences } from '../../../api/texts.ts';
import { FIRST_ITEM } from '../../shared/wording.ts';
import type { Texts } from '../../shared/wording.ts';

/** A run that stops at an item says first what was done before it. `word`: paid or done. */
export const STOPPED = {
	partly: ({ word, count, all, message }: Texts<'word' | 'count' | 'all' | 'message'>) =>
		`${count} of ${all} already ${word}. ${message}`,
	done: ({ word, payments }: Texts<'word' | 'payments'>) => `Already ${word}: ${payments}.`,
	isSafe: 'Each has a Payment Key: running again does not pay them again.',
	isRepeated: (items: string) => `Without a Payment Key: ${items}. Running again pays these again.`,
	isDoneAgain: 'Running again does this again.',
	paidBefore: (items: string) => `Paid in an earlier run: ${items}.`,
	others: ({ word, items }: Texts<'word' | 'items'>) => `Not ${word} either: ${items}.`,
	notTried: (items: string) => `Not tried: ${items}.`,
	firstItem: `${FIRST_ITEM}.`,
	otherProblems: (items: string) => `other problems in ${items}`,
	nothingSent: 'This try has sent nothing.',
	unknown: ({ word, payments }: Texts<'word' | 'payments'>) =>
		`It is unknown whether this was ${word}: ${payments}. Look it up at the service.`,
	thisIsUnknown: (payments: string) => `With an unknown outcome: ${payments}.`,
};

/** What stands above the items in the output of the node. */
export const HINT = {
	hasNoKey: (count: number) =>
		count === 1
			? 'This payment has no Payment Key: if you run this step again, it is paid again.'
			: `${count} of these payments have no Payment Key: if you run this step again, they are paid again.`,
	wasPaid: ({ count, items }: { count: number; items: string }) =>
		count === 1
			? `This payment was paid in an earlier run. Nothing was sent for it now: ${items}.`
			: `${count} of these payments were paid in an earlier run. Nothing was sent for them now: ${items}.`,
	isBelowMinimum: ({ count, items }: { count: number; items: string }) =>
		sentences(
			count === 1
				? `The service made this conversion below its minimum rate: ${items}.`
				: `The service made ${count} of these conversions below their minimum rate: ${items}.`,
			'Ask the service why before you convert more.',
		),
	dryRun: ({ count, total }: { count: number; total: string }) =>
		`Dry run: nothing was sent. In total ${count} ${count === 1 ? 'payment' : 'payments'}: ${total}.`,
	isUnapproved: (count: number) =>
		sentences(
			count === 1
				? 'One row has no name in approvedBy, so it was only checked.'
				: `${count} rows have no name in approvedBy, so they were only checked.`,
			"To pay, give the rows the name of who has said yes: with the option 'Approved By' of Read, or with Edit Fields.",
		),
	unreadable: (count: number) => `${count} without a readable amount`,
	unknownUnit: 'of an unknown coin',
};
