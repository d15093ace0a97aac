/** What connects the workflows to the account, to people and to the service. */
import { isRecord } from '../../../api/exact/json.ts';
import { callsService, CREDENTIAL, isOurs, receivesEvents } from './node.ts';
import { flowsThat, nodesThat } from './place.ts';
import type { Place } from './place.ts';
import type { SetUp } from './setUp.ts';
import type { Flow, FlowNode } from './workflow.ts';

/** An imported workflow has the names of credentials, and none of them is chosen. */
export function withoutCredential({ concerned }: SetUp): Place[] {
	return nodesThat(concerned, (node) => {
		const needsOne = callsService(node) || node.kind === 'emailSend';
		const hasNone = needsOne && node.credentials.length === 0;
		return hasNone || node.credentials.some(({ id }) => id === '');
	});
}

/** The credentials that `npm start` makes, for the account and for mails, have this word in their names. */
export function withSandboxCredential({ concerned }: SetUp): Place[] {
	return nodesThat(concerned, ({ credentials }) =>
		credentials.some(({ name }) => name.toLowerCase().includes('sandbox')),
	);
}

/** A Payment Key belongs to one account, so that two accounts in one workflow are rarely meant. */
export function withSeveralAccounts({ concerned }: SetUp): Place[] {
	return flowsThat(concerned, (flow) => accountsOf(flow).size > 1);
}

function accountsOf({ nodes }: Flow): Set<string> {
	const chosen = nodes.filter(isOurs).flatMap(({ credentials }) => credentials);
	return new Set(chosen.filter(({ type, id }) => type === CREDENTIAL && id !== '').map(({ id }) => id));
}

/** Anyone who knows the address of such a trigger can send it a deposit that was never made. */
export function withoutVerification({ flows }: SetUp): Place[] {
	return nodesThat(flows, (node) => {
		const { verification = 'credential' } = node.parameters;
		return receivesEvents(node) && verification !== 'credential';
	});
}

const EXAMPLE_ADDRESS = /[@./]example\.(?:com|org|net)\b/i;

/** Addresses that belong to nobody: senders, receivers, approvers and chats of an example. */
export function withExampleAddress({ concerned }: SetUp): Place[] {
	return nodesThat(concerned, ({ parameters }) =>
		textsIn(parameters).some((text) => EXAMPLE_ADDRESS.test(text)),
	);
}

/** All texts of a parameter that are no hints. */
function textsIn(parameters: FlowNode['parameters']): string[] {
	const texts: string[] = [];
	const open: unknown[] = [parameters];
	for (let value = open.pop(); value !== undefined; value = open.pop()) {
		if (typeof value === 'string') texts.push(value);
		else if (Array.isArray(value)) for (const entry of value as unknown[]) open.push(entry ?? '');
		else if (isRecord(value))
			for (const [name, entry] of Object.entries(value)) if (name !== 'placeholder') open.push(entry ?? '');
	}
	return texts;
}
