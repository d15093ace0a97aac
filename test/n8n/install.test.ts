/** Each way of docs/install.md to install the package by hand, with the packed package in place of the published one. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packagesFolder, startN8n } from '../../host/n8n/process.ts';
import type { Json } from '../../host/n8n/client.ts';
import { startStack, TEMPORARY_OWNER } from '../../host/stack.ts';
import { LISTED, list, payOutNode } from './payoutLists.ts';
import { connect } from './workflowNodes.ts';

jest.setTimeout(300_000);

const run = promisify(execFile);
/** npm still reads about peers, so a second run asks its cache and not the registry. */
const shell = (commands: string) =>
	run('sh', ['-ec', commands], { cwd: home, env: { ...process.env, npm_config_prefer_offline: 'true' } });
const NAME = 'n8n-nodes-wallet-service';
/** Holds the packed package and the data of one n8n, which every test starts with another installation. */
const home = mkdtempSync(join(tmpdir(), 'wallet-service-install-'));
const packages = join(home, '.n8n/nodes/node_modules');
let tarball: string;

beforeAll(async () => {
	const published = join(home, 'published');
	mkdirSync(published);
	const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', published]);
	tarball = join(published, stdout.trim());
});

afterEach(() => rmSync(join(home, '.n8n/nodes'), { recursive: true, force: true }));

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

/** The errors of a failed payout, after one that was accepted, and of a failed lookup, on an n8n with this installation. */
async function errorsAfter(commands: string) {
	await shell(commands);
	const start = () => startN8n({ userFolder: home });
	const stack = await startStack({ userFolder: home, owner: TEMPORARY_OWNER, start });
	const errorOf = async (settings?: Json) => {
		const { id } = await stack.client.saveWorkflow({
			name: 'A failure',
			nodes: [...list(['1', '2 supplier-new']), payOutNode(stack, settings)],
			connections: connect(...LISTED, 'One item each -> Pay out'),
			settings: {},
		});
		return (await stack.client.runByHand(id, 'Start')).data.resultData.error;
	};
	try {
		return { payout: await errorOf(), lookup: await errorOf(LOOKUP) };
	} finally {
		await stack.stop();
	}
}

/** Replaces the payouts by lookups of an account that the sandbox does not have. */
const LOOKUP = {
	parameters: { resource: 'virtualAccount', operation: 'get', alias: 'nobody' },
	retryOnFail: false,
};

test.each(['By hand', 'In Docker', 'Without internet'])(
	'installed as in "%s", a failed payout lists what was accepted before, and a failed lookup has its details',
	async (heading) => {
		const commands = commandsOf(heading);
		expect(commands).toContain(tarball);
		const { payout, lookup } = await errorsAfter(commands);
		expect(existsSync(join(packages, 'n8n-workflow'))).toBe(false);
		expect(payout).toMatchObject({
			httpCode: '422',
			context: {
				itemIndex: 1,
				outcome: 'rejected',
				executed: [{ itemIndex: 0, id: expect.stringMatching(/^po_/), amount: '1' }],
			},
		});
		expect(lookup).toMatchObject({
			httpCode: '404',
			context: { outcome: 'rejected', details: { error: { code: 'not_found' } } },
		});
	},
);

// Why the page asks for --omit=peer.
test('with a second n8n-workflow beside the package, a failed lookup loses its details', async () => {
	cpSync(join(packagesFolder(), 'n8n-workflow'), join(packages, 'n8n-workflow'), { recursive: true });
	const { lookup } = await errorsAfter(commandsOf('Without internet'));
	expect(lookup).toHaveProperty('message');
	expect(lookup).not.toMatchObject({ httpCode: '404' });
	expect(lookup).not.toHaveProperty('context.details');
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
