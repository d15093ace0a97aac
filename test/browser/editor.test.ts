/** What people see and do in n8n's editor. All tests of this file share one n8n and one browser page. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS } from '../../api/events.ts';
import { until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { payoutsMade } from '../../host/testkit/payments.ts';
import { tableOf } from '../fixtures/documentTables.ts';
import { OPERATIONS } from '../fixtures/operations.ts';
import { useStack } from '../n8n/setup.ts';
import { connect, credentialsOf, inLine, node } from '../../host/testkit/workflows.ts';
import { openEditor, useBrowser } from './browser.ts';
import type { Locator, Page } from './browser.ts';

jest.setTimeout(120_000);

/** The folder for the pictures of the documentation. Without it, no pictures are taken. */
const PICTURES = process.env.SCREENSHOTS;
const TRIGGER_ID = 'c0ffee00-5a3d-4b7e-9f21-0d6b8c4e7a11';

const OPERATION_COUNT = Object.keys(OPERATIONS).length;

const chromium = useBrowser();
let page: Page;

const stack = useStack('payouts-from-list');

beforeAll(async () => {
	page = await openEditor(chromium.browser, stack);
});

/** A test that saves a picture of the page when it fails. */
function testPage(name: string, check: () => Promise<void>): void {
	test(name, async () => {
		try {
			await check();
		} catch (error) {
			const file = `.local/browser/${name.replaceAll(/\W+/g, '-')}.png`;
			await page.screenshot({ path: file });
			throw new Error(`${(error as Error).message}\nA picture of the page is in ${file}`, { cause: error });
		}
	});
}

/** Takes a picture of the page or a part of it for the documentation, without notifications and tooltips. */
async function picture(name: string, part: Page | Locator = page): Promise<void> {
	if (PICTURES === undefined) return;
	mkdirSync(PICTURES, { recursive: true });
	await page.mouse.move(0, 0);
	await part.screenshot({
		path: join(PICTURES, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
		style:
			'.el-notification, [role="tooltip"], .n8n-tooltip, [data-test-id="floating-node"] { visibility: hidden !important }',
	});
}

const byId = (id: string, within: Page | Locator = page) => within.locator(`[data-test-id="${id}"]`);
const output = () => byId('output-panel');
/** The open node with its input and output. */
const details = () => byId('ndv');

const firstLine = (text: string) => text.split('\n')[0] ?? '';

/** The visible text with single spaces. */
const words = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/g, ' ').trim();

/** The input element of a parameter. */
const field = (name: string) => byId(`parameter-input-${name}`).locator('input, textarea').last();

/** Opens the list of a parameter. Returns its options. */
async function openList(parameter: string): Promise<Locator> {
	const input = byId(`parameter-input-${parameter}`).getByRole('combobox');
	await input.click();
	const list = page.locator(`[id="${await input.getAttribute('aria-controls')}"]`);
	const options = list.getByRole('option');
	await options.first().waitFor();
	return options;
}

/** The names of options, without their descriptions. */
const namesOf = async (options: Locator) =>
	(await options.allInnerTexts()).map((text) => firstLine(text.trim()));

async function choose(parameter: string, name: string): Promise<void> {
	const options = await openList(parameter);
	await options.nth((await namesOf(options)).indexOf(name)).click();
	await options.first().waitFor({ state: 'hidden' });
}

/** Opens a list whose entries come from the account. If a parameter changes while it loads, the editor waits for ever. */
async function openAccountList(parameter: string): Promise<void> {
	await byId('rlc-input', byId(`resource-locator-${parameter}`)).click();
	await byId('rlc-item').or(byId('rlc-error-container')).filter({ visible: true }).first().waitFor();
}

/** Resolves when the editor has autosaved all these texts, since typed text takes effect with a delay. */
function saved(...texts: string[]): Promise<unknown> {
	return page.waitForResponse((response) => {
		const sent = response.request();
		const content = sent.postData() ?? '';
		return (
			sent.method() === 'PATCH' &&
			sent.url().includes('/rest/workflows/') &&
			texts.every((text) => content.includes(text))
		);
	});
}

