/** A list in the hands of the example *carry out*: what happens to it in the middle, and how a crashed one goes on. */
import type { Json } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { changeExample, withParameters } from '../../host/testkit/workflows.ts';
import { until } from '../../host/until.ts';

/** Lets *pay once* wait for an answer so many milliseconds. */
export const giveUpAfter = async (stack: Stack, timeout: number): Promise<void> =>
	await changeExample(stack, 'pay-once', { Pay: withParameters({ requestOptions: { timeout } }) });

/** Lets *pay once* end by itself after so many seconds. -1: never. Its nodes stay the same, so it keeps its keys. */
export async function endAfter({ client, example }: Stack, executionTimeout: number): Promise<void> {
	const original = (await client.workflowNamed(example('pay-once').name))!;
	const settings = { ...original.settings, executionTimeout };
	await client.publish(await client.saveWorkflow({ ...original, settings }));
}

/** An execution of *carry out*. */
interface CarryingOut {
	id: number;
	status: string;
}

/** The one that began last. n8n's public API lists none that is running. */
function newest(stack: Stack, file = 'carry-out'): CarryingOut | undefined {
	const { id } = stack.example(file);
	const sql = `SELECT id, status FROM execution_entity WHERE "workflowId" = '${id}' ORDER BY id DESC LIMIT 1`;
	return queryDatabase(stack, sql)[0] as unknown as CarryingOut | undefined;
}

/** The number of that execution; 0 if there is none. */
export const numberOfNewest = (stack: Stack): number => Number(newest(stack)?.id ?? 0);

/** The newest execution that began after the one with this number, when it has ended, or waits for an answer. */
export async function rested(stack: Stack, after: number): Promise<CarryingOut> {
	return await until('carry out to rest', () => {
		const found = newest(stack);
		const isUnderWay = found === undefined || ['new', 'running', 'unknown'].includes(found.status);
		return isUnderWay || Number(found.id) <= after ? undefined : found;
	});
}

/** "Retry execution" of one that did not end well, as *Alerts each hour* advises it. Returns how it rests then. */
export async function retried(stack: Stack, { id }: CarryingOut): Promise<CarryingOut> {
	await stack.client.rest<Json>('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	return await rested(stack, Number(id));
}

/** The same of the execution of *pay once* that did not end: it writes down what it has paid, and pays the rest. */
export async function retryPayOnce(stack: Stack): Promise<void> {
	const { id, status } = newest(stack, 'pay-once')!;
	if (status === 'success') return;
	await stack.client.rest<Json>('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	const isOver = ({ id: other, status: now }: CarryingOut) => other > id && !['new', 'running'].includes(now);
	await until('the retry of pay once to end', () => isOver(newest(stack, 'pay-once')!));
}

/** Stops the execution of *pay once* that goes on. */
export async function stopByHand({ client, example }: Stack): Promise<void> {
	const filter = JSON.stringify({ workflowId: example('pay-once').id, status: ['running'] });
	const path = `/executions?filter=${encodeURIComponent(filter)}`;
	const { results } = await client.rest<{ results: Array<{ id: string }> }>('GET', path);
	await client.rest('POST', `/executions/${results[0]!.id}/stop`);
}
