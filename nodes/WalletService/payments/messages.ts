/** What is said of a whole run, and of items that were decided before. Parameters of the functions are texts to insert. */
import { FIRST_ITEM } from '../../shared/wording.ts';

/** Why a run sends nothing for any item. */
export const RUN = {
	resultWouldBeLost: () => ({
		message: "In n8n's old execution order, AI Agent 3 does not read the results of its tools",
		description: "Set 'Execution Order' to v1 in the settings of the workflow",
	}),
};

/** Items that are not sent, or not sent again. */
export const REPEATED = {
	anotherItemIsInvalid: (items: string) => ({
		message: `Not sent because of ${items}`,
		description: `Nothing is sent while an item of the same run is invalid. Fix or remove that item and run again. ${FIRST_ITEM}`,
	}),
	mayHaveBeenMade: (reason: string) => ({
		message: `Not sent again because the service may have accepted an earlier try: ${reason}`,
		description:
			'Look it up at the service. If it was not done, run this item in a new execution: this one does not send it again',
	}),
	wasMadeByAnotherOperation: (route: string) => ({
		message: 'Not sent because another operation may have been done for this item in this execution',
		description: `The node used ${route} before it was changed. Run the item in a new execution`,
	}),
};
