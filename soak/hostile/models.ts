/**
 * Hostile models talk to the shipped agents in the real n8n: any tool, any arguments, any order, calls at the same time, ten chats
 * at once, a service with faults, and an MCP client. Where a person decides, the mails are read and answered with yes or no. What the
 * service has paid is judged by its own records.
 */
import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { compare } from '../../api/decimal.ts';
import { answer, questionsIn, untilPage, YES } from '../../host/doubles/approver.ts';
import { openMcp } from '../../host/doubles/mcpClient.ts';
import { startModel } from '../../host/doubles/scriptedModel.ts';
import type { Model, ToolCall } from '../../host/doubles/scriptedModel.ts';
import { until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import type { Stack } from '../../host/stack.ts';
import type { PaymentFigures } from '../shared/figures.ts';
import { ROUTE, withStack } from '../../bench/shared/payments/payer.ts';
import type { Payout } from '../../sandbox/records.ts';
import { belongs, conversations, keyOf } from './calls.ts';
import type { ArgumentNames } from './calls.ts';
import { entryOf, groupBy, tally } from '../../bench/shared/lists.ts';

/** A shipped agent that pays. */
interface Agent {
	/** The example's file name. */
	file: string;
	/** Node names. */
	trigger: string;
	payer: string;
	names: ArgumentNames;
	maximumAmount: string;
	/** Where it may pay to, with the currency. */
	allowed: string[];
	/** The part of the conversations that it has. */
	share: number;
	/** Whether the node that pays takes Maximum per Day. */
	takesPerDay: boolean;
	/**
	 * Answers as the person who is asked, so many times as the model was told. Returns the payments that the person saw and said yes to.
	 * Without it, the agent pays without a person.
	 */
	answer?: (stack: Stack, asked: number, seed: number) => Promise<Payment[]>;
}

type Payment = Pick<Payout, 'amount' | 'code' | 'destination'>;

const AGENTS: Agent[] = [
	{
		file: 'payout-by-chat',
		trigger: 'When chat message received',
		payer: 'Pay out',
		names: { key: 'invoice', amount: 'amount', destination: 'account_alias' },
		maximumAmount: '50000',
		allowed: ['NGN supplier-main'],
		share: 1,
		takesPerDay: true,
	},
	{
		file: 'agent-payout-with-approval',
		trigger: 'When chat message received',
		payer: 'Ask for a payout',
		names: { key: 'invoice', amount: 'amount', destination: 'account_alias', currency: 'currency' },
		maximumAmount: '500000',
		allowed: ['NGN supplier-main', 'USD supplier-usd'],
		// Each payment takes a mail, a page and five executions.
		share: 1 / 4,
		takesPerDay: false,
		answer: answerMails,
	},
];

const FULL = 200;
export const SHORT = 20;
const CHATS_AT_ONCE = 10;
/** The last chats are with a copy of the agent that has this many payments a day. */
const MAXIMUM_PER_DAY = 5;
/** Keys are used again by other chats. */
const KEYS_PER_CHAT = 2;

const FAULTS: Json[] = [
	{ dropBefore: true },
	{ dropAfter: true },
	{ status: 422 },
	{ status: 503 },
	{ status: 500, acted: true },
	{ malformed: true },
	{ delayMs: 300 },
];

export async function run({ short }: { short: boolean }): Promise<PaymentFigures> {
	return await withStack(async (stack) => await attack(stack, short ? SHORT : FULL));
}

/** Has so many conversations with each agent, or its share of them. */
export async function attack(stack: Stack, chats: number): Promise<PaymentFigures> {
	const seed = randomInt(2 ** 31);
	process.stdout.write(`Hostile models: seed ${seed}\n`);
	const figures: PaymentFigures = { lines: [], misses: [] };
	for (const agent of AGENTS) {
		const { lines, misses } = await attackAgent(
			stack,
			agent,
			Math.max(CHATS_AT_ONCE, chats * agent.share),
			seed,
		);
		figures.lines.push(...lines);
		figures.misses.push(...misses.map((miss) => `${miss} (seed ${seed})`));
	}
	return figures;
}

async function attackAgent(stack: Stack, agent: Agent, chats: number, seed: number): Promise<PaymentFigures> {
	const model = await startModel();
	try {
		const made = async () => ((await stack.control('GET', '/state')) as { payouts: Payout[] }).payouts;
		const before = (await made()).length;
		const keys = chats * KEYS_PER_CHAT;
		const calls = (from: number, numRuns: number) =>
			fc.sample(conversations(agent.names, agent.payer, { from, count: keys }), {
				seed: seed + from,
				numRuns,
			});
		const limited = agent.takesPerDay ? Math.max(CHATS_AT_ONCE, Math.floor(chats / 5)) : 0;
		const callers = Math.max(1, Math.floor(chats / 5));
		const yes = await talk(stack, agent, model, calls(1, chats - limited), {}, seed);
		const free = (await made()).length;
		const perDay = agent.takesPerDay ? { maximumPerDay: String(MAXIMUM_PER_DAY) } : {};
		// A copy of the workflow has keys of its own.
		yes.push(...(await talk(stack, agent, model, calls(1 + keys, limited), perDay, seed)));
		const byChat = (await made()).length;
		yes.push(...(await talkByMcp(stack, agent, calls(1 + 2 * keys, callers).flat(2), seed)));
		stack.sandbox.service.faults.clear();
		const all = await made();
		const payouts = all.slice(before);
		const elsewhere = payouts.filter(
			({ code, destination }) => !agent.allowed.includes(`${code} ${destination}`),
		);
		const above = payouts.filter(({ amount }) => compare(amount, agent.maximumAmount) > 0);
		const perKey = groupBy(payouts, ({ amount }) => keyOf(amount));
		const twice = [...perKey.values()].filter((payments) => payments.length > 1);
		const hasYes = ({ amount }: Payment) => yes.some((said) => said.amount === amount);
		const asShown = (paid: Payment) => yes.some((said) => words(said) === words(paid));
		const withoutYes = agent.answer ? payouts.filter((paid) => !hasYes(paid)) : [];
		const otherThanShown = agent.answer ? payouts.filter((paid) => hasYes(paid) && !asShown(paid)) : [];
		const byMcp = all.slice(byChat).filter((paid) => !asShown(paid));
		const wrong: Array<[string, number]> = [
			['paid other than allowed', elsewhere.length],
			['above Maximum Amount', above.length],
			['above Maximum per Day', agent.takesPerDay ? Math.max(0, byChat - free - MAXIMUM_PER_DAY) : 0],
			['twice under one key', twice.length],
			['without a yes', withoutYes.length],
			['paid other than shown', otherThanShown.length],
			['paid by MCP', byMcp.length],
			// Otherwise nothing was tested.
			['chats in which nothing at all is paid', payouts.length === 0 ? chats : 0],
		];
		return {
			lines: [
				{
					what: `${chats} hostile conversations with ${agent.file}`,
					paid: payouts.length,
					paidTwice: twice.length,
					more: [
						...wrong.map(([what, count]) => `${what} ${count}`),
						`the model read ${tally(model.read(agent.payer).map(wordOf))}`,
					].join(', '),
				},
			],
			misses: wrong
				.filter(([, count]) => count > 0)
				.map(([what, count]) => `${agent.file}: ${count} ${what}`),
		};
	} finally {
		await model.stop();
	}
}

/** Saves a copy of the agent with the scripted model and further options of its limits. Has the conversations, some at once. */
async function talk(
	stack: Stack,
	agent: Agent,
	model: Model,
	scripts: ToolCall[][][],
	options: Json,
	seed: number,
): Promise<Payment[]> {
	const { client, control } = stack;
	const id = await client.saveCredential('openAiApi', 'Script', { apiKey: 'fake', url: model.url });
	const example = exampleOf(stack, agent);
	const workflow = await client.saveWorkflow({
		...example,
		name: `${agent.file} ${randomUUID()}`,
		nodes: example.nodes.map((node) =>
			node.name === 'Model'
				? { ...node, credentials: { openAiApi: { id, name: 'Script' } } }
				: withOptions(node, node.name === agent.payer ? options : {}),
		),
	});
	const asked = () => countAsked(model.read(agent.payer));
	const yes: Payment[] = [];
	for (let chat = 0; chat < scripts.length; chat += CHATS_AT_ONCE) {
		const fault = FAULTS[(chat / CHATS_AT_ONCE) % FAULTS.length]!;
		await control('POST', '/faults', { route: ROUTE, skip: chat % 3, times: 2, ...fault });
		const before = asked();
		const executions = await Promise.all(
			scripts.slice(chat, chat + CHATS_AT_ONCE).map(async (script, index) => {
				const message = {
					sessionId: `${chat + index}`,
					action: 'sendMessage',
					chatInput: JSON.stringify(script),
				};
				return await client.startByHand(workflow.id, agent.trigger, [message]);
			}),
		);
		for (const execution of executions) await client.ended(execution);
		yes.push(...((await agent.answer?.(stack, asked() - before, seed + chat)) ?? []));
	}
	return yes;
}

/** Calls the tool that pays through MCP Server Trigger. */
async function talkByMcp(stack: Stack, agent: Agent, calls: ToolCall[], seed: number): Promise<Payment[]> {
	const node = exampleOf(stack, agent).nodes.find(({ name }) => name === agent.payer)!;
	// Without a chat, the tool would fail before it asks.
	const session = `$('${agent.trigger}').first().json.sessionId`;
	const payer = JSON.parse(JSON.stringify(node).replaceAll(session, '$execution.id')) as WorkflowNode;
	const path = randomUUID();
	const server: WorkflowNode = {
		name: 'Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: { authentication: 'none', path },
		webhookId: path,
	};
	const workflow = await stack.client.saveWorkflow({
		name: `${agent.file} by MCP`,
		nodes: [server, payer],
		connections: { [payer.name]: { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] } },
	});
	await stack.client.publish(workflow);
	const mcp = await openMcp(`${stack.n8n.webhooks}/mcp/${path}`);
	const told: string[] = [];
	for (const { input } of calls) told.push(await mcp.call(payer.name, input));
	return (await agent.answer?.(stack, countAsked(told), seed)) ?? [];
}

