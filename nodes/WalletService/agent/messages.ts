/** What models are told, and what is said of their calls. Parameters of the functions are texts to insert. */
import { visible } from '../../shared/wording.ts';

/** Calls of a model that are refused, whatever they ask for. */
export const CALL = {
	isNotAnArgument: (name: string) => ({
		message: `The model has sent an argument that this tool does not have: ${visible(name)}`,
		description: 'Call the tool with its own arguments only',
		about: 'input' as const,
	}),
	approvalIsNotSafe: () => ({
		message: "n8n's own approval of tools cannot protect a payment: a model can change what was approved",
		description: "Use the example 'Request a payout' as the tool, as 'Agent asks for payouts' does",
	}),
	hasNoMemory: () => ({
		message:
			'This kind of agent gives the node no memory, so the node pays nothing and changes nothing for it',
		description: "Use AI Agent version 3, or let the agent call the example 'Request a payout' as its tool",
		about: 'limit' as const,
	}),
};

const DO_NOT_GET_AROUND = 'Do not change the payment to get around this. Tell the user.';

/** What a model reads about a change: what happened, and what to do. */
export const FOR_MODEL = {
	paid: ['The service has accepted the payment.', 'Do not call this tool again for this payment.'],
	belowMinimum: [
		'The service has made this conversion, and at less than the minimum rate.',
		'Do not call this tool again for this conversion. Tell the user.',
	],
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

/** What a model is to do when a read has failed. */
export const READ_FOR_MODEL = {
	input: 'Correct what the message names, or ask the user.',
	notSent: 'Tell the user. Nothing was sent.',
	rejected: 'Tell the user what the service said.',
	unknown: 'Tell the user that the service gave no clear answer.',
} as const;

/** What a model does not read of a record, and that an answer has no record. */
export const RECORDS = {
	fieldsLeftOut: 'Some fields are left out.',
	areNone: 'There are no records.',
};
