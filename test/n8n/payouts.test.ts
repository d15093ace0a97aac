/** The examples that hand payments over, on a real n8n: from their triggers to their mails and rows. */
import { dataTable } from '../../host/n8n/dataTable.ts';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Execution, Json } from '../../host/n8n/client.ts';
import type { ToolCall } from '../../host/doubles/scriptedModel.ts';
import { formUrl } from '../../host/stack.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { requestsADay, requestsOf, saveAgent, startChat, toolAnswers } from '../../host/testkit/agents.ts';
import { answer, browse, mailed, sendForm, untilAsked, YES } from '../../host/testkit/approvals.ts';
import { paymentRows } from '../../host/testkit/book.ts';
import { amountsPaid, failPayoutAfter, payoutsMade } from '../../host/testkit/payments.ts';
import { changeExample } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useModel, useStack } from './setup.ts';

const stack = useStack(
	'payouts-from-list',
	'payouts-from-table',
	'payouts-from-file',
	'request-a-payout',
	'agent-asks-for-payouts',
	'payout-by-chat',
	'deposit-arrives',
);
const model = useModel();
renewForEachTest(stack);

const run = async (example: string, trigger: string) =>
	succeeded(await stack.client.runByHand(stack.example(example).id, trigger));

const paidNow = () => payoutsMade(stack).map(({ amount, destination }) => `${amount} ${destination}`);

/** The results of the payments that an execution made or did not make. */
const resultsOf = (items: Json[]) => items.map(({ result }) => result);

/** What a person sees who opens *Pay once*: n8n shows the last run only. */
const payList = async () => {
	const execution = await run('payouts-from-list', 'Start');
	expect(execution.data.resultData.runData['Pay once']).toHaveLength(1);
	return itemsOf(execution, 'Pay once');
};

const table = () => dataTable(stack.client, 'wallet_service_payouts');
const click = () => run('payouts-from-table', 'Every morning');
let bills = 0;
/** A row with a key of its own. Payments of tests are often the same. */
const row = (amount: string, more: Json = {}): Json => ({
	paymentKey: `BILL-${++bills}`,
	amount,
	currency: 'NGN',
	destination: 'supplier-main',
	again: 'yes',
	approvedBy: 'Ada Obi',
	...more,
});
const said = async () => (await table().rows()).map(({ result, message }) => [result, message]);

/** Uploads a file. Returns the page that then shows. */
async function upload(...lines: string[]): Promise<string> {
	const text = ['paymentKey,amount,currency,coin,destination,note', ...lines].join('\r\n');
	const form = stack.example('payouts-from-file');
	return await sendForm(stack, form, [new File([text], 'payouts.csv'), 'finance@example.com']);
}

const subjects = () => stack.mailbox.mails.map(({ subject }) => subject);

test('what the terminal says to try works in its order: no example makes the next one a repetition', async () => {
	expect(resultsOf(await payList())).toEqual(['paid', 'paid', 'paid']);
	expect(paidNow()).toEqual(['1250.50 supplier-main', '75.25 supplier-usd', '12.50 treasury']);

	await stack.control('POST', '/deposits', { alias: 'customer-0042', amount: '250000.00' });

	const form = stack.example('payouts-from-file').nodes.find(({ name }) => name === 'Form')!;
	const shown = [...String(form.parameters.formDescription).matchAll(/<tr>(<td>.*?)<\/tr>/g)];
	const rows = shown.map(
		([, cells]) => [...cells!.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell).join() + ',',
	);
	expect(rows).toHaveLength(2);
	expect(await upload(...rows)).toContain('Not handed over');
	await upload(...rows.map((row) => row.replace('EXAMPLE', 'MINE')));
	await answer(await mailed(stack, 'Approve'), YES);
	await mailed(stack, 'All 2 payouts are paid');

	await click();
	expect(await said()).toEqual([
		['paid', ''],
		['paid', ''],
	]);
	expect((await mailed(stack, 'Payouts: paid')).to).toEqual(['finance@example.com']);
	expect(paidNow().slice(-2)).toEqual(['310.40 supplier-main', '31.05 supplier-usd']);
	// Ten seconds after the deposit, and not among the mails of the next test.
	await mailed(stack, 'Credited: 250000.00 NGN to customer-0042');
	expect(subjects().filter((subject) => subject.includes('250000'))).toHaveLength(1);
});

