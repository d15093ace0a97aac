/** The two calls that the action bench makes, and the workflows of the nodes that make them. */
import { randomUUID } from 'node:crypto';
import type { Json, N8nClient, StoredWorkflow, WorkflowNode } from '../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../host/stack.ts';
import { signed } from '../host/sandboxClient.ts';
import type { SandboxConnection } from '../host/sandboxProgram.ts';
import { ACTION_NODE, chain, connectionTo, node, NULL_NODE, saveCredential } from './shared/workflowParts.ts';

export const OURS = 'Wallet Service';
const HTTP = 'HTTP Request';
const CODE = 'Code that signs + HTTP Request';
const LOOP = 'Loop Over Items + HTTP Request';
/** A declarative node with one operation and nothing else. */
const NULL = 'Null Node';
export type Contender = typeof OURS | typeof HTTP | typeof CODE | typeof LOOP | typeof NULL;

export interface Call {
	name: string;
	kind: 'read' | 'money';
	path: string;
	/** Parameters of our node. */
	ours: Json;
	/** The JSON body of HTTP Request, as a user writes it. */
	body: string;
	/** The body of every item. Its signature is made beforehand. */
	sent: string;
	/** The body as an expression of the Code node. */
	code: string;
	/** Options of HTTP Request. */
	options: Json;
	/** What our node is compared with. The first one has the target. */
	others: Contender[];
	/** The smallest acceptable ratio to the first one, for each number of items. */
	least: number[];
}

/** The input of every call. */
export const ITEM = { currency: 'NGN', amount: '0.01', account_alias: 'supplier-main' };

const locator = (mode: string, field: string) => ({ __rl: true, mode, value: `={{ $json.${field} }}` });

export const CALLS: Call[] = [
	{
		name: 'Reads (POST /v1/fiat_balance)',
		kind: 'read',
		path: '/v1/fiat_balance',
		ours: { resource: 'fiatWallet', operation: 'getBalance', currency: locator('code', 'currency') },
		body: '={"currency":"{{ $json.currency }}"}',
		sent: '{"currency":"NGN"}',
		code: '{ currency: json.currency }',
		options: {},
		others: [NULL, HTTP, CODE],
		least: [0.95, 0.95, 0.95],
	},
	{
		name: 'Money calls (POST /v1/fiat_payout)',
		kind: 'money',
		path: '/v1/fiat_payout',
		ours: {
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: locator('code', 'currency'),
			amount: '={{ $json.amount }}',
			account_alias: locator('alias', 'account_alias'),
			options: {},
		},
		body: '={"currency":"{{ $json.currency }}","amount":{{ $json.amount }},"account_alias":"{{ $json.account_alias }}"}',
		sent: '{"currency":"NGN","amount":0.01,"account_alias":"supplier-main"}',
		code: '{ currency: json.currency, amount: Number(json.amount), account_alias: json.account_alias }',
		options: { batching: { batch: { batchSize: 1, batchInterval: 0 } } },
		others: [LOOP, HTTP, CODE],
		least: [1, 1.1, 1.2],
	},
];

export interface PublishedRun {
	workflow: StoredWorkflow;
	/** Of the webhook that starts it. */
	path: string;
	/** Names of the nodes of each branch. The last one returns the results. */
	branches: string[][];
}

/**
 * Publishes a webhook, a node that makes as many items as the webhook says, and `copies` branches that do the same, one after another.
 * Signatures that are made beforehand are made now. The sandbox accepts them for five minutes.
 */
export async function publishRun(
	client: N8nClient,
	sandbox: SandboxConnection,
	call: Call,
	contender: Contender,
	copies: number,
): Promise<PublishedRun> {
	const path = randomUUID();
	const webhook = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	const jsCode = `return Array.from({ length: $input.first().json.body.items }, () => ({ json: ${JSON.stringify(ITEM)} }));`;
	const makeBranch = await branchMaker(contender, client, sandbox, call);
	const branches = Array.from({ length: copies }, (_, copy) => makeBranch(` ${copy}`));
	const connections: Json = {
		Start: { main: [[connectionTo('Items')]] },
		Items: { main: [branches.flatMap(([first]) => (first === undefined ? [] : connectionTo(first.name)))] },
	};
	for (const nodes of branches) {
		const names = nodes.map(({ name }) => name);
		Object.assign(connections, contender === LOOP ? loop(names) : chain(names));
	}
	const workflow = await client.saveWorkflow({
		name: `${call.name} ${contender}`,
		nodes: [
			node('Start', 'n8n-nodes-base.webhook', webhook, { webhookId: path }),
			node('Items', 'n8n-nodes-base.code', { jsCode }),
			...branches.flat(),
		],
		connections,
	});
	await client.publish(workflow);
	return { workflow, path, branches: branches.map((nodes) => nodes.map(({ name }) => name)) };
}

/** Connections of Loop Over Items: its second output leads to the body, and the body back to it. */
function loop([loopName = '', body = '']: string[]): Json {
	return {
		[loopName]: { main: [[], [connectionTo(body)]] },
		[body]: { main: [[connectionTo(loopName)]] },
	};
}

/** Returns a function that makes the nodes of a branch. All their names end in the suffix. */
async function branchMaker(
	contender: Contender,
	client: N8nClient,
	sandbox: SandboxConnection,
	call: Call,
): Promise<(suffix: string) => WorkflowNode[]> {
	if (contender === OURS) {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
		const credentials = await saveCredential(client, CREDENTIAL_TYPE, data, 'Wallet Service of the payer');
		return (suffix) => [node(OURS + suffix, ACTION_NODE, call.ours, { credentials })];
	}
	const header = { name: 'x-svc-key', value: sandbox.key };
	const credentials = await saveCredential(client, 'httpHeaderAuth', header, 'Key of the payer');
	const headers = signed(sandbox, 'POST', call.path, call.sent, Date.now());
	const [timestamp, signature] = [headers['x-svc-timestamp'], headers['x-svc-signature']];
	if (contender === NULL) {
		const parameters = { baseUrl: sandbox.url, timestamp, signature, currency: '={{ $json.currency }}' };
		return (suffix) => [node(NULL + suffix, NULL_NODE, parameters, { credentials })];
	}
	const http = (suffix: string, signedWith: [string, string], body: Json) => {
		const parameters = { ...httpParameters(sandbox, call, ...signedWith), ...body };
		return node(HTTP + suffix, 'n8n-nodes-base.httpRequest', parameters, { credentials });
	};
	if (contender === CODE)
		return (suffix) => [
			node(`Sign${suffix}`, 'n8n-nodes-base.code', { jsCode: signingCode(sandbox, call) }),
			http(suffix, ['={{ $json.timestamp }}', '={{ $json.signature }}'], {
				contentType: 'raw',
				rawContentType: 'application/json',
				body: '={{ $json.body }}',
			}),
		];
	const loopNode = (suffix: string) =>
		node(`Loop${suffix}`, 'n8n-nodes-base.splitInBatches', { batchSize: 1, options: {} });
	return (suffix) => [
		...(contender === LOOP ? [loopNode(suffix)] : []),
		http(suffix, [timestamp, signature], { specifyBody: 'json', jsonBody: call.body }),
	];
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
