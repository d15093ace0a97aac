/** Which contract converts an amount: the best after its fee that has enough left, and what is said if there is none. */
import fc from 'fast-check';
import { bestContract } from '../../nodes/WalletService/payments/convertAtRate/bestContract.ts';
import type {
	BestContract,
	WantedConversion,
} from '../../nodes/WalletService/payments/convertAtRate/bestContract.ts';
import type { ConversionSettings } from '../../nodes/WalletService/payments/convertAtRate/readContracts.ts';
import { expectGrowthWith } from './growth.ts';

const SETTINGS: ConversionSettings = {
	feeIs: 'takenOff',
	availableIn: 'from',
	direction: 'sell',
	mostBelowBid: undefined,
};

const NOW = '2026-03-10T12:00:00.000Z';
const AN_HOUR_AGO = '2026-03-10T11:00:00.000Z';

const contract = (contractId: string, rate: string, amountAvailable: string, more: object = {}) => ({
	contractId,
	from: 'USDT',
	to: 'NGN',
	rate,
	fee: '0.005',
	amountAvailable,
	direction: 'sell',
	...more,
});

// By hand: 1560 × 0.995 = 1552.2 and 1550.4 × 0.995 = 1542.648.
const BEST = contract('best', '1560', '100.25');
const SECOND = contract('second', '1550.4', '15000');

const choose = ({
	settings,
	...wanted
}: Partial<Omit<WantedConversion, 'settings'>> & { settings?: Partial<ConversionSettings> } = {}) =>
	bestContract({
		contracts: [SECOND, BEST],
		from: 'USDT',
		to: 'NGN',
		amount: '250.75',
		minimumRate: '1540',
		now: NOW,
		...wanted,
		settings: { ...SETTINGS, ...settings },
	});

const chosenId = (best: BestContract) => ('contractId' in best ? best.contractId : undefined);
const problemOf = (best: BestContract) => ('problem' in best ? best.problem : '');

describe('the chosen contract', () => {
	test('is the best after its fee that has enough left for the whole amount', () => {
		expect(choose({ amount: '100.25' })).toEqual({
			contractId: 'best',
			rate: '1552.2',
			listedRate: '1560',
			leastRate: '1540',
		});
		const second = { contractId: 'second', rate: '1542.648', listedRate: '1550.4', leastRate: '1540' };
		expect(choose()).toEqual(second);
	});

	test('has the codes in small letters, too', () => {
		const inSmallLetters = contract('c', '1550.4', '300', { from: 'usdt', to: 'ngn ', direction: 'Sell' });
		expect(chosenId(choose({ contracts: [inSmallLetters], from: ' usdt' }))).toBe('c');
	});

	test('is not one with a higher rate and a higher fee', () => {
		// 1600 × 0.964 = 1542.4
		const dear = contract('dear', '1600', '15000', { fee: '0.036' });
		expect(chosenId(choose({ contracts: [dear, SECOND] }))).toBe('second');
	});

	test('has the listed rate if the fee is in it', () => {
		const dear = contract('dear', '1600.50', '15000', { fee: '0.036' });
		expect(choose({ contracts: [dear, SECOND], settings: { feeIs: 'included' } })).toEqual({
			contractId: 'dear',
			rate: '1600.5',
			listedRate: '1600.50',
			leastRate: '1540',
		});
	});

	test('has exactly the wanted rate, and exactly enough', () => {
		expect(chosenId(choose({ minimumRate: '1542.648', amount: '15000.00' }))).toBe('second');
		expect(chosenId(choose({ minimumRate: '1542.6481' }))).toBeUndefined();
		expect(chosenId(choose({ amount: '15000.000000000000000001' }))).toBeUndefined();
	});

	test('of equal ones has more left, then the first ID, in any order of the list', () => {
		const some = contract('a', '1560.0', '300');
		const more = contract('c', '1560', '300.5');
		const alike = contract('b', '1560', '300.50');
		for (const contracts of [
			[some, more, alike],
			[alike, more, some],
			[more, some, alike],
		])
			expect(chosenId(choose({ contracts }))).toBe('b');
		expect(chosenId(choose({ contracts: [some, more] }))).toBe('c');
	});

	test('has enough of what one gets, where the service counts that', () => {
		// 160079 / 1600 = 100.049…: room for 100.04, not for 100.05.
		const contracts = [contract('x', '1600', '160079'), SECOND, contract('y', '1590', '999999999')];
		const inTo = { availableIn: 'to' as const };
		expect(chosenId(choose({ settings: inTo, contracts, amount: '100.04' }))).toBe('x');
		expect(chosenId(choose({ settings: inTo, contracts, amount: '100.05' }))).toBe('y');
	});

	test('is not lost in numbers that a float cannot tell apart', () => {
		const low = contract('low', '0.12345678901234567', '9007199254740993', { fee: '0' });
		const high = contract('high', '0.12345678901234568', '9007199254740993', { fee: '0' });
		const wanted = { contracts: [low, high], amount: '9007199254740993', minimumRate: '0.12345678901234568' };
		expect(chosenId(choose(wanted))).toBe('high');
		expect(chosenId(choose({ ...wanted, amount: '9007199254740993.1' }))).toBeUndefined();
	});
});

