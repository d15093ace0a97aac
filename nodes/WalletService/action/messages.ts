/** Every message of the action node: what happened, and what to do. Parameters of the functions are texts to insert. */
import type { ValidationIssue } from './result.ts';

type Message = (...inserted: string[]) => ValidationIssue;

/** The text with a mark in place of each character that shows nothing, or changes how others are shown. */
export const visible = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '�');

/** The messages, each marked with their kind. */
function marked<M extends Record<string, Message>>(kind: ValidationIssue['kind'], messages: M): M {
	const mark =
		(message: Message) =>
		(...inserted: string[]) => ({ ...message(...inserted.map(visible)), kind });
	return Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, mark(message)])) as M;
}

/** Input that cannot be sent. A model is told to correct what it has sent itself. */
export const INPUT = marked('input', {
	isEmpty: (label, placeholder) => ({
		message: `'${label}' is empty`,
		description: `Enter a value for '${label}', ${placeholder}`,
	}),
	isNotText: (label, placeholder) => ({
		message: `'${label}' is not text`,
		description: `Enter text for '${label}', ${placeholder}`,
	}),
	isNotWebAddress: (label, value, placeholder) => ({
		message: `'${label}' is not a web address: ${value}`,
		description: `Enter an address that begins with https:// for '${label}', ${placeholder}`,
	}),
	isNotPlainDecimal: (label, reason, value, placeholder) => ({
		message: `'${label}' ${reason}: ${value}`,
		description: `Enter '${label}' as plain digits with a point before the decimals, ${placeholder}`,
	}),
	hasOtherForm: (label, format, value) => ({
		message: `'${label}' does not have the form ${format}: ${value}`,
		description: `Write '${label}' in this form, or choose another 'Amount Format'`,
	}),
	hasWrongSign: (label, reason, value, placeholder) => ({
		message: `'${label}' ${reason}: ${value}`,
		description: `Enter '${label}' without a sign, and above zero, ${placeholder}`,
	}),
	lostDigits: (label, value) => ({
		message: `'${label}' came as the number ${value}, which may have lost digits`,
		description: `Pass '${label}' as text, so that every digit is kept`,
	}),
	fieldIsTwice: (name) => ({
		message: `The body would have '${name}' twice`,
		description: `Remove '${name}' from 'Body Fields', or choose another name for it`,
	}),
	fieldHasNoName: () => ({
		message: "A field in 'Body Fields' has no name",
		description: "Enter the name of the field from your account's documentation, or remove the field",
	}),
	bodyIs: (what) => ({
		message: `'Request Body' is ${what}`,
		description: 'Enter a JSON object in \'Request Body\', such as {"alias": "main"}, or fix its expression',
	}),
	bodyLostDigits: (value) => ({
		message: `'Request Body' has the number ${value}, which may have lost digits`,
		description:
			'Write the body as JSON text instead of an expression that makes an object, or write the number as text',
	}),
	isNotAnArgument: (name) => ({
		message: `The model has sent an argument that this tool does not have: ${name}`,
		description: 'Call the tool with its own arguments only',
	}),
});

/** Where an amount with a comma may be what the author means. */
export const OR_AMOUNT_FORMAT = "or add the option 'Amount Format'";

/** Input that cannot be sent because of the parameters, which only the author can correct. */
export const PARAMETER = {
	approvalIsNotSafe: () => ({
		message: "n8n's own approval of tools cannot protect a payment: a model can change what was approved",
		description: "Use the example 'payout with approval' as the tool",
	}),
	requestOptionsFail: () => ({
		message: "'Request Options' cannot be used",
		description: 'Check the proxy and the time-out (at most 300000 ms) in its fields, and their expressions',
	}),
	expressionFails: (reason) => ({
		message: `An expression cannot be evaluated: ${reason}`,
		description: 'Fix the expression or the data that it reads',
	}),
} satisfies Record<string, Message>;

/** A person who meets a limit is not always the one who may change it. */
const askOwner = (label: string) => `ask the workflow's owner: '${label}' is an option of the node that pays`;

