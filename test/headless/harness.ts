/**
 * Runs nodes in n8n-core's own engine, with real HTTP, without a server or a database. What n8n's server adds around
 * n8n-core (NodeTypes, CredentialsHelper, CredentialsTester, the webhook handler, the retry of an execution) is played
 * here in the few lines that matter to a node, each named after its original.
 */
import './environment.ts';
import './processedItems.ts';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse, stringify } from 'flatted';
import {
	DirectoryLoader,
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	LoadOptionsContext,
	RoutingNode,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	createEmptyRunExecutionData,
	createRunExecutionData,
	type ExecutionError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials.ts';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';

const PACKAGE = 'n8n-nodes-wallet-service';
const SOURCE = 'Items';
const NODE = 'Node';

export interface NodeSetup {
	/** Name of the node type in the package, `walletService` if left out. */
	type?: string;
	nodeId?: string;
	parameters?: INodeParameters;
	/** What the user typed into the credential; other fields have the defaults of the credential type. */
	credentials?: ICredentialDataDecryptedObject;
}

export interface RunSetup extends NodeSetup {
	/** The input items, one empty item if left out. */
	items?: INodeExecutionData[];
	/** The settings tab: `onError`, `retryOnFail`, `maxTries`, `waitBetweenTries` (1 for none: 0 means 1000 ms) … */
	settings?: Partial<INode>;
	/** `trigger` if left out; `manual` as started in the editor. */
	mode?: WorkflowExecuteMode;
}

export interface NodeRun {
	/** One list of items for each output; empty if the node stopped the execution. */
	items: INodeExecutionData[][];
	/** What stopped the execution. */
	error?: ExecutionError;
	runData: IRunExecutionData['resultData']['runData'];
	/** The execution as the text that n8n's database would hold. */
	stored: string;
	/** "Retry execution": goes on from the stored text. */
	retry(): Promise<NodeRun>;
}

export interface ListenSetup extends NodeSetup {
	/** `webhook` if left out; `manual` for "Execute step" in the editor. */
	mode?: WorkflowExecuteMode;
	/** The workflow's static data: loaded and written back as a whole by each delivery and each execution, as in n8n. */
	staticData?: IDataObject;
	/** Whether the workflow was activated as it is set up now; it may have been set up differently then. */
	activated?: boolean;
	/** Called when n8n stores an execution, before it answers; what it throws becomes n8n's 500. */
	onStart?: () => void | Promise<void>;
}

export interface Listener {
	url: string;
	/** One entry for each workflow that was started: its items for each output. */
	started: INodeExecutionData[][][];
	/** Resolves when the executions that were started have ended. */
	idle(): Promise<void>;
	close(): Promise<void>;
}

/** CredentialsHelper: one credential, held in memory. */
class MemoryCredentials extends ICredentialsHelper {
	readonly type: ICredentialType;
	readonly data: ICredentialDataDecryptedObject;

	constructor(type: ICredentialType, data: ICredentialDataDecryptedObject) {
		super();
		this.type = type;
		this.data = data;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		if (typeof this.type.authenticate !== 'function') throw new Error('authenticate is not a function');
		return await this.type.authenticate(credentials, request);
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		const values = this.data as INodeParameters;
		return NodeHelpers.getNodeParameters(this.type.properties, values, true, false, null, null) as never;
	}

	getCredentialsProperties() {
		return this.type.properties;
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		throw new Error('Credentials are not stored here');
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}
}

/** NodeTypes: a declarative node gets the common request options and an `execute`. */
const prepare = (nodeType: INodeType): INodeType => {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	if (nodeType.description.requestDefaults && !nodeType.execute) {
		nodeType.execute = async function (this: IExecuteFunctions) {
			return (await new RoutingNode(this as ExecuteContext, nodeType).runNode()) ?? [];
		};
	}
	return nodeType;
};

/** Where the items come from: its output is pinned, so it never runs. */
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

/** A copy by way of the database. */
const viaDatabase = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

/** What is at a path such as `results.length`. */
const at = (value: unknown, path: string): unknown =>
	path.split('.').reduce((inner, name) => (inner as IDataObject | undefined)?.[name], value);

const readBody = async (request: IncomingMessage) => Buffer.concat(await request.toArray());

/** The little of Express that a webhook node may use. */
const expressResponse = (response: ServerResponse) => {
	const express = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return express;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(body));
			return express;
		},
	});
	return express;
};