describe('the published bid', () => {
	const published = (bid: unknown, baseCurrency = 'usdt') => ({
		rates: [{ baseCurrency, quoteCurrency: 'NGN', bid: bid as string, lastUpdated: AN_HOUR_AGO }],
	});
	const near = { settings: { mostBelowBid: '0.01' } };

	test('holds back a rate that is too far below it', () => {
		// 1542.648 / 0.99 = 1558.23…
		expect(chosenId(choose({ ...published('1558.2'), ...near }))).toBe('second');
		const far = choose({ ...published('1558.3'), ...near });
		expect(far).toEqual({
			problem:
				'No contract with this rate has enough left: the most is 100.25 USDT, and 250.75 are wanted. Nothing was sent now. Wait until a contract has more, or convert less.',
			bestRate: '1552.2',
			waits: true,
		});
		expect(choose({ ...published('1580'), ...near })).toEqual({
			problem:
				'The best rate from USDT to NGN is 1,552.2 after the fee. It is further below the published bid of 1,580 than Most Below Bid (0.01) allows. Nothing was sent now. Wait for a better rate, or ask the service about its contracts.',
			bestRate: '1552.2',
			waits: true,
		});
	});

	test('does not lower the wanted rate', () => {
		expect(problemOf(choose({ ...published('1000'), ...near, minimumRate: '1553' }))).toContain(
			'Wanted is 1,553 or more.',
		);
	});

	test.each([
		['cannot be read', published('n/a'), /cannot be read, so Most Below Bid cannot be checked/],
		['is a number', published(1500), /cannot be read/],
		['is of another pair only', published('1500', 'USDC'), /publishes no rate from USDT to NGN/],
		['is not given', {}, /publishes no rate from USDT to NGN/],
	])('that %s lets nothing pass', (_, rates, says) => {
		const best = choose({ ...rates, ...near });
		expect(best).toEqual({ problem: expect.stringMatching(says), bestRate: '1552.2' });
	});

	test.each([
		['of 2019', '2019-03-10T12:00:00Z', ' of 2019-03-10T12:00:00Z is too old, so Most Below Bid'],
		['of more than a week ago', '2026-03-03T11:59:59Z', 'is too old, so Most Below Bid cannot be checked.'],
		['of tomorrow', '2026-03-11T12:00:01Z', 'cannot be read, so Most Below Bid cannot be checked.'],
		['without a time', undefined, 'cannot be read, so Most Below Bid cannot be checked.'],
		['with a time that is none', 'yesterday', 'cannot be read, so Most Below Bid cannot be checked.'],
	])('%s cannot be checked, and nothing waits for it', (_, lastUpdated, says) => {
		const [rate] = published('1545').rates;
		const rates = [{ ...rate, lastUpdated }];
		const best = choose({ rates, ...near });
		expect(best).toEqual({ problem: expect.stringContaining(says), bestRate: '1552.2' });
		// Of two, each has to be good.
		expect(choose({ rates: [...published('1545').rates, ...rates], ...near })).toEqual(best);
		// It is no measure of a rate either.
		expect(chosenId(choose({ rates: [{ ...rates[0]!, bid: '1' }] }))).toBe('second');
	});

	test('of a week ago counts', () => {
		const rates = [{ ...published('1545').rates[0], lastUpdated: '2026-03-03T12:00:00Z' }];
		expect(chosenId(choose({ rates, ...near }))).toBe('second');
	});

	test('is not looked at without a setting for it', () => {
		expect(chosenId(choose(published('n/a')))).toBe('second');
	});
});

