/** The example *Part: pay once*: other workflows hand it lists. `kills.test.ts` kills n8n meanwhile. */
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { bookTable, publishBookPayer, resultRows } from '../../host/testkit/book.ts';
import {
	amountsPaid,
	failPayoutAfter,
	listOf,
	LISTED,
	pay,
	payoutsMade,
} from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { connect, credentialsOf, DESK_NODE, node, textFields } from '../../host/testkit/workflows.ts';
import { BOOK_COLUMNS } from '../../nodes/WalletServiceDesk/book/row.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('pay-once');
let caller: Payer;

beforeAll(async () => {
	// It hands over what it has got, so that some fields are missing. Each row says which one it was.
	const fields = [
		'amount',
		'currency',
		'coin',
		'destination',
		'again',
		'approvedBy',
		'isFromAgent',
		'result',
		'error',
	];
	const given = Object.fromEntries(fields.map((name) => [name, `$json.${name}`]));
	const wanted = textFields({ wanted: "={{ $('One item each').item.json.key }}" });
	const linked = node('Belongs to', 'set', { ...wanted, includeOtherFields: true, options: {} });
	caller = await publishBookPayer(stack, 'Calls pay once', { after: [linked] }, undefined, given);
});

renewForEachTest(stack);
beforeEach(async () => await book().clear());

const book = () => bookTable(stack);

let made = 0;
/** A row of a list, with a key of its own. Payments of tests are often the same. */
const row = (amount: unknown, more: Json = {}): Json => {
	made += 1;
	const to = { currency: 'NGN', destination: 'supplier-main', again: 'yes', approvedBy: 'Ada Obi' };
	return { key: `PAY-${made}`, amount, ...to, ...more };
};
const COINS = { currency: null, coin: 'USDT', destination: 'treasury' };

/** Pays them and expects one item for each, in their order and linked to them. */
async function payOnce(...rows: Json[]): Promise<Json[]> {
	const items = await pay(stack.n8n, caller, rows);
	expect(items.map(({ wanted }) => wanted)).toEqual(rows.map(({ key }) => key));
	return items.map(({ wanted: _, ...item }) => item);
}

const resultsOf = (items: Json[]) => items.map(({ result }) => result);

/** What people read of these results. */
async function report(items: Json[]): Promise<Json> {
	const parameters = { resource: 'list', operation: 'report' };
	const { id } = await stack.client.saveWorkflow({
		name: 'Reports results',
		nodes: [...listOf(items), node('Report', DESK_NODE, parameters, { credentials: credentialsOf(stack) })],
		connections: connect(`${LISTED} -> Report`),
	});
	return itemsOf(succeeded(await stack.client.runByHand(id, 'Start')), 'Report')[0]!;
}

test('a list is paid once over several runs, in its order, and each payment has a row before it is sent and one after it', async () => {
	const approvedBy = 'Ada Obi, Ben Eze';
	const list = [
		row('1250.50', { approvedBy }),
		row('12.5', { ...COINS, approvedBy }),
		row('0.125', { currency: 'USD', destination: 'supplier-usd', approvedBy }),
	];
	const items = await payOnce(...list);
	expect(items).toMatchObject([
		{ result: 'paid', amount: '1250.50', currency: 'NGN', accountAlias: 'supplier-main' },
		{ result: 'paid', amount: '12.5', coin: 'USDT', walletAlias: 'treasury' },
		{ result: 'paid', amount: '0.125', currency: 'USD', accountAlias: 'supplier-usd' },
	]);
	expect(items.map(({ paymentKey }) => paymentKey)).toEqual(list.map(({ key }) => key));
	const all = await book().rows();
	expect(all.map(({ key, result }) => [key, result])).toEqual(
		['under way', 'paid'].flatMap((result) => list.map(({ key }) => [key, result])),
	);
	const rows = await resultRows(stack);
	expect(rows).toMatchObject([
		{ kind: 'fiat payout', asset: 'NGN', amount: '-1250.50', counterpart: 'supplier-main' },
		{ kind: 'crypto payout', asset: 'USDT', amount: '-12.5', counterpart: 'treasury' },
		{ kind: 'fiat payout', asset: 'USD', amount: '-0.125', counterpart: 'supplier-usd' },
	]);
	for (const [index, { payoutId }] of items.entries())
		expect(rows[index]).toMatchObject({
			key: list[index]!.key,
			result: 'paid',
			reference: payoutId,
			approvedBy,
			message: '',
			workflow: `${stack.example('pay-once').id} Part: pay once`,
			time: expect.stringMatching(/^\d{4}-.*Z$/),
		});
	expect(resultsOf(await payOnce(...list.toReversed(), row('4')))).toEqual([
		'alreadyPaid',
		'alreadyPaid',
		'alreadyPaid',
		'paid',
	]);
	expect(payoutsMade(stack).map(({ amount }) => amount)).toEqual(['1250.50', '12.5', '0.125', '4']);
});

