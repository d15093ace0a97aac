/** What n8n's database has of the executions that the soaks' deliveries started. */
import type { Stack } from '../../host/stack.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { until } from '../../host/until.ts';

/** Times are milliseconds since 1970; NaN for an execution that has not stopped. */
export interface Execution {
	status: string;
	startedAt: number;
	stoppedAt: number;
	/** Whether the trigger stopped it, because another execution handles the same delivery. */
	stoppedAsDuplicate: boolean;
}

/** The executions of each event `admin_funding` by its id, oldest first. Waits until no execution is under way, for five minutes at most. */
export async function executionsByEvent(stack: Stack): Promise<Map<string, Execution[]>> {
	const isUnderWay = "SELECT id FROM execution_entity WHERE status IN ('new', 'running')";
	const areOver = () => queryDatabase(stack, isUnderWay).length === 0 || undefined;
	await until('all executions to end', areOver, 300_000);
	const rows = queryDatabase(
		stack,
		`SELECT status, startedAt, stoppedAt, createdAt, data FROM execution_entity e
		JOIN execution_data d ON d.executionId = e.id ORDER BY e.id`,
	);
	const executions = rows.map((row) => {
		const data = String(row.data);
		return {
			id: /admin_funding:(e\d+):successful/.exec(data)?.[1] ?? '',
			status: String(row.status),
			startedAt: Date.parse(`${String(row.startedAt ?? row.createdAt)}Z`),
			stoppedAt: Date.parse(`${String(row.stoppedAt)}Z`),
			stoppedAsDuplicate: data.includes('Another execution already handles this delivery'),
		};
	});
	return Map.groupBy(executions, ({ id }) => id);
}
