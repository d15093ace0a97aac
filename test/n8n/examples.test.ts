/** Every workflow in examples/, imported unchanged and executed on a real n8n against the sandbox. */
import { readFileSync } from 'node:fs';
import { exampleNames } from '../../host/examples.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import type { DataTable } from '../../host/n8n/dataTable.ts';
import type { ToolCall } from '../../host/doubles/scriptedModel.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Execution, Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { EXECUTED_BY, testExamplesOf } from './executedExamples.ts';
import { saveAgent, startChat, toolAnswers } from '../../host/testkit/agents.ts';
import { paymentRows, publishBookPayer } from '../../host/testkit/book.ts';
import { failPayoutAfter, pay, payoutsMade as payoutsAtService } from '../../host/testkit/payments.ts';
import { renewForEachTest, useModel, useStack } from './setup.ts';

const NOTIFY = 'Notify (replace by your mail or chat node)';
const text = expect.any(String);

const stack = useStack('deposit-to-item', 'payouts-from-table', 'payout-by-chat');
const model = useModel();
renewForEachTest(stack);

const run = async ({ id }: StoredWorkflow, trigger: string): Promise<Execution> =>
	succeeded(await stack.client.runByHand(id, trigger));

/** Makes the next request for that route fail. With `dropAfter`, the service carries it out first. */
function fault(route: string, kind: Json): Promise<Json> {
	return stack.control('POST', '/faults', { route, ...kind });
}

const table = (name: string) => dataTable(stack.client, name);

function payoutsMade(): Array<[amount: string, destination: string]> {
	return payoutsAtService(stack).map(({ amount, destination }) => [amount, destination]);
}

test('the first click on deposit-to-item gives a sample of each event, and books, mails and pays nothing', async () => {
	const execution = await run(stack.example('deposit-to-item'), 'Wallet Service Trigger');
	expect(itemsOf(execution, 'Build here').map(({ event }) => event)).toEqual(EVENT_KINDS);
	expect(Object.keys(execution.data.resultData.runData)).toEqual(['Wallet Service Trigger', 'Build here']);
	expect(stack.mailbox.mails).toEqual([]);
	expect(payoutsMade()).toEqual([]);
});

describe('the example payouts-from-table', () => {
	const START = 'Start payouts';
	let invoices = 0;
	/** A row with an invoice text of its own. */
	const payout = (amount: string, account_alias = 'supplier-main', currency = 'NGN') => ({
		invoice: `BILL-${++invoices}`,
		// Payments of tests are often the same.
		again: 'yes',
		currency,
		amount,
		account_alias,
	});
	let workflow: StoredWorkflow;
	let payouts: DataTable;

	beforeAll(() => {
		workflow = stack.example('payouts-from-table');
		payouts = table('wallet_service_payouts');
	});

	test('payouts-from-table pays the rows that npm start put there', async () => {
		const [report] = itemsOf(await run(workflow, START), NOTIFY);
		expect(report).toMatchObject({ subject: '2 of 2 payouts made, 1250.625 NGN' });
		expect(itemsOf(await run(workflow, START), NOTIFY)).toEqual([]);
	});

	test('payouts-from-table pays each row once within the limits, writes its result, reports it, and asks to look up what has no answer', async () => {
		// The second account is under review.
		await payouts.fill([
			payout('1250.50'),
			payout('30', 'supplier-new'),
			payout('5', 'supplier-usd', 'USD'),
			...[payout('0.125'), payout('500000.01'), payout('10')],
		]);
		await failPayoutAfter(stack, 4, { dropAfter: true });
		const above = "The amount 500000.01 is above 'Maximum Amount'";
		const [report] = itemsOf(await run(workflow, START), NOTIFY);
		const rows = await payouts.rows();
		expect(rows).toMatchObject([
			{ amount: '1250.50', result: 'paid', payout_id: text, note: '' },
			{ amount: '30', result: 'rejected', note: expect.stringContaining('supplier-new') },
			{ amount: '5', result: 'paid', payout_id: text, note: '' },
			{ amount: '0.125', result: 'paid', payout_id: text, note: '' },
			{ result: 'notSent', note: expect.stringContaining(above) },
			{ result: 'unknown' },
		]);
		expect(report).toEqual({
			subject: '3 of 6 payouts made, 1250.625 NGN, 5 USD',
			...{ paid: 3, failed: 2, unknown: 1 },
			totals: { NGN: '1250.625', USD: '5' },
			text: [
				`- paid: 1250.50 NGN to supplier-main, as ${String(rows[0]!.payout_id)}`,
				`- paid: 5 USD to supplier-usd, as ${String(rows[2]!.payout_id)}`,
				`- paid: 0.125 NGN to supplier-main, as ${String(rows[3]!.payout_id)}`,
				`- not paid: 30 NGN to supplier-new. ${String(rows[1]!.note)}`,
				`- not paid: 500000.01 NGN to supplier-main. ${String(rows[4]!.note)}`,
				`- LOOK IT UP at the service: 10 NGN to supplier-main. ${String(rows[5]!.note)}`,
			].join('\n'),
		});
		const made = [
			['1250.50', 'supplier-main'],
			['5', 'supplier-usd'],
			['0.125', 'supplier-main'],
			['10', 'supplier-main'],
		];
		expect(payoutsMade()).toEqual(made);

		// The next run tries only the rows that were not paid, and pays none again.
		const [again] = itemsOf(await run(workflow, START), NOTIFY);
		expect(again).toMatchObject({ subject: '0 of 3 payouts made', unknown: 1 });
		expect(payoutsMade()).toEqual(made);
	});

	test('payouts-from-table pays an invoice once, also if its row is empty again or is there twice', async () => {
		const first = payout('10');
		await payouts.fill([first]);
		await run(workflow, START);
		await payouts.fill([first, first, payout('20')]);
		const [report] = itemsOf(await run(workflow, START), NOTIFY);
		expect(report).toMatchObject({ subject: '3 of 3 payouts made, 20 NGN' });
		expect(report!.text).toContain('- paid by an earlier run: 10 NGN to supplier-main, as');
		expect(await payouts.rows()).toMatchObject([
			{ result: 'alreadyPaid', payout_id: text },
			{ result: 'alreadyPaid', payout_id: text },
			{ result: 'paid', payout_id: text },
		]);
		expect(payoutsMade().map(([amount]) => amount)).toEqual(['10', '20']);
	});
});

