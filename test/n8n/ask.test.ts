/** The examples *ask*, *ask the second* and *carry out*: a person answers on the page of a mail. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { itemsOf } from '../../host/n8n/client.ts';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import {
	answer,
	askedRow as row,
	browse,
	decide,
	handOver,
	openedBy,
	send,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { bookTable } from '../../host/testkit/book.ts';
import { queryDatabase } from '../../host/testkit/database.ts';
import { failPayoutAfter } from '../../host/testkit/payments.ts';
import { ASKER, FIRST, fieldsOf, useAsk } from './asking.ts';
import { testExamplesOf } from './executedExamples.ts';

const { stack, asked, askedAgain, askedSecond, ended, approversOf, questions, mails, mailed, paid } =
	useAsk();

test('after a yes, exactly what the page showed is paid, and both read the results', async () => {
	const rows = [
		row('1250.50', { note: 'Rent of May' }),
		row('12.5', { currency: null, coin: 'USDT', destination: 'treasury' }),
	];
	const question = await asked(...rows);
	expect(question.to).toEqual([FIRST]);
	expect(question.subject).toBe(
		`Approve 2 payouts, 2 to look at: 1,250.50 NGN, 12.50 USDT (asked by ${ASKER})`,
	);
	expect(question.html).toContain('that pays nothing');
	const { page } = await browse(question.link);
	for (const words of [
		`asked by ${ASKER}`,
		'1,250.50 NGN',
		'to treasury',
		'Rent of May',
		'5,000,000.00',
		rows[1]!.paymentKey,
	])
		expect(page).toContain(words);
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);

	expect(page).toContain('Got it. A mail says what comes next');
	await answer(question, YES, 'Ada Obi');
	const told = await mailed('Yes from Ada Obi: the results follow');
	expect(told).toMatchObject({ to: [FIRST, ASKER], link: '' });
	const result = await mailed('All 2 payouts are paid: 1,250.50 NGN, 12.50 USDT');
	expect(result.to).toEqual([FIRST, ASKER]);
	expect(result.text).toContain('1,250.50 NGN to supplier-main');
	expect(result.html).toMatch(/^<div .*<table/s);
	expect(result.html).not.toContain('undefined');
	const file = result.attachments![0]!.content.toString('utf8');
	expect(file).toContain('Rent of May');
	expect(file.match(/,paid,/g)).toHaveLength(2);
	expect(await approversOf(rows)).toEqual([
		['paid', 'Ada Obi'],
		['paid', 'Ada Obi'],
	]);
	expect(paid()).toEqual(['1250.50', '12.5']);

	// The same list again: nothing is left to ask.
	mails().splice(0);
	await handOver(stack, rows);
	expect((await mailed('Nothing is left to pay')).to).toEqual([FIRST, ASKER]);
	expect(questions()).toEqual([]);
	expect(paid()).toHaveLength(2);
});

test('a link that is opened pays nothing, of several answers one counts, and an answered link says so', async () => {
	const question = await asked(row('20'));
	for (const url of [question.link, `${question.link}&Pay these payouts?=${YES}&field-1=${YES}`]) {
		expect((await browse(encodeURI(url))).status).toBe(200);
		await fetch(openedBy(encodeURI(url)), { method: 'HEAD' });
	}
	const withoutToken = question.link.replace(/signature=[^&]+/, `signature=${'0'.repeat(64)}`);
	expect((await browse(withoutToken, fieldsOf(YES, 'Eve'))).status).toBe(401);
	expect(paid()).toEqual([]);
	// n8n never answers those that come while the execution goes on.
	const late = async () => await sleep(10_000, { status: 0 });
	const answers = await Promise.all(
		[YES, YES, YES].map((word) => Promise.race([browse(question.link, fieldsOf(word)), late()])),
	);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	await mailed('The payout is paid');
	await ended();
	const again = await browse(question.link, fieldsOf(YES));
	expect(again.page).toContain('Your response has been recorded');
	expect((await browse(question.link)).page).toContain('Your response has been recorded');
	expect(paid()).toEqual(['20']);
	expect(mails().filter(({ subject }) => subject.includes('is paid'))).toHaveLength(1);
});

test('a no pays nothing, and both read who said it and why, whatever stands in it', async () => {
	const rows = [row('30')];
	const why = '<img src=x onerror=alert(1)> & {{ 7*7 }}';
	await answer(await asked(...rows), 'No', 'Ada <b>Obi</b>', { why });
	const { to, text, html } = await mailed(
		`Not paid: Approve 1 payout, 1 to look at: 30.00 NGN (asked by ${ASKER})`,
	);
	expect(to).toEqual([FIRST, ASKER]);
	expect(text).toContain('Reason: <img src=x onerror=alert(1)> & {{ 7*7 }}  Answered by: Ada <b>Obi</b>');
	expect(html).toContain('<p>Answered by: Ada Obi</p><p> & ');
	expect(html).toContain('30.00&#160;NGN to supplier-main');
	expect(html).not.toMatch(/<img|Ada <b>|<p>[^<]*49/);
	expect(paid()).toEqual([]);
	expect(await bookTable(stack).rows()).toEqual([]);
});

test.each([
	['another word', ['', 'Yes', 'Ada', '', '']],
	['no name', ['', YES, ' ', '', '']],
	['nothing at all', ['']],
])('an answer with %s is a no', async (_, fields) => {
	await send(await asked(row('31')), fields);
	await mailed('Not paid: ');
	expect(paid()).toEqual([]);
});

test('a yes of what is no name pays nothing, and the question comes again with the reason', async () => {
	const question = await asked(row('31.5'));
	await answer(question, YES, '{{ 7919*7907 }}');
	const again = await askedAgain();
	expect(again.text).toContain("'Approved By', the name of who has said yes, is no name of a person");
	const { page } = await browse(again.link);
	expect(page).toContain('is no name of a person');
	expect(page).not.toMatch(/<img src=x/);
	// The pages and links of n8n have numbers and hex digits of their own: a short product could be one of them.
	expect(page).not.toContain('62615533');
	expect(paid()).toEqual([]);
	await answer(again, YES);
	await mailed('The payout is paid: 31.50 NGN');
});

describe('rows that the approver leaves out', () => {
	test('are not paid, and the results name them', async () => {
		const rows = [row('21.1'), row('22.1'), row('23.1'), row('24.1')];
		const without = [rows[1]!.row, rows[3]!.row].join(', ');
		await answer(await asked(...rows), YES, 'Ada Obi', { without });
		const { text, html, attachments } = await mailed('2 of 4 payouts paid: 44.20 NGN, 2 left out');
		for (const words of [text, html])
			expect(words).toContain(`Row numbers that an approver left out: ${without}.`);
		const lines = attachments![0]!.content.toString('utf8').trimEnd().split('\r\n');
		expect(lines.slice(3).map((line) => line.split(/,+/, 2))).toEqual(
			[rows[1], rows[3]].map((each) => [
				String(each!.row),
				'An approver left it out. Nothing is sent for it.',
			]),
		);
		expect(paid()).toEqual(['21.1', '23.1']);
	});

	test.each([['99'], ['{{ 7*7 }}']])('%s: nothing is paid, and the question comes again', async (without) => {
		const question = await asked(row('21.2'), row('22.2'));
		await answer(question, YES, 'Ada Obi', { without });
		const again = await askedAgain();
		expect(again.text).toContain("'Leave Out'");
		const { page } = await browse(again.link);
		expect(page).toContain('Leave Out');
		expect(page).toContain(without);
		expect(paid()).toEqual([]);
		await answer(again, 'No');
		await mailed('Not paid: ');
	});

	test('do not save the second person: the whole list counts, and both may leave some out', async () => {
		const rows = [row('60000'), row('60001'), row('5.1'), row('6.1')];
		await answer(await asked(...rows), YES, 'Ada Obi', { without: String(rows[0]!.row) });
		const second = await askedSecond();
		expect((await browse(second.link)).page).toContain(`left out: ${String(rows[0]!.row)}.`);
		await answer(second, YES, 'Ben Eze', { without: String(rows[2]!.row) });
		const { text } = await mailed('2 of 4 payouts paid: 60,007.10 NGN, 2 left out');
		expect(text).toContain(`left out: ${String(rows[0]!.row)}, ${String(rows[2]!.row)}.`);
		expect(paid()).toEqual(['60001', '6.1']);
	});
});

test('nobody is asked about a list that cannot be paid, and both read why', async () => {
	await handOver(stack, [
		row('10'),
		row('500000.01'),
		row('11', { problems: ['The note is not in this list.'] }),
		row('12', { destination: 'nobody' }),
	]);
	const { to, text } = await mailed(/^Not ready to pay/);
	expect(to).toEqual([FIRST, ASKER]);
	for (const reason of [
		"above 'Maximum Amount' 500000",
		'The note is not in this list',
		"'nobody' is not one of",
	])
		expect(text).toContain(reason);
	expect(questions()).toEqual([]);
	expect(paid()).toEqual([]);
	mails().splice(0);
	await handOver(stack, [row('5000000.01', { destination: 'supplier-usd', currency: 'USD' })]);
	await mailed(/^Not ready to pay/);
	expect(questions()).toEqual([]);
});

const HOSTILE = `<img src=x onerror=alert(1)>"'{{ 7*7 }}{{ $('Report').first() }}\r\nBcc: evil@example.com`;

test.each([`${ASKER}, evil@example.com`, `${ASKER}\r\nBcc: evil@example.com`, `<script>${ASKER}</script>`])(
	'texts of a list reach no page and no mail as markup, and add no receiver: %j',
	async (askedBy) => {
		const question = await asked(row('70', { note: HOSTILE, askedBy }));
		expect(question.to).toEqual([FIRST]);
		const { page } = await browse(question.link);
		expect(page).toContain('&lt;img src');
		// n8n evaluates a field of HTML once more.
		expect(page).toContain('{{ 7*7 }}');
		for (const shown of [page, question.html])
			expect(shown).not.toMatch(/<img src=x|<script>finance|evil@example.com,/);
		await answer(question, YES, '<script>Ada</script>');
		const { to, html } = await mailed('The payout is paid');
		expect(to).toEqual([FIRST, ASKER]);
		expect(html).toMatch(/&(lt|#60);img src/);
		expect(html).not.toMatch(/<img|<script/);
		mails().splice(0);
		await handOver(stack, [row('71', { destination: HOSTILE, askedBy })]);
		const refused = await mailed(/^Not ready to pay/);
		expect(refused.to).toEqual([FIRST, ASKER]);
		expect(refused.html).not.toMatch(/<img|<script/);
		expect(paid()).toEqual(['70']);
	},
);

test('an account whose details the list makes up is no markup on the page, and gets nothing', async () => {
	// What the page shows of an account comes from who asks, and is not what the service says.
	const question = await asked(row('72', { destinationDetails: HOSTILE }));
	expect((await browse(question.link)).page).not.toMatch(/<img src=x/);
	await answer(question, YES);
	const again = await askedAgain();
	expect(again.text).toContain('may be another account now');
	const reason = (await browse(again.link)).page;
	expect(reason).toContain('may be another account now');
	expect(reason).not.toMatch(/<img src=x/);
	expect(paid()).toEqual([]);
});

/** Reads the execution as a program with a key of n8n's API that may read executions, and nothing else. */
async function readByKey(link: string): Promise<{ token: string; nodeId: string }> {
	const [, id] = /form-waiting\/(\d+)/.exec(link)!;
	const key = await stack.client.createApiKey('Reads executions', ['execution:list', 'execution:read']);
	const url = `${stack.n8n.url}/api/v1/executions/${id}?includeData=true`;
	const response = await fetch(url, { headers: { 'x-n8n-api-key': key } });
	const { data, workflowData } = (await response.json()) as {
		data: { resumeToken: string };
		workflowData: { nodes: Array<{ id: string; name: string }> };
	};
	return { token: data.resumeToken, nodeId: workflowData.nodes.find(({ name }) => name === 'Question')!.id };
}

