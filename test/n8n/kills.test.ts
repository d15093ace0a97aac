/**
 * Payments and deliveries while the database is locked, and while n8n is killed. The tests run in their order, the least harm first,
 * on one n8n that no other file needs. A start takes longer than most tests: at the first kill, all that a kill can hit is under way.
 */
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Execution, Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow,
	browse,
	decide,
	handOver,
	mailed,
	questionsIn,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { bookTable, paymentRows, publishBookPayer, resultRows } from '../../host/testkit/book.ts';
import { queryDatabase, whileLocked } from '../../host/testkit/database.ts';
import { deliver, JSON_TYPE } from '../../host/testkit/deliveries.ts';
import { depositOf } from '../../host/testkit/deposits.ts';
import { amountsPaid, failPayoutAfter, pay, publishPayer, startPaying } from '../../host/testkit/payments.ts';
import type { Payer } from '../../host/testkit/payments.ts';
import { ACTION_NODE, connect, credentialsOf, node } from '../../host/testkit/workflows.ts';
import { executionsByEvent } from '../../soak/deliveries/executions.ts';
import { deliverAndKill, publishSlowTrigger, startKeeping } from '../../soak/deliveries/situations.ts';
import { useOwnStack } from './setup.ts';

let caller: Payer;

const stack = useOwnStack(
	startKeeping(['ask', 'deposit-to-bank', 'deposit-credits-customer', 'alerts-each-hour']),
);

beforeAll(async () => {
	caller = await publishBookPayer(stack, 'Calls pay once');
});

const paid = () => amountsPaid(stack);

const payOnce = async (...rows: Json[]) => await pay(stack.n8n, caller, rows);
const resultsOf = (items: Json[]) => items.map(({ result }) => result);

/** Longer than n8n waits for an answer, so that a slow machine kills it in time, too. */
const NO_ANSWER = { delayMs: 600_000 };

/** Begins to pay. Waits until the service has made the payout with that number, and does not answer. `fiat`: its number among those in fiat. */
async function untilUnderWay(number: number, begin: () => Promise<unknown>, fiat = number): Promise<void> {
	await failPayoutAfter(stack, fiat - 1, NO_ANSWER);
	const before = paid().length;
	void begin().catch(() => undefined);
	await until(`payout ${number}`, () => paid().length === before + number);
}

/** The execution of the workflow that n8n has found killed. */
const killed = async ({ id }: StoredWorkflow) =>
	await until('a crashed execution', async () =>
		(await stack.client.executions(id)).find(({ status }) => status === 'crashed'),
	);

/** What a killed execution says after "Retry execution". */
async function retried(workflow: StoredWorkflow): Promise<string> {
	const { id } = await killed(workflow);
	return (await stack.client.retry(id, 'original')).status;
}

const subjects = () => stack.mailbox.mails.map(({ subject }) => subject);

const depositToBank = () => stack.example('deposit-to-bank');
/** *From deposit to bank* that asks the service behind the conversion, and gets no answer before the kill. */
let heldToBank: StoredWorkflow;

/** Hands the deposit over. Waits until it is converted, and until the execution is held behind it. */
async function untilHeld(id: string, amount: string): Promise<void> {
	const example = depositToBank();
	const { main } = example.connections['Converted?'] as { main: unknown[] };
	const health = { resource: 'service', operation: 'getHealth' };
	const converted = { mode: 'raw', jsonOutput: "={{ $('Payout').first().json }}", options: {} };
	heldToBank = await stack.client.saveWorkflow({
		...example,
		name: 'From deposit to bank, held',
		nodes: [
			...example.nodes,
			node('Held', ACTION_NODE, health, { credentials: credentialsOf(stack) }),
			node('Converted', 'set', converted),
		],
		connections: {
			...example.connections,
			...connect('Held -> Converted -> Pay once'),
			'Converted?': { main: [[{ node: 'Held', type: 'main', index: 0 }], ...main.slice(1)] },
		},
	});
	await stack.client.publish(heldToBank);
	await stack.control('POST', '/faults', { route: 'GET /v1/health', ...NO_ANSWER });
	await handOver(stack, [depositOf(id, amount)], heldToBank);
	// n8n keeps the progress of the execution, with what comes next.
	const isHeld = `SELECT e.id FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${heldToBank.id}' AND d.data LIKE '%"Held"%'`;
	await until('the conversion to be behind it', () => queryDatabase(stack, isHeld)[0]);
}

