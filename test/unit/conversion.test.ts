/** Which contracts convert an order, how it is split over them, and where a run that was killed goes on. */
import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { compare, cut, divide, multiply, short } from '../../examples/code/arithmetic.js';
import { nextStep, readOrder, split, sumOf, whatHappened } from '../../examples/code/conversion.js';

type Known = Parameters<typeof nextStep>[0];
type Row = Known['conversions'][number];

const SETTINGS = {
	feeIs: 'takenOff',
	availableIn: 'from',
	direction: 'sell',
	mostBelowBid: '0.01',
	execution: '7',
};
const ORDER = {
	order_number: 'A-1',
	from_currency: 'USDT',
	to_currency: 'NGN',
	from_amount: '250.75',
	minimum_rate: '1540',
	valid_until: '',
	problem: '',
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

describe('exact arithmetic', () => {
	test('products, quotients and comparisons are those of decimal.js', () => {
		Decimal.set({ precision: 100, toExpNeg: -100, toExpPos: 100 });
		fc.assert(
			fc.property(decimal(2 ** 31 - 1, 12), decimal(2 ** 31 - 1, 12), fc.nat(20), (a, b, places) => {
				expect(multiply(a, b)).toBe(new Decimal(a).mul(b).toFixed());
				expect(short(divide(a, b, places))).toBe(
					new Decimal(a).div(b).toDecimalPlaces(places, Decimal.ROUND_DOWN).toFixed(),
				);
				expect(short(cut(a, places))).toBe(
					new Decimal(a).toDecimalPlaces(places, Decimal.ROUND_DOWN).toFixed(),
				);
				expect(compare(a, b)).toBe(new Decimal(a).cmp(b));
				expect(sumOf([a, b])).toBe(new Decimal(a).add(b).toFixed());
			}),
		);
	});
});

describe('the split of an amount', () => {
	test.each(['from', 'to'])(
		'adds up to the last digit, and takes what a contract has left (%s)',
		(availableIn) => {
			fc.assert(
				fc.property(decimal(100_000_000, 8), fc.array(contractOf, { maxLength: 6 }), (amount, contracts) => {
					const { parts, left } = split(amount, contracts, { ...SETTINGS, availableIn });
					expect(sumOf([...parts.map((part) => part.amount), left])).toBe(amount);
					expect(left.startsWith('-')).toBe(false);
					for (const part of parts) {
						const counted = availableIn === 'to' ? multiply(part.amount, part.contract.rate) : part.amount;
						expect(compare(counted, part.contract.amountAvailable)).toBeLessThanOrEqual(0);
						expect(compare(part.amount, '0')).toBe(1);
					}
				}),
			);
		},
	);

	test('an order goes step by step to its end: never below the floor, never more than there is', () => {
		fc.assert(
			fc.property(
				decimal(10_000_000, 4),
				decimal(10_000_000, 4),
				fc.array(contractOf, { minLength: 1, maxLength: 5 }),
				(amount, floor, list) => {
					const order = { ...ORDER, from_amount: amount, minimum_rate: floor };
					const left = new Map(
						list.map((some, index) => [`c${index}`, { ...some, contractId: `c${index}` }]),
					);
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
						if (step.next === 'plan')
							conversions.push(
								row(conversions.length + 1, {
									...step,
									state: 'planned',
									id: conversions.length + 1,
								} as Partial<Row>),
							);
						else {
							const to_amount = price.mul(step.from_amount!).toFixed();
							conversions.splice(-1, 1, { ...conversions.at(-1)!, ...CONVERTED, to_amount });
							left.set(used.contractId, {
								...used,
								amountAvailable: new Decimal(used.amountAvailable).sub(step.from_amount!).toFixed(),
							});
						}
					}
					throw new Error('it never ends');
				},
			),
		);
	});
});