/** What such a program can send. Returns the status of each answer; 0 if none came. */
async function attack(link: string, fields: string[]): Promise<number[]> {
	const { token, nodeId } = await readByKey(link);
	expect(link).toContain(token);
	const { origin, pathname } = new URL(link);
	const waiting = `${origin}${pathname.replace('form-waiting', 'webhook-waiting')}`;
	const form = `${origin}${pathname}`;
	const urls = [waiting, form].flatMap((url) => [
		`${url}?signature=${token}`,
		`${url}?signature=${token}/${nodeId}`,
		`${url}/${nodeId}?signature=${token}`,
		`${url}?signature=${token}/`,
		`${url}?signature=${token}&field-1=${YES}&approved=true`,
	]);
	const tries = urls.flatMap((url) => [
		browse(url, fields),
		fetch(url, {
			method: 'POST',
			body: JSON.stringify({ approved: true }),
			headers: { 'x-auth-token': token },
		}),
	]);
	return (await Promise.all(tries)).map(({ status }) => status);
}

test('who may read executions, with the link of each question and the password of another, answers none of them', async () => {
	const list = row('100000.5');
	const other = { user: 'first', password: 'wrong' };
	const refused = async (link: string, fields: string[], others: Array<typeof other | undefined>) => {
		const statuses = await attack(link, fields);
		expect(statuses).toHaveLength(20);
		expect(statuses.filter((status) => status < 400)).toEqual([]);
		for (const each of others) {
			expect((await browse(openedBy(link, each), fields)).status).toBe(401);
			expect((await browse(openedBy(link, each))).status).toBe(401);
		}
		await untilAsked(link);
	};
	const { first, second } = stack.approvers;
	const question = await asked(list);
	await refused(question.link, fieldsOf(YES, 'Eve'), [undefined, other, second]);
	await answer(question, YES, 'Ada Obi');
	const next = await askedSecond();
	await refused(next.link, fieldsOf(YES, 'Eve'), [undefined, other, first]);
	expect(paid()).toEqual([]);
	await failPayoutAfter(stack, 0, { dropAfter: true });
	await answer(next, YES, 'Ben Eze');
	const unknown = await mailed('Was it paid? ');
	await untilAsked(unknown.link);
	await ageKeys(stack);
	await refused(unknown.link, ['', '', list.paymentKey], [undefined, other, second]);
	expect(paid()).toEqual(['100000.5']);
	await decide(unknown, { wasPaid: [list.paymentKey] });
	await mailed('The payout is paid: 100,000.50 NGN. ');
	expect(paid()).toEqual(['100000.5']);
	// What is stored of an answer has no password.
	for (const { password } of [first, second])
		expect(
			queryDatabase(stack, 'SELECT "executionId" FROM execution_data WHERE data LIKE ?', `%${password}%`),
		).toEqual([]);
});

