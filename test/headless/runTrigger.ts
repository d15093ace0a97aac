import './environment.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { ExecutionLifecycleHooks, HookContext, WebhookContext, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	resolveWebhookDescriptionField,
	type INodeExecutionData,
	type IWebhookData,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { newExecutionId, NODE, withExpressions, type Engine, type NodeSetup } from './engine.ts';
import { serve } from '../../host/doubles/loopbackServer.ts';
import { send } from '../../host/http.ts';

export interface ListenSetup extends NodeSetup {
	/** Default `webhook`; `manual` for "Execute step" in the editor. */
	mode?: WorkflowExecuteMode;
	/** Default true: the workflow is activated with this set-up. False: it was activated with another one. */
	activated?: boolean;
	/** Called when n8n stores an execution, before it answers. An error that it throws becomes n8n's 500. */
	onStart?: () => void | Promise<void>;
	/** What follows the trigger. An error that it throws fails the workflow. */
	rest?: () => void | Promise<void>;
	/** Default false. True: n8n is killed when it has stored an execution. */
	killed?: boolean;
	/** Of the workflow; n8n's usual ones by default. */
	settings?: IWorkflowSettings;
}

export type Listener = Awaited<ReturnType<typeof listen>>;

/** A copy that went through the database. */
const copyThroughDatabase = <T>(data: T) => JSON.parse(JSON.stringify(data)) as T;

/** The bytes of the body as they were before the sender compressed them. */
const decompressed = (request: IncomingMessage): Readable =>
	request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;

/** The part of an Express response that a webhook node uses. */
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

/** Activates a workflow with the trigger, then serves a URL where each POST is one delivery, as n8n's webhook handler does. */
export const listen = async (engine: Engine, setup: ListenSetup) => {
	const { mode = 'webhook', activated = true, onStart = () => {}, rest = () => {}, settings } = setup;
	const node = engine.nodeOf(setup);
	const nodeType = engine.nodeTypeOf(node);
	const started: INodeExecutionData[][][] = [];
	let arrived = 0;
	const running: Array<Promise<ITaskData>> = [];

	const load = () => {
		const workflow = engine.workflowOf(node, settings);
		return { workflow, trigger: workflow.getNode(NODE)! };
	};

	/** As WorkflowRunner of n8n. */
	const start = (items: INodeExecutionData[][], executionId = newExecutionId(), runMode = mode) => {
		const { workflow, trigger } = load();
		const nodeExecutionStack = [{ node: trigger, data: { main: copyThroughDatabase(items) }, source: null }];
		const data = createRunExecutionData({ executionData: { nodeExecutionStack } });
		const hooks = new ExecutionLifecycleHooks(runMode, executionId, {} as never);
		const additionalData = engine.additionalDataOf(setup, { hooks, executionId });
		const execution = new WorkflowExecute(additionalData, runMode, data);
		const ended = Promise.resolve(execution.processRunExecutionData(workflow));
		const result = ended.then((run) => run.data.resultData.runData[NODE]![0]!);
		running.push(result);
		return result;
	};

	/** The answer with responseMode `lastNode`: the data of the last node, as n8n gives it with its default for responseData. */
	const answerAtEnd = async (result: Promise<ITaskData>, express: ReturnType<typeof expressResponse>) => {
		try {
			const { data, error } = await result;
			if (error) throw error;
			await rest();
			express.status(200).json(data!.main!.flatMap((items) => items!.map(({ json }) => json)));
		} catch {
			express.status(500).json({ message: 'Error in workflow' });
		}
	};

	const webhookDescription = nodeType.description.webhooks![0]!;
	const webhookOf = ({ id }: Workflow, additionalData: IWorkflowExecuteAdditionalData): IWebhookData => ({
		httpMethod: 'POST',
		node: NODE,
		path: 'webhook',
		workflowId: id,
		webhookDescription,
		workflowExecuteAdditionalData: additionalData,
	});

	/** As WebhookTriggerRegistrar of n8n. */
	const activate = async (): Promise<void> => {
		const { workflow, trigger } = load();
		const additionalData = engine.additionalDataOf(setup);
		const webhook = webhookOf(workflow, additionalData);
		const context = new HookContext(workflow, trigger, additionalData, mode, 'activate', webhook);
		const { checkExists, create } = nodeType.webhookMethods!.default!;
		await withExpressions(workflow, async () => {
			if (!(await checkExists.call(context))) await create.call(context);
		});
	};

	/** Calls the node's `webhook`, starts the workflow if it asks for that, and answers. */
	const callWebhook = async (
		request: IncomingMessage,
		express: ReturnType<typeof expressResponse>,
	): Promise<void> => {
		const { workflow, trigger } = load();
		const additionalData = engine.additionalDataOf(setup, {
			httpRequest: request as never,
			httpResponse: express as never,
		});
		const webhook = webhookOf(workflow, additionalData);
		const context = new WebhookContext(workflow, trigger, additionalData, mode, webhook, [], null);
		await withExpressions(workflow, async () => {
			const native = resolveWebhookDescriptionField(trigger, webhookDescription, 'responseMode');
			const responseMode = native.resolved
				? native.value
				: workflow.expression.getSimpleParameterValue(trigger, webhookDescription.responseMode, mode, {});
			try {
				arrived += 1;
				const { workflowData, ...result } = await nodeType.webhook!.call(context);
				if (workflowData) {
					await onStart();
					started.push(workflowData);
					if (setup.killed) {
						request.socket.destroy();
						return void express.end();
					}
					const execution = start(workflowData);
					if (responseMode === 'lastNode' && !result.noWebhookResponse)
						return void answerAtEnd(execution, express);
				}
				if (responseMode !== 'lastNode' && responseMode !== 'onReceived')
					throw new Error('The response mode is not supported');
				if (!result.noWebhookResponse) express.status(200).json(result.webhookResponse);
			} catch (error) {
				const message = `Workflow Webhook Error: ${(error as Error).message}`;
				express.status(500).json({ code: 0, message });
			}
		});
	};

	/** As n8n for a node above type version 1: reads the bodies of the types that it knows before the node sees them. */
	const deliver = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const readRawBody = async () => {
			if (request.rawBody) return;
			Object.assign(request, { rawBody: await buffer(decompressed(request)) });
		};
		// Of JSON only: no test sends another type that n8n reads.
		if (request.headers['content-type']?.startsWith('application/json')) await readRawBody();
		await callWebhook(
			Object.assign(request, { readRawBody, params: {}, query: {} }),
			expressResponse(response),
		);
	};

	if (activated) await activate();
	const server = await serve((request, response) =>
		request.method === 'GET' ? response.end() : void deliver(request, response),
	);
	return {
		url: `${server.url}/webhook`,
		/** One entry for each started workflow: what the trigger gave to n8n. */
		started,
		/** How many deliveries have reached the node, answered or not. */
		arrived: () => arrived,
		/** Resolves after an answer that was sent before. */
		roundTrip: async () => void (await send(server.url, 'GET')),
		/** Resolves when all started executions have ended, with what each shows of the trigger. */
		runs: async () => await Promise.all(running),
		/** Runs an execution that n8n had stored before it was killed, or "Retry execution" with the mode `retry`. */
		recover: (...execution: Parameters<typeof start>) => void start(...execution),
		/** Resolves when all started executions have ended. Throws if one has failed. */
		idle: async () => {
			for (const { error } of await Promise.all(running)) if (error) throw error;
		},
		close: server.stop,
	};
};
