/** The page of the sandbox in a real browser, with the keyboard, in both colour schemes. */
import { EVENT_KINDS } from '../fixtures/eventKinds.ts';
import { balanceOf, call, control } from '../sandbox/client.ts';
import { withSandboxAndReceiver } from '../sandbox/withSandbox.ts';
import { axeOn, useBrowser } from './browser.ts';
import type { Page } from './browser.ts';

const { sandbox, receiver } = withSandboxAndReceiver({ retryDelayMs: 50, settleAfterMs: null });
const chromium = useBrowser();
let page: Page;
/** Errors in the browser's console. */
let errors: string[];
/** URLs that the page requested. */
let requested: string[];

beforeEach(async () => {
	page = await chromium.newPage();
	errors = [];
	requested = [];
	page.on('pageerror', ({ message }) => errors.push(message));
	page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
	page.on('request', (request) => requested.push(request.url()));
	page.on('dialog', (dialog) => void dialog.accept());
	await page.goto(sandbox.url);
	await page.getByText('live', { exact: true }).waitFor();
});
afterEach(async () => {
	await page.close();
	// The page loads nothing from other hosts.
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
const showsMessage = (text: string) => page.locator('#said', { hasText: text }).waitFor();
const balance = (code: string, amount: string) =>
	page.locator('#balances li', { hasText: code }).getByText(amount, { exact: true }).waitFor();

test('the page shows a deposit, why its delivery was refused, and sends it again until it is accepted', async () => {
	receiver.answers.push(...Array<number>(4).fill(401));
	const coins = (alias: string) =>
		page.getByLabel(`Coin that arrives at ${alias}`).locator('option').allTextContents();
	await page.getByLabel('Amount that arrives at customer-0042').fill('0.123456789012345678');
	expect(await coins('deposits-btc')).toEqual(['BTC']);
	expect(await coins('deposits-usdt')).toEqual(['USDT', 'USDC']);
	await page.getByRole('button', { name: 'Deposit arrives at customer-0042' }).click();
	await showsMessage('0.123456789012345678 NGN arrived at customer-0042');
	await balance('NGN', '5,000,000.123456789012345678');

	const sent = delivery('virtual_account_credited');
	await sent.locator('.badge', { hasText: 'failed' }).waitFor();
	// The row is closed.
	await sent.getByText('Answer 401: The delivery is refused').waitFor();
	await sent.locator('summary').click();
	expect(await sent.locator('pre').textContent()).toContain('"Amount": "0.123456789012345678"');
	await sent.getByRole('button', { name: /^Send again: virtual_account_credited / }).click();
	await sent.locator('.badge', { hasText: 'delivered' }).waitFor();
	await sent.getByText('5 attempts').waitFor();
	await sent.getByText('{"ok":true}').waitFor();
	expect(await sent.getByText('Answer 401').count()).toBe(0);
	expect(receiver.received.map(({ body }) => JSON.parse(body).Amount)).toEqual(
		Array(5).fill('0.123456789012345678'),
	);
	expect(errors).toEqual([]);
});

test('the page approves and rejects destinations and lets payouts succeed and fail', async () => {
	await page.getByRole('button', { name: 'Approve cold-storage' }).click();
	await showsMessage('cold-storage is Whitelisted');
	await delivery('settlement_wallet_update').waitFor();
	await page.getByRole('button', { name: 'Reject supplier-main' }).click();
	await showsMessage('supplier-main is Rejected');
	await page.getByRole('button', { name: 'Approve supplier-main' }).click();
	await showsMessage('supplier-main is Whitelisted');

	// The page shows payouts that others create without a reload, and no button moves away under the mouse.
	const bad = await pay('20.02');
	const fails = page.getByRole('button', { name: `Payout ${bad} fails` });
	await fails.hover();
	const place = await fails.boundingBox();
	const good = await pay('10.01');
	await balance('NGN', '4,999,969.97');
	expect(await fails.boundingBox()).toEqual(place);
	await page.mouse.move(0, 0);
	await payout(good).waitFor();
	await fails.click();
	await payout(bad).locator('.badge', { hasText: 'failed' }).waitFor();
	await balance('NGN', '4,999,989.99');
	await payout(good)
		.getByRole('button', { name: `Payout ${good} succeeds` })
		.click();
	await payout(good).locator('.badge', { hasText: 'successful' }).waitFor();
	expect(await payout(good).getByRole('button').count()).toBe(0);
	expect(errors).toEqual([]);
});

test('a click on a payout tells its story: asked, answered, balance, events, also while it goes on', async () => {
	receiver.answers.push(500);
	await control(sandbox, 'POST faults', { route: '*', dropAfter: true });
	const body = '{"coin":"USDT","amount":1250.50,"wallet_alias":"treasury"}';
	await expect(call(sandbox, 'POST /v1/crypto_payout', body)).rejects.toThrow();
	const { payout_id: id } = (await control(sandbox, 'GET state')).json.payouts[0];
	const row = page.locator('#payouts > li').filter({ hasText: id });
	const steps = row.locator('.story > li');
	expect(await steps.count()).toBe(0);
	await row.locator('summary').click();
	await steps.nth(2).waitFor();
	const told = async () =>
		(await steps.allTextContents()).map((step) => step.replace(/^\d\d:\d\d:\d\d /, ''));
	const asked = `Asked POST /v1/crypto_payout${body}`;
	const taken = 'Taken from the balance 1,251.00 USDT. The balance is then 18,749 USDT';
	const lost = 'No answer The connection was closed';
	expect(await told()).toEqual([asked, taken, lost]);

	await control(sandbox, `POST payouts/${id}`, { status: 'failed' });
	await sandbox.idle();
	await steps.filter({ hasText: 'Delivered' }).waitFor();
	expect(await told()).toEqual([
		asked,
		taken,
		lost,
		'Given back 1,251.00 USDT. The balance is then 20,000 USDT',
		'Event crypto_payout_update, 1,250.50 USDT, treasury, failed',
		'Refused with 500',
		'Delivered with 200',
	]);
	await row.locator('summary').click();
	await steps.first().waitFor({ state: 'hidden' });

	// No row comes under the mouse.
	await page.mouse.move(0, 0);
	const fiat = page.locator('#payouts > li').filter({ hasText: await pay('20') });
	await fiat.locator('summary').focus();
	await page.keyboard.press('Enter');
	await fiat.getByText('No event The service sends none of a fiat payout').waitFor();
	await fiat.getByText('"status":"pending"').waitFor();
	expect(errors).toEqual([]);
});

test('the page funds, issues accounts, sends samples, sets webhook URL and settlement, and resets', async () => {
	await call(sandbox, 'POST /v1/funding_request', '{"pop":"https://example.com/receipt.pdf"}');
	const proof = page.getByLabel('For proof of payment');
	await proof.locator('option').nth(1).waitFor({ state: 'attached' });
	await proof.selectOption({ index: 1 });
	await page.getByRole('button', { name: 'Administrator funds' }).click();
	await showsMessage('credit of 75,000 NGN');
	expect((await control(sandbox, 'GET state')).json.funding_requests[0].status).toBe('credited');

	await page.locator('#issue').getByLabel('Alias').fill('customer-0099');
	await page.getByRole('button', { name: 'Issue virtual account' }).click();
	await page.getByRole('button', { name: 'Deposit arrives at customer-0099' }).waitFor();

	const events = page.getByLabel('Event');
	expect(await events.locator('option').allTextContents()).toEqual(EVENT_KINDS);
	await events.selectOption('crypto_received');
	await page.getByRole('button', { name: 'Send a sample' }).click();
	await delivery('crypto_received').getByText('delivered').waitFor();

	await page.getByLabel('A pending payout succeeds').selectOption('at once');
	await showsMessage('A pending payout succeeds at once');
	await payout(await pay('1'))
		.getByText('successful')
		.waitFor();

	await page.getByLabel('Webhook URL').fill('http://example.com/hook');
	await page.getByRole('button', { name: 'Save' }).click();
	await showsMessage('url must be https, or http for a loopback host');
	// The browser logs the 400 response.
	expect(errors).toEqual([expect.stringContaining('400')]);

	await page.getByRole('button', { name: 'Reset everything' }).click();
	await balance('NGN', '5,000,000');
	expect(await page.locator('#deliveries > li').count()).toBe(0);
});

test('the page shows the credential by the labels of its form and copies each value', async () => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sandbox.url });
	await page.getByText("What to enter in n8n's credential").click();
	for (const [label, value] of [
		['Base URL', sandbox.url],
		['API Key', sandbox.key],
		['Signature Secret', sandbox.secret],
		['Webhook Secret', sandbox.webhookSecret],
	] as const) {
		await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
		await showsMessage(`${label} is copied`);
		expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);
	}
});

