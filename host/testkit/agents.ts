/** Workflows in which a scripted model calls tools. */
import { randomUUID } from 'node:crypto';
import { itemsOf, succeeded } from '../n8n/client.ts';
import { dataTable } from '../n8n/dataTable.ts';
import type { Execution, Json, N8nClient, StoredWorkflow, Workflow, WorkflowNode } from '../n8n/client.ts';
import type { Stack } from '../stack.ts';
import { LISTED, listOf } from './payments.ts';
import {
	ACTION_NODE,
	connect,
	credentialsOf,
	DESK_NODE,
	LANGCHAIN,
	node,
	saveCopy,
	saveCredential,
} from './workflows.ts';
import type { Changes } from './workflows.ts';

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

interface AgentRun {
	/** Of the workflow. */
	name: string;
	caller: Caller;
	tools: WorkflowNode[];
	/** Input items of the caller. */
	items?: Json[];
}

/** Our action node as a tool. n8n gives a node without an ID a new one each time it is saved. */
export function toolNode(
	stack: Pick<Stack, 'credential'>,
	name: string,
	parameters: Json,
	id = randomUUID(),
): WorkflowNode {
	return node(name, `${ACTION_NODE}Tool`, parameters, { id, credentials: credentialsOf(stack) });
}

/** The desk node as a tool. */
export function deskTool(stack: Pick<Stack, 'credential'>, name: string, parameters: Json): WorkflowNode {
	const more = { id: randomUUID(), credentials: credentialsOf(stack) };
	return node(name, `${DESK_NODE}Tool`, parameters, more);
}

/** A node of n8n's package for models. */
export const langchain = (name: string, type: string, typeVersion: number, parameters: Json): WorkflowNode =>
	node(name, `${LANGCHAIN}.${type}`, parameters, { typeVersion });

/** Runs a workflow of a caller with these tools. Its model follows the script that it was given. Throws if the execution fails. */
export async function runAgent(
	{ client }: Pick<Stack, 'client'>,
	model: { url: string },
	{ name, caller, tools, items = [{}] }: AgentRun,
): Promise<Execution> {
	const credentials = await scriptOf(client, model);
	const modelId = { __rl: true, mode: 'id', value: 'script' };
	const prompt = { promptType: 'define', text: 'Pay' };
	const options = { enableStreaming: false, batching: { batchSize: 1 } };
	const messages = { values: [{ content: 'Pay' }] };
	const isAgent = caller.type !== 'openAi';
	const payer = caller.agentTool === undefined ? 'Agent' : 'Paying agent';
	const nodes = listOf(items);
	if (isAgent) {
		const kind = caller.kind && { agent: caller.kind };
		const chat = { model: modelId, options: { maxRetries: 0 } };
		nodes.push(langchain('Agent', 'agent', caller.version, { ...kind, ...prompt, options }), {
			...langchain('Model', 'lmChatOpenAi', 1.2, chat),
			credentials,
		});
	} else {
		const openAi = langchain('Agent', 'openAi', caller.version, { modelId, messages, options: {} });
		nodes.push({ ...openAi, credentials });
	}
	if (caller.agentTool !== undefined) {
		const paying = { toolDescription: 'Pays', text: 'Pay', options: {} };
		nodes.push(langchain(payer, 'agentTool', caller.agentTool, paying));
	}
	const to = (type: string, ...names: string[]) => ({
		[type]: [names.map((target) => ({ node: target, type, index: 0 }))],
	});
	const { id } = await client.saveWorkflow({
		name,
		nodes: [...nodes, ...tools],
		connections: {
			...connect(`${LISTED} -> Agent`),
			...(isAgent && { Model: to('ai_languageModel', ...new Set(['Agent', payer])) }),
			...Object.fromEntries(tools.map((each) => [each.name, to('ai_tool', payer)])),
			...(payer !== 'Agent' && { [payer]: to('ai_tool', 'Agent') }),
		},
	});
	return succeeded(await client.runByHand(id, 'Start'));
}

/** Saves a copy of an agent of the examples with the scripted model and further changes. */
export async function saveAgent(
	{ client }: Pick<Stack, 'client'>,
	model: { url: string },
	agent: Workflow,
	name = agent.name,
	changes: Changes = {},
): Promise<StoredWorkflow> {
	const credentials = await scriptOf(client, model);
	return await saveCopy(client, agent, name, { Model: () => ({ credentials }), ...changes });
}

/** What agents have asked for, a row each. */
export const requestsOf = ({ client }: Pick<Stack, 'client'>) => dataTable(client, 'wallet_service_requests');

/** A change of the example *request of an agent*: how many requests it lets pass in a day. */
export const requestsADay = (most: number): Changes => ({
	Today: ({ parameters }) => ({
		parameters: JSON.parse(JSON.stringify(parameters).replace('$json.id - 20', `$json.id - ${most}`)) as Json,
	}),
});

/** Sends a message in the editor's chat. Returns the id of the execution. */
export async function startChat(
	{ client }: Pick<Stack, 'client'>,
	{ id }: StoredWorkflow,
	chatInput: string,
	sessionId = 'a-chat',
): Promise<string> {
	const message = { sessionId, action: 'sendMessage', chatInput };
	return await client.startByHand(id, 'When chat message received', [message]);
}

/** What the tools of such an agent have answered, which the scripted model repeats. Throws if the execution failed. */
export function toolAnswers(execution: Execution): string[] {
	const [{ output }] = itemsOf(succeeded(execution), 'Agent') as [Json];
	return (JSON.parse(output as string) as unknown[]).map(String);
}

/**
 * Sends a message to an agent that n8n runs outside of a workflow, with this tool. Its model follows the script that it was given.
 * Returns when the agent has answered.
 */
export async function askAgentOfN8n(
	{ client }: Pick<Stack, 'client'>,
	model: { url: string },
	name: string,
	tool: Json,
): Promise<void> {
	const { id: projectId } = await client.rest<{ id: string }>('GET', '/projects/personal');
	const credential = await client.saveCredential('openRouterApi', 'Script', {
		apiKey: 'fake',
		url: model.url,
	});
	const agents = `/projects/${projectId}/agents/v2`;
	const agent = { name, model: 'openrouter/a/script', credential, instructions: 'Pay', tools: [tool] };
	const { id } = await client.rest<{ id: string }>('POST', agents, { name, schema: agent });
	// n8n answers with a stream of events.
	await client.rest('POST', `${agents}/${id}/chat`, { message: 'Pay' }).catch(() => undefined);
}

/** The credential of the scripted model. */
const scriptOf = async (client: N8nClient, { url }: { url: string }) =>
	await saveCredential(client, 'openAiApi', { apiKey: 'fake', url }, 'Script');