/** The items in the output table. */
async function outputItems(): Promise<Array<Record<string, string>>> {
	await byId('radio-button-table', output()).click();
	const cellsOf = async (row: Locator) =>
		(await row.locator('th, td').allInnerTexts()).map((text) => text.trim());
	const rows = output().locator('table tr');
	await rows.nth(1).waitFor();
	const [names = [], ...items] = await Promise.all((await rows.all()).map(cellsOf));
	return items.map((cells) =>
		Object.fromEntries(cells.map((cell, index) => [names[index], cell]).filter(([name]) => name !== '')),
	);
}

const executeStep = () => byId('node-execute-button').click();

const ours = (name: string, type: string, parameters: Json, more: Partial<WorkflowNode> = {}) =>
	node(name, `n8n-nodes-wallet-service.${type}`, parameters, {
		credentials: credentialsOf(stack),
		...more,
	});

/** Stores a workflow that connects the nodes in their order. */
function store(name: string, nodes: WorkflowNode[]): Promise<StoredWorkflow> {
	return stack.client.saveWorkflow({
		name,
		// The ID of a node is in the address of its page.
		nodes: nodes.map((each, index) => ({ id: each.name, ...each, position: [index * 220, 0] })),
		connections: inLine(nodes),
	});
}

/** Opens a stored workflow, or one of its nodes, in the editor. */
async function open({ id }: StoredWorkflow, name?: string): Promise<void> {
	await page.goto(`${stack.n8n.url}/workflow/${id}${name === undefined ? '' : `/${name}`}`);
	await byId(name === undefined ? 'canvas-node' : 'node-parameters')
		.first()
		.waitFor();
}

/** The payouts that the service has accepted. */
function payouts(): Json[] {
	return payoutsMade(stack).map(({ payout_id, amount }) => ({ payoutId: payout_id, amount }));
}

describe('the node creator', () => {
	const creator = () => byId('node-creator');
	const found = () => byId('node-creator-item-name', creator()).getByText(/^\s*Wallet Service\s*$/);

	async function search(text: string): Promise<void> {
		const bar = byId('node-creator-search-bar');
		// The result of the earlier search must disappear first.
		await bar.fill('no node has this name');
		await found().waitFor({ state: 'hidden' });
		await bar.fill(text);
	}

	testPage('the node creator finds the nodes by name and by purpose, as one entry', async () => {
		await page.goto(`${stack.n8n.url}/workflow/new`);
		await byId('node-creator-plus-button').click();
		for (const text of ['wallet service trigger', 'pay', 'send money', 'webhook', 'Wallet Service']) {
			await search(text);
			await found().waitFor();
		}
	});

	testPage(
		'the node creator has an entry for each event and each operation, which adds its node',
		async () => {
			await found().click();
			await byId('node-creator-category-item', creator()).getByText(`Actions (${OPERATION_COUNT})`).click();
			const entries = byId('node-creator-item-name', creator());
			// The entries appear one after another.
			const count = Object.keys(EVENTS).length + OPERATION_COUNT;
			await until('all events and operations', async () => (await entries.count()) >= count);
			await picture('node-creator', creator());
			const offered = (await entries.allInnerTexts()).map((text) => text.trim());
			const events = tableOf('docs/operations.md', 'Events')
				.map(([name = '']) => `On ${name.toLowerCase()}`)
				.toSorted();
			expect(offered.filter((entry) => entry.startsWith('On '))).toEqual(events);
			expect(offered.filter((entry) => !events.includes(entry))).toHaveLength(OPERATION_COUNT);

			await entries.getByText('On virtual account credited', { exact: true }).click();
			await byId('parameter-input-events').getByText('Virtual Account Credited').waitFor();
			await byId('ndv-close-button').click();
			await byId('node-creator-plus-button').click();
			await search('payout');
			await found().click();
			await entries.getByText(/^\s*Create a fiat payout/).click();
			await byId('parameter-input-account_alias').waitFor();
			expect(await byId('parameter-input-resource').getByRole('combobox').inputValue()).toBe('Fiat Wallet');
			await byId('ndv-close-button').click();
			expect(await Promise.all((await byId('canvas-node').all()).map(words))).toEqual([
				expect.stringContaining('Wallet Service Trigger'),
				expect.stringMatching(/^Create a fiat payout .*Create Payout: Fiat Wallet$/),
			]);
		},
	);
});

