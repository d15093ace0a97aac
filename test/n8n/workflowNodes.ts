/** Nodes and connections of workflows for tests. */
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';

/** A node of n8n's own base package. */
export function node(name: string, type: string, typeVersion: number, parameters: Json = {}): WorkflowNode {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters };
}

/** A Wallet Service Trigger named "Trigger". Without a credential, it verifies nothing. */
export function triggerNode(
	webhookId: string,
	parameters: Json,
	credentialId?: string,
	typeVersion = 2,
): WorkflowNode {
	return {
		name: 'Trigger',
		type: 'n8n-nodes-wallet-service.walletServiceTrigger',
		typeVersion,
		position: [0, 0],
		webhookId,
		parameters: { ...(credentialId ? {} : { verification: 'none' }), ...parameters },
		...(credentialId && { credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name: 'by id' } } }),
	};
}

/**
 * Connections from lines such as `Loop:1 -> Pay out`, which starts at output 1 of the node Loop. The output is 0 if the
 * line names none.
 */
export function connect(...links: string[]): Json {
	const connections: Record<string, { main: Array<Array<{ node: string; type: string; index: number }>> }> =
		{};
	for (const link of links) {
		const [from, to] = link.split(' -> ') as [string, string];
		const [source, output = '0'] = from.split(':') as [string, string?];
		const { main } = (connections[source] ??= { main: [] });
		while (main.length <= Number(output)) main.push([]);
		main[Number(output)]!.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}
