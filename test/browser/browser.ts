import { join } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { whenFailed } from '../whenFailed.ts';

export type { Locator, Page } from 'playwright-core';

/** The folder for the pictures of the documentation. Without it, no pictures are taken. */
export const PICTURES = process.env.SCREENSHOTS;

/**
 * A browser for the tests of a file. A test that fails saves a picture of each open page. Called before `useStack`, because Jest runs
 * hooks in their order and it must close first.
 */
export function useBrowser() {
	let browser: Browser | undefined;
	beforeAll(async () => {
		browser = await openBrowser();
	});
	afterAll(async () => {
		await browser?.close();
	});
	whenFailed(async (test) => {
		const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
		const files = pages.map(async (page, index) => {
			const path = `.local/browser/${test.replaceAll(/\W+/g, '-')}-${index + 1}.png`;
			return await page.screenshot({ path, timeout: 10_000 }).then(() => path, String);
		});
		return `the open pages are in ${(await Promise.all(files)).join(', ') || 'no picture'}`;
	});
	/** A page of its own, which waits as long as other tests do. */
	const newPage = async (options?: BrowserContextOptions): Promise<Page> => {
		const page = await browser!.newPage(options);
		page.context().setDefaultTimeout(120_000);
		return page;
	};
	return { newPage };
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

/** What axe finds on a page: what passes, and what is wrong with which elements. */
export async function axeOn(page: Page) {
	await page.evaluate(axe.source);
	const { passes, violations } = await page.evaluate(
		async () => await (window as unknown as { axe: typeof axe }).axe.run(),
	);
	const wrong = violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
	);
	return { passes, wrong };
}

/** Saves a picture for the documentation, in this style. */
export async function savePicture(name: string, part: Page | Locator, style = ''): Promise<void> {
	if (PICTURES === undefined) return;
	await part.screenshot({
		path: join(PICTURES, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
		style,
	});
}
