/** The action node as a tool of n8n's AI Agent, whose model is a script behind OpenAI's interface. */
import { itemsOf } from '../../host/n8nClient.ts';
import type { Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, startTemporaryStack } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { startModel } from './model.ts';

jest.setTimeout(180_000);

const TOOL = 'Pay out';

let stack: Stack;
let model: Awaited<ReturnType<typeof startModel>>;

beforeAll(async () => {
	stack = await startTemporaryStack();
	model = await startModel();
});

afterAll(async () => {
	await model?.stop();
	await stack?.stop();
});

/** Lets the agent make the calls, turn by turn; gives what the tool answered to each, in order. */
async function ask(name: string, turns: Json[][], options: Json = {}, settings: Json = {}) {
	model.play(turns.map((calls) => calls.map((input) => ({ tool: TOOL, input }))));
	const openAi = await stack.client.saveCredential('openAiApi', 'Script', { apiKey: 'fake', url: model.url });
	const fromModel = (key: string) => `={{ $fromAI('${key}', 'The ${key} of the payout', 'string') }}`;
	const nodes: WorkflowNode[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3,
			position: [200, 0],
			parameters: { promptType: 'define', text: 'Pay', options: { enableStreaming: false } },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			position: [100, 200],
			parameters: { model: { __rl: true, mode: 'id', value: 'script' }, options: { maxRetries: 0 } },
			credentials: { openAiApi: { id: openAi, name: 'Script' } },
		},
		{
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
				options,
			},
			credentials: { [CREDENTIAL_TYPE]: { id: stack.credential.id, name: CREDENTIAL_NAME } },
			...settings,
		},
	];
	const { id } = await stack.client.saveWorkflow({
		name,
		nodes,
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			[TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
	});
	const execution = await stack.client.runByHand(id, 'Start');
	const { error } = execution.data.resultData;
	if (error !== undefined) throw new Error(`${String(error.message)} ${String(error.description)}`);
	const [{ output }] = itemsOf(execution, 'Agent');
	return (JSON.parse(output as string) as string[]).map(String);
}

const payoutsOf = async (alias: string) => {
	const { payouts } = (await stack.control('GET', '/state')) as {
		payouts: Array<{ amount: string; destination: string }>;
	};
	return payouts.filter(({ destination }) => destination === alias).map(({ amount }) => amount);
};

test('an agent pays out what it names, with every digit', async () => {
	const answers = await ask('Agent pays', [
		[{ amount: '0.123456789012345678', alias: 'supplier-main' }],
		[{ amount: '7', alias: 'supplier-main' }],
	]);
	expect(answers[0]).toContain('"amount":"0.123456789012345678"');
	expect(answers[1]).toContain('"amount":"7"');
	expect((await payoutsOf('supplier-main')).sort()).toEqual(['0.123456789012345678', '7']);
});

test('each call is a payout of its own: in the next turn and in the same one', async () => {
	const same = { amount: '8.08', alias: 'supplier-main' };
	const answers = await ask('Agent repeats itself', [[same], [same, same]]);
	expect(new Set(answers).size).toBe(3);
	expect((await payoutsOf('supplier-main')).filter((amount) => amount === '8.08')).toHaveLength(3);
});

test('the model is told that each call pays', () => {
	const [{ tools }] = model.requests;
	expect(tools[0].function.description).toContain('Create new fiat payout on each call');
});

test('the limits hold for an agent', async () => {
	const before = await payoutsOf('supplier-main');
	const answers = await ask('Agent is limited', [[{ amount: '11', alias: 'supplier-main' }]], {
		maximumAmount: '10',
	});
	expect(answers[0]).toContain("above 'Maximum Amount' 10");
	expect(await payoutsOf('supplier-main')).toEqual(before);
});

test('bad input is told to the model', async () => {
	const answers = await ask('Agent errs', [[{ amount: '1,000', alias: 'supplier-main' }]]);
	expect(answers[0]).toContain("'Amount' has a comma: 1,000");
});
