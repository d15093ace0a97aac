/** What the watch tells, and the file and mail of the morning proof, as functions. */
import { movementsOfConversion } from '../../examples/code/movement.js';
import { alarms } from '../../examples/code/watch.alarms.js';
import { report } from '../../examples/code/morning-proof.proof.js';

type Input = Parameters<typeof alarms>[0];
const HOUR = 3_600_000;
const now = Date.UTC(2026, 0, 2, 12);
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();
const row = (more: Partial<Input['payments'][0]>): Input['payments'][0] => ({
	...{ paymentKey: 'INV-1', amount: '40', currency: 'NGN', coin: '', destination: 'supplier-main' },
	...{ result: 'paid', payoutId: 'po_1', status: 'pending' },
	...{ time: ago(8), createdAt: ago(8), updatedAt: ago(8) },
	...more,
});
const coins = { currency: '', coin: 'USDT', destination: 'treasury' };
const told = (input: Partial<Input>) =>
	alarms({
		...{ assets: [], payments: [], movements: [], now, hour: 12 },
		settings: { waitHours: 1, updateHours: 6, checkHour: 8 },
		...input,
	});
const names = (input: Partial<Input>) => told(input).map(({ alarm }) => alarm);

test.each([
	['below by a digit that a number would lose', '4999999999999999.99', '5000000000000000', ['low X']],
	['at its minimum', '5000.00', '5000', []],
	['empty', undefined, '0', ['unreadable X']],
	['beside a minimum that is no text', '5', undefined, ['minimum X']],
	['beside a minimum with a comma', '5', '1,000', ['minimum X']],
])('a balance that is %s', (_, balance, minimum, expected) => {
	expect(names({ assets: [{ code: 'X', balance, minimum }] })).toEqual(expected);
});

test('a payment without an answer waits an hour, then it is told until a person answers', () => {
	expect(names({ payments: [row({ result: 'unknown', time: ago(0.9) })] })).toEqual([]);
	const old = row({ result: 'unknown', time: ago(30) });
	expect(names({ payments: [old] })).toEqual(['unknown INV-1']);
	// Of two rows of one key, the one that is paid counts.
	expect(names({ payments: [old, row({ status: 'successful' })] })).toEqual([]);
});

test('a payout in coins is told when nothing is heard of it for hours', () => {
	const silent = row(coins);
	expect(names({ payments: [silent] })).toEqual(['silent INV-1']);
	expect(names({ payments: [{ ...silent, updatedAt: ago(5) }] })).toEqual([]);
	for (const status of ['successful', 'Successful', 'failed', 'RETURNED '])
		expect(names({ payments: [{ ...silent, status }] })).toEqual([]);
});

test('fiat payouts are one line with count and sums, in the day, until a person has seen them', () => {
	const inDollars = row({ amount: '3', currency: 'USD' });
	const payments = [row({}), row({ amount: '0.125' }), inDollars, row({ status: 'successful' })];
	const [check, ...others] = told({ payments });
	expect(check!.text).toContain('Check by hand: 3 fiat payouts of the last 30 days, 40.125 NGN, 3 USD.');
	expect(others).toEqual([]);
	expect(names({ payments, hour: 7 })).toEqual([]);
	expect(names({ payments: [row({ time: ago(8 * 24) })] })).toEqual(['check']);
});

test('a payout in coins that is in no row is told, if its mail was lost', () => {
	const stray = {
		...{ key: 'k', time: ago(1), kind: 'coin payout', asset: 'USDT', amount: '-40', counterpart: 'treasury' },
		...{ reference: 'po_x', status: 'successful', txHash: '', fee: '', feeAsset: '', sentAmount: '40' },
	};
	expect(names({ movements: [stray] })).toEqual(['no row po_x']);
	expect(names({ movements: [{ ...stray, time: ago(0) }] })).toEqual([]);
	expect(names({ movements: [stray], payments: [row({ ...coins, payoutId: 'po_x' })] })).toEqual([]);
	expect(names({ movements: [{ ...stray, time: ago(80) }] })).toEqual([]);
	// A row without an ID is that of one payout.
	const withoutId = { ...row({ ...coins, payoutId: '' }), updatedAt: ago(1) };
	expect(names({ movements: [stray], payments: [withoutId] })).toEqual([]);
	const second = { ...stray, reference: 'po_y' };
	expect(names({ movements: [stray, second], payments: [withoutId] })).toEqual(['no row po_y']);
	expect(names({ movements: [stray, second], payments: [withoutId, { ...withoutId }] })).toEqual([]);
});

test('a conversion without an answer is told once an hour is over, with what went out', () => {
	const sides = (hours: number, state = 'unknown') =>
		movementsOfConversion({
			...{ payment_key: 'A-1/1', state, from_currency: 'USDT', to_currency: 'NGN', from_amount: '100' },
			...{ to_amount: '', updatedAt: ago(hours), contract_id: 'ic', settle: '' },
		});
	const [alarm, ...others] = told({ movements: sides(2) });
	expect(alarm!.text).toContain('It is not known if 100 USDT were converted: A-1/1.');
	expect(others).toEqual([]);
	expect(names({ movements: sides(0.9) })).toEqual([]);
	expect(names({ movements: sides(2, 'converted') })).toEqual([]);
});

test('no text of a stranger becomes a formula, a tag or a line', () => {
	const entry = {
		...{ key: 'k', time: ago(1), kind: 'deposit', amount: '-5', reference: '@x', status: 'successful' },
		...{ counterpart: '=HYPERLINK("http://x")', txHash: '+1', words: '', isUnderWay: false },
	};
	const proof = {
		...{ asset: 'NGN', time: ago(0), opening: '10', booked: '-5', balance: '6', difference: '1' },
		verdict: 'explained',
		...{ lines: ['<b>\u0026 "quoted"'], notes: [], open: [], entries: [entry], causes: [] },
	};
	const { csv, html, subject, rows } = report([proof], ['KES'], '2026-01-02');
	expect(subject).toBe('Morning proof 2026-01-02: 1 NOT PROVED, 1 explained');
	const all = report([{ ...proof, verdict: 'proved' }], ['KES'], '2026-01-02');
	expect(all.subject).toBe('Morning proof 2026-01-02: 1 NOT PROVED, 1 proved');
	expect(csv.split('\r\n')).toEqual([
		'"asset","time","kind","amount","counterpart","reference","status","txHash","key"',
		'"NGN","","last balance","10","","","","",""',
		`"NGN","${ago(1)}","deposit","-5","'=HYPERLINK(""http://x"")","'@x","successful","'+1","k"`,
		`"NGN","${ago(0)}","difference","1","<b>& ""quoted""","","","",""`,
		`"NGN","${ago(0)}","balance","6","","","","",""`,
	]);
	expect(html).not.toContain('<b>');
	expect(html).toContain('Not proved: KES.');
	expect(rows).toMatchObject([{ asset: 'NGN', balance: '6', open: '[]' }]);
});
