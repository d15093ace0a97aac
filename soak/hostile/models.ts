/**
 * Hostile models talk to the shipped agents in the real n8n: any tool, any arguments, any order, calls at the same time, ten chats
 * at once, and a service with faults. Where a person decides, the mails are read and answered with yes or no. What the service has
 * paid is judged by its own records.
 */
import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { compare } from '../../api/decimal.ts';
import { startModel, type Model, type ToolCall } from '../../host/doubles/scriptedModel.ts';
import { until, type Json } from '../../host/n8n/client.ts';
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import { saveAgent, startChat } from '../../host/testkit/agents.ts';
import { answer, questionsIn, untilPage, YES } from '../../host/testkit/approvals.ts';
import { tally } from '../../host/testkit/lists.ts';
import { payoutsMade, ROUTE } from '../../host/testkit/payments.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { withParameters } from '../../host/testkit/workflows.ts';
import { inTurn, judged, type PaymentFigures, type Soak } from '../shared/figures.ts';
import type { Payout } from '../../sandbox/records.ts';
import { belongs, conversations, keyOf, type ArgumentNames } from './calls.ts';

/** A shipped agent that pays. */
interface Agent {
	/** The example's file name. */
	file: string;
	/** The name of its tool that pays. */
	payer: string;
	names: ArgumentNames;
	maximumAmount: string;
	/** Where it may pay to, with the currency. */
	allowed: string[];
	/** The part of the conversations that it has. */
	share: number;
	/**
	 * Answers as the person who is asked, so many times as the model was told. Returns the payments that the person saw and said yes to.
	 * Without it, the agent pays without a person, and its node takes Maximum Payments per Day.
	 */
	answer?: (stack: Stack, asked: number, seed: number) => Promise<Payment[]>;
}

type Payment = Pick<Payout, 'amount' | 'code' | 'destination'>;

/** It pays without a person. */
export const PAYING_AGENT: Agent = {
	file: 'payout-by-chat',
	payer: 'Pay out',
	names: { key: 'invoice', amount: 'amount', destination: 'account_alias' },
	maximumAmount: '50000',
	allowed: ['NGN supplier-main'],
	share: 1,
};

const AGENTS: Agent[] = [
	PAYING_AGENT,
	{
		file: 'agent-payout-with-approval',
		payer: 'Ask for a payout',
		names: { key: 'invoice', amount: 'amount', destination: 'account_alias', currency: 'currency' },
		maximumAmount: '500000',
		allowed: ['NGN supplier-main', 'USD supplier-usd'],
		// Each payment takes a mail, a page and five executions.
		share: 1 / 4,
		answer: answerMails,
	},
];

const FULL = 200;
const SHORT = 20;
export const CHATS_AT_ONCE = 10;
/** The last chats are with a copy of the agent that has this many payments a day. */
const MAXIMUM_PER_DAY = 5;
/** Keys are used again by other chats. */
const KEYS_PER_CHAT = 2;

const FAULTS: Json[] = [
	...[{ dropBefore: true }, { dropAfter: true }, { malformed: true }, { delayMs: 300 }],
	...[{ status: 422 }, { status: 503 }, { status: 500, acted: true }],
];

export const hostileModels: Soak = async ({ short, seed }) =>
	await withStack(startTemporaryStack, (stack) => attack(stack, AGENTS, short ? SHORT : FULL, seed));

/** Has so many conversations with each of these agents, or its share of them. */
export async function attack(stack: Stack, agents: Agent[], chats: number, seed = randomInt(2 ** 31)) {
	return await inTurn(agents, (agent) =>
		attackAgent(stack, agent, Math.max(CHATS_AT_ONCE, chats * agent.share), seed),
	);
}

