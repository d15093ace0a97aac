/** What is not ready: credentials, addresses, triggers, and nodes that are switched off. */
import { isRecord } from '../../../api/exact/json.ts';
import { calledBy, callLinks, callsOneOf, waitsForCalled } from './calls.ts';
import { closureOf, reachedFrom, reversed } from './links.ts';
import {
	callsService,
	CREDENTIAL,
	isBareRequest,
	isLivePayment,
	isOurs,
	receivesEvents,
	sendsSignedLink,
	suspends,
	textsIn,
	writes,
} from './node.ts';
import { disabledNodesThat, flowsThat, nodesThat } from './places.ts';
import type { Place } from './places.ts';
import type { Flow, FlowNode } from './workflow.ts';
import { idsWith } from './workflows.ts';
import type { Workflows } from './workflows.ts';

/** An imported workflow has the names of credentials, and none of them is chosen. */
export function withoutCredential({ concerned }: Workflows): Place[] {
	return nodesThat(concerned, (node) => {
		const needsOne = callsService(node) || node.kind === 'emailSend';
		const hasNone = needsOne && node.credentials.length === 0;
		return hasNone || node.credentials.some(({ id }) => id === '');
	});
}

/** The credentials that `npm start` makes, for the account and for mails, have this word in their names. */
export function withSandboxCredential({ concerned }: Workflows): Place[] {
	return nodesThat(concerned, ({ credentials }) =>
		credentials.some(({ name }) => name.toLowerCase().includes('sandbox')),
	);
}

/** A Payment Key belongs to one account, so that two accounts in one workflow are rarely meant. */
export function withSeveralAccounts({ concerned }: Workflows): Place[] {
	return flowsThat(concerned, (flow) => accountsOf(flow).size > 1);
}

function accountsOf({ nodes }: Flow): Set<string> {
	const chosen = nodes.filter(isOurs).flatMap(({ credentials }) => credentials);
	return new Set(chosen.filter(({ type, id }) => type === CREDENTIAL && id !== '').map(({ id }) => id));
}

/** Anyone who knows the address of such a trigger can send it a deposit that was never made. */
export function withoutVerification({ flows }: Workflows): Place[] {
	return nodesThat(flows, (node) => {
		const { verification = 'credential' } = node.parameters;
		return receivesEvents(node) && verification !== 'credential';
	});
}

const EXAMPLE_ADDRESS = /[@./]example\.(?:com|org|net)\b/i;

/** Addresses that belong to nobody: senders, receivers, approvers and chats of an example. */
export function withExampleAddress({ concerned }: Workflows): Place[] {
	return nodesThat(concerned, ({ parameters }) =>
		textsIn(parameters).some((text) => EXAMPLE_ADDRESS.test(text)),
	);
}

/** n8n refuses the links of Send and Wait if its address has a path that a proxy takes away. */
export function behindAddressWithPath({ concerned, address }: Workflows): Place[] {
	return hasPath(address) ? nodesThat(concerned, sendsSignedLink) : [];
}

function hasPath(address = ''): boolean {
	const text = address.trim();
	const withScheme = text.includes('://') ? text : `https://${text}`;
	return URL.canParse(withScheme) && new URL(withScheme).pathname !== '/';
}

/** What comes behind takes the items of a disabled node for what it would have paid, written or called. */
export function disabledActions({ concerned }: Workflows): Place[] {
	return disabledNodesThat(
		concerned,
		(node, flow) =>
			isLivePayment(node) || isBareRequest(node) || writes(node) || calledBy(flow, node) !== undefined,
	);
}

/** n8n answers the service when the workflow begins to wait: what fails behind a question is not delivered again. */
export function answeredBeforeQuestions({ flows }: Workflows): Place[] {
	const calls = callLinks(flows, (_, node) => waitsForCalled(node));
	const suspending = closureOf(
		reversed(calls),
		idsWith(flows, (_, node) => suspends(node)),
	);
	return flows.flatMap((flow) => {
		const waits = ({ name }: FlowNode) => {
			const behind = reachedFrom(flow.links, [name]);
			const isWaiting = (node: FlowNode) =>
				suspends(node) || (waitsForCalled(node) && callsOneOf(suspending, flow, node));
			return flow.nodes.some((node) => behind.has(node.name) && isWaiting(node));
		};
		return nodesThat([flow], (node) => answersWhenFinished(node) && waits(node));
	});
}

function answersWhenFinished(node: FlowNode): boolean {
	const { options } = node.parameters;
	return receivesEvents(node) && isRecord(options) && options.acknowledge === 'whenFinished';
}
