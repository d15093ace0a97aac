/**
 * Compares random sequences of calls with a second implementation of the rules: which calls are refused, every balance
 * afterwards, and the event of each movement. Some sequences restart the sandbox in between.
 */
import { join } from 'node:path';
import Decimal from 'decimal.js';
import fc from 'fast-check';
import { createApp } from '../../sandbox/http/app.ts';
import { createService } from '../../sandbox/machine/service.ts';
import { signed, type AnyJson } from './client.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** Exact for all sums and products of these tests. */
const Exact = Decimal.clone({ precision: 200 });

/** The first balances, contracts and reviews, and the fees that the sandbox's README gives. */
const BALANCES = {
	NGN: '5000000',
	USD: '25000',
	EUR: '10000',
	GBP: '8000',
	KES: '1500000',
	GHS: '0',
	USDT: '20000',
	USDC: '10000',
	BTC: '0.75',
	ETH: '12.5',
};
const CONTRACTS = {
	ic_usdt_ngn: { from: 'USDT', to: 'NGN', rate: new Exact('1550.4').times('0.995') },
	ic_btc_usdt: { from: 'BTC', to: 'USDT', rate: new Exact('64250.12345678').times('0.9975') },
	ic_usd_ngn: { from: 'USD', to: 'NGN', rate: new Exact('1540.25') },
} as const;
const AVAILABLE = { ic_usdt_ngn: '15000', ic_btc_usdt: '0.5', ic_usd_ngn: '10000' };
const ACCOUNTS = { 'supplier-main': 'Whitelisted', 'supplier-usd': 'Whitelisted', 'supplier-new': 'Pending' };
const WALLETS = { treasury: 'Whitelisted', 'cold-storage': 'Pending' };
/** A currency has no fee. */
const FEES: Partial<Record<Code, string>> = { USDT: '0.5', BTC: '0.00002', ETH: '0.001' };

type Code = keyof typeof BALANCES;
type ContractId = keyof typeof CONTRACTS;
type Destination = keyof (typeof ACCOUNTS & typeof WALLETS);

interface Model {
	balances: Record<Code, Decimal>;
	available: Record<ContractId, Decimal>;
	reviews: Record<Destination, string>;
	payouts: Array<{ id: string; code: Code; amount: string; cost: Decimal; status: string }>;
	/** Kind, id or alias, amount, status. */
	events: Array<Array<string | undefined>>;
}

/** An amount as sent: whole part and fraction; `all` is the whole balance, or all that a contract has left. */
const amount = fc.oneof(
	// Most of these are in the balance, so that they are paid.
	{ weight: 6, arbitrary: fc.tuple(fc.bigInt(0n, 9n), fc.stringMatching(/^\d{0,12}$/)) },
	{ weight: 3, arbitrary: fc.tuple(fc.bigInt(0n, 99_999n), fc.stringMatching(/^\d{0,12}$/)) },
	{ weight: 1, arbitrary: fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.stringMatching(/^\d{0,18}$/)) },
	{ weight: 2, arbitrary: fc.constant('all' as const) },
);
const fiat = fc.constantFrom<Code[]>('NGN', 'NGN', 'USD', 'GHS');
const coin = fc.constantFrom<Code[]>('USDT', 'BTC', 'ETH');
const code = fc.oneof(fiat, coin);
const account = fc.constantFrom(...(Object.keys(ACCOUNTS) as Destination[]));
const wallet = fc.constantFrom(...(Object.keys(WALLETS) as Destination[]));
const down = fc.boolean();
/** The receiver, and the code of what it receives. */
const receiver = fc.oneof(
	fc.constantFrom<Array<[alias: string, code: Code]>>(['customer-0042', 'NGN'], ['invoices-usd', 'USD']),
	fc.tuple(fc.constant('deposits-usdt'), coin),
);

