/**
 * Compares random sequences of calls with a second implementation of the rules: which calls are refused, every balance
 * afterwards, and the event of each movement. Some sequences restart the sandbox in between.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createService } from '../../sandbox/service.ts';
import type { Service } from '../../sandbox/service.ts';
import { signed } from '../../host/sandboxClient.ts';
import type { AnyJson } from '../../host/sandboxClient.ts';

/** Amounts are whole units of 10^-40, so that the product of two amounts is exact. */
const SCALE = 40;

function units(decimal: string): bigint {
	const [, sign, whole, fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(decimal)!;
	return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`);
}

function decimal(amount: bigint): string {
	const digits = amount.toString().padStart(SCALE + 1, '0');
	return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
}

const times = (a: bigint, b: bigint) => (a * b) / 10n ** BigInt(SCALE);

/** An amount as sent: whole part and fraction; `all` is the whole balance. */
const amount = fc.oneof(
	{ weight: 6, arbitrary: fc.tuple(fc.bigInt(0n, 99_999n), fc.stringMatching(/^\d{0,12}$/)) },
	{ weight: 1, arbitrary: fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.stringMatching(/^\d{0,18}$/)) },
	{ weight: 2, arbitrary: fc.constant('all' as const) },
);
const fiat = fc.constantFrom('NGN', 'USD', 'GHS');
const coin = fc.constantFrom('USDT', 'BTC', 'ETH');
const account = fc.constantFrom('supplier-main', 'supplier-usd', 'supplier-new');
const wallet = fc.constantFrom('treasury', 'cold-storage');

const operation = fc.oneof(
	fc.record({
		kind: fc.constant('payFiat'),
		code: fc.constantFrom('NGN', 'NGN', 'USD', 'GHS'),
		amount,
		alias: account,
	}),
	fc.record({ kind: fc.constant('payCrypto'), code: coin, amount, alias: wallet }),
	fc.record({
		kind: fc.constant('convert'),
		contract: fc.constantFrom('ic_usdt_ngn', 'ic_btc_usdt', 'ic_usd_ngn'),
		amount,
	}),
	fc.record({ kind: fc.constant('adjust'), code: fc.oneof(fiat, coin), amount, down: fc.boolean() }),
	fc.record({ kind: fc.constant('fund'), code: fc.oneof(fiat, coin), amount, down: fc.boolean() }),
	fc.record({
		kind: fc.constant('depositFiat'),
		alias: fc.constantFrom('customer-0042', 'invoices-usd'),
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

type Code = 'NGN' | 'USD' | 'EUR' | 'GBP' | 'KES' | 'GHS' | 'USDT' | 'USDC' | 'BTC' | 'ETH';
type ContractId = 'ic_usdt_ngn' | 'ic_btc_usdt' | 'ic_usd_ngn';
type Destination = 'supplier-main' | 'supplier-usd' | 'supplier-new' | 'treasury' | 'cold-storage';

interface Model {
	balances: Record<Code, bigint>;
	available: Record<ContractId, bigint>;
	reviews: Record<Destination, string>;
	payouts: Array<{ id: string; class: string; code: Code; amount: string; cost: bigint; status: string }>;
	/** Kind, id or alias, amount, status. */
	events: Array<Array<string | undefined>>;
}

/** The initial values and fees that the sandbox's README gives. */
const CONTRACTS: Record<ContractId, { from: Code; to: Code; rate: bigint }> = {
	ic_usdt_ngn: { from: 'USDT', to: 'NGN', rate: times(units('1550.4'), units('0.995')) },
	ic_btc_usdt: { from: 'BTC', to: 'USDT', rate: times(units('64250.12345678'), units('0.9975')) },
	ic_usd_ngn: { from: 'USD', to: 'NGN', rate: units('1540.25') },
};
const FEES: Partial<Record<Code, bigint>> = {
	USDT: units('0.5'),
	BTC: units('0.00002'),
	ETH: units('0.001'),
};
const ACCOUNT_CURRENCY = { 'customer-0042': 'NGN', 'invoices-usd': 'USD' } as const;

function newModel(): Model {
	return {
		balances: {
			NGN: units('5000000'),
			USD: units('25000'),
			EUR: units('10000'),
			GBP: units('8000'),
			KES: units('1500000'),
			GHS: 0n,
			USDT: units('20000'),
			USDC: units('10000'),
			BTC: units('0.75'),
			ETH: units('12.5'),
		},
		available: { ic_usdt_ngn: units('15000'), ic_btc_usdt: units('0.5'), ic_usd_ngn: units('10000') },
		reviews: {
			'supplier-main': 'Whitelisted',
			'supplier-usd': 'Whitelisted',
			'supplier-new': 'Pending',
			treasury: 'Whitelisted',
			'cold-storage': 'Pending',
		},
		payouts: [],
		events: [],
	};
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (file: string) => createService({ database: new DatabaseSync(file), settleAfterMs: null });

async function call(
	service: Service,
	route: string,
	body: string,
): Promise<{ status: number; text: string; json: AnyJson }> {
	const [method = '', path = ''] = route.split(' ');
	const response = await service.handle(
		new Request(`http://localhost${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				...signed(service.secrets, method, path, body, Date.now()),
			},
			body,
		}),
	);
	const text = await response.text();
	return { status: response.status, text, json: JSON.parse(text) };
}

