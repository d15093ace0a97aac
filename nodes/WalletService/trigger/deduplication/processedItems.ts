/**
 * Third layer, on workers: n8n's own record of processed items, which all workers share. It catches the deliveries that
 * two processes accepted at almost the same time.
 */
import { BoundedMap } from '../boundedMap.ts';
import { MAX_TRIGGERS, REPEAT_COUNT } from './capacities.ts';

/** Records texts, and tells which of them were recorded before: n8n's `checkProcessedAndRecord` for one node. */
type CheckProcessed = (texts: string[]) => Promise<{ processed: unknown[] }>;

/** What this process has recorded last, by trigger. */
const recentKeys = new BoundedMap<string[]>(MAX_TRIGGERS);

/** The last check. Checks of one process run one after the other, so they do not overwrite each other's record. */
let lastCheck: Promise<unknown> = Promise.resolve();

/**
 * Whether another execution handles this delivery. In doubt it says no, because a duplicate is better than a lost event:
 * an execution that continues on another worker finds its own entry, and a record that cannot be read stops nothing. Two
 * workers that check within the same milliseconds do not see each other.
 */
export async function isDuplicate(
	scope: string,
	key: string,
	executionId: string,
	checkProcessed: CheckProcessed,
): Promise<boolean> {
	const deliveryEntry = `${scope} ${key}`;
	const executionEntry = `${deliveryEntry} ${executionId}`;
	const recent = recentKeys.get(scope) ?? [];
	recentKeys.set(scope, [...recent, deliveryEntry, executionEntry].slice(-REPEAT_COUNT));
	const check = lastCheck
		.then(async () => await checkProcessed([deliveryEntry, executionEntry, ...recent]))
		.catch(() => undefined);
	lastCheck = check;
	const { processed = [] } = (await check) ?? {};
	return processed.includes(deliveryEntry) && !processed.includes(executionEntry);
}
