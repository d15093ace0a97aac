/** What the guards say. Parameters of the functions are texts to insert. */
import { sentences } from '../../../../api/texts.ts';
import { askOwner, marked } from '../../../shared/wording.ts';
import type { Texts } from '../../../shared/wording.ts';

/** The option Maximum Payments per Day. */
export const DAY = marked('limit', {
	perDayIsReached: ({ label, maximum }: Texts<'label' | 'maximum'>) => ({
		message: `This workflow has made its ${maximum} payments of today ('${label}')`,
		description: `Pay the rest tomorrow, or ${askOwner(label)}`,
	}),
	isNotKept: ({ label, reason }: Texts<'label' | 'reason'>) => ({
		message: `n8n cannot keep a record for '${label}': ${reason}`,
		description: 'Save the workflow and run it again',
	}),
});

/** The limit Maximum Total of a currency or coin in a list. */
export const LIST_TOTAL = marked('limit', {
	isAbove: ({ label, code, total, maximum }: Texts<'label' | 'code' | 'total' | 'maximum'>) => ({
		message: `The total ${total} ${code} of this execution is above '${label}' ${maximum}`,
		description: `Correct the list, or ${askOwner(label)}`,
	}),
	isClosed: ({ label, code }: Texts<'label' | 'code'>) => ({
		message: `Not sent because a row before this one was above '${label}' of ${code}`,
		description: `Correct the list, or ${askOwner(label)}`,
	}),
});

/** The limit Second Approval Above per Day of a currency or coin in a list. */
export const SECOND_APPROVAL = marked('limit', {
	isAbove: ({ label, total, code, maximum }: Texts<'label' | 'total' | 'code' | 'maximum'>) => ({
		message: `Not sent because the rows of today with fewer than two names would add up to ${total} ${code}, above '${label}' ${maximum}`,
		description:
			"Hand the row in again, with the same Payment Key, and let a second person say yes, too: with two different names in 'approvedBy' it is paid",
	}),
	isNotKept: ({ label, reason }: Texts<'label' | 'reason'>) => ({
		message: `n8n cannot keep a record for '${label}': ${reason}`,
		description: 'Save the workflow and run it again',
	}),
});

/** The option Duplicate Check. */
export const DUPLICATE = marked('limit', {
	isHeld: ({ time, label, allow }: Texts<'time' | 'label' | 'allow'>) => ({
		message: `Not sent because a payment within the last ${time} had the same amount, currency and destination ('${label}')`,
		description: `Look that payment up: it may be this one under another key. If both are meant, ${allow}`,
	}),
	isNotKept: ({ label, reason }: Texts<'label' | 'reason'>) => ({
		message: `n8n cannot keep a record for '${label}': ${reason}`,
		description: 'Save the workflow and run it again',
	}),
});

/** Items of an execution that was stopped or retried. */
export const REPEATED = {
	wasUnderWay: () => ({
		message: 'The execution ended while the request was under way',
		description: 'It is unknown whether it was done',
	}),
	needsKeyInRetry: () => ({
		message: "Not sent because a retried execution pays only items that have a 'Payment Key'",
		description: sentences(
			'Look the payment up at the service: the execution before may have sent it.',
			'If it was not made, pay it in a new execution.',
			"With a 'Payment Key' for each item, Retry pays what is left, and nothing twice",
		),
	}),
	changeIsNotRetried: () => ({
		message: 'Not sent because it is unknown whether the retried execution has done this',
		description: 'Look it up at the service. If it was not done, run this item in a new execution',
	}),
};

/** Why the rest of a run is not sent. */
export const UNCLEAR_RUN = {
	isHalted: (count: string) => ({
		message: `Not sent because the service gave no clear answer to ${count} requests before this one`,
		description:
			'Look those up at the service first. When it answers again, run this item in a new execution',
	}),
};

