/** How a run goes over its items, without n8n and without a service. */
import { getOperation } from '../../api/catalog.ts';
import { CONVERT_AT_RATE } from '../../nodes/WalletService/input/convertAtRate.ts';
import { readPayment } from '../../nodes/WalletService/input/readChange.ts';
import { Market } from '../../nodes/WalletService/payments/convertAtRate/market.ts';
import { readConversion } from '../../nodes/WalletService/payments/convertAtRate/readConversion.ts';
import { Journal } from '../../nodes/WalletService/payments/guards/journal.ts';
import { pay as payItems } from '../../nodes/WalletService/payments/pay.ts';
import { expectGrowthWith } from './growth.ts';

const FIAT = { currency: 'NGN', amount: '1.50', account_alias: 'supplier-main' };
const account = () => Promise.resolve('a');
let payments = 0;
const paid = () => Promise.resolve({ ok: true, items: [{}], id: `po_${(payments += 1)}` });
const notAskedFor = () => Promise.reject(new Error('not asked for'));

const journalOf = (nodeContext = {}, runIndex = 0, executionId = '1') =>
	new Journal(nodeContext, { executionId, runIndex });

/** Pays items with these parameters. Nothing is asked of n8n or of the service, but for what `run` has. */
const pay = async (parameters: object, run: object, length = 1) => {
	const value = (name: string) => (parameters as Record<string, unknown>)[name];
	const item = { value, expression: value, evaluate: (expression: string) => expression };
	const client = { account, send: notAskedFor, describe: notAskedFor };
	const operation = getOperation('fiatWallet.createPayout');
	return await payItems({
		operation,
		operations: [operation],
		items: Array.from({ length }, () => () => readPayment(operation, item, false)),
		journal: journalOf(),
		client,
		claim: notAskedFor,
		look: notAskedFor,
		timeInWords: (time: Date) => time.toISOString(),
		today: () => '2026-11-22',
		addToTotal: notAskedFor,
		takeOffTotal: notAskedFor,
		readTotal: notAskedFor,
		takePayment: notAskedFor,
		countPayments: notAskedFor,
		takeUnlessDuplicate: notAskedFor,
		isDuplicate: notAskedFor,
		isEachAlone: false,
		isTool: false,
		isRetry: false,
		continueOnFail: true,
		isCancelled: () => false,
		...run,
	});
};

test('a run that is stopped before a payment sends nothing, and frees the key for which it has waited', async () => {
	const end = jest.fn(() => Promise.resolve());
	let isStopped = false;
	const claim = () => {
		isStopped = true;
		return Promise.resolve({ is: 'claimed', end });
	};
	const { results } = await pay({ ...FIAT, paymentKey: 'k' }, { claim, isCancelled: () => isStopped });
	expect(end.mock.calls).toEqual([['notSent']]);
	const withoutKey = await pay(FIAT, { isCancelled: () => true });
	for (const all of [results, withoutKey.results])
		expect(all).toMatchObject([{ ok: false, failure: { outcome: 'notSent' } }]);
});

test('a dry run that is stopped shows no request as if it would be sent', async () => {
	const describe = () => Promise.resolve({ ok: true, items: [{ result: 'dryRun' }] });
	const dry = { ...FIAT, options: { dryRun: true, maximumPerDay: '9' } };
	const run = { countPayments: () => Promise.resolve(0), client: { account, describe } };
	expect((await pay(dry, run)).results).toMatchObject([{ ok: true }]);
	const { results } = await pay(dry, { ...run, isCancelled: () => true });
	expect(results).toMatchObject([{ ok: false, failure: { outcome: 'notSent' } }]);
});

test.each([
	['notSent', 0],
	['rejected', 0],
	['unknown', 1],
])('a payment that is %s is %p of the payments of its day', async (outcome, count) => {
	let taken = 0;
	const takePayment = () => {
		taken += 1;
		return Promise.resolve(() => Promise.resolve((taken -= 1)));
	};
	const send = () => Promise.resolve({ ok: false, failure: { outcome, message: '' } });
	const parameters = { ...FIAT, options: { maximumPerDay: '9' } };
	await pay(parameters, { takePayment, client: { account, send } });
	expect(taken).toBe(count);
});

