/** What a model may do: run what pays, and say what only a person may say. */
import { calledBy, callLinks, inputsOf, isWorkflowTool } from './calls.ts';
import { closureOf, linksFrom, reversed, reachedFrom } from './links.ts';
import {
	asksPerson,
	fieldsReadBy,
	isBareRequest,
	isLivePayment,
	isTool,
	setsApproval,
	startsWhenCalled,
	waitsForApproval,
} from './node.ts';
import { flowsThat, nodesThat } from './places.ts';
import type { Place } from './places.ts';
import { takingApprovals } from './rulesOfApprovals.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';
import type { Workflows } from './workflows.ts';

const APPROVING = ['approvedBy', 'dryRun'];
/** What a person has said about a payment. */
const SAID = [...APPROVING, 'ifOutcomeIsUnknown', 'allowDuplicate'];

/** Where a model fills in what only a person may say, it approves its own payments. n8n reads three spellings of the function. */
export function withDecisionByModel({ flows, byId }: Workflows): Place[] {
	return nodesThat(flows, (node, flow) => {
		const inputs = inputsOf(node);
		const fields = fieldsReadBy(targetOf(flow, node, byId), SAID);
		return fields.some((field) => /\$fromai\b/i.test(textOf(inputs[field])));
	});
}

function targetOf(flow: Flow, node: FlowNode, byId: ReadonlyMap<string, Flow>): Flow | undefined {
	const called = calledBy(flow, node);
	return typeof called === 'object' ? byId.get(called.id) : undefined;
}

/** A tool of an agent or of an MCP server that pays, itself or in a workflow, and nobody is asked in between. */
export function paidByModels(workflows: Workflows): Place[] {
	const { flows, byId } = workflows;
	const unasked = idsThatPayUnasked(workflows);
	return flows.flatMap((flow) => {
		const reviewed = namesBehindReview(flow);
		return nodesThat([flow], (node) => {
			if (reviewed.has(node.name)) return false;
			if (isTool(node) && isLivePayment(node)) return !waitsForApproval(node);
			const target = isWorkflowTool(node) ? targetOf(flow, node, byId) : undefined;
			return target !== undefined && (unasked.has(target.id) || entersApproval(node, target));
		});
	});
}

/** The tools that no agent has, or only behind a review by a person. */
function namesBehindReview({ nodes, links }: Flow): Set<string> {
	const asking = new Set(nodes.filter(asksPerson).map(({ name }) => name));
	const free = new Set([...links].flatMap(([from, targets]) => (asking.has(from) ? [] : targets)));
	return new Set(nodes.map(({ name }) => name).filter((name) => !free.has(name)));
}

/** Whether the tool itself enters what the payments of the called workflow wait for. */
function entersApproval(node: FlowNode, target: Flow): boolean {
	const inputs = inputsOf(node);
	return fieldsReadBy(target, APPROVING).some((field) => textOf(inputs[field]) !== '');
}

/**
 * The IDs of the workflows that pay when they are called, themselves or through others, and ask nobody before: the payment waits for
 * no approval, or a node enters one that nobody has given.
 */
function idsThatPayUnasked({ flows, paying }: Workflows): Set<string> {
	const names = new Map(flows.map((flow) => [flow, namesBeforeQuestions(flow)]));
	const isUnasked = (flow: Flow, { name }: FlowNode) => names.get(flow)?.has(name) === true;
	const pays = (node: FlowNode) => isBareRequest(node) || (isLivePayment(node) && !waitsForApproval(node));
	const own = flows.filter((flow) =>
		flow.nodes.some(
			(node) => isUnasked(flow, node) && (pays(node) || (paying.includes(flow) && setsApproval(node))),
		),
	);
	return closureOf(reversed(callLinks(flows, isUnasked)), new Set(own.map(({ id }) => id)));
}

/** The nodes that a call reaches without a question. */
function namesBeforeQuestions({ nodes, links }: Flow): Set<string> {
	const asking = new Set(nodes.filter(asksPerson).map(({ name }) => name));
	const unasked = [...links].filter(([from]) => !asking.has(from));
	const pairs = unasked.flatMap(([from, targets]) => targets.map((to) => [from, to] as const));
	const starts = nodes.filter(startsWhenCalled).map(({ name }) => name);
	return reachedFrom(linksFrom(pairs), starts);
}

/**
 * n8n's own MCP access tests such a workflow for a model with the data that the model gives for any node: the approval, too. What is
 * behind runs as always, and pays.
 */
export function availableToModels({ paying }: Workflows): Place[] {
	return flowsThat(paying, ({ settings }) => Boolean(settings.availableInMCP));
}

/** Policies of n8n under which it lets in only what a person has entered. Its agents pass none of them. */
const CLOSED_POLICIES = ['workflowsFromAList', 'none'];

/**
 * A workflow whose callers say who approved, and that takes any caller: an agent of n8n can have it as a tool, and a model that builds
 * workflows can call it.
 */
export function openToCallers(workflows: Workflows): Place[] {
	const taking = takingApprovals(workflows);
	return flowsThat(workflows.flows, (flow) => {
		const isOpen = !CLOSED_POLICIES.includes(textOf(flow.settings.callerPolicy));
		const isTaking = taking.includes(flow) || fieldsReadBy(flow, APPROVING).length > 0;
		return flow.nodes.some(startsWhenCalled) && isOpen && isTaking;
	});
}