/** The number of the last execution. */
let executions = 0;

/** A headless n8n that knows these nodes and this credential type. */
export const headless = (
	nodeClasses: Array<new () => INodeType> = [WalletService, WalletServiceTrigger],
	credentialClass: new () => ICredentialType = WalletServiceApi,
) => {
	const credentialType = new credentialClass();
	const types = new Map([[SOURCE, source]]);
	for (const nodeClass of nodeClasses) {
		const nodeType = prepare(new nodeClass());
		types.set(`${PACKAGE}.${nodeType.description.name}`, nodeType);
	}
	const nodeTypeOf = (name: string): INodeType => {
		const nodeType = types.get(name);
		if (!nodeType) throw new Error(`There is no node type ${name}`);
		return nodeType;
	};
	const nodeTypes = { getByName: nodeTypeOf, getByNameAndVersion: nodeTypeOf, getKnownTypes: () => ({}) };

	const nodeOf = ({
		type = 'walletService',
		nodeId = 'node-id',
		parameters = {},
		credentials,
	}: NodeSetup): INode => ({
		id: nodeId,
		name: NODE,
		type: `${PACKAGE}.${type}`,
		typeVersion: [nodeTypeOf(`${PACKAGE}.${type}`).description.version].flat().at(-1)!,
		position: [200, 0],
		parameters: structuredClone(parameters),
		...(credentials && {
			credentials: { [credentialType.name]: { id: randomUUID(), name: 'Credential' } },
		}),
	});

	const workflowOf = (node: INode, staticData: IDataObject = {}) =>
		new Workflow({
			id: 'workflow-id',
			name: 'Headless',
			nodes: [{ ...nodeOf({}), id: 'source-id', name: SOURCE, type: SOURCE, position: [0, 0] }, node],
			connections: { [SOURCE]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
			active: false,
			nodeTypes,
			staticData,
			settings: { executionOrder: 'v1' },
		});

	const additionalDataOf = (
		setup: NodeSetup,
		extra: Partial<IWorkflowExecuteAdditionalData> = {},
	): IWorkflowExecuteAdditionalData => {
		const notHere = async (): Promise<never> => {
			throw new Error('Not available in the headless n8n');
		};
		const base = 'http://localhost:5678/';
		return {
			credentialsHelper: new MemoryCredentials(credentialType, setup.credentials ?? {}),
			executeWorkflow: notHere,
			getRunExecutionData: notHere,
			getRuntimeCredential: notHere,
			startRunnerTask: notHere,
			logAiEvent: () => {},
			currentNodeExecutionIndex: 0,
			externalSecretsProxy: new ExternalSecretsProxy(),
			variables: {},
			instanceBaseUrl: base,
			restApiUrl: `${base}rest`,
			formBaseUrl: `${base}form`,
			formTestBaseUrl: `${base}form-test`,
			formWaitingBaseUrl: `${base}form-waiting`,
			webhookBaseUrl: `${base}webhook`,
			webhookTestBaseUrl: `${base}webhook-test`,
			webhookWaitingBaseUrl: `${base}webhook-waiting`,
			mcpBaseUrl: `${base}mcp`,
			mcpTestBaseUrl: `${base}mcp-test`,
			...extra,
		};
	};

	/** Runs the workflow from the source node, or goes on with the data of an execution that failed. */
	const execute = async (setup: RunSetup, failed?: IRunExecutionData): Promise<NodeRun> => {
		const mode = failed ? 'retry' : (setup.mode ?? 'trigger');
		const workflow = workflowOf({ ...nodeOf(setup), ...setup.settings });
		const executionId = String((executions += 1));
		const hooks = new ExecutionLifecycleHooks(mode, executionId, {} as never);
		const additionalData = additionalDataOf(setup, { hooks, executionId });
		const engine = new WorkflowExecute(additionalData, mode, failed);
		const run: IRun = failed
			? await engine.processRunExecutionData(workflow)
			: await engine.run({
					workflow,
					startNode: workflow.nodes[SOURCE],
					pinData: { [SOURCE]: setup.items ?? [{ json: {} }] },
				});
		const { runData, error } = run.data.resultData;
		const stored = stringify(run.data);
		return {
			items: (runData[NODE]?.at(-1)?.data?.main ?? []).map((list) => list ?? []),
			error,
			runData,
			stored,
			/** ExecutionService.retry */
			async retry() {
				const data = parse(stored) as IRunExecutionData;
				delete data.resultData.error;
				if (data.resultData.runData[NODE]?.at(-1)?.error) data.resultData.runData[NODE].pop();
				return await execute(setup, data);
			},
		};
	};

	/** DynamicNodeParametersService: calls a method that fills a dropdown. */
	const loadOptions = async <Result>(
		setup: NodeSetup,
		call: (nodeType: INodeType, context: LoadOptionsContext) => Promise<Result>,
	): Promise<Result> => {
		const node = nodeOf(setup);
		const workflow = workflowOf(node);
		const additionalData = additionalDataOf(setup, { currentNodeParameters: setup.parameters });
		await workflow.expression.acquireIsolate();
		try {
			return await call(nodeTypeOf(node.type), new LoadOptionsContext(workflow, node, additionalData, ''));
		} finally {
			await workflow.expression.releaseIsolate();
		}
	};

	return {
		runNode: async (setup: RunSetup) => await execute(setup),

		listSearch: async (method: string, setup: NodeSetup, filter?: string): Promise<INodeListSearchResult> =>
			await loadOptions(
				setup,
				async ({ methods }, context) => await methods!.listSearch![method].call(context, filter),
			),

		loadOptions: async (method: string, setup: NodeSetup): Promise<INodePropertyOptions[]> =>
			await loadOptions(
				setup,
				async ({ methods }, context) => await methods!.loadOptions![method].call(context),
			),

		/** CredentialsTester: the Test button of the credential. */
		async testCredential(credentials: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
			const { request, rules = [] } = credentialType.test!;
			const tester: INodeType = {
				description: {
					...source.description,
					credentials: [{ name: credentialType.name, required: true }],
					properties: [
						{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing: { request } },
					],
				},
			};
			const typesWithTester = { ...nodeTypes, getByName: () => tester, getByNameAndVersion: () => tester };
			const node = nodeOf({ credentials });
			const workflow = new Workflow({
				nodes: [node],
				connections: {},
				active: false,
				nodeTypes: typesWithTester,
			});
			const context = new ExecuteContext(
				workflow,
				node,
				additionalDataOf({ credentials }, { currentNodeParameters: {} }),
				'internal',
				createEmptyRunExecutionData(),
				0,
				[],
				{ main: [[{ json: {} }]] },
				{ node, data: {}, source: null },
				[],
			);
			await workflow.expression.acquireIsolate();
			try {
				const response = await new RoutingNode(context, tester).runNode();
				for (const { type, properties } of rules) {
					if (type !== 'responseSuccessBody') continue;
					if (at(response![0][0].json, properties.key) === properties.value) {
						return { status: 'Error', message: properties.message };
					}
				}
				return { status: 'OK', message: 'Connection successful!' };
			} catch (failure) {
				const error = failure as Error & { cause?: { response?: { status: number } } };
				const status = error.cause?.response?.status;
				const rule = rules.find(
					({ type, properties }) => type === 'responseCode' && properties.value === status,
				);
				return { status: 'Error', message: rule?.properties.message ?? error.message };
			} finally {
				await workflow.expression.releaseIsolate();
			}
		},

		/** The webhook handler: a server whose every POST is one delivery to the node's `webhook` method. */
		async listen(setup: ListenSetup): Promise<Listener> {
			const { mode = 'webhook', staticData = {}, activated = true, onStart = () => {} } = setup;
			const node = nodeOf(setup);
			const nodeType = nodeTypeOf(node.type);
			const started: Listener['started'] = [];
			const running: Array<Promise<void>> = [];

			const save = (workflow: Workflow) => {
				if (workflow.staticData.__dataChanged) Object.assign(staticData, viaDatabase(workflow.staticData));
			};

			/** WorkflowRunner: the execution, with static data of its own. */
			const run = async (items: INodeExecutionData[][]): Promise<void> => {
				const workflow = workflowOf(node, viaDatabase(staticData));
				const data = createRunExecutionData({
					executionData: {
						nodeExecutionStack: [{ node: workflow.nodes[NODE], data: { main: items }, source: null }],
					},
				});
				const executionId = String((executions += 1));
				const hooks = new ExecutionLifecycleHooks(mode, executionId, {} as never);
				const engine = new WorkflowExecute(additionalDataOf(setup, { hooks, executionId }), mode, data);
				const { error } = (await engine.processRunExecutionData(workflow)).data.resultData;
				if (error) throw error;
				save(workflow);
			};

			const webhookOf = (
				workflow: Workflow,
				workflowExecuteAdditionalData: IWorkflowExecuteAdditionalData,
			): IWebhookData => ({
				httpMethod: 'POST',
				node: NODE,
				path: 'webhook',
				webhookDescription: nodeType.description.webhooks![0],
				workflowId: workflow.id,
				workflowExecuteAdditionalData,
			});

			/** WebhookTriggerRegistrar. */
			const activate = async (): Promise<void> => {
				const workflow = workflowOf(node, viaDatabase(staticData));
				const additionalData = additionalDataOf(setup);
				const webhook = webhookOf(workflow, additionalData);
				const context = new HookContext(
					workflow,
					workflow.nodes[NODE],
					additionalData,
					mode,
					'activate',
					webhook,
				);
				const { checkExists, create } = nodeType.webhookMethods!.default!;
				await workflow.expression.acquireIsolate();
				try {
					if (!(await checkExists.call(context))) await create.call(context);
					save(workflow);
				} finally {
					await workflow.expression.releaseIsolate();
				}
			};
			if (activated && mode !== 'manual') await activate();

			const deliver = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
				const readRawBody = async () => {
					Object.assign(request, { rawBody: request.rawBody ?? (await readBody(request)) });
				};
				const express = expressResponse(response);
				let body = {};
				try {
					if (request.headers['content-type']?.startsWith('application/json')) {
						await readRawBody();
						body = JSON.parse(`${request.rawBody}`);
					}
				} catch {
					express.status(422).json({ code: 422, message: 'Failed to parse request body' });
					return;
				}
				const workflow = workflowOf(node, viaDatabase(staticData));
				const additionalData = additionalDataOf(setup, {
					httpRequest: Object.assign(request, { readRawBody, body, params: {}, query: {} }) as never,
					httpResponse: express as never,
				});
				const webhook = webhookOf(workflow, additionalData);
				const context = new WebhookContext(
					workflow,
					workflow.nodes[NODE],
					additionalData,
					mode,
					webhook,
					[],
					null,
				);
				await workflow.expression.acquireIsolate();
				try {
					const result = await nodeType.webhook!.call(context);
					if (result.workflowData) {
						await onStart();
						started.push(result.workflowData);
						running.push(run(result.workflowData));
					} else {
						save(workflow);
					}
					if (!result.noWebhookResponse) {
						const message = result.workflowData ? 'Workflow was started' : 'Webhook call received';
						express.status(200).json(result.webhookResponse ?? { message });
					}
				} catch (error) {
					express
						.status(500)
						.json({ code: 0, message: `Workflow Webhook Error: ${(error as Error).message}` });
				} finally {
					await workflow.expression.releaseIsolate();
				}
			};

			const server = createServer((request, response) => void deliver(request, response));
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			return {
				url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
				started,
				idle: async () => {
					await Promise.all(running);
				},
				close: async () =>
					await new Promise((resolve) => {
						server.close(() => resolve());
						server.closeAllConnections();
					}),
			};
		},
	};
};
