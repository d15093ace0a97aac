/**
 * Compares random sequences of calls with a second implementation of the rules: which calls are refused, every balance
 * afterwards, and the event of each movement. Some sequences restart the sandbox in between.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Decimal from 'decimal.js';
import fc from 'fast-check';
import { createService } from '../../sandbox/service.ts';
import type { Service } from '../../sandbox/service.ts';
import { signed } from './client.ts';
import type { AnyJson } from './client.ts';

/** Exact for all sums and products of these tests. */
const Exact = Decimal.clone({ precision: 200 });

/** The initial values, rates and fees that the sandbox's README gives. */
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
	ic_usdt_ngn: { from: 'USDT', to: 'NGN', rate: new Exact('1550.4').times('0.995'), available: '15000' },
	ic_btc_usdt: {
		from: 'BTC',
		to: 'USDT',
		rate: new Exact('64250.12345678').times('0.9975'),
		available: '0.5',
	},
	ic_usd_ngn: { from: 'USD', to: 'NGN', rate: new Exact('1540.25'), available: '10000' },
} as const;
const REVIEWS = {
	'supplier-main': 'Whitelisted',
	'supplier-usd': 'Whitelisted',
	'supplier-new': 'Pending',
	treasury: 'Whitelisted',
	'cold-storage': 'Pending',
};
/** The fees of the coins. A currency has none. */
const FEES: Partial<Record<Code, string>> = { USDT: '0.5', BTC: '0.00002', ETH: '0.001' };

type Code = keyof typeof BALANCES;
type ContractId = keyof typeof CONTRACTS;
type Destination = keyof typeof REVIEWS;

interface Model {
	balances: Record<Code, Decimal>;
	available: Record<ContractId, Decimal>;
	reviews: Record<Destination, string>;
	payouts: Array<{ id: string; code: Code; amount: string; cost: Decimal; status: string }>;
	/** Kind, id or alias, amount, status. */
	events: Array<Array<string | undefined>>;
}

/** An amount as sent: whole part and fraction; `all` is the whole balance. */
const amount = fc.oneof(
	{ weight: 6, arbitrary: fc.tuple(fc.bigInt(0n, 99_999n), fc.stringMatching(/^\d{0,12}$/)) },
	{ weight: 1, arbitrary: fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.stringMatching(/^\d{0,18}$/)) },
	{ weight: 2, arbitrary: fc.constant('all' as const) },
);
const fiat = fc.constantFrom<Code[]>('NGN', 'NGN', 'USD', 'GHS');
const coin = fc.constantFrom<Code[]>('USDT', 'BTC', 'ETH');
const code = fc.oneof(fiat, coin);
const account = fc.constantFrom<Destination[]>('supplier-main', 'supplier-usd', 'supplier-new');
const wallet = fc.constantFrom<Destination[]>('treasury', 'cold-storage');

