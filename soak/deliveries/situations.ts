/**
 * Deliveries to the trigger in a real n8n, which is killed and started again in between. The service repeats each delivery until it
 * is acknowledged. Afterwards the executions in n8n's database are compared with the events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, N8nClient, StoredWorkflow } from '../../host/n8n/client.ts';
import { FOR_TESTS, KEEP_EXECUTIONS, WITHOUT_EDITOR } from '../../host/n8n/process.ts';
import { startSingleProcess, startTemporaryStack, webhookUrl, type Stack } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { tally } from '../../host/testkit/lists.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { node, publishLine, triggerNode } from '../../host/testkit/workflows.ts';
import { reportFigures, type Soak } from '../shared/figures.ts';
import { randomNumbers } from '../../host/testkit/random.ts';
import { compareWithExecutions, executionsByEvent, LOST, UNEXPLAINED, UNFINISHED } from './executions.ts';
import { Sender } from './sender.ts';

/** Values of the option *Respond*. */
const ACKNOWLEDGE = ['whenStored', 'whenFinished'] as const;

const REPEAT_MS = 1000;

/** Starts an n8n that keeps all executions. */
export const startKeeping =
	(examples: string[] = []) =>
	() =>
		startTemporaryStack({
			start: (folder) => startSingleProcess(folder, { ...WITHOUT_EDITOR, ...KEEP_EXECUTIONS, ...FOR_TESTS }),
			examples,
		});

/** Publishes a workflow of our trigger that takes half a second. */
export async function publishSlowTrigger(
	client: N8nClient,
	options: Json,
	name = `Slow, ${String(options.acknowledge)}`,
): Promise<StoredWorkflow> {
	const wait = { resume: 'timeInterval', amount: 0.5, unit: 'seconds' };
	const trigger = triggerNode({ events: ['admin_funding'], options });
	return await publishLine(client, name, trigger, node('Slow', 'wait', wait));
}

/** n8n 2.41.1 can end with code 1 while it recovers an execution that it had not begun. */
const MAX_FAILED_STARTS = 3;

/** Starts n8n again if it ends, as a service manager does. Returns how often it ended. */
async function restart(stack: Stack, how: 'kill' | 'stop'): Promise<number> {
	for (let failed = 0; ; failed += 1) {
		try {
			await stack.restart(how);
			return failed;
		} catch (error) {
			const hasEnded = (error as Error).message.includes('It ended with 1.');
			if (!hasEnded || failed === MAX_FAILED_STARTS) throw error;
		}
	}
}

/** Deliveries that wait for their acknowledgement by a workflow at the same time. */
const UNDER_WAY = 3;
/** Of eight events, one is sent again within this time, and one within a longer time. */
const SOON_MS = 30;

/** `events`: of each workflow. `lateMs`: the longest time until an event is sent again. */
const FULL = { events: 1600, kills: 20, lateMs: 20_000 };
const SHORT = { events: 64, kills: 1, lateMs: 4000 };

/** Sends a stream of events to a workflow for each way to acknowledge, while n8n is killed or stopped at random instants. */
export async function deliverAndKill(stack: Stack, size = SHORT): Promise<void> {
	const senders: Sender[] = [];
	for (const acknowledge of ACKNOWLEDGE) {
		const workflow = await publishSlowTrigger(stack.client, { acknowledge });
		senders.push(new Sender(webhookUrl(stack.n8n, workflow), REPEAT_MS));
	}
	const killed: number[] = [];
	let failedStarts = 0;
	try {
		await stream(senders, size, randomNumbers(), async (how) => {
			killed.push(Date.now());
			failedStarts += await restart(stack, how);
		});
		await Promise.all(senders.map((sender) => sender.allAcknowledged()));
	} finally {
		for (const sender of senders) sender.stop();
	}
	const executions = await executionsByEvent(stack);
	for (const [index, acknowledge] of ACKNOWLEDGE.entries()) {
		const { acknowledged, answers } = senders[index]!;
		reportFigures(
			`Deliveries, repeated after ${REPEAT_MS} ms, ${acknowledge}`,
			{
				...compareWithExecutions(acknowledged, executions, killed),
				answers: tally(answers),
				'starts after which n8n ended': failedStarts,
				"rows in n8n's table of processed items": queryDatabase(stack, 'SELECT 1 FROM processed_data').length,
			},
			[LOST, acknowledge === 'whenStored' ? UNEXPLAINED : UNFINISHED],
		);
	}
}

async function stream(
	senders: Sender[],
	{ events, kills, lateMs }: typeof SHORT,
	random: () => number,
	restart: (how: 'kill' | 'stop') => Promise<void>,
): Promise<void> {
	const randomInt = (below: number) => Math.floor(random() * below);
	const perKill = Math.floor(events / kills);
	let restarting = Promise.resolve();
	for (let index = 0; index < events; index += 1) {
		for (const [place, sender] of senders.entries()) {
			while (sender.waiting >= UNDER_WAY) await sleep(5);
			const id = `e${place * events + index}`;
			sender.send(id);
			if (index % 8 === 0) sender.send(id, 1 + randomInt(SOON_MS));
			if (index % 8 === 4) sender.send(id, randomInt(lateMs));
		}
		if (index % perKill === perKill >> 1) {
			await restarting;
			const how = Math.floor(index / perKill) % 2 === 0 ? 'kill' : 'stop';
			restarting = sleep(randomInt(200)).then(async () => await restart(how));
		}
	}
	await restarting;
}

export const triggerKills: Soak = async ({ short }) =>
	await withStack(startKeeping(), (stack) => deliverAndKill(stack, short ? SHORT : FULL));
