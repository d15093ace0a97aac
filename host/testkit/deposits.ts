/** Deposits that are handed to *from deposit to bank*. */
import type { Json, StoredWorkflow } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { until } from '../until.ts';
import { queryDatabase } from './database.ts';
import { publishPayer, startPaying } from './payments.ts';
import { calls, node } from './workflows.ts';

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
	stack: Stack,
	name: string,
	way: StoredWorkflow,
): Promise<{ workflow: StoredWorkflow; handOver: (...deposits: Json[]) => Promise<void> }> {
	const options = { waitForSubWorkflow: false };
	const payer = node('Hand over', 'executeWorkflow', { ...calls(way), options });
	const caller = await publishPayer(stack, name, { payer, answers: 'at once' });
	const handOver = async (...deposits: Json[]) => void (await startPaying(stack.n8n, caller, deposits));
	return { workflow: caller.workflow, handOver };
}

/** Waits until nothing runs. */
export async function quiet(stack: Stack): Promise<void> {
	const sql = `SELECT id FROM execution_entity WHERE status IN ('new', 'running')`;
	await until('the end of all executions', () => queryDatabase(stack, sql).length === 0 || undefined);
}
