/**
 * Deliveries to the trigger in the real n8n, which is killed or stopped, and restarted, in between. The sandbox sends many of them twice and
 * retries up to 3 times. Afterwards the executions in n8n's database are compared with the deliveries.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/server.ts';
import { webhookUrl } from '../../host/stack.ts';
import { reportFigures } from '../shared/soakFigures.ts';
import { KEEP_EXECUTIONS, withTemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { verifyingCredential } from '../../bench/shared/workflowParts.ts';
import { compareWithExecutions, TARGETS } from '../triggerKills/deliveryComparison.ts';
import { publishSlowTrigger } from '../shared/slowTrigger.ts';
import { allEnded, executionsByEvent } from '../shared/deliveredExecutions.ts';

interface Size {
	deliveries: number;
	/** Every second one is a stop in order. */
	kills: number;
	/** A duplicate that is not sent at once is sent within this time. */
	lateMs: number;
	/** Long enough that three retries outlast n8n's restart. */
	retryDelayMs: number;
}

const FULL: Size = { deliveries: 2000, kills: 20, lateMs: 20_000, retryDelayMs: 8000 };
const SHORT: Size = { deliveries: 100, kills: 1, lateMs: 4000, retryDelayMs: 4000 };

/** One delivery in five is a duplicate; half of the duplicates are sent within SOON_MS after the first copy. */
const DUPLICATES = 0.2;
const SOON_MS = 30;
/** Deliveries that wait for their answer at the same time. */
const IN_FLIGHT = 6;

export async function run({ short }: { short: boolean }): Promise<void> {
	for (const acknowledge of ['whenStored', 'whenFinished'] as const)
		await withTemporaryN8n(
			(host) => deliverAndKill(host, short ? SHORT : FULL, acknowledge),
			KEEP_EXECUTIONS,
		);
}

async function deliverAndKill(
	host: TemporaryN8n,
	size: Size,
	acknowledge: keyof typeof TARGETS,
): Promise<void> {
	const begun = Date.now();
	const sandbox = await startSandbox({ retryDelayMs: size.retryDelayMs });
	const { deliveries } = sandbox.service;
	const killed: number[] = [];
	try {
		const credential = verifyingCredential(sandbox.webhookSecret);
		const workflow = await publishSlowTrigger(host.client, { acknowledge }, credential);
		deliveries.url = webhookUrl(host.n8n, workflow);

		const kill = async () => {
			killed.push(Date.now());
			await host.restart(killed.length % 2 === 1 ? 'kill' : 'stop');
			deliveries.url = webhookUrl(host.n8n, workflow);
		};
		const send = (id: string) => {
			const body = { event: 'admin_funding', id, status: 'successful', Amount: '1' };
			deliveries.add(body);
		};
		const events = Math.round(size.deliveries * (1 - DUPLICATES));
		const eventsPerKill = Math.floor(events / size.kills);
		const copies: Array<Promise<void>> = [];
		const copy = (id: string, delay: number) => copies.push(sleep(delay).then(() => send(id)));
		let restarting = Promise.resolve();
		for (let index = 0; index < events; index += 1) {
			while (deliveries.all().filter(({ status }) => status === 'pending').length >= IN_FLIGHT)
				await sleep(5);
			send(`e${index}`);
			if (index % 8 === 0) copy(`e${index}`, randomInt(SOON_MS + 1));
			if (index % 8 === 4) copy(`e${index}`, randomInt(size.lateMs));
			if (index % eventsPerKill === eventsPerKill >> 1) {
				await restarting;
				restarting = sleep(randomInt(200)).then(kill);
			}
		}
		await Promise.all(copies);
		await restarting;
		await sandbox.idle();
		await allEnded(host);
		const seconds = (Date.now() - begun) / 1000;
		const figures = compareWithExecutions(deliveries.all(), executionsByEvent(host), killed);
		reportFigures(
			`Deliveries, ${acknowledge}`,
			{
				...figures,
				seconds: Math.round(seconds),
				'deliveries per second': (deliveries.all().length / seconds).toFixed(1),
			},
			TARGETS[acknowledge],
		);
	} finally {
		await sandbox.stop();
	}
}
