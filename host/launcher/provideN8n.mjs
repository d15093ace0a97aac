import { resolve } from 'node:path';
import { folderOfVersion, installPackages } from './npmPackages.mjs';
import { together } from './processes.mjs';
import { hasBinding, prepareSqliteBinding, provideSqliteBinding } from './sqliteBinding.mjs';

/**
 * Installs the n8n of `host`, or another version in a folder of its own, and puts its path into `TEST_N8N`.
 *   node      a promise of Node.js, which is installed meanwhile
 *   canSkip   whether to return false instead of throwing when the compiler for SQLite's binding is missing
 * @param {{ node: Promise<void>, version?: string, canSkip?: boolean }} options
 */
export async function provideN8n({ node, version, canSkip = false }) {
	const folder = version === undefined ? 'host' : folderOfVersion('host', version, manifestOf(version));
	const packages = resolve(folder, 'node_modules');
	process.env.TEST_N8N = packages;
	const prepare = async () => {
		await node;
		return hasBinding(packages) || (await prepareSqliteBinding({ canSkip }));
	};
	const [isPrepared] = await together(
		prepare(),
		installPackages(folder, `Installing n8n${version ? ` ${version}` : ''} (2.2 GB; takes a minute or two)`),
	);
	return isPrepared && (await provideSqliteBinding(packages, { canSkip }));
}

/** The package.json of another n8n version, with the overrides that npm needs to install it. */
const manifestOf = (version) => (host) => ({
	dependencies: { ...host.dependencies, n8n: version },
	overrides: {
		...host.overrides,
		// Older versions download xlsx from its maker's server. No test reads a sheet, so the registry's version is enough.
		xlsx: '0.18.5',
		// The newest linkedom needs a package that npm does not have.
		linkedom: '0.18.14',
		// Newer checkpoints do not fit the other packages that n8n versions with this langgraph pin.
		'@langchain/langgraph@1.0.2': { '@langchain/langgraph-checkpoint': '1.0.0' },
	},
});
