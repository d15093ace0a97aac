/**
 * n8n-core, set up without n8n's server and database. The server's own classes (NodeTypes, CredentialsHelper) are replaced
 * by the few lines that a node notices.
 */
import './environment.ts';
import './memoryProcessedItems.ts';
import { randomUUID } from 'node:crypto';
import { DirectoryLoader, ExternalSecretsProxy, RoutingNode, type ExecuteContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
} from 'n8n-workflow';
import { credentialType, MemoryCredentials } from './memoryCredentials.ts';

const PACKAGE = 'n8n-nodes-wallet-service';
/** Name of the node that provides the input items. */
export const SOURCE = 'Items';
/** Name of the node under test. */
export const NODE = 'Node';

export interface NodeSetup {
	/** Name of the node type in the package; default `walletService`, and `walletServiceTool` for a tool of an agent. */
	type?: string;
	nodeId?: string;
	workflowId?: string;
	parameters?: INodeParameters;
	/** What the user entered in the credential. Other fields have the defaults of the credential type. */
	credentials?: ICredentialDataDecryptedObject;
	/** Nodes with the same id share the credential. n8n may resolve its expressions to other values for each. */
	credentialId?: string;
	/** Where people and services reach n8n; an address of this machine by default. */
	baseUrl?: string;
	/** Where people reach it, if this is another address. */
	editorUrl?: string;
}

export type Engine = ReturnType<typeof createEngine>;

const running = new Set<Promise<unknown>>();

/** Resolves when no operation runs. n8n does not wait for a node that it stops. */
export const nodesEnd = async (): Promise<void> => void (await Promise.allSettled(running));

type Operations = NonNullable<INodeType['customOperations']>;

/** The same operations, and each is known while it runs. */
const tracked = (operations: Operations): Operations =>
	mapValues(operations, (resource) =>
		mapValues(
			resource,
			(work) =>
				async function (this: IExecuteFunctions) {
					const end = work.call(this);
					running.add(end);
					return await end.finally(() => running.delete(end));
				},
		),
	);

const mapValues = <Value>(values: Record<string, Value>, change: (value: Value) => Value) =>
	Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));

/** NodeTypes: gives a declarative node the common request options and an `execute`. */
const prepare = (nodeType: INodeType): INodeType => {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	if (nodeType.customOperations) nodeType.customOperations = tracked(nodeType.customOperations);
	if (nodeType.description.requestDefaults && !nodeType.execute) {
		nodeType.execute = async function (this: IExecuteFunctions) {
			return (await new RoutingNode(this as ExecuteContext, nodeType).runNode()) ?? [];
		};
	}
	return nodeType;
};

/** Never runs, because its output is pinned. */
const source: INodeType = {
	description: {
		displayName: SOURCE,
		name: 'items',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
};

const BASE_URL = 'http://localhost:5678/';

let executions = 0;

/** Each execution has an ID of its own. */
export const newExecutionId = (): string => String((executions += 1));

export const createEngine = (nodeClasses: Array<new () => INodeType>) => {
	const types = new Map([[SOURCE, source]]);
	for (const nodeClass of nodeClasses) {
		const nodeType = prepare(new nodeClass());
		const { description } = nodeType;
		types.set(`${PACKAGE}.${description.name}`, nodeType);
		// createAiTools: the same node, for an agent.
		if (description.usableAsTool) {
			const asTool = Object.assign(Object.create(nodeType) as INodeType, {
				description: { ...description, name: `${description.name}Tool` },
			});
			types.set(`${PACKAGE}.${asTool.description.name}`, asTool);
		}
	}
	const byName = (name: string): INodeType => {
		const nodeType = types.get(name);
		if (!nodeType) throw new Error(`There is no node type ${name}`);
		return nodeType;
	};
	const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };

	const nodeOf = ({
		type = 'walletService',
		nodeId = 'node-id',
		parameters = {},
		credentials,
		credentialId = randomUUID(),
	}: NodeSetup): INode => ({
		id: nodeId,
		name: NODE,
		type: `${PACKAGE}.${type}`,
		typeVersion: [byName(`${PACKAGE}.${type}`).description.version].flat().at(-1)!,
		position: [200, 0],
		parameters: structuredClone(parameters),
		...(credentials && { credentials: { [credentialType.name]: { id: credentialId, name: 'Credential' } } }),
	});

	return {
		nodeTypes,
		nodeTypeOf: ({ type }: INode) => byName(type),
		nodeOf,

		/** A workflow in which the source node leads to this node. */
		workflowOf: (
			node: INode,
			settings: IWorkflowSettings = { executionOrder: 'v1' },
			workflowId = 'workflow-id',
		) =>
			new Workflow({
				id: workflowId,
				name: 'Headless',
				nodes: [{ ...nodeOf({}), id: 'source-id', name: SOURCE, type: SOURCE, position: [0, 0] }, node],
				connections: { [SOURCE]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
				active: false,
				nodeTypes,
				settings,
			}),

		additionalDataOf: (
			{ credentials = {}, baseUrl = BASE_URL, editorUrl = baseUrl }: NodeSetup,
			extra: Partial<IWorkflowExecuteAdditionalData> = {},
		) =>
			({
				credentialsHelper: new MemoryCredentials(credentials),
				externalSecretsProxy: new ExternalSecretsProxy(),
				currentNodeExecutionIndex: 0,
				executionId: '1',
				variables: {},
				instanceBaseUrl: editorUrl,
				restApiUrl: `${baseUrl}rest`,
				formWaitingBaseUrl: `${baseUrl}form-waiting`,
				webhookBaseUrl: `${baseUrl}webhook`,
				webhookTestBaseUrl: `${baseUrl}webhook-test`,
				webhookWaitingBaseUrl: `${baseUrl}webhook-waiting`,
				...extra,
			}) as unknown as IWorkflowExecuteAdditionalData,
	};
};

/** Runs `use` while the workflow can evaluate expressions. */
export const withExpressions = async <Result>(
	{ expression }: Workflow,
	use: () => Promise<Result>,
): Promise<Result> => {
	await expression.acquireIsolate();
	try {
		return await use();
	} finally {
		await expression.releaseIsolate();
	}
};
