/** The page of the sandbox in a real browser, with the keyboard, in both colour schemes. */
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { balanceOf, call, control, startReceiver } from '../../host/sandboxClient.ts';
import type { Receiver } from '../../host/sandboxClient.ts';
import { openBrowser } from './browser.ts';
import type { Browser, Page } from './browser.ts';

let browser: Browser;
let receiver: Receiver;
let sandbox: Sandbox;
let page: Page;
let complaints: string[];
let requested: string[];

beforeAll(async () => {
	browser = await openBrowser();
}, 60_000);
afterAll(() => browser.close());

beforeEach(async () => {
	receiver = await startReceiver();
	sandbox = await startSandbox({ webhookUrl: receiver.url, retryDelayMs: 50, settleAfterMs: null });
	page = await browser.newPage();
	page.setDefaultTimeout(10_000);
	complaints = [];
	requested = [];
	page.on('pageerror', ({ message }) => complaints.push(message));
	page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
	page.on('request', (request) => requested.push(request.url()));
	page.on('dialog', (dialog) => void dialog.accept());
	await page.goto(sandbox.url);
	await page.getByText('live', { exact: true }).waitFor();
});
afterEach(async () => {
	await page.close();
	await sandbox.stop();
	await receiver.stop();
	// Nothing from elsewhere was asked for.
	expect(requested.filter((url) => !url.startsWith(`${sandbox.url}/`) && !url.startsWith('data:'))).toEqual(
		[],
	);
});

const pay = async (amount: string): Promise<string> => {
	const body = `{"currency":"NGN","amount":${amount},"account_alias":"supplier-main"}`;
	return (await call(sandbox, 'POST /v1/fiat_payout', body)).json.payout_id;
};
const payout = (id: string) => page.locator('#payouts li').filter({ hasText: id });
const delivery = (event: string) => page.locator('#deliveries > li').filter({ hasText: event });
const says = (text: string) => page.locator('#said', { hasText: text }).waitFor();
const balance = (code: string, amount: string) =>
	page.locator('#balances li', { hasText: code }).getByText(amount, { exact: true }).waitFor();

test('a deposit arrives: the balance, the delivery with its payload, and the delivery again', async () => {
	const amount = page.getByLabel('Amount that arrives at customer-0042');
	await amount.fill('0.123456789012345678');
	await page.getByRole('button', { name: 'Deposit arrives at customer-0042' }).click();
	await says('0.123456789012345678 NGN arrived at customer-0042');
	await balance('NGN', '5000000.123456789012345678');

	const sent = delivery('virtual_account_credited');
	await sent.getByText('delivered').waitFor();
	await sent.locator('summary').click();
	expect(await sent.locator('pre').textContent()).toContain('"Amount": "0.123456789012345678"');
	await sent.getByText('{"ok":true}').waitFor();
	await sent.getByRole('button', { name: /^Send virtual_account_credited .* again$/ }).click();
	await sent.getByText('2 attempts').waitFor();
	expect(receiver.received.map(({ body }) => JSON.parse(body).Amount)).toEqual([
		'0.123456789012345678',
		'0.123456789012345678',
	]);
	expect(complaints).toEqual([]);
});

test('a wallet is approved and paid to; payouts succeed and fail', async () => {
	await page.getByRole('button', { name: 'Approve cold-storage' }).click();
	await says('cold-storage is Whitelisted');
	await delivery('settlement_wallet_update').waitFor();
	await page.getByRole('button', { name: 'Reject supplier-main' }).click();
	await says('supplier-main is Rejected');
	await page.getByRole('button', { name: 'Approve supplier-main' }).click();
	await says('supplier-main is Whitelisted');

	// Made elsewhere, and shown by itself.
	const [good, bad] = [await pay('10.01'), await pay('20.02')];
	await balance('NGN', '4999969.97');
	await payout(bad)
		.getByRole('button', { name: `Payout ${bad} fails` })
		.click();
	await payout(bad).getByText('failed').waitFor();
	await balance('NGN', '4999989.99');
	await payout(good)
		.getByRole('button', { name: `Payout ${good} succeeds` })
		.click();
	await payout(good).getByText('successful').waitFor();
	expect(await payout(good).getByRole('button').count()).toBe(0);
	expect(complaints).toEqual([]);
});

test('everything else: funding, issuing, samples, the webhook’s URL, settling, reset', async () => {
	await call(sandbox, 'POST /v1/funding_request', '{"pop":"https://example.com/receipt.pdf"}');
	const proof = page.getByLabel('For proof of payment');
	await proof.locator('option').nth(1).waitFor({ state: 'attached' });
	await proof.selectOption({ index: 1 });
	await page.getByRole('button', { name: 'Administrator funds' }).click();
	await says('credit of 75000 NGN');
	expect((await control(sandbox, 'GET state')).json.funding_requests[0].status).toBe('credited');

	await page.locator('#issue').getByLabel('Alias').fill('customer-0099');
	await page.getByRole('button', { name: 'Issue virtual account' }).click();
	await page.getByRole('button', { name: 'Deposit arrives at customer-0099' }).waitFor();

	await page.getByLabel('Event').selectOption('crypto_received');
	await page.getByRole('button', { name: 'Send a sample' }).click();
	await delivery('crypto_received').getByText('delivered').waitFor();

	await page.getByLabel('A pending payout succeeds').selectOption('at once');
	await says('A pending payout succeeds at once');
	await payout(await pay('1'))
		.getByText('successful')
		.waitFor();

	await page.getByLabel('Webhook URL').fill('http://example.com/hook');
	await page.getByRole('button', { name: 'Save' }).click();
	await says('url must be https, or http for a loopback host');
	// The browser itself remarks on the answer 400.
	expect(complaints).toEqual([expect.stringContaining('400')]);

	await page.getByText('What to fill in').click();
	await page.getByText(sandbox.secret).waitFor();
	await page.getByRole('button', { name: 'Reset everything' }).click();
	await balance('NGN', '5000000');
	expect(await page.locator('#deliveries > li').count()).toBe(0);
});