/** Where a person says something about one payment: in the options of its item, or in the fields of its row. */
export const SAYING = {
	item: {
		decide:
			"Then add the option 'If Outcome Is Unknown' and choose 'It Was Paid' or 'It Was Not Paid: Pay Now' for this item",
		doNotPay: "Set 'If Outcome Is Unknown' to 'Do Not Pay' and run this item again",
		runUndecided: "First run this item again with 'If Outcome Is Unknown' set to 'Do Not Pay'",
		allow: "add the option 'Allow Duplicate' for this item and turn it on",
	},
	row: {
		decide: "Then write wasPaid or wasNotPaid into 'decision' of this row",
		doNotPay: "Empty 'decision' of this row and run it again",
		runUndecided: "First run this row again with an empty 'decision'",
		allow: "write true into 'again' of this row",
	},
} as const;

/** The words for one of them. */
export type Saying = Readonly<Record<keyof (typeof SAYING)['item'], string>>;

/** Which words a payment has. */
export const sayingOf = ({ isRow }: { isRow?: boolean }): Saying => SAYING[isRow === true ? 'row' : 'item'];

/** What is known of a Payment Key that was used before. */
export const KEY = {
	cannotBeKept: ({ reason, decide }: Texts<'reason' | 'decide'>) => ({
		message: `n8n cannot keep a record of 'Payment Key': ${reason}`,
		description: sentences(
			'This run has sent nothing for it. Remove the cause and run again.',
			'If the outcome is unknown then, look the payment up at the service.',
			decide,
		),
	}),
	hasUnknownOutcome: ({ key, decide }: Texts<'key' | 'decide'>) => ({
		message: `Not sent because an earlier payment with 'Payment Key' ${key} may have moved this money`,
		description: `Look this payment up at the service. ${decide}`,
	}),
	mayBeUnderWay: ({ key, time, decide }: Texts<'key' | 'time' | 'decide'>) => ({
		message: `Not sent because an earlier payment with 'Payment Key' ${key} may have moved this money`,
		description: `Another run may be paying it now. From ${time} on, look this payment up at the service. ${decide}`,
	}),
	isDecidedEarly: ({ key, time }: Texts<'key' | 'time'>) => ({
		message: `Your answer about 'Payment Key' ${key} came too early, so nothing was done: it counts from ${time} on`,
		description: 'The payment may be under way until then. Look it up at the service, and answer again',
	}),
	answerWasUsed: ({ key, doNotPay }: Texts<'key' | 'doNotPay'>) => ({
		message: `Not sent because an answer about 'Payment Key' ${key} was used before, or two came at the same moment`,
		description: `${doNotPay}. If the outcome is still unknown then, look the payment up at the service and answer again`,
	}),
	isNotRecorded: ({ key, doNotPay }: Texts<'key' | 'doNotPay'>) => ({
		message: `Not sent because you said that it was paid, and n8n has no record of 'Payment Key' ${key} here`,
		description: `Nothing is left to do if it was paid. If it was not: ${doNotPay}`,
	}),
	wasUsedByAnotherAccount: (key: string) => ({
		message: `Not sent because 'Payment Key' ${key} was used for the same payment of another account`,
		description: sentences(
			'Look the payment up at the service, in both accounts. If it was made, do not pay it again.',
			"'Base URL' or the credential of this node is not the one of the first payment",
		),
	}),
	wasUsedDifferently: ({ key, fields }: Texts<'key' | 'fields'>) => ({
		message: `Not sent because 'Payment Key' ${key} was used for a payment with another ${fields}`,
		description:
			'Look that payment up at the service. If this is the same payment, correct this item. Use another key only for a payment that was never requested before',
	}),
};

/** What to do after a payment with a key whose answer proves nothing. `time`: when a person may decide. */
export const unknownWithKey = (time: string, { decide }: Saying) =>
	sentences(
		'It is unknown whether the money was moved. If you run this item again, nothing is sent.',
		`From ${time} on, look the payment up at the service. ${decide}.`,
	);

/** The same after a payment that a person has decided to send. */
export const unknownAgain = (time: string, { decide, runUndecided }: Saying) =>
	sentences(
		'It is unknown whether the money was moved now.',
		`${runUndecided}: nothing is sent, and you may decide again.`,
		`From ${time} on, look the payment up at the service. ${decide}.`,
	);

/** Comes after the description of a payment that was not made. */
export const keyIsNotFree = ({ decide }: Saying) =>
	sentences(
		'n8n could not free the Payment Key.',
		'If the next run says that the outcome is unknown, look the payment up at the service.',
		`${decide}.`,
	);
