/** The example go live on a real n8n: what it names before the set-up, after it, and after each thing that was forgotten. */
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { Json, WorkflowNode } from '../../host/n8n/client.ts';
import { CREDENTIAL_TYPE } from '../../host/stack.ts';
import { payoutsMade } from '../../host/testkit/payments.ts';
import { SETTLED, setUp } from '../fixtures/goLive.ts';
import { testExamplesOf } from './executedExamples.ts';
import { useStack } from './setup.ts';

const stack = useStack(...SETTLED, 'payouts-from-list', 'go-live');

const live = { id: '', name: 'Live account' };

const saveLive = async (fields: object) => {
	const data = { ...stack.credential.data, ...fields };
	live.id = await stack.client.saveCredential(CREDENTIAL_TYPE, live.name, data);
};

/** What the checklist says: what is left, and where. n8n lists its workflows in any order. */
async function left(): Promise<Array<[left: unknown, where: unknown]>> {
	const execution = succeeded(await stack.client.runByHand(stack.example('go-live').id, 'Check'));
	return itemsOf(execution, 'Left to do').map((item) => [
		item.left,
		String(item.where).split('; ').sort().join('; '),
	]);
}

/** The live account is the sandbox, so this is always left. */
const isSandbox = () => [`The credential is for a sandbox on this machine: ${stack.sandbox.url}.`, ''];

const save = async (file: string, nodes: WorkflowNode[]) =>
	await stack.client.saveWorkflow({ ...stack.example(file), nodes });

async function publish(file: string, nodes: WorkflowNode[]): Promise<void> {
	await stack.client.publish(await save(file, nodes));
	if (file !== 'deposit-to-item') return;
	const { id } = stack.example(file);
	const before = (await stack.client.executions(id)).length;
	await stack.control('POST', '/deposits', { alias: 'customer-0042', amount: '1' });
	await stack.client.endedExecutions(id, before + 1);
}

const unpublish = async (file: string) =>
	await stack.client.rest('POST', `/workflows/${stack.example(file).id}/deactivate`, {});

/** The nodes of an example after the set-up. */
const ready = (file: string) =>
	setUp(stack.example(file), live, { id: mailId, name: 'Our mail server' }).nodes;
let mailId = '';

test('before the set-up, all is named', async () => {
	const named = await left();
	expect(named.map(([what]) => what)).toEqual([
		...[isSandbox()[0], 'Allowed Aliases has what is not approved: supplier-new.', 'Not published.'],
		...['No Payment Key.', 'No Maximum Amount.', 'The Maximum Amount of the example is still there.'],
		...['No Maximum Payments per Day.', 'No Allowed Aliases.'],
		'An address of the example, at example.com, is still there.',
		'The mails go to the mailbox of the sandbox, or none is chosen.',
		'No event has arrived since the workflow was published.',
	]);
	expect(named[2]).toEqual(['Not published.', 'morning proof; watch']);
});

test('after the set-up, nothing else than another account is left', async () => {
	await saveLive({});
	mailId = await stack.client.saveCredential('smtp', 'Our mail server', stack.mailbox.smtp);
	await stack.control('POST', '/settlement_accounts', { alias: 'acme-main' });
	await stack.control('POST', '/reviews', { alias: 'acme-main', decision: 'Whitelisted' });
	for (const file of SETTLED) await publish(file, ready(file));
	await unpublish('payouts-from-list');
	await save('go-live', ready('go-live'));
	expect(await left()).toEqual([isSandbox()]);
});

/** The nodes of an example after the set-up, but for what is forgotten in the parameters of one of them. */
function forgetful(file: string, name: string, forget: (parameters: Json) => unknown): WorkflowNode[] {
	const nodes = ready(file);
	forget(nodes.find((node) => node.name === name)!.parameters);
	return nodes;
}

test('a workflow or change that is not published, and a trigger without an event since, are named', async () => {
	const changed = (file: string) =>
		forgetful(file, 'Send mail', (parameters) => (parameters.toEmail = 'b@acme.test'));
	await unpublish('watch');
	await save('book-an-event', changed('book-an-event'));
	// An event came before it was published.
	await stack.client.publish(await save('deposit-to-item', changed('deposit-to-item')));
	expect(await left()).toEqual([
		isSandbox(),
		['Not published.', 'watch'],
		['There are changes that are not published.', 'book an event'],
		['No event has arrived since the workflow was published.', 'deposit arrives'],
	]);
	for (const file of ['watch', 'book-an-event', 'deposit-to-item']) await publish(file, ready(file));
	expect(await left()).toEqual([isSandbox()]);
});

test('a credential that the service refuses, and a key of n8n that may not read, are named', async () => {
	const name = 'n8n API (read only)';
	const allow = async (...scopes: string[]) => {
		const apiKey = await stack.client.createApiKey(name, scopes);
		await stack.client.saveCredential('n8nApi', name, { apiKey, baseUrl: `${stack.n8n.url}/api/v1` });
	};
	await saveLive({ signatureSecret: 'wrong' });
	await allow('tag:list');
	expect(await left()).toEqual([
		isSandbox(),
		[expect.stringMatching(/^The settlement accounts cannot be read: The service answered 401/), ''],
		[expect.stringMatching(/^The settlement wallets cannot be read: The service answered 401/), ''],
		[expect.stringMatching(/^n8n does not show its workflows: /), ''],
	]);
	await saveLive({});
	await allow('workflow:list', 'workflow:read');
	expect(await left()).toEqual([
		isSandbox(),
		[expect.stringMatching(/^n8n does not show its executions: /), ''],
	]);
});

test('the checklist has paid nothing and changed no workflow, also without its dry run', async () => {
	const versions = async () => {
		const all = await stack.client.rest<Array<{ name: string; versionId: string }>>('GET', '/workflows');
		return all.map(({ name, versionId }) => [name, versionId]);
	};
	const withoutDryRun = ({ options }: Json) => delete (options as { dryRun?: boolean }).dryRun;
	await save('go-live', forgetful('go-live', 'Where it would pay', withoutDryRun));
	const before = await versions();
	await left();
	expect(await versions()).toEqual(before);
	expect(payoutsMade(stack)).toEqual([]);
});

testExamplesOf('n8n/goLive', stack);
