import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './npmPackages.mjs';

/** Installs the Node.js of `host/node`, or another version in a folder of its own. `nodeBinary` finds that by `TEST_NODE`. */
export async function provideNode(version) {
	if (version === undefined) return await installPackages('host/node', 'Installing Node.js 24');
	const folder = join('.local/node', version);
	process.env.TEST_NODE = folder;
	if (!existsSync(folder)) {
		mkdirSync(folder, { recursive: true });
		const { optionalDependencies } = JSON.parse(readFileSync('host/node/package.json', 'utf8'));
		const others = Object.fromEntries(Object.keys(optionalDependencies).map((name) => [name, version]));
		copyFileSync('host/node/.npmrc', join(folder, '.npmrc'));
		const manifest = { private: true, optionalDependencies: others };
		writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	}
	return await installPackages(folder, `Installing Node.js ${version}`);
}