/** Hands a list to *Part: ask*. Returns the question, whose page is there. */
async function asked(...rows: Json[]) {
	const known = questionsIn(stack).length;
	await handOver(stack, rows);
	const question = await until('the question', () => questionsIn(stack)[known]);
	await untilAsked(question.link);
	return question;
}

/** Hands a deposit to *credit a customer*. Waits until its row is in the book: its mail comes ten seconds later. */
async function untilBooked(id: string): Promise<void> {
	const credit = {
		event: 'virtual_account_credited',
		id,
		status: 'successful',
		amount: '6.43',
		currency: 'NGN',
		accountAlias: 'customer-0126',
		deliveryKey: `virtual_account_credited:${id}:successful`,
	};
	await handOver(stack, [credit], stack.example('deposit-credits-customer'));
	await until('its row', async () =>
		(await bookTable(stack).rows()).find(({ reference }) => reference === id),
	);
}

/** Says yes. Waits until *Part: ask* asks the service about the accounts, and is held there. */
async function untilHeldBehindYes(question: Awaited<ReturnType<typeof asked>>): Promise<void> {
	await stack.control('POST', '/faults', { route: ACCOUNTS, delayMs: 60_000 });
	void answer(question, YES).catch(() => undefined);
	const isHeld = () => stack.sandbox.service.faults.all().every(({ route }) => route !== ACCOUNTS);
	await until('the accounts to be asked for', isHeld);
}
const ACCOUNTS = 'POST /v1/settlement_accounts';

const conversionsOf = (amount: string) =>
	stack.sandbox.service.ledger.transactions
		.all()
		.filter(({ from_amount }) => from_amount === amount)
		.map(({ to_amount }) => to_amount);

const list = Array.from({ length: 8 }, (_, index) => ({ key: `LIST-${index}`, amount: `${index + 1}.25` }));
const lost = { key: 'LOST', amount: '70' };
/** It needs two, of whom one says yes before the kill. */
const large = askedRow('100000.01');
/** It is approved before the kill. */
const approved = ['90', '91', '92', '93'].map((amount) => askedRow(amount));

/** A list that *Pay List* pays, with the number of the row that is under way at the kill. Two of three rows are in fiat. */
function listOfThirty(number: number) {
	const rows = Array.from({ length: 30 }, (_, index) => ({
		paymentKey: `ROW-${number}-${index}`,
		approvedBy: 'Ada Obi',
		...(index % 3 === 2
			? { amount: `0.${1000 * number + index}`, coin: 'USDT', destination: 'treasury' }
			: { amount: `${200 + number}.${index + 10}`, currency: 'NGN', destination: 'supplier-main' }),
	}));
	return { number, rows, amounts: rows.map(({ amount }) => amount), payer: {} as Payer };
}
const thirties = {
	'at its first row': listOfThirty(1),
	'in the middle': listOfThirty(16),
	'at its last row': listOfThirty(29),
};

/** Publishes *Pay List* for the list. Waits until its row is under way. */
async function untilRowUnderWay(thirty: ReturnType<typeof listOfThirty>): Promise<void> {
	const { number, rows } = thirty;
	const limit = [
		{ code: 'NGN', maximumAmount: '1000', allowedAliases: 'supplier-main' },
		{ code: 'USDT', isCoin: true, maximumAmount: '5', allowedAliases: 'treasury' },
	];
	const options = { maximumPerDay: '500', duplicateCheck: '7' };
	const parameters = { resource: 'payoutList', operation: 'pay', limits: { limit }, options };
	const payer = node('Pay List', ACTION_NODE, parameters, {
		credentials: credentialsOf(stack),
		onError: 'continueRegularOutput',
	});
	thirty.payer = await publishPayer(stack, `Thirty, ${number}`, { payer, answers: 'at once' });
	const begin = async () => await startPaying(stack.n8n, thirty.payer, rows);
	await untilUnderWay(number, begin, Math.ceil((number * 2) / 3));
}

