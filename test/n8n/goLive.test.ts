/** The example go live on a real n8n: what it names before the set-up, after it, and after each thing that was forgotten. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Server } from 'node:tls';
import { itemsOf, succeeded } from '../../host/n8n/client.ts';
import type { WorkflowNode } from '../../host/n8n/client.ts';
import { WITHOUT_EDITOR } from '../../host/n8n/process.ts';
import { CREDENTIAL_TYPE, startSingleProcess, startTemporaryStack } from '../../host/stack.ts';
import { payoutsMade } from '../../host/testkit/payments.ts';
import { SETTLED, setUp } from '../fixtures/goLive.ts';
import { testExamplesOf } from './executedExamples.ts';
import { useOwnStack } from './setup.ts';

jest.setTimeout(180_000);

/** The live account is the sandbox behind this name, with a certificate that n8n trusts. */
const HOST = 'api.wallet.test';
const folder = mkdtempSync(join(tmpdir(), 'wallet-service-live-'));
const fileOf = (name: string) => join(folder, name);

const stack = useOwnStack(async () => {
	const files = ['-keyout', fileOf('key.pem'), '-out', fileOf('certificate.pem')];
	const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
	const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
	execFileSync('openssl', [...request, ...files, ...subject], { stdio: 'pipe' });
	writeFileSync(
		fileOf('names.cjs'),
		`const dns = require('node:dns');
		const { lookup } = dns;
		dns.lookup = (name, ...more) => lookup(name === '${HOST}' ? '127.0.0.1' : name, ...more);`,
	);
	const env = {
		...WITHOUT_EDITOR,
		NODE_EXTRA_CA_CERTS: fileOf('certificate.pem'),
		NODE_OPTIONS: `--require=${fileOf('names.cjs')}`,
	};
	return await startTemporaryStack({ start: (userFolder) => startSingleProcess(userFolder, env) });
});

let front: Server;
const live = { id: '', name: 'Live account' };

beforeAll(async () => {
	const tls = { cert: readFileSync(fileOf('certificate.pem')), key: readFileSync(fileOf('key.pem')) };
	front = createServer(tls, (socket) => {
		const service = connect(Number(new URL(stack.sandbox.url).port), '127.0.0.1');
		socket.on('error', () => service.destroy()).pipe(service);
		service.on('error', () => socket.destroy()).pipe(socket);
	});
	await once(front.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => {
	front.close();
	rmSync(folder, { recursive: true, force: true });
});

const liveUrl = () => `https://${HOST}:${(front.address() as AddressInfo).port}`;

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

const NOTHING = [['Nothing is left to do.', '']];

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
	expect(await left()).toEqual([
		[`The credential is for a sandbox on this machine: ${stack.sandbox.url}.`, ''],
		['Allowed Aliases has what is not approved: supplier-new.', 'pay once: Pay fiat'],
		['Not published.', 'morning proof; watch'],
		['No Payment Key.', 'payouts from a list: Pay out; payouts from a list: Pay out coins'],
		['No Maximum Amount.', 'payouts from a list: Pay out; payouts from a list: Pay out coins'],
		['The Maximum Amount of the example is still there.', 'pay once: Pay coins; pay once: Pay fiat'],
		['No Maximum Payments per Day.', expect.stringContaining('pay once: Pay fiat')],
		['No Allowed Aliases.', 'payouts from a list: Pay out; payouts from a list: Pay out coins'],
		['An address of the example, at example.com, is still there.', expect.stringContaining('Upload payouts')],
		[
			'The mails go to the mailbox of the sandbox, or none is chosen.',
			expect.stringContaining('deposit arrives: Send mail'),
		],
		['No event has arrived since the workflow was published.', 'deposit arrives'],
	]);
});

test('after the set-up, nothing is left', async () => {
	await saveLive({ baseUrl: liveUrl() });
	mailId = await stack.client.saveCredential('smtp', 'Our mail server', stack.mailbox.smtp);
	await stack.control('POST', '/settlement_accounts', { alias: 'acme-main' });
	await stack.control('POST', '/reviews', { alias: 'acme-main', decision: 'Whitelisted' });
	for (const file of SETTLED) await publish(file, ready(file));
	await unpublish('payouts-from-list');
	await save('go-live', ready('go-live'));
	expect(await left()).toEqual(NOTHING);
});

type Change = (node: WorkflowNode) => unknown;

/** The nodes of an example after the set-up, but for what is forgotten in some of them, by their names. */
function forgetful(file: string, forgotten: Record<string, Change>): WorkflowNode[] {
	const nodes = ready(file);
	for (const node of nodes) forgotten[node.name]?.(node);
	return nodes;
}

test('a workflow or change that is not published, and a trigger without an event since, are named', async () => {
	const changed = (file: string) =>
		forgetful(file, { 'Send mail': ({ parameters }) => (parameters.toEmail = 'b@acme.test') });
	await unpublish('watch');
	await save('book-an-event', changed('book-an-event'));
	// An event came before it was published.
	await stack.client.publish(await save('deposit-to-item', changed('deposit-to-item')));
	expect(await left()).toEqual([
		['Not published.', 'watch'],
		['There are changes that are not published.', 'book an event'],
		['No event has arrived since the workflow was published.', 'deposit arrives'],
	]);
	for (const file of ['watch', 'book-an-event', 'deposit-to-item']) await publish(file, ready(file));
	expect(await left()).toEqual(NOTHING);
});

test('a credential for a sandbox, and one that the service refuses, are named', async () => {
	await saveLive({});
	expect(await left()).toEqual([
		[`The credential is for a sandbox on this machine: ${stack.sandbox.url}.`, ''],
	]);
	await saveLive({ baseUrl: liveUrl(), signatureSecret: 'wrong' });
	expect(await left()).toEqual([
		[expect.stringMatching(/^The settlement accounts cannot be read: The service answered 401/), ''],
		[expect.stringMatching(/^The settlement wallets cannot be read: The service answered 401/), ''],
	]);
	await saveLive({ baseUrl: liveUrl() });
});

test('a key of n8n that may not read is named', async () => {
	const name = 'n8n API (read only)';
	const apiKey = await stack.client.createApiKey(name, ['tag:list']);
	await stack.client.saveCredential('n8nApi', name, { apiKey, baseUrl: `${stack.n8n.url}/api/v1` });
	expect(await left()).toEqual([[expect.stringMatching(/^n8n does not show its workflows: /), '']]);
	const reading = await stack.client.createApiKey(name, ['workflow:list', 'workflow:read']);
	await stack.client.saveCredential('n8nApi', name, { apiKey: reading, baseUrl: `${stack.n8n.url}/api/v1` });
	expect(await left()).toEqual([[expect.stringMatching(/^n8n does not show its executions: /), '']]);
});

test('the checklist has paid nothing and changed no workflow, also without its dry run', async () => {
	const versions = async () => {
		const all = await stack.client.rest<Array<{ name: string; versionId: string }>>('GET', '/workflows');
		return all.map(({ name, versionId }) => [name, versionId]);
	};
	const withoutDryRun: Change = ({ parameters }) =>
		delete (parameters.options as { dryRun?: boolean }).dryRun;
	await save('go-live', forgetful('go-live', { 'Where it would pay': withoutDryRun }));
	const before = await versions();
	await left();
	expect(await versions()).toEqual(before);
	expect(payoutsMade(stack)).toEqual([]);
});

testExamplesOf('n8n/goLive', stack);
