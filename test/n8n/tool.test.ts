/**
 * The action node as a tool, with a scripted model. n8n runs the tools of AI Agent 3 like other nodes; it calls those of
 * older agents, of other nodes with a model and of MCP Server Trigger directly.
 */
import { randomUUID } from 'node:crypto';
import { attack, CHATS_AT_ONCE, PAYING_AGENT } from '../../soak/hostile/models.ts';
import { openMcp } from '../../host/doubles/mcpClient.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import type { ToolCall } from '../../host/doubles/scriptedModel.ts';
import { amountsPaid, failPayoutAfter, prepare } from '../../host/testkit/payments.ts';
import { awayFromMidnight, renewForEachTest, useModel, useStack } from './setup.ts';
import { askAgentOfN8n, langchain, runAgent, toolNode } from '../../host/testkit/agents.ts';
import type { Caller } from '../../host/testkit/agents.ts';
import { LANGCHAIN } from '../../host/testkit/workflows.ts';

const TOOL = 'Pay out';
const TOOL_ID = randomUUID();
const NO_MEMORY = 'This kind of agent gives the node no memory';

const stack = useStack('payout-by-chat');
const model = useModel();

renewForEachTest(stack);

const paid = () => amountsPaid(stack);

/** Without these, a tool pays nothing. */
const LIMITS = { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies: 'NGN' };

const OLDEST: Caller = { version: 1, kind: 'openAiFunctionsAgent' };
const AGENT: Caller = { version: 3.1, runsTool: true };
const AGENT_IN_AGENT: Caller = { version: 3.1, agentTool: 3, runsTool: true };
const OLD_AGENT_IN_AGENT: Caller = { version: 2.2, agentTool: 2.2 };

/** What else can run the tool in this n8n, in the one way or the other. */
const BETWEEN: Caller[] = [
	...[1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7].map(
		(version): Caller => ({ version, kind: 'openAiFunctionsAgent' }),
	),
	...[1.6, 1.7, 1.8, 1.9].map((version): Caller => ({ version, kind: 'toolsAgent' })),
	...[2, 2.1, 2.2, 2.3].map((version): Caller => ({ version })),
	{ version: 3, runsTool: true },
	OLD_AGENT_IN_AGENT,
	{ version: 3.1, agentTool: 2.2 },
	AGENT_IN_AGENT,
	{ type: 'openAi', version: 1.8 },
];

/** `npm run nightly` tries these, too. */
const atNight = <T>(...more: T[]): T[] => (process.env.ALL_AGENTS === undefined ? [] : more);

function nameOf({ type, version, kind, agentTool }: Caller): string {
	const inner = agentTool === undefined ? [] : [`AI Agent Tool ${agentTool} of`];
	return [...inner, type === 'openAi' ? 'OpenAI' : 'AI Agent', version, ...(kind ? [kind] : [])].join(' ');
}

const named = (...callers: Caller[]) => callers.map((caller): [string, Caller] => [nameOf(caller), caller]);

interface Setup {
	caller?: Caller;
	/** Further options, or others in place of the limits. */
	options?: Json;
	/** Other parameters of the tool. */
	parameters?: Json;
	/** The tool takes its Payment Key from the model. */
	withKey?: boolean;
	/** Settings of the tool, such as Retry On Fail. */
	settings?: Json;
	/** Input items of the agent. */
	items?: Json[];
	/** The same tool once more, by another name. */
	twin?: string;
}

const fromModel = (key: string, more = '') =>
	`={{ $fromAI('${key}', 'The ${key} of the payout', 'string'${more}) }}`;

function payOutTool({ options = {}, parameters, withKey = false, settings }: Setup): WorkflowNode {
	const payOut = {
		resource: 'fiatWallet',
		operation: 'createPayout',
		currency: 'NGN',
		amount: fromModel('amount'),
		account_alias: fromModel('alias'),
		...(withKey && { paymentKey: fromModel('key') }),
		options: { ...LIMITS, ...options },
		...parameters,
	};
	// Always the same ID, because a new node has no keys.
	return { ...toolNode(stack, TOOL, payOut, TOOL_ID), ...settings };
}

