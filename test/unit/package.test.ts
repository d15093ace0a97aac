/** `npm publish` publishes what n8n needs and nothing else. Needs a build (`npm run build`). */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const [packed] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		shell: process.platform === 'win32',
	}),
) as [{ size: number; files: Array<{ path: string }> }];
const files = packed.files.map(({ path }) => path);
const scripts = files.filter((file) => file.endsWith('.js'));
const sources = globSync('{api,credentials,nodes}/**/*.ts');

test('the tarball holds dist, README.md, LICENSE.md and package.json, and nothing else', () => {
	const isBuilt = (file: string) => /^dist\/(api|credentials|icons|nodes)\/.+\.(js|json|svg)$/.test(file);
	const outside = files.filter((file) => !isBuilt(file));
	expect(outside.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
});

test('the tarball holds the compiled file of every source, and none of a deleted source', () => {
	const built = sources.map((source) => join('dist', source).replace(/\.ts$/, '.js'));
	expect([...scripts].sort()).toEqual(built.sort());
});

test('the tarball holds the nodes, their codex files, the credential and the icons they name', () => {
	const { nodes, credentials } = manifest.n8n;
	expect([nodes.length, credentials.length]).toEqual([3, 1]);
	for (const script of [...nodes, ...credentials]) {
		expect(files).toContain(script);
		const icons = [...readFileSync(script, 'utf8').matchAll(/'file:([^']+)'/g)].map(([, icon = '']) =>
			join(dirname(script), icon),
		);
		expect(icons).toHaveLength(2);
		expect(files).toEqual(expect.arrayContaining(icons));
		const [light, dark] = icons.map((icon) => readFileSync(icon, 'utf8'));
		expect(light).not.toBe(dark);
	}
	for (const node of nodes) expect(files).toContain(node.replace(/\.js$/, '.json'));
});

test("the codex files name the package, the version of their node, and one of n8n's categories", () => {
	for (const name of ['WalletService', 'WalletServiceDesk', 'WalletServiceTrigger']) {
		const path = `nodes/${name}/${name}.node`;
		const codex = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
		const [, version = ''] = /^\t\tversion: (\d+),$/m.exec(readFileSync(`${path}.ts`, 'utf8')) ?? [];
		expect(codex).toMatchObject({
			node: manifest.name,
			nodeVersion: `${version}.0`,
			codexVersion: '1.0',
			categories: ['Finance & Accounting'],
		});
	}
});

test('the tarball is at most 350 KB', () => {
	expect(packed.size).toBeLessThanOrEqual(350 * 1024);
});

test('the package has no dependencies and no install scripts', () => {
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const unwanted = /^(optionalD|d)ependencies$|^bundled?Dependencies$|^overrides$/;
	expect(Object.keys(manifest).filter((key) => unwanted.test(key))).toEqual([]);
	const isRunOnInstall = (name: string) => /^(pre|post)?(install|prepare)$/.test(name);
	expect(Object.keys(manifest.scripts).filter(isRunOnInstall)).toEqual([]);
});
