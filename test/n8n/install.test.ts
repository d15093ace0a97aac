/** Each way of docs/install.md to install the package by hand, with the packed package in place of the published one. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { packagesFolder, startN8n } from '../../host/n8n/process.ts';
import type { Json } from '../../host/n8n/client.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import { LISTED, list, payOutNode } from '../../host/testkit/payments.ts';
import { connect } from '../../host/testkit/workflows.ts';

jest.setTimeout(300_000);

const run = promisify(execFile);
/** npm still reads about peers, so a second run asks its cache and not the registry. */
const shell = (commands: string) =>
	run('sh', ['-ec', commands], { cwd: home, env: { ...process.env, npm_config_prefer_offline: 'true' } });
const NAME = 'n8n-nodes-wallet-service';
/** Holds the packed package, its installation and the data of an n8n. */
const home = mkdtempSync(join(tmpdir(), 'wallet-service-install-'));
const packages = join(home, '.n8n/nodes/node_modules');
let tarball: string;

beforeAll(async () => {
	const published = join(home, 'published');
	mkdirSync(published);
	const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', published]);
	tarball = join(published, stdout.trim());
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The commands below a heading of the page, for this home folder and the packed package. */
function commandsOf(heading: string): string {
	const [, section = ''] = readFileSync('docs/install.md', 'utf8').split(`\n## ${heading}\n`);
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

/** Replaces the payouts by lookups of an account that the sandbox does not have. */
const LOOKUP = {
	parameters: { resource: 'virtualAccount', operation: 'get', alias: 'nobody' },
	retryOnFail: false,
};

test('"By hand", "In Docker" and "Without internet" install the same files, and no second n8n-workflow', async () => {
	const results: Json[] = [];
	for (const heading of ['By hand', 'In Docker', 'Without internet']) {
		await install(heading);
		// With a second copy, n8n does not recognize the errors of the package, and their details are lost.
		expect(readdirSync(packages).filter((name) => !name.startsWith('.'))).toEqual([NAME]);
		results.push(installed());
	}
	expect(results[0]).toHaveProperty(['dist/nodes/WalletService/WalletService.node.js']);
	expect(results).toEqual(results.map(() => results[0]));
});

test('installed by hand, a failed payout lists what was accepted before, and a failed lookup has its details', async () => {
	await install('By hand');
	const start = () => startN8n({ userFolder: home });
	const stack = await startStack({ userFolder: home, owner: TEMPORARY_OWNER, start, examples: [] });
	const errorOf = async (settings?: Json) => {
		const { id } = await stack.client.saveWorkflow({
			name: 'A failure',
			nodes: [...list(['1', '2 supplier-new']), payOutNode(stack, settings)],
			connections: connect(`${LISTED} -> Pay out`),
			settings: {},
		});
		return (await stack.client.runByHand(id, 'Start')).data.resultData.error;
	};
	try {
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
	} finally {
		await stack.stop();
	}
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
