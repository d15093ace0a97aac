/** Payouts in a real n8n: retries, loops, sub-workflows, and every fault of the sandbox. No payout may be made twice. */
import { missed, payThroughFaults, SHORT } from '../../bench/soak/money.ts';
import { itemsOf } from '../../host/n8nClient.ts';
import type { Execution, Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { amountsPaid, failPayoutAfter, list, LISTED, payOutNode } from './payouts.ts';
import { saveCredential, useStack } from './setup.ts';
import { connect, node } from './workflows.ts';

jest.setTimeout(180_000);

const stack = useStack();

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
});

beforeEach(async () => await stack.control('POST', '/reset'));

const failAfter = (payouts: number, fault: Json) => failPayoutAfter(stack, payouts, fault);
const paid = () => amountsPaid(stack);
const payOut = (settings?: Json) => payOutNode(stack, settings);

async function run(name: string, nodes: WorkflowNode[], links: string[]): Promise<Execution> {
	const { id } = await stack.client.saveWorkflow({ name, nodes, connections: connect(...links) });
	return await stack.client.runByHand(id, 'Start');
}

const amountsOf = (execution: Execution, name = 'Pay out') =>
	itemsOf(execution, name).map(({ amount }) => amount);

interface Stopped {
	message: string;
	description: string;
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
	expect(missed(await payThroughFaults(stack, SHORT[0]!, 20_260_301))).toEqual([]);
});

describe.each(['original', 'current'] as const)('"Retry execution" with the %s workflow', (workflow) => {
	const start = async (payouts: string[]) =>
		await run('Retry', [...list(payouts), payOut()], [...LISTED, 'One item each -> Pay out']);

	test('"Retry execution" keeps the accepted payouts and pays what the service now accepts', async () => {
		const execution = await start(['1', '2', '3 supplier-new', '4']);
		const { message, description, context } = stopped(execution);
		expect(message).toContain('[item 2]');
		expect(context).toMatchObject({
			itemIndex: 2,
			outcome: 'rejected',
			executed: [
				{ itemIndex: 0, amount: '1' },
				{ itemIndex: 1, amount: '2' },
			],
		});
		for (const { id } of context.executed) expect(description).toContain(id);
		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const retried = await stack.client.retry(execution.id, workflow);
		expect(retried.status).toBe('success');
		expect(amountsOf(retried)).toEqual(['1', '2', '3', '4']);
		expect(itemsOf(retried, 'Pay out').slice(0, 2)).toMatchObject(
			context.executed.map(({ id }) => ({ payoutId: id })),
		);
		expect(await paid()).toEqual(['1', '2', '3', '4']);
	});

	test('"Retry execution" of an execution and then of its retry pays nothing again', async () => {
		const first = await start(['1', '2', '3 supplier-new']);
		const second = await stack.client.retry(first.id, workflow);
		const third = await stack.client.retry(second.id, workflow);
		expect(stopped(third).context.executed).toEqual(stopped(first).context.executed);
		expect(await paid()).toEqual(['1', '2']);
	});

	test('"Retry execution" does not send an unknown payout again', async () => {
		await failAfter(1, { dropAfter: true });
		const execution = await start(['1', '2', '3']);
		const retried = await stack.client.retry(execution.id, workflow);
		expect(stopped(retried).message).toMatch(/^Not sent again because .* \[item 1\]$/);
		expect(stopped(retried).context).toMatchObject({
			itemIndex: 1,
			outcome: 'unknown',
			executed: [{ itemIndex: 0, amount: '1' }],
		});
		expect(await paid()).toEqual(['1', '2']);
	});

	test('"Retry execution" makes equal payouts of one run as often as the run has them', async () => {
		const execution = await start(['7', '7', '7 supplier-new', '7']);
		expect(stopped(execution).context.executed).toMatchObject([{ itemIndex: 0 }, { itemIndex: 1 }]);
		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const retried = await stack.client.retry(execution.id, workflow);
		expect(new Set(itemsOf(retried, 'Pay out').map(({ payoutId }) => payoutId)).size).toBe(4);
		expect(await paid()).toEqual(['7', '7', '7', '7']);
	});
});

test('"Retry execution" after another credential was chosen pays nothing again', async () => {
	const links = [...LISTED, 'One item each -> Pay out'];
	const execution = await run('Retry', [...list(['1', '2', '3 supplier-new', '4']), payOut()], links);
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	const id = await saveCredential(stack, 'The same again', {});
	const chosen = { credentials: { [CREDENTIAL_TYPE]: { id, name: 'The same again' } } };
	await stack.client.saveWorkflow({
		name: 'Retry',
		nodes: [...list([]), payOut(chosen)],
		connections: connect(...links),
	});
	expect((await stack.client.retry(execution.id, 'current')).status).toBe('success');
	expect(await paid()).toEqual(['1', '2', '3', '4']);
});

