import { randomUUID } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { chain, node, saveCredential, TRIGGER_NODE } from '../../bench/shared/workflowParts.ts';

/** Publishes a workflow of our trigger that takes half a second. */
export async function publishSlowTrigger(
	client: N8nClient,
	options: Json,
	credential?: Json,
): Promise<StoredWorkflow> {
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
