/** Where something is left to do. */
import { shortLine } from '../../shared/text.ts';
import { firstAndMore } from '../../shared/wording.ts';
import { MORE } from './messages.ts';
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

/** The same of disabled nodes to which items come. */
export function disabledNodesThat(
	flows: readonly Flow[],
	test: (node: FlowNode, flow: Flow) => boolean,
): Place[] {
	return flows.flatMap((flow) => {
		const targets = new Set([...flow.links.values()].flat());
		const found = flow.disabledNodes.filter((node) => targets.has(node.name) && test(node, flow));
		return found.map((node) => ({ flow, node }));
	});
}

/** The workflows that pass the test. */
export function flowsThat(flows: readonly Flow[], test: (flow: Flow) => boolean): Place[] {
	return flows.filter(test).map((flow) => ({ flow }));
}

/** How many places are named. */
const MOST = 3;
/** Characters of a name. */
const LONGEST = 80;

/** `Pay once: Pay fiat; Alerts`. Of many, the first three and how many more. */
export function wordsOf(places: readonly Place[]): string {
	const names = places.map(({ flow, node }) =>
		[flow, ...(node === undefined ? [] : [node])].map(({ name }) => shortLine(name, LONGEST)).join(': '),
	);
	return firstAndMore(names, { most: MOST, more: MORE }).join('; ');
}
