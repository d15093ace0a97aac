/** Where something is left to do. */
import { oneLine } from '../../shared/text.ts';
import type { Flow, FlowNode } from './workflow.ts';

/** A workflow, or a node in it. */
export interface Place {
	flow: Flow;
	node?: FlowNode;
}

/** The nodes of these workflows that pass the test. */
export function nodesThat(flows: readonly Flow[], test: (node: FlowNode, flow: Flow) => boolean): Place[] {
	return flows.flatMap((flow) =>
		flow.nodes.filter((node) => test(node, flow)).map((node) => ({ flow, node })),
	);
}

/** The workflows that pass the test. */
export function flowsThat(flows: readonly Flow[], test: (flow: Flow) => boolean): Place[] {
	return flows.filter(test).map((flow) => ({ flow }));
}

/** `Pay once: Pay fiat; Alerts` */
export function wordsOf(places: readonly Place[]): string {
	return places
		.map(({ flow, node }) => [flow.name, ...(node === undefined ? [] : [node.name])].map(oneLine).join(': '))
		.join('; ');
}
