/**
 * Hostile models talk to the shipped agents in the real n8n: any tool, any arguments, any order, calls at the same time, ten chats
 * at once, and a service with faults. Where a person decides, the mails are read and answered with yes or no. What the service has
 * paid is judged by its own records.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { compare } from '../../api/exact/decimal.ts';
import { startModel, type Model, type ToolCall } from '../../host/doubles/scriptedModel.ts';
import { until, type Json } from '../../host/n8n/client.ts';
import { startTemporaryStack, type Stack } from '../../host/stack.ts';
import { requestsADay, saveAgent, startChat } from '../../host/testkit/agents.ts';
import { answer, browse, questionsIn, untilAsked, YES } from '../../host/testkit/approvals.ts';
import { paymentsOn, type ShownPayment } from '../../host/testkit/approvalPage.ts';
import { countUnderWay } from '../../host/testkit/database.ts';
import { tally } from '../../host/testkit/lists.ts';
import { payoutsMade, ROUTE } from '../../host/testkit/payments.ts';
import { SEED } from '../../host/testkit/random.ts';
import { withStack } from '../../host/testkit/stacks.ts';
import { calls, publishCopy, withParameters, type Changes } from '../../host/testkit/workflows.ts';
import { inTurn, judged, type PaymentFigures, type Soak } from '../shared/figures.ts';
import type { Payout } from '../../sandbox/ledger/records.ts';
import { BANK_DECIMALS, belongs, conversations, keyOf, MANY_KEYS, type Payer } from './calls.ts';

/** A shipped agent that pays, or asks a person. */
interface Agent extends Payer {
	/** The example's file name, and that of the part that its tool calls. */
	file: string;
	part: string;
	maximumAmount: string;
	/** Where it may pay to, with the currency. */
	allowed: string[];
	/** The part of the conversations that it has. */
	share: number;
	/**
	 * Answers as the persons who are asked. Returns the payments that they saw and said yes to. Without it, the agent pays without a
	 * person, and its payments can have a limit for a day.
	 */
	answer?: (stack: Stack, chat: number) => Promise<Payment[]>;
}

type Payment = Pick<Payout, 'amount' | 'code' | 'destination'>;

/** The limits of *pay once*: for rows that a person approves, and for those of an agent. */
const LIMITS = { maximumAmount: '500000', ofAgent: '50000' };

/** It pays without a person. */
export const PAYING_AGENT: Agent = {
	file: 'payout-by-chat',
	part: 'payout-of-agent',
	tool: 'Pay out',
	names: { key: 'invoice', amount: 'amount', destination: 'destination' },
	amounts: MANY_KEYS,
	series: 'A',
	maximumAmount: LIMITS.ofAgent,
	allowed: ['NGN supplier-main', 'NGN supplier-new'],
	share: 1,
};

const AGENTS: Agent[] = [
	PAYING_AGENT,
	{
		file: 'agent-asks-for-payouts',
		part: 'request-of-agent',
		tool: 'Ask for a payout',
		names: {
			key: 'invoice',
			amount: 'amount',
			destination: 'destination',
			currency: 'currency',
			note: 'note',
		},
		amounts: BANK_DECIMALS,
		series: 'B',
		maximumAmount: LIMITS.maximumAmount,
		allowed: ['NGN supplier-main', 'NGN supplier-new', 'USD supplier-usd'],
		// Each payment takes a mail, a page and five executions, and there are 90 keys.
		share: 1 / 5,
		answer: answerMails,
	},
];

const FULL = 200;
const SHORT = 20;
export const CHATS_AT_ONCE = 10;
/** The last chats are with a copy of the agent that has this many payments a day. The others have more than they try. */
const MAXIMUM_PER_DAY = 5;
const MANY_PER_DAY = 100_000;
/** Keys are used again by other chats. */
const KEYS_PER_CHAT = 2;

const FAULTS: Json[] = [
	{ dropBefore: true },
	{ dropAfter: true },
	{ malformed: true },
	{ delayMs: 300 },
	{ status: 422 },
	{ status: 503 },
	{ status: 500, acted: true },
];

export const hostileModels: Soak = async ({ short }) =>
	await withStack(
		() => startTemporaryStack({ examples: AGENTS.map(({ file }) => file) }),
		(stack) => attack(stack, AGENTS, short ? SHORT : FULL),
	);

/** Has so many conversations with each of these agents, or its share of them. */
export async function attack(stack: Stack, agents: Agent[], chats: number) {
	return await inTurn(agents, (agent) =>
		attackAgent(stack, agent, Math.max(CHATS_AT_ONCE, chats * agent.share)),
	);
}