test('the second click on payouts from a list says that it was paid, and sends nothing', async () => {
	expect(resultsOf(await payList())).toEqual(['alreadyPaid', 'alreadyPaid', 'alreadyPaid']);
	expect(paidNow()).toEqual([]);
	expect((await paymentRows(stack)).filter(({ paymentKey }) => paymentKey.startsWith('INV-1'))).toMatchObject(
		[
			{ paymentKey: 'INV-1001', amount: '1250.50', currency: 'NGN', result: 'paid' },
			{ paymentKey: 'INV-1002', amount: '75.25', currency: 'USD', result: 'paid' },
			{ paymentKey: 'INV-1003', amount: '12.50', coin: 'USDT', result: 'paid' },
			...['INV-1001', 'INV-1002', 'INV-1003'].map((paymentKey) => ({ paymentKey, result: 'alreadyPaid' })),
		],
	);
});

describe('payouts from a table', () => {
	test('payouts from a table writes what became of each row, and the next click pays only what was corrected', async () => {
		const twice = row('12');
		await table().fill([
			row('30', { destination: 'nobody' }),
			row('31', { currency: 'USD', destination: 'supplier-usd' }),
			row('1,250.50'),
			row('9', { currency: '', coin: 'USDT', destination: 'treasury' }),
			twice,
			{ ...twice, amount: '13' },
			row('', { note: 'without an amount' }),
			row('14', { paymentKey: '' }),
			// The second account is under review.
			row('15', { destination: 'supplier-new' }),
			row('16'),
		]);
		await click();
		const anySentence = expect.stringMatching(/\w+ /);
		expect(await said()).toEqual([
			['notSent', "'nobody' is not one of 'Allowed Aliases'"],
			['paid', ''],
			['notSent', expect.stringContaining('1,250.50')],
			['paid', ''],
			['paid', ''],
			['notSent', anySentence],
			['notSent', anySentence],
			['notSent', expect.stringContaining("'paymentKey'")],
			['rejected', expect.stringContaining('supplier-new')],
			['paid', ''],
		]);
		const [mail] = stack.mailbox.mails;
		expect(mail).toMatchObject({
			subject: 'Payouts: notSent,paid,rejected',
			text: stack.example('payouts-from-table').nodes.find(({ name }) => name === 'Send mail')!.parameters
				.text,
		});
		const paid = ['31 supplier-usd', '9 treasury', '12 supplier-main', '16 supplier-main'];
		expect(paidNow()).toEqual(paid);
		const [first] = await table().rows();
		await table().update({ id: first!.id }, { destination: 'supplier-main' });
		await click();
		expect((await said())[0]).toEqual(['paid', '']);
		expect(paidNow()).toEqual([...paid, '30 supplier-main']);
	});

	test('payouts from a table leaves what has no answer alone until a person has decided in the row', async () => {
		await table().fill([row('41'), row('42')]);
		await failPayoutAfter(stack, 0, { dropBefore: true });
		await click();
		expect(await said()).toEqual([
			['unknown', expect.stringMatching(/\w+ /)],
			['paid', ''],
		]);
		expect(stack.mailbox.mails).toMatchObject([{ subject: 'Payouts: unknown,paid' }]);
		await click();
		expect((await said())[0]![0]).toBe('unknown');
		expect(amountsPaid(stack)).toEqual(['42']);
		const [first] = await table().rows();
		await table().update({ id: first!.id }, { decision: 'wasNotPaid' });
		await click();
		expect((await said())[0]).toEqual([
			'unknown',
			expect.stringMatching(/came too early, so nothing was done: it counts from \S+ \S+ \(\S+\) on$/),
		]);
		expect(amountsPaid(stack)).toEqual(['42']);
		await ageKeys(stack);
		await click();
		await click();
		expect((await said())[0]).toEqual(['paid', '']);
		expect(amountsPaid(stack)).toEqual(['42', '41']);
	});

	test('payouts from a table only checks a row that nobody has approved', async () => {
		await table().fill([row('61', { approvedBy: '' }), row('62', { approvedBy: null }), row('63')]);
		await click();
		expect((await said()).map(([result]) => result)).toEqual(['dryRun', 'dryRun', 'paid']);
		expect(amountsPaid(stack)).toEqual(['63']);
		const [first] = await table().rows();
		await table().update({ id: first!.id }, { approvedBy: 'Ada Obi' });
		await click();
		expect((await said()).map(([result]) => result)).toEqual(['paid', 'dryRun', 'paid']);
		expect(amountsPaid(stack)).toEqual(['63', '61']);
	});

	test('payouts from a table pays a key once, even if its result is gone', async () => {
		const bill = row('51');
		await table().fill([bill]);
		await click();
		await table().fill([bill, bill, row('52')]);
		await click();
		expect((await said()).map(([result]) => result)).toEqual(['alreadyPaid', 'alreadyPaid', 'paid']);
		expect(amountsPaid(stack)).toEqual(['51', '52']);
	});
});

