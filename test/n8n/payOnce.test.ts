/** The example pay-once, the book: called with rows by another workflow, and settled by a person. */
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

jest.setTimeout(300_000);

const text = expect.any(String);

let caller: Payer;
/** Calls a copy that waits for the rows of others, as the example does. */
let patient: Payer;

const stack = useStack();
const model = useModel();

beforeAll(async () => {
	await stack.control('PUT', '/webhook', { url: null });
	await changeExample(stack, 'pay-once', AT_ONCE);
	caller = await publishBookPayer(stack, 'Calls pay once', LINKED);
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
function payments(...amounts: string[]): Wanted[] {
	lists += 1;
	return amounts.map((amount, index) => ({ key: `INV-${lists}-${index}`, amount }));
}

function payment(amount: string, more: Json = {}): Wanted {
	return { ...payments(amount)[0]!, ...more };
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

async function settle({ key }: Wanted, settle: string): Promise<void> {
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

test('pay once pays a list once over several runs, and gives a whole row for each', async () => {
	const list = payments('1250.50', '0.125', '3');
	const first = await payOnce(...list);
	expect(first).toEqual(
		list.map(({ key, amount }) => ({
			paymentKey: key,
			result: 'paid',
			amount,
			currency: 'NGN',
			destination: 'supplier-main',
			payoutId: text,
			status: text,
			message: '',
			execution: text,
			sameAs: '',
			wanted: key,
		})),
	);
	const more = payment('4');
	const again = await payOnce(list[0]!, more, ...list.slice(1));
	expect(again).toEqual([
		{ ...first[0], result: 'alreadyPaid' },
		expect.objectContaining({ result: 'paid', amount: '4' }),
		...first.slice(1).map((row) => ({ ...row, result: 'alreadyPaid' })),
	]);
	expect(await rowsOf(...list)).toMatchObject(
		list.map(({ amount }, index) => ({
			amount,
			currency: 'NGN',
			destination: 'supplier-main',
			result: 'paid',
			payoutId: first[index]!.payoutId,
			execution: first[index]!.execution,
			time: text,
		})),
	);
	expect(amountsPaid(stack)).toEqual(['1250.50', '0.125', '3', '4']);
});

test('pay once pays fiat and coins of one list, each to its destination', async () => {
	const [fiat, coins] = [payment('5', { currency: 'USD', destination: 'supplier-usd' }), payment('1.5')];
	const rows = await payOnce(fiat, { ...coins, coin: 'usdt', destination: 'treasury' });
	expect(rows).toMatchObject([
		{ result: 'paid', currency: 'USD', destination: 'supplier-usd' },
		{ result: 'paid', coin: 'USDT', destination: 'treasury', payoutId: text },
	]);
	expect(payoutsMade(stack).map(({ amount, destination }) => [amount, destination])).toEqual([
		['5', 'supplier-usd'],
		['1.5', 'treasury'],
	]);
});

test('pay once treats different spellings of a key as one key, and pays it once', async () => {
	const wanted = payment('9.50', { key: 'Bill \u2011 7' });
	expect(resultsOf(await payOnce(wanted))).toEqual(['paid']);
	const same = [
		{ key: ' BILL -  7', amount: '9.5', currency: 'ngn' },
		...['bill - 7', 'Bill \u2013 7'].map((key) => ({ ...wanted, key })),
	];
	expect(resultsOf(await payOnce(...same))).toEqual(same.map(() => 'alreadyPaid'));
	expect(amountsPaid(stack)).toEqual(['9.50']);
});

test('pay once has one row for all spellings of a key', async () => {
	const spellings = [
		"O'Neil - 7",
		'O\u2019NEIL \u2e3a 7',
		'o\u02bcneil\u00a0\u2013\u3000 7',
		'\uff2f\u2032Neil \u2212 7 ',
	];
	const list = spellings.map((key) => payment('9.50', { key }));
	expect(resultsOf(await payOnce(...list))).toEqual(['paid', 'alreadyPaid', 'alreadyPaid', 'alreadyPaid']);
	const keys = (await paymentRows(stack)).map(({ paymentKey }) => paymentKey);
	expect(keys.filter((key) => /neil/i.test(key))).toEqual(["O'NEIL - 7"]);
	expect(amountsPaid(stack)).toEqual(['9.50']);
});

test('pay once refuses a key that is not text or has lost digits, before anything is sent for its row', async () => {
	const [good, number] = payments('1', '2') as [Wanted, Wanted];
	const whole = { ...number, key: 70_001 };
	const wrong: Array<[unknown, string]> = [
		[[good.key], `["${good.key}"]`],
		[{ invoice: good.key }, `{"invoice":"${good.key}"}`],
		[true, 'true'],
		[2 ** 53, '9007199254740992'],
		[2 ** 53, '9007199254740992'],
		[1e21, '1e+21'],
		[12.5, '12.5'],
	];
	const bad = wrong.map(([key]) => ({ ...good, key }));
	const rows = await pay(stack.n8n, caller, [good, ...bad, whole, { ...whole, key: '70001' }]);
	expect(rows).toMatchObject([
		{ result: 'paid', paymentKey: good.key },
		...wrong.map(([, shown]) => ({
			result: 'notSent',
			message: `The paymentKey ${shown} is not text. Write it as text, so that nothing of it is lost.`,
		})),
		{ result: 'paid', paymentKey: '70001' },
		{ result: 'alreadyPaid', paymentKey: '70001' },
	]);
	const dry = await pay(
		stack.n8n,
		caller,
		bad.map((row) => ({ ...row, dryRun: true })),
	);
	expect(resultsOf(dry)).toEqual(bad.map(() => 'notSent'));
	expect(amountsPaid(stack)).toEqual(['1', '2']);
	const known = wrong.map(([key]) => String(key)).filter((key) => key !== good.key);
	expect((await paymentRows(stack)).filter(({ paymentKey }) => known.includes(paymentKey))).toEqual([]);
});

test('pay once refuses each text that Payment Key refuses, also if it looks like a key that was paid', async () => {
	const keys = ['INV-10\u00b2', 'INV\u2500102', 'INV-\n102', 'INV-102null', '\u017f-1'];
	const paid = ['INV-102', 'S-1'].map((key) => payment('1', { key }));
	expect(resultsOf(await payOnce(...paid))).toEqual(['paid', 'paid']);
	const rows = await payOnce(...keys.map((key) => payment('1', { key })));
	expect(rows).toMatchObject(
		['U+00B2', 'U+2500', 'U+000A', 'the word null', 'U+017F'].map((what) => ({
			result: 'notSent',
			message: expect.stringContaining(what),
		})),
	);
	expect(amountsPaid(stack)).toEqual(['1', '1']);
});

test('pay once refuses another payment under a known key, and says what differs', async () => {
	const wanted = payment('10');
	const others = [
		{ ...wanted, amount: '10.01' },
		{ ...wanted, currency: 'USD' },
		{ ...wanted, coin: 'NGN' },
		{ ...wanted, destination: 'supplier-new' },
	];
	const rows = await payOnce(wanted, ...others, wanted);
	expect(resultsOf(rows)).toEqual(['paid', 'notSent', 'notSent', 'notSent', 'notSent', 'alreadyPaid']);
	expect(rows[1]!.message).toBe(
		`In the table, ${wanted.key} is 10 NGN to supplier-main. This row says 10.01 NGN to supplier-main. One of the two is wrong. Nothing was sent.`,
	);
	expect(amountsPaid(stack)).toEqual(['10']);
	expect(await rowsOf(wanted)).toMatchObject([{ amount: '10', currency: 'NGN', result: 'paid' }]);
});

test('pay once does not send rows without what a payment needs, and pays the other rows', async () => {
	const wrong: Array<[Json, string]> = [
		[{ key: '  ' }, 'The row has no paymentKey.'],
		[{ amount: '' }, 'The row has no amount.'],
		[{ currency: '' }, 'The row needs a currency or a coin: one of the two.'],
		[{ destination: '' }, 'The row has no destination.'],
		[{ amount: 12.5 }, 'The amount 12.5 is a number. Write it as text, so that no digit is lost.'],
	];
	const [good, ...bad] = payments('1', ...wrong.map(() => '2')) as [Wanted, ...Wanted[]];
	const rows = await payOnce(...bad.map((row, index) => ({ ...row, ...wrong[index]![0] })), good);
	expect(rows).toMatchObject([
		...wrong.map(([, message]) => ({ result: 'notSent', message })),
		{ result: 'paid', message: '' },
	]);
	expect(amountsPaid(stack)).toEqual(['1']);
	expect(await rowsOf(...bad)).toEqual([]);
});

describe('a dry run of pay once', () => {
	const dry = async (wanted: Wanted, dryRun: unknown = true) => (await payOnce({ ...wanted, dryRun }))[0]!;

	test('a dry run of pay once says what a payment would meet, and sends and writes nothing', async () => {
		const wanted = payment('10');
		for (const on of [true, 'true', 1])
			expect(await dry(wanted, on)).toMatchObject({ result: 'dryRun', amount: '10', payoutId: '' });
		expect(await rowsOf(wanted)).toEqual([]);
		expect(amountsPaid(stack)).toEqual([]);
		expect(await dry(wanted, false)).toMatchObject({ result: 'paid' });
		expect(await dry(wanted)).toMatchObject({ result: 'alreadyPaid', payoutId: text });
		expect(await dry({ ...wanted, amount: '11' })).toMatchObject({ result: 'notSent' });
		expect(amountsPaid(stack)).toEqual(['10']);
	});

	test('a dry run of pay once names what is wrong, and leaves no row', async () => {
		const wrong: Array<[Json, string]> = [
			[{ amount: '1,250.50' }, "'Amount' has a comma"],
			[{ amount: '500000.01' }, "above 'Maximum Amount'"],
			[{ coin: 'USDT', destination: 'treasury', amount: '1000.1' }, 'above'],
			[{ destination: 'nobody' }, "not one of 'Allowed Aliases'"],
			[{ currency: 'KES' }, "not one of 'Allowed Currencies'"],
			[{ key: 'INV\u200b-9' }, 'U+200B'],
			[{ amount: '' }, 'The row has no amount.'],
		];
		const list = wrong.map(([row]) => ({ ...payment('1', row), dryRun: true }));
		expect(await payOnce(...list)).toMatchObject(
			wrong.map(([, message]) => ({ result: 'notSent', message: expect.stringContaining(message) })),
		);
		expect(await rowsOf(...list)).toEqual([]);
	});

	test('a dry run of pay once leaves an unknown payment and the word of a person as they are', async () => {
		const lost = payment('10');
		await loseAnswer();
		await payOnce(lost);
		for (const [word, result] of [
			['', 'unknown'],
			['wasNotPaid', 'dryRun'],
			['wasPaid', 'alreadyPaid'],
		] as const) {
			await settle(lost, word);
			const before = await rowsOf(lost);
			expect((await dry(lost)).result).toBe(result);
			expect(await rowsOf(lost)).toEqual(before);
		}
		expect(amountsPaid(stack)).toEqual(['10']);
	});
});

describe('the same payment under another key', () => {
	const today = new Date().toISOString().slice(0, 8);
	const asFirst = ({ amount }: Wanted, more: Json = {}) => ({
		...payment(String(amount)),
		again: '',
		...more,
	});
	const held = (first: Wanted, word: string) => ({
		result: 'notSent',
		sameAs: expect.stringMatching(new RegExp(`^${first.key} \\(${word} on ${today}\\d\\d\\)$`)),
		message: expect.stringMatching(
			/^The same payment has another key: .*\. If both must be paid, say yes in the field again, and run this again\. Nothing was sent\.$/,
		),
	});
	const makeOld = ({ key }: Wanted) =>
		withDatabase(stack, (database) => {
			const { id } = database.prepare("SELECT id FROM data_table WHERE name = 'wallet_service_book'").get()!;
			const age = "SET updatedAt = datetime('now', '-169 hours')";
			database.prepare(`UPDATE data_table_user_${String(id)} ${age} WHERE key = ?`).run(key);
		});

	test('it is held, also in another spelling and beside others, until someone says again', async () => {
		const first = payment('1042.50', { again: '' });
		const others = [
			{ amount: '1042.51' },
			{ currency: 'USD', destination: 'supplier-usd' },
			{ coin: 'USDT', destination: 'treasury', amount: '1000' },
		];
		const second = asFirst(first, { amount: '1042.5' });
		const rows = await payOnce(first, ...others.map((other) => asFirst(first, other)), second, first);
		expect(rows).toMatchObject([
			...[first, ...others].map(() => ({ result: 'paid', sameAs: '' })),
			held(first, 'paid'),
			{ result: 'alreadyPaid' },
		]);
		expect(await payOnce({ ...second, dryRun: true })).toMatchObject([held(first, 'paid')]);
		expect(await payOnce({ ...second, dryRun: true, again: 'Yes' })).toMatchObject([
			{ result: 'dryRun', sameAs: expect.stringContaining(first.key) },
		]);
		// A list that ends here knows that it was not sent.
		expect(await rowsOf(second)).toMatchObject([{ result: 'notSent', amount: '1042.5', payoutId: '' }]);
		expect(await payOnce({ ...second, again: 'yes' })).toMatchObject([{ result: 'paid' }]);
		expect(await payOnce(second)).toMatchObject([{ result: 'alreadyPaid' }]);
		expect(amountsPaid(stack)).toEqual(['1042.50', '1042.51', '1042.50', '1000', '1042.5']);
	});

	test('it is held beside one that is not known, and the word of a person about that one still acts', async () => {
		const lost = payment('77.1', { again: '' });
		await loseAnswer();
		expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
		const second = asFirst(lost);
		expect(await payOnce(second)).toMatchObject([held(lost, 'perhaps paid')]);
		expect(await payOnce({ ...second, again: 'yes' })).toMatchObject([{ result: 'paid' }]);
		await settle(lost, 'wasNotPaid');
		expect(await payOnce(lost)).toMatchObject([{ result: 'paid' }]);
		expect(amountsPaid(stack)).toEqual(['77.1', '77.1', '77.1']);
	});

	test('nothing is sent if the table cannot be read for it', async () => {
		const filters = { conditions: [{ keyName: 'gone', condition: 'eq', keyValue: 'x' }] };
		const payer = await payOnceWith('without a look', { 'Same payments': withParameters({ filters }) });
		await expect(pay(stack.n8n, payer, payments('1', '2'))).rejects.toThrow('n8n answered 500');
		expect(amountsPaid(stack)).toEqual([]);
	});

	test('it is held beside a row that a person added, whatever is empty in it', async () => {
		const mine = payment('66', { again: '' });
		const added = {
			key: 'BY-HAND',
			kind: 'fiat payout',
			asset: 'NGN',
			amount: '-66.00',
			counterpart: 'supplier-main',
		};
		await table().insert([{ ...added, result: 'paid' }]);
		expect(await payOnce(mine)).toMatchObject([
			{ result: 'notSent', sameAs: expect.stringMatching(/^BY-HAND \(paid on /) },
		]);
		expect(amountsPaid(stack)).toEqual([]);
	});

	test('it is paid if the other one was rejected, has failed, or is older than seven days', async () => {
		const old = { result: 'paid', payoutId: 'po_1' };
		const rows = [
			{ result: 'rejected' },
			{ result: 'notSent' },
			{ result: 'paid', payoutId: 'po_2', status: 'failed' },
			old,
		];
		const book = table();
		for (const [index, row] of rows.entries()) {
			const other = payment(`88.${index + 1}`);
			await book.insert([
				bookRow({
					...row,
					paymentKey: other.key,
					amount: other.amount,
					currency: 'NGN',
					destination: 'supplier-main',
				}),
			]);
			if (row === old) makeOld(other);
			expect(await payOnce(asFirst(other))).toMatchObject([{ result: 'paid', sameAs: '' }]);
		}
		const deposit = payment('88.9', { again: '' });
		await book.insert([
			{
				key: 'deposit',
				kind: 'deposit',
				asset: 'NGN',
				amount: '88.9',
				counterpart: 'supplier-main',
				reference: 'dep_1',
			},
		]);
		expect(await payOnce(deposit)).toMatchObject([{ result: 'paid' }]);
	});
});

test('pay once writes why a payment was rejected, and the next run pays it', async () => {
	const [fine, wanted] = payments('10', '20') as [Wanted, Wanted];
	const toNew = { ...wanted, destination: 'supplier-new' };
	expect(await payOnce(toNew, fine)).toMatchObject([
		{ result: 'rejected', message: expect.stringContaining('supplier-new'), payoutId: '' },
		{ result: 'paid' },
	]);
	expect(await rowsOf(wanted)).toMatchObject([
		{ result: 'rejected', message: expect.stringContaining('supplier-new') },
	]);
	await stack.control('POST', '/reviews', { alias: 'supplier-new', decision: 'Whitelisted' });
	expect(await payOnce(toNew, fine)).toMatchObject([
		{ result: 'paid', message: '' },
		{ result: 'alreadyPaid' },
	]);
	expect(await rowsOf(wanted)).toMatchObject([{ result: 'paid', message: '' }]);
	expect(amountsPaid(stack)).toEqual(['10', '20']);
});

test('pay once pays a refused payment after its correction', async () => {
	const [amount, alias, limit] = payments('20,5', '30', '500000.01') as [Wanted, Wanted, Wanted];
	expect(await payOnce(amount, { ...alias, destination: 'nobody' }, limit)).toMatchObject([
		{ result: 'notSent', message: expect.stringContaining('comma') },
		{ result: 'notSent', message: expect.stringContaining('nobody') },
		{ result: 'notSent', message: expect.stringContaining("'Maximum Amount'") },
	]);
	expect(amountsPaid(stack)).toEqual([]);
	const corrected = [{ ...amount, amount: '20.5' }, alias, { ...limit, amount: '5' }];
	expect(resultsOf(await payOnce(...corrected))).toEqual(['paid', 'paid', 'paid']);
	expect(await rowsOf(amount, alias)).toMatchObject([
		{ amount: '20.5', result: 'paid' },
		{ destination: 'supplier-main', result: 'paid' },
	]);
});

test('pay once leaves an unknown payment to a person, who says that it was paid', async () => {
	const [lost, next] = payments('10', '20') as [Wanted, Wanted];
	await loseAnswer();
	const [first] = await payOnce(lost, next);
	const howToSettle =
		'Look the payment up at the service. Then write wasPaid or wasNotPaid into the column settle';
	expect(first).toMatchObject({ result: 'unknown', message: expect.stringContaining(howToSettle) });
	const before = await rowsOf(lost);
	expect(before).toMatchObject([
		{ result: 'unknown', message: expect.stringContaining('gave no answer'), execution: first!.execution },
	]);
	expect(await payOnce(lost, next)).toMatchObject([
		{ result: 'unknown', message: expect.stringContaining(howToSettle) },
		{ result: 'alreadyPaid' },
	]);
	// It still says when it was sent, and why it is not known.
	expect(await rowsOf(lost)).toEqual(before);
	await settle(lost, 'wasPaid');
	const settled = { message: 'A person wrote wasPaid.', execution: first!.execution };
	expect(await payOnce(lost)).toMatchObject([{ result: 'alreadyPaid', ...settled }]);
	const { time } = before[0]!;
	expect(await rowsOf(lost)).toMatchObject([{ result: 'paid', settle: '', payoutId: '', time, ...settled }]);
	expect(await payOnce(lost)).toMatchObject([{ result: 'alreadyPaid', ...settled }]);
	expect(amountsPaid(stack)).toEqual(['10', '20']);
});

test('pay once pays an unknown payment when a person says that it was not paid, and only once', async () => {
	const lost = payment('10');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	await settle(lost, 'wasNotPaid');
	expect(resultsOf(await payOnce(lost, lost))).toEqual(['paid', 'alreadyPaid']);
	const paid = { result: 'paid', settle: '', payoutId: text, message: 'A person wrote wasNotPaid.' };
	expect(await rowsOf(lost)).toMatchObject([paid]);
	// A word does not act on a paid row.
	await settle(lost, 'wasNotPaid');
	expect(resultsOf(await payOnce(lost))).toEqual(['alreadyPaid']);
	expect(amountsPaid(stack)).toEqual(['10']);
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

test('pay once keeps the word of a person while the payment cannot be sent', async () => {
	const lost = payment('10');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	await payOnce(lost);
	await settle(lost, 'wasNotPaid');
	const before = await rowsOf(lost);
	// A copy with a lower limit, for the same table.
	const limited = await payOnceWith('with a lower limit', {
		'Pay fiat': ({ parameters: { options, ...others } }) => ({
			parameters: { ...others, options: { ...(options as Json), maximumAmount: '5' } },
		}),
	});
	expect(await pay(stack.n8n, limited, [lost])).toMatchObject([{ result: 'notSent' }]);
	expect(await rowsOf(lost)).toEqual(before);
	expect(resultsOf(await payOnce(lost))).toEqual(['paid']);
});

test('pay once sends nothing when the column settle has another word, or the row is not unknown', async () => {
	const [lost, fresh] = payments('10', '20') as [Wanted, Wanted];
	await loseAnswer();
	await payOnce(lost);
	await settle(lost, 'paid');
	await table().insert([row(fresh, { settle: 'wasPaid' })]);
	expect(await payOnce(lost, fresh)).toMatchObject([
		{ result: 'unknown', message: expect.stringContaining("The column settle says 'paid'.") },
		{ result: 'notSent', message: expect.stringContaining("The column settle says 'wasPaid'.") },
	]);
	expect(amountsPaid(stack)).toEqual(['10']);
});

/** A row that a person adds to the table. */
function row({ key, amount }: Wanted, more: Json = {}): Json {
	return bookRow({ paymentKey: key, amount, currency: 'NGN', destination: 'supplier-main', ...more });
}

test('pay once takes no row of another kind for a payment, and pays nothing beside a paid row of no kind', async () => {
	const [credited, unclear] = payments('10', '20') as [Wanted, Wanted];
	const deposit = { ...row(credited, { result: 'paid' }), kind: 'deposit', amount: '10' };
	await table().insert([deposit, { ...row(unclear, { result: 'paid' }), kind: '' }]);
	expect(await payOnce(credited, unclear)).toMatchObject([
		{ result: 'paid', payoutId: text },
		{ result: 'notSent', message: expect.stringContaining('is 20 of the coin NGN to supplier-main. This') },
	]);
	expect(amountsPaid(stack)).toEqual(['10']);
	const rows = await table().rows();
	expect(rows.filter(({ key }) => key === credited.key)).toMatchObject([
		{ ...deposit, reference: '' },
		{ kind: 'fiat payout', asset: 'NGN', amount: '-10', counterpart: 'supplier-main', result: 'paid' },
	]);
});

test('the book has who said yes to a payment, and keeps it until it is paid', async () => {
	const value = { ...payment('10'), approvedBy: 'Ada, Obi' };
	const asked = await publishBookPayer(stack, 'Names who said yes', {}, stack.examples.payOnce, {
		approvedBy: '={{ $json.approvedBy }}',
	});
	await loseAnswer();
	expect(resultsOf(await pay(stack.n8n, asked, [value]))).toEqual(['unknown']);
	await settle(value, 'wasPaid');
	expect(resultsOf(await payOnce(value))).toEqual(['alreadyPaid']);
	expect(await rowsOf(value)).toMatchObject([{ result: 'paid', approvedBy: 'Ada, Obi' }]);
});

test('a copy of pay once sends what another workflow left unknown only after wasNotPaid', async () => {
	const list = payments('10', '20', '30') as [Wanted, Wanted, Wanted];
	const [, made, notMade] = list;
	for (const fault of [{ dropAfter: true }, { dropAfter: true }, { dropBefore: true }])
		await failPayoutAfter(stack, 0, fault);
	expect(resultsOf(await payOnce(...list))).toEqual(['unknown', 'unknown', 'unknown']);
	const before = await rowsOf(...list);
	const copy = await payOnceWith('as a copy', {});
	const byCopy = async () => await pay(stack.n8n, copy, list);
	const told = { result: 'unknown', message: expect.stringContaining('write wasPaid or wasNotPaid') };
	expect(await byCopy()).toMatchObject([told, told, told]);
	expect(await rowsOf(...list)).toEqual(before);
	expect(amountsPaid(stack)).toEqual(['10', '20']);
	await settle(made, 'wasPaid');
	await settle(notMade, 'wasNotPaid');
	expect(await byCopy()).toMatchObject([
		told,
		{ result: 'alreadyPaid', message: 'A person wrote wasPaid.', execution: before[1]!.execution },
		{ result: 'paid', payoutId: text },
	]);
	expect(amountsPaid(stack)).toEqual(['10', '20', '30']);
	const original = stack.examples.payOnce.id;
	const now = await rowsOf(...list);
	expect(now).toMatchObject([
		before[0],
		{ result: 'paid', settle: '', workflow: original, execution: before[1]!.execution },
		{ result: 'paid', settle: '', payoutId: text },
	]);
	expect(now[2]!.workflow).not.toBe(original);
	expect(resultsOf(await payOnce(...list))).toEqual(['unknown', 'alreadyPaid', 'alreadyPaid']);
	expect(amountsPaid(stack)).toEqual(['10', '20', '30']);
});

test('what a copy of pay once left unknown is its own, and another workflow sends it only after wasNotPaid', async () => {
	const lost = payment('10');
	await failPayoutAfter(stack, 0, { dropBefore: true });
	await payOnce(lost);
	await settle(lost, 'wasNotPaid');
	const copy = await payOnceWith('as a second copy', {});
	await failPayoutAfter(stack, 0, { dropBefore: true });
	const byCopy = async () => resultsOf(await pay(stack.n8n, copy, [lost]));
	expect(await byCopy()).toEqual(['unknown']);
	const [asked] = await rowsOf(lost);
	expect(asked).toMatchObject({ result: 'unknown', settle: '' });
	expect(asked!.workflow).not.toBe(stack.examples.payOnce.id);
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	expect(await rowsOf(lost)).toEqual([asked]);
	expect(await byCopy()).toEqual(['unknown']);
	await settle(lost, 'wasNotPaid');
	expect(await byCopy()).toEqual(['paid']);
	expect(resultsOf(await payOnce(lost))).toEqual(['alreadyPaid']);
	expect(amountsPaid(stack)).toEqual(['10']);
});

test('wasPaid sends nothing, also if Payment Key does not know the payment', async () => {
	const [own, others, told] = payments('1', '2', '3') as [Wanted, Wanted, Wanted];
	const unknown = { result: 'unknown' };
	const settled = { ...unknown, settle: 'wasPaid' };
	const workflow = stack.examples.payOnce.id;
	await table().insert([row(own, { ...settled, workflow }), row(others, settled), row(told, unknown)]);
	expect(await payOnce(own, others, told)).toMatchObject([
		{ result: 'alreadyPaid', message: 'A person wrote wasPaid.' },
		{ result: 'alreadyPaid', message: 'A person wrote wasPaid.' },
		{ result: 'unknown', message: expect.stringContaining('write wasPaid or wasNotPaid') },
	]);
	expect((await rowsOf(own, others, told)).map(({ result }) => result)).toEqual(['paid', 'paid', 'unknown']);
	expect(amountsPaid(stack)).toEqual([]);
});

test('pay once pays a row that a person has added, unless it says paid', async () => {
	const [open, paid] = payments('1', '2') as [Wanted, Wanted];
	await table().insert([row(open), row(paid, { result: 'paid' })]);
	expect(resultsOf(await payOnce(open, paid))).toEqual(['paid', 'alreadyPaid']);
	expect(await rowsOf(open)).toMatchObject([{ result: 'paid', payoutId: text }]);
	expect(amountsPaid(stack)).toEqual(['1']);
});

test('a row that is missing in the table is not paid again, and is added with what is known', async () => {
	const [wanted, other] = payments('10', '20') as [Wanted, Wanted];
	await payOnce(wanted, other);
	await table().clear();
	const lost = { message: expect.stringContaining('could not write it here'), payoutId: '', execution: '' };
	// Another amount is refused by the node, and its row does not stay.
	const rows = await payOnce({ ...wanted, amount: '11' }, wanted, other);
	expect(rows).toMatchObject([
		{
			result: 'notSent',
			message: expect.stringMatching(/was used for a payment with another amount\. Look that payment up/),
		},
		{ result: 'alreadyPaid', ...lost },
		{ result: 'alreadyPaid', ...lost },
	]);
	expect(await rowsOf(wanted, other)).toMatchObject(
		['10', '20'].map((amount) => ({
			amount,
			result: 'paid',
			destination: 'supplier-main',
			time: null,
			...lost,
		})),
	);
	expect(await payOnce(wanted)).toMatchObject([{ result: 'alreadyPaid', ...lost }]);
	expect(amountsPaid(stack)).toEqual(['10', '20']);
});

test('two rows of one key do no harm: the one with the ID counts, and a word in one of them acts', async () => {
	const [twice, paid, unknown] = payments('1', '2', '3') as [Wanted, Wanted, Wanted];
	await loseAnswer();
	const first = await payOnce(unknown, paid);
	await table().insert([
		...[row(twice), row(twice)],
		...[row(paid, { result: 'paid' }), row(paid, { result: 'unknown' })],
		row(unknown, { result: 'unknown', settle: 'wasPaid' }),
	]);
	const rows = await payOnce(twice, paid, unknown, twice);
	expect(resultsOf(rows)).toEqual(['paid', 'alreadyPaid', 'alreadyPaid', 'alreadyPaid']);
	expect(rows[1]!.payoutId).toBe(first[1]!.payoutId);
	expect((await rowsOf(twice, unknown)).map(({ result, settle }) => [result, settle || ''])).toEqual(
		Array.from({ length: 4 }, () => ['paid', '']),
	);
	expect(amountsPaid(stack).sort()).toEqual(['1', '2', '3']);
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
	expect(resultsOf(await payBy(patient, list))).toEqual(list.map(() => 'alreadyPaid'));
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

test('a rejection replaces an unknown row that came meanwhile, and leaves a paid one', async () => {
	const destination = 'supplier-new';
	const [one, two] = payments('10', '20').map((each) => ({ ...each, destination }));
	await table().insert([
		row(one!, { destination, result: 'unknown' }),
		row(two!, { destination, result: 'paid' }),
	]);
	const late = await payOnceWith('late', { 'Look up': nowhere });
	expect(resultsOf(await pay(stack.n8n, late, [one!, two!]))).toEqual(['rejected', 'rejected']);
	expect((await rowsOf(one!, two!)).map(({ result }) => result)).toEqual(['rejected', 'paid']);
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

test('four executions pay one key with different amounts at the same instant: it is paid once, and the others are refused', async () => {
	const wanted = ['1', '2', '3', '4'].map((amount) => payment(amount, { key: 'SAME-KEY' }));
	const rows = (await Promise.all(wanted.map((each) => payOnce(each)))).flat();
	expect(resultsOf(rows).sort()).toEqual(['notSent', 'notSent', 'notSent', 'paid']);
	const paid = rows.find(({ result }) => result === 'paid')!;
	expect(amountsPaid(stack)).toEqual([paid.amount]);
	// n8n has no unique columns, so a refused one may have a row too. The paid one counts.
	const again = (await Promise.all(wanted.map((each) => payOnce(each)))).flat();
	expect(resultsOf(again)).toEqual(rows.map((row) => (row === paid ? 'alreadyPaid' : 'notSent')));
	const { amount, payoutId } = paid;
	expect(await rowsOf(wanted[0]!)).toContainEqual(
		expect.objectContaining({ result: 'paid', amount, payoutId }),
	);
});

describe('a service that gives no clear answer', () => {
	const HELD = 'Not sent, because the service gave no clear answer to 3 payments before this one.';
	const down = { dropBefore: true };
	const fail = async (...faults: Json[]) => {
		for (const fault of faults) await failPayoutAfter(stack, 0, fault);
	};
	const fine = { delayMs: 0 };

	test.each([
		['no connection', down],
		['HTTP 503', { status: 503 }],
		['HTTP 500, but paid', { status: 500, acted: true }],
		['a page in place of an answer', { malformed: true }],
	])('pay once sends no more after three in a row: %s', async (_, fault) => {
		const list = payments('1', '2', '3', '4', '5', '6');
		const coins = { coin: 'USDT', destination: 'treasury' };
		await fail(fine, fault, fault, fault);
		const rows = await payOnce(...list.slice(0, 5), { ...list[5]!, ...coins });
		expect(resultsOf(rows)).toEqual(['paid', 'unknown', 'unknown', 'unknown', 'notSent', 'notSent']);
		expect(rows[4]!.message).toBe(`${HELD} Run it again when the service works.`);
		expect(await rowsOf(...list.slice(4))).toEqual([]);
		expect(amountsPaid(stack)).not.toContain('5');
		expect(resultsOf(await payOnce(...list.slice(4)))).toEqual(['paid', 'paid']);
	});

	test('a clear answer between them counts, and what was known before does not', async () => {
		const old = payments('1', '2', '3');
		await fail(down, down, down);
		expect(resultsOf(await payOnce(...old))).toEqual(['unknown', 'unknown', 'unknown']);
		const list = payments('4', '5', '6', '7', '8');
		await fail(down, down, fine, down, down);
		const refused = payment('500000.01');
		const rows = await payOnce(...old, list[0]!, refused, list[1]!, list[2]!, list[3]!, ...old, list[4]!);
		expect(resultsOf(rows)).toEqual([
			...['unknown', 'unknown', 'unknown', 'unknown', 'notSent', 'unknown', 'paid', 'unknown'],
			...['unknown', 'unknown', 'unknown', 'unknown'],
		]);
		expect(amountsPaid(stack)).toEqual(['6']);
	});

	test('a word of a person waits until the service works, and wasPaid acts at once', async () => {
		const [told, meant, ...list] = payments('1', '2', '3', '4', '5') as [Wanted, Wanted, ...Wanted[]];
		await fail(down, down);
		await payOnce(told, meant);
		await settle(told, 'wasPaid');
		await settle(meant, 'wasNotPaid');
		await fail(down, down, down);
		const rows = await payOnce(...list, meant, told);
		expect(resultsOf(rows)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'alreadyPaid']);
		expect(rows[3]!.message).toContain(HELD);
		expect(await rowsOf(meant)).toMatchObject([{ result: 'unknown', settle: 'wasNotPaid' }]);
		expect(resultsOf(await payOnce(meant))).toEqual(['paid']);
		expect(amountsPaid(stack)).toEqual(['2']);
	});
});

test.each(['reference', 'result', 'time', 'counterpart'])(
	'without its column %s, pay once sends nothing and says which one is missing',
	async (column) => {
		const wanted = payment('10');
		const repair = await table().deleteColumn(column);
		try {
			expect(await pay(stack.n8n, caller, [wanted, { ...wanted, dryRun: true }])).toMatchObject(
				Array.from({ length: 2 }, () => ({
					result: 'notSent',
					message: expect.stringMatching(new RegExp(`no column ${column} \\(\\w+\\)\\. Add it`)),
				})),
			);
			expect(amountsPaid(stack)).toEqual([]);
		} finally {
			await repair();
		}
		expect(resultsOf(await payOnce(wanted))).toEqual(['paid']);
	},
);

test('an agent pays an invoice once through pay once, however often it calls', async () => {
	const chat = stack.examples.all.get('payout-by-chat')!;
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
	const parameters = { description: 'Pays an invoice', ...calls(stack.examples.payOnce), workflowInputs };
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
	expect(amountsPaid(stack)).toEqual(['12.50']);
});

testExamplesOf('n8n/payOnce', stack);
