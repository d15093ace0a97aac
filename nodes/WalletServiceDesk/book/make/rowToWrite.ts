/** A row as it is written into the book, and who writes it. */
import type { BookCells as BookRow } from '../row.ts';

/** A column that is left out keeps what the book has in it: the Data Table changes only columns that it is given. */
export type RowToWrite = Partial<BookRow> & Pick<BookRow, 'key' | 'kind' | 'result' | 'message'>;

export interface RowContext {
	/** ISO 8601 in UTC. */
	now: string;
	/** Name of the workflow. */
	workflow: string;
	/** ID of the execution. */
	execution: string;
	/** Who said yes to the payments; '' if nobody was asked. */
	approvedBy: string;
}

/** The columns that have a value. */
export function filled(columns: Partial<BookRow>): Partial<BookRow> {
	return Object.fromEntries(Object.entries(columns).filter(([, text]) => text !== ''));
}