describe('payouts in a loop', () => {
	const start = async (payouts: string[], batchSize: number, settings: Json = {}) =>
		await run(
			`Loop of ${batchSize}`,
			[...list(payouts), node('Loop', 'splitInBatches', 3, { batchSize, options: {} }), payOut(settings)],
			[...LISTED, 'One item each -> Loop', 'Loop:1 -> Pay out', 'Pay out -> Loop'],
		);

	test.each([1, 2])(
		'a loop with batches of %i makes each payout once, equal ones included',
		async (batchSize) => {
			await failAfter(2, { status: 422 });
			const execution = await start(['5', '5', '5', '6', '5'], batchSize);
			expect(execution.status).toBe('success');
			expect(amountsOf(execution)).toEqual(['5', '5', '5', '6', '5']);
			expect(await paid()).toEqual(['5', '5', '5', '6', '5']);
		},
	);

	test.each([1, 2])(
		'"Retry execution" continues a stopped loop with batches of %i in the run that stopped',
		async (batchSize) => {
			const execution = await start(['5', '5', '5', '5 supplier-new', '5'], batchSize);
			expect(stopped(execution).context).toMatchObject({
				itemIndex: batchSize - 1,
				executed: batchSize === 1 ? [] : [{ itemIndex: 0, amount: '5' }],
			});
			expect(await paid()).toHaveLength(3);
			await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
			const retried = await stack.client.retry(execution.id, 'original');
			expect(retried.status).toBe('success');
			expect(new Set(itemsOf(retried, 'Pay out').map(({ payoutId }) => payoutId)).size).toBe(5);
			expect(await paid()).toHaveLength(5);
		},
	);

	test('a loop that continues after failures reports the outcome of each payout', async () => {
		await failAfter(1, { dropAfter: true });
		const execution = await start(['1', '2', '3 nobody', '4'], 1, { onError: 'continueRegularOutput' });
		expect(
			itemsOf(execution, 'Pay out').map(({ amount, error }) => amount ?? (error as Json).outcome),
		).toEqual(['1', 'unknown', 'rejected', '4']);
		expect(await paid()).toEqual(['1', '2', '4']);
	});
});

test('error output: each item leaves once, through the right output, with its item link', async () => {
	await failAfter(1, { dropAfter: true });
	const execution = await run(
		'Error output',
		[
			...list(['1 nobody', '2', '3', '4']),
			payOut({ onError: 'continueErrorOutput' }),
			node('Paid', 'noOp', 1),
			node('Not paid', 'noOp', 1),
		],
		[...LISTED, 'One item each -> Pay out', 'Pay out -> Paid', 'Pay out:1 -> Not paid'],
	);
	expect(execution.status).toBe('success');
	expect(amountsOf(execution, 'Paid')).toEqual(['3', '4']);
	// A failed item keeps the fields of its input item.
	expect(itemsOf(execution, 'Not paid')).toMatchObject([
		{ amount: '1', alias: 'nobody', error: { outcome: 'rejected', httpStatus: 404 } },
		{ amount: '2', error: { outcome: 'unknown' } },
	]);
	expect(await paid()).toEqual(['2', '3', '4']);
});

describe('payouts in a sub-workflow', () => {
	/** With `each`, every item gets its own execution of the sub-workflow. */
	const start = async (
		payouts: string[],
		mode: 'once' | 'each',
		{ inside = {}, outside = {} }: { inside?: Json; outside?: Json } = {},
	) => {
		const stored = await stack.client.saveWorkflow({
			name: 'Sub-workflow that pays',
			nodes: [node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), payOut(inside)],
			connections: connect('Called -> Pay out'),
		});
		// A retried caller can only call published workflows.
		await stack.client.publish(stored);
		const caller = node('Call', 'executeWorkflow', 1.2, {
			workflowId: { __rl: true, mode: 'id', value: stored.id },
			mode,
			options: {},
		});
		return await run(
			'Caller',
			[...list(payouts), { ...caller, ...outside }],
			[...LISTED, 'One item each -> Call'],
		);
	};

	test.each(['once', 'each'] as const)(
		'a sub-workflow called %s, with Retry On Fail inside, pays once',
		async (mode) => {
			await failAfter(1, { status: 422 });
			const execution = await start(['1', '2', '3'], mode);
			expect(execution.status).toBe('success');
			expect(amountsOf(execution, 'Call')).toEqual(['1', '2', '3']);
			expect(await paid()).toEqual(['1', '2', '3']);
		},
	);

	test('an unknown payout in a sub-workflow stops the caller, with the reason', async () => {
		await failAfter(1, { dropAfter: true });
		const { message } = stopped(await start(['1', '2', '3'], 'once'));
		expect(message).toContain('[item 1]');
		expect(await paid()).toEqual(['1', '2']);
	});

	test('a sub-workflow that continues after failures succeeds, so the caller does not call it again', async () => {
		await failAfter(1, { dropAfter: true });
		const execution = await start(['1', '2', '3'], 'once', {
			inside: { onError: 'continueRegularOutput' },
		});
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, 'Call').map(({ amount, error }) => amount ?? (error as Json).outcome)).toEqual([
			'1',
			'unknown',
			'3',
		]);
		expect(await paid()).toEqual(['1', '2', '3']);
	});

	// Each call is a new execution, which no node can connect to the earlier one. The README warns of this.
	test('a failed sub-workflow that the caller calls again pays again', async () => {
		const outside = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const execution = await start(['1', '2 supplier-new'], 'once', { outside });
		expect(execution.status).toBe('error');
		expect(await paid()).toEqual(['1', '1']);
		await stack.client.retry(execution.id, 'original');
		expect(await paid()).toEqual(['1', '1', '1', '1']);
	});
});
