/**
 * One page of n8n's editor for the tests of a file, and what people do there. A load of the whole editor takes seconds of processor
 * time, so the page is loaded once.
 */
import type { Json, StoredWorkflow, WorkflowNode } from '../../host/n8n/client.ts';
import { TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { credentialsOf, inLine, node } from '../../host/testkit/workflows.ts';
import { useStack } from '../n8n/setup.ts';
import { PICTURES, savePicture, useBrowser } from './browser.ts';
import type { Locator, Page } from './browser.ts';

export let page: Page;
export let stack: Stack;

/** Opens the page before the tests, on an n8n with these examples. */
export function useEditor(...examples: string[]): void {
	const chromium = useBrowser();
	stack = useStack(...examples);
	beforeAll(async () => {
		page = await chromium.newPage({ viewport: { width: 1440, height: 860 }, colorScheme: 'light' });
		await page.goto(`${stack.n8n.url}/signin`);
		await page.locator('input[autocomplete="email"]').fill(TEMPORARY_OWNER.email);
		await page.locator('input[type="password"]').fill(TEMPORARY_OWNER.password);
		await page.keyboard.press('Enter');
		await page.waitForURL(/\/(home|workflow)/);
	});
}

/** Takes a picture of the page or a part of it for the documentation, without notifications and tooltips. */
export async function picture(name: string, part: Page | Locator = page): Promise<void> {
	await page.mouse.move(0, 0);
	const hidden = '.el-notification, [role="tooltip"], .n8n-tooltip, [data-test-id="floating-node"]';
	await savePicture(name, part, `${hidden} { visibility: hidden !important }`);
}

export const byId = (id: string, within: Page | Locator = page) => within.locator(`[data-test-id="${id}"]`);
export const output = () => byId('output-panel');

/** The visible text with single spaces. */
export const words = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/g, ' ').trim();

/** n8n's list of nodes and of what they do. */
export const creator = () => byId('node-creator');
/** The entries of that list with exactly this name. */
export const entry = (name: string) =>
	byId('node-creator-item-name', creator()).getByText(name, { exact: true });

/** Searches the open list. */
export async function searchNodes(text: string): Promise<void> {
	const bar = byId('node-creator-search-bar');
	// The result of the earlier search must disappear first.
	await bar.fill('no node has this name');
	await entry('Wallet Service').waitFor({ state: 'hidden' });
	await bar.fill(text);
}

/** The input element of a parameter. */
export const field = (name: string) => byId(`parameter-input-${name}`).locator('input, textarea').last();

/** The names of options, without their descriptions. */
export const namesOf = async (options: Locator) =>
	(await options.allInnerTexts()).map((text) => text.trim().split('\n')[0] ?? '');

/** Chooses from the list of a parameter. */
export async function choose(parameter: string, name: string): Promise<void> {
	const input = byId(`parameter-input-${parameter}`).getByRole('combobox');
	await input.click();
	const options = page.locator(`[id="${await input.getAttribute('aria-controls')}"]`).getByRole('option');
	await options.first().waitFor();
	await options.nth((await namesOf(options)).indexOf(name)).click();
	await options.first().waitFor({ state: 'hidden' });
}

/** Opens a list whose entries come from the account. If a parameter changes while it loads, the editor waits for ever. */
export async function openAccountList(parameter: string): Promise<void> {
	await byId('rlc-input', byId(`resource-locator-${parameter}`)).click();
	await byId('rlc-item').or(byId('rlc-error-container')).filter({ visible: true }).first().waitFor();
}

export const ours = (name: string, type: string, parameters: Json, more: Partial<WorkflowNode> = {}) =>
	node(name, `n8n-nodes-wallet-service.${type}`, parameters, {
		credentials: credentialsOf(stack),
		...more,
	});

/** Stores a workflow that connects the nodes in their order. */
export function store(
	name: string,
	nodes: WorkflowNode[],
	connections = inLine(nodes),
): Promise<StoredWorkflow> {
	return stack.client.saveWorkflow({
		name,
		// The ID of a node is in the address of its page.
		nodes: nodes.map((each, index) => ({ id: each.name, ...each, position: [index * 220, 0] })),
		connections,
	});
}

/** Opens a path as a link of the editor does, from its home, so that what was open is gone. */
export async function goTo(path: string): Promise<void> {
	const push = (to: string) =>
		page.evaluate((each) => {
			history.pushState(null, '', each);
			dispatchEvent(new PopStateEvent('popstate'));
		}, to);
	// n8n shows the second one where no workflow is listed.
	const home = byId('resources-list-wrapper').or(page.getByText('Create your first automation'));
	const leave = page.getByRole('button', { name: 'Leave without saving' });
	await push('/home/workflows');
	await home.or(leave).first().waitFor();
	if (await leave.isVisible()) await leave.click();
	await home.waitFor();
	await push(path);
}

/** Opens a stored workflow, or one of its nodes. */
export async function open({ id }: StoredWorkflow, name?: string): Promise<void> {
	await goTo(`/workflow/${id}${name === undefined ? '' : `/${name}`}`);
	await byId(name === undefined ? 'canvas-node' : 'node-parameters')
		.first()
		.waitFor();
}

/** The form of a credential. */
export const form = () => byId('node-credentials-config-container');

export async function openNewCredential(): Promise<void> {
	await goTo('/home/credentials/create');
	await byId('new-credential-type-select').getByRole('combobox').fill('wallet');
	await page.getByRole('option', { name: 'Wallet Service API' }).click();
	await byId('new-credential-type-button').click();
	await form().waitFor();
}

/** A picture of all fields of the credential: n8n's dialog shows the first six at a time. */
export async function wholeForm(name: string): Promise<void> {
	if (PICTURES === undefined) return;
	const size = page.viewportSize() ?? { width: 1440, height: 860 };
	await page.setViewportSize({ ...size, height: 2600 });
	const style = await page.addStyleTag({
		content:
			'.el-dialog, .el-dialog *:has([data-test-id="node-credentials-config-container"]) { height: auto !important; max-height: none !important; overflow: visible !important }',
	});
	await picture(name, page.locator('.el-dialog').filter({ visible: true }));
	await style.evaluate((element: Element) => element.remove());
	await page.setViewportSize(size);
}
