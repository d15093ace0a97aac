/** Copies of the example *payouts from a file*, and what happens to it in the middle. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import { calls, changeExample, publishCopy, withParameters } from '../../host/testkit/workflows.ts';

/** Lets *pay once* wait for an answer so many milliseconds. */
export const giveUpAfter = async (stack: Stack, timeout: number): Promise<void> =>
	await changeExample(stack, 'pay-once', { 'Pay fiat': withParameters({ requestOptions: { timeout } }) });

/** In place of the ten minutes of the workflow, in seconds and in milliseconds. */
const WATCH_S = 10;
const QUIET_MS = 20_000;

/** Copies of the form and of what it calls. They look early if the payments still go on. `timeout`: in seconds, of the one that pays. */
export async function publishForm(stack: Stack, title: string, timeout?: number): Promise<StoredWorkflow> {
	const pays = await publishCopy(
		stack,
		'payouts-file-2-pay',
		`Pays, ${title}`,
		{
			'Every ten minutes': withParameters({
				rule: { interval: [{ field: 'seconds', secondsInterval: WATCH_S }] },
			}),
			'Who tells?': ({ parameters }) => ({
				parameters: JSON.parse(JSON.stringify(parameters).replace('600000', String(QUIET_MS))) as Json,
			}),
		},
		timeout === undefined ? {} : { executionTimeout: timeout },
	);
	return await publishCopy(stack, 'payouts-file-1-check', `Checks, ${title}`, {
		Ask: withParameters(calls(pays)),
	});
}

/** Stops the execution of *pay once* that goes on. */
export async function stopByHand({ client, example }: Stack): Promise<void> {
	const filter = JSON.stringify({ workflowId: example('pay-once').id, status: ['running'] });
	const path = `/executions?filter=${encodeURIComponent(filter)}`;
	const { results } = await client.rest<{ results: Array<{ id: string }> }>('GET', path);
	await client.rest('POST', `/executions/${results[0]!.id}/stop`);
}

/** Kills the process that runs Code nodes, and again each time that n8n has started it. */
export async function killRunner({ n8n }: Stack): Promise<void> {
	for (let left = 3; left > 0; left -= 1) {
		const processes = String(execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(n8n.pid)]));
		const runner = processes.split('\n').find((line) => line.includes('task-runner'));
		if (runner) process.kill(Number.parseInt(runner, 10), 'SIGKILL');
		await sleep(1500);
	}
}
