import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '../../sandbox/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
let file: string;
let database: DatabaseSync;
let store: Store;

/** Loses uncommitted changes, as a kill does. */
function reopen(): void {
	database.close();
	database = new DatabaseSync(file);
	store = new Store(database);
}

beforeEach(() => {
	file = join(folder, `${files++}.db`);
	database = new DatabaseSync(file);
	store = new Store(database);
	const table = store.table<number>('numbers');
	for (const [id, number] of Object.entries({ one: 1, two: 2 })) table.put(id, number);
	store.commit();
});
afterEach(() => database.close());

const numbers = () => store.table<number>('numbers').all();

test('the store keeps committed records in their order and loses uncommitted ones', () => {
	store.table('numbers').put('one', 11);
	store.table('numbers').put('three', 3);
	store.commit();
	store.table('numbers').put('four', 4);
	reopen();
	expect(numbers()).toEqual([11, 2, 3]);
});

test('clear deletes the records of a kind in the same commit as their replacements', () => {
	store.clear(['numbers']);
	store.table('numbers').put('five', 5);
	expect(numbers()).toEqual([5]);
	reopen();
	expect(numbers()).toEqual([1, 2]);
	store.clear(['numbers']);
	store.table('numbers').put('five', 5);
	store.commit();
	reopen();
	expect(numbers()).toEqual([5]);
});

test('a commit that fails writes nothing, and the next commit writes its changes', () => {
	database.exec(
		"CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.id = 'six' BEGIN SELECT RAISE(FAIL, 'disk full'); END",
	);
	store.table('numbers').put('seven', 7);
	store.table('numbers').put('six', 6);
	expect(() => store.commit()).toThrow('disk full');
	expect(database.prepare('SELECT count(*) AS rows FROM records').get()).toEqual({ rows: 2 });
	database.exec('DROP TRIGGER full');
	store.commit();
	reopen();
	expect(numbers()).toEqual([1, 2, 7, 6]);
});

test('onCommit calls back after commits that changed something', () => {
	let calls = 0;
	const stop = store.onCommit(() => calls++);
	store.commit();
	expect(calls).toBe(0);
	store.table('numbers').put('one', 1);
	store.commit();
	expect(calls).toBe(1);
	stop();
	store.clear(['numbers']);
	store.commit();
	expect(calls).toBe(1);
});