describe('payouts from a file', () => {
	test('payouts from a file shows what is wrong, and asks nobody', async () => {
		const page = await upload(
			'FILE-1,"1,250.50",NGN,,supplier-main,Rent',
			'FILE-2,300,NGN,,suplier-main,<img src=x>',
		);
		expect(page).toContain('Not handed over');
		expect(page).toContain('Row 2: The amount 1,250.50 has a comma. Write 1250.50.');
		expect(page).toContain('Row 3: No settlement account has the alias suplier-main.');
		expect(page).not.toContain('<img src=x>');
		const { id } = stack.example('payouts-from-file');
		const isOurs = (execution: Execution) => JSON.stringify(itemsOf(execution, 'Read')).includes('FILE-1');
		const execution = await stack.client.execution(id, 'the end of the upload', isOurs);
		expect(Object.keys(succeeded(execution).data.resultData.runData)).not.toContain('Ask');
		expect(subjects()).toEqual([]);
	});

	test('payouts from a file pays a good list after a yes, and once', async () => {
		const lines = ['FILE-3,1400.25,NGN,,supplier-main,Rent', 'FILE-4,14.5,,USDT,treasury,'];
		const page = await upload(...lines);
		expect(page).toContain('Handed over: expect a mail');
		expect(page).toContain('Nothing is paid yet.');
		const question = await mailed(stack, 'Approve');
		expect(question.subject).toContain('(asked by finance@example.com');
		expect(amountsPaid(stack)).toEqual([]);
		await answer(question, YES);
		const results = await mailed(stack, 'All 2 payouts are paid: 1,400.25 NGN, 14.50 USDT');
		expect(results.to).toEqual(['approver@example.com', 'finance@example.com']);
		expect(paidNow()).toEqual(['1400.25 supplier-main', '14.5 treasury']);
		expect(
			(await paymentRows(stack)).filter(({ paymentKey }) => paymentKey.startsWith('FILE-')),
		).toMatchObject([
			{ paymentKey: 'FILE-3', result: 'paid', approvedBy: 'Ada Obi' },
			{ paymentKey: 'FILE-4', result: 'paid', approvedBy: 'Ada Obi' },
		]);
		stack.mailbox.mails.splice(0);
		const again = await upload(...lines);
		expect(again).toContain('Not handed over');
		expect(again).toContain('Nothing is left to pay: 2 payouts, all paid before');
		expect(subjects()).toEqual([]);
		expect(amountsPaid(stack)).toHaveLength(2);
	});

	test('payouts from a file says on its page what is above a limit, and what looks like a payment of before', async () => {
		await upload('FILE-5,1500.25,NGN,,supplier-main,');
		await answer(await mailed(stack, 'Approve'), YES);
		await mailed(stack, 'The payout is paid: 1,500.25 NGN');
		stack.mailbox.mails.splice(0);
		const page = await upload('FILE-6,600000,NGN,,supplier-main,', 'FILE-7,1500.25,NGN,,supplier-main,');
		expect(page).toContain('Not handed over');
		expect(page).toMatch(/Row 2: [^<]*above 'Maximum Amount' 500000/);
		expect(page).toContain('Row 3: Not sent because a payment within the last 7 days had the same amount');
		expect(subjects()).toEqual([]);
		expect(amountsPaid(stack)).toEqual(['1500.25']);
	});
});

