import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';

export type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** A browser for the tests of a file. Called before `useStack`, because Jest runs hooks in their order and it must close first. */
export function useBrowser(): { browser: Browser } {
	const used = {} as { browser: Browser };
	beforeAll(async () => {
		used.browser = await openBrowser();
	}, 60_000);
	afterAll(async () => {
		await used.browser?.close();
	});
	return used;
}

/** Starts the machine's Chromium. Only the opened pages send requests. */
function openBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** A page of n8n's editor, after the log-in. */
export async function openEditor(browser: Browser, { n8n }: Stack): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, colorScheme: 'light' });
	page.setDefaultTimeout(30_000);
	await page.goto(`${n8n.url}/signin`);
	await page.locator('input[autocomplete="email"]').fill(TEMPORARY_OWNER.email);
	await page.locator('input[type="password"]').fill(TEMPORARY_OWNER.password);
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/(home|workflow)/);
	return page;
}
