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
	// A new process would load all of it. A sweep does not pause.
	const started = await loadAlone({ sleep: async () => await Promise.resolve() }, async () => {
		const module = await load();
		const { rowsOf } = await import('../../nodes/shared/store/rows.ts');
		return { module, rows: await rowsOf(context) };
	});
	counted = 0;
	const statements = () => {
		const since = counted;
		counted = 0;
		return since;
	};
	return { ...started, statements };
}

/** Loads modules as new, with other contents of `n8n-workflow`. Only they have them: Stryker runs all test files in one registry of modules. */
export async function loadAlone<Loaded>(mocked: object, load: () => Promise<Loaded>): Promise<Loaded> {
	jest.doMock('n8n-workflow', () => mocked);
	let loaded: Loaded | undefined;
	await jest.isolateModulesAsync(async () => {
		loaded = await load();
	});
	jest.dontMock('n8n-workflow');
	return loaded!;
}
