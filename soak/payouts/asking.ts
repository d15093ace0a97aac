/** A list in the hands of the example *ask and pay*: what happens to it in the middle, and how a crashed one goes on. */
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { changeExample, withParameters } from '../../host/testkit/workflows.ts';
import { until } from '../../host/until.ts';

/** The nodes that ask. */
export const APPROVER = 'Ask';
export const WHAT_HAPPENED = 'Ask what happened';

/** Lets *pay once* wait for an answer so many milliseconds. */
export const giveUpAfter = async (stack: Stack, timeout: number): Promise<void> =>
	await changeExample(stack, 'pay-once', { Pay: withParameters({ requestOptions: { timeout } }) });

/** Lets *pay once* end by itself after so many seconds. -1: never. Its nodes stay the same, so it keeps its keys. */
export async function endAfter({ client, example }: Stack, executionTimeout: number): Promise<void> {
	const original = (await client.workflowNamed(example('pay-once').name))!;
	const settings = { ...original.settings, executionTimeout };
	await client.publish(await client.saveWorkflow({ ...original, settings }));
}

/** An execution of *ask and pay*. */
interface Asking {
	id: number;
	status: string;
}

/** The one that began last. n8n's public API lists none that is running. */
function newest(stack: Stack): Asking | undefined {
	const { id } = stack.example('ask-and-pay');
	const sql = `SELECT id, status FROM execution_entity WHERE "workflowId" = '${id}' ORDER BY id DESC LIMIT 1`;
	return queryDatabase(stack, sql)[0] as unknown as Asking | undefined;
}

/** The same, when it has ended, or waits for another answer than that at this node. */
export async function rested(stack: Stack, answered: string): Promise<Asking> {
	return await until('ask and pay to rest', async () => {
		const found = newest(stack);
		if (found === undefined || ['new', 'running', 'unknown'].includes(found.status)) return undefined;
		if (found.status !== 'waiting') return found;
		const executions = await stack.client.executions(stack.example('ask-and-pay').id);
		const waiting = executions.find(({ id }) => Number(id) === found.id);
		return waiting && waiting.data.resultData.lastNodeExecuted !== answered ? found : undefined;
	});
}

/** "Retry execution" of one that did not end well, as *Alerts each hour* advises it. Returns how it rests then. */
export async function retried(stack: Stack, { id }: Asking): Promise<Asking> {
	await stack.client.rest<Json>('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	await until('the retry to begin', () => Number(newest(stack)?.id) > id);
	return await rested(stack, APPROVER);
}

/** Stops the execution of *pay once* that goes on. */
export async function stopByHand({ client, example }: Stack): Promise<void> {
	const filter = JSON.stringify({ workflowId: example('pay-once').id, status: ['running'] });
	const path = `/executions?filter=${encodeURIComponent(filter)}`;
	const { results } = await client.rest<{ results: Array<{ id: string }> }>('GET', path);
	await client.rest('POST', `/executions/${results[0]!.id}/stop`);
}
