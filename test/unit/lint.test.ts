/**
 * n8n's rules accept the package, also where `npm run lint` does not look. They read literals only, so the derived properties
 * are linted here, written out. n8n's scanner has a stricter configuration, also for the compiled files of `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import type { ESLint } from 'eslint';
import type { INodeType } from 'n8n-workflow';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';

interface LintRequest {
	/** Files of the repository. */
	files?: string[];
	/** Code by the path that ESLint takes it for. */
	texts?: Record<string, string>;
	/** Without them, the repository's configuration is used. */
	options?: ESLint.Options;
}

/** Returns the findings of each request. One call for all, because ESLint takes 3 s to start. */
function lint(...requests: LintRequest[]): string[][] {
	const output = execFileSync(process.execPath, ['test/unit/eslint.mjs'], {
		input: JSON.stringify(requests),
		encoding: 'utf8',
		// Jest sets "test", with which eslint-plugin-n8n-nodes-base takes each file for one of its own fixtures.
		env: { ...process.env, NODE_ENV: undefined },
	});
	return JSON.parse(output) as string[][];
}

/** A value as TypeScript code. Keys stay identifiers where possible, because some rules look for those. */
const literal = (value: unknown): string => {
	if (typeof value === 'function') return 'async function () {}';
	if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
	const entries = Object.entries(value).map(
		([key, inner]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${literal(inner)}`,
	);
	return `{ ${entries.join(',\n')} }`;
};

/** The code of a node with each derived property written out. Webhooks are left out, because they need methods. */
const nodeCode = ({ constructor, description }: INodeType) => {
	const written = literal({ ...description, webhooks: undefined });
	return `export class ${constructor.name} implements INodeType {
		description: INodeTypeDescription = ${written.replaceAll('["main"]', '[NodeConnectionTypes.Main]')};
	}`;
};

const SCANNER = { overrideConfigFile: 'test/unit/scanner.eslint.mjs', allowInlineConfig: false };

const texts = {
	'nodes/WalletService/WalletService.node.ts': nodeCode(new WalletService()),
	'nodes/WalletServiceDesk/WalletServiceDesk.node.ts': nodeCode(new WalletServiceDesk()),
	'nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts': nodeCode(new WalletServiceTrigger()),
};
// package.test.ts checks that the tarball has no other scripts than these.
const PUBLISHED = ['dist/**/*.js', '{api,credentials,nodes}/**/*.ts', 'nodes/**/*.json', 'package.json'];
const files = globSync(PUBLISHED);
const FORBIDDEN = 'console.log(process.env, require("undeclared"));';

const [derived, published, forbidden] = lint(
	{ texts },
	{ options: SCANNER, files },
	{ options: SCANNER, texts: { 'dist/nodes/call.js': `/* eslint-disable */ ${FORBIDDEN}` } },
);
test("n8n's rules accept the derived properties of all nodes", () => expect(derived).toEqual([]));

test("n8n's scanner accepts the published files and their sources", () => {
	expect(published).toEqual([]);
});

test("n8n's scanner refuses what n8n Cloud forbids, even if a comment disables the rules", () => {
	expect(forbidden).toEqual([
		expect.stringContaining('no-console'),
		expect.stringContaining('@n8n/community-nodes/no-restricted-globals'),
		expect.stringContaining('@n8n/community-nodes/no-restricted-imports'),
	]);
});
