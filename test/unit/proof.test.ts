/** The morning proof as a function: each difference has its true cause, and a book that is complete has no difference. */
import fc from 'fast-check';
import { movementsOfConversion } from '../../examples/code/movement.js';
import { prove, setsOf } from '../../examples/code/proof.js';
import { add, subtract } from '../../examples/code/decimal.js';

type Input = Parameters<typeof prove>[0];
type Proof = ReturnType<typeof prove>;
type Row = Input['rows'][0];

/** A payment, with the words of the payer. */
type Payment = Partial<Row> & PaidRow & { payoutId: string };

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
const coinPayment = (more: Partial<Payment> = {}) => payment({ ...coins, ...more });
/** What pay once writes without an answer, and the next run of a list if n8n stopped before the row was written. */
const UNKNOWN = { result: 'unknown', payoutId: '' };
const WRITTEN_LATER = { time: null, createdAt: at(1, 90), payoutId: '' };
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
	asset: string;
	balance: string;
	payments: Payment[];
	movements: Event[];
	feesOnTop?: boolean;
}
const morningOf =
	(asset: string) =>
	(balance: string, payments: Payment[] = [], movements: Event[] = []): Morning => ({
		...{ asset, balance, payments, movements },
	});
const [fiat, usdt] = [morningOf('NGN'), morningOf('USDT')];

/** The mornings of one asset, each after the one before. The balance before the first is 1000. */
function mornings<Days extends Morning[]>(...days: Days): { [Day in keyof Days]: Proof } {
	const proofs: Proof[] = [];
	for (const [index, { asset, balance, payments, movements, feesOnTop = true }] of days.entries()) {
		const { time, balance: opening, open } = proofs.at(-1) ?? { time: at(0), balance: '1000', open: [] };
		const last = { asset, time, balance: opening, open: JSON.stringify(open) };
		const rows = bookOf(payments, movements);
		const settings = { underWayMinutes: 60, feesOnTop };
		const common = { asset, isFiat: asset === 'NGN', balance, cutOff: at(index + 1) };
		proofs.push(prove({ ...common, last, rows, settings }));
	}
	return proofs as { [Day in keyof Days]: Proof };
}
const said = (proof: Proof) => [proof.verdict, proof.difference, ...proof.causes];
const words = ({ lines, notes }: Proof) => [...lines, ...notes].join('\n');
const bookedOf = (proofs: Proof[]) => proofs.map(({ verdict, booked }) => [verdict, Number(booked)]);
const proved = (...sums: number[]) => sums.map((sum) => ['proved', sum]);
const PROVED = { verdict: 'proved', notes: [] };

