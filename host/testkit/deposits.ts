/** Deposits that are handed to *from deposit to bank*. */
import { randomUUID } from 'node:crypto';
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
import { queryDatabase } from './database.ts';
import { deliver } from './deliveries.ts';
import { calls, node, publishLine } from './workflows.ts';

/** A deposit as the trigger gives it. No other deposit has its amount. */
export interface Deposit extends Json {
	id: string;
	amount: string;
}

export const depositOf = (id: string, amount: string): Deposit => ({
	...{ event: 'crypto_received', id, amount, status: 'successful', coin: 'USDT' },
	...{ walletAlias: 'deposits-usdt', fee: '0' },
});

/** Publishes what hands deposits to the example, as *deposit arrives* does: it does not wait for it. */
export async function publishHandOver(
	{ client, n8n }: Stack,
	name: string,
	way: StoredWorkflow,
): Promise<{ workflow: StoredWorkflow; handOver: (deposit: Deposit) => Promise<void> }> {
	const path = randomUUID();
	const workflow = await publishLine(
		client,
		name,
		node('Webhook', 'webhook', { path, httpMethod: 'POST', options: {} }, { webhookId: path }),
		node('Event', 'splitOut', { fieldToSplitOut: 'body.events', options: {} }),
		node('Hand over', 'executeWorkflow', { ...calls(way), options: { waitForSubWorkflow: false } }),
	);
	const handOver = async (deposit: Deposit) => {
		const { status } = await deliver(
			`${n8n.webhooks}/webhook/${path}`,
			JSON.stringify({ events: [deposit] }),
		);
		if (status !== 200) throw new Error(`n8n answered ${status}`);
	};
	return { workflow, handOver };
}

/** Waits until nothing runs. */
export async function quiet(stack: Stack): Promise<void> {
	const sql = `SELECT id FROM execution_entity WHERE status IN ('new', 'running')`;
	await until('the end of all executions', () => queryDatabase(stack, sql).length === 0 || undefined);
}
