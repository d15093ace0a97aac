import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

export type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** Starts the machine's Chromium. Only the opened pages send requests. */
export function openBrowser(): Promise<Browser> {
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
