import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/http/server.ts';
import { importExamples } from './examples.ts';
import { startMailbox } from './doubles/mailbox.ts';
import { connect } from './n8n/client.ts';
import type { Json, Owner, StoredWorkflow, Workflow, WorkflowNode } from './n8n/client.ts';
import { FOR_TESTS, installPackage, restartN8n, startN8n, WITHOUT_EDITOR } from './n8n/process.ts';
import type { N8n } from './n8n/process.ts';
import { requireControl } from './sandboxClient.ts';

export const CREDENTIAL_TYPE = 'walletServiceApi';
/** The name of the credential in the example workflows. */
export const CREDENTIAL_NAME = 'Wallet Service (sandbox)';
/** Not executions: who may read those can answer the questions that wait in them. */
const READING = ['workflow:list', 'workflow:read'];

/** The sandbox, a mailbox and a real n8n that are connected. n8n has the packed package, credentials and the examples. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

interface StackOptions {
	/** The folder with n8n's database and settings. */
	userFolder: string;
	/** The sandbox's database file. Without it, the sandbox keeps its data in memory. */
	sandboxDatabase?: string;
	owner: Owner;
	/** Starts n8n with the package in it. */
	start: (userFolder: string) => Promise<N8n>;
	/** The examples to import. By default all of them. */
	examples?: readonly string[];
	/** Receives progress messages. */
	say?: (text: string) => void;
}

/** Starts everything. If a part does not start, the others are stopped and the reason is thrown. */
export async function startStack({
	userFolder,
	sandboxDatabase,
	owner,
	start,
	examples: wanted,
	say = () => {},
}: StackOptions) {
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
		/** Calls a control of the sandbox, a path below `/_sandbox`. Returns the body of the answer; throws on an error. */
		const control = (method: 'GET' | 'PUT' | 'POST', path: string, body?: Json): Promise<Json> =>
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
		const approvers = { first: newApprover('first'), second: newApprover('second') };
		/** The example *go live* reads n8n with it, and can change nothing. */
		const apiName = 'n8n API (read only)';
		const apiKey = await client.createApiKey(apiName, READING);
		const saved = async (type: string, name: string, content: Json) => {
			const id = await client.saveCredential(type, name, content);
			return { id, type, name };
		};
		const ofService = await saved(CREDENTIAL_TYPE, CREDENTIAL_NAME, data);
		const credentials = [
			ofService,
			await saved('smtp', 'Mailbox (sandbox)', mailbox.smtp),
			await saved('n8nApi', apiName, { apiKey, baseUrl: `${n8n.url}/api/v1` }),
			await saved('httpBasicAuth', 'First approver (sandbox)', { ...approvers.first }),
			await saved('httpBasicAuth', 'Second approver (sandbox)', { ...approvers.second }),
		];
		const examples = await importExamples(client, credentials, wanted);
		/** An example that was imported, by its file name without `.json`. */
		const example = (name: string): StoredWorkflow => {
			const imported = examples.get(name);
			if (imported === undefined) throw new Error(`The example ${name} was not imported`);
			return imported;
		};
		const credential = { id: ofService.id, data };
		// A person may have removed the trigger of an earlier example.
		const deposits = examples.get('deposit-arrives');
		const url = deposits && triggerOf(deposits) ? webhookUrl(n8n, deposits) : null;
		await control('PUT', '/webhook', { url });
		await control('PUT', '/webhook_names', { names: namesOfUrls(n8n, [...examples.values()]) });
		return {
			sandbox,
			mailbox,
			client,
			credential,
			examples,
			example,
			control,
			approvers,
			stop,
			/** A new one after a restart, at the same address. */
			get n8n() {
				return n8n;
			},
			/** Kills n8n as a power cut does, or stops it cleanly, and starts it again. Waits until the published workflows listen. */
			restart: async (how: 'kill' | 'stop' = 'kill', ...listening: StoredWorkflow[]) => {
				n8n = await restartN8n(n8n, how);
				for (const workflow of listening) await client.listening(workflow);
			},
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Who answers questions: the name and the password that a browser asks for. */
export interface Approver {
	user: string;
	password: string;
}

/** With a password of this start. */
const newApprover = (user: string): Approver => ({ user, password: randomBytes(9).toString('base64url') });

/** Starts n8n with the packed package, as one process. */
export async function startSingleProcess(userFolder: string, env?: Record<string, string>): Promise<N8n> {
	await installPackage(userFolder);
	return await startN8n({ userFolder, env });
}

/** The same, with nothing that only tests need: for benches. */
export const startPlain = async (userFolder: string) => await startSingleProcess(userFolder, WITHOUT_EDITOR);

/** The owner of every n8n that lasts for one run. */
export const TEMPORARY_OWNER: Owner = { email: 'owner@example.com', password: 'Only4ThisRun' };

/** Starts a stack for one run, in a temporary folder that `stop` deletes. By default, n8n is one process without an editor. */
export async function startTemporaryStack({
	start = (folder) => startSingleProcess(folder, { ...WITHOUT_EDITOR, ...FOR_TESTS }),
	examples,
}: Partial<Pick<StackOptions, 'start' | 'examples'>> = {}) {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-n8n-'));
	const remove = () => rmSync(userFolder, { recursive: true, force: true });
	try {
		const stack = await startStack({ userFolder, owner: TEMPORARY_OWNER, start, examples });
		const { stop } = stack;
		return Object.assign(stack, { stop: () => stop().then(remove) });
	} catch (error) {
		remove();
		throw error;
	}
}

/** The sandbox, and an n8n with an owner and nothing else, in a temporary folder that `stop` deletes. */
export async function startBare(start: (userFolder: string) => Promise<N8n>) {
	const userFolder = mkdtempSync(join(tmpdir(), 'wallet-service-n8n-'));
	const sandbox = await startSandbox({ port: 0 });
	const running = [() => sandbox.stop()];
	const stop = async () => {
		for (const end of running.splice(0).reverse()) await end();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		const n8n = await start(userFolder);
		running.push(() => n8n.stop());
		const client = await connect(n8n.url, TEMPORARY_OWNER);
		return { sandbox, n8n, client, stop };
	} catch (error) {
		await stop();
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
	const names = workflows.flatMap((workflow) => {
		if (!triggerOf(workflow)?.webhookId) return [];
		const url = webhookUrl(n8n, workflow);
		const test = [url.replace('/webhook/', '/webhook-test/'), `${workflow.name} (test URL)`];
		return [[url, workflow.name], test];
	});
	return Object.fromEntries(names) as Record<string, string>;
}

/** The production URL of a workflow's form; undefined if a person has removed the form. */
export function formUrl({ n8n }: Pick<Stack, 'n8n'>, { nodes }: Workflow): string | undefined {
	const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	return form && `${n8n.webhooks}/form/${form.webhookId}`;
}

function triggerOf({ nodes }: Workflow): WorkflowNode | undefined {
	return nodes.find(({ type }) => type.endsWith('.walletServiceTrigger'));
}
