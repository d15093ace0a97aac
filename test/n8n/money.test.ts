/** Money moves once, in the real n8n: what the engine does around the node, and every fault that the sandbox knows. */
import { missed, payThroughFaults, SHORT } from '../../bench/soak/money.ts';
import { itemsOf } from '../../host/n8nClient.ts';
import type { Execution, Json, WorkflowNode } from '../../host/n8nClient.ts';
import { CREDENTIAL_TYPE, startTemporaryStack } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { amountsPaid, connect, failPayoutAfter, list, LISTED, node, payOutNode } from './payouts.ts';

jest.setTimeout(180_000);

let stack: Stack;

beforeAll(async () => {
	stack = await startTemporaryStack();
	await stack.control('PUT', '/webhook', { url: null });
});

afterAll(async () => {
	await stack?.stop();
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

test('while the service fails in every way: nothing unseen, nothing twice, no digit lost', async () => {
	expect(missed(await payThroughFaults(stack, SHORT[0], 20_260_301))).toEqual([]);
});

describe.each(['original', 'current'] as const)('"Retry execution" with the %s workflow', (workflow) => {
	const start = async (payouts: string[]) =>
		await run('Retry', [...list(payouts), payOut()], [...LISTED, 'One item each -> Pay out']);

	test('goes on after what was accepted, and pays what the service now takes', async () => {
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

	test('twice in a row, and of a retry, pays nothing again', async () => {
		const first = await start(['1', '2', '3 supplier-new']);
		const second = await stack.client.retry(first.id, workflow);
		const third = await stack.client.retry(second.id, workflow);
		expect(stopped(third).context.executed).toEqual(stopped(first).context.executed);
		expect(await paid()).toEqual(['1', '2']);
	});

	test('does not send what is unknown', async () => {
		await failAfter(1, { dropAfter: true });
		const execution = await start(['1', '2', '3']);
		const retried = await stack.client.retry(execution.id, workflow);
		expect(stopped(retried).message).toMatch(/^Not sent again, .* \[item 1\]$/);
		expect(stopped(retried).context).toMatchObject({
			itemIndex: 1,
			outcome: 'unknown',
			executed: [{ itemIndex: 0, amount: '1' }],
		});
		expect(await paid()).toEqual(['1', '2']);
	});

	test('two equal payouts of one run are two, however often it is tried', async () => {
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
	const id = await stack.client.saveCredential(CREDENTIAL_TYPE, 'The same again', stack.credential.data);
	const chosen = { credentials: { [CREDENTIAL_TYPE]: { id, name: 'The same again' } } };
	await stack.client.saveWorkflow({
		name: 'Retry',
		nodes: [...list([]), payOut(chosen)],
		connections: connect(...links),
	});
	expect((await stack.client.retry(execution.id, 'current')).status).toBe('success');
	expect(await paid()).toEqual(['1', '2', '3', '4']);
});

describe('in a loop', () => {
	const start = async (payouts: string[], batchSize: number, settings: Json = {}) =>
		await run(
			`Loop of ${batchSize}`,
			[...list(payouts), node('Loop', 'splitInBatches', 3, { batchSize, options: {} }), payOut(settings)],
			[...LISTED, 'One item each -> Loop', 'Loop:1 -> Pay out', 'Pay out -> Loop'],
		);

	test.each([1, 2])('of %i, equal payouts included, each is made once', async (batchSize) => {
		await failAfter(2, { status: 409 });
		const execution = await start(['5', '5', '5', '6', '5'], batchSize);
		expect(execution.status).toBe('success');
		expect(amountsOf(execution)).toEqual(['5', '5', '5', '6', '5']);
		expect(await paid()).toEqual(['5', '5', '5', '6', '5']);
	});

	test.each([1, 2])('of %i that stops, "Retry execution" goes on in that run', async (batchSize) => {
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
	});

	test('that goes on after failures says of each payout what became of it', async () => {
		await failAfter(1, { dropAfter: true });
		const execution = await start(['1', '2', '3 nobody', '4'], 1, { onError: 'continueRegularOutput' });
		expect(
			itemsOf(execution, 'Pay out').map(({ amount, error }) => amount ?? (error as Json).outcome),
		).toEqual(['1', 'unknown', 'rejected', '4']);
		expect(await paid()).toEqual(['1', '2', '4']);
	});
});

test('the error output: each item comes out once, on its side, with its link', async () => {
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
	// What failed has the fields of the item that it came from.
	expect(itemsOf(execution, 'Not paid')).toMatchObject([
		{ amount: '1', alias: 'nobody', error: { outcome: 'rejected', httpStatus: 404 } },
		{ amount: '2', error: { outcome: 'unknown' } },
	]);
	expect(await paid()).toEqual(['2', '3', '4']);
});

describe('in a sub-workflow', () => {
	/** `each`: one execution of the sub-workflow for each item. */
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
		// A retried caller can call published workflows only.
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

	test.each(['once', 'each'] as const)('called %s, with Retry On Fail inside, pays once', async (mode) => {
		await failAfter(1, { status: 409 });
		const execution = await start(['1', '2', '3'], mode);
		expect(execution.status).toBe('success');
		expect(amountsOf(execution, 'Call')).toEqual(['1', '2', '3']);
		expect(await paid()).toEqual(['1', '2', '3']);
	});

	test('an unknown payout stops the caller, which is told', async () => {
		await failAfter(1, { dropAfter: true });
		const { message } = stopped(await start(['1', '2', '3'], 'once'));
		expect(message).toContain('[item 1]');
		expect(await paid()).toEqual(['1', '2']);
	});

	test('that goes on after failures gives the caller no reason to call it again', async () => {
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

	// Each call is a new execution, which knows nothing of the one before: no node can. The README warns of it.
	test('that failed and is called again by the caller, pays again', async () => {
		const outside = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const execution = await start(['1', '2 supplier-new'], 'once', { outside });
		expect(execution.status).toBe('error');
		expect(await paid()).toEqual(['1', '1']);
		await stack.client.retry(execution.id, 'original');
		expect(await paid()).toEqual(['1', '1', '1', '1']);
	});
});