describe('a rate that nobody gets', () => {
	const rate = (baseCurrency: string, quoteCurrency: string, bid: string, ask: string) => ({
		baseCurrency,
		quoteCurrency,
		bid,
		ask,
		lastUpdated: AN_HOUR_AGO,
	});
	const rates = [rate('USDT', 'NGN', '1545.5', '1558')];
	const back = { from: 'NGN', to: 'USDT', amount: '1000', minimumRate: '0.0006' };
	const inNgn = (id: string, listed: string) =>
		contract(id, listed, '9000000', { from: 'NGN', to: 'USDT', fee: '0' });

	test.each([
		['1,600 where 0.0006 is meant', '1600', 'its rate is given the other way round: x (1,600)'],
		['a rate without its point', '6.4', 'its rate is more than twice the published one: x (6.4)'],
		// 1 / 1558 = 0.00064184…, and twice that is 0.00128369…
		['a little more than twice', '0.0012837', 'its rate is more than twice'],
	])('is skipped and said: %s', (_, listed, says) => {
		for (const settings of [{}, { mostBelowBid: '0.01' }]) {
			const published = [...rates, rate('NGN', 'USDT', '0.00064', '0.00065')];
			const best = choose({ ...back, contracts: [inNgn('x', listed)], rates: published, settings });
			expect(best).toEqual({
				problem: `There is no usable contract from NGN to USDT with the direction sell. 1 contract was skipped because ${
					says.endsWith('twice') ? `${says} the published one: x (${listed})` : says
				}. Nothing was sent now. Ask the service which rate is meant.`,
			});
		}
		// The published rate of the other direction alone says it, too.
		const best = choose({ ...back, contracts: [inNgn('x', listed), inNgn('y', '0.00064')], rates });
		expect(best).toMatchObject({
			contractId: 'y',
			skipped: expect.stringContaining('1 contract was skipped'),
		});
	});

	test.each([
		['twice the bid', '3091', true],
		['more than twice the bid', '3091.01', false],
		['half of the bid', '772.75', true],
		['less than half of the bid', '772.74', false],
		['the other way round', '0.000645', false],
		['ten times the bid', '15455', false],
	])('is not %s: %s', (_, listed, isUsed) => {
		const contracts = [contract('x', listed, '15000', { fee: '0' })];
		const best = choose({ contracts, rates, minimumRate: '0.0001' });
		expect(chosenId(best)).toBe(isUsed ? 'x' : undefined);
		// A person has to look at it: it is not a matter of time.
		expect(best).not.toHaveProperty('waits');
	});

	test('leaves the others, which wait for their rate', () => {
		const contracts = [contract('wrong', '15600', '15000'), BEST];
		expect(choose({ contracts, rates, minimumRate: '1560' })).toEqual({
			problem:
				'The best rate from USDT to NGN is 1,552.2 after the fee. Wanted is 1,560 or more. 1 contract was skipped because its rate is more than twice the published one: wrong (15,600). Nothing was sent now. Wait for a better rate, or lower Minimum Rate.',
			bestRate: '1552.2',
			waits: true,
		});
	});

	test('of many names three', () => {
		const contracts = Array.from({ length: 6 }, (_, index) => contract(`c${index}`, '155000', '15000'));
		expect(problemOf(choose({ contracts, rates }))).toContain(
			'6 contracts were skipped because their rates are more than twice the published one: c0 (155,000), c1 (155,000), c2 (155,000) and 3 more. Nothing',
		);
	});

	test('without a published rate is the one whose reciprocal is the wanted one', () => {
		expect(problemOf(choose({ ...back, contracts: [inNgn('x', '1600')] }))).toContain('the other way round');
		// 0.01 and 100 may be a wish that says little, and a rate of 1540 fits it.
		expect(chosenId(choose({ minimumRate: '0.01' }))).toBe('second');
		// Currencies of about the same value.
		const near = contract('x', '1.1', '9000', { fee: '0' });
		expect(chosenId(choose({ contracts: [near], minimumRate: '0.92' }))).toBe('x');
	});
});

