/**
 * Deliveries to four workflows of one n8n, a trigger and a No Operation each: our trigger; n8n's Webhook node, which checks
 * nothing; n8n's Slack Trigger, which verifies signatures and needs no service to be published; and n8n's Webhook node
 * set up so that n8n cannot take its short cut for that node. The sender is `triggerLoad.ts`, in another process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { SAMPLES } from '../sandbox/samples.ts';
import type { WorkflowNode } from '../host/n8nClient.ts';
import { CREDENTIAL_TYPE } from '../host/stack.ts';
import { allEnded, chain, newestExecution, nodeMaker, processorTime, withHost } from './host.ts';
import type { Executions, Host } from './host.ts';
import { median, turned } from './results.ts';
import type { Options, Report } from './results.ts';

/** What the sender is told. */
export interface Order {
	url: string;
	style: 'wallet' | 'slack';
	secret: string;
	/** The body, with `<id>` where each delivery has an id of its own. */
	template: string;
	/** Clients, each with one delivery at a time. */
	clients: number;
	milliseconds: number;
}

/** What the sender has seen; all answers were 200. */
export interface Round {
	/** Milliseconds since 1970. */
	begun: number;
	seconds: number;
	/** Milliseconds from each delivery to the end of its answer. */
	took: number[];
}

export interface Size {
	clients: number[];
	/** For each number of clients; sides take turns within each. */
	rounds: number;
	milliseconds: number;
	/** Before the first round, for each side. */
	warmUpMs: number;
	/** Said behind the number of clients. */
	under?: string;
}

const FULL: Size = { clients: [1, 8, 32], rounds: 6, milliseconds: 3000, warmUpMs: 1000 };
export const SHORT: Size = { clients: [8], rounds: 2, milliseconds: 500, warmUpMs: 100 };

const BODY_BYTES = 1024;

const OURS = 'Wallet Service Trigger';
const WEBHOOK = 'Webhook';
const SLACK = 'Slack Trigger';
const CONTROL = 'Webhook, Header Auth, an expression';
const SIDES = [OURS, WEBHOOK, SLACK, CONTROL];

export const title = 'Trigger';
export const how = `Deliveries of ${BODY_BYTES} bytes, each another one, to four published workflows of one n8n (SQLite, executions saved as by
default): our trigger (HMAC, duplicates, normalizing, with \`raw\`), n8n's Webhook node, which checks nothing and is sent the same bytes,
n8n's Slack Trigger with a signature secret, and the Webhook node once more with a credential and an expression among its parameters, as a
control; a No Operation behind each. The sender is another process whose clients wait for each
answer. ${FULL.rounds} rounds of ${FULL.milliseconds / 1000} s for each number of clients, in changing order; the next begins when all executions of the one before have ended.
Figures are medians of the rounds, ratios the median of the ratios of each round. "Executions" are counted until the last one has ended,
"deliveries" until the last 200.`;

/** n8n then makes an engine for expressions where one is evaluated, not wherever one might be. */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const WHY = `Why the Webhook node is ahead: n8n 2.41.1 makes a fresh isolate of its expression engine (\`isolated-vm\`) for each execution, another one
for the webhook phase of every trigger except its own Webhook node with static parameters (\`webhookPhaseNeedsIsolate\`), and another one
for each credential that is read in that phase. Counted in n8n, per delivery: Webhook 1, Slack Trigger 3, the control 3, our trigger 2, and 3 where it
reads its credential, which it does once in five seconds. An isolate costs more than everything else about a delivery does, part of it in other threads. In profiles of n8n's
main thread (8 clients) isolates had 15 % of the time with our trigger and 9 % with the Webhook node, the database 40 and 55 %, our package 3 %. The
control is the same Webhook node without that short cut; it also evaluates the expressions of its own description.

Before and after: reading the credential with each delivery, our trigger had 0.36 to 0.47 of the Webhook node's deliveries, and as many as
the Slack Trigger. Static data that is written after each delivery makes no difference that could be measured.`;

export async function run(report: Report, { short }: Options): Promise<void> {
	const size = short ? SHORT : FULL;
	await withHost((host) => measure(host, report, size));
	if (report.misses.length > 0) report.note(WHY);
	const under = `with ${Object.entries(LAZY).flat().join('=')}`;
	await withHost((host) => measure(host, report, { ...size, clients: [8], under }), LAZY);
}

