import { itemsOf, succeeded, until } from './n8n/client.ts';
import type { Execution, Json, N8nClient } from './n8n/client.ts';
import type { Stack } from './stack.ts';

/**
 * Runs the main job of the package with two examples: a deposit becomes an item, payouts are made from a list, and the
 * successful update of each crypto payout arrives. Returns the items. Throws with the step that failed and the reason.
 */
export async function runMainJob({ client, control, example }: Stack, say: (text: string) => void) {
	const eventsSince = await newerExecutions(client, example('deposit-arrives').id);

	say('A deposit arrives at the service');
	const { id } = await control('POST', '/deposits', { alias: 'customer-0042', amount: '250000.00' });
	const deposits = await until("the deposit's item", async () => {
		const arrived = itemsIn(await eventsSince(), 'Wallet Service Trigger').filter((item) => item.id === id);
		return arrived.length > 0 ? arrived : undefined;
	});

	say('Payouts are made from a list');
	const started = succeeded(await client.runByHand(example('payouts-from-list').id, 'Start'));
	const payouts = itemsOf(started, 'Pay once');
	const failed = payouts.find(({ result }) => result !== 'paid' && result !== 'alreadyPaid');
	if (failed !== undefined) throw new Error(`A payout was not made: ${JSON.stringify(failed)}`);
	// After a second start, all were paid by the first one, and the service reports nothing again.
	const coins = payouts.filter(({ coin, result }) => coin !== undefined && result === 'paid');

	say('The service reports on each crypto payout');
	const updates = await until('a successful update of each crypto payout', async () => {
		const arrived = itemsIn(await eventsSince(), 'Wallet Service Trigger');
		const successful = arrived.filter(
			({ event, status }) => event === 'crypto_payout_update' && status === 'successful',
		);
		const perPayout = coins.map(({ payoutId }) => successful.find((update) => update.id === payoutId));
		return perPayout.every((item) => item !== undefined) ? perPayout : undefined;
	});
	return { deposits, payouts, updates };
}

/** Returns a function that reads the executions of a workflow from now on, oldest first. */
async function newerExecutions(client: N8nClient, workflowId: string) {
	const newest = Math.max(0, ...(await client.executions(workflowId)).map(({ id }) => Number(id)));
	return async () =>
		(await client.executionsWithData(workflowId)).filter(({ id }) => Number(id) > newest).reverse();
}

function itemsIn(executions: Execution[], node: string): Json[] {
	return executions.flatMap((execution) => itemsOf(succeeded(execution), node));
}
