/** The guide for contributors names what exists. */
import { existsSync, globSync, readFileSync } from 'node:fs';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');
const inCode = [...guide.matchAll(/`([^`\s]+)`/g)].map(([, code = '']) => code);
const folders = [...guide.matchAll(/^\| ((?:`[^`]+\/`(?:, )?)+) \|/gm)]
	.flatMap(([, cell = '']) => cell.split(', '))
	.map((folder) => folder.replaceAll('`', ''));

test('CONTRIBUTING.md names only existing folders', () => {
	// A short name such as `unit/` or `trigger/` is below one of these.
	const parents = ['', 'test/', 'nodes/WalletService/'];
	const named = inCode.filter((code) => code.endsWith('/') && !code.startsWith('.local/'));
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((folder) => !parents.some((parent) => existsSync(parent + folder)))).toEqual([]);
});

test('the table in CONTRIBUTING.md has a row for every folder at the top', () => {
	const atTop = globSync('*/').map((folder) => folder.replace(/\/?$/, '/'));
	const created = ['node_modules/', 'dist/', 'coverage/'];
	const isInTable = (folder: string) => folders.some((path) => path.startsWith(folder));
	expect(atTop.filter((folder) => !created.includes(folder) && !isInTable(folder))).toEqual([]);
});

test('CONTRIBUTING.md names only npm commands that package.json has', () => {
	const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
	const commands = [...guide.matchAll(/`npm run ([\w:]+)|`(test:\w+)`/g)].map(([, run, part]) => run ?? part);
	expect(commands.length).toBeGreaterThan(5);
	expect(commands.filter((command) => command === undefined || !Object.hasOwn(scripts, command))).toEqual([]);
});
