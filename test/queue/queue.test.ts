/** The packed package in n8n's queue mode: one main process, two webhook processors, two workers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { KEEP_EXECUTIONS, LAZY_EXPRESSION_ENGINE } from '../../host/n8n/process.ts';
import type { N8n } from '../../host/n8n/process.ts';
import { webhookUrl } from '../../host/stack.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { deliver as post, signedHeaders } from '../../host/testkit/deliveries.ts';
import {
	BY_AMOUNT,
	amountsPaid,
	BY_KEY,
	failPayoutAfter,
	list,
	makePayments,
	pay,
	payOutNode,
	publishPayer,
	ROUTE,
	wordOf,
} from '../../host/testkit/payments.ts';
import { startQueueStack } from '../../host/testkit/stacks.ts';
import { bookTable } from '../../host/testkit/book.ts';
import {
	credentialsOf,
	inLine,
	node,
	publishCopy,
	publishLine,
	triggerNode,
	withParameters,
} from '../../host/testkit/workflows.ts';
import { until } from '../../host/until.ts';
import { figuresOfTable, payInPairs } from '../../soak/payments/pairs.ts';
import { movementsIn } from '../n8n/movements.ts';
import { useOwnStack } from '../n8n/setup.ts';

const stack = useOwnStack(() =>
	startQueueStack(2, { ...KEEP_EXECUTIONS, ...LAZY_EXPRESSION_ENGINE }, ['pay-once', 'deposit-arrives']),
);

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
});

/** The ids of the executions that each worker has finished, from its log. */
function finished(): string[][] {
	return stack.queue.workers.map((worker) =>
		[...worker.log().matchAll(/Worker finished execution (\d+)/g)].map(([, id]) => id!),
	);
}

/** Posts a signed delivery to the balancer, or to one webhook processor. */
async function deliver(
	workflow: StoredWorkflow,
	body: Json,
	n8n = stack.n8n,
	secret = stack.sandbox.webhookSecret,
): Promise<Json> {
	const sent = JSON.stringify(body);
	const { status, answer } = await post(webhookUrl(n8n, workflow), sent, signedHeaders(sent, secret));
	return { status, ...(answer as Json) };
}

async function allEnded(): Promise<void> {
	const busy = "SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting') LIMIT 1";
	await until('all executions to end', async () => (await stack.queue.database.query(busy)).length === 0);
}

describe('the trigger in queue mode', () => {
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		const trigger = triggerNode({ events: ['admin_funding'] }, credentialsOf(stack));
		workflow = await publishLine(stack.client, 'Deliveries', trigger, node('End', 'noOp'));
	});

	test('both webhook processors refuse a delivery with a wrong signature', async () => {
		for (const processor of stack.queue.webhookProcessors) {
			const answer = await deliver(workflow, { event: 'admin_funding', id: 'forged' }, processor, 'wrong');
			expect(answer).toMatchObject({ status: 401, ok: false });
		}
	});

	test('of many deliveries that come again to the other processor, at once or later, each is executed once', async () => {
		const accept = async (id: string, processor: number) => {
			const n8n = stack.queue.webhookProcessors[processor % 2];
			expect(
				await deliver(workflow, { event: 'admin_funding', id, status: 'successful' }, n8n),
			).toMatchObject({ status: 200, ok: true });
		};
		const ids = Array.from({ length: 64 }, (_, index) => `repeated-${index}`);
		const gaps = [undefined, 0, 50, 1000];
		const repeated: Array<Promise<void>> = [];
		const entries = ids.entries();
		const client = async () => {
			for (const [index, id] of entries) {
				const gap = gaps[index % gaps.length];
				// Without a gap, both processors get it in the same instant.
				const first = accept(id, index);
				if (gap === undefined) repeated.push(accept(id, index + 1));
				await first;
				if (gap !== undefined) repeated.push(sleep(gap).then(() => accept(id, index + 1)));
			}
		};
		await Promise.all(Array.from({ length: 6 }, client));
		await Promise.all(repeated);
		await allEnded();
		// What the trigger stops does not reach the last node.
		const executed = await stack.queue.database.query(
			`SELECT substring(d.data from 'admin_funding:(repeated-[0-9]+):successful') AS id, e.status
			FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
			WHERE d.data LIKE '%admin_funding:repeated-%' AND d.data LIKE '%"End":%'`,
		);
		expect(executed.map(({ id }) => id).sort()).toEqual(ids.toSorted());
		expect(new Set(executed.map(({ status }) => status))).toEqual(new Set(['success']));
	});

	test('When Workflow Finishes: the answer comes from the worker, even if n8n keeps no successful executions', async () => {
		const answerOf = async (name: string, jsCode: string) => {
			const options = { acknowledge: 'whenFinished' };
			const nodes = [triggerNode({ events: ['admin_funding'], options }), node('Code', 'code', { jsCode })];
			const settings = { saveDataSuccessExecution: 'none' };
			const connections = inLine(nodes);
			const finished = await stack.client.saveWorkflow({ name, nodes, connections, settings });
			await stack.client.publish(finished);
			return await deliver(finished, { event: 'admin_funding', id: name });
		};
		expect(await answerOf('succeeds', 'return [{ json: { secret: 1 } }]')).toEqual({ status: 200, ok: true });
		expect(await answerOf('fails', 'throw new Error("secret")')).toEqual({
			status: 500,
			ok: false,
			reason: 'The workflow did not succeed',
		});
	});
});

