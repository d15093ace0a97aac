import { readdirSync, readFileSync } from 'node:fs';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';

/** n8n ignores parameters that a node does not have, so an example with such a parameter does not do what it shows. */
const DESCRIPTIONS = [new WalletService().description, new WalletServiceTrigger().description];

interface ExampleNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
}

const nodes = readdirSync('examples').flatMap((file) => {
	const workflow = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { nodes: ExampleNode[] };
	return workflow.nodes
		.filter(({ type }) => type.startsWith('n8n-nodes-wallet-service.'))
		.map((node) => ({ file, ...node }));
});

test('there are at least eight examples', () => {
	expect(new Set(nodes.map(({ file }) => file)).size).toBeGreaterThanOrEqual(8);
});

test.each(nodes)('$file: $name has only parameters and modes of its node type', ({ type, parameters }) => {
	const name = type.replace('n8n-nodes-wallet-service.', '').replace(/Tool$/, '');
	const { properties } = DESCRIPTIONS.find((description) => description.name === name)!;
	/** n8n adds these to each node or tool. */
	const common = ['requestOptions', 'toolDescription', 'descriptionType'];
	for (const [key, value] of Object.entries(parameters).filter(([key]) => !common.includes(key))) {
		const property = properties.find((candidate) => candidate.name === key);
		expect([key, property?.name]).toEqual([key, key]);
		const { __rl: located, mode } = (value ?? {}) as { __rl?: boolean; mode?: string };
		if (located) expect(property?.modes?.map((entry) => entry.name)).toContain(mode);
	}
});
