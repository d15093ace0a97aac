/** What n8n's database has of the executions that the soaks' deliveries started. */
import { queryDatabase } from '../../bench/shared/executions.ts';
import type { TemporaryN8n } from '../../bench/shared/temporaryN8n.ts';
import { until } from '../../host/until.ts';

/** Times are milliseconds since 1970; NaN for an execution that has not stopped. */
export interface Execution {
	status: string;
	startedAt: number;
	stoppedAt: number;
	/** Whether the trigger stopped it, because another execution handles the same delivery. */
	stoppedAsDuplicate: boolean;
}

/** The executions of each event `admin_funding` by its id, oldest first. */
export function executionsByEvent(host: TemporaryN8n): Map<string, Execution[]> {
	const rows = queryDatabase(
		host,
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

/** Waits until no execution is under way. Throws after five minutes. */
export async function allEnded(host: TemporaryN8n): Promise<void> {
	const isUnderWay = ({ status }: { status: string }) => ['new', 'running'].includes(status);
	await until(
		'all executions to end',
		() => ([...executionsByEvent(host).values()].flat().some(isUnderWay) ? undefined : true),
		300_000,
	);
}
