/** The video of VERIFICATION.md, as a person clicks it in one go: a credential test, two actions, and a trigger that fires. */
import {
	byId,
	creator,
	entry,
	field,
	form,
	goTo,
	openAccountList,
	openNewCredential,
	output,
	page,
	searchNodes,
	stack,
	useEditor,
} from '../browser/editorPage.ts';
import { startN8n } from '../../host/n8n/process.ts';
import { startBare } from '../../host/stack.ts';

// Nothing of ours but the package, and the credential that each n8n of the tests has.
useEditor();

/** Adds what has this name in the list of the node, and opens it. */
async function add(searched: string, name: string): Promise<void> {
	await byId('node-creator-plus-button').click();
	await searchNodes(searched);
	await entry('Wallet Service').click();
	const wanted = byId('node-creator-item-name', creator()).getByText(name, { exact: true });
	await byId('node-creator-category-item', creator()).first().waitFor();
	// n8n opens the list of triggers first, where a workflow has none.
	if (!(await wanted.isVisible()))
		await byId('node-creator-category-item', creator()).getByText('Actions').click();
	await wanted.click();
	await byId('node-parameters').waitFor();
}

const executeStep = () => byId('node-execute-button').click();
const shows = (text: string) =>
	output().getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();

async function currency(code: string): Promise<void> {
	await byId('rlc-mode-selector', byId('resource-locator-currency')).click();
	await page.getByRole('option', { name: /^By / }).filter({ visible: true }).click();
	await field('currency').fill(code);
}

test('the credential is tested, two actions run, and the trigger fires', async () => {
	const { url, key, secret, webhookSecret } = stack.sandbox;
	await openNewCredential();
	const values = { baseUrl: url, apiKey: key, signatureSecret: secret, webhookSecret };
	for (const [name, value] of Object.entries(values)) await field(name).fill(value);
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await form().getByText('Connection tested successfully').filter({ visible: true }).waitFor();
	await page.keyboard.press('Escape');
	await form().waitFor({ state: 'hidden' });

	await goTo('/workflow/new');
	await add('balance', 'Get fiat wallet balance');
	await currency('NGN');
	await executeStep();
	await shows('5000000.00');
	await byId('ndv-close-button').click();

	await add('payout', 'Create fiat payout');
	await currency('NGN');
	await field('amount').fill('1250.50');
	await openAccountList('account_alias');
	await byId('rlc-item').filter({ visible: true }).getByText('supplier-main').click();
	await field('paymentKey').fill('DEMO-1');
	await executeStep();
	await shows('paid');
	await executeStep();
	await shows('alreadyPaid');

	const sandbox = await page.context().browser()!.newPage();
	sandbox.setDefaultTimeout(120_000);
	await sandbox.goto(url);
	await sandbox.locator('#payouts summary', { hasText: '1,250.50 NGN to supplier-main' }).click();
	await sandbox.getByText('The balance is then 4,998,749.5 NGN').waitFor();

	await goTo('/workflow/new');
	await add('deposit', 'On virtual account credited');
	await byId('node-parameters').getByText('Webhook URLs', { exact: true }).click();
	const testUrl = await byId('node-parameters')
		.getByText(/\/webhook-test\//)
		.first()
		.innerText();
	await sandbox.getByLabel('Webhook URL').fill(testUrl);
	await sandbox.getByRole('button', { name: 'Save' }).click();
	await byId('trigger-execute-button').getByRole('button').or(byId('trigger-execute-button')).last().click();
	await page.getByText('Listening for test event').waitFor();
	await sandbox.getByRole('button', { name: 'Deposit arrives at customer-0042' }).click();
	await shows('customer-0042');
	await sandbox.close();
});

test('`npm run demo` starts an n8n that has nothing of the package, and a sandbox', async () => {
	const { client, sandbox, stop } = await startBare(async (userFolder) => await startN8n({ userFolder }));
	try {
		const types = (await client.nodeTypes()).map(({ name }) => name);
		expect(types).toContain('n8n-nodes-base.httpRequest');
		expect(types.filter((name) => name.startsWith('n8n-nodes-wallet-service'))).toEqual([]);
		for (const path of ['/workflows', '/credentials', '/community-packages'])
			expect([path, await client.rest('GET', path)]).toEqual([path, []]);
		expect((await fetch(sandbox.url)).status).toBe(200);
	} finally {
		await stop();
	}
});
