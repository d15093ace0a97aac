/** The mail, the page and the file of a proof. */
import fc from 'fast-check';
import type { BookRow } from '../../nodes/WalletServiceDesk/book/bookRow.ts';
import { prove } from '../../nodes/WalletServiceDesk/book/prove/prove.ts';
import {
	at,
	balanceRow,
	coinPayout,
	deposit,
	fiat,
	LOST,
	payout,
	reports,
	row,
	update,
} from './proofMornings.ts';

const settings = { feesOnTop: true, underWayMinutes: 60 };
const fiatOf = (code: string, balance: string) => ({ code, isFiat: true, balance });

test('the first proof says each balance in one line', () => {
	const balances = ['NGN', 'KES', 'GHS'].map((code) => fiatOf(code, '1234567.50'));
	const { subject, text, html, rows, file } = prove({ rows: [], balances, now: at(1), settings });
	expect(subject).toBe('Proof of 2026-01-02: the first one, of 3 balances');
	expect(text.split('\n')).toEqual([
		'First proof. The next one starts from these balances:',
		...['1,234,567.50 NGN', '1,234,567.50 KES', '1,234,567.50 GHS'],
	]);
	expect(html).not.toContain('Difference');
	expect(rows.map(({ key, kind, amount, message }) => [key, kind, amount, message])).toEqual(
		['NGN', 'KES', 'GHS'].map((code) => [`balance ${code} ${at(1)}`, 'balance', '1234567.50', '[]']),
	);
	expect(file.trim().split('\r\n')).toHaveLength(4);
});

test('the subject says the worst first, and that all is proved only without a note', () => {
	const balances = [
		fiatOf('NGN', '970.00'),
		fiatOf('KES', '1000.00'),
		{ code: 'GHS', isFiat: true, problem: '503' },
	];
	const rows = [balanceRow('NGN'), balanceRow('KES'), deposit({ asset: 'USD', time: at(-1) })];
	const { subject, text } = prove({ rows, balances, now: at(1), settings });
	expect(subject).toBe(
		'Proof of 2026-01-02: 1 NOT PROVED, NGN NOT EXPLAINED since 2026-01-02: -30.00, 1 CANNOT BE READ, 1 proved',
	);
	expect(text).toContain('Not proved, because no balance was read: USD.');
	const calm = { rows: [balanceRow('KES')], balances: [balances[1]!], now: at(1), settings };
	expect(prove(calm).subject).toBe('Proof of 2026-01-02: all proved');
	expect(prove({ ...calm, notes: ['A row is odd.'] })).toMatchObject({
		subject: 'Proof of 2026-01-02: 1 proved, 1 note',
		text: expect.stringContaining('About the book:\nA row is odd.'),
	});
	expect(prove({ rows: [], balances: [], now: at(1), settings }).subject).toContain(
		'no currency and no coin',
	);
});

test('the file has the balance before, each movement that counts, the difference and the balance', () => {
	const paid = payout({ key: 'INV-1', reference: 'po_1', counterpart: '=cmd|x' });
	const [{ file }] = reports(fiat('950.00', paid)) as [ReturnType<typeof prove>];
	const difference =
		/^NGN,2026-01-02T06:00:00.000Z,difference,-10.00,"No row explains -10.00 NGN since 2026-01-02. .*",,,,$/;
	expect(file.trim().split('\r\n')).toEqual([
		'asset,time,kind,amount,counterpart,reference,status,txHash,key',
		`NGN,${at(0)},balance,1000,,,,,`,
		`NGN,${at(0, 60)},payout,-40,'=cmd|x,po_1,pending,,INV-1`,
		expect.stringMatching(difference),
		`NGN,${at(1)},balance,950.00,,,,,`,
	]);
});

test('the same input gives the same report, whatever the order of the rows, and changes nothing', () => {
	const coin = coinPayout({ ...LOST, amount: '7' });
	const rows = [
		payout(),
		payout(LOST),
		deposit(),
		coin,
		update({ ...coin, reference: 'po_c' }),
		balanceRow('NGN'),
	];
	const balances = [fiatOf('NGN', '1020.00'), { code: 'USDT', isFiat: false, balance: '5' }];
	const input = { rows, balances, now: at(1), settings };
	const before = structuredClone(input);
	const report = prove(input);
	expect(input).toEqual(before);
	expect(prove({ ...input, rows: rows.toReversed() }).subject).toEqual(report.subject);
	expect(prove(input)).toEqual(report);
});