interface Side {
	workflowId: string;
	order: Pick<Order, 'url' | 'style' | 'secret' | 'template'>;
}

/** Gives the number of deliveries, each of which n8n has executed. */
export async function measure(host: Host, report: Report, size: Size): Promise<number> {
	const sides = await publish(host);
	await checkThatTheyVerify(sides);
	const sender = fork('bench/triggerLoad.ts', {
		execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
	});
	let deliveries = 0;
	const play = async (name: string, clients: number, milliseconds: number) => {
		const { workflowId, order } = sides[name];
		const since = newestExecution(host);
		const processor = processorTime(host);
		sender.send({ ...order, clients, milliseconds } satisfies Order);
		const [answer] = (await once(sender, 'message')) as [Round | { failure: string }];
		if ('failure' in answer) throw new Error(answer.failure);
		deliveries += answer.took.length;
		const executions = await allEnded(host, workflowId, since, answer.took.length);
		const used = processor === undefined ? undefined : processorTime(host)! - processor;
		return figuresOf(answer, executions, used);
	};
	try {
		for (const name of SIDES) await play(name, Math.max(...size.clients), size.warmUpMs);
		for (const clients of size.clients) {
			const rounds: Array<Record<string, Figures>> = [];
			for (let round = 0; round < size.rounds; round++) {
				const figures: Record<string, Figures> = {};
				for (const name of turned(SIDES, round)) figures[name] = await play(name, clients, size.milliseconds);
				rounds.push(figures);
			}
			tell(report, [clients === 1 ? '1 client' : `${clients} clients`, size.under], rounds);
		}
	} finally {
		sender.kill();
	}
	return deliveries;
}

interface Figures {
	/** In a second. */
	deliveries: number;
	executions: number;
	/** Milliseconds to the answer. */
	p50: number;
	p99: number;
	/** Milliseconds on a processor for each delivery and its execution, where the system tells. */
	processor?: number;
}

function figuresOf(
	{ begun, seconds, took }: Round,
	{ count, lastEnd }: Executions,
	used: number | undefined,
): Figures {
	if (count !== took.length) throw new Error(`${took.length} deliveries were executed ${count} times`);
	const sorted = took.toSorted((a, b) => a - b);
	return {
		deliveries: count / seconds,
		executions: (count * 1000) / (lastEnd - begun),
		p50: sorted[Math.floor(count * 0.5)],
		p99: sorted[Math.floor(count * 0.99)],
		...(used !== undefined && { processor: used / count }),
	};
}

function tell(
	report: Report,
	where: Array<string | undefined>,
	rounds: Array<Record<string, Figures>>,
): void {
	report.group(where.join(' ').trim());
	const of = (name: string, figure: keyof Figures) => median(rounds.map((round) => round[name][figure]!));
	const ratio = (other: string, figure: keyof Figures) =>
		median(rounds.map((round) => round[OURS][figure]! / round[other][figure]!));
	const told = rounds[0][OURS].processor !== undefined;
	for (const name of SIDES) {
		report.row({
			what: name,
			figure: `${of(name, 'deliveries').toFixed(0)} deliveries/s, p50 ${of(name, 'p50').toFixed(1)} ms, p99 ${of(name, 'p99').toFixed(1)} ms; ${of(name, 'executions').toFixed(0)} executions/s${told ? `; ${of(name, 'processor').toFixed(2)} ms of processor time each` : ''}`,
		});
	}
	const plain = ratio(WEBHOOK, 'deliveries');
	report.row({
		what: 'deliveries/s, ours to Webhook',
		figure: plain.toFixed(3),
		target: '>= 0.95',
		met: plain >= 0.95,
	});
	const verifying = ratio(SLACK, 'deliveries');
	report.row({
		what: 'deliveries/s, ours to Slack Trigger',
		figure: verifying.toFixed(3),
		target: '> 1',
		met: verifying > 1,
	});
	report.row({ what: `deliveries/s, ours to ${CONTROL}`, figure: ratio(CONTROL, 'deliveries').toFixed(3) });
	for (const other of [WEBHOOK, SLACK, CONTROL]) {
		report.row({ what: `executions/s, ours to ${other}`, figure: ratio(other, 'executions').toFixed(3) });
		if (told) {
			report.row({ what: `processor time, ours to ${other}`, figure: ratio(other, 'processor').toFixed(3) });
		}
	}
}

