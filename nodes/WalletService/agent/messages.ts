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
		description: "Use the example 'Part: request of an agent' as the tool, as 'Agent asks for payouts' does",
	}),
	hasNoMemory: () => ({
		message:
			'This kind of agent gives the node no memory, so the node pays nothing and changes nothing for it',
		description:
			"Use AI Agent version 3, or let the agent call the example 'Part: request of an agent' as its tool",
		about: 'limit' as const,
	}),
};

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
