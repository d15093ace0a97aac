/** n8n's context of an execution, over a table in memory. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { clear, count, startAdd, startRemove, type Rows as Table } from '../fixtures/processedItems.ts';

/** What a helper of n8n does with the name; it has read the id of the node before it waits. */
export interface Faults {
	/** The place of a row; by default, each id has its own. */
	place?: (id: string) => string;
	workflowId?: string;
	/** When a question or a write goes on, after the row was read and before it is written. At once by default. */
	wait?: () => Promise<void>;
	/** Called before each write. It may throw. */
	beforeWrite?: () => void;
	/** A promise keeps the caller waiting. */
	afterWrite?: () => void | Promise<void>;
	/** Counts the statements of SQL that n8n needs. */
	count?: (statements: number) => void;
}

export const OWN_ID = 'the id of the node';

export function contextOf(table: Table, { place = (id) => id, workflowId = 'w', ...faults }: Faults = {}) {
	const node = { id: OWN_ID };
	const write = async <T>(work: () => T, statements = 2) => {
		faults.count?.(statements);
		await faults.wait?.();
		faults.beforeWrite?.();
		const result = work();
		await faults.afterWrite?.();
		return result;
	};
	/** The place of a call. In another scope or mode n8n would have one row for all nodes, or keep no texts. */
	const placeOfCall = (scope: string, { mode }: { mode: string }) => {
		// An expect() here would be a third of the work of the tests that try all schedules.
		if (scope !== 'node' || mode !== 'entries') throw new Error(`A call in scope ${scope}, mode ${mode}`);
		return place(node.id);
	};
	type Where = Parameters<typeof placeOfCall>;
	const helpers = {
		checkProcessedAndRecord: (items: string[], ...where: Where) =>
			write(startAdd(table, placeOfCall(...where), items)),
		removeProcessed: (items: string[], ...where: Where) =>
			write(startRemove(table, placeOfCall(...where), items)),
		clearAllProcessedItems: (...where: Where) => {
			const at = placeOfCall(...where);
			return write(() => clear(table, at), 1);
		},
		getProcessedDataCount: async (...where: Where) => {
			const at = placeOfCall(...where);
			faults.count?.(1);
			await faults.wait?.();
			return count(table, at);
		},
	};
	const context = { helpers, getWorkflow: () => ({ id: workflowId }), getExecuteData: () => ({ node }) };
	return { context: context as unknown as IExecuteFunctions, node };
}