test('Maximum Total counts what earlier runs of the execution have paid, as in a loop', async () => {
	const nodeContext = {};
	const send = jest.fn(paid);
	const client = { account, send };
	const parameters = { ...FIAT, options: { maximumTotal: '4' } };
	const outcomes = [];
	for (const run of [0, 1, 2]) {
		const journal = journalOf(nodeContext, run);
		const [result] = (await pay(parameters, { journal, client })).results;
		outcomes.push(result?.ok === true ? 'paid' : result?.failure.message);
	}
	expect(outcomes).toEqual(['paid', 'paid', expect.stringContaining('The total 4.50 of this execution')]);
	expect(send).toHaveBeenCalledTimes(2);
});

test('a retry that may send the key again and reaches no service leaves nothing unknown', async () => {
	const nodeContext = {};
	const outcomes = [];
	for (const [executionId, outcome] of Object.entries({ failed: 'unknown', retry: 'notSent' })) {
		const journal = journalOf(nodeContext, 0, executionId);
		const claim = () =>
			Promise.resolve({ is: 'claimed', mayDecide: new Date(0), end: () => Promise.resolve() });
		const send = () => Promise.resolve({ ok: false, failure: { outcome, message: '' } });
		const run = { journal, claim, client: { account, send } };
		const [result] = (await pay({ ...FIAT, paymentKey: 'k' }, run)).results;
		outcomes.push(result?.ok === false && result.failure.outcome);
	}
	expect(outcomes).toEqual(['unknown', 'notSent']);
});

describe('after three requests in a row without a clear answer', () => {
	const unclear = { ok: false, failure: { outcome: 'unknown', message: '' } };
	const outcomesOf = ({ results }: Awaited<ReturnType<typeof pay>>) =>
		results.map((result) => (result.ok ? 'paid' : result.failure.outcome));
	const answering = (...answers: unknown[]) => {
		const send = jest.fn(paid as () => Promise<unknown>);
		for (const answer of answers) send.mockResolvedValueOnce(answer);
		return { client: { account, send }, send };
	};

	test('the rest is not sent, and says so', async () => {
		const { client, send } = answering(unclear, unclear, unclear);
		const run = await pay(FIAT, { client }, 5);
		expect(outcomesOf(run)).toEqual(['unknown', 'unknown', 'unknown', 'notSent', 'notSent']);
		expect(run.results[3]).toMatchObject({
			failure: {
				message: 'Not sent because the service gave no clear answer to 3 requests before this one',
				description: expect.stringContaining('Look those up at the service first'),
			},
		});
		expect(send).toHaveBeenCalledTimes(3);
	});

	test.each([
		['a payment is made', { ok: true, items: [{}], id: 'po_0' }, 'paid'],
		['one is refused', { ok: false, failure: { outcome: 'rejected', message: '' } }, 'rejected'],
	])('it begins again when %s', async (_, clear, outcome) => {
		const { client } = answering(unclear, unclear, clear, unclear, unclear);
		const outcomes = outcomesOf(await pay(FIAT, { client }, 6));
		expect(outcomes).toEqual(['unknown', 'unknown', outcome, 'unknown', 'unknown', 'paid']);
	});

	test('what never left is neither counted nor an answer', async () => {
		const never = { ok: false, failure: { outcome: 'notSent', message: '' } };
		const { client } = answering(unclear, never, unclear, never, unclear);
		const outcomes = outcomesOf(await pay(FIAT, { client }, 6));
		expect(outcomes).toEqual(['unknown', 'notSent', 'unknown', 'notSent', 'unknown', 'notSent']);
	});

	test('also over the rounds of a loop; a new execution begins at none', async () => {
		const nodeContext = {};
		const { client, send } = answering(unclear, unclear, unclear);
		const outcomes = [];
		for (const run of [0, 1, 2, 3])
			outcomes.push(...outcomesOf(await pay(FIAT, { client, journal: journalOf(nodeContext, run) })));
		expect(outcomes).toEqual(['unknown', 'unknown', 'unknown', 'notSent']);
		expect(send).toHaveBeenCalledTimes(3);
		expect(outcomesOf(await pay(FIAT, { client, journal: journalOf(nodeContext, 4, '2') }))).toEqual([
			'paid',
		]);
	});

	test('the key of a payment that is held back is free, and a paid key is still told', async () => {
		const { client } = answering(unclear, unclear, unclear);
		const end = jest.fn(() => Promise.resolve());
		const claim = jest.fn(() => Promise.resolve<unknown>({ is: 'claimed', mayDecide: new Date(0), end }));
		await pay({ ...FIAT, paymentKey: 'k' }, { client, claim }, 4);
		expect(end.mock.calls).toEqual([['unknown'], ['unknown'], ['unknown'], ['notSent']]);
	});
});

