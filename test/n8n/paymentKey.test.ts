/** Payment Key in a real n8n: a payment with the same key is made once in all executions together, also after n8n was killed. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { connect as connectTo, itemsOf, until } from '../../host/n8n/client.ts';
import type { Execution, Json, N8nClient, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { restartN8n } from '../../host/n8n/process.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { CREDENTIAL_TYPE, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { amountsPaid, entryOf, failPayoutAfter, list, LISTED, payOnceNode, said } from './payoutLists.ts';
import { saveCredential, useOwnStack } from './setup.ts';
import { connect, node } from './workflowNodes.ts';

jest.setTimeout(300_000);

const stack = useOwnStack();
/** The n8n and its client after the last crash. */
let n8n: N8n;
let client: N8nClient;

beforeAll(async () => {
	({ n8n, client } = stack);
	await stack.control('PUT', '/webhook', { url: null });
});

beforeEach(async () => await stack.control('POST', '/reset'));

afterAll(async () => {
	await n8n?.stop();
});

const paid = () => amountsPaid(stack);

interface Payer {
	workflow: StoredWorkflow;
	/** Production: a call of the webhook. Returns the items of the answer. */
	call: (payouts: string[]) => Promise<Json[]>;
	/** By hand, as in the editor, with the output of the webhook's trigger. */
	byHand: (payouts: string[]) => Promise<Execution>;
	/** Saves and publishes the workflow again with this node. */
	change: (payer: WorkflowNode, ...more: WorkflowNode[]) => Promise<void>;
}

/** A published workflow that pays by key what its webhook receives, or what another workflow hands over. */
async function payer(name: string): Promise<Payer> {
	const path = randomUUID();
	const trigger = {
		...node('Webhook', 'webhook', 2, {
			path,
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		}),
		webhookId: path,
	};
	const payerId = randomUUID();
	const save = async (payer: WorkflowNode, ...copies: WorkflowNode[]) => {
		const workflow = await client.saveWorkflow({
			name,
			nodes: [
				trigger,
				node('One item each', 'splitOut', 1, { fieldToSplitOut: 'body.payouts', options: {} }),
				node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
				{ id: payerId, ...payer },
				...copies,
			],
			connections: connect(
				'Webhook -> One item each',
				`One item each -> ${payer.name}`,
				`Called -> ${payer.name}`,
				...copies.map((copy) => `One item each -> ${copy.name}`),
			),
		});
		await client.publish(workflow);
		return workflow;
	};
	const workflow = await save(payOnceNode(stack));
	return {
		workflow,
		call: async (payouts) => {
			const response = await request(`${n8n.webhooks}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ payouts: payouts.map(entryOf) }),
			});
			const answer = await response.body.text();
			if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${answer}`);
			return JSON.parse(answer) as Json[];
		},
		byHand: async (payouts) => {
			const items = [{ body: { payouts: payouts.map(entryOf) } }];
			return await client.ended(await client.startByHand(workflow.id, 'Webhook', items));
		},
		change: async (...nodes) => void (await save(...nodes)),
	};
}

const PAYOUTS = ['1 supplier-main a', '2 supplier-main b'];
const PAID_BEFORE = ['again a 1', 'again b 2'];
const PAID_ROW = {
	result: 'alreadyPaid',
	alreadyPaid: true,
	currency: 'NGN',
	accountAlias: 'supplier-main',
};

test('a key is paid once, by production runs, runs by hand and calls from another workflow', async () => {
	const { workflow, call, byHand } = await payer('Pays by key');
	expect(said(await call(PAYOUTS))).toEqual(['paid 1', 'paid 2']);
	expect(await call(PAYOUTS)).toEqual([
		{ ...PAID_ROW, paymentKey: 'a', amount: '1' },
		{ ...PAID_ROW, paymentKey: 'b', amount: '2' },
	]);
	expect(said(itemsOf(await byHand([...PAYOUTS, '3 supplier-main c']), 'Pay out'))).toEqual([
		...PAID_BEFORE,
		'paid 3',
	]);
	const { id } = await client.saveWorkflow({
		name: 'Calls what pays by key',
		nodes: [
			...list([...PAYOUTS, '3 supplier-main c', '4 supplier-main d', '4 supplier-main d']),
			node('Call', 'executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: workflow.id },
				mode: 'each',
				options: {},
			}),
		],
		connections: connect(...LISTED, 'One item each -> Call'),
	});
	const called = await client.runByHand(id, 'Start');
	expect(said(itemsOf(called, 'Call'))).toEqual([...PAID_BEFORE, 'again c 3', 'paid 4', 'again d 4']);
	expect(said(await call(['4 supplier-main d']))).toEqual(['again d 4']);
	expect(await paid()).toEqual(['1', '2', '3', '4']);
});

