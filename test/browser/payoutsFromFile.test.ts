/** Payouts from a file as people do it: the form, the mailbox and the pages behind the links, with clicks and seconds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../host/until.ts';
import { formUrl } from '../../host/stack.ts';
import { amountsPaid, failPayoutAfter } from '../../host/testkit/payments.ts';
import { publishForTwo } from '../../host/testkit/approvals.ts';
import { saveCopy, withParameters } from '../../host/testkit/workflows.ts';
import { useStack } from '../n8n/setup.ts';
import { useBrowser } from './browser.ts';
import type { BrowserContext, Locator, Page } from './browser.ts';

jest.setTimeout(180_000);

/** The folder for the pictures of the documentation. Without it, no pictures are taken. */
const PICTURES = process.env.SCREENSHOTS;

const chromium = useBrowser();
let context: BrowserContext;
let page: Page;
let folder: string;

afterAll(() => rmSync(folder, { recursive: true }));

const stack = useStack('payouts-file-1-check', 'morning-proof');

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wallet-service-payouts-'));
	context = await chromium.browser.newContext({
		viewport: { width: 900, height: 760 },
		colorScheme: 'light',
	});
	context.setDefaultTimeout(30_000);
	page = await context.newPage();
});

async function picture(name: string, part: Locator = page.locator('.card').first()): Promise<void> {
	if (PICTURES === undefined) return;
	mkdirSync(PICTURES, { recursive: true });
	await part.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', caret: 'hide' });
}

let clicks = 0;
async function click(target: Locator): Promise<void> {
	clicks += 1;
	await target.click();
}

/** What a person does: what it took in clicks and seconds, reading not counted. */
async function measured(what: string, act: () => Promise<void>): Promise<void> {
	const [before, start] = [clicks, Date.now()];
	await act();
	const seconds = ((Date.now() - start) / 1000).toFixed(1);
	process.stderr.write(`${what}: ${clicks - before} clicks, ${seconds} s\n`);
}

const press = (name: string) => click(page.getByRole('button', { name }));

/** Uploads the lines as a file. The mail addresses are typed and chosen as well. */
async function upload(
	name: string,
	lines: string[],
	form = stack.example('payouts-file-1-check'),
): Promise<void> {
	const file = join(folder, name);
	// Excel writes the byte order mark.
	writeFileSync(file, `\uFEFF${['paymentKey,amount,currency,coin,destination', ...lines].join('\r\n')}\r\n`);
	await page.goto(formUrl(stack, form)!);
	const chosen = page.waitForEvent('filechooser');
	await click(page.locator('input[type=file]'));
	await (await chosen).setFiles(file);
	await page.locator('input[type=email]').fill('finance@example.com');
	await choose('approver@example.com');
	await press('Check the list');
}

async function choose(option: string): Promise<void> {
	clicks += 1;
	await page.locator('select').selectOption(option);
}

const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Opens the link of the newest mail with this subject to a person, in the mailbox. */
async function followMail(subject: RegExp, to = 'approver@example.com'): Promise<void> {
	await page.goto(stack.mailbox.url);
	const heading = page.getByRole('heading', { name: subject });
	const mail = page.locator('section').filter({ has: heading, hasText: `to ${to}` });
	await mail.first().waitFor();
	// The mailbox loads itself again every five seconds, and a click in that moment is lost.
	await page.reload();
	const opened = context.waitForEvent('page');
	await click(mail.first().locator('a[target=_blank]'));
	page = await opened;
}

/** Chooses an answer on the page behind a link and sends it. */
async function answer(option: string): Promise<void> {
	await choose(option);
	await press('Submit');
}

