/** The operation that looks at workflows, as the editor offers it. */
import { deskOperation } from './operation/operation.ts';
import { checkWorkflows } from './workflows/check.ts';

const check = deskOperation({
	name: 'Check',
	action: 'Check what is left before going live',
	description:
		"Read workflows from n8n's own node and say what is left to do before the first live payout. One item for each finding, the dangerous ones first.",
	asksService: false,
	handOver: 'Hand over your workflows: the node n8n, operation Get Many of workflows.',
	fields: {},
	options: {},
	item: { finding: 'string', where: 'string', whatToDo: 'string' },
	begin: ({ items, address }) => ({
		finish: () => checkWorkflows(items, address).map((finding) => ({ json: { ...finding }, from: 0 })),
	}),
});

export const WORKFLOW_OPERATIONS = { 'workflows.check': check };
