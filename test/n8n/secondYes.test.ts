/** The second yes of *payouts from a file* and *payout-with-approval*. `kills.test.ts` kills n8n between the two. */
import type { Mail } from '../../host/doubles/mailbox.ts';
import { dataTable } from '../../host/n8n/dataTable.ts';
import type { StoredWorkflow } from '../../host/n8n/client.ts';
import {
	answer,
	ask,
	browse,
	mailed as mailedTo,
	payment,
	publishAsking,
	publishForTwo,
	send,
	sendForm,
	untilPage,
	YES,
} from '../../host/testkit/approvals.ts';
import { amountsPaid } from '../../host/testkit/payments.ts';
import { bookTable, paymentRows } from '../../host/testkit/book.ts';
import { renewForEachTest, useStack } from './setup.ts';

const ASKER = 'finance@example.com';
const [FIRST, SECOND] = ['approver@example.com', 'second@example.com'];
const ABOVE = ' ngn 1000.00,btc 0.5';

const stack = useStack('payout-with-approval', 'payouts-file-1-check');

renewForEachTest(stack);
beforeEach(async () => await bookTable(stack).clear());

const paid = () => amountsPaid(stack);

const mailsWith = (subject: string) => stack.mailbox.mails.filter((mail) => mail.subject.startsWith(subject));

const mailed = (subject: string) => mailedTo(stack, subject);

/** Says yes as the first. Returns the question to the second. */
async function sayFirstYes(question: { link: string }) {
	stack.mailbox.mails.splice(0);
	const before = paid();
	expect(await answer(question, YES)).toMatch(
		/You said yes.* Now second@example\.com is asked\. Nothing is paid before that second yes\./,
	);
	expect(paid()).toEqual(before);
	const second = await mailed('Approve ');
	expect(second.to).toEqual([SECOND]);
	expect(second.text).toContain(`Said yes before: ${FIRST}\n`);
	return second;
}

/** Answers on a link that has its answer: what it shows then, and that nothing else happens. */
async function answerAgain(link: string): Promise<string> {
	await send(link, YES);
	await untilPage(link, 'form-waiting');
	return (await browse(link)).page;
}

let keys = 0;
/** A row of the file, with a key of its own. */
const row = (amount: string, destination = 'supplier-main', currency = 'NGN', coin = '', again = '') => ({
	...{ key: `TWO-${++keys}`, amount, currency, coin, destination, again },
});
type Row = ReturnType<typeof row>;

const approversOf = async (rows: Array<{ key: string }>) =>
	(await paymentRows(stack))
		.filter(({ paymentKey }) => rows.some(({ key }) => key === paymentKey))
		.map(({ result, approvedBy }) => [result, approvedBy]);

