/** Book: Prove never says that all is proved while something is open, or was not explained on an earlier morning. */
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import { at, balanceRow, coinPayout, deposit, LOST, payout, row, update, words } from './proofMornings.ts';

const settings = { feesOnTop: true, underWayMinutes: 60 };

type Day = [balance: string, rows: BookRow[]];

/** The mornings of one asset, from its opening balance on. */
function live(asset: string, opening: string, ...mornings: Day[]) {
	const balances = [balanceRow(asset, { amount: opening })];
	return mornings.map(([balance, rows], index) => {
		const report = prove({
			rows: [...balances, ...rows],
			balances: [{ code: asset, isFiat: asset === 'NGN', balance }],
			...{ now: at(index + 1), settings },
		});
		balances.push(...report.rows);
		const { verdict, difference } = report.proofs[0]!;
		return { ...report, told: [verdict, Number(difference)], words: words(report.proofs[0]!) };
	});
}

/** A payment that is under way when the balance is read. */
const salary = (columns: Partial<BookRow> = {}) =>
	payout({ ...LOST, amount: '1000', result: 'under way', time: at(1, -1), ...columns });

describe('500,000 NGN vanish', () => {
	const gone: Day = ['500000.00', []];

	test('each morning names the difference and its first day, also after a week', () => {
		const days = live('NGN', '1000000.00', ...Array.from({ length: 12 }, () => gone));
		for (const [index, { subject, text, told }] of days.entries()) {
			expect(told).toEqual(['NOT EXPLAINED', -500_000]);
			const day = String(index + 2).padStart(2, '0');
			expect(subject).toBe(`Proof of 2026-01-${day}: NGN NOT EXPLAINED since 2026-01-02: -500,000.00`);
			expect(text).toContain('No row explains -500,000.00 NGN since 2026-01-02.');
		}
	});

	test('until it is back, its row comes late, or a person books a correction', () => {
		const late = payout({ amount: '500000', time: at(1, 90) });
		const correction = row({
			...{ kind: 'correction', time: at(1, 90), asset: 'NGN', amount: '-500000' },
			message: 'stolen, case 12',
		});
		for (const end of [
			['1000000.00', []],
			['500000.00', [late]],
			['500000.00', [correction]],
		] as Day[]) {
			const [, second, third] = live('NGN', '1000000.00', gone, end, end);
			for (const day of [second, third]) expect(day!.told).toEqual(['proved', 0]);
			expect(third!.subject).toBe('Proof of 2026-01-04: all proved');
		}
	});

	test('a part of it that is booked leaves the rest', () => {
		const some = deposit({ amount: '20000', time: at(1, 90) });
		const [, second, third] = live('NGN', '1000000.00', gone, ['500000.00', []], ['500000.00', [some]]);
		expect([second!.told[1], third!.told]).toEqual([-500_000, ['NOT EXPLAINED', -520_000]]);
		expect(third!.subject).toContain('NGN NOT EXPLAINED since 2026-01-02: -520,000.00');
	});

	test('a payment of the same amount that begins later does not explain it', () => {
		const later = payout({ ...LOST, amount: '500000', time: at(1, 90) });
		const [, second] = live('NGN', '1000000.00', gone, ['500000.00', [later]]);
		expect(second!.told).toEqual(['NOT EXPLAINED', -500_000]);
		// What moves beside it is named, and does not hide it.
		const [, both] = live('NGN', '1000000.00', gone, ['0.00', [later]]);
		expect(both!.subject).toContain('NGN NOT EXPLAINED since 2026-01-02: -500,000.00');
		expect(both!.words).toContain(later.key);
	});

	test('it stands before the other balances in the subject', () => {
		const balances = [
			{ code: 'NGN', isFiat: true, balance: '500.00' },
			{ code: 'KES', isFiat: true, balance: '1000.00' },
		];
		const rows = [balanceRow('NGN'), balanceRow('KES')];
		const { subject } = prove({ rows, balances, now: at(1), settings });
		expect(subject).toBe('Proof of 2026-01-02: NGN NOT EXPLAINED since 2026-01-02: -500.00, 1 proved');
	});
});

test('two salaries of 1,000 are under way, and 1,000 are stolen: open first, and not explained when both are paid', () => {
	const [one, other] = [salary(), salary()];
	for (const time of [one.time, at(1, 60)]) {
		const paid = [one, other].map((each) => ({ ...each, result: 'paid', time }));
		const underWay: Day = ['999000.00', [one, other]];
		const after: Day = ['997000.00', paid];
		const [first, second, third] = live('NGN', '1000000.00', underWay, after, after);
		expect(first!.told).toEqual(['under way', -1000]);
		for (const { key } of [one, other]) expect(first!.words).toContain(key);
		expect(first!.subject).not.toContain('all proved');
		expect(second!.told).toEqual(['NOT EXPLAINED', -1000]);
		expect(third!.subject).toBe('Proof of 2026-01-04: NGN NOT EXPLAINED since 2026-01-03: -1,000.00');
		// Without a thief, one of them had left before.
		const [, calm] = live('NGN', '1000000.00', underWay, ['998000.00', paid]);
		expect([calm!.told, calm!.subject]).toEqual([['proved', 0], 'Proof of 2026-01-03: all proved']);
	}
});