describe('no contract is chosen', () => {
	const only = (change: object) => ({ contracts: [{ ...contract('x', '1600', '15000'), ...change }] });

	test('if none reaches the rate: the best one stands beside the wanted one', () => {
		expect(choose({ minimumRate: '1552.21' })).toEqual({
			problem:
				'The best rate from USDT to NGN is 1,552.2 after the fee. Wanted is 1,552.21 or more. Nothing was sent now. Wait for a better rate, or lower Minimum Rate.',
			bestRate: '1552.2',
			waits: true,
		});
	});

	test('if none has enough left: the most stands beside the wanted amount', () => {
		// Together they have enough. A conversion is not split.
		const contracts = [BEST, contract('b', '1550.4', '250.740')];
		expect(choose({ contracts })).toEqual({
			problem:
				'No contract with this rate has enough left: the most is 250.74 USDT, and 250.75 are wanted. Nothing was sent now. Wait until a contract has more, or convert less.',
			bestRate: '1552.2',
			waits: true,
		});
		const inTo = { settings: { availableIn: 'to' as const } };
		expect(problemOf(choose({ ...only({ amountAvailable: '160079' }), ...inTo }))).toContain(
			'the most is 100.04 USDT',
		);
	});

	test('if none has the pair', () => {
		expect(choose({ contracts: [] })).toEqual({
			problem:
				'There is no usable contract from USDT to NGN with the direction sell. Nothing was sent now. Look at the contracts of the service.',
			waits: true,
		});
	});

	test.each([
		[
			'another direction',
			{ direction: 'buy' },
			/1 contract was skipped because of another direction\. Nothing/,
		],
		['the other way', { from: 'NGN', to: 'USDT' }, /with the direction sell\. Nothing was sent now/],
		['no direction', { direction: undefined }, /1 contract was skipped because its ID, rate, fee/],
		['a rate in another notation', { rate: '1.6e3' }, /cannot be read\. Nothing/],
		['a rate of zero', { rate: '0.00' }, /cannot be read\. Nothing/],
		['a rate as a number', { rate: 1600 }, /cannot be read\. Nothing/],
		['a rate of many digits', { rate: '1'.repeat(100_000) }, /cannot be read\. Nothing/],
		['a fee as a percentage', { fee: '0.5%' }, /cannot be read\. Nothing/],
		['a negative fee', { fee: '-0.1' }, /cannot be read\. Nothing/],
		['a fee of all of it', { fee: '1' }, /cannot be read\. Nothing/],
		['no fee', { fee: undefined }, /cannot be read\. Nothing/],
		['no amount', { amountAvailable: '' }, /cannot be read\. Nothing/],
		['a negative amount', { amountAvailable: '-5' }, /cannot be read\. Nothing/],
		['no ID', { contractId: ' ' }, /cannot be read\. Nothing/],
		['a list as its ID', { contractId: ['x'] }, /cannot be read\. Nothing/],
		['an error in place of it', { from: undefined, error: 'No' }, /no usable contract/],
	])('if it has %s', (_, change, says) => {
		const best = choose(only(change));
		expect(best).toEqual({ problem: expect.stringMatching(says), waits: true });
	});

	test('if two have the same ID, because nobody knows which of them would be used', () => {
		const contracts = [contract('x', '1600', '15000'), contract('x', '1', '15000')];
		expect(choose({ contracts })).toEqual({
			problem: expect.stringContaining('2 contracts were skipped because another contract has the same ID.'),
			waits: true,
		});
		expect(chosenId(choose({ contracts: [...contracts, SECOND] }))).toBe('second');
	});

	test('and what was skipped is said together', () => {
		const contracts = [
			contract('a', 'n/a', '1'),
			contract('b', '1', 'n/a'),
			contract('c', '1600', '9', { direction: 'buy' }),
			BEST,
		];
		expect(problemOf(choose({ contracts }))).toMatch(
			/2 contracts were skipped because their ID, .* cannot be read\. 1 contract was skipped because of another direction\. Nothing/,
		);
	});

	test.each<[setting: string, wanted: Parameters<typeof choose>[0]]>([
		['Amount', { amount: '1,250.50' }],
		['Amount', { amount: '0.00' }],
		['Amount', { amount: '-1' }],
		['Amount', { amount: '1e3' }],
		['Amount', { amount: 250.5 as never }],
		['Minimum Rate', { minimumRate: '0' }],
		['Minimum Rate', { minimumRate: '' }],
		['From', { from: ' ' }],
		['To', { to: undefined as never }],
		['Fee Is', { settings: { feeIs: '' as never } }],
		['Amount Available Is In', { settings: { availableIn: 'both' as never } }],
		['Direction', { settings: { direction: '' } }],
		['Most Below Bid', { settings: { mostBelowBid: '1%' } }],
		['Most Below Bid', { settings: { mostBelowBid: '' } }],
		['Most Below Bid', { settings: { mostBelowBid: '1' } }],
	])('if %s cannot be used', (setting, wanted) => {
		const problem = expect.stringMatching(new RegExp(`^${setting} is `)) as string;
		expect(choose(wanted)).toEqual({ problem });
	});
});

