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
/** The name that the example workflows ask for. */
export const CREDENTIAL_NAME = 'Wallet Service (sandbox)';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The sandbox and a real n8n that know each other, with the packed package and the examples live in it. */
export interface Stack {
	sandbox: Sandbox;
	n8n: N8n;
	client: N8nClient;
	credential: { id: string; data: Json };
	examples: Examples;
	/** A call of the sandbox's own controls; gives the body of the answer. Throws where it refuses. */
	control(method: 'GET' | 'PUT' | 'POST', path: string, body?: Json): Promise<Json>;
	/** Ends both; nothing is left running. */
	stop(): Promise<void>;
}

export interface StackOptions {
	/** Where n8n keeps what lasts. */
	userFolder: string;
	/** The sandbox's database file; in memory without one. */
	sandboxDatabase?: string;
	owner: Owner;
	/** Starts n8n with the package in it: one process where nothing else is said. */
	start?: (userFolder: string) => Promise<N8n>;
	/** Told what happens, in words. */
	say?: (text: string) => void;
}

/**
 * All are imported, and the two of the main job are published. Those that are there from an earlier start are left as they
 * are, since a person may have changed them.
 */
export interface Examples {
	deposits: StoredWorkflow;
	payouts: StoredWorkflow;
	crashProof: StoredWorkflow;
	/** Each under the name of its file, without `.json`. */
	all: Map<string, StoredWorkflow>;
}

/** Starts everything. Where a part does not start, those before it are stopped and the reason is thrown. */
export async function startStack({
	userFolder,
	sandboxDatabase,
	owner,
	start = startAlone,
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

		say('Logging in, making the credential, importing and publishing the examples');
		const client = await connect(n8n.url, owner);
		const data = {
			baseUrl: sandbox.url,
			apiKey: sandbox.key,
			signatureSecret: sandbox.secret,
			webhookVerification: 'hmac',
			webhookSecret: sandbox.webhookSecret,
		};
		const credential = { id: await client.saveCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME, data), data };
		const examples = await importExamples(client, credential.id);
		// A kept example may have lost its trigger.
		const url = triggerOf(examples.deposits) ? webhookUrl(n8n, examples.deposits) : null;
		await control('PUT', '/webhook', { url });
		return { sandbox, n8n, client, credential, examples, control, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startAlone(userFolder: string): Promise<N8n> {
	await installPackage(userFolder);
	return await startN8n({ userFolder });
}

/** Of every n8n that lives for one run only. */
export const TEMPORARY_OWNER: Owner = { email: 'owner@example.com', password: 'Only4ThisRun' };

/** A stack for one run, in a folder of its own that goes with it. */
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

/** The production URL of a workflow's wallet service trigger. */
export function webhookUrl(n8n: N8n, workflow: Workflow): string {
	return `${n8n.webhooks}/webhook/${triggerOf(workflow)!.webhookId}/webhook`;
}

function triggerOf({ nodes }: Workflow): WorkflowNode | undefined {
	return nodes.find(({ type }) => type.endsWith('.walletServiceTrigger'));
}

interface Provision {
	publish?: boolean;
	/** The workflow that this one calls. */
	called?: StoredWorkflow;
}

async function importExamples(client: N8nClient, credentialId: string): Promise<Examples> {
	const all = new Map<string, StoredWorkflow>();
	const provide = async (name: string, { publish = false, called }: Provision = {}) => {
		const workflow = JSON.parse(readFileSync(join('examples', `${name}.json`), 'utf8')) as Workflow;
		const kept = await client.workflowNamed(workflow.name);
		const stored = kept ?? (await client.saveWorkflow(fillIn(workflow, credentialId, called)));
		if (kept === undefined && publish) await client.publish(stored);
		// n8n has just been started and may still be at it.
		if (kept?.active) await client.listening(kept);
		all.set(name, stored);
		return stored;
	};
	// n8n publishes no workflow that calls an unpublished one.
	const payouts = await provide('payouts-from-list', { publish: true });
	const deposits = await provide('deposit-to-item', { publish: true, called: payouts });
	for (const file of readdirSync('examples')) {
		const name = basename(file, '.json');
		if (!all.has(name)) await provide(name);
	}
	return { payouts, deposits, crashProof: all.get('crash-proof-payouts')!, all };
}

/** What a person chooses after an import: the credential, and the workflow that another one calls. */
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
