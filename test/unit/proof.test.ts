/** The morning proof as a function: each difference has its true cause, and a book that is complete has no difference. */
import fc from 'fast-check';
import { movementsOfConversion } from '../../examples/code/movement.js';
import { prove, setsOf } from '../../examples/code/proof.js';
import { add, subtract } from '../../examples/code/decimal.js';

type Input = Parameters<typeof prove>[0];
type Proof = ReturnType<typeof prove>;
type Row = Input['rows'][0];

/** A payment, with the words of the payer. */
interface Payment extends Partial<Row> {
	paymentKey: string;
	amount: string;
	currency: string;
	coin: string;
	destination: string;
	payoutId: string;
	time: string | null;
	createdAt: string;
}

const at = (day: number, minutes = 0) => new Date(Date.UTC(2026, 0, day + 1, 6, minutes)).toISOString();

let ids = 0;
const payment = (more: Partial<Payment> = {}): Payment => ({
	...{ paymentKey: `INV-${++ids}`, amount: '40', currency: 'NGN', coin: '', destination: 'supplier-main' },
	...{ result: 'paid', payoutId: `po_${ids}`, status: 'pending', time: at(0, 60), createdAt: at(0, 60) },
	...more,
});
type Event = Movement;
const movement = (more: Partial<Event> = {}): Event => ({
	...{ id: ++ids, key: `event:${ids}`, time: at(0, 60), kind: 'deposit', asset: 'NGN', amount: '100' },
	...{ counterpart: 'Ada Obi to customer-0042', reference: `dep_${ids}`, status: 'successful' },
	...{ txHash: '', fee: '', feeAsset: '', sentAmount: '' },
	...more,
});
const coins = { currency: '', coin: 'USDT', destination: 'treasury' };
const update = (row: Payment, more: Partial<Event> = {}) =>
	movement({
		...{ kind: 'coin payout', asset: row.coin, amount: `-${row.amount}`, counterpart: row.destination },
		...{ reference: row.payoutId, fee: '0.5', feeAsset: row.coin, sentAmount: row.amount },
		...more,
	});

/** The rows of the book. An update fills the row that has its ID, and is a row of its own if it contradicts it or has no row. */
function bookOf(payments: Payment[], events: Event[]): Row[] {
	const none = { result: '', message: '', settle: '', workflow: '', execution: '', approvedBy: '' };
	const rows: Row[] = payments.map(({ paymentKey, currency, coin, destination, payoutId, ...row }) => ({
		...{ ...none, txHash: '', fee: '', feeAsset: '', sentAmount: '', status: '', updatedAt: row.createdAt },
		...row,
		...{ key: paymentKey, kind: coin ? 'coin payout' : 'fiat payout', asset: coin || currency },
		...{ amount: `-${row.amount}`, counterpart: destination, reference: payoutId },
	}));
	for (const event of events) {
		const row = rows.find(({ reference }) => event.kind === 'coin payout' && reference === event.reference);
		const isFinal = (status = '') => !['', 'pending', 'processing'].includes(status);
		const { status, txHash, fee, feeAsset, sentAmount } = event;
		const time = event.time ?? '';
		if (row && (!isFinal(row.status) || row.status === status))
			Object.assign(
				row,
				{ status, sentAmount, updatedAt: time },
				txHash && { txHash },
				fee && { fee, feeAsset },
			);
		else rows.push({ ...none, createdAt: time, updatedAt: time, ...event });
	}
	return rows;
}

interface Morning {
	balance: string;
	payments?: Payment[];
	movements?: Event[];
	asset?: string;
	settings?: Partial<Input['settings']>;
}

/** The mornings of one asset, each after the one before. The balance before the first is 1000. */
function mornings(...days: Morning[]): Proof[] {
	const proofs: Proof[] = [];
	for (const [index, { balance, payments = [], movements = [], asset = 'NGN', settings }] of days.entries()) {
		const before = proofs.at(-1);
		const last = before
			? { asset, time: before.time, balance: before.balance, open: JSON.stringify(before.open) }
			: { asset, time: at(0), balance: '1000', open: '[]' };
		const common = { asset, isFiat: asset === 'NGN', balance, cutOff: at(index + 1), last };
		proofs.push(
			prove({
				...common,
				rows: bookOf(payments, movements),
				settings: { underWayMinutes: 60, feesOnTop: true, ...settings },
			}),
		);
	}
	return proofs;
}
const said = (proof: Proof) => [proof.verdict, proof.difference, ...proof.causes];
const words = ({ lines, notes }: Proof) => [...lines, ...notes].join('\n');

