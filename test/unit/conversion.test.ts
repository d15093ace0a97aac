/** Which contracts convert an order, how it is split over them, and where a run that was killed goes on. */
import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { compare, cut, divide, multiply, short } from '../../examples/code/arithmetic.js';
import { nextStep, readOrder, sumOf, whatHappened } from '../../examples/code/conversion.js';

type Known = Parameters<typeof nextStep>[0];
type Row = Known['conversions'][number];

const SETTINGS = {
	...{ feeIs: 'takenOff', availableIn: 'from', direction: 'sell', mostBelowBid: '0.01', execution: '7' },
};
const ORDER = {
	...{ order_number: 'A-1', from_currency: 'USDT', to_currency: 'NGN', from_amount: '250.75' },
	...{ minimum_rate: '1540', valid_until: '', problem: '' },
};
const contract = (contractId: string, rate: string, amountAvailable: string, more = {}) => ({
	...{ contractId, from: 'USDT', to: 'NGN', rate, fee: '0.005', amountAvailable, direction: 'sell' },
	...more,
});
const BEST = contract('best', '1560', '100.25');
const SECOND = contract('second', '1550.4', '15000');
const row = (number: number, more: Partial<Row> = {}): Row => ({
	...{ id: number, payment_key: `A-1/${number}`, contract_id: 'best', order_amount: '250.75' },
	...{ from_currency: 'USDT', to_currency: 'NGN', from_amount: '100.25', minimum_rate: '1540' },
	...{ state: 'planned', transaction_id: '', to_amount: '', settle: '', note: '', balance_before: '' },
	execution: '7',
	...more,
});
const CONVERTED = { state: 'converted', transaction_id: 'itx_1', to_amount: '155608.05' };
const next = (known: Partial<Known> = {}) =>
	nextStep({
		...{ order: ORDER, conversions: [], contracts: [SECOND, BEST], rates: [], settings: SETTINGS },
		...{ unread: '', balance: '5000.00', now: '2026-06-01T12:00:00.000Z' },
		...known,
	});

const decimal = (most: number, places: number): fc.Arbitrary<string> =>
	fc
		.tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 0, max: places }))
		.map(([units, some]) => short(new Decimal(units).div(new Decimal(10).pow(some)).toFixed(some)));
const contractOf = fc
	.record({
		rate: decimal(10_000_000, 4),
		amountAvailable: decimal(1_000_000, 6),
		fee: fc.constantFrom('0', '0.005', '0.0333', '0.9'),
	})
	.map((some) => contract('c', some.rate, some.amountAvailable, { fee: some.fee }));

test('products, quotients and comparisons are those of decimal.js', () => {
	Decimal.set({ precision: 100, toExpNeg: -100, toExpPos: 100 });
	fc.assert(
		fc.property(decimal(2 ** 31 - 1, 12), decimal(2 ** 31 - 1, 12), fc.nat(20), (a, b, places) => {
			const [x, y] = [new Decimal(a), new Decimal(b)];
			const cutOff = (exact: Decimal) => exact.toDecimalPlaces(places, Decimal.ROUND_DOWN).toFixed();
			expect(multiply(a, b)).toBe(x.mul(y).toFixed());
			expect(short(divide(a, b, places))).toBe(cutOff(x.div(y)));
			expect(short(cut(a, places))).toBe(cutOff(x));
			expect(compare(a, b)).toBe(x.cmp(y));
			expect(sumOf([a, b])).toBe(x.add(y).toFixed());
		}),
	);
});

