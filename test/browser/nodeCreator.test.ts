/** The desk in n8n's editor: found by the words that people look for, added with its form, and the page that it makes. */
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import { listOf, LISTED } from '../../host/testkit/payments.ts';
import { connect, node } from '../../host/testkit/workflows.ts';
import {
	byId,
	choose,
	creator,
	entry,
	field,
	namesOf,
	open,
	ours,
	page,
	picture,
	searchNodes,
	stack,
	store,
	testPage,
	useEditor,
} from './editorPage.ts';
import type { Locator } from './browser.ts';

const WORDS = [
	...['approve', 'reconcile', 'csv', 'statement', 'balance', 'low balance', 'convert', 'bank', 'payout list'],
	...['best rate', 'watch', 'payout report', 'go live'],
];

/** What the list of nodes offers of the desk, and the labels of its form below Resource and Operation. */
const FORMS = [
	['Read a payout list from a file or rows', 'Source', 'Input Data Field Name', 'Options'],
	['Report a payout list for approval or its results', 'Title'],
	['Settle unknown payments of a list', 'Rows of the Report'],
	['Make rows of the book', 'Approved By'],
	['Reconcile balances with the book', 'Options'],
	['Watch the book for alarms and low balances', 'Minimum Balances', 'Options'],
	['Check what is left before going live'],
	[
		...['Convert funds at best rate', 'From', 'To', 'Amount', 'Minimum Rate', 'Payment Key'],
		...['Contract Settings', 'Options'],
	],
] as Array<[action: string, ...labels: string[]]>;

const NOTICES: Record<string, string> = {
	'Make rows of the book': 'Hand over events of the trigger',
	'Reconcile balances with the book': 'Hand over all rows of the book',
	'Watch the book for alarms and low balances': 'Hand over all rows of the book',
	'Check what is left before going live': 'Hand over your workflows',
	'Convert funds at best rate': 'This moves real money',
};

useEditor();

/** Opens the list of nodes over the canvas, as the key does. */
async function openCreator(): Promise<void> {
	await page.keyboard.press('n');
	await creator().waitFor();
}

const parameters = () => byId('node-parameters');
const labels = () => byId('input-label', parameters()).filter({ visible: true });

/** The texts that their place cuts off. */
const cutTexts = (texts: Locator) =>
	texts.evaluateAll((elements) =>
		elements
			.filter((element) => element.scrollWidth > element.clientWidth + 1)
			.map((element) => element.textContent),
	);

beforeAll(async () => {
	await open(await store('Desk', [node('Start', 'manualTrigger')]));
});

testPage(
	'each word that people look for finds the node, and it lists each operation of the desk',
	async () => {
		await openCreator();
		for (const word of WORDS) {
			await searchNodes(word);
			await entry('Wallet Service').waitFor();
		}
		await entry('Wallet Service').click();
		for (const [action] of FORMS) await entry(action).waitFor();
		expect(await cutTexts(byId('node-creator-item-name', creator()))).toEqual([]);
		await page.keyboard.press('Escape');
	},
);

testPage('each operation of the desk is added with its form, its labels in order and uncut', async () => {
	for (const [action, ...own] of FORMS) {
		await openCreator();
		await searchNodes('Wallet Service');
		await entry('Wallet Service').click();
		await entry(action).click();
		const expected = ['Resource', 'Operation', ...own];
		await labels()
			.filter({ hasText: expected.at(-1) })
			.last()
			.waitFor();
		expect([action, ...(await namesOf(labels()))]).toEqual([action, ...expected]);
		expect(await cutTexts(labels().locator('.n8n-text'))).toEqual([]);
		if (NOTICES[action] !== undefined) await parameters().getByText(NOTICES[action]).waitFor();
		await byId('ndv-close-button').click();
		await parameters().waitFor({ state: 'hidden' });
	}
	await byId('canvas-node').nth(FORMS.length).waitFor();
});

testPage("the form of Read asks for a file's field only where a file is read", async () => {
	const options = { amountColumn: 'Amount (NGN)', currencyOfAll: 'NGN' };
	const read = ours('Read', 'walletService', { resource: 'payoutList', operation: 'read', options });
	await page.setViewportSize({ width: 1440, height: 660 });
	await open(await store('Reads a list', [node('Start', 'manualTrigger'), read]), 'Read');
	await field('currencyOfAll').waitFor();
	await picture('list-read', parameters());
	await choose('source', 'Items');
	await byId('parameter-input-binaryProperty').waitFor({ state: 'hidden' });
});

// The last test, because the page of the editor is gone.
testPage('Report makes a page that people can read on a phone', async () => {
	const rows = [
		{ paymentKey: 'INV-1042', amount: '1320.50', destination: 'supplier-main', note: 'Rent' },
		{ paymentKey: 'INV-1043', amount: '1,250', destination: 'supplier-main', note: 'Water' },
		{ paymentKey: 'INV-1044', amount: '80', destination: 'supplier-new', note: 'Paint' },
	].map((row) => ({ ...row, currency: 'NGN' }));
	const desk = (name: string, more: object) =>
		ours(name, 'walletService', { resource: 'payoutList', operation: name.toLowerCase(), ...more });
	const nodes = [
		...listOf(rows),
		desk('Read', { source: 'items', options: {} }),
		desk('Report', { title: 'Suppliers of November' }),
	];
	const { id } = await store('Reports', nodes, connect(`${LISTED} -> Read -> Report`));
	const [report] = itemsOf(succeeded(await stack.client.runByHand(id, 'Start')), 'Report');
	await page.setViewportSize({ width: 360, height: 640 });
	await page.setContent(report!.html as string);
	for (const text of ['Suppliers of November', '1,320.50 NGN', 'Water'])
		await page.getByText(text).first().waitFor();
	expect(await cutTexts(page.locator('html'))).toEqual([]);
	await page.setViewportSize({ width: 672, height: 640 });
	await picture('list-report', page.locator('body > div'));
});
