/**
 * Second layer, in the first step of an execution: n8n's record of processed items, which lasts over a restart and is shared by all
 * workers. Each question also writes, so it asks for two entries. The event was handled if only the first was there:
 *
 * - *When Stored*: the delivery, and the delivery with this execution. An execution that n8n starts again finds its own second entry.
 * - *When Finished*: the delivery, and that it has not finished. The second one is removed when the workflow has succeeded, so an
 *   execution that has crashed hides no repetition.
 */
import { sleep } from 'n8n-workflow';

import { SharedRecord } from '../../sharedRecord.ts';
import type { ProcessedItems } from '../../sharedRecord.ts';
import { BoundedMap } from '../boundedMap.ts';

/** What the first step knows of its delivery. */
export interface Note {
	key: string;
	/** With *When Finished*: deliveries whose workflow has succeeded since the last note. */
	finished?: string[];
}

/** Two for each delivery. n8n reads and writes all of them with each question: 0.35 ms of processor time. */
const MAX_ENTRIES = 2000;
const MAX_TRIGGERS = 1000;

/** Entries that a worker looks after, and those of them that each question writes again. */
const MAX_RECENT = 80;
const WRITTEN_AGAIN = 40;
/** How often a worker writes them. Before each write it waits for a pause and up to SPREAD milliseconds. */
const MAX_ROUNDS = 20;
const SPREAD = 100;

interface TriggerRecord {
	record: SharedRecord;
	/** What this worker has written last with *When Stored*. With *When Finished*, another worker may have removed it since. */
	recent: string[];
	isLookedAfter: boolean;
}

const records = new BoundedMap<TriggerRecord>(MAX_TRIGGERS);

/** Whether the event was handled before. In doubt it was not, because a duplicate is better than a lost event. */
export async function wasHandled(
	trigger: string,
	items: ProcessedItems,
	{ key, finished }: Note,
	{ executionId, isWorker }: { executionId: string; isWorker: boolean },
): Promise<boolean> {
	const own = records.get(trigger) ?? {
		record: new SharedRecord(sleep, MAX_ENTRIES),
		recent: [],
		isLookedAfter: false,
	};
	records.set(trigger, own);
	// The two settings use different entries, so the entries of one do not affect the other.
	const entries = finished ? [`${key} finished`, unfinished(key)] : [key, `${key} ${executionId}`];
	const found = await own.record.ask(items, entries).catch(() => new Set<unknown>());
	const [hasFirst, hasSecond] = entries.map((entry) => found.has(entry) || own.recent.includes(entry));
	const isDuplicate = hasFirst === true && hasSecond !== true;
	if (finished) {
		const over = [...finished, ...(isDuplicate ? [key] : [])].map(unfinished);
		if (over.length > 0) await own.record.remove(items, over).catch(() => {});
	} else if (isWorker) {
		own.recent = [...own.recent, ...entries].slice(-MAX_RECENT);
		own.record.writeAgain(entries, WRITTEN_AGAIN);
		void lookAfter(own, items);
	}
	return isDuplicate;
}

/** Writes of two workers at the same moment undo each other. So the last entries are written again until a write finds them all. */
async function lookAfter(own: TriggerRecord, items: ProcessedItems): Promise<void> {
	if (own.isLookedAfter) return;
	own.isLookedAfter = true;
	let isThere = false;
	for (let round = 0; round < MAX_ROUNDS && !isThere; round += 1) {
		await own.record.pause();
		// A random wait keeps two workers from writing together again.
		await sleep(Math.random() * SPREAD);
		const found = await own.record.ask(items, [...new Set(own.recent)]).catch(() => new Set<unknown>());
		// If an event came during the question, the loop goes on.
		isThere = own.recent.every((entry) => found.has(entry));
	}
	own.isLookedAfter = false;
}

function unfinished(key: string): string {
	return `${key} unfinished`;
}
