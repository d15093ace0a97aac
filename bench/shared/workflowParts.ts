import { randomUUID } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';

export const ACTION_NODE = 'n8n-nodes-wallet-service.walletService';
export const TRIGGER_NODE = 'n8n-nodes-wallet-service.walletServiceTrigger';
export const NULL_TRIGGER_NODE = 'n8n-nodes-null.nullTrigger';
export const NULL_NODE = 'n8n-nodes-null.nullNode';

/** Makes a node of the newest version that this n8n has. Throws if it has no such node. */
export type NodeMaker = (
	name: string,
	type: string,
	parameters: Json,
	more?: Partial<WorkflowNode>,
) => WorkflowNode;

export async function nodeMaker(client: N8nClient): Promise<NodeMaker> {
	const types = await client.nodeTypes();
	const newest = (type: string) => {
		const versions = types.filter(({ name }) => name === type).flatMap(({ version }) => version as number[]);
		if (versions.length === 0) throw new Error(`This n8n has no node ${type}`);
		return Math.max(...versions);
	};
	return (name, type, parameters, more) => ({
		name,
		type,
		typeVersion: newest(type),
		position: [0, 0],
		parameters,
		...more,
	});
}

/** The target of a connection, as n8n writes it. */
export function connectionTo(name: string): Json {
	return { node: name, type: 'main', index: 0 };
}

/** Connections from each node to the next. */
export function chain(names: string[]): Json {
	return Object.fromEntries(
		names.slice(1).map((name, index) => [names[index] ?? '', { main: [[connectionTo(name)]] }]),
	);
}

/** Saves a credential. Returns what a node says about its credential. Another one of the same name is replaced. */
export async function saveCredential(
	client: N8nClient,
	type: string,
	data: Json,
	name = type,
): Promise<NonNullable<WorkflowNode['credentials']>> {
	return { [type]: { id: await client.saveCredential(type, name, data), name } };
}

/** A credential that verifies deliveries by their HMAC. Nothing listens at the base URL. */
export function verifyingCredential(webhookSecret: string): Json {
	return { baseUrl: 'http://127.0.0.1:9', apiKey: 'fake', webhookSecret };
}

/** Publishes a workflow of our trigger and a No Operation node named End. */
export async function publishTrigger(
	client: N8nClient,
	name: string,
	parameters: Json,
	credential?: Json,
): Promise<StoredWorkflow> {
	const node = await nodeMaker(client);
	const credentials = credential && (await saveCredential(client, CREDENTIAL_TYPE, credential));
	const chosen = { verification: credential ? 'credential' : 'none', ...parameters };
	const trigger = node('Trigger', TRIGGER_NODE, chosen, {
		webhookId: randomUUID(),
		...(credentials && { credentials }),
	});
	return await publishWithEnd(client, node, trigger, name);
}

/** Publishes a workflow of a trigger and a No Operation node named End. */
export async function publishWithEnd(
	client: N8nClient,
	node: NodeMaker,
	trigger: WorkflowNode,
	name: string,
): Promise<StoredWorkflow> {
	const end = node('End', 'n8n-nodes-base.noOp', {}, { position: [200, 0] });
	const workflow = await client.saveWorkflow({
		name,
		nodes: [trigger, end],
		connections: chain([trigger.name, end.name]),
	});
	await client.publish(workflow);
	return workflow;
}
