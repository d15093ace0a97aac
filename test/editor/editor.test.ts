/** How n8n's editor shows the nodes: names, lists, labels and icons. `test/browser` has what guards money and signatures. */
import { EVENTS } from '../../api/events.ts';
import { until } from '../../host/n8n/client.ts';
import { connect, node } from '../../host/testkit/workflows.ts';
import {
	byId,
	choose,
	creator,
	entry,
	field,
	form,
	goTo,
	namesOf,
	open,
	openNewCredential,
	ours,
	output,
	page,
	picture,
	searchNodes,
	stack,
	store,
	useEditor,
	wholeForm,
	words,
} from '../browser/editorPage.ts';
import { tableOf } from '../fixtures/documentTables.ts';

const OPERATION_COUNT = tableOf('docs/reference/operations.md', 'Operations').length;

useEditor('payouts-from-list', 'pay-once', 'go-live');

test('the node creator finds the nodes by name and by purpose, and has an entry for each event and each operation', async () => {
	const found = entry('Wallet Service');
	await goTo('/workflow/new');
	await byId('node-creator-plus-button').click();
	for (const text of ['wallet service trigger', 'pay', 'send money', 'webhook', 'Wallet Service']) {
		await searchNodes(text);
		await found.waitFor();
	}
	await found.click();
	await byId('node-creator-category-item', creator()).getByText(`Actions (${OPERATION_COUNT})`).click();
	const entries = byId('node-creator-item-name', creator());
	// The entries appear one after another.
	const count = Object.keys(EVENTS).length + OPERATION_COUNT;
	await until('all events and operations', async () => (await entries.count()) >= count);
	await picture('node-creator', creator());
	const offered = (await entries.allInnerTexts()).map((text) => text.trim());
	const events = tableOf('docs/reference/operations.md', 'Events')
		.map(([name = '']) => `On ${name.toLowerCase()}`)
		.toSorted();
	expect(offered.filter((entry) => entry.startsWith('On '))).toEqual(events);
	expect(offered.filter((entry) => !events.includes(entry))).toHaveLength(OPERATION_COUNT);

	await entries.getByText('On virtual account credited', { exact: true }).click();
	await byId('parameter-input-events').getByText('Virtual Account Credited').waitFor();
	await byId('ndv-close-button').click();
	await byId('node-creator-plus-button').click();
	await searchNodes('payout');
	await found.click();
	await entries.getByText(/^\s*Create fiat payout/).click();
	await byId('parameter-input-account_alias').waitFor();
	expect(await byId('parameter-input-resource').getByRole('combobox').inputValue()).toBe('Fiat Wallet');
	await byId('ndv-close-button').click();
	expect(await Promise.all((await byId('canvas-node').all()).map(words))).toEqual([
		expect.stringContaining('Wallet Service Trigger'),
		expect.stringMatching(/^Create fiat payout .*Create Payout: Fiat Wallet$/),
	]);
});

test("n8n's own options of requests stand on another tab than ours", async () => {
	const pay = ours('Pay out', 'walletService', { resource: 'fiatWallet', operation: 'createPayout' });
	await open(await store('Options', [pay]), 'Pay out');
	const parameters = byId('node-parameters');
	await parameters.getByText('Options', { exact: true }).waitFor();
	expect(await page.getByText('Request Options').filter({ visible: true }).count()).toBe(0);
	await byId('collection-parameter-add', parameters).filter({ visible: true }).click();
	await page.getByRole('option').filter({ visible: true }).getByText('Dry Run').waitFor();
	const offered = await namesOf(page.getByRole('option').filter({ visible: true }));
	expect(offered).toEqual(expect.arrayContaining(['Approved By', 'Dry Run', 'Maximum Amount']));
	expect(offered.filter((name) => ['Batching', 'Proxy', 'Timeout'].includes(name))).toEqual([]);
});

test('the fields of an output are known before the first run', async () => {
	const pay = ours('Pay out', 'walletService', { resource: 'fiatWallet', operation: 'createPayout' });
	await open(await store('Schema', [pay, node('Next', 'noOp')]), 'Next');
	const input = byId('ndv-input-panel');
	await byId('schema-preview-warning', input).waitFor();
	const fields = byId('run-data-schema-item', input);
	for (const name of ['payoutId', 'status', 'amount', 'currency', 'accountAlias'])
		await fields.getByText(name, { exact: true }).waitFor();
});

