/** The examples *payouts from a file*: people upload, approve and settle on the pages of n8n, as their browsers would. */
import { createHash } from 'node:crypto';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { AT_ONCE, paymentRows, bookTable } from '../../host/testkit/book.ts';
import type { PaymentRow } from '../../host/testkit/book.ts';
import {
	answer,
	browse,
	mailed as mailedTo,
	post,
	questionsIn,
	send,
	sendForm,
	untilPage,
	YES,
} from '../../host/testkit/approvals.ts';
import type { Mail } from '../../host/doubles/mailbox.ts';
import { until } from '../../host/n8n/client.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import type { StoredWorkflow } from '../../host/n8n/client.ts';
import { formUrl } from '../../host/stack.ts';
import { testExamplesOf } from './executedExamples.ts';
import { amountsPaid, failPayoutAfter, payoutsMade } from '../../host/testkit/payments.ts';
import { changeExample, saveCopy } from '../../host/testkit/workflows.ts';
import { renewForEachTest, useStack } from './setup.ts';

const stack = useStack('payouts-file-1-check');

const ASKER = 'finance@example.com';
const APPROVER = 'approver@example.com';
const PAID_BY_BOTH = [APPROVER, ASKER];
const HEADER = 'paymentKey,amount,currency,coin,destination';

beforeAll(async () => await changeExample(stack, 'pay-once', AT_ONCE));

renewForEachTest(stack);
beforeEach(async () => await bookTable(stack).clear());

let keys = 0;
/** A payment key of its own. */
const newKey = () => `FILE-${++keys}`;

/** A line of the file, with a key of its own. */
const line = (amount: string, destination = 'supplier-main', currency = 'NGN', coin = '') =>
	`${newKey()},${amount},${currency},${coin},${destination}`;

const keyOf = (text: string) => text.split(',')[0]!;

const csv = (...lines: string[]) => `${[HEADER, ...lines].join('\r\n')}\r\n`;

/** The words of a page, a line for each block. */
const wordsOf = (page: string) =>
	page
		.replace(/<(style|script|title|head)\b.*?<\/\1>/gs, '')
		.replaceAll(/<\/(li|p|h1|div)>|<br>/g, '\n')
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
		.split('\n')
		.map((text) => text.trim())
		.filter((text) => text !== '');

/** Uploads the file. Returns the words of the page that then shows. */
async function upload(
	content: string | Uint8Array<ArrayBuffer>,
	{ asker = ASKER, approver = APPROVER } = {},
): Promise<string[]> {
	const file = new File([content], 'payouts.csv', { type: 'text/csv' });
	return wordsOf(await sendForm(stack, stack.example('payouts-file-1-check'), [file, asker, approver]));
}

const mailsWith = (subject: string) => stack.mailbox.mails.filter((mail) => mail.subject.startsWith(subject));

const mailed = (subject: string) => mailedTo(stack, subject);

const fileOf = ({ attachments }: Mail) => attachments![0]!.content.toString('utf8');

/** Uploads a good file and answers yes. Returns the mail with the results. */
async function pay(...lines: string[]): Promise<Mail> {
	expect(await upload(csv(...lines))).toContain('The list is good');
	await answer(await mailed('Approve '), YES);
	return await until('the mail with the results', () =>
		stack.mailbox.mails.find(({ subject }) => /^\d+ of \d+ payouts? paid/.test(subject)),
	);
}

async function rowsOf(...lines: string[]): Promise<PaymentRow[]> {
	const keys = lines.map(keyOf);
	return (await paymentRows(stack)).filter(({ paymentKey }) => keys.includes(paymentKey));
}

/** The address behind *Back to the form* on the page that an upload shows. */
async function wayBack(workflow: StoredWorkflow, form = formUrl(stack, workflow)!): Promise<string> {
	const [, path] = /type="hidden"[^>]*value="([^"]*)"/.exec((await browse(form)).page)!;
	const file = new File([csv(line('x'))], 'payouts.csv', { type: 'text/csv' });
	const page = await sendForm(stack, workflow, [file, ASKER, APPROVER, path!], form);
	const [, link] = /href="([^"]*)">Back to the form/.exec(page)!;
	return new URL(link!, `${stack.n8n.url}/form-waiting/1`).href;
}

