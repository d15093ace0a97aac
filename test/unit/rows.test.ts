/** A row for each name in n8n's table, and none where n8n would not keep them apart. */
import type { Rows as Table } from '../fixtures/processedItems.ts';
import { contextOf, OWN_ID, type Faults } from './tableContext.ts';
import type { RowName, Rows } from '../../nodes/shared/store/rows.ts';

type RowsModule = typeof import('../../nodes/shared/store/rows.ts');

/** The module as a new process has it: rows are not proven yet. */
async function newModule(): Promise<RowsModule> {
	let module: RowsModule | undefined;
	await jest.isolateModulesAsync(async () => {
		module = await import('../../nodes/shared/store/rows.ts');
	});
	return module!;
}
const newProcess = async () => (await newModule()).rowsOf;

describe('rows', () => {
	const table: Table = new Map();
	let rows: Rows;
	beforeEach(async () => {
		table.clear();
		rows = await (await newProcess())(contextOf(table).context);
		expect(table.size).toBe(0);
	});

	test('a row is made once, and knows the texts of its maker', async () => {
		expect(await rows.make(['sent', 'a'], 'mine', 'more')).toEqual({ is: 'made' });
		expect(await rows.make(['sent', 'a'], 'mine')).toEqual({ is: 'mine' });
		expect(await rows.make(['sent', 'a'], 'mine', 'other')).toEqual({ is: 'others', missing: ['other'] });
		// What was asked leaves nothing behind.
		expect(await rows.make(['sent', 'a'], 'other')).toEqual({ is: 'others', missing: ['other'] });
		expect([...table.values()].map(({ length }) => length)).toEqual([3]);
	});

	test('each kind and each part of a name has a row of its own', async () => {
		const names = ['sent a', 'paid a', 'sent a b', 'sent ab'].map((name) => name.split(' '));
		for (const name of names) expect((await rows.make(name as RowName)).is).toBe('made');
		expect(table.size).toBe(4);
		// n8n's column has 255 characters, and two of them are its own.
		for (const place of table.keys()) expect(place.length).toBeLessThan(100);
	});

	/** A process whose next writes fail, before or after they were stored. */
	const failing = async (when: 'beforeWrite' | 'afterWrite', times: number) => {
		let left = 0;
		const fail = () => {
			if (left-- > 0) throw new Error('UNIQUE constraint failed');
		};
		const process = await (await newProcess())(contextOf(table, { [when]: fail }).context);
		left = times;
		return process;
	};

	test('a row that another process has made and freed at the same instant, twice, is asked for again', async () => {
		const words = 'UNIQUE constraint failed';
		expect(await (await failing('beforeWrite', 2)).make(['sent', 'a'], 'mine')).toEqual({ is: 'made' });
		await expect((await failing('beforeWrite', 3)).make(['sent', 'b'])).rejects.toThrow(words);
		await expect((await failing('beforeWrite', 1)).delete(['sent', 'a'])).rejects.toThrow(words);
	});

	test('after a write that failed and was stored, nobody knows whose row it is', async () => {
		const words = 'n8n does not say whether it has stored the row';
		await expect((await failing('afterWrite', 1)).make(['used', 'a'], 'mine')).rejects.toThrow(words);
		await rows.make(['used', 'b'], 'of another');
		await expect((await failing('afterWrite', 1)).make(['used', 'b'], 'mine')).rejects.toThrow(words);
		// A row without texts is there, and not made by this call.
		expect(await (await failing('afterWrite', 1)).make(['sent', 'a'])).toEqual({ is: 'mine' });
	});

	test('a row is taken once, even if a write before has failed', async () => {
		expect(await rows.take(['day', 'a'], 'text')).toEqual({ is: 'made' });
		expect(await rows.take(['day', 'a'], 'text')).toEqual({ is: 'others', missing: [] });
		expect(await rows.take(['day', 'a'], 'text', 'more')).toEqual({ is: 'others', missing: ['more'] });
		expect([...table.values()].map(({ length }) => length)).toEqual([3]);
		for (const times of [1, 2]) {
			const process = await failing('beforeWrite', times);
			expect(await process.take(['day', `new ${times}`])).toEqual({ is: 'made' });
		}
		const process = await failing('beforeWrite', 1);
		expect(await process.take(['day', 'a'], 'text')).toEqual({ is: 'others', missing: [] });
	});

	test('a row whose write failed and was stored is not taken: it may be one of another process', async () => {
		const words = 'n8n does not say whether it has stored the row';
		await rows.take(['day', 'of another']);
		for (const name of ['of another', 'new'])
			await expect((await failing('afterWrite', 1)).take(['day', name])).rejects.toThrow(words);
		expect(await rows.take(['day', 'new'])).toEqual({ is: 'others', missing: [] });
	});

	/** A process whose database cannot be reached for so many calls, and how many it has had. */
	const away = async (error: Error, times: number) => {
		let [left, calls] = [0, 0];
		const wait = async () => {
			calls += 1;
			if (left-- > 0) throw error;
			await Promise.resolve();
		};
		const process = await (await newProcess())(contextOf(table, { wait }).context);
		[left, calls] = [times, 0];
		return { process, calls: () => calls };
	};
	const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

	test.each([
		['ECONNREFUSED', ''],
		['57P01', 'terminating connection due to administrator command'],
		['57P03', 'the database system is starting up'],
		['53300', 'sorry, too many clients already'],
		['', 'Connection terminated unexpectedly'],
		['', 'timeout exceeded when trying to connect'],
		['', 'Cannot use a pool after calling end on the pool'],
		['', 'Driver not Connected'],
	])('a database that is away is waited for (%s %s)', async (code, message) => {
		const { process } = await away(coded(code, message), 4);
		expect(await process.make(['sent', 'a'])).toEqual({ is: 'made' });
		expect(await (await away(coded(code, message), 4)).process.exists(['sent', 'a'])).toBe(true);
	});

	test('a question that n8n has lost is asked again', async () => {
		const { context } = contextOf(table);
		const process = await (await newProcess())(context);
		const late = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
		const ask = jest.spyOn(context.helpers, 'checkProcessedAndRecord');
		ask.mockImplementationOnce(async () => await new Promise(() => {}));
		const making = process.make(['sent', 'a']);
		late.abort();
		expect(await making).toEqual({ is: 'made' });
		expect(ask).toHaveBeenCalledTimes(2);
		expect(timeout).toHaveBeenCalledWith(30_000);
	});

	test('a row is not deleted a second time: another process may have made it since', async () => {
		await rows.make(['sent', 'a']);
		const { process, calls } = await away(coded('ECONNRESET'), 1);
		await expect(process.delete(['sent', 'a'])).rejects.toThrow();
		expect(calls()).toBe(1);
	});

	test('a database that is away for a minute is waited for no more, until it is back', async () => {
		const { process, calls } = await away(coded('ECONNREFUSED'), 12);
		let now = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 21_000));
		await expect(process.exists(['sent', 'a'])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		const waited = calls();
		expect(waited).toBeGreaterThan(1);
		await expect(process.exists(['sent', 'a'])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		expect(calls()).toBe(waited + 1);
		clock.mockRestore();
		await expect(process.make(['sent', 'a'])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		while (calls() < 12) await expect(process.exists(['sent', 'a'])).rejects.toThrow();
		expect(await process.exists(['sent', 'a'])).toBe(false);
	});

	test('the node has its own id again, also after a call that throws at once', async () => {
		const { context, node } = contextOf(table);
		const again = await (await newProcess())(context);
		const calling = again.make(['sent', 'a']);
		expect(node.id).toBe(OWN_ID);
		await calling;
		(context.helpers as { getProcessedDataCount: unknown }).getProcessedDataCount = () => {
			throw new Error('at once');
		};
		await expect(again.exists(['sent', 'a'])).rejects.toThrow('at once');
		expect(node.id).toBe(OWN_ID);
	});
});

describe('no rows, so that nothing is sent', () => {
	const table: Table = new Map();
	beforeEach(() => table.clear());
	const open = async (faults: Faults) => await (await newProcess())(contextOf(table, faults).context);

	let calls = 0;
	test.each<[string, () => string]>([
		['ignores the id', () => 'one row for all'],
		['gives each call another row', () => `row ${(calls += 1)}`],
	])('if n8n %s', async (_, place) => {
		await expect(open({ place })).rejects.toThrow('n8n does not keep a row for each name');
	});

	test('if n8n passes the question over', async () => {
		const { context } = contextOf(table);
		context.helpers.checkProcessedAndRecord = async () => await Promise.resolve({ new: [], processed: [] });
		await expect((await newProcess())(context)).rejects.toThrow('the row has other data');
	});

	test('if the workflow was never saved', async () => {
		await expect(open({ workflowId: '' })).rejects.toThrow('the workflow was never saved');
	});

	test('until it was proven: a failed proof is tried again', async () => {
		let fails = true;
		const beforeWrite = () => {
			if (fails) throw new Error('database is locked');
		};
		const { context } = contextOf(table, { beforeWrite });
		const rowsOf = await newProcess();
		await expect(rowsOf(context)).rejects.toThrow('database is locked');
		fails = false;
		expect((await (await rowsOf(context)).make(['sent', 'a'])).is).toBe('made');
	});
});

describe('rows for who only reads', () => {
	const table: Table = new Map();
	beforeEach(() => table.clear());
	const NAME: RowName = ['sent', 'a'];

	test('are those that others have made, and nothing is written', async () => {
		await (await (await newProcess())(contextOf(table).context)).make(NAME);
		const before = [...table.keys()];
		const rows = await (await newModule()).rowsToRead(contextOf(table).context);
		expect([await rows!.exists(NAME), await rows!.exists(['sent', 'b'])]).toEqual([true, false]);
		expect([...table.keys()]).toEqual(before);
	});

	test('are none where n8n has one row for all names, or where the workflow was never saved', async () => {
		const { rowsToRead } = await newModule();
		expect(await rowsToRead(contextOf(table, { workflowId: '' }).context)).toBeUndefined();
		table.set('one row for all', ['row']);
		expect(await rowsToRead(contextOf(table, { place: () => 'one row for all' }).context)).toBeUndefined();
	});

	test('and rows to write are proven once in a process', async () => {
		let statements = 0;
		const count = (more: number) => (statements += more);
		const { rowsOf, rowsToRead } = await newModule();
		const { context } = contextOf(table, { count });
		await rowsOf(context);
		expect(statements).toBeGreaterThan(0);
		statements = 0;
		await rowsOf(context);
		await rowsToRead(context);
		expect(statements).toBe(0);
	});
});