describe('a payout', () => {
	const start = node('Start', 'manualTrigger');
	const edit = (name: string, parameters: Json) =>
		node(name, 'set', { mode: 'raw', options: {}, ...parameters });
	const pay = (parameters: Json) => ours('Pay out', 'walletService', parameters);
	const payout = {
		resource: 'fiatWallet',
		operation: 'createPayout',
		currency: 'NGN',
		amount: '5',
		account_alias: 'supplier-main',
	};

	testPage('a payout that is filled in by hand is made, to the last digit', async () => {
		const invoice = { invoice: 'INV-0042', supplier: 'Acme Supplies', total: '0.123456789012345678' };
		const nodes = [start, edit('Invoice', { jsonOutput: JSON.stringify(invoice) }), pay({})];
		await open(await store('By hand', nodes), 'Pay out');
		await choose('resource', 'Fiat Wallet');
		await choose('operation', 'Create Payout');
		const typed = saved('"NGN"', '"0.123456789012345678"');
		await byId('rlc-mode-selector', byId('resource-locator-currency')).click();
		await page.getByRole('option', { name: /^By / }).filter({ visible: true }).click();
		await field('currency').pressSequentially('NGN');
		await field('amount').pressSequentially('0.123456789012345678');
		await typed;
		const chosen = saved('"supplier-main"');
		await openAccountList('account_alias');
		await byId('rlc-search').filter({ visible: true }).fill('MAIN');
		const found = byId('rlc-item').filter({ visible: true });
		await found.filter({ hasText: 'supplier-new' }).waitFor({ state: 'hidden' });
		await found.getByText('supplier-main').click();
		await chosen;
		await executeStep();
		const items = await outputItems();
		expect(items).toEqual([
			{
				result: 'paid',
				payoutId: expect.stringMatching(/^\w+$/),
				status: 'pending',
				amount: '0.123456789012345678',
				currency: 'NGN',
				accountAlias: 'supplier-main',
			},
		]);
		expect(payouts()).toContainEqual({
			payoutId: items[0]!.payoutId,
			amount: '0.123456789012345678',
		});
		// The button has another label while the step runs.
		await byId('node-execute-button').getByText('Execute step').waitFor();
		await picture('payout', details());
	});

	testPage(
		"a step that has paid one of two items says so first, also in the notification, and shows the service's message",
		async () => {
			const twice = edit('Twice', { jsonOutput: '{}', duplicateItem: true, duplicateCount: 1 });
			const parameters = { ...payout, account_alias: "={{ ['supplier-main', 'supplier-new'][$itemIndex] }}" };
			await open(await store('Partly paid', [start, twice, pay(parameters)]), 'Pay out');
			await executeStep();
			expect(await words(byId('node-error-message', output()))).toMatch(
				/^1 of 2 already paid\. .*supplier-new is Pending; a payout needs a destination that is Whitelisted/,
			);
			expect(await words(byId('node-error-description', output()))).toMatch(
				/^Already paid: item 0: 5 NGN to supplier-main, ID \w+\. Without a Payment Key: item 0\. Running again pays these again\./,
			);
			await page.locator('.el-notification').getByText('1 of 2 already paid').waitFor();
		},
	);

	testPage('a payout as a dry run shows what would be paid and sends nothing', async () => {
		const before = payouts();
		await open(await store('Dry run', [start, pay(payout)]), 'Pay out');
		await byId('collection-parameter-add', byId('node-parameters')).filter({ visible: true }).click();
		const options = page.getByRole('option').filter({ visible: true });
		await options.first().waitFor();
		expect(await namesOf(options)).toEqual([
			...['Allowed Aliases', 'Allowed Currencies', 'Amount Format', 'Dry Run', 'If Outcome Is Unknown'],
			...['Maximum Amount', 'Maximum Payments per Day', 'Maximum Total', 'Refused Codes', 'Show Request'],
		]);
		await options.getByText('Dry Run').click();
		const complete = saved('"dryRun":true');
		const dryRun = byId('parameter-input-dryRun');
		if (!(await dryRun.getByRole('switch').isChecked())) await dryRun.locator('.el-switch').click();
		await complete;
		await executeStep();
		const [item] = (await outputItems()) as [Record<string, string>];
		expect(item).toMatchObject({ result: 'dryRun', dryRun: 'true', accountAlias: 'supplier-main' });
		expect(item).not.toHaveProperty('request');
		expect(payouts()).toEqual(before);
	});
});