test('the link is taken under another address, whose path a proxy takes away', async () => {
	const { link } = await asked(row('78'));
	const { port, pathname, search, username, password } = new URL(link);
	const headers = {
		host: 'host.example.com',
		'x-forwarded-host': 'host.example.com',
		'x-forwarded-proto': 'https',
		'x-forwarded-prefix': '/n8n',
		connection: 'close',
	};
	const open = (auth?: string) =>
		new Promise<number | undefined>((answered, failed) => {
			const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, headers, auth };
			get(options, (response) => answered(response.resume().statusCode)).on('error', failed);
		});
	expect(await open(`${username}:${password}`)).toBe(200);
	expect(await open()).toBe(401);
});

test('without an address of who asks, only the approver gets mails', async () => {
	await answer(await asked(row('80', { askedBy: null })), YES);
	expect((await mailed('The payout is paid')).to).toEqual([FIRST]);
});

test('started by hand, without a list, it says so in one mail, and asks nobody', async () => {
	const execution = await stack.client.runByHand(stack.example('ask').id, 'When called');
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, 'Report')[0]).toMatchObject({ isGood: false });
	expect(mails()).toMatchObject([{ to: [FIRST], subject: expect.stringContaining('Not ready to pay') }]);
});

testExamplesOf('n8n/ask', stack);
