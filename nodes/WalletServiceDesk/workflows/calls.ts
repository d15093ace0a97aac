/** Which workflow a node calls. */
import { isRecord } from '../../../api/exact/json.ts';
import { isExpression } from './node.ts';
import { linksFrom } from './links.ts';
import type { Links } from './links.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';

const CALLING_KINDS = ['executeWorkflow', 'toolWorkflow'];
const ITSELF = /^=\s*\{\{\s*\$workflow\.id\s*\}\}$/;

/** The called workflow, or that none is chosen, or that only a run can tell which one. */
export type Called = { id: string } | 'not chosen' | 'not known';

/** Undefined if the node calls no workflow. */
export function calledBy(flow: Flow, { kind, parameters }: FlowNode): Called | undefined {
	if (!CALLING_KINDS.includes(kind)) return undefined;
	// A workflow that is written into the node, or read from a file.
	if ((parameters.source ?? 'database') !== 'database') return 'not known';
	const { workflowId } = parameters;
	const id = textOf(isRecord(workflowId) ? workflowId.value : workflowId);
	if (id === '') return 'not chosen';
	if (ITSELF.test(id)) return { id: flow.id };
	return isExpression(id) ? 'not known' : { id };
}

/** The IDs of workflows, each with those that it calls. */
export function callLinks(flows: readonly Flow[]): Links {
	const pairs: Array<[string, string]> = [];
	for (const flow of flows) {
		for (const node of flow.nodes) {
			const called = calledBy(flow, node);
			if (typeof called === 'object') pairs.push([flow.id, called.id]);
		}
	}
	return linksFrom(pairs);
}
