/** The example pay-once, the book: called with rows by another workflow, and settled by a person. */
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { pay } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { withDatabase } from '../../host/testkit/database.ts';
import {
	calls,
	changeExample,
	LANGCHAIN,
	node,
	publishCopy,
	textFields,
	withParameters,
} from '../../host/testkit/workflows.ts';
import type { Changes } from '../../host/testkit/workflows.ts';
import { saveAgent, startChat, toolAnswers } from '../../host/testkit/agents.ts';
import { AT_ONCE, bookRow, paymentRows, bookTable, publishBookPayer } from '../../host/testkit/book.ts';
import type { PaymentRow } from '../../host/testkit/book.ts';
import type { Json } from '../../host/n8n/client.ts';
import { testExamplesOf } from './executedExamples.ts';
import { amountsPaid, failPayoutAfter, payoutsMade } from '../../host/testkit/payments.ts';
import { useModel, useStack } from './setup.ts';

const text = expect.any(String);

let caller: Payer;
/** Calls a copy that waits for the rows of others, as the example does. */
let patient: Payer;

const stack = useStack('pay-once', 'payout-by-chat');
const model = useModel();

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
	await changeExample(stack, 'pay-once', AT_ONCE);
	const more = { approvedBy: '={{ $json.approvedBy }}' };
	caller = await publishBookPayer(stack, 'Calls pay once', LINKED, undefined, more);
	patient = await payOnceWith('patient', { 'Wait for others': () => ({}) });
});

beforeEach(async () => {
	await stack.control('POST', '/reset');
});

/** A row for the workflow that calls. It adds NGN and supplier-main where they are missing. */
interface Wanted extends Json {
	key: string;
	amount: unknown;
}

/** Each row says which payment it is linked to. */
const LINKED = {
	after: [
		node('Belongs to', 'set', {
			...textFields({ wanted: "={{ $('One item each').item.json.key }}" }),
			includeOtherFields: true,
			options: {},
		}),
	],
};

let lists = 0;

/** Payments with keys of their own. */
function payments<A extends string[]>(...amounts: A): { [Index in keyof A]: Wanted } {
	lists += 1;
	return amounts.map((amount, index) => ({ key: `INV-${lists}-${index}`, amount })) as never;
}

function payment(amount: string, more: Json = {}): Wanted {
	return { ...payments(amount)[0], ...more };
}

/** Pays them and expects one row for each, in their order and linked to them. */
const payOnce = async (...wanted: Wanted[]) => await payBy(caller, wanted);

async function payBy(payer: Payer, wanted: Wanted[]): Promise<Json[]> {
	const rows = await pay(stack.n8n, payer, wanted);
	expect(rows.map(({ paymentKey, wanted: link }) => [paymentKey, link])).toEqual(
		wanted.map(({ key }) => [key, key]),
	);
	for (const { wanted: _, ...row } of rows)
		expect(Object.keys(row)).toEqual([
			...['paymentKey', 'result', 'amount', expect.stringMatching(/^(currency|coin)$/), 'destination'],
			...['payoutId', 'status', 'message', 'execution', 'sameAs'],
		]);
	return rows;
}

const resultsOf = (rows: Json[]) => rows.map(({ result }) => result);

const table = () => bookTable(stack);

async function rowsOf(...wanted: Wanted[]): Promise<PaymentRow[]> {
	const keys = wanted.map(({ key }) => key);
	return (await paymentRows(stack)).filter(({ paymentKey }) => keys.includes(paymentKey));
}

/** What a person writes when the request is over. */
async function settle({ key }: Wanted, settle: string): Promise<void> {
	await ageKeys(stack);
	await table().update({ key }, { settle });
}

/** The next payout is made, but its answer is lost. */
const loseAnswer = () => failPayoutAfter(stack, 0, { dropAfter: true });

/** Calls a copy of *pay once* with these changes. */
async function payOnceWith(title: string, changes: Changes): Promise<Payer> {
	const payOnce = await publishCopy(stack, 'pay-once', `Pay once, ${title}`, {
		...AT_ONCE,
		...changes,
	});
	return await publishBookPayer(stack, `Calls it, ${title}`, LINKED, payOnce);
}