test('an order goes step by step to its end: never below the floor, never more than there is', () => {
	const orders = fc.record({
		amount: decimal(10_000_000, 4),
		floor: decimal(10_000_000, 4),
		list: fc.array(contractOf, { minLength: 1, maxLength: 5 }),
	});
	fc.assert(
		fc.property(orders, ({ amount, floor, list }) => {
			const order = { ...ORDER, from_amount: amount, minimum_rate: floor };
			const left = new Map(list.map((some, index) => [`c${index}`, { ...some, contractId: `c${index}` }]));
			const conversions: Row[] = [];
			for (let steps = 0; steps < 20; steps++) {
				const step = next({ order, conversions, contracts: [...left.values()] });
				if (step.next === 'end') {
					expect(step.state).toBe(conversions.length > 0 ? 'converted' : '');
					if (step.state) expect(sumOf(conversions.map((each) => each.from_amount))).toBe(amount);
					return;
				}
				const used = left.get(step.contract_id!)!;
				const price = new Decimal(used.rate).mul(new Decimal(1).sub(used.fee));
				expect(price.gte(floor)).toBe(true);
				expect(new Decimal(step.from_amount!).lte(used.amountAvailable)).toBe(true);
				const id = conversions.length + 1;
				if (step.next === 'plan')
					conversions.push(row(id, { ...step, state: 'planned', id } as Partial<Row>));
				else {
					const to_amount = price.mul(step.from_amount!).toFixed();
					conversions.splice(-1, 1, { ...conversions.at(-1)!, ...CONVERTED, to_amount });
					used.amountAvailable = new Decimal(used.amountAvailable).sub(step.from_amount!).toFixed();
				}
			}
			throw new Error('it never ends');
		}),
	);
});