const operation = fc.oneof(
	fc.record({ kind: fc.constant('pay'), to: fc.tuple(account, fiat), amount }),
	fc.record({ kind: fc.constant('pay'), to: fc.tuple(wallet, coin), amount }),
	fc.record({
		kind: fc.constant('convert'),
		contract: fc.constantFrom(...(Object.keys(CONTRACTS) as ContractId[])),
		amount,
	}),
	fc.record({ kind: fc.constant('adjust'), code, amount, down }),
	fc.record({ kind: fc.constant('fund'), code, amount, down }),
	fc.record({ kind: fc.constant('deposit'), to: receiver, amount }),
	fc.record({
		kind: fc.constant('review'),
		alias: fc.oneof(account, wallet),
		decision: fc.constantFrom('Whitelisted', 'Rejected', 'Pending'),
	}),
	{
		// Often, because a payout takes several of them to its end and beyond.
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('settle'),
			which: fc.nat(4),
			status: fc.constantFrom('processing', 'successful', 'failed'),
		}),
	},
	fc.record({ kind: fc.constant('restart') }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function exact<Key extends string>(values: Record<Key, string>): Record<Key, Decimal> {
	const entries = Object.entries<string>(values).map(([key, value]) => [key, new Exact(value)]);
	return Object.fromEntries(entries) as Record<Key, Decimal>;
}

interface Expected {
	route: string;
	body: string;
	status: number;
	/** What the call changes if its status is 200. */
	change?: (answer: AnyJson, text: string) => void;
}

/** What the rules of the README say of an operation. */
function expectedOf(operation: Exclude<Operation, { kind: 'restart' }>, model: Model): Expected {
	const { balances, available, reviews, payouts, events } = model;
	const move = (moved: Code, change: Decimal) => void (balances[moved] = balances[moved].plus(change));
	const sent = (asset: Code, all = balances[asset]): [text: string, value: Decimal] => {
		const given = 'amount' in operation ? operation.amount : 'all';
		const text = given === 'all' ? all.toFixed() : given.filter((part) => part !== '').join('.');
		return [text, new Exact(text)];
	};
	/** The status of an amount that must be above zero. */
	const statusOf = (value: Decimal, isRefused: boolean) => (value.isZero() ? 400 : isRefused ? 422 : 200);

	switch (operation.kind) {
		case 'pay': {
			const [alias, paid] = operation.to;
			const [text, value] = sent(paid);
			const cost = value.plus(FEES[paid] ?? 0);
			const isFiat = alias in ACCOUNTS;
			const isOtherCurrency = isFiat && paid !== (alias === 'supplier-usd' ? 'USD' : 'NGN');
			const isRefused = isOtherCurrency || reviews[alias] !== 'Whitelisted';
			return {
				route: isFiat ? 'POST /v1/fiat_payout' : 'POST /v1/crypto_payout',
				body: isFiat
					? `{"currency":"${paid}","amount":${text},"account_alias":"${alias}"}`
					: `{"coin":"${paid}","amount":${text},"wallet_alias":"${alias}"}`,
				status: statusOf(value, isRefused || cost.gt(balances[paid])),
				change: ({ payout_id: id, status }, answer) => {
					expect(status).toBe('pending');
					expect(answer).toContain(`"amount":${text},`);
					move(paid, cost.neg());
					payouts.push({ id, code: paid, amount: text, cost, status });
				},
			};
		}
		case 'convert': {
			const { contract } = operation;
			const { from, to, rate } = CONTRACTS[contract];
			const [text, value] = sent(from, available[contract]);
			return {
				route: 'POST /v1/instant_conversion',
				body: `{"contract_id":"${contract}","from_amount":${text}}`,
				status: statusOf(value, value.gt(available[contract]) || value.gt(balances[from])),
				change: (_, answer) => {
					const gained = value.times(rate);
					expect(answer).toContain(`"to_amount":${gained.toFixed()},"rate":${rate.toFixed()}`);
					move(from, value.neg());
					move(to, gained);
					available[contract] = available[contract].minus(value);
				},
			};
		}
		case 'adjust': {
			const [text, value] = sent(operation.code);
			const change = operation.down ? value.neg() : value;
			const [kind, field] = operation.code in FEES ? ['crypto', 'coin'] : ['fiat', 'currency'];
			return {
				route: `POST /v1/${kind}_balance_update`,
				body: `{"${field}":"${operation.code}","amount":${operation.down ? '-' : ''}${text}}`,
				status: balances[operation.code].plus(change).lt(0) ? 422 : 200,
				change: () => move(operation.code, change),
			};
		}
		case 'fund': {
			const [text, value] = sent(operation.code);
			const direction = operation.down ? 'debit' : 'credit';
			return {
				route: 'POST /_sandbox/admin_funding',
				body: JSON.stringify({ asset: operation.code, amount: text, direction }),
				status: statusOf(value, operation.down && value.gt(balances[operation.code])),
				change: ({ id }) => {
					move(operation.code, operation.down ? value.neg() : value);
					events.push(['admin_funding', id, text, 'successful']);
				},
			};
		}
		case 'deposit': {
			const [alias, credited] = operation.to;
			const [text, value] = sent(credited);
			const isCoin = credited in FEES;
			const to = isCoin ? { wallet_alias: alias, coin: credited } : { alias };
			return {
				route: 'POST /_sandbox/deposits',
				body: JSON.stringify({ ...to, amount: text }),
				status: statusOf(value, false),
				change: ({ id }) => {
					move(credited, value);
					events.push([isCoin ? 'crypto_received' : 'virtual_account_credited', id, text, 'successful']);
				},
			};
		}
		case 'review': {
			const { alias, decision } = operation;
			return {
				route: 'POST /_sandbox/reviews',
				body: JSON.stringify({ alias, decision }),
				status: 200,
				change: () => {
					reviews[alias] = decision;
					const kind = alias in ACCOUNTS ? 'account' : 'wallet';
					events.push([`settlement_${kind}_update`, alias, undefined, decision]);
				},
			};
		}
		case 'settle': {
			const { which, status } = operation;
			const payout = payouts[which % Math.max(payouts.length, 1)];
			const isFinal = payout?.status === 'successful' || payout?.status === 'failed';
			const isSame = payout?.status === status;
			return {
				route: `POST /_sandbox/payouts/${payout?.id ?? 'none'}`,
				body: JSON.stringify({ status }),
				status: payout === undefined ? 404 : isFinal && !isSame ? 409 : 200,
				change: () => {
					if (payout === undefined || isSame) return;
					payout.status = status;
					if (status === 'failed') move(payout.code, payout.cost);
					if (payout.code in FEES) events.push(['crypto_payout_update', payout.id, payout.amount, status]);
				},
			};
		}
	}
}

function open(db: string) {
	const service = createService({ db, settleAfterMs: null });
	return { ...service, fetch: createApp(service).fetch };
}
type Opened = ReturnType<typeof open>;

async function run({ route, body, status, change }: Expected, { settings, fetch }: Opened): Promise<void> {
	const [method = '', path = ''] = route.split(' ');
	const signature = signed(settings.current, method, path, body, Date.now());
	const headers = { 'content-type': 'application/json', ...signature };
	const request = new Request(`http://localhost${path}`, { method, headers, body });
	const response = await fetch(request);
	const text = await response.text();
	expect([route, body, text, response.status]).toEqual([route, body, text, status]);
	if (status === 200) change?.(JSON.parse(text), text);
}

const plain = (decimals: Record<string, Decimal>) =>
	Object.fromEntries(Object.entries(decimals).map(([key, decimal]) => [key, decimal.toFixed()]));

function expectSame(model: Model, { ledger, deliveries }: Opened): void {
	const balances = ledger.balances.all().map((each) => [each.code, new Exact(each.amount)] as const);
	const sums: Record<string, Decimal> = {};
	for (const each of ledger.movements.all())
		sums[each.code] = new Exact(sums[each.code] ?? 0).plus(each.amount);
	expect(plain(Object.fromEntries(balances))).toEqual(plain(model.balances));
	expect(plain(sums)).toEqual(plain(model.balances));
	expect(balances.filter(([, balance]) => balance.lt(0))).toEqual([]);
	const contracts = ledger.contracts.all().map((each) => [each.contract_id, new Exact(each.available)]);
	expect(plain(Object.fromEntries(contracts))).toEqual(plain(model.available));
	const events = deliveries.all().map(({ body }) => {
		const { event, id, Alias, Amount, status, ...rest } = JSON.parse(body);
		return [event, id ?? Alias, Amount ?? rest['Amount sent'], status];
	});
	expect(events).toEqual(model.events);
}

const folder = temporaryFolder();

test('no balance below zero, all movements add up, every movement has its event', async () => {
	let runs = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 60 }), async (operations) => {
			const file = join(folder, `${runs++}.db`);
			const model: Model = {
				balances: exact(BALANCES),
				available: exact(AVAILABLE),
				payouts: [],
				events: [],
				reviews: { ...ACCOUNTS, ...WALLETS },
			};
			let service = open(file);
			try {
				for (const each of operations) {
					if (each.kind === 'restart') {
						await service.stop();
						service = open(file);
					} else {
						await run(expectedOf(each, model), service);
					}
					expectSame(model, service);
				}
			} finally {
				await service.stop();
			}
		}),
		{ numRuns: 60 },
	);
});