/** Limits of a payment. A model is told not to get around them. */
export const LIMIT = marked('limit', {
	isEmpty: (label) => ({
		message: `'${label}' is empty`,
		description: `Enter a value for '${label}' or remove the option`,
	}),
	isFromModel: (label) => ({
		message: `'${label}' must not come from an AI model`,
		description: `Enter a fixed value for '${label}', or remove the option`,
	}),
	isNot: (label, what, value) => ({
		message: `'${label}' is not ${what}: ${value}`,
		description: `Set '${label}' to ${what}, or remove it`,
	}),
	optionsAreOneExpression: () => ({
		message: "'Options' is one expression, so it is not certain which limits it sets",
		description: 'Add each option by itself. Each of them can be an expression',
	}),
	amountIsAbove: (amount, label, maximum) => ({
		message: `The amount ${amount} is above '${label}' ${maximum}`,
		description: `Correct the amount, or ${askOwner(label)}`,
	}),
	totalIsAbove: (total, label, maximum) => ({
		message: `The total ${total} of this execution is above '${label}' ${maximum}`,
		description: `Correct the payments, or ${askOwner(label)}`,
	}),
	totalIsMixed: (label, units) => ({
		message: `'${label}' cannot add up different currencies: ${units}`,
		description: `Pay each currency with a node of its own, or remove '${label}'`,
	}),
	totalIsUnknown: (label) => ({
		message: `'${label}' is set, but an earlier payment of this execution has no readable amount`,
		description: `Set 'Amount Field' to the key of the amount, or remove '${label}'`,
	}),
	isNotAllowed: (label, value) => ({
		message: `'${value}' is not one of '${label}'`,
		description: `Correct the payment, or ${askOwner(label)}`,
	}),
	perDayIsReached: (label, maximum) => ({
		message: `This workflow has made its ${maximum} payments of today ('${label}')`,
		description: `Pay the rest tomorrow, or ${askOwner(label)}`,
	}),
	isNotKept: (label, reason) => ({
		message: `n8n cannot keep a record for '${label}': ${reason}`,
		description: 'Save the workflow and run it again',
	}),
	toolHasNoLimits: (labels) => ({
		message: `A tool pays only within limits. These are missing: ${labels}`,
		description: 'Add them under Options of the tool',
	}),
	hasNoMemory: () => ({
		message:
			'This kind of agent gives the node no memory, so the node pays nothing and changes nothing for it',
		description:
			"Use AI Agent version 3, or let the agent call the sub-workflow of the example 'payout with approval'",
	}),
	fieldIsMissing: (label, field, setting) => ({
		message: `'${label}' is set, but the request body has no readable '${field}'`,
		description: `Add '${field}' to the request body, or set '${setting}' to the key that the body uses`,
	}),
	fieldIsUnknown: (field) => ({
		message: `A limit is set, but the request body has '${field}' from an expression, and its meaning is not known`,
		description: `Remove '${field}', or write its name yourself under 'Body Fields'`,
	}),
	fieldIsAmbiguous: (label, field, setting) => ({
		message: `'${label}' is set, but the request body has '${field}' twice`,
		description: `Remove one of them, or set '${setting}' to the key that counts`,
	}),
});

