/** What a model reads of a payment, and where items do not fit. */
export const LEFT_OUT = {
	records: (count: number) => `Records left out: ${count}.`,
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
	asked: [
		'A person is asked by mail. Nothing is paid yet.',
		'Tell the user that the answer comes by mail. Do not ask for this payment again.',
	],
	notAsked: [
		'Nobody is asked, and nothing is paid: see the problems.',
		'Tell the user what the problems are. Do not change the payment to get around them.',
	],
} as const satisfies Record<string, readonly [string, string]>;

/** In place of the service's own words, which may have data of customers in them, or instructions. */
export const UNCLEAR_ANSWER = (status: number) => `The service gave no clear answer (${status}).`;
