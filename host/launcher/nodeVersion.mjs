import { folderOfVersion, installPackages } from './npmPackages.mjs';

/** Installs the Node.js of `host/node`, or another version in a folder of its own. `nodeBinary` finds that by `TEST_NODE`. */
export async function provideNode(version) {
	if (version === undefined) return await installPackages('host/node', 'Installing Node.js 24');
	const folder = folderOfVersion('host/node', version, ({ optionalDependencies: packages }) => ({
		optionalDependencies: Object.fromEntries(Object.keys(packages).map((name) => [name, version])),
	}));
	process.env.TEST_NODE = folder;
	return await installPackages(folder, `Installing Node.js ${version}`);
}
