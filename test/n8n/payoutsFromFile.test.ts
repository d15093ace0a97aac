/** The examples *payouts from a file*: people upload, approve and settle on the pages of n8n, as their browsers would. */
import { createHash, randomUUID } from 'node:crypto';
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
import { changeExample } from '../../host/testkit/workflows.ts';
import { useStack } from './setup.ts';

jest.setTimeout(180_000);

const stack = useStack('payouts-file-1-check');

const ASKER = 'finance@example.com';
const APPROVER = 'approver@example.com';
const PAID_BY_BOTH = [APPROVER, ASKER];
const HEADER = 'paymentKey,amount,currency,coin,destination';

beforeAll(async () => await changeExample(stack, 'pay-once', AT_ONCE));

beforeEach(async () => {
	await stack.control('POST', '/reset');
	await bookTable(stack).clear();
	stack.mailbox.mails.splice(0);
});

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

test('the form shows an example to copy, whose rows cannot be paid', async () => {
	const { page } = await browse(formUrl(stack, stack.example('payouts-file-1-check'))!);
	const rows = [...page.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
		[...row!.matchAll(/<t[hd]>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
	);
	expect(rows[0]).toEqual(HEADER.split(','));
	// A table that is copied into a text editor has tabs between its cells.
	const copied = rows.map((cells) => cells.join('\t')).join('\n');
	expect(await upload(copied)).toEqual([
		'Correct the file',
		'Row 2: EXAMPLE-1 is a key of the example. Enter a key of your own.',
		'Row 3: EXAMPLE-2 is a key of the example. Enter a key of your own.',
		'Nothing was paid. Nobody was asked to approve it. Correct the file and upload it again.',
	]);
	expect(await upload(copied.replaceAll('EXAMPLE', newKey()))).toEqual(
		expect.arrayContaining([
			'The list is good',
			'1 payout, 1250.50 NGN. The wallet has 5000000.00 NGN.',
			'1 payout, 12.5 USDT. The wallet has 20000 USDT.',
		]),
	);
	await mailed('Approve 2 payouts, 1,250.50 NGN, 12.5 USDT');
});

test('copies of the workflow, also with a path of its own, can be published and lead back to their forms', async () => {
	const payoutsFromFile = stack.example('payouts-file-1-check');
	expect(await wayBack(payoutsFromFile)).toBe(formUrl(stack, payoutsFromFile));
	for (const path of [undefined, 'payouts-of-a-copy']) {
		const nodes = structuredClone(payoutsFromFile.nodes);
		for (const node of nodes) if (node.webhookId) node.webhookId = randomUUID();
		const form = nodes.find(({ name }) => name === 'Upload payouts')!;
		if (path) form.parameters.options = { ...(form.parameters.options as object), path };
		const { connections, settings } = payoutsFromFile;
		const copy = await stack.client.saveWorkflow({ name: `Copy ${path}`, nodes, connections, settings });
		await stack.client.publish(copy);
		const url = path ? `${stack.n8n.webhooks}/form/${path}` : formUrl(stack, copy)!;
		expect(await wayBack(copy, url)).toBe(url);
	}
});

test('a list is approved by its hash, paid once, and both get the results', async () => {
	const lines = [line('1250.50'), line('0.125'), line('12.5', 'treasury', '', 'usdt')];
	const page = await upload(csv(...lines));
	expect(page.slice(0, 4)).toEqual([
		'The list is good',
		'2 payouts, 1250.625 NGN. The wallet has 5000000.00 NGN.',
		'1 payout, 12.5 USDT. The wallet has 20000 USDT.',
		`${APPROVER} gets a mail with the list. Nothing is paid yet. After a yes, the rows are paid, and you both get a mail with the results. The service reports no status of fiat payouts. Look in its dashboard.`,
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

	// The same file again.
	const again = await upload(csv(...lines));
	expect(again).toContain('Rows 2, 3 and 4: this paymentKey was paid before. Remove the row.');
	expect(amountsPaid(stack)).toHaveLength(3);
});

test('the same payment under another key is named, and paid after a yes in the column again', async () => {
	const first = line('77.50');
	await upload(csv(first));
	await answer(await mailed('Approve '), YES);
	await mailed('1 of 1 payout paid: 77.50 NGN');
	stack.mailbox.mails.splice(0);
	const [second, other] = [line('77.5'), line('77.51')];
	const today = new Date().toISOString().slice(0, 8);
	expect((await upload(csv(second, other))).join('\n')).toMatch(
		new RegExp(
			`^Correct the file\\n[^]*Row 2: the same payment was paid on ${today}\\d\\d, with the paymentKey ${keyOf(first)}\\. If both must be paid, write yes in a column again\\.`,
		),
	);
	expect(stack.mailbox.mails).toEqual([]);
	await upload([`${HEADER},again`, `${second},yes`, `${other},`, ''].join('\n'));
	const question = await mailed('Approve ');
	expect(question.text).toContain(`(again: yes, the same as ${keyOf(first)} (paid on ${today}`);
	await answer(question, YES);
	await mailed('2 of 2 payouts paid: 155.01 NGN');
	expect(amountsPaid(stack)).toEqual(['77.50', '77.5', '77.51']);
});

test('nothing is paid after a no', async () => {
	const lines = [line('20')];
	await upload(csv(...lines));
	const question = await mailed('Approve ');
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
	await send(question.link, YES);
	expect(amountsPaid(stack)).toEqual([]);
	expect(await rowsOf(...lines)).toEqual([]);
});

test('what is wrong comes back by row numbers, in groups, and nobody is asked', async () => {
	const page = await upload(
		csv(
			line('10'),
			line('"1,250.50"'),
			'',
			line('10', 'nobody'),
			line('10', 'supplier-new'),
			line('500000.01'),
			line('600000.5'),
			line('5', 'supplier-main', 'USD'),
			line('5', 'cold-storage', '', 'BTC'),
		),
	);
	expect(page).toEqual([
		'Correct the file',
		'Row 3: the amount 1,250.50 has a comma. Write 1250.50.',
		'Row 5: no settlement account has the alias nobody.',
		'Row 6: the account supplier-new is not approved. Its status is Pending.',
		'Rows 7 and 8: the amount … is above 500000, the limit for one payout.',
		'Row 9: the account supplier-main takes NGN, not USD.',
		'Row 10: the wallet cold-storage is not approved. Its status is Pending.',
		'The list needs 5 BTC. The wallet has 0.75 BTC.',
		'The limits are in n8n, in the workflow pay once. Only people who edit workflows there can change them.',
		'Nothing was paid. Nobody was asked to approve it. Correct the file and upload it again.',
	]);
	expect(stack.mailbox.mails).toEqual([]);
	expect(amountsPaid(stack)).toEqual([]);
});

test('a file with the byte order mark of Excel, sep=, a title, semicolons, quotes and other columns is read', async () => {
	const header = 'PAYMENTKEY,"Amount",Currency,coin, Destination ,"Note, for us"';
	const lines = [line('10'), line('20')];
	const [first, ...rest] = [header, ...lines].map((text) =>
		text.replaceAll(/("[^"]*")|,/g, (_, quoted: string | undefined) => quoted ?? ';'),
	);
	const page = await upload(`\uFEFFsep=;\r\nPayouts, June\r\n${[first, ...rest].join('\r\n')}\r\n`);
	expect(page.slice(0, 2)).toEqual(['The list is good', '2 payouts, 30 NGN. The wallet has 5000000.00 NGN.']);
});

test('a file that is no text in UTF-8 is refused with a reason', async () => {
	const files: Array<[content: string | Uint8Array<ArrayBuffer>, reason: string]> = [
		['PK\u0003\u0004', 'This is an Excel workbook. In Excel, save it as CSV UTF-8 and upload that file.'],
		[
			Buffer.from(csv('K\u00e4-1,5,NGN,,supplier-main'), 'latin1'),
			'The file is not in UTF-8: a character in line 2 cannot be read. In Excel, save it as CSV UTF-8.',
		],
		[
			Buffer.from(`\uFEFF${csv(line('5'))}`, 'utf16le'),
			'The file is not in UTF-8. In Excel, save it as CSV UTF-8.',
		],
	];
	const pages = await Promise.all(files.map(([content]) => upload(content)));
	expect(pages.map((page) => page.slice(0, 3))).toEqual(
		files.map(([, reason]) => [
			'Correct the file',
			reason,
			'Nothing was paid. Nobody was asked to approve it. Correct the file and upload it again.',
		]),
	);
});

test('a list above the balance is refused, and the file is not called wrong', async () => {
	const page = await upload(csv(...Array.from({ length: 11 }, (_, index) => line(`${500_000 - index}`))));
	expect(page.slice(0, 3)).toEqual([
		'Nobody was asked',
		'The list needs 5499945 NGN. The wallet has 5000000.00 NGN.',
		'Nothing was paid. Nobody was asked to approve it.',
	]);
});

test('nobody is asked when the one who asks approves alone, or names an approver of his own', async () => {
	const [alone, own] = await Promise.all(
		[{ asker: APPROVER }, { approver: 'me@example.org' }].map((people) => upload(csv(line('5')), people)),
	);
	expect(alone!.slice(0, 2)).toEqual(['Correct the form', 'Another person must approve. Choose one.']);
	expect(own!.slice(0, 2)).toEqual(['Correct the form', 'Choose who approves from the list.']);
	expect(stack.mailbox.mails).toEqual([]);
});

test('nobody is asked while the service does not tell which accounts are approved', async () => {
	await stack.control('POST', '/faults', { route: 'POST /v1/settlement_accounts', status: 503 });
	expect((await upload(csv(line('5'))))[1]).toMatch(/^Row 2: the list of accounts could not be read\. /);
	expect(stack.mailbox.mails).toEqual([]);
});

test('an approved list pays the other rows when one was paid or refused meanwhile', async () => {
	const lines = [line('30'), line('31', 'supplier-usd', 'USD'), line('32')];
	await upload(csv(...lines));
	const first = await mailed('Approve ');
	stack.mailbox.mails.splice(0);
	await upload(csv(lines[0]!));
	await answer(await mailed('Approve 1'), YES);
	await mailed('1 of 1 payout paid');
	await stack.control('POST', '/reviews', { alias: 'supplier-usd', decision: 'Rejected' });
	await answer(first, YES);
	const { text, attachments } = await mailed('1 of 3 payouts paid: 32 NGN');
	expect(text).toContain('1 paid before. Nothing was sent for them now.');
	expect(text).toMatch(/^Not paid\. .* supplier-usd is Rejected; .*$/m);
	expect(text).toContain(`\n- ${keyOf(lines[1]!)}, 31 USD to supplier-usd\n`);
	expect(
		attachments![0]!.content
			.toString()
			.split('\n')
			.map((row) => row.split(',')[1]),
	).toEqual(['result', 'alreadyPaid', 'rejected', 'paid', undefined]);
	expect(amountsPaid(stack)).toEqual(['30', '32']);
});

describe('a row that is not known', () => {
	/** Lets the answer of the second payout get lost; with `dropAfter`, the service pays it. */
	async function lose(fault: 'dropAfter' | 'dropBefore'): Promise<string[]> {
		const lines = [line('40'), line('41.5'), line('42')];
		await failPayoutAfter(stack, 1, { [fault]: true });
		const { subject, text } = await pay(...lines);
		expect(subject).toBe('2 of 3 payouts paid: 82 NGN, 1 NOT KNOWN');
		expect(text).toContain(
			`NOT KNOWN. The approver gets one mail to settle them:\n- ${keyOf(lines[1]!)}, 41.5 NGN to supplier-main\n`,
		);
		return lines;
	}

	test('a person sees what was sent, the balances and where to look, and says that it was paid', async () => {
		const [, lost] = (await lose('dropAfter')) as [string, string];
		const question = await mailed('Was this paid? 41.5 NGN to supplier-main');
		expect(question.to).toEqual([APPROVER]);
		expect(question.text.split('\n').slice(0, 6)).toEqual([
			'Payment: 41.5 NGN to supplier-main',
			`Payment key: ${keyOf(lost)}`,
			expect.stringMatching(/^Sent: \d{4}-\d\d-\d\d \d\d:\d\d \(.+\), by execution \d+$/),
			expect.stringMatching(/^Why it is not known: The service gave no answer/),
			'Balance: 5,000,000.00 NGN before the list, 4,999,876.50 NGN after it. The rows that are known to be paid took 82 NGN. Beyond that, 41.50 NGN are gone.',
			'Look in the dashboard for: a payout of 41.5 NGN to supplier-main, made at this time or later',
		]);
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

	test('an execution that ends in the middle leaves the balance from before the list', async () => {
		await lose('dropAfter');
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
		expect((await mailed('Was this paid? 41.5 NGN')).text).toContain(
			'5,000,000.00 NGN before the list, 4,999,876.50 NGN after it. The rows that are known to be paid took 82 NGN. Beyond that, 41.50 NGN are gone.',
		);
	});

	test('a person says that it was not paid, and it is paid once', async () => {
		const [, lost] = (await lose('dropBefore')) as [string, string];
		const question = await mailed('Was this paid? 41.5 NGN to supplier-main');
		expect(question.text).toContain('took 82 NGN. Beyond that, 0.00 NGN are gone.');
		expect(amountsPaid(stack)).toEqual(['40', '42']);
		expect(await answer(question, 'It was not paid: pay now')).toMatch(
			/^Paid now: 41.5 NGN .* The payout is \S+\.$/,
		);
		await send(question.link, 'It was not paid: pay now');
		expect(amountsPaid(stack)).toEqual(['40', '42', '41.5']);
		expect(await rowsOf(lost)).toMatchObject([{ result: 'paid', message: 'A person wrote wasNotPaid.' }]);
	});

	test('nothing is paid without one of the two answers, and the page stays open for a good one', async () => {
		const [, lost] = (await lose('dropBefore')) as [string, string];
		const question = await mailed('Was this paid?');
		for (const answers of [
			['Yes, pay'],
			['It was not paid: pay now', 'It was not paid: pay now'],
			['It was paid', 'It was not paid: pay now'],
			[],
		])
			expect(await post(question, ...answers.map((text): [string, string] => ['field-1', text]))).toMatch(
				/^Nothing done: .* There was no answer that could be read\./,
			);
		for (const rows of ['2', '0', '1-2', 'one', '1;;1', '-'])
			expect(await post(question, ['field-1', 'It was not paid: pay now'], ['field-2', rows])).toMatch(
				/Enter in Rows which rows you mean/,
			);
		expect(amountsPaid(stack)).toEqual(['40', '42']);
		expect(await rowsOf(lost)).toMatchObject([{ result: 'unknown', settle: '' }]);
		expect(mailsWith('Was this paid?')).toHaveLength(1);
		await untilPage(question.link, 'form-waiting');
		expect(await answer(question, 'It was not paid: pay now')).toMatch(/^Paid now: 41.5 NGN/);
		expect(amountsPaid(stack)).toEqual(['40', '42', '41.5']);
	});

	test('it is asked again when the payment has no clear answer either', async () => {
		await lose('dropBefore');
		const question = await mailed('Was this paid?');
		stack.mailbox.mails.splice(0);
		await failPayoutAfter(stack, 0, { dropAfter: true });
		expect(await post(question, ['field-1', 'It was not paid: pay now'])).toMatch(
			/^STILL NOT KNOWN: 41.5 NGN/,
		);
		const again = await mailed('Was this paid?');
		expect(again.text).toMatch(/Why it is not known: The service gave no answer \(.*\)\.?$/m);
		expect(await answer(again, 'It was paid')).toMatch(/^Settled as paid: 41.5 NGN/);
		expect(amountsPaid(stack)).toEqual(['40', '42', '41.5']);
	});

	test('several rows have one mail and one page, on which they are settled one by one or together', async () => {
		const lines = [line('50'), line('51'), line('60'), line('52'), line('53'), line('61')];
		for (const fault of ['dropAfter', 'dropBefore', '', 'dropAfter', 'dropBefore'])
			await failPayoutAfter(stack, 0, fault ? { [fault]: true } : { delayMs: 0 });
		const { subject } = await pay(...lines);
		expect(subject).toBe('2 of 6 payouts paid: 121 NGN, 4 NOT KNOWN');
		const question = await mailed('Were these 4 payouts made?');
		expect(question.text).toContain(`Row 3: 52 NGN to supplier-main, payment key ${keyOf(lines[3]!)}, sent `);
		const decide = async (text: string, rows: string) =>
			await post(question, ['field-1', text], ['field-2', rows]);
		expect(await decide('It was paid', '1, 3')).toBe(
			[
				...[lines[0]!, lines[3]!].map(
					(text) =>
						`Settled as paid: ${text.split(',')[1]} NGN to supplier-main, payment key ${keyOf(text)}. Nothing was sent now.`,
				),
				'2 rows are still open. The approver can open the link of the last mail again.',
			].join('\n'),
		);
		await untilPage(question.link, 'form-waiting');
		expect((await browse(question.link)).page).toContain('Row 2:');
		expect((await browse(question.link)).page).not.toContain('Row 3:');
		expect(await decide('It was not paid: pay now', 'ALL')).toMatch(/^Paid now: 51 NGN.*\nPaid now: 53 NGN/);
		expect(mailsWith('Were these')).toHaveLength(1);
		expect((await rowsOf(...lines)).map(({ result }) => result)).toEqual(lines.map(() => 'paid'));
		expect(amountsPaid(stack)).toEqual(['50', '60', '52', '61', '51', '53']);
	});
});

test('an answer that cannot be read pays nothing and leaves the question open', async () => {
	await upload(csv(line('5')));
	const question = await mailed('Approve ');
	for (const answers of [[YES, 'No'], ['No', YES], [YES, YES], ['yes, pay'], [''], []])
		expect(await post(question, ...answers.map((text): [string, string] => ['field-1', text]))).toBe(
			'Your answer could not be read. Nothing was paid, and the question is still open. Open the link again.',
		);
	expect(amountsPaid(stack)).toEqual([]);
	await untilPage(question.link, 'form-waiting');
	expect(await answer(question, YES)).toMatch(/^Approved: /);
	await mailed('1 of 1 payout paid');
	expect(amountsPaid(stack)).toEqual(['5']);
});

describe('two uploads of one list', () => {
	const both = async (first: string[], second: string[]) => {
		await upload(csv(...first));
		const one = await mailed('Approve ');
		stack.mailbox.mails.splice(0);
		await upload(csv(...second), { asker: 'other@example.com' });
		return [one, await mailed('Approve ')] as const;
	};
	const before =
		/^Asked before: the same list, by finance@example\.com on \d{4}-.*\. It has no answer yet\./m;

	test.each([
		['the second', 0, 1],
		['the first', 1, 0],
	])('the second mail names the first, and a no closes both: %s is then refused', async (_, no, yes) => {
		const lines = [line('5'), line('6.10', 'treasury', '', 'USDT')];
		const questions = await both(lines, [lines[1]!.replace('6.10', '6.1'), lines[0]!.toLowerCase()]);
		expect(questions[0].text).not.toContain('Asked before');
		expect(questions[1].text).toMatch(before);
		expect((await browse(questions[1].link)).page).toContain('the same list, by finance@example.com');
		expect(await answer(questions[no as 0], 'No')).toContain(
			'This closes the other mail of the same list, too.',
		);
		expect(await answer(questions[yes as 0], YES)).toContain('The same list was answered with no before.');
		expect(amountsPaid(stack)).toEqual([]);
		// A list that is uploaded after the no is a new question.
		stack.mailbox.mails.splice(0);
		await upload(csv(...lines));
		const third = await mailed('Approve ');
		expect(third.text).not.toContain('Asked before');
		expect(await answer(third, YES)).toMatch(/^Approved/);
		await mailed('2 of 2 payouts paid');
	});

	test('a list that shares some payments is named, and a no to it closes only itself', async () => {
		const lines = [line('5'), line('6'), line('7')];
		const questions = await both(lines, [lines[0]!, line('8'), lines[2]!.replace(',7,', ',7.01,')]);
		expect(questions[1].text).toMatch(
			/^Asked before: a list with 1 of these payouts, by finance@example\.com/m,
		);
		expect(await answer(questions[1], 'No')).not.toContain('closes');
		expect(await answer(questions[0], YES)).toMatch(/^Approved/);
		await mailed('3 of 3 payouts paid');
	});
});

test('a service that goes down in the list gets no more after three unclear answers', async () => {
	const lines = Array.from({ length: 12 }, (_, index) => line(`${index + 1}`));
	await stack.control('POST', '/faults', { route: 'POST /v1/fiat_payout', skip: 3, times: 100, status: 503 });
	const { subject, text } = await pay(...lines);
	expect(subject).toBe('3 of 12 payouts paid: 6 NGN, 3 NOT KNOWN');
	expect(text).toContain(
		'Not paid. Not sent, because the service gave no clear answer to 3 payments before this one.',
	);
	const question = await mailed('Were these 3 payouts made?');
	expect(question.text).toContain('Row 3: 6 NGN');
	const { faults } = (await stack.control('GET', '/state')) as { faults: Array<{ times: number }> };
	expect(faults[0]!.times).toBe(97);
	await stack.control('POST', '/reset');
	expect(await post(question, ['field-1', 'It was not paid: pay now'], ['field-2', 'all'])).toMatch(
		/^Paid now: 4 NGN/,
	);
	expect((await rowsOf(...lines)).map(({ result }) => result)).toEqual(
		Array.from({ length: 6 }, () => 'paid'),
	);
	// What was not sent is sent when the file is uploaded without the paid rows.
	stack.mailbox.mails.splice(0);
	expect((await pay(...lines.slice(6))).subject).toBe('6 of 6 payouts paid: 57 NGN');
});

testExamplesOf('n8n/payoutsFromFile', stack);
