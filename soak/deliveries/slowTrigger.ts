import { randomUUID } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow } from '../../host/n8n/client.ts';
import { chain, node, TRIGGER_NODE } from '../../bench/shared/workflowParts.ts';

/** Publishes a workflow of our trigger that takes half a second. */
export async function publishSlowTrigger(client: N8nClient, options: Json): Promise<StoredWorkflow> {
	const parameters = { events: ['admin_funding'], verification: 'none', options };
	const nodes = [
		node('Trigger', TRIGGER_NODE, parameters, { webhookId: randomUUID() }),
		node('Slow', 'n8n-nodes-base.wait', { resume: 'timeInterval', amount: 0.5, unit: 'seconds' }),
	];
	const connections = chain(nodes.map(({ name }) => name));
	const workflow = await client.saveWorkflow({ name: 'Slow', nodes, connections });
	await client.publish(workflow);
	return workflow;
}