/** The button that lets the model fill in a parameter of a tool. */
const buttonOf = (parameter: string) =>
	byId('parameter-input', byId('node-parameters'))
		.filter({ has: byId(`parameter-input-${parameter}`) })
		.locator('[data-test-id="from-ai-override-button"]');

testPage(
	'on a tool that reads, Output takes the place of Simplify, and the model sets no limit',
	async () => {
		const parameters = { resource: 'virtualAccount', operation: 'getAll', output: 'selected' };
		await open(await store('A tool that reads', [ours('List', 'walletServiceTool', parameters)]), 'List');
		for (const parameter of ['output', 'fields', 'limit']) {
			await byId(`parameter-input-${parameter}`).waitFor();
			expect([parameter, await buttonOf(parameter).count()]).toEqual([parameter, 0]);
		}
		for (const parameter of ['simplify', 'returnAll'])
			expect([parameter, await byId(`parameter-input-${parameter}`).count()]).toEqual([parameter, 0]);
	},
);

testPage('on a tool, the model may fill in the amount but no limit', async () => {
	const options = { dryRun: true, maximumAmount: '10', maximumTotal: '20', allowedAliases: 'supplier-main' };
	const parameters = { resource: 'fiatWallet', operation: 'createPayout', amount: '1', options };
	await open(await store('Limits of a tool', [ours('Pay out', 'walletServiceTool', parameters)]), 'Pay out');
	await byId('parameter-input-maximumAmount').waitFor();
	expect(await field('toolDescription').inputValue()).toContain('A new payout is made on each call.');
	expect(await buttonOf('amount').count()).toBe(1);
	for (const limit of Object.keys(options))
		expect([limit, await buttonOf(limit).count()]).toEqual([limit, 0]);
});

testPage('the list of contracts shows what is exchanged for what', async () => {
	const convert = ours('Convert', 'walletService', { resource: 'instantLiquidity', operation: 'convert' });
	await open(await store('Contracts', [convert]), 'Convert');
	await openAccountList('contract_id');
	const usdt = /^USDT -> NGN at 1,550\.4, /;
	await byId('rlc-item').filter({ visible: true }).getByText(usdt).click();
	expect(await field('contract_id').inputValue()).toMatch(usdt);
});

testPage('the fields of an output are known before the first run', async () => {
	const pay = ours('Pay out', 'walletService', { resource: 'fiatWallet', operation: 'createPayout' });
	await open(await store('Schema', [pay, node('Next', 'noOp')]), 'Next');
	const input = byId('ndv-input-panel');
	await byId('schema-preview-warning', input).waitFor();
	const fields = byId('run-data-schema-item', input);
	for (const name of ['payoutId', 'status', 'amount', 'currency', 'accountAlias'])
		await fields.getByText(name, { exact: true }).waitFor();
});

