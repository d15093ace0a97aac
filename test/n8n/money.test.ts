/** Payouts in a real n8n: retries, loops, sub-workflows, and every fault of the sandbox. No payout may be made twice. */
import { payThroughFaults, SHORT } from '../../soak/payouts/payoutFaults.ts';
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Execution, Json, WorkflowNode } from '../../host/n8n/client.ts';
import {
	amountsPaid,
	BY_AMOUNT,
	failPayoutAfter,
	list,
	LISTED,
	payOutNode,
	payoutsMade,
} from '../../host/testkit/payments.ts';
import { renewForEachTest, useStack } from './setup.ts';
import { calls, connect, inLine, node, publishLine, saveOther } from '../../host/testkit/workflows.ts';

const stack = useStack();

renewForEachTest(stack);

const failAfter = (payouts: number, fault: Json) => failPayoutAfter(stack, payouts, fault);
const paid = () => amountsPaid(stack);
const payOut = (settings?: Json) => payOutNode(stack, settings);

/** Runs nodes that are connected in line, or in another way. */
async function run(name: string, nodes: WorkflowNode[], connections = inLine(nodes)): Promise<Execution> {
	const { id } = await stack.client.saveWorkflow({ name, nodes, connections });
	return await stack.client.runByHand(id, 'Start');
}

const amountsOf = (execution: Execution, name = 'Pay out') =>
	itemsOf(execution, name).map(({ amount }) => amount);

interface Stopped {
	message: string;
	context: {
		itemIndex: number;
		outcome: string;
		executed: Array<{ itemIndex: number; id: string; amount: string }>;
	};
}

function stopped({ status, data: { resultData } }: Execution): Stopped {
	expect(status).toBe('error');
	return resultData.error as unknown as Stopped;
}

test('while the service fails in every way, each payout is reported, none is made twice, and no digit is lost', async () => {
	expect((await payThroughFaults(stack, SHORT[0])).misses).toEqual([]);
});

test('"Retry execution" after another credential was chosen pays nothing again', async () => {
	const execution = await run('Retry', [...list(['1', '2', '3 supplier-new', '4']), payOut(BY_AMOUNT)]);
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	const credentials = await saveOther(stack, 'The same again', {});
	const nodes = [...list([]), payOut({ ...BY_AMOUNT, credentials })];
	await stack.client.saveWorkflow({ name: 'Retry', nodes, connections: inLine(nodes) });
	expect((await stack.client.retry(execution.id, 'current')).status).toBe('success');
	expect(paid()).toEqual(['1', '2', '3', '4']);
});

describe('"Retry execution"', () => {
	const later = node('Later', 'stopAndError', { errorMessage: 'The node after it fails' });
	const retry = async ({ id }: Execution) => await stack.client.retry(id, 'original');

	test('pays what was not paid by key, and nothing twice, however often it is chosen', async () => {
		const nodes = [...list(['1', '2', '3 supplier-new']), payOut(BY_AMOUNT), later];
		const first = await run('Retried twice', nodes);
		const { executed } = stopped(first).context;
		expect(executed).toMatchObject([{ amount: '1' }, { amount: '2' }]);
		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const second = await retry(first);
		for (const retried of [second, await retry(first), await retry(second)]) {
			expect(stopped(retried).message).toBe('The node after it fails');
			expect(itemsOf(retried, 'Pay out').slice(0, 2)).toMatchObject(
				executed.map(({ id, amount }) => ({ amount, payoutId: id })),
			);
		}
		expect(paid()).toEqual(['1', '2', '3']);
	});

	test('sends nothing without a key that its execution has not sent', async () => {
		const first = await run('Retried without keys', [...list(['1', '2 supplier-new', '3']), payOut()]);
		expect(stopped(first).context.executed).toMatchObject([{ amount: '1' }]);
		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const refused = await retry(first);
		expect(stopped(refused).message).toBe(
			"1 of 3 already paid. Not sent because a retried execution pays only items that have a 'Payment Key' [item 2 of 3]",
		);
		expect(paid()).toEqual(['1']);
	});

	test('of an execution that still runs pays nothing a second time', async () => {
		await failAfter(1, { delayMs: 6000 });
		const nodes = [...list(['1', '2', '3']), payOut()];
		const { id } = await stack.client.saveWorkflow({
			name: 'Retried while it runs',
			nodes,
			connections: inLine(nodes),
		});
		const running = await stack.client.startByHand(id, 'Start');
		await until('the second payout', () => paid().length === 2);
		const early = await stack.client.retry(running, 'original').catch((error: Error) => error);
		if (!(early instanceof Error)) expect(early.status).not.toBe('success');
		expect((await stack.client.ended(running)).status).toBe('success');
		expect(paid()).toEqual(['1', '2', '3']);
	});
});

