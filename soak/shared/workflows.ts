/** Workflows that only soaks run. */
import { randomUUID } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { chain, nodeMaker, saveCredential, TRIGGER_NODE } from '../../bench/shared/workflowParts.ts';
import type { NodeMaker } from '../../bench/shared/workflowParts.ts';

/** Publishes a workflow of our trigger that takes half a second. */
export async function publishSlowTrigger(
	client: N8nClient,
	options: Json,
	credential?: Json,
): Promise<StoredWorkflow> {
	const node = await nodeMaker(client);
	const credentials = credential && (await saveCredential(client, CREDENTIAL_TYPE, credential));
	const parameters = { events: ['admin_funding'], verification: credential ? 'credential' : 'none', options };
	const nodes = [
		node('Trigger', TRIGGER_NODE, parameters, {
			webhookId: randomUUID(),
			...(credentials && { credentials }),
		}),
		node('Slow', 'n8n-nodes-base.wait', { resume: 'timeInterval', amount: 0.5, unit: 'seconds' }),
	];
	const connections = chain(nodes.map(({ name }) => name));
	const workflow = await client.saveWorkflow({ name: 'Slow', nodes, connections });
	await client.publish(workflow);
	return workflow;
}

/** Saves a workflow that is started by hand and pays each of the amounts with `payOut`, one item each. */
export async function savePayouts(
	client: N8nClient,
	node: NodeMaker,
	name: string,
	amounts: string[],
	payOut: WorkflowNode,
): Promise<StoredWorkflow> {
	const list = { payouts: amounts.map((amount) => ({ amount })) };
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', {}),
		node('List', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput: JSON.stringify(list), options: {} }),
		node('One item each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'payouts', options: {} }),
		payOut,
	];
	return await client.saveWorkflow({ name, nodes, connections: chain(nodes.map((each) => each.name)) });
}
