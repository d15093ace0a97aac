/** A second `npm start` with the data of an earlier one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSingleProcess, startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import { runMainJob } from '../../host/mainJob.ts';
import { connect, node } from '../../host/testkit/workflows.ts';
import { until } from '../../host/until.ts';

jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'wallet-service-start-'));
/** What n8n asked other machines for. All requests go through this proxy, which refuses them. */
const askedOutside: string[] = [];
const proxy = createServer((request, response) => {
	askedOutside.push(String(request.url));
	response.writeHead(502).end();
}).on('connect', (request, socket) => {
	askedOutside.push(String(request.url));
	socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});

beforeAll(() => new Promise<void>((listening) => void proxy.listen(0, '127.0.0.1', listening)));

const start = () =>
	startStack({
		userFolder: folder,
		sandboxDatabase: join(folder, 'sandbox.db'),
		owner: TEMPORARY_OWNER,
		start: async (userFolder) => {
			const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
			const env = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '127.0.0.1,localhost' };
			return await startSingleProcess(userFolder, env);
		},
	});

/** A workflow asks another machine, which shows that n8n's requests do go through the proxy. */
async function askOutside({ client }: Stack): Promise<void> {
	const ask = (name: string, url: string) => ({
		...node(name, 'httpRequest', { url }),
		onError: 'continueRegularOutput',
	});
	const { id } = await client.saveWorkflow({
		name: 'Asks another machine',
		nodes: [
			node('Start', 'manualTrigger'),
			ask('HTTP', 'http://asked.example/'),
			ask('HTTPS', 'https://asked.example/'),
		],
		connections: connect('Start -> HTTP', 'HTTP -> HTTPS'),
	});
	await client.runByHand(id, 'Start');
}

/** Runs the main job in the stack and expects its exact items and mails. */
async function checkMainJob(stack: Stack): Promise<void> {
	const text = expect.any(String);
	const { mails } = stack.mailbox;
	mails.splice(0);
	const { deposits, payouts, updates } = await runMainJob(stack, () => {});
	expect(deposits).toEqual([
		{
			event: 'virtual_account_credited',
			id: text,
			status: 'successful',
			asset: 'NGN',
			amount: '250000.00',
			creditedTo: 'customer-0042',
			from: text,
		},
	]);
	expect(payouts).toMatchObject([
		{ payoutId: text, status: 'pending', currency: 'NGN', amount: '1250.50', accountAlias: 'supplier-main' },
		{ payoutId: text, status: 'pending', currency: 'USD', amount: '75.25', accountAlias: 'supplier-usd' },
		{ payoutId: text, status: 'pending', coin: 'USDT', amount: '12.50', walletAlias: 'treasury' },
	]);
	const update = { event: 'crypto_payout_update', status: 'successful', coin: 'USDT', amount: '12.50' };
	expect(updates).toEqual([{ ...update, id: payouts[2]!.payoutId, walletAlias: 'treasury', txHash: text }]);
	await until('two mails', () => mails.length >= 2);
	expect(mails.map(({ subject }) => subject).sort()).toEqual([
		'Deposit: 250000.00 NGN for customer-0042',
		'Payout successful: 12.50 USDT to treasury',
	]);
}

afterAll(() => {
	proxy.close();
	rmSync(folder, { recursive: true, force: true });
});

test('a second start keeps edited examples, imports a deleted one again, and the main job works', async () => {
	const first = await start();
	const payouts = first.example('payouts-from-list');
	const path = '/workflows?sortBy=updatedAt:desc';
	const listed = await first.client.rest<Array<{ name: string }>>('GET', path);
	expect(listed.map(({ name }) => name).slice(0, 2)).toEqual([
		'Wallet Service: deposit arrives',
		'Wallet Service: payouts from a list',
	]);
	const nodes = payouts.nodes.map((node) => (node.name === 'Pay out' ? { ...node, notes: 'Mine' } : node));
	const changed = await first.client.saveWorkflow({ ...payouts, nodes });
	const deleted = first.example('settlement-reviewed');
	await first.client.rest('POST', `/workflows/${deleted.id}/archive`, {});
	await first.stop();

	const second = await start();
	try {
		expect(second.example('payouts-from-list')).toMatchObject({
			id: payouts.id,
			versionId: changed.versionId,
		});
		expect(second.example('payouts-from-list').nodes).toContainEqual(
			expect.objectContaining({ notes: 'Mine' }),
		);
		expect(second.example('settlement-reviewed').id).not.toBe(deleted.id);
		await checkMainJob(second);
		await askOutside(second);
	} finally {
		await second.stop();
	}
});

test('n8n has asked no other machine than api.n8n.io, which it asks for its lists', () => {
	const byWorkflow = ['http://asked.example/', 'asked.example:443'];
	expect(new Set(askedOutside)).toEqual(new Set(['api.n8n.io:443', ...byWorkflow]));
});
