import { statusCodeOf } from './session.ts';
import type { Session } from './session.ts';
import type { Json, StoredWorkflow, Workflow } from './types.ts';
import { until } from '../until.ts';

type Publication = { status: string; liveVersionId: string | null; triggers?: unknown[] };

/** Credentials and workflows: what a person saves and publishes in the editor. */
export function workflowCalls({ rest }: Session) {
	const findByName = async <T extends { name: string }>(path: string, name: string) =>
		(await rest<T[]>('GET', path)).find((entry) => entry.name === name);

	/** Creates the credential or replaces the data of the one with that name. Returns its id. */
	const saveCredential = async (type: string, name: string, data: Json): Promise<string> => {
		const existing = await findByName<{ id: string; name: string }>('/credentials', name);
		const [method, path] = existing ? ['PATCH', `/credentials/${existing.id}`] : ['POST', '/credentials'];
		return (await rest<{ id: string }>(method, path, { name, type, data })).id;
	};

	/** Saves a credential, as the editor does before a test, and returns the result of its test. */
	const testCredential = async (type: string, name: string, data: Json) => {
		const credentials = { id: await saveCredential(type, name, data), name, type, data };
		return await rest<{ status: 'OK' | 'Error'; message: string }>('POST', '/credentials/test', {
			credentials,
		});
	};

	/** The workflow with that name, undefined if there is none. */
	const workflowNamed = async (name: string): Promise<StoredWorkflow | undefined> => {
		const path = `/workflows?filter=${encodeURIComponent('{"isArchived":false}')}`;
		const found = await findByName<StoredWorkflow>(path, name);
		return found && (await rest('GET', `/workflows/${found.id}`));
	};

	/** Creates the workflow or replaces the content of the one with that name. It does not publish. */
	const saveWorkflow = async (workflow: Workflow): Promise<StoredWorkflow> => {
		const { name, nodes, connections, settings = { executionOrder: 'v1' }, pinData } = workflow;
		const content = { name, nodes, connections, settings, pinData };
		const existing = await workflowNamed(name);
		// n8n 2.0 requires `active` for a new workflow.
		if (existing === undefined) return await rest('POST', '/workflows', { ...content, active: false });
		const { id, versionId } = existing;
		return await rest('PATCH', `/workflows/${id}`, { ...content, versionId });
	};

	const publicationOf = async (id: string): Promise<Publication> => {
		try {
			return await rest<Publication>('GET', `/workflows/${id}/publication-status`);
		} catch (error) {
			if (statusCodeOf(error) !== 404) throw error;
			// Older versions do not have this route. They publish before they answer.
			const { activeVersionId: live } = await rest<{ activeVersionId: string | null }>(
				'GET',
				`/workflows/${id}`,
			);
			return { status: live === null ? 'not_published' : 'published', liveVersionId: live };
		}
	};

	/** Waits until the webhooks of a published workflow listen, with `version` if one is given. */
	const listening = async ({ id }: StoredWorkflow, version?: string): Promise<void> => {
		const isSettled = async () => {
			const answer = await publicationOf(id);
			const { status, liveVersionId, triggers } = answer;
			// For a moment it is neither in progress nor done: without triggers, or with those of the version before.
			const isBetween =
				status === 'published'
					? version !== undefined && liveVersionId !== version
					: status === 'not_published' && triggers?.length === 0;
			return status === 'in_progress' || isBetween ? undefined : answer;
		};
		// n8n repeats a failing activation for 15 s before it returns the reason.
		const publication = await until('the publication of the workflow', isSettled);
		if (publication.status !== 'published')
			throw new Error(`n8n did not publish the workflow: ${JSON.stringify(publication)}`);
	};

	/** Publishes the saved version and waits until its webhooks listen. */
	const publish = async (workflow: StoredWorkflow): Promise<void> => {
		const { id, versionId } = workflow;
		await rest('POST', `/workflows/${id}/activate`, { versionId });
		await listening(workflow, versionId);
	};

	/** Unpublishes it and waits until it can no longer be called: n8n answers before. */
	const unpublish = async ({ id }: StoredWorkflow): Promise<void> => {
		await rest('POST', `/workflows/${id}/deactivate`);
		const isOff = async () => (await publicationOf(id)).status === 'not_published';
		await until('the workflow to be unpublished', isOff);
	};

	return { saveCredential, testCredential, workflowNamed, saveWorkflow, listening, publish, unpublish };
}
