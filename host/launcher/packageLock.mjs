/** Changes to what `npm ci` reads, made before it runs. */

/** Removes the other development packages, and from the lock what only they need. */
export function keepOnly(names, manifest, lock) {
	const root = lock.packages[''];
	const kept = Object.fromEntries(names.map((name) => [name, root.devDependencies[name]]));
	manifest.devDependencies = root.devDependencies = kept;
	const found = new Set(['']);
	for (const from of found) {
		const { dependencies, devDependencies, optionalDependencies } = lock.packages[from];
		for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
			const path = resolvePackage(lock.packages, from, name);
			if (path !== undefined) found.add(path);
		}
	}
	for (const path of Object.keys(lock.packages)) if (!found.has(path)) delete lock.packages[path];
}

/** The path of the package that Node finds by a name from another package. */
function resolvePackage(packages, from, name) {
	for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
		const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
		if (packages[path] !== undefined) return path;
		if (folder === '') return undefined;
	}
}

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