describe('request a payout', () => {
	const request = async (key: string, amount: string, destination: string) => {
		const form = formUrl(stack, stack.example('request-a-payout'))!;
		const fields = [key, amount, 'NGN', '', destination, 'Paper', 'finance@example.com'];
		expect((await browse(form, fields)).status).toBe(200);
	};

	/** What the wallet has, before and after the payment. */
	const BALANCE = /5,000,000\.00|4,999,769\.60/;
	const mailsWithBalance = () =>
		stack.mailbox.mails.filter(({ subject, text, html }) => BALANCE.test(`${subject} ${text} ${html}`));

	test('request a payout pays after a yes of another person, and no mail tells a typed address the balance', async () => {
		await request('ASKED-1', '230.40', 'supplier-main');
		const question = await mailed(stack, 'Approve');
		expect(question.to).toEqual(['approver@example.com']);
		await untilAsked(question.link);
		expect((await browse(question.link)).page).toContain('The wallet has 5,000,000.00 NGN.');
		expect(amountsPaid(stack)).toEqual([]);
		await answer(question, YES);
		await mailed(stack, 'The payout is paid: 230.40 NGN');
		expect(paidNow()).toEqual(['230.40 supplier-main']);
		expect(mailsWithBalance()).toEqual([]);
		await request('ASKED-3', '230.41', 'supplier-main');
		await answer(await mailed(stack, /^Approve 1 payout.*: 230\.41/), 'No');
		await mailed(stack, 'Not paid: ');
		await stack.control('POST', '/admin_funding', { asset: 'NGN', amount: 4999769, direction: 'debit' });
		await request('ASKED-4', '1.40', 'supplier-main');
		expect((await mailed(stack, 'Not ready to pay')).text).toContain('and the wallet has less');
		expect(mailsWithBalance()).toEqual([]);
	});

	test('request a payout tells what is wrong by mail, and asks nobody', async () => {
		await request('ASKED-2', '230,40', 'suplier-main');
		const mail = await mailed(stack, /^Not ready to pay/);
		expect(mail.to).toEqual(['approver@example.com', 'finance@example.com']);
		expect(mail.text).toContain('suplier-main');
		expect(mail.link).toBe('');
	});
});

/** Sends a message to an agent while its model follows the script. Returns the answers of the tools. */
async function say(example: string, turns: ToolCall[][]): Promise<string[]> {
	const agent = await saveAgent(stack, model, stack.example(example));
	model.play(turns);
	return toolAnswers(await stack.client.ended(await startChat(stack, agent, 'Please')));
}

/** What an answer of a tool says. */
const resultIn = (text: string) => (JSON.parse(text) as Json[]).map(({ result }) => result).join();

/** The fields that the model may fill in. */
const fieldsOf = (tool: string) => {
	const found = model.requests[0]!.tools.find(({ function: { name } }) => name === tool)!;
	return Object.keys(found.function.parameters.properties).sort();
};

