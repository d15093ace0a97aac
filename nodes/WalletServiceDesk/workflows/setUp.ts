/** What the matters look at: the workflows, and the ways of money through them. */
import { callLinks, calledBy } from './calls.ts';
import { closureOf, reachedFrom, reversed } from './links.ts';
import type { Links } from './links.ts';
import { isBareRequest, isOurs, sendsMoney } from './node.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';

export interface SetUp {
	flows: readonly Flow[];
	/** Those with a node of this package, what they call and what calls them, and their error workflows. */
	concerned: readonly Flow[];
	/** The address of n8n, if it is known. */
	address: string | undefined;
	/** The workflows that pay, themselves or through one that they call. */
	paying: readonly Flow[];
	/** For each workflow, the names of the nodes behind which something pays, for sure. */
	beforePayment: NamesByFlow;
	/** The same, also where nobody knows what a called workflow does, and where the workflow that called pays afterwards. */
	beforeMoney: NamesByFlow;
}

type NamesByFlow = ReadonlyMap<Flow, ReadonlySet<string>>;
type Test = (flow: Flow, node: FlowNode) => boolean;

export function setUpOf(flows: readonly Flow[], address: string | undefined): SetUp {
	const calls = callLinks(flows);
	const paying = closureOf(
		reversed(calls),
		idsWith(flows, (_, node) => sendsMoney(node)),
	);
	const payingOrUnknown = closureOf(reversed(calls), new Set([...paying, ...idsWith(flows, callsUnknown)]));
	const concerned = concernedIds(flows, calls);
	return {
		flows,
		concerned: flows.filter(({ id }) => concerned.has(id)),
		address,
		paying: flows.filter(({ id }) => paying.has(id)),
		beforePayment: namesBefore(flows, (flow, node) => sendsMoney(node) || callsOneOf(paying, flow, node)),
		beforeMoney: namesBeforeMoney(flows, calls, payingOrUnknown),
	};
}

const callsUnknown: Test = (flow, node) => calledBy(flow, node) === 'not known';

function callsOneOf(ids: ReadonlySet<string>, flow: Flow, node: FlowNode): boolean {
	const called = calledBy(flow, node);
	return typeof called === 'object' && ids.has(called.id);
}

/** The IDs of the workflows with a node that passes the test. */
function idsWith(flows: readonly Flow[], test: Test): Set<string> {
	const found = flows.filter((flow) => flow.nodes.some((node) => test(flow, node)));
	return new Set(found.map(({ id }) => id));
}

function concernedIds(flows: readonly Flow[], calls: Links): Set<string> {
	const ours = idsWith(flows, (_, node) => isOurs(node) || isBareRequest(node));
	const together = new Set([...closureOf(calls, ours), ...closureOf(reversed(calls), ours)]);
	const members = flows.filter(({ id }) => together.has(id));
	return new Set([...together, ...members.map(({ settings }) => textOf(settings.errorWorkflow))]);
}

/** For each workflow, the names of the nodes behind which a node passes the test. */
function namesBefore(flows: readonly Flow[], test: Test): Map<Flow, Set<string>> {
	const before = new Map<Flow, Set<string>>();
	for (const flow of flows) {
		const passing = flow.nodes.filter((node) => test(flow, node)).map(({ name }) => name);
		before.set(flow, reachedFrom(reversed(flow.links), passing));
	}
	return before;
}

function namesBeforeMoney(flows: readonly Flow[], calls: Links, paying: ReadonlySet<string>): NamesByFlow {
	const before = namesBefore(
		flows,
		(flow, node) => sendsMoney(node) || callsUnknown(flow, node) || callsOneOf(paying, flow, node),
	);
	const calledFirst = idsCalledBy(flows, (flow, node) => before.get(flow)?.has(node.name) === true);
	const whole = closureOf(calls, calledFirst);
	for (const flow of flows)
		if (whole.has(flow.id)) before.set(flow, new Set(flow.nodes.map(({ name }) => name)));
	return before;
}

/** The IDs of the workflows that the nodes that pass the test call. */
function idsCalledBy(flows: readonly Flow[], test: Test): Set<string> {
	const ids = new Set<string>();
	for (const flow of flows) {
		for (const node of flow.nodes) {
			const called = calledBy(flow, node);
			if (typeof called === 'object' && test(flow, node)) ids.add(called.id);
		}
	}
	return ids;
}