test('with the keyboard alone; what was typed and opened stays when data changes', async () => {
	const tabTo = async (name: string) => {
		for (let presses = 0; presses < 100; presses++) {
			await page.keyboard.press('Tab');
			const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
			if (label === name) return;
		}
		throw new Error(`${name} cannot be reached with Tab`);
	};
	await tabTo('Amount that arrives at customer-0007');
	await page.keyboard.press('Control+A');
	await page.keyboard.type('12.5');
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '1' });
	await balance('NGN', '5000001');
	await page.keyboard.type('0');
	await page.keyboard.press('Enter');
	await says('12.50 NGN arrived at customer-0007');
	await balance('NGN', '5000013.5');

	const opened = delivery('virtual_account_credited').last();
	await opened.locator('summary').focus();
	await page.keyboard.press('Enter');
	await opened.locator('pre').waitFor();
	const id = await pay('1');
	await tabTo(`Payout ${id} fails`).catch(async () => {
		throw new Error('the button of a new payout cannot be reached');
	});
	await page.keyboard.press('Space');
	await payout(id).getByText('failed').waitFor();
	// The buttons are gone, but the focus is not lost.
	await page.waitForFunction(() => document.activeElement?.closest('#payouts') !== null);
	expect(await opened.locator('pre').isVisible()).toBe(true);
});

test('what others wrote is shown as text', async () => {
	const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
	await control(sandbox, 'POST virtual_accounts', { alias: hostile, bank: hostile });
	await control(sandbox, 'POST deposits', { alias: hostile, amount: '1', sender_account_name: hostile });
	await call(sandbox, 'POST /v1/funding_request', JSON.stringify({ pop: `https://example.com/?${hostile}` }));
	await control(sandbox, 'POST events', { event: hostile, [hostile]: hostile });
	const sent = page.locator('#deliveries > li').first();
	await sent.getByText('delivered').waitFor();
	await sent.locator('summary').click();
	expect(await sent.locator('pre').textContent()).toContain(JSON.stringify(hostile));
	expect(await page.locator('img, main script').count()).toBe(0);
	expect(await page.title()).toBe('Wallet service sandbox');
});

test('comes back when the sandbox does', async () => {
	const port = Number(new URL(sandbox.url).port);
	await sandbox.stop();
	await page.getByText('no connection').waitFor();
	sandbox = await startSandbox({ port, settleAfterMs: null });
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '7' });
	await page.getByText('live', { exact: true }).waitFor();
	await balance('NGN', '5000007');
	expect(await balanceOf(sandbox, 'NGN')).toBe('5000007');
});

test.each([
	['light', 1280],
	['dark', 1280],
	['light', 360],
	['dark', 360],
] as const)('%s, %d pixels wide: legible, and nothing sticks out', async (colorScheme, width) => {
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '0.123456789012345678' });
	await pay('10');
	await page.emulateMedia({ colorScheme });
	await page.setViewportSize({ width, height: 800 });
	await delivery('virtual_account_credited').locator('summary').click();
	await page.screenshot({ path: `.local/sandbox-${colorScheme}-${width}.png`, fullPage: true });
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

	/** The contrast of each text with what is behind it (WCAG 2: at least 4.5). */
	const contrasts = await page.evaluate(() => {
		const channels = (colour: string) => colour.match(/[\d.]+/g)!.map(Number);
		const luminance = (colour: string) => {
			const [r, g, b] = channels(colour).map((value) => {
				const part = value / 255;
				return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
			});
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const behind = (node: Element | null): string => {
			if (node === null) return 'rgb(255, 255, 255)';
			const { backgroundColor } = getComputedStyle(node);
			return channels(backgroundColor)[3] === 0 ? behind(node.parentElement) : backgroundColor;
		};
		return [
			...document.querySelectorAll(
				'h1, h2, p, a, small, label, button, input, select, b, pre, .badge, td, th, summary',
			),
		]
			.filter(
				(node) => node.checkVisibility() && (node.textContent !== '' || node instanceof HTMLInputElement),
			)
			.map((node) => {
				const [dark, light] = [luminance(getComputedStyle(node).color), luminance(behind(node))].sort(
					(a, b) => a - b,
				);
				return { text: node.outerHTML.slice(0, 60), contrast: (light + 0.05) / (dark + 0.05) };
			});
	});
	expect(contrasts.length).toBeGreaterThan(50);
	expect(contrasts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
});
