/** Book: Prove as a function: each difference has its true cause, and a book that is complete has no difference. */
import { negate, subtract } from '../../api/exact/decimal.ts';
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { readBookRows } from '../../nodes/WalletServiceDesk/book/readBookRows.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import {
	at,
	coinPayout,
	deposit,
	fiat,
	LOST,
	mornings,
	payout,
	reports,
	row,
	said,
	sum,
	update,
	usdt,
	words,
} from './proofMornings.ts';
import type { Morning } from './proofMornings.ts';

const settings = { underWayMinutes: 60, feesOnTop: true };
const PROVED = { verdict: 'proved', notes: [] };
/** The row is written after the first proof of the test has seen its amount. */
const WRITTEN_LATER = { time: at(1, 90) };

describe('a difference has its cause', () => {
	test('nothing, when the rows tell it all', () => {
		const [proof] = mornings(fiat('1060.00', payout(), deposit()));
		expect(proof).toMatchObject({ verdict: 'proved', booked: '60', difference: '0', lines: [], notes: [] });
	});

	test('the first proof has nothing to compare with, and a balance that cannot be read says why', () => {
		const proofOf = (balance: object) =>
			prove({
				rows: [],
				balances: [{ code: 'NGN', isFiat: true, ...(balance as { balance: string }) }],
				...{ now: at(1), settings },
			}).proofs[0]!;
		expect(proofOf({ balance: '5' }).verdict).toBe('first proof');
		for (const balance of ['', 'NaN', '1,5']) expect(proofOf({ balance }).verdict).toBe('CANNOT BE READ');
		const problem = 'The service answered 503';
		expect(proofOf({ problem }).lines).toEqual([problem]);
	});

	test('a balance that could not be read is no proof: the next one starts from the last that was', () => {
		const deposits = [deposit()];
		const [first, second] = mornings(fiat('-', ...deposits), fiat('1100.00', ...deposits));
		expect([first.verdict, second.verdict, second.opening]).toEqual(['CANNOT BE READ', 'proved', '1000']);
	});

	test('of one transaction, each wallet has its deposit, and one that did not come is missing', () => {
		const [cold, hot] = ['cold', 'hot'].map((counterpart) =>
			deposit({
				kind: 'coin deposit',
				asset: 'USDT',
				reference: 'tx',
				counterpart,
				key: `tx at ${counterpart}`,
			}),
		) as [BookRow, BookRow];
		const [both] = mornings(usdt('1200', cold, hot));
		expect(both).toMatchObject({ ...PROVED, booked: '200' });
		const [one] = mornings(usdt('1100', cold, hot));
		expect([one.verdict, one.difference]).toEqual(['explained', '-100']);
		const [again] = mornings(usdt('1100', cold, { ...cold, key: 'tx again' }));
		expect(again).toMatchObject({ ...PROVED, booked: '100' });
		const spelled = { ...cold, key: 'tx again', counterpart: ' COLD' };
		expect(mornings(usdt('1100', cold, spelled))[0]).toMatchObject({ ...PROVED, booked: '100' });
	});

	test('an amount that a person writes into the row is counted in the next proof', () => {
		const unread = deposit({ amount: '' });
		const written = { ...unread, amount: '100' };
		const [first, second, third] = mornings(
			fiat('1100.00', unread),
			fiat('1100.00', written),
			fiat('1100.00', written),
		);
		expect(first.verdict).toBe('NOT EXPLAINED');
		expect(words(first)).toContain(`deposit ${unread.reference}, ${unread.counterpart}, has the status`);
		expect(second).toMatchObject({ ...PROVED, booked: '100' });
		expect(third).toMatchObject({ ...PROVED, booked: '0' });
	});

	test('what ends by itself is no excuse for what a person must look at', () => {
		const unread = deposit({ amount: '' });
		const lost = payout({ ...LOST, time: at(1, 60) });
		const [, second] = mornings(fiat('1100.00', unread), fiat('1060.00', { ...unread, amount: '100' }, lost));
		expect(said(second)).toEqual(['explained', '-40.00', lost.key]);
	});

	test('an update without an ID, in whose row a person has written the amount, explains a difference', () => {
		const lost = update(coinPayout(), { reference: '', fee: '' });
		expect(said(mornings(usdt('960', lost))[0])).toEqual(['explained', '-40', `payout:${lost.key}`]);
	});

	test('an unknown payout that did not leave the balance looks not paid, and is found when it leaves later', () => {
		const lost = payout({ ...LOST, amount: '41.5' });
		const [first, second] = mornings(fiat('1000.00', lost), fiat('958.50', lost));
		expect([first.verdict, words(first)]).toEqual(['proved', expect.stringContaining('it looks not paid')]);
		expect(said(second)).toEqual(['explained', '-41.50', lost.key]);
		const [, settled] = mornings(fiat('1000.00', lost), fiat('958.50', { ...lost, result: 'paid' }));
		expect([...said(settled), settled.booked]).toEqual(['proved', '0', '-41.5']);
		const [, , stays] = mornings(
			fiat('1000.00', lost),
			fiat('1000.00', lost),
			fiat('1000.00', { ...lost, result: 'paid' }),
		);
		expect(said(stays)).toEqual(['explained', '41.50', lost.key]);
	});

	test('nobody says of an unknown payout what the balance does not tell', () => {
		const [one, other] = [payout(LOST), payout(LOST)];
		const [first, second] = mornings(fiat('960.00', one, other), fiat('960.00', one, other));
		expect(first.lines[0]).toBe('One of these explains it:');
		// Beside a difference that nobody explains.
		const [open] = mornings(fiat('900.00', one));
		expect(open.verdict).toBe('NOT EXPLAINED');
		expect(words(open)).toContain(`Perhaps a part of it: -40 NGN: ${one.key}`);
		for (const proof of [first, second, open]) expect(words(proof)).not.toMatch(/looks (not )?paid/);
		for (const proof of [second, open])
			expect(words(proof)).toContain('The balance does not tell if it was paid');
	});

	test('an unknown payout of which no balance told explains a difference when it leaves', () => {
		const lost = [payout(LOST), payout(LOST)];
		const [, second] = mornings(fiat('960.00', ...lost), fiat('920.00', ...lost));
		expect(said(second)).toEqual(['explained', '-80.00', ...lost.map(({ key }) => key)]);
		// A person decides: the one that is paid had left before, or leaves now, and then the first difference has no row.
		for (const [balance, verdict, difference] of [
			['960.00', 'proved', '0'],
			['920.00', 'NOT EXPLAINED', '-40.00'],
		]) {
			const rows = [
				{ ...lost[0]!, result: 'paid', time: at(1, 60) },
				{ ...lost[1]!, result: 'rejected' },
			];
			const [, decided] = mornings(fiat('960.00', ...lost), fiat(balance!, ...rows));
			expect([decided.verdict, decided.difference]).toEqual([verdict, difference]);
		}
	});

	test('of sixteen unknown payouts that are paid in fours, nobody says that a fifth one was paid', () => {
		const small = Array.from({ length: 16 }, () => payout({ ...LOST, amount: '10' }));
		const large = payout({ ...LOST, amount: '40' });
		const [proof] = mornings(fiat('960.00', large, ...small));
		expect(proof.verdict).toBe('explained');
		expect(words(proof)).not.toMatch(/looks (not )?paid/);
	});

	test('an unknown payout whose row comes after its difference may be a part of it, and does not explain it', () => {
		const lost = payout({ ...LOST, time: at(1, 60) });
		const [, one] = mornings(fiat('960.00'), fiat('960.00', lost));
		expect(said(one)).toEqual(['NOT EXPLAINED', '-40.00']);
		expect(words(one)).toContain(`Perhaps a part of it: -40 NGN: ${lost.key}`);
		expect(words(one)).not.toMatch(/looks (not )?paid/);
		const [, , decided] = mornings(
			fiat('960.00'),
			fiat('960.00', lost),
			fiat('960.00', { ...lost, result: 'paid' }),
		);
		expect(decided).toMatchObject({ ...PROVED, booked: '-40' });
	});

	test('beside what would be a fault of the service, nobody says that an unknown payout looks paid', () => {
		const [proof] = mornings(fiat('959.00', payout({ ...LOST, amount: '41' }), payout({ amount: '1' })));
		expect([proof.verdict, proof.causes.length]).toEqual(['explained', 2]);
		expect(words(proof)).not.toMatch(/looks (not )?paid/);
		expect(words(proof)).toContain('Or it is in no row.');
	});

	test('an unknown payout in coins is told from its update, which has another ID', () => {
		const lost = coinPayout({ ...LOST, amount: '97.07' });
		const stray = update({ ...lost, reference: 'po_lost' });
		const day = usdt('902.43', lost, stray);
		const [first, second] = mornings(day, day);
		expect(said(first)).toEqual(['explained', '-97.57', lost.key]);
		expect(words(first)).toContain(
			'(payout po_lost has its amount and wallet), has no answer, and looks paid',
		);
		expect(said(second)).toEqual(said(first));
		const [, settled] = mornings(day, usdt('902.43', { ...lost, result: 'paid' }, stray));
		expect(settled).toMatchObject({ ...PROVED, booked: '-97.57' });
		const [spelled] = mornings(usdt('902.43', lost, { ...stray, counterpart: 'Treasury ' }));
		expect(words(spelled)).toContain('has its amount and wallet');
		// An update with another amount or wallet is of another payout.
		for (const other of [{ amount: '-97.08' }, { counterpart: 'cold' }]) {
			const [proof] = mornings(usdt('902.43', lost, { ...stray, ...other }));
			expect(words(proof)).not.toContain('has its amount and wallet');
		}
	});

	test('an unknown payout in coins whose update says failed does not look paid, whatever the balance does', () => {
		const lost = coinPayout({ ...LOST, amount: '97.07' });
		const failed = update({ ...lost, reference: 'po_lost' }, { status: 'failed', fee: '' });
		const day = (balance: string) => usdt(balance, lost, failed);
		for (const balance of ['902.93', '1000']) {
			const proofs = mornings(day(balance), day('1000'));
			for (const proof of proofs) expect(words(proof)).not.toMatch(/looks (not )?paid|Answer that/);
		}
		const [gone] = mornings(day('902.93'));
		expect(said(gone)).toEqual(['explained', '-97.07', lost.key]);
		expect(words(gone)).toContain(
			'(payout po_lost has its amount and wallet, and is failed), has no answer.',
		);
	});

	test('n8n stopped while it paid coins, and their updates never came: the rows book it, and the fees are open for three days', () => {
		const known = coinPayout({ amount: '10' });
		const late = ['500', '395.33'].map((amount) => coinPayout({ ...WRITTEN_LATER, reference: '', amount }));
		const [before, after] = [[known], [known, ...late]].map((payments) =>
			usdt('93.17', ...payments, update(known)),
		) as [Morning, Morning];
		const [first, ...others] = mornings(before, after, after, after, after);
		expect(said(first)).toEqual(['NOT EXPLAINED', '-896.33']);
		expect(others.map(({ verdict, difference }) => [verdict, difference])).toEqual([
			...Array<[string, string]>(3).fill(['under way', '-1.00']),
			['NOT EXPLAINED', '-1.00'],
		]);
	});

	test('a paid payout that is still in the balance is named; shortly after it was paid it is under way', () => {
		const old = payout();
		const [proof] = mornings(fiat('1000.00', old, payout({ amount: '0' })));
		expect(said(proof)).toEqual(['explained', '40.00', old.key]);
		expect(words(proof)).toContain('its amount is still in the balance. Ask the service');
		const fresh = payout({ time: at(1, -5) });
		expect(mornings(fiat('1000.00', fresh), fiat('960.00', fresh)).map(said)).toEqual([
			['under way', '40.00', fresh.key],
			['proved', '0'],
		]);
	});

	test('a list that is paid while the balance is read is under way: its first rows moved it', () => {
		const rows = Array.from({ length: 25 }, (_, index) =>
			payout({
				amount: `${10 + index}.5`,
				time: new Date(Date.parse(at(1)) + (25 - index) * 1000).toISOString(),
			}),
		);
		const moved = rows.toReversed().slice(0, 5);
		const balanceAfter = (paid: BookRow[]) => subtract('1000', negate(sum(paid.map(({ amount }) => amount))));
		const [first, second] = mornings(fiat(balanceAfter(moved), ...rows), fiat(balanceAfter(rows), ...rows));
		expect([first.verdict, first.causes]).toEqual(['under way', moved.map(({ key }) => key)]);
		expect(second).toMatchObject(PROVED);
	});

	test('a payout that nobody here made: in coins it is named by its ID, in fiat money it is not explained', () => {
		const stolen = update(coinPayout({ reference: 'po_stolen', amount: '250' }));
		const [proof] = mornings(usdt('749.5', stolen));
		expect(said(proof)).toEqual(['explained', '-250.5', 'payout:po_stolen']);
		expect(words(proof)).toContain('is in no row of payments');
		expect(said(mornings(fiat('970.00'))[0])).toEqual(['NOT EXPLAINED', '-30.00']);
	});

	test('a row that comes late closes its difference: of a payout, if nobody wrote it in time, or of an event', () => {
		const inCoins = coinPayout({ ...WRITTEN_LATER, reference: '' });
		const sent = update({ ...inCoins, reference: 'po_lost' });
		const late = deposit({ time: at(1, 90) });
		for (const [verdict, says, before, after] of [
			['NOT EXPLAINED', 'debit that is in no row', fiat('960.00'), fiat('960.00', payout(WRITTEN_LATER))],
			['NOT EXPLAINED', 'credit whose event did not come', fiat('1100.00'), fiat('1100.00', late)],
			['explained', 'po_lost', usdt('959.5', sent), usdt('959.5', inCoins, sent)],
		] as const) {
			const [first, second, third] = mornings(before, after, after);
			expect(first.verdict).toBe(verdict);
			expect(words(first)).toContain(says);
			expect([second.verdict, third.verdict]).toEqual(['proved', 'proved']);
		}
	});

	test('a failed payout comes back, in the night after it was paid or before', () => {
		const paid = coinPayout({ amount: '12.5' });
		const failedAt = (time: string) => update(paid, { status: 'failed', time, fee: '' });
		const after = usdt('1000', paid, failedAt(at(1, 60)));
		const verdicts = mornings(usdt('987.5', paid), after).map(({ verdict }) => verdict);
		expect(verdicts).toEqual(['proved', 'proved']);
		const [same] = mornings(usdt('1000', paid, failedAt(at(0, 70))));
		const [missing] = mornings(usdt('987.5', paid, failedAt(at(0, 70))));
		expect(same.verdict).toBe('proved');
		expect(said(missing)).toEqual(['explained', '-12.5', `back:${paid.reference}`]);
	});

	test('a payout in coins that the last proof does not know explains what its update moves', () => {
		const paid = coinPayout({ amount: '10' });
		const sent = update(paid, { status: 'processing' });
		const failed = update(paid, { status: 'failed', time: at(2, 60) });
		const base = usdt('989.5', paid, sent);
		const quiet = usdt('989.5');
		const last = (balance: string) => usdt(balance, paid, sent, failed);
		const all = mornings(base, quiet, last('1000'));
		expect(all.map(({ verdict }) => verdict)).toEqual(['proved', 'proved', 'explained']);
		expect(words(all[2])).toContain(`${paid.key}, 10 USDT to treasury, is failed, and its amount came back`);
		expect(mornings(base, quiet, last('999.5'))[2].verdict).toBe('explained');
		expect(mornings(base, quiet, last('989.5'))[2].verdict).toBe('proved');
		// So does its fee, if that is reported so late.
		const [, , late] = mornings(
			...[usdt('990', paid), usdt('990'), usdt('989.5', paid, update(paid, { time: at(2, 60) }))],
		) as never as [never, never, ReturnType<typeof mornings>[0]];
		expect(said(late)).toEqual(['explained', '-0.5', `fee:${paid.reference}`]);
	});

	test('what was counted of a payout under way is counted once, whatever comes after', () => {
		const paid = coinPayout({ amount: '10' });
		const first = update(paid, { status: 'processing' });
		const day = (balance: string, ...updates: BookRow[]) => usdt(balance, paid, first, ...updates);
		const booked = (...days: Morning[]) =>
			mornings(day('989.5'), ...days).map(({ verdict, booked }) => [verdict, Number(booked)]);
		const proved = (...sums: number[]) => sums.map((amount) => ['proved', amount]);
		const done = day('989.5', update(paid, { time: at(1, 60) }));
		const failed = day('1000', update(paid, { status: 'failed', time: at(1, 60) }));
		// It fails just after the balance was read.
		const late = (balance: string) => day(balance, update(paid, { status: 'failed', time: at(2, 1) }));
		expect(booked(done, done)).toEqual(proved(-10.5, 0, 0));
		expect(booked(failed, failed)).toEqual(proved(-10.5, 10.5, 0));
		expect(booked(late('989.5'), late('1000'))).toEqual(proved(-10.5, 0, 10.5));
		// The first news come just after the balance was read, and this service takes the fee when it reports it.
		const news = update(paid, { time: at(1, 1) });
		const proofs = mornings(usdt('990', paid, news), usdt('989.5', paid, news));
		expect(proofs.map(({ verdict, booked: moved }) => [verdict, Number(moved)])).toEqual(proved(-10, -0.5));
	});

	test('the fee of a failed payout comes back, also if it was never reported before', () => {
		const paid = coinPayout();
		const failed = update(paid, { status: 'failed', time: at(1, 60) });
		expect(mornings(usdt('959.5', paid), usdt('1000', paid, failed)).map(said)).toEqual([
			['NOT EXPLAINED', '-0.5'],
			['proved', '0'],
		]);
	});

	test('fees: reported, not reported yet, never taken, and of a payout that failed', () => {
		const rows = [coinPayout({ amount: '10' }), coinPayout({ amount: '20' })] as const;
		const [first, second] = [update(rows[0]), update(rows[1])];
		const both = (balance: string) => usdt(balance, ...rows, first, second);
		const fee = `fee:${rows[1].reference}`;
		expect(mornings(both('969')).map(said)).toEqual([['proved', '0']]);
		const later = usdt('969', ...rows, first, { ...second, time: at(1, 60) });
		expect(mornings(usdt('969', ...rows, first), later).map(said)).toEqual([
			['under way', '-0.5', fee],
			['proved', '0'],
		]);
		expect(mornings(both('970')).map(said)).toEqual([['explained', '1.0', 'fees']]);
		expect(mornings({ ...both('970'), feesOnTop: false }).map(said)).toEqual([['proved', '0']]);
	});

	test('two final words: the first counts, and the second explains what the balance does', () => {
		const paid = coinPayout({ amount: '10', status: 'successful' });
		const both = [update(paid), update(paid, { status: 'reversed', key: 'again', time: at(0, 61) })];
		expect(mornings(usdt('989.5', paid, ...both)).map(said)).toEqual([['proved', '0']]);
		const [moved] = mornings(usdt('1000', paid, ...both));
		expect(said(moved)).toEqual(['explained', '10.5', `other:${paid.reference}`]);
		const taken = [deposit({ reference: 'dep_x' }), deposit({ reference: 'dep_x', status: 'reversed' })];
		const [proof] = mornings(fiat('1000.00', ...taken));
		expect([proof.verdict, proof.difference]).toEqual(['explained', '-100.00']);
	});

	test('a deposit that is pending is counted once it is successful', () => {
		const pending = deposit({ status: 'pending', reference: 'dep_p' });
		const done = fiat('1100.00', pending, deposit({ reference: 'dep_p', time: at(1, 60) }));
		const verdicts = (balance: string) =>
			mornings(fiat(balance, pending), done).map(({ verdict }) => verdict);
		expect(verdicts('1000.00')).toEqual(['proved', 'proved']);
		// It was credited before its status said so, and its success closes that.
		expect(verdicts('1100.00')).toEqual(['explained', 'proved']);
	});

	test('a deposit whose success is followed by a word that nobody knows explains what was taken back', () => {
		const came = deposit({ reference: 'dep_c' });
		const back = deposit({ reference: 'dep_c', status: 'charged_back', time: at(0, 90) });
		const [taken] = mornings(fiat('1000.00', came, back));
		expect(taken.verdict).toBe('explained');
		expect(words(taken)).toContain('is successful and charged_back.');
		const [kept] = mornings(fiat('1100.00', came, back));
		expect(kept).toMatchObject(PROVED);
	});

	test('a deposit of which a part was taken back explains that part, and the whole', () => {
		const came = deposit({ reference: 'dep_r' });
		const part = deposit({ reference: 'dep_r', status: 'refunded', amount: '30', time: at(0, 90) });
		const [proof] = mornings(fiat('1070.00', came, part));
		expect([proof.verdict, proof.difference]).toEqual(['explained', '-30.00']);
		expect(words(proof)).toContain('is successful, and 30 NGN of it are refunded.');
		const more = deposit({ reference: 'dep_r', status: 'refunded', amount: '20', time: at(0, 95) });
		const [two] = mornings(fiat('1050.00', came, part, more));
		expect(said(two)).toEqual(['explained', '-50.00', `other:${part.key}`, `other:${more.key}`]);
		const [all] = mornings(fiat('1000.00', came, { ...part, amount: '-30' }));
		expect([all.verdict, words(all)]).toEqual([
			'explained',
			expect.stringContaining('is successful and refunded.'),
		]);
	});

	test('an event that comes two days late closes the difference of its day', () => {
		const late = deposit({ time: at(2, 60) });
		const days = mornings(fiat('1100.00'), fiat('1100.00'), fiat('1100.00', late), fiat('1100.00', late));
		expect(days.map(({ verdict }) => verdict)).toEqual([
			...['NOT EXPLAINED', 'NOT EXPLAINED', 'proved', 'proved'],
		]);
	});

	/** Six o'clock on three mornings, between which the clocks change or a month ends. */
	test.each([
		['Europe/Berlin', '2026-03-28T06:00+01:00', '2026-03-29T06:00+02:00', '2026-03-30T06:00+02:00'],
		['America/New_York', '2026-10-31T06:00-04:00', '2026-11-01T06:00-05:00', '2026-11-02T06:00-05:00'],
		['Australia/Lord_Howe', '2026-04-04T06:00+11:00', '2026-04-05T06:00+10:30', '2026-04-06T06:00+10:30'],
		['Africa/Lagos', '2026-01-31T06:00+01:00', '2026-02-01T06:00+01:00', '2026-02-02T06:00+01:00'],
	])('in %s each movement of the night is counted once, at whatever hour', (_, ...mornings_) => {
		const [first, ...others] = mornings_.map((time) => new Date(time).toISOString());
		const start = row({ kind: 'balance', time: first!, asset: 'NGN', amount: '1000', message: '[]' });
		const quarters = Array.from({ length: 190 }, (__, index) => Date.parse(first!) + (index + 1) * 900_000);
		const given = quarters.map((time) => {
			// As a person in Berlin writes it: of two hours, one has the same numbers as the other.
			const hours = time < Date.parse(others[0]!) ? 2 : 1;
			const local = new Date(time + hours * 3_600_000).toISOString().replace('Z', `+0${hours}:00`);
			return { ...deposit({ amount: '1' }), time: local };
		});
		const { rows, notes } = readBookRows(given);
		expect(notes).toEqual([]);
		const book = [start, ...rows];
		for (const now of others) {
			const came = rows.filter(({ time }) => time <= now).length;
			const balances = [{ code: 'NGN', isFiat: true, balance: String(1000 + came) }];
			const { proofs, rows: proved } = prove({ rows: book, balances, now, settings });
			expect(proofs).toMatchObject([PROVED]);
			book.push(...proved);
		}
	});

	test('a second proof of the same minute, and of the same millisecond, counts nothing twice', () => {
		const balances = [{ code: 'NGN', isFiat: true, balance: '1100.00' }];
		const proofAt = (now: string, rows: BookRow[]) => prove({ rows, balances, now, settings });
		const start = row({ kind: 'balance', time: at(0), asset: 'NGN', amount: '1000', message: '[]' });
		const rows = [start, deposit()];
		const first = proofAt(at(1), rows);
		const after = (now: string) => proofAt(now, [...rows, ...first.rows]);
		for (const now of [at(1), at(1).replace('00.000Z', '00.001Z'), at(1, 1)])
			expect(after(now).proofs).toMatchObject([PROVED]);
		expect(after(at(1)).rows.map(({ key }) => key)).toEqual(first.rows.map(({ key }) => key));
	});

	test('a conversion without an answer explains one balance, is a hint for the other, and is counted once', () => {
		const conversion = (time: string, more: Partial<BookRow>, received: string) => [
			row({
				...{ key: 'conversion A-1 out', kind: 'conversion', time, asset: 'USDT', amount: '-100' },
				...{ counterpart: 'ic', ...more },
			}),
			row({
				...{ key: 'conversion A-1 in', kind: 'conversion', time, asset: 'NGN', amount: received },
				...{ counterpart: 'ic', ...more },
			}),
		];
		const lost = conversion(at(0, 60), { result: 'unknown' }, '');
		const done = conversion(at(1, 60), { result: 'paid', status: 'successful', reference: 'itx' }, '154000');
		const inCoins = mornings(usdt('900', ...lost), usdt('900', ...done));
		expect(inCoins.map(({ verdict, notes }) => [verdict, notes])).toEqual([
			['explained', []],
			['proved', []],
		]);
		const fiats = [fiat('155000.00', ...lost), fiat('155000.00', ...done)];
		const [first, second] = mornings(...fiats) as [never, never];
		expect([first, second]).toEqual([
			expect.objectContaining({ verdict: 'NOT EXPLAINED' }),
			expect.objectContaining({ verdict: 'proved' }),
		]);
		expect(words(first)).toContain(
			'conversion A-1 in, ic, has the status unknown, and its amount is not known',
		);
		expect(reports(...fiats)[1]!.rows[0]!.message).toBe('[]');
	});

	test('an order number that stands twice in a run is booked once, and nothing is said about it', () => {
		const sides = (result: string, counterpart: string, received: string) =>
			[['out', 'USDT', '-100'] as const, ['in', 'NGN', received] as const].map(([side, asset, amount]) =>
				row({
					...{ key: `conversion A-1 ${side}`, kind: 'conversion', time: at(0, 60), asset, amount },
					...{ counterpart, result, execution: '7' },
				}),
			);
		const rows = [...sides('paid', 'ic', '154000'), ...sides('alreadyPaid', '', '')];
		expect(mornings(usdt('900', ...rows))).toMatchObject([{ verdict: 'proved', booked: '-100', notes: [] }]);
		expect(mornings(fiat('155000.00', ...rows))).toMatchObject([
			{ verdict: 'proved', booked: '154000', notes: [] },
		]);
	});

	test('one key that two workflows paid is two payments, and no other row hides one without an answer', () => {
		const [paid, lost] = [payout(), payout(LOST)];
		const rows = [{ ...paid, ...LOST }, paid, { ...paid, reference: 'po_chat' }];
		const [both] = mornings(fiat('920.00', ...rows));
		expect(both).toMatchObject({ verdict: 'proved', booked: '-80' });
		expect(both.notes).toEqual([expect.stringContaining(`The key ${paid.key} has 2 payments`)]);
		const hidden = mornings(fiat('960.00', { ...lost, result: 'notSent' }, lost));
		expect(said(hidden[0])).toEqual(['explained', '-40.00', lost.key]);
	});

	test('a fiat balance has two decimals, whatever the movements have', () => {
		const payments = ['0.125', '0.001', '7.999'].map((amount) => payout({ amount }));
		expect(mornings(fiat('991.87', ...payments)).map(said)).toEqual([['proved', '0']]);
		expect(mornings(fiat('991.86', ...payments))[0].verdict).not.toBe('proved');
	});
});

