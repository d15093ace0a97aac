/** The copy of n8n's table of processed items does what n8n's own does, with a name in place of the node's id. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ICheckProcessedContextData, INode } from 'n8n-workflow';
import { clear, count, placeOf, startAdd, startRemove } from '../fixtures/processedItems.ts';
import type { Rows } from '../fixtures/processedItems.ts';
import { packagesFolder } from '../../host/n8n/process.ts';

/** What is used of n8n. */
interface Helper {
	checkProcessedAndRecord(items: string[], scope: 'node', context: object, options: object): Promise<unknown>;
	removeProcessed(items: string[], scope: 'node', context: object, options: object): Promise<unknown>;
	getProcessedDataCount(scope: 'node', context: object, options: object): Promise<unknown>;
	clearAllProcessedItems(scope: 'node', context: object, options: object): Promise<unknown>;
}

interface Row {
	workflowId: string;
	context: string;
	value: { mode: string; data: string[] };
}

const table = new Map<string, Row>();
const helper = realHelper();

/** n8n's helper over a table in memory. Jest does not load n8n's packages, so Node itself does. */
function realHelper(): Helper {
	const node = process.getBuiltinModule('node:module') as { createRequire: typeof createRequire };
	const load = node.createRequire(join(packagesFolder(), 'n8n/package.json'));
	load('reflect-metadata');
	const { Container } = load('@n8n/di') as { Container: { set(type: unknown, value: unknown): void } };
	const { ProcessedDataRepository } = load('@n8n/db') as { ProcessedDataRepository: unknown };
	const { DeduplicationHelper } = load('./dist/deduplication/deduplication-helper.js') as {
		DeduplicationHelper: new () => Helper;
	};
	const keyOf = ({ workflowId, context }: Row) => `${workflowId}/${context}`;
	Container.set(ProcessedDataRepository, {
		findOne: async ({ where }: { where: Row }) =>
			await Promise.resolve(structuredClone(table.get(keyOf(where)) ?? null)),
		insert: async (row: Row) => {
			if (table.has(keyOf(row))) throw new Error('UNIQUE constraint failed');
			table.set(keyOf(row), structuredClone(row));
			await Promise.resolve();
		},
		update: async (where: Row, row: Row) => {
			if (table.has(keyOf(where))) table.set(keyOf(where), structuredClone(row));
			await Promise.resolve();
		},
		delete: async (where: Row) => {
			table.delete(keyOf(where));
			await Promise.resolve();
		},
	});
	return new DeduplicationHelper();
}

const OPTIONS = { mode: 'entries' };
const node = { id: 'of the node' } as INode;
const CONTEXT = { workflow: { id: 'workflow' }, node } as ICheckProcessedContextData;

/** Calls with the name in place of the node's id, which is back before the call has waited for anything. */
function at<Result>(name: string, call: () => Result): Result {
	const { id } = node;
	node.id = name;
	try {
		return call();
	} finally {
		node.id = id;
	}
}

/** Each call by n8n; and by the copy, which returns what it does later. */
const CALLS = {
	add: {
		real: (items: string[]) => helper.checkProcessedAndRecord(items, 'node', CONTEXT, OPTIONS),
		copy: startAdd,
	},
	remove: {
		real: (items: string[]) => helper.removeProcessed(items, 'node', CONTEXT, OPTIONS),
		copy: startRemove,
	},
	count: {
		real: () => helper.getProcessedDataCount('node', CONTEXT, OPTIONS),
		copy: (rows: Rows, place: string) => () => count(rows, place),
	},
	clear: {
		real: () => helper.clearAllProcessedItems('node', CONTEXT, OPTIONS),
		copy: (rows: Rows, place: string) => () => clear(rows, place),
	},
};

type Step = [kind: keyof typeof CALLS, name: string, items: string[]];

const digest = (text: string) => createHash('md5').update(text).digest('base64');

/** All calls begin before the first one goes on. Compares their answers, then the rows. */
async function expectSame(rows: Rows, ...steps: Step[]): Promise<void> {
	const real = steps.map(([kind, name, items]) => at(name, () => CALLS[kind].real(items)));
	const answers = (await Promise.allSettled(real)).map((each) =>
		each.status === 'fulfilled' ? each.value : 'failed',
	);
	const writes = steps.map(([kind, name, items]) =>
		CALLS[kind].copy(
			rows,
			at(name, () => placeOf('node', CONTEXT)),
			items,
		),
	);
	const copied = writes.map((write) => {
		try {
			return write();
		} catch {
			return 'failed';
		}
	});
	expect(copied).toEqual(answers);
	expect(Object.fromEntries([...rows].map(([place, texts]) => [place, texts.map(digest)]))).toEqual(
		Object.fromEntries([...table].map(([place, { value }]) => [place, value.data])),
	);
}

beforeEach(() => table.clear());

test("the copy has the answers and rows of n8n's own table after the same calls", async () => {
	const step = fc.tuple(
		fc.constantFrom(...(Object.keys(CALLS) as Array<keyof typeof CALLS>)),
		fc.constantFrom('one name', 'another name'),
		fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 6 }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
			table.clear();
			const rows: Rows = new Map();
			for (const each of steps) await expectSame(rows, each);
		}),
		{ numRuns: 500 },
	);
});

test('calls that begin together: each name has its row, the second that makes it fails, and writes undo each other', async () => {
	const rows: Rows = new Map();
	await expectSame(
		rows,
		['add', 'one name', ['a']],
		['add', 'another name', ['a']],
		['add', 'one name', ['b']],
	);
	await expectSame(rows, ['add', 'one name', ['c']], ['add', 'one name', ['d']]);
	await expectSame(rows, ['remove', 'one name', ['a']], ['add', 'one name', ['e']]);
	expect(Object.fromEntries(rows)).toEqual({
		'workflow/n:one name': ['a', 'd', 'e'],
		'workflow/n:another name': ['a'],
	});
});
