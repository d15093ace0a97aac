import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24Environment, npm, step } from './processes.mjs';

const SOURCES = ['api', 'credentials', 'nodes', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];

/** Written after a complete build. A build that fails leaves a part of dist behind. */
const MARK = '.local/built';

/** Builds the package into `dist` unless that is newer than its sources. */
export async function build() {
	const built = existsSync('dist') ? (statSync(MARK, { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
	// Deleting a file changes its folder.
	const below = (path) => (statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []);
	const all = SOURCES.flatMap((path) => [path, ...below(path).map((name) => join(path, name))]);
	if (all.every((path) => statSync(path).mtimeMs < built)) return;
	const begun = new Date();
	await step('build', 'Building the package', [...npm(), 'run', 'build'], { env: node24Environment() });
	writeFileSync(MARK, '');
	utimesSync(MARK, begun, begun);
}
