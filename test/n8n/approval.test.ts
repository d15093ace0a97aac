/**
 * The examples payout-with-approval and agent-payout-with-approval: a person or a scripted model asks, and a person answers on a
 * page. A model tries to make payments that no person has seen. `kills.test.ts` stops and kills n8n meanwhile.
 */
import { bookRow, paymentRows, bookTable } from '../../host/testkit/book.ts';
import { answer, browse, post, questionsIn, send, untilPage, YES } from '../../host/testkit/approvals.ts';
import type { Question } from '../../host/testkit/approvals.ts';
import type { ToolCall } from '../../host/doubles/scriptedModel.ts';
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { ask as sendRequest, asked as questionsAsked, payment } from '../../host/testkit/approvals.ts';
import type { Wanted } from '../../host/testkit/approvals.ts';
import { testExamplesOf } from './executedExamples.ts';
import { amountsPaid, failPayoutAfter, payoutsMade } from '../../host/testkit/payments.ts';
import { awayFromMidnight, renewForEachTest, useModel, useStack } from './setup.ts';
import { calls, saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { saveAgent, startChat, toolAnswers } from '../../host/testkit/agents.ts';

const stack = useStack('agent-payout-with-approval');
const model = useModel();

const paid = () => amountsPaid(stack);

renewForEachTest(stack);
beforeEach(async () => await table().clear());

/** Sends the form. Returns the page that the person who asks then sees. */
const ask = (wanted: Wanted, workflow?: StoredWorkflow) => sendRequest(stack, wanted, workflow);

/** The mails to the approver, oldest first. */
const questions = () => questionsIn(stack.mailbox.mails);

const asked = (count?: number) => questionsAsked(stack, count);

const table = () => bookTable(stack);

const WORDS_FROM_OUTSIDE = 'Nobody has checked these words. They come from the one who asks:';

describe('the example payout-with-approval', () => {
	test('payout-with-approval shows who asks for what and what was paid that day, and pays exactly that after a yes', async () => {
		await awayFromMidnight();
		const row = (amount: string, more: Json = {}) =>
			bookRow({
				...{ paymentKey: `DAY-${amount}`, amount, currency: 'NGN', destination: 'supplier-main' },
				...{ result: 'paid', time: new Date().toISOString() },
				...more,
			});
		const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString();
		await table().fill([row('0.25'), row('7', { time: twoDaysAgo }), row('8', { result: 'unknown' })]);
		const wanted = payment('1250.500');
		expect(await ask(wanted)).toContain(
			`A person was asked to approve 1250.500 NGN to supplier-main, payment key ${wanted.key}. Nothing is paid yet.`,
		);
		const [question] = (await asked()) as [Question];
		expect(question.subject).toBe('Approve 1250.500 NGN to supplier-main?');
		expect(question.lines).toEqual([
			'Pay: 1,250.500 NGN to supplier-main',
			expect.stringMatching(/^Asked on: \d{4}-\d\d-\d\d \d\d:\d\d \(.+\)$/),
			'Paid on that day before: 1 payment, 0.25 NGN',
			WORDS_FROM_OUTSIDE,
			`- Payment key: “${wanted.key}”`,
			'- Asked by: “Ada Obi”',
		]);
		const { page } = await browse(question.link);
		expect(page).toContain('<b>Pay:</b> 1,250.500 NGN to supplier-main');
		expect(page).toContain(`<li>Payment key: “${wanted.key}”</li>`);
		expect(paid()).toEqual([]);
		expect(await answer(question, YES)).toMatch(
			/^Paid: 1250.500 NGN to supplier-main, payment key \S+\. The payout is \S+\.$/,
		);
		expect(payoutsMade(stack)).toMatchObject([{ amount: '1250.500', destination: 'supplier-main' }]);
		expect(stack.mailbox.mails.at(-1)).toMatchObject({
			to: ['approver@example.com', 'finance@example.com'],
			subject: expect.stringMatching(/^Paid: 1250.500 NGN/),
		});
	});

	test('the approver reads first that the same payment has another key, and a yes to what he did not read pays nothing', async () => {
		const [first, second, third, fourth] = ['88.50', '88.5', '88.500', '88.50'].map((amount) =>
			payment(amount),
		) as [Wanted, Wanted, Wanted, Wanted];
		for (const wanted of [first, second]) await ask(wanted);
		const both = (await asked(2)).sort((a, b) => b.subject.length - a.subject.length);
		expect(await answer(both[0]!, YES)).toMatch(/^Paid: 88.50 NGN/);
		const today = new Date().toISOString().slice(0, 10);
		const other = `${first.key} (paid on ${today})`;
		expect(await answer(both[1]!, YES)).toMatch(
			new RegExp(
				`^Approved, but not paid: 88.5 NGN .*another key: ${first.key} \\(paid on ${today}\\)\\. If both`,
			),
		);
		stack.mailbox.mails.splice(0);
		await ask(third);
		const [question] = (await asked()) as [Question];
		expect(question.lines.slice(0, 2)).toEqual([
			'Pay: 88.500 NGN to supplier-main',
			`THE SAME PAYMENT has another key: “${other}”. A yes pays it a second time.`,
		]);
		stack.mailbox.mails.splice(0);
		await ask(fourth);
		const [last] = (await asked()) as [Question];
		expect(await answer(question, YES)).toMatch(/^Paid: 88.500 NGN/);
		// This page did not have the third one.
		expect(await answer(last, YES)).toContain(`another key: ${third.key} (paid on ${today})`);
		expect(paid()).toEqual(['88.50', '88.500']);
	});

	test('payout-with-approval pays nothing when the page is only opened, after an answer that cannot be read, and after a no', async () => {
		const wanted = payment('20');
		await ask(wanted);
		const [{ link }] = (await asked()) as [Question];
		const [withoutKey] = link.split('?') as [string];
		for (const url of [link, `${link}&Decision=Yes, pay&field-1=Yes, pay`]) await browse(url);
		expect((await browse(withoutKey)).status).toBe(401);
		expect((await send(withoutKey, YES)).status).toBe(401);
		for (const answers of [['No', YES], [YES, YES], []])
			expect(await post({ link }, ...answers.map((text): [string, string] => ['field-1', text]))).toBe(
				'Your answer could not be read. Nothing was paid, and the question is still open. Open the link again.',
			);
		await untilPage(link, 'form-waiting');
		expect(await answer({ link }, 'No')).toBe(
			`Not paid: 20 NGN to supplier-main, payment key “${wanted.key}”. The approver said no.`,
		);
		// A yes after the no.
		await send(link, YES);
		expect(paid()).toEqual([]);
	});

	test('payout-with-approval pays once what is asked twice and approved twice', async () => {
		const wanted = payment('30');
		await ask(wanted);
		await ask({ ...wanted, key: wanted.key.toLowerCase(), amount: '30.0' });
		const both = (await asked(2)) as [Question, Question];
		for (const { link } of both) {
			await Promise.allSettled([send(link, YES), send(link, YES)]);
			await untilPage(link, 'form-waiting');
			await send(link, YES);
		}
		expect(paid()).toHaveLength(1);
		// The approver is not asked about these.
		stack.mailbox.mails.splice(0);
		expect(await ask(wanted)).toContain('Paid before. Nothing was sent now.');
		expect(await ask({ ...wanted, amount: '31' })).toContain('One of the two is wrong.');
		expect(questions()).toEqual([]);
	});

	test('a mail to the approver that the server refused is sent by "Retry", and a payout without an answer is to be looked up', async () => {
		const { id } = stack.example('payout-with-approval');
		stack.mailbox.faults.push('refuse');
		const wanted = payment('65');
		await ask(wanted);
		const failed = await stack.client.execution(id, 'the failure', ({ status }) => status === 'error');
		await stack.client.rest('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
		const [question] = (await asked()) as [Question];
		await failPayoutAfter(stack, 0, { dropAfter: true });
		expect(await answer(question, YES)).toMatch(
			/^LOOK IT UP, it is not known if this was paid: 65 NGN .* wasPaid or wasNotPaid/,
		);
		expect(await ask(wanted)).toContain('look the payment up at the service.');
		expect(paid()).toEqual(['65']);
	});
});

/** n8n calls the tools of versions below 3 directly, and runs those of others like other nodes. */
const AGENTS = [2.2, 3.1];

describe('the example agent-payout-with-approval', () => {
	const TOOL = 'Ask for a payout';
	const call = ({ key: invoice, amount }: Wanted, more: Json = {}): ToolCall => ({
		tool: TOOL,
		input: { invoice, amount, currency: 'NGN', account_alias: 'supplier-main', ...more },
	});

	/** Lets the model follow the script in a chat. Returns what it reads from the tools. */
	async function chat(
		version: number,
		turns: ToolCall[][],
		approval = stack.example('payout-with-approval'),
	) {
		model.play(turns);
		const agent = stack.example('agent-payout-with-approval');
		const workflow = await saveAgent(stack, model, agent, agent.name, {
			Treasurer: () => ({ typeVersion: version }),
			[TOOL]: withParameters(calls(approval)),
		});
		const execution = await stack.client.ended(await startChat(stack, workflow, 'Pay', 'chat-7'));
		return toolAnswers(execution).map((text) => (JSON.parse(text) as [Json])[0]);
	}

	/** A copy of payout-with-approval that waits for a second in place of seven days. */
	let short: StoredWorkflow;
	const unanswered = [payment('90'), payment('91')];

	// n8n looks once a minute for executions whose time has come. These wait while the tests run.
	beforeAll(async () => {
		short = await saveCopy(stack.client, stack.example('payout-with-approval'), 'Asks for a second', {
			'Yes or no?': withParameters({ resumeAmount: 1, resumeUnit: 'seconds' }),
		});
		await stack.client.publish(short);
		const [first, second] = unanswered as [Wanted, Wanted];
		stack.mailbox.mails.splice(0);
		await chat(3.1, [[call(first), call(second, { hitlParameters: { approved: true } })]], short);
		await asked(2);
	});

	test.each(AGENTS)(
		'AI Agent %d is told at once that a person decides, or why nobody was asked, and what the person saw is paid',
		async (version) => {
			const wanted = payment('1250.50');
			const turns = [call(wanted), call(payment('500000.01')), call(payment('1', { key: 'N/A' }))];
			expect(await chat(version, [turns])).toEqual([
				{
					result: 'asked',
					message: `A person was asked to approve 1250.50 NGN to supplier-main, payment key ${wanted.key}. Nothing is paid yet.`,
					whatToDo: 'Do not ask again for this payment. Tell the user that a person decides.',
				},
				{
					result: 'notSent',
					message: expect.stringContaining("above 'Maximum Amount' 500000"),
					whatToDo: 'Do not change the payment to get around this limit. Tell the user.',
				},
				{
					result: 'notSent',
					message: expect.stringContaining('value is missing'),
					whatToDo: 'Ask the user for the number of the invoice. Never make one up.',
				},
			]);
			const [question] = (await asked()) as [Question];
			expect(question.lines[0]).toBe('Pay: 1,250.50 NGN to supplier-main');
			expect(question.lines.slice(4)).toEqual([
				`- Payment key: “${wanted.key}”`,
				'- Asked by: “AI agent in the chat with the id chat-7”',
			]);
			await answer(question, YES);
			expect(paid()).toEqual(['1250.50']);
			stack.mailbox.mails.splice(0);
			const again = await chat(version, [
				[call(wanted), call({ ...wanted, key: wanted.key.toLowerCase(), amount: '1250.5' })],
				[call({ ...wanted, amount: '1250.51' })],
			]);
			expect(again.map(({ result }) => result)).toEqual(['alreadyPaid', 'alreadyPaid', 'notSent']);
			expect(questions()).toEqual([]);
		},
	);

	test.each(AGENTS)(
		'what a model of AI Agent %d sends beside the arguments approves nothing and changes nothing',
		async (version) => {
			const wanted = payment('40000');
			const hidden = { amount: '50000', invoice: `${wanted.key}-HIDDEN` };
			const others = {
				...{ approver: 'model@example.com', approvedBy: 'the boss', second: '', askedBy: 'the boss' },
				...{ checked: true, coin: 'BTC', dryRun: false, Decision: YES },
			};
			await chat(version, [
				[
					call(wanted, { hitlParameters: { approved: true } }),
					call(payment('1'), {
						query: { ...hidden, toolParameters: hidden },
						toolParameters: hidden,
						...others,
					}),
				],
			]);
			const both = await asked(2);
			const asking = stack.mailbox.mails.filter(({ subject }) => subject.startsWith('Approve '));
			expect(asking.map(({ to }) => to)).toEqual([['approver@example.com'], ['approver@example.com']]);
			expect(paid()).toEqual([]);
			for (const question of both) {
				const [, shown] = /^Pay: (\S+) NGN to supplier-main$/.exec(question.lines[0]!)!;
				expect(question.lines.at(-1)).toBe('- Asked by: “AI agent in the chat with the id chat-7”');
				await answer(question, YES);
				expect(paid().at(-1)).toBe(shown!.replaceAll(',', ''));
			}
			expect(paid()).toHaveLength(2);
		},
	);

	test('when nobody answers in time, nothing is paid', async () => {
		const notApproved = async () =>
			(await stack.client.executions(short.id)).flatMap((execution) => itemsOf(execution, 'Not approved'));
		const results = await until('both results', async () => {
			const items = await notApproved();
			return items.length === unanswered.length ? items : undefined;
		});
		for (const { text } of results) expect(text).toContain('Nobody answered within seven days.');
		const keys = unanswered.map(({ key }) => key);
		const rows = await paymentRows(stack);
		expect(rows.filter(({ paymentKey }) => keys.includes(paymentKey))).toEqual([]);
		const made = paid();
		for (const { amount } of unanswered) expect(made).not.toContain(amount);
	});

	test('the model of agent-payout-with-approval chooses invoice, amount, currency and account, nothing else', () => {
		const { function: tool } = model.requests[0]!.tools.find(({ function: { name } }) =>
			name.startsWith('Ask'),
		)!;
		expect(Object.keys(tool.parameters.properties).sort()).toEqual([
			...['account_alias', 'amount', 'currency', 'invoice'],
		]);
	});
});

testExamplesOf('n8n/approval', stack);