describe('payouts in queue mode', () => {
	beforeAll(() => stack.control('POST', '/reset'));

	test('a payout is made once when a worker retries it, and when "Retry execution" does', async () => {
		const nodes = [...list(['1', '2', '3 supplier-new', '4']), payOutNode(stack, BY_AMOUNT)];
		const { id } = await stack.client.saveWorkflow({ name: 'Payouts', nodes, connections: inLine(nodes) });
		await failPayoutAfter(stack, 1, { status: 422 });
		const execution = await stack.client.runByHand(id, 'Start');
		expect(execution.status).toBe('error');
		expect(amountsPaid(stack)).toEqual(['1', '2']);

		await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
		const retried = await stack.client.retry(execution.id, 'original');
		expect(retried.status).toBe('success');
		expect(amountsPaid(stack)).toEqual(['1', '2', '3', '4']);
		expect(finished().flat()).toEqual(expect.arrayContaining([execution.id, retried.id]));
	});
});

test('two executions with the same keys at the same instant on two workers: no key is paid twice', async () => {
	// On a busy machine, one worker may take all pairs.
	await until('two workers to meet', async () => {
		const { lines, misses } = await payInPairs(stack, { pairs: 10, keys: 2, together: 2 }, stack.queue);
		expect(misses).toEqual([]);
		expect(lines).toMatchObject([{ asked: 20 }]);
		return /\b[1-9]\d* on different workers/.test(lines[0]!.more);
	});
});

test('two executions that pay the same keys with pay-once at the same instant on two workers: each key is paid once, and booked', async () => {
	const paid = await payInPairs(stack, { pairs: 10, keys: 2, together: 2, byExample: true }, stack.queue);
	const table = await figuresOfTable(stack);
	expect([...paid.misses, ...table.misses]).toEqual([]);
	expect(paid.lines).toMatchObject([{ asked: 20, paid: 20 }]);
});

