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

interface Example {
	file: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

const examples = readdirSync('examples').map((file) => ({
	...(JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as Omit<Example, 'file'>),
	file,
}));

const nodes = examples.flatMap(({ file, nodes: all }) =>
	all.filter(({ type }) => type.startsWith('n8n-nodes-wallet-service.')).map((node) => ({ file, ...node })),
);

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

test.each(examples)('$file: connections and expressions name nodes that are there', (workflow) => {
	const names = workflow.nodes.map(({ name }) => name);
	const connected = Object.entries(workflow.connections).flatMap(([from, outputs]) => [
		from,
		...Object.values(outputs)
			.flat(2)
			.map(({ node }) => node),
	]);
	const expressions = [...JSON.stringify(workflow.nodes).matchAll(/\$\('([^']*)'\)/g)].map(
		([, name]) => name,
	);
	expect(names).toEqual(expect.arrayContaining([...connected, ...expressions]));
	expect(new Set(names).size).toBe(names.length);
});

/** Its list has no number for each payout. */
const WITHOUT_PAYMENT_KEY = ['payouts-from-list.json'];

test('every payment of an example has a Payment Key that comes from its data', () => {
	const payments = nodes.filter(({ parameters }) =>
		['createPayout', 'convert'].includes(String(parameters.operation)),
	);
	const withoutKey = payments.filter(
		({ parameters }) => !/^=\{\{.*\}\}$/.test(String(parameters.paymentKey)),
	);
	expect(payments.length).toBeGreaterThanOrEqual(7);
	expect(withoutKey.map(({ file }) => file)).toEqual(WITHOUT_PAYMENT_KEY);
});
