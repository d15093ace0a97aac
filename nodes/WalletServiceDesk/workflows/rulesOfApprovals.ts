/** What only a person may say of a payment: questions that are none, and answers that nobody gave. */
import { isSameNumber } from '../../../api/exact/decimal.ts';
import { calledBy, callLinks, inputsOf, isWorkflowTool } from './calls.ts';
import { closureOf, linksFrom, reachedFrom, reversed } from './links.ts';
import {
	asksPerson,
	checksItems,
	fieldsReadBy,
	isAnsweredByLink,
	isExpression,
	isLivePayment,
	lacksPassword,
	optionOf,
	paysList,
	readsItem,
	readsList,
	replacesApproval,
	startsWhenCalled,
	sumsOfDay,
	sumsOfReport,
	takesField,
	waitsForApproval,
} from './node.ts';
import { disabledNodesThat, nodesThat } from './places.ts';
import type { Place } from './places.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';
import type { Workflows } from './workflows.ts';

/** A disabled question is a yes, and a disabled check finds everything good: n8n hands the items on. */
export function disabledBeforePayments({ flows, isBeforeMoney }: Workflows): Place[] {
	return disabledNodesThat(
		flows,
		(node, flow) => (asksPerson(node) || checksItems(node)) && isBeforeMoney(flow, node.name),
	);
}

/** A question before a payment whose answer is the opening of a link. Looked for in all workflows, since others may pay. */
export function answeredByLink({ flows, isBeforeMoney }: Workflows): Place[] {
	return nodesThat(flows, (node, flow) => isAnsweredByLink(node) && isBeforeMoney(flow, node.name));
}

/** A question before a payment that asks for no password. What is answered by a link is worse, and named by itself. */
export function withoutPassword({ flows, isBeforeMoney }: Workflows): Place[] {
	return nodesThat(
		flows,
		(node, flow) => lacksPassword(node) && !isAnsweredByLink(node) && isBeforeMoney(flow, node.name),
	);
}

/** One name for all says that somebody has approved whatever comes. */
export function withApprovalForAll({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => {
		const approvedBy = optionOf(node, 'approvedBy');
		return isLivePayment(node) && approvedBy !== undefined && !readsItem(textOf(approvedBy));
	});
}

/** Where Dry Run waits for an approver, any text in the field pays, if nothing checks that it is a name. */
export function withUncheckedApproval({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => {
		const isUnchecked = !paysList(node) && optionOf(node, 'approvedBy') === undefined;
		return isLivePayment(node) && waitsForApproval(node) && isUnchecked;
	});
}

/**
 * A sum of *Report* that no node has by which its rows are paid: lists that get their only yes in the same seconds pass it, because each
 * page reads the book before the others are paid. Or the two are not the same, and a row is not paid although the page did not ask.
 */
export function withOtherSums({ flows }: Workflows): Place[] {
	const calls = callLinks(flows);
	const asking = flows.filter(({ nodes }) => nodes.some((node) => sumsOfReport(node).length > 0));
	return asking.flatMap((flow) => {
		const called = closureOf(calls, new Set([flow.id]));
		const paying = flows.filter(({ id }) => called.has(id)).flatMap(({ nodes }) => nodes.filter(paysList));
		const ofDay = paying.flatMap(sumsOfDay);
		const isOther = ([code, amount]: readonly [string, string]) => {
			const same = ofDay.filter(([each]) => each === code);
			return same.length === 0 || same.some(([, sum]) => !isSameNumber(sum, amount));
		};
		return nodesThat([flow], (node) => paying.length > 0 && sumsOfReport(node).some(isOther));
	});
}

/** Nodes whose rows somebody else may have written. */
const OF_OTHERS = new Set([
	'webhook',
	'form',
	'formTrigger',
	'httpRequest',
	'chatTrigger',
	'emailReadImap',
	'gmailTrigger',
	'googleSheets',
	'googleSheetsTrigger',
	'microsoftExcel',
	'spreadsheetFile',
	'extractFromFile',
	'dataTable',
	'airtable',
	'airtableTrigger',
	'notion',
	'baserow',
	'nocoDb',
	'seaTable',
	'grist',
	'supabase',
	'postgres',
	'mySql',
	'microsoftSql',
	'mongoDb',
	'snowflake',
]);