test('two workers that pay, are rejected and run paid keys again at once: each answer is right, and no key stays blocked', async () => {
	await stack.control('POST', '/reset');
	const payer = await publishPayer(stack, 'Paid and rejected');
	const to = (alias: string, count: number) => makePayments(count).map((each) => ({ ...each, alias }));
	const paid = to('supplier-main', 10);
	const payThrough = async (processor: N8n, payments: Json[]) =>
		(await pay(processor, payer, payments)).map((item) => wordOf(item));
	const words = (word: string, count: number) => Array.from({ length: count }, () => word);
	expect(await payThrough(stack.n8n, paid)).toEqual(words('paid', 10));
	const rejected: Json[] = [];
	for (let round = 0; round < 3; round += 1)
		await Promise.all(
			stack.queue.webhookProcessors.map(async (processor, index) => {
				const [fresh, refused] = [to('supplier-main', 4), to('supplier-new', 4)];
				rejected.push(...refused);
				const again = index === 0 ? paid.slice(0, 10) : paid.slice(0, 10).reverse();
				const said = await payThrough(processor, [...fresh, ...refused, ...again]);
				expect(said).toEqual([...words('paid', 4), ...words('rejected', 4), ...words('alreadyPaid', 10)]);
				paid.push(...fresh);
			}),
		);
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	const expected = [...words('alreadyPaid', paid.length), ...words('paid', rejected.length)];
	expect(await payThrough(stack.n8n, [...paid, ...rejected])).toEqual(expected);
	expect(new Set(amountsPaid(stack)).size).toBe(expected.length);
	expect(amountsPaid(stack)).toHaveLength(expected.length);
});

test('two workers that pay the same list by Pay List at the same instant pay each row once', async () => {
	await stack.control('POST', '/reset');
	const parameters = {
		resource: 'payoutList',
		operation: 'pay',
		options: { duplicateCheck: '7', maximumPerDay: '1000' },
		limits: { limit: [{ code: 'NGN', maximumAmount: '100000', allowedAliases: 'supplier-main' }] },
	};
	const payer = await publishPayer(stack, 'Pays lists', { parameters });
	// A worker lets the second list wait for the first one, row by row. So this goes on until another worker has it.
	await until('two workers to meet', async () => {
		const rows = makePayments(30).map(({ key, amount }) => ({
			paymentKey: key,
			amount,
			currency: 'NGN',
			destination: 'supplier-main',
			approvedBy: 'Ada Obi',
		}));
		const before = finished().map((ids) => ids.length);
		const [one, other] = (await Promise.all(
			stack.queue.webhookProcessors.map(async (processor) => await pay(processor, payer, rows)),
		)) as [Json[], Json[]];
		const times = amountsPaid(stack).filter((amount) => rows.some((row) => row.amount === amount));
		expect(times.toSorted()).toEqual(rows.map(({ amount }) => amount).toSorted());
		for (const [index, item] of one.entries()) {
			const both = [wordOf(item), wordOf(other[index]!)];
			expect(both.filter((word) => word === 'paid')).toHaveLength(1);
			for (const word of both) expect(['paid', 'alreadyPaid', 'unknown']).toContain(word);
		}
		expect((await pay(stack.n8n, payer, rows)).map(wordOf)).toEqual(rows.map(() => 'alreadyPaid'));
		return finished().every((ids, worker) => ids.length > before[worker]!);
	});
});

test('a decision beside a slow request on another worker sends nothing, and acts once when the request is over', async () => {
	await stack.control('POST', '/reset');
	const parameters = { ...BY_KEY, options: { ifOutcomeIsUnknown: '={{ $json.decision }}' } };
	const payer = await publishPayer(stack, 'Decides early', { parameters });
	const decide = async (payment: Json, decision: string) => {
		const [item] = await pay(stack.n8n, payer, [{ ...payment, decision }]);
		return wordOf(item!);
	};
	const take = () => makePayments(1).map((each): Json => ({ ...each }))[0]!;
	// A worker lets the second run wait for the first one. So this goes on until another worker has it.
	await until('another worker to decide', async () => {
		const payment = take();
		await stack.control('POST', '/faults', { route: ROUTE, delayMs: 3000 });
		const first = decide(payment, 'doNotPay');
		await sleep(500);
		const early = await decide(payment, 'wasNotPaid');
		expect(await first).toBe('paid');
		expect(['unknown', 'alreadyPaid']).toContain(early);
		expect(amountsPaid(stack).filter((amount) => amount === payment.amount)).toHaveLength(1);
		return early === 'unknown';
	});
	const lost = take();
	await stack.control('POST', '/faults', { route: ROUTE, dropBefore: true });
	for (const decision of ['doNotPay', 'wasNotPaid']) expect(await decide(lost, decision)).toBe('unknown');
	await ageKeys(stack, stack.queue);
	// Two people decide at the same instant. If both workers are slow, neither acts, and both people are told to answer again.
	const timesPaid = () => amountsPaid(stack).filter((amount) => amount === lost.amount).length;
	const decided = [1, 2].map(async () => await pay(stack.n8n, payer, [{ ...lost, decision: 'wasNotPaid' }]));
	const both = (await Promise.all(decided)).flat();
	const acted = both.filter(({ result }) => result === 'paid').length;
	expect(timesPaid()).toBe(acted);
	expect(acted).toBeLessThanOrEqual(1);
	for (const { error } of both.filter(({ result }) => result === 'unknown'))
		expect(error).toMatchObject({ description: expect.stringMatching(/ and answer again\.$/) });
	if (acted === 0) {
		expect(await decide(lost, 'doNotPay')).toBe('unknown');
		expect(await decide(lost, 'wasNotPaid')).toBe('paid');
	}
	expect(await decide(lost, 'wasNotPaid')).toBe('alreadyPaid');
	expect(timesPaid()).toBe(1);
});

