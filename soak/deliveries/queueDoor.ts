/**
 * The trigger in queue mode with strangers before it: forged and stale deliveries beside good ones, senders that are slow for minutes,
 * and processes that are killed or restarted. n8n's database says what ran.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { KEEP_EXECUTIONS, LAZY_EXPRESSION_ENGINE, restartN8n } from '../../host/n8n/process.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { webhookUrl } from '../../host/stack.ts';
import { deliver, JSON_TYPE, sign, signedHeaders } from '../../host/testkit/deliveries.ts';
import { tally } from '../../host/testkit/lists.ts';
import { startQueueStack, withStack } from '../../host/testkit/stacks.ts';
import { credentialsOf, node, publishLine, saveOther, triggerNode } from '../../host/testkit/workflows.ts';
import { until } from '../../host/until.ts';
import { reportFigures, type Soak } from '../shared/figures.ts';
import { SLOW_SENDERS } from './slowSenders.ts';

type QueueStack = Awaited<ReturnType<typeof startQueueStack>>;

const WRONG = 'wrong ones that came in';
const LOST = 'good ones lost after "ok"';
const TWICE = 'events whose workflow ran twice';

interface Sizes {
	good: number;
	hostile: number;
	finishing: number;
	slow: number;
	slowMs: number;
}
const FULL: Sizes = { good: 100, hostile: 400, finishing: 60, slow: 100, slowMs: 150_000 };
const SHORT: Sizes = { good: 40, hostile: 80, finishing: 20, slow: 20, slowMs: 20_000 };

export const queueDoor: Soak = async ({ short }) =>
	await withStack(
		() => startQueueStack(2, { ...KEEP_EXECUTIONS, ...LAZY_EXPRESSION_ENGINE }, []),
		async (stack) => {
			const sizes = short ? SHORT : FULL;
			await hostileBesideGood(stack, sizes);
			await staleAndMixed(stack);
			await besideSlowSenders(stack, sizes);
			await disrupted(stack, 'whenStored', sizes);
			await disrupted(stack, 'whenFinished', sizes);
		},
	);

const bodyOf = (id: string): string =>
	JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });

/** Workflows that were killed with their worker are under way for minutes, until n8n notices. */
const LEFT_BEHIND_MS = 20_000;

/** How many executions a kill has left under way. Waits until all others have ended. */
async function atRest({ queue }: QueueStack): Promise<number> {
	const sql = "SELECT count(*)::int AS count FROM execution_entity WHERE status IN ('new', 'running')";
	let last = { count: -1, since: 0 };
	await until('all executions to end', async () => {
		const [row] = await queue.database.query(sql);
		const count = Number(row!.count);
		if (count !== last.count) last = { count, since: Date.now() };
		return count === 0 || Date.now() - last.since > LEFT_BEHIND_MS;
	});
	return last.count;
}

/** How often the workflow of each event came to its last node. */
async function runsOf(stack: QueueStack, prefix: string): Promise<Map<string, number>> {
	await atRest(stack);
	return await countExecutions(stack, prefix, `AND d.data LIKE '%"End":%'`);
}

/** Of each event, its executions that match. */
async function countExecutions(
	{ queue }: QueueStack,
	prefix: string,
	and = '',
): Promise<Map<string, number>> {
	const rows = await queue.database.query(
		`SELECT substring(d.data from 'admin_funding:(${prefix}[0-9]+):successful') AS id
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE d.data LIKE '%admin_funding:${prefix}%' ${and}`,
	);
	return new Map([...Map.groupBy(rows, ({ id }) => String(id))].map(([id, all]) => [id, all.length]));
}

/** Every execution: a refused delivery has none. */
async function executionsIn({ queue }: QueueStack, { id }: StoredWorkflow): Promise<number> {
	return (await queue.database.query(`SELECT id FROM execution_entity WHERE "workflowId" = '${id}'`)).length;
}

async function publishDoor(
	stack: QueueStack,
	name: string,
	more: Json = {},
	credentials = credentialsOf(stack),
) {
	const trigger = triggerNode({ events: ['admin_funding'], ...more }, credentials);
	return await publishLine(stack.client, name, trigger, node('End', 'noOp'));
}

/** What is sent in place of a good delivery: its bytes and its headers. */
type Forgery = (body: string, secret: string) => [body: string | Buffer, headers: Record<string, string>];

const withSignature = (signature: string): Record<string, string> => ({
	...JSON_TYPE,
	'x-svc-signature': signature,
});