describe('a batch that is ended while a payout is under way', () => {
	/** Starts a batch whose third payout gets no answer for a while, and waits until the service has made it. */
	const start = async (name: string, settings: Json = {}) => {
		await failAfter(2, { delayMs: 20_000 });
		const nodes = [...list(['1', '2', '3', '4']), payOut()];
		const { id } = await stack.client.saveWorkflow({
			name,
			nodes,
			connections: inLine(nodes),
			settings: { executionOrder: 'v1', ...settings },
		});
		const execution = await stack.client.startByHand(id, 'Start');
		await until('the third payout', () => paid().length === 3);
		return execution;
	};

	/** Waits for what both APIs of n8n show of the execution. */
	const shown = async (execution: string) => {
		const ended = (await stack.client.ended(execution)) as Execution & { customData: Json };
		const { customData } = await stack.client.rest<{ customData: Json }>('GET', `/executions/${execution}`);
		expect(customData).toEqual(ended.customData);
		return ended;
	};

	const expectShown = ({ status, customData }: { status: string; customData: Json }) => {
		expect(status).toBe('canceled');
		const [one, two] = payoutsMade(stack);
		expect(customData).toEqual({
			payments_accepted: `item 1: 1 NGN to supplier-main, ID ${one!.payout_id}; item 2: 2 NGN to supplier-main, ID ${two!.payout_id}`,
			payments_unknown: 'item 3: 3 NGN to supplier-main',
		});
	};

	test('after the user stops a batch, the custom data of the execution name what was accepted and what is unknown', async () => {
		const execution = await start('Stopped by the user');
		await stack.client.rest('POST', `/executions/${execution}/stop`);
		expectShown(await shown(execution));
		expect(paid()).toEqual(['1', '2', '3']);
		await expect(stack.client.retry(execution, 'original')).rejects.toThrow('cannot be retried');
	});

	// n8n stores the execution before the node ends, so it may lose the error, but not the custom data.
	test("after the workflow's time-out, the custom data name the payouts, and a retry pays none again", async () => {
		const execution = await start('Stopped by the time-out', { executionTimeout: 4 });
		expectShown(await shown(execution));
		// If n8n has lost the error, it has lost the node's turn too, and a retry runs nothing.
		const { status, data } = await stack.client.retry(execution, 'original');
		const { message } = data.resultData.error ?? {};
		expect([status, message]).toEqual(
			status === 'success'
				? ['success', undefined]
				: [
						'error',
						expect.stringMatching(/^2 of \d already paid\. Not sent again because .* \[item 3 of \d\]$/),
					],
		);
		expect(paid()).toEqual(['1', '2', '3']);
	});
});

test('a credential that is limited to other domains sends nothing elsewhere, and says so', async () => {
	const limits = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
	const credentials = await saveOther(stack, 'Limited domains', limits);
	const settings = { credentials, onError: 'continueRegularOutput' };
	const execution = await run('Limited domains', [...list(['1']), payOut(settings)]);
	const error = { outcome: 'notSent', message: expect.stringMatching(/Domain not allowed/) };
	expect(itemsOf(execution, 'Pay out')).toMatchObject([{ result: 'notSent', error }]);
	expect(paid()).toEqual([]);
});