test('Duplicate Check: of a payment under two keys, at the same instant on two workers, one is sent', async () => {
	await stack.control('POST', '/reset');
	const parameters = { ...BY_KEY, options: { duplicateCheck: '7', maximumPerDay: '1000' } };
	const payer = await publishPayer(stack, 'Holds repeats', { parameters });
	for (const payment of makePayments(8)) {
		const underTwoKeys = [payment, { ...payment, key: `${payment.key}-again` }];
		const items = await Promise.all(
			stack.queue.webhookProcessors.map(
				async (processor, index) => await pay(processor, payer, [underTwoKeys[index]!]),
			),
		);
		expect(items.flat().map(wordOf).toSorted()).toEqual(['notSent', 'paid']);
	}
	expect(amountsPaid(stack)).toHaveLength(8);
});

test('deposits that come five times at once on two workers are each one credit and one mail', async () => {
	const forgetful = await publishCopy(stack, 'deposit-arrives', 'Forgets its deliveries', {
		'Wallet Service Trigger': withParameters({ options: { ignoreDuplicates: false } }),
	});
	const accounts = ['customer-1', 'customer-2', 'customer-3', 'customer-4'];
	const deposits = accounts.map((account) => ({
		event: 'virtual_account_credited',
		id: `dep-${account}`,
		status: 'successful',
		currency: 'NGN',
		Amount: '20.02',
		'Account received alias': account,
	}));
	const five = deposits.flatMap((each) => Array<Json>(5).fill(each));
	await Promise.all(
		five.map(async (each, index) => {
			const answer = await deliver(forgetful, each, stack.queue.webhookProcessors[index % 2]);
			expect(answer).toEqual({ status: 200, ok: true });
		}),
	);
	await allEnded();
	const subjects = stack.mailbox.mails.map(({ subject }) => subject);
	expect(subjects.sort()).toEqual(accounts.map((account) => `Credited: 20.02 NGN to ${account}`));
	const rows = (await bookTable(stack).rows<{ kind: string; reference: string; key: string }>()).filter(
		({ kind }) => kind === 'deposit',
	);
	expect(rows).toHaveLength(20);
	expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
	expect(
		movementsIn(rows)
			.map(({ counterpart, state }) => [counterpart, state])
			.sort(),
	).toEqual(accounts.map((account) => [account, 'made']));
});

test('all executions ran on the workers, and both workers had some', async () => {
	// A sub-workflow runs where its caller runs, and no log names it.
	const stored = await stack.queue.database.query(
		"SELECT id::text FROM execution_entity WHERE mode <> 'integrated'",
	);
	const [one, other] = finished() as [string[], string[]];
	expect(one.length).toBeGreaterThan(0);
	expect(other.length).toBeGreaterThan(0);
	const onWorkers = new Set([...one, ...other]);
	expect(stored.length).toBeGreaterThan(100);
	expect(stored.filter(({ id }) => !onWorkers.has(id as string))).toEqual([]);
});