describe('a retried execution', () => {
	const answers = { client: { account, send: paid } };

	test('pays what has a key, and holds back what has none', async () => {
		const claim = () =>
			Promise.resolve({ is: 'claimed', mayDecide: new Date(0), end: () => Promise.resolve() });
		const withKey = await pay({ ...FIAT, paymentKey: 'k' }, { ...answers, claim, isRetry: true });
		expect(withKey.results).toMatchObject([{ ok: true }]);
		const withoutKey = await pay(FIAT, { isRetry: true });
		expect(withoutKey.results).toMatchObject([
			{
				failure: {
					outcome: 'unknown',
					message: "Not sent because a retried execution pays only items that have a 'Payment Key'",
				},
				row: { result: 'unknown', amount: '1.50' },
			},
		]);
	});

	test('tells what the execution before has paid, without a key too', async () => {
		const nodeContext = {};
		await pay(FIAT, { ...answers, journal: journalOf(nodeContext) });
		const retry = await pay(FIAT, { isRetry: true, journal: journalOf(nodeContext, 0, '2') });
		expect(retry.results).toMatchObject([{ ok: true, id: `po_${payments}` }]);
	});

	test('shows a dry run of what has no key', async () => {
		const describe = () => Promise.resolve({ ok: true, items: [{}] });
		const parameters = { ...FIAT, options: { dryRun: true } };
		const { results } = await pay(parameters, { isRetry: true, client: { account, describe } });
		expect(results).toMatchObject([{ ok: true, items: [{ result: 'dryRun' }] }]);
	});
});

test('an invalid item says that no money has moved, unless an earlier run has paid', async () => {
	const nodeContext = {};
	const said = [];
	for (const [run, amount] of ['ten', '1.50', 'ten'].entries()) {
		const journal = journalOf(nodeContext, run);
		const [result] = (await pay({ ...FIAT, amount }, { journal, client: { account, send: paid } })).results;
		if (result?.ok === false) said.push(result.failure.description?.split('. ').at(-1));
	}
	expect(said).toEqual(['No money was moved.', 'This item was not sent.']);
});

test('what an earlier try has paid is not said to be untried when a later one stops before it', async () => {
	const nodeContext = {};
	const failure = { outcome: 'rejected', message: '' };
	const send = jest.fn(paid).mockResolvedValueOnce({ ok: false, failure } as never);
	const tryAll = async (continueOnFail: boolean) => {
		const journal = journalOf(nodeContext);
		return await pay(FIAT, { journal, continueOnFail, client: { account, send } }, 2);
	};
	await tryAll(true);
	send.mockResolvedValueOnce({ ok: false, failure } as never);
	const { description } = (await tryAll(false)).stoppedAt!.failure;
	expect(description).toContain('Already paid: item 2:');
	expect(description).not.toContain('Not tried');
});

test('a mistake of the node after the request leaves the payment and its key unknown, and is said', async () => {
	const journal = journalOf({});
	const end = jest.fn(() => Promise.resolve());
	const claim = () => Promise.resolve({ is: 'claimed', mayDecide: new Date(0), end });
	const { results } = await pay(
		{ ...FIAT, paymentKey: 'k' },
		{ journal, claim, client: { account, send: notAskedFor } },
	);
	expect(results).toMatchObject([
		{
			failure: {
				outcome: 'unknown',
				message: 'A bug in this node hides the answer of the service: not asked for',
				description: expect.stringContaining('From 1970-01-01T00:00:00.000Z on, look the payment up'),
			},
			row: { result: 'unknown', amount: '1.50' },
		},
	]);
	expect(end.mock.calls).toEqual([['unknown']]);
	const result = { ok: false, failure: { outcome: 'unknown' } };
	expect(journal.get(0)).toMatchObject({ money: { amount: '1.50' }, result });
});

test('a mistake of the node before the request frees the key, and the next item is paid', async () => {
	const end = jest.fn(() => Promise.resolve());
	const claim = () => Promise.resolve({ is: 'claimed', mayDecide: new Date(0), end });
	let asked = 0;
	const isCancelled = () => {
		// The first question comes before the key, the second one before the request.
		if ((asked += 1) === 2) throw new Error('no signal');
		return false;
	};
	const run = { claim, isCancelled, client: { account, send: paid } };
	const { results } = await pay({ ...FIAT, paymentKey: 'k' }, run, 2);
	expect(results).toMatchObject([
		{ failure: { outcome: 'notSent', message: 'Not sent because of a bug in this node: no signal' } },
		{ ok: true },
	]);
	expect(end.mock.calls).toEqual([['notSent'], ['accepted']]);
});

