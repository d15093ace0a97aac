/** The published workflows that the action bench executes. */
import { createHash } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { signed } from '../../host/sandboxClient.ts';
import type { SandboxConnection } from '../../host/sandboxProgram.ts';
import { elementAt } from '../shared/lists.ts';
import {
	ACTION_NODE,
	chain,
	connectionTo,
	node,
	NULL_NODE,
	saveCredential,
} from '../shared/workflowParts.ts';
import { CODE, HTTP, ITEM, LOOP, NULL, OURS } from './calls.ts';
import type { Call, Contender } from './calls.ts';

/** What a workflow is made with. */
export interface Dependencies {
	client: N8nClient;
	sandbox: SandboxConnection;
}

export interface Run {
	call: Call;
	contender: Contender;
	/** How many branches of the workflow do the same, one after another. */
	copies: number;
}

export interface PublishedRun {
	/** Milliseconds since 1970. */
	at: number;
	workflow: StoredWorkflow;
	/** Of the webhook that starts it. */
	path: string;
	/** Names of the nodes of each branch; the last one gives the results. */
	branches: string[][];
}

/** Publishes a webhook, a node that makes as many items as the webhook says, and then the branches, each with all items. */
export async function publishRun(dependencies: Dependencies, name: string, run: Run): Promise<PublishedRun> {
	const { client } = dependencies;
	const path = createHash('sha256').update(name).digest('hex');
	const trigger = node(
		'Start',
		'n8n-nodes-base.webhook',
		{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		{ webhookId: path },
	);
	const items = node('Items', 'n8n-nodes-base.code', {
		jsCode: `return Array.from({ length: $input.first().json.body.items }, () => ({ json: ${JSON.stringify(ITEM)} }));`,
	});
	const at = Date.now();
	const makeBranch = await BRANCHES[run.contender](dependencies, run.call);
	const branches = Array.from({ length: run.copies }, (_, copy) => makeBranch(` ${copy}`, copy));
	const connections: Json = {
		...chain([trigger.name, items.name]),
		[items.name]: { main: [branches.map(({ nodes }) => connectionTo(elementAt(nodes, 0).name))] },
	};
	for (const branch of branches) Object.assign(connections, branch.connections);
	const workflow = await client.saveWorkflow({
		name,
		nodes: [trigger, items, ...branches.flatMap(({ nodes }) => nodes)],
		connections,
	});
	await client.publish(workflow);
	return { at, workflow, path, branches: branches.map(({ nodes }) => nodes.map((each) => each.name)) };
}

interface Branch {
	/** The last one gives the results. */
	nodes: WorkflowNode[];
	connections: Json;
}

type BranchMaker = (suffix: string, row: number) => Branch;

const place = (column: number, row: number) => ({ position: [column * 200, row * 200] as [number, number] });

const BRANCHES: Record<Contender, (dependencies: Dependencies, call: Call) => Promise<BranchMaker>> = {
	[OURS]: async ({ client, sandbox }, { ours }) => {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
		const credentials = await saveCredential(client, CREDENTIAL_TYPE, data, 'Wallet Service of the payer');
		return (suffix, row) => ({
			nodes: [node(OURS + suffix, ACTION_NODE, ours, { credentials, ...place(2, row) })],
			connections: {},
		});
	},
	[NULL]: async ({ client, sandbox }, { path, sent }) => {
		const credentials = await keyHeader(client, sandbox);
		const headers = signed(sandbox, 'POST', path, sent, Date.now());
		const parameters = {
			baseUrl: sandbox.url,
			timestamp: headers['x-svc-timestamp'],
			signature: headers['x-svc-signature'],
			currency: '={{ $json.currency }}',
		};
		return (suffix, row) => ({
			nodes: [node(NULL + suffix, NULL_NODE, parameters, { credentials, ...place(2, row) })],
			connections: {},
		});
	},
	[HTTP]: async (dependencies, call) => {
		const http = await presignedHttp(dependencies, call);
		return (suffix, row) => ({ nodes: [http(HTTP + suffix, row)], connections: {} });
	},
	[LOOP]: async (dependencies, call) => {
		const http = await presignedHttp(dependencies, call);
		return (suffix, row) => {
			const loop = node(
				`Loop${suffix}`,
				'n8n-nodes-base.splitInBatches',
				{ batchSize: 1, options: {} },
				place(2, row),
			);
			const body = http(HTTP + suffix, row);
			return {
				nodes: [loop, body],
				connections: {
					[loop.name]: { main: [[], [connectionTo(body.name)]] },
					[body.name]: { main: [[connectionTo(loop.name)]] },
				},
			};
		};
	},
	[CODE]: async ({ client, sandbox }, call) => {
		const credentials = await keyHeader(client, sandbox);
		return (suffix, row) => {
			const sign = node(
				`Sign${suffix}`,
				'n8n-nodes-base.code',
				{ jsCode: signingCode(sandbox, call) },
				place(2, row),
			);
			const send = node(
				HTTP + suffix,
				'n8n-nodes-base.httpRequest',
				{
					...httpParameters(sandbox, call, '={{ $json.timestamp }}', '={{ $json.signature }}'),
					contentType: 'raw',
					rawContentType: 'application/json',
					body: '={{ $json.body }}',
				},
				{ credentials, ...place(3, row) },
			);
			return { nodes: [sign, send], connections: chain([sign.name, send.name]) };
		};
	},
};

function keyHeader(client: N8nClient, { key }: SandboxConnection) {
	return saveCredential(client, 'httpHeaderAuth', { name: 'x-svc-key', value: key }, 'Key of the payer');
}

/** Makes HTTP Request nodes that send one signature with every item; the sandbox accepts it for five minutes. */
async function presignedHttp({ client, sandbox }: Dependencies, call: Call) {
	const credentials = await keyHeader(client, sandbox);
	const headers = signed(sandbox, 'POST', call.path, call.sent, Date.now());
	const parameters = {
		...httpParameters(sandbox, call, headers['x-svc-timestamp'], headers['x-svc-signature']),
		specifyBody: 'json',
		jsonBody: call.body,
	};
	return (name: string, row: number) =>
		node(name, 'n8n-nodes-base.httpRequest', parameters, { credentials, ...place(3, row) });
}

function httpParameters(
	{ url }: SandboxConnection,
	{ path, options }: Call,
	timestamp: string,
	signature: string,
): Json {
	return {
		method: 'POST',
		url: url + path,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendHeaders: true,
		headerParameters: {
			parameters: [
				{ name: 'x-svc-timestamp', value: timestamp },
				{ name: 'x-svc-signature', value: signature },
			],
		},
		sendBody: true,
		options,
	};
}

/** The Code node that a user writes from the description of how requests are signed. */
function signingCode({ secret }: SandboxConnection, { path, code }: Call): string {
	return `const { createHmac } = require('crypto');
return $input.all().map(({ json }) => {
	const timestamp = String(Date.now());
	const body = JSON.stringify(${code});
	const signature = createHmac('sha256', '${secret}').update(timestamp + 'POST' + '${path}' + body).digest('hex');
	return { json: { timestamp, signature, body } };
});`;
}
