/** Nodes, connections and credentials of workflows. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, N8nClient, StoredWorkflow, Workflow, WorkflowNode } from '../n8n/client.ts';
import { packagesFolder } from '../n8n/process.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../stack.ts';
import type { Stack } from '../stack.ts';

export const ACTION_NODE = 'n8n-nodes-wallet-service.walletService';
export const DESK_NODE = 'n8n-nodes-wallet-service.walletServiceDesk';
export const TRIGGER_NODE = 'n8n-nodes-wallet-service.walletServiceTrigger';
export const LANGCHAIN = '@n8n/n8n-nodes-langchain';

type Credentials = NonNullable<WorkflowNode['credentials']>;

/** The newest versions of nodes, by their types. A node that is not here has version 1. */
let newest: Map<string, number> | undefined;

function newestVersions(): Map<string, number> {
	const versions = new Map([[TRIGGER_NODE, 2]]);
	for (const folder of ['n8n-nodes-base', LANGCHAIN]) {
		const file = readFileSync(join(packagesFolder(), folder, 'dist/types/nodes.json'), 'utf8');
		for (const { name, version } of JSON.parse(file) as Array<{ name: string; version: number | number[] }>) {
			const type = `${folder}.${name}`;
			versions.set(type, Math.max(versions.get(type) ?? 0, ...[version].flat()));
		}
	}
	return versions;
}

/** Makes a node of the newest version that this n8n has. A type without a package is one of n8n's base package. */
export function node(
	name: string,
	type: string,
	parameters: Json = {},
	more?: Partial<WorkflowNode>,
): WorkflowNode {
	const whole = type.includes('.') ? type : `n8n-nodes-base.${type}`;
	newest ??= newestVersions();
	return { name, type: whole, typeVersion: newest.get(whole) ?? 1, position: [0, 0], parameters, ...more };
}

/** A Wallet Service Trigger named "Trigger". Without a credential, it verifies nothing. */
export function triggerNode(
	parameters: Json,
	credentials?: Credentials,
	more?: Partial<WorkflowNode>,
): WorkflowNode {
	const verification = credentials ? 'credential' : 'none';
	const settings = { webhookId: randomUUID(), ...(credentials && { credentials }), ...more };
	return node('Trigger', TRIGGER_NODE, { verification, options: {}, ...parameters }, settings);
}

/**
 * Connections from lines such as `Loop:1 -> Pay out -> Loop`, which starts at output 1 of the node Loop. The output is 0 if the
 * line names none.
 */
export function connect(...lines: string[]): Json {
	const connections: Record<string, { main: Array<Array<{ node: string; type: string; index: number }>> }> =
		{};
	for (const line of lines) {
		const stops = line.split(' -> ');
		for (const [index, stop] of stops.slice(0, -1).entries()) {
			const [source = '', output = '0'] = stop.split(':');
			const [target = ''] = stops[index + 1]!.split(':');
			const { main } = (connections[source] ??= { main: [] });
			while (main.length <= Number(output)) main.push([]);
			main[Number(output)]!.push({ node: target, type: 'main', index: 0 });
		}
	}
	return connections;
}

/** Connections from each node to the next. */
export const inLine = (nodes: WorkflowNode[]): Json => connect(nodes.map(({ name }) => name).join(' -> '));

/** Saves a credential, in place of one with the same name. Returns what a node says about its credential. */
export async function saveCredential(
	client: N8nClient,
	type: string,
	data: Json,
	name = type,
): Promise<Credentials> {
	return { [type]: { id: await client.saveCredential(type, name, data), name } };
}

/** Saves a credential that differs from the stack's own in these fields. */
export async function saveOther(
	{ client, credential }: Pick<Stack, 'client' | 'credential'>,
	name: string,
	fields: Json,
): Promise<Credentials> {
	return await saveCredential(client, CREDENTIAL_TYPE, { ...credential.data, ...fields }, name);
}

/** The stack's own credential. */
export function credentialsOf({ credential }: Pick<Stack, 'credential'>): Credentials {
	return { [CREDENTIAL_TYPE]: { id: credential.id, name: CREDENTIAL_NAME } };
}

/** Further fields of nodes, by their names. */
export type Changes = Record<string, (node: WorkflowNode) => Partial<WorkflowNode>>;

const changed = (nodes: WorkflowNode[], changes: Changes): WorkflowNode[] =>
	nodes.map((each) => ({ ...each, ...changes[each.name]?.(each) }));

/** Saves a copy of a workflow with changed nodes. Its webhooks and forms have addresses of their own. */
export async function saveCopy(
	client: N8nClient,
	workflow: Workflow,
	name: string,
	changes: Changes,
): Promise<StoredWorkflow> {
	const nodes = changed(workflow.nodes, changes).map((each) =>
		each.webhookId === undefined ? each : { ...each, webhookId: randomUUID() },
	);
	return await client.saveWorkflow({ ...workflow, name, nodes });
}

/** The same with an example, published. */
export async function publishCopy(
	{ client, example }: Pick<Stack, 'client' | 'example'>,
	file: string,
	name: string,
	changes: Changes,
	settings: Json = {},
): Promise<StoredWorkflow> {
	const original = example(file);
	const whole = { ...original, settings: { ...original.settings, ...settings } };
	const copy = await saveCopy(client, whole, name, changes);
	await client.publish(copy);
	return copy;
}

/** Publishes an example with changed nodes in its own place, because no copy of it knows the keys of its payments. */
export async function changeExample(
	{ client, example }: Pick<Stack, 'client' | 'example'>,
	file: string,
	changes: Changes,
): Promise<void> {
	const original = example(file);
	await client.publish(await client.saveWorkflow({ ...original, nodes: changed(original.nodes, changes) }));
}

/** A change that gives a node these other parameters. */
export const withParameters =
	(more: Json): Changes[string] =>
	({ parameters }) => ({ parameters: { ...parameters, ...more } });

/** What a node *Edit Fields* sets, all as text. */
export const textFields = (fields: Record<string, string>): Json => ({
	assignments: {
		assignments: Object.entries(fields).map(([name, value]) => ({ id: name, name, value, type: 'string' })),
	},
});

/** The parameter of a node that calls this workflow. */
export const calls = ({ id }: StoredWorkflow): Json => ({
	workflowId: { __rl: true, mode: 'id', value: id },
});

/** Publishes nodes that are connected in line. */
export async function publishLine(
	client: N8nClient,
	name: string,
	...nodes: WorkflowNode[]
): Promise<StoredWorkflow> {
	const workflow = await client.saveWorkflow({ name, nodes, connections: inLine(nodes) });
	await client.publish(workflow);
	return workflow;
}