/** Rows are written before a payment is sent. If n8n stops, they stay so. */
describe('payments that were under way', () => {
	const underWay = (columns: Partial<BookRow> = {}) => payout({ ...LOST, result: 'under way', ...columns });

	test('one that is being paid while the balance is read is under way, whether it has moved or not', () => {
		const fresh = underWay({ time: at(1, -1) });
		const [moved, after] = mornings(
			fiat('960.00', fresh),
			fiat('960.00', { ...fresh, result: 'paid', time: at(1, 1) }),
		);
		expect(said(moved)).toEqual(['under way', '-40.00', fresh.key]);
		expect(words(moved)).not.toMatch(/looks|Run its list/);
		expect(after).toMatchObject({ ...PROVED, booked: '-40' });
		const [stays, later] = mornings(fiat('1000.00', fresh), fiat('960.00', { ...fresh, result: 'paid' }));
		expect(stays).toMatchObject({ verdict: 'proved', notes: [expect.stringContaining('is being paid.')] });
		expect(later).toMatchObject({ ...PROVED, booked: '-40' });
	});

	test('one that n8n left so looks paid or not by the balance, and its list may run again if it has a key', () => {
		const left = underWay();
		const [paid] = mornings(fiat('960.00', left));
		expect(said(paid)).toEqual(['explained', '-40.00', left.key]);
		expect(words(paid)).toContain(
			'has no answer, and looks paid. Run its list again only if each payment in it has a Payment Key',
		);
		const [notPaid] = mornings(fiat('1000.00', left));
		expect(notPaid.verdict).toBe('proved');
		expect(words(notPaid)).toContain(
			'it looks not paid, and it may still leave. Run its list again only if each',
		);
	});

	test('nobody is told to run a payment again that has no Payment Key', () => {
		const key = 'execution 17 item 0: 40 NGN at supplier-main';
		for (const result of ['under way', 'unknown'])
			for (const balance of ['960.00', '1000.00', '900.00']) {
				const lost = payout({ ...LOST, result, key });
				for (const proof of mornings(fiat(balance, lost), fiat(balance, lost))) {
					if (proof.verdict === 'proved' && proof.notes.length === 0) continue;
					expect(words(proof)).not.toMatch(/Run (its|that) list again|answer that it was paid/);
					expect(words(proof)).toContain('it has no Payment Key'.slice(3));
				}
			}
		const [open] = mornings(fiat('900.00'));
		expect(words(open)).toContain('a list in which each payment has a Payment Key, run that list again');
		expect(words(open)).toContain('Do not run payments without a Payment Key again.');
	});

	test('of a killed list of thirty, the first rows have moved the balance, and nobody says which looks paid', () => {
		const list = Array.from({ length: 30 }, (_, index) =>
			underWay({ amount: `${100 + index}.37`, time: at(0, 60 + index) }),
		);
		const paid = list.slice(0, 12);
		const balance = subtract('100000', negate(sum(paid.map(({ amount }) => amount))));
		const [proof] = mornings(
			fiat('100000', deposit({ amount: '99000' })),
			fiat(balance, deposit({ amount: '99000' }), ...list.map((each) => ({ ...each, time: at(1, 60) }))),
		).slice(1);
		expect([proof!.verdict, proof!.causes]).toEqual(['explained', paid.map(({ key }) => key)]);
		expect(words(proof!)).not.toMatch(/looks (not )?paid/);
	});
});

