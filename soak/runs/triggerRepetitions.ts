/**
 * A sender that repeats each delivery until the trigger has answered `{"ok":true}`, soon after each attempt, while n8n is killed
 * and started again. n8n runs executions that it had stored but not begun before the kill, so they meet their repetitions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { until } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { queryDatabase } from '../../bench/shared/executions.ts';
import { tally } from '../../bench/shared/lists.ts';
import { reportFigures } from '../shared/soakFigures.ts';
import { KEEP_EXECUTIONS, withTemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { allEnded, executionsByEvent } from '../shared/deliveredExecutions.ts';
import { publishSlowTrigger } from '../shared/slowTrigger.ts';
import type { Execution } from '../shared/deliveredExecutions.ts';

interface Size {
	kills: number;
	/** How long after an attempt the next one follows. */
	repeatAfterMs: number[];
}

const FULL: Size = { kills: 6, repeatAfterMs: [100, 1000, 4000] };
const SHORT: Size = { kills: 1, repeatAfterMs: [100] };

/** Settings of *Acknowledge*. */
const ACKNOWLEDGE = ['whenStored', 'whenFinished'];

/** n8n stores the executions above this limit, and answers their deliveries only when their turn comes. */
const LIMITED = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };
/** Deliveries that arrive in the same moment before each kill. */
const BURST = 20;
/** n8n is killed when it has stored so many executions and not begun them. */
const STORED_BEFORE_KILL = 10;
const ANSWER_WITHIN_MS = 120_000;
const MAX_FAILED_STARTS = 3;

const LOST = 'events lost';
const UNFINISHED = 'events acknowledged and never finished';
const TWICE = 'events handled twice';

export async function run({ short }: { short: boolean }): Promise<void> {
	const { kills, repeatAfterMs } = short ? SHORT : FULL;
	const env = { ...KEEP_EXECUTIONS, ...LIMITED };
	for (const repeatMs of repeatAfterMs)
		for (const acknowledge of ACKNOWLEDGE)
			await withTemporaryN8n((host) => deliverAndKill(host, { kills, repeatMs, acknowledge }), env);
}

async function deliverAndKill(
	host: TemporaryN8n,
	{ kills, repeatMs, acknowledge }: { kills: number; repeatMs: number; acknowledge: string },
): Promise<void> {
	const workflow = await publishSlowTrigger(host.client, { acknowledge });
	const url = webhookUrl(host.n8n, workflow);
	const agent = new Agent({ connections: BURST });
	const answers: string[] = [];
	const kept: Promise<void>[] = [];
	let [events, stored, failedStarts] = [0, 0, 0];
	const deliver = async (id: string) => {
		const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		while (true) {
			const answer = await post(agent, url, body);
			answers.push(answer);
			if (answer.startsWith('{"ok":true')) return;
			await sleep(repeatMs);
		}
	};
	const burst = () => {
		for (let index = 0; index < BURST; index += 1) kept.push(deliver(`e${(events += 1)}`));
	};
	try {
		for (let kill = 0; kill < kills; kill += 1) {
			burst();
			stored += await until(
				'stored executions',
				() => (storedExecutions(host) >= STORED_BEFORE_KILL ? storedExecutions(host) : undefined),
				60_000,
			);
			failedStarts += await restart(host);
			await Promise.all(kept);
		}
		await allEnded(host);
	} finally {
		await agent.destroy();
	}
	const executions = executionsByEvent(host);
	const outcomes = Array.from({ length: events }, (_, index) => executions.get(`e${index + 1}`) ?? []);
	const handled = outcomes.map((all) => all.filter(isHandled).length);
	const cut = outcomes.filter((all) => !all.some(isHandled) && all.length > 0);
	reportFigures(
		`Deliveries repeated after ${repeatMs} ms, ${acknowledge}`,
		{
			events,
			'kills of n8n': kills,
			'executions that n8n had stored and not begun before a kill': stored,
			'starts after which n8n ended': failedStarts,
			answers: tally(
				answers.map((answer) => (answer.startsWith('n8n is starting') ? 'n8n is starting up' : answer)),
			),
			'executions, by status': tally(outcomes.flat().map(({ status }) => status)),
			'executions that stopped at the trigger': outcomes
				.flat()
				.filter(({ stoppedAsDuplicate }) => stoppedAsDuplicate).length,
			[UNFINISHED]: cut.length,
			[LOST]: outcomes.filter((all) => all.length === 0).length,
			[TWICE]: handled.filter((count) => count > 1).length,
		},
		// Of the two, each setting promises one.
		[LOST, acknowledge === 'whenStored' ? TWICE : UNFINISHED],
	);
}

/**
 * Kills n8n and starts it, again if it ends, as a service manager does. Returns how often it ended: n8n 2.41.1 can end with
 * code 1 while it recovers an execution that it had not begun.
 */
async function restart(host: TemporaryN8n): Promise<number> {
	for (let failed = 0; ; failed += 1) {
		try {
			await host.restart();
			return failed;
		} catch (error) {
			const hasEnded = (error as Error).message.includes('It ended with 1.');
			if (!hasEnded || failed === MAX_FAILED_STARTS) throw error;
		}
	}
}

/** The body of an answer of 200, `{"ok":true…` for one of the trigger; otherwise the status or the name of the failure. */
async function post(agent: Agent, url: string, body: string): Promise<string> {
	try {
		const { statusCode, body: answer } = await request(url, {
			method: 'POST',
			body,
			headers: { 'content-type': 'application/json' },
			dispatcher: agent,
			headersTimeout: ANSWER_WITHIN_MS,
		});
		const text = await answer.text();
		return statusCode === 200 ? text : String(statusCode);
	} catch {
		return 'no answer';
	}
}

/** How many executions n8n has stored and not begun. */
function storedExecutions(host: TemporaryN8n): number {
	const [row] = queryDatabase(host, "SELECT count(*) AS count FROM execution_entity WHERE status = 'new'");
	return Number(row?.count);
}

/** Whether the node after the trigger ran. */
function isHandled({ status, stoppedAsDuplicate }: Execution): boolean {
	return status === 'success' && !stoppedAsDuplicate;
}