const FORGERIES: Forgery[] = [
	(body) => [body, JSON_TYPE],
	(body) => [body, withSignature('')],
	(body) => [body, signedHeaders(body, 'wrong')],
	(body) => [body, signedHeaders(body, '')],
	(body, secret) => [body.replace('"1"', '"9"'), signedHeaders(body, secret)],
	(body, secret) => [`${body} `, signedHeaders(body, secret)],
	(body, secret) => [`\ufeff${body}`, signedHeaders(body, secret)],
	(body, secret) => [body, withSignature(sign(body, secret).slice(0, -1))],
	(body, secret) => [body, withSignature(sign(body, secret).slice(0, 32))],
	(body, secret) => [body, withSignature(`${sign(body, secret)}00`)],
	(body, secret) => [body, withSignature(createHmac('sha512', secret).update(body).digest('hex'))],
	(body, secret) => [body, withSignature(createHmac('sha1', secret).update(body).digest('hex'))],
	(body, secret) => [body, withSignature(secret)],
	(body, secret) => [body, { ...JSON_TYPE, 'x-signature': sign(body, secret) }],
	(body, secret) => [body, withSignature(`${sign('', secret)}`)],
	(_, secret) => ['', signedHeaders('', secret)],
	(_, secret) => ['[]', signedHeaders('[]', secret)],
	(_, secret) => ['null', signedHeaders('null', secret)],
	(_, secret) => ['{"event":["admin_funding"]}', signedHeaders('{"event":["admin_funding"]}', secret)],
	(body, secret) => [body.slice(0, -1), signedHeaders(body.slice(0, -1), secret)],
	(body, secret) => [Buffer.from(body, 'utf16le'), signedHeaders(body, secret)],
	(body) => [body.replace('}', `,"more":"${'x'.repeat(2 ** 20)}"}`), withSignature('0'.repeat(64))],
	(body, secret) => [body, { ...signedHeaders(body, secret), 'content-encoding': 'gzip' }],
	(body) => [`{"__proto__":{"isVerified":false},${body.slice(1)}`, withSignature('__proto__')],
];

/** All at once, over both webhook processors. */
async function hostileBesideGood(stack: QueueStack, { good, hostile }: Sizes): Promise<void> {
	const workflow = await publishDoor(stack, 'Door');
	const url = webhookUrl(stack.n8n, workflow);
	const secret = stack.sandbox.webhookSecret;
	const sendGood = (from: number, took: number[]) =>
		Array.from({ length: good }, async (_, index) => {
			const id = `good${from + index}`;
			const body = bodyOf(id);
			const begun = Date.now();
			const { status, answer } = await deliver(url, body, signedHeaders(body, secret));
			took.push(Date.now() - begun);
			return [id, `${status} ${JSON.stringify(answer)}`] as const;
		});
	const alone: number[] = [];
	await Promise.all(sendGood(0, []));
	await Promise.all(sendGood(good, alone));
	const took: number[] = [];
	const goodOnes = sendGood(2 * good, took);
	const hostileOnes = Array.from({ length: hostile }, async (_, index) => {
		const [body, headers] = FORGERIES[index % FORGERIES.length]!(bodyOf(`forged${index}`), secret);
		return await deliver(url, body, headers).then(
			({ status }) => String(status),
			() => 'no answer',
		);
	});
	const answers = await Promise.all(goodOnes);
	const refusals = await Promise.all(hostileOnes);
	const runs = await runsOf(stack, 'good');
	const isAccepted = (answer: string) => answer.startsWith('200 {"ok":true');
	reportFigures(
		`${hostile} hostile deliveries at once beside ${good} good ones`,
		{
			[WRONG]: (await executionsIn(stack, workflow)) - runs.size,
			[LOST]: answers.filter(([id, answer]) => isAccepted(answer) && !runs.has(id)).length,
			[TWICE]: [...runs.values()].filter((count) => count > 1).length,
			'answers to good ones': tally(answers.map(([, answer]) => answer)),
			'answers to hostile ones': tally(refusals),
			...times(alone, 'alone: '),
			...times(took, 'beside hostile ones: '),
		},
		[WRONG, LOST, TWICE],
	);
}

/** A delivery of Standard Webhooks: ID, time and signature. */
interface Stamped {
	id: string;
	seconds: number;
	body: string;
}