/** It is approved, and not carried out before the kill. */
const behindYes = askedRow('94');

/** Delivers an event again that the workflow has handled before the kills. */
let repeat: () => ReturnType<typeof deliver>;

test('what arrives while the database is locked is not acknowledged, and runs once when it is repeated', async () => {
	for (const [id, acknowledge] of [
		['e1000001', 'whenStored'],
		['e1000002', 'whenFinished'],
	] as const) {
		const workflow = await publishSlowTrigger(stack.client, { acknowledge }, `Locked, ${acknowledge}`);
		const url = webhookUrl(stack.n8n, workflow);
		const body = JSON.stringify({ event: 'admin_funding', id, status: 'successful', Amount: '1' });
		const send = async () => await deliver(url, body, JSON_TYPE);
		if (acknowledge === 'whenStored') repeat = send;
		expect(await whileLocked(stack, send)).toMatchObject({ status: 500 });
		expect(await send()).toMatchObject({ status: 200, answer: { ok: true } });
		expect(await send()).toMatchObject({ status: 200, answer: { ok: true, duplicate: true } });
		expect((await executionsByEvent(stack)).get(id)).toMatchObject([
			{ status: 'success', stoppedAsDuplicate: false },
		]);
	}
});

test('an answer that comes while the database is locked is refused, and the same answer later is paid once', async () => {
	const question = await asked(askedRow('79'));
	const answers = async () => await browse(question.link, ['', YES, 'Ada Obi', '', '']);
	expect((await whileLocked(stack, answers)).status).toBe(500);
	await answer(question, YES);
	await mailed(stack, 'The payout is paid: 79.00 NGN');
	expect(paid()).toEqual(['79']);
});

test('n8n is killed while the approver is asked: the link works', async () => {
	// The payments of later tests are under way at the same kill.
	await stack.control('POST', '/reset');
	const [first, second, third] = [
		await asked(askedRow('80')),
		await asked(askedRow('81')),
		await asked(...approved),
	];
	await answer(await asked(large), YES, 'Ada Obi');
	const toSecond = await until('the second person to be asked', () =>
		questionsIn(stack).find(({ to }) => to.includes('second@example.com')),
	);
	await untilUnderWay(4, () => payOnce(...list));
	await untilUnderWay(2, () => answer(third, YES, 'Ada Obi'));
	await untilUnderWay(1, () => payOnce(lost));
	for (const thirty of Object.values(thirties)) await untilRowUnderWay(thirty);
	await untilHeld('dep_held', '100.25');
	const paying = depositOf('dep_paying', '50.5');
	await untilUnderWay(1, () => handOver(stack, [paying], depositToBank()));
	await untilBooked('dep_credited');
	await untilHeldBehindYes(await asked(behindYes));
	const before = paid();
	await stack.restart('kill', caller.workflow);
	await untilAsked(first.link);
	expect((await browse(first.link)).page).toContain('80.00 NGN');
	await answer(first, YES);
	await mailed(stack, 'The payout is paid: 80.00 NGN');
	await answer(second, 'No');
	await mailed(stack, /^Not paid: Approve 1 payout.*: 81.00 NGN/);
	expect(paid()).toEqual([...before, '80']);
	await answer(toSecond, YES, 'Ben Eze');
	await mailed(stack, 'The payout is paid: 100,000.01 NGN');
	expect(paid()).toEqual([...before, '80', large.amount]);
	expect(
		(await paymentRows(stack)).filter(({ paymentKey }) => paymentKey === large.paymentKey),
	).toMatchObject([{ result: 'paid', approvedBy: 'Ada Obi, Ben Eze' }]);
});