/** A second run of a list writes the row of a payment again. It counts once. */
describe('rows that are written again', () => {
	const again = (of: BookRow, columns: Partial<BookRow> = {}): BookRow => ({
		...{ ...of, result: 'alreadyPaid', reference: '', status: '', time: at(1, 60) },
		...columns,
	});

	test('a payment that an earlier proof has counted', () => {
		const paid = payout();
		const [, rerun] = mornings(fiat('960.00', paid), fiat('960.00', again(paid)));
		expect(rerun).toMatchObject({ ...PROVED, booked: '0' });
		// It moved once more: that is no ordinary business.
		const [, twice] = mornings(fiat('960.00', paid), fiat('920.00', again(paid)));
		expect(said(twice)).toEqual(['explained', '-40.00', paid.key]);
		expect(words(twice)).toContain('If an earlier proof has counted it, it was paid twice');
	});

	test('a payment in coins that an earlier proof has counted, and that waits for its end', () => {
		const paid = coinPayout();
		for (const result of ['alreadyPaid', 'paid', 'under way', 'unknown']) {
			const rerun = again(paid, { result });
			const [, second, third] = mornings(
				usdt('960', paid),
				usdt('960', rerun),
				usdt('959.5', rerun, update(paid, { time: at(2, 60) })),
			);
			expect(second).toMatchObject({ verdict: 'proved', booked: '0' });
			expect(third).toMatchObject({ ...PROVED, booked: '-0.5' });
		}
		const [, twice] = mornings(usdt('960', paid), usdt('920', again(paid, { result: 'paid' })));
		expect(words(twice)).toContain('moved the balance again. It was perhaps paid twice: ask the service');
	});

	test('a payment that looked paid, and that a person has decided: it was paid', () => {
		const lost = payout(LOST);
		// The run that found it paid has a row of its own.
		for (const decided of [[lost, again(lost)], [again(lost), lost], [again(lost, { result: 'paid' })]]) {
			const [first, second] = mornings(fiat('960.00', lost), fiat('960.00', ...decided));
			expect([first.verdict, second]).toMatchObject(['explained', { ...PROVED, booked: '-40' }]);
		}
	});

	test('a payment that looked paid, and that a person has paid again', () => {
		const lost = payout(LOST);
		const paidAgain = { ...lost, result: 'paid', reference: 'po_new', time: at(1, 60) };
		const [, second] = mornings(fiat('960.00', lost), fiat('920.00', paidAgain));
		expect([said(second), second.booked]).toEqual([['NOT EXPLAINED', '-40.00'], '-40']);
	});

	test('a payment that looked paid, and that was not: its difference is not explained', () => {
		const lost = payout(LOST);
		const [, second] = mornings(fiat('960.00', lost), fiat('960.00', { ...lost, result: 'rejected' }));
		expect(said(second)).toEqual(['NOT EXPLAINED', '-40.00']);
	});

	test('a payment that looked not paid, and that is paid then, whatever time its row has', () => {
		const lost = payout(LOST);
		for (const time of [lost.time, at(1, 60)]) {
			const paid = { ...lost, result: 'paid', reference: 'po_new', time };
			const [, second, third] = mornings(fiat('1000.00', lost), fiat('960.00', paid), fiat('960.00', paid));
			expect([second, third]).toMatchObject([
				{ ...PROVED, booked: '-40' },
				{ ...PROVED, booked: '0' },
			]);
		}
	});

	test('a list that n8n left, found paid by its keys on the same day or on the next', () => {
		const list = Array.from({ length: 20 }, (_, index) => payout({ ...LOST, amount: `${10 + index}.11` }));
		const left = subtract('1000', negate(sum(list.map(({ amount }) => amount))));
		const found = list.map((each) => again(each));
		// No row was written in time, or it ran again before the morning.
		for (const first of [fiat(left), fiat('1000.00')]) {
			const [, next] = mornings(first, fiat(left, ...found));
			expect([next.verdict, next.causes]).toEqual(['explained', found.map(({ key }) => key)]);
		}
		// Its rows were there.
		const [, there] = mornings(fiat(left, ...list), fiat(left, ...list, ...found));
		expect(there).toMatchObject(PROVED);
	});
});