async function attackAgent(stack: Stack, agent: Agent, chats: number): Promise<PaymentFigures> {
	const model = await startModel();
	try {
		const [firstKey, keys] = [1, chats * KEYS_PER_CHAT];
		const scripts = (from: number, numRuns: number) =>
			fc.sample(conversations(agent, from, keys), { seed: SEED + from, numRuns });
		const limited = agent.answer ? 0 : Math.max(CHATS_AT_ONCE, Math.floor(chats / 5));
		const before = payoutsMade(stack).length;
		const saidYes = await talk(stack, agent, model, scripts(firstKey, chats - limited), MANY_PER_DAY);
		const free = payoutsMade(stack).length;
		// A copy of *pay once* has keys of its own.
		if (limited > 0) await talk(stack, agent, model, scripts(firstKey + keys, limited), MAXIMUM_PER_DAY);
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
		const what = `${chats} hostile conversations with ${agent.file}`;
		const more = `the model read ${tally(model.read(agent.tool).map(wordOf))}`;
		return judged({ what, paid: payouts.length, paidTwice: twice.length, more }, wrong);
	} finally {
		await model.stop();
	}
}

/**
 * Saves a copy of the agent with the scripted model. One that pays without a person calls a copy of *pay once* with so many payments a
 * day; another one may ask as often as it wants. Has the conversations, some at once.
 */
async function talk(
	stack: Stack,
	agent: Agent,
	model: Model,
	scripts: ToolCall[][][],
	maximumPerDay: number,
): Promise<Payment[]> {
	const { client, control } = stack;
	const name = `${agent.file} ${randomUUID()}`;
	const options =
		(more: Json) =>
		({ parameters }: { parameters: Json }) => ({
			parameters: { ...parameters, options: { ...(parameters.options as Json), ...more } },
		});
	const changesOfPart: Changes = requestsADay(MANY_PER_DAY);
	if (agent.answer === undefined) {
		const limited = await publishCopy(stack, 'pay-once', `pay once for ${name}`, {
			'Pay for an agent': options({ maximumPerDay }),
		});
		changesOfPart['Pay once'] = withParameters(calls(limited));
	}
	const part = await publishCopy(stack, agent.part, `${agent.part} of ${name}`, changesOfPart);
	const changes: Changes = { [agent.tool]: withParameters(calls(part)) };
	const workflow = await saveAgent(stack, model, stack.example(agent.file), name, changes);
	const yes: Payment[] = [];
	for (let chat = 0; chat < scripts.length; chat += CHATS_AT_ONCE) {
		const fault = FAULTS[(chat / CHATS_AT_ONCE) % FAULTS.length]!;
		await control('POST', '/faults', { route: ROUTE, skip: chat % 3, times: 2, ...fault });
		const executions = await Promise.all(
			scripts
				.slice(chat, chat + CHATS_AT_ONCE)
				.map((script, index) => startChat(stack, workflow, JSON.stringify(script), `${chat + index}`)),
		);
		for (const execution of executions) await client.ended(execution);
		yes.push(...((await agent.answer?.(stack, chat)) ?? []));
	}
	return yes;
}

/** Reads each mail that asks, answers all at the same time, and the next ones, until nobody is asked. Only a known key may get a yes. */
async function answerMails(stack: Stack, chat: number): Promise<Payment[]> {
	const yes: Payment[] = [];
	for (;;) {
		await until('all executions to rest', () => countUnderWay(stack) === 0);
		const questions = questionsIn(stack).filter(({ subject }) => subject.startsWith('Approve'));
		stack.mailbox.mails.splice(0);
		if (questions.length === 0) return yes;
		questions.sort((a, b) => a.subject.localeCompare(b.subject));
		const choices = fc.sample(fc.boolean(), { seed: SEED + chat, numRuns: questions.length });
		const answers = questions.map(async (question, index) => {
			await untilAsked(question.link);
			const shown = paymentsOn((await browse(question.link)).page);
			const isKnown = ({ amount, key }: ShownPayment) => belongs(amount, key, BANK_DECIMALS);
			const isYes = choices[index] === true && shown.length > 0 && shown.every(isKnown);
			await answer(question, isYes ? YES : 'No');
			return isYes ? shown : [];
		});
		yes.push(...(await Promise.all(answers)).flat());
	}
}

/** The `result` in what a model reads. */
function wordOf(answer: string): string {
	return /"result\\?":\s*\\?"(\w+)/.exec(answer)?.[1] ?? answer.slice(0, 80);
}