test('a key that stands twice in a list is paid once, and the book keeps what was paid and what is unknown', async () => {
	const [paid, unknown] = [row('100'), row('300')];
	await failPayoutAfter(stack, 1, { dropBefore: true });
	const again = [paid, { ...paid, amount: '200' }, unknown, { ...unknown, amount: '400' }];
	expect(resultsOf(await payOnce(...again))).toEqual(['paid', 'notSent', 'unknown', 'notSent']);
	expect(amountsPaid(stack)).toEqual(['100']);
	expect(resultsOf(await payOnce(paid, paid))).toEqual(['alreadyPaid', 'alreadyPaid']);
	const rows = await resultRows(stack);
	expect(rows.map(({ key, amount, result }) => [key, amount, result])).toEqual([
		[paid.key, '-100', 'paid'],
		[paid.key, '-200', 'notSent'],
		[unknown.key, '-300', 'unknown'],
		[unknown.key, '-400', 'notSent'],
		[paid.key, '-100', 'alreadyPaid'],
		[paid.key, '-100', 'alreadyPaid'],
	]);
});

test('all columns of the book are text', () => {
	const { parameters } = stack.example('pay-once').nodes.find(({ name }) => name === 'Book')!;
	const { column } = parameters.columns as { column: Array<{ name: string; type: string }> };
	expect(column).toEqual(BOOK_COLUMNS.map((name) => ({ name, type: 'string' })));
});

test('a bad row stops no list: it is refused with its reason, in the book and in the report', async () => {
	const BAD: Array<[bad: Json, reason: string]> = [
		[row(undefined), "'amount' is empty"],
		[row(null), "'amount' is empty"],
		[row(9007199254740992), 'lost digits'],
		[row('1,5'), 'comma'],
		[row('500000.01'), "above 'Maximum Amount' 500000"],
		[row('1000.01', COINS), "above 'Maximum Amount' 1000"],
		[row('5', { destination: 'nobody' }), "'nobody' is not one of 'Allowed Aliases'"],
		[row('5', { destination: null }), "'destination' is empty"],
		[row('5', { currency: 'GBP' }), "'Limits' has no entry for the currency GBP"],
		[row('5', { currency: null }), 'not exactly one of'],
		// Nobody knows which of the two is meant.
		[row('5', { ...COINS, currency: 'NGN' }), 'not exactly one of'],
		[row('5', { key: null }), "'paymentKey' of the row is empty"],
		[row('6', { key: 'INV-' }), 'looks as if a part is missing'],
	];
	const refused = row('7', { destination: 'supplier-new' });
	const [first, last] = [row('1'), row('2')];
	const items = await payOnce(first, ...BAD.map(([bad]) => bad), refused, last);
	expect(items.slice(1, -2)).toMatchObject(
		BAD.map(([{ key }, reason]) => ({
			...(key === null ? {} : { paymentKey: key }),
			result: 'notSent',
			error: { message: expect.stringContaining(reason), outcome: 'notSent' },
		})),
	);
	const rejected = { result: 'rejected', error: { message: expect.stringContaining('supplier-new') } };
	expect(items.slice(-2)).toMatchObject([rejected, { result: 'paid' }]);
	expect(amountsPaid(stack)).toEqual(['1', '2']);

	const rows = await resultRows(stack);
	const notSent = BAD.map(() => 'notSent');
	expect(rows.map(({ result }) => result).sort()).toEqual([...notSent, 'paid', 'paid', 'rejected'].sort());
	for (const [index, [, reason]] of BAD.entries())
		expect(rows[index + 1]!.message).toEqual(expect.stringContaining(reason));

	const { isGood, counts, problems, unknown } = await report(items);
	expect({ isGood, counts, unknown }).toMatchObject({
		isGood: false,
		counts: { paid: 2, notSent: BAD.length, rejected: 1 },
		unknown: 0,
	});
	for (const [, reason] of BAD) expect((problems as string[]).join('\n')).toContain(reason);
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	expect(resultsOf(await payOnce(first, refused))).toEqual(['alreadyPaid', 'paid']);
});

