/** What the launcher installs from npm. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

interface Entry {
	version?: string;
	resolved?: string;
	name?: string;
	inBundle?: boolean;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
}
interface Lock {
	packages: Record<string, Entry>;
}

const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Runs code in another process, because the launcher is an ES module, which jest cannot load. */
function evaluate<T>(code: string): T {
	const moduleUrl = (name: string) => JSON.stringify(pathToFileURL(`host/launcher/${name}.mjs`).href);
	const program = `
		import { addAddresses, keepOnly } from ${moduleUrl('packageLock')};
		import { TO_START } from ${moduleUrl('basePackages')};
		console.log(JSON.stringify((() => { ${code} })()));`;
	const args = ['--input-type=module', '--eval', program];
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })) as T;
}

test('each package gets the address of its tarball', () => {
	const lock: Lock = {
		packages: {
			'': { devDependencies: { a: '^1.0.0' } },
			'node_modules/a': { version: '1.2.3' },
			'node_modules/a/node_modules/@scope/b': { version: '4.5.6-rc.1' },
			'node_modules/alias': { name: '@scope/real', version: '1.0.0' },
			'node_modules/bundled': { version: '1.0.0', inBundle: true },
			'node_modules/elsewhere': { version: '1.0.0', resolved: 'https://example.com/elsewhere.tgz' },
		},
	};
	const { packages } = evaluate<Lock>(
		`const lock = ${JSON.stringify(lock)}; addAddresses(lock, 'https://example.org/npm/'); return lock;`,
	);
	expect(Object.entries(packages).map(([path, { resolved }]) => [path, resolved ?? null])).toEqual([
		['', null],
		['node_modules/a', 'https://example.org/npm/a/-/a-1.2.3.tgz'],
		['node_modules/a/node_modules/@scope/b', 'https://example.org/npm/@scope/b/-/b-4.5.6-rc.1.tgz'],
		['node_modules/alias', 'https://example.org/npm/@scope/real/-/real-1.0.0.tgz'],
		['node_modules/bundled', null],
		['node_modules/elsewhere', 'https://example.com/elsewhere.tgz'],
	]);
});

test('of a part of the packages the lock keeps what they need, at the same places', () => {
	const lock: Lock = {
		packages: {
			'': { devDependencies: { kept: '1.0.0', left: '1.0.0' } },
			'node_modules/kept': { version: '1.0.0', dependencies: { shared: '1', own: '2' } },
			'node_modules/kept/node_modules/own': { version: '2.0.0', dependencies: { deep: '1' } },
			'node_modules/own': { version: '1.0.0' },
			'node_modules/shared': { version: '1.0.0' },
			'node_modules/deep': { version: '1.0.0', dependencies: { kept: '1.0.0' } },
			'node_modules/left': { version: '1.0.0', dependencies: { shared: '1' } },
			'node_modules/left/node_modules/deep': { version: '9.0.0' },
		},
	};
	const manifest = { devDependencies: lock.packages['']!.devDependencies, peerDependencies: { any: '*' } };
	const [lockAfter, manifestAfter] = evaluate<[Lock, typeof manifest]>(
		`const lock = ${JSON.stringify(lock)}, manifest = ${JSON.stringify(manifest)};
		keepOnly(['kept'], manifest, lock);
		return [lock, manifest];`,
	);
	expect(manifestAfter).toEqual({ devDependencies: { kept: '1.0.0' }, peerDependencies: { any: '*' } });
	expect(lockAfter.packages['']).toEqual({ devDependencies: { kept: '1.0.0' } });
	expect(Object.keys(lockAfter.packages)).toEqual([
		'',
		'node_modules/kept',
		'node_modules/kept/node_modules/own',
		'node_modules/shared',
		'node_modules/deep',
	]);
});

test('npm start installs every package that the package, the sandbox and the host import', () => {
	const sources = globSync('{api,credentials,nodes,sandbox,host}/**/*.ts', {
		exclude: (path) => String(path).endsWith('node_modules'),
	});
	const imported = sources.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/^(?:import|export|}) .*from '((?:@[\w-]+\/)?[\w-]+)[/']/gm)].map(
			([, name]) => name!,
		),
	);
	const own = read<Entry>('host/package.json').dependencies!;
	const needed = [...new Set(imported)].filter((name) => !Object.hasOwn(own, name));
	expect(needed).toContain('undici');
	expect(evaluate<string[]>('return TO_START;')).toEqual(expect.arrayContaining(needed));
});

test("SQLite's binding is compiled from the sources and with the compiler's packages that n8n has", () => {
	const versions = (file: string, path: string) => read<Lock>(file).packages[path]!.version;
	for (const name of ['sqlite3', 'node-gyp', 'prebuild-install', 'bindings'])
		expect([name, versions('host/sqlite3/package-lock.json', `node_modules/${name}`)]).toEqual([
			name,
			versions('host/package-lock.json', `node_modules/${name}`),
		]);
});
