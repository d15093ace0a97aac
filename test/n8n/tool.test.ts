/**
 * The action node as a tool, with a scripted model. n8n runs the tools of AI Agent 3 like other nodes; it calls those of
 * older agents and of MCP Server Trigger directly.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { itemsOf } from '../../host/n8nClient.ts';
import type { Execution, Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { ToolCall } from '../../host/model.ts';
import { amountsPaid, failPayoutAfter } from './payoutLists.ts';
import { useModel, useStack } from './setup.ts';
import { connect, node } from './workflowNodes.ts';

jest.setTimeout(180_000);

const TOOL = 'Pay out';
const TOOL_ID = randomUUID();
const KEYS_DO_NOT_WORK = "'Payment Key' does not work where n8n calls this tool directly";

const stack = useStack();
const model = useModel();

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
});

beforeEach(async () => await stack.control('POST', '/reset'));

const paid = () => amountsPaid(stack);

/** Without these, a tool pays nothing. */
const LIMITS = { maximumAmount: '100', allowedAliases: 'supplier-main', allowedCurrencies: 'NGN' };

interface Setup {
	/** Further options, or others in place of the limits. */
	options?: Json;
	/** The tool takes its Payment Key from the model. */
	withKey?: boolean;
	/** Settings of the tool, such as Retry On Fail. */
	settings?: Json;
	agentVersion?: number;
	/** Input items of the agent. */
	items?: number;
	/** Whether the agent has an agent as its tool, which has the tool that pays. */
	nested?: boolean;
}

const langchain = (name: string, type: string, typeVersion: number, parameters: Json): WorkflowNode => ({
	...node(name, '', typeVersion, parameters),
	type: `@n8n/n8n-nodes-langchain.${type}`,
});

function payOutTool({ options = {}, withKey = false, settings }: Setup): WorkflowNode {
	const fromModel = (key: string) => `={{ $fromAI('${key}', 'The ${key} of the payout', 'string') }}`;
	return {
		// n8n gives a node without an ID a new one each time it is saved, and a new node has no keys.
		id: TOOL_ID,
		name: TOOL,
		type: 'n8n-nodes-wallet-service.walletServiceTool',
		typeVersion: 1,
		position: [300, 200],
		parameters: {
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: 'NGN',
			amount: fromModel('amount'),
			account_alias: fromModel('alias'),
			...(withKey && { paymentKey: fromModel('key') }),
			options: { ...LIMITS, ...options },
		},
		credentials: { [CREDENTIAL_TYPE]: { id: stack.credential.id, name: CREDENTIAL_NAME } },
		...settings,
	};
}

async function run(name: string, script: ToolCall[][], setup: Setup = {}): Promise<Execution> {
	const { agentVersion = 3, items = 1, nested = false } = setup;
	model.play(script);
	const openAi = await stack.client.saveCredential('openAiApi', 'Script', { apiKey: 'fake', url: model.url });
	const agent = { promptType: 'define', text: 'Pay', options: { enableStreaming: false } };
	const agentTool = { toolDescription: 'Pays', text: 'Pay', options: {} };
	const payer = nested ? 'Paying agent' : 'Agent';
	const nodes = [
		node('Start', 'manualTrigger', 1),
		node('Items', 'set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ list: Array.from({ length: items }, (_, number) => ({ number })) }),
			options: {},
		}),
		node('One item each', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
		langchain('Agent', 'agent', agentVersion, agent),
		...(nested ? [langchain(payer, 'agentTool', agentVersion, agentTool)] : []),
		{
			...langchain('Model', 'lmChatOpenAi', 1.2, {
				model: { __rl: true, mode: 'id', value: 'script' },
				options: { maxRetries: 0 },
			}),
			credentials: { openAiApi: { id: openAi, name: 'Script' } },
		},
		payOutTool(setup),
	];
	const to = (name: string, type: string) => [{ node: name, type, index: 0 }];
	const { id } = await stack.client.saveWorkflow({
		name,
		nodes,
		connections: {
			...connect('Start -> Items', 'Items -> One item each', 'One item each -> Agent'),
			Model: {
				ai_languageModel: [
					[...to('Agent', 'ai_languageModel'), ...(nested ? to(payer, 'ai_languageModel') : [])],
				],
			},
			[TOOL]: { ai_tool: [to(payer, 'ai_tool')] },
			...(nested && { [payer]: { ai_tool: [to('Agent', 'ai_tool')] } }),
		},
	});
	const execution = await stack.client.runByHand(id, 'Start');
	const { error } = execution.data.resultData;
	if (error !== undefined) throw new Error(`${error.message} ${error.description}`);
	return execution;
}