describe('a fee that nobody has reported', () => {
	const known = coinPayout({ amount: '10', time: at(-1) });
	const seen = [known, update(known, { time: at(-1), fee: '1' })];
	const sent = (amount: string, columns: Partial<BookRow> = {}) =>
		coinPayout({ amount, time: at(0, 1200), ...columns });

	test('1,000 USDT that are gone beside a payout of 10,000 are no fee: the fee was always 1', () => {
		const large = sent('10000');
		const reported = update(large, { time: at(1, 60), fee: '1' });
		const before: Day = ['89000', [...seen, large]];
		const [first, second] = live('USDT', '100000', before, ['88999', [...seen, large, reported]]);
		expect(first!.told).toEqual(['NOT EXPLAINED', -1000]);
		expect(second!.told).toEqual(['NOT EXPLAINED', -1000]);
		expect(second!.subject).toContain('USDT NOT EXPLAINED since 2026-01-02: -1,000');
	});

	test('it is at most the largest fee that the book has seen, for each payout that may still get one', () => {
		const two = [sent('500'), sent('600')];
		const day = (balance: string, ...more: BookRow[]): Day => [balance, [...seen, ...two, ...more]];
		const reported = two.map((each) => update(each, { time: at(1, 60), fee: '0.8' }));
		const [first, second] = live('USDT', '10000', day('8898.4'), day('8898.4', ...reported));
		expect(first!.told).toEqual(['under way', -1.6]);
		expect(first!.words).toContain('can be fees that are not reported yet, of 2 payouts in coins');
		expect(second!.told).toEqual(['proved', 0]);
		expect(live('USDT', '10000', day('8897.9'))[0]!.told).toEqual(['NOT EXPLAINED', -2.1]);
		// After three days it is no excuse any more.
		const late = live('USDT', '10000', ...Array.from({ length: 4 }, () => day('8898.4'))).at(-1);
		expect(late!.told).toEqual(['NOT EXPLAINED', -1.6]);
	});

	test('without a fee that the book has seen, it explains nothing', () => {
		expect(live('USDT', '10000', ['9499', [sent('500')]])[0]!.told).toEqual(['NOT EXPLAINED', -1]);
	});
});

describe('a payment that had no answer at the first proof, which cannot tell if it was paid', () => {
	const lost = payout({ ...LOST, time: at(0, -60) });
	const paid = { ...lost, result: 'paid' };
	/** The first proof, and three mornings after it. */
	const verdicts = (balance: string, row_: BookRow) => {
		const book = [lost];
		const told = ['1000.00', balance, balance, balance].map((read, day) => {
			const balances = [{ code: 'NGN', isFiat: true, balance: read }];
			if (day === 1) book.splice(0, 1, row_);
			const { proofs, rows } = prove({ rows: book, balances, now: at(day), settings });
			book.push(...rows);
			return proofs[0]!;
		});
		return told.map(({ verdict, notes }) => [verdict, notes.length].join(' '));
	};

	test.each([
		['is found paid, and had left before', '1000.00', paid, ['proved 0', 'proved 0', 'proved 0']],
		['is found paid, and left after it', '960.00', paid, ['under way 0', 'proved 0', 'proved 0']],
		[
			'is written anew, and had left before',
			...(['1000.00', { ...paid, time: at(0, 60) }, ['under way 0', 'proved 0', 'proved 0']] as const),
		],
		[
			'is written anew, and left after it',
			...(['960.00', { ...paid, time: at(0, 60) }, ['proved 0', 'proved 0', 'proved 0']] as const),
		],
		[
			'was not paid, and 40 are gone',
			...(['960.00', { ...lost, result: 'rejected' }] as const),
			Array<string>(3).fill('NOT EXPLAINED 0'),
		],
		['has no answer still', '1000.00', lost, Array<string>(3).fill('proved 1')],
		['has no answer, and 40 left', '960.00', lost, Array<string>(3).fill('explained 1')],
	])('it %s', (_, balance, after, expected) => {
		expect(verdicts(balance, after)).toEqual(['first proof 0', ...expected]);
	});
});

describe('what is open keeps the subject from saying that all is proved', () => {
	const inCoins = coinPayout({ amount: '10' });
	test.each<[string, string, string, BookRow[]]>([
		['a payment without an answer', 'NGN', '1000.00', [payout(LOST)]],
		['a payment that is being paid', 'NGN', '1000.00', [salary({ time: at(2, -1) })]],
		['a payout in coins without its end', 'USDT', '990', [inCoins]],
		['a pending deposit', 'NGN', '1000.00', [deposit({ status: 'pending' })]],
		['a row whose amount nobody can read', 'NGN', '1000.00', [deposit({ amount: '' })]],
	])('%s', (_, asset, balance, rows) => {
		const opening = asset === 'NGN' ? '1000.00' : '1000';
		const days = live(asset, opening, [balance, rows], [balance, rows]);
		expect(days.map(({ told, subject }) => [told[0], subject])).toEqual([
			['proved', 'Proof of 2026-01-02: 1 proved, 1 note'],
			['proved', 'Proof of 2026-01-03: 1 proved, 1 note'],
		]);
	});

	test('a deposit that was in the balance and then failed is not explained, if its money stays', () => {
		const pending = deposit({ status: 'pending', amount: '5000', reference: 'dep_p' });
		const failed = deposit({ status: 'failed', amount: '5000', reference: 'dep_p', time: at(1, 60) });
		const before: Day = ['6000.00', [pending]];
		const [first, second] = live('NGN', '1000.00', before, ['6000.00', [pending, failed]]);
		expect(first!.told).toEqual(['explained', 5000]);
		expect(second!.told).toEqual(['NOT EXPLAINED', 5000]);
	});
});