/** The text with a `note` of such a length that the body has its bytes. */
function padded(body: (note: string) => object): string {
	// An id is a UUID.
	const length = JSON.stringify(body('')).length - '<id>'.length + 36;
	return JSON.stringify(body('x'.repeat(BODY_BYTES - length)));
}

async function publish(host: Host): Promise<Record<string, Side>> {
	const { n8n, client } = host;
	const node = await nodeMaker(client);
	const secret = randomBytes(24).toString('hex');
	const credential = async (type: string, data: Record<string, string>) => ({
		credentials: { [type]: { id: await client.saveCredential(type, type, data), name: type } },
	});
	const save = async (trigger: WorkflowNode) => {
		const end = node('End', 'n8n-nodes-base.noOp', {});
		const workflow = await client.saveWorkflow({
			name: trigger.name,
			nodes: [trigger, end],
			connections: chain([trigger.name, end.name]),
		});
		await client.publish(workflow);
		return workflow.id;
	};
	const [ours, webhook, slack, control] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
	const event = padded((note) => ({ ...SAMPLES.virtual_account_credited, id: '<id>', note }));
	const message = padded((note) => ({
		type: 'event_callback',
		event_id: '<id>',
		event: {
			type: 'message',
			channel: 'C0123456789',
			user: 'U0123456789',
			ts: '1700000000.000100',
			text: note,
		},
	}));
	const wallet = { style: 'wallet', secret, template: event } as const;
	return {
		[OURS]: {
			workflowId: await save(
				node(
					OURS,
					'n8n-nodes-wallet-service.walletServiceTrigger',
					{ events: Object.keys(SAMPLES), verification: 'credential', options: {} },
					{
						webhookId: ours,
						...(await credential(CREDENTIAL_TYPE, {
							baseUrl: 'http://127.0.0.1:9',
							apiKey: 'fake',
							webhookVerification: 'hmac',
							webhookSecret: secret,
						})),
					},
				),
			),
			order: { ...wallet, url: `${n8n.url}/webhook/${ours}/webhook` },
		},
		[WEBHOOK]: {
			workflowId: await save(
				node(
					WEBHOOK,
					'n8n-nodes-base.webhook',
					{ httpMethod: 'POST', path: webhook, responseMode: 'onReceived', options: {} },
					{ webhookId: webhook },
				),
			),
			order: { ...wallet, url: `${n8n.url}/webhook/${webhook}` },
		},
		[CONTROL]: {
			workflowId: await save(
				node(
					CONTROL,
					'n8n-nodes-base.webhook',
					{
						httpMethod: 'POST',
						path: control,
						responseMode: 'onReceived',
						authentication: 'headerAuth',
						options: { responseData: '={{ "ok" }}' },
					},
					{
						webhookId: control,
						...(await credential('httpHeaderAuth', { name: 'x-token', value: secret })),
					},
				),
			),
			order: { ...wallet, url: `${n8n.url}/webhook/${control}` },
		},
		[SLACK]: {
			workflowId: await save(
				node(
					SLACK,
					'n8n-nodes-base.slackTrigger',
					{ trigger: ['any_event'], watchWorkspace: true, options: {} },
					{
						webhookId: slack,
						...(await credential('slackApi', { accessToken: 'fake', signatureSecret: secret })),
					},
				),
			),
			order: { style: 'slack', secret, template: message, url: `${n8n.url}/webhook/${slack}/webhook` },
		},
	};
}

/** So that nobody is measured who lets everything in. */
async function checkThatTheyVerify(sides: Record<string, Side>): Promise<void> {
	for (const name of [OURS, SLACK, CONTROL]) {
		const { statusCode, body } = await request(sides[name].order.url, {
			method: 'POST',
			body: sides[name].order.template,
			headers: {
				'content-type': 'application/json',
				'x-svc-signature': 'fake',
				'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
				'x-slack-signature': 'v0=fake',
			},
		});
		await body.dump();
		if (statusCode !== 401 && statusCode !== 403)
			throw new Error(`${name} answers a wrong signature with ${statusCode}`);
	}
}
