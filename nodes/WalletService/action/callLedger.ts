/**
 * The payments of one execution, stored with it. n8n runs a node again from its first item for Retry On Fail and for
 * "Retry execution": a payment that was accepted, or may have been, is found here and not sent again.
 */
import type { IDataObject } from 'n8n-workflow';

import type { CountedPayment } from './limits.ts';
import type { Executed, Failure } from './outcome.ts';

interface Sent extends CountedPayment {
	/** Route of the endpoint. */
	route: string;
	/** JSON text of the request. */
	body?: string;
	destination?: string;
	executed: Executed;
}

/** Plain JSON, because n8n stores it in its database. */
export type LedgerEntry =
	| (Sent & { outcome: 'accepted'; items: IDataObject[] })
	| (Sent & { outcome: 'unknown'; failure: Failure });

interface StoredLedger {
	/** The execution that wrote here last. */
	executionId?: string;
	/** By run index, then by item index. Loops and AI agents run a node several times in one execution. */
	runs: Record<string, Record<string, LedgerEntry>>;
}

const STORED_AS = 'walletServiceMoneyCalls';

/**
 * The ledger of one run of the node. An entry belongs to the place of its item, not to its data: two equal payouts are
 * two payouts, and a try with changed data is still a try of the same payment.
 */
export class CallLedger {
	readonly #stored: StoredLedger;
	readonly #run: string;
	readonly #executionId: string;

	/** `nodeContext` is n8n's memory of the node in this execution (`getContext('node')`). */
	constructor(nodeContext: IDataObject, runIndex: number, executionId: string) {
		this.#stored = (nodeContext[STORED_AS] ??= { runs: {} }) as unknown as StoredLedger;
		this.#run = String(runIndex);
		this.#executionId = executionId;
	}

	/** The execution whose entries "Retry execution" has brought along; undefined if there is none. */
	get continuedFrom(): string | undefined {
		const { executionId } = this.#stored;
		return executionId === this.#executionId ? undefined : executionId;
	}

	/** Whether the node has not run before, neither in this execution nor in the one that it retries. */
	get isNew(): boolean {
		return this.#stored.executionId === undefined;
	}

	/** Marks the entries as those of this execution. */
	takeOver(): void {
		this.#stored.executionId = this.#executionId;
	}

	get(item: number): LedgerEntry | undefined {
		return this.#stored.runs[this.#run]?.[item];
	}

	set(item: number, entry: LedgerEntry): void {
		(this.#stored.runs[this.#run] ??= {})[item] = entry;
	}

	delete(item: number): void {
		delete this.#stored.runs[this.#run]?.[item];
	}

	/** This run's entries with the outcome, in item order. */
	ofThisRun(outcome: LedgerEntry['outcome']): LedgerEntry[] {
		return Object.values(this.#stored.runs[this.#run] ?? {}).filter((entry) => entry.outcome === outcome);
	}

	/** The entries of all runs of this execution. */
	all(): LedgerEntry[] {
		return Object.values(this.#stored.runs).flatMap((run) => Object.values(run));
	}

	/** An entry of another run whose outcome is unknown and whose request is the same: it may be another try of it. */
	unknownElsewhere(
		route: string,
		body: string | undefined,
	): (LedgerEntry & { outcome: 'unknown' }) | undefined {
		for (const [run, entries] of Object.entries(this.#stored.runs)) {
			if (run === this.#run) continue;
			for (const entry of Object.values(entries)) {
				if (entry.outcome === 'unknown' && entry.route === route && entry.body === body) return entry;
			}
		}
		return undefined;
	}
}
