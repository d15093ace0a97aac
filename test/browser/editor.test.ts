/** What people do in n8n's editor where money, signatures or secrets are at stake. `test/editor` has the rest of the editor. */
import { send } from '../../host/http.ts';
import { until } from '../../host/n8n/client.ts';
import type { Json, StoredWorkflow } from '../../host/n8n/client.ts';
import { webhookUrl } from '../../host/stack.ts';
import { payoutsMade } from '../../host/testkit/payments.ts';
import { node } from '../../host/testkit/workflows.ts';
import type { Locator } from './browser.ts';
import {
	byId,
	choose,
	field,
	form,
	open,
	openAccountList,
	openNewCredential,
	ours,
	output,
	page,
	picture,
	stack,
	store,
	useEditor,
	wholeForm,
	words,
} from './editorPage.ts';

useEditor();

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

/** The items in the output table, when it has this text. */
async function outputItems(awaited: string): Promise<Array<Record<string, string>>> {
	await byId('radio-button-table', output()).click();
	const cellsOf = async (row: Locator) =>
		(await row.locator('th, td').allInnerTexts()).map((text) => text.trim());
	const rows = output().locator('table tr');
	await rows.filter({ hasText: awaited }).first().waitFor();
	const [names = [], ...items] = await Promise.all((await rows.all()).map(cellsOf));
	return items.map((cells) =>
		Object.fromEntries(cells.map((cell, index) => [names[index], cell]).filter(([name]) => name !== '')),
	);
}

const executeStep = () => byId('node-execute-button').click();
/** The button has another label while the step runs. */
const executed = () => byId('node-execute-button').getByText('Execute step').waitFor();

describe('a payout', () => {
	const start = node('Start', 'manualTrigger');
	const edit = (name: string, parameters: Json) =>
		node(name, 'set', { mode: 'raw', options: {}, ...parameters });
	const pay = (parameters: Json) => ours('Pay out', 'walletService', parameters);

	test('a payout filled in by hand is made, to the last digit, and then as a dry run is not', async () => {
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
		const payout = { amount: '0.123456789012345678', currency: 'NGN', accountAlias: 'supplier-main' };
		const items = await outputItems('paid');
		expect(items).toEqual([
			{ result: 'paid', payoutId: expect.stringMatching(/^\w+$/), status: 'pending', ...payout },
		]);
		const made = [{ payout_id: items[0]!.payoutId, amount: payout.amount }];
		expect(payoutsMade(stack)).toMatchObject(made);
		await executed();
		await picture('payout', byId('ndv'));

		await byId('collection-parameter-add', byId('node-parameters')).filter({ visible: true }).click();
		await page.getByRole('option').filter({ visible: true }).getByText('Dry Run').click();
		const complete = saved('"dryRun":true');
		const dryRun = byId('parameter-input-dryRun');
		if (!(await dryRun.getByRole('switch').isChecked())) await dryRun.locator('.el-switch').click();
		await complete;
		await executeStep();
		const [item] = await outputItems('dryRun');
		expect(item).toMatchObject({ result: 'dryRun', dryRun: 'true', ...payout });
		expect(item).not.toHaveProperty('request');
		expect(payoutsMade(stack)).toMatchObject(made);
	});

	test("a step that has paid one of two items says so first, also in the notification, and shows the service's message", async () => {
		const twice = edit('Twice', { jsonOutput: '{}', duplicateItem: true, duplicateCount: 1 });
		const account_alias = "={{ ['supplier-main', 'supplier-new'][$itemIndex] }}";
		const payout = { resource: 'fiatWallet', operation: 'createPayout', currency: 'NGN', amount: '5' };
		await open(await store('Partly paid', [start, twice, pay({ ...payout, account_alias })]), 'Pay out');
		await executeStep();
		expect(await words(byId('node-error-message', output()))).toMatch(
			/^1 of 2 already paid\. .*supplier-new is Pending; a payout needs a destination that is Whitelisted/,
		);
		expect(await words(byId('node-error-description', output()))).toMatch(
			/^Already paid: item 1: 5 NGN to supplier-main, ID \w+\. Without a Payment Key: item 1\. Running again pays these again\./,
		);
		await page.locator('.el-notification').getByText('1 of 2 already paid').waitFor();
	});
});

