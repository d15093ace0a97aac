/** A long book is proved in a time that grows with its length, whatever stands in it. */
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { readBookRows } from '../../nodes/WalletServiceDesk/book/readBookRows.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import { at, balanceRow, coinPayout, deposit, LOST, payout, update } from './proofMornings.ts';

/** Rows that multiply the work of a slow function, by what they are. */
const ROWS: Record<string, (index: number) => BookRow> = {
	'ordinary rows': (index) => (index % 2 === 0 ? payout() : deposit()),
	'rows of a year': (index) => payout({ time: at(-(index % 365)) }),
	'payments without an answer': () => payout(LOST),
	'payments under way': () => payout({ ...LOST, result: 'under way' }),
	'payments that were found paid': () => payout({ result: 'alreadyPaid' }),
	'payments of one key': () => payout({ key: 'K' }),
	'payments of one key and many workflows': (index) => payout({ ...LOST, key: 'K', workflow: `W-${index}` }),
	'payments without a key': () => payout({ ...LOST, key: '' }),
	'payments that come while the balance is read': (index) => payout({ time: at(1, 1 + index / 1e6) }),
	'updates of one payout': (index) => update(coinPayout({ reference: 'po' }), { key: `U-${index}` }),
	'payouts in no row': () => update(coinPayout()),
	'lost answers and their updates': (index) =>
		index % 2 === 0 ? coinPayout(LOST) : update(coinPayout({ time: at(-20) })),
	'payouts without a fee': (index) => (index === 0 ? update(coinPayout()) : coinPayout()),
	'amounts of one deposit': (index) => deposit({ reference: 'dep', amount: `${index + 1}` }),
	'deposits without an amount': () => deposit({ amount: '' }),
	balances: (index) => balanceRow('NGN', { time: at(-1, -index) }),
	assets: (index) => deposit({ asset: `A${index}` }),
};

const FEW = 1_000;
const TIMES_MORE = 10;

/** Milliseconds of processor time, the shortest of some: compiling and collecting garbage take time, too. */
function timeOf(make: (index: number) => BookRow, count: number, tries: number): number {
	const made = [
		balanceRow('NGN'),
		balanceRow('USDT'),
		...Array.from({ length: count }, (_, index) => make(index)),
	];
	const items = made.map((row, id) => ({ ...row, id, createdAt: row.time, updatedAt: row.time }));
	let shortest = Infinity;
	for (let left = tries; left > 0; left--) {
		const begun = process.cpuUsage();
		const { rows } = readBookRows(items);
		const balances = [
			{ code: 'NGN', isFiat: true, balance: '960.00' },
			{ code: 'USDT', isFiat: false, balance: '959.5' },
		];
		prove({ rows, balances, now: at(1), settings: { feesOnTop: true, underWayMinutes: 60 } });
		const { user, system } = process.cpuUsage(begun);
		shortest = Math.min(shortest, (user + system) / 1000);
	}
	return shortest;
}

test.each(Object.keys(ROWS))('%s', (name) => {
	const few = timeOf(ROWS[name]!, FEW, 3);
	// A time that grew with the square would be 100 times as long.
	expect(timeOf(ROWS[name]!, FEW * TIMES_MORE, 2)).toBeLessThan(6 * TIMES_MORE * Math.max(few, 20));
});
