import type { Session } from './session.ts';
import type { Execution, Json } from './types.ts';
import { until } from '../until.ts';

const hasEnded = ({ status }: Pick<Execution, 'status'>) =>
	!['new', 'running', 'waiting', 'unknown'].includes(status);

/** The items that a node returned in an execution, from all its outputs and runs; empty if it did not run. */
export function itemsOf(execution: Execution, node: string): Json[] {
	const outputs = (execution.data.resultData.runData[node] ?? []).flatMap((run) => run.data?.main ?? []);
	return outputs.flatMap((items) => (items ?? []).map(({ json }) => json));
}

/** Returns the execution unless it failed. Throws n8n's message if it did. */
export function succeeded(execution: Execution): Execution {
	if (execution.status !== 'error' && execution.status !== 'crashed') return execution;
	const { error } = execution.data.resultData;
	const reason = `${error?.message} ${error?.description ?? ''}`;
	throw new Error(`Execution ${execution.id} failed: ${reason}`.trimEnd());
}

/** Starting executions and reading them. */
export function executionCalls({ call, rest }: Session) {
	const listed = async (workflowId: string, more = ''): Promise<Execution[]> => {
		const path = `/api/v1/executions?workflowId=${workflowId}&limit=100${more}`;
		return ((await call('GET', path)) as { data: Execution[] }).data;
	};

	/** The workflow's executions, newest first, at most 100. n8n takes long to read the data of many, so they have none. */
	const executions = async (workflowId: string): Promise<Array<Omit<Execution, 'data'>>> =>
		await listed(workflowId);

	/** The same with their data. */
	const executionsWithData = async (workflowId: string): Promise<Execution[]> =>
		await listed(workflowId, '&includeData=true');

	/** Ended executions with their data, which no longer changes. */
	const known = new Map<string, Execution>();
	const withData = async (id: string): Promise<Execution> => {
		const execution =
			known.get(id) ?? ((await call('GET', `/api/v1/executions/${id}?includeData=true`)) as Execution);
		known.set(id, execution);
		return execution;
	};

	const endedOf = async (workflowId: string) => (await executions(workflowId)).filter(hasEnded);

	/** Waits for an ended execution of the workflow that matches. Failed ones count, so that tests see the reason. */
	const execution = (workflowId: string, what: string, matches: (execution: Execution) => boolean) =>
		until(what, async () => {
			for (const { id } of await endedOf(workflowId)) {
				const candidate = await withData(id);
				if (matches(candidate)) return candidate;
			}
			return undefined;
		});

	/** Waits until at least `count` executions of the workflow have ended. Returns all ended ones, newest first. */
	const endedExecutions = async (workflowId: string, count: number): Promise<Execution[]> => {
		const all = await until(`${count} executions`, async () => {
			const ended = await endedOf(workflowId);
			return ended.length >= count ? ended : undefined;
		});
		return await Promise.all(all.map(({ id }) => withData(id)));
	};

	/**
	 * Starts the workflow as a person does in the editor, from the trigger with that name. `items` are the output of a
	 * trigger that has its own input, such as a chat. Returns the id of the execution.
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
			// Newer versions ignore this and use the stored workflow.
			workflowData: await rest('GET', `/workflows/${workflowId}`),
			triggerToStartFrom: { name: trigger, data },
		});
		return executionId;
	};

	/** Waits for the end of the execution with that id. */
	const ended = async (id: string): Promise<Execution> => {
		const path = `/api/v1/executions/${id}`;
		await until(`execution ${id} to end`, async () => hasEnded((await call('GET', path)) as Execution));
		return await withData(id);
	};

	/** Runs the workflow by hand and waits for the end. */
	const runByHand = async (workflowId: string, trigger: string): Promise<Execution> =>
		await ended(await startByHand(workflowId, trigger));

	/** "Retry execution", with the workflow as it was or as it is now. Waits for the end. */
	const retry = async (id: string, workflow: 'original' | 'current'): Promise<Execution> => {
		const settings = { loadWorkflow: workflow === 'current' };
		return await ended((await rest<{ id: string }>('POST', `/executions/${id}/retry`, settings)).id);
	};

	/** "Stop" in the list of executions. Waits for the end. */
	const stop = async (id: string): Promise<Execution> => {
		await rest('POST', `/executions/${id}/stop`);
		return await ended(id);
	};

	return {
		executions,
		executionsWithData,
		execution,
		endedExecutions,
		startByHand,
		ended,
		runByHand,
		retry,
		stop,
	};
}
