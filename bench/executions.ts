/** What n8n has stored of executions. It is read from its database, because calls of n8n's API would take n8n's time. */
import type { Stack } from '../host/stack.ts';
import { queryDatabase } from '../host/testkit/database.ts';
import { until } from '../host/until.ts';

/** The id of the newest execution of any workflow; 0 without one. */
export const newestExecution = (stack: Stack): number =>
	Number(queryDatabase(stack, 'SELECT coalesce(max(id), 0) AS id FROM execution_entity')[0]?.id);

/**
 * Waits until this many executions of the workflow with ids above `since` have ended. Returns the seconds of each. Throws if one
 * failed, or if there are more.
 */
export async function allSucceeded(
	stack: Stack,
	workflowId: string,
	since: number,
	count: number,
): Promise<number[]> {
	const sql = `SELECT status, 86400 * (julianday(stoppedAt) - julianday(startedAt)) AS seconds FROM execution_entity
		WHERE workflowId = ? AND id > ?`;
	const ended = () => {
		const all = queryDatabase(stack, sql, workflowId, since);
		const statuses = all.map(({ status }) => String(status));
		const failed = statuses.find((status) => ['error', 'crashed', 'canceled'].includes(status));
		if (failed !== undefined) throw new Error(`An execution ended as ${failed}`);
		if (all.length > count) throw new Error(`${count} starts were executed ${all.length} times`);
		const isDone = statuses.filter((status) => status === 'success').length === count;
		return isDone ? all.map(({ seconds }) => Number(seconds)) : undefined;
	};
	return await until(`${count} executions to end`, ended, 1_200_000);
}