const COINS = { coin: 'usdt', destination: 'treasury' };

test('pay once pays a list once over several runs, each to its destination, and gives a whole row for each', async () => {
	const list = [payment('1250.50'), payment('0.125', { currency: 'USD', destination: 'supplier-usd' })];
	list.push(payment('1.5', COINS));
	const first = await payOnce(...list);
	const fields = [{}, { currency: 'USD', destination: 'supplier-usd' }, { destination: 'treasury' }];
	expect(first).toEqual(
		list.map(({ key, amount, coin }, index) => ({
			...{ paymentKey: key, result: 'paid', amount, ...(coin ? { coin: 'USDT' } : { currency: 'NGN' }) },
			...{ destination: 'supplier-main', ...fields[index], payoutId: text, status: text },
			...{ message: '', execution: text, sameAs: '', wanted: key },
		})),
	);
	expect(await rowsOf(...list)).toMatchObject(
		first.map(({ wanted: _, status: __, sameAs: ___, message: ____, ...row }) => ({ ...row, time: text })),
	);
	// Another spelling is the same key, and another amount is another payment.
	const key = ` ${list[0]!.key.toLowerCase().replaceAll('-', '\u2013')}\u00a0`;
	const [spelt, other, more] = [
		{ key, amount: '1250.5', currency: 'ngn' },
		{ ...list[0]!, amount: '10.01' },
		payment('4'),
	];
	expect(await payOnce(spelt, more, other, ...list.slice(1))).toEqual([
		{ ...first[0], result: 'alreadyPaid', paymentKey: key, amount: '1250.5', wanted: key },
		expect.objectContaining({ result: 'paid', amount: '4' }),
		expect.objectContaining({
			result: 'notSent',
			message: `In the table, ${other.key} is 1250.5 NGN to supplier-main. This row says 10.01 NGN to supplier-main. One of the two is wrong. Nothing was sent.`,
		}),
		...first.slice(1).map((row) => ({ ...row, result: 'alreadyPaid' })),
	]);
	expect(await rowsOf(...list)).toMatchObject(list.map(({ amount }) => ({ amount, result: 'paid' })));
	expect(payoutsMade(stack).map(({ amount, destination }) => [amount, destination])).toEqual([
		...[
			['1250.50', 'supplier-main'],
			['0.125', 'supplier-usd'],
		],
		...[
			['1.5', 'treasury'],
			['4', 'supplier-main'],
		],
	]);
});

test('a dry run of pay once says what a payment would meet, and sends and writes nothing', async () => {
	const [lost, wanted, only, ...limits] = payments('10', '20', '30', '500000.01', '1000.1');
	await loseAnswer();
	await payOnce(lost);
	const before = await rowsOf(lost);
	const rows = await payOnce(
		...[{ ...only, dryRun: 'true' }, { ...lost, dryRun: true }, wanted],
		...[wanted, { ...wanted, amount: '21' }].map((row) => ({ ...row, dryRun: true })),
		...[limits[0], { ...limits[1], ...COINS }].map((row) => ({ ...row, dryRun: true })),
	);
	expect(resultsOf(rows)).toEqual([
		...['dryRun', 'unknown', 'paid', 'alreadyPaid', 'notSent', 'notSent', 'notSent'],
	]);
	for (const { message } of rows.slice(-2)) expect(message).toContain("above 'Maximum Amount'");
	expect(rows.map(({ payoutId }) => payoutId)).toEqual(['', '', text, rows[2]!.payoutId, '', '', '']);
	expect(await rowsOf(only, ...limits)).toEqual([]);
	expect(await rowsOf(lost)).toEqual(before);
	expect(amountsPaid(stack)).toEqual(['10', '20']);
});

