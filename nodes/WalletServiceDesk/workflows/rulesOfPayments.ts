/** Payments that can be made twice, or that have no limit. */
import { inCircles } from './links.ts';
import {
	asksPerson,
	isBareRequest,
	isExpression,
	isLivePayment,
	lacksPaymentKey,
	limitsOf,
	optionOf,
	paymentKeyOf,
	paysDestination,
	paysList,
	readsItem,
	waitsForApproval,
} from './node.ts';
import { nodesThat } from './places.ts';
import type { Place } from './places.ts';
import { textOf } from '../values/itemValues.ts';
import type { FlowNode } from './workflow.ts';
import type { Workflows } from './workflows.ts';

/** A request to the service by n8n's HTTP Request: no key, no limit and no dry run of this package holds for it. */
export function bareRequests({ flows }: Workflows): Place[] {
	return nodesThat(flows, isBareRequest);
}

/** A payment without a key is made again by each new run. */
export function withoutPaymentKey({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && lacksPaymentKey(node));
}

/** What is another value in each run. A key of a day or a month, made of `$today` or `$now`, may be meant. */
const NEW_IN_EACH_RUN = [
	/\$execution(?:Id\b|\??\.(?:id|resume)|\s*\[)/,
	/Math\.random|randomUUID|Date\.now/,
	/\$now\s*(?:\}|\.(?:toISO|toMillis|toSeconds|toUnixInteger|toString|toJSON|valueOf|ts)\b)/,
	/new Date\(\)\s*(?:\}|\.(?:getTime|valueOf|toString|toJSON)\b|\.toISOString\(\)\s*\})/,
];

/** A key that is new in each run protects from nothing. */
export function withPaymentKeyOfRun({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && hasPaymentKeyOfRun(node));
}

function hasPaymentKeyOfRun(node: FlowNode): boolean {
	const key = paymentKeyOf(node);
	return isExpression(key) && NEW_IN_EACH_RUN.some((form) => form.test(key));
}

/** A limit that is there but empty refuses everything, so it is left to do, too. An expression is its author's choice. */
export function withoutMaximumAmount({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => isLivePayment(node) && lacksLimit(node, 'maximumAmount'));
}

/** Without it, a workflow that runs wild pays until the balance is empty. A list that waits for approvals is bounded by them. */
export function withoutMaximumPerDay({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => {
		const isBounded = paysList(node) && waitsForApproval(node);
		return isLivePayment(node) && !isBounded && isNothing(optionOf(node, 'maximumPerDay'));
	});
}

/** Without it, a payout goes to whatever the item says. A conversion stays in the account. */
export function withoutAllowedAliases({ flows }: Workflows): Place[] {
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
export function withOutcomeForAll({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => {
		const decision = textOf(optionOf(node, 'ifOutcomeIsUnknown'));
		const decides = decision !== '' && !decision.includes('doNotPay');
		return isLivePayment(node) && decides && !readsItem(decision);
	});
}

/** A payment to which the workflow comes back, and nothing says that the item is another one or that a person has looked. */
export function inUnguardedLoops({ flows }: Workflows): Place[] {
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
