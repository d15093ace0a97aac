/**
 * From the installation to the main job: each way of docs/set-up/install.md to install the package by hand, with the packed package in place
 * of the published one, and then two starts of all examples with the same data.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { runMainJob } from '../../host/mainJob.ts';
import { packagesFolder, startN8n } from '../../host/n8n/process.ts';
import type { Json } from '../../host/n8n/client.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import type { Stack } from '../../host/stack.ts';
import {
	answer,
	askedRow,
	handOver,
	mailed,
	openedBy,
	untilAsked,
	YES,
} from '../../host/testkit/approvals.ts';
import { LISTED, list, payOutNode } from '../../host/testkit/payments.ts';
import { connect, node } from '../../host/testkit/workflows.ts';

const run = promisify(execFile);
/** npm still reads about peers, so a second run asks its cache and not the registry. */
const shell = (commands: string) =>
	run('sh', ['-ec', commands], { cwd: home, env: { ...process.env, npm_config_prefer_offline: 'true' } });
const NAME = 'n8n-nodes-wallet-service';
/** Holds the packed package, its installation and the data of an n8n. */
const home = mkdtempSync(join(tmpdir(), 'wallet-service-install-'));
const packages = join(home, '.n8n/nodes/node_modules');
let tarball: string;
/** What each way of the guide has installed: the packages beside each other, and the digests of our files. */
const ways: Array<{ packages: string[]; files: Json }> = [];
let stack: Stack;

/** What n8n asked other machines for. All requests go through this proxy, which refuses them. */
const askedOutside: string[] = [];
const proxy = createServer((request, response) => {
	askedOutside.push(String(request.url));
	response.writeHead(502).end();
}).on('connect', (request, socket) => {
	askedOutside.push(String(request.url));
	socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});

beforeAll(async () => {
	const published = join(home, 'published');
	mkdirSync(published);
	const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', published]);
	tarball = join(published, stdout.trim());
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	// What is installed last is what n8n then has.
	for (const heading of ['In Docker', 'An image of your own', 'Without internet', 'By hand']) {
		await install(heading);
		const names = readdirSync(packages).filter((name) => !name.startsWith('.'));
		ways.push({ packages: names, files: installed() });
	}
	stack = await start();
});

afterAll(async () => {
	await stack.stop();
	proxy.close();
	rmSync(home, { recursive: true, force: true });
});

