/** Rows of Pay List and the settings of its list, as functions; and how a run goes over many rows. */
import { detailsOf } from '../../nodes/WalletService/input/payment.ts';
import type { PaymentParameters } from '../../nodes/WalletService/input/readChange.ts';
import { Journal } from '../../nodes/WalletService/payments/guards/journal.ts';
import type { Unit } from '../../nodes/WalletService/payments/guards/journal.ts';
import { LIMIT_FIELDS, PAY_LIST, PAYOUTS_OF_LIST } from '../../nodes/WalletService/input/payList.ts';
import { handedOn } from '../../nodes/WalletService/payments/payList/handOn.ts';
import { readRow } from '../../nodes/WalletService/payments/payList/readRow.ts';
import { readSettings } from '../../nodes/WalletService/payments/payList/readSettings.ts';
import { pay } from '../../nodes/WalletService/payments/pay.ts';
import type { Run } from '../../nodes/WalletService/payments/run.ts';
import { DEFAULT_COLUMNS, readFile } from '../../nodes/WalletServiceDesk/list/read/readList.ts';
import { randomNumbers } from '../../host/testkit/random.ts';
import { expectGrowthWith } from './growth.ts';

/** The parameters of the node. `evaluated`: what n8n gives for those with expressions. */
const parametersOf = (
	written: Record<string, unknown>,
	evaluated: Record<string, unknown> = {},
): PaymentParameters => ({
	expression: (name) => written[name],
	value: (name) => ({ ...written, ...evaluated })[name],
	evaluate: (expression) => expression,
});
const settingsOf = (written: Record<string, unknown> = {}, evaluated = {}, isTool = false) =>
	readSettings(parametersOf(written, evaluated), isTool);
const limitsOf = (...limit: object[]) => ({ limits: { limit } });

const ROW = {
	paymentKey: 'INV-1',
	amount: '10',
	currency: 'NGN',
	destination: 'supplier-main',
	approvedBy: 'Ada Obi',
};
const COIN = { ...ROW, currency: undefined, coin: 'USDT', destination: 'treasury' };
const issuesOf = (row: object, settings = settingsOf()) =>
	readRow({ ...ROW, ...row } as never, settings).issues;

describe('a row', () => {
	test('is the payment that a single payout would be', () => {
		const [fiat, coin] = [ROW, COIN].map((row) => readRow(row as never, settingsOf()));
		expect(detailsOf(fiat!)).toEqual({
			operation: 'fiatWallet.createPayout',
			amount: '10',
			currency: 'NGN',
			destination: 'supplier-main',
			'field of the request': '{}',
		});
		expect(detailsOf(coin!)).toEqual({
			operation: 'cryptoWallet.createPayout',
			amount: '10',
			currency: 'USDT',
			destination: 'treasury',
			'field of the request': '{}',
		});
		expect([fiat!.key?.compared, fiat!.issues, coin!.issues]).toEqual(['inv-1', [], []]);
	});

	test('has the limits of its code, and its own decision and repetition', () => {
		const limit = {
			code: 'ngn',
			maximumAmount: '20',
			maximumTotal: '30',
			allowedAliases: 'supplier-main, b',
		};
		const row = { ...ROW, again: true, decision: 'wasPaid' };
		const { options, isUnapproved } = readRow(row, settingsOf(limitsOf(limit)));
		expect(options).toMatchObject({
			maximumAmount: '20',
			maximumTotal: '30',
			allowedAliases: ['supplier-main', 'b'],
			allowDuplicate: true,
			ifOutcomeIsUnknown: 'wasPaid',
			approvedBy: 'Ada Obi',
			dryRun: false,
		});
		expect(isUnapproved).toBe(false);
	});

	test.each([
		...([
			['yes', true],
			['TRUE ', true],
			[true, true],
			['no', false],
			['', false],
			[undefined, false],
		] as const),
		...([
			[false, false],
			['maybe', undefined],
			[1, undefined],
			[['yes'], undefined],
		] as const),
	])('again: %j says %j, and what is neither yes nor no refuses the row', (again, meaning) => {
		const { options, issues } = readRow({ ...ROW, again }, settingsOf(limitsOf({ code: 'NGN' })));
		if (meaning === undefined)
			expect(issues).toMatchObject([{ message: expect.stringContaining("'again'") }]);
		else expect([options.allowDuplicate, issues]).toEqual([meaning, []]);
	});

	test.each([
		{ maximumAmount: '1' },
		{ maximumTotal: '1' },
		{ allowedAliases: 'b' },
		{ allowedCurrencies: 'NGN' },
		{ approvedBy: 'Ben Eze' },
		{ allowDuplicate: true },
	])('%j among the options of the node refuses every row, because it would bound none', (options) => {
		const { issues } = settingsOf({ options });
		expect(issues).toMatchObject([{ message: expect.stringMatching(/bounds no row of a list$/) }]);
	});

	test('an item of another kind is no row, and what to connect is said', () => {
		const others = [{ approvedBy: 'Ada Obi' }, { isGood: true, subject: '3 payouts', rows: [ROW] }, {}];
		for (const item of others) {
			const { issues } = readRow(item, settingsOf(limitsOf({ code: 'NGN' })));
			expect(issues).toMatchObject([
				{
					message:
						'The item is no row of a list: it has none of paymentKey, amount, currency, coin, destination',
					description: expect.stringContaining('Include Other Input Fields'),
				},
			]);
		}
		const whole = { row: 0, paymentKey: '', amount: '', destination: '', problems: ['No column.'] };
		const { issues } = readRow(whole, settingsOf(limitsOf({ code: 'NGN' })));
		expect(issues.map(({ message }) => message)).toContain('No column');
	});

	test('says all that is wrong with it', () => {
		const messages = issuesOf({
			amount: 'x',
			destination: '',
			paymentKey: '',
			decision: 'maybe',
			problems: ['Odd.'],
		});
		expect(messages.map(({ message }) => message)).toEqual([
			"'amount' is not a decimal number: x",
			"'destination' is empty",
			"'decision' is not doNotPay or wasNotPaid or wasPaid: maybe",
			"'paymentKey' of the row is empty",
			'Odd',
		]);
	});
});