/** Deliveries whose time or ID is another one than was signed, and good ones that come again. */
async function staleAndMixed(stack: QueueStack): Promise<void> {
	const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
	const credentials = await saveOther(stack, 'Stamped', { webhookStyle: 'standardWebhooks', webhookSecret });
	const workflow = await publishDoor(stack, 'Stamped door', {}, credentials);
	const url = webhookUrl(stack.n8n, workflow);
	const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
	const signed = ({ id, seconds, body }: Stamped) =>
		createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
	const headersOf = (stamped: Stamped, signature = signed(stamped)) => ({
		...JSON_TYPE,
		'webhook-id': stamped.id,
		'webhook-timestamp': String(stamped.seconds),
		'webhook-signature': `v1,${signature}`,
	});
	const now = () => Math.floor(Date.now() / 1000);
	const make = (index: number, more: Partial<Stamped> = {}): Stamped => ({
		id: `msg_${index}`,
		seconds: now(),
		body: bodyOf(`stamped${index}`),
		...more,
	});
	const wrong: Array<[Stamped, Record<string, string>]> = [];
	for (let index = 1000; index < 1020; index += 1) {
		const good = make(index);
		for (const seconds of [now() - 320, now() + 320, now() - 86_400, 0, -1]) {
			const stale = make(index, { seconds });
			wrong.push([stale, headersOf(stale)]);
		}
		wrong.push([good, { ...headersOf(good), 'webhook-id': `msg_${index + 1}` }]);
		wrong.push([good, { ...headersOf(good), 'webhook-timestamp': String(good.seconds + 1) }]);
		wrong.push([good, { ...headersOf(good), 'webhook-timestamp': `${good.seconds}.0` }]);
		wrong.push([good, headersOf(good, signed(make(index + 1)))]);
		wrong.push([make(index + 1, { id: good.id }), headersOf(good)]);
		const shifted = { ...good, id: `${good.id}.${good.seconds}` };
		wrong.push([shifted, { ...headersOf(good), 'webhook-id': shifted.id }]);
	}
	const refusals = await Promise.all(
		wrong.map(async ([{ body }, headers]) => (await deliver(url, body, headers)).status),
	);
	// Each good one five times at once, and under another body the same ID once more.
	const answers = await Promise.all(
		Array.from({ length: 20 }, (_, index) => make(index)).flatMap((good) =>
			[1, 2, 3, 4, 5].map(async () => (await deliver(url, good.body, headersOf(good))).status),
		),
	);
	const runs = await runsOf(stack, 'stamped');
	reportFigures(
		'Stale, mixed and repeated deliveries with ID and time',
		{
			[WRONG]: [...runs.keys()].filter((id) => Number(id.slice('stamped'.length)) >= 1000).length,
			[LOST]: 20 - runs.size,
			[TWICE]: [...runs.values()].filter((count) => count > 1).length,
			'answers to wrong ones': tally(refusals.map(String)),
			'answers to good ones, each sent five times at once': tally(answers.map(String)),
		},
		[WRONG, LOST, TWICE],
	);
}

/** Good deliveries one after the other, at first alone and then beside many senders that are slow. */
async function besideSlowSenders(stack: QueueStack, { slow, slowMs }: Sizes): Promise<void> {
	const workflow = await publishDoor(stack, 'Beside slow ones');
	const secret = stack.sandbox.webhookSecret;
	const { webhookProcessors } = stack.queue;
	let sent = 0;
	const goodFor = async (ms: number) => {
		const took: number[] = [];
		for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) {
			const body = bodyOf(`beside${sent}`);
			const begun = Date.now();
			const { status } = await deliver(
				webhookUrl(webhookProcessors[sent % 2]!, workflow),
				body,
				signedHeaders(body, secret),
			);
			if (status !== 200) throw new Error(`A good delivery was answered with ${status}`);
			took.push(Date.now() - begun);
			sent += 1;
		}
		return took;
	};
	await goodFor(2000);
	const alone = await goodFor(Math.min(15_000, slowMs));
	const begin = (name: keyof typeof SLOW_SENDERS, index: number, processor: N8n) => {
		const body = bodyOf(`slow${index}`);
		const url = new URL(webhookUrl(processor, workflow));
		return SLOW_SENDERS[name](url, body, sign(body, secret));
	};
	const names = Object.keys(SLOW_SENDERS) as Array<keyof typeof SLOW_SENDERS>;
	const senders = Array.from({ length: slow }, (_, index) => {
		const name = names[index % names.length]!;
		return { name, sender: begin(name, index, webhookProcessors[index % 2]!) };
	});
	const beside = await goodFor(slowMs);
	for (const { sender } of senders) sender.stop();
	const ends = await Promise.all(senders.map(async ({ name, sender }) => `${name}: ${await sender.ended}`));
	const runs = await runsOf(stack, 'beside');
	const slowRuns = await runsOf(stack, 'slow');
	const isWhole = (id: string) =>
		names[Number(id.slice('slow'.length)) % names.length] === 'slow and whole body';
	reportFigures(
		`Good deliveries beside ${slow} slow senders, for ${slowMs / 1000} s`,
		{
			[WRONG]: [...slowRuns.keys()].filter((id) => !isWhole(id)).length,
			[LOST]: sent - runs.size,
			[TWICE]: [...runs.values(), ...slowRuns.values()].filter((count) => count > 1).length,
			'slow and whole ones that ran': slowRuns.size,
			'how the slow ones ended': tally(ends),
			...times(alone, 'alone: '),
			...times(beside, 'beside slow ones: '),
		},
		[WRONG, LOST, TWICE],
	);
}

