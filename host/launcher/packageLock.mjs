/**
 * Adds the address of each tarball. Otherwise npm asks the registry for the list of all versions of each package, which
 * takes as long as the packages themselves. The lock has no addresses, so that it fits every registry.
 */
export function addAddresses(lock, registry) {
	for (const [path, entry] of Object.entries(lock.packages)) {
		if (path === '' || entry.link || entry.inBundle || entry.resolved) continue;
		const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
		entry.resolved = `${registry}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`;
	}
}
