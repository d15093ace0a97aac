import type { INode } from 'n8n-workflow';

/** Whether a model calls the node, as a tool of an agent. Each of n8n's ways to run a tool gives the node this type. */
export function isUsedAsTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}