describe('a difference has its cause', () => {
	test('nothing, when the rows tell it all', () => {
		const [proof] = mornings(fiat('1060.00', [payment()], [movement()]));
		expect(proof).toMatchObject({ verdict: 'proved', booked: '60', difference: '0', lines: [], notes: [] });
	});

	test('the first proof has nothing to compare with, and a balance that cannot be read says why', () => {
		const settings = { underWayMinutes: 60, feesOnTop: true };
		const input = { asset: 'NGN', isFiat: true, cutOff: at(1), rows: [], settings };
		expect(prove({ ...input, balance: '5' }).verdict).toBe('first proof');
		for (const balance of [undefined, '', 'NaN', '1,5'])
			expect(prove({ ...input, balance }).verdict).toBe('CANNOT BE READ');
		const problem = 'The service answered 503';
		expect(prove({ ...input, problem }).lines).toEqual([problem]);
	});

	test('an amount that a person writes into the row, as the mail asks, is counted in the next proof', () => {
		const unread = movement({ amount: '' });
		const written = { ...unread, amount: '100' };
		const [first, second, third] = mornings(
			fiat('1100.00', [], [unread]),
			fiat('1100.00', [], [written]),
			fiat('1100.00', [], [written]),
		);
		expect(first.verdict).toBe('NOT EXPLAINED');
		expect(words(first)).toContain(`deposit ${unread.reference}, ${unread.counterpart}, has the status`);
		expect([second.verdict, second.booked, second.notes]).toEqual(['under way', '100', []]);
		expect(third).toMatchObject({ ...PROVED, booked: '0' });
	});

	test('an update without an ID, in whose row a person has written the amount, explains a difference', () => {
		const lost = movement({ kind: 'coin payout', asset: 'USDT', reference: '', amount: '-40' });
		expect(said(mornings(usdt('960', [], [lost]))[0])).toEqual(['explained', '-40', `payout:${lost.key}`]);
	});

	test('an unknown payout that did not leave the balance looks not paid, and is found when it leaves later', () => {
		const lost = payment({ ...UNKNOWN, amount: '41.5' });
		const [first, second] = mornings(fiat('1000.00', [lost]), fiat('958.50', [lost]));
		expect([first.verdict, words(first)]).toEqual(['proved', expect.stringContaining('it looks not paid')]);
		expect(said(second)).toEqual(['explained', '-41.50', lost.paymentKey]);
		const [, settled] = mornings(fiat('1000.00', [lost]), fiat('958.50', [{ ...lost, result: 'paid' }]));
		expect(said(settled)).toEqual(['under way', '-41.50', lost.paymentKey]);
	});

	test('nobody says of an unknown payout what the balance does not tell', () => {
		const [one, other] = [payment(UNKNOWN), payment(UNKNOWN)];
		const [first, second] = mornings(fiat('960.00', [one, other]), fiat('960.00', [one, other]));
		expect(first.lines[0]).toBe('One of these explains it:');
		// Beside a difference that nobody explains.
		const [open] = mornings(fiat('900.00', [one]));
		expect(open.verdict).toBe('NOT EXPLAINED');
		expect(words(open)).toContain(`Perhaps a part of it: -40: ${one.paymentKey}`);
		for (const proof of [first, second, open]) expect(words(proof)).not.toMatch(/looks (not )?paid/);
		for (const proof of [second, open])
			expect(words(proof)).toContain('The balance does not tell if it was paid');
	});

	test('an unknown payout in coins is told from its update, which has another ID', () => {
		const lost = coinPayment({ ...UNKNOWN, amount: '97.07' });
		const stray = update({ ...lost, payoutId: 'po_lost' });
		const day = usdt('902.43', [lost], [stray]);
		const [first, second] = mornings(day, day);
		expect(said(first)).toEqual(['explained', '-97.57', lost.paymentKey]);
		expect(words(first)).toContain(
			'(payout po_lost has its amount and wallet), has no answer, and looks paid',
		);
		expect(words(second)).toContain('It looks paid since 2026-01-02');
		const [, settled] = mornings(day, usdt('902.43', [{ ...lost, result: 'paid' }], [stray]));
		expect(settled).toMatchObject({ ...PROVED, booked: '0' });
		// An update with another amount or wallet is of another payout.
		for (const other of [{ amount: '-97.08' }, { counterpart: 'cold' }]) {
			const [proof] = mornings(usdt('902.43', [lost], [{ ...stray, ...other }]));
			expect(words(proof)).not.toContain('has its amount and wallet');
		}
	});

	test('an unknown payout in coins whose update says failed does not look paid, whatever the balance does', () => {
		const lost = coinPayment({ ...UNKNOWN, amount: '97.07' });
		const movements = [update({ ...lost, payoutId: 'po_lost' }, { status: 'failed', fee: '' })];
		const day = { asset: 'USDT', payments: [lost], movements };
		for (const balance of ['902.93', '1000']) {
			const proofs = mornings({ ...day, balance }, { ...day, balance: '1000' });
			for (const proof of proofs) expect(words(proof)).not.toMatch(/looks (not )?paid|Answer that/);
		}
		const [gone] = mornings({ ...day, balance: '902.93' });
		expect(said(gone)).toEqual(['explained', '-97.07', lost.paymentKey]);
		expect(words(gone)).toContain(
			'(payout po_lost has its amount and wallet, and is failed), has no answer.',
		);
	});

	test('n8n stopped while it paid coins, and their updates never came: the rows close it, with the fees', () => {
		const known = coinPayment({ amount: '10' });
		const late = ['500', '395.33'].map((amount) => coinPayment({ ...WRITTEN_LATER, amount }));
		const [before, after] = [[known], [known, ...late]].map((payments) =>
			usdt('93.17', payments, [update(known)]),
		) as [Morning, Morning];
		const [first, second, third] = mornings(before, after, after);
		expect(said(first)).toEqual(['NOT EXPLAINED', '-896.33']);
		expect(said(second)).toEqual(['under way', '895.33', '']);
		expect(third).toMatchObject(PROVED);
	});

	test('a paid payout that is still in the balance is named; shortly after it was paid it is under way', () => {
		const old = payment();
		const [proof] = mornings(fiat('1000.00', [old, payment({ amount: '0' })]));
		expect(said(proof)).toEqual(['explained', '40.00', old.paymentKey]);
		expect(words(proof)).toContain('its amount is still in the balance. Ask the service');
		const fresh = payment({ time: at(1, -5) });
		expect(mornings(fiat('1000.00', [fresh]), fiat('960.00', [fresh])).map(said)).toEqual([
			['under way', '40.00', fresh.paymentKey],
			['under way', '-40.00', fresh.paymentKey],
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
		const [first, second] = mornings(fiat(balance, rows), fiat(end, rows));
		expect([first.verdict, first.causes]).toEqual(['under way', moved.map(({ paymentKey }) => paymentKey)]);
		expect(second).toMatchObject({ verdict: 'under way', notes: [] });
	});

	test('a payout that nobody here made: in coins it is named by its ID, in fiat money it is open until a row comes', () => {
		const stolen = update(coinPayment({ payoutId: 'po_stolen', amount: '250' }));
		const [proof] = mornings(usdt('749.5', [], [stolen]));
		expect(said(proof)).toEqual(['explained', '-250.5', 'payout:po_stolen']);
		expect(words(proof)).toContain('is in no row of payments');
		const [first, second] = mornings(fiat('970.00'), fiat('970.00'));
		expect(said(first)).toEqual(['NOT EXPLAINED', '-30.00']);
		expect(words(second)).toContain('Still open since 2026-01-02: -30.00 NGN');
	});

	test('a row that comes late closes its difference: of a payout, if n8n stopped before it wrote it, or of an event', () => {
		const inCoins = coinPayment(WRITTEN_LATER);
		const sent = update({ ...inCoins, payoutId: 'po_lost' });
		const deposit = movement({ time: at(1, 90) });
		for (const [verdict, says, before, after] of [
			['NOT EXPLAINED', 'debit that is in no row', fiat('960.00'), fiat('960.00', [payment(WRITTEN_LATER)])],
			['NOT EXPLAINED', 'credit whose event did not come', fiat('1100.00'), fiat('1100.00', [], [deposit])],
			['explained', 'po_lost', usdt('959.5', [], [sent]), usdt('959.5', [inCoins], [sent])],
		] as const) {
			const [first, second, third] = mornings(before, after, after);
			expect([first.verdict, second.verdict]).toEqual([verdict, 'under way']);
			expect(words(first)).toContain(says);
			expect(words(second)).toContain(
				'moved the balance before its row. It was in the difference of 2026-01-02',
			);
			expect(third).toMatchObject(PROVED);
		}
	});

	test('a failed payout comes back, in the night after it was paid or before', () => {
		const row = coinPayment({ amount: '12.5' });
		const failedAt = (time: string) => [update(row, { status: 'failed', time, fee: '' })];
		const after = usdt('1000', [{ ...row, status: 'failed' }], failedAt(at(1, 60)));
		const verdicts = mornings(usdt('987.5', [row]), after).map(({ verdict }) => verdict);
		expect(verdicts).toEqual(['proved', 'proved']);
		const [same] = mornings(usdt('1000', [row], failedAt(at(0, 70))));
		const [missing] = mornings(usdt('987.5', [row], failedAt(at(0, 70))));
		expect(same.verdict).toBe('proved');
		expect(said(missing)).toEqual(['explained', '-12.5', `back:${row.payoutId}`]);
	});

	test('a payout in coins whose row was not read for a week explains what its update moves', () => {
		const row = coinPayment({ amount: '10' });
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
		expect(words(all[2])).toContain(
			`${row.paymentKey}, 10 USDT to treasury, is failed, and its amount came back`,
		);
		expect(mornings(base, quiet, { ...last, balance: '999.5' })[2].verdict).toBe('explained');
		expect(mornings(base, quiet, last)[2].verdict).toBe('proved');
		// So does its fee, if that is reported so late.
		const paid = { ...base, movements: [update(row, { time: at(2, 60) })] };
		const [, , late] = mornings(
			{ ...base, balance: '990', movements: [] },
			{ ...quiet, balance: '990' },
			paid,
		);
		expect(said(late)).toEqual(['explained', '-0.5', `fee:${row.payoutId}`]);
	});

	test('what was counted of a payout under way is counted once, whatever comes after', () => {
		const row = coinPayment({ amount: '10' });
		const first = update(row, { status: 'processing' });
		const day = (balance: string, ...updates: Event[]) => usdt(balance, [row], [first, ...updates]);
		const booked = (...days: Morning[]) => bookedOf(mornings(day('989.5'), ...days));
		const paid = day('989.5', update(row, { time: at(1, 60) }));
		const failed = day('1000', update(row, { status: 'failed', time: at(1, 60) }));
		// It fails just after the balance was read.
		const late = (balance: string) => day(balance, update(row, { status: 'failed', time: at(2, 1) }));
		expect(booked(paid, paid)).toEqual(proved(-10.5, 0, 0));
		expect(booked(failed, failed)).toEqual(proved(-10.5, 10.5, 0));
		expect(booked(late('989.5'), late('1000'))).toEqual(proved(-10.5, 0, 10.5));
		// The first news come just after the balance was read, and this service takes the fee when it reports it.
		const news = [update(row, { time: at(1, 1) })];
		const proofs = mornings(usdt('990', [row], news), usdt('989.5', [row], news));
		expect(bookedOf(proofs)).toEqual(proved(-10, -0.5));
	});

	test('the fee of a failed payout comes back, also if it was never reported before', () => {
		const row = coinPayment();
		const failed = update(row, { status: 'failed', time: at(1, 60) });
		expect(mornings(usdt('959.5', [row]), usdt('1000', [row], [failed])).map(said)).toEqual([
			['under way', '-0.5'],
			['explained', '0.5', `back:fee:${row.payoutId}`],
		]);
	});

	test('fees: reported, not reported yet, never taken, and of a payout that failed', () => {
		const rows = [coinPayment({ amount: '10' }), coinPayment({ amount: '20' })];
		const [first, second] = rows.map((row) => update(row)) as [Event, Event];
		const both = (balance: string) => usdt(balance, rows, [first, second]);
		const fee = `fee:${rows[1]!.payoutId}`;
		expect(mornings(both('969')).map(said)).toEqual([['proved', '0']]);
		const later = usdt('969', rows, [first, { ...second, time: at(1, 60) }]);
		expect(mornings(usdt('969', rows, [first]), later).map(said)).toEqual([
			['under way', '-0.5', fee],
			['under way', '0.5', fee],
		]);
		expect(mornings(both('970')).map(said)).toEqual([['explained', '1.0', 'fees']]);
		expect(mornings({ ...both('970'), feesOnTop: false }).map(said)).toEqual([['proved', '0']]);
		const [unreported] = mornings(usdt('969', rows));
		expect(said(unreported)).toEqual(['under way', '-1']);
		expect(words(unreported)).toContain('can be fees that are not reported yet, of 2 payouts in coins');
		// More than a tenth is no fee.
		expect(mornings(usdt('960', rows)).map(said)).toEqual([['NOT EXPLAINED', '-10']]);
	});

	test('two final words: the first counts, and the second explains what the balance does', () => {
		const row = coinPayment({ amount: '10', status: 'successful' });
		const both = [update(row), update(row, { status: 'reversed', key: 'again' })];
		expect(mornings(usdt('989.5', [row], both)).map(said)).toEqual([['proved', '0']]);
		const [moved] = mornings(usdt('1000', [row], both));
		expect(said(moved)).toEqual(['explained', '10.5', `other:${row.payoutId}`]);
		const taken = [movement({ reference: 'dep_x' }), movement({ reference: 'dep_x', status: 'reversed' })];
		const [proof] = mornings(fiat('1000.00', [], taken));
		expect([proof.verdict, proof.difference]).toEqual(['explained', '-100.00']);
	});

	test('a deposit that is pending is counted once it is successful', () => {
		const pending = movement({ status: 'pending', reference: 'dep_p' });
		const done = fiat('1100.00', [], [pending, movement({ reference: 'dep_p', time: at(1, 60) })]);
		const verdicts = (balance: string) =>
			mornings(fiat(balance, [], [pending]), done).map(({ verdict }) => verdict);
		expect(verdicts('1000.00')).toEqual(['proved', 'proved']);
		// It was credited before its status said so.
		expect(verdicts('1100.00')).toEqual(['explained', expect.not.stringMatching('NOT')]);
	});

	test('a conversion without an answer explains one balance, is a hint for the other, and is counted once', () => {
		const conversion = (updatedAt: string, more: object) =>
			movementsOfConversion({
				...{ payment_key: 'A-1/1', from_currency: 'USDT', to_currency: 'NGN', note: '', contract_id: 'ic' },
				...{ from_amount: '100', to_amount: '', state: 'unknown', updatedAt },
				...more,
			});
		const lost = conversion(at(0, 60), {});
		const done = conversion(at(1, 60), { state: 'converted', to_amount: '154000', transaction_id: 'itx' });
		const inCoins = mornings(usdt('900', [], lost), usdt('900', [], done));
		expect(inCoins.map(({ verdict, notes }) => [verdict, notes])).toEqual([
			['explained', []],
			['under way', []],
		]);
		const [first, second] = mornings(fiat('155000.00', [], lost), fiat('155000.00', [], done));
		expect([first.verdict, second.verdict]).toEqual(['NOT EXPLAINED', 'under way']);
		expect(words(first)).toContain(
			'conversion A-1/1, ic, has the status unknown, and its amount is not known',
		);
		expect(second.open).toEqual([]);
	});

	test('one key that two workflows paid is two payments, and no other row hides one without an answer', () => {
		const [row, lost] = [payment(), payment(UNKNOWN)];
		const rows = [{ ...row, ...UNKNOWN }, row, { ...row, payoutId: 'po_chat' }];
		expect(mornings(fiat('920.00', rows))[0]).toMatchObject({ ...PROVED, booked: '-80' });
		const hidden = mornings(fiat('960.00', [{ ...lost, result: 'notSent' }, lost]));
		expect(said(hidden[0])).toEqual(['explained', '-40.00', lost.paymentKey]);
	});

	test('a fiat balance has two decimals, whatever the movements have', () => {
		const payments = ['0.125', '0.001', '7.999'].map((amount) => payment({ amount }));
		expect(mornings(fiat('991.87', payments)).map(said)).toEqual([['proved', '0']]);
		expect(mornings(fiat('991.86', payments))[0].verdict).not.toBe('proved');
	});
});

test('sets of amounts are found exactly, and none holds another', () => {
	const amount = fc.integer({ min: -50, max: 50 }).map((units) => (units / 100).toFixed(2));
	const parts = fc.array(fc.record({ amount, isIn: fc.boolean() }), { maxLength: 9 });
	fc.assert(
		fc.property(parts, (all) => {
			const amounts = all.map(({ amount }) => amount);
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
});

/** A month of one asset. The world knows what is true; the book knows what was written. */
describe('a month by chance', () => {
	const CALM = ['payout', 'payout', 'deposit'] as const;
	const FAULTS = ['lostPaid', 'lostNotPaid', 'lostEvent', 'intruder', 'stuck', 'contradiction'] as const;
	const happening = <Kind extends string>(kinds: readonly Kind[]) =>
		fc.record({
			kind: fc.constantFrom(...kinds),
			units: fc.noBias(fc.integer({ min: 1, max: 10 ** 13 })),
			minute: fc.integer({ min: 90, max: 1300 }),
		});
	const day = fc.record({
		calm: fc.array(happening(CALM), { maxLength: 12 }),
		fault: fc.option(happening(FAULTS), { freq: 2 }),
	});

	const month = fc.array(day, { minLength: 30, maxLength: 30 });

	test.each(['NGN', 'USDT'])(
		'in %s each difference has its true cause, and there is no false alarm',
		(asset) => {
			const property = fc.property(month, (days) => {
				const isFiat = asset === 'NGN';
				let balance = '9000000000000000.00';
				const known = coinPayment({ time: at(-1), createdAt: at(-1) });
				const payments: Payment[] = isFiat ? [] : [known];
				const movements: Event[] = isFiat ? [] : [update(known, { time: at(-1) })];
				const wasPaid = new Map<string, boolean>();
				let last = { asset, time: at(0), balance, open: '[]' };
				for (const [index, { calm, fault }] of days.entries()) {
					let cause: unknown[] = ['proved'];
					for (const { kind, units, minute } of [...calm, ...(fault ? [fault] : [])]) {
						const amount = `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
						const time = at(index, minute);
						const place = isFiat ? { status: 'pending' } : { ...coins, status: 'successful' };
						const row = payment({ ...place, amount, time, createdAt: time });
						const unknown = { ...row, ...UNKNOWN };
						const move = (...sums: string[]) => (balance = [balance, ...sums].reduce(add));
						const fee = isFiat ? '0' : '-0.5';
						const leaves = () => move(`-${amount}`, fee);
						const report = () => isFiat || movements.push(update(row, { time }));
						const happens = {
							payout: () => {
								leaves();
								payments.push(row);
								report();
							},
							deposit: () => {
								move(amount);
								movements.push(movement({ asset, amount, time }));
							},
							lostPaid: () => {
								leaves();
								payments.push(unknown);
								wasPaid.set(row.paymentKey, true);
								// Its update may come, too.
								const isReported = isFiat || units % 2 === 1;
								if (isReported) report();
								cause = ['explained', row.paymentKey, ...(isReported ? [] : [`fee:${row.paymentKey}`])];
							},
							lostNotPaid: () => {
								payments.push(unknown);
								wasPaid.set(row.paymentKey, false);
							},
							lostEvent: () => {
								move(amount);
								cause = ['NOT EXPLAINED'];
							},
							intruder: () => {
								leaves();
								report();
								cause = isFiat ? ['NOT EXPLAINED'] : ['explained', `payout:${row.payoutId}`];
							},
							stuck: () => {
								payments.push(row);
								move(fee);
								report();
								cause = ['explained', row.paymentKey];
							},
							contradiction: () => {
								const credited = movement({ asset, amount, time, reference: `d${index}` });
								movements.push(credited, { ...credited, key: `${credited.key} back`, status: 'reversed' });
								cause = ['explained', `other:${credited.key}`];
							},
						};
						happens[kind]();
					}
					const rows = bookOf(payments, movements);
					const settings = { underWayMinutes: 60, feesOnTop: true };
					const proof = prove({ asset, isFiat, balance, cutOff: at(index + 1), last, rows, settings });
					expect([index, proof.verdict, ...proof.causes]).toEqual([index, ...cause]);
					// What is said of a payment without an answer is true, each morning.
					for (const [, key, says] of words(proof).matchAll(
						/(INV-\d+), (?:(?!INV-).)*(looks not paid|looks paid)/g,
					))
						expect([key, says]).toEqual([key, wasPaid.get(key!) ? 'looks paid' : 'looks not paid']);
					last = { asset, time: proof.time, balance, open: JSON.stringify(proof.open) };
				}
			});
			fc.assert(property, { numRuns: 15, endOnFailure: true });
		},
	);
});