describe('the credential', () => {
	const form = () => byId('node-credentials-config-container');
	const passed = () => form().getByText('Connection tested successfully').filter({ visible: true });
	const failed = () => form().getByText('Couldn’t connect with these settings').filter({ visible: true });
	const dialog = () => page.locator('.el-dialog').filter({ visible: true });
	/** A picture of all fields: n8n's dialog shows the first six at a time. */
	const wholeForm = async (name: string) => {
		if (PICTURES === undefined) return;
		const size = page.viewportSize() ?? { width: 1440, height: 860 };
		await page.setViewportSize({ ...size, height: 2600 });
		const style = await page.addStyleTag({
			content:
				'.el-dialog, .el-dialog *:has([data-test-id="node-credentials-config-container"]) { height: auto !important; max-height: none !important; overflow: visible !important }',
		});
		await picture(name, dialog());
		await style.evaluate((element: Element) => element.remove());
		await page.setViewportSize(size);
	};
	/** The button, not its frame: after a test that passed, the frame holds the word *Saved* until a field changes. */
	const save = () => page.getByRole('button', { name: 'Save', exact: true });
	const saveWith = async (fields: Record<string, string>) => {
		for (const [name, value] of Object.entries(fields)) await field(name).fill(value);
		await save().click();
	};
	/** The reason behind the message that the test failed. */
	const refused = async (reason: string) => {
		await failed().waitFor();
		const more = form().getByText('More details').filter({ visible: true });
		if ((await more.count()) > 0) await more.click();
		await form().getByText(reason).filter({ visible: true }).waitFor();
	};

	const openNew = async () => {
		await page.goto(`${stack.n8n.url}/home/credentials/create`);
		const type = byId('new-credential-type-select').getByRole('combobox');
		await type.fill('wallet');
		await page.getByRole('option', { name: 'Wallet Service API' }).click();
		await byId('new-credential-type-button').click();
	};

	testPage('the credential is created, and its test passes only with the right values', async () => {
		await openNew();
		const { url, key, secret } = stack.sandbox;
		// Wrong and right alternate, so that each result is a change.
		await saveWith({ baseUrl: url, apiKey: 'wrong', signatureSecret: secret });
		await refused('The service does not accept the API Key or the signature: x-svc-key is not the key');
		await saveWith({ baseUrl: `${url}/v1/`, apiKey: key });
		await passed().waitFor();
		await saveWith({ baseUrl: 'api.example.com' });
		await refused('Base URL is not a whole address. Enter one such as https://api.example.com');
		await saveWith({ baseUrl: url });
		await passed().waitFor();
		await wholeForm('credential');
		await saveWith({ signatureSecret: 'wrong' });
		await refused('The service does not accept the API Key or the signature: x-svc-signature does not match');
		expect(await passed().count()).toBe(0);
		// n8n neither saves nor tests while a field with a star is empty.
		await field('signatureSecret').fill('');
		await until('the locked button', () => save().isDisabled(), 10_000);
		await saveWith({ signatureSecret: secret });
		await passed().waitFor();
	});

	testPage(
		'the credential shows only the fields of the chosen methods, with a star at what must be filled in',
		async () => {
			const texts = () => byId('credential-connection-parameter', form()).allInnerTexts();
			const shown = async (expected: string[]) => {
				const count = async () => (await texts()).length === expected.length;
				await until(`the fields ${expected.join(', ')}`, count, 10_000);
				expect((await texts()).map((text) => firstLine(text).replace(/\s+\*$/, ' *'))).toEqual(expected);
			};
			const beginning = ['Base URL *', 'API Key *', 'Signature Secret *', 'Webhook Secret'];
			/** A field of n8n itself. */
			const end = 'Allowed HTTP Request Domains';
			await openNew();
			await shown([...beginning, 'Webhook Style', end]);
			await field('apiKey').fill('fake-key');
			await shown([...beginning, 'Signature Style', 'Webhook Style', end]);
			await choose('signatureStyle', 'Custom');
			await wholeForm('credential-custom');
			await choose('signatureStyle', 'Wallet Service Default');
			await choose('webhookStyle', 'Custom');
			await choose('webhookVerification', 'HMAC Signature');
			await wholeForm('credential-webhooks');
			await shown([
				...beginning.slice(0, 3),
				...['Webhook Secret *', 'Signature Style', 'Webhook Style', 'Webhook Verification'],
				...['Webhook Header *', 'Webhook Algorithm', 'Webhook Secret Encoding', 'Webhook Payload *'],
				...['Webhook Signature Format *', 'Webhook ID Header', 'Webhook Timestamp Header'],
				...['Webhook Tolerance', end],
			]);
		},
	);
});

