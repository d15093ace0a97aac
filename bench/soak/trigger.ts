/**
 * Deliveries to the trigger in the real n8n, which is killed and started again in between, from a sandbox that sends many
 * of them twice and tries up to 3 times more. Afterwards the executions in n8n's database are held against what was
 * delivered. Then bodies that nobody should send.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { claim, recordExecution } from '../../nodes/WalletService/trigger/deduplication/index.ts';
import type { DeliveryRecord } from '../../sandbox/records.ts';
import { SAMPLES } from '../../sandbox/samples.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { connect } from '../../host/n8nClient.ts';
import type { Json } from '../../host/n8nClient.ts';
import { installPackage, startN8n } from '../../host/n8n.ts';
import type { N8n } from '../../host/n8n.ts';
import { CREDENTIAL_TYPE, TEMPORARY_OWNER, webhookUrl } from '../../host/stack.ts';
import { hostileBodies } from '../hostileBodies.ts';
import { saveTrigger } from '../triggerWorkflow.ts';

interface Size {
	/** In this process, without n8n. */
	remembered: number;
	deliveries: number;
	kills: number;
	/** A duplicate that does not come at once comes within this time. */
	lateMs: number;
	/** Three retries reach over the time that n8n takes to start again. */
	retryDelayMs: number;
	hostileBodies: number;
}

const FULL: Size = {
	remembered: 1_000_000,
	deliveries: 10_000,
	kills: 10,
	lateMs: 20_000,
	retryDelayMs: 8000,
	hostileBodies: 100_000,
};
const SHORT: Size = {
	remembered: 300_000,
	deliveries: 100,
	kills: 1,
	lateMs: 4000,
	retryDelayMs: 4000,
	hostileBodies: 300,
};

/** One delivery in five is a duplicate, half of them within this time after the first. */
const DUPLICATES = 0.2;
const SOON_MS = 30;
/** So many deliveries wait for their answer at a time. */
const IN_FLIGHT = 6;
/** What n8n has done so shortly before a kill may not be on its disk. */
const WINDOW_MS = 100;
/** An answer that takes longer is none. */
const HANG_MS = 30_000;
/** Answers that make no sender try again for what is the user's choice. */
const ALLOWED = [200, 400, 401, 413, 422];

export async function run({ short }: { short: boolean }): Promise<void> {
	const size = short ? SHORT : FULL;
	// Each in an n8n of its own: one is killed, and the other may not die.
	const missed = [
		await remember(size.remembered),
		...(await Promise.all([
			onN8n({}, (host, restart) => deliver(host, restart, size)),
			// Else n8n makes an engine for expressions for each body, also where there is no expression, and does little else.
			onN8n({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }, (host) => harass(host, size.hostileBodies)),
		])),
	].flat();
	if (missed.length > 0) throw new Error(`Targets missed: ${missed.join('; ')}`);
}

