/**
 * Whose package this is. `author` and `repository` of package.json say it; all other places follow from them: links to the
 * repository, and the holder of the license.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './processes.mjs';

const FOLDERS = ['.github', 'api', 'credentials', 'docs', 'examples', 'nodes', 'sandbox'];
const TEXT = /\.(json|md|mjs|ts|yml)$/;

/** Whatever organisation a link to the repository names. */
const LINK = /(https:\/\/(?:github|raw\.githubusercontent)\.com\/)[\w.-]+\/([\w.-]+)/g;

/** The organisation and the name of the repository, without the `.git` of its address. */
function repositoryOf({ repository }) {
	const [, organisation = '', name = ''] =
		/^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)\.git$/.exec(repository?.url ?? '') ?? [];
	return { organisation, name };
}

/** A text of the file with what package.json says of the owner. */
export function withOwner(file, text, manifest) {
	const { organisation, name } = repositoryOf(manifest);
	if (organisation === '') return text;
	const linked = text.replace(LINK, (link, host, linkedName) => {
		const isOurs = [manifest.name, name].includes(linkedName.replace(/\.git$/, ''));
		return isOurs ? `${host}${organisation}/${name}${linkedName.endsWith('.git') ? '.git' : ''}` : link;
	});
	if (file !== 'LICENSE.md') return linked;
	return linked.replace(/^(Copyright \(c\) \d{4}) .*$/m, (_, year) => `${year} ${manifest.author.name}`);
}

/** What only the owner can fill in, and nobody has. */
export function placeholdersIn({ name, author, repository }) {
	const { organisation } = repositoryOf({ repository });
	const missing = [];
	if (!author?.name || author.name.includes(name))
		missing.push('author.name: who publishes the package and holds its license');
	if (
		!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(author?.email ?? '') ||
		/[@.](example(\.\w+)?|invalid|test)$/.test(author.email)
	)
		missing.push('author.email: an address at which you read mail');
	if (organisation === '' || organisation === name)
		missing.push('repository.url: https://github.com/<your organisation>/<name of the repository>.git');
	return missing;
}

/** The texts of the repository that can name its owner, by path. */
function textsIn(folder, names) {
	return names.flatMap((name) => {
		const path = join(folder, name);
		if (TEXT.test(name)) return [path];
		const isFolder = name !== 'node_modules' && statSync(path).isDirectory();
		return isFolder ? textsIn(path, readdirSync(path)) : [];
	});
}

/**
 * Writes what package.json says of the owner into all other places. With `--check` it changes nothing. Returns 1 if something is
 * left to fill in, or would be changed.
 */
export function runOwner([check]) {
	const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
	const files = readdirSync('.').filter((name) => TEXT.test(name));
	const changed = textsIn('', [...files, ...FOLDERS]).filter((file) => {
		const text = readFileSync(file, 'utf8');
		const owned = withOwner(file, text, manifest);
		if (owned === text) return false;
		if (check !== '--check') writeFileSync(file, owned);
		return true;
	});
	const missing = placeholdersIn(manifest);
	if (missing.length > 0)
		say(`Fill in in package.json, then run "npm run owner":\n  ${missing.join('\n  ')}`);
	if (check !== '--check') {
		say(changed.length > 0 ? `Written: ${changed.join(', ')}` : 'All other places say the same');
		return missing.length > 0 ? 1 : 0;
	}
	if (changed.length > 0) say(`Run "npm run owner". Another owner stands in ${changed.join(', ')}`);
	return missing.length + changed.length > 0 ? 1 : 0;
}
