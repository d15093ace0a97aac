/**
 * Calls of the sandbox from workflows of one n8n: by our node, by n8n's HTTP Request with headers made beforehand, and by
 * a Code node that signs and an HTTP Request behind it. The sandbox is another process and checks every signature.
 */
import { createHash } from 'node:crypto';
import { request } from 'undici';
import { itemsOf } from '../host/n8nClient.ts';
import type { Json, N8nClient, StoredWorkflow, WorkflowNode } from '../host/n8nClient.ts';
import { CREDENTIAL_TYPE } from '../host/stack.ts';
import { kill, start } from '../host/sandboxProgram.ts';
import type { SandboxConnection } from '../host/sandboxProgram.ts';
import { control, signed } from '../host/sandboxClient.ts';
import { allEnded, chain, newestExecution, nodeMaker, withHost } from './host.ts';
import type { Host, NodeMaker } from './host.ts';
import { median, turned } from './results.ts';
import type { Options, Report } from './results.ts';

export interface Size {
	/** Items that go in. */
	items: number[];
	rounds: number;
	/** Whether each workflow is executed once before: its first execution finds code that is not compiled yet. */
	warmUp: boolean;
}

const FULL: Size = { items: [1, 100, 1000], rounds: 6, warmUp: true };
export const SHORT: Size = { items: [1, 20], rounds: 1, warmUp: false };

/** n8n gives whole milliseconds, so a single item goes through so many nodes of the same kind, one after another. */
const COPIES = 25;

/** The sandbox takes a signature for five minutes. */
const FRESH_MS = 100_000;

const OURS = 'Wallet Service';
const HTTP = 'HTTP Request';
const CODE = 'Code that signs + HTTP Request';
const LOOP = 'Loop Over Items + HTTP Request';

interface Call {
	name: string;
	path: string;
	/** Parameters of our node. */
	ours: Json;
	/** JSON for HTTP Request, as people write it. */
	body: string;
	/** What is signed beforehand: the same for each item. */
	sent: string;
	/** The same in the Code node. */
	code: string;
	/** Options of HTTP Request. */
	options: Json;
	sides: string[];
	/** The smallest ratio to HTTP Request. */
	target: number;
}

const ITEM = { currency: 'NGN', amount: '0.01', account_alias: 'supplier-main' };

const located = (mode: string, name: string) => ({ __rl: true, mode, value: `={{ $json.${name} }}` });

const CALLS: Call[] = [
	{
		name: 'Reads (POST /v1/fiat_balance)',
		path: '/v1/fiat_balance',
		ours: { resource: 'fiatWallet', operation: 'getBalance', currency: located('code', 'currency') },
		body: '={"currency":"{{ $json.currency }}"}',
		sent: '{"currency":"NGN"}',
		code: '{ currency: json.currency }',
		options: {},
		sides: [OURS, HTTP, CODE],
		target: 1,
	},
	{
		name: 'Money calls (POST /v1/fiat_payout)',
		path: '/v1/fiat_payout',
		ours: {
			resource: 'fiatWallet',
			operation: 'createPayout',
			currency: located('code', 'currency'),
			amount: '={{ $json.amount }}',
			account_alias: located('alias', 'account_alias'),
			options: {},
		},
		body: '={"currency":"{{ $json.currency }}","amount":{{ $json.amount }},"account_alias":"{{ $json.account_alias }}"}',
		sent: '{"currency":"NGN","amount":0.01,"account_alias":"supplier-main"}',
		code: '{ currency: json.currency, amount: Number(json.amount), account_alias: json.account_alias }',
		options: { batching: { batch: { batchSize: 1, batchInterval: 0 } } },
		sides: [OURS, HTTP, CODE, LOOP],
		target: 0.95,
	},
];

export const title = 'Action';
export const how = `Items per second through our node, through n8n's HTTP Request and through a Code node that signs with HTTP Request behind it, in
published workflows of one n8n, on the same routes of one sandbox in another process, which checks every signature. Time is that which
n8n notes for the nodes; a single item goes through ${COPIES} nodes one after another, since n8n notes whole milliseconds. HTTP Request has
Header Auth and two fixed headers with a signature made beforehand, so it signs nothing and the sandbox has the same work. Its
reads have the default options, which start all items at once. Sides take turns, in changing order, ${FULL.rounds} rounds; figures are medians,
ratios the median of the ratios of each round.`;

