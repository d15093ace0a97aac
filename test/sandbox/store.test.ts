import { join } from 'node:path';
import { Store } from '../../sandbox/store.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const folder = temporaryFolder();

test('the store keeps records in their order, and nothing of a transaction that throws', () => {
	const file = join(folder, 'store.db');
	let store = new Store(file);
	const numbers = () => store.table<number>('numbers');
	const put = (records: Record<string, number>) => {
		for (const [id, number] of Object.entries(records)) numbers().put(id, number);
	};
	store.transaction(() => put({ one: 1, two: 2 }));
	store.transaction(() => put({ one: 11, three: 3 }));
	const replaceAndFail = () =>
		store.transaction(() => {
			store.clear('settings');
			put({ four: 4 });
			expect(numbers().all()).toEqual([4]);
			throw new Error('disk full');
		});
	expect(replaceAndFail).toThrow('disk full');
	store.close();
	store = new Store(file);
	expect(numbers().all()).toEqual([11, 2, 3]);
	expect(numbers().all(2)).toEqual([2, 3]);
	expect(numbers().ids()).toEqual(['one', 'two', 'three']);
	store.table('settings').put('kept', 5);
	store.clear('settings');
	expect([numbers().all(), store.table('settings').all()]).toEqual([[], [5]]);
	store.close();
});
