import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, N8nClient, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { packagesFolder } from '../../host/n8n/process.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';

export const ACTION_NODE = 'n8n-nodes-wallet-service.walletService';
export const TRIGGER_NODE = 'n8n-nodes-wallet-service.walletServiceTrigger';
export const NULL_TRIGGER_NODE = 'n8n-nodes-null.nullTrigger';
export const NULL_NODE = 'n8n-nodes-null.nullNode';

/** The newest versions of nodes, by their types. A node that is not here has version 1. */
let newest: Map<string, number> | undefined;

function newestVersions(): Map<string, number> {
	const versions = new Map([
		[TRIGGER_NODE, 2],
		[NULL_TRIGGER_NODE, 2],
	]);
	for (const folder of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		const file = readFileSync(join(packagesFolder(), folder, 'dist/types/nodes.json'), 'utf8');
		for (const { name, version } of JSON.parse(file) as Array<{ name: string; version: number | number[] }>) {
			const type = `${folder}.${name}`;
			versions.set(type, Math.max(versions.get(type) ?? 0, ...[version].flat()));
		}
	}
	return versions;
}

/** Makes a node of the newest version that this n8n has. */
export function node(
	name: string,
	type: string,
	parameters: Json,
	more?: Partial<WorkflowNode>,
): WorkflowNode {
	newest ??= newestVersions();
	return { name, type, typeVersion: newest.get(type) ?? 1, position: [0, 0], parameters, ...more };
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

/** Saves a credential, in place of one with the same name. Returns what a node says about its credential. */
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
	return { baseUrl: 'http://127.0.0.1:9', apiKey: 'fake', signatureSecret: 'fake', webhookSecret };
}

/** Publishes a workflow of our trigger and a No Operation node named End. */
export async function publishTrigger(
	client: N8nClient,
	name: string,
	parameters: Json,
	credential?: Json,
): Promise<StoredWorkflow> {
	const credentials = credential && (await saveCredential(client, CREDENTIAL_TYPE, credential));
	const chosen = { verification: credential ? 'credential' : 'none', ...parameters };
	const trigger = node('Trigger', TRIGGER_NODE, chosen, {
		webhookId: randomUUID(),
		...(credentials && { credentials }),
	});
	return await publishWithEnd(client, trigger, name);
}

/** Publishes a workflow of a trigger and a No Operation node named End. */
export async function publishWithEnd(
	client: N8nClient,
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