const WHY = `What explains a miss: n8n 2.41.1 evaluates each expression in an isolate. For a declarative node its RoutingNode evaluates, for each
item, what the user has set for every property of the description, also of those that are not shown, and does all of it a second time to
find the base URL (\`resolveBaseUrl\`). HTTP Request evaluates each of its own once. Money calls evaluate theirs once more, since all
items are checked before the first is sent. So a read with one expression takes three evaluations, a payout with three takes nine.

Before and after: with a property of the same name for each resource, the base URL as an expression, and the run looked up for each item,
they were 9 and 20, and the ratios for 100 items 0.6 (reads), 0.37 (payouts) and 0.5 to 0.6 (payouts, to the loop).

HTTP Request with batch size 1 is not one at a time: it does not wait for answers. Of 10 items it had 10 requests under way at once, with
an interval of 0 and of 1 ms; our payouts had one. What waits is Loop Over Items around it, which is therefore measured too.`;

export async function run(report: Report, { short }: Options): Promise<void> {
	await withHost((host) => measure(host, report, short ? SHORT : FULL));
}

/** Throws where an item does not come out as it should. */
export async function measure(host: Host, report: Report, size: Size): Promise<void> {
	// A payout that settles later would be work in another round.
	const { child, sandbox } = await start('--settle-after', 'never');
	try {
		const node = await nodeMaker(host.client);
		const published = new Map<string, Published>();
		/** Published anew before the sandbox would find that a signature made beforehand is too old. */
		const fresh = async (run: Run): Promise<Published> => {
			const name = `${run.call.path} ${run.side} ${run.copies}`;
			const known = published.get(name);
			if (known !== undefined && Date.now() - known.at < FRESH_MS) return known;
			const made = await publish(host.client, node, sandbox, name, run);
			published.set(name, made);
			return made;
		};
		for (const call of CALLS) {
			for (const items of size.items) {
				const copies = items === 1 ? COPIES : 1;
				report.group(`${call.name}: ${items} ${items === 1 ? 'item' : 'items'}`);
				const play = async (side: string) => {
					await control(sandbox, 'POST reset');
					const milliseconds = await time(host, await fresh({ call, side, copies }), items);
					return (items * copies * 1000) / milliseconds;
				};
				if (size.warmUp) for (const side of call.sides) await play(side);
				const rounds: Array<Record<string, number>> = [];
				for (let round = 0; round < size.rounds; round++) {
					const rates: Record<string, number> = {};
					for (const side of turned(call.sides, round)) rates[side] = await play(side);
					rounds.push(rates);
				}
				tell(report, call, rounds);
			}
		}
		if (report.misses.length > 0) report.note(WHY);
	} finally {
		await kill(child, 'SIGKILL');
	}
}

function tell(report: Report, { sides, target }: Call, rounds: Array<Record<string, number>>): void {
	for (const side of sides) {
		const rate = median(rounds.map((rates) => rates[side]));
		report.row({ what: side, figure: `${rate.toFixed(0)} items/s` });
	}
	for (const other of sides.slice(1)) {
		const ratio = median(rounds.map((rates) => rates[OURS] / rates[other]));
		report.row({
			what: `ours to ${other}`,
			figure: ratio.toFixed(3),
			...(other === HTTP && { target: `>= ${target}`, met: ratio >= target }),
		});
	}
}

interface Run {
	call: Call;
	side: string;
	copies: number;
}

interface Published {
	/** Milliseconds since 1970. */
	at: number;
	workflow: StoredWorkflow;
	/** Of the webhook that starts it. */
	path: string;
	/** Names of the nodes of each branch; the last one gives the results. */
	branches: string[][];
}

