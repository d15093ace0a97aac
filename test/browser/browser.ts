// The driver comes from host's packages, since the published package needs no browser.
import { chromium } from '../../host/node_modules/playwright-core/index.js';
import type { Browser } from '../../host/node_modules/playwright-core/index.js';

export type { Browser, Locator, Page } from '../../host/node_modules/playwright-core/index.js';

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