describe('a difference has its cause', () => {
	test('nothing, when the rows tell it all', () => {
		const [proof] = mornings({ balance: '1060.00', payments: [payment()], movements: [movement()] });
		expect(proof).toMatchObject({ verdict: 'proved', booked: '60', difference: '0', lines: [], notes: [] });
	});

	test('the first proof has nothing to compare with, and a balance that cannot be read says why', () => {
		const input = { asset: 'NGN', isFiat: true, cutOff: at(1), rows: [] };
		const settings = { underWayMinutes: 60, feesOnTop: true };
		expect(prove({ ...input, settings, balance: '5' }).verdict).toBe('first proof');
		for (const balance of [undefined, '', 'NaN', '1,5'])
			expect(prove({ ...input, settings, balance }).verdict).toBe('CANNOT BE READ');
		expect(prove({ ...input, settings, problem: 'The service answered 503' }).lines).toEqual([
			'The service answered 503',
		]);
	});

	test('an unknown payout that left the balance looks paid, also on the next mornings', () => {
		const lost = payment({ result: 'unknown', amount: '41.5', payoutId: '' });
		const day = { balance: '958.50', payments: [lost] };
		const [first, second] = mornings(day, day) as [Proof, Proof];
		expect(said(first)).toEqual(['explained', '-41.50', lost.paymentKey]);
		expect(words(first)).toContain('looks paid. Answer that it was paid');
		expect(second.verdict).toBe('proved');
		expect(words(second)).toContain('It looks paid since 2026-01-02');
		// When a person has answered, the row keeps its time.
		const settled = { ...day, payments: [{ ...lost, result: 'paid' }] };
		expect(mornings(day, settled)[1]).toMatchObject({ verdict: 'proved', booked: '0', notes: [] });
	});

	test('an unknown payout that did not leave the balance looks not paid, and is found when it leaves later', () => {
		const lost = payment({ result: 'unknown', amount: '41.5', payoutId: '' });
		const [first, second] = mornings(
			{ balance: '1000.00', payments: [lost] },
			{ balance: '958.50', payments: [lost] },
		) as [Proof, Proof];
		expect([first.verdict, words(first)]).toEqual(['proved', expect.stringContaining('it looks not paid')]);
		expect(said(second)).toEqual(['explained', '-41.50', lost.paymentKey]);
		const settled = { ...lost, result: 'paid' };
		const [, later] = mornings(
			{ balance: '1000.00', payments: [lost] },
			{ balance: '958.50', payments: [settled] },
		);
		expect(said(later!)).toEqual(['under way', '-41.50', lost.paymentKey]);
	});

	test('nobody says of an unknown payout what the balance does not tell', () => {
		const [a, b] = [1, 2].map(() => payment({ result: 'unknown', amount: '40', payoutId: '' }));
		const [first, second] = mornings(
			{ balance: '960.00', payments: [a!, b!] },
			{ balance: '960.00', payments: [a!, b!] },
		) as [Proof, Proof];
		expect(first.lines[0]).toBe('One of these explains it:');
		for (const proof of [first, second]) expect(words(proof)).not.toMatch(/looks (not )?paid/);
		expect(words(second)).toContain('The balance does not tell if it was paid');
		// Beside a difference that nobody explains.
		const [open] = mornings({ balance: '900.00', payments: [a!] });
		expect(open!.verdict).toBe('NOT EXPLAINED');
		expect(words(open!)).toContain(`Perhaps a part of it: -40: ${a!.paymentKey}`);
		expect(words(open!)).not.toMatch(/looks (not )?paid/);
		expect(words(open!)).toContain('The balance does not tell if it was paid');
	});

	test('an unknown payout in coins is told from its update, which has another ID', () => {
		const lost = payment({ ...coins, result: 'unknown', amount: '97.07', payoutId: '' });
		const stray = update({ ...lost, payoutId: 'po_lost' });
		const day = { asset: 'USDT', balance: '902.43', payments: [lost], movements: [stray] };
		const [first, second] = mornings(day, day) as [Proof, Proof];
		expect(said(first)).toEqual(['explained', '-97.57', lost.paymentKey]);
		expect(words(first)).toContain(
			'(payout po_lost has its amount and wallet), has no answer, and looks paid',
		);
		expect(words(second)).toContain('It looks paid since 2026-01-02');
		const settled = { ...day, payments: [{ ...lost, result: 'paid' }] };
		expect(mornings(day, settled)[1]).toMatchObject({ verdict: 'proved', booked: '0', notes: [] });
		// An update with another amount or wallet is of another payout.
		for (const other of [{ amount: '-97.08' }, { counterpart: 'cold' }]) {
			const [proof] = mornings({ ...day, movements: [{ ...stray, ...other }], balance: '902.43' });
			expect(words(proof!)).not.toContain('has its amount and wallet');
		}
	});

	test('an unknown payout in coins whose update says failed does not look paid, whatever the balance does', () => {
		const lost = payment({ ...coins, result: 'unknown', amount: '97.07', payoutId: '' });
		const movements = [update({ ...lost, payoutId: 'po_lost' }, { status: 'failed', fee: '' })];
		const day = { asset: 'USDT', payments: [lost], movements };
		for (const balance of ['902.93', '1000']) {
			const proofs = mornings({ ...day, balance }, { ...day, balance: '1000' });
			for (const proof of proofs) expect(words(proof)).not.toMatch(/looks (not )?paid|Answer that/);
		}
		const [gone] = mornings({ ...day, balance: '902.93' });
		expect(said(gone!)).toEqual(['explained', '-97.07', lost.paymentKey]);
		expect(words(gone!)).toContain(
			'(payout po_lost has its amount and wallet, and is failed), has no answer.',
		);
	});

	test('n8n stopped while it paid coins, and their updates never came: the rows close it, with the fees', () => {
		const known = payment({ ...coins, amount: '10' });
		const late = ['500', '395.33'].map((amount) =>
			payment({ ...coins, amount, time: null, createdAt: at(1, 90), payoutId: '' }),
		);
		const base = { asset: 'USDT', movements: [update(known)] };
		const [first, second, third] = mornings(
			{ ...base, balance: '93.17', payments: [known] },
			{ ...base, balance: '93.17', payments: [known, ...late] },
			{ ...base, balance: '93.17', payments: [known, ...late] },
		) as [Proof, Proof, Proof];
		expect(said(first)).toEqual(['NOT EXPLAINED', '-896.33']);
		expect(said(second)).toEqual(['under way', '895.33', '']);
		expect(third).toMatchObject({ verdict: 'proved', notes: [] });
	});

	test('ten unknown payouts that were all paid are all named', () => {
		const lost = Array.from({ length: 10 }, (_, index) =>
			payment({ result: 'unknown', amount: `${10 + index * 7}.0${index}`, payoutId: '' }),
		);
		const sum = lost.map(({ amount }) => amount).reduce(add);
		const [proof] = mornings({ balance: subtract('1000', sum), payments: lost });
		expect(said(proof!)).toEqual(['explained', `-${sum}`, ...lost.map(({ paymentKey }) => paymentKey)]);
	});

	test('a paid payout that is still in the balance is named; shortly after it was paid it is under way', () => {
		const old = payment();
		const [proof] = mornings({ balance: '1000.00', payments: [old, payment({ amount: '0' })] });
		expect(said(proof!)).toEqual(['explained', '40.00', old.paymentKey]);
		expect(words(proof!)).toContain('its amount is still in the balance. Ask the service');
		const fresh = payment({ time: at(1, -5) });
		const [first, second] = mornings(
			{ balance: '1000.00', payments: [fresh] },
			{ balance: '960.00', payments: [fresh] },
		) as [Proof, Proof];
		expect(said(first)).toEqual(['under way', '40.00', fresh.paymentKey]);
		expect(said(second)).toEqual(['under way', '-40.00', fresh.paymentKey]);
	});

	test('a row that is written while the balance is read is under way, and counted once', () => {
		const during = payment({ time: at(1, 1) });
		const days = [
			{ balance: '960.00', payments: [during] },
			{ balance: '960.00', payments: [during] },
		];
		expect(mornings(...days).map(said)).toEqual([
			['under way', '-40.00', during.paymentKey],
			['under way', '40.00', during.paymentKey],
		]);
	});

	test('a list that is paid while the balance is read is under way: its first rows moved it', () => {
		const rows = Array.from({ length: 25 }, (_, index) => {
			const time = new Date(Date.parse(at(1)) + (25 - index) * 1000).toISOString();
			return payment({ amount: `${10 + index}.5`, time, createdAt: time });
		});
		const payments = rows.toReversed();
		const moved = payments.slice(0, 5);
		const balance = subtract('1000', moved.map(({ amount }) => amount).reduce(add));
		const end = subtract('1000', payments.map(({ amount }) => amount).reduce(add));
		const [first, second] = mornings({ balance, payments: rows }, { balance: end, payments: rows });
		expect([first!.verdict, first!.causes]).toEqual(['under way', moved.map(({ paymentKey }) => paymentKey)]);
		expect(second).toMatchObject({ verdict: 'under way', notes: [] });
	});

	test('a deposit whose event did not come is asked for, and closed when the event comes late', () => {
		const late = movement({ time: at(1, 90) });
		const [first, second, third] = mornings(
			{ balance: '1100.00' },
			{ balance: '1100.00', movements: [late] },
			{ balance: '1100.00', movements: [late] },
		) as [Proof, Proof, Proof];
		expect(said(first)).toEqual(['NOT EXPLAINED', '100.00']);
		expect(words(first)).toContain('a deposit or credit whose event did not come');
		expect(said(second)).toEqual(['under way', '0.00'.replace('0.00', '-100.00'), '']);
		expect(words(second)).toContain(
			'moved the balance before its row. It was in the difference of 2026-01-02',
		);
		expect(third).toMatchObject({ verdict: 'proved', notes: [] });
	});

	test('a payout that nobody here made: in coins it is named by its ID, in fiat money it is open until a row comes', () => {
		const stolen = update(payment({ ...coins, payoutId: 'po_stolen', amount: '250' }));
		const [proof] = mornings({ asset: 'USDT', balance: '749.5', movements: [stolen] });
		expect(said(proof!)).toEqual(['explained', '-250.5', 'payout:po_stolen']);
		expect(words(proof!)).toContain('is in no row of payments');
		const [first, second] = mornings({ balance: '970.00' }, { balance: '970.00' }) as [Proof, Proof];
		expect(said(first)).toEqual(['NOT EXPLAINED', '-30.00']);
		expect(words(second)).toContain('Still open since 2026-01-02: -30.00 NGN');
	});

	test.each(['fiat', 'coins'])(
		'n8n stopped before it wrote the row, in %s: the next run of the list closes it',
		(kind) => {
			const paid = payment({
				...(kind === 'coins' && coins),
				time: null,
				createdAt: at(1, 90),
				payoutId: '',
			});
			const asset = kind === 'coins' ? 'USDT' : 'NGN';
			const movements = kind === 'coins' ? [update({ ...paid, payoutId: 'po_lost' })] : [];
			const balance = kind === 'coins' ? '959.5' : '960.00';
			const [first, second, third] = mornings(
				{ asset, balance, movements },
				{ asset, balance, movements, payments: [paid] },
				{ asset, balance, movements, payments: [paid] },
			) as [Proof, Proof, Proof];
			expect(first.verdict).toBe(kind === 'coins' ? 'explained' : 'NOT EXPLAINED');
			expect(second.verdict).toBe('under way');
			expect(words(second)).toContain('moved the balance before its row');
			expect(third).toMatchObject({ verdict: 'proved', notes: [] });
		},
	);

	test('a failed payout comes back, in the night after it was paid or before', () => {
		const row = payment({ ...coins, amount: '12.5' });
		const failed = update(row, { status: 'failed', time: at(1, 60), fee: '' });
		expect(
			mornings(
				{ asset: 'USDT', balance: '987.5', payments: [row] },
				{ asset: 'USDT', balance: '1000', payments: [{ ...row, status: 'failed' }], movements: [failed] },
			).map(({ verdict }) => verdict),
		).toEqual(['proved', 'proved']);
		const [same, missing] = [
			...mornings({
				asset: 'USDT',
				balance: '1000',
				payments: [row],
				movements: [{ ...failed, time: at(0, 70) }],
			}),
			...mornings({
				asset: 'USDT',
				balance: '987.5',
				payments: [row],
				movements: [{ ...failed, time: at(0, 70) }],
			}),
		];
		expect(same!.verdict).toBe('proved');
		expect(said(missing!)).toEqual(['explained', '-12.5', `back:${row.payoutId}`]);
	});

	test('a payout in coins whose row was not read for a week explains what its update moves', () => {
		const row = payment({ ...coins, amount: '10' });
		const [sent, failed] = [
			update(row, { status: 'processing' }),
			update(row, { status: 'failed', time: at(2, 60) }),
		];
		const base = { asset: 'USDT', balance: '989.5', payments: [row], movements: [sent] };
		// The book is read by the time of the last change.
		const quiet = { ...base, payments: [], movements: [] };
		const last = { ...base, movements: [sent, failed] };
		const all = mornings(base, quiet, { ...last, balance: '1000' });
		expect(all.map(({ verdict }) => verdict)).toEqual(['proved', 'proved', 'explained']);
		expect(words(all[2]!)).toContain(
			`${row.paymentKey}, 10 USDT to treasury, is failed, and its amount came back`,
		);
		expect(mornings(base, quiet, { ...last, balance: '999.5' })[2]!.verdict).toBe('explained');
		expect(mornings(base, quiet, last)[2]!.verdict).toBe('proved');
		// So does its fee, if that is reported so late.
		const paid = { ...base, movements: [update(row, { time: at(2, 60) })] };
		const [, , late] = mornings(
			{ ...base, balance: '990', movements: [] },
			{ ...quiet, balance: '990' },
			paid,
		);
		expect(said(late!)).toEqual(['explained', '-0.5', `fee:${row.payoutId}`]);
	});

	test('what was counted of a payout under way is counted once, whatever comes after', () => {
		const row = payment({ ...coins, amount: '10' });
		const first = update(row, { status: 'processing' });
		const later = (status: string, time: string) => [first, update(row, { status, time })];
		const base = { asset: 'USDT', payments: [row] };
		const said = (...days: Morning[]) =>
			mornings({ ...base, balance: '989.5', movements: [first] }, ...days).map(({ verdict, booked }) => [
				verdict,
				Number(booked),
			]);
		const paid = { ...base, balance: '989.5', movements: later('successful', at(1, 60)) };
		expect(said(paid, paid)).toEqual([
			['proved', -10.5],
			['proved', 0],
			['proved', 0],
		]);
		const failed = { ...base, balance: '1000', movements: later('failed', at(1, 60)) };
		expect(said(failed, failed)).toEqual([
			['proved', -10.5],
			['proved', 10.5],
			['proved', 0],
		]);
		// It fails just after the balance was read.
		const late = { ...base, movements: later('failed', at(2, 1)) };
		expect(said({ ...late, balance: '989.5' }, { ...late, balance: '1000' })).toEqual([
			['proved', -10.5],
			['proved', 0],
			['proved', 10.5],
		]);
	});

	test('news that come just after the balance was read count on the next morning', () => {
		const row = payment({ ...coins, amount: '10' });
		const movements = [update(row, { time: at(1, 1) })];
		const base = { asset: 'USDT', payments: [row], movements };
		// This service takes the fee when it reports it.
		const proofs = mornings({ ...base, balance: '990' }, { ...base, balance: '989.5' });
		expect(proofs.map(({ verdict, booked }) => [verdict, Number(booked)])).toEqual([
			['proved', -10],
			['proved', -0.5],
		]);
	});

	test('the fee of a failed payout comes back, also if it was never reported before', () => {
		const row = payment({ ...coins, amount: '40' });
		const base = { asset: 'USDT', payments: [row] };
		const failed = update(row, { status: 'failed', time: at(1, 60) });
		const [first, second] = mornings(
			{ ...base, balance: '959.5' },
			{ ...base, balance: '1000', movements: [failed] },
		);
		expect(said(first!)).toEqual(['under way', '-0.5']);
		expect(said(second!)).toEqual(['explained', '0.5', `back:fee:${row.payoutId}`]);
	});

	test('fees: reported, not reported yet, never taken, and of a payout that failed', () => {
		const rows = [payment({ ...coins, amount: '10' }), payment({ ...coins, amount: '20' })];
		const [first, second] = rows.map((row) => update(row)) as [Event, Event];
		const base = { asset: 'USDT', payments: rows };
		const verdicts = (...days: Morning[]) => mornings(...days).map(said);
		expect(verdicts({ ...base, balance: '969', movements: [first, second] })).toEqual([['proved', '0']]);
		const late = { ...second, time: at(1, 60) };
		expect(
			verdicts(
				{ ...base, balance: '969', movements: [first] },
				{ ...base, balance: '969', movements: [first, late] },
			),
		).toEqual([
			['under way', '-0.5', `fee:${rows[1]!.payoutId}`],
			['under way', '0.5', `fee:${rows[1]!.payoutId}`],
		]);
		expect(verdicts({ ...base, balance: '970', movements: [first, second] })).toEqual([
			['explained', '1.0', 'fees'],
		]);
		const settings = { feesOnTop: false };
		expect(verdicts({ ...base, balance: '970', movements: [first, second], settings })).toEqual([
			['proved', '0'],
		]);
		const unreported = mornings({ ...base, balance: '969', movements: [] });
		expect(said(unreported[0]!)).toEqual(['under way', '-1']);
		expect(words(unreported[0]!)).toContain('can be fees that are not reported yet, of 2 payouts in coins');
		// More than a tenth is no fee.
		expect(said(mornings({ ...base, balance: '960', movements: [] })[0]!)).toEqual(['NOT EXPLAINED', '-10']);
	});

	test('two final words: the first counts, and the second explains what the balance does', () => {
		const row = payment({ ...coins, amount: '10', status: 'successful' });
		const both = [update(row), update(row, { status: 'reversed', key: 'again' })];
		const day = { asset: 'USDT', payments: [row], movements: both };
		expect(said(mornings({ ...day, balance: '989.5' })[0]!)).toEqual(['proved', '0']);
		const [moved] = mornings({ ...day, balance: '1000' });
		expect(said(moved!)).toEqual(['explained', '10.5', `other:${row.payoutId}`]);
		const taken = [movement({ reference: 'dep_x' }), movement({ reference: 'dep_x', status: 'reversed' })];
		expect(said(mornings({ balance: '1000.00', movements: taken })[0]!).slice(0, 2)).toEqual([
			'explained',
			'-100.00',
		]);
	});

	test('a deposit that is pending is counted once it is successful', () => {
		const pending = movement({ status: 'pending', reference: 'dep_p' });
		const done = movement({ reference: 'dep_p', time: at(1, 60) });
		expect(
			mornings(
				{ balance: '1000.00', movements: [pending] },
				{ balance: '1100.00', movements: [pending, done] },
			).map(({ verdict }) => verdict),
		).toEqual(['proved', 'proved']);
		// It was credited before its status said so.
		expect(
			mornings(
				{ balance: '1100.00', movements: [pending] },
				{ balance: '1100.00', movements: [pending, done] },
			).map(({ verdict }) => verdict),
		).toEqual(
			['explained', 'NOT EXPLAINED'].map((word, index) =>
				index === 1 ? expect.not.stringMatching('NOT') : word,
			),
		);
	});

	test('a conversion without an answer explains one balance, is a hint for the other, and is counted once', () => {
		const row = {
			...{ payment_key: 'A-1/1', from_currency: 'USDT', to_currency: 'NGN', note: '', contract_id: 'ic' },
			from_amount: '100',
		};
		const lost = movementsOfConversion({ ...row, state: 'unknown', to_amount: '', updatedAt: at(0, 60) });
		const known = { ...row, state: 'converted', to_amount: '154000', transaction_id: 'itx' };
		const done = movementsOfConversion({ ...known, updatedAt: at(1, 60) });
		const coin = mornings(
			{ asset: 'USDT', balance: '900', movements: lost },
			{ asset: 'USDT', balance: '900', movements: done },
		);
		expect(coin.map(({ verdict, notes }) => [verdict, notes])).toEqual([
			['explained', []],
			['under way', []],
		]);
		const fiat = mornings(
			{ balance: '155000.00', movements: lost },
			{ balance: '155000.00', movements: done },
		);
		expect(fiat.map(({ verdict }) => verdict)).toEqual(['NOT EXPLAINED', 'under way']);
		expect(words(fiat[0]!)).toContain(
			'conversion A-1/1, ic, has the status unknown, and its amount is not known',
		);
		expect(fiat[1]!.open).toEqual([]);
	});

	test('a row twice, and one key in two rows, count once', () => {
		const row = payment();
		const event = movement();
		const [proof] = mornings({
			balance: '1060.00',
			payments: [{ ...row, result: 'unknown', payoutId: '' }, row],
			movements: [event, { ...event, id: 99_999 }],
		});
		expect(said(proof!)).toEqual(['proved', '0']);
	});

	test('one key that two workflows paid is two payments, and no other row hides one without an answer', () => {
		const [row, lost] = [payment(), payment({ result: 'unknown', payoutId: '' })];
		const twice = mornings({ balance: '920.00', payments: [row, { ...row, payoutId: 'po_chat' }] });
		expect(said(twice[0]!)).toEqual(['proved', '0']);
		const hidden = mornings({ balance: '960.00', payments: [{ ...lost, result: 'notSent' }, lost] });
		expect(said(hidden[0]!)).toEqual(['explained', '-40.00', lost.paymentKey]);
	});

	test('an amount that cannot be read is left out and does not stop the proof', () => {
		const broken = [movement({ amount: '' }), movement({ amount: 'NaN' })];
		const [proof] = mornings({
			balance: '1000.00',
			movements: broken,
			payments: [payment({ amount: '1,5' })],
		});
		expect(proof!.verdict).toBe('proved');
	});

	test('a fiat balance has two decimals, whatever the movements have', () => {
		const payments = ['0.125', '0.001', '7.999'].map((amount) => payment({ amount }));
		expect(said(mornings({ balance: '991.87', payments })[0]!)).toEqual(['proved', '0']);
		expect(mornings({ balance: '991.86', payments })[0]!.verdict).not.toBe('proved');
	});
});

