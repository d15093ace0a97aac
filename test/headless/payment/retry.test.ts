import { parse, stringify } from 'flatted';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type { INodeExecutionData, INodeType, IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import { WalletServiceApi } from '../../../credentials/WalletServiceApi.credentials.ts';
import { WalletService } from '../../../nodes/WalletService/WalletService.node.ts';
import { createEngine, newExecutionId, NODE, SOURCE } from '../engine.ts';
import { CONTINUED, cryptoPayout, FIAT, PAYOUT, resultOf, withPayments } from '../withPayments.ts';
import type { Setup } from '../withPayments.ts';

/** Within an execution and its retries, each payment is made once, whatever n8n tries again. */
const { credentials, fault, accepted, asked, ...payments } = withPayments();

const payout = (amount: string, alias = 'supplier-main') => ({ json: { amount, alias } });

const run = async (options: object, items: Setup['items'], settings: Setup['settings'] = {}) =>
	await payments.run({ ...PAYOUT, options }, { items, settings });

describe('Retry On Fail', () => {
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('Retry On Fail sends rejected payouts again, and no accepted one', async () => {
		await fault({ delayMs: 1 }, 2);
		await fault({ status: 422 }, 1);
		const { items, error } = await run(
			{},
			['1', '2', '3', '4'].map((amount) => payout(amount)),
			retrying,
		);
		expect(error).toBeUndefined();
		expect(items[0]!.map(({ json, pairedItem }) => [json.amount, pairedItem])).toEqual([
			['1', { item: 0 }],
			['2', { item: 1 }],
			['3', { item: 2 }],
			['4', { item: 3 }],
		]);
		expect(accepted()).toEqual(['1', '2', '3', '4']);
		expect(asked()).toBe(5);
	});

	test.each([{ dropAfter: true }, { malformed: true }, { status: 500, acted: true }])(
		'Retry On Fail never resends a payout that may have been accepted: %p',
		async (kind) => {
			await fault({ delayMs: 1 }, 1);
			await fault(kind, 1);
			const { error } = await run({}, [payout('1'), payout('2'), payout('3')], retrying);
			expect(error?.message).toMatch(
				/^1 of 3 already paid\. Not sent again because an earlier try may have moved this money: .* \[item 1\]$/,
			);
			expect(error?.context).toMatchObject({ outcome: 'unknown', executed: [{ itemIndex: 0, amount: '1' }] });
			expect(accepted()).toEqual(['1', '2']);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'Retry On Fail in mode %s makes each payout once',
		async (onError) => {
			await fault({ dropAfter: true }, 1);
			await fault({ status: 422 }, 1);
			const { items } = await run(
				{},
				['1', '2', '3'].map((amount) => payout(amount)),
				{ ...retrying, onError },
			);
			expect(accepted().sort()).toEqual(['1', '2', '3']);
			const all = items.flat();
			expect(all).toHaveLength(3);
			const failed = all.filter(({ json }) => json.error);
			expect(
				failed.map(({ json, pairedItem }) => [(json.error as { outcome: string }).outcome, pairedItem]),
			).toEqual([['unknown', { item: 0 }]]);
		},
	);

	test('an item that becomes invalid between two tries hides no outcome of the first try', async () => {
		await fault({ dropAfter: true }, 1);
		await fault({ status: 422 }, 1);
		const items = [payout('1'), payout('2'), payout('3')];
		const turning = setInterval(() => {
			if (asked() >= 3) items[1]!.json.amount = 'x';
		}, 1);
		const slowly = { ...retrying, maxTries: 2, waitBetweenTries: 200 };
		const { items: outputs } = await run({}, items, { ...slowly, onError: 'continueRegularOutput' });
		clearInterval(turning);
		const outcomes = outputs[0]!.map(({ json }) => [json.result, json.amount]);
		expect(outcomes).toEqual([
			['unknown', '1'],
			['notSent', undefined],
			['paid', '3'],
		]);
		expect(accepted()).toEqual(['1', '3']);
	});

	test('an item that becomes invalid between two tries stops the node with a list of the earlier payouts', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const items = [payout('1'), payout('2')];
		const turning = setInterval(() => {
			if (asked() >= 2) items[1]!.json.amount = 'x';
		}, 1);
		const { error } = await run({}, items, { ...retrying, maxTries: 2, waitBetweenTries: 200 });
		clearInterval(turning);
		expect(error?.message).toBe("1 of 2 already paid. 'Amount' is not a decimal number: x [item 1]");
		expect(error?.context).toMatchObject({ outcome: 'notSent', executed: [{ itemIndex: 0, amount: '1' }] });
		expect(error).toMatchObject({ description: expect.stringContaining('Already paid: item 0: 1 NGN') });
		expect(accepted()).toEqual(['1']);
	});

	test('an expression that gives a different value in each try pays once', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const requestBody =
			'={{ JSON.stringify({ coin: "USDT", amount: $json.amount, wallet_alias: "treasury", ref: Math.random() }) }}';
		await fault({ delayMs: 1 }, 1, 'POST /v1/crypto_payout');
		await fault({ status: 422 }, 1, 'POST /v1/crypto_payout');
		const { error } = await payments.run(
			{ resource: 'cryptoWallet', operation: 'createPayout', specifyBody: 'json', requestBody },
			{ items: [payout('1'), payout('2')], settings: retrying },
		);
		expect(error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2']);
	});
});

describe('"Retry execution"', () => {
	test('"Retry execution" continues where the node stopped', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const items = [payout('1'), payout('2'), payout('3')];
		const failed = await run({}, items);
		expect(failed.error?.context).toMatchObject({
			outcome: 'rejected',
			executed: [{ itemIndex: 0, amount: '1' }],
		});
		expect(accepted()).toEqual(['1']);
		const { items: outputs, error } = await failed.retry();
		expect(error).toBeUndefined();
		expect(outputs[0]!.map(({ json }) => json.amount)).toEqual(['1', '2', '3']);
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('"Retry execution" never resends a payout whose outcome is unknown', async () => {
		await fault({ dropAfter: true }, 1);
		let failed = await run({}, [payout('1'), payout('2')]);
		for (let retry = 0; retry < 3; retry++) {
			expect(failed.error?.context).toMatchObject({ outcome: 'unknown' });
			failed = await failed.retry();
		}
		expect(accepted()).toEqual(['1']);
		expect(asked()).toBe(1);
	});

	test('after the node was given another operation, an item that may have paid is not sent again', async () => {
		await fault({ dropAfter: true }, 1);
		const failed = await run({}, [payout('1')]);
		const { error } = await failed.retry({
			parameters: cryptoPayout('{"coin":"USDT","amount":"1","wallet_alias":"treasury"}'),
		});
		expect(error).toMatchObject({
			message: 'Not sent because another operation may have moved money for this item in this execution',
			description: expect.stringContaining('The node used POST /v1/fiat_payout before it was changed'),
		});
		expect(asked()).toBe(1);
	});

	test.each([
		['another key', { paymentKey: 'b' }],
		['no key', {}],
		['an amount that cannot be read', { paymentKey: 'a', amount: '1,000' }],
	])(
		'after the node was given %s, an item that may have paid still has an unknown outcome',
		async (_, changed) => {
			await fault({ dropAfter: true }, 1);
			const failed = await payments.run({ ...PAYOUT, paymentKey: 'a' }, { items: [payout('1')] });
			const { items } = await failed.retry({ parameters: { ...PAYOUT, ...changed }, ...CONTINUED });
			expect(items.flat().map(resultOf)).toEqual(['unknown']);
			expect(asked()).toBe(1);
		},
	);

	const items = ['1', '2', '3'].map((amount) => payout(amount));

	test('a second retry of an older execution does not pay again what the first retry has paid', async () => {
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const failed = await run({}, items);
		await fault({ delayMs: 1 }, 1);
		await fault({ status: 422 }, 1);
		const retried = await failed.retry();
		expect(retried.error?.context).toMatchObject({ outcome: 'rejected' });
		const stale = await failed.retry();
		expect(stale.error?.message).toMatch(/^Not sent because execution \d+ was retried before$/);
		expect(stale.error?.context).toMatchObject({ outcome: 'notSent' });
		const newest = await retried.retry();
		expect(newest.error).toBeUndefined();
		expect(accepted()).toEqual(['1', '2', '3']);
	});

	test('when an execution is retried twice at the same time, one retry pays', async () => {
		await fault({ status: 422 }, 1);
		const failed = await run({}, items);
		const both = await Promise.all([failed.retry(), failed.retry()]);
		expect(both.map(({ error }) => error === undefined).sort()).toEqual([false, true]);
		expect(accepted()).toHaveLength(3);
	});
});

describe('"Retry execution" of an execution that failed before the payment', () => {
	/** Fails in the first execution only. */
	let broken = true;
	class Step implements INodeType {
		description = {
			displayName: 'Step',
			name: 'step',
			group: ['transform' as const],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main' as const],
			outputs: ['main' as const],
			properties: [],
		};
		async execute(this: { getInputData(): INodeExecutionData[] }) {
			if (broken) throw new Error('The step before the payment fails');
			return await Promise.resolve([this.getInputData()]);
		}
	}

	test('the payment is made once when the same execution is retried twice', async () => {
		const engine = createEngine([WalletService, Step as never], WalletServiceApi);
		const setup = { parameters: FIAT, credentials };
		const execute = async (mode: WorkflowExecuteMode, failed?: IRunExecutionData) => {
			const node = engine.nodeOf(setup);
			const step = {
				...node,
				id: 'step-id',
				name: 'Step',
				type: 'n8n-nodes-wallet-service.step',
				parameters: {},
			};
			const workflow = new Workflow({
				id: 'workflow-id',
				nodes: [{ ...step, id: 'source-id', name: SOURCE, type: SOURCE }, step, node],
				connections: {
					[SOURCE]: { main: [[{ node: 'Step', type: 'main', index: 0 }]] },
					Step: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
				},
				active: false,
				nodeTypes: engine.nodeTypes,
				settings: { executionOrder: 'v1' },
			});
			const executionId = newExecutionId();
			const hooks = new ExecutionLifecycleHooks(mode, executionId, {} as never);
			const execution = new WorkflowExecute(
				engine.additionalDataOf(setup, { hooks, executionId }),
				mode,
				failed,
			);
			return failed
				? await execution.processRunExecutionData(workflow)
				: await execution.run({
						workflow,
						startNode: workflow.nodes[SOURCE],
						pinData: { [SOURCE]: [{ json: {} }] },
					});
		};
		const failBefore = async () => {
			broken = true;
			const stored = stringify((await execute('trigger')).data);
			broken = false;
			return stored;
		};
		const retry = async (stored: string) => {
			const data = parse(stored) as IRunExecutionData;
			delete data.resultData.error;
			data.resultData.runData.Step?.pop();
			await execute('retry', data);
		};
		const failed = await failBefore();
		await retry(failed);
		await retry(failed);
		expect(accepted()).toEqual(['10']);
		// Another execution that failed in the same way is another payment.
		await retry(await failBefore());
		expect(accepted()).toEqual(['10', '10']);
	});
});

test('two equal items in one run make two payouts', async () => {
	const { items } = await run({}, [payout('5'), payout('5')]);
	expect(new Set(items[0]!.map(({ json }) => json.payoutId)).size).toBe(2);
	expect(accepted()).toEqual(['5', '5']);
});