test('copies of the workflow, also with a path of its own, can be published and lead back to their forms', async () => {
	for (const path of [undefined, 'payouts-of-a-copy']) {
		const copy = await saveCopy(stack.client, stack.example('payouts-file-1-check'), `Copy ${path}`, {
			'Upload payouts': ({ parameters }) => ({
				parameters: { ...parameters, options: { ...(parameters.options as object), ...(path && { path }) } },
			}),
		});
		await stack.client.publish(copy);
		const url = path ? `${stack.n8n.webhooks}/form/${path}` : formUrl(stack, copy)!;
		expect(await wayBack(copy, url)).toBe(url);
	}
});

test('a list is approved by its hash and paid once, both get the results, and the same payment needs a yes in the column again', async () => {
	const lines = [line('1250.50'), line('0.125'), line('12.5', 'treasury', '', 'usdt')];
	expect((await upload(csv(...lines))).slice(0, 3)).toEqual([
		'The list is good',
		'2 payouts, 1250.625 NGN. The wallet has 5000000.00 NGN.',
		'1 payout, 12.5 USDT. The wallet has 20000 USDT.',
	]);
	const question = await mailed('Approve ');
	expect(question.to).toEqual([APPROVER]);
	expect(question.subject).toBe('Approve 3 payouts, 1,250.625 NGN, 12.5 USDT?');
	const hash = createHash('sha256').update(question.attachments![0]!.content).digest('hex');
	expect(questionsIn([question])[0]!.lines).toEqual([
		'Pay: 1,250.625 NGN in 2 payouts. The wallet has 5,000,000.00 NGN',
		'Pay: 12.5 USDT in 1 payout. The wallet has 20,000 USDT',
		'Payouts: 3',
		`- ${keyOf(lines[0]!)}: 1,250.50 NGN to supplier-main`,
		`- ${keyOf(lines[1]!)}: 0.125 NGN to supplier-main`,
		`- ${keyOf(lines[2]!)}: 12.5 USDT to treasury`,
		`Asked by: ${ASKER}`,
		expect.stringMatching(/^Asked on: \d{4}-\d\d-\d\d \d\d:\d\d \(.+\)$/),
		`SHA-256 of the file: ${hash}`,
	]);
	expect(fileOf(question).trim().split('\n')).toEqual([
		`${HEADER},again`,
		...lines.map((text) => `${text.replace('usdt', 'USDT')},`),
	]);
	// A mail scanner opens links and sends nothing.
	for (const url of [question.link, `${question.link}&Decision=Yes, pay&field-1=Yes, pay`]) await browse(url);
	expect(amountsPaid(stack)).toEqual([]);
	expect((await browse(question.link)).page).toContain(`${hash.slice(0, 32)}<br />${hash.slice(32)}`);
	expect(await answer(question, YES)).toBe(
		'Approved: 3 payouts, 1,250.625 NGN, 12.5 USDT. The rows are being paid. You get a mail with the results, at the latest 20 minutes after the payments end.',
	);
	const result = await mailed('3 of 3 payouts paid: 1250.625 NGN, 12.5 USDT');
	expect(result.to).toEqual(PAID_BY_BOTH);
	expect(result.text).toContain('The service reports no status of fiat payouts.');
	expect(result.text).toContain('The wallet now has 4998749.37 NGN.');
	expect(result.text).toContain(`SHA-256 of the approved file: ${hash}`);
	const made = payoutsMade(stack);
	expect(made.map(({ amount, destination }) => [amount, destination])).toEqual([
		['1250.50', 'supplier-main'],
		['0.125', 'supplier-main'],
		['12.5', 'treasury'],
	]);
	expect(fileOf(result).trim().split('\n')).toEqual([
		'paymentKey,result,amount,currency,coin,destination,payoutId,status,message',
		`${keyOf(lines[0]!)},paid,1250.50,NGN,,supplier-main,${made[0]!.payout_id},pending,`,
		`${keyOf(lines[1]!)},paid,0.125,NGN,,supplier-main,${made[1]!.payout_id},pending,`,
		`${keyOf(lines[2]!)},paid,12.5,,USDT,treasury,${made[2]!.payout_id},pending,`,
	]);
	expect(await rowsOf(...lines)).toMatchObject(
		lines.map(() => ({ result: 'paid', settle: '', approvedBy: APPROVER })),
	);

	// The same file again, with the same payment under another key.
	stack.mailbox.mails.splice(0);
	const second = line('1250.5');
	const [again, ...rest] = (await upload(csv(...lines.slice(1), second))).slice(1);
	expect(again).toBe('Rows 2 and 3: this paymentKey was paid before. Remove the row.');
	const today = new Date().toISOString().slice(0, 8);
	expect(rest[0]).toMatch(
		new RegExp(
			`^Row 4: the same payment was paid on ${today}\\d\\d, with the paymentKey ${keyOf(lines[0]!)}\\. If both must be paid, write yes in a column again\\.`,
		),
	);
	expect(stack.mailbox.mails).toEqual([]);
	await upload([`${HEADER},again`, `${second},yes`, ''].join('\n'));
	const meant = await mailed('Approve ');
	expect(meant.text).toContain(`(again: yes, the same as ${keyOf(lines[0]!)} (paid on ${today}`);
	await answer(meant, YES);
	await mailed('1 of 1 payout paid: 1250.5 NGN');
	expect(amountsPaid(stack)).toEqual(['1250.50', '0.125', '12.5', '1250.5']);
});