test('the page names the workflow behind the webhook URL, says what a test URL is, and gives the URL back', async () => {
	const examples = receiver.url;
	await control(sandbox, 'PUT webhook_names', { names: { [examples]: 'Deposits <b>' } });
	await control(sandbox, 'PUT webhook', { url: examples });
	const owner = (text: string) => page.locator('#owner', { hasText: text }).waitFor();
	await owner('Deposits <b> has it. The service knows one URL.');
	await page.getByLabel('Webhook URL').fill('https://example.com/webhook-test/mine');
	await page.getByRole('button', { name: 'Save' }).click();
	await showsMessage('Events go to https://example.com/webhook-test/mine');
	await owner('This is a test URL. n8n listens there for one event after each click.');
	const earlier = page.locator('#earlier li', { hasText: examples });
	await earlier.getByText('Deposits <b>', { exact: true }).waitFor();
	await page.getByRole('button', { name: `Use again: ${examples}` }).click();
	await showsMessage(`Events go to ${examples}`);
	await page.waitForFunction(
		(url) => document.querySelector<HTMLInputElement>('[name=url]')!.value === url,
		examples,
	);
	await owner('Deposits <b> has it.');
	expect((await control(sandbox, 'GET state')).json.webhook.url).toBe(examples);
});

test('the page works with the keyboard alone and keeps input and focus when data changes', async () => {
	const tabTo = async (name: string) => {
		for (let presses = 0; presses < 100; presses++) {
			await page.keyboard.press('Tab');
			const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
			if (label === name) return;
		}
		throw new Error(`Tab does not reach ${name}`);
	};
	await tabTo('Amount that arrives at customer-0007');
	await page.keyboard.press('Control+A');
	await page.keyboard.type('12.5');
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '1' });
	await balance('NGN', '5,000,001');
	await page.keyboard.type('0');
	await page.keyboard.press('Enter');
	await showsMessage('12.50 NGN arrived at customer-0007');
	await balance('NGN', '5,000,013.5');

	const opened = delivery('virtual_account_credited').last();
	await opened.locator('summary').focus();
	await page.keyboard.press('Enter');
	await opened.locator('pre').waitFor();
	const id = await pay('1');
	await tabTo(`Payout ${id} fails`).catch(() => {
		throw new Error('Tab does not reach the button of a new payout');
	});
	await page.keyboard.press('Space');
	await payout(id).getByText('failed', { exact: true }).waitFor();
	// The buttons are gone; the focus moves to the row.
	await page.waitForFunction(() => document.activeElement?.closest('#payouts') !== null);
	expect(await opened.locator('pre').isVisible()).toBe(true);
});

