/**
 * n8n's rules read literals only, so the derived properties are linted here, written out. `npm run lint` has the rest, and
 * `npm run scan` n8n's own scanner.
 */
import { execFileSync } from 'node:child_process';
import type { INodeType } from 'n8n-workflow';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceDesk } from '../../nodes/WalletServiceDesk/WalletServiceDesk.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts';

/** What ESLint finds in code, by the path that it takes it for. One call for all, because ESLint takes 3 s to start. */
function lint(texts: Record<string, string>): string[] {
	const output = execFileSync(process.execPath, ['test/unit/eslint.mjs'], {
		input: JSON.stringify(texts),
		encoding: 'utf8',
		// Jest sets "test", with which eslint-plugin-n8n-nodes-base takes each file for one of its own fixtures.
		env: { ...process.env, NODE_ENV: undefined },
	});
	return JSON.parse(output) as string[];
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

const derived = {
	'nodes/WalletService/WalletService.node.ts': nodeCode(new WalletService()),
	'nodes/WalletServiceDesk/WalletServiceDesk.node.ts': nodeCode(new WalletServiceDesk()),
	'nodes/WalletServiceTrigger/WalletServiceTrigger.node.ts': nodeCode(new WalletServiceTrigger()),
};

test("n8n's rules accept the derived properties of all nodes", () => {
	expect(lint(derived)).toEqual([]);
});