test('a person uploads a file, corrects it, another approves, both get the results, one row is settled', async () => {
	await stack.control('POST', '/reset');
	const morning = await saveCopy(stack.client, stack.example('morning-proof'), 'Morning at once', {
		'Half a minute': withParameters({ amount: 0 }),
	});
	const prove = async () => await stack.client.runByHand(morning.id, 'Every morning');
	await prove();
	stack.mailbox.mails.splice(0);
	const started = Date.now();
	const good = ['INV-9002,2000,NGN,,supplier-main', 'INV-9003,12.5,,USDT,treasury'];

	await measured('a file with two mistakes', async () => {
		await upload('payouts.csv', [
			'INV-9001,"1,250.50",NGN,,supplier-main',
			...good,
			'INV-9004,300,NGN,,suplier-main',
		]);
		await shows('Correct the file');
	});
	await shows('Row 2:');
	await shows('the amount 1,250.50 has a comma. Write 1250.50.');
	await shows('no settlement account has the alias suplier-main.');
	await picture('payouts-problems');
	await click(page.getByRole('link', { name: 'Back to the form' }));
	await page.waitForURL(formUrl(stack, stack.example('payouts-file-1-check'))!);
	await page.getByRole('cell', { name: 'EXAMPLE-1' }).waitFor();
	await picture('payouts-form');
	expect(stack.mailbox.mails).toEqual([]);

	await measured('the corrected file', async () => {
		await upload('payouts-2.csv', [
			'INV-9001,1250.50,NGN,,supplier-main',
			...good,
			'INV-9004,300,NGN,,supplier-main',
		]);
		await shows('The list is good');
	});
	await shows('3 payouts, 3550.50 NGN. The wallet has 5000000.00 NGN.');

	// The answer to the second payment is lost. The service has made it.
	await failPayoutAfter(stack, 1, { dropAfter: true });
	await measured('the approval, from the mailbox to the answer', async () => {
		await followMail(/^Approve 4 payouts/);
		await shows('3,550.50 NGN in 3 payouts');
		await shows('INV-9002: 2,000 NGN to supplier-main');
		await picture('payouts-approve');
		expect(amountsPaid(stack)).toEqual([]);
		await answer('Yes, pay');
		await shows('Approved: 4 payouts');
	});

	await measured('the results in the mailbox', async () => {
		await page.goto(stack.mailbox.url);
		await page
			.getByRole('heading', { name: /^3 of 4 payouts paid: 1550.50 NGN, 12.5 USDT, 1 NOT KNOWN/ })
			.waitFor();
		await shows('payouts-result.csv');
		await shows('INV-9002,unknown,2000,NGN,,supplier-main');
	});

	await measured('settling the row that is not known', async () => {
		await followMail(/^Was this paid/);
		await shows('a payout of 2,000 NGN to supplier-main, made at this time or later');
		await picture('payouts-settle');
		await answer('It was paid');
		await shows('Settled as paid: 2000 NGN to supplier-main');
	});
	await measured('opening an answered link', async () => {
		await followMail(/^Approve 4 payouts/);
		await shows('The mail with the results says what was paid.');
		await picture('payouts-answered');
	});
	await measured('the same payment under another key', async () => {
		await upload('payouts-3.csv', ['INV-9005,300.00,NGN,,supplier-main']);
		await shows(
			/^Row 2: the same payment was paid on .*, with the paymentKey INV-9004\. If both must be paid/,
		);
	});
	await picture('payouts-held');
	const two = { secondYesAbove: 'NGN 500', secondApprover: 'second@example.com' };
	const { checking } = await publishForTwo(stack, two);
	await measured('a list above the amount for a second yes', async () => {
		await upload('payouts-4.csv', ['INV-9006,500.01,NGN,,supplier-main'], checking);
		await shows('The list is good');
		await followMail(/^Approve 1 payout, 500.01 NGN/);
		await answer('Yes, pay');
		await shows('Now second@example.com is asked. Nothing is paid before that second yes.');
		await followMail(/^Approve 1 payout, 500.01 NGN/, 'second@example.com');
		await shows('approver@example.com');
		await picture('payouts-second');
		await answer('Yes, pay');
		await shows('Approved: 1 payout, 500.01 NGN');
	});
	await until('the payout', () => amountsPaid(stack).includes('500.01') || undefined);
	await prove();
	await measured('the proof of the next morning', async () => {
		await page.goto(stack.mailbox.url);
		const proof = page.locator('section').filter({ has: page.getByText(/^Morning proof .*: all proved$/) });
		await proof.getByText('-4050.51 moved').waitFor();
		await picture('morning-proof', proof);
	});
	expect(amountsPaid(stack)).toEqual(['1250.50', '2000', '12.5', '300', '500.01']);
	process.stderr.write(`in all: ${clicks} clicks, ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
});