/** Runs an operation in the model and in the sandbox, and compares the results. */
async function run(
	operation: Exclude<Operation, { kind: 'restart' }>,
	model: Model,
	service: Service,
): Promise<void> {
	const { balances, available, reviews, payouts, events } = model;
	const sent = (code: Code) => {
		if (!('amount' in operation)) return '0';
		if (operation.amount === 'all') return decimal(balances[code]);
		const [whole, fraction] = operation.amount;
		return `${whole}${fraction === '' ? '' : '.'}${fraction}`;
	};
	const expectStatus = (answer: { status: number; text: string }, status: number) =>
		expect([operation, answer.text, answer.status]).toEqual([operation, answer.text, status]);

	switch (operation.kind) {
		case 'payFiat':
		case 'payCrypto': {
			const { code, alias } = operation;
			const text = sent(code);
			const isCrypto = operation.kind === 'payCrypto';
			const cost = units(text) + (isCrypto ? FEES[code]! : 0n);
			const answer = isCrypto
				? await call(
						service,
						'POST /v1/crypto_payout',
						`{"coin":"${code}","amount":${text},"wallet_alias":"${alias}"}`,
					)
				: await call(
						service,
						'POST /v1/fiat_payout',
						`{"currency":"${code}","amount":${text},"account_alias":"${alias}"}`,
					);
			if (units(text) === 0n) return void expectStatus(answer, 400);
			const isAccountIn = alias === 'supplier-usd' ? 'USD' : 'NGN';
			if (!isCrypto && code !== isAccountIn) return void expectStatus(answer, 422);
			if (reviews[alias] !== 'Whitelisted' || cost > balances[code]) return void expectStatus(answer, 422);
			expectStatus(answer, 200);
			expect(answer.text).toContain(`"amount":${text},`);
			balances[code] -= cost;
			const { payout_id: id, status } = answer.json;
			expect(status).toBe('pending');
			payouts.push({ id, class: isCrypto ? 'crypto' : 'fiat', code, amount: text, cost, status });
			return;
		}
		case 'convert': {
			const { contract } = operation;
			const { from, to, rate } = CONTRACTS[contract];
			const text = sent(from);
			const answer = await call(
				service,
				'POST /v1/instant_conversion',
				`{"contract_id":"${contract}","from_amount":${text}}`,
			);
			if (units(text) === 0n) return void expectStatus(answer, 400);
			if (units(text) > available[contract] || units(text) > balances[from])
				return void expectStatus(answer, 422);
			expectStatus(answer, 200);
			const gained = times(units(text), rate);
			expect(answer.text).toContain(`"to_amount":${decimal(gained)},"rate":${decimal(rate)}`);
			balances[from] -= units(text);
			balances[to] += gained;
			available[contract] -= units(text);
			return;
		}
		case 'adjust': {
			const { code, down } = operation;
			const text = `${down ? '-' : ''}${sent(code)}`;
			const fiatCode = ['NGN', 'USD', 'GHS'].includes(code);
			const answer = await call(
				service,
				fiatCode ? 'POST /v1/fiat_balance_update' : 'POST /v1/crypto_balance_update',
				`{"${fiatCode ? 'currency' : 'coin'}":"${code}","amount":${text}}`,
			);
			if (balances[code] + units(text) < 0n) return void expectStatus(answer, 422);
			expectStatus(answer, 200);
			balances[code] += units(text);
			return;
		}
		case 'fund': {
			const { code, down } = operation;
			const text = sent(code);
			const body = { asset: code, amount: text, direction: down ? 'debit' : 'credit' };
			const answer = await call(service, 'POST /_sandbox/admin_funding', JSON.stringify(body));
			if (units(text) === 0n) return void expectStatus(answer, 400);
			if (down && units(text) > balances[code]) return void expectStatus(answer, 422);
			expectStatus(answer, 200);
			balances[code] += down ? -units(text) : units(text);
			events.push(['admin_funding', answer.json.id, text, 'successful']);
			return;
		}
		case 'depositFiat':
		case 'depositCrypto': {
			const isCrypto = operation.kind === 'depositCrypto';
			const credited = isCrypto ? operation.code : ACCOUNT_CURRENCY[operation.alias];
			const text = sent(credited);
			const body = isCrypto
				? { wallet_alias: 'deposits-usdt', coin: operation.code, amount: text }
				: { alias: operation.alias, amount: text };
			const answer = await call(service, 'POST /_sandbox/deposits', JSON.stringify(body));
			if (units(text) === 0n) return void expectStatus(answer, 400);
			expectStatus(answer, 200);
			balances[credited] += units(text);
			events.push([
				isCrypto ? 'crypto_received' : 'virtual_account_credited',
				answer.json.id,
				text,
				'successful',
			]);
			return;
		}
		case 'review': {
			const { alias, decision } = operation;
			expectStatus(await call(service, 'POST /_sandbox/reviews', JSON.stringify({ alias, decision })), 200);
			reviews[alias] = decision;
			const isAccount = alias.startsWith('supplier');
			events.push([
				isAccount ? 'settlement_account_update' : 'settlement_wallet_update',
				alias,
				undefined,
				decision,
			]);
			return;
		}
		case 'settle': {
			const { which, status } = operation;
			const payout = payouts[which % Math.max(payouts.length, 1)];
			const id = payout?.id ?? 'none';
			const answer = await call(service, `POST /_sandbox/payouts/${id}`, JSON.stringify({ status }));
			if (payout === undefined) return void expectStatus(answer, 404);
			const final = ['successful', 'failed'].includes(payout.status);
			if (final && payout.status !== status) return void expectStatus(answer, 409);
			expectStatus(answer, 200);
			if (payout.status === status) return;
			payout.status = status;
			if (status === 'failed') balances[payout.code] += payout.cost;
			if (payout.class === 'crypto') events.push(['crypto_payout_update', id, payout.amount, status]);
		}
	}
}

function expectSame(model: Model, { ledger, deliveries }: Service): void {
	const balances = ledger.balances.all().map(({ code, amount }) => [code, units(amount)] as const);
	expect(Object.fromEntries(balances)).toEqual(model.balances);
	for (const [, amount] of balances) expect(amount >= 0n).toBe(true);
	const sums: Record<string, bigint> = Object.fromEntries(balances.map(([code]) => [code, 0n]));
	for (const { code, amount } of ledger.movements.all()) sums[code]! += units(amount);
	expect(sums).toEqual(model.balances);
	const contracts = ledger.contracts.all().map((each) => [each.contract_id, units(each.available)]);
	expect(Object.fromEntries(contracts)).toEqual(model.available);
	const sent = deliveries.all().map(({ body }) => JSON.parse(body));
	expect(
		sent.map((event) => [
			event.event,
			event.id ?? event.Alias,
			event.Amount ?? event['Amount sent'],
			event.status,
		]),
	).toEqual(model.events);
}

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
						await run(each, model, service);
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
