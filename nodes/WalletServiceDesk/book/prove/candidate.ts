/** What may explain a difference between the balance and the book, by its kind. */
import type { Entry, Findings, Reading, Unanswered } from './findings.ts';
import type { Standing } from './standing.ts';

export interface Candidate {
	/** Names the cause in the proof. */
	key: string;
	/** `Movement.name`; '' if there is none. */
	name: string;
	/** Signed. By how much the balance is then higher than the book. */
	amount: string;
	words: string;
	/** Ordinary business that ends by itself. Nobody has to do anything. */
	isUnderWay?: boolean;
	/** It counts, should have moved the balance, and perhaps did not happen. */
	isOverdue?: boolean;
	/** Its payment was unclear in the proof from which this one starts, and has its row now: it ends that. */
	closes?: true;
	/** The payment without an answer that it is. */
	payment?: Unanswered;
}

export interface Candidates {
	/** Payments that were unclear where this proof starts, and have their row now. */
	closings: Candidate[];
	/** Payments without an answer that waited where this proof starts, or that are new. */
	waiting: Candidate[];
	/** Payments without an answer of which that balance did not tell. */
	unclear: Candidate[];
	/** Payments that were made under their key, nobody says when. */
	madeBefore: Candidate[];
	/** What the book does not count, and may have moved. */
	doubts: Candidate[];
	/** What came while the balance was read, the oldest first. */
	during: Candidate[];
	/** Fees that count. Perhaps this service takes none. */
	fees: Candidate[];
	/** What counts, and may not have moved yet. */
	underWay: Candidate[];
	/** What counts, and should have moved. */
	overdue: Candidate[];
	/** What may be a part of a difference, and whose amount nobody knows. */
	withoutAmount: Candidate[];
}

export const NO_CANDIDATES: Candidates = {
	...{ closings: [], waiting: [], unclear: [], madeBefore: [], doubts: [], during: [] },
	...{ fees: [], underWay: [], overdue: [], withoutAmount: [] },
};

/** A difference that no row explains. */
export interface NotExplained {
	/** Signed. */
	amount: string;
	/** The time of the first of the proofs that found it, one after the other. */
	since: string;
}

/** What a difference is compared with. */
export interface Comparison {
	reading: Reading & { lastTime: string };
	findings: Findings;
	/** Entries that this proof counts. */
	counted: Entry[];
	standing: Standing;
	/** Whether the balance shows two decimals only. */
	isRounded: boolean;
	/** What the proof before this one could not explain. */
	earlier: NotExplained | undefined;
}