/** The answers of the agent's tools, in order. */
const answersIn = (execution: Execution): string[] =>
	itemsOf(execution, 'Agent').flatMap(({ output }) => (JSON.parse(output as string) as string[]).map(String));

/** Makes the agent call the tool with these inputs, turn by turn. Returns the answers of the tool, in order. */
const ask = async (name: string, turns: Json[][], setup: Setup = {}) =>
	answersIn(
		await run(
			name,
			turns.map((calls) => calls.map((input) => ({ tool: TOOL, input }))),
			setup,
		),
	);

/** Makes the agent call the tool with these inputs, turn by turn. Returns what each run of the tool gave, or why it failed. */
async function callTool(name: string, turns: Json[][], setup: Setup): Promise<string[]> {
	const calls = turns.map((inputs): ToolCall[] => inputs.map((input) => ({ tool: TOOL, input })));
	const script = setup.nested ? [[{ tool: 'Paying agent', input: {} }], ...calls, [], []] : calls;
	const { resultData } = (await run(name, script, setup)).data;
	return (resultData.runData[TOOL] ?? []).map(({ data, error }) =>
		error === undefined ? JSON.stringify(data) : String(error.message),
	);
}

test('an agent pays out what it names, with every digit', async () => {
	const answers = await ask('Agent pays', [
		[{ amount: '0.123456789012345678', alias: 'supplier-main' }],
		[{ amount: '7', alias: 'supplier-main' }],
	]);
	expect(answers[0]).toContain('"amount":"0.123456789012345678"');
	expect(answers[1]).toContain('"amount":"7"');
	expect(await paid()).toEqual(['0.123456789012345678', '7']);
});

test('each tool call of an agent is its own payout, in the same turn or the next', async () => {
	const same = { amount: '8.08', alias: 'supplier-main' };
	const answers = await ask('Agent repeats itself', [[same], [same, same]]);
	expect(new Set(answers).size).toBe(3);
	expect(await paid()).toEqual(['8.08', '8.08', '8.08']);
});

test.each([
	['AI Agent 3', {}],
	['an agent that is a tool itself, version 3', { nested: true }],
] as Array<[string, Setup]>)(
	'calls with the same key by %s pay once, in the same turn, the next, and the next execution',
	async (caller, setup) => {
		const [one, two] = ['a', 'b'].map((key) => ({ amount: '8', alias: 'supplier-main', key }));
		const repeat = async () =>
			(
				await callTool(`Keys of ${caller}`, [[one!], [one!, two!, two!], [two!]], {
					...setup,
					withKey: true,
				})
			).map((answer) => answer.includes('"result":"alreadyPaid"'));
		expect(await repeat()).toEqual([false, true, false, true, true]);
		expect(await repeat()).toEqual([true, true, true, true, true]);
		expect(await paid()).toEqual(['8', '8']);
	},
);

test('an agent cannot pay more than the limits of the tool, with all its calls together', async () => {
	const call = { amount: '9', alias: 'supplier-main' };
	const answers = await ask('Agent is limited', [[{ ...call, amount: '11' }], [call], [call, call]], {
		options: { maximumAmount: '10', maximumTotal: '20' },
	});
	expect(answers[0]).toContain("above 'Maximum Amount' 10");
	expect(answers[3]).toContain("above 'Maximum Total' 20");
	expect(await paid()).toEqual(['9', '9']);
});

test('an agent cannot set the limits of the tool', async () => {
	const options = { maximumAmount: "={{ $fromAI('limit', 'The limit', 'string') }}" };
	const call = { amount: '9', alias: 'supplier-main', limit: '1000' };
	const [answer] = await ask('Agent sets a limit', [[call]], { options });
	expect(answer).toContain("'Maximum Amount' must not come from an AI model");
	expect(await paid()).toEqual([]);
});

test('an agent gets the reason when its input is invalid', async () => {
	const answers = await ask('Agent errs', [[{ amount: '1,000', alias: 'supplier-main' }]]);
	expect(answers[0]).toContain("'Amount' has a comma: 1,000");
});

