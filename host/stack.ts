import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startSandbox } from '../sandbox/server.ts';
import { connect } from './n8nClient.ts';
import type { Json, N8nClient, Owner, StoredWorkflow, Workflow, WorkflowNode } from './n8nClient.ts';
import { installPackage, startN8n } from './n8n.ts';
import type { N8n } from './n8n.ts';
import { requireControl } from './sandboxClient.ts';

export const CREDENTIAL_TYPE = 'walletServiceApi';
/** The name of the credential in the example workflows. */
export const CREDENTIAL_NAME = 'Wallet Service (sandbox)';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The sandbox and a real n8n that are connected. n8n has the packed package, a credential and the examples. */
export interface Stack {
	sandbox: Sandbox;
	n8n: N8n;
	client: N8nClient;
	credential: { id: string; data: Json };
	examples: Examples;
	/** Calls a control of the sandbox, a path below `/_sandbox`. Returns the body of the answer; throws on an error. */
	control: (method: 'GET' | 'PUT' | 'POST', path: string, body?: Json) => Promise<Json>;
	/** Stops both. */
	stop: () => Promise<void>;
}

export interface StackOptions {
	/** The folder with n8n's database and settings. */
	userFolder: string;
	/** The sandbox's database file. Without it, the sandbox keeps its data in memory. */
	sandboxDatabase?: string;
	owner: Owner;
	/** Starts n8n with the package in it, as one process by default. */
	start?: (userFolder: string) => Promise<N8n>;
	/** Gets progress messages. */
	say?: (text: string) => void;
}

/**
 * All examples are imported, and the two of the main job are published. Those from an earlier start stay unchanged, since
 * a person may have edited them.
 */
export interface Examples {
	deposits: StoredWorkflow;
	payouts: StoredWorkflow;
	crashProof: StoredWorkflow;
	/** By file name, without `.json`. */
	all: Map<string, StoredWorkflow>;
}

/** Starts everything. If a part does not start, the others are stopped and the reason is thrown. */
export async function startStack({
	userFolder,
	sandboxDatabase,
	owner,
	start = startSingleProcess,
	say = () => {},
}: StackOptions): Promise<Stack> {
	const running: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const end of running.splice(0).reverse()) await end();
	};
	try {
		say('Starting the sandbox of the service');
		const sandbox = await startSandbox({ port: 0, db: sandboxDatabase });
		running.push(() => sandbox.stop());
		const control: Stack['control'] = (method, path, body) =>
			requireControl(sandbox, `${method} ${path.replace('/', '')}`, body);

		say('Starting n8n with the package in it (takes about ten seconds)');
		const n8n = await start(userFolder);
		running.push(() => n8n.stop());

		say('Logging in, creating the credential, importing and publishing the examples');
		const client = await connect(n8n.url, owner);
		const data = {
			baseUrl: sandbox.url,
			apiKey: sandbox.key,
			signatureSecret: sandbox.secret,
			webhookSecret: sandbox.webhookSecret,
		};
		const credential = { id: await client.saveCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME, data), data };
		const examples = await importExamples(client, credential.id);
		// A person may have removed the trigger of an earlier example.
		const url = triggerOf(examples.deposits) ? webhookUrl(n8n, examples.deposits) : null;
		await control('PUT', '/webhook', { url });
		return { sandbox, n8n, client, credential, examples, control, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startSingleProcess(userFolder: string): Promise<N8n> {
	await installPackage(userFolder);
	return await startN8n({ userFolder });
}

/** The owner of every n8n that lasts for one run. */
export const TEMPORARY_OWNER: Owner = { email: 'owner@example.com', password: 'Only4ThisRun' };

/** Starts a stack for one run, in a temporary folder that `stop` deletes. */
export async function startTemporaryStack(): Promise<Stack> {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-n8n-'));
	const remove = () => rmSync(userFolder, { recursive: true, force: true });
	try {
		const stack = await startStack({ userFolder, owner: TEMPORARY_OWNER });
		const stop = async () => {
			await stack.stop();
			remove();
		};
		return { ...stack, stop };
	} catch (error) {
		remove();
		throw error;
	}
}

/** The production URL of a workflow's Wallet Service Trigger. */
export function webhookUrl(n8n: N8n, workflow: Workflow): string {
	const trigger = triggerOf(workflow);
	if (trigger?.webhookId === undefined) throw new Error(`${workflow.name} has no trigger with a webhook ID`);
	return `${n8n.webhooks}/webhook/${trigger.webhookId}/webhook`;
}

function triggerOf({ nodes }: Workflow): WorkflowNode | undefined {
	return nodes.find(({ type }) => type.endsWith('.walletServiceTrigger'));
}

interface ImportOptions {
	publish?: boolean;
	/** The workflow that the example calls. */
	called?: StoredWorkflow;
}

async function importExamples(client: N8nClient, credentialId: string): Promise<Examples> {
	const all = new Map<string, StoredWorkflow>();
	const importExample = async (name: string, { publish = false, called }: ImportOptions = {}) => {
		const workflow = JSON.parse(readFileSync(join('examples', `${name}.json`), 'utf8')) as Workflow;
		const earlier = await client.workflowNamed(workflow.name);
		const stored = earlier ?? (await client.saveWorkflow(fillIn(workflow, credentialId, called)));
		if (earlier === undefined && publish) await client.publish(stored);
		// n8n publishes its active workflows after it has started.
		if (earlier?.active) await client.listening(earlier);
		all.set(name, stored);
		return stored;
	};
	// n8n does not publish a workflow that calls an unpublished one.
	const payouts = await importExample('payouts-from-list', { publish: true });
	const deposits = await importExample('deposit-to-item', { publish: true, called: payouts });
	for (const file of readdirSync('examples')) {
		const name = basename(file, '.json');
		if (!all.has(name)) await importExample(name);
	}
	const crashProof = all.get('crash-proof-payouts');
	if (crashProof === undefined) throw new Error('examples/crash-proof-payouts.json is missing');
	return { payouts, deposits, crashProof, all };
}

/** Fills in what a person chooses after an import: the credential, and the workflow that this one calls. */
function fillIn(workflow: Workflow, credentialId: string, called?: StoredWorkflow): Workflow {
	const nodes = workflow.nodes.map((node) => {
		if (node.credentials?.[CREDENTIAL_TYPE] !== undefined)
			return { ...node, credentials: { [CREDENTIAL_TYPE]: { id: credentialId, name: CREDENTIAL_NAME } } };
		if (called === undefined || node.type !== 'n8n-nodes-base.executeWorkflow') return node;
		const workflowId = { ...(node.parameters.workflowId as Json), value: called.id };
		return { ...node, disabled: false, parameters: { ...node.parameters, workflowId } };
	});
	return { ...workflow, nodes };
}