/** Payments that are not sent, or not sent again. */
export const PAYMENT = {
	anotherItemIsInvalid: (items) => ({
		message: `Not sent because of ${items}`,
		description:
			'Nothing is sent while an item of the same run is invalid. Fix or remove that item and run again',
	}),
	runStopped: () => ({
		message: 'Not sent because the run was stopped first',
		description: 'Run this item again when you are ready',
	}),
	mayHaveBeenMade: (reason) => ({
		message: `Not sent again because the service may have accepted an earlier try: ${reason}`,
		description:
			'Look it up at the service. If it was not done, run this item in a new execution: this one does not send it again',
	}),
	wasMadeByAnotherOperation: (route) => ({
		message: 'Not sent because another operation may have been done for this item in this execution',
		description: `The node used ${route} before it was changed. Run the item in a new execution`,
	}),
	wasUnderWay: () => ({
		message: 'The execution ended while the request was under way',
		description: 'It is unknown whether it was done',
	}),
	wasRetriedBefore: () => ({
		message: 'Not sent because an earlier retry of the same execution has reached this node',
		description:
			'Find that retry in the list of executions and go on from there: retry that one if it failed',
	}),
	resultWouldBeLost: () => ({
		message: "In n8n's old execution order, AI Agent 3 does not read the results of its tools",
		description: "Set 'Execution Order' to v1 in the settings of the workflow",
	}),
	toolWasRetried: () => ({
		message: 'Not sent because the execution that is retried has already called this tool',
		description: 'Look up at the service what was paid, and start a new execution for the rest',
	}),
} satisfies Record<string, Message>;

/** What a person can do about a key whose outcome is unknown. */
const HOW_TO_SETTLE =
	"Then add the option 'If Outcome Is Unknown' and choose 'It Was Paid' or 'It Was Not Paid: Pay Now' for this item";

/** What a key without a value asks for. */
const WRITE_NUMBER = 'Write the number of the invoice, or fix the expression or the data that it comes from';

/** The parameter Payment Key. */
export const PAYMENT_KEY = {
	isEmpty: () => ({
		message: "'Payment Key' is empty for this item",
		description: "Fix the expression in 'Payment Key', or clear the parameter to pay without a key",
	}),
	isNotText: () => ({
		message: "'Payment Key' is neither text nor a number",
		description: "Change the expression in 'Payment Key' so that it gives text",
	}),
	hasEmptyPart: (key, expression) => ({
		message: `A part of 'Payment Key' is empty: ${expression} in ${key}`,
		description:
			'Fix the expression or the data that it reads. Without this part, other payments have the same key',
	}),
	hasNoValue: (key, word) => ({
		message: `'Payment Key' ${key} has the word ${word}, so a value is missing`,
		description: WRITE_NUMBER,
	}),
	lacksPart: (key) => ({
		message: `'Payment Key' ${key} looks as if a part is missing`,
		description: WRITE_NUMBER,
	}),
	hasCharacter: (character, code, key) => ({
		message: `'Payment Key' has the character ${character} (${code}): ${key}`,
		description: "Write 'Payment Key' with plain letters, digits and signs, such as INV-1042",
	}),
	isNotExpression: (key) => ({
		message: `'Payment Key' is the fixed text ${key}`,
		description: "Switch 'Payment Key' from Fixed to Expression, so that the part in braces has a value",
	}),
	isShortened: (key) => ({
		message: `'Payment Key' ${key} is a number that a spreadsheet has shortened`,
		description:
			'Give the column the format Text in the spreadsheet, enter the numbers again, and export it again',
	}),
	isTooLong: (maximum) => ({
		message: `'Payment Key' is longer than ${maximum} characters`,
		description: "Enter a shorter 'Payment Key', such as the number of the invoice",
	}),
	cannotBeKept: (reason) => ({
		message: `n8n cannot keep a record of 'Payment Key': ${reason}`,
		description: `This run has sent nothing for it. Remove the cause and run again. If the outcome is unknown then, look the payment up at the service. ${HOW_TO_SETTLE}`,
	}),
	hasUnknownOutcome: (key) => ({
		message: `Not sent because an earlier payment with 'Payment Key' ${key} may have moved this money`,
		description: `Wait for 5 minutes: another run may be paying it now. Then look this payment up at the service. ${HOW_TO_SETTLE}`,
	}),
	wasTried: (key) => ({
		message: `Not sent because a payment with 'Payment Key' ${key} is under way, or was tried since you decided about it`,
		description:
			"Set 'If Outcome Is Unknown' to 'Do Not Pay' and run this item again in a few minutes. If the outcome is still unknown, look the payment up at the service and decide again",
	}),
	wasUsedByAnotherAccount: (key) => ({
		message: `'Payment Key' ${key} was used for the same payment of another account`,
		description:
			"Look the payment up at the service, in both accounts. If it was made, do not pay it again. 'Base URL' or the credential of this node is not the one of the first payment",
	}),
	wasUsedDifferently: (key, fields) => ({
		message: `'Payment Key' ${key} was used for a payment with another ${fields}`,
		description:
			'Look that payment up at the service. If this is the same payment, correct this item. Use another key only for a payment that was never requested before',
	}),
	isUsedTwice: (key, items) => ({
		message: `'Payment Key' ${key} stands for different payments in ${items}`,
		description: 'Give each payment a key of its own',
		namesItems: true,
	}),
} satisfies Record<string, Message>;

