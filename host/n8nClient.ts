import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

export type Json = Record<string, unknown>;

export interface Owner {
	email: string;
	password: string;
}

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Json;
	id?: string;
	webhookId?: string;
	disabled?: boolean;
	credentials?: Record<string, { id: string | null; name: string }>;
	[setting: string]: unknown;
}

/** A workflow as the editor exports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Json;
	settings?: Json;
	/** Items that a node gives in the editor instead of being executed. */
	pinData?: Json;
}

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

export interface Item {
	json: Json;
	pairedItem?: unknown;
}

interface NodeRun {
	/** Milliseconds. */
	executionTime: number;
	data?: { main: Array<Item[] | null> };
	error?: Json;
}

export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	data: { resultData: { runData: Record<string, NodeRun[]>; error?: Json } };
}

export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** The items that a node gave in an execution, all outputs after one another; none where it did not run. */
export function itemsOf(execution: Execution, node: string): Json[] {
	const runs = execution.data.resultData.runData[node] ?? [];
	return runs
		.flatMap((run) => run.data?.main ?? [])
		.flatMap((items) => (items ?? []).map((item) => item.json));
}

/** Asks until there is an answer other than undefined. Throws, naming what it waited for, after `withinMs`. */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined> | T | undefined,
	withinMs = 20_000,
): Promise<T> {
	for (const giveUp = Date.now() + withinMs; ; await sleep(100)) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > giveUp) throw new Error(`Waited ${withinMs / 1000} s in vain for ${what}`);
	}
}

export type N8nClient = Awaited<ReturnType<typeof connect>>;

/**
 * The calls of n8n's editor (`/rest`, with a cookie) and of its public API that a person would make by hand. Makes
 * the owner where there is none yet, and logs in. Every call throws with n8n's own message where n8n refuses.
 */
