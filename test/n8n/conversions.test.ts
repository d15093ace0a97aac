/** The examples that convert, on a real n8n: orders of a table, and the way of a deposit to the bank. */
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { handOver } from '../../host/testkit/approvals.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded, until } from '../../host/n8n/client.ts';
import type { Execution, Json } from '../../host/n8n/client.ts';
import { bookTable } from '../../host/testkit/book.ts';
import { queryDatabase, quiet } from '../../host/testkit/database.ts';
import { payoutsMade } from '../../host/testkit/payments.ts';
import { changeExample, withParameters } from '../../host/testkit/workflows.ts';
import type { Transaction } from '../../sandbox/ledger/records.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const SCHEDULE = 'Every 15 minutes';

const stack = useStack('convert-at-rate', 'deposit-to-bank');

const fault = async (route: string, kind: Json) => await stack.control('POST', '/faults', { route, ...kind });

const conversions = (): Transaction[] => [...stack.sandbox.service.ledger.transactions.all()];
const made = () => conversions().map(({ from_amount, to_amount }) => `${from_amount} to ${to_amount}`);
const subjects = () => stack.mailbox.mails.map(({ subject }) => subject);
const booked = async () =>
	(await bookTable(stack).rows())
		.filter(({ result }) => result !== 'under way')
		.map(({ asset, amount, result }) => [asset, amount, result].join(' '));

/** What the best contract gives before its fee of half a percent, and how much it has left. The sandbox has 1550.4 and 15000. */
function quote(rate: string, available = '15000'): void {
	const { contracts } = stack.sandbox.service.ledger;
	contracts.put('ic_usdt_ngn', { ...contracts.get('ic_usdt_ngn')!, rate, available });
}

renewForEachTest(stack);
beforeEach(async () => {
	await stack.control('PUT', '/webhook', { url: null });
	await bookTable(stack).clear();
});

