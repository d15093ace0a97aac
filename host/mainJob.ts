import { itemsOf, succeeded, until } from './n8n/client.ts';
import type { Execution, Json, N8nClient } from './n8n/client.ts';
import type { Stack } from './stack.ts';

/**
 * Runs the main job of the package with two examples: a deposit becomes an item, payouts are made from a list, and the
 * successful update of each payout in coins arrives. Returns the items. Throws with the step that failed and the reason.
 */
export async function runMainJob({ client, control, example }: Stack, say: (text: string) => void) {
	const depositsSince = await newerExecutions(client, example('deposit-to-item').id);
	const updatesSince = await newerExecutions(client, example('payouts-from-list').id);

	say('A deposit arrives at the service');
	const { id } = await control('POST', '/deposits', { alias: 'customer-0042', amount: '250000.00' });
	const deposits = await until("the deposit's item", async () => {
		const arrived = itemsIn(await depositsSince(), 'Deposit').filter((item) => item.id === id);
		return arrived.length > 0 ? arrived : undefined;
	});

	say('Payouts are made from a list');
	const paid = succeeded(await client.runByHand(example('payouts-from-list').id, 'Start payouts'));
	const coins = itemsOf(paid, 'Pay out coins');
	if (coins.length === 0) throw new Error('The node "Pay out coins" returned no item');
	const payouts = [...itemsOf(paid, 'Pay out'), ...coins];

	say('The service reports on each payout in coins');
	const updates = await until('a successful update of each payout in coins', async () => {
		const arrived = itemsIn(await updatesSince(), 'Payout update');
		const successful = arrived.filter(({ status }) => status === 'successful');
		const perPayout = coins.map(({ payoutId }) => successful.find(({ id }) => id === payoutId));
		return perPayout.every((item) => item !== undefined) ? perPayout : undefined;
	});
	return { deposits, payouts, updates };
}

/** Returns a function that reads the executions of a workflow from now on, oldest first. */
async function newerExecutions(client: N8nClient, workflowId: string) {
	const newest = Math.max(0, ...(await client.executions(workflowId)).map(({ id }) => Number(id)));
	return async () => (await client.executions(workflowId)).filter(({ id }) => Number(id) > newest).reverse();
}

function itemsIn(executions: Execution[], node: string): Json[] {
	return executions.flatMap((execution) => itemsOf(succeeded(execution), node));
}