/** Comes after the description of a payment that was not made. */
export const KEY_IS_NOT_FREE = `n8n could not free the Payment Key. If the next run says that the outcome is unknown, look the payment up at the service. ${HOW_TO_SETTLE}.`;

/** What a refusal by the service asks for. It comes after what the refusal means. */
export const ADVICE = {
	correct: 'Correct the item and run again.',
	findIt: 'Correct the item and run again. If every item is refused, check Base URL of the credential.',
	checkKeys: 'Check API Key and the signature settings of the credential, and the clock of this machine.',
	wait: 'Run again later, or send fewer requests.',
	waitFor: (seconds: string) => `Run again in ${seconds} seconds or later.`,
};

/** A call that never left this machine. */
export const REFUSAL = {
	unreachable: (reason) => ({
		message: `The service cannot be reached (${reason})`,
		description: 'Check Base URL of the credential and the network. Nothing was sent.',
	}),
	credentialIsUnusable: (reason) => ({
		message: `The credential cannot be used: ${reason}`,
		description: 'Open the credential and fix the setting. Nothing was sent.',
	}),
	domainIsNotAllowed: (reason) => ({
		message: `The credential does not allow this address: ${reason}`,
		description: "Add the service's domain to the allowed domains of the credential. Nothing was sent.",
	}),
} satisfies Record<string, Message>;

/** What a refusal by the service means. It comes before what to do. */
export const REFUSED = {
	payment: 'The service refused this payment. It moved no money.',
	change: 'The service refused this request. It changed nothing.',
	read: 'The service refused this request.',
};

/** A run that stops at an item says first what was done before it. `word`: paid or done. */
export const STOPPED = {
	partly: (word, count, all, message) => `${count} of ${all} already ${word}. ${message}`,
	done: (word, payments) => `Already ${word}: ${payments}.`,
	isSafe: 'Each has a Payment Key: running again does not pay them again.',
	isRepeated: (items) => `Without a Payment Key: ${items}. Running again pays these again.`,
	isDoneAgain: 'Running again does this again.',
	paidBefore: (items) => `Paid in an earlier run: ${items}.`,
	notTried: (items) => `Not tried: ${items}.`,
	otherProblems: (items) => `other problems in ${items}`,
	nothingMoved: 'No money was moved.',
	nothingChanged: 'Nothing was changed.',
	nothingSent: 'This try has sent nothing.',
	unknown: (word, payments) =>
		`It is unknown whether this was ${word}: ${payments}. Look it up at the service.`,
	thisIsUnknown: (payments) => `With an unknown outcome: ${payments}.`,
} satisfies Record<string, string | ((...inserted: string[]) => string)>;

/** What stands above the items in the output of the node. */
export const HINT = {
	hasNoKey: (count: number) =>
		count === 1
			? 'This payment has no Payment Key: if you run this step again, it is paid again.'
			: `${count} of these payments have no Payment Key: if you run this step again, they are paid again.`,
	wasPaid: (count: number, items: string) =>
		count === 1
			? `This payment was paid in an earlier run. Nothing was sent for it now: ${items}.`
			: `${count} of these payments were paid in an earlier run. Nothing was sent for them now: ${items}.`,
	dryRun: (count: number, total: string) =>
		`Dry run: nothing was sent. In total ${count} ${count === 1 ? 'payment' : 'payments'}: ${total}.`,
	unreadable: (count: number) => `${count} without a readable amount`,
	unknownUnit: 'of an unknown coin',
};

