/** A workflow in which an AI agent pays by key, with a model that follows a script. */
import { randomUUID } from 'node:crypto';
import { itemsOf } from '../../host/n8n/client.ts';
import type { StoredWorkflow } from '../../host/n8n/client.ts';
import type { startModel } from '../../host/doubles/scriptedModel.ts';
import type { Stack } from '../../host/stack.ts';
import { ACTION_NODE, node } from '../../bench/shared/workflowParts.ts';
import { BY_KEY, credentialsOf, PAY_OUT } from '../../bench/shared/payments/payer.ts';
import type { Payment } from '../../bench/shared/payments/paymentComparison.ts';

type Model = Awaited<ReturnType<typeof startModel>>;

const LANGCHAIN = '@n8n/n8n-nodes-langchain';

export async function saveAgent(stack: Stack, model: Model): Promise<StoredWorkflow> {
	const { client } = stack;
	const openAi = await client.saveCredential('openAiApi', 'Script', { apiKey: 'fake', url: model.url });
	const fromModel = (key: string) => `={{ $fromAI('${key}', 'The ${key} of the payout', 'string') }}`;
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', {}),
		node('Agent', `${LANGCHAIN}.agent`, {
			promptType: 'define',
			text: 'Pay',
			options: { enableStreaming: false },
		}),
		{
			...node(
				'Model',
				`${LANGCHAIN}.lmChatOpenAi`,
				{ model: { __rl: true, mode: 'id', value: 'script' }, options: { maxRetries: 0 } },
				{ credentials: { openAiApi: { id: openAi, name: 'Script' } } },
			),
			// The newest one uses another interface, which the script does not speak.
			typeVersion: 1.2,
		},
		node(
			PAY_OUT,
			`${ACTION_NODE}Tool`,
			{
				...BY_KEY,
				amount: fromModel('amount'),
				paymentKey: fromModel('key'),
				options: {
					maximumAmount: '1000000000',
					allowedAliases: 'supplier-main',
					allowedCurrencies: 'NGN',
				},
			},
			{ id: randomUUID(), credentials: credentialsOf(stack) },
		),
	];
	return await client.saveWorkflow({
		name: 'An agent pays by key',
		nodes,
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			[PAY_OUT]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
	});
}

/** Runs the agent; its model asks for the payments turn by turn. Returns the answers of the tool, in their order. */
export async function askAgent(
	{ client }: Stack,
	{ id }: StoredWorkflow,
	model: Model,
	turns: Payment[][],
): Promise<string[]> {
	model.play(turns.map((calls) => calls.map((payment) => ({ tool: PAY_OUT, input: { ...payment } }))));
	const execution = await client.runByHand(id, 'Start');
	const { error } = execution.data.resultData;
	if (error !== undefined) throw new Error(`${error.message} ${error.description}`);
	const [item] = itemsOf(execution, 'Agent');
	return (JSON.parse(String(item?.output)) as string[]).map(String);
}
