/** Sets of amounts that add up to a sum. */
import fc from 'fast-check';
import { add, subtract } from '../../api/exact/decimal.ts';
import { isEachSetTried, isSameSum, setsOf } from '../../nodes/WalletServiceDesk/book/prove/sets.ts';

test('sets of amounts are found exactly, and none holds another', () => {
	const amount = fc.integer({ min: -50, max: 50 }).map((units) => (units / 100).toFixed(2));
	const parts = fc.array(fc.record({ amount, isIn: fc.boolean() }), { maxLength: 9 });
	fc.assert(
		fc.property(parts, (all) => {
			const amounts = all.map((part) => part.amount);
			const sumOf = (set: number[]) => set.map((index) => amounts[index]!).reduce(add, '0');
			const chosen = [...all.keys()].filter((index) => all[index]!.isIn);
			const sets = setsOf(amounts, sumOf(chosen), false);
			const holds = (set: number[], other: number[]) => other.every((index) => set.includes(index));
			for (const set of sets) {
				expect(Number(subtract(sumOf(set), sumOf(chosen)))).toBe(0);
				expect(sets.filter((other) => holds(set, other))).toEqual([set]);
			}
			if (chosen.length > 0 && sets.length < 50) expect(sets.some((set) => holds(chosen, set))).toBe(true);
		}),
	);
});

test('of many amounts, the small sets and all of them are found', () => {
	const amounts = Array.from({ length: 15 }, (_, index) => `${2 ** index}.00`);
	expect(setsOf(amounts, '32767', false)).toEqual([[...amounts.keys()]]);
	expect(setsOf(amounts, '7', false)).toEqual([[0, 1, 2]]);
	expect(setsOf(amounts, '15', false)).toEqual([]);
	expect(setsOf(amounts.slice(0, 14), '15', false)).toEqual([[0, 1, 2, 3]]);
	expect([14, 15].map(isEachSetTried)).toEqual([true, false]);
});

test('a fiat balance shows two decimals, so a sum may be less than one of them away', () => {
	expect(isSameSum('10.004', '10', true)).toBe(true);
	expect(isSameSum('10.01', '10', true)).toBe(false);
	expect(isSameSum('-0.0099', '0', true)).toBe(true);
	expect(isSameSum('10.000000000000000001', '10', false)).toBe(false);
	expect(setsOf(['0.333', '0.333', '0.333'], '1.00', true)).toEqual([[0, 1, 2]]);
});

test('amounts keep all their digits', () => {
	const [huge, tiny] = ['9'.repeat(60), `0.${'0'.repeat(30)}1`];
	expect(setsOf([huge, tiny, '1'], add(huge, tiny), false)).toEqual([[0, 1]]);
});
