/** Questions to a person before money moves. */
import { isAnsweredByLink, sendsSignedLink } from './node.ts';
import { nodesThat } from './place.ts';
import type { Place } from './place.ts';
import type { SetUp } from './setUp.ts';

/** A question before a payment whose answer is the opening of a link. Looked for in all workflows, since others may pay. */
export function answeredByLink({ flows, beforeMoney }: SetUp): Place[] {
	return nodesThat(
		flows,
		(node, flow) => isAnsweredByLink(node) && beforeMoney.get(flow)?.has(node.name) === true,
	);
}

/** n8n refuses the links of Send and Wait if its address has a path that a proxy takes away. */
export function behindAddressWithPath({ concerned, address }: SetUp): Place[] {
	return hasPath(address) ? nodesThat(concerned, sendsSignedLink) : [];
}

function hasPath(address = ''): boolean {
	const text = address.trim();
	const withScheme = text.includes('://') ? text : `https://${text}`;
	return URL.canParse(withScheme) && new URL(withScheme).pathname !== '/';
}