/** Answers that prove nothing. `UNKNOWN_ADVICE` says what to do about each. */
export const UNCLEAR = {
	status: (status, words) => `The service answered ${status}: ${words}`,
	notJson: (status) => `The service answered ${status} with something that is not JSON`,
	notAnObject: (status) => `The service answered ${status} with JSON that is not an object`,
	withoutList: (status, key) =>
		`The service answered ${status} without the list of records that belongs under '${key}'`,
	withoutFields: (status, words) => `The service answered ${status} without any documented field (${words})`,
	withoutIdentifier: (status, words) =>
		`The service answered ${status} without an identifier of the payment (${words})`,
	reportsFailure: (status, words) =>
		`The service answered ${status} with an identifier, and says that the payment failed (${words})`,
	reportsFailedChange: (status, words) =>
		`The service answered ${status}, and says that the request failed (${words})`,
	otherPayment: (status, words) => `The service answered ${status} for another payment: ${words}`,
	noAnswer: (reason) => `The service gave no answer (${reason})`,
} satisfies Record<string, (...inserted: string[]) => string>;

/** What to do after an answer that proves nothing. */
export const UNKNOWN_ADVICE = {
	payment:
		'It is unknown whether the money was moved. Look at the service first: running this item again could pay twice.',
	paymentWithKey: `It is unknown whether the money was moved. If you run this item again, nothing is sent. Wait for 5 minutes, then look the payment up at the service. ${HOW_TO_SETTLE}.`,
	change:
		'It is unknown whether this was done. Look it up at the service first: running this item again could do it twice.',
	read: 'Try again later. If it happens again, check Base URL of the credential.',
};

const DO_NOT_GET_AROUND = 'Do not change the payment to get around this. Tell the user.';

/** What a model reads about a payment: what happened, and what to do. */
export const FOR_MODEL = {
	paid: ['The service has accepted the payment.', 'Do not call this tool again for this payment.'],
	alreadyPaid: ['Paid before. Nothing was sent now.', 'Do not call this tool again for this payment.'],
	done: ['The service has done this.', 'Do not call this tool again for this.'],
	dryRun: ['This was a dry run. Nothing was sent.', 'Tell the user that nothing was paid.'],
	unknown: [
		'It is unknown whether this payment was made.',
		'Stop. The money may have moved. Do not call this tool again for this payment; ask a person.',
	],
	unknownChange: [
		'It is unknown whether this was done.',
		'Stop. It may have been done. Do not call this tool again for this; ask a person.',
	],
	rejectedChange: ['The service refused this. Nothing was changed.', 'Tell the user.'],
	limit: ['', 'Do not change the payment to get around this limit. Tell the user.'],
	rejected: ['The service refused this payment. No money was moved.', DO_NOT_GET_AROUND],
	notSent: ['Nothing was sent.', DO_NOT_GET_AROUND],
	key: ['Nothing was sent.', 'Ask the user for the number of the invoice. Never make one up.'],
	input: [
		'Nothing was sent.',
		'Correct what the message names, without changing the payment, or ask the user.',
	],
} as const satisfies Record<string, readonly [string, string]>;

/** What a model is to do when a call that moves no money has failed. */
export const READ_FOR_MODEL = {
	input: 'Correct what the message names, or ask the user.',
	notSent: 'Tell the user. Nothing was sent.',
	rejected: 'Tell the user what the service said.',
	unknown: 'Tell the user that the service gave no clear answer.',
} as const;

/** What a model does not read of an answer, and that an answer has no record. */
export const LEFT_OUT = {
	records: (count: number) => `Records left out: ${count}.`,
	fields: (names: string) => `Fields left out: ${names}.`,
	nothing: 'There are no records.',
};
