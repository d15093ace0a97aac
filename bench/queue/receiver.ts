/** A workflow that receives deliveries in an n8n with PostgreSQL. */
import { connect, until } from '../../host/n8n/client.ts';
import type { StoredWorkflow } from '../../host/n8n/client.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { TEMPORARY_OWNER, triggerUrl, webhookUrl } from '../../host/stack.ts';
import type { Database } from '../../host/n8n/databases.ts';
import { randomUUID } from 'node:crypto';
import {
	node,
	NULL_TRIGGER_NODE,
	publishTrigger,
	publishWithEnd,
	verifyingCredential,
} from '../shared/workflowParts.ts';

export const SECRET = 'fake-webhook-secret';

export interface Receiver {
	workflow: StoredWorkflow;
	url: string;
	database: Database;
}

export async function publishReceiver(n8n: N8n, database: Database): Promise<Receiver> {
	const client = await connect(n8n.url, TEMPORARY_OWNER);
	const parameters = { events: ['admin_funding'], verification: 'credential', options: {} };
	const workflow = await publishTrigger(client, 'Bench', parameters, verifyingCredential(SECRET));
	return { workflow, url: webhookUrl(n8n, workflow), database };
}

/** The same with a trigger that does nothing. */
export async function publishNothing(n8n: N8n, database: Database): Promise<Receiver> {
	const client = await connect(n8n.url, TEMPORARY_OWNER);
	const trigger = node('Trigger', NULL_TRIGGER_NODE, {}, { webhookId: randomUUID() });
	const workflow = await publishWithEnd(client, trigger, 'Nothing');
	return { workflow, url: triggerUrl(n8n, trigger), database };
}

/** The body of a delivery that the workflow accepts. */
export function deliveryBody(id: string): string {
	return JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
}

/** Waits until no execution is under way. Throws after ten minutes. */
export async function idle(database: Database): Promise<void> {
	const busy = `SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting') LIMIT 1`;
	await until(
		'all executions to end',
		async () => ((await database.query(busy)).length === 0 ? true : undefined),
		600_000,
	);
}