export async function connect(url: string, owner: Owner) {
	const headers: Record<string, string> = {};

	const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
		const response = await request(url + path, {
			method: method as 'GET',
			headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const cookies = [response.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) headers.cookie = cookies.join('; ');
		const text = await response.body.text();
		if (response.statusCode < 400) return JSON.parse(text);
		// A route that n8n does not have is answered with a page.
		const message = text.startsWith('{') ? (JSON.parse(text) as { message: string }).message : text;
		const error = new Error(`n8n: ${method} ${path}: ${response.statusCode} ${message}`);
		throw Object.assign(error, { statusCode: response.statusCode });
	};
	const rest = async <T = Json>(method: string, path: string, body?: unknown) =>
		((await call(method, `/rest${path}`, body)) as { data: T }).data;

	const { userManagement } = await rest<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
		'GET',
		'/settings',
	);
	if (userManagement.showSetupOnFirstLoad)
		await rest('POST', '/owner/setup', { ...owner, firstName: 'Wallet', lastName: 'Owner' });
	else await rest('POST', '/login', { emailOrLdapLoginId: owner.email, password: owner.password });

	// Executions with their data, decoded, are to be had by the public API only. Its keys are shown but once.
	const label = 'wallet-service test host';
	type Key = { id: string; label: string };
	const keys = await rest<Key[] | { items: Key[] }>('GET', '/api-keys');
	// n8n 2.0 has no pages of them.
	for (const key of Array.isArray(keys) ? keys : keys.items)
		if (key.label === label) await rest('DELETE', `/api-keys/${key.id}`);
	const scopes = await rest<string[]>('GET', '/api-keys/scopes');
	const { rawApiKey } = await rest<{ rawApiKey: string }>('POST', '/api-keys', {
		label,
		scopes,
		expiresAt: null,
	});
	headers['x-n8n-api-key'] = rawApiKey;

	const named = async <T extends { name: string }>(path: string, name: string) =>
		(await rest<T[]>('GET', path)).find((thing) => thing.name === name);

	/** Makes the credential, or gives the one of that name new data; its id. */
	const saveCredential = async (type: string, name: string, data: Json): Promise<string> => {
		const known = await named<{ id: string; name: string }>('/credentials', name);
		if (known === undefined)
			return (await rest<{ id: string }>('POST', '/credentials', { name, type, data })).id;
		await rest('PATCH', `/credentials/${known.id}`, { name, type, data });
		return known.id;
	};

	/** Saves a credential, as the editor does before it tests one; what the test says. */
	const testCredential = async (type: string, name: string, data: Json): Promise<CredentialTest> => {
		const id = await saveCredential(type, name, data);
		return await rest<CredentialTest>('POST', '/credentials/test', { credentials: { id, name, type, data } });
	};

	/** The workflow of that name, undefined where there is none. */
	const workflowNamed = async (name: string): Promise<StoredWorkflow | undefined> => {
		const path = `/workflows?filter=${encodeURIComponent('{"isArchived":false}')}`;
		const known = await named<StoredWorkflow>(path, name);
		return known && (await rest<StoredWorkflow>('GET', `/workflows/${known.id}`));
	};

	/** Makes the workflow, or gives the one of that name new contents; it is not published by this. */
	const saveWorkflow = async ({
		name,
		nodes,
		connections,
		settings,
		pinData,
	}: Workflow): Promise<StoredWorkflow> => {
		const content = { name, nodes, connections, settings: settings ?? { executionOrder: 'v1' }, pinData };
		const known = await workflowNamed(name);
		// n8n 2.0 wants to be told that a new one is not active.
		if (known === undefined)
			return await rest<StoredWorkflow>('POST', '/workflows', { ...content, active: false });
		const { id, versionId } = known;
		return await rest<StoredWorkflow>('PATCH', `/workflows/${id}`, { ...content, versionId });
	};

	type Publication = { status: string; liveVersionId: string | null; triggers?: unknown[] };
	const publicationOf = async (id: string): Promise<Publication> => {
		try {
			return await rest<Publication>('GET', `/workflows/${id}/publication-status`);
		} catch (error) {
			if ((error as { statusCode?: number }).statusCode !== 404) throw error;
			// Older versions have no such route and publish before they answer.
			const workflow = await rest<{ activeVersionId: string | null }>('GET', `/workflows/${id}`);
			const { activeVersionId: liveVersionId } = workflow;
			return { status: liveVersionId === null ? 'not_published' : 'published', liveVersionId };
		}
	};

	/** Waits until the webhooks of a published workflow listen; the version that is live then. */
	const listening = async ({ id }: StoredWorkflow): Promise<string | null> => {
		const publication = await until('the publication of the workflow', async () => {
			const answer = await publicationOf(id);
			// For a moment it is neither under way nor done.
			const between = answer.status === 'not_published' && answer.triggers?.length === 0;
			return answer.status === 'in_progress' || between ? undefined : answer;
		});
		if (publication.status !== 'published')
			throw new Error(`n8n did not publish the workflow: ${JSON.stringify(publication)}`);
		return publication.liveVersionId;
	};

	/** Publishes what was saved and waits until its webhooks listen. */
	const publish = async (workflow: StoredWorkflow): Promise<void> => {
		const { id, versionId } = workflow;
		await rest('POST', `/workflows/${id}/activate`, { versionId });
		const live = await listening(workflow);
		if (live !== versionId) throw new Error(`n8n published version ${live} instead of ${versionId}`);
	};

	/** The workflow's executions, newest first. */
	const executions = async (workflowId: string): Promise<Execution[]> => {
		const path = `/api/v1/executions?workflowId=${workflowId}&includeData=true&limit=100`;
		return ((await call('GET', path)) as { data: Execution[] }).data;
	};

	/** Waits for an ended execution of the workflow that fits; failed ones count, so that the reason can be told. */
	const execution = (workflowId: string, what: string, fits: (execution: Execution) => boolean) =>
		until(what, async () =>
			(await executions(workflowId)).find(
				(candidate) =>
					['success', 'error', 'crashed', 'canceled'].includes(candidate.status) && fits(candidate),
			),
		);

	/**
	 * Starts the workflow as a person does in the editor, from the trigger of that name, which gives these items where they
	 * are its own (a chat's); the execution's id.
	 */
	const startByHand = async (workflowId: string, trigger: string, items?: Json[]): Promise<string> => {
		const data = items && {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success',
			source: [null],
			data: { main: [items.map((json) => ({ json }))] },
		};
		const { executionId } = await rest<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, {
			// Newer versions take what is stored.
			workflowData: await rest('GET', `/workflows/${workflowId}`),
			triggerToStartFrom: { name: trigger, data },
		});
		return executionId;
	};

	/** The execution of that id, when it has ended. */
	const ended = (id: string) =>
		until(
			`execution ${id} to end`,
			async () => {
				const { status } = (await call('GET', `/api/v1/executions/${id}`)) as Execution;
				if (['new', 'running', 'waiting', 'unknown'].includes(status)) return undefined;
				return (await call('GET', `/api/v1/executions/${id}?includeData=true`)) as Execution;
			},
			60_000,
		);

	/** `startByHand`, to its end. */
	const runByHand = async (workflowId: string, trigger: string): Promise<Execution> =>
		await ended(await startByHand(workflowId, trigger));

	/** "Retry execution" of one that failed, with the workflow as it was or as it is now, to its end. */
	const retry = async (id: string, workflow: 'original' | 'current'): Promise<Execution> => {
		const retried = await rest<{ id: string }>('POST', `/executions/${id}/retry`, {
			loadWorkflow: workflow === 'current',
		});
		return await ended(retried.id);
	};

	const nodeTypes = async () => (await call('GET', '/types/nodes.json')) as Array<Json & { name: string }>;

	return {
		url,
		call,
		rest,
		saveCredential,
		testCredential,
		workflowNamed,
		saveWorkflow,
		listening,
		publish,
		executions,
		execution,
		startByHand,
		ended,
		runByHand,
		retry,
		nodeTypes,
	};
}
