/**
 * Second layer, in the first step of an execution: a row for each event, which lasts over a restart and is shared by all workers.
 * It has the number of the execution that handles the event. If n8n starts this execution again, it goes on.
 */
import type { RowName, Rows } from '../../shared/rows.ts';
import { BoundedMap } from '../../shared/boundedMap.ts';

/** A process deletes what it has made, after a day (in milliseconds), or before if it would remember too much. */
const KEPT_FOR = 86_400_000;
const MAX_KEPT = 50_000;

/** The rows that this process has made, with their times, by trigger. */
const made = new BoundedMap<Set<{ name: RowName; at: number }>>();

/** Whether the event was handled before. In doubt it was not, because a duplicate is better than a lost event. */
export async function wasHandled(
	trigger: string,
	rows: Rows,
	key: string,
	executionId: string,
	now = Date.now(),
): Promise<boolean> {
	const name: RowName = ['event', trigger, key];
	const { is } = await rows.make(name, executionId);
	if (is === 'made') keepForADay(trigger, rows, name, now);
	return is === 'others';
}

function keepForADay(trigger: string, rows: Rows, name: RowName, now: number): void {
	const kept = made.get(trigger) ?? new Set<{ name: RowName; at: number }>();
	made.set(trigger, kept);
	kept.add({ name, at: now });
	for (const oldest of kept) {
		if (now - oldest.at < KEPT_FOR && kept.size <= MAX_KEPT) break;
		kept.delete(oldest);
		// Nothing waits for it. If it fails, the row stays.
		rows.delete(oldest.name).catch(() => {});
	}
}