test('n8n is killed while an approved list is paid: Retry pays the rest, and nobody is asked again', async () => {
	const approvals = () => stack.mailbox.mails.filter(({ subject }) => subject.startsWith('Approve'));
	const before = approvals().length;
	const ended = retried(stack.example('carry-out'));
	const { subject, attachments } = await mailed(stack, '2 of 4 payouts paid: 185.00 NGN');
	expect(subject).toContain('1 paid before, 1 NOT KNOWN');
	expect(attachments).toHaveLength(2);
	await ageKeys(stack);
	await decide(await mailed(stack, 'Was it paid? '), { wasPaid: [approved[1]!.paymentKey] });
	expect(await ended).toBe('success');
	expect(approvals()).toHaveLength(before);
	const amounts = approved.map(({ amount }) => amount);
	expect(paid().filter((amount) => amounts.includes(amount))).toEqual(amounts);
});

test.each(Object.entries(thirties))(
	'killed %s, a list of thirty is paid to its end by Retry, and the row under way is decided once',
	async (_, { number, rows, amounts, payer }) => {
		const resultsIn = (execution: Execution) => resultsOf(itemsOf(execution, 'Pay List'));
		const paidOf = () => paid().filter((amount) => amounts.includes(amount));
		expect(paidOf()).toEqual(amounts.slice(0, number));
		const { id } = await killed(payer.workflow);
		const first = await stack.client.retry(id, 'original');
		const underWay = number - 1;
		expect(resultsIn(first)).toEqual(
			rows.map((_, index) => (index < underWay ? 'alreadyPaid' : index === underWay ? 'unknown' : 'paid')),
		);
		expect(paidOf()).toEqual(amounts);
		await ageKeys(stack);
		const decided = rows.map((row, index) => (index === underWay ? { ...row, decision: 'wasPaid' } : row));
		await startPaying(stack.n8n, payer, decided);
		const settled = await until('the list once more', async () =>
			(await stack.client.executions(payer.workflow.id)).find(
				(each) => each.status === 'success' && each.id !== first.id,
			),
		);
		expect(resultsIn(await stack.client.ended(settled.id))).toEqual(rows.map(() => 'alreadyPaid'));
		expect(paidOf()).toEqual(amounts);
	},
);

test('killed between the yes and the payments: Retry goes on behind the yes, and pays once', async () => {
	const asks = (person: string) =>
		questionsIn(stack).filter(({ to, subject }) => to.includes(person) && subject.includes('94.00 NGN'));
	expect(paid()).not.toContain(behindYes.amount);
	expect(await retried(stack.example('ask'))).toBe('success');
	// What went out meanwhile counts, so a second person is asked, and the first one not again.
	const question = await until('the second person to be asked', () => asks('second@example.com')[0]);
	expect(question.subject).toMatch(/^Yes from Ada Obi: /);
	await answer(question, YES, 'Ben Eze');
	await mailed(stack, 'The payout is paid: 94.00 NGN');
	expect(paid().filter((amount) => amount === behindYes.amount)).toHaveLength(1);
	expect(asks('approver@example.com')).toHaveLength(1);
});

test('killed between the conversion and the payout: Retry goes on behind the conversion, and pays once', async () => {
	expect(conversionsOf('100.25')).toEqual(['154650.462']);
	expect(paid()).not.toContain('154650.462');
	expect(await retried(heldToBank)).toBe('success');
	expect(conversionsOf('100.25')).toEqual(['154650.462']);
	expect(paid().filter((amount) => amount === '154650.462')).toHaveLength(1);
	expect(subjects().filter((subject) => subject.includes('dep_held'))).toEqual(['Deposit dep_held: paid']);
});

test('killed between the row of a deposit and its mail: Retry credits it once', async () => {
	const credits = () => subjects().filter((subject) => subject.endsWith('to customer-0126'));
	expect(credits()).toEqual([]);
	expect(await retried(stack.example('deposit-credits-customer'))).toBe('success');
	expect(credits()).toEqual(['Credited: 6.43 NGN to customer-0126']);
});