describe('the same payment under another key', () => {
	const today = new Date().toISOString().slice(0, 8);
	const asFirst = ({ amount }: Wanted, more: Json = {}) => ({
		...payment(String(amount)),
		again: '',
		...more,
	});
	const held = (first: Wanted) => ({
		result: 'notSent',
		sameAs: expect.stringMatching(new RegExp(`^${first.key} \\(paid on ${today}\\d\\d\\)$`)),
		message: expect.stringMatching(/^The same payment has another key: .* Nothing was sent\.$/),
	});

	test('it is held, also in another spelling and beside others, until someone says again', async () => {
		const first = payment('1042.50', { again: '' });
		const others = [
			{ amount: '1042.51' },
			{ currency: 'USD', destination: 'supplier-usd' },
			{ coin: 'USDT', destination: 'treasury', amount: '1000' },
		];
		const second = asFirst(first, { amount: '1042.5' });
		const rows = await payOnce(
			...[first, ...others.map((other) => asFirst(first, other)), second, first],
			...[
				{ ...second, dryRun: true },
				{ ...second, dryRun: true, again: 'Yes' },
			],
		);
		expect(rows).toMatchObject([
			...[first, ...others].map(() => ({ result: 'paid', sameAs: '' })),
			...[held(first), { result: 'alreadyPaid' }, held(first)],
			{ result: 'dryRun', sameAs: expect.stringContaining(first.key) },
		]);
		// A list that ends here knows that it was not sent.
		expect(await rowsOf(second)).toMatchObject([{ result: 'notSent', amount: '1042.5', payoutId: '' }]);
		expect(resultsOf(await payOnce({ ...second, again: 'yes' }, second))).toEqual(['paid', 'alreadyPaid']);
		expect(amountsPaid(stack)).toEqual(['1042.50', '1042.51', '1042.50', '1000', '1042.5']);
	});

	test('nothing is sent if the table cannot be read for it', async () => {
		const filters = { conditions: [{ keyName: 'gone', condition: 'eq', keyValue: 'x' }] };
		const payer = await payOnceWith('without a look', { 'Same payments': withParameters({ filters }) });
		await expect(pay(stack.n8n, payer, payments('1', '2'))).rejects.toThrow('n8n answered 500');
		expect(amountsPaid(stack)).toEqual([]);
	});

	test('it is held beside what a person added, and paid beside a deposit, or what is older than seven days', async () => {
		const [mine, old, deposit] = payments('66', '88.8', '88.9').map((each) => ({ ...each, again: '' }));
		const added = { kind: 'fiat payout', asset: 'NGN', counterpart: 'supplier-main', result: 'paid' };
		await table().insert([
			{ ...added, key: 'BY-HAND', amount: '-66.00' },
			{ ...added, key: 'OLD', amount: '-88.8', reference: 'po_1' },
			{ ...added, key: 'DEPOSIT', kind: 'deposit', amount: '88.9', reference: 'dep_1' },
		]);
		withDatabase(stack, (database) => {
			const { id } = database.prepare("SELECT id FROM data_table WHERE name = 'wallet_service_book'").get()!;
			const age = "SET updatedAt = datetime('now', '-169 hours') WHERE key = 'OLD'";
			database.prepare(`UPDATE data_table_user_${String(id)} ${age}`).run();
		});
		expect(await payOnce(mine!, old!, deposit!)).toMatchObject([
			{ result: 'notSent', sameAs: expect.stringMatching(/^BY-HAND \(paid on /) },
			...[old, deposit].map(() => ({ result: 'paid', sameAs: '' })),
		]);
		expect(amountsPaid(stack)).toEqual(['88.8', '88.9']);
	});
});

test('pay once writes why a payment was rejected, and pays it, or a refused one, after the correction', async () => {
	const [fine, wanted, amount, alias] = payments('10', '20', '20,5', '30');
	const toNew = { ...wanted, destination: 'supplier-new' };
	expect(await payOnce(toNew, fine, amount, { ...alias, destination: 'nobody' })).toMatchObject([
		{ result: 'rejected', message: expect.stringContaining('supplier-new'), payoutId: '' },
		{ result: 'paid' },
		{ result: 'notSent', message: expect.stringContaining('comma') },
		{ result: 'notSent', message: expect.stringContaining('nobody') },
	]);
	expect(await rowsOf(toNew)).toMatchObject([
		{ result: 'rejected', message: expect.stringContaining('supplier-new') },
	]);
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	expect(await payOnce(toNew, fine, { ...amount, amount: '20.5' }, alias)).toMatchObject([
		{ result: 'paid', message: '' },
		...['alreadyPaid', 'paid', 'paid'].map((result) => ({ result })),
	]);
	expect(await rowsOf(toNew, amount, alias)).toMatchObject([
		{ result: 'paid', message: '' },
		{ result: 'paid', amount: '20.5' },
		{ result: 'paid', destination: 'supplier-main' },
	]);
	expect(amountsPaid(stack)).toEqual(['10', '20', '20.5', '30']);
});

test('pay once leaves unknown payments to a person, whose word acts once, and keeps who said yes', async () => {
	const list = payments('10', '20', '30');
	for (const each of list) each.approvedBy = 'Ada, Obi';
	const [lost, notMade, next] = list;
	await loseAnswer();
	await failPayoutAfter(stack, 0, { dropBefore: true });
	const [first] = await payOnce(...list);
	const toSettle = {
		result: 'unknown',
		message: expect.stringContaining(
			'Wait five minutes, then look the payment up at the service. Then write wasPaid or wasNotPaid into the column settle',
		),
	};
	expect(first).toMatchObject(toSettle);
	const before = await rowsOf(lost, notMade);
	expect(before[0]).toMatchObject({
		...{ result: 'unknown', message: expect.stringContaining('gave no answer'), execution: first!.execution },
	});
	expect(await payOnce(...list)).toMatchObject([toSettle, toSettle, { result: 'alreadyPaid' }]);
	// They still say when they were sent, and why they are not known.
	expect(await rowsOf(lost, notMade)).toEqual(before);
	await settle(lost, 'wasPaid');
	await settle(notMade, 'wasNotPaid');
	const paid = { result: 'alreadyPaid', message: 'A person wrote wasPaid.', execution: first!.execution };
	const again = async () => await payOnce({ ...lost, approvedBy: '' }, notMade, notMade);
	expect(await again()).toMatchObject([paid, { result: 'paid' }, { result: 'alreadyPaid' }]);
	const { time } = before[0]!;
	const settled = { result: 'paid', settle: '', approvedBy: 'Ada, Obi' };
	expect(await rowsOf(lost, notMade)).toMatchObject([
		{ ...paid, ...settled, payoutId: '', time },
		{ ...settled, payoutId: text, message: 'A person wrote wasNotPaid.' },
	]);
	// A word does not act on a paid row.
	await settle(notMade, 'wasNotPaid');
	expect(await again()).toMatchObject([paid, { result: 'alreadyPaid' }, { result: 'alreadyPaid' }]);
	expect(amountsPaid(stack)).toEqual([lost, next, notMade].map(({ amount }) => amount));
});

test('two executions that read the word of a person at the same instant pay once', async () => {
	const lost = payment('10');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	const payLost = async () => await payBy(patient, [lost]);
	await payLost();
	await settle(lost, 'wasNotPaid');
	const both = (await Promise.all([payLost(), payLost()])).flat();
	expect(resultsOf(both).sort()).toEqual(['alreadyPaid', 'paid']);
	expect(new Set(both.map(({ payoutId }) => payoutId)).size).toBe(1);
	expect(await rowsOf(lost)).toMatchObject([{ result: 'paid', payoutId: text }]);
	expect(amountsPaid(stack)).toEqual(['10']);
});

test('pay once asks again when the payment after the word of a person has no clear answer either', async () => {
	const lost = payment('10');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	const [{ time, execution }] = (await rowsOf(lost)) as [PaymentRow];
	await settle(lost, 'wasNotPaid');
	await loseAnswer();
	const [second] = await payOnce(lost);
	expect(second).toMatchObject({
		result: 'unknown',
		message: expect.stringContaining('Run it again in a few'),
	});
	expect(await rowsOf(lost)).toMatchObject([{ result: 'unknown', settle: '' }]);
	// A word without a run before does not act. The next one does.
	await settle(lost, 'wasNotPaid');
	for (let run = 0; run < 2; run += 1) expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	// A person has to look from the first payment on. An answer to the question before this run counts no more.
	const [asked] = await rowsOf(lost);
	expect(asked).toMatchObject({ result: 'unknown', settle: '', time });
	expect(asked!.execution).not.toBe(execution);
	await settle(lost, 'wasPaid');
	expect(resultsOf(await payOnce(lost))).toEqual(['alreadyPaid']);
	expect(amountsPaid(stack)).toEqual(['10']);
});

test('pay once pays a row that a person has added, and takes none of another kind for a payment', async () => {
	const [credited, open] = payments('1', '2');
	const row = ({ key, amount }: Wanted, more: Json = {}) =>
		bookRow({ paymentKey: key, amount, currency: 'NGN', destination: 'supplier-main', ...more });
	const deposit = { ...row(credited, { result: 'paid' }), kind: 'deposit', amount: '1' };
	await table().insert([deposit, row(open)]);
	expect(resultsOf(await payOnce(credited, open, open))).toEqual(['paid', 'paid', 'alreadyPaid']);
	expect(amountsPaid(stack)).toEqual(['1', '2']);
	expect((await table().rows()).filter(({ key }) => key === credited.key)).toMatchObject([
		{ ...deposit, reference: '' },
		{ kind: 'fiat payout', asset: 'NGN', amount: '-1', counterpart: 'supplier-main', result: 'paid' },
	]);
	expect(await rowsOf(open)).toMatchObject([{ result: 'paid', payoutId: text }]);
});

test('only the copy of pay once that sent an unknown payment knows its key, and another sends it only after wasNotPaid', async () => {
	const lost = payment('10');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	const before = await rowsOf(lost);
	const copy = await payOnceWith('as a copy', {});
	const byCopy = async () => resultsOf(await payBy(copy, [lost]));
	expect(await byCopy()).toEqual(['unknown']);
	expect(await rowsOf(lost)).toEqual(before);
	await settle(lost, 'wasNotPaid');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	expect(await byCopy()).toEqual(['unknown']);
	// What the copy left unknown is now its own.
	const [now] = await rowsOf(lost);
	expect(now).toMatchObject({ result: 'unknown', settle: '' });
	expect(now!.workflow).not.toBe(before[0]!.workflow);
	for (const again of [await payBy(caller, [lost]), await payBy(copy, [lost])])
		expect(resultsOf(again)).toEqual(['unknown']);
	await settle(lost, 'wasNotPaid');
	expect(await byCopy()).toEqual(['paid']);
	expect(resultsOf(await payOnce(lost))).toEqual(['alreadyPaid']);
	expect(amountsPaid(stack)).toEqual(['10']);
});

test('four executions pay the same list with pay once at the same instant: each key is paid once', async () => {
	const list = payments(...Array.from({ length: 12 }, (_, index) => `${index + 1}.5`));
	const runs = await Promise.all([1, 2, 3, 4].map(() => payBy(patient, list)));
	expect(amountsPaid(stack).sort()).toEqual(list.map(({ amount }) => amount).sort());
	for (const index of list.keys()) {
		const rows = runs.map((run) => run[index]!);
		expect(resultsOf(rows).sort()).toEqual(['alreadyPaid', 'alreadyPaid', 'alreadyPaid', 'paid']);
		expect(new Set(rows.map(({ payoutId }) => payoutId))).toEqual(new Set([text]));
	}
	expect(resultsOf(await payOnce(...list))).toEqual(list.map(() => 'alreadyPaid'));
	expect((await rowsOf(...list)).map(({ result, payoutId }) => [result, payoutId])).toEqual(
		list.map(() => ['paid', text]),
	);
});

test('an execution that finds a key just paid waits for the row of the other execution', async () => {
	const wanted = payment('10');
	const slow = await payOnceWith('slow to write', {
		'Wait for others': withParameters({ amount: "={{ $json.result === 'paid' ? 1 : 6 }}" }),
	});
	const rows = (await Promise.all([1, 2].map(() => pay(stack.n8n, slow, [wanted])))).flat();
	expect(resultsOf(rows).sort()).toEqual(['alreadyPaid', 'paid']);
	const paid = rows.find(({ result }) => result === 'paid')!;
	const { payoutId, status, execution } = paid;
	for (const row of rows) expect(row).toMatchObject({ payoutId, status, message: '', execution });
	expect(await rowsOf(wanted)).toMatchObject([{ result: 'paid', payoutId, execution }]);
});

/** A node with this finds no row in the table, as if the row came right after the question. */
const nowhere = withParameters({
	filters: { conditions: [{ keyName: 'key', condition: 'eq', keyValue: '-' }] },
});

test('a row with an ID stays as it is when another execution writes about the same key without having seen it', async () => {
	const blind = await payOnceWith('blind', { 'Look up': nowhere, 'Look again': nowhere });
	const wanted = payment('10');
	const [first] = await pay(stack.n8n, blind, [wanted]);
	const [paid] = await rowsOf(wanted);
	const rows = await pay(stack.n8n, blind, [{ ...wanted, amount: '11' }, wanted]);
	expect(resultsOf(rows)).toEqual(['notSent', 'alreadyPaid']);
	const now = await rowsOf(wanted);
	expect(now[0]).toEqual(paid);
	expect(now.slice(1)).toMatchObject([{ result: 'paid', amount: '10', payoutId: '', time: null }]);
	const { payoutId, status, execution } = first!;
	expect(await payOnce(wanted)).toMatchObject([{ result: 'alreadyPaid', payoutId, status, execution }]);
	expect(amountsPaid(stack)).toEqual(['10']);
});

test('without a column of the table, pay once sends nothing and says which one is missing', async () => {
	const wanted = payment('10');
	const repair = await table().deleteColumn('counterpart');
	try {
		const missing = expect.stringContaining('no column counterpart (string). Add it');
		expect(await pay(stack.n8n, caller, [wanted, { ...wanted, dryRun: true }])).toMatchObject(
			Array.from({ length: 2 }, () => ({ result: 'notSent', message: missing })),
		);
		expect(amountsPaid(stack)).toEqual([]);
	} finally {
		await repair();
	}
	expect(resultsOf(await payOnce(wanted))).toEqual(['paid']);
});

test('an agent pays an invoice once through pay once, however often it calls', async () => {
	const chat = stack.example('payout-by-chat');
	const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
	const value = {
		paymentKey: fromModel('invoice'),
		amount: fromModel('amount'),
		currency: 'NGN',
		coin: '',
		destination: fromModel('alias'),
	};
	const schema = Object.keys(value).map((id) => ({ id, displayName: id, type: 'string', display: true }));
	const workflowInputs = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
	const parameters = { description: 'Pays an invoice', ...calls(stack.example('pay-once')), workflowInputs };
	const tool = node('Pay out', `${LANGCHAIN}.toolWorkflow`, parameters, { credentials: {} });
	const workflow = await saveAgent(stack, model, chat, 'An agent calls pay once', { 'Pay out': () => tool });
	const call = (amount: string) => ({
		tool: 'Pay out',
		input: { invoice: 'AGENT-7', amount, alias: 'supplier-main' },
	});
	model.play([[call('12.50'), call('12.5')], [call('13')], [call('500000.01')]]);
	const execution = await stack.client.ended(await startChat(stack, workflow, 'Pay AGENT-7'));
	const answers = toolAnswers(execution).join();
	for (const word of ['paid', 'alreadyPaid', 'notSent']) expect(answers).toContain(word);
	const [paid, ...others] = amountsPaid(stack);
	expect(['12.50', '12.5']).toContain(paid);
	expect(others).toEqual([]);
});

testExamplesOf('n8n/payOnce', stack);
