/** Deliveries to a workflow that does nothing but start. */
import { randomUUID } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow } from '../host/n8nClient.ts';
import { CREDENTIAL_TYPE } from '../host/stack.ts';

/** Publishes a workflow that has the trigger and a second node. */
export async function saveTrigger(
	client: N8nClient,
	name: string,
	parameters: Json,
	credentialId?: string,
): Promise<StoredWorkflow> {
	const workflow = await client.saveWorkflow({
		name,
		nodes: [
			{
				name: 'Trigger',
				type: 'n8n-nodes-wallet-service.walletServiceTrigger',
				typeVersion: 1,
				position: [0, 0],
				webhookId: randomUUID(),
				parameters,
				...(credentialId && { credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name } } }),
			},
			{ name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [200, 0], parameters: {} },
		],
		connections: { Trigger: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
	});
	await client.publish(workflow);
	return workflow;
}
