/** What the rules look at: the workflows, and the ways of money through them. */
import { calledBy, callLinks, callsOneOf } from './calls.ts';
import { closureOf, reachedFrom, reversed } from './links.ts';
import type { Links } from './links.ts';
import { isBareRequest, isOurs, sendsMoney } from './node.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';

export interface Workflows {
	flows: readonly Flow[];
	byId: ReadonlyMap<string, Flow>;
	/** Those with a node of this package, what they call and what calls them, and their error workflows. */
	concerned: readonly Flow[];
	/** The address of n8n, if it is known. */
	address: string | undefined;
	/** The workflows that pay, themselves or through one that they call. */
	paying: readonly Flow[];
	/**
	 * Whether something may pay behind the node: also where nobody knows what a called workflow does, and where the workflow that
	 * called pays afterwards.
	 */
	isBeforeMoney(flow: Flow, nodeName: string): boolean;
}

type NamesByFlow = ReadonlyMap<Flow, ReadonlySet<string>>;
type Test = (flow: Flow, node: FlowNode) => boolean;

export function workflowsOf(flows: readonly Flow[], address: string | undefined): Workflows {
	const calls = callLinks(flows);
	const ownMoney = idsWith(flows, (_, node) => sendsMoney(node));
	const paying = closureOf(reversed(calls), ownMoney);
	const payingOrUnknown = closureOf(reversed(calls), new Set([...ownMoney, ...idsWith(flows, callsUnknown)]));
	const concerned = concernedIds(flows, calls);
	const beforeMoney = namesBeforeMoney(flows, calls, payingOrUnknown);
	return {
		flows,
		byId: new Map(flows.map((flow) => [flow.id, flow])),
		concerned: flows.filter(({ id }) => concerned.has(id)),
		address,
		paying: flows.filter(({ id }) => paying.has(id)),
		isBeforeMoney: (flow, name) => beforeMoney.get(flow)?.has(name) === true,
	};
}

const callsUnknown: Test = (flow, node) => calledBy(flow, node) === 'not known';

/** The IDs of the workflows with a node that passes the test. */
export function idsWith(flows: readonly Flow[], test: Test): Set<string> {
	const found = flows.filter((flow) => flow.nodes.some((node) => test(flow, node)));
	return new Set(found.map(({ id }) => id));
}

function concernedIds(flows: readonly Flow[], calls: Links): Set<string> {
	const isConcerned = (node: FlowNode) => isOurs(node) || isBareRequest(node);
	const own = flows.filter((flow) => [...flow.nodes, ...flow.disabledNodes].some(isConcerned));
	const ours = new Set(own.map(({ id }) => id));
	const together = new Set([...closureOf(calls, ours), ...closureOf(reversed(calls), ours)]);
	const members = flows.filter(({ id }) => together.has(id));
	return new Set([...together, ...members.map(({ settings }) => textOf(settings.errorWorkflow))]);
}

/** For each workflow, the names of the nodes behind which something may pay. */
function namesBeforeMoney(flows: readonly Flow[], calls: Links, paying: ReadonlySet<string>): NamesByFlow {
	const mayPay: Test = (flow, node) =>
		sendsMoney(node) || callsUnknown(flow, node) || callsOneOf(paying, flow, node);
	const before = new Map<Flow, Set<string>>();
	for (const flow of flows) {
		const passing = flow.nodes.filter((node) => mayPay(flow, node)).map(({ name }) => name);
		before.set(flow, reachedFrom(reversed(flow.links), passing));
	}
	const firstCalls = callLinks(flows, (flow, { name }) => before.get(flow)?.has(name) === true);
	const whole = closureOf(calls, new Set([...firstCalls.values()].flat()));
	for (const flow of flows) {
		if (!whole.has(flow.id)) continue;
		const nodes = [...flow.nodes, ...flow.disabledNodes];
		before.set(flow, new Set(nodes.map(({ name }) => name)));
	}
	return before;
}
