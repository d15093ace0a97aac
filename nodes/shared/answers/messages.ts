/** What is said of answers of the service, and of calls without one. Parameters of the functions are texts to insert. */
import type { Texts } from '../wording.ts';

/** A call that was not made. */
export const UNSENT = {
	runStopped: () => ({
		message: 'Not sent because the run was stopped first',
		description: 'Run this item again when you are ready',
	}),
	clockWasSet: () => ({
		message:
			'Not sent because the clock of this machine was set, or the machine has slept, before the request',
		description: 'Check the clock, and run this item again',
	}),
	cameTooLate: () => ({
		message: 'Not sent because n8n was busy for too long before the request',
		description: 'Run this item again',
	}),
	nodeFailed: (reason: string) => ({
		message: `Not sent because of a bug in this node: ${reason}`,
		description:
			'Report this message to the authors of the node. Nothing was sent, so this item can be run again',
	}),
};

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
	unreachable: (reason: string) => ({
		message: `The service cannot be reached (${reason})`,
		description: 'Check Base URL of the credential and the network. Nothing was sent.',
	}),
	notWritten: (reason: string) => ({
		message: `The request cannot be sent (${reason})`,
		description: 'Check the settings of the credential. Nothing was sent.',
	}),
	credentialIsUnusable: (reason: string) => ({
		message: `The credential cannot be used: ${reason}`,
		description: 'Open the credential and fix the setting. Nothing was sent.',
	}),
	domainIsNotAllowed: (reason: string) => ({
		message: `The credential does not allow this address: ${reason}`,
		description: "Add the service's domain to the allowed domains of the credential. Nothing was sent.",
	}),
};

/** What a refusal by the service means. It comes before what to do. */
export const REFUSED = {
	payment: 'The service refused this payment. It moved no money.',
	change: 'The service refused this request. It changed nothing.',
	read: 'The service refused this request.',
};

/** Of a run that has sent nothing, in no try. */
export const NOTHING_DONE = {
	nothingMoved: 'No money was moved.',
	nothingChanged: 'Nothing was changed.',
};

/** Answers that prove nothing, and the words in them. `UNKNOWN_ADVICE` says what to do about each. */
export const UNCLEAR = {
	status: ({ status, words }: Texts<'status' | 'words'>) => `The service answered ${status}: ${words}`,
	withoutReason: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status}: ${words} (no known reason)`,
	unknownWord: ({ status, words, name, field }: Texts<'status' | 'words' | 'name' | 'field'>) =>
		`The service answered ${status}: ${words} (not known in a refusal: '${name}' in '${field}')`,
	unknownField: ({ status, words, name }: Texts<'status' | 'words' | 'name'>) =>
		`The service answered ${status}: ${words} (not known in a refusal: the field '${name}')`,
	notJson: ({ status }: Texts<'status'>) => `The service answered ${status} with something that is not JSON`,
	notAnObject: ({ status }: Texts<'status'>) =>
		`The service answered ${status} with JSON that is not an object`,
	isTooLong: ({ status }: Texts<'status'>) =>
		`The service answered ${status} with more text than an answer to this has`,
	withoutList: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status} without the list of records that belongs under '${words}'`,
	withoutFields: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status} without any documented field (${words})`,
	withoutIdentifier: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status} without an identifier of the payment (${words})`,
	withoutAmount: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status} without an amount above zero under '${words}'`,
	reportsFailure: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status} with an identifier, and says that the payment failed (${words})`,
	reportsFailedChange: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status}, and says that the request failed (${words})`,
	otherPayment: ({ status, words }: Texts<'status' | 'words'>) =>
		`The service answered ${status} for another payment: ${words}`,
	nodeFailed: (reason: string) => `A bug in this node hides the answer of the service: ${reason}`,
	idOfAnother: (id: string) =>
		`The service answered with ${id}, the identifier of another payment of this execution`,
};

/** A call without an answer. */
export const noAnswer = (reason: string) => `The service gave no answer (${reason})`;

/** What to do after an answer that proves nothing. */
export const UNKNOWN_ADVICE = {
	payment:
		'It is unknown whether the money was moved. Look at the service first: running this item again could pay twice.',
	change:
		'It is unknown whether this was done. Look it up at the service first: running this item again could do it twice.',
	read: 'Try again later. If it happens again, check Base URL of the credential.',
};
