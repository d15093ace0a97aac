/** How a run goes over its items, without n8n and without a service. */
import { getOperation } from '../../api/catalog.ts';
import { ExecutionLedger } from '../../nodes/WalletService/action/change/remember/ledger.ts';
import { payItems } from '../../nodes/WalletService/action/change/pay/payItems.ts';

const FIAT = { currency: 'NGN', amount: '1.50', account_alias: 'supplier-main' };
const account = () => Promise.resolve('a');
const paid = () => Promise.resolve({ ok: true, items: [{}], id: 'po_1' });
const notAskedFor = () => Promise.reject(new Error('not asked for'));

/** Pays items with these parameters. Nothing is asked of n8n or of the service, but for what `run` has. */
const pay = async (parameters: object, run: object, length = 1) => {
	const value = (name: string) => (parameters as Record<string, unknown>)[name];
	const item = { value, expression: value, evaluate: (expression: string) => expression };
	const client = { account, send: notAskedFor, describe: notAskedFor };
	return await payItems({
		operation: getOperation('fiatWallet.createPayout'),
		items: Array.from({ length }, () => item),
		ledger: new ExecutionLedger({}, 0, '1'),
		client,
		claim: notAskedFor,
		takePayment: notAskedFor,
		takeRepeat: notAskedFor,
		isRepeat: notAskedFor,
		checkRetry: () => Promise.resolve(undefined),
		isTool: false,
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
		const ledger = new ExecutionLedger(nodeContext, run, '1');
		const [result] = (await pay(parameters, { ledger, client })).results;
		outcomes.push(result?.ok === true ? 'paid' : result?.failure.message);
	}
	expect(outcomes).toEqual(['paid', 'paid', expect.stringContaining('The total 4.50 of this execution')]);
	expect(send).toHaveBeenCalledTimes(2);
});

test('in a loop of a retried execution, a run that is refused leaves the state to the run that pays', async () => {
	const nodeContext = {};
	new ExecutionLedger(nodeContext, 0, 'failed').takeOver();
	const retried: unknown[] = [];
	for (const [run, amount] of ['ten', '1.50', '1.50'].entries()) {
		const ledger = new ExecutionLedger(nodeContext, run, 'retry');
		retried.push(ledger.continuedFrom);
		await pay({ ...FIAT, amount }, { ledger, client: { account, send: paid } });
	}
	expect(retried).toEqual(['failed', 'failed', undefined]);
});

test('a retry that may send the key again and reaches no service leaves nothing unknown', async () => {
	const nodeContext = {};
	const outcomes = [];
	for (const [executionId, outcome] of Object.entries({ failed: 'unknown', retry: 'notSent' })) {
		const ledger = new ExecutionLedger(nodeContext, 0, executionId);
		const claim = () => Promise.resolve({ is: 'claimed', end: () => Promise.resolve() });
		const send = () => Promise.resolve({ ok: false, failure: { outcome, message: '' } });
		const run = { ledger, claim, client: { account, send } };
		const [result] = (await pay({ ...FIAT, paymentKey: 'k' }, run)).results;
		outcomes.push(result?.ok === false && result.failure.outcome);
	}
	expect(outcomes).toEqual(['unknown', 'notSent']);
});

test('an invalid item says that no money has moved, unless an earlier run has paid', async () => {
	const nodeContext = {};
	const said = [];
	for (const [run, amount] of ['ten', '1.50', 'ten'].entries()) {
		const ledger = new ExecutionLedger(nodeContext, run, '1');
		const [result] = (await pay({ ...FIAT, amount }, { ledger, client: { account, send: paid } })).results;
		if (result?.ok === false) said.push(result.failure.description?.split('. ').at(-1));
	}
	expect(said).toEqual(['No money was moved.', 'This item was not sent.']);
});

test('what an earlier try has paid is not said to be untried when a later one stops before it', async () => {
	const nodeContext = {};
	const failure = { outcome: 'rejected', message: '' };
	const send = jest.fn(paid).mockResolvedValueOnce({ ok: false, failure } as never);
	const tryAll = async (continueOnFail: boolean) => {
		const ledger = new ExecutionLedger(nodeContext, 0, '1');
		return await pay(FIAT, { ledger, continueOnFail, client: { account, send } }, 2);
	};
	await tryAll(true);
	send.mockResolvedValueOnce({ ok: false, failure } as never);
	const { description } = (await tryAll(false)).stoppedAt!.failure;
	expect(description).toContain('Already paid: item 1:');
	expect(description).not.toContain('Not tried');
});

test('a payment that n8n never hears of again is kept as unknown', async () => {
	const ledger = new ExecutionLedger({}, 0, '1');
	const lost = pay(FIAT, { ledger, client: { account, send: notAskedFor } });
	await expect(lost).rejects.toThrow('not asked for');
	const result = { ok: false, failure: { outcome: 'unknown' } };
	expect(ledger.get(0)).toMatchObject({ money: { amount: '1.50' }, result });
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
	/** Processor time, because other tests run at the same time. */
	const timeOf = async (length: number) => {
		const begun = process.cpuUsage();
		await pay(parameters, { client }, length);
		const { user, system } = process.cpuUsage(begun);
		return user + system;
	};
	const shortestTimeOf = async (length: number) => {
		let shortest = Infinity;
		for (let tries = 0; tries < 4; tries += 1) shortest = Math.min(shortest, await timeOf(length));
		return shortest;
	};
	// Eight times as many take 64 times as long if the time grows with the square.
	expect((await shortestTimeOf(4000)) / (await shortestTimeOf(500))).toBeLessThan(20);
});
