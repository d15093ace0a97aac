/** Workflows in which a scripted model calls tools. */
import { randomUUID } from 'node:crypto';
import type { Execution, Json, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { connect, node } from './workflowNodes.ts';

/** A node that has a model and tools. */
export interface Caller {
	type?: 'agent' | 'openAi';
	version: number;
	/** The kind of agent, before version 2. */
	kind?: 'openAiFunctionsAgent' | 'toolsAgent';
	/** Version of an agent that is its tool and has the tool that pays. */
	agentTool?: number;
	/** n8n runs the tool like another node: it passes on extra arguments, and Payment Keys work. */
	runsTool?: boolean;
}

export interface AgentRun {
	/** Of the workflow. */
	name: string;
	caller: Caller;
	tools: WorkflowNode[];
	/** Input items of the caller. */
	items?: Json[];
	/** How many of them an agent treats at the same time. */
	batchSize?: number;
	executionOrder?: 'v0' | 'v1';
}

/** Our action node as a tool. n8n gives a node without an ID a new one each time it is saved. */
export function toolNode(
	{ credential }: Pick<Stack, 'credential'>,
	name: string,
	parameters: Json,
	id = randomUUID(),
): WorkflowNode {
	return {
		id,
		name,
		type: 'n8n-nodes-wallet-service.walletServiceTool',
		typeVersion: 1,
		position: [300, 200],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: CREDENTIAL_NAME } },
	};
}

export const langchain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Json,
): WorkflowNode => ({
	...node(name, '', typeVersion, parameters),
	type: `@n8n/n8n-nodes-langchain.${type}`,
});

/** Runs a workflow of a caller with these tools. Its model follows the script that it was given. Throws if the execution fails. */
export async function runAgent(
	stack: Pick<Stack, 'client'>,
	model: { url: string },
	{ name, caller, tools, items = [{}], batchSize = 1, executionOrder = 'v1' }: AgentRun,
): Promise<Execution> {
	const credentials = {
		openAiApi: {
			id: await stack.client.saveCredential('openAiApi', 'Script', { apiKey: 'fake', url: model.url }),
			name: 'Script',
		},
	};
	const modelId = { __rl: true, mode: 'id', value: 'script' };
	const options = { enableStreaming: false, batching: { batchSize } };
	const isAgent = caller.type !== 'openAi';
	const payer = caller.agentTool === undefined ? 'Agent' : 'Paying agent';
	const nodes = [
		node('Start', 'manualTrigger', 1),
		node('Items', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ list: items }), options: {} }),
		node('One item each', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
		isAgent
			? langchain('Agent', 'agent', caller.version, {
					...(caller.kind && { agent: caller.kind }),
					promptType: 'define',
					text: 'Pay',
					options,
				})
			: {
					...langchain('Agent', 'openAi', caller.version, {
						modelId,
						messages: { values: [{ content: 'Pay' }] },
						options: {},
					}),
					credentials,
				},
		...(caller.agentTool === undefined
			? []
			: [
					langchain(payer, 'agentTool', caller.agentTool, {
						toolDescription: 'Pays',
						text: 'Pay',
						options: {},
					}),
				]),
		...(isAgent
			? [
					{
						...langchain('Model', 'lmChatOpenAi', 1.2, { model: modelId, options: { maxRetries: 0 } }),
						credentials,
					},
				]
			: []),
		...tools,
	];
	const to = (type: string, ...names: string[]) => ({
		[type]: [names.map((name) => ({ node: name, type, index: 0 }))],
	});
	const { id } = await stack.client.saveWorkflow({
		name,
		nodes,
		connections: {
			...connect('Start -> Items', 'Items -> One item each', 'One item each -> Agent'),
			...(isAgent && { Model: to('ai_languageModel', ...new Set(['Agent', payer])) }),
			...Object.fromEntries(tools.map((each) => [each.name, to('ai_tool', payer)])),
			...(payer !== 'Agent' && { [payer]: to('ai_tool', 'Agent') }),
		},
		settings: { executionOrder },
	});
	const execution = await stack.client.runByHand(id, 'Start');
	const { error } = execution.data.resultData;
	if (error !== undefined) throw new Error(`${error.message} ${error.description}`);
	return execution;
}
