/** Each example has what its nodes know, keys for its payments, the same text for mail and chat, and a canvas to read. */
import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';
import { readKeyText } from '../../nodes/WalletService/action/payment/keyText.ts';
import { heightOf, wiresOf } from './wires.ts';
import type { WiredNode } from './wires.ts';

/** n8n ignores parameters that a node does not have, so an example with such a parameter does not do what it shows. */
const DESCRIPTIONS = [new WalletService().description, new WalletServiceTrigger().description];

interface ExampleNode extends WiredNode {
	typeVersion: number;
	credentials?: Record<string, { name: string }>;
	disabled?: boolean;
	retryOnFail?: boolean;
}

interface Example {
	file: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string; index: number }>>>>;
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

const descriptionOf = (type: string) => {
	const name = type.replace('n8n-nodes-wallet-service.', '').replace(/Tool$/, '');
	return DESCRIPTIONS.find((description) => description.name === name)!;
};

test.each(nodes)('$file: $name has the version of its node type', ({ type, typeVersion }) => {
	expect(typeVersion).toBe(descriptionOf(type).version);
});

test.each(nodes)('$file: $name has only parameters and modes of its node type', ({ type, parameters }) => {
	const { properties } = descriptionOf(type);
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

test('no example uses what n8n 3 removes, or lets n8n approve tools', () => {
	const used = examples.flatMap(({ nodes: all }) => all);
	expect(used.filter(({ parameters: { mode } }) => mode === 'each')).toEqual([]);
	expect(used.filter(({ type }) => type.endsWith('HitlTool'))).toEqual([]);
});

test('pay once has at most 16 nodes without notes and 20 lines of JavaScript', () => {
	const { nodes: all } = examples.find(({ file }) => file === 'pay-once.json')!;
	expect(all.filter(({ type }) => !type.endsWith('.stickyNote')).length).toBeLessThanOrEqual(16);
	const lines = all.flatMap(({ parameters: { jsCode } }) =>
		typeof jsCode === 'string' ? jsCode.split('\n') : [],
	);
	expect(lines.length).toBeLessThanOrEqual(20);
});

test('the examples compare keys as Payment Key does, and never make one key of a text that it refuses', () => {
	const texts = (value: unknown): string[] =>
		typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [String(value)];
	const folds = examples.flatMap(({ file, nodes: all }) =>
		all
			.flatMap(({ parameters }) => texts(parameters))
			.flatMap((text) => [...text.matchAll(/\.replace\(\/\[a-z\\uff01.*?\.trim\(\)/g)])
			.map(([code]) => ({ file, code })),
	);
	expect(folds.map(({ file }) => file)).toEqual(
		['pay-once', 'payouts-file-1-check', 'payouts-file-4-settle'].map((name) => `${name}.json`),
	);
	const [code, ...others] = new Set(folds.map((fold) => fold.code));
	expect(others).toEqual([]);
	const fold = runInNewContext(`(key) => key${code}`) as (key: string) => string;
	const signs = Array.from({ length: 0x10ffff + 1 }, (_, codePoint) => String.fromCodePoint(codePoint));
	const wrong = signs.filter((sign) => {
		const read = readKeyText(`a${sign}${sign}1`);
		const folded = fold(` a${sign}${sign}1\t`);
		if ('key' in read) return folded.toLowerCase() !== read.key;
		return /^'Payment Key' has the character/.test(read.message) && !/[^ -~]/.test(folded);
	});
	expect(wrong).toEqual([]);
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
	expect(payments.length).toBeGreaterThanOrEqual(5);
	expect(withoutKey.map(({ file }) => file)).toEqual(WITHOUT_PAYMENT_KEY);
});

/** The examples that send a mail. */
const MAILING = [
	...['deposit-credits-customer', 'deposit-to-item', 'payout-with-approval'],
	...['payouts-file-2-pay', 'payouts-file-3-updates', 'payouts-file-4-settle', 'payouts-from-list'],
	...['settlement-reviewed'],
];

test('each example that sends a mail can post the same text to a chat', () => {
	const nodesOf = (type: string) =>
		examples.flatMap(({ file, nodes: all }) =>
			all
				.filter((node) => node.type === `n8n-nodes-base.${type}`)
				.map(({ parameters: { text, jsonBody }, credentials, disabled, retryOnFail = false }) => ({
					file,
					credential: credentials?.smtp?.name,
					disabled,
					retryOnFail,
					text: String(text ?? jsonBody).replace(/^=\{\{ | \}\}$/g, ''),
				})),
		);
	const files = MAILING.map((name) => `${name}.json`);
	// A chat must not get the link with which everyone can approve.
	const mails = nodesOf('emailSend').filter(({ text }) => !text.includes('resumeFormUrl'));
	expect(mails.map(({ file }) => file)).toEqual(files);
	for (const { credential, retryOnFail, text } of mails)
		expect([credential, retryOnFail, text]).toEqual([
			'Mailbox (sandbox)',
			false,
			expect.stringMatching(/json\.text$/),
		]);
	const chats = nodesOf('httpRequest');
	expect(chats.map(({ file, disabled, text }) => [file, disabled, text])).toEqual(
		files.map((file) => [file, true, 'JSON.stringify({ text: $json.text })']),
	);
});

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** The size of a node in the editor, without its name below. */
const NODE_SIZE = 96;

const boxOf = (node: ExampleNode): Box => {
	const {
		name,
		position: [left, top],
		parameters: { width, height },
	} = node;
	return {
		name,
		left,
		top,
		right: left + Number(width ?? NODE_SIZE),
		bottom: top + Number(height ?? heightOf(node)),
	};
};

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const contains = (outer: Box, inner: Box) =>
	outer.left <= inner.left &&
	outer.top <= inner.top &&
	outer.right >= inner.right &&
	outer.bottom >= inner.bottom;

describe.each(examples)('the canvas of $file', ({ nodes: all, connections }) => {
	const isNote = ({ type }: ExampleNode) => type.endsWith('.stickyNote');
	const notes = all.filter(isNote).map(boxOf);
	const steps = all.filter((node) => !isNote(node)).map(boxOf);
	const groups = notes.filter(({ name }) => name.startsWith('Group '));

	test('nothing lies on something else, and a group holds whole nodes', () => {
		const pairs = (boxes: Box[]) => boxes.flatMap((a, index) => boxes.slice(index + 1).map((b) => [a, b]));
		const crossed = [...pairs(notes), ...pairs(steps)].filter(([a, b]) => overlap(a!, b!));
		const cut = groups.flatMap((group) =>
			steps.filter((step) => overlap(group, step) && !contains(group, step)),
		);
		const covered = notes.flatMap((note) =>
			groups.includes(note) ? [] : steps.filter((step) => overlap(note, step)),
		);
		expect([...crossed, ...cut, ...covered]).toEqual([]);
	});

	test('no wire runs through a node', () => {
		const through = wiresOf(all, connections).flatMap(({ from, to, points }) =>
			steps
				.filter(({ name }) => name !== from && name !== to)
				.filter(({ left, right, top, bottom }) =>
					points.some(([x, y]) => x > left && x < right && y > top && y < bottom),
				)
				.map(({ name }) => `${from} -> ${to} runs through ${name}`),
		);
		expect(through).toEqual([]);
	});

	test('no row is longer than seven nodes, and more than eight steps are in groups', () => {
		const rows = steps.map(({ top }) => steps.filter((step) => step.top === top).length);
		expect(Math.max(...rows)).toBeLessThanOrEqual(7);
		const loose = steps.filter((step) => !groups.some((group) => contains(group, step)));
		if (steps.length > 8) expect(loose).toEqual([]);
	});
});