describe('payouts in a loop', () => {
	const start = async (payouts: string[], batchSize: number, settings: Json = {}) =>
		await run(
			`Loop of ${batchSize}`,
			[...list(payouts), node('Loop', 'splitInBatches', { batchSize, options: {} }), payOut(settings)],
			connect(`${LISTED} -> Loop`, 'Loop:1 -> Pay out -> Loop'),
		);

	test('a loop with batches of 1 makes each payout once, equal ones included', async () => {
		await failAfter(2, { status: 422 });
		const execution = await start(['5', '5', '5', '6', '5'], 1);
		expect(execution.status).toBe('success');
		expect(amountsOf(execution)).toEqual(['5', '5', '5', '6', '5']);
		expect(paid()).toEqual(['5', '5', '5', '6', '5']);
	});

	test('"Retry execution" continues a stopped loop with batches of 2 in the run that stopped', async () => {
		const execution = await start(['5', '6', '7', '8 supplier-new', '9'], 2, BY_AMOUNT);
		expect(stopped(execution).context).toMatchObject({
			itemIndex: 1,
			executed: [{ itemIndex: 0, amount: '7' }],
		});
		expect(paid()).toHaveLength(3);
		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const retried = await stack.client.retry(execution.id, 'original');
		expect(retried.status).toBe('success');
		expect(new Set(itemsOf(retried, 'Pay out').map(({ payoutId }) => payoutId)).size).toBe(5);
		expect(paid()).toHaveLength(5);
	});
});

test('error output: each item leaves once, through the right output, with its item link', async () => {
	await failAfter(1, { dropAfter: true });
	const execution = await run(
		'Error output',
		[
			...list(['1 nobody', '2', '3', '4']),
			payOut({ onError: 'continueErrorOutput' }),
			node('Paid', 'noOp'),
			node('Not paid', 'noOp'),
		],
		connect(`${LISTED} -> Pay out -> Paid`, 'Pay out:1 -> Not paid'),
	);
	expect(execution.status).toBe('success');
	expect(amountsOf(execution, 'Paid')).toEqual(['3', '4']);
	// A failed item keeps the fields of its input item.
	expect(itemsOf(execution, 'Not paid')).toMatchObject([
		{ amount: '1', alias: 'nobody', error: { outcome: 'rejected', httpStatus: 404 } },
		{ amount: '2', error: { outcome: 'unknown' } },
	]);
	expect(paid()).toEqual(['2', '3', '4']);
});

describe('payouts in a sub-workflow', () => {
	/** With `each`, every item gets its own execution of the sub-workflow. */
	const start = async (payouts: string[], mode: 'once' | 'each', settings: Json = {}) => {
		const called = node('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' });
		// A retried caller can only call published workflows.
		const stored = await publishLine(stack.client, 'Sub-workflow that pays', called, payOut());
		const call = node('Call', 'executeWorkflow', { ...calls(stored), mode, options: {} }, settings);
		return await run('Caller', [...list(payouts), call]);
	};

	test('a sub-workflow that is called for each item, with Retry On Fail inside, pays once', async () => {
		await failAfter(1, { status: 422 });
		const execution = await start(['1', '2', '3'], 'each');
		expect(execution.status).toBe('success');
		expect(amountsOf(execution, 'Call')).toEqual(['1', '2', '3']);
		expect(paid()).toEqual(['1', '2', '3']);
	});

	test('an unknown payout in a sub-workflow stops the caller, with the reason', async () => {
		await failAfter(1, { dropAfter: true });
		const { message } = stopped(await start(['1', '2', '3'], 'once'));
		expect(message).toContain('[item 2 of 3]');
		expect(paid()).toEqual(['1', '2']);
	});

	// Each call is a new execution, which no node can connect to the earlier one. The README warns of this.
	test('a failed sub-workflow that the caller calls again pays again', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const execution = await start(['1', '2 supplier-new'], 'once', settings);
		expect(execution.status).toBe('error');
		expect(paid()).toEqual(['1', '1']);
		await stack.client.retry(execution.id, 'original');
		expect(paid()).toEqual(['1', '1', '1', '1']);
	});
});