const operation = fc.oneof(
	fc.record({ kind: fc.constant('payFiat'), code: fiat, amount, alias: account }),
	fc.record({ kind: fc.constant('payCrypto'), code: coin, amount, alias: wallet }),
	fc.record({
		kind: fc.constant('convert'),
		contract: fc.constantFrom<ContractId[]>('ic_usdt_ngn', 'ic_btc_usdt', 'ic_usd_ngn'),
		amount,
	}),
	fc.record({ kind: fc.constant('adjust'), code, amount, down: fc.boolean() }),
	fc.record({ kind: fc.constant('fund'), code, amount, down: fc.boolean() }),
	fc.record({
		kind: fc.constant('depositFiat'),
		to: fc.constantFrom<Array<[alias: string, code: Code]>>(
			['customer-0042', 'NGN'],
			['invoices-usd', 'USD'],
		),
		amount,
	}),
	fc.record({ kind: fc.constant('depositCrypto'), code: coin, amount }),
	fc.record({
		kind: fc.constant('review'),
		alias: fc.oneof(account, wallet),
		decision: fc.constantFrom('Whitelisted', 'Rejected', 'Pending'),
	}),
	fc.record({
		kind: fc.constant('settle'),
		which: fc.nat(9),
		status: fc.constantFrom('processing', 'successful', 'failed'),
	}),
	fc.record({ kind: fc.constant('restart') }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function newModel(): Model {
	const exact = ([key, value]: [string, string]) => [key, new Exact(value)];
	return {
		balances: Object.fromEntries(Object.entries(BALANCES).map(exact)),
		available: Object.fromEntries(
			Object.entries(CONTRACTS).map(([id, { available }]) => exact([id, available])),
		),
		reviews: { ...REVIEWS },
		payouts: [],
		events: [],
	};
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
	const sent = (all: Code): [text: string, value: Decimal] => {
		const given = 'amount' in operation ? operation.amount : 'all';
		const text = given === 'all' ? balances[all].toFixed() : given.filter((part) => part !== '').join('.');
		return [text, new Exact(text)];
	};
	/** The status of an amount that must be above zero. */
	const statusOf = (value: Decimal, isRefused: boolean) => (value.isZero() ? 400 : isRefused ? 422 : 200);

	switch (operation.kind) {
		case 'payFiat':
		case 'payCrypto': {
			const { kind, alias } = operation;
			const [text, value] = sent(operation.code);
			const cost = value.plus(FEES[operation.code] ?? 0);
			const isOtherCurrency =
				kind === 'payFiat' && operation.code !== (alias === 'supplier-usd' ? 'USD' : 'NGN');
			const isCovered = cost.lte(balances[operation.code]);
			return {
				...(kind === 'payCrypto'
					? {
							route: 'POST /v1/crypto_payout',
							body: `{"coin":"${operation.code}","amount":${text},"wallet_alias":"${alias}"}`,
						}
					: {
							route: 'POST /v1/fiat_payout',
							body: `{"currency":"${operation.code}","amount":${text},"account_alias":"${alias}"}`,
						}),
				status: statusOf(value, isOtherCurrency || reviews[alias] !== 'Whitelisted' || !isCovered),
				change: ({ payout_id: id, status }, answer) => {
					expect(status).toBe('pending');
					expect(answer).toContain(`"amount":${text},`);
					move(operation.code, cost.neg());
					payouts.push({ id, code: operation.code, amount: text, cost, status });
				},
			};
		}
		case 'convert': {
			const { contract } = operation;
			const { from, to, rate } = CONTRACTS[contract];
			const [text, value] = sent(from);
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
			const isCoin = operation.code in FEES;
			const signedText = operation.down ? `-${text}` : text;
			return {
				route: isCoin ? 'POST /v1/crypto_balance_update' : 'POST /v1/fiat_balance_update',
				body: `{"${isCoin ? 'coin' : 'currency'}":"${operation.code}","amount":${signedText}}`,
				status: balances[operation.code].plus(change).lt(0) ? 422 : 200,
				change: () => move(operation.code, change),
			};
		}
		case 'fund': {
			const { down } = operation;
			const [text, value] = sent(operation.code);
			const direction = down ? 'debit' : 'credit';
			return {
				route: 'POST /_sandbox/admin_funding',
				body: JSON.stringify({ asset: operation.code, amount: text, direction }),
				status: statusOf(value, down && value.gt(balances[operation.code])),
				change: ({ id }) => {
					move(operation.code, down ? value.neg() : value);
					events.push(['admin_funding', id, text, 'successful']);
				},
			};
		}
		case 'depositFiat':
		case 'depositCrypto': {
			const isFiat = operation.kind === 'depositFiat';
			const credited = isFiat ? operation.to[1] : operation.code;
			const [text, value] = sent(credited);
			const to = isFiat ? { alias: operation.to[0] } : { wallet_alias: 'deposits-usdt', coin: credited };
			return {
				route: 'POST /_sandbox/deposits',
				body: JSON.stringify({ ...to, amount: text }),
				status: statusOf(value, false),
				change: ({ id }) => {
					move(credited, value);
					events.push([isFiat ? 'virtual_account_credited' : 'crypto_received', id, text, 'successful']);
				},
			};
		}
		case 'review': {
			const { alias, decision } = operation;
			const destination = alias.startsWith('supplier') ? 'account' : 'wallet';
			return {
				route: 'POST /_sandbox/reviews',
				body: JSON.stringify({ alias, decision }),
				status: 200,
				change: () => {
					reviews[alias] = decision;
					events.push([`settlement_${destination}_update`, alias, undefined, decision]);
				},
			};
		}
		case 'settle': {
			const { which, status } = operation;
			const payout = payouts[which % Math.max(payouts.length, 1)];
			const request = {
				route: `POST /_sandbox/payouts/${payout?.id ?? 'none'}`,
				body: JSON.stringify({ status }),
			};
			if (payout === undefined) return { ...request, status: 404 };
			if (payout.status === status) return { ...request, status: 200 };
			return {
				...request,
				status: ['successful', 'failed'].includes(payout.status) ? 409 : 200,
				change: () => {
					payout.status = status;
					if (status === 'failed') move(payout.code, payout.cost);
					if (payout.code in FEES) events.push(['crypto_payout_update', payout.id, payout.amount, status]);
				},
			};
		}
	}
}

async function run({ route, body, status, change }: Expected, service: Service): Promise<void> {
	const [method = '', path = ''] = route.split(' ');
	const headers = signed(service.secrets, method, path, body, Date.now());
	const request = new Request(`http://localhost${path}`, {
		method,
		headers: { 'content-type': 'application/json', ...headers },
		body,
	});
	const response = await service.handle(request);
	const text = await response.text();
	expect([route, body, text, response.status]).toEqual([route, body, text, status]);
	if (status === 200) change?.(JSON.parse(text), text);
}

function expectSame(model: Model, { ledger, deliveries }: Service): void {
	const plain = (decimals: Record<string, Decimal>) =>
		Object.fromEntries(Object.entries(decimals).map(([key, decimal]) => [key, decimal.toFixed()]));
	const balances: Record<string, Decimal> = {};
	const sums: Record<string, Decimal> = {};
	for (const each of ledger.balances.all()) balances[each.code] = new Exact(each.amount);
	for (const each of ledger.movements.all())
		sums[each.code] = new Exact(sums[each.code] ?? 0).plus(each.amount);
	expect(plain(balances)).toEqual(plain(model.balances));
	expect(plain(sums)).toEqual(plain(model.balances));
	expect(Object.values(balances).filter((balance) => balance.lt(0))).toEqual([]);
	const contracts = ledger.contracts.all().map((each) => [each.contract_id, new Exact(each.available)]);
	expect(plain(Object.fromEntries(contracts))).toEqual(plain(model.available));
	const sent = deliveries.all().map(({ body }) => JSON.parse(body));
	expect(
		sent.map(({ event, id, Alias, Amount, status, ...rest }) => [
			event,
			id ?? Alias,
			Amount ?? rest['Amount sent'],
			status,
		]),
	).toEqual(model.events);
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (file: string) => createService({ database: new DatabaseSync(file), settleAfterMs: null });

test('no balance below zero, all movements add up, every movement has its event', async () => {
	let runs = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 60 }), async (operations) => {
			const file = join(folder, `${runs++}.db`);
			const model = newModel();
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
		{ numRuns: 150 },
	);
}, 120_000);
