/** Every workflow in examples/, imported unchanged and executed on a real n8n against the sandbox. */
import { readFileSync } from 'node:fs';
import { exampleNames } from '../../host/examples.ts';
import type { ToolCall } from '../../host/doubles/scriptedModel.ts';
import { itemsOf } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { EXECUTED_BY, testExamplesOf } from './executedExamples.ts';
import { saveAgent, startChat, toolAnswers } from '../../host/testkit/agents.ts';
import { paymentRows, publishBookPayer } from '../../host/testkit/book.ts';
import { pay, payoutsMade as payoutsAtService } from '../../host/testkit/payments.ts';
import { renewForEachTest, useModel, useStack } from './setup.ts';

const text = expect.any(String);

const stack = useStack('payout-by-chat');
const model = useModel();
renewForEachTest(stack);

/** Makes the next request for that route fail. With `dropAfter`, the service carries it out first. */
function fault(route: string, kind: Json): Promise<Json> {
	return stack.control('POST', '/faults', { route, ...kind });
}

function payoutsMade(): Array<[amount: string, destination: string]> {
	return payoutsAtService(stack).map(({ amount, destination }) => [amount, destination]);
}

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
