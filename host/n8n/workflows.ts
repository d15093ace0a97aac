import { statusCodeOf } from './session.ts';
import type { Session } from './session.ts';
import type { CredentialTest, Json, StoredWorkflow, Workflow } from './types.ts';
import { until } from '../until.ts';

/** n8n tries a failing activation again for 15 s before it gives the reason. */
const PUBLISHED_WITHIN_MS = 60_000;

interface Publication {
	status: string;
	liveVersionId: string | null;
	triggers?: unknown[];
}

/** Credentials and workflows: what a person saves and publishes in the editor. */
export function workflowCalls({ rest }: Session) {
	const findByName = async <T extends { name: string }>(path: string, name: string) =>
		(await rest<T[]>('GET', path)).find((entry) => entry.name === name);

	/** Creates the credential or replaces the data of the one with that name. Returns its id. */
	const saveCredential = async (type: string, name: string, data: Json): Promise<string> => {
		const existing = await findByName<{ id: string; name: string }>('/credentials', name);
		if (existing === undefined)
			return (await rest<{ id: string }>('POST', '/credentials', { name, type, data })).id;
		await rest('PATCH', `/credentials/${existing.id}`, { name, type, data });
		return existing.id;
	};

	/** Saves a credential, as the editor does before a test, and returns the result of its test. */
	const testCredential = async (type: string, name: string, data: Json): Promise<CredentialTest> => {
		const id = await saveCredential(type, name, data);
		return await rest<CredentialTest>('POST', '/credentials/test', { credentials: { id, name, type, data } });
	};

	/** The workflow with that name, undefined if there is none. */
	const workflowNamed = async (name: string): Promise<StoredWorkflow | undefined> => {
		const path = `/workflows?filter=${encodeURIComponent('{"isArchived":false}')}`;
		const found = await findByName<StoredWorkflow>(path, name);
		return found && (await rest<StoredWorkflow>('GET', `/workflows/${found.id}`));
	};

	/** Creates the workflow or replaces the content of the one with that name. It does not publish. */
	const saveWorkflow = async ({
		name,
		nodes,
		connections,
		settings,
		pinData,
	}: Workflow): Promise<StoredWorkflow> => {
		const content = { name, nodes, connections, settings: settings ?? { executionOrder: 'v1' }, pinData };
		const existing = await workflowNamed(name);
		// n8n 2.0 requires `active` for a new workflow.
		if (existing === undefined)
			return await rest<StoredWorkflow>('POST', '/workflows', { ...content, active: false });
		const { id, versionId } = existing;
		return await rest<StoredWorkflow>('PATCH', `/workflows/${id}`, { ...content, versionId });
	};

	const publicationOf = async (id: string): Promise<Publication> => {
		try {
			return await rest<Publication>('GET', `/workflows/${id}/publication-status`);
		} catch (error) {
			if (statusCodeOf(error) !== 404) throw error;
			// Older versions do not have this route. They publish before they answer.
			const workflow = await rest<{ activeVersionId: string | null }>('GET', `/workflows/${id}`);
			const { activeVersionId: liveVersionId } = workflow;
			return { status: liveVersionId === null ? 'not_published' : 'published', liveVersionId };
		}
	};

	/** Waits until the webhooks of a published workflow listen, with `version` if one is given. */
	const listening = async ({ id }: StoredWorkflow, version?: string): Promise<void> => {
		const publication = await until(
			'the publication of the workflow',
			async () => {
				const answer = await publicationOf(id);
				const { status, liveVersionId, triggers } = answer;
				// For a moment it is neither in progress nor done: without triggers, or with those of the version before.
				const isBetween =
					status === 'published'
						? version !== undefined && liveVersionId !== version
						: status === 'not_published' && triggers?.length === 0;
				return status === 'in_progress' || isBetween ? undefined : answer;
			},
			PUBLISHED_WITHIN_MS,
		);
		if (publication.status !== 'published')
			throw new Error(`n8n did not publish the workflow: ${JSON.stringify(publication)}`);
	};

	/** Publishes the saved version and waits until its webhooks listen. */
	const publish = async (workflow: StoredWorkflow): Promise<void> => {
		const { id, versionId } = workflow;
		await rest('POST', `/workflows/${id}/activate`, { versionId });
		await listening(workflow, versionId);
	};

	return { saveCredential, testCredential, workflowNamed, saveWorkflow, listening, publish };
}
