/** The payments of one execution, stored with it. What n8n runs again is found here and not sent again. */
import type { IDataObject } from 'n8n-workflow';

import type { CallResult } from '../../result.ts';
import type { Money } from '../../serviceRequest.ts';

/** A payment that was sent. Plain JSON, because n8n stores it in its database. */
export interface LedgerEntry {
	itemIndex: number;
	/** Route of the endpoint. */
	route: string;
	/** The key in the form in which keys are compared. */
	key?: string;
	/** The key as the user wrote it. */
	paymentKey?: string;
	money: Money;
	/** Accepted, or unknown. */
	result: CallResult;
}

interface StoredLedger {
	/** The execution that wrote here last. */
	executionId?: string;
	/** By run index, then by item index. Loops and AI agents run a node several times in one execution. */
	runs: Record<string, Record<string, LedgerEntry>>;
}

const STORED_AS = 'walletServiceMoneyCalls';

/** The ledger of one run. An entry belongs to the place of its item, not to its data: equal payouts are two payouts. */
export class ExecutionLedger {
	readonly #stored: StoredLedger;
	readonly #run: string;
	readonly #executionId: string;
	/** Whether the entries are those of an execution that this one retries. */
	readonly #isCopied: boolean;

	/** `nodeContext` is n8n's memory of the node in this execution (`getContext('node')`). */
	constructor(nodeContext: IDataObject, runIndex: number, executionId: string) {
		this.#stored = (nodeContext[STORED_AS] ??= { runs: {} }) as unknown as StoredLedger;
		this.#run = String(runIndex);
		this.#executionId = executionId;
		this.#isCopied = this.continuedFrom !== undefined;
	}

	/** The execution whose entries n8n has copied for "Retry execution"; undefined if there is none. */
	get continuedFrom(): string | undefined {
		const { executionId } = this.#stored;
		return executionId === this.#executionId ? undefined : executionId;
	}

	/** Whether the node has not run before, neither in this execution nor in the one that it retries. */
	get isNew(): boolean {
		return this.#stored.executionId === undefined;
	}

	/** Marks the entries as entries of this execution. */
	takeOver(): void {
		this.#stored.executionId = this.#executionId;
	}

	get(item: number): LedgerEntry | undefined {
		return this.#stored.runs[this.#run]?.[item];
	}

	/** Whether the entry decides about the item. The key of an unknown payment may have been settled since its execution failed. */
	isFinal(item: number): boolean {
		const entry = this.get(item);
		return entry !== undefined && (entry.result.ok || entry.key === undefined || !this.#isCopied);
	}

	set(item: number, entry: LedgerEntry): void {
		(this.#stored.runs[this.#run] ??= {})[item] = entry;
	}

	delete(item: number): void {
		delete this.#stored.runs[this.#run]?.[item];
	}

	/** What this run has paid, or may have paid, in item order. */
	ofThisRun(outcome: 'accepted' | 'unknown'): LedgerEntry[] {
		const entries = Object.values(this.#stored.runs[this.#run] ?? {});
		return entries.filter(({ result }) => result.ok === (outcome === 'accepted'));
	}

	/** The entries of all runs of this execution. */
	all(): LedgerEntry[] {
		return Object.values(this.#stored.runs).flatMap((run) => Object.values(run));
	}
}
