/** The copy of n8n's record of processed items does what n8n's own does. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { startAdd, startRemove } from '../../host/doubles/processedItems.ts';
import type { Rows } from '../../host/doubles/processedItems.ts';

/** What is used of n8n. */
interface Helper {
	checkProcessedAndRecord(
		items: string[],
		scope: 'workflow',
		context: object,
		options: object,
	): Promise<unknown>;
	removeProcessed(items: string[], scope: 'workflow', context: object, options: object): Promise<void>;
}

interface Row {
	workflowId: string;
	context: string;
	value: { mode: string; data: string[] };
}

const PLACE = 'workflow';
const WORKFLOW = { workflow: { id: PLACE } };

/** n8n's helper over a table in memory. Jest does not load n8n's packages, so Node itself does. */
function realHelper(): { helper: Helper; table: Map<string, Row> } {
	const node = process.getBuiltinModule('node:module') as { createRequire: typeof createRequire };
	const load = node.createRequire(resolve('host/node_modules/n8n/package.json'));
	load('reflect-metadata');
	const { Container } = load('@n8n/di') as { Container: { set(type: unknown, value: unknown): void } };
	const { ProcessedDataRepository } = load('@n8n/db') as { ProcessedDataRepository: unknown };
	const { DeduplicationHelper } = load('./dist/deduplication/deduplication-helper.js') as {
		DeduplicationHelper: new () => Helper;
	};
	const table = new Map<string, Row>();
	Container.set(ProcessedDataRepository, {
		findOne: async ({ where: { workflowId } }: { where: Row }) =>
			await Promise.resolve(structuredClone(table.get(workflowId) ?? null)),
		insert: async (row: Row) => {
			if (table.has(row.workflowId)) throw new Error('UNIQUE constraint failed');
			table.set(row.workflowId, structuredClone(row));
			await Promise.resolve();
		},
		update: async ({ workflowId }: Row, row: Row) => {
			if (table.has(workflowId)) table.set(workflowId, structuredClone(row));
			await Promise.resolve();
		},
	});
	return { helper: new DeduplicationHelper(), table };
}

const { helper, table } = realHelper();

const items = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 6 });
const step = fc.oneof(
	fc.record({ kind: fc.constant('add' as const), items, maxEntries: fc.constantFrom(undefined, 1, 4, 7) }),
	fc.record({ kind: fc.constant('remove' as const), items }),
);

const digest = (text: string) => createHash('md5').update(text).digest('base64');

test("the copy has the answers and entries of n8n's own record after the same calls", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			table.clear();
			const rows: Rows = new Map();
			for (const one of steps) {
				if (one.kind === 'add') {
					const { maxEntries } = one;
					const options = { mode: 'entries', ...(maxEntries !== undefined && { maxEntries }) };
					const real = await helper.checkProcessedAndRecord(one.items, 'workflow', WORKFLOW, options);
					expect(startAdd(rows, PLACE, one.items, maxEntries)()).toEqual(real);
				} else {
					await helper.removeProcessed(one.items, 'workflow', WORKFLOW, { mode: 'entries' });
					startRemove(rows, PLACE, one.items)();
				}
				expect(rows.get(PLACE)?.map(digest)).toEqual(table.get(PLACE)?.value.data);
			}
		}),
		{ numRuns: 500 },
	);
});

test.each(['add', 'remove'])('%s writes what it has read, over what was written meanwhile', async (kind) => {
	table.clear();
	const rows: Rows = new Map();
	await helper.checkProcessedAndRecord(['a', 'b'], 'workflow', WORKFLOW, { mode: 'entries' });
	startAdd(rows, PLACE, ['a', 'b'])();
	const options = { mode: 'entries' };
	// Both calls read before the first of them writes.
	const first =
		kind === 'add'
			? helper.checkProcessedAndRecord(['c'], 'workflow', WORKFLOW, options)
			: helper.removeProcessed(['a'], 'workflow', WORKFLOW, options);
	await Promise.all([first, helper.checkProcessedAndRecord(['d'], 'workflow', WORKFLOW, options)]);
	const write = kind === 'add' ? startAdd(rows, PLACE, ['c']) : startRemove(rows, PLACE, ['a']);
	const writeSecond = startAdd(rows, PLACE, ['d']);
	write();
	writeSecond();
	expect(table.get(PLACE)?.value.data).toEqual(rows.get(PLACE)?.map(digest));
	expect(rows.get(PLACE)).toEqual(['a', 'b', 'd']);
});

test('two calls that both make the row: the second one fails', async () => {
	table.clear();
	const options = { mode: 'entries' };
	const both = ['a', 'b'].map((item) =>
		helper.checkProcessedAndRecord([item], 'workflow', WORKFLOW, options),
	);
	const real = (await Promise.allSettled(both)).map(({ status }) => status);
	const rows: Rows = new Map();
	const writes = ['a', 'b'].map((item) => startAdd(rows, PLACE, [item]));
	const copied = writes.map((write) => {
		try {
			write();
			return 'fulfilled';
		} catch {
			return 'rejected';
		}
	});
	expect(copied).toEqual(real);
	expect(real).toEqual(['fulfilled', 'rejected']);
});