test('an answer that cannot be read leaves the question open, and nothing is paid after a no', async () => {
	const lines = [line('20')];
	await upload(csv(...lines));
	const question = await mailed('Approve ');
	for (const answers of [['No', YES], [YES, YES], []])
		expect(await post(question, ...answers.map((text): [string, string] => ['field-1', text]))).toBe(
			'Your answer could not be read. Nothing was paid, and the question is still open. Open the link again.',
		);
	expect(stack.mailbox.mails).toHaveLength(1);
	await untilPage(question.link, 'form-waiting');
	expect(await answer(question, 'No')).toMatch(
		/^Not paid: 1 payout, 20 NGN. The approver did not say yes\.\sSHA-256 of the file: /,
	);
	expect((await mailed('Not paid: 1 payout, 20 NGN')).to).toEqual(PAID_BY_BOTH);
	// The link then says what was decided, also after it is sent again.
	for (const again of [false, true]) {
		if (again) await send(question.link, YES);
		await untilPage(question.link, 'form-waiting');
		const { page } = await browse(question.link);
		expect(page).toContain('The approver did not say yes.');
		expect(page).toContain('Nothing was paid. To pay this list, upload it again.');
	}
	expect(amountsPaid(stack)).toEqual([]);
	expect(await rowsOf(...lines)).toEqual([]);
});

test('what is wrong comes back by row numbers, in groups, and nobody is asked', async () => {
	const page = await upload(
		csv(
			line('10', 'supplier-new'),
			line('500000.01'),
			line('600000.5'),
			line('5', 'cold-storage', '', 'BTC'),
		),
	);
	expect(page).toEqual([
		'Correct the file',
		'Row 2: the account supplier-new is not approved. Its status is Pending.',
		'Rows 3 and 4: the amount … is above 500000, the limit for one payout.',
		'Row 5: the wallet cold-storage is not approved. Its status is Pending.',
		'The list needs 5 BTC. The wallet has 0.75 BTC.',
		'The limits are in n8n, in the workflow pay once. Only people who edit workflows there can change them.',
		'Nothing was paid. Nobody was asked to approve it. Correct the file and upload it again.',
	]);
	expect(stack.mailbox.mails).toEqual([]);
	expect(amountsPaid(stack)).toEqual([]);
});