async function onN8n(
	env: Record<string, string>,
	work: (host: Host, restart: () => Promise<void>) => Promise<string[]>,
): Promise<string[]> {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-soak-'));
	// n8n forgets no execution while they are counted.
	const start = () => startN8n({ userFolder, env: { EXECUTIONS_DATA_PRUNE: 'false', ...env } });
	await installPackage(userFolder);
	const host = { userFolder, n8n: await start() };
	const restart = async () => {
		await host.n8n.kill();
		host.n8n = await start();
	};
	try {
		return await work(host, restart);
	} finally {
		await host.n8n.kill();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

interface Host {
	readonly userFolder: string;
	/** Another one after a restart. */
	n8n: N8n;
}

/** What the memory of deliveries holds after very many, in this process. Gives the targets that were missed. */
async function remember(most: number): Promise<string[]> {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const bytes: number[] = [];
	const figures: Record<string, number | string> = {};
	let staticData: object = {};
	let done = 0;
	for (const count of [10_000, 100_000, most]) {
		const begun = performance.now();
		const before = done;
		for (; done < count; done += 1) {
			const complete = await claim('workflow/node', `admin_funding:e${done}:successful`, '');
			complete?.(true);
			staticData = recordExecution('workflow/node', `admin_funding:e${done}:successful`, '') ?? staticData;
		}
		const microseconds = ((performance.now() - begun) * 1000) / (count - before);
		collectGarbage();
		bytes.push(process.memoryUsage().heapUsed);
		figures[`heap after ${count} deliveries`] = `${(bytes.at(-1)! / 2 ** 20).toFixed(1)} MiB`;
		figures[`microseconds for each up to ${count}`] = microseconds.toFixed(1);
	}
	figures['bytes in static data'] = JSON.stringify(staticData).length;
	// One byte for each delivery would show.
	figures['MiB more than after 100000'] = Math.max(0, Math.floor((bytes[2] - bytes[1]) / 2 ** 20));
	print('Memory of deliveries', figures);
	return missed(figures, ['MiB more than after 100000']);
}

/** Gives the targets that were missed. */
async function deliver(host: Host, restart: () => Promise<void>, size: Size): Promise<string[]> {
	const begun = Date.now();
	const sandbox = await startSandbox({ retryDelayMs: size.retryDelayMs });
	const { deliveries } = sandbox.service;
	const killed: number[] = [];
	try {
		const client = await connect(host.n8n.url, TEMPORARY_OWNER);
		const credentialId = await client.saveCredential(CREDENTIAL_TYPE, 'Soak', {
			baseUrl: sandbox.url,
			apiKey: sandbox.key,
			webhookVerification: 'hmac',
			webhookSecret: sandbox.webhookSecret,
		});
		const parameters = { events: ['admin_funding'], verification: 'credential', options: {} };
		const workflow = await saveTrigger(client, 'Soak', parameters, credentialId);
		deliveries.url = webhookUrl(host.n8n, workflow);

		const kill = async () => {
			killed.push(Date.now());
			await restart();
			deliveries.url = webhookUrl(host.n8n, workflow);
		};
		const send = (id: string) => {
			const body = { event: 'admin_funding', id, status: 'successful', Amount: '1' };
			deliveries.add(body);
		};
		const events = Math.round(size.deliveries * (1 - DUPLICATES));
		const between = Math.floor(events / size.kills);
		const copies: Array<Promise<void>> = [];
		const copy = (id: string, delay: number) => copies.push(sleep(delay).then(() => send(id)));
		let restarting = Promise.resolve();
		for (let index = 0; index < events; index += 1) {
			while (deliveries.all().filter(({ status }) => status === 'pending').length >= IN_FLIGHT)
				await sleep(5);
			send(`e${index}`);
			if (index % 8 === 0) copy(`e${index}`, randomInt(SOON_MS + 1));
			if (index % 8 === 4) copy(`e${index}`, randomInt(size.lateMs));
			if (index % between === between >> 1) {
				await restarting;
				restarting = sleep(randomInt(200)).then(kill);
			}
		}
		await Promise.all(copies);
		await restarting;
		await sandbox.idle();
		await allEnded(host);
		const seconds = (Date.now() - begun) / 1000;
		return report(runsOf(host), deliveries.all(), killed, seconds);
	} finally {
		await sandbox.stop();
	}
}

interface Run {
	status: string;
	startedAt: number;
	stoppedAt: number;
}

/** n8n's executions of each event, oldest first. */
function runsOf({ userFolder }: Host): Map<string, Run[]> {
	const database = new DatabaseSync(join(userFolder, '.n8n/database.sqlite'), { readOnly: true });
	const rows = database
		.prepare(
			`SELECT status, startedAt, stoppedAt, createdAt, data FROM execution_entity e
			JOIN execution_data d ON d.executionId = e.id ORDER BY e.id`,
		)
		.all();
	database.close();
	const runs = new Map<string, Run[]>();
	for (const { status, startedAt, stoppedAt, createdAt, data } of rows) {
		const id = /admin_funding:(e\d+):successful/.exec(String(data))?.[1] ?? '';
		const time = (text: unknown) => Date.parse(`${text}Z`);
		const run = {
			status: String(status),
			startedAt: time(startedAt ?? createdAt),
			stoppedAt: time(stoppedAt),
		};
		runs.set(id, [...(runs.get(id) ?? []), run]);
	}
	return runs;
}

/** Waits until n8n works on nothing any more. */
async function allEnded(host: Host): Promise<void> {
	for (let left = 600; left > 0; left -= 1) {
		const runs = [...runsOf(host).values()].flat();
		if (!runs.some(({ status }) => ['new', 'running'].includes(status))) return;
		await sleep(500);
	}
	throw new Error('Some executions never ended');
}

/** Prints the figures and gives the targets that were missed. */
function report(
	runs: Map<string, Run[]>,
	records: DeliveryRecord[],
	killed: number[],
	seconds: number,
): string[] {
	const events = grouped(records, ({ body }) => String((JSON.parse(body) as Json).id));
	const answers = records.flatMap(({ attempts }) =>
		attempts.map(({ status, answer = '' }) =>
			status === undefined ? 'no answer' : `${status}${answer.includes('duplicate') ? ' duplicate' : ''}`,
		),
	);
	const figures = {
		deliveries: records.length,
		events: events.size,
		'attempts, by answer': tally(answers),
		'executions, by status': tally([...runs.values()].flat().map(({ status }) => status)),
		'kills of n8n': killed.length,
		'deliveries that failed four times': records.filter(({ status }) => status === 'failed').length,
		'events lost': 0,
		'events whose only execution a kill cut off': 0,
		'events executed more than once': 0,
		'  first execution cut off by a kill, not acknowledged before': 0,
		[`  the same, acknowledged less than ${WINDOW_MS} ms before`]: 0,
		'  the same, acknowledged earlier': 0,
		[`  first execution ended within ${WINDOW_MS} ms of a kill`]: 0,
		'  otherwise': 0,
		seconds: Math.round(seconds),
		'deliveries per second': (records.length / seconds).toFixed(1),
	};
	for (const [id, copies] of events) {
		const [first, ...more] = runs.get(id) ?? [];
		const acknowledged = copies.flatMap(({ attempts }) =>
			attempts
				.filter(({ status }) => status === 200)
				.map(({ at, durationMs }) => Date.parse(at) + durationMs),
		);
		if (first === undefined) {
			if (acknowledged.length > 0) figures['events lost'] += 1;
		} else if (more.length > 0) {
			figures['events executed more than once'] += 1;
			const kill = killed.find((time) => first.startedAt <= time && time <= more[0].startedAt) ?? Infinity;
			const sooner = kill - Math.min(...acknowledged);
			if (first.status === 'crashed' && sooner >= WINDOW_MS) {
				figures['  the same, acknowledged earlier'] += 1;
			} else if (first.status === 'crashed' && sooner >= 0) {
				figures[`  the same, acknowledged less than ${WINDOW_MS} ms before`] += 1;
			} else if (first.status === 'crashed') {
				figures['  first execution cut off by a kill, not acknowledged before'] += 1;
			} else if (Math.abs(kill - first.stoppedAt) <= WINDOW_MS) {
				figures[`  first execution ended within ${WINDOW_MS} ms of a kill`] += 1;
			} else {
				figures['  otherwise'] += 1;
			}
		} else if (first.status === 'crashed') {
			figures['events whose only execution a kill cut off'] += 1;
		}
	}
	print('Deliveries', figures);
	return missed(figures, ['events lost', '  otherwise']);
}

/** Hostile bodies; gives the targets that were missed. */
async function harass({ n8n }: Host, count: number): Promise<string[]> {
	const begun = Date.now();
	const agent = new Agent({ connections: 16 });
	const figures: Record<string, number | string> = { bodies: count };
	try {
		const client = await connect(n8n.url, TEMPORARY_OWNER);
		// Most bodies go to a trigger that wants few of them, since n8n is slow to run workflows.
		const picky = await saveTrigger(client, 'Picky', {
			events: ['settlement_wallet_update'],
			options: { statuses: 'rejected' },
		});
		const greedy = await saveTrigger(client, 'Greedy', {
			events: Object.keys(SAMPLES),
			output: 'perEvent',
			options: { unknownEvents: true, ignoreDuplicates: false, includeHeaders: true },
		});
		const answers: string[] = [];
		const post = async (body: Buffer, index: number) => {
			try {
				const answer = await request(webhookUrl(n8n, index % 20 === 0 ? greedy : picky), {
					method: 'POST',
					body,
					headers: { 'content-type': 'application/json' },
					dispatcher: agent,
					headersTimeout: HANG_MS,
				});
				await answer.body.dump();
				answers.push(String(answer.statusCode));
			} catch (error) {
				answers.push((error as Error).name);
			}
		};
		const seed = randomInt(2 ** 31);
		let sent = 0;
		while (sent < count) {
			const batch = fc.sample(hostileBodies, { seed: seed + sent, numRuns: Math.min(1000, count - sent) });
			const bodies = batch.entries();
			await Promise.all(
				Array.from({ length: 16 }, async () => {
					for (const [index, body] of bodies) await post(body, index);
				}),
			);
			sent += batch.length;
			if (sent % 10_000 === 0) process.stdout.write(`${sent} hostile bodies: ${tally(answers)}\n`);
		}
		const large = Buffer.from(`{"event":"admin_funding","note":"${'x'.repeat(15 * 2 ** 20)}"}`);
		await post(large, 0);
		const { statusCode, body } = await request(`${n8n.url}/healthz`, { dispatcher: agent });
		await body.dump();
		Object.assign(figures, {
			'seed of the bodies': seed,
			answers: tally(answers),
			'crashes of n8n': statusCode === 200 ? 0 : 1,
			hangs: answers.filter((answer) => answer === 'HeadersTimeoutError').length,
			'other answers': answers.filter((answer) => !ALLOWED.includes(Number(answer))).length,
			seconds: Math.round((Date.now() - begun) / 1000),
		});
	} finally {
		await agent.destroy();
	}
	print('Hostile bodies', figures);
	return missed(figures, ['crashes of n8n', 'hangs', 'other answers']);
}

function missed(figures: Record<string, number | string>, targets: string[]): string[] {
	return targets
		.filter((name) => figures[name] !== 0)
		.map((name) => `${name.trim()}: ${figures[name]}, not 0`);
}

function grouped<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const item of items) {
		const group = groups.get(keyOf(item));
		if (group === undefined) groups.set(keyOf(item), [item]);
		else group.push(item);
	}
	return groups;
}

/** `200: 8000, 401: 3`. */
function tally(words: string[]): string {
	const counts = [...grouped(words, (word) => word)].map(([word, all]) => `${word}: ${all.length}`);
	return counts.toSorted().join(', ') || 'none';
}

function print(title: string, figures: Record<string, number | string>): void {
	const lines = Object.entries(figures).map(([name, figure]) => `  ${name.padEnd(60)} ${figure}`);
	process.stdout.write(`${title}\n${lines.join('\n')}\n`);
}
