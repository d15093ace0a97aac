/** What a model may do: run what pays, and say what only a person may say. */
import { calledBy, callLinks, inputsOf, isOfItem, isWorkflowTool } from './calls.ts';
import { closureOf, linksFrom, reversed, reachedFrom } from './links.ts';
import {
	asksPerson,
	fieldsReadBy,
	hasKeyOfN8n,
	isBareRequest,
	isLivePayment,
	isOpenMcpServer,
	isReview,
	isTool,
	isToolTo,
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
		const isOfModel = (written: unknown) =>
			/\$fromai\b/i.test(textOf(written)) || (isWorkflowTool(node) && isOfItem(written));
		return fields.some((field) => isOfModel(inputs[field]));
	});
}

/** The workflow that a tool calls. */
function targetOfTool(flow: Flow, node: FlowNode, byId: Workflows['byId']): Flow | undefined {
	return isWorkflowTool(node) ? targetOf(flow, node, byId) : undefined;
}

/** The same, if it leads to payments, after a question or without one. */
function payingTargetOfTool(flow: Flow, node: FlowNode, { byId, paying }: Workflows): Flow | undefined {
	const target = targetOfTool(flow, node, byId);
	return target !== undefined && paying.includes(target) ? target : undefined;
}

/** What else a model can put into the inputs of a workflow that pays, although its author wanted to give it. */
export function withInputByItem(workflows: Workflows): Place[] {
	return nodesThat(workflows.flows, (node, flow) => {
		const target = payingTargetOfTool(flow, node, workflows);
		if (target === undefined) return false;
		const said = fieldsReadBy(target, SAID);
		return Object.entries(inputsOf(node)).some(
			([name, written]) => !said.includes(name) && isOfItem(written),
		);
	});
}

function targetOf(flow: Flow, node: FlowNode, byId: ReadonlyMap<string, Flow>): Flow | undefined {
	const called = calledBy(flow, node);
	return typeof called === 'object' ? byId.get(called.id) : undefined;
}

/** A tool of an agent or of an MCP server that pays, itself or in a workflow, and nobody is asked in between. */
export function paidByModels(workflows: Workflows): Place[] {
	const callsPayment = workflowToolsThatPay(workflows);
	return workflows.flows.flatMap((flow) => {
		const reviewed = namesBehindReview(flow);
		return nodesThat([flow], (node) => {
			if (reviewed.has(node.name)) return false;
			if (isTool(node) && isLivePayment(node)) return !waitsForApproval(node);
			return callsPayment(flow, node);
		});
	});
}

/** A workflow behind n8n's approval of tools. The node of this package refuses that one by itself. */
export function reviewedByN8n(workflows: Workflows): Place[] {
	const callsPayment = workflowToolsThatPay(workflows);
	return workflows.flows.flatMap((flow) => {
		const asking = flow.nodes.filter(isReview).flatMap(({ name }) => flow.links.get(name) ?? []);
		return nodesThat([flow], (node) => asking.includes(node.name) && callsPayment(flow, node));
	});
}

function workflowToolsThatPay(workflows: Workflows): (flow: Flow, node: FlowNode) => boolean {
	const unasked = idsThatPayUnasked(workflows);
	return (flow, node) => {
		const target = targetOfTool(flow, node, workflows.byId);
		return target !== undefined && (unasked.has(target.id) || entersApproval(node, target));
	};
}

/** The tools of such a server that call a workflow pay, unlike the node of this package. */
export function openMcpServers(workflows: Workflows): Place[] {
	return nodesThat(workflows.flows, (server, flow) => {
		if (!isOpenMcpServer(server)) return false;
		const names = flow.links.get(server.name) ?? [];
		const tools = flow.nodes.filter(({ name }) => names.includes(name));
		return tools.some((tool) => payingTargetOfTool(flow, tool, workflows) !== undefined);
	});
}

/** Hosts under which programs on the machine of n8n reach it. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** What a model could use to read executions of n8n, in which the links of questions stand. */
export function besideKeysOfN8n({ flows, paying, address }: Workflows): Place[] {
	if (paying.length === 0) return [];
	const hosts = [...OWN_HOSTS, ...(URL.canParse(address ?? '') ? [new URL(address!).host] : [])];
	const isBesideTools = ({ nodes }: Flow) => nodes.some((each) => isTool(each) || isWorkflowTool(each));
	return nodesThat(
		flows,
		(node, flow) => (hasKeyOfN8n(node) && isBesideTools(flow)) || isToolTo(node, hosts),
	);
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