/** Runs a workflow in which the caller's model follows the script. */
async function run(name: string, script: ToolCall[][], setup: Setup = {}): Promise<void> {
	const { caller = AGENT, twin, ...rest } = setup;
	const tool = payOutTool(setup);
	const tools = [tool, ...(twin === undefined ? [] : [{ ...tool, id: randomUUID(), name: twin }])];
	model.play(script);
	await runAgent(stack, model, { ...rest, name, caller, tools });
}

/** Makes the model call the tool with these arguments, turn by turn. Returns what it reads as the results, in their order. */
async function ask(name: string, turns: unknown[][], setup: Setup = {}): Promise<string[]> {
	const calls = turns.map((inputs) => inputs.map((input) => ({ tool: TOOL, input: input as Json })));
	const isNested = setup.caller?.agentTool !== undefined;
	await run(name, isNested ? [[{ tool: 'Paying agent', input: {} }], ...calls, [], []] : calls, setup);
	return model.read(TOOL);
}

/** The `result` of each answer. */
const wordsOf = (answers: string[]) =>
	answers.map((answer) => /"result":"(\w+)"/.exec(answer)?.[1] ?? answer);

const CALL = { amount: '9', alias: 'supplier-main' };

/** Names that n8n's sources read for themselves, with values that would pay more. An expression cannot read all of them. */
const EXTRA_ARGUMENTS = [
	...[{ amount: '50' }, { query: { amount: '50' } }, ['50'], 'amount'].map(
		(query) => [true, { query }] as const,
	),
	...['toolParameters', 'hitlParameters', 'json', 'item', 'parameters', 'options'].map(
		(key) => [true, { [key]: { amount: '50', approved: true, maximumAmount: '1000' } }] as const,
	),
	...['id', 'sessionId', 'action', 'chatInput', 'toolCallId', 'resource', 'operation', 'currency'].map(
		(key) => [true, { [key]: 'USD' }] as const,
	),
	...['Amount', 'AMOUNT', '0', 'length', 'toString'].map((key) => [true, { [key]: '50' }] as const),
	...['amount ', 'parameters.amount', 'options.maximumAmount', 'аmount', 'constructor', 'prototype'].map(
		(key) => [false, { [key]: '50' }] as const,
	),
	[false, JSON.parse('{"__proto__":{"amount":"50","query":{"amount":"50"}}}') as Json],
	...[{ amount: '50' }, 'Pay_out'].map((tool) => [true, { tool }] as const),
] satisfies Array<readonly [canBeRead: boolean, more: Json]>;

/** Versions 1 and 1.1 call tools in the same way, and answer by another transport. */
const MCP_VERSIONS = [2.1, ...atNight(2)];

test('the packed package gives n8n its nodes and tools', async () => {
	const names = (await stack.client.nodeTypes()).map(({ name }) => name);
	expect(names.filter((name) => name.startsWith('n8n-nodes-wallet-service.')).toSorted()).toEqual([
		'n8n-nodes-wallet-service.walletService',
		'n8n-nodes-wallet-service.walletServiceDesk',
		'n8n-nodes-wallet-service.walletServiceDeskTool',
		'n8n-nodes-wallet-service.walletServiceTool',
		'n8n-nodes-wallet-service.walletServiceTrigger',
	]);
});

test('the callers are all versions of the agents that n8n offers', async () => {
	const types = await stack.client.nodeTypes();
	const offered = (name: string) =>
		types.filter((type) => type.name === `${LANGCHAIN}.${name}`).flatMap(({ version }) => version);
	const callers = [OLDEST, AGENT, ...BETWEEN];
	const agents = callers.filter(({ type, agentTool }) => type === undefined && agentTool === undefined);
	expect(agents.map(({ version }) => version)).toEqual(expect.arrayContaining(offered('agent')));
	expect(new Set(callers.flatMap(({ agentTool }) => agentTool ?? []))).toEqual(new Set(offered('agentTool')));
	expect([1, 1.1, 2, 2.1]).toEqual(expect.arrayContaining(offered('mcpTrigger')));
});

