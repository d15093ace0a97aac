/**
 * What n8n's rules say about the sources as `npm run lint` does not see them. They read literals only, so the derived
 * properties are linted here, written out. n8n's scanner has a stricter configuration, also for the compiled files, which
 * `npm run build` makes.
 */
import { globSync } from 'node:fs';
import type { INodeType } from 'n8n-workflow';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';
import { lint } from './lint.ts';

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

const ACTION = 'nodes/WalletService/WalletService.node.ts';
const TRIGGER = 'nodes/WalletService/WalletServiceTrigger.node.ts';
const FAULTY = 'nodes/Faulty/Faulty.node.ts';

/** Its only property has two faults that n8n's rules know. */
class Faulty extends WalletService {
	constructor() {
		super();
		const resource = this.description.properties[0]!;
		const properties = [{ ...resource, displayName: 'the resource', noDataExpression: false }];
		this.description = { ...this.description, name: 'faulty', properties };
	}
}

const SCANNER = { overrideConfigFile: 'test/unit/scanner.eslint.mjs', allowInlineConfig: false };

/** All in one call, because starting ESLint takes most of the time. */
const [derived, published, sources, forbidden] = lint(
	{
		texts: {
			[ACTION]: nodeCode(new WalletService()),
			[TRIGGER]: nodeCode(new WalletServiceTrigger()),
			[FAULTY]: nodeCode(new Faulty()),
		},
	},
	// package.test.ts checks that the tarball has no other scripts than these.
	{ options: SCANNER, files: [...globSync('dist/**/*.js'), 'package.json'] },
	{
		options: SCANNER,
		files: [...globSync('{api,credentials,nodes}/**/*.ts'), ...globSync('nodes/**/*.json')],
	},
	{
		options: SCANNER,
		texts: {
			'dist/nodes/WalletService/call.js':
				'/* eslint-disable */ console.log(process.env, require("undeclared"));',
		},
	},
);
const findingsIn = (file: string) => derived.filter((finding) => finding.startsWith(`${file}:`));

test.each([ACTION, TRIGGER])("n8n's rules accept the derived properties of %s", (file) => {
	expect(findingsIn(file)).toEqual([]);
});

test("n8n's rules find two faults in a derived property", () => {
	expect(findingsIn(FAULTY)).toEqual([
		expect.stringContaining('n8n-nodes-base/node-param-display-name-miscased'),
		expect.stringContaining('n8n-nodes-base/node-param-resource-without-no-data-expression'),
	]);
});

test("n8n's scanner accepts the published files", () => {
	expect(published).toEqual([]);
});

test("n8n's scanner accepts the sources", () => {
	expect(sources).toEqual([]);
});

test("n8n's scanner refuses what n8n Cloud forbids, even if a comment disables the rules", () => {
	expect(forbidden).toEqual([
		expect.stringContaining('no-console'),
		expect.stringContaining('@n8n/community-nodes/no-restricted-globals'),
		expect.stringContaining('@n8n/community-nodes/no-restricted-imports'),
	]);
});