test("Retry On Fail of an agent's tool does not send an unknown payout again", async () => {
	await failPayoutAfter(stack, 0, { dropAfter: true });
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const [answer] = await ask('Agent without answer', [[{ amount: '5', alias: 'supplier-main' }]], {
		settings,
	});
	expect(answer).toContain('It is unknown whether this payment was made.');
	expect(answer).toContain(
		'Stop. The money may have moved. Do not call this tool again for this payment; ask a person.',
	);
	expect(await paid()).toEqual(['5']);
});

describe.each([
	['AI Agent 2.2', { agentVersion: 2.2 }],
	['an agent that is a tool itself, version 2.2', { agentVersion: 2.2, nested: true }],
] as Array<[string, Setup]>)('a tool that n8n calls directly, for %s', (caller, setup) => {
	const call = { amount: '9', alias: 'supplier-main' };

	const callDirectly = async (turns: Json[][], more: Setup = {}) =>
		await callTool(`Directly for ${caller}`, turns, { ...setup, ...more });

	test(`${caller} pays without a key, within the limits of the tool`, async () => {
		const answers = await callDirectly([[{ ...call, amount: '11' }], [call], [call]], {
			options: { maximumAmount: '10' },
		});
		expect(answers).toEqual([
			expect.stringContaining("above 'Maximum Amount' 10"),
			expect.stringContaining('payoutId'),
			expect.stringContaining('payoutId'),
		]);
		expect(await paid()).toEqual(['9', '9']);
	});

	test(`a total that cannot be counted for ${caller} refuses, with the reason`, async () => {
		for (const [option, label] of [
			['maximumTotal', 'Maximum Total'],
			['maximumPerDay', 'Maximum per Day'],
		] as const) {
			const answers = await callDirectly([[call]], { options: { [option]: '20' } });
			expect(answers).toEqual([expect.stringContaining(`'${label}' cannot be counted where n8n calls`)]);
		}
		expect(await paid()).toEqual([]);
	});

	test(`the tool refuses a key of ${caller}, with the reason`, async () => {
		const answers = await callDirectly([[{ ...call, key: 'a' }]], { withKey: true });
		expect(answers).toEqual([expect.stringContaining(KEYS_DO_NOT_WORK)]);
		expect(await paid()).toEqual([]);
	});

	test(`the tool of ${caller} does not send an unknown payout again, also in another spelling`, async () => {
		await failPayoutAfter(stack, 0, { dropAfter: true });
		const answers = await callDirectly(
			[[call], [call], [{ ...call, amount: '9.0' }], [{ ...call, amount: '8' }]],
			{
				settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
			},
		);
		expect(answers.map((answer) => /"result":"(\w+)"/.exec(answer)?.[1])).toEqual([
			'unknown',
			'unknown',
			'unknown',
			'paid',
		]);
		for (const answer of answers.slice(0, 3))
			expect(answer).toContain(
				'Stop. The money may have moved. Do not call this tool again for this payment',
			);
		expect(await paid()).toEqual(['9', '8']);
	});

	test(`${caller} reads an item for every result, with what to do`, async () => {
		await failPayoutAfter(stack, 0, { status: 422 });
		const [rejected, limited] = await callDirectly([[call], [{ ...call, amount: '101' }]]);
		expect(rejected).toContain('The service refused this payment. No money was moved.');
		expect(rejected).toContain('Do not change the payment to get around this. Tell the user.');
		expect(limited).toContain('Do not change the payment to get around this limit. Tell the user.');
		expect(await paid()).toEqual([]);
	});
});

test.each([2.2, 3])(
	'what the model of AI Agent %d reads is the item of each result',
	async (agentVersion) => {
		await failPayoutAfter(stack, 0, { dropAfter: true });
		const call = { amount: '9', alias: 'supplier-main' };
		const answers = await ask(
			'Agent reads',
			[[call], [{ ...call, amount: '101' }], [{ ...call, amount: '7' }]],
			{
				agentVersion,
			},
		);
		expect(answers[0]).toContain('Stop. The money may have moved.');
		expect(answers[1]).toContain('Do not change the payment to get around this limit.');
		expect(answers[2]).toContain('The service has accepted the payment.');
		for (const answer of answers) expect(answer.length).toBeLessThan(700);
	},
);

