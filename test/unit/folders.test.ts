/** `npm run lint` holds which folder imports which. It cannot see a folder that has no rule. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Jest cannot load an ES module. */
const told = execFileSync(process.execPath, [
	'--input-type=module',
	'--eval',
	"import { folders } from './.dependency-cruiser.mjs'; console.log(JSON.stringify(folders))",
]);
const folders = JSON.parse(told.toString()) as Record<string, string[]>;
const names = Object.keys(folders);

test('each folder of the published code has a rule about its imports', () => {
	const all = globSync('{api,credentials,nodes}/**/*.ts').map((file) => dirname(file).replaceAll('\\', '/'));
	expect([...names].sort()).toEqual([...new Set(all)].sort());
});

const rules = Object.entries(folders);

test.each(rules)('%s imports only folders that stand before it', (folder, allowed) => {
	const before: string[] = names.slice(0, names.indexOf(folder));
	expect(allowed.filter((each) => !before.includes(each))).toEqual([]);
});

test('no folder may import another node', () => {
	const nodeOf = (folder: string) => /^nodes\/(?!shared)\w+/.exec(folder)?.[0];
	const across = rules.flatMap(([folder, allowed]) =>
		allowed
			.filter((each) => nodeOf(folder) && nodeOf(each) && nodeOf(each) !== nodeOf(folder))
			.map((each) => `${folder} -> ${each}`),
	);
	expect(across).toEqual([]);
});

// Then n8n's reviewers can have it as a package of its own.
test('the desk imports its own folders, nodes/shared and api, and nothing else', () => {
	const ofDesk = rules.filter(([folder]) => folder.startsWith('nodes/WalletServiceDesk'));
	expect(ofDesk.length).toBeGreaterThan(10);
	const isAllowed = (each: string) => /^(api|nodes\/shared|nodes\/WalletServiceDesk)(\/|$)/.test(each);
	expect(ofDesk.flatMap(([, allowed]) => allowed).filter((each) => !isAllowed(each))).toEqual([]);
});
