/** The operation that looks at workflows, as the editor offers it. */
import { deskOperation } from './operation/operation.ts';
import { checkSetUp } from './workflows/checkSetUp.ts';
import { NOTHING_LEFT } from './workflows/messages.ts';

const check = deskOperation({
	name: 'Check',
	action: 'Check what is left before going live',
	description:
		"Read workflows from n8n's own node and say what is left to do before the first live payout. One item for each matter.",
	asksService: false,
	handOver: 'Hand over your workflows: the node n8n, operation Get Many of workflows.',
	fields: {},
	options: {},
	item: { matter: 'string', where: 'string', whatToDo: 'string' },
	begin: ({ items, address }) => {
		const matters = checkSetUp({ workflows: items, address });
		const told = matters.length === 0 ? [NOTHING_LEFT] : matters;
		return { finish: () => told.map((matter) => ({ json: { ...matter }, from: 0 })) };
	},
});

export const WORKFLOW_OPERATIONS = { 'workflows.check': check };
