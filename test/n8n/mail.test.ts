/** The examples that send mails, on a real n8n with a real mail server: what arrives in whose mailbox, and how often. */
import { queryDatabase } from '../../host/testkit/database.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { itemsOf, until } from '../../host/n8n/client.ts';
import type { Execution, Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { deliver, signedHeaders } from '../../host/testkit/deliveries.ts';
import { saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('deposit-to-item', 'deposit-credits-customer', 'settlement-reviewed');

renewForEachTest(stack);

/** Publishes a workflow and registers the URL of its trigger at the service, which has only one. */
async function register(workflow: StoredWorkflow): Promise<void> {
	await stack.client.publish(workflow);
	await stack.control('PUT', '/webhook', { url: webhookUrl(stack.n8n, workflow) });
}

/** Waits until the workflow does nothing. A mail that it should not send would be among these. */
async function mailsInTheEnd({ id }: StoredWorkflow): Promise<Mail[]> {
	await until('the end of all executions', () => {
		const sql = `SELECT id FROM execution_entity WHERE workflowId = ? AND status IN ('new', 'running')`;
		return queryDatabase(stack, sql, id).length === 0 || undefined;
	});
	return stack.mailbox.mails;
}

/** Does something that lets the service deliver events. Returns the executions that they started, oldest first. */
async function executionsAfter(
	{ id }: StoredWorkflow,
	count: number,
	act: () => Promise<unknown>,
): Promise<Execution[]> {
	const before = (await stack.client.executions(id)).length;
	await act();
	const ended = await stack.client.endedExecutions(id, before + count);
	expect(ended).toHaveLength(before + count);
	return ended.slice(0, count).reverse();
}

/** The same, and expects success. Returns the mails. */
async function mailsAfter(
	workflow: StoredWorkflow,
	count: number,
	act: () => Promise<unknown>,
): Promise<Array<Omit<Mail, 'receivedAt'>>> {
	const ended = await executionsAfter(workflow, count, act);
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
	return (await mailsInTheEnd(workflow)).map(({ receivedAt, ...mail }) => mail);
}

interface Delivery {
	id: string;
	body: string;
	attempts: Array<{ answer?: string }>;
}

async function newestDelivery(): Promise<Delivery> {
	const { results } = (await stack.control('GET', '/deliveries')) as { results: Delivery[] };
	return results.at(-1)!;
}

/** Lets the service deliver its newest event once more. Returns the answer. */
async function redeliver(): Promise<unknown> {
	const { id, attempts: before } = await newestDelivery();
	await stack.control('POST', `/deliveries/${id}/redeliver`);
	return await until('the next attempt', async () => {
		const { attempts } = await newestDelivery();
		const last = attempts.at(-1);
		return attempts.length > before.length && last?.answer ? (JSON.parse(last.answer) as Json) : undefined;
	});
}

/** Posts the body five times at once, as the service would sign it. */
async function deliverFiveTimes(workflow: StoredWorkflow, body: string): Promise<unknown[]> {
	const headers = signedHeaders(body, stack.sandbox.webhookSecret);
	const url = webhookUrl(stack.n8n, workflow);
	const deliveries = Array.from({ length: 5 }, () => deliver(url, body, headers));
	return (await Promise.all(deliveries)).map(({ answer }) => answer);
}

const deposit = async (amount: string, alias = 'customer-0042') =>
	(await stack.control('POST', '/deposits', { alias, amount, sender_account_name: 'Ada Obi' })).id as string;

describe('deposit-to-item', () => {
	beforeAll(() => register(stack.example('deposit-to-item')));

	test('a deposit is one mail to the team, with the exact amount', async () => {
		let id = '';
		const act = async () => (id = await deposit('250000.123456789012345678'));
		expect(await mailsAfter(stack.example('deposit-to-item'), 1, act)).toEqual([
			{
				from: 'wallet@example.com',
				to: ['finance@example.com'],
				subject: 'Deposit: 250000.123456789012345678 NGN for customer-0042',
				text: `250000.123456789012345678 NGN arrived for customer-0042 from Ada Obi.\nStatus: successful. Id: ${id}.`,
			},
		]);
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		const { body } = await newestDelivery();
		expect(await deliverFiveTimes(stack.example('deposit-to-item'), body)).toEqual(
			Array.from({ length: 5 }, () => ({ ok: true, duplicate: true })),
		);
		expect(await mailsInTheEnd(stack.example('deposit-to-item'))).toHaveLength(1);
	});

	test('a mail that the server refused is sent once by "Retry", and by nothing else', async () => {
		stack.mailbox.faults.push('refuse');
		const [failed] = await executionsAfter(stack.example('deposit-to-item'), 1, () => deposit('7.07'));
		expect(failed!.status).toBe('error');
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		expect(await mailsInTheEnd(stack.example('deposit-to-item'))).toEqual([]);
		const retried = await stack.client.retry(failed!.id, 'original');
		expect(retried.status).toBe('success');
		expect((await mailsInTheEnd(stack.example('deposit-to-item'))).map(({ subject }) => subject)).toEqual([
			'Deposit: 7.07 NGN for customer-0042',
		]);
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		expect(await mailsInTheEnd(stack.example('deposit-to-item'))).toHaveLength(1);
	});

	test('a mail that the server took without an answer is not sent again by itself', async () => {
		stack.mailbox.faults.push('hangUp');
		const [failed] = await executionsAfter(stack.example('deposit-to-item'), 1, () => deposit('8.08'));
		expect(failed!.status).toBe('error');
		await redeliver();
		expect(await mailsInTheEnd(stack.example('deposit-to-item'))).toHaveLength(1);
	});
});

test('settlement-reviewed: one mail for approved, rejected and any other status', async () => {
	const workflow = stack.example('settlement-reviewed');
	await register(workflow);
	let mails: unknown[] = [];
	// One after the other: otherwise they may arrive in another order.
	for (const [alias, decision] of [
		['supplier-new', 'Whitelisted'],
		['cold-storage', 'Rejected'],
		['supplier-new', 'Pending'],
	])
		mails = await mailsAfter(workflow, 1, () => stack.control('POST', '/reviews', { alias, decision }));
	const account = 'account supplier-new (NGN at First Example Bank, number …4321)';
	const wallet = 'wallet cold-storage (BTC on Bitcoin, address …0001)';
	const team = { from: 'wallet@example.com', to: ['finance@example.com'] };
	expect(mails).toEqual([
		{
			...team,
			subject: 'Approved: supplier-new',
			text: `Approved: the settlement ${account} can be paid to.`,
		},
		{
			...team,
			subject: 'Rejected: cold-storage',
			text: `Rejected: the settlement ${wallet} cannot be paid to. Ask the service for the reason.`,
		},
		{
			...team,
			subject: 'supplier-new is now: pending',
			text: `The settlement ${account} is now: pending.`,
		},
	]);
	expect(await redeliver()).toEqual({ ok: true, duplicate: true });
	expect(await mailsInTheEnd(workflow)).toHaveLength(3);
});

describe('deposit-credits-customer', () => {
	const credits = async () => await dataTable(stack.client, 'wallet_service_credits').rows();
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		workflow = stack.example('deposit-credits-customer');
		await register(workflow);
	});

	test('each deposit is credited, and its customer gets one mail with the new balance', async () => {
		const [mail] = await mailsAfter(workflow, 1, () => deposit('250000.50'));
		expect(mail).toEqual({
			from: 'wallet@example.com',
			to: ['ada.obi@example.com'],
			subject: '250000.50 NGN arrived',
			text: '250000.50 NGN arrived from Ada Obi. The balance is 250000.50 NGN.',
		});
		await mailsAfter(workflow, 1, () => deposit('7', 'customer-0007'));
		await mailsAfter(workflow, 1, () => deposit('0.75'));
		const mails = await mailsAfter(workflow, 1, () => deposit('3', 'invoices-usd'));
		expect(mails.slice(1).map(({ to, text }) => [...to, text])).toEqual([
			['tunde.bello@example.com', '7 NGN arrived from Ada Obi. The balance is 7 NGN.'],
			['ada.obi@example.com', '0.75 NGN arrived from Ada Obi. The balance is 250001.25 NGN.'],
			// This one has no address in the example.
			['finance@example.com', '3 USD arrived from Ada Obi. The balance is 3 USD.'],
		]);
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		expect(await credits()).toHaveLength(4);
		expect(await mailsInTheEnd(workflow)).toHaveLength(4);
	});

	describe('of a customer whose deposits are unusual', () => {
		const customer = 'customer-0315';
		/** Delivers a deposit of this customer. Returns the new mails. */
		const arrives = async (id: string, amount: unknown): Promise<string[]> => {
			const body = JSON.stringify({
				...{ event: 'virtual_account_credited', id, status: 'successful', currency: 'NGN', Amount: amount },
				...{ 'Account received alias': customer, 'Sender account name': 'Bola Ade' },
			});
			const before = stack.mailbox.mails.length;
			await executionsAfter(workflow, 1, async () => {
				const headers = signedHeaders(body, stack.sandbox.webhookSecret);
				await deliver(webhookUrl(stack.n8n, workflow), body, headers);
			});
			return (await mailsInTheEnd(workflow)).slice(before).map(({ subject, text }) => `${subject}: ${text}`);
		};
		const amounts = async () =>
			(await credits()).filter((row) => row.customer === customer).map(({ amount }) => amount);

		test('what cannot be read or comes again with another amount goes to a person; what is taken back lowers the balance', async () => {
			const [mail] = await arrives('dep_u1', '2.000,75');
			expect(mail).toMatch(/^A deposit of customer-0315 was not credited: .* cannot be read: "2\.000,75"\./);
			expect(await arrives('dep_u2', '8.20')).toEqual([expect.stringContaining('The balance is 8.20 NGN.')]);
			expect(await arrives('dep_u3', '-8.257')).toEqual([
				'8.257 NGN was taken back: 8.257 NGN was taken back. The balance is -0.057 NGN.',
			]);
			const [again] = await arrives('dep_u2', '82.0');
			expect(again).toMatch(
				/^A deposit of customer-0315 came again with other content: Credited: 8\.20 NGN /,
			);
			expect(again).toContain('says: 82.0 NGN to customer-0315. Nothing was changed.');
			expect(await amounts()).toEqual(['8.20', '-8.257']);
		});
	});

	test('without duplicate suppression, five simultaneous deliveries are one credit and one mail', async () => {
		const withoutSuppression = await saveCopy(stack.client, workflow, 'Without duplicate suppression', {
			'Deposit arrives': withParameters({ options: { ignoreDuplicates: false } }),
		});
		await stack.control('PUT', '/webhook', { url: null });
		await deposit('20.02');
		const { body } = await newestDelivery();
		await stack.client.publish(withoutSuppression);
		let answers: unknown[] = [];
		const runs = await executionsAfter(withoutSuppression, 5, async () => {
			answers = await deliverFiveTimes(withoutSuppression, body);
		});
		expect(answers).toEqual(answers.map(() => ({ ok: true })));
		expect(runs.flatMap((execution) => itemsOf(execution, 'Credited before, nothing to do'))).toHaveLength(4);
		expect(await mailsInTheEnd(withoutSuppression)).toMatchObject([
			{
				to: ['ada.obi@example.com'],
				text: '20.02 NGN arrived from Ada Obi. The balance is 250021.27 NGN.',
			},
		]);
		const rows = await credits();
		expect(rows.filter(({ amount, state }) => amount === '20.02' && state === 'credited')).toHaveLength(1);
	});
});

// The last one, because a sample is credited, too.
test.each([
	['deposit-credits-customer', 'Deposit arrives', ['150000.50 NGN arrived']],
	['settlement-reviewed', 'Reviewed', ['Approved: treasury', 'Approved: supplier-main']],
])('%s shows its pinned sample at the first click', async (name, trigger, subjects) => {
	const execution = await stack.client.runByHand(stack.example(name).id, trigger);
	expect(execution.status).toBe('success');
	expect((await mailsInTheEnd(stack.example(name))).map(({ subject }) => subject)).toEqual(subjects);
});

testExamplesOf('n8n/mail', stack);