test.each([
	['query', { amount: '50' }],
	['toolParameters', { amount: '1' }],
	['hitlParameters', { approved: true }],
])('a call of AI Agent 3 whose arguments hold an own object %s pays nothing', async (name, value) => {
	const call = { amount: '1', alias: 'supplier-main', [name]: value };
	const answers = await callTool('Agent sends two inputs', [[call]], {});
	expect(answers[0]).toContain(`beside the arguments there is an object '${name}'`);
	expect(await paid()).toEqual([]);
});

test('AI Agent 2.2 drops an object that is no argument, and pays what the arguments say', async () => {
	const call = { amount: '1', alias: 'supplier-main', query: { amount: '50' } };
	await callTool('Old agent sends two inputs', [[call]], { agentVersion: 2.2 });
	expect(await paid()).toEqual(['1']);
});

test('a tool without the three limits pays nothing and names them', async () => {
	const answers = await callTool('Agent without limits', [[{ amount: '9', alias: 'supplier-main' }]], {
		options: { maximumAmount: undefined, allowedAliases: undefined, allowedCurrencies: undefined },
	});
	expect(answers[0]).toContain('These are missing: Maximum Amount, Allowed Aliases, Allowed Currencies');
	expect(await paid()).toEqual([]);
});

test('Maximum per Day holds over several chats', async () => {
	const call = { amount: '9', alias: 'supplier-main' };
	const options = { maximumPerDay: '2' };
	const chats = [];
	for (let chat = 0; chat < 3; chat += 1)
		chats.push(...(await ask('Agent with a day', [[call]], { options })));
	expect(chats[2]).toContain("This workflow has made its 2 payments of today ('Maximum per Day')");
	expect(await paid()).toEqual(['9', '9']);
});

test.each([2.2, 3])(
	'each call of AI Agent %d with several input items pays once and gets an answer',
	async (agentVersion) => {
		const calls = ['1', '2', '3'].map((amount) => [
			{ tool: TOOL, input: { amount, alias: 'supplier-main' } },
		]);
		// Version 3 asks the model for all items before it runs the tools.
		const script = agentVersion < 3 ? calls.flatMap((call) => [call, []]) : calls;
		const execution = await run('Agent with items', script, { agentVersion, items: 3 });
		const answers = answersIn(execution);
		expect(answers).toHaveLength(3);
		for (const answer of answers) expect(answer).toContain('payoutId');
		expect((await paid()).sort()).toEqual(['1', '2', '3']);
	},
);

describe('a tool of MCP Server Trigger', () => {
	/** Publishes a server with the tool. Returns a function that calls it. */
	const serve = async (name: string, setup: Setup) => {
		const path = randomUUID();
		const trigger = {
			...langchain('Server', 'mcpTrigger', 2, { authentication: 'none', path }),
			webhookId: path,
		};
		const workflow = await stack.client.saveWorkflow({
			name,
			nodes: [trigger, payOutTool(setup)],
			connections: { [TOOL]: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
		});
		await stack.client.publish(workflow);
		const session: Record<string, string> = {};
		const rpc = async (method: string, params: Json, id?: number) => {
			const response = await request(`${stack.n8n.webhooks}/mcp/${path}`, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					accept: 'application/json, text/event-stream',
					...session,
				},
				body: JSON.stringify({ jsonrpc: '2.0', method, params, id }),
			});
			const sessionId = response.headers['mcp-session-id'];
			if (typeof sessionId === 'string') session['mcp-session-id'] = sessionId;
			return await response.body.text();
		};
		const client = {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		};
		await rpc('initialize', client, 0);
		await rpc('notifications/initialized', {});
		const call = async (input: Json, id: number) =>
			await rpc('tools/call', { name: TOOL.replaceAll(' ', '_'), arguments: input }, id);
		return Object.assign(call, { list: async () => await rpc('tools/list', {}, 9) });
	};

	test('the description of a tool of MCP Server Trigger says that it pays on each call', async () => {
		const { list } = await serve('MCP describes', {});
		expect(await list()).toContain('A new payout is made on each call.');
	});

	test('a tool of MCP Server Trigger pays nothing, because no limit could be kept, and says what to use', async () => {
		const call = await serve('MCP pays', {});
		for (const id of [1, 2]) {
			const answer = await call({ amount: '9', alias: 'supplier-main', key: `${id}` }, id);
			expect(answer).toContain('MCP Server Trigger cannot pay with this tool');
		}
		expect(await paid()).toEqual([]);
	});
});