/** A decimal with some places, as text, and as a whole number of its smallest parts of 10^-18. */
interface Exact {
	text: string;
	parts: bigint;
}
const PLACES = 18;
const SCALE = 10n ** BigInt(PLACES);

function exact(units: bigint, places: number): Exact {
	const digits = String(units).padStart(places + 1, '0');
	const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
	return { text, parts: units * 10n ** BigInt(PLACES - places) };
}

const amountUpTo = (most: bigint, places: number) =>
	fc
		.tuple(fc.bigInt({ min: 1n, max: most }), fc.integer({ min: 0, max: places }))
		.map(([units, some]) => exact(units, some));

const anyContract = fc.record({
	// Few values, so that there are ties.
	rate: fc.oneof(amountUpTo(40n, 1), amountUpTo(10n ** 12n, 9)),
	available: fc.oneof(amountUpTo(40n, 1), amountUpTo(10n ** 12n, 9)),
	fee: fc.constantFrom(exact(0n, 0), exact(5n, 3), exact(333n, 4), exact(9n, 1)),
});
const anyWish = fc.record({
	list: fc.array(anyContract, { maxLength: 6 }),
	amount: fc.oneof(amountUpTo(40n, 1), amountUpTo(10n ** 12n, 9)),
	floor: fc.oneof(amountUpTo(40n, 1), amountUpTo(10n ** 12n, 9)),
	feeIs: fc.constantFrom('takenOff' as const, 'included' as const),
	availableIn: fc.constantFrom('from' as const, 'to' as const),
});

