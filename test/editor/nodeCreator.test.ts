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
	useEditor,
} from '../browser/editorPage.ts';
import type { Locator } from '../browser/browser.ts';

/** What finds each node. n8n lists the trigger with the action node, and the desk by itself. */
const WORDS = {
	'Wallet Service Desk': [
		'reconcile',
		'ledger',
		'payroll',
		'approval',
		'approve',
		'bulk',
		'csv',
		'statement',
		'pay supplier',
		'low balance',
		'payout list',
		'payout report',
		'alerts',
		'go live',
		'payout file',
		'upload',
		'vendor',
	],
	'Wallet Service': [
		'pay supplier',
		'vendor',
		'bulk',
		'balance',
		'convert',
		'bank',
		'payout list',
		'best rate',
	],
};

const ACTIONS = {
	'Wallet Service Desk': [
		'Read payout list from file or rows',
		'Report payout list for approval or results',
		'Read decisions about unknown payments',
		'Make book rows from events or payments',
		'Reconcile balances with book',
		'Find alerts in book',
		'Check what is left before going live',
	],
	'Wallet Service': ['Pay payout list', 'Convert funds at best rate'],
};

/** The longest forms: their labels below Resource and Operation. `test/unit/forms.test.ts` has the others. */
const FORMS = {
	'Read payout list from file or rows': ['Source', 'Input Data Field Name', 'Options'],
	'Find alerts in book': ['Minimum Balances', 'Options'],
	'Convert funds at best rate': [
		'From',
		'To',
		'Amount',
		'Minimum Rate',
		'Payment Key',
		'Contract Settings',
		'Options',
	],
};

useEditor();

/** Opens the list of nodes over the canvas, as the key does. One that was open takes a moment to go. */
async function openCreator(): Promise<void> {
	await creator().waitFor({ state: 'hidden' });
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

test('each word that people look for finds the node, which lists its operations', async () => {
	for (const [name, actions] of Object.entries(ACTIONS)) {
		await openCreator();
		for (const word of WORDS[name as keyof typeof WORDS]) {
			await searchNodes(word);
			await entry(name).waitFor();
		}
		await entry(name).click();
		for (const action of actions) await entry(action).waitFor();
		expect(await cutTexts(byId('node-creator-item-name', creator()))).toEqual([]);
		await page.keyboard.press('Escape');
	}
});

test('an operation of the desk is added with its form, its labels in order and uncut', async () => {
	for (const [action, own] of Object.entries(FORMS)) {
		await openCreator();
		await byId('node-creator-search-bar').fill('payout list');
		const isOfDesk = ACTIONS['Wallet Service Desk'].includes(action);
		await entry(isOfDesk ? 'Wallet Service Desk' : 'Wallet Service').click();
		await entry(action).click();
		await labels()
			.filter({ hasText: own.at(-1) })
			.waitFor();
		expect(await namesOf(labels())).toEqual(['Resource', 'Operation', ...own]);
		expect(await cutTexts(labels().locator('.n8n-text'))).toEqual([]);
		await byId('ndv-close-button').click();
		await parameters().waitFor({ state: 'hidden' });
	}
	const names = await byId('canvas-node').evaluateAll((nodes) => nodes.map((each) => each.dataset.nodeName));
	expect(names).toEqual(expect.arrayContaining(Object.keys(FORMS)));
});

test("the form of Read asks for a file's field only where a file is read", async () => {
	const options = { amountColumn: 'Amount (NGN)', currencyOfAll: 'NGN' };
	const read = ours('Read', 'walletServiceDesk', { resource: 'list', operation: 'read', options });
	await page.setViewportSize({ width: 1440, height: 736 });
	await open(await store('Reads a list', [node('Start', 'manualTrigger'), read]), 'Read');
	await field('currencyOfAll').waitFor();
	await picture('list-read', parameters());
	await byId('parameter-input-binaryProperty').waitFor();
	await choose('source', 'Items');
	await byId('parameter-input-binaryProperty').waitFor({ state: 'hidden' });
});

// The last test, because the page of the editor is gone.
test('Report makes a page that people can read on a phone', async () => {
	const rows = [
		{ paymentKey: 'INV-1042', amount: '1320.50', destination: 'supplier-main', note: 'Rent' },
		{ paymentKey: 'INV-1043', amount: '80', destination: 'supplier-new', note: 'Paint' },
	].map((row) => ({ ...row, currency: 'NGN' }));
	const desk = (name: string, more: object) =>
		ours(name, 'walletServiceDesk', { resource: 'list', operation: name.toLowerCase(), ...more });
	const nodes = [
		...listOf(rows),
		desk('Read', { source: 'items', options: {} }),
		desk('Report', { title: 'Suppliers of November' }),
	];
	const { id } = await store('Reports', nodes, connect(`${LISTED} -> Read -> Report`));
	const [report] = itemsOf(succeeded(await stack.client.runByHand(id, 'Start')), 'Report');
	await page.setViewportSize({ width: 360, height: 640 });
	await page.setContent(`<!doctype html><body style="margin:0;padding:12px">${report!.html as string}`);
	for (const text of ['Suppliers of November', '1,320.50 NGN', 'Paint'])
		await page.getByText(text).first().waitFor();
	expect(await cutTexts(page.locator('html'))).toEqual([]);
	await page.setViewportSize({ width: 664, height: 640 });
	await picture('list-report', page.locator('body'));
});
