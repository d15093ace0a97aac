/** The payments of one execution, stored with it. What n8n runs again is found here and not sent again. */
import type { IDataObject } from 'n8n-workflow';

import { add, subtract } from '../../../../api/exact/decimal.ts';
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
	/** Units whose *Maximum Total* a row of a list has passed, each with the execution in which it did. */
	closed?: Record<string, string>;
	/** Requests in a row that got no clear answer, and the execution that counts them. */
	unclear?: { executionId: string; count: number };
}

const STORED_AS = 'walletServiceMoneyCalls';

/** What the amounts of a list are counted in. The two kinds of payouts have routes of their own. */
export interface Unit {
	route: string;
	/** In capitals. */
	code: string;
}

/** Sums of journals by unit. They follow from the entries, so they are not stored. To add up a long list for each of its rows takes time. */
const sums = new WeakMap<object, Map<string, string>>();

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

	/** What this node has paid, or may have paid, in this execution. Undefined: one of the amounts is not readable. */
	sumOf(unit: Unit): string | undefined {
		const known = sums.get(this.#stored) ?? new Map<string, string>();
		sums.set(this.#stored, known);
		const sum = known.get(nameOf(unit)) ?? sumIn(this.all(), unit);
		if (sum !== undefined) known.set(nameOf(unit), sum);
		return sum;
	}

	/** The sums after an entry has come or gone. */
	#changeSum(entry: JournalEntry | undefined, change: (sum: string, amount: string) => string): void {
		if (entry === undefined) return;
		const { route, money } = entry;
		const name = nameOf({ route, code: codeOf(money) ?? '' });
		const known = sums.get(this.#stored);
		const sum = known?.get(name);
		if (sum !== undefined && money.amount !== undefined) known?.set(name, change(sum, money.amount));
		else known?.clear();
	}

	/** Whether a row of this execution has passed the limit of the unit. */
	isClosed(unit: Unit): boolean {
		return this.#stored.closed?.[nameOf(unit)] === this.#executionId;
	}

	close(unit: Unit): void {
		(this.#stored.closed ??= {})[nameOf(unit)] = this.#executionId;
	}

	set(item: number, entry: JournalEntry): void {
		this.#changeSum(this.#entry(item), subtract);
		this.#changeSum(entry, add);
		(this.#stored.runs[this.#run] ??= {})[item] = { ...entry, executionId: this.#executionId };
	}

	/** Keeps of an entry what its key says now. Nothing comes in for an item without entry: another execution has paid it. */
	settle(item: number, result: CallResult | undefined): void {
		const entry = this.#entry(item);
		if (entry !== undefined && result !== undefined) this.set(item, { ...entry, result });
	}

	delete(item: number): void {
		this.#changeSum(this.#entry(item), subtract);
		delete this.#stored.runs[this.#run]?.[item];
	}

	/** What this run has paid, or may have paid, in item order. Without what turned out to be paid before. */
	ofThisRun(outcome: 'accepted' | 'unknown'): JournalEntry[] {
		const entries = Object.values(this.#stored.runs[this.#run] ?? {});
		return entries.filter(({ result }) => result.ok === (outcome === 'accepted') && !wasPaidBefore(result));
	}

	/** The entries of all runs of this execution. */
	all(): JournalEntry[] {
		return Object.values(this.#stored.runs).flatMap((run) => Object.values(run));
	}

	#entry(item: number): StoredEntry | undefined {
		return this.#stored.runs[this.#run]?.[item];
	}
}

/** Whether its key has shown that a payment was made before. */
export function wasPaidBefore(result: CallResult): boolean {
	return result.ok && result.items.some(({ alreadyPaid }) => alreadyPaid === true);
}

function nameOf({ route, code }: Unit): string {
	return `${route} ${code}`;
}

function codeOf({ currency }: Money): string | undefined {
	return currency?.toUpperCase();
}

/** Undefined if an amount, or what it is counted in, is not readable in one of the entries. */
function sumIn(entries: JournalEntry[], { route, code }: Unit): string | undefined {
	let sum: string | undefined = '0';
	for (const { route: other, money } of entries) {
		const isOther = other !== route || (money.currency !== undefined && codeOf(money) !== code);
		if (isOther || sum === undefined) continue;
		const isReadable = money.currency !== undefined && money.amount !== undefined;
		sum = isReadable ? add(sum, money.amount) : undefined;
	}
	return sum;
}