test('the trigger has a fixed, named output for each event, whatever is selected', async () => {
	const labels = byId('canvas-node-output-handle').locator('[class*="outputLabel"]');
	/** The texts of labels that the canvas cuts off. */
	const cut = () =>
		labels.evaluateAll((elements) =>
			elements
				.filter((element) => element.scrollWidth > element.clientWidth)
				.map((element) => element.textContent),
		);
	const parameters = { events: ['virtual_account_credited'], output: 'perEvent' };
	const trigger = ours('Deposits', 'walletServiceTrigger', parameters);
	const targets = Object.keys(EVENTS).map((event, place) =>
		node(event, 'noOp', {}, { position: [400, (place - 3) * 130] }),
	);
	const links = targets.map(({ name }, place) => `Deposits:${place} -> ${name}`);
	// A label has less room where no wire starts.
	for (const wires of [[], links]) {
		const nodes = [trigger, ...targets];
		await open(await stack.client.saveWorkflow({ name: 'Outputs', nodes, connections: connect(...wires) }));
		await labels.nth(7).waitFor();
		expect(await Promise.all((await labels.all()).map(words))).toEqual([
			'Wallet review',
			'Bank review',
			'Coin deposit',
			'New account',
			'Deposit',
			'Payout',
			'Funding',
			'Unknown',
		]);
		expect(await cut()).toEqual([]);
	}
	// A label that is too wide is found.
	await labels.first().evaluate((label) => (label.textContent = 'Virtual Account Credited'));
	expect(await cut()).toEqual(['Virtual Account Credited']);
});

test('the dark theme has its own icon', async () => {
	await open(stack.example('pay-once'));
	const icon = byId('canvas-node').filter({ hasText: 'Pay for an agent' }).locator('img');
	const light = await icon.getAttribute('src');
	await page.emulateMedia({ colorScheme: 'dark' });
	const dark = await until('another icon', async () => {
		const now = await icon.getAttribute('src');
		return now === light ? undefined : now;
	});
	expect([light, dark]).toEqual([
		expect.stringMatching(/walletService\.svg$/),
		expect.stringMatching(/walletService\.dark\.svg$/),
	]);
	await open(stack.example('payouts-from-list'));
	await picture('canvas-dark');
	await page.emulateMedia({ colorScheme: 'light' });
});

test('the first hour shows all payouts of a list, and what is left as a page to read', async () => {
	const executed = async (example: string, name: string) => {
		const { nodes, ...workflow } = stack.example(example);
		const { id } = nodes.find((each) => each.name === name)!;
		await open({ nodes, ...workflow }, id);
		await byId('node-execute-button').click();
	};
	await executed('payouts-from-list', 'Pay once');
	await output().getByText('3 items').waitFor();
	await executed('go-live', 'Page');
	const shown = output().frameLocator('iframe');
	await shown.getByRole('heading', { name: 'What is left before the first live payout' }).waitFor();
	await shown.getByRole('listitem').first().waitFor();
});

// The last test, because its dialog stays open.
test('the credential shows the fields of the chosen methods, with a star at what must be filled in', async () => {
	await openNewCredential();
	await field('apiKey').fill('fake-key');
	await choose('signatureStyle', 'Custom');
	await wholeForm('credential-custom');
	await choose('signatureStyle', 'Wallet Service Default');
	await choose('webhookStyle', 'Custom');
	await choose('webhookVerification', 'HMAC Signature');
	await wholeForm('credential-webhooks');
	await byId('parameter-input-webhookTolerance').waitFor();
	const labels = await namesOf(byId('credential-connection-parameter', form()));
	expect(labels.map((text) => text.replace(/\s+\*$/, ' *'))).toEqual([
		'Base URL *',
		'API Key *',
		'Signature Secret *',
		'Webhook Secret *',
		'Signature Style',
		'Webhook Style',
		'Webhook Verification',
		'Webhook Header *',
		'Webhook Algorithm',
		'Webhook Secret Encoding',
		'Webhook Payload *',
		'Webhook Signature Format *',
		'Webhook ID Header',
		'Webhook Timestamp Header',
		// The last one is of n8n itself.
		'Webhook Tolerance',
		'Allowed HTTP Request Domains',
	]);
});