describe('payouts from a file', () => {
	let checking: StoredWorkflow;
	let paying: StoredWorkflow;

	async function upload(rows: Row[], asker = ASKER): Promise<void> {
		const lines = rows.map((each) => Object.values(each).join(','));
		const text = ['paymentKey,amount,currency,coin,destination,again', ...lines].join('\r\n');
		const file = new File([text], 'payouts.csv', { type: 'text/csv' });
		await sendForm(stack, checking, [file, asker, FIRST]);
	}

	/** Uploads the rows. Returns the question to the first approver. */
	async function question(rows: Row[]) {
		await upload(rows);
		const first = await mailed('Approve ');
		expect(first.to).toEqual([FIRST]);
		return first;
	}

	const fileOf = ({ attachments }: Mail) => attachments![0]!.content.toString('utf8');

	beforeAll(async () => {
		({ paying, checking } = await publishForTwo(stack, { secondYesAbove: ABOVE, secondApprover: SECOND }));
	});

	test('a sum above it is paid once, after both said yes to the same file', async () => {
		const rows = [row('600'), row('600.00', 'supplier-main', 'NGN', '', 'yes')];
		const first = await question(rows);
		expect(first.text).toContain(`${rows[1]!.key}: 600.00 NGN to supplier-main (again: yes)`);
		expect(first.text).toContain(`Second yes: ${SECOND} is asked after your yes`);
		const second = await sayFirstYes(first);
		expect(second.text).not.toContain('Asked before');
		expect(fileOf(second)).toBe(fileOf(first));
		expect(second.text).toContain(/^SHA-256 of the file: .*$/m.exec(first.text)![0]);
		expect(await answerAgain(first.link)).toContain('Now second@example.com is asked.');
		expect(paid()).toEqual([]);
		expect(await answer(second, YES)).toMatch(/^Approved: 2 payouts, 1,200.00 NGN\./);
		expect((await mailed('2 of 2 payouts paid')).to).toEqual([FIRST, SECOND, ASKER]);
		expect(await answerAgain(second.link)).toContain('The mail with the results says what was paid.');
		expect(paid()).toEqual(['600', '600.00']);
		expect(await approversOf(rows)).toEqual(rows.map(() => ['paid', `${FIRST}, ${SECOND}`]));
	});

	test('a second person who got no mail is asked ten minutes later', async () => {
		const rows = [row('1001')];
		const first = await question(rows);
		stack.mailbox.mails.splice(0);
		stack.mailbox.faults.push('refuse');
		await answer(first, YES);
		await stack.client.execution(paying.id, 'the failure', ({ status }) => status === 'error');
		const lists = dataTable(stack.client, 'wallet_service_lists');
		const look = async () => await stack.client.runByHand(paying.id, 'Every ten minutes');
		await look();
		const taken = new Date(Date.now() - 11 * 60_000).toISOString();
		await lists.update({ state: 'asked', approver: `${FIRST}, ${SECOND}` }, { taken });
		expect(mailsWith('Approve ')).toEqual([]);
		await look();
		const second = await mailed('Approve ');
		await look();
		expect(mailsWith('Approve ')).toHaveLength(1);
		expect(await answer(second, YES)).toMatch(/^Approved/);
		await mailed('1 of 1 payout paid');
		expect(await approversOf(rows)).toEqual([['paid', `${FIRST}, ${SECOND}`]]);
	});

	test('a no of either pays nothing, and a coin without an amount needs both', async () => {
		expect(await answer(await question([row('2000')]), 'No')).toMatch(
			/^Not paid: 1 payout, 2,000 NGN\. The approver did not say yes\./,
		);
		stack.mailbox.mails.splice(0);
		const second = await sayFirstYes(await question([row('0.5', 'treasury', '', 'USDT')]));
		expect(await answer(second, 'No')).toMatch(/^Not paid: .* The second approver did not say yes\./);
		expect((await mailed('Not paid')).to).toEqual([FIRST, SECOND, ASKER]);
		expect(await answerAgain(second.link)).toContain('The second approver did not say yes.');
		expect(paid()).toEqual([]);
	});

	test('the second person may not be the one who asks', async () => {
		await upload([row('1000.01')], 'Second@Example.com');
		const { text } = await mailed('Not paid: 1 payout, 1,000.01 NGN');
		expect(text).toContain('Nobody was asked. A second yes is needed from second@example.com');
		expect(mailsWith('Approve ')).toEqual([]);
	});
});

describe('payout-with-approval', () => {
	let asking: StoredWorkflow;

	beforeAll(async () => {
		const settings = { approver: FIRST, secondYesAbove: ABOVE, secondApprover: SECOND };
		asking = await publishAsking(stack, settings);
	});

	test('an amount above it is paid once, after both said yes', async () => {
		const wanted = payment('1000.01');
		expect(await ask(stack, wanted, asking)).toContain('A person was asked');
		const first = await mailed('Approve ');
		expect(first.to).toEqual([FIRST]);
		expect(first.text).toContain(`Second yes: ${SECOND} is asked after your yes`);
		const second = await sayFirstYes(first);
		expect(await answerAgain(first.link)).toContain('Now second@example.com is asked.');
		expect(await answer(second, YES)).toMatch(/^Paid: 1000\.01 NGN/);
		expect((await mailed('Paid: 1000.01')).to).toEqual([FIRST, SECOND, ASKER]);
		expect(await answerAgain(second.link)).toContain('Paid: 1000.01 NGN');
		expect(paid()).toEqual(['1000.01']);
		expect(await approversOf([wanted])).toEqual([['paid', `${FIRST}, ${SECOND}`]]);
	});

	test('one yes is enough for less, and a no of the second pays nothing', async () => {
		const wanted = payment('1000');
		await ask(stack, wanted, asking);
		const only = await mailed('Approve ');
		expect(only.text).not.toContain('Second yes');
		expect(await answer(only, YES)).toMatch(/^Paid: 1000 NGN/);
		expect(await approversOf([wanted])).toEqual([['paid', FIRST]]);
		stack.mailbox.mails.splice(0);
		await ask(stack, payment('2000'), asking);
		expect(await answer(await sayFirstYes(await mailed('Approve ')), 'No')).toMatch(
			/^Not paid: 2000 NGN .* The second approver said no\.$/,
		);
		expect(paid()).toEqual(['1000']);
	});

	test('a setting that cannot be used asks nobody, and the one who asks is told', async () => {
		const settings = { approver: 'SECOND@example.com', secondYesAbove: ABOVE, secondApprover: SECOND };
		const unusable = await publishAsking(stack, settings);
		expect(await ask(stack, payment('1500'), unusable)).toMatch(/is also the first approver/);
		expect(mailsWith('Approve ')).toEqual([]);
		expect(paid()).toEqual([]);
	});
});