describe('the next step of an order', () => {
	test('the best contract after its fee comes first, and each part has a key of its own', () => {
		expect(next()).toMatchObject({
			next: 'plan',
			payment_key: 'A-1/1',
			contract_id: 'best',
			from_amount: '100.25',
		});
		const first = row(1, CONVERTED);
		expect(next({ conversions: [first], contracts: [SECOND] })).toMatchObject({
			...{ next: 'plan', payment_key: 'A-1/2', contract_id: 'second', from_amount: '150.5' },
		});
		expect(next({ contracts: [contract('c', '1550.4', '300', { from: 'usdt', to: 'ngn ' })] })).toMatchObject(
			{
				contract_id: 'c',
			},
		);
		// A higher rate with a higher fee is worse.
		const dear = contract('dear', '1600', '15000', { fee: '0.036' });
		expect(next({ contracts: [dear, SECOND] })).toMatchObject({ contract_id: 'second' });
	});

	test.each([
		['the rate is below the wanted one', { contracts: [contract('low', '1547.7', '15000')] }],
		['the contracts have too little together', { contracts: [BEST, contract('b', '1550.4', '150.49')] }],
		[
			'the rate is far below the published bid',
			{ rates: [{ baseCurrency: 'USDT', quoteCurrency: 'NGN', bid: '1580' }] },
		],
		[
			'the published bid cannot be read',
			{ rates: [{ baseCurrency: 'USDT', quoteCurrency: 'NGN', bid: 'n/a' }] },
		],
		[
			'a contract has another direction',
			{ contracts: [contract('x', '1600', '15000', { direction: 'buy' })] },
		],
		[
			'a contract has no direction',
			{ contracts: [contract('x', '1600', '15000', { direction: undefined })] },
		],
		[
			'a contract converts the other way',
			{ contracts: [contract('x', '1600', '15000', { from: 'NGN', to: 'USDT' })] },
		],
		['a rate is no number', { contracts: [contract('x', '1.6e3', '15000')] }],
		['a fee is a percentage', { contracts: [contract('x', '1600', '15000', { fee: '0.5%' })] }],
		['a fee is more than all', { contracts: [contract('x', '1600', '15000', { fee: '1.5' })] }],
		['a fee is negative', { contracts: [contract('x', '1600', '15000', { fee: '-0.1' })] }],
		['an amount available is missing', { contracts: [contract('x', '1600', '')] }],
		[
			'the contracts cannot be read',
			{ contracts: [{ error: {} } as never], unread: 'Contracts cannot be read.' },
		],
		['there is no contract', { contracts: [] }],
	])('it waits if %s', (_, known) => {
		expect(next(known as Partial<Known>)).toMatchObject({
			next: 'end',
			state: '',
			text: expect.stringMatching(/^Waits: /),
		});
	});

	test('an amount available that counts what one gets limits what one gives', () => {
		const settings = { ...SETTINGS, availableIn: 'to' };
		expect(
			next({
				settings,
				contracts: [contract('x', '1600', '160079'), SECOND, contract('y', '1590', '999999999')],
			}),
		).toMatchObject({
			...{ contract_id: 'x', from_amount: '100.04' },
		});
	});

	test.each([
		['order_number twice', { order: { ...ORDER, problem: 'Twice.' } }, 'failed'],
		['a wrong setting', { settings: { ...SETTINGS, feeIs: '' } }, 'failed'],
		['an end in the past', { order: { ...ORDER, valid_until: '2026-06-01T11:59:59.000Z' } }, 'expired'],
		[
			'the number of an order of another amount',
			{ conversions: [row(1, { ...CONVERTED, order_amount: '300' })] },
			'failed',
		],
		[
			'the number of an order of another coin',
			{ conversions: [row(1, { ...CONVERTED, from_currency: 'USDC' })] },
			'failed',
		],
		[
			'an applied rate below the wanted one',
			{ conversions: [row(1, { ...CONVERTED, to_amount: '154384' })] },
			'stopped',
		],
		['an unknown part', { conversions: [row(1, { state: 'unknown' })] }, 'unknown'],
		[
			'a word in settle that is none',
			{ conversions: [row(1, { state: 'unknown', settle: 'yes' })] },
			'unknown',
		],
		['a refusal in this execution', { conversions: [row(1, { note: 'Too much.' })] }, 'failed'],
		['a dry run', { conversions: [row(1, { note: 'Dry run: nothing was sent.' })] }, ''],
		[
			'a killed run, and a contract that does not fit any more',
			{ conversions: [row(1, { state: 'sending', execution: '6' })], contracts: [SECOND] },
			'unknown',
		],
		[
			'a killed run, and an end in the past',
			{
				conversions: [row(1, { state: 'sending', execution: '6' })],
				order: { ...ORDER, valid_until: '2026-06-01T11:59:59.000Z' },
			},
			'unknown',
		],
	])('it ends with %s', (_, known, state) => {
		expect(next(known as Partial<Known>)).toMatchObject({ next: 'end', state });
	});

	test('a part that a killed run had not sent takes a contract that fits, under the same key', () => {
		expect(next({ conversions: [row(1, { execution: '6' })], contracts: [SECOND] })).toMatchObject({
			...{ next: 'plan', payment_key: 'A-1/1', contract_id: 'second', from_amount: '250.75' },
		});
	});

	test('a run that was killed sends the same part under the same key', () => {
		expect(next({ conversions: [row(1, { state: 'sending', execution: '6' })] })).toMatchObject({
			...{ next: 'convert', payment_key: 'A-1/1', decision: 'doNotPay' },
		});
		expect(next({ conversions: [row(1, { execution: '6' })] })).toMatchObject({
			...{
				next: 'convert',
				payment_key: 'A-1/1',
				contract_id: 'best',
				from_amount: '100.25',
				decision: 'doNotPay',
			},
		});
	});

	test('an order that stopped below its rate goes on if a person lowers the rate', () => {
		const low = row(1, { ...CONVERTED, to_amount: '154384' });
		expect(next({ conversions: [low], contracts: [SECOND] })).toMatchObject({
			next: 'end',
			state: 'stopped',
		});
		const order = { ...ORDER, minimum_rate: '1539.9' };
		expect(next({ order, conversions: [low], contracts: [SECOND] })).toMatchObject({ payment_key: 'A-1/2' });
	});

	test('a row that somebody deleted does not give its part another key', () => {
		const second = row(2, { ...CONVERTED, contract_id: 'second' });
		expect(next({ conversions: [second] })).toMatchObject({ next: 'plan', payment_key: 'A-1/1' });
	});

	test('what surely was not sent may take another contract, under the same key', () => {
		const refused = row(1, { execution: '6', note: 'Too little left.' });
		expect(next({ conversions: [refused], contracts: [SECOND] })).toMatchObject({
			...{ next: 'plan', payment_key: 'A-1/1', contract_id: 'second', from_amount: '250.75' },
		});
	});

	test('a person says that it was not converted: the same request is sent, or another part', () => {
		const settled = row(1, { state: 'unknown', settle: 'wasNotConverted' });
		expect(next({ conversions: [settled] })).toMatchObject({ next: 'convert', decision: 'wasNotPaid' });
		// Its contract is used up, so another part replaces it, once.
		const replaced = { next: 'plan', payment_key: 'A-1/2', contract_id: 'second', from_amount: '250.75' };
		expect(next({ conversions: [settled], contracts: [SECOND] })).toMatchObject(replaced);
		const second = row(2, { contract_id: 'second', from_amount: '250.75' });
		expect(next({ conversions: [settled, second], contracts: [SECOND, BEST] })).toMatchObject({
			...{ next: 'convert', payment_key: 'A-1/2', decision: 'doNotPay' },
		});
		const whole = { ...second, ...CONVERTED };
		expect(next({ conversions: [settled, whole] })).toMatchObject({ next: 'end', state: 'converted' });
		expect(next({ conversions: [settled], contracts: [] })).toMatchObject({ next: 'end', state: '' });
	});

	test('a transaction that a person wrote is looked up', () => {
		const settled = row(1, { state: 'unknown', transaction_id: 'itx_9' });
		expect(next({ conversions: [settled] })).toMatchObject({ next: 'look', transaction_id: 'itx_9' });
	});

	test('two rows of one key count once', () => {
		const conversions = [
			row(1, CONVERTED),
			row(9, { payment_key: 'A-1/1' }),
			row(8, { ...CONVERTED, payment_key: 'A-1/1' }),
		];
		expect(next({ conversions, contracts: [SECOND] })).toMatchObject({ next: 'plan', from_amount: '150.5' });
	});

	test('the message has the applied rate beside the wanted one, and the evidence of what is not known', () => {
		const rows = [
			row(1, CONVERTED),
			row(2, { ...CONVERTED, contract_id: 'second', from_amount: '150.5', to_amount: '231000' }),
		];
		expect(next({ conversions: rows }).text).toBe(
			[
				'Converted 250.75 USDT to 386608.05 NGN. The wanted rate is 1540 or more. THE APPLIED RATE IS BELOW THE WANTED RATE.',
				'- 100.25 USDT to 155608.05 NGN by best at 1552.2, as itx_1',
				'- 150.5 USDT to 231000 NGN by second at 1534.883720930232, as itx_1',
			].join('\n'),
		);
		const unknown = row(1, { state: 'unknown', balance_before: '100.00', note: 'No answer.' });
		expect(next({ conversions: [unknown] }).note).toMatch(
			/A-1\/1 .* 100\.25 USDT by best, begun by execution 7\. No answer\. The NGN balance was 100\.00 .* is 5000\.00 now\. .* at least 154385\. /,
		);
	});
});

