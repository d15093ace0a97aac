/** Tries the rules of .dependency-cruiser.mjs on a small tree that breaks each of them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PROGRAM = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = resolve('.dependency-cruiser.mjs');

const LAYERS = ['api', 'credentials', 'nodes', 'sandbox', 'host', 'bench', 'soak', 'test'];
const PACKAGES = ['n8n-workflow', 'zod', 'undici', 'node:crypto', 'node:fs'];
/** Each layer has one file for each of these, which imports it. */
const TARGETS = [...LAYERS, ...PACKAGES];

const fileThatImports = (target: string, layer: string) =>
	`${layer}/imports-${LAYERS.includes(target) ? 'layer' : 'package'}-${target.replace(':', '-')}.ts`;

const codeThatImports = (target: string) =>
	`import '${LAYERS.includes(target) ? `../${target}/target.ts` : target}';`;

/** Code by path. */
const TREE: Record<string, string> = {
	...Object.fromEntries(LAYERS.map((layer) => [`${layer}/target.ts`, 'export type Target = 1;'])),
	...Object.fromEntries(
		LAYERS.flatMap((layer) =>
			TARGETS.map((target) => [fileThatImports(target, layer), codeThatImports(target)]),
		),
	),
	'api/imports-type.ts': "import type { Target } from '../nodes/target.ts';",
	'nodes/WalletService/action/target.ts': 'export {};',
	'nodes/WalletService/action/imports-action.ts': "import './target.ts';",
	'nodes/WalletService/action/imports-trigger.ts': "import '../trigger/target.ts';",
	'nodes/WalletService/trigger/target.ts': 'export {};',
	'nodes/WalletService/trigger/imports-action.ts': "import '../action/target.ts';",
	'bench/shared/target.ts': 'export {};',
	'soak/imports-shared.ts': "import '../bench/shared/target.ts';",
	'sandbox/circle/one.ts': "import type { Two } from './two.ts'; export type One = Two;",
	'sandbox/circle/two.ts': "import type { One } from './one.ts'; export type Two = One;",
	'test/imports-missing.ts': "import './missing.ts';",
	'test/tsconfig.json': JSON.stringify({ extends: resolve('test/tsconfig.json'), files: ['target.ts'] }),
};

interface Violation {
	from: string;
	rule: { name: string };
}

/** The tree stands in .local, where packages resolve as they do for the repository's own files. */
const findViolations = (): Violation[] => {
	mkdirSync('.local', { recursive: true });
	const folder = mkdtempSync(resolve('.local/architecture-'));
	try {
		for (const [path, code] of Object.entries(TREE)) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), code);
		}
		const parameters = ['--config', RULES, '--output-type', 'json', ...LAYERS];
		const output = execFileSync(process.execPath, [PROGRAM, ...parameters], {
			cwd: folder,
			encoding: 'utf8',
			maxBuffer: 64 * 1024 * 1024,
		});
		return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
	} finally {
		rmSync(folder, { recursive: true });
	}
};

const violations = findViolations();
const rulesBrokenBy = (file: string) =>
	violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

test.each([
	['api', ['api', 'node:crypto']],
	['credentials', ['api', 'credentials', 'n8n-workflow', 'node:crypto']],
	['nodes', ['api', 'nodes', 'n8n-workflow', 'node:crypto']],
	['sandbox', ['api', 'sandbox', 'zod', 'undici', 'node:crypto', 'node:fs']],
	['host', ['sandbox', 'host', 'n8n-workflow', 'zod', 'undici', 'node:crypto', 'node:fs']],
	['bench', ['api', 'credentials', 'nodes', 'sandbox', 'host', 'bench', ...PACKAGES]],
	['soak', ['api', 'credentials', 'nodes', 'sandbox', 'host', 'soak', ...PACKAGES]],
	['test', [...LAYERS, ...PACKAGES]],
])('%s may import %p and nothing else', (layer, allowed) => {
	const accepted = TARGETS.filter((target) => rulesBrokenBy(fileThatImports(target, layer)).length === 0);
	expect(accepted).toEqual(allowed);
});

test('the import of a type counts as an import', () => {
	expect(rulesBrokenBy('api/imports-type.ts')).toEqual(['api-imports-only-its-layers']);
});

test.each([
	['action', 'trigger'],
	['trigger', 'action'],
])('%s may not import %s', (from, to) => {
	expect(rulesBrokenBy(`nodes/WalletService/${from}/imports-${to}.ts`)).toEqual([
		'action-and-trigger-share-no-file',
	]);
});

test('files of action may import each other', () => {
	expect(rulesBrokenBy('nodes/WalletService/action/imports-action.ts')).toEqual([]);
});

test('soaks share code with benches in bench/shared', () => {
	expect(rulesBrokenBy('soak/imports-shared.ts')).toEqual([]);
});

test('two files that import types from each other are a circle', () => {
	expect(rulesBrokenBy('sandbox/circle/one.ts')).toEqual(['no-circles']);
});

test('the import of a missing file is found', () => {
	expect(rulesBrokenBy('test/imports-missing.ts')).toEqual(['no-broken-imports']);
});