test('killed in the payout of a deposit: Retry sends nothing again, and a person decides about it', async () => {
	const [amount] = conversionsOf('50.5');
	const expectOne = () => {
		expect(conversionsOf('50.5')).toHaveLength(1);
		expect(paid().filter((paid) => paid === amount)).toHaveLength(1);
	};
	expectOne();
	expect(await retried(depositToBank())).toBe('success');
	expectOne();
	expect(subjects().filter((subject) => subject.includes('dep_paying'))).toEqual([
		'Deposit dep_paying: unknown',
	]);
	await ageKeys(stack);
	expect(await payOnce({ key: 'dep_paying', amount, decision: 'wasPaid' })).toMatchObject([
		{ result: 'alreadyPaid' },
	]);
	expectOne();
});

test('n8n is killed while pay once pays a list: an alert names the execution. Its Retry and the same list again pay the rest once', async () => {
	const amounts = list.map(({ amount }) => amount);
	const paidOf = () => paid().filter((amount) => amounts.includes(amount));
	const rows = (await resultRows(stack)).filter(({ key }) => key!.startsWith('LIST-'));
	// A killed node has no output, so the book lacks what became of this part.
	expect(rows.map(({ result }) => result)).toEqual(list.map(() => 'under way'));
	expect(paidOf()).toEqual(amounts.slice(0, 4));
	// The next run of the hour after.
	const time = new Date(Date.now() - 3_600_000).toISOString();
	for (const { key } of rows) await bookTable(stack).update({ key }, { time });
	await stack.client.runByHand(stack.example('alerts-each-hour').id, 'Every hour');
	const { text } = stack.mailbox.mails.find((mail) => mail.text.includes('LIST-3'))!;
	expect(text).toContain('choose Retry');
	const [, execution] = /Open execution (\d+) under Executions/.exec(text) ?? [];
	expect((await stack.client.retry(execution!, 'original')).status).toBe('success');
	expect(paidOf()).toEqual(amounts);
	const again = await payOnce(...list);
	expect(resultsOf(again)).toEqual(list.map((_, index) => (index === 3 ? 'unknown' : 'alreadyPaid')));
	expect((again[3]!.error as Json).description).toContain('Look this payment up at the service');
	await ageKeys(stack);
	expect(resultsOf(await payOnce({ ...list[3]!, decision: 'wasPaid' }))).toEqual(['alreadyPaid']);
	expect(resultsOf(await payOnce(...list))).toEqual(list.map(() => 'alreadyPaid'));
	expect(paidOf()).toEqual(amounts);
});

test('a row that was under way at a kill says so in the book, until a later run knows more', async () => {
	const rowsOfLost = async () =>
		(await paymentRows(stack)).filter(({ paymentKey }) => paymentKey === lost.key);
	expect(await rowsOfLost()).toMatchObject([{ result: 'under way', amount: '70', payoutId: '' }]);
	// The service forgets the payment, as if the request had never arrived.
	await stack.control('POST', '/reset');
	expect(resultsOf(await payOnce(lost))).toEqual(['unknown']);
	await ageKeys(stack);
	const decided = { ...lost, decision: 'wasNotPaid' };
	const both = (await Promise.all([payOnce(decided), payOnce(decided)])).flat();
	expect(both.filter(({ result }) => result === 'paid')).toHaveLength(1);
	expect(paid()).toEqual(['70']);
	expect((await rowsOfLost()).filter(({ result }) => result === 'paid')).toHaveLength(1);
});

// The soaks have more kills than this one.
test('no delivery is lost or done twice while n8n is killed', async () => {
	await deliverAndKill(stack, { events: 24, kills: 1, lateMs: 4000 });
	// This process does not remember it. Its row stops the execution.
	expect(await repeat()).toMatchObject({ status: 200, answer: { ok: true } });
	const executions = (await executionsByEvent(stack)).get('e1000001')!;
	expect(executions.map(({ stoppedAsDuplicate }) => stoppedAsDuplicate)).toEqual([false, true]);
});
