/** Which workflow a node calls, and what it hands over. */
import { isRecord } from '../../../api/exact/json.ts';
import { linksFrom } from './links.ts';
import type { Links } from './links.ts';
import { isExpression } from './node.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';

const TOOL = 'toolWorkflow';
const CALLING_KINDS = ['executeWorkflow', TOOL];
const ITSELF = /^=\s*\{\{\s*\$workflow\.id\s*\}\}$/;

/** The called workflow; or none is chosen; or only a run can tell which one. */
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

export function callsOneOf(ids: ReadonlySet<string>, flow: Flow, node: FlowNode): boolean {
	const called = calledBy(flow, node);
	return typeof called === 'object' && ids.has(called.id);
}

/** Whether a model calls it, when it wants to. */
export function isWorkflowTool({ kind }: FlowNode): boolean {
	return kind === TOOL;
}

/** Whether the workflow goes on only when the called one has ended. */
export function waitsForCalled({ parameters: { options } }: FlowNode): boolean {
	return !isRecord(options) || options.waitForSubWorkflow !== false;
}

/** What the node enters into the inputs of the called workflow, as it was written. */
export function inputsOf({ parameters: { workflowInputs } }: FlowNode): Readonly<Record<string, unknown>> {
	return isRecord(workflowInputs) && isRecord(workflowInputs.value) ? workflowInputs.value : {};
}

/** AI Agent 3 adds all that a model sends to the item of its tool. An item link reads the first of several items in each call. */
const READS_ITEM = /\$(?:json|input|binary|data)\b|\.item\b|\bitemMatching\b/;

/** Whether a tool takes the value from the item that it gets. */
export function isOfItem(written: unknown): boolean {
	return isExpression(written) && READS_ITEM.test(textOf(written));
}

/** The IDs of workflows, each with those that its nodes call, if they pass the test. */
export function callLinks(
	flows: readonly Flow[],
	test: (flow: Flow, node: FlowNode) => boolean = () => true,
): Links {
	const pairs: Array<[string, string]> = [];
	for (const flow of flows) {
		for (const node of flow.nodes) {
			const called = calledBy(flow, node);
			if (typeof called === 'object' && test(flow, node)) pairs.push([flow.id, called.id]);
		}
	}
	return linksFrom(pairs);
}