test('nobody is asked about a file that is no text, by the one who approves alone, or while the service tells no accounts', async () => {
	const good = csv(line('5'));
	const latin1 = Buffer.from(csv('K\u00e4-1,5,NGN,,supplier-main'), 'latin1');
	expect((await upload(latin1)).slice(0, 2)).toEqual([
		'Correct the file',
		'The file is not in UTF-8: a character in line 2 cannot be read. In Excel, save it as CSV UTF-8.',
	]);
	expect((await upload(good, { asker: APPROVER })).slice(0, 2)).toEqual([
		'Correct the form',
		'Another person must approve. Choose one.',
	]);
	await stack.control('POST', '/faults', { route: 'POST /v1/settlement_accounts', status: 503 });
	expect((await upload(good))[1]).toMatch(/^Row 2: the list of accounts could not be read\. /);
	expect(stack.mailbox.mails).toEqual([]);
});

describe('a row that is not known', () => {
	/** Lets the answer of the second payout get lost; with `dropAfter`, the service pays it. A person decides when it is over. */
	async function lose(fault: 'dropAfter' | 'dropBefore'): Promise<string[]> {
		const lines = [line('40'), line('41.5'), line('42')];
		await failPayoutAfter(stack, 1, { [fault]: true });
		const { subject, text } = await pay(...lines);
		expect(subject).toBe('2 of 3 payouts paid: 82 NGN, 1 NOT KNOWN');
		expect(text).toContain(
			`NOT KNOWN. The approver gets one mail to settle them:\n- ${keyOf(lines[1]!)}, 41.5 NGN to supplier-main\n`,
		);
		await ageKeys(stack);
		return lines;
	}

	test('a person sees what was sent, the balances and where to look, and says that it was paid', async () => {
		const [, lost] = (await lose('dropAfter')) as [string, string];
		const question = await mailed('Was this paid? 41.5 NGN to supplier-main');
		expect(question.to).toEqual([APPROVER]);
		expect(question.text).toContain(
			`Payment: 41.5 NGN to supplier-main\nPayment key: ${keyOf(lost)}\nSent: `,
		);
		expect(question.text).toContain(
			'Balance: 5,000,000.00 NGN before the list, 4,999,876.50 NGN after it. The rows that are known to be paid took 82 NGN. Beyond that, 41.50 NGN are gone.',
		);
		// Opening it and uploading the file again move nothing.
		for (const url of [question.link, `${question.link}&Answer=It was not paid: pay now`]) await browse(url);
		expect(await upload(csv(lost))).toContain(
			`Row 2: it is not known if this was paid before. ${APPROVER} gets a mail to settle it.`,
		);
		expect(await answer(question, 'It was paid')).toMatch(
			/^Settled as paid: 41.5 NGN .* Nothing was sent now\.$/,
		);
		expect((await mailed('Settled as paid: 41.5 NGN')).to).toEqual(PAID_BY_BOTH);
		expect(await rowsOf(lost)).toMatchObject([{ result: 'paid', message: 'A person wrote wasPaid.' }]);
		// The second mail, of the second upload, has lost its question.
		const second = await until('the second mail', () => mailsWith('Was this paid?')[1]);
		const link = /here: (\S+)/.exec(second.text)![1]!;
		expect(await answer({ link }, 'It was not paid: pay now')).toMatch(
			/^Nothing done: .* Somebody settled this row before/,
		);
		expect(amountsPaid(stack)).toEqual(['40', '41.5', '42']);
	});

	test('nothing is paid without one of the two answers, and what was not paid is paid once', async () => {
		const [, lost] = (await lose('dropBefore')) as [string, string];
		const question = await mailed('Was this paid? 41.5 NGN to supplier-main');
		expect(question.text).toContain('took 82 NGN. Beyond that, 0.00 NGN are gone.');
		expect(await post(question, ['field-1', 'It was paid'], ['field-1', 'It was not paid: pay now'])).toMatch(
			/^Nothing done: .* There was no answer that could be read\./,
		);
		expect(amountsPaid(stack)).toEqual(['40', '42']);
		expect(await rowsOf(lost)).toMatchObject([{ result: 'unknown', settle: '' }]);
		expect(mailsWith('Was this paid?')).toHaveLength(1);
		await untilPage(question.link, 'form-waiting');
		expect(await answer(question, 'It was not paid: pay now')).toMatch(
			/^Paid now: 41.5 NGN .* The payout is \S+\.$/,
		);
		await send(question.link, 'It was not paid: pay now');
		expect(amountsPaid(stack)).toEqual(['40', '42', '41.5']);
		expect(await rowsOf(lost)).toMatchObject([{ result: 'paid', message: 'A person wrote wasNotPaid.' }]);
	});

	test('an execution that ends in the middle leaves the balance, and an unclear answer is asked about again', async () => {
		await lose('dropBefore');
		await until('the end', () => mailsWith('Was this paid?')[0]);
		stack.mailbox.mails.splice(0);
		// What a kill leaves: a list that is being paid. The workflow looks ten minutes after its last payment.
		const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
		const lists = dataTable(stack.client, 'wallet_service_lists');
		const { id } = (await lists.rows()).at(-1)!;
		await lists.update({ id }, { state: 'paying', taken: ago(20) });
		for (const row of await bookTable(stack).rows())
			await bookTable(stack).update({ id: row.id }, { time: ago(15) });
		await stack.client.runByHand(stack.example('payouts-file-2-pay').id, 'Every ten minutes');
		expect((await mailed('2 of 3 payouts paid: 82 NGN, 1 NOT KNOWN')).text).toContain(
			'The payments ended in the middle.',
		);
		const question = await mailed('Was this paid? 41.5 NGN');
		expect(question.text).toContain(
			'5,000,000.00 NGN before the list, 4,999,918.00 NGN after it. The rows that are known to be paid took 82 NGN. Beyond that, 0.00 NGN are gone.',
		);
		stack.mailbox.mails.splice(0);
		await failPayoutAfter(stack, 0, { dropAfter: true });
		expect(await post(question, ['field-1', 'It was not paid: pay now'])).toMatch(
			/^STILL NOT KNOWN: 41.5 NGN/,
		);
		const again = await mailed('Was this paid?');
		await ageKeys(stack);
		expect(again.text).toMatch(/Why it is not known: The service gave no answer \(.*\)\.?$/m);
		expect(await answer(again, 'It was paid')).toMatch(/^Settled as paid: 41.5 NGN/);
		expect(amountsPaid(stack)).toEqual(['40', '42', '41.5']);
	});

	test('several rows have one page, to be settled one by one or together, and after three unclear answers nothing is sent', async () => {
		const lines = ['50', '51', '60', '52', '53', '54', '61', '62'].map((amount) => line(amount));
		for (const fault of [{ dropAfter: true }, { dropBefore: true }, { delayMs: 0 }, { dropAfter: true }])
			await failPayoutAfter(stack, 0, fault);
		await failPayoutAfter(stack, 0, { times: 100, status: 503 });
		const { subject, text } = await pay(...lines);
		expect(subject).toBe('1 of 8 payouts paid: 60 NGN, 5 NOT KNOWN');
		expect(text).toContain(
			'Not paid. Not sent, because the service gave no clear answer to 3 payments before this one.',
		);
		expect(text).toContain(`\n- ${keyOf(lines[6]!)}, 61 NGN to supplier-main\n`);
		const question = await mailed('Were these 5 payouts made?');
		expect(question.text).toContain(`Row 3: 52 NGN to supplier-main, payment key ${keyOf(lines[3]!)}, sent `);
		const { faults } = (await stack.control('GET', '/state')) as { faults: Array<{ times: number }> };
		expect(faults[0]!.times).toBe(98);
		stack.sandbox.service.faults.clear();
		await ageKeys(stack);
		const decide = async (choice: string, rows: string) =>
			await post(question, ['field-1', choice], ['field-2', rows]);
		expect(await decide('It was paid', '1, 3')).toBe(
			[
				...[lines[0]!, lines[3]!].map(
					(each) =>
						`Settled as paid: ${each.split(',')[1]} NGN to supplier-main, payment key ${keyOf(each)}. Nothing was sent now.`,
				),
				'3 rows are still open. The approver can open the link of the last mail again.',
			].join('\n'),
		);
		await untilPage(question.link, 'form-waiting');
		const { page } = await browse(question.link);
		expect(page).toContain('Row 5:');
		expect(page).not.toContain('Row 3:');
		expect(await decide('It was not paid: pay now', 'ALL')).toMatch(
			/^Paid now: 51 NGN.*\nPaid now: 53 NGN.*\nPaid now: 54 NGN/,
		);
		expect(mailsWith('Were these')).toHaveLength(1);
		expect((await rowsOf(...lines.slice(0, 6))).map(({ result }) => result)).toEqual(Array(6).fill('paid'));
		// What was not sent is sent when the file is uploaded without the paid rows.
		stack.mailbox.mails.splice(0);
		expect((await pay(...lines.slice(6))).subject).toBe('2 of 2 payouts paid: 123 NGN');
		expect(amountsPaid(stack)).toEqual(['50', '60', '52', '51', '53', '54', '61', '62']);
	});
});

