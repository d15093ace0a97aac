/** The example go live on a real n8n: what it names before the set-up and after it, and that it only reads. */
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { payoutsMade } from '../../host/testkit/payments.ts';
import { connect, node } from '../../host/testkit/workflows.ts';
import { testExamplesOf } from './executedExamples.ts';
import { useStack } from './setup.ts';

const EXAMPLES = ['pay-once', 'alerts-each-hour', 'go-live'];
const stack = useStack(...EXAMPLES);

/** What is left and where, and the page. */
async function check(): Promise<{ left: Json[]; page: string }> {
	const execution = succeeded(await stack.client.runByHand(stack.example('go-live').id, 'Check'));
	const [page, ...others] = itemsOf(execution, 'Page');
	expect(others).toEqual([]);
	return { left: itemsOf(execution, 'What is left'), page: String(page!.html) };
}

const whereOf = (left: Json[], wanted: string) => {
	const found = left.find(({ finding }) => finding === wanted);
	return found === undefined ? [] : String(found.where).split('; ').sort();
};

/** n8n lists its workflows in any order, and other examples may have been called. */
const findings = (left: Json[]) => left.map(({ finding }) => finding);

const SANDBOX = 'A credential with "sandbox" in its name is chosen.';
const OPEN = 'Any workflow and any agent of n8n may call this workflow, and say who approved its payments.';
const ADDRESS = 'An address of an example, such as name@example.com, is still there.';
const NOT_PUBLISHED =
	'This workflow is not published: it does not start by itself, and others cannot call it.';

test('before the set-up, a page names what is left, where, and what to do', async () => {
	const { left, page } = await check();
	expect(findings(left)).toEqual(expect.arrayContaining([OPEN, SANDBOX, ADDRESS, NOT_PUBLISHED]));
	expect(whereOf(left, ADDRESS)).toEqual(['Alerts each hour: Send mail']);
	expect(whereOf(left, NOT_PUBLISHED)).toEqual(['Alerts each hour']);
	expect(whereOf(left, OPEN)).toEqual(['Part: pay once']);
	expect(page).toContain('<h2>What is left before the first live payout</h2>');
	expect(page.match(/<li>/g)).toHaveLength(left.length);
	for (const { finding, where, whatToDo } of left)
		expect(page).toContain(`<li>${String(finding)}\n${String(where)}\n${String(whatToDo)}</li>`);
});

test('the key that is stored for it reads workflows and no executions: those would let it answer for people', async () => {
	const { credentials } = stack.example('go-live').nodes.find(({ name }) => name === 'Workflows')!;
	const read = async (resource: string) => {
		const { id } = await stack.client.saveWorkflow({
			name: `Reads each ${resource}`,
			nodes: [
				node('Start', 'manualTrigger'),
				node('Read', 'n8n', { resource, operation: 'getAll', limit: 1, filters: {} }, { credentials }),
			],
			connections: connect('Start -> Read'),
		});
		const { status, data } = await stack.client.runByHand(id, 'Start');
		return [status, data.resultData.error?.message];
	};
	expect(await read('workflow')).toEqual(['success', undefined]);
	expect(await read('execution')).toEqual(['error', expect.stringMatching(/forbidden/i)]);
});

test('a key of n8n that may not read workflows is named', async () => {
	const name = 'n8n API (read only)';
	const allow = async (...scopes: string[]) => {
		const apiKey = await stack.client.createApiKey(name, scopes);
		await stack.client.saveCredential('n8nApi', name, { apiKey, baseUrl: `${stack.n8n.url}/api/v1` });
	};
	await allow('tag:list');
	const { left, page } = await check();
	expect(findings(left)).toEqual([expect.stringMatching(/^n8n does not show its workflows: /)]);
	expect(page).toContain('create a key that may list and read workflows');
	await allow('workflow:list', 'workflow:read');
});

test('after the set-up, nothing is left', async () => {
	const { client, credential, mailbox, example } = stack;
	const credentials: Record<string, string> = {
		[CREDENTIAL_TYPE]: await client.saveCredential(CREDENTIAL_TYPE, 'Live account', credential.data),
		smtp: await client.saveCredential('smtp', 'Our mail server', mailbox.smtp),
	};
	for (const file of EXAMPLES) {
		const nodes = example(file).nodes.map((node) => {
			const own = JSON.parse(JSON.stringify(node).replaceAll('@example.com', '@acme.test')) as typeof node;
			for (const [type, id] of Object.entries(credentials))
				if (own.credentials?.[type]) own.credentials[type] = { id, name: 'Live' };
			return own;
		});
		const settings = { ...example(file).settings, callerPolicy: 'workflowsFromAList', callerIds: 'asks' };
		const saved = await client.saveWorkflow({ ...example(file), nodes, settings });
		if (file !== 'go-live') await client.publish(saved);
	}
	const { left, page } = await check();
	expect(findings(left)).toEqual(['Nothing is left here.']);
	expect(page).toContain('<li>Nothing is left here.\n\nMake the first live payout small');
});

test('the check pays nothing and changes no workflow', async () => {
	const versions = async () => {
		const all = await stack.client.rest<Array<{ name: string; versionId: string }>>('GET', '/workflows');
		return all.map(({ name, versionId }) => [name, versionId]);
	};
	const before = await versions();
	await check();
	expect(await versions()).toEqual(before);
	expect(payoutsMade(stack)).toEqual([]);
});

testExamplesOf('n8n/goLive', stack);