describe('the next step of an order', () => {
	test('the best contract after its fee comes first, and each part has a key of its own', () => {
		const first = { next: 'plan', payment_key: 'A-1/1', contract_id: 'best', from_amount: '100.25' };
		expect(next()).toMatchObject(first);
		const second = { next: 'plan', payment_key: 'A-1/2', contract_id: 'second', from_amount: '150.5' };
		expect(next({ conversions: [row(1, CONVERTED)], contracts: [SECOND] })).toMatchObject(second);
		const inSmallLetters = contract('c', '1550.4', '300', { from: 'usdt', to: 'ngn ' });
		expect(next({ contracts: [inSmallLetters] })).toMatchObject({ contract_id: 'c' });
		// A higher rate with a higher fee is worse.
		const dear = contract('dear', '1600', '15000', { fee: '0.036' });
		expect(next({ contracts: [dear, SECOND] })).toMatchObject({ contract_id: 'second' });
	});

	const only = (change: object) => ({ contracts: [{ ...contract('x', '1600', '15000'), ...change }] });
	const published = (bid: string) => ({ rates: [{ baseCurrency: 'USDT', quoteCurrency: 'NGN', bid }] });

	test.each<[when: string, known: Partial<Known>]>([
		['the rate is below the wanted one', only({ rate: '1547.7' })],
		['the contracts have too little together', { contracts: [BEST, contract('b', '1550.4', '150.49')] }],
		['the rate is far below the published bid', published('1580')],
		['the published bid cannot be read', published('n/a')],
		['a contract has another direction', only({ direction: 'buy' })],
		['a contract has no direction', only({ direction: undefined })],
		['a contract converts the other way', only({ from: 'NGN', to: 'USDT' })],
		['a rate is no number', only({ rate: '1.6e3' })],
		['a fee is a percentage', only({ fee: '0.5%' })],
		['a fee is negative', only({ fee: '-0.1' })],
		['an amount available is missing', only({ amountAvailable: '' })],
		['the contracts cannot be read', { contracts: [{ error: {} } as never], unread: 'No contracts.' }],
	])('it waits if %s', (_, known) => {
		const text = expect.stringMatching(/^Waits: /);
		expect(next(known)).toMatchObject({ next: 'end', state: '', text });
	});

	test('an amount available that counts what one gets limits what one gives', () => {
		const settings = { ...SETTINGS, availableIn: 'to' };
		const contracts = [contract('x', '1600', '160079'), SECOND, contract('y', '1590', '999999999')];
		expect(next({ settings, contracts })).toMatchObject({ contract_id: 'x', from_amount: '100.04' });
	});

	const past = { order: { ...ORDER, valid_until: '2026-06-01T11:59:59.000Z' } };
	const part = (more: Partial<Row>) => ({ conversions: [row(1, more)] });
	const killed = part({ state: 'sending', execution: '6' });

	test.each<[what: string, known: Partial<Known>, state: string]>([
		['order_number twice', { order: { ...ORDER, problem: 'Twice.' } }, 'failed'],
		['a wrong setting', { settings: { ...SETTINGS, feeIs: '' } }, 'failed'],
		['an end in the past', past, 'expired'],
		['the number of an order of another amount', part({ ...CONVERTED, order_amount: '300' }), 'failed'],
		['the number of an order of another coin', part({ ...CONVERTED, from_currency: 'USDC' }), 'failed'],
		['an unknown part', part({ state: 'unknown' }), 'unknown'],
		['a word in settle that is none', part({ state: 'unknown', settle: 'yes' }), 'unknown'],
		['a refusal in this execution', part({ note: 'Too much.' }), 'failed'],
		['a dry run', part({ note: 'Dry run: nothing was sent.' }), ''],
		['a killed run, and no contract that fits', { ...killed, contracts: [SECOND] }, 'unknown'],
		['a killed run, and an end in the past', { ...killed, ...past }, 'unknown'],
	])('it ends with %s', (_, known, state) => {
		expect(next(known)).toMatchObject({ next: 'end', state });
	});

	test('a run that was killed sends the same part under the same key', () => {
		const again = { next: 'convert', payment_key: 'A-1/1', contract_id: 'best', from_amount: '100.25' };
		for (const state of ['sending', 'planned'])
			expect(next(part({ state, execution: '6' }))).toMatchObject({ ...again, decision: 'doNotPay' });
	});

	test('a part that surely was not sent takes a contract that fits, under the same key', () => {
		const other = { next: 'plan', payment_key: 'A-1/1', contract_id: 'second', from_amount: '250.75' };
		for (const note of ['', 'Too little left.'])
			expect(next({ ...part({ execution: '6', note }), contracts: [SECOND] })).toMatchObject(other);
	});

	test('an order that stopped below its rate goes on if a person lowers the rate', () => {
		const low = { ...part({ ...CONVERTED, to_amount: '154384' }), contracts: [SECOND] };
		expect(next(low)).toMatchObject({ next: 'end', state: 'stopped' });
		const order = { ...ORDER, minimum_rate: '1539.9' };
		expect(next({ ...low, order })).toMatchObject({ payment_key: 'A-1/2' });
	});

	test('a row that somebody deleted does not give its part another key', () => {
		const second = row(2, { ...CONVERTED, contract_id: 'second' });
		expect(next({ conversions: [second] })).toMatchObject({ next: 'plan', payment_key: 'A-1/1' });
	});

	test('a person says that it was not converted: the same request is sent, or another part', () => {
		const settled = row(1, { state: 'unknown', settle: 'wasNotConverted' });
		expect(next({ conversions: [settled] })).toMatchObject({ next: 'convert', decision: 'wasNotPaid' });
		// Its contract is used up, so another part replaces it, once.
		const replaced = { next: 'plan', payment_key: 'A-1/2', contract_id: 'second', from_amount: '250.75' };
		expect(next({ conversions: [settled], contracts: [SECOND] })).toMatchObject(replaced);
		const second = row(2, { contract_id: 'second', from_amount: '250.75' });
		const sent = { next: 'convert', payment_key: 'A-1/2', decision: 'doNotPay' };
		expect(next({ conversions: [settled, second] })).toMatchObject(sent);
		const whole = { ...second, ...CONVERTED };
		expect(next({ conversions: [settled, whole] })).toMatchObject({ next: 'end', state: 'converted' });
		expect(next({ conversions: [settled], contracts: [] })).toMatchObject({ next: 'end', state: '' });
	});

	test('a transaction that a person wrote is looked up', () => {
		const look = { next: 'look', transaction_id: 'itx_9' };
		expect(next(part({ state: 'unknown', transaction_id: 'itx_9' }))).toMatchObject(look);
	});

	test('two rows of one key count once', () => {
		const again = (id: number, more: object) => row(id, { ...more, payment_key: 'A-1/1' });
		const conversions = [row(1, CONVERTED), again(9, {}), again(8, CONVERTED)];
		expect(next({ conversions, contracts: [SECOND] })).toMatchObject({ next: 'plan', from_amount: '150.5' });
	});

	test('the message has the applied rate beside the wanted one, and the evidence of what is not known', () => {
		const second = { contract_id: 'second', from_amount: '150.5', to_amount: '231000' };
		expect(next({ conversions: [row(1, CONVERTED), row(2, { ...CONVERTED, ...second })] }).text).toBe(
			[
				'Converted 250.75 USDT to 386608.05 NGN. The wanted rate is 1540 or more. THE APPLIED RATE IS BELOW THE WANTED RATE.',
				'- 100.25 USDT to 155608.05 NGN by best at 1552.2, as itx_1',
				'- 150.5 USDT to 231000 NGN by second at 1534.883720930232, as itx_1',
			].join('\n'),
		);
		const unknown = part({ state: 'unknown', balance_before: '100.00', note: 'No answer.' });
		expect(next(unknown).note).toMatch(
			/A-1\/1 .* 100\.25 USDT by best, begun by execution 7\. No answer\. The NGN balance was 100\.00 .* is 5000\.00 now\. .* at least 154385\. /,
		);
	});
});