describe('several uploads of one list', () => {
	/** Uploads the files one after another. Returns the questions. */
	const each = async (...files: string[][]) => {
		const questions = [];
		for (const lines of files) {
			stack.mailbox.mails.splice(0);
			await upload(csv(...lines));
			questions.push(await mailed('Approve '));
		}
		return questions as [Question, Question, Question];
	};
	type Question = Awaited<ReturnType<typeof mailed>>;
	const before =
		/^Asked before: the same list, by finance@example\.com on \d{4}-.*\. It has no answer yet\./m;

	test('the second mail names the first, and a no to either closes both', async () => {
		const lines = [line('5'), line('6.10', 'treasury', '', 'USDT')];
		for (const [no, yes] of [
			[1, 0],
			[0, 1],
		] as const) {
			const questions = await each(lines, [lines[1]!.replace('6.10', '6.1'), lines[0]!.toLowerCase()]);
			// A list that is uploaded after the no is a new question.
			expect(questions[0].text).not.toContain('Asked before');
			expect(questions[1].text).toMatch(before);
			expect((await browse(questions[1].link)).page).toContain('the same list, by finance@example.com');
			expect(await answer(questions[no], 'No')).toContain(
				'This closes the other mail of the same list, too.',
			);
			expect(await answer(questions[yes], YES)).toContain('The same list was answered with no before.');
		}
		expect(amountsPaid(stack)).toEqual([]);
	});

	test('a list that shares payments is named, a no closes only itself, and the other rows are paid when one was paid or refused meanwhile', async () => {
		const lines = [line('30'), line('31', 'supplier-usd', 'USD'), line('32')];
		const [first, shared, one] = await each(
			lines,
			[lines[0]!, line('8'), lines[2]!.replace(',32,', ',32.01,')],
			[lines[0]!],
		);
		expect(shared.text).toMatch(/^Asked before: a list with 1 of these payouts, by finance@example\.com/m);
		expect(await answer(shared, 'No')).not.toContain('closes');
		await answer(one, YES);
		await mailed('1 of 1 payout paid');
		await stack.control('POST', '/reviews', { alias: 'supplier-usd', decision: 'Rejected' });
		expect(await answer(first, YES)).toMatch(/^Approved/);
		const result = await mailed('1 of 3 payouts paid: 32 NGN');
		expect(result.text).toContain('1 paid before. Nothing was sent for them now.');
		expect(result.text).toMatch(/^Not paid\. .* supplier-usd is Rejected; .*$/m);
		expect(result.text).toContain(`\n- ${keyOf(lines[1]!)}, 31 USD to supplier-usd\n`);
		expect(
			fileOf(result)
				.split('\n')
				.map((row) => row.split(',')[1]),
		).toEqual(['result', 'alreadyPaid', 'rejected', 'paid', undefined]);
		expect(amountsPaid(stack)).toEqual(['30', '32']);
	});
});

testExamplesOf('n8n/payoutsFromFile', stack);