describe('the example payout-by-chat', () => {
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		workflow = await saveAgent(stack, model, stack.example('payout-by-chat'));
	});

	/** Sends a message while the model follows the script. Returns the answers of the tools. */
	const say = async (chatInput: string, turns: ToolCall[][]): Promise<string[]> => {
		model.play(turns);
		return toolAnswers(await stack.client.ended(await startChat(stack, workflow, chatInput)));
	};

	const payOut = (invoice: string, amount: string, account_alias = 'supplier-main'): ToolCall => ({
		tool: 'Pay out',
		input: { invoice, amount, account_alias },
	});

	test('payout-by-chat pays what it is asked for, and lets the model choose the invoice, the amount and the account', async () => {
		const answers = await say('What is our NGN balance, whom can we pay? Pay INV-7 to supplier-main.', [
			[
				{ tool: 'Get balance', input: { currency: 'NGN' } },
				{ tool: 'List accounts', input: {} },
			],
			[payOut('INV-7', '1250.50')],
		]);
		expect(answers).toEqual([
			expect.stringContaining('"balance":"5000000.00"'),
			expect.stringContaining('supplier-main'),
			expect.stringContaining('"amount":"1250.50"'),
		]);
		expect(payoutsMade()).toEqual([['1250.50', 'supplier-main']]);
		const payOutTool = model.requests[0]!.tools.find(({ function: { name } }) => name === 'Pay_out')!;
		const fields = Object.keys(payOutTool.function.parameters.properties);
		expect(fields.sort()).toEqual(['account_alias', 'amount', 'invoice']);
	});

	test('payout-by-chat writes what it has paid, or may have paid, into the book', async () => {
		const booked = async () =>
			(await paymentRows(stack)).filter(({ paymentKey }) => paymentKey.startsWith('CHAT-'));
		await fault('POST /v1/fiat_payout', { dropAfter: true });
		model.play([
			[{ tool: 'Get balance', input: { currency: 'NGN' } }, payOut('Chat-1', '12.50')],
			[payOut('Chat-2', '20'), payOut('Chat-3', '50000.01')],
		]);
		const execution = await stack.client.ended(await startChat(stack, workflow, 'Pay three.'));
		expect(Object.keys(execution.data.resultData.runData).at(-1)).toBe('Answer');
		expect(itemsOf(execution, 'Answer')).toMatchObject([{ output: text }]);
		const row = { currency: 'NGN', destination: 'supplier-main', workflow: workflow.id };
		const [unknown, paid] = [
			{ ...row, paymentKey: 'CHAT-1', amount: '12.50', result: 'unknown' },
			{ ...row, paymentKey: 'CHAT-2', amount: '20', result: 'paid', payoutId: expect.stringMatching(/./) },
		];
		const rows = await booked();
		const { id } = execution;
		expect(rows).toMatchObject([unknown, paid].map((each) => ({ ...each, execution: id, time: text })));

		// What the book has stays, and no other workflow pays it again.
		await say('Pay them again.', [[payOut('CHAT-1', '12.50'), payOut('chat-2', '20')]]);
		expect(await booked()).toEqual(rows);
		const payer = await publishBookPayer(stack, 'Pays what the chat has paid');
		const again = [
			{ key: 'chat-1', amount: '12.5' },
			{ key: 'chat-2', amount: '20' },
		];
		expect(await pay(stack.n8n, payer, again)).toMatchObject([
			{ result: 'unknown' },
			{ result: 'alreadyPaid', payoutId: rows[1]!.payoutId },
		]);
		expect(payoutsMade().map(([amount]) => amount)).toEqual(['12.50', '20']);
	});
});

testExamplesOf('n8n/examples', stack);

test('every example is executed by a test', () => {
	for (const file of Object.keys(EXECUTED_BY))
		expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(`\ntestExamplesOf('${file}', stack`);
	expect(Object.values(EXECUTED_BY).flat().sort()).toEqual(exampleNames().sort());
});