describe('what a part became', () => {
	const step = {
		next: 'convert' as const,
		from_amount: '100.25',
		from_currency: 'USDT',
		to_currency: 'NGN',
		transaction_id: 'itx_1',
	};
	const paid = {
		result: 'paid',
		status: 'success',
		transactionId: 'itx_1',
		fromAmount: '100.250',
		toAmount: '155608.05',
		rate: '1552.2',
	};

	test('an answer that shows all of it is converted', () => {
		expect(whatHappened(step, paid, 0)).toMatchObject({
			state: 'converted',
			to_amount: '155608.05',
			rate: '1552.2',
		});
	});

	test.each([
		['no amount', { ...paid, toAmount: undefined }, 'unknown'],
		['an amount that is no number', { ...paid, toAmount: 'n/a' }, 'unknown'],
		['no ID', { ...paid, transactionId: '' }, 'unknown'],
		['another status', { ...paid, status: 'pending' }, 'unknown'],
		['another amount', { ...paid, fromAmount: '100' }, 'unknown'],
		['a key that was used', { result: 'alreadyPaid' }, 'unknown'],
		['no answer', { result: 'unknown', error: { message: 'No answer' } }, 'unknown'],
		['an error of n8n', { error: 'boom' }, 'unknown'],
		['nothing', {}, 'unknown'],
		['a refusal', { result: 'rejected', error: { message: 'Too little' } }, 'planned'],
		['a limit', { result: 'notSent', error: { message: 'Too much' } }, 'planned'],
		['a dry run', { result: 'dryRun' }, 'planned'],
	])('an answer with %s', (_, answer, state) => {
		const { state: became, note } = whatHappened(step, answer, 0);
		expect(became).toBe(state);
		if (state === 'planned') expect(note).not.toBe('');
	});

	const found = {
		transactionId: 'itx_1',
		status: 'completed',
		fromCurrency: 'USDT',
		toCurrency: 'NGN',
		fromAmount: '100.25',
		toAmount: '155608.05',
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
		order_number: ' a‑17 ',
		from_currency: 'usdt ',
		to_currency: 'NGN',
		from_amount: '0250.50',
		minimum_rate: '1540',
		valid_until: '',
	};
	const toTime = (text: string) => (text.startsWith('2026') ? '2026-12-31T17:00:00.000Z' : '');

	test('is read as Payment Key reads a key', () => {
		expect(readOrder(written, toTime)).toMatchObject({
			order_number: 'A-17',
			from_currency: 'USDT',
			from_amount: '250.5',
			problem: '',
		});
		expect(readOrder({ ...written, valid_until: '2026-12-31 18:00' }, toTime)).toMatchObject({
			valid_until: '2026-12-31T17:00:00.000Z',
			problem: '',
		});
	});

	test.each([
		{ order_number: '' },
		{ order_number: null },
		{ order_number: undefined },
		{ order_number: 'Ж-1' },
		{ order_number: 'x'.repeat(101) },
		{ order_number: 17 },
		{ from_amount: 250.5 },
		{ from_amount: '1,250.50' },
		{ from_amount: '-1' },
		{ from_amount: '0.00' },
		{ from_amount: '1e3' },
		{ from_amount: '' },
		{ minimum_rate: '0' },
		{ minimum_rate: '1.540,25' },
		{ to_currency: ' ' },
		{ valid_until: 'tomorrow' },
	])('is refused with %j', (change) => {
		expect(readOrder({ ...written, ...change }, toTime).problem).not.toBe('');
	});
});