/** A node of a workflow, as the name of a step in the way of rows through all workflows. */
const stepOf = (id: string, nodeName: string) => JSON.stringify([id, nodeName]);

/**
 * Where rows come from that are paid as others have written them: whoever writes a row can say who has approved it. *Read* refuses
 * that, and a node that sets it behind *Read* says it in place of the row.
 */
export function withUnreadRows(workflows: Workflows): Place[] {
	const isBefore = beforeLists(workflows);
	return nodesThat(workflows.flows, (node, flow) => OF_OTHERS.has(node.kind) && isBefore(flow, node));
}

/** Whether a node hands rows, with who has approved them, to a list that is paid. */
function beforeLists({ flows, byId }: Workflows): (flow: Flow, node: FlowNode) => boolean {
	const ways = linksFrom(flows.flatMap((flow) => [...stepsWithin(flow), ...stepsOfCalls(flow, byId)]));
	const paying = flows.flatMap(({ id, nodes }) =>
		nodes.filter((node) => paysList(node) && isLivePayment(node)).map(({ name }) => stepOf(id, name)),
	);
	const before = reachedFrom(reversed(ways), paying);
	return ({ id }, { name }) => before.has(stepOf(id, name));
}

/** The workflows whose callers say who has approved rows: they take all fields of an item, or that one. */
export function takingApprovals(workflows: Workflows): Flow[] {
	const isBefore = beforeLists(workflows);
	const isTaking = (flow: Flow, node: FlowNode) =>
		startsWhenCalled(node) && takesField(node, 'approvedBy') && isBefore(flow, node);
	return workflows.flows.filter((flow) => flow.nodes.some((node) => isTaking(flow, node)));
}

type Step = readonly [from: string, to: string];

/** From node to node, where none of the two refuses or sets what a row says of its approval. */
function stepsWithin({ id, nodes, links }: Flow): Step[] {
	const safe = new Set(
		nodes.filter((node) => readsList(node) || replacesApproval(node)).map(({ name }) => name),
	);
	return [...links].flatMap(([from, targets]) =>
		safe.has(from)
			? []
			: targets.filter((to) => !safe.has(to)).map((to): Step => [stepOf(id, from), stepOf(id, to)]),
	);
}

/** From a call to the start of what it calls, unless the call itself enters who approved. */
function stepsOfCalls(flow: Flow, byId: ReadonlyMap<string, Flow>): Step[] {
	return flow.nodes.flatMap((node) => {
		const called = calledBy(flow, node);
		const target = typeof called === 'object' ? byId.get(called.id) : undefined;
		if (target === undefined || isWorkflowTool(node) || !handsOnApproval(node)) return [];
		const starts = target.nodes.filter(({ kind }) => kind === 'executeWorkflowTrigger');
		return starts.map(({ name }): Step => [stepOf(flow.id, node.name), stepOf(target.id, name)]);
	});
}

/** Without inputs, n8n hands on the whole item. */
function handsOnApproval(node: FlowNode): boolean {
	const inputs = inputsOf(node);
	return Object.keys(inputs).length === 0 || textOf(inputs.approvedBy).includes('$json');
}

/** That somebody approved it, or what became of it; and that it may repeat another one. */
const APPROVING = ['approvedBy', 'dryRun'];
const DECIDING = ['ifOutcomeIsUnknown', 'allowDuplicate'];

/**
 * A call that writes down one value for what the payments of the called workflow read from each item: with somebody's name, all rows
 * count as approved, and with a decision, all unknown payments as decided. A tool pays for a model, whose author approves all of it,
 * but nobody has looked up what is unknown, or what may repeat another payment.
 */
export function withDecisionForAll({ flows, byId }: Workflows): Place[] {
	return nodesThat(flows, (node, flow) => {
		const called = calledBy(flow, node);
		const target = typeof called === 'object' ? byId.get(called.id) : undefined;
		if (target === undefined) return false;
		const inputs = inputsOf(node);
		const fields = fieldsReadBy(target, isWorkflowTool(node) ? DECIDING : [...APPROVING, ...DECIDING]);
		return fields.some((field) => textOf(inputs[field]) !== '' && !isExpression(inputs[field]));
	});
}