test.each(named(OLDEST, AGENT, ...atNight(...BETWEEN)))(
	'%s pays by key if n8n runs its tool, and pays nothing if n8n calls it directly',
	async (name, caller) => {
		const [answer] = await ask(`Kind of ${name}`, [[{ ...CALL, key: 'a' }]], { caller, withKey: true });
		expect(answer).toContain(caller.runsTool ? '"result":"paid"' : NO_MEMORY);
		expect(paid()).toEqual(caller.runsTool ? ['9'] : []);
	},
);

test('arguments that the tool does not have change no payment', async () => {
	const calls = EXTRA_ARGUMENTS.map(([, extra], index) => ({ ...CALL, amount: `${index + 1}`, ...extra }));
	const answers = await ask('Hostile', [calls]);
	const expected = EXTRA_ARGUMENTS.map(([canBeRead, extra], index) => {
		if (!canBeRead) return { result: 'paid', amount: `${index + 1}` };
		const reason =
			'tool' in extra
				? "n8n's own approval of tools cannot protect a payment: a model can change what was approved"
				: `The model has sent an argument that this tool does not have: ${Object.keys(extra)[0]}`;
		return { result: 'notSent', message: `Nothing was sent. ${reason}.` };
	});
	expect(answers.map((answer) => (JSON.parse(answer) as Json[])[0])).toMatchObject(expected);
	expect(paid().sort()).toEqual(expected.flatMap(({ amount }) => amount ?? []).sort());
});

test('arguments of another type, or none, pay nothing', async () => {
	const wrong = [
		{},
		[],
		'text',
		7,
		null,
		{ alias: CALL.alias },
		{ amount: '5' },
		...[{ query: '5' }, ['5'], 1e21, true, null, '', 'NaN', '５'].map((amount) => ({ ...CALL, amount })),
		...[{ value: CALL.alias }, [CALL.alias], 7, null, 'SUPPLIER MAIN', 'supplіer-main'].map((alias) => ({
			...CALL,
			alias,
		})),
	];
	expect(wordsOf(await ask('Agent sends other types', [wrong]))).toEqual(wrong.map(() => 'notSent'));
	expect(paid()).toEqual([]);
});

test('the model cannot put its values in place of what the workflow gives, and reserved names in an item keep no tool from paying', async () => {
	// Such as the item of a webhook.
	const items = [
		{ total: '7', query: { alias: 'treasury' }, body: {}, chatInput: 'Pay', toolParameters: {} },
	];
	const setup = { items, parameters: { amount: '={{ $json.total }}' } };
	const alias = 'supplier-main';
	const answers = await ask('Agent has an item', [[{ alias, total: '50' }], [{ alias }]], setup);
	expect(wordsOf(answers)).toEqual(['notSent', 'paid']);
	expect(paid()).toEqual(['7']);
});

test.each<[version: string, caller: Caller, amounts: string[]]>([
	['3', AGENT_IN_AGENT, ['1', '2']],
	...atNight<[string, Caller, string[]]>(['2.2', OLD_AGENT_IN_AGENT, []]),
])(
	'AI Agent Tool %s that is called twice at the same time pays what each call says, or nothing',
	async (_, caller, amounts) => {
		const payer = { tool: 'Paying agent', input: {} };
		const calls = ['1', '2'].map((amount) => [{ tool: TOOL, input: { ...CALL, amount } }]);
		await run('Agent is called twice', [[payer, payer], ...calls, [], [], []], { caller });
		expect(paid().sort()).toEqual(amounts);
	},
);

test('each tool call of an agent is its own payout with every digit, in the same turn or the next', async () => {
	const same = { ...CALL, amount: '8.123456789012345678' };
	const answers = await ask('Agent repeats itself', [[same], [same, same]]);
	expect(new Set(answers).size).toBe(3);
	for (const answer of answers) expect(answer).toContain(`"amount":"${same.amount}"`);
	expect(paid()).toEqual([same.amount, same.amount, same.amount]);
});