test('a dry run says what a payment would meet, and sends and writes nothing', async () => {
	const [paid, lost] = [row('10'), row('20')];
	await failPayoutAfter(stack, 1, { dropAfter: true });
	expect(resultsOf(await payOnce(paid, lost))).toEqual(['paid', 'unknown']);
	const before = await book().rows();
	const dry = [
		paid,
		lost,
		row('30'),
		row('31', COINS),
		row('500000.01'),
		row(null),
		row('5', { key: null }),
		row('10'),
	].map((each, index) => ({ ...each, approvedBy: '', again: index < 7 }));
	const items = await payOnce(...dry);
	expect(resultsOf(items)).toEqual([
		'alreadyPaid',
		'unknown',
		'dryRun',
		'dryRun',
		'notSent',
		'notSent',
		'notSent',
		'notSent',
	]);
	for (const item of items) expect(item.dryRun).toBe(true);
	expect(await book().rows()).toEqual(before);
	expect(amountsPaid(stack)).toEqual(['10', '20']);
	expect(resultsOf(await payOnce(row('30')))).toEqual(['paid']);
});

test('a row without approvedBy is only checked, and one with a text there that is no name is refused', async () => {
	const [nothing, nobody] = [
		['', ' ', '\u00a0\t', null],
		[
			'\u200b',
			'-',
			', ',
			'0',
			0,
			1,
			false,
			true,
			[],
			{},
			['Ada Obi'],
			'no',
			'No.',
			'false',
			'yes',
			'n/a',
			'nobody',
			'Ada Obi, no',
		],
	];
	const [first, last] = [row('61'), row('62')];
	const [unasked, refused] = [nothing, nobody].map((all) =>
		all.map((approvedBy) => row('5', { approvedBy })),
	);
	const items = await payOnce(first, ...unasked!, ...refused!, last);
	expect(resultsOf(items)).toEqual([
		'paid',
		...nothing.map(() => 'dryRun'),
		...nobody.map(() => 'notSent'),
		'paid',
	]);
	expect(amountsPaid(stack)).toEqual(['61', '62']);
	// Nobody has said yes, so nothing was under way.
	expect((await book().rows()).filter(({ result }) => result === 'under way')).toHaveLength(2);
	const rows = await resultRows(stack);
	expect(rows.map(({ key, result, approvedBy }) => [key, result, approvedBy])).toEqual([
		[first.key, 'paid', 'Ada Obi'],
		...refused!.map(({ key }) => [key, 'notSent', '']),
		[last.key, 'paid', 'Ada Obi'],
	]);
	for (const { message } of rows.slice(1, -1))
		expect(message).toContain("'approvedBy', the name of who has said yes, is no name of a person");
});

