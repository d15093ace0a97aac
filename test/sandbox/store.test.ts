import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '../../sandbox/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

let file: string;
let database: DatabaseSync;
let store: Store;

/** Closes the database without a commit, as a kill does. */
function reopen(): void {
	database.close();
	database = new DatabaseSync(file);
	store = new Store(database);
}

beforeEach(() => {
	file = join(mkdtempSync(join(folder, '-')), 'store.db');
	database = new DatabaseSync(file);
	store = new Store(database);
	put({ one: 1, two: 2 });
	store.commit();
});
afterEach(() => database.close());

function put(records: Record<string, number>): void {
	for (const [id, number] of Object.entries(records)) store.table('numbers').put(id, number);
}
const numbers = () => store.table('numbers').all();

test('the store keeps committed records in their order and loses uncommitted ones', () => {
	put({ one: 11, three: 3 });
	store.commit();
	put({ four: 4 });
	reopen();
	expect(numbers()).toEqual([11, 2, 3]);
});

test('the store deletes records in the same commit as it writes their replacements', () => {
	const replace = () => {
		store.clear(['numbers']);
		put({ five: 5 });
		expect(numbers()).toEqual([5]);
	};
	replace();
	reopen();
	expect(numbers()).toEqual([1, 2]);
	replace();
	store.commit();
	reopen();
	expect(numbers()).toEqual([5]);
});

test('a commit that fails writes nothing, and the next commit writes its changes', () => {
	database.exec(
		"CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.id = 'six' BEGIN SELECT RAISE(FAIL, 'disk full'); END",
	);
	put({ seven: 7, six: 6 });
	expect(() => store.commit()).toThrow('disk full');
	expect(database.prepare('SELECT count(*) AS rows FROM records').get()).toEqual({ rows: 2 });
	database.exec('DROP TRIGGER full');
	store.commit();
	reopen();
	expect(numbers()).toEqual([1, 2, 7, 6]);
});
