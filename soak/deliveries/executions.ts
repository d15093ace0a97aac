/** What n8n's database has of the executions that the soaks' deliveries started, compared with what was acknowledged. */
import type { Stack } from '../../host/stack.ts';
import { queryDatabase, quiet } from '../../host/testkit/database.ts';
import { tally } from '../../host/testkit/lists.ts';
import type { Figures } from '../shared/figures.ts';

interface Execution {
	status: string;
	/** Milliseconds since 1970; NaN if it has not stopped. */
	stoppedAt: number;
	/** Whether the trigger stopped it, because another execution handles the same delivery. */
	stoppedAsDuplicate: boolean;
}

/** The executions of each event `admin_funding` by its id, oldest first. Waits until no execution is under way. */
export async function executionsByEvent(stack: Stack): Promise<Map<string, Execution[]>> {
	await quiet(stack);
	const rows = queryDatabase(
		stack,
		`SELECT status, stoppedAt, data FROM execution_entity e
		JOIN execution_data d ON d.executionId = e.id ORDER BY e.id`,
	);
	const executions = rows.map((row) => {
		const data = String(row.data);
		return {
			id: /admin_funding:(e\d+):successful/.exec(data)?.[1] ?? '',
			status: String(row.status),
			stoppedAt: Date.parse(`${String(row.stoppedAt)}Z`),
			stoppedAsDuplicate: data.includes('Another execution already handles this delivery'),
		};
	});
	return Map.groupBy(executions, ({ id }) => id);
}

/** n8n may not have written to disk what it did within this time before a kill. */
const WINDOW_MS = 100;

/** What must not happen, depending on the setting of *Respond*. */
export const LOST = 'events lost';
export const UNFINISHED = 'events acknowledged and never finished';
export const UNEXPLAINED = 'events executed again, and no kill explains it';

/**
 * `acknowledged`: when the trigger acknowledged each event, by its id. `executions`: of each event, oldest first. `killed`: when
 * n8n was killed or stopped.
 */
export function compareWithExecutions(
	acknowledged: Map<string, number[]>,
	executions: Map<string, Execution[]>,
	killed: number[],
): Figures {
	const all = [...acknowledged.keys()].flatMap((id) => executions.get(id) ?? []);
	const events = [...acknowledged].map(([id, times]) => {
		// The workflow did not run in an execution that the trigger stopped.
		const runs = (executions.get(id) ?? []).filter(({ stoppedAsDuplicate }) => !stoppedAsDuplicate);
		return { times, runs, finished: runs.filter(({ status }) => status === 'success').length };
	});
	const count = (matches: (event: (typeof events)[number]) => boolean) => events.filter(matches).length;
	return {
		events: events.length,
		'kills of n8n': killed.length,
		'executions, by status': tally(all.map(({ status }) => status)),
		'executions that the trigger stopped as duplicates': all.filter((each) => each.stoppedAsDuplicate).length,
		[LOST]: count(({ times, runs }) => times.length > 0 && runs.length === 0),
		[UNFINISHED]: count(({ times, finished }) => times.length > 0 && finished === 0),
		'events handled twice': count(({ finished }) => finished > 1),
		'events executed more than once': count(({ runs }) => runs.length > 1),
		[UNEXPLAINED]: count(({ runs }) => runs.length > 1 && !isExplained(runs, killed)),
	};
}

/** A kill cut off one of the first two executions, or came when the first one ended. */
function isExplained([first, second]: Execution[], killed: number[]): boolean {
	return (
		[first, second].some((execution) => execution?.status === 'crashed') ||
		killed.some((time) => Math.abs(time - first!.stoppedAt) <= WINDOW_MS)
	);
}