test('the same payment under another key waits for a yes in again', async () => {
	const [first, second] = [row('1042.50', { again: '' }), row('1042.5', { again: 'no' })];
	const others = [
		row('1042.51', { again: false }),
		row('1042.50', {
			currency: 'USD',
			destination: 'supplier-usd',
			again: null,
			approvedBy: 'Ada Obi, Ben Eze',
		}),
	];
	const items = await payOnce(first, ...others, second, row('1042.5', { again: null }));
	expect(resultsOf(items)).toEqual(['paid', 'paid', 'paid', 'notSent', 'notSent']);
	expect((items[3]!.error as Json).message).toContain("'Duplicate Check'");
	for (const [again, key] of [
		['yes', second.key],
		[true, 'AGAIN-1'],
		['true', 'AGAIN-2'],
	] as const)
		expect(resultsOf(await payOnce({ ...second, key, again }))).toEqual(['paid']);
	expect(amountsPaid(stack)).toHaveLength(6);
});

test('what is unknown waits for a decision, which acts once, and the rest of the list is paid', async () => {
	const [lost, notMade, next] = [row('10'), row('20'), row('30')] as [Json, Json, Json];
	await failPayoutAfter(stack, 0, { dropAfter: true });
	await failPayoutAfter(stack, 0, { dropBefore: true });
	const first = await payOnce(lost, notMade, next);
	expect(resultsOf(first)).toEqual(['unknown', 'unknown', 'paid']);
	expect(await report(first)).toMatchObject({ isGood: false, unknown: 2 });
	expect((await resultRows(stack)).map(({ result }) => result)).toEqual(['unknown', 'unknown', 'paid']);
	expect(resultsOf(await payOnce(lost, notMade, next))).toEqual(['unknown', 'unknown', 'alreadyPaid']);
	const begun = () =>
		queryDatabase(stack, "SELECT 1 FROM processed_data WHERE context LIKE '%wallet-service begun %'").length;
	const rows = begun();
	await ageKeys(stack);
	// The old rows are there, and a decision acts.
	expect(begun()).toBe(rows);
	expect(rows).toBeGreaterThanOrEqual(2);
	const decided = [
		{ ...lost, decision: 'wasPaid' },
		{ ...notMade, decision: 'wasNotPaid' },
	];
	expect(resultsOf(await payOnce(...decided))).toEqual(['alreadyPaid', 'paid']);
	expect(resultsOf(await payOnce(...decided, next))).toEqual(Array(3).fill('alreadyPaid'));
	expect(resultsOf(await payOnce({ ...row('40'), decision: 'maybe' }))).toEqual(['notSent']);
	expect(amountsPaid(stack)).toEqual(['10', '30', '20']);
});

test('four executions pay the same list at the same instant: each key is paid once', async () => {
	const list = Array.from({ length: 8 }, (_, index) => row(`${index + 1}.5`));
	const runs = await Promise.all([1, 2, 3, 4].map(() => payOnce(...list)));
	expect(amountsPaid(stack).sort()).toEqual(list.map(({ amount }) => amount).sort());
	for (const index of list.keys())
		expect(runs.filter((items) => items[index]!.result === 'paid')).toHaveLength(1);
	expect(resultsOf(await payOnce(...list))).toEqual(list.map(() => 'alreadyPaid'));
});

test('a list of 45 is paid in parts of 20, in its order, and each part is in the book before it is sent', async () => {
	const list = Array.from({ length: 45 }, (_, index) => row(`${index + 1}.25`));
	// A table may have the results of another day.
	const before = list.map((each) => ({ ...each, result: 'notSent', error: 'too late' }));
	expect(resultsOf(await payOnce(...before))).toEqual(list.map(() => 'paid'));
	expect(amountsPaid(stack)).toEqual(list.map(({ amount }) => amount));
	const inParts = [0, 20, 40].map((start) => list.slice(start, start + 20));
	expect((await book().rows()).map(({ key, result }) => [key, result])).toEqual(
		inParts.flatMap((part) =>
			['under way', 'paid'].flatMap((result) => part.map(({ key }) => [key, result])),
		),
	);
});