test('sets of amounts are found exactly, and none holds another', () => {
	const amount = fc
		.integer({ min: -5000, max: 5000 })
		.map(
			(units) =>
				`${units < 0 ? '-' : ''}${Math.floor(Math.abs(units) / 100)}.${String(Math.abs(units) % 100).padStart(2, '0')}`,
		);
	fc.assert(
		fc.property(
			fc.array(amount, { maxLength: 9 }),
			fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
			(amounts, isIn) => {
				const chosen = amounts.flatMap((_, index) => (isIn[index] ? [index] : []));
				const sum = chosen.map((index) => amounts[index]!).reduce(add, '0');
				const sets = setsOf(amounts, sum, false);
				for (const set of sets)
					expect(subtract(set.map((index) => amounts[index]!).reduce(add, '0'), sum)).toMatch(/^-?0?[0.]*$/);
				const holds = (set: number[]) => set.every((index) => chosen.includes(index));
				if (chosen.length > 0 && sets.length < 50) expect(sets.some(holds)).toBe(true);
				for (const a of sets)
					for (const b of sets) if (a !== b) expect(a.every((index) => b.includes(index))).toBe(false);
			},
		),
	);
});

/** A month of one asset. The world knows what is true; the book knows what was written. */
describe('a month by chance', () => {
	type Kind =
		| 'payout'
		| 'deposit'
		| 'lostPaid'
		| 'lostNotPaid'
		| 'lostEvent'
		| 'intruder'
		| 'stuck'
		| 'contradiction';
	const regular = fc.constantFrom<Kind>('payout', 'payout', 'deposit');
	const fault = fc.constantFrom<Kind>(
		'lostPaid',
		'lostNotPaid',
		'lostEvent',
		'intruder',
		'stuck',
		'contradiction',
	);
	const happening = (kind: fc.Arbitrary<Kind>) =>
		fc.record({
			kind,
			units: fc.noBias(fc.integer({ min: 1, max: 10 ** 13 })),
			minute: fc.integer({ min: 90, max: 1300 }),
		});
	const day = fc.record({
		calm: fc.array(happening(regular), { maxLength: 12 }),
		fault: fc.option(happening(fault), { freq: 2 }),
	});

	test.each(['NGN', 'USDT'])(
		'in %s each difference has its true cause, and there is no false alarm',
		(asset) => {
			const isFiat = asset === 'NGN';
			fc.assert(
				fc.property(fc.array(day, { minLength: 30, maxLength: 30 }), (days) => {
					let balance = '9000000000000000';
					const payments: Payment[] = [];
					const movements: Event[] = [];
					const wasPaid = new Map<string, boolean>();
					const known = payment({ ...coins, time: at(-1), createdAt: at(-1) });
					if (!isFiat) {
						payments.push(known);
						movements.push(update(known, { time: at(-1) }));
					}
					let last = { asset, time: at(0), balance: `${balance}.00`, open: '[]' };
					for (const [index, { calm, fault: wrong }] of days.entries()) {
						let cause: unknown[] = ['proved'];
						for (const { kind, units, minute } of [...calm, ...(wrong ? [wrong] : [])]) {
							const amount = `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
							const time = at(index, minute);
							const row = payment({
								amount,
								time,
								createdAt: time,
								...(isFiat ? {} : coins),
								status: isFiat ? 'pending' : 'successful',
							});
							const move = (sum: string) => (balance = add(balance, sum));
							const out = `-${amount}`;
							const fee = isFiat ? '0' : '0.5';
							const report = () => isFiat || movements.push(update(row, { time }));
							if (kind === 'payout') {
								move(out);
								move(`-${fee}`);
								payments.push(row);
								report();
							}
							if (kind === 'deposit') {
								move(amount);
								movements.push(movement({ asset, amount, time }));
							}
							if (kind === 'lostPaid') {
								move(out);
								move(`-${fee}`);
								payments.push({ ...row, result: 'unknown', payoutId: '' });
								// Its update may come, too.
								const isReported = isFiat || units % 2 === 1;
								if (isReported) report();
								cause = ['explained', row.paymentKey, ...(isReported ? [] : [`fee:${row.paymentKey}`])];
							}
							if (kind === 'lostPaid' || kind === 'lostNotPaid')
								wasPaid.set(row.paymentKey, kind === 'lostPaid');
							if (kind === 'lostNotPaid') payments.push({ ...row, result: 'unknown', payoutId: '' });
							if (kind === 'lostEvent') {
								move(amount);
								cause = ['NOT EXPLAINED'];
							}
							if (kind === 'intruder') {
								move(out);
								move(`-${fee}`);
								report();
								cause = isFiat ? ['NOT EXPLAINED'] : ['explained', `payout:${row.payoutId}`];
							}
							if (kind === 'stuck') {
								payments.push(row);
								if (!isFiat) {
									move(`-${fee}`);
									report();
								}
								cause = ['explained', row.paymentKey];
							}
							if (kind === 'contradiction') {
								const key = `d${index}`;
								movements.push(
									movement({ asset, amount, time, reference: key }),
									movement({ asset, amount, time, reference: key, status: 'reversed' }),
								);
								cause = ['explained', `other:${movements.at(-2)!.key}`];
							}
						}
						const shown = isFiat
							? `${balance.split('.')[0]}.${(balance.split('.')[1] ?? '').padEnd(2, '0')}`
							: balance;
						const proof = prove({
							...{
								asset,
								isFiat,
								balance: shown,
								cutOff: at(index + 1),
								last,
								rows: bookOf(payments, movements),
							},
							settings: { underWayMinutes: 60, feesOnTop: true },
						});
						expect([index, proof.verdict, ...proof.causes]).toEqual([index, ...cause]);
						// What is said of a payment without an answer is true, each morning.
						for (const [, key, says] of words(proof).matchAll(
							/(INV-\d+), (?:(?!INV-).)*(looks not paid|looks paid)/g,
						))
							expect([key, says]).toEqual([key, wasPaid.get(key!) ? 'looks paid' : 'looks not paid']);
						last = { asset, time: proof.time, balance: shown, open: JSON.stringify(proof.open) };
					}
				}),
				{ numRuns: 15, endOnFailure: true },
			);
		},
	);
});
