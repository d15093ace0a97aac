/**
 * A list of payouts in fiat and coins in a real n8n: read, approved behind Read, paid by Pay List and retried. What was paid is
 * counted at the service. kills.test.ts kills n8n in the middle of a list.
 */
import { itemsOf } from '../../host/n8n/client.ts';
import type { Execution, Json, WorkflowNode } from '../../host/n8n/client.ts';
import { listOf, payoutsMade } from '../../host/testkit/payments.ts';
import {
	ACTION_NODE,
	credentialsOf,
	DESK_NODE,
	inLine,
	node,
	textFields,
} from '../../host/testkit/workflows.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack();
renewForEachTest(stack);

const row = (paymentKey: string, amount: string, more: Json = {}): Json => ({
	paymentKey,
	amount,
	currency: 'NGN',
	destination: 'supplier-main',
	...more,
});
const coin = (paymentKey: string, amount: string): Json => ({
	paymentKey,
	amount,
	coin: 'USDT',
	destination: 'treasury',
});
const limits: Json = {
	limit: [
		{
			code: 'NGN',
			maximumAmount: '1000',
			secondApprovalAbove: '500',
			allowedAliases: 'supplier-main, supplier-new',
		},
		{ code: 'USDT', isCoin: true, maximumAmount: '5', allowedAliases: 'treasury' },
	],
};

const read = () =>
	node(
		'Read',
		DESK_NODE,
		{ resource: 'list', operation: 'read', source: 'items', options: {} },
		{ credentials: credentialsOf(stack) },
	);
/** Edit Fields, as it stands behind the answer of a person. */
const approve = (approvedBy: string) =>
	node('Approve', 'set', { ...textFields({ approvedBy }), includeOtherFields: true, options: {} });
const payList = (parameters: Json = {}, more: Partial<WorkflowNode> = {}) =>
	node(
		'Pay List',
		ACTION_NODE,
		{ resource: 'payoutList', operation: 'pay', limits, options: {}, ...parameters },
		{ credentials: credentialsOf(stack), onError: 'continueRegularOutput', ...more },
	);

async function run(name: string, nodes: WorkflowNode[]): Promise<Execution> {
	const { id } = await stack.client.saveWorkflow({ name, nodes, connections: inLine(nodes) });
	return await stack.client.runByHand(id, 'Start');
}
const resultsOf = (execution: Execution) => itemsOf(execution, 'Pay List').map(({ result }) => result);
const paid = () => payoutsMade(stack).map(({ amount, code }) => `${amount} ${code}`);

test('a list in fiat and coins is read, approved behind Read and paid; without the approval it is only checked', async () => {
	const rows = [
		row('INV-1', '1250.50', { note: 'Too much' }),
		row('INV-2', '12.34', { note: 'Rent', invoice: 'A-7' }),
		coin('INV-3', '4.123456789012345678'),
		row('INV-4', '600'),
		row('INV-5', '7', { destination: 'nobody' }),
		row('INV-6', '8', { approvedBy: 'the file' }),
	];
	const unapproved = await run('Unapproved', [...listOf(rows.slice(0, 4)), read(), payList()]);
	expect(resultsOf(unapproved)).toEqual(['notSent', 'dryRun', 'dryRun', 'dryRun']);
	expect(paid()).toEqual([]);
	const execution = await run('Approved', [...listOf(rows), read(), approve('Ada Obi'), payList()]);
	expect(resultsOf(execution)).toEqual(['notSent', 'paid', 'paid', 'notSent', 'notSent', 'notSent']);
	expect(paid()).toEqual(['12.34 NGN', '4.123456789012345678 USDT']);
	const [, second, third, large, wrong] = itemsOf(execution, 'Pay List');
	expect(second).toMatchObject({
		amount: '12.34',
		currency: 'NGN',
		accountAlias: 'supplier-main',
		payoutId: expect.any(String),
		destination: 'supplier-main',
		note: 'Rent',
		approvedBy: 'Ada Obi',
		row: 3,
		problems: [],
		extra: { invoice: 'A-7' },
	});
	expect(third).toMatchObject({
		amount: '4.123456789012345678',
		coin: 'USDT',
		walletAlias: 'treasury',
		destination: 'treasury',
		approvedBy: 'Ada Obi',
	});
	expect(large).toMatchObject({ error: { message: expect.stringContaining('needs 2 different people') } });
	expect(wrong).toMatchObject({
		error: { message: expect.stringContaining('nobody') },
		problems: [expect.any(String)],
	});
	const two = await run('Approved', [...listOf([rows[3]!]), read(), approve('Ada Obi, Ben Eze'), payList()]);
	expect(resultsOf(two)).toEqual(['paid']);
});

test('limits that n8n would drop, because they are one expression, refuse every row', async () => {
	const dropped = { limits: '={{ { limit: [] } }}' };
	const execution = await run('Limits by expression', [
		...listOf([row('INV-1', '1'), coin('INV-2', '1')]),
		approve('Ada Obi'),
		payList(dropped),
	]);
	expect(resultsOf(execution)).toEqual(['notSent', 'notSent']);
	expect(paid()).toEqual([]);
});

test('"Retry execution" pays the rest of a list that has stopped, and nothing twice', async () => {
	const rows = [
		row('INV-1', '1'),
		coin('INV-2', '2'),
		row('INV-3', '3', { destination: 'supplier-new' }),
		row('INV-4', '4'),
	];
	const stopping = payList({}, { onError: 'stopWorkflow' });
	const first = await run('Stops', [...listOf(rows), approve('Ada Obi'), stopping]);
	expect(first.status).toBe('error');
	expect(first.data.resultData.error).toMatchObject({
		context: {
			executed: [
				{ itemIndex: 0, amount: '1' },
				{ itemIndex: 1, amount: '2' },
				{ itemIndex: 3, amount: '4' },
			],
		},
	});
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	const again = await stack.client.retry(first.id, 'original');
	expect(resultsOf(again)).toEqual(['paid', 'paid', 'paid', 'paid']);
	expect(itemsOf(again, 'Pay List').map(({ approvedBy }) => approvedBy)).toEqual(Array(4).fill('Ada Obi'));
	expect(paid()).toEqual(['1 NGN', '2 USDT', '4 NGN', '3 NGN']);
});
