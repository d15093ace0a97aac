/** Payouts from a file as people do it: the form, the mailbox and the pages behind the links. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { formUrl } from '../../host/stack.ts';
import { amountsPaid, failPayoutAfter } from '../../host/testkit/payments.ts';
import { useStack } from '../n8n/setup.ts';
import { savePicture, useBrowser } from './browser.ts';
import type { Page } from './browser.ts';

const chromium = useBrowser();
const newPage = () => chromium.newPage({ viewport: { width: 900, height: 760 }, colorScheme: 'light' });
let page: Page;
let folder: string;

afterAll(() => rmSync(folder, { recursive: true }));

const stack = useStack('payouts-file-1-check');

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wallet-service-payouts-'));
	page = await newPage();
});

const picture = (name: string) => savePicture(name, page.locator('.card').first());
const press = (name: string) => page.getByRole('button', { name }).click();
const choose = (option: string) => page.locator('select').selectOption(option);
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Uploads the lines as a file, on the form that is open. The mail addresses are typed and chosen as well. */
async function upload(name: string, lines: string[]): Promise<void> {
	const file = join(folder, name);
	// Excel writes the byte order mark.
	writeFileSync(file, `\uFEFF${['paymentKey,amount,currency,coin,destination', ...lines].join('\r\n')}\r\n`);
	const chosen = page.waitForEvent('filechooser');
	await page.locator('input[type=file]').click();
	await (await chosen).setFiles(file);
	await page.locator('input[type=email]').fill('finance@example.com');
	await choose('approver@example.com');
	await press('Check the list');
}

/** Opens the mailbox on a new page. The page before may still be on its way to another one. */
async function openMailbox(): Promise<void> {
	await page.context().close();
	page = await newPage();
	await page.goto(stack.mailbox.url);
}

/** Opens the link of the mail with this subject to the approver, in the mailbox. */
async function followMail(subject: RegExp): Promise<void> {
	await openMailbox();
	const heading = page.getByRole('heading', { name: subject });
	const mail = page.locator('section').filter({ has: heading, hasText: 'to approver@example.com' });
	await mail.first().waitFor();
	// The mailbox loads itself again every five seconds, and a click in that moment is lost.
	await page.reload();
	const opened = page.waitForEvent('popup');
	await mail.first().locator('a[target=_blank]').click();
	page = await opened;
}

/** Chooses an answer on the page behind a link and sends it. */
async function answer(option: string): Promise<void> {
	await choose(option);
	await press('Submit');
}

test('a person uploads a file, corrects it, another approves, both get the results, one row is settled', async () => {
	const form = formUrl(stack, stack.example('payouts-file-1-check'))!;
	await page.goto(form);
	const good = ['INV-9002,2000,NGN,,supplier-main', 'INV-9003,12.5,,USDT,treasury'];
	await upload('payouts.csv', [
		'INV-9001,"1,250.50",NGN,,supplier-main',
		...good,
		'INV-9004,300,NGN,,suplier-main',
	]);
	await shows('Correct the file');
	await shows('Row 2:');
	await shows('the amount 1,250.50 has a comma. Write 1250.50.');
	await shows('no settlement account has the alias suplier-main.');
	await picture('payouts-problems');
	await page.getByRole('link', { name: 'Back to the form' }).click();
	await page.waitForURL(form);
	await page.getByRole('cell', { name: 'EXAMPLE-1' }).waitFor();
	expect(stack.mailbox.mails).toEqual([]);

	await upload('payouts-2.csv', [
		'INV-9001,1250.50,NGN,,supplier-main',
		...good,
		'INV-9004,300,NGN,,supplier-main',
	]);
	await shows('The list is good');
	await shows('3 payouts, 3550.50 NGN. The wallet has 5000000.00 NGN.');

	// The answer to the second payment is lost. The service has made it.
	await failPayoutAfter(stack, 1, { dropAfter: true });
	await followMail(/^Approve 4 payouts/);
	await shows('3,550.50 NGN in 3 payouts');
	await shows('INV-9002: 2,000 NGN to supplier-main');
	await picture('payouts-approve');
	expect(amountsPaid(stack)).toEqual([]);
	await answer('Yes, pay');
	await shows('Approved: 4 payouts');

	await openMailbox();
	await page
		.getByRole('heading', { name: /^3 of 4 payouts paid: 1550.50 NGN, 12.5 USDT, 1 NOT KNOWN/ })
		.waitFor();
	await shows('payouts-result.csv');
	await shows('INV-9002,unknown,2000,NGN,,supplier-main');

	await ageKeys(stack);
	await followMail(/^Was this paid/);
	await shows('a payout of 2,000 NGN to supplier-main, made at this time or later');
	await picture('payouts-settle');
	await answer('It was paid');
	await shows('Settled as paid: 2000 NGN to supplier-main');
	expect(amountsPaid(stack)).toEqual(['1250.50', '2000', '12.5', '300']);
});