test.each(named(AGENT, ...atNight(AGENT_IN_AGENT)))(
	'calls with the same key by %s pay once, in the same turn, the next, and the next execution',
	async (name, caller) => {
		const [one, two] = ['a', 'b'].map((key) => ({ ...CALL, key }));
		const turns = [[one], [one, two, two], [two]];
		const repeat = async () => wordsOf(await ask(`Keys of ${name}`, turns, { caller, withKey: true }));
		// The calls of one turn are made at once.
		const [first, ...others] = await repeat();
		expect([first, ...others.sort()]).toEqual(['paid', 'alreadyPaid', 'alreadyPaid', 'alreadyPaid', 'paid']);
		expect(new Set(await repeat())).toEqual(new Set(['alreadyPaid']));
		expect(paid()).toEqual(['9', '9']);
	},
);

test('two tools of one agent share keys and Maximum Payments per Day', async () => {
	await awayFromMidnight();
	const calls = ['a', 'b', 'a', 'c'].map((key) => ({ ...CALL, key }));
	const [one, two, three, four] = calls.map((input, index) => [{ tool: index % 2 ? 'Second' : TOOL, input }]);
	const setup = { withKey: true, twin: 'Second', options: { maximumPerDay: '2' } };
	await run('Agent has two tools', [one!, two!, [{ ...three![0]!, tool: 'Second' }], four!], setup);
	expect(wordsOf(model.read(TOOL))).toEqual(['paid']);
	expect(wordsOf(model.read('Second'))).toEqual(['paid', 'alreadyPaid', 'notSent']);
	expect(paid()).toEqual(['9', '9']);
});

test("Retry On Fail of an agent's tool does not send an unknown payout again", async () => {
	await failPayoutAfter(stack, 0, { dropAfter: true });
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	expect(wordsOf(await ask('Agent without answer', [[CALL]], { settings }))).toEqual(['unknown']);
	expect(paid()).toEqual(['9']);
});

test('each call of an agent with several input items pays once and gets an answer', async () => {
	const calls = ['1', '2', '3'].map((amount) => [{ ...CALL, amount }]);
	const answers = await ask('Agent with items', calls, { items: [{}, {}, {}] });
	expect(wordsOf(answers)).toEqual(['paid', 'paid', 'paid']);
	expect(paid().sort()).toEqual(['1', '2', '3']);
});

test('an agent that n8n runs outside of a workflow pays nothing, because n8n keeps no memory for its calls', async () => {
	type Settings = { activeModules: string[]; versionCli: string };
	const { activeModules, versionCli } = await stack.client.rest<Settings>('GET', '/settings');
	if (versionCli.startsWith('2.35.')) return expect(activeModules).not.toContain('agents');
	const { name, type: nodeType, typeVersion, parameters, credentials } = payOutTool({});
	const tool = { nodeType, nodeTypeVersion: typeVersion, nodeParameters: parameters, credentials };
	model.play([[{ tool: TOOL, input: CALL }]]);
	await askAgentOfN8n(stack, model, 'Payer', { type: 'node', name, node: tool });
	expect(model.read(TOOL)).toEqual([expect.stringContaining(NO_MEMORY)]);
	expect(paid()).toEqual([]);
});

test.each(MCP_VERSIONS)(
	'a tool of MCP Server Trigger %d pays nothing, because no limit could be kept, and says what to use',
	async (version) => {
		const path = randomUUID();
		const server = langchain('Server', 'mcpTrigger', version, { authentication: 'none', path });
		const workflow = await stack.client.saveWorkflow({
			name: `MCP ${version}`,
			nodes: [{ ...server, webhookId: path }, payOutTool({})],
			connections: { [TOOL]: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
		});
		await stack.client.publish(workflow);
		const { call, list } = await openMcp(`${stack.n8n.webhooks}/mcp/${path}`);
		expect(await list()).toContain('Without a Payment Key, each run pays again.');
		for (const more of [{}, { key: 'a' }, { query: { amount: '50' } }])
			expect(await call(TOOL, { ...CALL, ...more })).toContain(NO_MEMORY);
		expect(paid()).toEqual([]);
	},
);

test('hostile models pay nothing but what the author allows, each key once (a smaller form of the soak)', async () => {
	await prepare(stack.sandbox);
	expect((await attack(stack, [PAYING_AGENT], CHATS_AT_ONCE)).misses).toEqual([]);
});