describe('what a part became', () => {
	const step = {
		...{ next: 'convert' as const, from_amount: '100.25', from_currency: 'USDT', to_currency: 'NGN' },
		transaction_id: 'itx_1',
	};
	const paid = {
		...{ result: 'paid', status: 'success', transactionId: 'itx_1' },
		...{ fromAmount: '100.250', toAmount: '155608.05', rate: '1552.2' },
	};

	test('an answer that shows all of it is converted', () => {
		const converted = { state: 'converted', to_amount: '155608.05', rate: '1552.2' };
		expect(whatHappened(step, paid, 0)).toMatchObject(converted);
	});

	test.each([
		['an amount that is no number', { ...paid, toAmount: 'n/a' }, 'unknown'],
		['no ID', { ...paid, transactionId: '' }, 'unknown'],
		['another status', { ...paid, status: 'pending' }, 'unknown'],
		['another amount', { ...paid, fromAmount: '100' }, 'unknown'],
		['a key that was used', { result: 'alreadyPaid' }, 'unknown'],
		['no answer', { result: 'unknown', error: { message: 'No answer' } }, 'unknown'],
		['an error of n8n', { error: 'boom' }, 'unknown'],
		['a refusal', { result: 'rejected', error: { message: 'Too little' } }, 'planned'],
		['a limit', { result: 'notSent', error: { message: 'Too much' } }, 'planned'],
		['a dry run', { result: 'dryRun' }, 'planned'],
	])('an answer with %s', (_, answer, state) => {
		const { state: became, note } = whatHappened(step, answer, 0);
		expect(became).toBe(state);
		if (state === 'planned') expect(note).not.toBe('');
	});

	const found = {
		...{ transactionId: 'itx_1', status: 'completed', fromCurrency: 'USDT', toCurrency: 'NGN' },
		...{ fromAmount: '100.25', toAmount: '155608.05' },
	};
	test.each([
		['it is this one', found, 1, 'converted'],
		['it is in two rows', found, 2, 'unknown'],
		['it has another amount', { ...found, fromAmount: '100.26' }, 1, 'unknown'],
		['it has another coin', { ...found, fromCurrency: 'USDC' }, 1, 'unknown'],
		['it brought another currency', { ...found, toCurrency: 'USD' }, 1, 'unknown'],
		['it is not completed', { ...found, status: 'failed' }, 1, 'unknown'],
		['it has no amount', { ...found, toAmount: undefined }, 1, 'unknown'],
		['it is not there', { error: { message: 'no such transaction' } }, 1, 'unknown'],
	])('a transaction that a person wrote: %s', (_, answer, rows, state) => {
		expect(whatHappened({ ...step, next: 'look' }, answer, rows)).toMatchObject({ state });
	});
});

describe('an order as a person wrote it', () => {
	const written = {
		...{ order_number: ' a‑17 ', from_currency: 'usdt ', to_currency: 'NGN', from_amount: '0250.50' },
		...{ minimum_rate: '1540', valid_until: '' },
	};
	const until = '2026-12-31T17:00:00.000Z';
	const read = (change: object = {}) =>
		readOrder({ ...written, ...change }, (text) => (text.startsWith('2026') ? until : ''));

	test('is read as Payment Key reads a key', () => {
		const order = { order_number: 'A-17', from_currency: 'USDT', from_amount: '250.5', problem: '' };
		expect(read()).toMatchObject(order);
		expect(read({ valid_until: '2026-12-31 18:00' })).toMatchObject({ ...order, valid_until: until });
	});

	test.each([
		...['', null, 'Ж-1', 'x'.repeat(101), 17].map((order_number) => ({ order_number })),
		...[250.5, '1,250.50', '-1', '0.00', '1e3'].map((from_amount) => ({ from_amount })),
		...[{ minimum_rate: '0' }, { to_currency: ' ' }],
		{ valid_until: 'tomorrow' },
	])('is refused with %j', (change) => {
		expect(read(change).problem).not.toBe('');
	});
});
