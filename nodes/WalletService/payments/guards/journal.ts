/** The payments of one execution, stored with it. What n8n runs again is found here and not sent again. */
import type { IDataObject } from 'n8n-workflow';

import type { PaymentKey } from '../../../shared/paymentKey/keyText.ts';
import type { CallResult } from '../../../shared/result.ts';
import type { Money } from '../../../shared/serviceRequest.ts';

/** A payment that was sent. Plain JSON, because n8n stores it in its database. */
export interface JournalEntry {
	itemIndex: number;
	/** Route of the endpoint. */
	route: string;
	key?: PaymentKey;
	money: Money;
	/** Accepted, or unknown. */
	result: CallResult;
}

interface StoredEntry extends JournalEntry {
	/** "Retry execution" copies the entries of the execution that it retries. */
	executionId: string;
}

interface StoredJournal {
	/** By place of the run, then by item index. Loops and AI agents run a node several times in one execution. */
	runs: Record<string, Record<string, StoredEntry>>;
	/** The identifiers of accepted payments, each after its route. */
	ids?: Record<string, true>;
	/** Requests in a row that got no clear answer, and the execution that counts them. */
	unclear?: { executionId: string; count: number };
}

const STORED_AS = 'walletServiceMoneyCalls';

/** Which run of which execution writes here. */
export interface JournalPlace {
	executionId: string;
	/** n8n counts the runs of a node in one execution from 0. */
	runIndex: number;
	/** An agent calls its tools in any order, so no call of a retry can be matched with one of the execution before. */
	isTool?: boolean;
}

/** The journal of one run. An entry belongs to the place of its item, not to its data: equal payouts are two payouts. */
export class Journal {
	readonly #stored: StoredJournal;
	readonly #executionId: string;
	readonly #run: string;

	/** `nodeContext` is n8n's memory of the node in this execution (`getContext('node')`). */
	constructor(nodeContext: IDataObject, { executionId, runIndex, isTool = false }: JournalPlace) {
		this.#stored = (nodeContext[STORED_AS] ??= { runs: {} }) as unknown as StoredJournal;
		this.#executionId = executionId;
		this.#run = isTool ? `${executionId}/${runIndex}` : String(runIndex);
	}

	/** Whether no run of this execution has an entry. */
	get isEmpty(): boolean {
		return Object.values(this.#stored.runs).every((run) => Object.keys(run).length === 0);
	}

	/** Requests of this execution in a row that got no clear answer, up to now. */
	get unclearInARow(): number {
		const { unclear } = this.#stored;
		return unclear?.executionId === this.#executionId ? unclear.count : 0;
	}

	/** Counts an answer of the service, or that none came. */
	countAnswer({ isClear }: { isClear: boolean }): void {
		const count = isClear ? 0 : this.unclearInARow + 1;
		this.#stored.unclear = { executionId: this.#executionId, count };
	}

	/** Keeps the identifier of an accepted payment. False: another one of this execution has it. */
	takeId(route: string, id: string): boolean {
		const ids = (this.#stored.ids ??= {});
		const name = `${route} ${id}`;
		if (Object.hasOwn(ids, name)) return false;
		ids[name] = true;
		return true;
	}

	get(item: number): JournalEntry | undefined {
		return this.#entry(item);
	}

	/** Whether the entry decides about the item. The key of an unknown payment may have been settled since its execution failed. */
	isFinal(item: number): boolean {
		const entry = this.#entry(item);
		if (entry === undefined) return false;
		const isCopied = entry.executionId !== this.#executionId;
		return entry.result.ok || entry.key === undefined || !isCopied;
	}

	set(item: number, entry: JournalEntry): void {
		(this.#stored.runs[this.#run] ??= {})[item] = { ...entry, executionId: this.#executionId };
	}

	delete(item: number): void {
		delete this.#stored.runs[this.#run]?.[item];
	}

	/** What this run has paid, or may have paid, in item order. */
	ofThisRun(outcome: 'accepted' | 'unknown'): JournalEntry[] {
		const entries = Object.values(this.#stored.runs[this.#run] ?? {});
		return entries.filter(({ result }) => result.ok === (outcome === 'accepted'));
	}

	/** The entries of all runs of this execution. */
	all(): JournalEntry[] {
		return Object.values(this.#stored.runs).flatMap((run) => Object.values(run));
	}

	#entry(item: number): StoredEntry | undefined {
		return this.#stored.runs[this.#run]?.[item];
	}
}