test('on a tool, the model may fill in the amount, but no limit and nothing about the output', async () => {
	const options = {
		dryRun: true,
		maximumAmount: '10',
		maximumTotal: '20',
		allowedAliases: 'supplier-main',
	};
	const payout = { resource: 'fiatWallet', operation: 'createPayout', amount: '1', options };
	const list = { resource: 'virtualAccount', operation: 'getAll', output: 'raw' };
	const tool = (name: string, parameters: Json) => ours(name, 'walletServiceTool', parameters);
	const workflow = await store('Tools', [tool('Pay out', payout), tool('List', list)], {});
	/** The button that lets the model fill in a parameter. */
	const buttonOf = (parameter: string) =>
		byId('parameter-input', byId('node-parameters'))
			.filter({ has: byId(`parameter-input-${parameter}`) })
			.locator('[data-test-id="from-ai-override-button"]');
	const hasNoButtons = async (...parameters: string[]) => {
		for (const parameter of parameters) {
			await byId(`parameter-input-${parameter}`).waitFor();
			expect([parameter, await buttonOf(parameter).count()]).toEqual([parameter, 0]);
		}
	};

	await open(workflow, 'Pay out');
	await hasNoButtons(...Object.keys(options));
	expect(await buttonOf('amount').count()).toBe(1);

	await open(workflow, 'List');
	// Output takes the place of Simplify.
	await hasNoButtons('output', 'limit');
	for (const parameter of ['simplify', 'returnAll', 'fields'])
		expect([parameter, await byId(`parameter-input-${parameter}`).count()]).toEqual([parameter, 0]);
});

describe('the trigger', () => {
	const webhookId = 'c0ffee00-5a3d-4b7e-9f21-0d6b8c4e7a11';
	const testUrl = () => `${stack.n8n.url}/webhook-test/${webhookId}/webhook`;
	const parameters = () => byId('node-parameters');
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		const settings = { events: ['virtual_account_credited'], verification: 'credential' };
		workflow = await store('Deposits', [ours('Deposits', 'walletServiceTrigger', settings, { webhookId })]);
		await open(workflow, 'Deposits');
		await parameters().getByText('Webhook URLs', { exact: true }).click();
	});

	const listen = async () => {
		// The canvas offers to stop an execution until it has ended. A click before that would try to stop it.
		await byId('stop-execution-button').waitFor({ state: 'hidden' });
		await byId('trigger-execute-button')
			.getByRole('button')
			.or(byId('trigger-execute-button'))
			.last()
			.click();
		await page.getByText('Listening for test event').waitFor();
	};

	test('the trigger shows its URLs and whether deliveries are verified', async () => {
		const unverified = parameters().getByText('Anyone who knows the URL can send events');
		await parameters().getByText(testUrl()).waitFor();
		await byId('radio-button-production', parameters()).click();
		await parameters().getByText(webhookUrl(stack.n8n, workflow)).waitFor();
		expect(await words(parameters())).toMatch(/in the dashboard of the service, under API and webhooks/);
		await byId('node-credentials-select').waitFor();
		await choose('verification', 'None');
		await unverified.waitFor();
		await byId('node-credentials-select').waitFor({ state: 'hidden' });
		await choose('verification', 'Use Credential');
		await unverified.waitFor({ state: 'hidden' });
		await byId('node-credentials-select').waitFor();
	});

	test('a delivery that is refused while the editor listens shows its reason there', async () => {
		await listen();
		expect((await send(testUrl(), 'POST')).status).toBe(401);
		await byId('node-error-message', output())
			.getByText('The trigger refused this delivery: The header x-svc-signature is missing')
			.waitFor();
	});

	test('the trigger listens for a test event and receives a verified delivery', async () => {
		await listen();
		await stack.control('PUT', '/webhook', { url: testUrl() });
		const amount = '250000.123456789012345678';
		const { id } = await stack.control('POST', '/deposits', { alias: 'customer-0042', amount });
		const event = { event: 'virtual_account_credited', id, status: 'successful' };
		expect(await outputItems('customer-0042')).toEqual([
			expect.objectContaining({ ...event, currency: 'NGN', amount, accountAlias: 'customer-0042' }),
		]);
		await byId('radio-button-schema', output()).click();
		await executed();
		await picture('trigger', byId('ndv'));
	});
});

// The last test, because its dialog stays open.
test('the credential is created, and its test passes only with the right values', async () => {
	const passed = () => form().getByText('Connection tested successfully').filter({ visible: true });
	const failed = () => form().getByText('Couldn’t connect with these settings').filter({ visible: true });
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

	await openNewCredential();
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
	await until('the locked button', () => save().isDisabled());
	await saveWith({ signatureSecret: secret });
	await passed().waitFor();
});