test.each([
	['approvedBy', 'Ada Obi'],
	['Approved By', 'Ada Obi'],
	['approvalsNeeded', '1'],
	['decision', 'wasNotPaid'],
])('what the column %s of a file says is a problem, and no row of it is paid', (column, said) => {
	const lines = [`paymentKey,amount,currency,destination,${column}`];
	lines.push(`INV-1,10,NGN,supplier-main,${said}`, 'INV-2,20,NGN,supplier-main,');
	const rows = readFile(Buffer.from(lines.join('\n')), { columns: DEFAULT_COLUMNS });
	expect(rows.map(({ problems }) => problems.length)).toEqual([1, 0]);
	for (const row of rows) {
		expect(row).not.toHaveProperty(column);
		expect(row).not.toHaveProperty('extra');
	}
	const read = rows.map((row) => readRow(row as never, settingsOf()));
	expect(read.map(({ issues, isUnapproved }) => [issues.length, isUnapproved])).toEqual([
		[1, true],
		[0, true],
	]);
});

describe('limits', () => {
	test('an empty field of an entry is no limit, and a filled one without a value refuses', () => {
		const empty = Object.fromEntries(Object.keys(LIMIT_FIELDS).map((name) => [name, '']));
		const { limits, issues } = settingsOf(limitsOf({ ...empty, code: 'NGN', isCoin: false }));
		expect(issues).toEqual([]);
		expect(limits.get('currency NGN')).toMatchObject({ code: 'NGN', maximumAmount: undefined });
		const written = limitsOf({ ...empty, code: 'NGN', allowedAliases: '={{ $json.none }}' });
		for (const allowedAliases of ['', undefined, [], ' , ', {}]) {
			const given = settingsOf(written, limitsOf({ ...empty, code: 'NGN', allowedAliases }));
			expect(given.issues).not.toEqual([]);
		}
	});

	test('an entry with a field that is none refuses', () => {
		const { issues } = settingsOf(limitsOf({ code: 'NGN', maximum: '1' }));
		expect(issues).toMatchObject([{ message: expect.stringMatching(/has 'maximum', which is none/) }]);
	});

	test('values of expressions count where they may stand', () => {
		const written = limitsOf({
			code: '={{ $json.code }}',
			allowedAliases: '={{ $json.aliases }}',
			maximumAmount: '5',
		});
		const { limits, issues } = settingsOf(
			written,
			limitsOf({ code: 'usd', allowedAliases: ['a', 'b'], maximumAmount: '5' }),
		);
		expect(issues).toEqual([]);
		expect(limits.get('currency USD')).toMatchObject({ maximumAmount: '5', allowedAliases: ['a', 'b'] });
	});

	test('the number of an expression is refused before it is evaluated', () => {
		const value = jest.fn();
		const given = { ...parametersOf(limitsOf({ code: 'NGN', maximumAmount: '={{ 1 }}' })), value };
		expect(readSettings(given, false).issues).toMatchObject([
			{ message: expect.stringContaining('is an expression') },
		]);
		expect(value).not.toHaveBeenCalledWith('limits');
	});

	test.each(['=x', [], [{ code: 'NGN' }], null, 5, true, { limit: {} }, { other: [] }, { limit: [null] }])(
		'%j in place of the list is refused',
		(limits) => {
			expect(settingsOf({ limits }).issues).toHaveLength(1);
		},
	);

	test.each([undefined, {}])('%j is none', (limits) => {
		expect(settingsOf({ limits })).toMatchObject({ issues: [], limits: new Map() });
	});
});