/** Reads each mail of *payout with approval*. Answers all at the same time; only a known key may get a yes. */
async function answerMails({ mailbox }: Stack, asked: number, seed: number): Promise<Payment[]> {
	const questions = await until(`${asked} questions`, () => {
		const found = questionsIn(mailbox.mails);
		return found.length >= asked ? found : undefined;
	});
	mailbox.mails.splice(0);
	const choices = fc.sample(fc.boolean(), { seed, numRuns: questions.length });
	const sorted = questions.toSorted((a, b) => a.subject.localeCompare(b.subject));
	const answers = sorted.map(async (question, index) => {
		const shown = /^Pay: (\S+) (\S+) to (.+)\nPayment key: (.+)$/m.exec(question.lines.join('\n'));
		const [, amount = '', code = '', destination = '', key = ''] = shown ?? [];
		const isYes = choices[index] === true && belongs(amount, key);
		await untilPage(question.link, 'form-waiting');
		await answer(question, isYes ? YES : 'No');
		return isYes ? [{ amount, code, destination }] : [];
	});
	return (await Promise.all(answers)).flat();
}

function words({ amount, code, destination }: Payment): string {
	return `${amount} ${code} to ${destination}`;
}

function countAsked(told: string[]): number {
	return told.filter((text) => wordOf(text) === 'asked').length;
}

function exampleOf({ examples }: Stack, { file }: Agent): StoredWorkflow {
	return entryOf(Object.fromEntries(examples.all), file);
}

function withOptions(node: WorkflowNode, options: Json): WorkflowNode {
	const { parameters } = node;
	return { ...node, parameters: { ...parameters, options: { ...(parameters.options as Json), ...options } } };
}

/** The `result` in what a model or an MCP client reads. */
function wordOf(answer: string): string {
	return /"result\\?":\s*\\?"(\w+)/.exec(answer)?.[1] ?? answer.slice(0, 80);
}
