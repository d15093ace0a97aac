/** Payments that can be made twice, that have no limit, or that are not made. */
import { isRecord } from '../../../api/exact/json.ts';
import { calledBy, callLinks } from './calls.ts';
import { closureOf, inCircles, linksFrom, reachedFrom, reversed } from './links.ts';
import {
	asksPerson,
	isBareRequest,
	isDryRun,
	isExpression,
	isLivePayment,
	lacksPaymentKey,
	limitsOf,
	optionOf,
	paymentKeyOf,
	paysDestination,
	paysList,
	readsList,
} from './node.ts';
import { flowsThat, nodesThat } from './place.ts';
import type { Place } from './place.ts';
import type { SetUp } from './setUp.ts';
import { textOf } from '../values/itemValues.ts';
import type { Flow, FlowNode } from './workflow.ts';

/** A request to the service by n8n's HTTP Request: no key, no limit and no dry run of this package holds for it. */
export function bareRequests({ flows }: SetUp): Place[] {
	return nodesThat(flows, isBareRequest);
}

/** A payment without a key is made again by each new run. */
export function withoutPaymentKey({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && lacksPaymentKey(node));
}

/** What is another value in each run. A key of a day or a month, made of `$today` or `$now`, may be meant. */
const NEW_IN_EACH_RUN = ['$execution.id', 'Math.random', 'randomUUID', 'Date.now', '$now.toMillis'];

/** A key that is new in each run protects from nothing. */
export function withPaymentKeyOfRun({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && hasPaymentKeyOfRun(node));
}

function hasPaymentKeyOfRun(node: FlowNode): boolean {
	const key = paymentKeyOf(node);
	return isExpression(key) && NEW_IN_EACH_RUN.some((part) => key.includes(part));
}

/** A limit that is there but empty refuses everything, so it is left to do, too. An expression is its author's choice. */
export function withoutMaximumAmount({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && lacksLimit(node, 'maximumAmount'));
}

/** Without it, a workflow that runs wild pays until the balance is empty. */
export function withoutMaximumPerDay({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && isNothing(optionOf(node, 'maximumPerDay')));
}

/** Without it, a payout goes to whatever the item says. A conversion stays in the account. */
export function withoutAllowedAliases({ flows }: SetUp): Place[] {
	return nodesThat(
		flows,
		(node) => isLivePayment(node) && paysDestination(node) && lacksLimit(node, 'allowedAliases'),
	);
}

function lacksLimit(node: FlowNode, name: string): boolean {
	return limitsOf(node, name).some(isNothing);
}

function isNothing(written: unknown): boolean {
	return ['', '='].includes(textOf(written));
}

/**
 * The option is a person's answer about one payment. Written down for all, it decides about each one that is unknown, and nobody
 * looks it up.
 */
export function withOutcomeForAll({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => {
		const decision = textOf(optionOf(node, 'ifOutcomeIsUnknown'));
		const decides = decision !== '' && !decision.includes('doNotPay');
		return isLivePayment(node) && decides && !readsItem(decision);
	});
}

function readsItem(written: string): boolean {
	return isExpression(written) && written.includes('$');
}

/** One name for all says that somebody has approved whatever comes. */
export function withApprovalForAll({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => {
		const approvedBy = optionOf(node, 'approvedBy');
		return isLivePayment(node) && approvedBy !== undefined && !readsItem(textOf(approvedBy));
	});
}

/** Where Dry Run waits for an approver, any text in the field pays, if nothing checks that it is a name. */
export function withUncheckedApproval({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => {
		const dryRun = textOf(optionOf(node, 'dryRun'));
		const waitsForApproval = readsItem(dryRun) && /approv/i.test(dryRun);
		return isLivePayment(node) && waitsForApproval && optionOf(node, 'approvedBy') === undefined;
	});
}

/** Nodes whose rows somebody else may have written. */
const OF_OTHERS = new Set([
	...['webhook', 'form', 'formTrigger', 'httpRequest', 'chatTrigger', 'emailReadImap', 'gmailTrigger'],
	...['googleSheets', 'googleSheetsTrigger', 'microsoftExcel', 'spreadsheetFile', 'extractFromFile'],
	...[
		'dataTable',
		'airtable',
		'airtableTrigger',
		'notion',
		'baserow',
		'nocoDb',
		'seaTable',
		'grist',
		'supabase',
	],
	...['postgres', 'mySql', 'microsoftSql', 'mongoDb', 'snowflake'],
]);

/**
 * A list that is paid as others have written it: whoever writes a row can say who has approved it. *Read* refuses that, and a node
 * that sets it behind *Read* says it in place of the row.
 */
export function withUnreadRows({ flows }: SetUp): Place[] {
	return flows.flatMap((flow) => {
		const isSafe = (node: FlowNode) => readsList(node) || setsApproval(node);
		const safe = new Set(flow.nodes.filter(isSafe).map(({ name }) => name));
		const pairs = [...flow.links].flatMap(([from, targets]) =>
			safe.has(from) ? [] : targets.filter((to) => !safe.has(to)).map((to) => [from, to] as const),
		);
		const sources = flow.nodes.filter(({ kind }) => OF_OTHERS.has(kind)).map(({ name }) => name);
		const reached = reachedFrom(linksFrom(pairs), sources);
		return nodesThat([flow], (node) => paysList(node) && isLivePayment(node) && reached.has(node.name));
	});
}

function setsApproval({ kind, parameters }: FlowNode): boolean {
	return kind === 'set' && JSON.stringify(parameters).includes('approvedBy');
}

