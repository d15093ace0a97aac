/** What belongs together changes together. */
import { Store } from '../../sandbox/machine/store.ts';

test('a change that fails in the middle leaves nothing, and the next one is made', () => {
	const store = new Store();
	const records = store.table<string>('payouts');
	const change = () => {
		records.put('po_1', 'pending');
		throw new Error('in the middle');
	};
	expect(() => store.transaction(change)).toThrow('in the middle');
	expect(records.ids()).toEqual([]);
	store.transaction(() => records.put('po_2', 'pending'));
	expect(records.ids()).toEqual(['po_2']);
	store.close();
});