test('the chosen one reaches the rate, has enough, and no other fitting one is better', () => {
	let chosen = 0;
	fc.assert(
		fc.property(anyWish, ({ list, amount, floor, feeIs, availableIn }) => {
			// All in units of 10^-36 for a rate, so that nothing is cut off.
			const judged = list.map(({ rate, fee, available }, index) => {
				const after = feeIs === 'included' ? rate.parts * SCALE : rate.parts * (SCALE - fee.parts);
				const needed = availableIn === 'from' ? amount.parts * SCALE : amount.parts * rate.parts;
				// Nothing is published, so that a rate of which the reciprocal is about the wanted one is doubtful.
				const product = rate.parts * floor.parts;
				const isReciprocal = product <= 2n * SCALE * SCALE && 2n * product >= SCALE * SCALE;
				const isDoubtful = isReciprocal && rate.parts >= 100n * floor.parts;
				const isEnough = available.parts * SCALE >= needed;
				const fits = after >= floor.parts * SCALE && isEnough && !isDoubtful;
				return { id: `c${index}`, after, fits, available: available.parts };
			});
			const best = choose({
				contracts: list.map(({ rate, fee, available }, index) =>
					contract(`c${index}`, rate.text, available.text, { fee: fee.text }),
				),
				amount: amount.text,
				minimumRate: floor.text,
				settings: { feeIs, availableIn },
			});
			const fitting = judged.filter(({ fits }) => fits);
			const id = chosenId(best);
			if (id === undefined) {
				expect(fitting).toEqual([]);
				return;
			}
			chosen += 1;
			const one = fitting.find((each) => each.id === id)!;
			for (const other of fitting.filter((each) => each !== one)) {
				const isAlike = other.after === one.after && other.available === one.available;
				const hasLessLeft = other.after === one.after && other.available < one.available;
				expect(other.after < one.after || hasLessLeft || (isAlike && one.id < other.id)).toBe(true);
			}
			const { rate } = best as { rate: string };
			const [whole = '', fraction = ''] = rate.split('.');
			expect(BigInt(whole + fraction.padEnd(2 * PLACES, '0'))).toBe(one.after);
		}),
		{ numRuns: 2000 },
	);
	expect(chosen).toBeGreaterThan(200);
});

test('the order of the list does not matter', () => {
	fc.assert(
		fc.property(
			anyWish,
			fc.infiniteStream(fc.nat()),
			({ list, amount, floor, feeIs, availableIn }, random) => {
				const contracts = list.map(({ rate, fee, available }, index) =>
					contract(`c${index}`, rate.text, available.text, { fee: fee.text }),
				);
				const wanted = { amount: amount.text, minimumRate: floor.text, settings: { feeIs, availableIn } };
				const shuffled = contracts
					.map((each) => ({ each, place: random.next().value as number }))
					.sort((a, b) => a.place - b.place)
					.map(({ each }) => each);
				expect(choose({ ...wanted, contracts: shuffled })).toEqual(choose({ ...wanted, contracts }));
			},
		),
	);
});

test('items of any kind never stop it, and never give a contract that has not all of it in text', () => {
	const anyItem = fc.dictionary(
		fc.constantFrom('contractId', 'from', 'to', 'rate', 'fee', 'amountAvailable', 'direction', '__proto__'),
		fc.oneof(fc.string(), fc.constantFrom('USDT', 'NGN', 'sell', '1', '0'), fc.jsonValue()),
	);
	fc.assert(
		fc.property(fc.array(anyItem, { maxLength: 5 }), (contracts) => {
			const best = choose({ contracts: contracts as never, amount: '1', minimumRate: '1' });
			const found = contracts.find(({ contractId }) => contractId === chosenId(best));
			if (chosenId(best) === undefined) expect(problemOf(best)).not.toBe('');
			else expect(found).toMatchObject({ rate: expect.any(String), fee: expect.any(String) });
		}),
	);
});

test('the time grows with the contracts', async () =>
	await expectGrowthWith(2500, (length) => {
		const contracts = Array.from({ length }, (_, index) =>
			contract(`c${index}`, `1${index % 977}.5`, '15000'),
		);
		return () => expect(chosenId(choose({ contracts, minimumRate: '1' }))).toBeDefined();
	}));
