import type { INodeType } from 'n8n-workflow';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';
import { lint } from './lint.ts';

/** A value as the TypeScript that a developer would have written, for rules that read identifiers as keys. */
const literal = (value: unknown): string => {
	if (typeof value === 'function') return 'async function () {}';
	if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
	const entries = Object.entries(value).map(
		([key, inner]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${literal(inner)}`,
	);
	return `{ ${entries.join(',\n')} }`;
};

/** The node's file with every derived property in its place. Webhooks are left to the file itself: they need methods. */
const nodeFile = (node: INodeType) => {
	const { name } = node.constructor;
	const description = { ...node.description, webhooks: undefined };
	const code = `export class ${name} implements INodeType {
		description: INodeTypeDescription = ${literal(description).replaceAll('["main"]', '[NodeConnectionTypes.Main]')};
	}`;
	return { [`nodes/WalletService/${name}.node.ts`]: code };
};

test.each([WalletService, WalletServiceTrigger])("n8n's rules accept what %p derives", (nodeClass) => {
	expect(lint({ texts: nodeFile(new nodeClass()) })).toEqual([]);
});

test("n8n's rules see the derived properties", () => {
	const node = new WalletService();
	const [resource] = node.description.properties;
	node.description.properties = [{ ...resource, displayName: 'the resource', noDataExpression: false }];
	expect(lint({ texts: nodeFile(node) })).toEqual([
		expect.stringContaining('n8n-nodes-base/node-param-display-name-miscased'),
		expect.stringContaining('n8n-nodes-base/node-param-resource-without-no-data-expression'),
	]);
});

describe('Imports run one way', () => {
	const findings = (imports: string[][]) =>
		lint({ texts: Object.fromEntries(imports.map(([file, from]) => [file, `import '${from}';`])) }).filter(
			(finding) => finding.includes(' no-restricted-imports:'),
		);

	test('and against it is refused', () => {
		const refused = [
			['api/a.ts', 'n8n-workflow'],
			['api/b.ts', 'zod'],
			['api/c.ts', 'node:fs'],
			['api/d.ts', '../nodes/WalletService/properties.ts'],
			['credentials/a.ts', '../sandbox/store.ts'],
			['credentials/b.ts', '../nodes/WalletService/properties.ts'],
			['credentials/c.ts', 'undici'],
			['nodes/WalletService/a.ts', '../../sandbox/store.ts'],
			['nodes/WalletService/b.ts', '../../test/headless/harness.ts'],
			['nodes/WalletService/c.ts', '../../credentials/WalletServiceApi.credentials.ts'],
			['nodes/WalletService/d.ts', 'undici'],
			['nodes/WalletService/e.ts', 'node:http'],
			['sandbox/a.ts', '../nodes/WalletService/properties.ts'],
			['sandbox/b.ts', '../test/headless/harness.ts'],
			['sandbox/c.ts', 'n8n-workflow'],
		];
		expect(findings(refused).map((finding) => finding.split(':')[0])).toEqual(refused.map(([file]) => file));
	});

	test('and along it is accepted', () => {
		const accepted = [
			['api/a.ts', './shape.ts'],
			['api/b.ts', 'node:crypto'],
			['credentials/a.ts', '../api/signature/settings.ts'],
			['nodes/WalletService/a.ts', '../../api/endpoints.ts'],
			['nodes/WalletService/b.ts', 'n8n-workflow'],
			['sandbox/a.ts', '../api/endpoints.ts'],
			['sandbox/b.ts', 'node:http'],
			['sandbox/c.ts', 'zod'],
			['sandbox/d.ts', 'undici'],
			['test/a.ts', '../sandbox/store.ts'],
		];
		expect(findings(accepted)).toEqual([]);
	});
});