async function attackAgent(stack: Stack, agent: Agent, chats: number, seed: number): Promise<PaymentFigures> {
	// The agents have one book, and each has keys of its own.
	const firstKey = 1 + AGENTS.indexOf(agent) * 10_000;
	const model = await startModel();
	try {
		const keys = chats * KEYS_PER_CHAT;
		const scripts = (from: number, numRuns: number) =>
			fc.sample(conversations(agent.names, agent.payer, from, keys), { seed: seed + from, numRuns });
		const limited = agent.answer ? 0 : Math.max(CHATS_AT_ONCE, Math.floor(chats / 5));
		const before = payoutsMade(stack).length;
		const saidYes = await talk(stack, agent, model, scripts(firstKey, chats - limited), {}, seed);
		const free = payoutsMade(stack).length;
		// A copy of the workflow has keys of its own.
		const perDay = { maximumPerDay: String(MAXIMUM_PER_DAY) };
		if (limited > 0) await talk(stack, agent, model, scripts(firstKey + keys, limited), perDay, seed);
		const all = payoutsMade(stack);
		stack.sandbox.service.faults.clear();

		const payouts = all.slice(before);
		const isAllowed = ({ code, destination }: Payout) => agent.allowed.includes(`${code} ${destination}`);
		const perKey = Map.groupBy(payouts, ({ amount }) => keyOf(amount));
		const twice = [...perKey.values()].filter((payments) => payments.length > 1);
		const hasYes = ({ amount }: Payment) => saidYes.some((said) => said.amount === amount);
		const words = ({ amount, code, destination }: Payment) => `${amount} ${code} to ${destination}`;
		const asShown = (paid: Payment) => saidYes.some((said) => words(said) === words(paid));
		const count = (matches: (payout: Payout) => boolean) => payouts.filter(matches).length;
		const wrong = {
			'paid other than allowed': count((paid) => !isAllowed(paid)),
			'above Maximum Amount': count(({ amount }) => compare(amount, agent.maximumAmount) > 0),
			'above Maximum Payments per Day': limited > 0 ? Math.max(0, all.length - free - MAXIMUM_PER_DAY) : 0,
			'twice under one key': twice.length,
			'without a yes': agent.answer ? count((paid) => !hasYes(paid)) : 0,
			'paid other than shown': agent.answer ? count((paid) => hasYes(paid) && !asShown(paid)) : 0,
			// Otherwise nothing was tested.
			'chats in which nothing at all is paid': payouts.length === 0 ? chats : 0,
		};
		const what = `${chats} hostile conversations with ${agent.file} (seed ${seed})`;
		const more = `the model read ${tally(model.read(agent.payer).map(wordOf))}`;
		return judged({ what, paid: payouts.length, paidTwice: twice.length, more }, wrong);
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
	const example = stack.example(agent.file);
	const workflow = await saveAgent(stack, model, example, `${agent.file} ${randomUUID()}`, {
		[agent.payer]: (node) =>
			withParameters({ options: { ...(node.parameters.options as Json), ...options } })(node),
	});
	const asked = () => model.read(agent.payer).filter((text) => wordOf(text) === 'asked').length;
	const yes: Payment[] = [];
	for (let chat = 0; chat < scripts.length; chat += CHATS_AT_ONCE) {
		const fault = FAULTS[(chat / CHATS_AT_ONCE) % FAULTS.length]!;
		await control('POST', '/faults', { route: ROUTE, skip: chat % 3, times: 2, ...fault });
		const before = asked();
		const executions = await Promise.all(
			scripts
				.slice(chat, chat + CHATS_AT_ONCE)
				.map((script, index) => startChat(stack, workflow, JSON.stringify(script), `${chat + index}`)),
		);
		for (const execution of executions) await client.ended(execution);
		yes.push(...((await agent.answer?.(stack, asked() - before, seed + chat)) ?? []));
	}
	return yes;
}

/** Reads each mail of *payout with approval*. Answers all at the same time; only a known key may get a yes. */
async function answerMails({ mailbox }: Stack, asked: number, seed: number): Promise<Payment[]> {
	const questions = await until(`${asked} questions`, () => {
		const found = questionsIn(mailbox.mails);
		return found.length >= asked ? found : undefined;
	});
	mailbox.mails.splice(0);
	questions.sort((a, b) => a.subject.localeCompare(b.subject));
	const choices = fc.sample(fc.boolean(), { seed, numRuns: questions.length });
	const answers = questions.map(async (question, index) => {
		const shown = /^Pay: (\S+) (\S+) to (.+)\n[^]*- Payment key: “(.+)”$/m.exec(question.lines.join('\n'));
		const [, separated = '', code = '', destination = '', key = ''] = shown ?? [];
		const amount = separated.replaceAll(',', '');
		const isYes = choices[index] === true && belongs(amount, key);
		await untilPage(question.link, 'form-waiting');
		await answer(question, isYes ? YES : 'No');
		return isYes ? [{ amount, code, destination }] : [];
	});
	return (await Promise.all(answers)).flat();
}

/** The `result` in what a model reads. */
function wordOf(answer: string): string {
	return /"result\\?":\s*\\?"(\w+)/.exec(answer)?.[1] ?? answer.slice(0, 80);
}
