/** What an event of the service becomes, on a real n8n with a real mail server: mails, each once, and rows of the book. */
import { quiet } from '../../host/testkit/database.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { succeeded, until } from '../../host/n8n/client.ts';
import type { Execution, Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { deliver, signedHeaders } from '../../host/testkit/deliveries.ts';
import { bookTable } from '../../host/testkit/book.ts';
import { changeExample, publishCopy, withParameters } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { movementsIn } from './movements.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('deposit-arrives');

renewForEachTest(stack);

const arrives = () => stack.example('deposit-arrives');

/** Waits until nothing runs: what is called runs by itself. A mail that should not be sent would be among these. */
async function mailsInTheEnd(): Promise<Mail[]> {
	await quiet(stack, { withWaiting: true });
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
	return (await mailsInTheEnd()).map(({ receivedAt, ...mail }) => mail);
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

/** Coins arrive. Returns what the sandbox says of them. */
const coins = (amount: string) =>
	stack.control('POST', '/deposits', { wallet_alias: 'deposits-usdt', coin: 'USDT', amount });

describe('deposit-arrives', () => {
	test('the first click mails a sample that is told apart, and books nothing', async () => {
		succeeded(await stack.client.runByHand(arrives().id, 'Click to try'));
		expect((await mailsInTheEnd()).map(({ subject, text }) => [subject, text])).toEqual([
			['Deposit: 150000.50 NGN for customer-0042', "Status: successful\nID: sample\nSender's words: Ada Obi"],
		]);
		expect(await bookTable(stack).rows()).toEqual([]);
	});

	test('a deposit in coins is one mail to the team, with the exact amount, and a row of the book', async () => {
		let made: Json = {};
		const act = async () => (made = await coins('250000.123456789012345678'));
		expect(await mailsAfter(arrives(), 1, act)).toEqual([
			{
				from: 'wallet@example.com',
				to: ['finance@example.com'],
				subject: 'Deposit: 250000.123456789012345678 USDT for deposits-usdt',
				text: `Status: successful\nID: ${String(made.id)}\nSender's words: ${String(made.tx_hash)}`,
			},
		]);
		expect(await bookTable(stack).rows()).toMatchObject([
			{ kind: 'crypto deposit', amount: '250000.123456789012345678' },
		]);
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		const { body } = await newestDelivery();
		expect(await deliverFiveTimes(arrives(), body)).toEqual(
			Array.from({ length: 5 }, () => ({ ok: true, duplicate: true })),
		);
		expect(await mailsInTheEnd()).toHaveLength(1);
	});

	test('a mail that the server refused is sent once by "Retry", and by nothing else', async () => {
		stack.mailbox.faults.push('refuse');
		const [failed] = await executionsAfter(arrives(), 1, () => coins('7.07'));
		expect(failed!.status).toBe('error');
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		expect(await mailsInTheEnd()).toEqual([]);
		const retried = await stack.client.retry(failed!.id, 'original');
		expect(retried.status).toBe('success');
		expect((await mailsInTheEnd()).map(({ subject }) => subject)).toEqual([
			'Deposit: 7.07 USDT for deposits-usdt',
		]);
		expect(await redeliver()).toEqual({ ok: true, duplicate: true });
		expect(await mailsInTheEnd()).toHaveLength(1);
	});

	test('a mail that the server took without an answer is not sent again by itself', async () => {
		stack.mailbox.faults.push('hangUp');
		const [failed] = await executionsAfter(arrives(), 1, () => coins('8.08'));
		expect(failed!.status).toBe('error');
		await redeliver();
		expect(await mailsInTheEnd()).toHaveLength(1);
	});
});

test('destination-reviewed: one mail for approved, rejected and any other word, and a sample at the first click', async () => {
	const workflow = stack.example('destination-reviewed');
	let mails: Array<Omit<Mail, 'receivedAt'>> = [];
	// One after the other: otherwise they may arrive in another order.
	for (const [alias, decision] of [
		['supplier-new', 'Whitelisted'],
		['cold-storage', 'Rejected'],
		['supplier-new', 'Pending'],
	])
		mails = await mailsAfter(workflow, 1, () => stack.control('POST', '/reviews', { alias, decision }));
	const account = expect.stringMatching(/^\d+4321, First Example Bank$/);
	expect(mails.map(({ subject, text }) => [subject, text])).toEqual([
		['Approved: supplier-new', account],
		['Rejected: cold-storage', expect.stringMatching(/^\w+0001, Bitcoin$/)],
		['Reviewed: supplier-new is pending', account],
	]);
	expect(new Set(mails.flatMap(({ to }) => to))).toEqual(new Set(['finance@example.com']));
	expect(await redeliver()).toEqual({ ok: true, duplicate: true });
	expect(await mailsInTheEnd()).toHaveLength(3);
	succeeded(await stack.client.runByHand(workflow.id, 'When called'));
	expect((await mailsInTheEnd()).at(-1)).toMatchObject({
		subject: 'Approved: sample-wallet',
		text: 'TSampleWallet0000000000000000000001, TRC20',
	});
});

describe('deposit-credits-customer', () => {
	const credit = () => stack.example('deposit-credits-customer');
	/** The credits of the account, as its note says. */
	const credits = async (account: string) => {
		const rows = await bookTable(stack).rows<Record<string, string>>();
		const workflow = `${credit().id} ${credit().name}`;
		const own = rows.filter((row) => row.workflow === workflow && row.counterpart === account);
		const first = own.filter((row, place) => own.findIndex(sameReference(row)) === place);
		const isOdd = ({ status }: Record<string, string>) => !['pending', 'successful'].includes(status!);
		return first
			.filter((row) => !rows.some((each) => sameReference(row)(each) && isOdd(each)))
			.map(({ amount, asset }) => [amount, asset]);
	};
	const sameReference =
		({ reference }: Record<string, string>) =>
		(row: Record<string, string>) =>
			row.reference === reference;
	/** Delivers a deposit. Returns the new mails. */
	const delivered = async (fields: Json, workflow = arrives()): Promise<Mail[]> => {
		const body = JSON.stringify({
			event: 'virtual_account_credited',
			status: 'successful',
			currency: 'NGN',
			'Account received alias': 'customer-0042',
			'Sender account name': 'Bola Ade',
			...fields,
		});
		const before = (await mailsInTheEnd()).length;
		await executionsAfter(workflow, 1, () => send(body, workflow));
		return (await mailsInTheEnd()).slice(before);
	};
	const send = async (body: string, workflow = arrives()) =>
		await deliver(webhookUrl(stack.n8n, workflow), body, signedHeaders(body, stack.sandbox.webhookSecret));
	const SECONDS = { 'Ten seconds': withParameters({ amount: 2 }) };

	beforeAll(async () => {
		await changeExample(stack, 'deposit-credits-customer', SECONDS);
	});

	test('a deposit credits the owner of its virtual account with every digit, and is one mail', async () => {
		let id = '';
		const act = async () => (id = await deposit('1234.567890123456789', 'customer-0007'));
		await executionsAfter(arrives(), 1, act);
		expect((await mailsInTheEnd()).map(({ subject, text }) => [subject, text])).toEqual([
			['Credited: 1234.567890123456789 NGN to customer-0007', `ID: ${id}\nSender's words: Ada Obi`],
		]);
		expect(await credits('customer-0007')).toEqual([['1234.567890123456789', 'NGN']]);
	});

	test('a deposit that comes five times at once, in a trigger that forgets it, is one credit and one mail', async () => {
		const forgetful = await publishCopy(stack, 'deposit-arrives', 'Forgets its deliveries', {
			'Wallet Service Trigger': withParameters({ options: { ignoreDuplicates: false } }),
		});
		const fields = { id: 'dep_again', Amount: '20.02', 'Account received alias': 'customer-0315' };
		const body = JSON.stringify({
			event: 'virtual_account_credited',
			status: 'successful',
			currency: 'NGN',
			...fields,
		});
		await executionsAfter(forgetful, 5, () => deliverFiveTimes(forgetful, body));
		expect((await mailsInTheEnd()).map(({ subject }) => subject)).toEqual([
			'Credited: 20.02 NGN to customer-0315',
		]);
		expect(await delivered(fields, forgetful)).toEqual([]);
		expect(await credits('customer-0315')).toEqual([['20.02', 'NGN']]);
		const rows = (await bookTable(stack).rows()).filter(({ reference }) => reference === 'dep_again');
		expect(rows).toHaveLength(6);
		expect(movementsIn(rows)).toMatchObject([
			{ kind: 'deposit', state: 'made', amount: '20.02', counterpart: 'customer-0315' },
		]);
	});

	test('a deposit without an ID is not credited, however often it comes, and a person is told', async () => {
		const account = { 'Account received alias': 'customer-0316' };
		for (const fields of [{ Amount: '6.38' }, { Amount: '6.38', note: 'again' }]) {
			const [mail, ...others] = await delivered({ ...fields, ...account });
			expect([mail!.subject, mail!.text, others]).toEqual([
				'Not credited: 6.38 NGN, customer-0316',
				'ID: missing\nLook it up in the book and at the service.',
				[],
			]);
		}
		expect(await credits('customer-0316')).toEqual([]);
	});

	test('an account whose name is the end of another one is another account', async () => {
		const fields = { id: 'dep_end', Amount: '6.39' };
		await delivered({ ...fields, 'Account received alias': 'shop-customer-0317' });
		const subjects = (await delivered({ ...fields, 'Account received alias': 'customer-0317' })).map(
			({ subject }) => subject,
		);
		expect(subjects).toEqual(['Not credited: 6.39 NGN, customer-0317']);
	});

	test('what is not clear is not credited, and a person is told', async () => {
		const account = { 'Account received alias': 'customer-0099' };
		expect(await delivered({ id: 'dep_u1', Amount: '8.20', ...account })).toHaveLength(1);
		const subjects: string[] = [];
		for (const fields of [
			{ id: 'dep_u2', Amount: '2.000,75' },
			{ id: 'dep_u3', Amount: '-8.257' },
			{ id: 'dep_u1', Amount: '82.0' },
			{ id: 'dep_u1', Amount: '8.20', status: 'reversed' },
			{ id: 'dep_u4', Amount: '5', status: 'pending' },
		])
			subjects.push(...(await delivered({ ...account, ...fields })).map(({ subject }) => subject));
		expect(subjects).toEqual([
			'A deposit has no amount in the book: dep_u2',
			'Not credited:  NGN, customer-0099',
			'A deposit was taken back: dep_u3',
			'Not credited: -8.257 NGN, customer-0099',
			'Not credited: 82.0 NGN, customer-0099',
			'A deposit was taken back: dep_u1',
		]);
		expect(await credits('customer-0099')).toEqual([]);
		// What was pending is credited when it has arrived.
		expect(await delivered({ id: 'dep_u4', Amount: '5', ...account })).toHaveLength(1);
		expect(await credits('customer-0099')).toEqual([['5', 'NGN']]);
	});

	test.each(['reversed', 'failed', 'odd'])(
		'a deposit that is %s before it is credited is not credited, and a person is told',
		async (status) => {
			const fields = { id: `dep_${status}`, Amount: '6.40', 'Account received alias': 'customer-0123' };
			await delivered({ ...fields, status });
			const subjects = (await delivered(fields)).map(({ subject }) => subject);
			expect(subjects).toEqual(['Not credited: 6.40 NGN, customer-0123']);
			expect(stack.mailbox.mails.at(-1)!.text).toContain(`ID: ${fields.id}\n`);
			expect(await credits('customer-0123')).toEqual([]);
			const booked = (await bookTable(stack).rows()).filter(({ reference }) => reference === fields.id);
			expect(booked.map((row) => row.status)).toEqual([status, 'successful']);
		},
	);

	test('nor if it is reversed in the same second', async () => {
		const fields = { id: 'dep_second', Amount: '6.42', 'Account received alias': 'customer-0125' };
		const event = { event: 'virtual_account_credited', currency: 'NGN', ...fields };
		await executionsAfter(arrives(), 2, () =>
			Promise.all(['reversed', 'successful'].map((status) => send(JSON.stringify({ ...event, status })))),
		);
		const subjects = (await mailsInTheEnd()).map(({ subject }) => subject);
		expect(subjects).toContain('Not credited: 6.42 NGN, customer-0125');
		expect(subjects.filter((subject) => subject.startsWith('Credited'))).toEqual([]);
	});

	test('a deposit that a filter of the trigger could not read is not credited, and a person is told', async () => {
		const options = { currencies: 'NGN', statuses: 'successful', minimumAmount: '1' };
		const filtering = await publishCopy(stack, 'deposit-arrives', 'Filters its deposits', {
			'Wallet Service Trigger': withParameters({ options }),
		});
		const account = { 'Account received alias': 'customer-0126' };
		for (const [fields, subject] of [
			[{ Amount: '6.43', currency: undefined, Currency: 'NGN' }, 'Not credited: 6.43 , customer-0126'],
			[{ Amount: '6.44', status: null }, 'Not credited: 6.44 NGN, customer-0126'],
			[{ Amount: '6,45' }, 'Not credited:  NGN, customer-0126'],
		] as const) {
			const mails = await delivered({ id: `dep_filter_${fields.Amount}`, ...account, ...fields }, filtering);
			expect(mails.map((mail) => mail.subject)).toContain(subject);
		}
		expect(await credits('customer-0126')).toEqual([]);
	});

	test('nor is it credited by Retry of an execution that failed before', async () => {
		const fields = { id: 'dep_retry', Amount: '6.41', 'Account received alias': 'customer-0124' };
		await changeExample(stack, 'deposit-credits-customer', {
			...SECONDS,
			'First row': ({ parameters }) => ({
				retryOnFail: false,
				parameters: { ...parameters, dataTableId: { __rl: true, mode: 'name', value: 'no_such_table' } },
			}),
		});
		expect(await delivered(fields)).toEqual([]);
		await changeExample(stack, 'deposit-credits-customer', SECONDS);
		await delivered({ ...fields, status: 'reversed' });
		const executions = await stack.client.executions(credit().id);
		const failed = executions.find(({ status }) => status === 'error')!;
		expect((await stack.client.retry(failed.id, 'current')).status).toBe('success');
		const subjects = (await mailsInTheEnd()).map(({ subject }) => subject);
		expect(subjects).toEqual([
			'A deposit was taken back: dep_retry',
			'Not credited: 6.41 NGN, customer-0124',
		]);
		expect(await credits('customer-0124')).toEqual([]);
	});

	test('texts of strangers stay texts in mails: tags, lines, formulas and 5,000 characters', async () => {
		for (const [place, name] of [
			'<img src=x onerror=alert(1)><a href="https://evil.example">log in</a>',
			'Ada\r\nBcc: thief@example.com\r\nStatus: reversed\n\n.\n',
			"={{ $env }} =HYPERLINK('x') {{ 1 + 1 }}",
			'x'.repeat(5000),
			'\u202egnp.exe \u0000',
		].entries()) {
			stack.mailbox.mails.splice(0);
			const account = `customer-0042 ${name}`;
			await delivered({
				id: `dep_h${place}`,
				Amount: '3.25',
				'Sender account name': name,
				'Account received alias': account,
			});
			const mails = await mailsInTheEnd();
			expect(mails.map(({ to, subject, text }) => [to, subject, text])).toEqual([
				[
					['finance@example.com'],
					expect.stringMatching(/^Credited: 3\.25 NGN to customer-0042 .*$/),
					// Only behind these words a stranger says something.
					expect.stringMatching(new RegExp(`^ID: dep_h${place}\nSender's words: `)),
				],
			]);
		}
	});
});

testExamplesOf('n8n/mail', stack);
