import { folderOfVersion, installPackages } from './npmPackages.mjs';
import { askNpm } from './processes.mjs';

const SCANNER = '@n8n/scan-community-package';

/** Installs n8n's scanner of community packages, or its newest version in a folder of its own. Returns the folder. */
export async function provideScanner(isNewest) {
	const version = isNewest ? askNpm('view', SCANNER, 'version') : undefined;
	const changed = () => ({ dependencies: { [SCANNER]: version } });
	const folder = version === undefined ? 'test/scanner' : folderOfVersion('test/scanner', version, changed);
	await installPackages(folder, "Installing n8n's scanner");
	return folder;
}
