/** The action node as a tool of n8n's AI Agent, with a scripted model. */
import { itemsOf } from '../../host/n8nClient.ts';
import type { Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../../host/stack.ts';
import { amountsPaid } from './payouts.ts';
import { useModel, useStack } from './setup.ts';
import { node } from './workflows.ts';

jest.setTimeout(180_000);

const TOOL = 'Pay out';

const stack = useStack();
const model = useModel();

/** Makes the agent call the tool with these inputs, turn by turn. Returns the answers of the tool, in order. */
async function ask(name: string, turns: Json[][], options: Json = {}, settings: Json = {}) {
	model.play(turns.map((calls) => calls.map((input) => ({ tool: TOOL, input }))));
	const openAi = await stack.client.saveCredential('openAiApi', 'Script', { apiKey: 'fake', url: model.url });
	const fromModel = (key: string) => `={{ $fromAI('${key}', 'The ${key} of the payout', 'string') }}`;
	const nodes: WorkflowNode[] = [
		node('Start', 'manualTrigger', 1),
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
	if (error !== undefined) throw new Error(`${error.message} ${error.description}`);
	const [{ output }] = itemsOf(execution, 'Agent') as [Json];
	return (JSON.parse(output as string) as string[]).map(String);
}

test('an agent pays out what it names, with every digit', async () => {
	const answers = await ask('Agent pays', [
		[{ amount: '0.123456789012345678', alias: 'supplier-main' }],
		[{ amount: '7', alias: 'supplier-main' }],
	]);
	expect(answers[0]).toContain('"amount":"0.123456789012345678"');
	expect(answers[1]).toContain('"amount":"7"');
	expect((await amountsPaid(stack, 'supplier-main')).sort()).toEqual(['0.123456789012345678', '7']);
});

test('each tool call of an agent is its own payout, in the same turn or the next', async () => {
	const same = { amount: '8.08', alias: 'supplier-main' };
	const answers = await ask('Agent repeats itself', [[same], [same, same]]);
	expect(new Set(answers).size).toBe(3);
	expect((await amountsPaid(stack, 'supplier-main')).filter((amount) => amount === '8.08')).toHaveLength(3);
});

test('the description of the tool says that each call pays', () => {
	const [tool] = model.requests[0]!.tools;
	expect(tool!.function.description).toContain('Create new fiat payout on each call');
});

test('an agent cannot pay more than the limits of the tool', async () => {
	const before = await amountsPaid(stack, 'supplier-main');
	const answers = await ask('Agent is limited', [[{ amount: '11', alias: 'supplier-main' }]], {
		maximumAmount: '10',
	});
	expect(answers[0]).toContain("above 'Maximum Amount' 10");
	expect(await amountsPaid(stack, 'supplier-main')).toEqual(before);
});

test('an agent gets the reason when its input is invalid', async () => {
	const answers = await ask('Agent errs', [[{ amount: '1,000', alias: 'supplier-main' }]]);
	expect(answers[0]).toContain("'Amount' has a comma: 1,000");
});
