// Its package is the test host's, not the root's: what is published needs no browser.
import { chromium } from '../../host/node_modules/playwright-core/index.js';
import type { Browser } from '../../host/node_modules/playwright-core/index.js';

export type { Browser, Locator, Page } from '../../host/node_modules/playwright-core/index.js';

/** Starts the machine's chromium, which talks to no one but the pages that are opened. */
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