describe('agent asks for payouts', () => {
	const ask = (invoice: string, amount: string, destination: string, more: Json = {}): ToolCall => ({
		tool: 'Ask for a payout',
		input: { invoice, amount, currency: 'NGN', destination, note: 'Paper', ...more },
	});

	test('agent asks for payouts asks a person, does not wait, and cannot pay', async () => {
		const answers = await say('agent-asks-for-payouts', [
			[{ tool: 'List accounts', input: {} }],
			[ask('AGENT-1', '640', 'supplier-main', { 'Your mail': 'other@example.com', problems: [] })],
		]);
		expect(answers).toEqual([
			expect.stringContaining('supplier-main'),
			expect.stringMatching(/"result":"asked".*"paymentKey":"AGENT-1"/),
		]);
		expect(fieldsOf('Ask_for_a_payout')).toEqual(['amount', 'currency', 'destination', 'invoice', 'note']);
		const question = await mailed(stack, 'Approve');
		expect(question.subject).toContain('(asked by finance@example.com');
		expect(amountsPaid(stack)).toEqual([]);
		await answer(question, YES);
		expect((await mailed(stack, 'The payout is paid: 640.00 NGN')).to).toEqual([
			'approver@example.com',
			'finance@example.com',
		]);
		expect(paidNow()).toEqual(['640 supplier-main']);
	});

	test('agent asks for payouts tells the model what is wrong', async () => {
		const [said] = await say('agent-asks-for-payouts', [[ask('AGENT-2', '641', 'suplier-main')]]);
		expect(said).toContain('No settlement account has the alias suplier-main');
		await mailed(stack, /^Not ready to pay/);
		expect(subjects()).toHaveLength(1);
	});

	test('agents ask a number of times in a day, and the model reads when nobody is asked', async () => {
		// The tests before have asked twice.
		await changeExample(stack, 'request-of-agent', requestsADay(3));
		const asks = async (...invoices: string[]) => {
			const turns = invoices.map((invoice, index) => [ask(invoice, `65${index}`, 'supplier-main')]);
			return (await say('agent-asks-for-payouts', turns)).map(resultIn);
		};
		expect(await asks('AGENT-3', 'AGENT-4', 'AGENT-5')).toEqual(['asked', 'notAsked', 'notAsked']);
		await mailed(stack, 'Approve');
		expect(subjects()).toHaveLength(1);
		for (const { id } of await requestsOf(stack).rows<{ id: number }>())
			await requestsOf(stack).update({ id }, { day: '2026-01-31' });
		expect(await asks('AGENT-6')).toEqual(['asked']);
		await changeExample(stack, 'request-of-agent', {});
	});
});

describe('payout by chat', () => {
	const pay = (invoice: string, amount: string, more: Json = {}): ToolCall => ({
		tool: 'Pay out',
		input: { invoice, amount, destination: 'supplier-main', ...more },
	});
	test('payout by chat pays an invoice once and within the limits, and lets the model choose nothing else', async () => {
		const tricks = { dryRun: true, again: 'yes', approvedBy: 'The director', decision: 'wasPaid' };
		const answers = await say('payout-by-chat', [
			[pay('CHAT-1', '420', { ...tricks, currency: 'USD', coin: 'BTC' })],
			[pay('chat-1', '420.00'), pay('CHAT-2', '500000.01'), pay('CHAT-3', '7', { destination: 'nobody' })],
			// The same again under another number waits for a person.
			[pay('CHAT-4', '420', tricks), pay('N/A', '421')],
		]);
		expect(answers.map(resultIn)).toEqual([
			'paid',
			'alreadyPaid',
			'notSent',
			'notSent',
			'notSent',
			'notSent',
		]);
		expect(fieldsOf('Pay_out')).toEqual(['amount', 'destination', 'invoice']);
		expect(paidNow()).toEqual(['420 supplier-main']);
		const [row] = (await paymentRows(stack)).filter(({ paymentKey }) => paymentKey === 'CHAT-1');
		expect(row).toMatchObject({ currency: 'NGN', result: 'paid', approvedBy: 'Payout by chat' });
	});

	test('the day of all chats is bounded by a number, which no call begins anew', async () => {
		// The test before has paid one.
		const threeADay = ({ parameters }: { parameters: Json }) => ({
			parameters: { ...parameters, options: { ...(parameters.options as Json), maximumPerDay: 3 } },
		});
		await changeExample(stack, 'pay-once', { 'Pay for an agent': threeADay });
		const first = await say('payout-by-chat', [[pay('CHAT-6', '440'), pay('CHAT-7', '50000.01')]]);
		const second = await say('payout-by-chat', [[pay('CHAT-8', '441')], [pay('CHAT-9', '442')]]);
		expect([...first, ...second].map(resultIn)).toEqual(['paid', 'notSent', 'paid', 'notSent']);
		expect(paidNow()).toEqual(['440 supplier-main', '441 supplier-main']);
		await changeExample(stack, 'pay-once', {});
	});

	test('payout by chat does not decide about a payment without an answer', async () => {
		await failPayoutAfter(stack, 0, { dropBefore: true });
		await say('payout-by-chat', [[pay('CHAT-5', '430')]]);
		await ageKeys(stack);
		const answers = await say('payout-by-chat', [[pay('CHAT-5', '430', { decision: 'wasNotPaid' })]]);
		expect(answers.map(resultIn)).toEqual(['unknown']);
		expect(amountsPaid(stack)).toEqual([]);
	});
});

testExamplesOf('n8n/payouts', stack);