describe('the trigger', () => {
	const trigger = (parameters: Json) =>
		ours('Deposits', 'walletServiceTrigger', parameters, { webhookId: TRIGGER_ID });
	const labels = () => byId('canvas-node-output-handle').locator('[class*="outputLabel"]');
	const listen = async () => {
		await byId('node-parameters').getByText('Webhook URLs', { exact: true }).click();
		await byId('trigger-execute-button')
			.getByRole('button')
			.or(byId('trigger-execute-button'))
			.last()
			.click();
		await page.getByText('Listening for test event').waitFor();
	};
	const unverified = () => byId('node-parameters').getByText('Anyone who knows the URL can send events');

	testPage('the trigger shows its URLs and whether deliveries are verified', async () => {
		const workflow = await store('Panel', [trigger({ events: ['virtual_account_credited'] })]);
		await open(workflow, 'Deposits');
		const parameters = byId('node-parameters');
		await parameters.getByText('Webhook URLs', { exact: true }).click();
		await parameters.getByText(`${stack.n8n.url}/webhook-test/${TRIGGER_ID}/webhook`).waitFor();
		await byId('radio-button-production', parameters).click();
		await parameters.getByText(webhookUrl(stack.n8n, workflow)).waitFor();
		expect(await words(parameters)).toMatch(/in the dashboard of the service, under API and webhooks/);
		await byId('node-credentials-select').waitFor();
		await choose('verification', 'None');
		await unverified().waitFor();
		await byId('node-credentials-select').waitFor({ state: 'hidden' });
		await choose('verification', 'Use Credential');
		await unverified().waitFor({ state: 'hidden' });
		await byId('node-credentials-select').waitFor();
	});

	testPage('the trigger listens for a test event and receives a verified delivery', async () => {
		const parameters = { events: ['virtual_account_credited'], verification: 'credential' };
		await open(await store('Listen', [trigger(parameters)]), 'Deposits');
		await listen();
		await stack.control('PUT', '/webhook', { url: `${stack.n8n.url}/webhook-test/${TRIGGER_ID}/webhook` });
		const { id } = await stack.control('POST', '/deposits', {
			alias: 'customer-0042',
			amount: '250000.123456789012345678',
		});
		expect(await outputItems()).toEqual([
			expect.objectContaining({
				event: 'virtual_account_credited',
				id,
				status: 'successful',
				currency: 'NGN',
				amount: '250000.123456789012345678',
				accountAlias: 'customer-0042',
			}),
		]);
		await byId('radio-button-schema', output()).click();
		await byId('node-execute-button').getByText('Execute step').waitFor();
		await picture('trigger', details());
	});

	/** The texts of labels that the canvas cuts off. */
	const cut = () =>
		labels().evaluateAll((elements) =>
			elements
				.filter((element) => element.scrollWidth > element.clientWidth)
				.map((element) => element.textContent),
		);
	const targets = Object.keys(EVENTS).map((event, place) =>
		node(event, 'noOp', {}, { position: [400, (place - 3) * 130] }),
	);

	testPage('the trigger has a fixed, named output for each event, whatever is selected', async () => {
		const parameters = { events: ['virtual_account_credited'], output: 'perEvent' };
		const links = targets.map(({ name }, place) => `Deposits:${place} -> ${name}`);
		// A label has less room where no wire starts.
		for (const [name, wires] of [
			['No wires', []],
			['Wires', links],
		] as const) {
			await open(
				await stack.client.saveWorkflow({
					name,
					nodes: [trigger(parameters), ...targets],
					connections: connect(...wires),
				}),
			);
			await labels().nth(7).waitFor();
			expect(await Promise.all((await labels().all()).map(words))).toEqual([
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
		await picture('outputs');
		// A label that is too wide is found.
		await labels()
			.first()
			.evaluate((label) => (label.textContent = 'Virtual Account Credited'));
		expect(await cut()).toEqual(['Virtual Account Credited']);
	});

	testPage('a delivery that is refused while the editor listens shows its reason there', async () => {
		const parameters = { events: ['virtual_account_credited'], verification: 'credential' };
		await open(await store('Refused', [trigger(parameters)]), 'Deposits');
		await listen();
		const url = `${stack.n8n.url}/webhook-test/${TRIGGER_ID}/webhook`;
		expect((await fetch(url, { method: 'POST' })).status).toBe(401);
		await byId('node-error-message', output())
			.getByText('The trigger refused this delivery: The header x-svc-signature is missing')
			.waitFor();
		await picture('refused', details());
	});
});

testPage('the dark theme has its own icon', async () => {
	await open(stack.example('payouts-from-list'));
	const icon = byId('canvas-node').filter({ hasText: 'Create Payout: Fiat Wallet' }).locator('img');
	const light = await icon.getAttribute('src');
	await page.emulateMedia({ colorScheme: 'dark' });
	await until('another icon', async () => ((await icon.getAttribute('src')) === light ? undefined : true));
	const dark = await icon.getAttribute('src');
	expect([light, dark]).toEqual([
		expect.stringMatching(/walletService\.svg$/),
		expect.stringMatching(/walletService\.dark\.svg$/),
	]);
	await page.getByText('Production Checklist').waitFor();
	await page.keyboard.press('Escape');
	await picture('canvas-dark');
	await page.emulateMedia({ colorScheme: 'light' });
});
