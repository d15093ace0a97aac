/**
 * n8n's record of processed items of one workflow, as all executions of this process use it. n8n reads and writes the record
 * as a whole and tells only which entries were there, so each question is a write. The calls go out one after the other;
 * questions that wait for the same turn are asked together.
 */
import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

/** n8n's helpers for the record, bound to an execution. */
export interface ProcessedItems {
	/** Adds the new entries, and drops the oldest ones above the maximum. Tells which were new and which were there before. */
	add(entries: string[], maxEntries: number): Promise<{ new: unknown[]; processed: unknown[] }>;
	remove(entries: string[]): Promise<void>;
}

/** The record of the workflow, or of one node of it. */
export function processedItems(context: IExecuteFunctions, scope: DeduplicationScope): ProcessedItems {
	const { checkProcessedAndRecord, removeProcessed } = context.helpers;
	return {
		add: async (entries, maxEntries) => {
			if (!context.getWorkflow().id) throw new Error('the workflow was never saved');
			return await checkProcessedAndRecord(entries, scope, { mode: 'entries', maxEntries });
		},
		remove: async (entries) => await removeProcessed(entries, scope, { mode: 'entries' }),
	};
}

/** Milliseconds. A pause is several times as long as the slowest recent write, so that other processes finish too. */
const MIN_PAUSE = 100;
const MAX_PAUSE = 2000;
const PAUSE_PER_WRITE = 4;
const LAST_WRITES = 10;

/** A write of another process may bring back what was removed for good. So it is removed again for some milliseconds. */
const REMOVED_AGAIN = 12;
const REMOVED_AGAIN_FOR = 2000;

/** Entries that each question writes again, unless the caller wants another number. */
const WRITTEN_AGAIN = 8;

interface Call {
	kind: 'ask' | 'remove';
	items: ProcessedItems;
	entries: string[];
	resolve(found: Set<unknown>): void;
	reject(error: unknown): void;
}

export class SharedRecord {
	readonly #sleep: (milliseconds: number) => Promise<void>;
	readonly #maxEntries: number;
	readonly #now: () => number;
	readonly #waiting: Call[] = [];
	readonly #durations: number[] = [];
	/** Entries with the time of their removal. */
	readonly #removedForGood = new Map<string, number>();
	#writtenAgain: string[] = [];
	#isWriting = false;

	/** `now`: milliseconds of a clock that never jumps. */
	constructor(
		sleep: (milliseconds: number) => Promise<void>,
		maxEntries = Infinity,
		now = () => performance.now(),
	) {
		this.#sleep = sleep;
		this.#maxEntries = maxEntries;
		this.#now = now;
	}

	/** Adds the entries and returns those that were there before. */
	async ask(items: ProcessedItems, entries: string[]): Promise<Set<unknown>> {
		for (const text of entries) this.#removedForGood.delete(text);
		return await this.#call('ask', items, entries);
	}

	/** Writes the entries again with the next questions: a write of another process at the same moment may undo them. */
	writeAgain(entries: string[], kept = WRITTEN_AGAIN): void {
		this.#writtenAgain = [...this.#writtenAgain, ...entries].slice(-kept);
	}

	/** A removal that fails may have been stored. It is not repeated, because another process may have added the entries since. */
	async remove(items: ProcessedItems, entries: string[]): Promise<void> {
		await this.#call('remove', items, entries);
	}

	/** Removes both. For a while, later calls remove `forGood` again, unless it was asked for since. */
	async removeForGood(items: ProcessedItems, forGood: string, entries: string[]): Promise<void> {
		const now = this.#now();
		this.#removedForGood.set(forGood, now);
		for (const [text, removedAt] of this.#removedForGood) {
			const isOld = now - removedAt > REMOVED_AGAIN_FOR || this.#removedForGood.size > REMOVED_AGAIN;
			if (isOld) this.#removedForGood.delete(text);
		}
		const remove = async () =>
			await this.remove(items, [...new Set([...this.#removedForGood.keys(), ...entries])]);
		await remove().catch(remove);
	}

	/** Waits until writes that other processes have begun are over, unless one is far slower than the writes here. */
	async pause(): Promise<void> {
		const slowest = Math.max(0, ...this.#durations);
		await this.#sleep(Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, PAUSE_PER_WRITE * slowest)));
	}

	async #call(kind: Call['kind'], items: ProcessedItems, entries: string[]): Promise<Set<unknown>> {
		return await new Promise((resolve, reject) => {
			this.#waiting.push({ kind, items, entries, resolve, reject });
			if (!this.#isWriting) void this.#write();
		});
	}

	async #write(): Promise<void> {
		this.#isWriting = true;
		// What is asked in this same moment joins the first write.
		await Promise.resolve();
		for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
			const { kind, items } = first;
			const calls = this.#waiting.splice(0, countTogether(this.#waiting));
			const entries = calls.flatMap((call) => call.entries);
			const begun = this.#now();
			try {
				const found =
					kind === 'ask'
						? await add(items, [...new Set([...entries, ...this.#writtenAgain])], this.#maxEntries)
						: await remove(items, entries);
				for (const call of calls) call.resolve(found);
			} catch (error) {
				for (const call of calls) call.reject(error);
			}
			this.#durations.push(this.#now() - begun);
			if (this.#durations.length > LAST_WRITES) this.#durations.shift();
		}
		this.#isWriting = false;
	}
}

/** How many of the first calls can be one write: of one kind, and about different entries, so that each answer is its own. */
function countTogether(calls: Call[]): number {
	const entries = new Set<string>();
	const end = calls.findIndex((call) => {
		if (call.kind !== calls[0]?.kind || call.entries.some((text) => entries.has(text))) return true;
		for (const text of call.entries) entries.add(text);
		return false;
	});
	return end === -1 ? calls.length : end;
}

async function add(items: ProcessedItems, entries: string[], maxEntries: number): Promise<Set<unknown>> {
	const { new: added, processed } = await items.add(entries, maxEntries);
	// n8n adds nothing, and does not fail, if a node of the workflow keeps something else in the record.
	if (added.length + processed.length < entries.length) throw new Error('the record is used for other data');
	return new Set(processed);
}

async function remove(items: ProcessedItems, entries: string[]): Promise<Set<unknown>> {
	await items.remove(entries);
	return new Set();
}