/** Executes a workflow once. Gives the milliseconds that the nodes of its branches took. */
async function time(host: Host, { workflow, path, branches }: Published, items: number): Promise<number> {
	const since = newestExecution(host);
	const { statusCode, body } = await request(`${host.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	const text = await body.text();
	if (statusCode !== 200) throw new Error(`${workflow.name}: ${statusCode} ${text}`);
	await allEnded(host, workflow.id, since, 1);
	const execution = await host.client.ended(String(newestExecution(host)));
	for (const branch of branches) {
		const results = itemsOf(execution, branch.at(-1)!);
		const good = results.filter(({ currency, error }) => currency === ITEM.currency && error === undefined);
		if (good.length !== items || results.length !== items)
			throw new Error(`${workflow.name}: ${good.length} of ${items} items came out well`);
	}
	const runs = branches.flat().flatMap((name) => execution.data.resultData.runData[name]);
	// Never nothing, where n8n's clock is too coarse.
	return Math.max(
		1,
		runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
	);
}

/** A webhook, a node that makes as many items as the webhook is told, and behind it each branch with all of them. */
async function publish(
	client: N8nClient,
	node: NodeMaker,
	sandbox: SandboxConnection,
	name: string,
	{ call, side, copies }: Run,
): Promise<Published> {
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
	const make = await SIDES[side](client, node, sandbox, call);
	const branches = Array.from({ length: copies }, (_, copy) => make(` ${copy}`, copy));
	const workflow = await client.saveWorkflow({
		name,
		nodes: [trigger, items, ...branches.flatMap(({ nodes }) => nodes)],
		connections: {
			...chain([trigger.name, items.name]),
			[items.name]: { main: [branches.map(({ nodes }) => to(nodes[0]))] },
			...Object.assign({}, ...branches.map(({ connections }) => connections)),
		},
	});
	await client.publish(workflow);
	return {
		at,
		workflow,
		path,
		branches: branches.map(({ nodes }) => nodes.map((each) => each.name)),
	};
}

interface Branch {
	/** The last one gives the results. */
	nodes: WorkflowNode[];
	connections: Json;
}

type MakeBranch = (suffix: string, row: number) => Branch;

type MakeSide = (
	client: N8nClient,
	node: NodeMaker,
	sandbox: SandboxConnection,
	call: Call,
) => Promise<MakeBranch>;

const to = ({ name }: WorkflowNode) => ({ node: name, type: 'main', index: 0 });

const place = (column: number, row: number) => ({ position: [column * 200, row * 200] as [number, number] });

const SIDES: Record<string, MakeSide> = {
	[OURS]: async (client, node, sandbox, call) => {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.key, signatureSecret: sandbox.secret };
		const credentials = await credential(client, CREDENTIAL_TYPE, data);
		return (suffix, row) => ({
			nodes: [
				node(OURS + suffix, 'n8n-nodes-wallet-service.walletService', call.ours, {
					credentials,
					...place(2, row),
				}),
			],
			connections: {},
		});
	},
	[HTTP]: async (client, node, sandbox, call) => {
		const http = await fixedHttp(client, node, sandbox, call);
		return (suffix, row) => ({ nodes: [http(HTTP + suffix, row)], connections: {} });
	},
	[LOOP]: async (client, node, sandbox, call) => {
		const http = await fixedHttp(client, node, sandbox, call);
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
				connections: { [loop.name]: { main: [[], [to(body)]] }, [body.name]: { main: [[to(loop)]] } },
			};
		};
	},
	[CODE]: async (client, node, sandbox, call) => {
		const credentials = await credential(client, 'httpHeaderAuth', { name: 'x-svc-key', value: sandbox.key });
		return (suffix, row) => {
			const sign = node(
				`Sign${suffix}`,
				'n8n-nodes-base.code',
				{ jsCode: signer(sandbox, call) },
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

async function credential(client: N8nClient, type: string, data: Json): Promise<WorkflowNode['credentials']> {
	return { [type]: { id: await client.saveCredential(type, type, data), name: type } };
}

/** HTTP Request nodes that send the same signature with every item, which the sandbox takes for five minutes. */
async function fixedHttp(client: N8nClient, node: NodeMaker, sandbox: SandboxConnection, call: Call) {
	const credentials = await credential(client, 'httpHeaderAuth', { name: 'x-svc-key', value: sandbox.key });
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

/** What a person writes who has read how requests are signed. */
function signer({ secret }: SandboxConnection, { path, code }: Call): string {
	return `const { createHmac } = require('crypto');
return $input.all().map(({ json }) => {
	const timestamp = String(Date.now());
	const body = JSON.stringify(${code});
	const signature = createHmac('sha256', '${secret}').update(timestamp + 'POST' + '${path}' + body).digest('hex');
	return { json: { timestamp, signature, body } };
});`;
}