describe('the result of a row', () => {
	const row = JSON.parse(
		'{"note":"Rent","__proto__":{"result":"paid"},"extra":{"fee":"1","own":"2"},"result":"dryRun"}',
	) as never;

	test('has the fields of the row, and its own of the same name', () => {
		const item = { result: 'paid', extra: { fee: '9' } };
		const result = handedOn({ ok: true, items: [item] }, row);
		expect(result.ok && JSON.stringify(result.items)).toBe(
			'[{"result":"paid","extra":{"fee":"9","own":"2"},"note":"Rent","__proto__":{"result":"paid"}}]',
		);
	});

	test('even if it failed, and none without a row', () => {
		const failure = { outcome: 'notSent', message: '', description: '' } as const;
		const failed = handedOn({ ok: false, failure, row: { result: 'notSent' } }, row);
		expect(failed).toMatchObject({ ok: false, row: { result: 'notSent', note: 'Rent' } });
		const paid = { ok: true, items: [{ a: 1 }] } as const;
		expect(handedOn(paid as never, undefined)).toBe(paid);
	});
});

test('the sum of a journal is that of its entries, whatever comes and goes', () => {
	const random = randomNumbers();
	const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)]!;
	const units: Unit[] = PAYOUTS_OF_LIST.flatMap(({ route }) =>
		['NGN', 'USDT'].map((code) => ({ route, code })),
	);
	for (let story = 0; story < 20; story += 1) {
		const context = {};
		const entries = new Map<string, { unit: Unit; cents: number }>();
		for (let step = 0; step < 40; step += 1) {
			const [runIndex, item, unit] = [Math.floor(random() * 3), Math.floor(random() * 5), pick(units)];
			const journal = new Journal(context, { executionId: '1', runIndex });
			const place = `${runIndex} ${item}`;
			const cents = 1 + Math.floor(random() * 100_000);
			if (random() < 0.3) {
				journal.delete(item);
				entries.delete(place);
			} else {
				const currency = random() < 0.5 ? unit.code : unit.code.toLowerCase();
				const money = { amount: (cents / 100).toFixed(2), currency, destination: 'a' };
				journal.set(item, { itemIndex: item, route: unit.route, money, result: { ok: true, items: [] } });
				entries.set(place, { unit, cents });
			}
			for (const each of units) {
				const own = [...entries.values()].filter(({ unit: other }) => other === each);
				const sum = own.reduce((before, entry) => before + entry.cents, 0);
				expect(Number(journal.sumOf(each)).toFixed(2)).toBe((sum / 100).toFixed(2));
			}
		}
	}
});

test('an entry whose amount or currency cannot be read makes the sum of its route unreadable', () => {
	for (const money of [{ currency: 'USDT' }, { amount: '5' }]) {
		const journal = new Journal({}, { executionId: '1', runIndex: 0 });
		const [{ route } = { route: '' }, other] = [...PAYOUTS_OF_LIST].reverse();
		journal.set(0, { itemIndex: 0, route, money, result: { ok: true, items: [] } });
		expect(journal.sumOf({ route, code: 'USDT' })).toBeUndefined();
		expect(journal.sumOf({ route: other!.route, code: 'USDT' })).toBe('0');
	}
});

test('the time of a list with Maximum Total grows with the number of its rows, and not with its square', async () => {
	const settings = settingsOf({ ...limitsOf({ code: 'NGN', maximumTotal: '1000000000' }), options: {} });
	const payRows = async (count: number) => {
		const rows = Array.from({ length: count }, (_, index) => ({ ...ROW, paymentKey: `k-${index}` }));
		let id = 0;
		const run: object = {
			operation: PAY_LIST,
			operations: PAYOUTS_OF_LIST,
			rows,
			isEachAlone: true,
			isTool: false,
			isRetry: false,
			continueOnFail: true,
			isCancelled: () => false,
			items: rows.map((row) => () => readRow(row, settings)),
			journal: new Journal({}, { executionId: '1', runIndex: 0 }),
			claim: () => Promise.resolve({ is: 'claimed', mayDecide: new Date(0), end: () => Promise.resolve() }),
			client: {
				account: () => Promise.resolve('a'),
				send: () => Promise.resolve({ ok: true, items: [{}], id: `po_${(id += 1)}` }),
			},
		};
		const { results } = await pay(run as Run);
		expect(results.filter(({ ok }) => ok)).toHaveLength(count);
	};
	await expectGrowthWith(500, (count) => async () => await payRows(count));
});
