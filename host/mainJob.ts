import { itemsOf, until } from './n8nClient.ts';
import type { Execution, Json, N8nClient } from './n8nClient.ts';
import type { Stack } from './stack.ts';

export interface MainJob {
	deposits: Json[];
	payouts: Json[];
	/** The last update of each payout, in the order of the payouts. */
	updates: Json[];
}

/**
 * What people will use the package for, on the two examples: a deposit arrives and becomes an item; payouts are made
 * from a list; the update of each payout arrives. Throws, saying which step did not work and why.
 */
export async function runMainJob(
	{ client, control, examples }: Stack,
	say: (text: string) => void,
): Promise<MainJob> {
	const depositsSince = await newerExecutions(client, examples.deposits.id);
	const updatesSince = await newerExecutions(client, examples.payouts.id);

	say('A deposit arrives at the service');
	const { id } = await control('POST', '/deposits', { alias: 'customer-0042', amount: '250000.00' });
	const deposits = await until("the deposit's item", async () => {
		const arrived = itemsIn(await depositsSince(), 'Deposit').filter((item) => item.id === id);
		return arrived.length > 0 ? arrived : undefined;
	});

	say('Payouts are made from a list');
	const payouts = itemsOf(succeeded(await client.runByHand(examples.payouts.id, 'Start payouts')), 'Pay out');
	if (payouts.length === 0) throw new Error('The payouts gave no item');

	say('The service reports on each payout');
	const updates = await until('a successful update of each payout', async () => {
		const arrived = itemsIn(await updatesSince(), 'Payout update').filter(
			({ status }) => status === 'successful',
		);
		const ofPayouts = payouts.map(({ payout_id }) => arrived.find((item) => item.id === payout_id));
		return ofPayouts.every((item) => item !== undefined) ? ofPayouts : undefined;
	});
	return { deposits, payouts, updates };
}

/** Gives a question for the executions of a workflow that were stored after now, oldest first. */
async function newerExecutions(client: N8nClient, workflowId: string) {
	const newest = Math.max(0, ...(await client.executions(workflowId)).map(({ id }) => Number(id)));
	return async () => (await client.executions(workflowId)).filter(({ id }) => Number(id) > newest).reverse();
}

function itemsIn(executions: Execution[], node: string): Json[] {
	return executions.flatMap((execution) => itemsOf(succeeded(execution), node));
}

/** Throws n8n's message where the execution failed. One that still runs passes. */
function succeeded(execution: Execution): Execution {
	if (execution.status !== 'error' && execution.status !== 'crashed') return execution;
	const { error } = execution.data.resultData;
	throw new Error(
		`Execution ${execution.id} failed: ${error?.message} ${error?.description ?? ''}`.trimEnd(),
	);
}