/** The commands below a heading of the page, for this home folder and the packed package. */
function commandsOf(heading: string): string {
	const [, section = ''] = readFileSync('docs/set-up/install.md', 'utf8').split(`\n## ${heading}\n`);
	const [dockerfile] = section.replace(/\n## [^]*/, '').match(/^RUN .*$/gm) ?? [];
	if (dockerfile !== undefined)
		return dockerfile
			.replace('RUN ', '')
			.replaceAll('/home/node', home)
			.replace(new RegExp(`${NAME}@[\\d.]+$`), tarball);
	const blocks = [...section.replace(/\n## [^]*/, '').matchAll(/^```sh\n([^]*?)^```/gm)];
	return blocks
		.map(([, block]) => block)
		.join('')
		.replaceAll('~', home)
		.replace(/^docker restart .*$/m, '')
		.replace('docker exec -it n8n sh -c', 'sh -c')
		.replace(`npm pack ${NAME}`, `cp ${tarball} .`)
		.replace(`npm install --omit=peer ${NAME}`, `npm install --omit=peer ${tarball}`);
}

/** Replaces what is installed by what these commands install. */
async function install(heading: string): Promise<void> {
	const commands = commandsOf(heading);
	expect(commands).toContain(tarball);
	rmSync(join(home, '.n8n/nodes'), { recursive: true, force: true });
	await shell(commands);
}

/** The files of the installed package with their digests. */
function installed(): Json {
	const folder = join(packages, NAME);
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
	const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
	return Object.fromEntries(files.map((file) => [relative(folder, file), digestOf(file)]));
}

const start = () =>
	startStack({
		userFolder: home,
		sandboxDatabase: join(home, 'sandbox.db'),
		owner: TEMPORARY_OWNER,
		start: async (userFolder) => {
			const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
			const env = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '127.0.0.1,localhost' };
			// Links that were sent before a stop are of the same address.
			return await startN8n({ userFolder, env, port: stack?.n8n.options.port });
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
	const deposit = { event: 'virtual_account_credited', id: text, status: 'successful', currency: 'NGN' };
	expect(deposits).toMatchObject([{ ...deposit, amount: '250000.00', accountAlias: 'customer-0042' }]);
	expect(payouts).toMatchObject([
		{ payoutId: text, status: 'pending', currency: 'NGN', amount: '1250.50', accountAlias: 'supplier-main' },
		{ payoutId: text, status: 'pending', currency: 'USD', amount: '75.25', accountAlias: 'supplier-usd' },
		{ payoutId: text, status: 'pending', coin: 'USDT', amount: '12.50', walletAlias: 'treasury' },
	]);
	const update = { event: 'crypto_payout_update', status: 'successful', coin: 'USDT', amount: '12.50' };
	expect(updates).toMatchObject([
		{ ...update, id: payouts[2]!.payoutId, walletAlias: 'treasury', txHash: text },
	]);
	await mailed(stack, 'Credited: 250000.00 NGN to customer-0042');
	expect(mails).toHaveLength(1);
}

/** Replaces the payouts by lookups of an account that the sandbox does not have. */
const LOOKUP = {
	parameters: { resource: 'virtualAccount', operation: 'get', alias: 'nobody' },
	retryOnFail: false,
};

test('each way of the guide installs the same files, and no second n8n-workflow', () => {
	expect(ways[0]?.files).toHaveProperty(['dist/nodes/WalletService/WalletService.node.js']);
	// With a second copy, n8n does not recognize the errors of the package, and their details are lost.
	expect(ways).toEqual(Array(4).fill({ packages: [NAME], files: ways[0]?.files }));
});

test('the first start has the first examples on top, and a failed payout and lookup say what happened', async () => {
	const { client, credential } = stack;
	const listed = await client.rest<Array<{ name: string }>>('GET', '/workflows?sortBy=updatedAt:desc');
	expect(listed.map(({ name }) => name).slice(0, 3)).toEqual([
		'Deposit arrives',
		'Payouts from a list',
		'Payouts from a file',
	]);
	const errorOf = async (settings?: Json) => {
		const { id } = await client.saveWorkflow({
			name: 'A failure',
			nodes: [...list(['1', '2 supplier-new']), payOutNode({ credential }, settings)],
			connections: connect(`${LISTED} -> Pay out`),
			settings: {},
		});
		return (await client.runByHand(id, 'Start')).data.resultData.error;
	};
	expect(await errorOf()).toMatchObject({
		httpCode: '422',
		context: {
			itemIndex: 1,
			outcome: 'rejected',
			executed: [{ itemIndex: 0, id: expect.stringMatching(/^po_/), amount: '1' }],
		},
	});
	expect(await errorOf(LOOKUP)).toMatchObject({
		httpCode: '404',
		context: { outcome: 'rejected', details: { error: { code: 'not_found' } } },
	});
});

const { version } = JSON.parse(readFileSync(join(packagesFolder(), 'n8n/package.json'), 'utf8'));
/** n8n 2.35.7 cannot make this report. */
const testReport = version === '2.35.7' ? test.skip : test;

testReport('n8n finds nothing in the examples that its version 3 breaks', async () => {
	const { client, examples } = stack;
	interface Affected {
		ruleId: string;
		affectedWorkflows: Array<{ id: string; name: string; issues: Array<{ nodeName?: string }> }>;
	}
	// What n8n does find shows that its rules are applied.
	const broken = await client.saveWorkflow({
		name: 'For n8n 2 only',
		nodes: [node('Call', 'executeWorkflow', { mode: 'each' })],
		connections: {},
	});
	const path = '/breaking-changes/report';
	const { report } = await client.rest<{ report: { workflowResults: Array<{ ruleId: string }> } }>(
		'POST',
		`${path}/refresh?version=v3`,
		{},
	);
	const results = await Promise.all(
		report.workflowResults.map(async ({ ruleId }) => await client.rest<Affected>('GET', `${path}/${ruleId}`)),
	);
	const ids = [...examples.values()].map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(10);
	const findings = results.flatMap(({ ruleId, affectedWorkflows }) =>
		affectedWorkflows
			.filter(({ id }) => [...ids, broken.id].includes(id))
			.map(({ name, issues }) => `${ruleId}: ${name}: ${issues.map(({ nodeName }) => nodeName).join(', ')}`),
	);
	expect(findings).toEqual([expect.stringMatching(/: For n8n 2 only: Call$/)]);
});

test('a second start keeps questions to people and edited examples, imports a deleted one again, and the main job works', async () => {
	const first = stack;
	await handOver(first, [askedRow('80')]);
	const question = await mailed(first, 'Approve');
	await untilAsked(question.link);
	const payouts = first.example('payouts-from-list');
	const nodes = payouts.nodes.map((node) => (node.name === 'Payout 1' ? { ...node, notes: 'Mine' } : node));
	const changed = await first.client.saveWorkflow({ ...payouts, nodes });
	const deleted = first.example('convert-at-rate');
	await first.client.rest('POST', `/workflows/${deleted.id}/archive`, {});
	await first.stop();

	stack = await start();
	expect(stack.example('payouts-from-list')).toMatchObject({
		id: payouts.id,
		versionId: changed.versionId,
	});
	expect(stack.example('payouts-from-list').nodes).toContainEqual(expect.objectContaining({ notes: 'Mine' }));
	expect(stack.example('convert-at-rate').id).not.toBe(deleted.id);
	// Each start makes new passwords.
	await answer({ link: openedBy(question.link, stack.approvers.first) }, YES);
	await mailed(stack, 'The payout is paid: 80.00 NGN');
	await checkMainJob(stack);
});

test('n8n has asked no other machine than api.n8n.io, which it asks for its lists', async () => {
	await askOutside(stack);
	const byWorkflow = ['http://asked.example/', 'asked.example:443'];
	expect(new Set(askedOutside)).toEqual(new Set(['api.n8n.io:443', ...byWorkflow]));
});

// n8n loads a node when it is used, so a package that is missing shows only then.
test("every node and credential of n8n's own packages loads in the n8n that `npm start` runs", async () => {
	const program = `
		for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
			const folder = process.cwd() + '/' + name + '/';
			const { n8n } = require(folder + 'package.json');
			for (const file of [...n8n.nodes, ...n8n.credentials])
				try { require(folder + file); } catch (error) { console.log(file, error.message.split('\\n')[0]); }
			console.log(name, n8n.nodes.length > 50);
		}
		process.exit(0);`;
	const { stdout } = await run(process.execPath, ['-e', program], { cwd: packagesFolder() });
	expect(stdout.trim().split('\n')).toEqual(['n8n-nodes-base true', '@n8n/n8n-nodes-langchain true']);
});
