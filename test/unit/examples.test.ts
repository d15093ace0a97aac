/** Each example has what its nodes know, keys for its payments, the same text for mail and chat, and a canvas to read. */
import { readFileSync } from 'node:fs';
import { examples as exampleFiles, withCode } from '../../examples/code/build.mjs';
import { sameKey } from '../../examples/code/paymentKey.js';
import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';
import { WalletServiceTrigger } from '../../nodes/WalletService/WalletServiceTrigger.node.ts';
import { readKeyText } from '../../nodes/WalletService/action/payment/keyText.ts';
import { heightOf, wiresOf, type WiredNode } from './wires.ts';

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

const examples = exampleFiles().map((file) => ({
	...(JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as Omit<Example, 'file'>),
	file,
}));

const allNodes = examples.flatMap(({ file, nodes }) => nodes.map((node) => ({ file, ...node })));
const ours = allNodes.filter(({ type }) => type.startsWith('n8n-nodes-wallet-service.'));

const descriptionOf = (type: string) => {
	const name = type.replace('n8n-nodes-wallet-service.', '').replace(/Tool$/, '');
	return DESCRIPTIONS.find((description) => description.name === name)!;
};

test.each(ours)('$file: $name fits its node type', ({ type, typeVersion, parameters }) => {
	const { properties, version } = descriptionOf(type);
	expect(typeVersion).toBe(version);
	/** n8n adds these to each node or tool. */
	const common = ['requestOptions', 'toolDescription', 'descriptionType'];
	for (const [key, value] of Object.entries(parameters).filter(([key]) => !common.includes(key))) {
		const property = properties.find((candidate) => candidate.name === key);
		expect([key, property?.name]).toEqual([key, key]);
		const { __rl: located, mode } = (value ?? {}) as { __rl?: boolean; mode?: string };
		if (located) expect(property?.modes?.map((entry) => entry.name)).toContain(mode);
	}
});