describe('convert-at-rate', () => {
	const orders = () => dataTable(stack.client, 'wallet_service_orders');
	let number = 0;
	const order = (amount: string, minimum_rate: string, more: Json = {}) => ({
		order_number: `B-${++number}`,
		from: 'USDT',
		to: 'NGN',
		amount,
		minimum_rate,
		decision: '',
		result: '',
		received: '',
		message: '',
		...more,
	});
	const run = async (): Promise<Execution> =>
		succeeded(await stack.client.runByHand(stack.example('convert-at-rate').id, SCHEDULE));

	const MESSAGE = /1,542\.648 .*, or lower Minimum Rate\. Then run this item again\.$/;

	test('of the orders that npm start put there, one is converted, and the other waits and is told once', async () => {
		await run();
		expect(made()).toEqual(['100.25 to 154650.462']);
		expect(await orders().rows()).toMatchObject([
			{ order_number: 'A-1001', result: 'paid', received: '154650.462', message: '' },
			{ order_number: 'A-1002', result: 'waiting', message: expect.stringMatching(MESSAGE) },
		]);
		const [, waiting] = await orders().rows();
		expect(subjects().sort()).toEqual(['Order A-1001: paid', 'Order A-1002: waiting']);
		expect(stack.mailbox.mails.map(({ text }) => text).sort()).toEqual([
			`USDT to NGN: \n${String(waiting!.message)}`,
			'USDT to NGN: 154650.462',
		]);
		expect(await booked()).toEqual(['USDT -100.25 paid', 'NGN 154650.462 paid']);
		await run();
		expect([made().length, subjects().length, (await booked()).length]).toEqual([1, 2, 2]);
		quote('2020');
		await run();
		expect(made()[1]).toMatch(/^50 to /);
		expect(subjects()[2]).toBe('Order A-1002: paid');
		expect(await booked()).toHaveLength(4);
	});

	test('an order that a limit refuses says why, holds no other, and waits for a person', async () => {
		await orders().fill([order('1000.01', '1500'), order('16', '1500')]);
		await run();
		const label = "'Maximum Amount'";
		const message = [
			`The amount 1000.01 is above ${label} 1000.`,
			`Correct the amount, or ask the workflow's owner: ${label} is an option of the node that pays.`,
			'This item was not sent.',
		].join(' ');
		const [{ order_number }] = (await orders().rows()) as [Json];
		const refused = { order_number, result: 'notSent', message };
		expect(await orders().rows()).toMatchObject([refused, { result: 'paid' }]);
		const texts = stack.mailbox.mails.map(({ text }) => text);
		expect(texts).toEqual([`USDT to NGN: \n${message}`, expect.stringMatching(/^USDT to NGN: 24682\./)]);
		await run();
		expect(await orders().rows()).toMatchObject([refused, { result: 'paid' }]);
		expect(stack.mailbox.mails).toHaveLength(2);
		await orders().update({ order_number }, { amount: '17', result: '' });
		await run();
		expect(await orders().rows()).toMatchObject([{ result: 'paid' }, { result: 'paid' }]);
		expect(made().map((each) => each.split(' ')[0])).toEqual(['16', '17']);
	});

	test('an unknown order stops, and a person decides about it', async () => {
		await orders().fill([order('12', '1500'), order('13', '1500')]);
		await fault('POST /v1/instant_conversion', { dropBefore: true });
		await run();
		expect(await orders().rows()).toMatchObject([{ result: 'unknown' }, { result: 'paid' }]);
		expect((await booked()).slice(0, 2)).toEqual(['USDT -12 unknown', 'NGN  unknown']);
		const { order_number } = (await orders().rows())[0]!;
		await run();
		expect(made()).toHaveLength(1);
		expect(subjects().filter((subject) => subject.includes('unknown'))).toHaveLength(1);
		await ageKeys(stack);
		await orders().update({ order_number }, { decision: 'wasNotPaid' });
		await run();
		expect(await orders().rows()).toMatchObject([{ result: 'paid', decision: '' }, { result: 'paid' }]);
		expect(made()).toHaveLength(2);
	});

	const resultsOf = async () =>
		(await orders().rows()).map(({ result, decision }) => [result, decision].filter(Boolean).join(', '));

	test('a wrong order beside it changes neither the result of an order nor the decision about it', async () => {
		const wrong = order('1000.01', '1500');
		const lost = order('12', '1500');
		await orders().fill([wrong, lost]);
		await fault('POST /v1/instant_conversion', { dropAfter: true });
		await run();
		expect(await resultsOf()).toEqual(['notSent', 'unknown']);
		await ageKeys(stack);
		await orders().update({ order_number: wrong.order_number }, { result: '' });
		await orders().update({ order_number: lost.order_number }, { decision: 'wasPaid' });
		await run();
		expect(await resultsOf()).toEqual(['notSent', 'alreadyPaid']);
		await run();
		expect([made().length, subjects().filter((subject) => /waiting/.test(subject)).length]).toEqual([1, 0]);
	});

	test('a decision about an order that is wrong by then stays, and acts once the order is right', async () => {
		await orders().fill([order('12', '1500')]);
		const [{ order_number }] = (await orders().rows()) as [Json];
		await fault('POST /v1/instant_conversion', { dropAfter: true });
		await run();
		await ageKeys(stack);
		await orders().update({ order_number }, { decision: 'wasPaid', minimum_rate: '1,500' });
		await run();
		expect(await resultsOf()).toEqual(['notSent, wasPaid']);
		await orders().update({ order_number }, { minimum_rate: '1500' });
		await run();
		expect(await resultsOf()).toEqual(['alreadyPaid']);
		expect(made()).toHaveLength(1);
	});

	test('a decision acts once: if the result is unknown again, the next run says so', async () => {
		await orders().fill([order('12', '1500')]);
		const [{ order_number }] = (await orders().rows()) as [Json];
		await fault('POST /v1/instant_conversion', { dropBefore: true, times: 2 });
		await run();
		await ageKeys(stack);
		await orders().update({ order_number }, { decision: 'wasNotPaid' });
		await run();
		expect(await resultsOf()).toEqual(['nextRun']);
		await run();
		expect(await resultsOf()).toEqual(['unknown']);
		expect(subjects()).toEqual(
			['unknown', 'nextRun', 'unknown'].map((word) => `Order ${String(order_number)}: ${word}`),
		);
		await ageKeys(stack);
		await orders().update({ order_number }, { decision: 'wasNotPaid' });
		await run();
		expect(await resultsOf()).toEqual(['paid']);
		expect(made()).toHaveLength(1);
	});

	test('an order number that stands twice is converted once, and the book keeps what came in', async () => {
		const twice = order('14', '1500');
		await orders().fill([twice, twice, { ...twice, amount: '15' }]);
		await run();
		expect(made()).toEqual(['14 to 21597.072']);
		expect(await orders().rows()).toMatchObject([
			{ result: 'paid', received: '21597.072' },
			{ result: 'alreadyPaid', received: '' },
			{
				result: 'notSent',
				received: '',
				message: expect.stringMatching(/used for a payment with another amount/),
			},
		]);
		expect((await booked()).sort()).toEqual(
			['USDT -14 paid', 'NGN 21597.072 paid', 'USDT -14 alreadyPaid', 'NGN  alreadyPaid'].sort(),
		);
	});

	test('an order that the service converts below its rate is told in the table, in the mail and in the book', async () => {
		await orders().fill([order('10', '1500')]);
		await fault('POST /v1/instant_conversion', { appliedRate: '1000' });
		await run();
		expect(await orders().rows()).toMatchObject([{ result: 'paid', received: '10000 below minimum_rate' }]);
		expect(stack.mailbox.mails).toMatchObject([{ text: 'USDT to NGN: 10000 below minimum_rate' }]);
		const [, received] = await bookTable(stack).rows();
		expect(received).toMatchObject({
			amount: '10000',
			message: expect.stringContaining('below the minimum rate'),
		});
	});

	test('runs at the same time convert an order once', async () => {
		await orders().fill([order('14', '1500'), order('15', '1500')]);
		await Promise.all([run(), run(), run()]);
		expect(
			made()
				.map((each) => each.split(' ')[0])
				.sort(),
		).toEqual(['14', '15']);
		expect((await orders().rows()).map(({ result }) => result)).toEqual(['paid', 'paid']);
	});
});