test('a loop pays a key once', async () => {
	const { id } = await client.saveWorkflow({
		name: 'Loop with keys',
		nodes: [
			...list(['5 supplier-main a', '6 supplier-main b', '5 supplier-main a']),
			node('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} }),
			payOnceNode(stack),
		],
		connections: connect(...LISTED, 'One item each -> Loop', 'Loop:1 -> Pay out', 'Pay out -> Loop'),
	});
	const run = async () => said(itemsOf(await client.runByHand(id, 'Start'), 'Pay out'));
	expect(await run()).toEqual(['paid 5', 'paid 6', 'again a 5']);
	expect(await run()).toEqual(['again a 5', 'again b 6', 'again a 5']);
	expect(await paid()).toEqual(['5', '6']);
});

test('a key whose payment the service rejected is paid by the next execution; a key with an unknown outcome is not', async () => {
	const { call } = await payer('Pays after a refusal');
	await failPayoutAfter(stack, 0, { status: 422 });
	await failPayoutAfter(stack, 0, { dropAfter: true });
	expect(said(await call(PAYOUTS))).toEqual(['rejected', 'unknown']);
	const [first, second] = await call(PAYOUTS);
	expect(said([first!])).toEqual(['paid 1']);
	expect(second!.error).toMatchObject({
		outcome: 'unknown',
		message: "Not sent because an earlier payment with 'Payment Key' b may have moved this money",
		description: expect.stringContaining("choose 'It Was Paid' or 'It Was Not Paid' for this item"),
	});
	expect(await paid()).toEqual(['2', '1']);
});

test('a key that comes with another amount fails its own item; the others are paid', async () => {
	const { call } = await payer('Pays other amounts');
	await call(PAYOUTS);
	const items = await call(['3 supplier-main c', '9 supplier-main a']);
	expect(said(items)).toEqual(['paid 3', 'notSent']);
	expect(items[1]!.error).toMatchObject({
		message: "'Payment Key' a was used for a payment with another amount",
	});
	expect(await paid()).toEqual(['1', '2', '3']);
});

test('a person settles an unknown payment: it was paid, or it was not and is paid now', async () => {
	const { call, change } = await payer('Pays what a person settled');
	await failPayoutAfter(stack, 0, { dropAfter: true });
	await failPayoutAfter(stack, 0, { dropBefore: true });
	expect(said(await call(PAYOUTS))).toEqual(['unknown', 'unknown']);
	const { parameters, ...node } = payOnceNode(stack);
	const ifOutcomeIsUnknown = "={{ $json.key === 'a' ? 'wasPaid' : 'wasNotPaid' }}";
	await change({ ...node, parameters: { ...parameters, options: { ifOutcomeIsUnknown } } });
	expect(said(await call(PAYOUTS))).toEqual(['again a 1', 'paid 2']);
	expect(said(await call(PAYOUTS))).toEqual(PAID_BEFORE);
	expect(await paid()).toEqual(['1', '2']);
});

test('after the credential was edited to another account, its keys are refused there', async () => {
	const live = await startSandbox();
	try {
		const edit = async ({ url, key, secret }: Stack['sandbox']) =>
			await saveCredential(stack, 'Account', { baseUrl: url, apiKey: key, signatureSecret: secret });
		const { call, change } = await payer('Pays with an edited credential');
		const id = await edit(stack.sandbox);
		await change(payOnceNode(stack, { credentials: { [CREDENTIAL_TYPE]: { id, name: 'Account' } } }));
		expect(said(await call(PAYOUTS))).toEqual(['paid 1', 'paid 2']);
		await edit(live);
		expect(said(await call(PAYOUTS))).toEqual(['notSent', 'notSent']);
		expect(live.service.requests.all()).toEqual([]);
		await edit(stack.sandbox);
		expect(said(await call(PAYOUTS))).toEqual(PAID_BEFORE);
	} finally {
		await live.stop();
	}
});

test('executions that pay the same keys at the same instant in one process pay each once', async () => {
	const { call } = await payer('Pays at the same instant');
	const rounds = 10;
	for (let round = 0; round < rounds; round++) {
		const payouts = [`${round}.1 supplier-main ${round}/1`, `${round}.2 supplier-main ${round}/2`];
		const answers = (await Promise.all([call(payouts), call(payouts), call(payouts.toReversed())])).flat();
		expect(said(answers).sort()).toEqual(
			[1, 2]
				.flatMap((key) => {
					const again = `again ${round}/${key} ${round}.${key}`;
					return [again, again, `paid ${round}.${key}`];
				})
				.sort(),
		);
	}
	expect(new Set(await paid()).size).toBe(2 * rounds);
	expect(await paid()).toHaveLength(2 * rounds);
});

test('a node that is renamed, copied, pasted or saved without its id knows the keys of its workflow', async () => {
	const { workflow, call, byHand, change } = await payer('Renamed and copied');
	await call(PAYOUTS);
	const renamed = payOnceNode(stack, { name: 'Pay suppliers', id: randomUUID() });
	await change(renamed);
	expect(said(await call(PAYOUTS))).toEqual(PAID_BEFORE);
	await change(renamed, payOnceNode(stack, { name: 'A copy' }));
	const execution = await byHand(PAYOUTS);
	expect(said(itemsOf(execution, 'Pay suppliers'))).toEqual(PAID_BEFORE);
	expect(said(itemsOf(execution, 'A copy'))).toEqual(PAID_BEFORE);
	expect(workflow.id).toBeDefined();
	expect(await paid()).toEqual(['1', '2']);
});

test('n8n runs no workflow that was never saved, so no key is used in one', async () => {
	const workflowData = {
		name: 'Never saved',
		nodes: [...list(PAYOUTS), payOnceNode(stack)],
		connections: connect(...LISTED, 'One item each -> Pay out'),
	};
	for (const path of ['/workflows/run', '/workflows/new/run', '/workflows/undefined/run']) {
		const run = client.rest('POST', path, { workflowData, triggerToStartFrom: { name: 'Start' } });
		await expect(run).rejects.toThrow(/404/);
	}
	expect(await paid()).toEqual([]);
});

test('a sub-workflow that is JSON text inside the calling workflow pays its keys once too', async () => {
	const inner = {
		nodes: [
			node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			payOnceNode(stack),
		],
		connections: connect('Called -> Pay out'),
	};
	const call = node('Call', 'executeWorkflow', 1.2, {
		source: 'parameter',
		workflowJson: JSON.stringify(inner),
		mode: 'once',
		options: {},
	});
	const { id } = await client.saveWorkflow({
		name: 'Calls JSON',
		nodes: [...list(PAYOUTS), call],
		connections: connect(...LISTED, 'One item each -> Call'),
	});
	const run = async () => said(itemsOf(await client.runByHand(id, 'Start'), 'Call'));
	expect(await run()).toEqual(['paid 1', 'paid 2']);
	expect(await run()).toEqual(PAID_BEFORE);
});

// The last test, because it replaces n8n.
test('n8n is killed twice in a batch: no key is paid twice, and each key is paid or named as unknown', async () => {
	const amounts = Array.from({ length: 30 }, (_, index) => `${100 + index}.${index}7`);
	const payouts = amounts.map((amount) => `${amount} supplier-main invoice-${amount}`);
	const { workflow, byHand } = await payer('Pays and is killed');
	const start = async () =>
		await client.startByHand(workflow.id, 'Webhook', [{ body: { payouts: payouts.map(entryOf) } }]);
	const crash = async () => {
		n8n = await restartN8n(n8n);
		client = await connectTo(n8n.url, TEMPORARY_OWNER);
	};
	const atLeast = async (count: number) =>
		await until(`${count} payouts`, async () => ((await paid()).length >= count ? true : undefined));

	// The first crash happens while n8n waits for the answer to a payout that the service has made.
	await failPayoutAfter(stack, 5, { delayMs: 60_000 });
	await start();
	await atLeast(6);
	const lost = (await paid()).at(-1)!;
	await crash();
	// The second crash happens at any moment.
	await start();
	await atLeast(10);
	await crash();

	const items = itemsOf(await byHand(payouts), 'Pay out');
	const made = await paid();
	expect(new Set(made).size).toBe(made.length);
	expect(items).toHaveLength(payouts.length);
	const unknown = items.flatMap(({ error }) =>
		error === undefined ? [] : [/'Payment Key' invoice-(\S+)/.exec(String((error as Json).message))?.[1]],
	);
	expect(unknown).toContain(lost);
	// Each crash leaves at most two unknown keys: the one that was being paid, and the next one.
	expect(unknown.length).toBeLessThanOrEqual(4);
	for (const amount of amounts) if (!unknown.includes(amount)) expect(made).toContain(amount);
	const outcomes = said(items).filter((outcome) => outcome !== 'unknown');
	expect(outcomes).toHaveLength(payouts.length - unknown.length);
	expect(outcomes.filter((outcome) => outcome.startsWith('again')).length).toBeGreaterThanOrEqual(8);
});