test('the page shows text from untrusted senders as text, not as HTML', async () => {
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

test('the page reconnects when the sandbox restarts', async () => {
	const port = Number(new URL(sandbox.url).port);
	await sandbox.stop();
	await page.getByText('no connection').waitFor();
	await sandbox.restart({ port, webhookUrl: undefined });
	await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '7' });
	await page.getByText('live', { exact: true }).waitFor();
	await balance('NGN', '5,000,007');
	expect(await balanceOf(sandbox, 'NGN')).toBe('5000007');
});

test.each([
	['light', 1440],
	['dark', 1440],
	['light', 390],
	['dark', 390],
	['dark', 360],
] as const)(
	'in %s mode, %d pixels wide, all text is legible, all fields have labels and nothing overflows',
	async (colorScheme, width) => {
		await control(sandbox, 'POST deposits', { alias: 'customer-0042', amount: '0.123456789012345678' });
		await pay('10');
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		// Nobody has to look for what the first hour asks for.
		const arrives = page.getByRole('button', { name: 'Deposit arrives at customer-0042' });
		expect(await arrives.evaluate((node) => node.getBoundingClientRect().bottom)).toBeLessThan(800);
		await delivery('virtual_account_credited').locator('summary').click();
		await page.locator('#payouts summary').click();
		await page.locator('.story li').nth(2).waitFor();
		for (const selector of ['html', '#page', 'footer'])
			expect(await page.locator(selector).evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(
				width,
			);
		// No word of a heading, label or alias is broken, and no address of a wallet: each has one line.
		const broken = await page.evaluate(() => {
			const range = document.createRange();
			return [
				...document.querySelectorAll(
					'h2, label, .rows li > div:first-child, .rows summary span, .rows small, #balances b',
				),
			]
				.filter((node) => node.checkVisibility())
				.flatMap((node) => [...node.childNodes].filter((child) => child instanceof Text))
				.flatMap((text) =>
					[...text.data.matchAll(/(?<=^|[\s-])[^\s-]{1,34}(?=[\s-]|$)/g)]
						.filter(({ 0: word }) => word.length <= 24 || text.parentElement?.matches('small'))
						.filter(({ 0: word, index }) => {
							range.setStart(text, index);
							range.setEnd(text, index + word.length);
							return range.getClientRects().length > 1;
						})
						.map(([word]) => word),
				);
		});
		expect(broken).toEqual([]);

		const { passes, wrong } = await axeOn(page);
		expect(wrong).toEqual([]);
		// It has looked at the texts and the fields of this page.
		const checked = (rule: string) => passes.find(({ id }) => id === rule)?.nodes.length;
		expect(checked('color-contrast')).toBeGreaterThan(50);
		expect(checked('label')).toBeGreaterThan(5);
	},
);

test('the page makes the next payouts fail in each way', async () => {
	await control(sandbox, 'POST reset');
	const press = async (button: string) => {
		await page.getByRole('button', { name: button, exact: true }).click();
		await showsMessage(`The next fiat payout: ${button}`);
		await page.locator('#payouts li', { hasText: `The next fiat payout: ${button} waiting` }).waitFor();
	};
	await press('refused');
	const body = '{"currency":"NGN","amount":1,"account_alias":"supplier-main"}';
	expect((await call(sandbox, 'POST /v1/fiat_payout', body)).status).toBe(422);
	await page.locator('#payouts:empty').waitFor();
	await press('not made, and there is no answer');
	await expect(pay('2')).rejects.toThrow();
	await press('made, and its answer is lost');
	await expect(pay('3')).rejects.toThrow();
	await pay('4');
	await page.locator('#payouts li').nth(1).waitFor();
	expect(await page.locator('#payouts li').allTextContents()).toEqual([
		expect.stringContaining('4 NGN to supplier-main'),
		expect.stringContaining('3 NGN to supplier-main'),
	]);
	await page.getByLabel('Show payouts with').fill('3 ngn');
	await page.locator('#payouts li', { hasText: '4 NGN' }).waitFor({ state: 'detached' });
	expect(await page.locator('#payouts li').count()).toBe(1);
	await page.getByLabel('Show payouts with').fill('nobody');
	const none = () => getComputedStyle(document.getElementById('payouts')!, '::before').content;
	await page.waitForFunction(() => document.querySelector('#payouts:empty') !== null);
	expect(await page.evaluate(none)).toBe(String.raw`"No payout has \"nobody\"."`);
	expect(errors).toEqual([]);
});

test('a fault that no button makes waits in words too', async () => {
	const fault = { route: 'POST /v1/create_wallet', times: 2, skip: 1, status: 500, acted: true };
	await control(sandbox, 'POST faults', fault);
	await page
		.getByText('After 1 of them, the next 2 times POST /v1/create_wallet: {"status":500,"acted":true}')
		.waitFor();
});

test.each([
	['light', 1440],
	['dark', 390],
] as const)(
	'in %s mode, %d pixels wide, what appears moves and covers nothing that is used',
	async (colorScheme, width) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 900 });
		const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
		for (const list of ['#payouts', '#deliveries']) expect((await boxOf(list)).height).toBeLessThan(40);

		const send = page.getByRole('button', { name: 'Send a sample' });
		await page.getByLabel('Event').selectOption('admin_funding');
		await send.click();
		await showsMessage('A sample of admin_funding is sent');
		const place = await send.boundingBox();
		const ids = [await pay('10.01'), await pay('20.02'), await pay('30.03')];
		for (const id of ids) await payout(id).waitFor();
		expect(await send.boundingBox()).toEqual(place);
		expect(await payout(ids[0]!).locator('small').textContent()).toMatch(/^\d\d:\d\d:\d\d, po_/);
		await delivery('admin_funding').getByText('75,000 NGN, successful, 1 attempt').waitFor();

		const [said, whole] = [await boxOf('#said'), await boxOf('#page')];
		expect(said.y).toBeGreaterThanOrEqual(whole.y + whole.height);
		expect(said.y + said.height).toBeLessThanOrEqual(900);
		await page.screenshot({ path: `.local/sandbox-${colorScheme}-${width}.png` });
	},
);