/** What a person has said about a payment: that it may be sent, what became of it, that it is meant to repeat another one. */
const APPROVING = ['approvedBy', 'dryRun'];
const SETTLING = ['ifOutcomeIsUnknown'];
const REPEATING = ['allowDuplicate'];

/**
 * A call that writes down one value for what the payments of the called workflow read from each item: with somebody's name, all rows
 * count as approved, and with a decision, all unknown payments as settled. A tool pays for a model, whose author approves all of it,
 * but nobody has looked up what is unknown, or what may repeat another payment.
 */
export function withDecisionForAll({ flows }: SetUp): Place[] {
	return callsThat(flows, ({ kind }, called, inputs) => {
		const decided = [...SETTLING, ...REPEATING];
		const fields = fieldsReadBy(called, kind === 'toolWorkflow' ? decided : [...APPROVING, ...decided]);
		return fields.some((field) => textOf(inputs[field]) !== '' && !isExpression(inputs[field]));
	});
}

/** Where a model fills in what only a person may say, it approves its own payments. n8n reads three spellings of the function. */
export function withDecisionByModel({ flows }: SetUp): Place[] {
	return callsThat(flows, (_, called, inputs) => {
		const fields = fieldsReadBy(called, [...APPROVING, ...SETTLING, ...REPEATING]);
		return fields.some((field) => /\$fromai\b/i.test(textOf(inputs[field])));
	});
}

/** Policies of n8n under which it lets in only what a person has entered. Its agents pass none of them. */
const CLOSED_POLICIES = ['workflowsFromAList', 'none'];

/**
 * A workflow whose callers say who approved, and that takes any caller: an agent of n8n can have it as a tool, and a model that builds
 * workflows can call it.
 */
export function openToCallers({ flows }: SetUp): Place[] {
	return flowsThat(flows, (flow) => {
		const isCalled = flow.nodes.some(({ kind }) => kind === 'executeWorkflowTrigger');
		const isOpen = !CLOSED_POLICIES.includes(textOf(flow.settings.callerPolicy));
		return isCalled && isOpen && fieldsReadBy(flow, APPROVING).length > 0;
	});
}

type CallTest = (node: FlowNode, called: Flow, inputs: Readonly<Record<string, unknown>>) => boolean;

/** The nodes that call a workflow of these, and pass the test. */
function callsThat(flows: readonly Flow[], test: CallTest): Place[] {
	const byId = new Map(flows.map((flow) => [flow.id, flow]));
	return nodesThat(flows, (node, flow) => {
		const called = calledBy(flow, node);
		const flowCalled = typeof called === 'object' ? byId.get(called.id) : undefined;
		const { workflowInputs } = node.parameters;
		const inputs = isRecord(workflowInputs) && isRecord(workflowInputs.value) ? workflowInputs.value : {};
		return flowCalled !== undefined && test(node, flowCalled, inputs);
	});
}

/** The fields of an item that these options of its payments read. */
function fieldsReadBy({ nodes }: Flow, options: readonly string[]): string[] {
	const expressions = nodes
		.filter(isLivePayment)
		.flatMap((node) => options.map((name) => textOf(optionOf(node, name))).filter(isExpression));
	return expressions.flatMap((text) => [...text.matchAll(/\$json\.(\w+)/g)].map(([, field]) => field!));
}

/**
 * Nothing is paid where the workflow ends with a dry run. One before a payment is a check, and what comes after a workflow that
 * others call is theirs.
 */
export function onlyDryRuns({ flows, beforePayment }: SetUp): Place[] {
	const isCalled = (flow: Flow) => flow.nodes.some(({ kind }) => kind === 'executeWorkflowTrigger');
	return nodesThat(
		flows,
		(node, flow) => isDryRun(node) && !isCalled(flow) && beforePayment.get(flow)?.has(node.name) !== true,
	);
}

/** A payment to which the workflow comes back, and nothing says that the item is another one or that a person has looked. */
export function inUnguardedLoops({ flows }: SetUp): Place[] {
	return flows.flatMap((flow) => {
		const guards = flow.nodes.filter((node) => node.kind === 'splitInBatches' || asksPerson(node));
		const looped = inCircles(flow.links, new Set(guards.map(({ name }) => name)));
		return nodesThat([flow], (node) => looped.has(node.name) && canBePaidTwice(node));
	});
}

/** A payment with a key is made once in a loop, unless something decides about its unknown outcome. */
function canBePaidTwice(node: FlowNode): boolean {
	if (isBareRequest(node)) return true;
	return isLivePayment(node) && (isUnkeyed(node) || optionOf(node, 'ifOutcomeIsUnknown') !== undefined);
}

function isUnkeyed(node: FlowNode): boolean {
	return lacksPaymentKey(node) || hasPaymentKeyOfRun(node);
}

/**
 * Retry On Fail that sends a payment again: on a bare request, and on the call of a workflow whose payments have no key. A payment
 * node itself recognizes what it has sent.
 */
export function retriedPayments({ flows }: SetUp): Place[] {
	const sendsAgain = (node: FlowNode) => isBareRequest(node) || (isLivePayment(node) && isUnkeyed(node));
	const unkeyed = new Set(flows.filter(({ nodes }) => nodes.some(sendsAgain)).map(({ id }) => id));
	const callers = closureOf(reversed(callLinks(flows)), unkeyed);
	return nodesThat(flows, (node, flow) => {
		const called = calledBy(flow, node);
		const callsUnkeyed = typeof called === 'object' && callers.has(called.id);
		return node.isRetried && (isBareRequest(node) || callsUnkeyed);
	});
}