test('while the items of a long list are read, n8n does other work', async () => {
	let [now, turns] = [0, 0];
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 25));
	const turning = setInterval(() => (turns += 1));
	await pay({ ...FIAT, amount: 'ten' }, {}, 9);
	expect(turns).toBeGreaterThan(0);
	// A short list does not wait.
	[turns] = [0, clock.mockReturnValue(0)];
	await pay({ ...FIAT, amount: 'ten' }, {}, 9);
	clearInterval(turning);
	clock.mockRestore();
	expect(turns).toBe(0);
});

test('the time to check Maximum Total grows with the number of items, and not with its square', async () => {
	const parameters = { ...FIAT, options: { maximumTotal: '1000000', dryRun: true } };
	const client = { describe: () => Promise.resolve({ ok: true, items: [{}] }) };
	await expectGrowthWith(500, (length) => async () => await pay(parameters, { client }, length));
});

describe('orders of Convert at Best Rate', () => {
	const ORDER = { from: 'USDT', to: 'NGN', amount: '10', minimumRate: '1400', contractSettings: {} };
	const contract = { contractId: 'c1', from: 'USDT', to: 'NGN', direction: 'sell', rate: '1500', fee: '0' };
	const lists: Record<string, object[]> = {
		'instantLiquidity.getContracts': [{ ...contract, amountAvailable: '1000' }],
		'rate.getAll': [],
	};

	/** Converts what the items say. `said`: what is asked of n8n and of the service, in order. */
	const convert = async (orders: object[], id?: string) => {
		const said: string[] = [];
		const send = async (operation: { id: string }) => {
			said.push(operation.id);
			const items = structuredClone(lists[operation.id]);
			return items === undefined
				? await Promise.resolve({ ok: true, items: [{}], id: id ?? `po_${said.length}`, requestId: 'req-1' })
				: { ok: true, items };
		};
		const client = { account, send, describe: () => Promise.resolve({ ok: true, items: [{}] }) };
		const claim = async () => {
			said.push('key');
			return await Promise.resolve({ is: 'claimed', mayDecide: new Date(0), end: () => Promise.resolve() });
		};
		const value = (order: object) => (name: string) => (order as Record<string, unknown>)[name];
		const market = new Market(client as never);
		const items = orders.map((order) => () => {
			const given = {
				value: value(order),
				expression: value(order),
				evaluate: (expression: string) => expression,
			};
			return readConversion(given, market, false);
		});
		const look = () => Promise.resolve(undefined);
		const operations = [CONVERT_AT_RATE];
		const run = {
			operation: CONVERT_AT_RATE,
			operations,
			isEachAlone: true,
			items,
			client,
			market,
			claim,
			look,
		};
		const { results } = await pay({}, run);
		return { said, results };
	};
	const resultsOf = ({ results }: Awaited<ReturnType<typeof convert>>) =>
		results.map((result) => (result.ok ? result.items[0]?.result : result.failure.message));

	test('what the service offers is read before a key is taken', async () => {
		const { said } = await convert([{ ...ORDER, paymentKey: 'k' }]);
		expect(said).toEqual([
			'instantLiquidity.getContracts',
			'rate.getAll',
			'key',
			'instantLiquidity.convertAtRate',
		]);
	});

	test('a dry run counts a key that comes twice once in Maximum Total', async () => {
		const order = { ...ORDER, paymentKey: 'k', options: { maximumTotal: '15', dryRun: true } };
		expect(resultsOf(await convert([order, order]))).toEqual(['dryRun', 'dryRun']);
		const another = { ...order, paymentKey: 'l' };
		expect(resultsOf(await convert([order, another]))).toEqual([
			'dryRun',
			expect.stringContaining('The total 20'),
		]);
	});

	test('an order that is only tried leaves Maximum Total to the others', async () => {
		const dry = { ...ORDER, options: { maximumTotal: '15', dryRun: true } };
		const real = { ...ORDER, options: { maximumTotal: '15' } };
		expect(resultsOf(await convert([dry, real]))).toEqual(['dryRun', 'paid']);
	});

	test('an answer with the ID of another payment still names its request', async () => {
		const { results } = await convert([ORDER, ORDER], 'po_same');
		expect(results[1]).toMatchObject({ failure: { outcome: 'unknown', requestId: 'req-1' } });
	});
});
