/** Processes of n8n over one table in memory, each with its own memory: modules as a new process has them, and its rows. */
import type { Rows as Table } from '../fixtures/processedItems.ts';
import type { Rows } from '../../nodes/shared/store/rows.ts';
import { contextOf, type Faults } from './tableContext.ts';

interface Process<Module> {
	module: Module;
	rows: Rows;
	/** Statements of SQL since the last question. */
	statements: () => number;
}

/** `load` imports the module that is tested. Rows are proven before the first statement is counted. */
export async function startProcess<Module>(
	table: Table,
	load: () => Promise<Module>,
	faults: Faults = {},
): Promise<Process<Module>> {
	let counted = 0;
	const { context } = contextOf(table, {
		...faults,
		count: (statements) => {
			counted += statements;
			faults.count?.(statements);
		},
	});
	let started: Omit<Process<Module>, 'statements'> | undefined;
	// A new process would load all of it. A sweep does not pause.
	jest.doMock('n8n-workflow', () => ({ sleep: async () => await Promise.resolve() }));
	await jest.isolateModulesAsync(async () => {
		const module = await load();
		const { rowsOf } = await import('../../nodes/shared/store/rows.ts');
		started = { module, rows: await rowsOf(context) };
	});
	// Stryker runs all test files in one registry of modules.
	jest.dontMock('n8n-workflow');
	counted = 0;
	const statements = () => {
		const since = counted;
		counted = 0;
		return since;
	};
	return { ...started!, statements };
}