describe('texts of strangers', () => {
	const HOSTILE = [
		'<img src=x onerror=alert(1)>',
		'{{ $env }}',
		'a\n\nNGN: proved',
		'\u202e',
		'"\'&',
		'=1+1',
	];

	test('no text can add a tag, a line or an expression, and none can fill a mail', () => {
		for (const text of [...HOSTILE, 'x'.repeat(100_000)]) {
			const columns = { counterpart: text, status: text, message: text, approvedBy: text };
			const rows: BookRow[] = [
				...[payout({ ...LOST, ...columns }), payout({ ...LOST, ...columns, key: text }), deposit(columns)],
				...[coinPayout(columns), update(coinPayout({ reference: text }), columns), balanceRow('NGN')],
				row({ kind: text, asset: 'NGN', amount: '3', time: at(0, 5), ...columns }),
			];
			const balances = [fiatOf('NGN', '900.00'), { code: 'USDT', isFiat: false, problem: text }];
			const report = prove({ rows, balances, now: at(1), settings, notes: [] });
			expect(report.html).not.toMatch(/<img|[{}]/);
			expect(report.text.split('\n').filter((line) => line === 'NGN: proved')).toEqual([]);
			expect(report.text.length + report.html.length).toBeLessThan(30_000);
			expect(report.text).not.toMatch(/\u202e/);
		}
	});

	test('what a person has written into the row of a proof is named, and its balance is used', () => {
		for (const message of ['', 'x', '[{"type":"gone"}]', '{"__proto__":[]}', '['.repeat(100_000)]) {
			const [last, lost] = [balanceRow('NGN', { message }), payout({ ...LOST, time: at(-1) })];
			const input = { balances: [fiatOf('NGN', '1000.00')], now: at(1), settings };
			const [proof] = prove({ rows: [last, lost], ...input }).proofs;
			expect(proof!.verdict).toBe('proved');
			expect(proof!.notes.some((note) => note.startsWith('Somebody has changed'))).toBe(message !== '');
		}
	});

	test('whatever stands in the rows, there is a report', () => {
		const text = fc.constantFrom('', 'K', '-40', '40', at(0, 30), 'paid', 'unknown', 'under way', 'NGN', 'x');
		const kind = fc.constantFrom('fiat payout', 'coin payout', 'deposit', 'conversion', 'balance', 'odd', '');
		const amount = fc.constantFrom('', '-40', '40', '-0.00', '100', '1000');
		const time = fc.integer({ min: -9, max: 9 }).map((day) => at(day));
		const any = fc.record({
			...{ key: text, kind, time, asset: fc.constantFrom('NGN', 'USDT'), amount, counterpart: text },
			...{ reference: text, result: text, status: fc.constantFrom('', 'successful', 'failed', 'x') },
			...{ fee: fc.constantFrom('', '0.5'), feeAsset: fc.constantFrom('', 'USDT'), message: text },
		});
		const isOfNow = ({ kind: word, time: written }: { kind: string; time: string }) =>
			word === 'balance' && written >= at(1);
		fc.assert(
			fc.property(
				fc.array(any.filter((each) => !isOfNow(each))),
				fc.constantFrom('1000', '960.00', '-5'),
				(rows, balance) => {
					const balances = [fiatOf('NGN', balance), { code: 'USDT', isFiat: false, balance }];
					const now = at(1);
					const first = prove({ rows: rows.map(row), balances, now, settings });
					const all = [...rows.map(row), ...first.rows];
					const second = prove({ rows: all, balances, now: at(2), settings });
					for (const [place, { verdict, difference, opening }] of second.proofs.entries()) {
						const { verdict: before, opening: start } = first.proofs[place]!;
						if (['first proof', 'proved'].includes(before)) expect(opening).toBe(balance);
						if (['explained', 'NOT EXPLAINED'].includes(before)) expect(opening).toBe(start);
						expect(verdict === 'proved').toBe(difference === '0');
					}
				},
			),
		);
	});
});