test.each(examples)('$file: all named nodes are there', ({ nodes, connections }) => {
	const names = nodes.map(({ name }) => name);
	const connected = Object.entries(connections).flatMap(([from, outputs]) => [
		from,
		...Object.values(outputs).flatMap((targets) => targets.flat().map(({ node }) => node)),
	]);
	const expressions = [...JSON.stringify(nodes).matchAll(/\$\('([^']*)'\)/g)].map(([, name]) => name);
	expect(names).toEqual(expect.arrayContaining([...connected, ...expressions]));
	expect(new Set(names).size).toBe(names.length);
});

test('no example uses what n8n 3 removes, or lets n8n approve tools', () => {
	const refused = allNodes.filter(
		({ parameters: { mode }, type }) => mode === 'each' || type.endsWith('HitlTool'),
	);
	expect(refused).toEqual([]);
});

test.each(exampleFiles())('%s has the code of its files', (file) => {
	expect(readFileSync(`examples/${file}`, 'utf8')).toBe(withCode(file));
});

test('pay once has at most 16 nodes without notes, of which one has JavaScript', () => {
	const steps = allNodes.filter(
		({ file, type }) => file === 'pay-once.json' && !type.endsWith('.stickyNote'),
	);
	expect(steps.length).toBeLessThanOrEqual(16);
	const scripts = steps.flatMap(({ parameters: { jsCode = [] } }) => jsCode as string);
	expect(scripts.map((code) => code.split('\n').length <= 130)).toEqual([true]);
});

test('the examples compare keys as Payment Key does, and never make one key of a text that it refuses', () => {
	const texts = (value: unknown): string[] =>
		typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [String(value)];
	const folds = allNodes
		.flatMap(({ file, parameters }) => texts(parameters).map((text) => ({ file, text })))
		.flatMap(({ file, text }) =>
			[...text.matchAll(/\.replace\(\/\[a-z\\uff01.*?\.trim\(\)/g)].map(([code]) => ({ file, code })),
		);
	expect(folds.map(({ file }) => file)).toEqual(['pay-once.json']);
	const [code, ...others] = new Set(folds.map((fold) => fold.code));
	expect(others).toEqual([]);
	expect(readFileSync('examples/code/paymentKey.js', 'utf8').replace(/\n\s*/g, '')).toContain(code);
	const signs = Array.from({ length: 0x10ffff + 1 }, (_, codePoint) => String.fromCodePoint(codePoint));
	const wrong = signs.filter((sign) => {
		const read = readKeyText(`a${sign}${sign}1`);
		const folded = sameKey(` a${sign}${sign}1\t`);
		if ('key' in read) return folded.toLowerCase() !== read.key;
		return /^'Payment Key' has the character/.test(read.message) && !/[^ -~]/.test(folded);
	});
	expect(wrong).toEqual([]);
});

/** Its list has no number for each payout. */
const WITHOUT_PAYMENT_KEY = ['payouts-from-list.json', 'payouts-from-list.json'];

test('every payment of an example has a Payment Key that comes from its data', () => {
	const payments = ours.filter(({ parameters }) =>
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
	...['book-an-event', 'deposit-credits-customer', 'deposit-to-bank', 'deposit-to-item', 'morning-proof'],
	...['payout-with-approval', 'payouts-file-2-pay', 'payouts-file-4-settle', 'payouts-from-list'],
	...['settlement-reviewed', 'watch'],
].map((name) => `${name}.json`);

test('each example that sends a mail can post the same text to a chat', () => {
	const nodesOf = (type: string) => allNodes.filter((node) => node.type === `n8n-nodes-base.${type}`);
	// A chat must not get the link with which everyone can approve.
	const mails = nodesOf('emailSend').filter(
		({ parameters }) => !/resumeFormUrl/.test(String(parameters.text)),
	);
	expect(
		mails.map(({ file, credentials, retryOnFail = false, parameters: { text } }) => [
			...[file, credentials?.smtp?.name, retryOnFail, text],
		]),
	).toEqual(
		MAILING.map((file) => [file, 'Mailbox (sandbox)', false, expect.stringMatching(/json\.text( \}\})?$/)]),
	);
	expect(
		nodesOf('httpRequest').map(({ file, disabled, parameters: { jsonBody } }) => [file, disabled, jsonBody]),
	).toEqual(MAILING.map((file) => [file, true, '={{ JSON.stringify({ text: $json.text }) }}']));
});

/** The size of a node in the editor, without its name below. */
const NODE_SIZE = 96;

const boxOf = (node: ExampleNode) => {
	const [left, top] = node.position;
	const { width = NODE_SIZE, height = heightOf(node) } = node.parameters as Record<string, number>;
	return { name: node.name, left, top, right: left + width, bottom: top + height };
};
type Box = ReturnType<typeof boxOf>;

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const contains = (outer: Box, inner: Box) =>
	outer.left <= inner.left &&
	outer.top <= inner.top &&
	outer.right >= inner.right &&
	outer.bottom >= inner.bottom;

describe.each(examples)('the canvas of $file', ({ nodes: all, connections }) => {
	const notes = all.filter(({ type }) => type.endsWith('.stickyNote')).map(boxOf);
	const steps = all.filter(({ type }) => !type.endsWith('.stickyNote')).map(boxOf);
	const groups = notes.filter(({ name }) => name.startsWith('Group '));

	test('nothing lies on something else, and a group holds whole nodes', () => {
		const pairs = (boxes: Box[]) => boxes.flatMap((a, index) => boxes.slice(index + 1).map((b) => [a, b]));
		const crossed = [...pairs(notes), ...pairs(steps)].filter(([a, b]) => overlap(a!, b!));
		const cut = notes.flatMap((note) =>
			steps.filter((step) => overlap(note, step) && !(groups.includes(note) && contains(note, step))),
		);
		expect([...crossed, ...cut]).toEqual([]);
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
