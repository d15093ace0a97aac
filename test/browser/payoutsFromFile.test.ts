/** Payouts from a file as people do it: the form, the mailbox and the pages behind the links. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ageKeys } from '../../host/testkit/ageKeys.ts';
import { formUrl } from '../../host/stack.ts';
import { amountsPaid, failPayoutAfter } from '../../host/testkit/payments.ts';
import { useStack } from '../n8n/setup.ts';
import { axeOn, savePicture, useBrowser } from './browser.ts';
import type { Page } from './browser.ts';

const chromium = useBrowser();
/** Of the first approver, who types the password once. */
const newPage = () => {
	const { user: username, password } = stack.approvers.first;
	const size = { width: 900, height: 760 };
	return chromium.newPage({ viewport: size, colorScheme: 'light', httpCredentials: { username, password } });
};
let page: Page;
let folder: string;

afterAll(() => rmSync(folder, { recursive: true }));

const stack = useStack('payouts-from-file');

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wallet-service-payouts-'));
	page = await newPage();
});

const picture = (name: string) => savePicture(name, page.locator('.card').first());
const press = (name: string) => page.getByRole('button', { name }).click();
const choose = (option: string) => page.locator('select').selectOption(option);
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** What n8n makes of a form that axe finds: no landmarks, and the colour of its button. */
const OF_FRAME = ['landmark-one-main', 'region'];
const isOfFrame = ({ id, html }: { id: string; html: string }) =>
	OF_FRAME.includes(id) || html.includes('id="submit-btn"');

/** The texts in empty fields that are longer than their field. */
const cutPlaceholders = () =>
	page.locator('input[placeholder]').evaluateAll((inputs: HTMLInputElement[]) => {
		const context = document.createElement('canvas').getContext('2d')!;
		return inputs
			.filter((input) => {
				const { font, paddingLeft, paddingRight } = getComputedStyle(input);
				context.font = font;
				const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
				return context.measureText(input.placeholder).width > room;
			})
			.map(({ placeholder }) => placeholder);
	});

/** At the width of a desk and of a phone, in dark and light: no part of the page is out of sight, and axe finds nothing of ours. */
async function looksGood(name: string, isForm = true): Promise<void> {
	const size = page.viewportSize()!;
	for (const width of [1440, 390])
		for (const colorScheme of ['dark', 'light'] as const) {
			await page.setViewportSize({ ...size, width });
			await page.emulateMedia({ colorScheme });
			const shown = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth);
			expect(shown).toBeLessThanOrEqual(width);
			expect(await cutPlaceholders()).toEqual([]);
			const { passes, wrong } = await axeOn(page);
			expect(wrong.filter((each) => !isForm || !isOfFrame(each))).toEqual([]);
			expect(passes.find(({ id }) => id === 'color-contrast')?.nodes.length).toBeGreaterThan(3);
			const path = `.local/browser/${name}-${width}-${colorScheme}.png`;
			await page.screenshot({ path, fullPage: true });
		}
	await page.setViewportSize(size);
}

/** Uploads the lines as a file, on the form that is open. The mail address is typed as well. */
async function upload(name: string, lines: string[]): Promise<void> {
	const file = join(folder, name);
	// Excel writes the byte order mark.
	writeFileSync(file, `\uFEFF${['paymentKey,amount,currency,coin,destination', ...lines].join('\r\n')}\r\n`);
	const chosen = page.waitForEvent('filechooser');
	await page.locator('input[type=file]').click();
	await (await chosen).setFiles(file);
	await page.locator('input[type=email]').fill('finance@example.com');
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
	const opened = page.waitForEvent('popup');
	await mail.first().locator('a[target=_blank]').click();
	page = await opened;
}

/** Sends the answers on the page behind a link. n8n then shows a page of its own. */
async function send(): Promise<void> {
	await press('Submit');
	await page.locator('form').waitFor({ state: 'hidden' });
}

test('a person uploads a file, corrects it, another approves, both get the results, one row is decided', async () => {
	const form = formUrl(stack, stack.example('payouts-from-file'))!;
	await page.goto(form);
	await page.getByRole('cell', { name: 'EXAMPLE-1' }).waitFor();
	await looksGood('upload');
	const lost = 'INV-9002,2000,NGN,,supplier-main';
	const coins = 'INV-9003,12.5,,USDT,treasury';
	await upload('payouts.csv', ['INV-9001,"1,250.50",NGN,,suplier-main', lost, coins]);
	await shows('Not handed over');
	await shows('Row 2: The amount 1,250.50 has a comma. Write 1250.50.');
	await shows('Row 2: No settlement account has the alias suplier-main.');
	await picture('payouts-problems');
	await looksGood('problems');
	expect(stack.mailbox.mails).toEqual([]);

	await page.goto(form);
	await upload('payouts-2.csv', ['INV-9001,1250.50,NGN,,supplier-main', lost, coins]);
	await shows('Handed over: expect a mail');
	await shows('Nothing is paid yet.');

	// The answer to the second payment is lost. The service has made it.
	await failPayoutAfter(stack, 1, { dropAfter: true });
	await followMail(/^Approve/);
	await shows('3,250.50');
	await shows('INV-9002');
	await picture('payouts-approve');
	await looksGood('approve');
	expect(amountsPaid(stack)).toEqual([]);
	await choose('Yes, pay them');
	await page.getByLabel('Name').fill('Ada Obi');
	await send();

	await openMailbox();
	await page.getByRole('heading', { name: /^2 of 3 payouts paid: .*1 NOT KNOWN/ }).waitFor();
	await shows('payouts.csv');

	await ageKeys(stack);
	await followMail(/^Was it paid\?/);
	await shows('INV-9002');
	await picture('payouts-decide');
	await looksGood('decide');
	await page.getByLabel('Was paid', { exact: true }).fill('inv-9002');
	await send();
	await openMailbox();
	await page
		.getByRole('heading', { name: /^The payout is paid: 2,000.00 NGN. INV-9002: paid, as Ada Obi found/ })
		.waitFor();
	await looksGood('mails', false);
	expect(amountsPaid(stack)).toEqual(['1250.50', '2000', '12.5']);
});
