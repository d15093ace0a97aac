/** A deposit is paid once, also if n8n is killed on its way. A list that ended in the middle is told, and its Retry pays the rest. */
import { until } from '../../host/n8n/client.ts';
import type { Execution, StoredWorkflow } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { amountsPaid, failPayoutAfter, makePayments, pay } from '../../host/testkit/payments.ts';
import { connect, node } from '../../host/testkit/workflows.ts';
import { startKeeping } from '../../soak/deliveries/situations.ts';
import { depositAndKill, depositOf, publishHandOver, quiet } from './depositKills.ts';
import { renewForEachTest, useOwnStack } from './setup.ts';

const stack = useOwnStack(startKeeping(['convert-at-rate', 'deposit-to-bank', 'pay-once', 'watch']));

renewForEachTest(stack);
beforeEach(async () => {
	await stack.control('PUT', '/webhook', { url: null });
	await bookTable(stack).clear();
});

const conversions = () => stack.sandbox.service.ledger.transactions.all().map(({ to_amount }) => to_amount);
const subjects = () => stack.mailbox.mails.map(({ subject }) => subject);

/** The execution that a kill has ended. */
const crashedOf = async ({ id }: StoredWorkflow): Promise<Execution> =>
	await until('a crashed execution', async () =>
		(await stack.client.executions(id)).find(({ status }) => status === 'crashed'),
	);

test('killed between the conversion and the payout: Retry goes on behind the conversion, and pays once', async () => {
	const example = stack.example('deposit-to-bank');
	const held = node('Held', 'wait', { amount: 30, unit: 'seconds' });
	const way = await stack.client.saveWorkflow({
		...example,
		name: 'From deposit to bank, held',
		nodes: [...example.nodes, held],
		connections: {
			...example.connections,
			'Converted?': {
				main: [
					[{ node: 'Held', type: 'main', index: 0 }],
					...(example.connections['Converted?'] as { main: unknown[] }).main.slice(1),
				],
			},
			...connect('Held -> Pay once'),
		},
	});
	await stack.client.publish(way);
	const { handOver } = await publishHandOver(stack, 'Hands over, held', way);
	await handOver(depositOf('dep_held', '100.25'));
	// n8n keeps the progress of the execution, with what comes next.
	const isHeld = `SELECT e.id FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${way.id}' AND d.data LIKE '%"Held"%'`;
	await until('the conversion to be behind it', () => queryDatabase(stack, isHeld)[0]);
	await stack.restart('kill', way);
	expect([conversions(), amountsPaid(stack)]).toEqual([['154650.462'], []]);
	const crashed = await crashedOf(way);
	expect((await stack.client.retry(crashed.id, 'original')).status).toBe('success');
	expect([conversions(), amountsPaid(stack)]).toEqual([['154650.462'], ['154650.462']]);
	expect(subjects()).toEqual(['Deposit dep_held: paid']);
});

test('killed in the payout: Retry sends nothing again, and a person settles it', async () => {
	const way = stack.example('deposit-to-bank');
	const { handOver } = await publishHandOver(stack, 'Hands over, paying', way);
	const payer = await publishBookPayer(stack, 'A person settles');
	await failPayoutAfter(stack, 0, { delayMs: 5000 });
	await handOver(depositOf('dep_paying', '100.25'));
	await until('the payout', () => amountsPaid(stack)[0]);
	await stack.restart('kill', way, payer.workflow);
	const crashed = await crashedOf(way);
	expect((await stack.client.retry(crashed.id, 'original')).status).toBe('success');
	expect([conversions(), amountsPaid(stack)]).toEqual([['154650.462'], ['154650.462']]);
	expect(subjects()).toEqual(['Deposit dep_paying: unknown']);
	await ageKeys(stack);
	const settled = { key: 'dep_paying', amount: '154650.462', decision: 'wasPaid' };
	expect(await pay(stack.n8n, payer, [settled])).toMatchObject([{ result: 'alreadyPaid' }]);
	expect(amountsPaid(stack)).toHaveLength(1);
});

test('watch tells of a list that a kill has ended, with the execution whose Retry pays the rest', async () => {
	const payer = await publishBookPayer(stack, 'Pays a list');
	const payments = makePayments(4);
	await failPayoutAfter(stack, 1, { delayMs: 5000 });
	const paying = pay(stack.n8n, payer, payments).catch(() => undefined);
	await until('the second payout', () => amountsPaid(stack)[1]);
	await stack.restart('kill', payer.workflow);
	await paying;
	const table = bookTable(stack);
	const open = (await table.rows()).filter(({ result }) => result === 'under way');
	expect(open).toMatchObject([{ key: payments[1]!.key.toUpperCase() }]);
	// The next run of the hour after.
	await table.update({ result: 'under way' }, { time: new Date(Date.now() - 3_600_000).toISOString() });
	await table.update({ result: 'paid' }, { time: new Date(Date.now() - 3_600_000).toISOString() });
	await stack.client.runByHand(stack.example('watch').id, 'Every hour');
	const { text } = stack.mailbox.mails.at(-1)!;
	const [, execution] = /Open execution (\d+) under Executions/.exec(text) ?? [];
	expect(text).toContain('choose Retry');
	await stack.client.retry(execution!, 'original');
	await quiet(stack);
	expect(amountsPaid(stack)).toEqual(payments.map(({ amount }) => amount));
});

test('each deposit is paid once through faults and kills, and the sums are those of the service', async () => {
	const { lines, misses } = await depositAndKill(stack);
	process.stderr.write(`${JSON.stringify(lines)}\n`);
	expect(misses).toEqual([]);
});