describe('deposit-to-bank', () => {
	beforeAll(async () => {
		// A shorter wait stays in n8n's memory.
		await changeExample(stack, 'deposit-to-bank', { Wait: withParameters({ amount: 2, unit: 'seconds' }) });
	});

	let ids = 0;
	const deposit = (amount: string, more: Json = {}) => ({
		event: 'crypto_received',
		id: `dep_way_${++ids}`,
		status: 'successful',
		coin: 'USDT',
		amount,
		walletAlias: 'deposits-usdt',
		fee: '0',
		...more,
	});

	const handDepositsOver = async (...deposits: Json[]) =>
		await handOver(stack, deposits, stack.example('deposit-to-bank'));

	/** Hands over deposits at once. Returns the execution of the example. */
	async function executed(...deposits: Json[]): Promise<Execution> {
		const { id } = stack.example('deposit-to-bank');
		const before = queryDatabase(stack, 'SELECT id FROM execution_entity WHERE "workflowId" = ?', id).length;
		await handDepositsOver(...deposits);
		return (await stack.client.endedExecutions(id, before + 1)).at(0)!;
	}
	const paid = () => payoutsMade(stack).map(({ amount, destination }) => `${amount} to ${destination}`);

	test('a deposit is converted, paid once and booked, with one mail', async () => {
		const arrived = deposit('100.25');
		await executed(arrived);
		expect(made()).toEqual(['100.25 to 154650.462']);
		expect(paid()).toEqual(['154650.462 to supplier-main']);
		expect(stack.mailbox.mails).toMatchObject([{ subject: `Deposit ${arrived.id}: paid`, text: 'Pay once' }]);
		expect(await booked()).toEqual(['USDT -100.25 paid', 'NGN 154650.462 paid', 'NGN -154650.462 paid']);
		expect((await bookTable(stack).rows()).at(-1)).toMatchObject({
			approvedBy: 'approver@example.com, second@example.com',
		});
		// The service repeats an event after hours.
		await executed(arrived);
		expect([made().length, paid().length]).toEqual([1, 1]);
		expect(subjects()[1]).toBe(`Deposit ${arrived.id}: alreadyPaid`);
	});

	test('two deposits of the same amount are two payouts', async () => {
		for (const each of [deposit('30'), deposit('30')]) await executed(each);
		expect(made()).toHaveLength(2);
		expect(paid()).toEqual(Array<string>(2).fill('46279.44 to supplier-main'));
	});

	test('what is not for the bank stays in the wallet, and is told', async () => {
		const others = {
			// Without an ID, it would have no Payment Key.
			'': {},
			'another coin': { coin: 'USDC' },
			'another wallet': { walletAlias: 'deposits-btc' },
			dust: { amount: '4.99' },
			failed: { status: 'failed' },
			reversed: { status: 'reversed' },
			'not there yet': { status: 'pending' },
			'with a fee': { fee: '0.5' },
			'with a fee that cannot be read': { fee: undefined, raw: { fee: 'half' } },
			'without an amount': { amount: undefined },
			'with an amount that cannot be read': { amount: '2.000,75' },
			'that a filter could not read': { notFiltered: ['coin'] },
			'another event': { event: 'virtual_account_credited' },
		};
		for (const [id, more] of Object.entries(others)) await handDepositsOver(deposit('20', { id, ...more }));
		const wanted = Object.keys(others).map((id) => [`Deposit ${id}: skipped`, 'For the bank?']);
		const told = () => stack.mailbox.mails.map(({ subject, text }) => [subject, text]);
		await until('all mails', () => told().length === wanted.length);
		expect(told().sort()).toEqual(wanted.sort());
		await quiet(stack);
		expect([...made(), ...paid()]).toEqual([]);
	});

	test('started by hand, it says that it has skipped the deposit', async () => {
		const { id } = stack.example('deposit-to-bank');
		succeeded(await stack.client.runByHand(id, 'When called'));
		expect(stack.mailbox.mails).toMatchObject([{ subject: 'Deposit : skipped', text: 'For the bank?' }]);
	});

	test('several deposits in one call are left', async () => {
		await executed(deposit('20'), deposit('21'));
		expect([...made(), ...paid()]).toEqual([]);
	});

	test('a rate below the floor waits, is told once, and goes on', async () => {
		quote('1490');
		const arrived = deposit('10');
		const going = executed(arrived);
		await until('the mail', () => subjects()[0]);
		expect(subjects()).toEqual([`Deposit ${arrived.id}: waiting`]);
		expect(stack.mailbox.mails[0]!.text).toMatch(/^Converted\?\nThe best rate from USDT to NGN is .*\n.*$/);
		quote('1550.4');
		const execution = await going;
		expect(itemsOf(execution, 'Pay once')).toMatchObject([{ result: 'paid', amount: '15426.48' }]);
		expect(paid()).toEqual(['15426.48 to supplier-main']);
		expect(subjects()).toEqual([`Deposit ${arrived.id}: waiting`, `Deposit ${arrived.id}: paid`]);
		expect(await booked()).toHaveLength(3);
	});

	test('what the service converts below the floor is told, and what came in is paid out', async () => {
		await fault('POST /v1/instant_conversion', { appliedRate: '1000' });
		const arrived = deposit('10');
		await executed(arrived);
		expect(paid()).toEqual(['10000 to supplier-main']);
		expect(subjects().sort()).toEqual([`Deposit ${arrived.id}: below`, `Deposit ${arrived.id}: paid`]);
	});

	test('too little that is left waits, too', async () => {
		quote('1550.4', '9');
		const going = executed(deposit('10'));
		await until('the mail', () => subjects()[0]);
		expect(subjects()).toEqual([expect.stringMatching(/: waiting$/)]);
		quote('1550.4');
		expect(itemsOf(await going, 'Pay once')).toMatchObject([{ result: 'paid' }]);
	});

	test('what a limit refuses is told once, and ends', async () => {
		const large = deposit('1000.01');
		const { status } = await executed(large);
		expect([status, ...made(), ...paid()]).toEqual(['success']);
		expect(stack.mailbox.mails).toMatchObject([
			{
				subject: `Deposit ${large.id}: notSent`,
				text: expect.stringMatching(/^Converted\?\nThe amount 1000\.01 is above 'Maximum Amount' 1000\n/),
			},
		]);
	});

	test('an unknown conversion and an unknown payout stop, and are told', async () => {
		await fault('POST /v1/instant_conversion', { dropAfter: true });
		const lost = deposit('11');
		await executed(lost);
		expect(stack.mailbox.mails).toMatchObject([
			{
				subject: `Deposit ${lost.id}: unknown`,
				text: expect.stringMatching(/^Converted\?\n.+\nIt is unknown /),
			},
		]);
		expect([made().length, paid().length]).toEqual([1, 0]);
		await executed(lost);
		expect([made().length, paid().length]).toEqual([1, 0]);
		await fault('POST /v1/fiat_payout', { dropAfter: true });
		const unpaid = deposit('12');
		await executed(unpaid);
		expect(stack.mailbox.mails.at(-1)).toMatchObject({
			subject: `Deposit ${unpaid.id}: unknown`,
			text: expect.stringMatching(
				/^Pay once\nThe service gave no answer \(connection closed\)\nIt is unknown .* look the payment up at the service\..*$/,
			),
		});
		await executed(unpaid);
		expect([made().length, paid().length]).toEqual([2, 1]);
	});
});

testExamplesOf('n8n/conversions', stack);