test('rows of an agent have small limits and a number a day, which the rows of people do not use up', async () => {
	const ofAgent = (amount: string, more: Json = {}) => row(amount, { isFromAgent: true, ...more });
	expect(
		resultsOf(await payOnce(...Array.from({ length: 21 }, (_, index) => row(`3.${index + 10}`)))),
	).toEqual(Array(21).fill('paid'));
	// With a list of people in between, the rows of the agent come behind those of its part.
	const items = await pay(stack.n8n, caller, [
		ofAgent('50000'),
		row('50000.01'),
		ofAgent('50000.01'),
		ofAgent('5', COINS),
		ofAgent('6', { approvedBy: '' }),
	]);
	expect(items.map(({ amount, result }) => [amount, result])).toEqual([
		['50000.01', 'paid'],
		['50000', 'paid'],
		['50000.01', 'notSent'],
		['5', 'notSent'],
		['6', 'dryRun'],
	]);
	const more = Array.from({ length: 20 }, (_, index) => ofAgent(`4.${index + 10}`));
	const later = await pay(stack.n8n, caller, more);
	expect(resultsOf(later)).toEqual([...Array(19).fill('paid'), 'notSent']);
	expect((later[19]!.error as Json).message).toContain("'Maximum Payments per Day'");
	expect(resultsOf(await payOnce(row('7')))).toEqual(['paid']);
});

test('any word in isFromAgent means the small limits', async () => {
	const rows = ['maybe', 'true', false, null].map((isFromAgent) =>
		row('60000', { isFromAgent, approvedBy: 'Ada Obi, Ben Eze' }),
	);
	const items = await pay(stack.n8n, caller, rows);
	expect(items.map(({ paymentKey, result }) => [paymentKey, result])).toEqual(
		[2, 3, 0, 1].map((place) => [rows[place]!.key, place > 1 ? 'paid' : 'notSent']),
	);
});

test('without a column of the book, nothing is sent', async () => {
	const wanted = row('10');
	await payOnce(row('9'));
	const repair = await book().deleteColumn('counterpart');
	try {
		await expect(payOnce(wanted)).rejects.toThrow('n8n answered 500');
		expect(amountsPaid(stack)).toEqual(['9']);
	} finally {
		await repair();
	}
	expect(resultsOf(await payOnce(wanted))).toEqual(['paid']);
});

test('an item that is no payment is a row of the kind odd, and Insert takes it with the others', async () => {
	const items: Json[] = [
		row('5', { paymentKey: 'ODD-1' }),
		{ balance: '7' },
		row('6', { paymentKey: 'ODD-2' }),
	];
	const make = { resource: 'book', operation: 'makeRows' };
	const { nodes } = stack.example('pay-once');
	const insert = nodes.find(({ name }) => name === 'Write down before')!;
	const { id } = await stack.client.saveWorkflow({
		name: 'Inserts an odd item',
		nodes: [...listOf(items), node('Make', DESK_NODE, make), insert],
		connections: connect(`${LISTED} -> Make -> Write down before`),
	});
	await payOnce(row('4'));
	await book().clear();
	succeeded(await stack.client.runByHand(id, 'Start'));
	expect((await book().rows()).map(({ key, kind, message }) => [key, kind, message])).toEqual([
		['ODD-1', 'fiat payout', ''],
		[expect.stringMatching(/item 2$/), 'odd', 'No event, no payment and no conversion: {"balance":"7"}'],
		['ODD-2', 'fiat payout', ''],
	]);
	// Before anything is paid, a table that lacks a column stops the workflow.
	const repair = await book().deleteColumn('details');
	try {
		const execution = await stack.client.runByHand(id, 'Start');
		expect(execution.data.resultData.error?.message).toContain('details');
		expect(await book().rows()).toHaveLength(3);
	} finally {
		await repair();
	}
});

test('started by hand, without a list, it pays and writes nothing, and says so', async () => {
	const { id } = stack.example('pay-once');
	const execution = succeeded(await stack.client.runByHand(id, 'When called'));
	const [item] = itemsOf(execution, 'Pay');
	expect(item).toMatchObject({
		result: 'notSent',
		error: { message: expect.stringContaining('The item is no row of a list') },
	});
	expect(await dataTable(stack.client, 'wallet_service_book').rows()).toEqual([]);
});

testExamplesOf('n8n/payOnce', stack);