/** While deliveries come in, what they need is killed or restarted, one after the other. */
const DISRUPTIONS: Record<string, (queue: QueueStack['queue']) => Promise<unknown>> = {
	'kill a worker': async ({ workers }) => (workers[0] = await restartN8n(workers[0]!, 'kill')),
	'kill a webhook processor': async ({ webhookProcessors }) =>
		(webhookProcessors[1] = await restartN8n(webhookProcessors[1]!, 'kill')),
	'restart Redis': async ({ restartRedis }) => await restartRedis('stop'),
	'kill Redis': async ({ restartRedis }) => await restartRedis('kill'),
	'restart the main process': async ({ mains }) => (mains[0] = await restartN8n(mains[0]!, 'stop')),
};

const ANSWER_WITHIN_MS = 60_000;
const REPEAT_MS = 1000;
const BETWEEN_MS = 250;

/** The service repeats what was not answered with 200, at the other process. Each third event comes twice, to the same process. */
async function disrupted(
	stack: QueueStack,
	acknowledge: 'whenStored' | 'whenFinished',
	{ finishing }: Sizes,
) {
	const options = { acknowledge };
	const trigger = triggerNode({ events: ['admin_funding'], options }, credentialsOf(stack));
	const wait = node('Wait', 'wait', { resume: 'timeInterval', amount: 1, unit: 'seconds' });
	const workflow = await publishLine(stack.client, acknowledge, trigger, wait, node('End', 'noOp'));
	const secret = stack.sandbox.webhookSecret;
	const { webhookProcessors } = stack.queue;
	const answers: string[] = [];
	const acknowledged = new Set<string>();
	const attempt = async (id: string, index: number): Promise<boolean> => {
		const body = bodyOf(id);
		const url = webhookUrl(webhookProcessors[index % 2]!, workflow);
		const answer = await Promise.race([
			deliver(url, body, signedHeaders(body, secret)).then(
				({ status, answer: said }) => `${status} ${JSON.stringify(said)}`,
				() => 'no answer',
			),
			sleep(ANSWER_WITHIN_MS, 'no answer in time'),
		]);
		answers.push(answer);
		if (!answer.startsWith('200 {"ok":true')) return false;
		acknowledged.add(id);
		return true;
	};
	const send = async (id: string, index: number) => {
		for (let tries = index; !(await attempt(id, tries)); tries += 1) await sleep(REPEAT_MS);
	};
	const all: Array<Promise<void>> = [];
	let disrupting = Promise.resolve();
	const disruptions = Object.values(DISRUPTIONS);
	for (let index = 0; index < finishing; index += 1) {
		const id = `${acknowledge}${index}`;
		all.push(send(id, index));
		if (index % 3 === 0) all.push(send(id, index));
		if (index % Math.floor(finishing / disruptions.length) === 2) {
			const next = disruptions.shift();
			disrupting = disrupting.then(async () => void (await next?.(stack.queue)));
		}
		await sleep(BETWEEN_MS);
	}
	await disrupting;
	await Promise.all(all);
	const leftBehind = await atRest(stack);
	const stored = await countExecutions(stack, acknowledge);
	const finished = await countExecutions(
		stack,
		acknowledge,
		`AND d.data LIKE '%"End":%' AND e.status = 'success'`,
	);
	const mustBe = acknowledge === 'whenStored' ? stored : finished;
	reportFigures(
		`${acknowledge}: ${Object.keys(DISRUPTIONS).join(', ')}`,
		{
			[LOST]: [...acknowledged].filter((id) => !mustBe.has(id)).length,
			[TWICE]: [...finished.values()].filter((count) => count > 1).length,
			'events without "ok"': finishing - acknowledged.size,
			'events that did not succeed, but are listed': finishing - finished.size,
			'executions that a kill left under way': leftBehind,
			answers: tally(answers),
		},
		// With whenFinished, another process runs a repetition, as docs/set-up/queue-mode.md says.
		acknowledge === 'whenStored' ? [LOST, TWICE] : [LOST],
	);
}

/** In milliseconds. */
function times(took: number[], name: string): Record<string, number> {
	const sorted = took.toSorted((one, other) => one - other);
	const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
	return {
		[`${name}median ms`]: at(0.5),
		[`${name}95th percentile ms`]: at(0.95),
		[`${name}longest ms`]: at(1),
	};
}
