import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/server.ts';
import { importExamples } from './examples.ts';
import type { Examples } from './examples.ts';
import { startMailbox } from './doubles/mailbox.ts';
import type { Mailbox } from './doubles/mailbox.ts';
import { connect } from './n8n/client.ts';
import type { Json, N8nClient, Owner, StoredWorkflow, Workflow, WorkflowNode } from './n8n/client.ts';
import { installPackage, restartN8n, startN8n, WITHOUT_EDITOR } from './n8n/process.ts';
import type { N8n } from './n8n/process.ts';
import { requireControl } from './sandboxClient.ts';

export const CREDENTIAL_TYPE = 'walletServiceApi';
/** The name of the credential in the example workflows. */
export const CREDENTIAL_NAME = 'Wallet Service (sandbox)';
const MAIL_CREDENTIAL_NAME = 'Mailbox (sandbox)';
/** The example *go live* reads n8n with it, and can change nothing. */
const API_CREDENTIAL_NAME = 'n8n API (read only)';
const READING = ['workflow:list', 'workflow:read', 'execution:list', 'execution:read'];

/** The sandbox, a mailbox and a real n8n that are connected. n8n has the packed package, credentials and the examples. */
export interface Stack {
	sandbox: Awaited<ReturnType<typeof startSandbox>>;
	/** Receives the mails of the examples. */
	mailbox: Mailbox;
	/** A new one after a restart, at the same address. */
	readonly n8n: N8n;
	/** Logged in to the n8n of the first start. */
	client: N8nClient;
	credential: { id: string; data: Json };
	examples: Examples;
	/** Calls a control of the sandbox, a path below `/_sandbox`. Returns the body of the answer; throws on an error. */
	control: (method: 'GET' | 'PUT' | 'POST', path: string, body?: Json) => Promise<Json>;
	/** Kills n8n as a power cut does, or stops it cleanly, and starts it again. Waits until the published workflows listen. */
	restart: (how?: 'kill' | 'stop', ...listening: StoredWorkflow[]) => Promise<void>;
	/** Stops them all. */
	stop: () => Promise<void>;
}

interface StackOptions {
	/** The folder with n8n's database and settings. */
	userFolder: string;
	/** The sandbox's database file. Without it, the sandbox keeps its data in memory. */
	sandboxDatabase?: string;
	owner: Owner;
	/** Starts n8n with the package in it, as one process by default. */
	start?: (userFolder: string) => Promise<N8n>;
	/** Receives progress messages. */
	say?: (text: string) => void;
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
		const mailbox = await startMailbox();
		running.push(() => mailbox.stop());
		const control: Stack['control'] = (method, path, body) =>
			requireControl(sandbox, `${method} ${path.replace('/', '')}`, body);

		say('Starting n8n with the package in it (takes about ten seconds)');
		let n8n = await start(userFolder);
		running.push(() => n8n.stop());

		say('Logging in, creating the credentials, importing and publishing the examples');
		const client = await connect(n8n.url, owner);
		const data = {
			baseUrl: sandbox.url,
			apiKey: sandbox.key,
			signatureSecret: sandbox.secret,
			webhookSecret: sandbox.webhookSecret,
		};
		const credential = { id: await client.saveCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME, data), data };
		const mailId = await client.saveCredential('smtp', MAIL_CREDENTIAL_NAME, mailbox.smtp);
		const apiKey = await client.createApiKey(API_CREDENTIAL_NAME, READING);
		const api = { apiKey, baseUrl: `${n8n.url}/api/v1` };
		const apiId = await client.saveCredential('n8nApi', API_CREDENTIAL_NAME, api);
		const examples = await importExamples(client, {
			[CREDENTIAL_TYPE]: { id: credential.id, name: CREDENTIAL_NAME },
			smtp: { id: mailId, name: MAIL_CREDENTIAL_NAME },
			n8nApi: { id: apiId, name: API_CREDENTIAL_NAME },
		});
		// A person may have removed the trigger of an earlier example.
		const url = triggerOf(examples.deposits) ? webhookUrl(n8n, examples.deposits) : null;
		await control('PUT', '/webhook', { url });
		await control('PUT', '/webhook_names', { names: namesOfUrls(n8n, [...examples.all.values()]) });
		return {
			...{ sandbox, mailbox, client, credential, examples, control, stop },
			get n8n() {
				return n8n;
			},
			restart: async (how = 'kill', ...listening) => {
				n8n = await restartN8n(n8n, how);
				for (const workflow of listening) await client.listening(workflow);
			},
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Starts n8n with the packed package, as one process. */
export async function startSingleProcess(userFolder: string, env?: Record<string, string>): Promise<N8n> {
	await installPackage(userFolder);
	return await startN8n({ userFolder, env });
}

/** The owner of every n8n that lasts for one run. */
export const TEMPORARY_OWNER: Owner = { email: 'owner@example.com', password: 'Only4ThisRun' };

/** Starts a stack for one run, in a temporary folder that `stop` deletes. By default, n8n is one process without an editor. */
export async function startTemporaryStack(
	start: StackOptions['start'] = (folder) => startSingleProcess(folder, WITHOUT_EDITOR),
): Promise<Stack> {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-n8n-'));
	const remove = () => rmSync(userFolder, { recursive: true, force: true });
	try {
		const stack = await startStack({ userFolder, owner: TEMPORARY_OWNER, start });
		const { stop } = stack;
		return Object.assign(stack, { stop: () => stop().then(remove) });
	} catch (error) {
		remove();
		throw error;
	}
}

/** The production URL of a workflow's Wallet Service Trigger, whose webhook has the path `webhook`. */
export function webhookUrl(n8n: N8n, workflow: Workflow): string {
	const { webhookId } = triggerOf(workflow) ?? {};
	if (webhookId === undefined) throw new Error(`${workflow.name} has no webhook of a Wallet Service Trigger`);
	return `${n8n.webhooks}/webhook/${webhookId}/webhook`;
}

/** The names of the workflows behind the URLs of their triggers. */
function namesOfUrls(n8n: N8n, workflows: Workflow[]): Record<string, string> {
	const names: Record<string, string> = {};
	for (const workflow of workflows.filter((each) => triggerOf(each)?.webhookId)) {
		const url = webhookUrl(n8n, workflow);
		names[url] = workflow.name;
		names[url.replace('/webhook/', '/webhook-test/')] = `${workflow.name} (test URL)`;
	}
	return names;
}

/** The production URL of a workflow's form; undefined if a person has removed the form. */
export function formUrl({ n8n }: Pick<Stack, 'n8n'>, { nodes }: Workflow): string | undefined {
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	return form && `${n8n.webhooks}/form/${form.webhookId}`;
}

function triggerOf({ nodes }: Workflow): WorkflowNode | undefined {
	return nodes.find(({ type }) => type.endsWith('.walletServiceTrigger'));
}
